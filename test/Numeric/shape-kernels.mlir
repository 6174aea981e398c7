// Shape changes between tiles with different layouts: transposed, reduced, multiplied.
// TYPES: f32 bf16 i32
!X = !tile.view<?x?x!T>
!Z = !tile.view<?x?x!T, strides=[1, ?]>

// CASE @insert_into_transposed: 16x32xT=random:1 -> 32x16xT 32x1xT
tile.kernel @insert_into_transposed(%a: !X) outs(%y: !X, %m: !X) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.transpose %a [1, 0] : !X -> !Z
  %0 = tile.load %t[%c0, %c0] [32, 16] : !Z -> tensor<32x16x!T>
  %1 = tile.extract %0[%c1, %c0] [8, 16] : tensor<32x16x!T> -> tensor<8x16x!T>
  %2 = tile.insert %1 into %0[%c0, %c0] : tensor<8x16x!T> into tensor<32x16x!T> -> tensor<32x16x!T>
  %3 = tile.reduce max %2 axis 1 keepdims : tensor<32x16x!T> -> tensor<32x1x!T>
  tile.store %2, %y[%c0, %c0] : tensor<32x16x!T>, !X
  tile.store %3, %m[%c0, %c0] : tensor<32x1x!T>, !X
}
// CASE @insert_column: 33x32xT=random:1 -> 32x33xT 33xT
tile.kernel @insert_column(%a: !X) outs(%y: !X, %n: !tile.view<?x!T>) grid [1] {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %t = tile.transpose %a [1, 0] : !X -> !Z
  %0 = tile.load %t[%c0, %c0] [32, 33] : !Z -> tensor<32x33x!T>
  %1 = tile.reduce max %0 axis 1 keepdims : tensor<32x33x!T> -> tensor<32x1x!T>
  %2 = tile.insert %1 into %0[%c0, %c4] : tensor<32x1x!T> into tensor<32x33x!T> -> tensor<32x33x!T>
  %3 = tile.reduce min %2 axis 0 : tensor<32x33x!T> -> tensor<33x!T>
  tile.store %2, %y[%c0, %c0] : tensor<32x33x!T>, !X
  tile.store %3, %n[%c0] : tensor<33x!T>, !tile.view<?x!T>
}
