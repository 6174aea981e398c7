// Named scans of integers: every kind, direction and axis; sizes that leave lanes and warps idle, and sizes that fill
// several warps.
// TYPES: i8 i16 i32 i64
!V = !tile.view<?x!T>
!V2 = !tile.view<?x?x!T>
!L = !tile.view<?xi64>

// CASE @sums: 2x4xT=1,2,3,-4,5,2,-1,4 -> 2x4xT=1,3,6,2,5,7,6,10 2x4xT=1,2,6,-24,5,10,-10,-40 2x4xT=1,2,3,-4,6,4,2,0
tile.kernel @sums(%a: !V2) outs(%s: !V2, %p: !V2, %c: !V2) grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.load %a[%i, %i] [2, 4] : !V2 -> tensor<2x4x!T>
  %1 = tile.scan add %0 axis 1 : tensor<2x4x!T>
  %2 = tile.scan mul %0 axis 1 : tensor<2x4x!T>
  %3 = tile.scan add %0 axis 0 : tensor<2x4x!T>
  tile.store %1, %s[%i, %i] : tensor<2x4x!T>, !V2
  tile.store %2, %p[%i, %i] : tensor<2x4x!T>, !V2
  tile.store %3, %c[%i, %i] : tensor<2x4x!T>, !V2
}
// CASE @directions: 2x4xT=1,2,3,-4,5,2,-1,4 -> 2x4xT=0,1,3,6,0,5,7,6 2x4xT=2,1,-1,-4,10,5,3,4 2x4xT=-24,-12,-4,1,-8,-4,4,1
tile.kernel @directions(%a: !V2) outs(%s: !V2, %p: !V2, %c: !V2) grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.load %a[%i, %i] [2, 4] : !V2 -> tensor<2x4x!T>
  %1 = tile.scan add %0 axis 1 exclusive : tensor<2x4x!T>
  %2 = tile.scan add %0 axis 1 reverse : tensor<2x4x!T>
  %3 = tile.scan mul %0 axis 1 exclusive reverse : tensor<2x4x!T>
  tile.store %1, %s[%i, %i] : tensor<2x4x!T>, !V2
  tile.store %2, %p[%i, %i] : tensor<2x4x!T>, !V2
  tile.store %3, %c[%i, %i] : tensor<2x4x!T>, !V2
}
// CASE @extremes: 7xT=3,-2,7,1,-9,0,12 -> 7xT=3,3,7,7,7,7,12 7xT=3,-2,-2,-2,-9,-9,-9 7xT=3,-2,-2,-2,-2,-2,-2 7xT=0,0,0,0,0,0,12
tile.kernel @extremes(%a: !V) outs(%m: !V, %n: !V, %um: !V, %un: !V) grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.load %a[%i] [7] : !V -> tensor<7x!T>
  %1 = tile.scan max %0 axis 0 : tensor<7x!T>
  %2 = tile.scan min %0 axis 0 : tensor<7x!T>
  %3 = tile.scan umax %0 axis 0 : tensor<7x!T>
  %4 = tile.scan umin %0 axis 0 reverse : tensor<7x!T>
  tile.store %1, %m[%i] : tensor<7x!T>, !V
  tile.store %2, %n[%i] : tensor<7x!T>, !V
  tile.store %3, %um[%i] : tensor<7x!T>, !V
  tile.store %4, %un[%i] : tensor<7x!T>, !V
}
// CASE @bitwise: 6xT=12,-1,10,3,14,5 -> 6xT=12,12,8,0,0,0 6xT=0,12,-1,-1,-1,-1 6xT=-15,-3,2,8,11,5
tile.kernel @bitwise(%a: !V) outs(%b: !V, %o: !V, %x: !V) grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.load %a[%i] [6] : !V -> tensor<6x!T>
  %1 = tile.scan and %0 axis 0 : tensor<6x!T>
  %2 = tile.scan or %0 axis 0 exclusive : tensor<6x!T>
  %3 = tile.scan xor %0 axis 0 reverse : tensor<6x!T>
  tile.store %1, %b[%i] : tensor<6x!T>, !V
  tile.store %2, %o[%i] : tensor<6x!T>, !V
  tile.store %3, %x[%i] : tensor<6x!T>, !V
}
// Longer than a warp or a thread block, and a multiple of neither.
// CASE @long [i64] N=33: index=0 -> 33xi64 33xi64 33xi64
// CASE @long [i64] N=1000: index=0 -> 1000xi64 1000xi64 1000xi64
// CASE @long [i64] N=4099: index=0 -> 4099xi64 4099xi64 4099xi64
tile.kernel @long(%n: index) outs(%s: !L, %e: !L, %r: !L) params {N = 33 in [33, 1000, 4099]} grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.iota [N] : tensor<?xi32>
  %c = arith.constant 37 : i32
  %1 = tile.splat %c [N] : i32 -> tensor<?xi32>
  %2 = arith.remsi %0, %1 : tensor<?xi32>
  %one = arith.constant 1 : i64
  %3 = arith.extsi %2 : tensor<?xi32> to tensor<?xi64>
  %4 = tile.splat %one [N] : i64 -> tensor<?xi64>
  %5 = arith.addi %3, %4 : tensor<?xi64>
  %6 = tile.scan add %5 axis 0 : tensor<?xi64>
  %7 = tile.scan xor %5 axis 0 exclusive : tensor<?xi64>
  %8 = tile.scan add %5 axis 0 reverse : tensor<?xi64>
  %bits = arith.constant 63 : i64
  %m = tile.splat %bits [N] : i64 -> tensor<?xi64>
  %9 = arith.andi %6, %m : tensor<?xi64>
  %10 = arith.andi %7, %m : tensor<?xi64>
  %11 = arith.andi %8, %m : tensor<?xi64>
  tile.store %9, %s[%i] : tensor<?xi64>, !L
  tile.store %10, %e[%i] : tensor<?xi64>, !L
  tile.store %11, %r[%i] : tensor<?xi64>, !L
}
// Along the axis that is distributed over warps, with several lanes per row.
// CASE @columns [i32] M=67 N=5: index=0 -> 67x5xT 67x5xT
// CASE @columns [i32] M=256 N=40: index=0 -> 256x40xT 256x40xT
tile.kernel @columns(%n: index) outs(%s: !V2, %r: !V2) params {M = 67 in [67, 256], N = 5 in [5, 40]} grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.iota [M] : tensor<?x!T>
  %1 = tile.expand_dims %0, 1 : tensor<?x!T> -> tensor<?x1x!T>
  %2 = tile.broadcast %1 [M, N] : tensor<?x1x!T> -> tensor<?x?x!T>
  %3 = tile.iota [N] : tensor<?x!T>
  %4 = tile.broadcast %3 [M, N] : tensor<?x!T> -> tensor<?x?x!T>
  %5 = arith.xori %2, %4 : tensor<?x?x!T>
  %6 = tile.scan add %5 axis 0 : tensor<?x?x!T>
  %7 = tile.scan add %5 axis 0 exclusive reverse : tensor<?x?x!T>
  tile.store %6, %s[%i, %i] : tensor<?x?x!T>, !V2
  tile.store %7, %r[%i, %i] : tensor<?x?x!T>, !V2
}
// Rows of several vectors and a rest, and columns.
// CASE @several: 3x77xT=random:1 -> 3x77xT 3x77xT 3x77xT 3x77xT
tile.kernel @several(%a: !V2) outs(%s: !V2, %r: !V2, %m: !V2, %c: !V2) grid [1] {
  %i = arith.constant 0 : index
  %0 = tile.load %a[%i, %i] [3, 77] : !V2 -> tensor<3x77x!T>
  %1 = tile.scan add %0 axis 1 exclusive : tensor<3x77x!T>
  %2 = tile.scan xor %0 axis 1 reverse : tensor<3x77x!T>
  %3 = tile.scan max %0 axis 1 exclusive reverse : tensor<3x77x!T>
  %4 = tile.scan add %0 axis 0 : tensor<3x77x!T>
  tile.store %1, %s[%i, %i] : tensor<3x77x!T>, !V2
  tile.store %2, %r[%i, %i] : tensor<3x77x!T>, !V2
  tile.store %3, %m[%i, %i] : tensor<3x77x!T>, !V2
  tile.store %4, %c[%i, %i] : tensor<3x77x!T>, !V2
}

