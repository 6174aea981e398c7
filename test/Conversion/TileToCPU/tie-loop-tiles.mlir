// RUN: tilegpt-opt %s --cpu-tie-loop-tiles | FileCheck %s

// CHECK-LABEL: func.func @carried(
// CHECK:         scf.for {{.*}} iter_args(%[[OLD:.*]] = %{{.*}}, %[[KEPT:.*]] = %{{.*}})
// CHECK:           %[[NEW:.*]] = arith.addf
// CHECK:           %[[TIED:.*]] = bufferization.materialize_in_destination %[[NEW]] in %[[OLD]]
// CHECK:           scf.yield %[[TIED]], %[[KEPT]]
func.func @carried(%n: index, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    %s = arith.addf %a, %x : tensor<4xf32>
    scf.yield %s, %b : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// A tile yielded twice is computed in one buffer and copied from there.
// CHECK-LABEL: func.func @twice(
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:           %[[S:.*]] = arith.addf
// CHECK:           %[[X:.*]] = bufferization.materialize_in_destination %[[S]] in %[[A]]
// CHECK:           %[[Y:.*]] = bufferization.materialize_in_destination %[[X]] in %[[B]]
// CHECK:           scf.yield %[[X]], %[[Y]]
func.func @twice(%n: index, %x: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %z) -> (tensor<4xf32>, tensor<4xf32>) {
    %s = arith.addf %b, %b : tensor<4xf32>
    scf.yield %s, %s : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// A branch yields the tile of another argument, or one computed from both.
// CHECK-LABEL: func.func @branch(
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:           %[[S:.*]] = arith.addf
// CHECK:           %[[O:.*]] = scf.if
// CHECK:           %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[O]])
// CHECK:           %[[X:.*]] = bufferization.materialize_in_destination %[[COPY]] in %[[A]]
// CHECK:           %[[Y:.*]] = bufferization.materialize_in_destination %[[S]] in %[[B]]
// CHECK:           scf.yield %[[X]], %[[Y]]
func.func @branch(%n: index, %p: i1, %x: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %z) -> (tensor<4xf32>, tensor<4xf32>) {
    %s = arith.addf %a, %b : tensor<4xf32>
    %o = scf.if %p -> (tensor<4xf32>) {
      scf.yield %b : tensor<4xf32>
    } else {
      scf.yield %s : tensor<4xf32>
    }
    scf.yield %o, %s : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// Tiles carried by a while loop are kept in buffers: one for each tile that the condition takes, and one for each that
// it passes on. The tile that both regions have is copied before anything is written.
// CHECK-LABEL: func.func @while(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         %[[B:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         %[[S:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         linalg.copy ins(%{{.*}}) outs(%[[A]]
// CHECK:         linalg.copy ins(%{{.*}}) outs(%[[B]]
// CHECK:         %[[I:.*]] = scf.while (%{{.*}} = %{{.*}}) : (index) -> index {
// CHECK:           %[[SUM:.*]] = arith.addf
// CHECK:           %[[M:.*]] = bufferization.to_buffer %[[SUM]] read_only
// CHECK:           linalg.copy ins(%[[M]] {{.*}} outs(%[[S]]
// CHECK:           scf.condition(%{{.*}}) %{{.*}} : index
// CHECK:         } do {
// CHECK:           %[[T:.*]] = bufferization.to_tensor %[[S]] restrict
// CHECK:           bufferization.alloc_tensor() copy(%[[T]])
// CHECK:           linalg.copy {{.*}} outs(%[[A]]
// CHECK:           linalg.copy {{.*}} outs(%[[B]]
// CHECK:           scf.yield %{{.*}} : index
// CHECK:         %[[R:.*]] = bufferization.to_tensor %[[S]] restrict
// CHECK:         return %[[R]], %[[I]]
func.func @while(%n: index, %x: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, index) {
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %n, %a = %x, %b = %z) : (index, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, index) {
    %p = arith.cmpi sgt, %i, %c1 : index
    %s = arith.addf %a, %b : tensor<4xf32>
    scf.condition(%p) %s, %i : tensor<4xf32>, index
  } do {
  ^bb0(%s: tensor<4xf32>, %i: index):
    %next = arith.subi %i, %c1 : index
    %d = arith.mulf %s, %s : tensor<4xf32>
    scf.yield %next, %d, %s : index, tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, index
}

// An inner loop that starts with the outer loop's tile or with another one has a copy: which one is known only when the
// branch runs.
// CHECK-LABEL: func.func @begins_with_a_branch(
// CHECK:         scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}})
// CHECK:           %[[B:.*]] = scf.if
// CHECK:           %[[C:.*]] = bufferization.alloc_tensor() copy(%[[B]])
// CHECK:           scf.for {{.*}} iter_args(%{{.*}} = %[[C]])
func.func @begins_with_a_branch(%x: tensor<4xf32>, %c: i1, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<4xf32>) {
    %b = scf.if %c -> (tensor<4xf32>) {
      %0 = arith.addf %s, %s : tensor<4xf32>
      scf.yield %0 : tensor<4xf32>
    } else {
      scf.yield %s : tensor<4xf32>
    }
    %t = scf.for %j = %c0 to %n step %c1 iter_args(%u = %b) -> (tensor<4xf32>) {
      %0 = arith.addf %u, %u : tensor<4xf32>
      scf.yield %0 : tensor<4xf32>
    }
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// A branch that yields a tile from before the loop or a computed one has a copy, too. The tile alone has none.
// CHECK-LABEL: func.func @branch_to_older(
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:           %[[O:.*]] = scf.if
// CHECK:           %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[O]])
// CHECK-NEXT:      %[[X:.*]] = bufferization.materialize_in_destination %[[COPY]] in %[[A]]
// CHECK-NEXT:      %[[Y:.*]] = bufferization.materialize_in_destination %{{.*}} in %[[B]]
// CHECK-NEXT:      scf.yield %[[X]], %[[Y]]
func.func @branch_to_older(%n: index, %p: i1, %m: memref<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    %o = scf.if %p -> (tensor<4xf32>) {
      %0 = arith.addf %a, %b : tensor<4xf32>
      scf.yield %0 : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    scf.yield %o, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
