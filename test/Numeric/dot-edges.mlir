// Products of partial tiles: elements outside the views are skipped if that cannot be observed, and multiplied if it can.
// TYPES: f16:f32 bf16:f32 f32:f32
!V = !tile.view<?x?x!T>
!W = !tile.view<?x?x!U>
!R = !tile.view<?x!U>

// CASE @rows K=37: 45x37xT=random:1 41x37xT=random:2 -> 45x41xU
// CASE @rows K=1: 1x1xT=3 1x1xT=2 -> 1x1xU=6
// CASE @rows K=16: 33x16xT=random:3 64x16xT=random:4 -> 33x64xU
// Stores more rows than x has: they are products of zeros.
// CASE @rows K=5: 3x5xT=random:5 4x5xT=random:6 -> 37x4xU
// CASE @rows K=1: 1x1xT=2 2x1xT=inf,1 -> 3x2xU=inf,2,nan,0,nan,0
tile.kernel @rows(%x: !V, %w: !V) outs(%y: !W) grid [ceildiv(dim(%y, 0), 32), ceildiv(dim(%y, 1), 32)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = arith.constant dense<0.0> : tensor<32x32x!U>
  %steps = tile.num_tiles %x, 1 by [16] : !V
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<32x32x!U>) {
    %xt = tile.load %x[%m, %k] [32, 16] : !V -> tensor<32x16x!T>
    %wt = tile.load %w[%n, %k] [32, 16] : !V -> tensor<32x16x!T>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<32x16x!T>, tensor<32x16x!T>, tensor<32x32x!U> -> tensor<32x32x!U>
    scf.yield %next : tensor<32x32x!U>
  }
  tile.store %sum, %y[%m, %n] : tensor<32x32x!U>, !W
}
// Iterations of 24 elements, merged to whole instructions; the last one of an odd number ends with zeros.
// CASE @merged K=100: 45x100xT=random:11 100x41xT=random:12 -> 45x41xU
// CASE @merged K=144: 33x144xT=random:13 144x64xT=random:14 -> 33x64xU
// The right operand continues past the last iteration.
// CASE @merged K=60: 33x60xT=random:15 200x64xT=random:16 -> 33x64xU
tile.kernel @merged(%x: !V, %w: !V) outs(%y: !W) grid [ceildiv(dim(%y, 0), 32), ceildiv(dim(%y, 1), 32)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = arith.constant dense<0.0> : tensor<32x32x!U>
  %steps = tile.num_tiles %x, 1 by [24] : !V
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<32x32x!U>) {
    %xt = tile.load %x[%m, %k] [32, 24] : !V -> tensor<32x24x!T>
    %wt = tile.load %w[%k, %n] [24, 32] : !V -> tensor<24x32x!T>
    %next = tile.dot %xt, %wt, %acc : tensor<32x24x!T>, tensor<24x32x!T>, tensor<32x32x!U> -> tensor<32x32x!U>
    scf.yield %next : tensor<32x32x!U>
  }
  tile.store %sum, %y[%m, %n] : tensor<32x32x!U>, !W
}
// x·w, with an elementwise function between the product and the store.
// CASE @columns K=21: 35x21xT=random:7 21x50xT=random:8 -> 35x50xU
tile.kernel @columns(%x: !V, %w: !V) outs(%y: !W) grid [ceildiv(dim(%y, 0), 32), ceildiv(dim(%y, 1), 32)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = arith.constant dense<1.0> : tensor<32x32x!U>
  %steps = tile.num_tiles %x, 1 by [16] : !V
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<32x32x!U>) {
    %xt = tile.load %x[%m, %k] [32, 16] : !V -> tensor<32x16x!T>
    %wt = tile.load %w[%k, %n] [16, 32] : !V -> tensor<16x32x!T>
    %next = tile.dot %xt, %wt, %acc : tensor<32x16x!T>, tensor<16x32x!T>, tensor<32x32x!U> -> tensor<32x32x!U>
    scf.yield %next : tensor<32x32x!U>
  }
  %twice = arith.addf %sum, %sum : tensor<32x32x!U>
  tile.store %twice, %y[%m, %n] : tensor<32x32x!U>, !W
}
// The sum over a column includes the rows beyond the end: zero times infinity.
// CASE @summed K=1: 2x1xT=1,2 2x1xT=inf,3 -> 2xU=nan,9
tile.kernel @summed(%x: !V, %w: !V) outs(%y: !R) grid [1] {
  %m = tile.block_id 0
  %init = arith.constant dense<0.0> : tensor<32x32x!U>
  %xt = tile.load %x[%m, %m] [32, 16] : !V -> tensor<32x16x!T>
  %wt = tile.load %w[%m, %m] [32, 16] : !V -> tensor<32x16x!T>
  %p = tile.dot %xt, %wt, %init transpose_b : tensor<32x16x!T>, tensor<32x16x!T>, tensor<32x32x!U> -> tensor<32x32x!U>
  %s = tile.reduce add %p axis 0 : tensor<32x32x!U> -> tensor<32x!U>
  tile.store %s, %y[%m] : tensor<32x!U>, !R
}
// One operand is padded with infinities, which meet the zeros of the other.
// CASE @infinite K=1: 1x1xT=1 1x1xT=1 -> 1x1xU=nan
tile.kernel @infinite(%x: !V, %w: !V) outs(%y: !W) grid [1] {
  %m = tile.block_id 0
  %init = arith.constant dense<0.0> : tensor<32x32x!U>
  %xt = tile.load %x[%m, %m] [32, 16] : !V -> tensor<32x16x!T>
  %wt = tile.load %w[%m, %m] [32, 16] pad(pos_inf) : !V -> tensor<32x16x!T>
  %p = tile.dot %xt, %wt, %init transpose_b : tensor<32x16x!T>, tensor<32x16x!T>, tensor<32x32x!U> -> tensor<32x32x!U>
  tile.store %p, %y[%m, %m] : tensor<32x32x!U>, !W
}
// A product is added to another one, and both are stored.
// CASE @chained K=5: 20x5xT=random:9 7x5xT=random:10 -> 20x7xU 20x7xU
tile.kernel @chained(%x: !V, %w: !V) outs(%y: !W, %z: !W) grid [1] {
  %m = tile.block_id 0
  %init = arith.constant dense<0.0> : tensor<32x32x!U>
  %xt = tile.load %x[%m, %m] [32, 16] : !V -> tensor<32x16x!T>
  %wt = tile.load %w[%m, %m] [32, 16] : !V -> tensor<32x16x!T>
  %p = tile.dot %xt, %wt, %init transpose_b : tensor<32x16x!T>, tensor<32x16x!T>, tensor<32x32x!U> -> tensor<32x32x!U>
  %q = tile.dot %xt, %wt, %p transpose_b : tensor<32x16x!T>, tensor<32x16x!T>, tensor<32x32x!U> -> tensor<32x32x!U>
  tile.store %p, %y[%m, %m] : tensor<32x32x!U>, !W
  tile.store %q, %z[%m, %m] : tensor<32x32x!U>, !W
}
// A product is added to a loaded tile.
// CASE @loaded K=5: 20x5xT=random:11 7x5xT=random:12 20x7xU=random:13 -> 20x7xU
tile.kernel @loaded(%x: !V, %w: !V, %a: !W) outs(%y: !W) grid [1] {
  %m = tile.block_id 0
  %xt = tile.load %x[%m, %m] [32, 16] : !V -> tensor<32x16x!T>
  %wt = tile.load %w[%m, %m] [32, 16] : !V -> tensor<32x16x!T>
  %init = tile.load %a[%m, %m] [32, 32] : !W -> tensor<32x32x!U>
  %p = tile.dot %xt, %wt, %init transpose_b : tensor<32x16x!T>, tensor<32x16x!T>, tensor<32x32x!U> -> tensor<32x32x!U>
  tile.store %p, %y[%m, %m] : tensor<32x32x!U>, !W
}
