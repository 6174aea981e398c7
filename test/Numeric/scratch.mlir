// Block-local memory.
// TYPES: i8 i32 f16 bf16 f32 f64
!V = !tile.view<?x!T>

// Rows reversed through memory, by offsets and through a view, in every iteration.
// CASE @turn: 8xT=1,2,3,4,5,6,7,8 -> 8xT=4,3,2,1,8,7,6,5
tile.kernel @turn(%a: !V) outs(%y: !V) grid [2] {
  %b = tile.block_id 0
  %p = tile.scratch 4 : !tile.ptr<!T>
  %v = tile.view_at %p sizes [4] : !tile.ptr<!T> -> !tile.view<4x!T>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %i = tile.iota [4] : tensor<4xi32>
  %three = arith.constant dense<3> : tensor<4xi32>
  %r = arith.subi %three, %i : tensor<4xi32>
  scf.for %n = %zero to %two step %one {
    %q = tile.scratch 4 : !tile.ptr<!T>
    %0 = tile.load %a[%b] [4] : !V -> tensor<4x!T>
    tile.store_at %0, %q[%r] : tensor<4x!T>, !tile.ptr<!T>, tensor<4xi32>
    %1 = tile.load_at %q[%i] : !tile.ptr<!T>, tensor<4xi32> -> tensor<4x!T>
    tile.store %1, %v[%zero] : tensor<4x!T>, !tile.view<4x!T>
  }
  %2 = tile.load %v[%zero] [4] : !tile.view<4x!T> -> tensor<4x!T>
  tile.store %2, %y[%b] : tensor<4x!T>, !V
}
// CASE @unwritten: 4xT=0,0,0,0 -> error "has not been written"
tile.kernel @unwritten(%a: !V) outs(%y: !V) grid [1] {
  %b = tile.block_id 0
  %p = tile.scratch 4 : !tile.ptr<!T>
  %i = tile.iota [4] : tensor<4xi32>
  %0 = tile.load_at %p[%i] : !tile.ptr<!T>, tensor<4xi32> -> tensor<4x!T>
  tile.store %0, %y[%b] : tensor<4x!T>, !V
}
// So large that a GPU has memory for fewer blocks than could run at once.
// CASE @large: 320xT=random:1 -> 320xT
tile.kernel @large(%a: !V) outs(%y: !V) grid [80] {
  %b = tile.block_id 0
  %p = tile.scratch 500000 : !tile.ptr<!T>
  %i = tile.iota [4] : tensor<4xi32>
  %far = arith.constant dense<166666> : tensor<4xi32>
  %o = arith.muli %i, %far : tensor<4xi32>
  %three = arith.constant dense<3> : tensor<4xi32>
  %back = arith.subi %three, %i : tensor<4xi32>
  %r = arith.muli %back, %far : tensor<4xi32>
  %0 = tile.load %a[%b] [4] : !V -> tensor<4x!T>
  tile.store_at %0, %p[%o] : tensor<4x!T>, !tile.ptr<!T>, tensor<4xi32>
  %1 = tile.load_at %p[%r] : !tile.ptr<!T>, tensor<4xi32> -> tensor<4x!T>
  tile.store %1, %y[%b] : tensor<4x!T>, !V
}
