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

// Memory that is written before the store does not hold the tile until then.
// CHECK-LABEL: func.func @written_before_the_store(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<4xf32>, %[[Y:[a-z0-9]*]]: memref<4xf32>
// CHECK:         %[[OWN:.*]] = memref.alloc
// CHECK:         linalg.generic {{.*}} outs(%[[OWN]] : memref<4xf32>)
// CHECK:         memref.store %{{.*}}, %[[Y]]
// CHECK:         linalg.copy ins(%[[OWN]] : memref<4xf32>) outs(%[[Y]] : memref<4xf32>)
func.func @written_before_the_store(%x: memref<4xf32>, %y: memref<4xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %xt = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%xt : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %u : f32
      linalg.yield %w : f32
  } -> tensor<4xf32>
  memref.store %f, %y[%c0] : memref<4xf32>
  bufferization.materialize_in_destination %s in restrict writable %y : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// Nor does memory that is read before the store.
// CHECK-LABEL: func.func @read_before_the_store(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<4xf32>, %[[Y:[a-z0-9]*]]: memref<4xf32>, %[[Z:[a-z0-9]*]]: memref<4xf32>
// CHECK:         %[[OWN:.*]] = memref.alloc
// CHECK:         linalg.generic {{.*}} outs(%[[OWN]] : memref<4xf32>)
// CHECK:         linalg.copy ins(%[[Y]] : memref<4xf32>) outs(%[[Z]] : memref<4xf32>)
// CHECK:         linalg.copy ins(%[[OWN]] : memref<4xf32>) outs(%[[Y]] : memref<4xf32>)
func.func @read_before_the_store(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  %xt = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%xt : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %u : f32
      linalg.yield %w : f32
  } -> tensor<4xf32>
  linalg.copy ins(%y : memref<4xf32>) outs(%z : memref<4xf32>)
  bufferization.materialize_in_destination %s in restrict writable %y : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// Nor does memory that is written while the tile has further uses.
// CHECK-LABEL: func.func @written_before_the_last_use(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<4xf32>, %[[Y:[a-z0-9]*]]: memref<4xf32>
// CHECK:         %[[OWN:.*]] = memref.alloc
// CHECK:         linalg.generic {{.*}} outs(%[[OWN]] : memref<4xf32>)
// CHECK:         memref.load %[[OWN]]
func.func @written_before_the_last_use(%x: memref<4xf32>, %y: memref<4xf32>, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %xt = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%xt : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %u : f32
      linalg.yield %w : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %s in restrict writable %y : (tensor<4xf32>, memref<4xf32>) -> ()
  memref.store %f, %y[%c0] : memref<4xf32>
  %r = tensor.extract %s[%c0] : tensor<4xf32>
  return %r : f32
}

// Accesses of other memory, by name or by address, do not matter.
// CHECK-LABEL: func.func @other_memory(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<4xf32>, %[[Y:[a-z0-9]*]]: memref<4xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic {{.*}} outs(%[[Y]] : memref<4xf32>)
func.func @other_memory(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %xt = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%xt : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %u : f32
      linalg.yield %w : f32
  } -> tensor<4xf32>
  memref.store %f, %z[%c0] : memref<4xf32>
  %i = memref.extract_aligned_pointer_as_index %z : memref<4xf32> -> index
  %a = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %a : i64 to !llvm.ptr
  llvm.store %f, %p : f32, !llvm.ptr
  bufferization.materialize_in_destination %s in restrict writable %y : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// An address that was loaded may be anywhere.
// CHECK-LABEL: func.func @any_address(
// CHECK:         %[[OWN:.*]] = memref.alloc
// CHECK:         linalg.generic {{.*}} outs(%[[OWN]] : memref<4xf32>)
func.func @any_address(%x: memref<4xf32>, %y: memref<4xf32>, %a: i64, %f: f32) {
  %xt = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%xt : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %u : f32
      linalg.yield %w : f32
  } -> tensor<4xf32>
  %p = llvm.inttoptr %a : i64 to !llvm.ptr
  llvm.store %f, %p : f32, !llvm.ptr
  bufferization.materialize_in_destination %s in restrict writable %y : (tensor<4xf32>, memref<4xf32>) -> ()
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
