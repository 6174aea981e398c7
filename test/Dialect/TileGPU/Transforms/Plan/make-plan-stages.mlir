// Stages of the copies of a matmul without a producer, here since its rows begin at multiples of 8 bytes: three, or enough to
// hide the latency if a multiprocessor has no other block.
// RUN: tilegpt-opt %s --tile-gpu-make-plan | FileCheck %s

!X = !tile.view<6400x1316xf16>
!W = !tile.view<6400x60xf16>

// CHECK-DAG: #[[DEEP:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 8>
// CHECK-DAG: #[[FEWER:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 5>
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
