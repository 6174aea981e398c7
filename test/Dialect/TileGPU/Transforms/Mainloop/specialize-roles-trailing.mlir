// A dot of computed operands, one of which iterations write to shared memory, runs while the next iteration computes
// its own operands.
// RUN: tilegpt-opt %s --arch=sm_90a --compile-to=layouts | FileCheck %s

!A = !tile.view<?x1024xf8E4M3FN>
!B = !tile.view<1024x4096xf8E4M3FN>
!F = tensor<128x128xf32>

// The first iteration is peeled: it has nothing to wait for. Later ones read and widen what they write, and wait for
// the previous dot. Until then that may read the registers of its lhs, so the new lhs is computed after the wait.
// CHECK-LABEL: tile.kernel @widened(
// CHECK:       } consumer {
// CHECK:         %[[FIRST:.*]] = tile_gpu.async_dot %[[LEFT:.*]], %[[BUFFER:.*]] along_n :
// CHECK-NOT:     tile_gpu.finish_dot
// CHECK:         %[[R:.*]]:3 = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[FIRST]], %[[HELD:.*]] = %[[LEFT]], %{{.*}} = %{{.*}})
// CHECK:           tile_gpu.await
// CHECK:           %[[B:.*]] = tile.cast
// CHECK-NEXT:      %[[DONE:.*]] = tile_gpu.finish_dot %[[SUM]] reads %[[HELD]]
// CHECK-NEXT:      %[[A:.*]] = tile_gpu.read
// CHECK-NEXT:      %[[WIDE:.*]] = tile.cast %[[A]]
// CHECK-NEXT:      %[[NEXT:.*]] = tile_gpu.pack %[[WIDE]]
// CHECK-NEXT:      tile_gpu.release
// CHECK:           tile_gpu.barrier
// CHECK-NEXT:      tile_gpu.write %[[B]], %[[BUFFER]]
// CHECK-NEXT:      tile_gpu.publish to_all
// CHECK-NEXT:      %[[DOT:.*]] = tile_gpu.async_dot %[[NEXT]], %[[BUFFER]] along_n onto %[[DONE]]
// CHECK-NEXT:      scf.yield %[[DOT]], %[[NEXT]]
// CHECK:         tile_gpu.finish_dot %[[R]]#0 reads %[[R]]#1
tile.kernel @widened(%a: !A, %b: !B) outs(%y: !tile.view<?x4096xf32>) grid [ceildiv(dim(%y, 0), 128), 32] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !F
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (!F) {
    %at = tile.load %a[%m, %k] [128, 128] : !A -> tensor<128x128xf8E4M3FN>
    %bt = tile.load %b[%k, %n] [128, 128] : !B -> tensor<128x128xf8E4M3FN>
    %s = tile.dot %at, %bt, %acc : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, !F -> !F
    scf.yield %s : !F
  }
  tile.store %r, %y[%m, %n] : !F, !tile.view<?x4096xf32>
}

// Twice as many columns leave no registers for the operands of two iterations.
// CHECK-LABEL: tile.kernel @wide(
// CHECK:       } consumer {
// CHECK:         scf.for
// CHECK:           %[[DOT:.*]] = tile_gpu.async_dot
// CHECK-NEXT:      tile_gpu.finish_dot %[[DOT]]
tile.kernel @wide(%a: !A, %b: !B) outs(%y: !tile.view<?x4096xf32>) grid [ceildiv(dim(%y, 0), 128), 16] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : tensor<128x256xf32>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (tensor<128x256xf32>) {
    %at = tile.load %a[%m, %k] [128, 128] : !A -> tensor<128x128xf8E4M3FN>
    %bt = tile.load %b[%k, %n] [128, 256] : !B -> tensor<128x256xf8E4M3FN>
    %s = tile.dot %at, %bt, %acc : tensor<128x128xf8E4M3FN>, tensor<128x256xf8E4M3FN>, tensor<128x256xf32> -> tensor<128x256xf32>
    scf.yield %s : tensor<128x256xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x256xf32>, !tile.view<?x4096xf32>
}
