// Elementwise float arithmetic of the arith dialect, with a partial tile: six elements in tiles of four.
// TYPES: f8E5M2 f16 bf16 f32 f64
!V = !tile.view<?x!T>
!B = !tile.view<?xi1>
!X = tensor<4x!T>
!M = tensor<4xi1>

// CASE @addf: 6xT=1,2,-3,0.5,4,-0.5 6xT=0.5,-2,-1,2,3,4 -> 6xT=1.5,0,-4,2.5,7,3.5
// CASE @addf: 1001xT=random:1 1001xT=random:2 -> 1001xT
tile.kernel @addf(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.addf %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @subf: 6xT=1,2,-3,0.5,4,-0.5 6xT=0.5,-2,-1,2,3,2 -> 6xT=0.5,4,-2,-1.5,1,-2.5
// CASE @subf: 1001xT=random:1 1001xT=random:2 -> 1001xT
tile.kernel @subf(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.subf %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @mulf: 6xT=1,2,-3,0.5,4,-0.5 6xT=0.5,-2,-1,2,0.25,4 -> 6xT=0.5,-4,3,1,1,-2
// CASE @mulf: 1001xT=random:1 1001xT=random:2 -> 1001xT
tile.kernel @mulf(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.mulf %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @divf: 6xT=1,2,-3,0.5,4,-1 6xT=0.5,-2,-1,2,0.25,4 -> 6xT=2,-1,3,0.25,16,-0.25
// CASE @divf [f16,bf16,f32,f64]: 3xT=1,-1,0 3xT=0,0,0 -> 3xT=inf,-inf,nan
// CASE @divf: 1001xT=random:1 1001xT=random:2 -> 1001xT
tile.kernel @divf(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.divf %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// By one divisor, of which a GPU computes the reciprocal once.
// CASE @divf_by_one [f32]: 8xT=1,-2,0,inf,-inf,nan,3e38,1e-45 1xT=-4 -> 8xT=-0.25,0.5,-0.0,-inf,inf,nan,-7.5e37,-0.0
// CASE @divf_by_one [f32]: 8xT=1,-2,0,inf,-inf,nan,3e38,1e-45 1xT=1e-45 -> 8xT=inf,-inf,0,inf,-inf,nan,inf,1
// CASE @divf_by_one [f32]: 8xT=1,-2,0,inf,-inf,nan,3e38,1e-45 1xT=0 -> 8xT=inf,-inf,nan,inf,-inf,nan,inf,inf
// CASE @divf_by_one [f32]: 8xT=1,-2,0,inf,-inf,nan,3e38,1e-45 1xT=inf -> 8xT=0,-0.0,0,nan,nan,nan,0,0
// CASE @divf_by_one [f32]: 8xT=1,-2,0,inf,-inf,nan,3e38,1e-45 1xT=3e38 -> 8xT=3.3333333e-39,-6.6666667e-39,0,inf,-inf,nan,1,0
// CASE @divf_by_one: 4100xT=random:1 1xT=random:2 -> 4100xT
tile.kernel @divf_by_one(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4096)] {
  %i = tile.block_id 0
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%i] [4096] : !V -> tensor<4096x!T>
  %1 = tile.load %b[%c0] [1] : !V -> tensor<1x!T>
  %2 = tile.broadcast %1 [4096] : tensor<1x!T> -> tensor<4096x!T>
  %3 = arith.divf %0, %2 : tensor<4096x!T>
  tile.store %3, %y[%i] : tensor<4096x!T>, !V
}
// CASE @remf: 6xT=5,-5,5,1.5,7,0.5 6xT=3,3,-3,1,1.75,4 -> 6xT=2,-2,2,0.5,0,0.5
tile.kernel @remf(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.remf %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @maximumf: 6xT=1,nan,3,-4,nan,0 6xT=2,1,nan,-5,nan,-0.0 -> 6xT=2,nan,nan,-4,nan,0
// CASE @maximumf: 1001xT=random:1 1001xT=random:2 -> 1001xT
tile.kernel @maximumf(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.maximumf %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @minimumf: 6xT=1,nan,3,-4,nan,0 6xT=2,1,nan,-5,nan,-0.0 -> 6xT=1,nan,nan,-5,nan,-0.0
tile.kernel @minimumf(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.minimumf %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @maxnumf: 6xT=1,nan,3,-4,nan,0.5 6xT=2,1,nan,-5,nan,-0.5 -> 6xT=2,1,3,-4,nan,0.5
tile.kernel @maxnumf(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.maxnumf %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @minnumf: 6xT=1,nan,3,-4,nan,0.5 6xT=2,1,nan,-5,nan,-0.5 -> 6xT=1,1,3,-5,nan,-0.5
// CASE @minnumf: 1001xT=random:1 1001xT=random:2 -> 1001xT
tile.kernel @minnumf(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.minnumf %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// The sign of a zero is that of its reciprocal: 0 is greater than -0.0.
// CASE @maxnumf_of_zeros: 4xT=0,-0.0,0,-0.0 4xT=-0.0,0,0,-0.0 -> 4xT=inf,inf,inf,-inf
tile.kernel @maxnumf_of_zeros(%a: !V, %b: !V) outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.maxnumf %0, %1 : !X
  %one = arith.constant dense<1.0> : !X
  %3 = arith.divf %one, %2 : !X
  tile.store %3, %y[%i] : !X, !V
}
// CASE @minnumf_of_zeros: 4xT=0,-0.0,0,-0.0 4xT=-0.0,0,0,-0.0 -> 4xT=-inf,-inf,inf,-inf
tile.kernel @minnumf_of_zeros(%a: !V, %b: !V) outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.minnumf %0, %1 : !X
  %one = arith.constant dense<1.0> : !X
  %3 = arith.divf %one, %2 : !X
  tile.store %3, %y[%i] : !X, !V
}
// CASE @maximumf_of_zeros: 4xT=0,-0.0,0,-0.0 4xT=-0.0,0,0,-0.0 -> 4xT=inf,inf,inf,-inf
tile.kernel @maximumf_of_zeros(%a: !V, %b: !V) outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.maximumf %0, %1 : !X
  %one = arith.constant dense<1.0> : !X
  %3 = arith.divf %one, %2 : !X
  tile.store %3, %y[%i] : !X, !V
}
// CASE @minimumf_of_zeros: 4xT=0,-0.0,0,-0.0 4xT=-0.0,0,0,-0.0 -> 4xT=-inf,-inf,inf,-inf
tile.kernel @minimumf_of_zeros(%a: !V, %b: !V) outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.minimumf %0, %1 : !X
  %one = arith.constant dense<1.0> : !X
  %3 = arith.divf %one, %2 : !X
  tile.store %3, %y[%i] : !X, !V
}
// CASE @negf: 5xT=1,-2,0.5,0,nan -> 5xT=-1,2,-0.5,-0.0,nan
tile.kernel @negf(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = arith.negf %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @constants: -> 4xT=0.5,-2,1,4
tile.kernel @constants() outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %d = arith.constant dense<[0.5, -2.0, 1.0, 4.0]> : !X
  tile.store %d, %y[%i] : !X, !V
}
// Scalars work like tiles.
// CASE @scalars: T=3 -> 4xT=3.5,3.5,3.5,3.5
tile.kernel @scalars(%s: !T) outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %h = arith.constant 0.5 : !T
  %p = arith.addf %s, %h : !T
  %m = arith.maximumf %p, %h : !T
  %t = tile.splat %m [4] : !T -> !X
  tile.store %t, %y[%i] : !X, !V
}