// The tile of a branch, whose layout in memory differs from that of a computed tile.
// CASE @scan_of_branch: 2xT=-2,3 -> 32xT=-2,-4,-6,-8,-10,-12,-14,-16,-18,-20,-22,-24,-26,-28,-30,-32,15,29,42,54,65,75,84,92,99,105,110,114,117,119,120,120
tile.kernel @scan_of_branch(%p: !V) outs(%y: !V) grid [dim(%p, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : !T
  %t = tile.load %p[%m] [1] : !V -> tensor<1x!T>
  %e = tensor.extract %t[%c0] : tensor<1x!T>
  %q = arith.cmpi sgt, %e, %z : !T
  %r = scf.if %q -> (tensor<16x!T>) {
    %i = tile.iota [16] : tensor<16x!T>
    %m2 = tile.reduce max %i axis 0 : tensor<16x!T> -> tensor<!T>
    %x = tensor.extract %m2[] : tensor<!T>
    %xs = tile.splat %x [16] : !T -> tensor<16x!T>
    %a = arith.subi %xs, %i : tensor<16x!T>
    scf.yield %a : tensor<16x!T>
  } else {
    %s3 = tile.splat %e [16] : !T -> tensor<16x!T>
    scf.yield %s3 : tensor<16x!T>
  }
  %s = tile.scan add %r axis 0 : tensor<16x!T>
  tile.store %s, %y[%m] : tensor<16x!T>, !V
}
