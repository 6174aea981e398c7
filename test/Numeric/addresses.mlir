// Addresses as integers: taken from elements, loaded from memory, reinterpreted, and pointers into two buffers in one tile.
// TYPES: f32:i32 f64:i64 f16:i16 bf16:i16 f8E4M3FN:i8
!P = !tile.ptr<!T>
!Q = !tile.ptr<!U>

// The distance of two elements, in bytes.
// CASE @distance [f32:i32] grid=1: 8xT=1 out0 -> 1xi64=12
// CASE @distance [f64:i64] grid=1: 8xT=1 out0 -> 1xi64=24
// CASE @distance [f16:i16] grid=1: 8xT=1 out0 -> 1xi64=6
tile.kernel @distance(%a: !P, %y: !tile.ptr<i64>) grid launch {
  %c3 = arith.constant 3 : index
  %v = tile.view_at %a sizes [8] : !P -> !tile.view<8x!T>
  %w = tile.subview %v [%c3] [1] : !tile.view<8x!T> -> !tile.view<1x!T>
  %q = tile.base %w : !tile.view<1x!T> -> !P
  %0 = tile.ptr_to_int %a : !P
  %1 = tile.ptr_to_int %q : !P
  %2 = arith.subi %1, %0 : i64
  %s = tile.splat %2 [1] : i64 -> tensor<1xi64>
  %i = tile.iota [1] : tensor<1xi32>
  tile.store_at %s, %y[%i] : tensor<1xi64>, !tile.ptr<i64>, tensor<1xi32>
}
// Reads and writes bits as another type of the same size.
// CASE @bits [f32:i32] grid=1: 4xT=1,-2,0.5,0 4xi32=0,0,0,0 out0 -> 4xT=-1,2,-0.5,-0.0
// CASE @bits [f16:i16] grid=1: 4xT=1,-2,0.5,0 4xi32=0,0,0,0 out0 -> 4xT=-1,2,-0.5,-0.0
// CASE @bits [bf16:i16] grid=1: 4xT=1,-2,0.5,0 4xi32=0,0,0,0 out0 -> 4xT=-1,2,-0.5,-0.0
// CASE @bits [f64:i64] grid=1: 4xT=1,-2,0.5,0 4xi32=0,0,0,0 out0 -> 4xT=-1,2,-0.5,-0.0
// CASE @bits [f8E4M3FN:i8] grid=1: 4xT=1,-2,0.5,0 4xi32=0,0,0,0 out0 -> 4xT=-1,2,-0.5,-0.0
tile.kernel @bits(%a: !P, %unused: !tile.ptr<i32>, %y: !P) grid launch {
  %0 = tile.ptr_to_int %a : !P
  %p = tile.int_to_ptr %0 : !Q
  %1 = tile.ptr_to_int %y : !P
  %q = tile.int_to_ptr %1 : !Q
  %i = tile.iota [4] : tensor<4xi32>
  %v = tile.load_at %p[%i] : !Q, tensor<4xi32> -> tensor<4x!U>
  %one = arith.constant dense<1> : tensor<4x!U>
  %ones = arith.constant dense<-1> : tensor<4x!U>
  %top = arith.shrui %ones, %one : tensor<4x!U>
  %sign = arith.xori %ones, %top : tensor<4x!U>
  %r = arith.xori %v, %sign : tensor<4x!U>
  tile.store_at %r, %q[%i] : tensor<4x!U>, !Q, tensor<4xi32>
}
// The bytes of any type.
// CASE @bytes [f32:i32] grid=1: 2xT=1,-2 out0 -> 8xi8=0,0,0x80,0x3F,0,0,0,0xC0
// CASE @bytes [f16:i16] grid=1: 4xT=1,-2,0,65504 out0 -> 8xi8=0,0x3C,0,0xC0,0,0,0xFF,0x7B
tile.kernel @bytes(%a: !P, %y: !tile.ptr<i8>) grid launch {
  %0 = tile.ptr_to_int %a : !P
  %p = tile.int_to_ptr %0 : !tile.ptr<i8>
  %i = tile.iota [8] : tensor<8xi32>
  %v = tile.load_at %p[%i] : !tile.ptr<i8>, tensor<8xi32> -> tensor<8xi8>
  tile.store_at %v, %y[%i] : tensor<8xi8>, !tile.ptr<i8>, tensor<8xi32>
}
// Elements of two buffers, addressed relative to a null pointer.
// CASE @two [f32:i32] grid=1: 4xT=1,2,3,4 4xT=10,20,30,40 out0 -> 4xT=1,20,3,40
// CASE @two [f64:i64] grid=1: 4xT=1,2,3,4 4xT=10,20,30,40 out0 -> 4xT=1,20,3,40
// CASE @two [bf16:i16] grid=1: 4xT=1,2,3,4 4xT=10,20,30,40 out0 -> 4xT=1,20,3,40
tile.kernel @two(%a: !P, %b: !P, %y: !P) grid launch {
  %i = tile.iota [4] : tensor<4xi64>
  %i32 = tile.iota [4] : tensor<4xi32>
  %0 = tile.ptr_to_int %a : !P
  %1 = tile.ptr_to_int %b : !P
  %one = tile.view_at %a sizes [4] : !P -> !tile.view<4x!T>
  %c1 = arith.constant 1 : index
  %next = tile.subview %one [%c1] [1] : !tile.view<4x!T> -> !tile.view<1x!T>
  %nextp = tile.base %next : !tile.view<1x!T> -> !P
  %2 = tile.ptr_to_int %nextp : !P
  %bytes = arith.subi %2, %0 : i64
  %sizes = tile.splat %bytes [4] : i64 -> tensor<4xi64>
  %far = arith.muli %i, %sizes : tensor<4xi64>
  %as = tile.splat %0 [4] : i64 -> tensor<4xi64>
  %bs = tile.splat %1 [4] : i64 -> tensor<4xi64>
  %m = arith.constant dense<[true, false, true, false]> : tensor<4xi1>
  %starts = arith.select %m, %as, %bs : tensor<4xi1>, tensor<4xi64>
  %at = arith.addi %starts, %far : tensor<4xi64>
  %zero = arith.constant 0 : i64
  %none = tile.int_to_ptr %zero : !tile.ptr<i8>
  %v = tile.load_at %none[%at] : !tile.ptr<i8>, tensor<4xi64> -> tensor<4x!T>
  tile.store_at %v, %y[%i32] : tensor<4x!T>, !P, tensor<4xi32>
}
// An address that the kernel stores to memory and loads again.
// CASE @stored [f32:i32] grid=1: 4xT=1,2,3,4 1xi64=0 out0 -> 4xT=1,2,3,4
tile.kernel @stored(%a: !P, %list: !tile.ptr<i64>, %y: !P) grid launch {
  %i1 = tile.iota [1] : tensor<1xi32>
  %0 = tile.ptr_to_int %a : !P
  %s = tile.splat %0 [1] : i64 -> tensor<1xi64>
  tile.store_at %s, %list[%i1] : tensor<1xi64>, !tile.ptr<i64>, tensor<1xi32>
  %l = tile.load_at %list[%i1] : !tile.ptr<i64>, tensor<1xi32> -> tensor<1xi64>
  %c0 = arith.constant 0 : index
  %at = tensor.extract %l[%c0] : tensor<1xi64>
  %p = tile.int_to_ptr %at : !P
  %v = tile.view_at %p sizes [4] : !P -> !tile.view<4x!T>
  %b = tile.load %v[%c0] [4] : !tile.view<4x!T> -> tensor<4x!T>
  %w = tile.view_at %y sizes [4] : !P -> !tile.view<4x!T>
  tile.store %b, %w[%c0] : tensor<4x!T>, !tile.view<4x!T>
}
// Stores through an address are visible through the pointer it was taken from.
// CASE @aliased [f32:i32] grid=1: 4xT=1,2,3,4 out0 -> 4xT=2,4,6,8
tile.kernel @aliased(%a: !P, %y: !P) grid launch {
  %i = tile.iota [4] : tensor<4xi32>
  %0 = tile.ptr_to_int %a : !P
  %p = tile.int_to_ptr %0 : !P
  %v = tile.load_at %a[%i] : !P, tensor<4xi32> -> tensor<4x!T>
  %d = arith.addf %v, %v : tensor<4x!T>
  tile.store_at %d, %p[%i] : tensor<4x!T>, !P, tensor<4xi32>
  %w = tile.load_at %a[%i] : !P, tensor<4xi32> -> tensor<4x!T>
  tile.store_at %w, %y[%i] : tensor<4x!T>, !P, tensor<4xi32>
}
// CASE @nothing [f32:i32] grid=1: 4xT=1,2,3,4 4xT=0 -> error "offset 3 is outside of every buffer"
tile.kernel @nothing(%a: !P, %y: !P) grid launch {
  %i = tile.iota [4] : tensor<4xi32>
  %three = arith.constant dense<3> : tensor<4xi32>
  %zero = arith.constant 0 : i64
  %none = tile.int_to_ptr %zero : !P
  %v = tile.load_at %none[%three] : !P, tensor<4xi32> -> tensor<4x!T>
  tile.store_at %v, %y[%i] : tensor<4x!T>, !P, tensor<4xi32>
}
