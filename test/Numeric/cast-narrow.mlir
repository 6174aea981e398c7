// Narrowing of floats rounds to nearest, ties to even; values that are too large become infinity, or NaN in f8E4M3FN.
// F8Cases.cpp covers every f8 value and every way to round to one.
// TYPES: f16:f8E4M3FN bf16:f8E4M3FN f32:f8E4M3FN f64:f8E4M3FN f16:f8E5M2 bf16:f8E5M2 f32:f8E5M2 f64:f8E5M2 f32:f16 f64:f16 f32:bf16 f64:bf16 f64:f32
!V = !tile.view<?x!T>
!W = !tile.view<?x!U>
!X = tensor<4x!T>
!Z = tensor<4x!U>

// CASE @truncf: 6xT=1,-2,0.5,nan,0,-3.5 -> 6xU=1,-2,0.5,nan,0,-3.5
// CASE @truncf [f32:bf16,f64:bf16]: 5xT=1.00390625,1.01171875,-1.00390625,3.4e38,1e-39 -> 5xU=1,1.015625,-1,3.4e38,1e-39
// CASE @truncf [f32:f16,f64:f16]: 6xT=1.00048828125,1.00146484375,65519,65520,5.9604644775390625e-08,2.98e-08 -> 6xU=1,1.001953125,65504,inf,5.9604644775390625e-08,0
// CASE @truncf [f64:f32]: 3xT=1.00000005960464477,1e300,1e-300 -> 3xU=1,inf,0
// CASE @truncf [f16:f8E4M3FN,bf16:f8E4M3FN,f32:f8E4M3FN,f64:f8E4M3FN]: 4xT=448,480,-480,0.001953125 -> 4xU=448,nan,nan,0.001953125
// CASE @truncf [f16:f8E5M2,bf16:f8E5M2,f32:f8E5M2,f64:f8E5M2]: 4xT=57344,61440,-65000,1.52587890625e-05 -> 4xU=57344,inf,-inf,1.52587890625e-05
tile.kernel @truncf(%a: !V) outs(%y: !W) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = arith.truncf %0 : !X to !Z
  tile.store %1, %y[%i] : !Z, !W
}
// One column, in a block that may not be the only one: one element per row of the tile is written.
// CASE @one_column: 3x1xT=1,-2,0.5 -> 3x1xU=1,-2,0.5
tile.kernel @one_column(%a: !tile.view<?x?x!T>) outs(%y: !tile.view<?x?x!U>) grid [ceildiv(dim(%y, 0), 2), ceildiv(dim(%y, 1), 32)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %0 = tile.load %a[%i, %j] [2, 32] : !tile.view<?x?x!T> -> tensor<2x32x!T>
  %1 = arith.truncf %0 : tensor<2x32x!T> to tensor<2x32x!U>
  tile.store %1, %y[%i, %j] : tensor<2x32x!U>, !tile.view<?x?x!U>
}
// CASE @cast: 6xT=1,-2,0.5,nan,0,-3.5 -> 6xU=1,-2,0.5,nan,0,-3.5
// CASE @cast [f32:bf16,f64:bf16]: 5xT=1.00390625,1.01171875,-1.00390625,3.4e38,1e-39 -> 5xU=1,1.015625,-1,3.4e38,1e-39
// CASE @cast [f32:f16,f64:f16]: 6xT=1.00048828125,1.00146484375,65519,65520,5.9604644775390625e-08,2.98e-08 -> 6xU=1,1.001953125,65504,inf,5.9604644775390625e-08,0
// CASE @cast [f64:f32]: 3xT=1.00000005960464477,1e300,1e-300 -> 3xU=1,inf,0
// CASE @cast [f16:f8E4M3FN,bf16:f8E4M3FN,f32:f8E4M3FN,f64:f8E4M3FN]: 4xT=448,480,-480,0.001953125 -> 4xU=448,nan,nan,0.001953125
// CASE @cast [f16:f8E5M2,bf16:f8E5M2,f32:f8E5M2,f64:f8E5M2]: 4xT=57344,61440,-65000,1.52587890625e-05 -> 4xU=57344,inf,-inf,1.52587890625e-05
tile.kernel @cast(%a: !V) outs(%y: !W) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.cast %0 : !X to !Z
  tile.store %1, %y[%i] : !Z, !W
}
