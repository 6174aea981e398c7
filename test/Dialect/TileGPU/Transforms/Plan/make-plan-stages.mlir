// Stages of the copies of a matmul: without a producer, since its rows begin at multiples of 8 bytes, three, or enough to hide
// the latency if a multiprocessor has no other block; with one, as many as leave room for the results.
// RUN: tilegpt-opt %s --tile-gpu-make-plan | FileCheck %s

!X = !tile.view<6400x1316xf16>
!W = !tile.view<6400x60xf16>
!S = !tile.view<1024x1024xf16>

// CHECK-DAG: #[[DEEP:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 8>
// CHECK-DAG: #[[FEWER:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 5>
// CHECK-DAG: #[[BOXES:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 3, producer = true, persistent = true>
// CHECK-DAG: #[[FOUR:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 4, producer = true, persistent = true>
// CHECK-DAG: #[[ODD:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 4, producer = true, persistent = true, raster = 1>
// CHECK-DAG: #[[USUAL:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3>

// 84 blocks: eight stages of 8 KB.
// CHECK-LABEL: tile.kernel @one_block
// CHECK: attributes {tile_gpu.plan = #[[DEEP]]
tile.kernel @one_block(%x: !X, %w: !W) outs(%y: !tile.view<1316x60xf16>) grid [42, 2] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %z = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = scf.for %k = %c0 to %c100 step %c1 iter_args(%acc = %z) -> (tensor<32x32xf32>) {
    %a = tile.load %x[%k, %m] [64, 32] : !X -> tensor<64x32xf16>
    %b = tile.load %w[%k, %n] [64, 32] : !W -> tensor<64x32xf16>
    %s = tile.dot %a, %b, %acc transpose_a : tensor<64x32xf16>, tensor<64x32xf16>, tensor<32x32xf32> -> tensor<32x32xf32>
    scf.yield %s : tensor<32x32xf32>
  }
  %o = tile.cast %r : tensor<32x32xf32> to tensor<32x32xf16>
  tile.store %o, %y[%m, %n] : tensor<32x32xf16>, !tile.view<1316x60xf16>
}

// Five larger stages have as many bytes.
// CHECK-LABEL: tile.kernel @larger_tiles
// CHECK: attributes {tile_gpu.plan = #[[FEWER]]
tile.kernel @larger_tiles(%x: !X, %w: !W) outs(%y: !tile.view<1316x60xf16>) grid [21, 1] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %c100 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%k, %m] [64, 64] : !X -> tensor<64x64xf16>
    %b = tile.load %w[%k, %n] [64, 64] : !W -> tensor<64x64xf16>
    %s = tile.dot %a, %b, %acc transpose_a : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  %o = tile.cast %r : tensor<64x64xf32> to tensor<64x64xf16>
  tile.store %o, %y[%m, %n] : tensor<64x64xf16>, !tile.view<1316x60xf16>
}

// 168 blocks for 132 multiprocessors.
// CHECK-LABEL: tile.kernel @two_blocks
// CHECK: attributes {tile_gpu.plan = #[[USUAL]]
tile.kernel @two_blocks(%x: !X, %w: !W) outs(%y: !tile.view<1316x60xf16>) grid [84, 2] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %z = arith.constant dense<0.0> : tensor<16x32xf32>
  %r = scf.for %k = %c0 to %c100 step %c1 iter_args(%acc = %z) -> (tensor<16x32xf32>) {
    %a = tile.load %x[%k, %m] [64, 16] : !X -> tensor<64x16xf16>
    %b = tile.load %w[%k, %n] [64, 32] : !W -> tensor<64x32xf16>
    %s = tile.dot %a, %b, %acc transpose_a : tensor<64x16xf16>, tensor<64x32xf16>, tensor<16x32xf32> -> tensor<16x32xf32>
    scf.yield %s : tensor<16x32xf32>
  }
  %o = tile.cast %r : tensor<16x32xf32> to tensor<16x32xf16>
  tile.store %o, %y[%m, %n] : tensor<16x32xf16>, !tile.view<1316x60xf16>
}

// An operand is computed: its copies do not go to the buffer that the dot reads.
// CHECK-LABEL: tile.kernel @computed
// CHECK: attributes {tile_gpu.plan = #[[USUAL]]
tile.kernel @computed(%x: !X, %w: !W) outs(%y: !tile.view<1316x60xf16>) grid [42, 2] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %z = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = scf.for %k = %c0 to %c100 step %c1 iter_args(%acc = %z) -> (tensor<32x32xf32>) {
    %a = tile.load %x[%k, %m] [64, 32] : !X -> tensor<64x32xf16>
    %b = tile.load %w[%k, %n] [64, 32] : !W -> tensor<64x32xf16>
    %b2 = arith.mulf %b, %b : tensor<64x32xf16>
    %s = tile.dot %a, %b2, %acc transpose_a : tensor<64x32xf16>, tensor<64x32xf16>, tensor<32x32xf32> -> tensor<32x32xf32>
    scf.yield %s : tensor<32x32xf32>
  }
  %o = tile.cast %r : tensor<32x32xf32> to tensor<32x32xf16>
  tile.store %o, %y[%m, %n] : tensor<32x32xf16>, !tile.view<1316x60xf16>
}

