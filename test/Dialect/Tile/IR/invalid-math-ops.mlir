// Every way to misuse cast, dot, assert and assume, with the message it gets.
// RUN: tilegpt-opt %s --verify-diagnostics --split-input-file

func.func @cast_of_integers(%t: tensor<4xi32>) {
  // expected-error@below {{'tile.cast' op operand #0 must be ranked tensor of f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or a type variable values, but got 'tensor<4xi32>'}}
  %0 = tile.cast %t : tensor<4xi32> to tensor<4xf32>
  return
}

// -----

func.func @cast_shape(%t: tensor<4xf32>) {
  // expected-error@below {{'tile.cast' op expected result of type 'tensor<4xf16>', found 'tensor<8xf16>': axis 0 is 4, not 8}}
  %0 = tile.cast %t : tensor<4xf32> to tensor<8xf16>
  return
}

// -----

tile.kernel @cast_to_an_undeclared_variable() params {W = 4, X: type = f32} grid [1] {
  %t = arith.constant dense<0.0> : tensor<4xf32>
  // expected-error@below {{'tile.cast' op names the type variable 'Y', which the kernel does not declare; add it to params}}
  %0 = tile.cast %t : tensor<4xf32> to tensor<4x!tile.elt<Y>>
}

// -----

tile.kernel @cast_to_a_size() params {W = 4} grid [1] {
  %t = arith.constant dense<0.0> : tensor<4xf32>
  // expected-error@below {{'tile.cast' op names the type variable 'W', which the kernel does not declare; add it to params}}
  %0 = tile.cast %t : tensor<4xf32> to tensor<4x!tile.elt<W>>
}

// -----

func.func @dot_ranks(%a: tensor<8x64xf32>, %b: tensor<2x64x16xf32>, %c: tensor<8x16xf32>) {
  // expected-error@below {{'tile.dot' op expected lhs, rhs and acc to be all 2-D or all 3-D, found 'tensor<8x64xf32>', 'tensor<2x64x16xf32>' and 'tensor<8x16xf32>'}}
  %0 = tile.dot %a, %b, %c : tensor<8x64xf32>, tensor<2x64x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  return
}

// -----

func.func @dot_rank_1(%a: tensor<64xf32>, %c: tensor<64xf32>) {
  // expected-error@below {{'tile.dot' op expected lhs, rhs and acc to be all 2-D or all 3-D, found 'tensor<64xf32>', 'tensor<64xf32>' and 'tensor<64xf32>'}}
  %0 = tile.dot %a, %a, %c : tensor<64xf32>, tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  return
}

// -----

func.func @dot_k(%a: tensor<8x64xf32>, %b: tensor<32x16xf32>, %c: tensor<8x16xf32>) {
  // expected-error@below {{'tile.dot' op expected K of lhs (64) to match K of rhs (32): lhs 'tensor<8x64xf32>' is [M, K], rhs 'tensor<32x16xf32>' is [K, N], acc 'tensor<8x16xf32>' is [M, N]}}
  %0 = tile.dot %a, %b, %c : tensor<8x64xf32>, tensor<32x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  return
}

// -----

func.func @dot_wants_transpose_b(%a: tensor<8x64xf32>, %b: tensor<16x64xf32>, %c: tensor<8x16xf32>) {
  // expected-error@below {{'tile.dot' op expected K of lhs (64) to match K of rhs (16): lhs 'tensor<8x64xf32>' is [M, K], rhs 'tensor<16x64xf32>' is [K, N], acc 'tensor<8x16xf32>' is [M, N]; add transpose_b}}
  %0 = tile.dot %a, %b, %c : tensor<8x64xf32>, tensor<16x64xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  return
}

// -----

func.func @dot_does_not_want_transpose_b(%a: tensor<64x8xf32>, %b: tensor<64x16xf32>, %c: tensor<8x16xf32>) {
  // expected-error@below {{'tile.dot' op expected K of lhs (64) to match K of rhs (16): lhs 'tensor<64x8xf32>' is [K, M], rhs 'tensor<64x16xf32>' is [N, K], acc 'tensor<8x16xf32>' is [M, N]; drop transpose_b}}
  %0 = tile.dot %a, %b, %c transpose_a transpose_b : tensor<64x8xf32>, tensor<64x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  return
}

