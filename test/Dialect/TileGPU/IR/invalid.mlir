// RUN: tilegpt-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a mode such as 'd0:8*4' or 'rep:4'}}
#l = #tile_gpu.layout<registers = [x0:4*1], lanes = [rep:32], warps = []>

// -----

// expected-error @+1 {{expected the extents of the lanes to multiply to 32, found 16}}
#l = #tile_gpu.layout<registers = [], lanes = [d0:16*1], warps = []>

// -----

// expected-error @+1 {{expected extents that multiply to at most 32, found 64}}
#l = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = [d0:64*32]>

// -----

// expected-error @+1 {{expected extents that multiply to at most 32, found 0}}
#l = #tile_gpu.layout<registers = [], lanes = [d0:0*1], warps = []>

// -----

// expected-error @+1 {{expected a positive stride of a sane size, found 0}}
#l = #tile_gpu.layout<registers = [d0:4*0], lanes = [rep:32], warps = []>

// -----

// expected-error @+1 {{expected no copies among the registers of a thread, found rep:4}}
#l = #tile_gpu.layout<registers = [rep:4], lanes = [rep:32], warps = []>

// -----

#l = #tile_gpu.layout<registers = [], lanes = [d1:32*1], warps = []>
// expected-error @+1 {{expected a layout of axes 0 to 0, found a mode of axis 1}}
func.func @too_many_axes(%t: tensor<32xf32, #l>)

// -----

#l = #tile_gpu.layout<registers = [d0:2*32], lanes = [d0:32*1], warps = []>
// expected-error @+1 {{expected a layout that holds all 65 elements along axis 0, found 64}}
func.func @too_few(%t: tensor<65xf32, #l>)

// -----

#l = #tile_gpu.layout<registers = [d0:2*40], lanes = [d0:32*1], warps = []>
// expected-error @+1 {{expected a layout that holds all 64 elements along axis 0, found 32}}
func.func @a_hole(%t: tensor<64xf32, #l>)

// -----

#l = #tile_gpu.layout<registers = [d0:2*16], lanes = [d0:32*1], warps = []>
// expected-error @+1 {{expected a layout that holds elements once, but a mode of axis 0 has stride 16 where others reach 32 elements; copies are 'rep' modes}}
func.func @held_twice(%t: tensor<48xf32, #l>)

// -----

// expected-error @+1 {{expected 1 to 32 warps, found 33}}
#p = #tile_gpu.plan<target = "sm_80", warps = 33>

// -----

// expected-error @+1 {{expected 0 to 32 stages, found 33}}
#p = #tile_gpu.plan<target = "sm_80", warps = 4, stages = 33>

// -----

// expected-error @+1 {{a producer needs stages to fill}}
#p = #tile_gpu.plan<target = "sm_90a", warps = 4, producer = true>

// -----

// expected-error @+1 {{expected an integer or a float as element of a buffer, found 'index'}}
func.func @no_element(%b: !tile_gpu.shared<16xindex>)

// -----

// expected-error @+1 {{expected positive sizes of a buffer}}
func.func @no_elements(%b: !tile_gpu.shared<0x16xf32>)

// -----

// expected-error @+1 {{expected a swizzle of 32, 64 or 128 bytes, found 16}}
func.func @odd_swizzle(%b: !tile_gpu.shared<16x16xf32, swizzle = 16>)

// -----

// expected-error @+1 {{expected rows of a multiple of 128 bytes for a swizzle of 128}}
func.func @narrow_rows(%b: !tile_gpu.shared<16x16xf32, swizzle = 128>)

// -----

// expected-error @+1 {{expected a padding of at least 0, and none with a swizzle, found -1}}
func.func @negative_padding(%b: !tile_gpu.shared<16x16xf32, padding = -1>)

// -----

#row = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
func.func @another_shape(%t: tensor<32xf32, #row>) {
  // expected-error @+1 {{expected source and result to differ in layout only, found}}
  %r = tile_gpu.convert_layout %t : tensor<32xf32, #row> -> tensor<16xf32, #row>
  return
}

// -----

#row = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
func.func @another_element(%t: tensor<32xf32, #row>, %b: !tile_gpu.shared<32xbf16>) {
  // expected-error @+1 {{expected tile and buffer of one shape and element type, found}}
  tile_gpu.write %t, %b : tensor<32xf32, #row>, !tile_gpu.shared<32xbf16>
  return
}

// -----

#row = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
func.func @another_buffer(%b: !tile_gpu.shared<31xf32>) {
  // expected-error @+1 {{expected tile and buffer of one shape and element type, found}}
  %t = tile_gpu.read %b : !tile_gpu.shared<31xf32> -> tensor<32xf32, #row>
  return
}

// -----

#l = #tile_gpu.layout<registers = [d1:8*1], lanes = [d0:32*1], warps = []>
func.func @another_k(%a: !tile_gpu.shared<32x16xf32>, %b: !tile_gpu.shared<8x8xf32>, %c: tensor<32x8xf32, #l>) {
  // expected-error @+1 {{expected 32xK times Kx8, found 32x16 times 8x8}}
  %d = tile_gpu.dot %a, %b, %c
      : !tile_gpu.shared<32x16xf32>, !tile_gpu.shared<8x8xf32>, tensor<32x8xf32, #l> -> tensor<32x8xf32, #l>
  return
}

// -----

#l = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
func.func @vectors(%a: !tile_gpu.shared<32xf32>, %b: !tile_gpu.shared<32xf32>, %c: tensor<32xf32, #l>) {
  // expected-error @+1 {{expected operands of rank 2, or 3 with a batch axis}}
  %d = tile_gpu.dot %a, %b, %c
      : !tile_gpu.shared<32xf32>, !tile_gpu.shared<32xf32>, tensor<32xf32, #l> -> tensor<32xf32, #l>
  return
}

// -----

#l = #tile_gpu.layout<registers = [d1:8*1], lanes = [d0:32*1], warps = []>
#m = #tile_gpu.layout<registers = [d0:8*1], lanes = [d0:4*8, d1:8*1], warps = []>
func.func @another_result(%a: !tile_gpu.shared<32x8xf32>, %b: !tile_gpu.shared<8x8xf32>, %c: tensor<32x8xf32, #l>) {
  // expected-error @+1 {{expected the result to be like the accumulator}}
  %d = tile_gpu.dot %a, %b, %c
      : !tile_gpu.shared<32x8xf32>, !tile_gpu.shared<8x8xf32>, tensor<32x8xf32, #l> -> tensor<32x8xf32, #m>
  return
}
