// RUN: tilegpt-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected 1 to 32 stages, found 33}}
func.func private @stages(!tile_gpu.pipe<33>)

// -----

// expected-error @below {{expected 1 to 32 stages, found 0}}
func.func private @no_stages(!tile_gpu.cursor<0>)

// -----

// expected-error @below {{expected a box of 1 to 5 axes, found 6}}
func.func private @axes(!tile_gpu.tensor_map<1x1x1x1x64x64xbf16>)

// -----

// expected-error @below {{expected a box of 1 to 256 elements along each axis, found 257}}
func.func private @large(!tile_gpu.tensor_map<257x64xbf16>)

// -----

// expected-error @below {{expected elements of whole bytes, found 'i1'}}
func.func private @bits(!tile_gpu.tensor_map<64x64xi1>)

// -----

// expected-error @below {{expected a swizzle of 32, 64 or 128 bytes, found 16}}
func.func private @swizzle(!tile_gpu.tensor_map<64x64xbf16, swizzle = 16>)

// -----

// expected-error @below {{expected rows of a box of 128 bytes, found 64}}
func.func private @narrow(!tile_gpu.tensor_map<64x32xbf16, swizzle = 128>)

// -----

// expected-error @below {{expected rows of a box of 16·n bytes, found 24}}
func.func private @odd(!tile_gpu.tensor_map<64x12xbf16>)

// -----

func.func @outside() {
  // expected-error @below {{expected to stand in the body of a kernel}}
  tile_gpu.roles producer {
  } consumer {
  }
  return
}

// -----

tile.kernel @registers() grid [1] {
  // expected-error @below {{expected two register counts, multiples of 8 from 24 to 256, found [20, 240]}}
  tile_gpu.roles registers [20, 240] producer {
  } consumer {
  }
}

// -----

tile.kernel @barriers() grid [1] {
  %b = tile_gpu.alloc : !tile_gpu.shared<8xi64>
  // expected-error @below {{expected 10 barriers of i64, two a stage, found '!tile_gpu.shared<8xi64>'}}
  %p = tile_gpu.pipe %b readers 8 : !tile_gpu.shared<8xi64> -> !tile_gpu.pipe<5>
}

// -----

tile.kernel @readers() grid [1] {
  %b = tile_gpu.alloc : !tile_gpu.shared<10xi64>
  // expected-error @below {{expected at least one reader, found 0}}
  %p = tile_gpu.pipe %b readers 0 : !tile_gpu.shared<10xi64> -> !tile_gpu.pipe<5>
}

// -----

tile.kernel @window(%x: !tile.view<?x64xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %w = tile.subview %x [%c0, 0] [8, 64] : !tile.view<?x64xbf16> -> !tile.view<8x64xbf16>
  // expected-error @below {{expected an argument of the kernel}}
  %m = tile_gpu.tensor_map %w : !tile.view<8x64xbf16> -> !tile_gpu.tensor_map<8x64xbf16>
}

// -----

tile.kernel @other_type(%x: !tile.view<?x64xbf16>) grid [1] {
  // expected-error @below {{expected a box like the view '!tile.view<?x64xbf16>', found '!tile_gpu.tensor_map<8x64xf16>'}}
  %m = tile_gpu.tensor_map %x : !tile.view<?x64xbf16> -> !tile_gpu.tensor_map<8x64xf16>
}

// -----

tile.kernel @encoded_columns(%p: !tile.ptr<bf16>, %n: index) grid launch {
  %v = tile.view_at %p sizes [%n, 64] strides [64, 2] : !tile.ptr<bf16> -> !tile.view<?x64xbf16, strides=[64, 2]>
  %s = tile_gpu.claim_maps
  %m = tile_gpu.make_map %s number 0 : !tile_gpu.tensor_map<8x64xbf16>
  // expected-error @below {{expected a last axis of stride 1, found}}
  tile_gpu.encode_map %m, %v : !tile_gpu.tensor_map<8x64xbf16>, !tile.view<?x64xbf16, strides=[64, 2]>
}

