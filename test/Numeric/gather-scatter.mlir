// Gathers and scatters along either axis, with out-of-bounds indices and masks.
// TYPES: i1:i32 i8:i64 i16:i16 i32:i32 i64:i8 f16:i32 bf16:i32 f32:i64 f64:i32 f8E5M2:i32 f8E4M3FN:i64
!V = !tile.view<?x!T>
!V2 = !tile.view<?x?x!T>
!N = !tile.view<?x!U>
!M2 = !tile.view<?x?xi1>

// CASE @gather_1d: 4xT=1,0,1,1 6xU=3,1,0,-1,4,2 -> 6xT=1,0,1,0,0,1
tile.kernel @gather_1d(%a: !V, %n: !N) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %n[%i] [4] : !N -> tensor<4x!U>
  %1 = tile.gather %a[] at %0 axis 0 [4] : !V, tensor<4x!U> -> tensor<4x!T>
  tile.store %1, %y[%i] : tensor<4x!T>, !V
}
// CASE @gather_rows: 3x5xT=1,0,1,1,0,0,1,1,0,1,1,1,0,0,1 2xU=2,0 -> 2x5xT=1,1,0,0,1,1,0,1,1,0
tile.kernel @gather_rows(%a: !V2, %n: !N) outs(%y: !V2) grid [ceildiv(dim(%y, 1), 3)] {
  %j = tile.block_id 0
  %c0 = arith.constant 0 : index
  %0 = tile.load %n[%c0] [2] : !N -> tensor<2x!U>
  %1 = tile.gather %a[%j] at %0 axis 0 [2, 3] : !V2, tensor<2x!U> -> tensor<2x3x!T>
  tile.store %1, %y[%c0, %j] : tensor<2x3x!T>, !V2
}
// CASE @gather_columns: 3x5xT=1,0,1,1,0,0,1,1,0,1,1,1,0,0,1 2xU=4,1 -> 3x2xT=0,0,1,1,1,1
tile.kernel @gather_columns(%a: !V2, %n: !N) outs(%y: !V2) grid [ceildiv(dim(%y, 0), 2)] {
  %i = tile.block_id 0
  %c0 = arith.constant 0 : index
  %0 = tile.load %n[%c0] [2] : !N -> tensor<2x!U>
  %1 = tile.gather %a[%i] at %0 axis 1 [2, 2] : !V2, tensor<2x!U> -> tensor<2x2x!T>
  tile.store %1, %y[%i, %c0] : tensor<2x2x!T>, !V2
}
// Runs of eight consecutive columns: inside, interrupted, past the end and before the start.
// CASE @gather_runs: 5x10xT=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 32xU=2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,8,4,5,6,7,8,9,10,11,-2,-1,0,1,2,3,4,5 -> 5x32xT=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
tile.kernel @gather_runs(%a: !V2, %n: !N) outs(%y: !V2) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %c0 = arith.constant 0 : index
  %0 = tile.load %n[%c0] [32] : !N -> tensor<32x!U>
  %1 = tile.gather %a[%i] at %0 axis 1 [4, 32] : !V2, tensor<32x!U> -> tensor<4x32x!T>
  tile.store %1, %y[%i, %c0] : tensor<4x32x!T>, !V2
}
// CASE @gather_mask: 2x2xT=1,1,1,1 2xU=1,0 2x2xi1=1,0,0,1 -> 2x2xT=1,0,0,1
tile.kernel @gather_mask(%a: !V2, %n: !N, %m: !M2) outs(%y: !V2) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %n[%i] [2] : !N -> tensor<2x!U>
  %1 = tile.load %m[%i, %i] [2, 2] : !M2 -> tensor<2x2xi1>
  %2 = tile.gather %a[%i] at %0 axis 0 [2, 2] mask(%1 : tensor<2x2xi1>) : !V2, tensor<2x!U> -> tensor<2x2x!T>
  tile.store %2, %y[%i, %i] : tensor<2x2x!T>, !V2
}
// CASE @scatter_1d: 4xT=1,1,0,1 4xU=3,-1,0,5 -> 5xT=0,0,0,1,0|1,0,0,0,0
tile.kernel @scatter_1d(%a: !V, %n: !N) outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> tensor<4x!T>
  %1 = tile.load %n[%i] [4] : !N -> tensor<4x!U>
  tile.scatter %0, %y[] at %1 axis 0 : tensor<4x!T>, !V, tensor<4x!U>
}
// Whole vectors and a remainder, to entries before, in and behind the view.
// CASE @scatter_long: 43xT=1 43xi1=1,1,0,1,0,0,0,0,1,1,0,1,0,0,0,0,1,1,0,1,0,0,0,1,0,0,0,0,0,0,0,0,1,1,0,0,0,0,1,1,0,1,1 -> 100xT=0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,1,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,1,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,1,0,0,0,0,0|0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 100xT=0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0|0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
tile.kernel @scatter_long(%a: !V, %m: !tile.view<?xi1>) outs(%y: !V, %z: !V) params {BN = 43 in [43]} grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [43] : !V -> tensor<43x!T>
  %1 = tile.load %m[%i] [43] : !tile.view<?xi1> -> tensor<43xi1>
  %2 = tile.iota [43] : tensor<43xi32>
  %3 = arith.constant dense<3> : tensor<43xi32>
  %4 = arith.constant dense<5> : tensor<43xi32>
  %5 = arith.muli %2, %3 : tensor<43xi32>
  %6 = arith.subi %5, %4 : tensor<43xi32>
  tile.scatter %0, %y[] at %6 axis 0 mask(%1 : tensor<43xi1>) : tensor<43x!T>, !V, tensor<43xi32>
  tile.scatter %0, %z[] at %6 axis 0 : tensor<43x!T>, !V, tensor<43xi32>
}
// CASE @scatter_rows: 2x3xT=1,0,1,1,1,0 2xU=2,0 -> 3x3xT=1,1,0,0,0,0,1,0,1|0,0,0,0,0,0,0,0,0
tile.kernel @scatter_rows(%a: !V2, %n: !N) outs(%y: !V2) grid [2] {
  %j = tile.block_id 0
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0, %j] [2, 2] : !V2 -> tensor<2x2x!T>
  %1 = tile.load %n[%c0] [2] : !N -> tensor<2x!U>
  tile.scatter %0, %y[%j] at %1 axis 0 : tensor<2x2x!T>, !V2, tensor<2x!U>
}
// CASE @scatter_mask: 2x2xT=1,1,1,1 2xU=1,0 2x2xi1=1,0,0,1 -> 2x2xT=0,1,1,0|0,0,0,0
tile.kernel @scatter_mask(%a: !V2, %n: !N, %m: !M2) outs(%y: !V2) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [2, 2] : !V2 -> tensor<2x2x!T>
  %1 = tile.load %n[%i] [2] : !N -> tensor<2x!U>
  %2 = tile.load %m[%i, %i] [2, 2] : !M2 -> tensor<2x2xi1>
  tile.scatter %0, %y[%i] at %1 axis 1 mask(%2 : tensor<2x2xi1>) : tensor<2x2x!T>, !V2, tensor<2x!U>
}
