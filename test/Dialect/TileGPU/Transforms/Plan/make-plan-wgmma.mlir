// Which dots of a plan without a producer use wgmma: those with loop-carried accumulators.
// RUN: tilegpt-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-gpu-make-plan))' --explain -o - 2>/dev/null | FileCheck %s
// RUN: tilegpt-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-gpu-make-plan))' --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tilegpt-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-gpu-make-plan{target=sm_80}))' -o - | FileCheck %s --check-prefix=AMPERE

// AMPERE-NOT: tile_gpu.wgmma

!X = !tile.view<512x1022xbf16>
!Y = !tile.view<512x512xf32>

// Rows are aligned to 4 bytes only, so that no producer copies them.
// CHECK-LABEL: tile.kernel @unaligned_rows
// CHECK:         tile.dot {{.*}} transpose_b {tile_gpu.wgmma}
tile.kernel @unaligned_rows(%x: !X, %w: !X) outs(%y: !Y) grid [4, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %z) -> (tensor<128x128xf32>) {
    %a = tile.load %x[%m, %k] [128, 64] : !X -> tensor<128x64xbf16>
    %b = tile.load %w[%n, %k] [128, 64] : !X -> tensor<128x64xbf16>
    %d = tile.dot %a, %b, %acc transpose_b : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x128xf32>, !Y
}

// 32 rows are fewer than a warp group's.
// CHECK-LABEL: tile.kernel @few_rows
// CHECK-NOT:     tile_gpu.wgmma
// REMARK: @few_rows: dot missed: mma.sync instead of wgmma: wgmma needs a multiple of 64 rows
tile.kernel @few_rows(%x: !X, %w: !X) outs(%y: !Y) grid [16, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<32x128xf32>
  %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %z) -> (tensor<32x128xf32>) {
    %a = tile.load %x[%m, %k] [32, 64] : !X -> tensor<32x64xbf16>
    %b = tile.load %w[%n, %k] [128, 64] : !X -> tensor<128x64xbf16>
    %d = tile.dot %a, %b, %acc transpose_b : tensor<32x64xbf16>, tensor<128x64xbf16>, tensor<32x128xf32> -> tensor<32x128xf32>
    scf.yield %d : tensor<32x128xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<32x128xf32>, !Y
}

// An accumulator that is read in every iteration is not just accumulated.
// CHECK-LABEL: tile.kernel @scaled_sum
// CHECK-NOT:     tile_gpu.wgmma
tile.kernel @scaled_sum(%x: !X, %w: !X, %s: f32) outs(%y: !Y) grid [4, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %t = tile.splat %s [128, 128] : f32 -> tensor<128x128xf32>
  %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %z) -> (tensor<128x128xf32>) {
    %a = tile.load %x[%m, %k] [128, 64] : !X -> tensor<128x64xbf16>
    %b = tile.load %w[%n, %k] [128, 64] : !X -> tensor<128x64xbf16>
    %d = tile.dot %a, %b, %acc transpose_b : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %e = arith.mulf %d, %t : tensor<128x128xf32>
    scf.yield %e : tensor<128x128xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x128xf32>, !Y
}

// f32 operands are rounded to tf32 on the way; wgmma would truncate them.
!F = !tile.view<512x1022xf32>
// CHECK-LABEL: tile.kernel @tf32
// CHECK-NOT:     tile_gpu.wgmma
// REMARK: @tf32: dot missed: mma.sync instead of wgmma: wgmma truncates f32 operands, but tf32 must be rounded
tile.kernel @tf32(%x: !F, %w: !F) outs(%y: !Y) grid [4, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %z) -> (tensor<128x128xf32>) {
    %a = tile.load %x[%m, %k] [128, 32] : !F -> tensor<128x32xf32>
    %b = tile.load %w[%n, %k] [128, 32] : !F -> tensor<128x32xf32>
    %d = tile.dot %a, %b, %acc transpose_b precision(tf32) : tensor<128x32xf32>, tensor<128x32xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x128xf32>, !Y
}

// f8 operands with another contiguous axis: a producer copies them, and threads widen them.
// REMARK: @f8_across_the_sum: main-loop: a producer copies
// REMARK: @f8_across_the_sum: dot missed: f8 operands are widened: wgmma does not multiply f8E4M3FN by f8E5M2 to f32 at full precision
!Q = !tile.view<512x1024xf8E4M3FN>
!V = !tile.view<1024x512xf8E5M2>
// CHECK-LABEL: tile.kernel @f8_across_the_sum
// CHECK:         tile.cast %{{.*}} : tensor<128x64xf8E4M3FN> to tensor<128x64xf16>
// CHECK:         tile.cast %{{.*}} : tensor<64x128xf8E5M2> to tensor<64x128xf16>
tile.kernel @f8_across_the_sum(%x: !Q, %w: !V) outs(%y: !Y) grid [4, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %z) -> (tensor<128x128xf32>) {
    %a = tile.load %x[%m, %k] [128, 64] : !Q -> tensor<128x64xf8E4M3FN>
    %b = tile.load %w[%k, %n] [64, 128] : !V -> tensor<64x128xf8E5M2>
    %d = tile.dot %a, %b, %acc : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E5M2>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x128xf32>, !Y
}

