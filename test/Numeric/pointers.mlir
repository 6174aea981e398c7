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

// A recurrence along rows by offset in a loop that stores: rows are loaded ahead, none of them behind the last.
// CASE @recurrence_by_offset [f32]: 1x70xf32=random:1 -> 1x70xf32
// CASE @recurrence_by_offset [f32]: 9x70xf32=random:2 -> 9x70xf32
// CASE @recurrence_by_offset [f32]: 20x33xf32=random:3 -> 20x33xf32
tile.kernel @recurrence_by_offset(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    grid [ceildiv(dim(%x, 1), 32)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %half = arith.constant dense<0.5> : tensor<32xf32>
  %b = tile.block_id 0
  %n = tile.dim %x, 0 : !tile.view<?x?xf32>
  %columns = tile.dim %x, 1 : !tile.view<?x?xf32>
  %width = arith.index_cast %columns : index to i32
  %ws = tile.splat %width [32] : i32 -> tensor<32xi32>
  %b32 = arith.index_cast %b : index to i32
  %left = arith.muli %b32, %c32 : i32
  %ls = tile.splat %left [32] : i32 -> tensor<32xi32>
  %i = tile.iota [32] : tensor<32xi32>
  %column = arith.addi %i, %ls : tensor<32xi32>
  %in = arith.cmpi slt, %column, %ws : tensor<32xi32>
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%h = %zero) -> (tensor<32xf32>) {
    %xp = tile.base %x : !tile.view<?x?xf32> -> !tile.ptr<f32>
    %yp = tile.base %y : !tile.view<?x?xf32> -> !tile.ptr<f32>
    %k32 = arith.index_cast %k : index to i32
    %first = arith.muli %k32, %width : i32
    %fs = tile.splat %first [32] : i32 -> tensor<32xi32>
    %at = arith.addi %column, %fs : tensor<32xi32>
    %t = tile.load_at %xp[%at] mask(%in : tensor<32xi1>) : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
    %r = math.fma %h, %half, %t : tensor<32xf32>
    tile.store_at %r, %yp[%at] mask(%in : tensor<32xi1>) : tensor<32xf32>, !tile.ptr<f32>, tensor<32xi32>
    scf.yield %r : tensor<32xf32>
  }
}
