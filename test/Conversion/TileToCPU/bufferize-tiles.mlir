// RUN: tilegpt-opt %s --cpu-tie-loop-tiles --cpu-bufferize-tiles --canonicalize | FileCheck %s

#id = affine_map<(d0) -> (d0)>
// An accumulator is updated in its destination: no separate buffer, no copy.
// CHECK-LABEL: func.func @accumulates_in_place(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<4xf32>, %[[Y:[a-z0-9]*]]: memref<4xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.fill {{.*}} outs(%[[Y]] : memref<4xf32>)
// CHECK:         scf.for
// CHECK-NEXT:      linalg.generic {{.*}} ins(%[[X]] : memref<4xf32>) outs(%[[Y]] : memref<4xf32>)
// CHECK-NOT:     linalg.copy
// CHECK:         return
func.func @accumulates_in_place(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %xt = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (tensor<4xf32>) {
    %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%xt : tensor<4xf32>) outs(%a : tensor<4xf32>) {
      ^bb0(%u: f32, %v: f32):
        %w = arith.addf %u, %v : f32
        linalg.yield %w : f32
    } -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// Two tiles that swap places are not overwritten before they are read.
// CHECK-LABEL: func.func @swaps(
// CHECK:         scf.for
// CHECK:           linalg.copy
// CHECK:           linalg.copy
// CHECK:           linalg.copy
func.func @swaps(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %b = bufferization.to_tensor %y restrict : memref<4xf32> to tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %q, %p : tensor<4xf32>, tensor<4xf32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %y : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
