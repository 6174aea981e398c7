// RUN: tilegpt-opt %s --tile-gpu-to-threads --split-input-file --verify-diagnostics

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#row = #tile_gpu.layout<registers = [], lanes = [d0:4*1, d1:8*1], warps = []>
#wrong = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
tile.kernel @result_elsewhere(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %s [4, 8] : f32 -> tensor<4x8xf32, #row>
  // expected-error @+2 {{failed to legalize operation 'tile.reduce'}}
  // expected-error @+1 {{expected results of the layout that the source leaves, #tile_gpu.layout<registers = [], lanes = [d0:4*1, rep:8], warps = []>, found #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>; convert the result with tile_gpu.convert_layout}}
  %r = tile.reduce add %t axis 1 : tensor<4x8xf32, #row> -> tensor<4xf32, #wrong>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#row = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
#column = #tile_gpu.layout<registers = [d0:8*1], lanes = [d0:4*8, rep:8], warps = []>
#all = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = []>
tile.kernel @sources_apart(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %s [32] : f32 -> tensor<32xf32, #row>
  %u = tile.splat %s [32] : f32 -> tensor<32xf32, #column>
  // expected-error @+2 {{failed to legalize operation 'tile.reduce'}}
  // expected-error @+1 {{expected sources of one layout, found 'tensor<32xf32, #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>>' and 'tensor<32xf32, #tile_gpu.layout<registers = [d0:8*1], lanes = [d0:4*8, rep:8], warps = []>>'; run --tile-gpu-assign-layouts}}
  %r, %q = tile.reduce %t, %u axis 0 identities [0.0 : f32, 0.0 : f32] {
    ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
      tile.yield %a, %d : f32, f32
  } : tensor<32xf32, #row>, tensor<32xf32, #column> -> (tensor<f32, #all>, tensor<f32, #all>)
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#line = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
#tall = #tile_gpu.layout<registers = [d1:8*1], lanes = [d1:4*8, rep:8], warps = []>
tile.kernel @needs_an_exchange() grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.iota [32] : tensor<32xi32, #line>
  // expected-error @+2 {{failed to legalize operation 'tile.expand_dims'}}
  // expected-error @+1 {{expected every thread to hold what it needs for the result}}
  %r = tile.expand_dims %t, 0 : tensor<32xi32, #line> -> tensor<1x32xi32, #tall>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#line = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
#pairs = #tile_gpu.layout<registers = [d0:2*1], lanes = [d0:16*2, rep:2], warps = []>
tile.kernel @dest_apart(%n: index) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.iota [32] : tensor<32xi32, #line>
  %p = tile.iota [8] : tensor<8xi32, #line>
  // expected-error @+2 {{failed to legalize operation 'tile.insert'}}
  // expected-error @+1 {{expected dest and result of one layout}}
  %r = tile.insert %p into %t[%n] : tensor<8xi32, #line> into tensor<32xi32, #line> -> tensor<32xi32, #pairs>
}

// -----

func.func @of_the_cpu(%x: memref<4xf32>, %zero: f32) {
  // expected-error @+1 {{'linalg.fill' op is the code of a kernel for the CPU; run passes for a GPU on the kernel itself}}
  linalg.fill ins(%zero : f32) outs(%x : memref<4xf32>)
  return
}
