// Rows of an lhs that are gathered by loop-invariant indices are copied asynchronously, row by row, like the other
// operand, and wgmma multiplies them.
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a --explain 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: tilegpt-opt %s --compile-to=layouts --arch=sm_90a | FileCheck %s --check-prefix=LAYOUTS
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a | FileCheck %s
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=KEPT
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_80 | FileCheck %s --check-prefix=AMPERE

// REMARK: main-loop missed: the rows of a left operand are gathered, which TMA does not support
// REMARK: dot: wgmma on operands copied by all threads
// REMARK: copy: 2 loads ahead of their use
// LAYOUTS-LABEL: tile.kernel @gathered
// LAYOUTS-DAG:     %[[ROWS:.*]] = tile_gpu.alloc {{.*}} : !tile_gpu.shared<128xi32>
// LAYOUTS:         tile_gpu.barrier
// LAYOUTS-NEXT:    tile_gpu.write %{{.*}}, %[[ROWS]]
// LAYOUTS-NEXT:    tile_gpu.barrier
// LAYOUTS:         tile_gpu.copy %{{.*}}[%{{.*}}] rows %[[ROWS]]
// LAYOUTS:         scf.for
// LAYOUTS-NEXT:      tile_gpu.wait_copies 1
// LAYOUTS-NEXT:      tile_gpu.publish to_all
// LAYOUTS:           %[[DOT:.*]] = tile_gpu.async_dot
// LAYOUTS:           tile_gpu.copy %{{.*}}[%{{.*}}] rows %[[ROWS]]
// LAYOUTS:           tile_gpu.commit_copies
// LAYOUTS-NEXT:      tile_gpu.finish_dot %[[DOT]]
// CHECK-LABEL: .entry kernel_gathered(
// CHECK-NOT:     ld.global.v4.b32
// CHECK:         cp.async.wait_group
// CHECK-NEXT:    fence.proxy.async
// CHECK:         wgmma.mma_async.sync.aligned.m64n128k16
// CHECK-COUNT-8: cp.async.cg.shared.global
// CHECK:         wgmma.wait_group.sync.aligned 0
// The row indices stay in registers.
// KEPT-LABEL: .entry kernel_gathered(
// KEPT:         wgmma.mma_async
// KEPT-NOT:     ld.shared.b32
// KEPT:         wgmma.wait_group.sync.aligned 0
// AMPERE-LABEL: .entry kernel_gathered(
// AMPERE:         cp.async.wait_group
// AMPERE-COUNT-8: cp.async.cg.shared.global
// AMPERE:         mma.sync
tile.kernel @gathered(%x: !tile.view<4096x512xbf16>, %w: !tile.view<1024x512xbf16>, %rows: !tile.view<1024xi32>) outs(%y: !tile.view<1024x1024xbf16>) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %i = tile.load %rows[%m] [128] : !tile.view<1024xi32> -> tensor<128xi32>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (tensor<128x128xf32>) {
    %a = tile.gather %x[%k] at %i axis 0 [128, 64] : !tile.view<4096x512xbf16>, tensor<128xi32> -> tensor<128x64xbf16>
    %b = tile.load %w[%n, %k] [128, 64] : !tile.view<1024x512xbf16> -> tensor<128x64xbf16>
    %d = tile.dot %a, %b, %acc transpose_b : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %o = tile.cast %r : tensor<128x128xf32> to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !tile.view<1024x1024xbf16>
}

// Rows that the loop changes are prefetched into registers, their numbers another iteration earlier.
// REMARK: @rows_change: copy missed: an operand is loaded through registers: the iteration before loads or computes it
tile.kernel @rows_change(%x: !tile.view<4096x512xbf16>, %w: !tile.view<1024x512xbf16>, %rows: !tile.view<1024xi32>) outs(%y: !tile.view<1024x1024xbf16>) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (tensor<128x128xf32>) {
    %i = tile.load %rows[%k] [128] : !tile.view<1024xi32> -> tensor<128xi32>
    %a = tile.gather %x[%k] at %i axis 0 [128, 64] : !tile.view<4096x512xbf16>, tensor<128xi32> -> tensor<128x64xbf16>
    %b = tile.load %w[%n, %k] [128, 64] : !tile.view<1024x512xbf16> -> tensor<128x64xbf16>
    %d = tile.dot %a, %b, %acc transpose_b : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %o = tile.cast %r : tensor<128x128xf32> to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !tile.view<1024x1024xbf16>
}

// Rows of an odd number of bf16 have no 16-byte units: prefetched into registers one iteration ahead.
// REMARK: @rows_begin_anywhere: copy missed: an operand is loaded through registers: the iteration before loads or computes it
tile.kernel @rows_begin_anywhere(%x: !tile.view<4096x511xbf16>, %w: !tile.view<1024x512xbf16>, %rows: !tile.view<1024xi32>) outs(%y: !tile.view<1024x1024xbf16>) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %i = tile.load %rows[%m] [128] : !tile.view<1024xi32> -> tensor<128xi32>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (tensor<128x128xf32>) {
    %a = tile.gather %x[%k] at %i axis 0 [128, 64] : !tile.view<4096x511xbf16>, tensor<128xi32> -> tensor<128x64xbf16>
    %b = tile.load %w[%n, %k] [128, 64] : !tile.view<1024x512xbf16> -> tensor<128x64xbf16>
    %d = tile.dot %a, %b, %acc transpose_b : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %o = tile.cast %r : tensor<128x128xf32> to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !tile.view<1024x1024xbf16>
}

// A tensor that the kernel may store to is not copied: prefetched into registers one iteration ahead.
// REMARK: @may_store_rows: copy missed: an operand is loaded through registers: the iteration before loads or computes it
tile.kernel @may_store_rows(%w: !tile.view<1024x512xbf16>, %rows: !tile.view<1024xi32>) outs(%x: !tile.view<4096x512xbf16>) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %i = tile.load %rows[%m] [128] : !tile.view<1024xi32> -> tensor<128xi32>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (tensor<128x128xf32>) {
    %a = tile.gather %x[%k] at %i axis 0 [128, 64] : !tile.view<4096x512xbf16>, tensor<128xi32> -> tensor<128x64xbf16>
    %b = tile.load %w[%n, %k] [128, 64] : !tile.view<1024x512xbf16> -> tensor<128x64xbf16>
    %d = tile.dot %a, %b, %acc transpose_b : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %o = tile.cast %r : tensor<128x128xf32> to tensor<128x128xbf16>
  tile.store %o, %x[%m, %n] : tensor<128x128xbf16>, !tile.view<4096x512xbf16>
}