// Four stages of 56 KB would leave no room to store results in boxes.
// CHECK-LABEL: tile.kernel @summed
// CHECK: attributes {tile_gpu.plan = #[[BOXES]]
tile.kernel @summed(%x: !S, %z: !S, %w: !S) outs(%y: !S) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : tensor<128x192xf32>
  %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> (tensor<128x192xf32>) {
    %a = tile.load %x[%m, %k] [128, 64] : !S -> tensor<128x64xf16>
    %b = tile.load %z[%m, %k] [128, 64] : !S -> tensor<128x64xf16>
    %ab = arith.addf %a, %b : tensor<128x64xf16>
    %c = tile.load %w[%n, %k] [192, 64] : !S -> tensor<192x64xf16>
    %d = tile.dot %ab, %c, %acc transpose_b : tensor<128x64xf16>, tensor<192x64xf16>, tensor<128x192xf32> -> tensor<128x192xf32>
    scf.yield %d : tensor<128x192xf32>
  }
  %o = tile.cast %r : tensor<128x192xf32> to tensor<128x192xf16>
  tile.store %o, %y[%m, %n] : tensor<128x192xf16>, !S
}

// Threads hold the same elements of an unpacked operand before and after it is reshaped: no memory to exchange them, which
// would leave two stages.
// CHECK-LABEL: tile.kernel @unpacked
// CHECK: attributes {tile_gpu.plan = #[[FOUR]]
tile.kernel @unpacked(%x: !S, %w: !tile.view<1024x128xi32>) outs(%y: !S) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %mask = arith.constant dense<15> : tensor<128x16x8xi32>
  %shifts = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    %words = tile.load %w[%n, %k] [128, 16] : !tile.view<1024x128xi32> -> tensor<128x16xi32>
    %column = tile.expand_dims %words, 2 : tensor<128x16xi32> -> tensor<128x16x1xi32>
    %eight = tile.broadcast %column [128, 16, 8] : tensor<128x16x1xi32> -> tensor<128x16x8xi32>
    %by = tile.broadcast %shifts [128, 16, 8] : tensor<8xi32> -> tensor<128x16x8xi32>
    %shifted = arith.shrui %eight, %by : tensor<128x16x8xi32>
    %bits = arith.andi %shifted, %mask : tensor<128x16x8xi32>
    %joined = tile.reshape %bits [128, 128] : tensor<128x16x8xi32> -> tensor<128x128xi32>
    %a = arith.uitofp %joined : tensor<128x128xi32> to tensor<128x128xf16>
    %c = tile.load %x[%m, %k] [128, 128] : !S -> tensor<128x128xf16>
    %d = tile.dot %a, %c, %acc transpose_b : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %o = tile.cast %r : tensor<128x128xf32> to tensor<128x128xf16>
  tile.store %o, %y[%n, %m] : tensor<128x128xf16>, !S
}

// TMA stores boxes of 8 KB to rows that begin at odd multiples of 16 bytes, too: four stages of 50 KB.
// CHECK-LABEL: tile.kernel @odd_units
// CHECK: attributes {tile_gpu.plan = #[[ODD]]
tile.kernel @odd_units(%x: !tile.view<2048x1024xf16>, %w: !tile.view<1032x1024xf16>) outs(%y: !tile.view<2048x1032xf16>) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : tensor<256x136xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<256x136xf32>) {
    %a = tile.load %x[%m, %k] [256, 64] : !tile.view<2048x1024xf16> -> tensor<256x64xf16>
    %b = tile.load %w[%n, %k] [136, 64] : !tile.view<1032x1024xf16> -> tensor<136x64xf16>
    %s = tile.dot %a, %b, %acc transpose_b : tensor<256x64xf16>, tensor<136x64xf16>, tensor<256x136xf32> -> tensor<256x136xf32>
    scf.yield %s : tensor<256x136xf32>
  }
  %o = tile.cast %r : tensor<256x136xf32> to tensor<256x136xf16>
  tile.store %o, %y[%m, %n] : tensor<256x136xf16>, !tile.view<2048x1032xf16>
}