// -----

tile.kernel @encoded_type(%p: !tile.ptr<f16>, %n: index) grid launch {
  %v = tile.view_at %p sizes [%n, 64] : !tile.ptr<f16> -> !tile.view<?x64xf16>
  %s = tile_gpu.claim_maps
  %m = tile_gpu.make_map %s number 0 : !tile_gpu.tensor_map<8x64xbf16>
  // expected-error @below {{expected a box like the view '!tile.view<?x64xf16>', found '!tile_gpu.tensor_map<8x64xbf16>'}}
  tile_gpu.encode_map %m, %v : !tile_gpu.tensor_map<8x64xbf16>, !tile.view<?x64xf16>
}

// -----

tile.kernel @columns(%x: !tile.view<?x64xbf16, strides=[64, 2]>) grid [1] {
  // expected-error @below {{expected a last axis of stride 1, found}}
  %m = tile_gpu.tensor_map %x : !tile.view<?x64xbf16, strides=[64, 2]> -> !tile_gpu.tensor_map<8x64xbf16>
}

// -----

tile.kernel @rows(%x: !tile.view<?x65xbf16>) grid [1] {
  // expected-error @below {{expected strides of known multiples of 16 bytes, found '!tile.view<?x65xbf16>'}}
  %m = tile_gpu.tensor_map %x : !tile.view<?x65xbf16> -> !tile_gpu.tensor_map<8x64xbf16>
}

// -----

#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
tile.kernel @columns_of_dot() grid [1] {
  %a = tile_gpu.alloc : !tile_gpu.shared<64x64xbf16, swizzle = 128>
  %b = tile_gpu.alloc : !tile_gpu.shared<12x64xbf16, swizzle = 128>
  // expected-error @below {{expected a multiple of 64 rows or, below, of 8, and of 8 columns up to 256, found 'tensor<64x12xf32,}}
  %d = tile_gpu.async_dot %a, %b : !tile_gpu.shared<64x64xbf16, swizzle = 128>,
      !tile_gpu.shared<12x64xbf16, swizzle = 128> -> !tile_gpu.pending<tensor<64x12xf32, #l>>
}

// -----

#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
tile.kernel @depth_of_dot() grid [1] {
  %a = tile_gpu.alloc : !tile_gpu.shared<64x64xbf16, swizzle = 128>
  %b = tile_gpu.alloc : !tile_gpu.shared<8x128xbf16, swizzle = 128>
  // expected-error @below {{expected MxK and NxK to make MxN, found}}
  %d = tile_gpu.async_dot %a, %b : !tile_gpu.shared<64x64xbf16, swizzle = 128>,
      !tile_gpu.shared<8x128xbf16, swizzle = 128> -> !tile_gpu.pending<tensor<64x8xf32, #l>>
}

// -----

#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
tile.kernel @types_of_dot() grid [1] {
  %a = tile_gpu.alloc : !tile_gpu.shared<64x64xbf16, swizzle = 128>
  %b = tile_gpu.alloc : !tile_gpu.shared<8x64xf16, swizzle = 128>
  // expected-error @below {{expected operands of bf16, f16 or f32, both alike, or of f8 types, and a sum of f32, or of i8 and a sum of i32, found}}
  %d = tile_gpu.async_dot %a, %b : !tile_gpu.shared<64x64xbf16, swizzle = 128>,
      !tile_gpu.shared<8x64xf16, swizzle = 128> -> !tile_gpu.pending<tensor<64x8xf32, #l>>
}

// -----

#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
tile.kernel @unsigned_float() grid [1] {
  %a = tile_gpu.alloc : !tile_gpu.shared<64x64xbf16, swizzle = 128>
  %b = tile_gpu.alloc : !tile_gpu.shared<8x64xbf16, swizzle = 128>
  // expected-error @below {{expected unsigned operands to be i8, found '!tile_gpu.shared<64x64xbf16, swizzle = 128>' and '!tile_gpu.shared<8x64xbf16, swizzle = 128>'}}
  %d = tile_gpu.async_dot %a, %b unsigned_rhs : !tile_gpu.shared<64x64xbf16, swizzle = 128>,
      !tile_gpu.shared<8x64xbf16, swizzle = 128> -> !tile_gpu.pending<tensor<64x8xf32, #l>>
}