// The same if sums may lose digits: bytes cannot be transposed.
// REMARK: @fast_f8_across_the_sum: main-loop: a producer copies
// REMARK: @fast_f8_across_the_sum: dot missed: f8 operands are widened: operands of f8E4M3FN must be contiguous along K
// CHECK-LABEL: tile.kernel @fast_f8_across_the_sum
// CHECK:         tile.cast %{{.*}} : tensor<128x64xf8E4M3FN> to tensor<128x64xf16>
// CHECK:         tile.cast %{{.*}} : tensor<64x128xf8E5M2> to tensor<64x128xf16>
tile.kernel @fast_f8_across_the_sum(%x: !Q, %w: !V) outs(%y: !Y) grid [4, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %z) -> (tensor<128x128xf32>) {
    %a = tile.load %x[%m, %k] [128, 64] : !Q -> tensor<128x64xf8E4M3FN>
    %b = tile.load %w[%k, %n] [64, 128] : !V -> tensor<64x128xf8E5M2>
    %d = tile.dot %a, %b, %acc precision(fast) : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E5M2>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x128xf32>, !Y
}
// Along the depth they stay bytes, which wgmma multiplies.
// CHECK-LABEL: tile.kernel @fast_f8_along_the_sum
// CHECK-NOT:     tile.cast
// CHECK:         tile.dot
tile.kernel @fast_f8_along_the_sum(%x: !Q, %w: !Q) outs(%y: !Y) grid [4, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %z) -> (tensor<128x128xf32>) {
    %a = tile.load %x[%m, %k] [128, 64] : !Q -> tensor<128x64xf8E4M3FN>
    %b = tile.load %w[%n, %k] [128, 64] : !Q -> tensor<128x64xf8E4M3FN>
    %d = tile.dot %a, %b, %acc transpose_b precision(fast) : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x128xf32>, !Y
}

// The same beside rows that no producer copies.
// REMARK: @f8_without_a_producer: main-loop missed
!U = !tile.view<512x1022xf8E4M3FN>
// CHECK-LABEL: tile.kernel @f8_without_a_producer
// CHECK-NOT:     tile.cast
// CHECK:         tile.dot {{.*}} {tile_gpu.wgmma}
tile.kernel @f8_without_a_producer(%x: !U, %w: !V) outs(%y: !Y) grid [4, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %z) -> (tensor<128x128xf32>) {
    %a = tile.load %x[%m, %k] [128, 64] : !U -> tensor<128x64xf8E4M3FN>
    %b = tile.load %w[%k, %n] [64, 128] : !V -> tensor<64x128xf8E5M2>
    %d = tile.dot %a, %b, %acc : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E5M2>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x128xf32>, !Y
}

// f8 operands along the depth stay bytes.
// CHECK-LABEL: tile.kernel @f8_along_the_sum
// CHECK-NOT:     tile.cast
// CHECK-NOT:     tile_gpu.wgmma
tile.kernel @f8_along_the_sum(%x: !Q, %w: !Q) outs(%y: !Y) grid [4, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %z) -> (tensor<128x128xf32>) {
    %a = tile.load %x[%m, %k] [128, 64] : !Q -> tensor<128x64xf8E4M3FN>
    %b = tile.load %w[%n, %k] [128, 64] : !Q -> tensor<128x64xf8E4M3FN>
    %d = tile.dot %a, %b, %acc transpose_b : tensor<128x64xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x128xf32>, !Y
}

// No MMA instruction is an alternative to wgmma.
!D = !tile.view<512x512xf64>
// CHECK-LABEL: tile.kernel @doubles
// CHECK-NOT:     tile_gpu.wgmma
// REMARK: @doubles: main-loop missed: wgmma does not multiply f64 by f64 to f64
// REMARK-NOT: @doubles: dot missed: mma.sync
tile.kernel @doubles(%x: !D, %w: !D) outs(%y: !D) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf64>
  %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf64>) {
    %a = tile.load %x[%m, %k] [64, 32] : !D -> tensor<64x32xf64>
    %b = tile.load %w[%n, %k] [64, 32] : !D -> tensor<64x32xf64>
    %d = tile.dot %a, %b, %acc transpose_b : tensor<64x32xf64>, tensor<64x32xf64>, tensor<64x64xf64> -> tensor<64x64xf64>
    scf.yield %d : tensor<64x64xf64>
  }
  tile.store %r, %y[%m, %n] : tensor<64x64xf64>, !D
}
