// RUN: tilegpt-opt %s --tile-to-linalg --canonicalize --cse --cpu-fuse-elementwise --canonicalize --split-input-file | FileCheck %s

!V = !tile.view<64x1000xf32>
// A tile that exceeds its view is read in place, as far as it is stored: nothing is copied or padded.
// CHECK-LABEL: func.func @always_partial.block(
// CHECK-SAME:    %[[X:.*]]: memref<64x1000xf32, {{.*}}>, %[[Y:.*]]: memref<64x1000xf32, {{[^:]*}} offset: ?>>, %{{.*}}: memref
// CHECK-NOT:     memref.alloc
// CHECK-DAG:     %[[XW:.*]] = memref.subview %[[X]][%[[I:.*]], %[[J:.*]]] [%[[M:.*]], %[[N:.*]]] [1, 1]
// CHECK-DAG:     %[[XT:.*]] = bufferization.to_tensor %[[XW]] restrict
// CHECK-DAG:     %[[YW:.*]] = memref.subview %[[Y]][%[[I]], %[[J]]] [%[[M]], %[[N]]] [1, 1]
// CHECK-DAG:     %[[YT:.*]] = bufferization.to_tensor %[[YW]] restrict
// CHECK:         linalg.generic {{.*}} ins(%[[XT]], %[[YT]] : tensor<?x?xf32>, tensor<?x?xf32>)
// CHECK-NOT:     linalg.copy
// CHECK:         return
tile.kernel @always_partial(%x: !V, %y: !V) outs(%z: !V) grid [16, 1] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %a = tile.load %x[%m, %n] [4, 1024] : !V -> tensor<4x1024xf32>
  %b = tile.load %y[%m, %n] [4, 1024] : !V -> tensor<4x1024xf32>
  %r = arith.addf %a, %b : tensor<4x1024xf32>
  tile.store %r, %z[%m, %n] : tensor<4x1024xf32>, !V
}

// -----

!V = !tile.view<64x1000xf32>
// So are whole and partial tiles, each in the branch of its store.
// CHECK-LABEL: func.func @sometimes_partial.block(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref
// CHECK-NOT:     memref.alloc
// CHECK:         scf.if
// CHECK:           %[[WHOLE:.*]] = memref.subview %[[X]][%{{.*}}, %{{.*}}] [4, 256] [1, 1]
// CHECK:           %[[T:.*]] = bufferization.to_tensor %[[WHOLE]] restrict
// CHECK:           linalg.generic {{.*}} ins(%[[T]] : tensor<4x256xf32>)
// CHECK:         } else {
// CHECK:           %[[PART:.*]] = memref.subview %[[X]][%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}] [1, 1]
// CHECK:           %[[F:.*]] = bufferization.to_tensor %[[PART]] restrict
// CHECK:           linalg.generic {{.*}} ins(%[[F]] : tensor<?x?xf32>)
// CHECK-NOT:     linalg.copy
// CHECK:         return
tile.kernel @sometimes_partial(%x: !V) outs(%z: !V) grid [16, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %a = tile.load %x[%m, %n] [4, 256] : !V -> tensor<4x256xf32>
  %r = arith.mulf %a, %a : tensor<4x256xf32>
  tile.store %r, %z[%m, %n] : tensor<4x256xf32>, !V
}

// -----

!V = !tile.view<64x1000xf32>
!W = !tile.view<64x900xf32>
// The stored part is not the loaded one: padding is stored.
// CHECK-LABEL: func.func @shorter.block(
// CHECK:         memref.alloc
// CHECK:         linalg.copy
// CHECK:         tensor.extract_slice
tile.kernel @shorter(%x: !W) outs(%z: !V) grid [16, 1] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %a = tile.load %x[%m, %n] [4, 1024] : !W -> tensor<4x1024xf32>
  %r = arith.mulf %a, %a : tensor<4x1024xf32>
  tile.store %r, %z[%m, %n] : tensor<4x1024xf32>, !V
}

// -----

!V = !tile.view<64x1000xf32>
// The kernel writes what it has loaded before it computes.
// CHECK-LABEL: func.func @written_between.block(
// CHECK:         memref.alloc
// CHECK:         linalg.copy
// CHECK:         tensor.extract_slice
tile.kernel @written_between(%x: !V) outs(%z: !V, %y: !V) grid [16, 1] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %zero = arith.constant dense<0.0> : tensor<4x1024xf32>
  %a = tile.load %y[%m, %n] [4, 1024] : !V -> tensor<4x1024xf32>
  tile.store %zero, %y[%m, %n] : tensor<4x1024xf32>, !V
  %r = arith.mulf %a, %a : tensor<4x1024xf32>
  tile.store %r, %z[%m, %n] : tensor<4x1024xf32>, !V
}

// -----

!V = !tile.view<64x1000xf32>
// A sum reads the padding, too; the copy stays for both readers.
// CHECK-LABEL: func.func @also_summed.block(
// CHECK:         memref.alloc
// CHECK:         linalg.copy
!S = !tile.view<64xf32>
tile.kernel @also_summed(%x: !V) outs(%z: !V, %s: !S) grid [16, 1] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %a = tile.load %x[%m, %n] [4, 1024] : !V -> tensor<4x1024xf32>
  %sum = tile.reduce add %a axis 1 : tensor<4x1024xf32> -> tensor<4xf32>
  tile.store %sum, %s[%m] : tensor<4xf32>, !S
  %r = arith.mulf %a, %a : tensor<4x1024xf32>
  tile.store %r, %z[%m, %n] : tensor<4x1024xf32>, !V
}
