// Named reductions of integers, signed, unsigned and bitwise, and one by region.
// TYPES: i8 i16 i32 i64
!V = !tile.view<?x!T>
!V2 = !tile.view<?x?x!T>
!I = !tile.view<?xi32>

// CASE @sums: 2x4xT=1,2,3,-4,5,2,2,4 -> 2xT=2,13 2xT=-24,80
// CASE @sums [i8]: 2x4xT=100,100,100,100,16,16,1,1 -> 2xT=-112,34 2xT=0,0
tile.kernel @sums(%a: !V2) outs(%s: !V, %p: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [2, 4] : !V2 -> tensor<2x4x!T>
  %1 = tile.reduce add %0 axis 1 : tensor<2x4x!T> -> tensor<2x!T>
  %2 = tile.reduce mul %0 axis 1 : tensor<2x4x!T> -> tensor<2x!T>
  tile.store %1, %s[%i] : tensor<2x!T>, !V
  tile.store %2, %p[%i] : tensor<2x!T>, !V
}
// CASE @extremes: 2x3xT=1,-2,3,-4,-1,-9 -> 2xT=3,-1 2xT=-2,-9 2xT=-2,-1 2xT=1,-9 2xi32=2,1 2xi32=1,2
tile.kernel @extremes(%a: !V2) outs(%m: !V, %n: !V, %um: !V, %un: !V, %am: !I, %an: !I) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [2, 3] : !V2 -> tensor<2x3x!T>
  %1 = tile.reduce max %0 axis 1 : tensor<2x3x!T> -> tensor<2x!T>
  %2 = tile.reduce min %0 axis 1 : tensor<2x3x!T> -> tensor<2x!T>
  %3 = tile.reduce umax %0 axis 1 : tensor<2x3x!T> -> tensor<2x!T>
  %4 = tile.reduce umin %0 axis 1 : tensor<2x3x!T> -> tensor<2x!T>
  %5 = tile.reduce argmax %0 axis 1 : tensor<2x3x!T> -> tensor<2xi32>
  %6 = tile.reduce argmin %0 axis 1 : tensor<2x3x!T> -> tensor<2xi32>
  tile.store %1, %m[%i] : tensor<2x!T>, !V
  tile.store %2, %n[%i] : tensor<2x!T>, !V
  tile.store %3, %um[%i] : tensor<2x!T>, !V
  tile.store %4, %un[%i] : tensor<2x!T>, !V
  tile.store %5, %am[%i] : tensor<2xi32>, !I
  tile.store %6, %an[%i] : tensor<2xi32>, !I
}
// CASE @bitwise: 3x2xT=12,-1,10,3,14,5 -> 2xT=8,1 1x2xT=14,-1 2xT=8,-7
tile.kernel @bitwise(%a: !V2) outs(%b: !V, %o: !V2, %x: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [3, 2] : !V2 -> tensor<3x2x!T>
  %1 = tile.reduce and %0 axis 0 : tensor<3x2x!T> -> tensor<2x!T>
  %2 = tile.reduce or %0 axis 0 keepdims : tensor<3x2x!T> -> tensor<1x2x!T>
  %3 = tile.reduce xor %0 axis 0 : tensor<3x2x!T> -> tensor<2x!T>
  tile.store %1, %b[%i] : tensor<2x!T>, !V
  tile.store %2, %o[%i, %i] : tensor<1x2x!T>, !V2
  tile.store %3, %x[%i] : tensor<2x!T>, !V
}
// The largest magnitude, which needs a region.
// CASE @region: 2x3xT=1,-7,3,4,0,-2 -> 2x1xT=7,4
tile.kernel @region(%a: !V2) outs(%y: !V2) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [2, 3] : !V2 -> tensor<2x3x!T>
  %1 = tile.reduce %0 axis 1 keepdims identities [0 : !T] {
  ^bb0(%max: !T, %u: !T):
    %2 = math.absi %u : !T
    %3 = arith.maxsi %max, %2 : !T
    tile.yield %3 : !T
  } : tensor<2x3x!T> -> tensor<2x1x!T>
  tile.store %1, %y[%i, %i] : tensor<2x1x!T>, !V2
}
