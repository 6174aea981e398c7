// Matrix products of floats: every transpose, batched, and accumulated over tiles along K.
// TYPES: f8E4M3FN:f32 f8E5M2:f32 f16:f32 bf16:f32 f32:f32 f32:f64 f64:f64
!V = !tile.view<?x?x!T>
!W = !tile.view<?x?x!U>
!V3 = !tile.view<?x?x?x!T>
!W3 = !tile.view<?x?x?x!U>

// CASE @plain K=3: 2x3xT=1,2,3,4,5,6 3x2xT=1,0,0,1,1,-1 2x2xU=1,2,3,4 -> 2x2xU=5,1,13,3
tile.kernel @plain(%a: !V, %b: !V, %c: !W) outs(%y: !W) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [2, 3] : !V -> tensor<2x3x!T>
  %1 = tile.load %b[%i, %i] [3, 2] : !V -> tensor<3x2x!T>
  %2 = tile.load %c[%i, %i] [2, 2] : !W -> tensor<2x2x!U>
  %3 = tile.dot %0, %1, %2 : tensor<2x3x!T>, tensor<3x2x!T>, tensor<2x2x!U> -> tensor<2x2x!U>
  tile.store %3, %y[%i, %i] : tensor<2x2x!U>, !W
}
// CASE @transpose_b K=3: 2x3xT=1,2,3,4,5,6 2x3xT=1,0,1,0,1,-1 2x2xU=1,2,3,4 -> 2x2xU=5,1,13,3
tile.kernel @transpose_b(%a: !V, %b: !V, %c: !W) outs(%y: !W) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [2, 3] : !V -> tensor<2x3x!T>
  %1 = tile.load %b[%i, %i] [2, 3] : !V -> tensor<2x3x!T>
  %2 = tile.load %c[%i, %i] [2, 2] : !W -> tensor<2x2x!U>
  %3 = tile.dot %0, %1, %2 transpose_b : tensor<2x3x!T>, tensor<2x3x!T>, tensor<2x2x!U> -> tensor<2x2x!U>
  tile.store %3, %y[%i, %i] : tensor<2x2x!U>, !W
}
// CASE @transpose_a K=3: 3x2xT=1,4,2,5,3,6 3x2xT=1,0,0,1,1,-1 2x2xU=1,2,3,4 -> 2x2xU=5,1,13,3
tile.kernel @transpose_a(%a: !V, %b: !V, %c: !W) outs(%y: !W) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [3, 2] : !V -> tensor<3x2x!T>
  %1 = tile.load %b[%i, %i] [3, 2] : !V -> tensor<3x2x!T>
  %2 = tile.load %c[%i, %i] [2, 2] : !W -> tensor<2x2x!U>
  %3 = tile.dot %0, %1, %2 transpose_a : tensor<3x2x!T>, tensor<3x2x!T>, tensor<2x2x!U> -> tensor<2x2x!U>
  tile.store %3, %y[%i, %i] : tensor<2x2x!U>, !W
}
// CASE @transpose_both K=3: 3x2xT=1,4,2,5,3,6 2x3xT=1,0,1,0,1,-1 2x2xU=1,2,3,4 -> 2x2xU=5,1,13,3
tile.kernel @transpose_both(%a: !V, %b: !V, %c: !W) outs(%y: !W) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [3, 2] : !V -> tensor<3x2x!T>
  %1 = tile.load %b[%i, %i] [2, 3] : !V -> tensor<2x3x!T>
  %2 = tile.load %c[%i, %i] [2, 2] : !W -> tensor<2x2x!U>
  %3 = tile.dot %0, %1, %2 transpose_a transpose_b : tensor<3x2x!T>, tensor<2x3x!T>, tensor<2x2x!U> -> tensor<2x2x!U>
  tile.store %3, %y[%i, %i] : tensor<2x2x!U>, !W
}
// CASE @batched K=2: 2x2x2xT=1,2,3,4,1,0,0,1 2x2x2xT=1,0,0,1,5,6,7,8 2x2x2xU=1,1,1,1,0,0,0,0 -> 2x2x2xU=2,3,4,5,5,6,7,8
tile.kernel @batched(%a: !V3, %b: !V3, %c: !W3) outs(%y: !W3) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i, %i] [2, 2, 2] : !V3 -> tensor<2x2x2x!T>
  %1 = tile.load %b[%i, %i, %i] [2, 2, 2] : !V3 -> tensor<2x2x2x!T>
  %2 = tile.load %c[%i, %i, %i] [2, 2, 2] : !W3 -> tensor<2x2x2x!U>
  %3 = tile.dot %0, %1, %2 : tensor<2x2x2x!T>, tensor<2x2x2x!T>, tensor<2x2x2x!U> -> tensor<2x2x2x!U>
  tile.store %3, %y[%i, %i, %i] : tensor<2x2x2x!U>, !W3
}
// CASE @batched_transpose_b K=2: 2x2x2xT=1,2,3,4,1,0,0,1 2x2x2xT=1,0,0,1,5,7,6,8 2x2x2xU=1,1,1,1,0,0,0,0 -> 2x2x2xU=2,3,4,5,5,6,7,8
tile.kernel @batched_transpose_b(%a: !V3, %b: !V3, %c: !W3) outs(%y: !W3) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i, %i] [2, 2, 2] : !V3 -> tensor<2x2x2x!T>
  %1 = tile.load %b[%i, %i, %i] [2, 2, 2] : !V3 -> tensor<2x2x2x!T>
  %2 = tile.load %c[%i, %i, %i] [2, 2, 2] : !W3 -> tensor<2x2x2x!U>
  %3 = tile.dot %0, %1, %2 transpose_b : tensor<2x2x2x!T>, tensor<2x2x2x!T>, tensor<2x2x2x!U> -> tensor<2x2x2x!U>
  tile.store %3, %y[%i, %i, %i] : tensor<2x2x2x!U>, !W3
}
// A product of any size, tile by tile. K is the largest of the following cases.
// CASE @tiled K=70: 5x70xT=random:1 9x70xT=random:2 -> 5x9xU
// CASE @tiled K=33: 33x33xT=random:3 33x33xT=random:4 -> 33x33xU
// CASE @tiled K=100: 1x100xT=random:5 70x100xT=random:6 -> 1x70xU
tile.kernel @tiled(%a: !V, %b: !V) outs(%y: !W) grid [ceildiv(dim(%y, 0), 16), ceildiv(dim(%y, 1), 32)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : !U
  %z = tile.splat %zero [16, 32] : !U -> tensor<16x32x!U>
  %steps = tile.num_tiles %a, 1 by [32] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%c = %z) -> (tensor<16x32x!U>) {
    %0 = tile.load %a[%m, %k] [16, 32] : !V -> tensor<16x32x!T>
    %1 = tile.load %b[%n, %k] [32, 32] : !V -> tensor<32x32x!T>
    %2 = tile.dot %0, %1, %c transpose_b : tensor<16x32x!T>, tensor<32x32x!T>, tensor<16x32x!U> -> tensor<16x32x!U>
    scf.yield %2 : tensor<16x32x!U>
  }
  tile.store %r, %y[%m, %n] : tensor<16x32x!U>, !W
}
// Rows times a matrix selected from a stack by an argument; a producer warp may load the operands if there is one.
// CASE @chosen K=192: 3xi32=2,0,1 40x192xT=random:7 3x48x192xT=random:8 -> 40x48xU
tile.kernel @chosen(%which: !tile.view<3xi32>, %a: !tile.view<?x192x!T>, %b: !tile.view<3x48x192x!T>) outs(%y: !W)
    grid [ceildiv(dim(%y, 0), 16), 3] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %it = tile.load %which[%m] [1] : !tile.view<3xi32> -> tensor<1xi32>
  %i = tensor.extract %it[%c0] : tensor<1xi32>
  %number = arith.index_cast %i : i32 to index
  %own = tile.select %b[%number] : !tile.view<3x48x192x!T> -> !tile.view<48x192x!T>
  %zero = arith.constant 0.0 : !U
  %z = tile.splat %zero [16, 16] : !U -> tensor<16x16x!U>
  %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%c = %z) -> (tensor<16x16x!U>) {
    %0 = tile.load %a[%m, %k] [16, 64] : !tile.view<?x192x!T> -> tensor<16x64x!T>
    %1 = tile.load %own[%n, %k] [16, 64] : !tile.view<48x192x!T> -> tensor<16x64x!T>
    %2 = tile.dot %0, %1, %c transpose_b : tensor<16x64x!T>, tensor<16x64x!T>, tensor<16x16x!U> -> tensor<16x16x!U>
    scf.yield %2 : tensor<16x16x!U>
  }
  tile.store %r, %y[%m, %n] : tensor<16x16x!U>, !W
}
