// Named scans of floats, including zeros and NaN, and scans by region that depend on the order.
// TYPES: f16 bf16 f32 f64
!V = !tile.view<?x!T>
!V2 = !tile.view<?x?x!T>

// CASE @sums: 2x4xT=1,2,-3,4,0.5,0.25,0,-1 -> 2x4xT=1,3,0,4,0.5,0.75,0.75,-0.25 2x4xT=-24,-12,4,1,-0,-0,-1,1
tile.kernel @sums(%a: !V2) outs(%s: !V2, %p: !V2) grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.load %a[%i, %i] [2, 4] : !V2 -> tensor<2x4x!T>
  %1 = tile.scan add %0 axis 1 : tensor<2x4x!T>
  %2 = tile.scan mul %0 axis 1 exclusive reverse : tensor<2x4x!T>
  tile.store %1, %s[%i, %i] : tensor<2x4x!T>, !V2
  tile.store %2, %p[%i, %i] : tensor<2x4x!T>, !V2
}
// CASE @extremes: 6xT=1,-2,nan,3,-inf,inf -> 6xT=1,1,nan,nan,nan,nan 6xT=1,1,1,3,3,inf 6xT=-inf,-inf,-inf,-inf,-inf,inf
tile.kernel @extremes(%a: !V) outs(%m: !V, %n: !V, %l: !V) grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.load %a[%i] [6] : !V -> tensor<6x!T>
  %1 = tile.scan max %0 axis 0 : tensor<6x!T>
  %2 = tile.scan max %0 axis 0 nan(ignore) : tensor<6x!T>
  %3 = tile.scan min %0 axis 0 reverse nan(ignore) : tensor<6x!T>
  tile.store %1, %m[%i] : tensor<6x!T>, !V
  tile.store %2, %n[%i] : tensor<6x!T>, !V
  tile.store %3, %l[%i] : tensor<6x!T>, !V
}
// The first element of a sum is copied, also -0.
// CASE @zeros: 3xT=-0,-0,1 -> 3xT=-0,-0,1 3xT=0,-0,-0
tile.kernel @zeros(%a: !V) outs(%s: !V, %e: !V) grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.load %a[%i] [3] : !V -> tensor<3x!T>
  %1 = tile.scan add %0 axis 0 : tensor<3x!T>
  %2 = tile.scan add %0 axis 0 exclusive : tensor<3x!T>
  tile.store %1, %s[%i] : tensor<3x!T>, !V
  tile.store %2, %e[%i] : tensor<3x!T>, !V
}
// h ← g·h + v, the recurrence of a linear filter: associative, not commutative.
// CASE @recurrence K=6: 6xT=1,0.5,2,0,1,-1 6xT=1,2,3,4,5,6 -> 6xT=1,0.5,1,0,0,-0 6xT=1,2.5,8,4,9,-3
tile.kernel @recurrence(%g: !V, %v: !V) outs(%p: !V, %h: !V) grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.load %g[%i] [6] : !V -> tensor<6x!T>
  %1 = tile.load %v[%i] [6] : !V -> tensor<6x!T>
  %2, %3 = tile.scan %0, %1 axis 0 identities [1.0 : !T, 0.0 : !T] {
  ^bb0(%g0: !T, %v0: !T, %g1: !T, %v1: !T):
    %4 = arith.mulf %g0, %g1 : !T
    %5 = arith.mulf %v0, %g1 : !T
    %6 = arith.addf %5, %v1 : !T
    tile.yield %4, %6 : !T, !T
  } : tensor<6x!T>, tensor<6x!T>
  tile.store %2, %p[%i] : tensor<6x!T>, !V
  tile.store %3, %h[%i] : tensor<6x!T>, !V
}
// The last nonzero number so far, from either end, over several warps.
// CASE @last N=700: index=0 -> 700xT 700xT
// CASE @last N=40: index=0 -> 40xT 40xT
tile.kernel @last(%n: index) outs(%f: !V, %b: !V) params {N = 40 in [40, 700]} grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.iota [N] : tensor<?xi32>
  %c7 = arith.constant 7 : i32
  %c0 = arith.constant 0 : i32
  %1 = tile.splat %c7 [N] : i32 -> tensor<?xi32>
  %2 = arith.remsi %0, %1 : tensor<?xi32>
  %3 = arith.divsi %0, %1 : tensor<?xi32>
  %4 = tile.splat %c0 [N] : i32 -> tensor<?xi32>
  %5 = arith.cmpi eq, %2, %4 : tensor<?xi32>
  %6 = arith.select %5, %3, %4 : tensor<?xi1>, tensor<?xi32>
  %7 = arith.sitofp %6 : tensor<?xi32> to tensor<?x!T>
  %8 = tile.scan %7 axis 0 identities [0.0 : !T] {
  ^bb0(%old: !T, %new: !T):
    %zero = arith.constant 0.0 : !T
    %isNew = arith.cmpf one, %new, %zero : !T
    %kept = arith.select %isNew, %new, %old : !T
    tile.yield %kept : !T
  } : tensor<?x!T>
  %9 = tile.scan %7 axis 0 exclusive reverse identities [0.0 : !T] {
  ^bb0(%old: !T, %new: !T):
    %zero = arith.constant 0.0 : !T
    %isNew = arith.cmpf one, %new, %zero : !T
    %kept = arith.select %isNew, %new, %old : !T
    tile.yield %kept : !T
  } : tensor<?x!T>
  tile.store %8, %f[%i] : tensor<?x!T>, !V
  tile.store %9, %b[%i] : tensor<?x!T>, !V
}
// Rows of several vectors and a rest, and columns.
// CASE @several: 3x45xT=random:1 -> 3x45xT 3x45xT 3x45xT 3x45xT 3x45xT
tile.kernel @several(%a: !V2) outs(%s: !V2, %r: !V2, %m: !V2, %c: !V2, %d: !V2) grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.load %a[%i, %i] [3, 45] : !V2 -> tensor<3x45x!T>
  %1 = math.absf %0 : tensor<3x45x!T>
  %2 = tile.scan add %1 axis 1 : tensor<3x45x!T>
  %3 = tile.scan add %1 axis 1 exclusive reverse : tensor<3x45x!T>
  %4 = tile.scan max %0 axis 1 exclusive : tensor<3x45x!T>
  %5 = tile.scan add %1 axis 0 exclusive : tensor<3x45x!T>
  %6 = tile.scan min %0 axis 0 reverse : tensor<3x45x!T>
  tile.store %2, %s[%i, %i] : tensor<3x45x!T>, !V2
  tile.store %3, %r[%i, %i] : tensor<3x45x!T>, !V2
  tile.store %4, %m[%i, %i] : tensor<3x45x!T>, !V2
  tile.store %5, %c[%i, %i] : tensor<3x45x!T>, !V2
  tile.store %6, %d[%i, %i] : tensor<3x45x!T>, !V2
}
// The recurrence of many columns, of which each step is a row.
// CASE @recurrences [f32]: 6x20xT=random:2 6x20xT=random:3 -> 6x20xT 6x20xT
tile.kernel @recurrences(%g: !V2, %v: !V2) outs(%p: !V2, %h: !V2) grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.load %g[%i, %i] [6, 20] : !V2 -> tensor<6x20x!T>
  %1 = tile.load %v[%i, %i] [6, 20] : !V2 -> tensor<6x20x!T>
  %2, %3 = tile.scan %0, %1 axis 0 exclusive identities [1.0 : !T, 0.0 : !T] {
  ^bb0(%g0: !T, %v0: !T, %g1: !T, %v1: !T):
    %4 = arith.mulf %g0, %g1 : !T
    %5 = arith.mulf %v0, %g1 : !T
    %6 = arith.addf %5, %v1 : !T
    tile.yield %4, %6 : !T, !T
  } : tensor<6x20x!T>, tensor<6x20x!T>
  tile.store %2, %p[%i, %i] : tensor<6x20x!T>, !V2
  tile.store %3, %h[%i, %i] : tensor<6x20x!T>, !V2
}
// Axes of size 1 beside the scanned one, which has one or two elements.
// CASE @unit_axes: 16xT=8,1,7,2,6,3,5,4,0,9,1,8,2,7,3,6 -> 16xT=8,1,7,2,6,3,5,4,0,9,1,8,2,7,3,6 16xT=0,1,1,2,2,3,3,4,0,9,1,8,2,7,3,6
tile.kernel @unit_axes(%a: !V) outs(%one: !V, %two: !V) grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.load %a[%i] [16] : !V -> tensor<16x!T>
  %1 = tile.reshape %0 [1, 4, 1, 4] : tensor<16x!T> -> tensor<1x4x1x4x!T>
  %2 = tile.scan %1 axis 2 identities [100.0 : !T] {
  ^bb0(%x: !T, %y: !T):
    %least = arith.minnumf %x, %y : !T
    tile.yield %least : !T
  } : tensor<1x4x1x4x!T>
  %3 = tile.reshape %2 [16] : tensor<1x4x1x4x!T> -> tensor<16x!T>
  %4 = tile.reshape %0 [1, 2, 1, 8, 1] : tensor<16x!T> -> tensor<1x2x1x8x1x!T>
  %5 = tile.scan min %4 axis 1 reverse : tensor<1x2x1x8x1x!T>
  %6 = tile.reshape %5 [16] : tensor<1x2x1x8x1x!T> -> tensor<16x!T>
  tile.store %3, %one[%i] : tensor<16x!T>, !V
  tile.store %6, %two[%i] : tensor<16x!T>, !V
}