// -----

#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
tile.kernel @plain_operand() grid [1] {
  %a = tile_gpu.alloc : !tile_gpu.shared<64x64xbf16>
  %b = tile_gpu.alloc : !tile_gpu.shared<8x64xbf16>
  // expected-error @below {{expected operands with a swizzle, found}}
  %d = tile_gpu.async_dot %a, %b : !tile_gpu.shared<64x64xbf16>, !tile_gpu.shared<8x64xbf16>
      -> !tile_gpu.pending<tensor<64x8xf32, #l>>
}

// -----

tile.kernel @no_layout() grid [1] {
  %a = tile_gpu.alloc : !tile_gpu.shared<64x64xbf16, swizzle = 128>
  %b = tile_gpu.alloc : !tile_gpu.shared<8x64xbf16, swizzle = 128>
  // expected-error @below {{expected a tile with a layout, found 'tensor<64x8xf32>'}}
  %d = tile_gpu.async_dot %a, %b : !tile_gpu.shared<64x64xbf16, swizzle = 128>,
      !tile_gpu.shared<8x64xbf16, swizzle = 128> -> !tile_gpu.pending<tensor<64x8xf32>>
}

// -----

#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
tile.kernel @narrow_store(%t: bf16) outs(%y: !tile.view<?x64xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %b = tile_gpu.alloc : !tile_gpu.shared<1x64x64xbf16, swizzle = 128>
  %m = tile_gpu.tensor_map %y : !tile.view<?x64xbf16> -> !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
  %v = tile.splat %t [64, 32] : bf16 -> tensor<64x32xbf16, #l>
  // expected-error @below {{expected boxes of 64 by 16, 32 or 64 elements of 16 bits, found 'tensor<64x32xbf16,}}
  tile_gpu.tma_store %v, %m[%c0, %c0] through %b : tensor<64x32xbf16, #l>,
      !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>, !tile_gpu.shared<1x64x64xbf16, swizzle = 128>
}

// -----

#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
tile.kernel @narrowest_box(%t: bf16) outs(%y: !tile.view<?x64xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %b = tile_gpu.alloc : !tile_gpu.shared<1x8x64xbf16, swizzle = 128>
  %m = tile_gpu.tensor_map %y : !tile.view<?x64xbf16> -> !tile_gpu.tensor_map<8x64xbf16, swizzle = 128>
  %v = tile.splat %t [64, 64] : bf16 -> tensor<64x64xbf16, #l>
  // expected-error @below {{expected boxes of 64 by 16, 32 or 64 elements of 16 bits, found 'tensor<64x64xbf16,}}
  tile_gpu.tma_store %v, %m[%c0, %c0] through %b : tensor<64x64xbf16, #l>,
      !tile_gpu.tensor_map<8x64xbf16, swizzle = 128>, !tile_gpu.shared<1x8x64xbf16, swizzle = 128>
}

// -----

tile.kernel @three_turns() grid [1] {
  %t = tile_gpu.alloc : !tile_gpu.shared<3xi64>
  // expected-error @below {{expected 2 barriers of i64, one a team, found '!tile_gpu.shared<3xi64>'}}
  tile_gpu.init_turns %t : !tile_gpu.shared<3xi64>
}

// -----

// expected-error @below {{expected one team, two of a persistent kernel with a producer, or up to 32 of one warp without a producer, found 2}}
tile.kernel @idle() grid [1] attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, teams = 2>} {
}

// -----

// expected-error @below {{expected one part, or up to 8 of a kernel whose blocks have a tile each, found 2}}
tile.kernel @alone() grid [1] attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, persistent = true, parts = 2>} {
}

// -----

