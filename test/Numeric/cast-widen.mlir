// Widening of floats is exact.
// TYPES: f8E4M3FN:f16 f8E4M3FN:bf16 f8E4M3FN:f32 f8E4M3FN:f64 f8E5M2:f16 f8E5M2:bf16 f8E5M2:f32 f8E5M2:f64 f16:f32 f16:f64 bf16:f32 bf16:f64 f32:f64
!V = !tile.view<?x!T>
!W = !tile.view<?x!U>
!X = tensor<4x!T>
!Z = tensor<4x!U>

// CASE @extf: 6xT=1,-2,0.5,nan,0,-3.5 -> 6xU=1,-2,0.5,nan,0,-3.5
// CASE @extf [f16,bf16,f32]: 2xT=inf,-inf -> 2xU=inf,-inf
tile.kernel @extf(%a: !V) outs(%y: !W) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = arith.extf %0 : !X to !Z
  tile.store %1, %y[%i] : !Z, !W
}
// CASE @cast: 6xT=1,-2,0.5,nan,0,-3.5 -> 6xU=1,-2,0.5,nan,0,-3.5
tile.kernel @cast(%a: !V) outs(%y: !W) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.cast %0 : !X to !Z
  tile.store %1, %y[%i] : !Z, !W
}
