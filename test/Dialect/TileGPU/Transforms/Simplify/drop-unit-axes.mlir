// RUN: tilegpt-opt %s --tile-gpu-drop-unit-axes --canonicalize --split-input-file | FileCheck %s

!V = !tile.view<4x256x256xbf16>

// A batch of one in a loop: loads, accumulators and the stored tile lose the axis.
// CHECK-LABEL: tile.kernel @batch(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: {{[^,]*}}, %[[B:[a-z0-9]+]]:
// CHECK-SAME:    outs(%[[C:[a-z0-9]+]]:
// CHECK-DAG:     %[[Z:.*]] = tile.block_id 2
// CHECK:         scf.for {{.*}} -> (tensor<64x128xf32>)
// CHECK:           %[[AV:.*]] = tile.select %[[A]][%[[Z]]]
// CHECK:           %[[AT:.*]] = tile.load %[[AV]][%{{.*}}, %{{.*}}] [64, 32]
// CHECK:           %[[BV:.*]] = tile.select %[[B]][%[[Z]]]
// CHECK:           %[[BT:.*]] = tile.load %[[BV]][%{{.*}}, %{{.*}}] [32, 128]
// CHECK:           tile.dot %[[AT]], %[[BT]], %{{.*}} : tensor<64x32xbf16>, tensor<32x128xbf16>, tensor<64x128xf32>
// CHECK:         %[[O:.*]] = tile.cast %{{.*}} : tensor<64x128xf32> to tensor<64x128xbf16>
// CHECK:         %[[CV:.*]] = tile.select %[[C]][%[[Z]]]
// CHECK:         tile.store %[[O]], %[[CV]]
tile.kernel @batch(%a: !V, %b: !V) outs(%c: !V) grid [4, 2, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<1x64x128xf32>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<1x64x128xf32>) {
    %at = tile.load %a[%z, %m, %k] [1, 64, 32] : !V -> tensor<1x64x32xbf16>
    %bt = tile.load %b[%z, %k, %n] [1, 32, 128] : !V -> tensor<1x32x128xbf16>
    %d = tile.dot %at, %bt, %acc : tensor<1x64x32xbf16>, tensor<1x32x128xbf16>, tensor<1x64x128xf32> -> tensor<1x64x128xf32>
    scf.yield %d : tensor<1x64x128xf32>
  }
  %o = tile.cast %r : tensor<1x64x128xf32> to tensor<1x64x128xbf16>
  tile.store %o, %c[%z, %m, %n] : tensor<1x64x128xbf16>, !V
}

// -----

!V = !tile.view<256x4x64xbf16>
!F = !tile.view<256x256xf32>

// An axis in the middle of a view is moved to the front and selected.
// CHECK-LABEL: tile.kernel @middle(
// CHECK-SAME:    %[[A:[a-z0-9]+]]:
// CHECK-DAG:     %[[H:.*]] = tile.block_id 0
// CHECK:         %[[T:.*]] = tile.transpose %[[A]] [1, 0, 2] : !tile.view<256x4x64xbf16> -> !tile.view<4x256x64xbf16, strides=[64, 256, 1]>
// CHECK:         %[[S:.*]] = tile.select %[[T]][%[[H]]] : {{.*}} -> !tile.view<256x64xbf16, strides=[256, 1]>
// CHECK:         %[[X:.*]] = tile.load %[[S]][%{{.*}}, %{{.*}}] [256, 64]
// CHECK:         tile.dot %[[X]], %[[X]]
tile.kernel @middle(%a: !V) outs(%y: !F) grid [4] {
  %h = tile.block_id 0
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<256x256xf32>
  %x = tile.load %a[%c0, %h, %c0] [256, 1, 64] : !V -> tensor<256x1x64xbf16>
  %m = tile.reshape %x [256, 64] : tensor<256x1x64xbf16> -> tensor<256x64xbf16>
  %d = tile.dot %m, %m, %z transpose_b : tensor<256x64xbf16>, tensor<256x64xbf16>, tensor<256x256xf32> -> tensor<256x256xf32>
  tile.store %d, %y[%c0, %c0] : tensor<256x256xf32>, !F
}

// -----

!V = !tile.view<4x64x64xbf16>
!F = !tile.view<64x64xf32>

// An entry that may be out of bounds reads zeros: its window is empty then.
// CHECK-LABEL: tile.kernel @outside(
// CHECK-DAG:     %[[H:.*]] = tile.block_id 0
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK:         %[[IS:.*]] = arith.cmpi ult, %[[H]], %[[C4]]
// CHECK:         %[[SOME:.*]] = arith.select %[[IS]], %[[H]], %[[C0]]
// CHECK:         %[[ENTRY:.*]] = tile.select %{{.*}}[%[[SOME]]]
// CHECK:         %[[ROWS:.*]] = arith.select %[[IS]], %[[C64]], %[[C0]]
// CHECK:         %[[WINDOW:.*]] = tile.subview %[[ENTRY]] [0, 0] [%[[ROWS]], 64]
// CHECK:         tile.load %[[WINDOW]][%[[C0]], %[[C0]]] [64, 64]
tile.kernel @outside(%a: !V) outs(%y: !F) grid [5] {
  %h = tile.block_id 0
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<1x64x64xf32>
  %x = tile.load %a[%h, %c0, %c0] [1, 64, 64] : !V -> tensor<1x64x64xbf16>
  %w = tile.load %a[%c0, %c0, %c0] [1, 64, 64] : !V -> tensor<1x64x64xbf16>
  %d = tile.dot %x, %w, %z : tensor<1x64x64xbf16>, tensor<1x64x64xbf16>, tensor<1x64x64xf32> -> tensor<1x64x64xf32>
  %m = tile.reshape %d [64, 64] : tensor<1x64x64xf32> -> tensor<64x64xf32>
  tile.store %m, %y[%h, %c0] : tensor<64x64xf32>, !F
}

