// The bits of one type read as another.
// TYPES: i16:f16 i16:bf16 i8:f8E4M3FN i8:f8E5M2 i32:f32 i64:f64
!V = !tile.view<?x!T>
!W = !tile.view<?x!U>
!X = tensor<4x!T>
!Z = tensor<4x!U>

// CASE @to_bits [i8:f8E4M3FN]: 2xU=1,-2 -> 2xT=0x38,0xC0
// CASE @to_bits [i8:f8E5M2]: 2xU=1,-2 -> 2xT=0x3C,0xC0
// CASE @to_bits [i16:f16]: 2xU=1,-2 -> 2xT=0x3C00,0xC000
// CASE @to_bits [i16:bf16]: 2xU=1,-2 -> 2xT=0x3F80,0xC000
// CASE @to_bits [i32:f32]: 2xU=1,-2 -> 2xT=0x3F800000,0xC0000000
// CASE @to_bits [i64:f64]: 2xU=1,-2 -> 2xT=0x3FF0000000000000,0xC000000000000000
tile.kernel @to_bits(%a: !W) outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !W -> !Z
  %1 = arith.bitcast %0 : !Z to !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @from_bits [i8:f8E4M3FN]: 2xT=0x38,0xC0 -> 2xU=1,-2
// CASE @from_bits [i8:f8E5M2]: 2xT=0x3C,0xC0 -> 2xU=1,-2
// CASE @from_bits [i16:f16]: 2xT=0x3C00,0xC000 -> 2xU=1,-2
// CASE @from_bits [i16:bf16]: 2xT=0x3F80,0xC000 -> 2xU=1,-2
// CASE @from_bits [i32:f32]: 2xT=0x3F800000,0xC0000000 -> 2xU=1,-2
// CASE @from_bits [i64:f64]: 2xT=0x3FF0000000000000,0xC000000000000000 -> 2xU=1,-2
tile.kernel @from_bits(%a: !V) outs(%y: !W) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = arith.bitcast %0 : !X to !Z
  tile.store %1, %y[%i] : !Z, !W
}
