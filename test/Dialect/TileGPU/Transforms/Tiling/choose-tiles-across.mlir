// Products of 32-bit and 8-bit elements with an operand whose contiguous axis is not the depth. The main loop rounds both
// tf32 operands and takes a transposed one as lhs, in registers: one or two warp groups have 64 or 128 rows of it.
// RUN: tilegpt-opt %s --tile-gpu-choose-tiles | FileCheck %s
// RUN: tilegpt-opt %s --arch=sm_90a --compile-to=planned | FileCheck %s --check-prefix=PLAN

// The columns become rows, of which 96, 192 and 256 do not suit.
// CHECK-LABEL: tile.kernel @right_across(
// CHECK: params {BM = 256 in [256], BN = 128 in [128], BK = 32 in [32]}
// PLAN-LABEL: tile.kernel @right_across
// PLAN: tile_gpu.mainloop
tile.kernel @right_across(%x: !tile.view<4096x4096xf32>, %w: !tile.view<4096x4096xf32>) outs(%y: !tile.view<4096x4096xf32>)
    params {BM = 128 in [16, 40, 64, 96, 128, 192, 256], BN = 128 in [16, 40, 64, 96, 128, 192, 256], BK = 32 in [32, 64, 128]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !tile.view<4096x4096xf32>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.load %x[%m, %k] [BM, BK] : !tile.view<4096x4096xf32> -> tensor<?x?xf32>
    %b = tile.load %w[%k, %n] [BK, BN] : !tile.view<4096x4096xf32> -> tensor<?x?xf32>
    %next = tile.dot %a, %b, %acc precision(tf32) : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<?x?xf32>, !tile.view<4096x4096xf32>
}

// Eleven blocks split the depth of such a loop, which has large tiles.
// CHECK-LABEL: tile.kernel @both_across(
// CHECK: params {BM = 128 in [128], BN = 192 in [192], BK = 32 in [32]}
// PLAN-LABEL: tile.kernel @both_across
// PLAN: tile_gpu.mainloop
// PLAN: tile_gpu.await_blocks %{{.*}} of 12 part %{{.*}} of 11
tile.kernel @both_across(%x: !tile.view<7536x1536xf32>, %w: !tile.view<7536x160xf32>) outs(%y: !tile.view<1536x160xf32>)
    params {BM = 128 in [16, 40, 64, 96, 128, 192, 256], BN = 128 in [16, 32, 40, 64, 96, 128, 192, 256], BK = 32 in [32, 64, 128]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 0 by [BK] : !tile.view<7536x1536xf32>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.load %x[%k, %m] [BK, BM] : !tile.view<7536x1536xf32> -> tensor<?x?xf32>
    %b = tile.load %w[%k, %n] [BK, BN] : !tile.view<7536x160xf32> -> tensor<?x?xf32>
    %next = tile.dot %a, %b, %acc transpose_a precision(tf32) : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<?x?xf32>, !tile.view<1536x160xf32>
}

// 8-bit elements cannot be transposed: no producer, and tiles for mma.sync.
// CHECK-LABEL: tile.kernel @bytes_across(
// CHECK: params {BM = 128 in [128], BN = 128 in [128], BK = 128 in [128]}
// PLAN-LABEL: tile.kernel @bytes_across
// PLAN-NOT: tile_gpu.mainloop
tile.kernel @bytes_across(%x: !tile.view<2048x2048xi8>, %w: !tile.view<2048x2048xi8>) outs(%y: !tile.view<2048x2048xi32>)
    params {BM = 128 in [16, 40, 64, 96, 128, 192, 256], BN = 128 in [16, 40, 64, 96, 128, 192, 256], BK = 32 in [32, 64, 128]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %init = tile.splat %zero [BM, BN] : i32 -> tensor<?x?xi32>
  %steps = tile.num_tiles %x, 1 by [BK] : !tile.view<2048x2048xi8>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xi32>) {
    %a = tile.load %x[%m, %k] [BM, BK] : !tile.view<2048x2048xi8> -> tensor<?x?xi8>
    %b = tile.load %w[%k, %n] [BK, BN] : !tile.view<2048x2048xi8> -> tensor<?x?xi8>
    %next = tile.dot %a, %b, %acc : tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %next : tensor<?x?xi32>
  }
  tile.store %sum, %y[%m, %n] : tensor<?x?xi32>, !tile.view<2048x2048xi32>
}
