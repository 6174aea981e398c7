// Functions of 16-bit floats, compared bit by bit.
// TYPES: f16 bf16
!V = !tile.view<?x!T>
!X = tensor<4x!T>

// A single rounding: a sum rounded to f32 first would be a tie. Compares the bits of the results.
// CASE @fma_rounds_once [f16]: 1xT=0.56640625 1xT=0.8828125 1xT=1024 -> 1xi16=0x6401
// CASE @fma_rounds_once [bf16]: 3xT=7,7,inf 3xT=0.14453125,0.14453125,1 3xT=-9.313225746154785e-10,9.313225746154785e-10,1 -> 3xi16=0x3F81,0x3F82,0x7F80
tile.kernel @fma_rounds_once(%a: !V, %b: !V, %c: !V) outs(%y: !tile.view<?xi16>) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = tile.load %c[%i] [4] : !V -> !X
  %3 = math.fma %0, %1, %2 : !X
  %4 = arith.bitcast %3 : !X to tensor<4xi16>
  tile.store %4, %y[%i] : tensor<4xi16>, !tile.view<?xi16>
}