tile.kernel @no_room() grid [1] {
  %m = tile_gpu.alloc : !tile_gpu.shared<2xi64>
  // expected-error @below {{expected words of i64, more than 2, found '!tile_gpu.shared<2xi64>'}}
  tile_gpu.init_mailbox %m : !tile_gpu.shared<2xi64>
}

// -----

tile.kernel @uneven_shares(%v: f32) grid [1] {
  %n = tile.block_id 0
  %t = tile.splat %v [64, 32] : f32 -> tensor<64x32xf32>
  // expected-error @below {{expected tiles of f32 with as many rows, and whole shares of a multiple of 8 columns, found 'tensor<64x32xf32>' and 'tensor<64x24xf32>'}}
  %s = tile_gpu.sum_parts %t part %n : tensor<64x32xf32> -> tensor<64x24xf32>
}

// -----

tile.kernel @other_mailbox(%v: f32) grid [1] {
  %n = tile.block_id 0
  %m = tile_gpu.alloc : !tile_gpu.shared<512xi64>
  %t = tile.splat %v [64, 32] : f32 -> tensor<64x32xf32>
  // expected-error @below {{expected a mailbox '!tile_gpu.shared<514xi64>', found '!tile_gpu.shared<512xi64>'}}
  %s = tile_gpu.sum_parts %t part %n through %m : !tile_gpu.shared<512xi64> : tensor<64x32xf32> -> tensor<64x16xf32>
}

// -----

tile.kernel @flat_rows(%v: f32) outs(%y: !tile.view<?xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %b = tile_gpu.alloc : !tile_gpu.shared<4x8x32xf32, padding = 4>
  %t = tile.splat %v [64, 32] : f32 -> tensor<64x32xf32>
  // expected-error @below {{expected a tile, a view and indices of 2 axes, found 'tensor<64x32xf32>' and '!tile.view<?xf32>'}}
  tile_gpu.row_store %t, %y[%c0] through %b : tensor<64x32xf32>, !tile.view<?xf32>, !tile_gpu.shared<4x8x32xf32, padding = 4>
}

// -----

tile.kernel @byte_rows(%v: i8) outs(%y: !tile.view<?x99xi8>) grid [1] {
  %c0 = arith.constant 0 : index
  %b = tile_gpu.alloc : !tile_gpu.shared<4x8x32xi8, padding = 16>
  %t = tile.splat %v [64, 32] : i8 -> tensor<64x32xi8>
  // expected-error @below {{expected elements of 32 or 16 bits, dense along the rows, found 'tensor<64x32xi8>' and '!tile.view<?x99xi8>'}}
  tile_gpu.row_store %t, %y[%c0, %c0] through %b : tensor<64x32xi8>, !tile.view<?x99xi8>,
      !tile_gpu.shared<4x8x32xi8, padding = 16>
}

// -----

tile.kernel @half_padded_rows(%v: bf16) outs(%y: !tile.view<?x99xbf16>) grid [1] {
  %c0 = arith.constant 0 : index
  %b = tile_gpu.alloc : !tile_gpu.shared<4x8x32xbf16, padding = 4>
  %t = tile.splat %v [64, 32] : bf16 -> tensor<64x32xbf16>
  // expected-error @below {{expected a buffer of warps x 8 x columns, padded by units of 16 bytes, whose columns are a multiple of 8 that divides those of the tile, found '!tile_gpu.shared<4x8x32xbf16, padding = 4>' for 'tensor<64x32xbf16>'}}
  tile_gpu.row_store %t, %y[%c0, %c0] through %b : tensor<64x32xbf16>, !tile.view<?x99xbf16>,
      !tile_gpu.shared<4x8x32xbf16, padding = 4>
}

// -----

tile.kernel @tight_rows(%v: f32) outs(%y: !tile.view<?x99xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %b = tile_gpu.alloc : !tile_gpu.shared<4x8x32xf32>
  %t = tile.splat %v [64, 32] : f32 -> tensor<64x32xf32>
  // expected-error @below {{expected a buffer of warps x 8 x columns, padded by units of 16 bytes, whose columns are a multiple of 8 that divides those of the tile, found '!tile_gpu.shared<4x8x32xf32>' for 'tensor<64x32xf32>'}}
  tile_gpu.row_store %t, %y[%c0, %c0] through %b : tensor<64x32xf32>, !tile.view<?x99xf32>, !tile_gpu.shared<4x8x32xf32>
}