// -----

!V = !tile.view<4x64x64xbf16>
!F = !tile.view<4x64x64xf32>

// A batch of two stays.
// CHECK-LABEL: tile.kernel @two(
// CHECK:         tile.dot {{.*}} tensor<2x64x64xf32>
tile.kernel @two(%a: !V) outs(%y: !F) grid [2] {
  %h = tile.block_id 0
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<2x64x64xf32>
  %x = tile.load %a[%h, %c0, %c0] [2, 64, 64] : !V -> tensor<2x64x64xbf16>
  %d = tile.dot %x, %x, %z : tensor<2x64x64xbf16>, tensor<2x64x64xbf16>, tensor<2x64x64xf32> -> tensor<2x64x64xf32>
  tile.store %d, %y[%h, %c0, %c0] : tensor<2x64x64xf32>, !F
}

// -----

!V = !tile.view<4x64x64xbf16>

// Without a dot nothing changes.
// CHECK-LABEL: tile.kernel @copy(
// CHECK:         tile.load %{{.*}} [1, 64, 64]
tile.kernel @copy(%a: !V) outs(%y: !V) grid [4] {
  %h = tile.block_id 0
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%h, %c0, %c0] [1, 64, 64] : !V -> tensor<1x64x64xbf16>
  tile.store %x, %y[%h, %c0, %c0] : tensor<1x64x64xbf16>, !V
}

// -----

!V = !tile.view<?x?x?xbf16>
!F = !tile.view<?x?xf32>

// Sizes that only the launch knows: the window keeps the strides of the entry.
// CHECK-LABEL: tile.kernel @of_expert(
// CHECK:         %[[WINDOW:.*]] = tile.subview {{.*}} : !tile.view<?x?xbf16> -> !tile.view<?x?xbf16, strides=[?, 1]>
// CHECK:         tile.load %[[WINDOW]][{{.*}}] [64, 64]
tile.kernel @of_expert(%a: !V, %ids: !tile.view<?xi32>) outs(%y: !F) grid [dim(%ids, 0)] {
  %h = tile.block_id 0
  %c0 = arith.constant 0 : index
  %id = tile.load %ids[%h] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %e = tensor.extract %id[%c0] : tensor<1xi32>
  %i = arith.index_cast %e : i32 to index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.load %a[%i, %c0, %c0] [1, 64, 64] : !V -> tensor<1x64x64xbf16>
  %w = tile.reshape %x [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
  %d = tile.dot %w, %w, %z : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  tile.store %d, %y[%h, %c0] : tensor<64x64xf32>, !F
}

// -----

!V = !tile.view<4x64x64xbf16>
!F = !tile.view<4x64x64xf32>

// Maxima of rows and an expanded mask lose the axis; a sum along the axis itself keeps it.
// CHECK-LABEL: tile.kernel @maxima(
// CHECK:         %[[D:.*]] = tile.dot {{.*}} -> tensor<64x64xf32>
// CHECK:         %[[S:.*]] = arith.select %{{.*}}, %[[D]], %{{.*}} : tensor<64x64xi1>, tensor<64x64xf32>
// CHECK:         %[[M:.*]] = tile.reduce max %[[S]] axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
// CHECK:         %[[B:.*]] = tile.broadcast %[[M]] [64, 64]
// CHECK:         arith.subf %[[S]], %[[B]] : tensor<64x64xf32>
// CHECK:         tile.reduce add {{.*}} axis 0 keepdims : tensor<1x64x64xf32> -> tensor<1x64x64xf32>
tile.kernel @maxima(%a: !V) outs(%y: !F) grid [4] {
  %h = tile.block_id 0
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<1x64x64xf32>
  %low = arith.constant dense<-1.0e+30> : tensor<1x64x64xf32>
  %i = tile.iota [64] : tensor<64xi32>
  %c = tile.broadcast %i [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
  %e = tile.expand_dims %i, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %r = tile.broadcast %e [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %seen = arith.cmpi sle, %c, %r : tensor<64x64xi32>
  %mask = tile.expand_dims %seen, 0 : tensor<64x64xi1> -> tensor<1x64x64xi1>
  %x = tile.load %a[%h, %c0, %c0] [1, 64, 64] : !V -> tensor<1x64x64xbf16>
  %d = tile.dot %x, %x, %z transpose_b : tensor<1x64x64xbf16>, tensor<1x64x64xbf16>, tensor<1x64x64xf32> -> tensor<1x64x64xf32>
  %s = arith.select %mask, %d, %low : tensor<1x64x64xi1>, tensor<1x64x64xf32>
  %m = tile.reduce max %s axis 2 keepdims : tensor<1x64x64xf32> -> tensor<1x64x1xf32>
  %b = tile.broadcast %m [1, 64, 64] : tensor<1x64x1xf32> -> tensor<1x64x64xf32>
  %t = arith.subf %s, %b : tensor<1x64x64xf32>
  %u = tile.reduce add %t axis 0 keepdims : tensor<1x64x64xf32> -> tensor<1x64x64xf32>
  tile.store %u, %y[%h, %c0, %c0] : tensor<1x64x64xf32>, !F
}
