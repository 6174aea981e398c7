// Ops that create tiles or change their shape, for every element type.
// TYPES: i1 i8 i16 i32 i64 f8E4M3FN f8E5M2 f16 bf16 f32 f64
!V = !tile.view<?x!T>
!V2 = !tile.view<?x?x!T>
!V3 = !tile.view<?x?x?x!T>

// CASE @splat: T=1 -> 2x3xT=1,1,1,1,1,1
tile.kernel @splat(%a: !T) outs(%y: !V2) grid [1] {
  %i = tile.block_id 0
  %0 = tile.splat %a [2, 3] : !T -> tensor<2x3x!T>
  tile.store %0, %y[%i, %i] : tensor<2x3x!T>, !V2
}
// CASE @reshape: 2x6xT=1,0,0,1,1,1,0,1,1,0,0,1 -> 3x4xT=1,0,0,1,1,1,0,1,1,0,0,1
tile.kernel @reshape(%a: !V2) outs(%y: !V2) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [2, 6] : !V2 -> tensor<2x6x!T>
  %1 = tile.reshape %0 [3, 4] : tensor<2x6x!T> -> tensor<3x4x!T>
  tile.store %1, %y[%i, %i] : tensor<3x4x!T>, !V2
}
// CASE @broadcast: 3xT=1,0,1 2x1xT=1,0 -> 2x3xT=1,0,1,1,0,1 2x3xT=1,1,1,0,0,0
tile.kernel @broadcast(%a: !V, %b: !V2) outs(%y: !V2, %z: !V2) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [3] : !V -> tensor<3x!T>
  %1 = tile.broadcast %0 [2, 3] : tensor<3x!T> -> tensor<2x3x!T>
  tile.store %1, %y[%i, %i] : tensor<2x3x!T>, !V2
  %2 = tile.load %b[%i, %i] [2, 1] : !V2 -> tensor<2x1x!T>
  %3 = tile.broadcast %2 [2, 3] : tensor<2x1x!T> -> tensor<2x3x!T>
  tile.store %3, %z[%i, %i] : tensor<2x3x!T>, !V2
}
// CASE @expand_dims: 3xT=1,0,1 -> 3x1xT=1,0,1 1x3xT=1,0,1
tile.kernel @expand_dims(%a: !V) outs(%y: !V2, %z: !V2) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [3] : !V -> tensor<3x!T>
  %1 = tile.expand_dims %0, 1 : tensor<3x!T> -> tensor<3x1x!T>
  %2 = tile.expand_dims %0, 0 : tensor<3x!T> -> tensor<1x3x!T>
  tile.store %1, %y[%i, %i] : tensor<3x1x!T>, !V2
  tile.store %2, %z[%i, %i] : tensor<1x3x!T>, !V2
}
// CASE @permute: 2x3xT=1,0,1,1,1,0 -> 3x2xT=1,1,0,1,1,0
tile.kernel @permute(%a: !V2) outs(%y: !V2) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [2, 3] : !V2 -> tensor<2x3x!T>
  %1 = tile.permute %0 [1, 0] : tensor<2x3x!T> -> tensor<3x2x!T>
  tile.store %1, %y[%i, %i] : tensor<3x2x!T>, !V2
}
// CASE @permute_3d: 2x2x3xT=1,0,1,1,1,0,0,0,1,1,0,1 -> 3x2x2xT=1,1,0,1,0,1,0,0,1,0,1,1
tile.kernel @permute_3d(%a: !V3) outs(%y: !V3) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i, %i] [2, 2, 3] : !V3 -> tensor<2x2x3x!T>
  %1 = tile.permute %0 [2, 0, 1] : tensor<2x2x3x!T> -> tensor<3x2x2x!T>
  tile.store %1, %y[%i, %i, %i] : tensor<3x2x2x!T>, !V3
}
// CASE @cat: 2x2xT=1,0,1,1 2x3xT=0,0,1,1,0,0 -> 2x5xT=1,0,0,0,1,1,1,1,0,0
tile.kernel @cat(%a: !V2, %b: !V2) outs(%y: !V2) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [2, 2] : !V2 -> tensor<2x2x!T>
  %1 = tile.load %b[%i, %i] [2, 3] : !V2 -> tensor<2x3x!T>
  %2 = tile.cat %0, %1 axis 1 : tensor<2x2x!T>, tensor<2x3x!T> -> tensor<2x5x!T>
  tile.store %2, %y[%i, %i] : tensor<2x5x!T>, !V2
}
// CASE @cat_rows: 1x3xT=1,0,1 2x3xT=0,0,1,1,0,0 -> 3x3xT=1,0,1,0,0,1,1,0,0
tile.kernel @cat_rows(%a: !V2, %b: !V2) outs(%y: !V2) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [1, 3] : !V2 -> tensor<1x3x!T>
  %1 = tile.load %b[%i, %i] [2, 3] : !V2 -> tensor<2x3x!T>
  %2 = tile.cat %0, %1 axis 0 : tensor<1x3x!T>, tensor<2x3x!T> -> tensor<3x3x!T>
  tile.store %2, %y[%i, %i] : tensor<3x3x!T>, !V2
}
// CASE @extract: 4x4xT=1,0,1,1,0,0,1,0,1,1,0,1,0,1,0,1 index=1 -> 2x2xT=0,1,0,1
// CASE @extract: 4x4xT=1,0,1,1,0,0,1,0,1,1,0,1,0,1,0,1 index=2 -> error "piece 2 of size 2 is outside axis 0 of size 4"
tile.kernel @extract(%a: !V2, %n: index) outs(%y: !V2) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [4, 4] : !V2 -> tensor<4x4x!T>
  %1 = tile.extract %0[%n, %n] [2, 2] : tensor<4x4x!T> -> tensor<2x2x!T>
  tile.store %1, %y[%i, %i] : tensor<2x2x!T>, !V2
}
// CASE @insert: 4x2xT=0,0,0,0,0,0,0,0 2x2xT=1,0,1,1 index=1 -> 4x2xT=0,0,0,0,1,0,1,1
tile.kernel @insert(%a: !V2, %b: !V2, %n: index) outs(%y: !V2) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [4, 2] : !V2 -> tensor<4x2x!T>
  %1 = tile.load %b[%i, %i] [2, 2] : !V2 -> tensor<2x2x!T>
  %2 = tile.insert %1 into %0[%n, %i] : tensor<2x2x!T> into tensor<4x2x!T> -> tensor<4x2x!T>
  tile.store %2, %y[%i, %i] : tensor<4x2x!T>, !V2
}
// CASE @element: 2x2xT=0,0,0,1 -> 3xT=1,1,1
tile.kernel @element(%a: !V2) outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %c1 = arith.constant 1 : index
  %0 = tile.load %a[%i, %i] [2, 2] : !V2 -> tensor<2x2x!T>
  %1 = tensor.extract %0[%c1, %c1] : tensor<2x2x!T>
  %2 = tile.splat %1 [3] : !T -> tensor<3x!T>
  tile.store %2, %y[%i] : tensor<3x!T>, !V
}