// -----

tile.kernel @many_blocks() grid [1] {
  %words = tile_gpu.alloc : !tile_gpu.shared<4xi64>
  // expected-error @below {{expected 1 to 8 blocks of a cluster, found 9}}
  %p = tile_gpu.pipe %words readers 4 : !tile_gpu.shared<4xi64> -> !tile_gpu.pipe<2, blocks = 9>
}

// -----

tile.kernel @multicast_alone(%x: !tile.view<?x776xbf16>) grid [1] {
  %words = tile_gpu.alloc : !tile_gpu.shared<4xi64>
  %p = tile_gpu.pipe %words readers 4 : !tile_gpu.shared<4xi64> -> !tile_gpu.pipe<2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %map = tile_gpu.tensor_map %x : !tile.view<?x776xbf16> -> !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>
  %c0 = arith.constant 0 : index
  %s = tile_gpu.alloc : !tile_gpu.shared<128x64xbf16, swizzle = 128>
  // expected-error @below {{expected a pipe of several blocks and as many boxes below each other, found '!tile_gpu.pipe<2>'}}
  tile_gpu.tma_load %map[%c0, %c0] to %s on %p[%c] multicast along 0
      : !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>, !tile_gpu.shared<128x64xbf16, swizzle = 128>, !tile_gpu.pipe<2>
}

// -----

tile.kernel @multicast_whole(%x: !tile.view<?x776xbf16>) grid [1] {
  %words = tile_gpu.alloc : !tile_gpu.shared<4xi64>
  %p = tile_gpu.pipe %words readers 4 : !tile_gpu.shared<4xi64> -> !tile_gpu.pipe<2, blocks = 2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %map = tile_gpu.tensor_map %x : !tile.view<?x776xbf16> -> !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>
  %c0 = arith.constant 0 : index
  %s = tile_gpu.alloc : !tile_gpu.shared<128x64xbf16, swizzle = 128>
  // expected-error @below {{expected a pipe of several blocks and as many boxes below each other, found '!tile_gpu.pipe<2, blocks = 2>'}}
  tile_gpu.tma_load %map[%c0, %c0] to %s on %p[%c] multicast along 0
      : !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>, !tile_gpu.shared<128x64xbf16, swizzle = 128>,
        !tile_gpu.pipe<2, blocks = 2>
}

// -----

// expected-error @+2 {{expected copies for one block, or for up to 8 of a persistent kernel with a producer, found 2}}
tile.kernel @multicast_at_once() grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true, multicast = 2>} {
}

// -----

// expected-error @+2 {{expected blocks of a cluster along axis 0 or 1 of the grid, or 2 for both, found 3}}
tile.kernel @multicast_axis() grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true, persistent = true,
                                               multicast = 2, multicastAxis = 3>} {
}

// -----

// expected-error @+2 {{expected 4 blocks of a cluster along both axes, found 2}}
tile.kernel @multicast_square() grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true, persistent = true,
                                               multicast = 2, multicastAxis = 2>} {
}

// -----

// expected-error @+2 {{expected several parts, blocks of a multiprocessor, and no producer and stages where blocks exchange through memory, found 1 parts, 1 blocks and 0 stages}}
tile.kernel @exchange_with_none() grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, blocks = 1, throughMemory = true>} {
}

// -----

// expected-error @+2 {{expected one part, or up to 128 of a kernel whose blocks have a tile each, found 129}}
tile.kernel @exchange_with_many() grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, parts = 129, blocks = 1, throughMemory = true>} {
}

// -----

// expected-error @+2 {{expected up to 2 blocks of a multiprocessor, found 3}}
tile.kernel @three_producers() grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true, blocks = 3>} {
}
