// Loads and stores at offsets from a pointer: masks, padding, rows and columns, vectorized and scalar accesses, and views at
// pointers.
// TYPES: i1 i8 i16 i32 i64 f8E4M3FN f16 bf16 f32 f64
!V = !tile.view<?x!T>
!V2 = !tile.view<?x?x!T>

// CASE @reverse [i32]: 5xT=1,2,3,4,5 -> 5xT=5,4,3,2,1
// CASE @reverse [i64]: 5xT=1,2,3,4,5 -> 5xT=5,4,3,2,1
// CASE @reverse [i8]: 5xT=1,2,3,4,5 -> 5xT=5,4,3,2,1
// CASE @reverse [i16]: 5xT=1,2,3,4,5 -> 5xT=5,4,3,2,1
// CASE @reverse [i1]: 5xT=1,0,0,1,1 -> 5xT=1,1,0,0,1
// CASE @reverse [f8E4M3FN]: 5xT=1,2,3,4,5 -> 5xT=5,4,3,2,1
// CASE @reverse [f16]: 5xT=1,2,3,4,5 -> 5xT=5,4,3,2,1
// CASE @reverse [bf16]: 5xT=1,2,3,4,5 -> 5xT=5,4,3,2,1
// CASE @reverse [f32]: 5xT=1,2,3,4,5 -> 5xT=5,4,3,2,1
// CASE @reverse [f64]: 5xT=1,2,3,4,5 -> 5xT=5,4,3,2,1
tile.kernel @reverse(%a: !V) outs(%y: !V) grid [1] {
  %p = tile.base %a : !V -> !tile.ptr<!T>
  %q = tile.base %y : !V -> !tile.ptr<!T>
  %i = tile.iota [5] : tensor<5xi32>
  %four = arith.constant dense<4> : tensor<5xi32>
  %r = arith.subi %four, %i : tensor<5xi32>
  %0 = tile.load_at %p[%r] : !tile.ptr<!T>, tensor<5xi32> -> tensor<5x!T>
  tile.store_at %0, %q[%i] : tensor<5x!T>, !tile.ptr<!T>, tensor<5xi32>
}
// Contiguous elements, all of them or those below a bound.
// CASE @contiguous: 64xT=0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1 index=64 -> 64xT=0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1
// CASE @contiguous: 64xT=0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1 index=40 -> 64xT=0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// CASE @contiguous: 64xT=0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1 index=37 -> 64xT=0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
tile.kernel @contiguous(%a: !V, %n: index) outs(%y: !V) grid [1] {
  %p = tile.base %a : !V -> !tile.ptr<!T>
  %q = tile.base %y : !V -> !tile.ptr<!T>
  %i = tile.iota [64] : tensor<64xi32>
  %n32 = arith.index_cast %n : index to i32
  %b = tile.splat %n32 [64] : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %b : tensor<64xi32>
  %0 = tile.load_at %p[%i] mask(%m : tensor<64xi1>) : !tile.ptr<!T>, tensor<64xi32> -> tensor<64x!T>
  tile.store_at %0, %q[%i] : tensor<64x!T>, !tile.ptr<!T>, tensor<64xi32>
}
// A mask that is constant on runs of eight: predicated vector accesses.
// CASE @runs: 64xT=0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1 index=5 -> 64xT=0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
tile.kernel @runs(%a: !V, %n: index) outs(%y: !V) grid [1] {
  %p = tile.base %a : !V -> !tile.ptr<!T>
  %q = tile.base %y : !V -> !tile.ptr<!T>
  %i = tile.iota [64] : tensor<64xi32>
  %c8 = arith.constant 8 : index
  %n8 = arith.muli %n, %c8 : index
  %n32 = arith.index_cast %n8 : index to i32
  %b = tile.splat %n32 [64] : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %b : tensor<64xi32>
  %0 = tile.load_at %p[%i] : !tile.ptr<!T>, tensor<64xi32> -> tensor<64x!T>
  %1 = tile.load_at %p[%i] mask(%m : tensor<64xi1>) : !tile.ptr<!T>, tensor<64xi32> -> tensor<64x!T>
  %yes = arith.constant dense<true> : tensor<64xi1>
  %no = arith.xori %m, %yes : tensor<64xi1>
  tile.store_at %0, %q[%i] mask(%m : tensor<64xi1>) : tensor<64x!T>, !tile.ptr<!T>, tensor<64xi32>
  tile.store_at %1, %q[%i] mask(%no : tensor<64xi1>) : tensor<64x!T>, !tile.ptr<!T>, tensor<64xi32>
}
// A transpose as a view at a pointer.
// CASE @strided [f32]: 3x4xT=0,1,2,3,4,5,6,7,8,9,10,11 -> 4x3xT=0,4,8,1,5,9,2,6,10,3,7,11
// CASE @strided [bf16]: 3x4xT=0,1,2,3,4,5,6,7,8,9,10,11 -> 4x3xT=0,4,8,1,5,9,2,6,10,3,7,11
// CASE @strided [i64]: 3x4xT=0,1,2,3,4,5,6,7,8,9,10,11 -> 4x3xT=0,4,8,1,5,9,2,6,10,3,7,11
tile.kernel @strided(%a: !V2) outs(%y: !V2) grid [1] {
  %i = arith.constant 0 : index
  %p = tile.base %a : !V2 -> !tile.ptr<!T>
  %v = tile.view_at %p sizes [4, 3] strides [1, 4] : !tile.ptr<!T> -> !tile.view<4x3x!T, strides=[1, 4]>
  %0 = tile.load %v[%i, %i] [4, 3] : !tile.view<4x3x!T, strides=[1, 4]> -> tensor<4x3x!T>
  tile.store %0, %y[%i, %i] : tensor<4x3x!T>, !V2
}
