// Atomic updates: every kind and type, equal offsets, masks, used and unused results, orderings, and contending blocks.
// TYPES: i32 i64
!V = !tile.view<?x!T>

// Updates at equal offsets all happen, as the sum of a counter's old values shows.
// CASE @count: index=0 -> 4xT=32,32,32,32|0,0,0,0
tile.kernel @count(%n: index) outs(%y: !V) grid [4] {
  %p = tile.base %y : !V -> !tile.ptr<!T>
  %i = tile.iota [32] : tensor<32xi32>
  %three = arith.constant dense<3> : tensor<32xi32>
  %bin = arith.andi %i, %three : tensor<32xi32>
  %one = arith.constant dense<1> : tensor<32x!T>
  %old = tile.atomic_rmw add %p[%bin], %one : !tile.ptr<!T>, tensor<32xi32>, tensor<32x!T>
}
// CASE @arithmetic: 8xT=5,-3,12,7,1,9,-1,4 -> 8xT=6,3,15,0,5,13,-7,6|1,6,3,-7,4,4,-6,2 8xT=5,6,12,7,4,9,-1,4|1,6,3,-7,4,4,-6,2 8xT=1,-3,3,-7,1,4,-6,2|1,6,3,-7,4,4,-6,2 8xT=5,-3,12,-7,4,9,-1,4|1,6,3,-7,4,4,-6,2 8xT=1,6,3,7,1,4,-6,2|1,6,3,-7,4,4,-6,2 8xT=1,6,3,-7,4,4,-6,2
tile.kernel @arithmetic(%a: !V) outs(%y0: !V, %y1: !V, %y2: !V, %y3: !V, %y4: !V, %o: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0] [8] : !V -> tensor<8x!T>
  %i = tile.iota [8] : tensor<8xi64>
  %p0 = tile.base %y0 : !V -> !tile.ptr<!T>
  %r0 = tile.atomic_rmw add %p0[%i], %0 : !tile.ptr<!T>, tensor<8xi64>, tensor<8x!T>
  %p1 = tile.base %y1 : !V -> !tile.ptr<!T>
  %r1 = tile.atomic_rmw max %p1[%i], %0 : !tile.ptr<!T>, tensor<8xi64>, tensor<8x!T>
  %p2 = tile.base %y2 : !V -> !tile.ptr<!T>
  %r2 = tile.atomic_rmw min %p2[%i], %0 : !tile.ptr<!T>, tensor<8xi64>, tensor<8x!T>
  %p3 = tile.base %y3 : !V -> !tile.ptr<!T>
  %r3 = tile.atomic_rmw umax %p3[%i], %0 : !tile.ptr<!T>, tensor<8xi64>, tensor<8x!T>
  %p4 = tile.base %y4 : !V -> !tile.ptr<!T>
  %r4 = tile.atomic_rmw umin %p4[%i], %0 : !tile.ptr<!T>, tensor<8xi64>, tensor<8x!T>
  tile.store %r0, %o[%c0] : tensor<8x!T>, !V
}
// CASE @bitwise: 8xT=5,-3,12,7,1,9,-1,4 -> 8xT=1,4,0,1,0,0,-6,0|1,6,3,-7,4,4,-6,2 8xT=5,-1,15,-1,5,13,-1,6|1,6,3,-7,4,4,-6,2 8xT=4,-5,15,-2,5,13,5,6|1,6,3,-7,4,4,-6,2 8xT=1,6,3,-7,4,4,-6,2
tile.kernel @bitwise(%a: !V) outs(%y0: !V, %y1: !V, %y2: !V, %o: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0] [8] : !V -> tensor<8x!T>
  %i = tile.iota [8] : tensor<8xi64>
  %p0 = tile.base %y0 : !V -> !tile.ptr<!T>
  %r0 = tile.atomic_rmw and %p0[%i], %0 : !tile.ptr<!T>, tensor<8xi64>, tensor<8x!T>
  %p1 = tile.base %y1 : !V -> !tile.ptr<!T>
  %r1 = tile.atomic_rmw or %p1[%i], %0 : !tile.ptr<!T>, tensor<8xi64>, tensor<8x!T>
  %p2 = tile.base %y2 : !V -> !tile.ptr<!T>
  %r2 = tile.atomic_rmw xor %p2[%i], %0 : !tile.ptr<!T>, tensor<8xi64>, tensor<8x!T>
  tile.store %r0, %o[%c0] : tensor<8x!T>, !V
}
// CASE @swap: 4xT=5,6,7,8 -> 4xT=5,6,7,8|1,2,3,4 4xT=1,2,3,4
tile.kernel @swap(%a: !V) outs(%y: !V, %o: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %p = tile.base %y : !V -> !tile.ptr<!T>
  %0 = tile.load %a[%c0] [4] : !V -> tensor<4x!T>
  %i = tile.iota [4] : tensor<4xi64>
  %1 = tile.atomic_rmw xchg %p[%i], %0 order(acq_rel) scope(system) : !tile.ptr<!T>, tensor<4xi64>, tensor<4x!T>
  tile.store %1, %o[%c0] : tensor<4x!T>, !V
}
// CASE @replace: 4xT=1,0,3,0 -> 4xT=9,2,9,4|1,2,3,4 4xT=1,2,3,4
tile.kernel @replace(%a: !V) outs(%y: !V, %o: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %p = tile.base %y : !V -> !tile.ptr<!T>
  %0 = tile.load %a[%c0] [4] : !V -> tensor<4x!T>
  %nine = arith.constant dense<9> : tensor<4x!T>
  %i = tile.iota [4] : tensor<4xi32>
  %1 = tile.atomic_cas %p[%i], %0, %nine order(acquire) : !tile.ptr<!T>, tensor<4xi32>, tensor<4x!T>
  tile.store %1, %o[%c0] : tensor<4x!T>, !V
}
// An element that every thread addresses is updated once, and all threads get its old value.
// CASE @once: index=0 -> 1xT=3|0 3xT=1,1,1|0,0,0
tile.kernel @once(%n: index) outs(%y: !V, %o: !V) grid [3] {
  %p = tile.base %y : !V -> !tile.ptr<!T>
  %q = tile.base %o : !V -> !tile.ptr<!T>
  %one = arith.constant 1 : !T
  %0 = tile.splat %one [] : !T -> tensor<!T>
  %zero = arith.constant 0 : i32
  %at = tile.splat %zero [] : i32 -> tensor<i32>
  %old = tile.atomic_rmw add %p[%at], %0 order(acq_rel) : !tile.ptr<!T>, tensor<i32>, tensor<!T>
  %x = tensor.extract %old[] : tensor<!T>
  %turn = tile.splat %x [3] : !T -> tensor<3x!T>
  %i = tile.iota [3] : tensor<3x!T>
  %mine = arith.cmpi eq, %i, %turn : tensor<3x!T>
  %w = tile.iota [3] : tensor<3xi32>
  %many = tile.splat %one [3] : !T -> tensor<3x!T>
  %s = tile.atomic_rmw add %q[%w], %many mask(%mine : tensor<3xi1>) : !tile.ptr<!T>, tensor<3xi32>, tensor<3x!T>
}
// A lock: its owner updates the guarded value with plain loads and stores.
// CASE @lock N=50: index=0 -> 2xT=0,200|0,0
tile.kernel @lock(%n: index) outs(%y: !V) params {N = 50} grid [4] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = tile.param N
  %p = tile.base %y : !V -> !tile.ptr<!T>
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %lock = tile.splat %z [] : i32 -> tensor<i32>
  %count = tile.splat %o [] : i32 -> tensor<i32>
  %zero = arith.constant 0 : !T
  %one = arith.constant 1 : !T
  %free = tile.splat %zero [] : !T -> tensor<!T>
  %taken = tile.splat %one [] : !T -> tensor<!T>
  scf.for %k = %c0 to %rounds step %c1 {
    %got = scf.while (%tries = %zero) : (!T) -> !T {
      %was = tile.atomic_cas %p[%lock], %free, %taken order(acquire) : !tile.ptr<!T>, tensor<i32>, tensor<!T>
      %held = tensor.extract %was[] : tensor<!T>
      %again = arith.cmpi ne, %held, %zero : !T
      scf.condition(%again) %tries : !T
    } do {
    ^bb0(%tries: !T):
      %next = arith.addi %tries, %one : !T
      scf.yield %next : !T
    }
    %old = tile.load_at %p[%count] : !tile.ptr<!T>, tensor<i32> -> tensor<!T>
    %new = arith.addi %old, %taken : tensor<!T>
    tile.store_at %new, %p[%count] : tensor<!T>, !tile.ptr<!T>, tensor<i32>
    tile.store_at %free, %p[%lock] order(release) : tensor<!T>, !tile.ptr<!T>, tensor<i32>
  }
}
