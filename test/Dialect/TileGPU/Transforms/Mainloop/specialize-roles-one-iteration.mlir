// Loops that may have a single iteration, and whose dots read registers: each way to the end finishes its own dot.
// RUN: tilegpt-opt %s --arch=sm_90a --compile-to=layouts | FileCheck %s

!X = !tile.view<?x768xf16>
!Y = !tile.view<?x64xf32>

// CHECK-LABEL: tile.kernel @rectified(
// CHECK:       } consumer {
// CHECK:         %[[FIRST:.*]] = tile_gpu.pack
// CHECK:         %[[MORE:.*]] = arith.cmpi slt, %{{.*}}, %arg1 : index
// CHECK:         scf.if %[[MORE]]
// CHECK:           %[[LOOP:.*]]:{{[0-9]+}} = scf.for %{{.*}} iter_args(%{{.*}}, %{{.*}} = %[[FIRST]],
// CHECK:             tile_gpu.async_dot
// CHECK:             tile_gpu.finish_dot
// CHECK:           tile_gpu.async_dot %[[LOOP]]#1,
// CHECK:           tile_gpu.finish_dot
// CHECK:         } else {
// CHECK:           tile_gpu.async_dot %[[FIRST]],
// CHECK:           tile_gpu.finish_dot
tile.kernel @rectified(%x: !X, %steps: index) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %init = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !X -> tensor<64x64xf16>
    %b = tile.load %x[%c0, %k] [64, 64] : !X -> tensor<64x64xf16>
    %p = arith.maximumf %a, %zero : tensor<64x64xf16>
    %next = tile.dot %p, %b, %acc transpose_b : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %sum, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// Two iterations or more: one dot behind the loop.
// CHECK-LABEL: tile.kernel @twice(
// CHECK:       } consumer {
// CHECK:         tile_gpu.pack
// CHECK:         %[[LOOP:.*]]:{{[0-9]+}} = scf.for
// CHECK:         tile_gpu.async_dot %[[LOOP]]#1,
// CHECK:         tile_gpu.finish_dot
// CHECK-NOT:     tile_gpu.async_dot
tile.kernel @twice(%x: !X) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %init = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %init) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !X -> tensor<64x64xf16>
    %b = tile.load %x[%c0, %k] [64, 64] : !X -> tensor<64x64xf16>
    %p = arith.maximumf %a, %zero : tensor<64x64xf16>
    %next = tile.dot %p, %b, %acc transpose_b : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %sum, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// Both operands are in shared memory: the dots in flight finish behind the loop, however often it iterates.
// CHECK-LABEL: tile.kernel @copied(
// CHECK:       } consumer {
// CHECK:           tile_gpu.async_dot
// CHECK:           %[[LOOP:.*]]:{{[0-9]+}} = scf.for
// CHECK:             tile_gpu.async_dot
// CHECK:           tile_gpu.finish_dot %[[LOOP]]#0
// CHECK-NOT:       tile_gpu.finish_dot
tile.kernel @copied(%x: !X, %steps: index) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !X -> tensor<64x64xf16>
    %b = tile.load %x[%c0, %k] [64, 64] : !X -> tensor<64x64xf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %sum, %y[%m, %c0] : tensor<64x64xf32>, !Y
}