// -----

func.func @dot_m(%a: tensor<8x64xf32>, %b: tensor<64x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@below {{'tile.dot' op expected M of lhs (8) to match M of acc (4): lhs 'tensor<8x64xf32>' is [M, K], rhs 'tensor<64x16xf32>' is [K, N], acc 'tensor<4x16xf32>' is [M, N]}}
  %0 = tile.dot %a, %b, %c : tensor<8x64xf32>, tensor<64x16xf32>, tensor<4x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @dot_n(%a: tensor<8x64xf32>, %b: tensor<64x16xf32>, %c: tensor<8x32xf32>) {
  // expected-error@below {{'tile.dot' op expected N of rhs (16) to match N of acc (32): lhs 'tensor<8x64xf32>' is [M, K], rhs 'tensor<64x16xf32>' is [K, N], acc 'tensor<8x32xf32>' is [M, N]}}
  %0 = tile.dot %a, %b, %c : tensor<8x64xf32>, tensor<64x16xf32>, tensor<8x32xf32> -> tensor<8x32xf32>
  return
}

// -----

func.func @dot_batch_of_operands(%a: tensor<2x8x64xf32>, %b: tensor<3x64x16xf32>, %c: tensor<2x8x16xf32>) {
  // expected-error@below {{'tile.dot' op expected batch of lhs (2) to match batch of rhs (3): lhs 'tensor<2x8x64xf32>' is [B, M, K], rhs 'tensor<3x64x16xf32>' is [B, K, N], acc 'tensor<2x8x16xf32>' is [B, M, N]}}
  %0 = tile.dot %a, %b, %c : tensor<2x8x64xf32>, tensor<3x64x16xf32>, tensor<2x8x16xf32> -> tensor<2x8x16xf32>
  return
}

// -----

func.func @dot_batch_of_lhs_and_acc(%a: tensor<2x8x64xf32>, %b: tensor<2x64x16xf32>, %c: tensor<3x8x16xf32>) {
  // expected-error@below {{'tile.dot' op expected batch of lhs (2) to match batch of acc (3): lhs 'tensor<2x8x64xf32>' is [B, M, K], rhs 'tensor<2x64x16xf32>' is [B, K, N], acc 'tensor<3x8x16xf32>' is [B, M, N]}}
  %0 = tile.dot %a, %b, %c : tensor<2x8x64xf32>, tensor<2x64x16xf32>, tensor<3x8x16xf32> -> tensor<3x8x16xf32>
  return
}

// -----

func.func @dot_batch_of_rhs_and_acc(%a: tensor<?x8x64xf32>, %b: tensor<2x64x16xf32>, %c: tensor<3x8x16xf32>) {
  // expected-error@below {{'tile.dot' op expected batch of rhs (2) to match batch of acc (3): lhs 'tensor<?x8x64xf32>' is [B, M, K], rhs 'tensor<2x64x16xf32>' is [B, K, N], acc 'tensor<3x8x16xf32>' is [B, M, N]}}
  %0 = tile.dot %a, %b, %c : tensor<?x8x64xf32>, tensor<2x64x16xf32>, tensor<3x8x16xf32> -> tensor<3x8x16xf32>
  return
}

// -----

func.func @dot_of_batches_k(%a: tensor<2x8x64xf32>, %b: tensor<2x8x32xf32>, %c: tensor<2x64x8xf32>) {
  // expected-error@below {{'tile.dot' op expected K of lhs (8) to match K of rhs (32): lhs 'tensor<2x8x64xf32>' is [B, K, M], rhs 'tensor<2x8x32xf32>' is [B, N, K], acc 'tensor<2x64x8xf32>' is [B, M, N]}}
  %0 = tile.dot %a, %b, %c transpose_a transpose_b : tensor<2x8x64xf32>, tensor<2x8x32xf32>, tensor<2x64x8xf32> -> tensor<2x64x8xf32>
  return
}

// -----

func.func @dot_accumulates_in_bf16(%a: tensor<4x4xbf16>) {
  // expected-error@below {{'tile.dot' op cannot accumulate lhs elements of type 'bf16' in 'bf16'; use f32 for f8E4M3FN, f8E5M2, f16, bf16 and f32, f64 for f32 and f64, i32 for i8, i16 and i32}}
  %0 = tile.dot %a, %a, %a : tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16> -> tensor<4x4xbf16>
  return
}

// -----

func.func @dot_accumulates_f64_in_f32(%a: tensor<4x4xf32>, %b: tensor<4x4xf64>) {
  // expected-error@below {{'tile.dot' op cannot accumulate rhs elements of type 'f64' in 'f32'; use f32 for f8E4M3FN, f8E5M2, f16, bf16 and f32, f64 for f32 and f64, i32 for i8, i16 and i32}}
  %0 = tile.dot %a, %b, %a : tensor<4x4xf32>, tensor<4x4xf64>, tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @dot_accumulates_bf16_in_f64(%a: tensor<4x4xbf16>, %c: tensor<4x4xf64>) {
  // expected-error@below {{'tile.dot' op cannot accumulate lhs elements of type 'bf16' in 'f64'; use f32 for f8E4M3FN, f8E5M2, f16, bf16 and f32, f64 for f32 and f64, i32 for i8, i16 and i32}}
  %0 = tile.dot %a, %a, %c : tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xf64> -> tensor<4x4xf64>
  return
}

// -----

func.func @dot_accumulates_in_a_variable(%a: tensor<4x4x!tile.elt<X>>) {
  // expected-error@below {{'tile.dot' op cannot accumulate lhs elements of type '!tile.elt<X>' in '!tile.elt<X>'; use f32 for f8E4M3FN, f8E5M2, f16, bf16 and f32, f64 for f32 and f64, i32 for i8, i16 and i32}}
  %0 = tile.dot %a, %a, %a : tensor<4x4x!tile.elt<X>>, tensor<4x4x!tile.elt<X>>, tensor<4x4x!tile.elt<X>> -> tensor<4x4x!tile.elt<X>>
  return
}

// -----

func.func @dot_accumulates_integers_in_floats(%a: tensor<4x4xi8>, %c: tensor<4x4xf32>) {
  // expected-error@below {{'tile.dot' op cannot accumulate lhs elements of type 'i8' in 'f32'; use f32 for f8E4M3FN, f8E5M2, f16, bf16 and f32, f64 for f32 and f64, i32 for i8, i16 and i32}}
  %0 = tile.dot %a, %a, %c : tensor<4x4xi8>, tensor<4x4xi8>, tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @dot_accumulates_floats_in_integers(%a: tensor<4x4xf32>, %c: tensor<4x4xi32>) {
  // expected-error@below {{'tile.dot' op cannot accumulate lhs elements of type 'f32' in 'i32'; use f32 for f8E4M3FN, f8E5M2, f16, bf16 and f32, f64 for f32 and f64, i32 for i8, i16 and i32}}
  %0 = tile.dot %a, %a, %c : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xi32> -> tensor<4x4xi32>
  return
}

// -----

func.func @dot_of_i64(%a: tensor<4x4xi8>, %b: tensor<4x4xi64>, %c: tensor<4x4xi32>) {
  // expected-error@below {{'tile.dot' op cannot accumulate rhs elements of type 'i64' in 'i32'; use f32 for f8E4M3FN, f8E5M2, f16, bf16 and f32, f64 for f32 and f64, i32 for i8, i16 and i32}}
  %0 = tile.dot %a, %b, %c : tensor<4x4xi8>, tensor<4x4xi64>, tensor<4x4xi32> -> tensor<4x4xi32>
  return
}

// -----

func.func @dot_unsigned_floats(%a: tensor<4x4xf32>) {
  // expected-error@below {{'tile.dot' op unsigned_rhs needs integer operands, found 'f32'}}
  %0 = tile.dot %a, %a, %a unsigned_rhs : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @dot_unsigned_floats_on_the_left(%a: tensor<4x4xf32>) {
  // expected-error@below {{'tile.dot' op unsigned_lhs needs integer operands, found 'f32'}}
  %0 = tile.dot %a, %a, %a unsigned_lhs : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @dot_tf32_of_bf16(%a: tensor<4x4xbf16>, %c: tensor<4x4xf32>) {
  // expected-error@below {{'tile.dot' op precision(tf32) needs an f32 operand and an f32 accumulator, found 'bf16', 'bf16' and 'f32'; drop it}}
  %0 = tile.dot %a, %a, %c precision(tf32) : tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @dot_tf32_in_f64(%a: tensor<4x4xf32>, %c: tensor<4x4xf64>) {
  // expected-error@below {{'tile.dot' op precision(tf32) needs an f32 operand and an f32 accumulator, found 'f32', 'f32' and 'f64'; drop it}}
  %0 = tile.dot %a, %a, %c precision(tf32) : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf64> -> tensor<4x4xf64>
  return
}

// -----

func.func @dot_fast_of_bf16(%a: tensor<4x4xbf16>, %b: tensor<4x4xf8E5M2>, %c: tensor<4x4xf32>) {
  // expected-error@below {{'tile.dot' op precision(fast) needs two f8 operands and an f32 accumulator, found 'f8E5M2', 'bf16' and 'f32'; drop it}}
  %0 = tile.dot %b, %a, %c precision(fast) : tensor<4x4xf8E5M2>, tensor<4x4xbf16>, tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @dot_unknown_precision(%a: tensor<4x4xf32>) {
  // expected-error@below {{custom op 'tile.dot' expected one of ieee, tf32, fast, found 'slow'}}
  %0 = tile.dot %a, %a, %a precision(slow) : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @dot_result(%a: tensor<8x64xf32>, %b: tensor<64x16xf32>, %c: tensor<?x?xf32>) {
  // expected-error@below {{'tile.dot' op expected result of type 'tensor<8x16xf32>', found 'tensor<16x8xf32>': axis 0 is 8, not 16}}
  %0 = tile.dot %a, %b, %c : tensor<8x64xf32>, tensor<64x16xf32>, tensor<?x?xf32> -> tensor<16x8xf32>
  return
}

// -----

func.func @assert_of_an_integer(%v: i32) {
  // expected-error@below {{'tile.assert' op operand #0 must be 1-bit signless integer or ranked tensor of 1-bit signless integer values, but got 'i32'}}
  tile.assert %v, "message" : i32
  return
}

// -----

func.func @assume_nothing(%n: index) {
  // expected-error@below {{'tile.assume' op assumes nothing; add div_by or bounded}}
  %0 = tile.assume %n : index
  return
}

// -----

func.func @assume_divisor(%n: index) {
  // expected-error@below {{'tile.assume' op expected div_by to be a power of two, found 12}}
  %0 = tile.assume %n div_by 12 : index
  return
}

// -----

func.func @assume_negative_divisor(%n: index) {
  // expected-error@below {{'tile.assume' op expected div_by to be a power of two, found -8}}
  %0 = tile.assume %n div_by -8 : index
  return
}

// -----

func.func @assume_one_bound(%n: index) {
  // expected-error@below {{'tile.assume' op expected bounded to hold a lower and an upper bound, found [4]}}
  %0 = tile.assume %n bounded [4] : index
  return
}

// -----

func.func @assume_bounds_reversed(%n: index) {
  // expected-error@below {{'tile.assume' op expected the lower bound (4) not to exceed the upper bound (0)}}
  %0 = tile.assume %n bounded [4, 0] : index
  return
}

// -----

func.func @assume_bound_does_not_fit(%n: i8) {
  // expected-error@below {{'tile.assume' op bound 128 does not fit 'i8'}}
  %0 = tile.assume %n bounded [0, 128] : i8
  return
}

// -----

func.func @rounded_without_an_operand(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.rounded' op expected 3 operands of fma, found 2}}
  %0 = tile.rounded fma %x, %x mode(up) : tensor<4xf32>
  return
}

// -----

func.func @rounded_with_an_operand_too_many(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.rounded' op expected 1 operand of sqrt, found 2}}
  %0 = tile.rounded sqrt %x, %x mode(up) : tensor<4xf32>
  return
}

// -----

func.func @rounded_flush_of_f64(%x: tensor<4xf64>) {
  // expected-error@below {{'tile.rounded' op flushes subnormal numbers of f32 only, found 'f64'; drop ftz}}
  %0 = tile.rounded sqrt %x mode(up) ftz : tensor<4xf64>
  return
}

// -----

func.func @rounded_integers(%x: tensor<4xi32>) {
  // expected-error@below {{'tile.rounded' op operand #0 must be variadic of f16, bf16, f32 or f64, or a tile of it, but got 'tensor<4xi32>'}}
  %0 = tile.rounded add %x, %x mode(up) : tensor<4xi32>
  return
}

// -----

func.func @rounded_in_no_mode(%x: tensor<4xf32>) {
  // expected-error@below {{expected one of even, zero, down, up, found 'away'}}
  %0 = tile.rounded sqrt %x mode(away) : tensor<4xf32>
  return
}

// -----

func.func @rounded_remainder(%x: tensor<4xf32>) {
  // expected-error@below {{expected one of add, sub, mul, div, fma, sqrt, found 'rem'}}
  %0 = tile.rounded rem %x, %x mode(up) : tensor<4xf32>
  return
}

// -----

func.func @print_without_a_value(%x: f32) {
  // expected-error@below {{'tile.print' op expected a value for each of 2 conversions, found 1}}
  tile.print "%f %f", %x : f32
  return
}

// -----

func.func @print_that_ends_early(%x: f32) {
  // expected-error@below {{'tile.print' op format ends inside a conversion; write %% for a percent sign}}
  tile.print "x: %-8.3", %x : f32
  return
}

// -----

func.func @print_of_a_string(%x: i64) {
  // expected-error@below {{'tile.print' op format expected one of d i u x X o e E f F g G a A to end a conversion, found 's'}}
  tile.print "%s", %x : i64
  return
}

// -----

func.func @print_with_a_length(%x: i64) {
  // expected-error@below {{'tile.print' op format expected one of d i u x X o e E f F g G a A to end a conversion, found 'l'}}
  tile.print "%ld", %x : i64
  return
}

// -----

func.func @print_a_million_wide(%x: i64) {
  // expected-error@below {{'tile.print' op format has a width or precision of more than four digits}}
  tile.print "%1000000d", %x : i64
  return
}

// -----

func.func @print_with_a_zero_byte() {
  // expected-error@below {{'tile.print' op format has a zero byte, which ends the text for printf}}
  tile.print "a\00b"
  return
}

// -----

func.func @print_a_float_as_integer(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.print' op conversion '%4d' is of integers, value 0 is 'tensor<4xf32>'}}
  tile.print "%4d", %x : tensor<4xf32>
  return
}

// -----

func.func @print_an_integer_as_float(%x: f32, %n: i32) {
  // expected-error@below {{'tile.print' op conversion '%g' is of floats, value 1 is 'i32'}}
  tile.print "%f %g", %x, %n : f32, i32
  return
}

// -----

func.func @print_tiles_of_two_shapes(%x: tensor<4xf32>, %y: tensor<8xf32>) {
  // expected-error@below {{'tile.print' op expected tiles of one shape, found 'tensor<4xf32>' and 'tensor<8xf32>'; print them one by one}}
  tile.print "%f %f", %x, %y : tensor<4xf32>, tensor<8xf32>
  return
}

// -----

func.func @print_too_much(%n: i32) {
  // expected-error@below {{'tile.print' op prints 33 values and 0 coordinates in a line, of at most 32}}
  tile.print "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d", %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
  return
}
