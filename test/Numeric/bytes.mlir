// Conversion of numbers to bytes and back, bit by bit.
// TYPES: i16:f16 i16:bf16 i32:f32 i64:f64
!V = !tile.view<?x!U>
!B = !tile.view<?xi8>

// CASE @unpack [i16:f16]: 4xU=1,-2,nan,-0.0 -> 8xi8=0,60,0,-64,0,126,0,-128
// CASE @unpack [i16:bf16]: 4xU=1,-2,inf,-0.0 -> 8xi8=0x80,0x3F,0,0xC0,0x80,0x7F,0,0x80
// CASE @unpack [i32:f32]: 4xU=1,-2,1e-45,-inf -> 16xi8=0,0,0x80,0x3F,0,0,0,0xC0,1,0,0,0,0,0,0x80,0xFF
// CASE @unpack [i64:f64]: 4xU=1,-2,5e-324,-inf -> 32xi8=0,0,0,0,0,0,0xF0,0x3F,0,0,0,0,0,0,0,0xC0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0xF0,0xFF
tile.kernel @unpack(%a: !V) outs(%y: !B) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> tensor<4x!U>
  %1 = tile.bytes %0 : tensor<4x!U> -> tensor<?xi8>
  tile.store %1, %y[%i] : tensor<?xi8>, !B
}
// Integers to bytes, and back as floats; NaN keeps its bits.
// CASE @there_and_back: 1000xT=random:1:0:30000 -> 1000xT
// CASE @there_and_back [i16:f16]: 6xT=0x7D00,0xFD01,0x7C01,0x7E00,0x7FFF,-1 -> 6xT=0x7D00,0xFD01,0x7C01,0x7E00,0x7FFF,-1
// CASE @there_and_back [i16:bf16]: 5xT=0x7F81,0xFF81,0x7FC0,0x7FFF,-1 -> 5xT=0x7F81,0xFF81,0x7FC0,0x7FFF,-1
// CASE @there_and_back [i32:f32]: 4xT=0x7F800001,0xFFA00000,0x7FC00000,-1 -> 4xT=0x7F800001,0xFFA00000,0x7FC00000,-1
// CASE @there_and_back [i64:f64]: 3xT=0x7FF0000000000001,0x7FF8000000000000,-1 -> 3xT=0x7FF0000000000001,0x7FF8000000000000,-1
tile.kernel @there_and_back(%a: !tile.view<?x!T>) outs(%y: !tile.view<?x!T>) grid [ceildiv(dim(%y, 0), 256)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [256] : !tile.view<?x!T> -> tensor<256x!T>
  %1 = tile.bytes %0 : tensor<256x!T> -> tensor<?xi8>
  %2 = tile.bytes %1 : tensor<?xi8> -> tensor<256x!U>
  %3 = arith.bitcast %2 : tensor<256x!U> to tensor<256x!T>
  tile.store %3, %y[%i] : tensor<256x!T>, !tile.view<?x!T>
}
