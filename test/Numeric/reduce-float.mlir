// Named reductions of floats along either axis, with and without keeping the axis, and the handling of NaN.
// TYPES: f16 bf16 f32 f64
!V = !tile.view<?x!T>
!V2 = !tile.view<?x?x!T>
!I = !tile.view<?xi32>

// CASE @rows K=4: 2x4xT=1,2,3,-4,0.5,2,2,4 -> 2xT=2,8.5 2xT=-24,8 2x1xT=3,4 2xT=-4,0.5
tile.kernel @rows(%a: !V2) outs(%s: !V, %p: !V, %m: !V2, %n: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [2, 4] : !V2 -> tensor<2x4x!T>
  %1 = tile.reduce add %0 axis 1 : tensor<2x4x!T> -> tensor<2x!T>
  %2 = tile.reduce mul %0 axis 1 : tensor<2x4x!T> -> tensor<2x!T>
  %3 = tile.reduce max %0 axis 1 keepdims : tensor<2x4x!T> -> tensor<2x1x!T>
  %4 = tile.reduce min %0 axis 1 : tensor<2x4x!T> -> tensor<2x!T>
  tile.store %1, %s[%i] : tensor<2x!T>, !V
  tile.store %2, %p[%i] : tensor<2x!T>, !V
  tile.store %3, %m[%i, %i] : tensor<2x1x!T>, !V2
  tile.store %4, %n[%i] : tensor<2x!T>, !V
}
// CASE @columns K=3: 3x2xT=1,2,3,-4,0.5,2 -> 2xT=4.5,0 1x2xT=1.5,-16 2xT=3,2 2xT=0.5,-4
tile.kernel @columns(%a: !V2) outs(%s: !V, %p: !V2, %m: !V, %n: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [3, 2] : !V2 -> tensor<3x2x!T>
  %1 = tile.reduce add %0 axis 0 : tensor<3x2x!T> -> tensor<2x!T>
  %2 = tile.reduce mul %0 axis 0 keepdims : tensor<3x2x!T> -> tensor<1x2x!T>
  %3 = tile.reduce max %0 axis 0 : tensor<3x2x!T> -> tensor<2x!T>
  %4 = tile.reduce min %0 axis 0 : tensor<3x2x!T> -> tensor<2x!T>
  tile.store %1, %s[%i] : tensor<2x!T>, !V
  tile.store %2, %p[%i, %i] : tensor<1x2x!T>, !V2
  tile.store %3, %m[%i] : tensor<2x!T>, !V
  tile.store %4, %n[%i] : tensor<2x!T>, !V
}
// Of equal elements the first one wins.
// CASE @arg: 2x4xT=1,3,3,-4,2,2,-8,-8 -> 2xi32=1,0 2xi32=3,2
// CASE @arg: 2x4xT=-0,0,-1,-1,0,-0,1,1 -> 2xi32=0,2 2xi32=2,0
tile.kernel @arg(%a: !V2) outs(%m: !I, %n: !I) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [2, 4] : !V2 -> tensor<2x4x!T>
  %1 = tile.reduce argmax %0 axis 1 : tensor<2x4x!T> -> tensor<2xi32>
  %2 = tile.reduce argmin %0 axis 1 : tensor<2x4x!T> -> tensor<2xi32>
  tile.store %1, %m[%i] : tensor<2xi32>, !I
  tile.store %2, %n[%i] : tensor<2xi32>, !I
}
// CASE @nan_propagate: 3x3xT=1,nan,2,nan,3,nan,nan,nan,nan -> 3xT=nan,nan,nan 3xT=nan,nan,nan 3xi32=1,0,0 3xi32=1,0,0
tile.kernel @nan_propagate(%a: !V2) outs(%m: !V, %n: !V, %am: !I, %an: !I) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [3, 3] : !V2 -> tensor<3x3x!T>
  %1 = tile.reduce max %0 axis 1 : tensor<3x3x!T> -> tensor<3x!T>
  %2 = tile.reduce min %0 axis 1 : tensor<3x3x!T> -> tensor<3x!T>
  %3 = tile.reduce argmax %0 axis 1 : tensor<3x3x!T> -> tensor<3xi32>
  %4 = tile.reduce argmin %0 axis 1 : tensor<3x3x!T> -> tensor<3xi32>
  tile.store %1, %m[%i] : tensor<3x!T>, !V
  tile.store %2, %n[%i] : tensor<3x!T>, !V
  tile.store %3, %am[%i] : tensor<3xi32>, !I
  tile.store %4, %an[%i] : tensor<3xi32>, !I
}
// Of rows longer than vectors: which zero is the extreme, shown by its reciprocal, and NaN in the padding.
// CASE @long_rows: 2x70xT=-0 -> 2xT=inf,inf 2xT=-inf,-inf 2xT=-inf,-inf 2xT=nan,nan
// CASE @long_rows: 3x70xT=0 -> 3xT=inf,inf,inf 3xT=inf,inf,inf 3xT=inf,inf,inf 3xT=nan,nan,nan
// CASE @long_rows: 2x70xT=nan -> 2xT=nan,nan 2xT=nan,nan 2xT=nan,nan 2xT=nan,nan
// CASE @long_rows: 2x70xT=-inf -> 2xT=inf,inf 2xT=-0,-0 2xT=-inf,-inf 2xT=nan,nan
// CASE @long_rows: 5x139xT=random:1 -> 5xT 5xT 5xT 5xT
tile.kernel @long_rows(%a: !V2) outs(%m: !V, %n: !V, %mn: !V, %nan: !V) params {C = 144 in [144]} grid [ceildiv(dim(%a, 0), 2)] {
  %i = tile.block_id 0
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%i, %c0] [2, 144] : !V2 -> tensor<2x144x!T>
  %1 = tile.load %a[%i, %c0] [2, 144] pad(neg_zero) : !V2 -> tensor<2x144x!T>
  %2 = tile.load %a[%i, %c0] [2, 144] pad(nan) : !V2 -> tensor<2x144x!T>
  %one = arith.constant dense<1.0> : tensor<2x!T>
  %3 = tile.reduce max %0 axis 1 : tensor<2x144x!T> -> tensor<2x!T>
  %4 = tile.reduce min %0 axis 1 : tensor<2x144x!T> -> tensor<2x!T>
  %5 = tile.reduce max %1 axis 1 : tensor<2x144x!T> -> tensor<2x!T>
  %6 = tile.reduce max %2 axis 1 : tensor<2x144x!T> -> tensor<2x!T>
  %7 = arith.divf %one, %3 : tensor<2x!T>
  %8 = arith.divf %one, %4 : tensor<2x!T>
  %9 = arith.divf %one, %5 : tensor<2x!T>
  tile.store %7, %m[%i] : tensor<2x!T>, !V
  tile.store %8, %n[%i] : tensor<2x!T>, !V
  tile.store %9, %mn[%i] : tensor<2x!T>, !V
  tile.store %6, %nan[%i] : tensor<2x!T>, !V
}
// CASE @nan_ignore: 3x3xT=1,nan,2,nan,3,nan,nan,nan,nan -> 3xT=2,3,nan 3xT=1,3,nan 3xi32=2,1,0 3xi32=0,1,0
tile.kernel @nan_ignore(%a: !V2) outs(%m: !V, %n: !V, %am: !I, %an: !I) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [3, 3] : !V2 -> tensor<3x3x!T>
  %1 = tile.reduce max %0 axis 1 nan(ignore) : tensor<3x3x!T> -> tensor<3x!T>
  %2 = tile.reduce min %0 axis 1 nan(ignore) : tensor<3x3x!T> -> tensor<3x!T>
  %3 = tile.reduce argmax %0 axis 1 nan(ignore) : tensor<3x3x!T> -> tensor<3xi32>
  %4 = tile.reduce argmin %0 axis 1 nan(ignore) : tensor<3x3x!T> -> tensor<3xi32>
  tile.store %1, %m[%i] : tensor<3x!T>, !V
  tile.store %2, %n[%i] : tensor<3x!T>, !V
  tile.store %3, %am[%i] : tensor<3xi32>, !I
  tile.store %4, %an[%i] : tensor<3xi32>, !I
}
// Sum and product together, in one region with two accumulators.
// CASE @region K=4: 2x4xT=1,2,3,-4,0.5,2,2,4 -> 2xT=2,8.5 2xT=-24,8
tile.kernel @region(%a: !V2) outs(%s: !V, %p: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [2, 4] : !V2 -> tensor<2x4x!T>
  %1, %2 = tile.reduce %0, %0 axis 1 identities [0.0 : !T, 1.0 : !T] {
  ^bb0(%sum: !T, %product: !T, %u: !T, %v: !T):
    %3 = arith.addf %sum, %u : !T
    %4 = arith.mulf %product, %v : !T
    tile.yield %3, %4 : !T, !T
  } : tensor<2x4x!T>, tensor<2x4x!T> -> (tensor<2x!T>, tensor<2x!T>)
  tile.store %1, %s[%i] : tensor<2x!T>, !V
  tile.store %2, %p[%i] : tensor<2x!T>, !V
}
// The minimum of constants, which depends on no operand but for its shape.
// CASE @constants K=2: 3x2xT=1,2,3,-4,0.5,7 -> 2xT=1,1
tile.kernel @constants(%a: !V2) outs(%m: !V) grid [1] {
  %i = tile.block_id 0
  %n = tile.dim %a, 0 : !V2
  %c = arith.index_cast %n : index to i32
  %cs = tile.splat %c [3, 2] : i32 -> tensor<3x2xi32>
  %r = tile.iota [3] : tensor<3xi32>
  %rc = tile.expand_dims %r, 1 : tensor<3xi32> -> tensor<3x1xi32>
  %rs = tile.broadcast %rc [3, 2] : tensor<3x1xi32> -> tensor<3x2xi32>
  %in = arith.cmpi slt, %rs, %cs : tensor<3x2xi32>
  %one = arith.constant dense<1.0> : tensor<3x2x!T>
  %two = arith.constant dense<2.0> : tensor<3x2x!T>
  %v = arith.select %in, %one, %two : tensor<3x2xi1>, tensor<3x2x!T>
  %2 = tile.reduce min %v axis 0 : tensor<3x2x!T> -> tensor<2x!T>
  tile.store %2, %m[%i] : tensor<2x!T>, !V
}
