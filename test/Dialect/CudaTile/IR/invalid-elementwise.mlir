// Errors of arithmetic, functions and casts.
// RUN: tilegpt-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{use of value '%a' expects different type than prior uses: '!cuda_tile.tile<8xi64>' vs '!cuda_tile.tile<8xi32>'}}
  %0 = addi %a, %b : tile<8xi64>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf8E5M2>, %b: tile<8xf8E5M2>) {
  // expected-error @below {{'cuda_tile.addf' op operand #0 must be tile of f16, bf16, f32 or f64, but got '!cuda_tile.tile<8xf8E5M2>'}}
  %0 = addf %a, %b : tile<8xf8E5M2>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi4>, %b: tile<8xi4>) {
  // expected-error @below {{'cuda_tile.addi' op operand #0 must be tile of i1, i8, i16, i32 or i64, but got '!cuda_tile.tile<8xi4>'}}
  %0 = addi %a, %b : tile<8xi4>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xtf32>, %b: tile<8xtf32>) {
  // expected-error @below {{'cuda_tile.mulf' op operand #0 must be tile of f16, bf16, f32 or f64, but got '!cuda_tile.tile<8xtf32>'}}
  %0 = mulf %a, %b : tile<8xtf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf16>, %b: tile<8xf16>) {
  // expected-error @below {{'cuda_tile.addf' op expected flush_to_zero on f32 only, found 'f16'}}
  %0 = addf %a, %b flush_to_zero : tile<8xf16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf16>, %b: tile<8xf16>) {
  // expected-error @below {{'cuda_tile.maxf' op expected flush_to_zero on f32 only, found 'f16'}}
  %0 = maxf %a, %b flush_to_zero : tile<8xf16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf16>, %b: tile<8xf16>) {
  // expected-error @below {{'cuda_tile.minf' op expected flush_to_zero on f32 only, found 'f16'}}
  %0 = minf %a, %b flush_to_zero : tile<8xf16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf16>, %b: tile<8xf16>) {
  // expected-error @below {{'cuda_tile.exp2' op expected flush_to_zero on f32 only, found 'f16'}}
  %0 = exp2 %a flush_to_zero : tile<8xf16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf16>, %b: tile<8xf16>) {
  // expected-error @below {{'cuda_tile.rsqrt' op expected flush_to_zero on f32 only, found 'f16'}}
  %0 = rsqrt %a flush_to_zero : tile<8xf16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf16>, %b: tile<8xf16>) {
  // expected-error @below {{'cuda_tile.fma' op expected flush_to_zero on f32 only, found 'f16'}}
  %0 = fma %a, %b, %a flush_to_zero : tile<8xf16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.addf' op expected rounding nearest_even, zero, negative_inf, positive_inf, found approx}}
  %0 = addf %a, %b rounding<approx> : tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.subf' op expected rounding nearest_even, zero, negative_inf, positive_inf, found full}}
  %0 = subf %a, %b rounding<full> : tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.mulf' op expected rounding nearest_even, zero, negative_inf, positive_inf, found nearest_int_to_zero}}
  %0 = mulf %a, %b rounding<nearest_int_to_zero> : tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.fma' op expected rounding nearest_even, zero, negative_inf, positive_inf, found approx}}
  %0 = fma %a, %b, %a rounding<approx> : tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{custom op 'cuda_tile.addf' expected a rounding: nearest_even, zero, negative_inf, positive_inf, approx, full, nearest_int_to_zero or nearest_away, found 'upwards'}}
  %0 = addf %a, %b rounding<upwards> : tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf16>, %b: tile<8xf16>) {
  // expected-error @below {{'cuda_tile.divf' op expected approx on f32 only, found 'f16'}}
  %0 = divf %a, %b rounding<approx> : tile<8xf16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf16>, %b: tile<8xf16>) {
  // expected-error @below {{'cuda_tile.divf' op expected full on f32 only, found 'f16'}}
  %0 = divf %a, %b rounding<full> : tile<8xf16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.sqrt' op expected rounding nearest_even, zero, negative_inf, positive_inf, approx, found full}}
  %0 = sqrt %a rounding<full> : tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf16>, %b: tile<8xf16>) {
  // expected-error @below {{'cuda_tile.sqrt' op expected approx on f32 only, found 'f16'}}
  %0 = sqrt %a rounding<approx> : tile<8xf16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.exp' op expected rounding approx, full, found zero}}
  %0 = exp %a rounding<zero> : tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf16>, %b: tile<8xf16>) {
  // expected-error @below {{'cuda_tile.exp' op expected approx on f32 only, found 'f16'}}
  %0 = exp %a rounding<approx> : tile<8xf16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.tanh' op expected rounding approx, full, found nearest_even}}
  %0 = tanh %a rounding<nearest_even> : tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf16>, %b: tile<8xf16>) {
  // expected-error @below {{'cuda_tile.tanh' op expected approx on f32 only, found 'f16'}}
  %0 = tanh %a rounding<approx> : tile<8xf16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.divi' op expected rounding zero, negative_inf, positive_inf, found nearest_even}}
  %0 = divi %a, %b signed rounding<nearest_even> : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.divi' op expected rounding zero or positive_inf of unsigned integers, found negative_inf}}
  %0 = divi %a, %b unsigned rounding<negative_inf> : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{custom op 'cuda_tile.divi' expected 'signed' or 'unsigned'}}
  %0 = divi %a, %b : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{custom op 'cuda_tile.maxi' expected 'signed' or 'unsigned', found 'both'}}
  %0 = maxi %a, %b both : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.negi' op expected overflow none or no_signed_wrap, found no_unsigned_wrap}}
  %0 = negi %a overflow<no_unsigned_wrap> : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.negi' op expected overflow none or no_signed_wrap, found no_wrap}}
  %0 = negi %a overflow<no_wrap> : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{custom op 'cuda_tile.cmpi' expected a comparison: equal, not_equal, less_than, less_than_or_equal, greater_than or greater_than_or_equal, found 'below'}}
  %0 = cmpi below %a, %b, signed : tile<8xi32> -> tile<8xi1>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.cmpi' op expected a result of the operands' shape, '!cuda_tile.tile<8xi32>', found '!cuda_tile.tile<4xi1>'}}
  %0 = cmpi equal %a, %b, signed : tile<8xi32> -> tile<4xi1>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.cmpi' op result #0 must be tile of i1, but got '!cuda_tile.tile<8xi8>'}}
  %0 = cmpi equal %a, %b, signed : tile<8xi32> -> tile<8xi8>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{custom op 'cuda_tile.cmpf' expected 'ordered' or 'unordered', found 'sorted'}}
  %0 = cmpf equal sorted %a, %b : tile<8xf32> -> tile<8xi1>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.cmpf' op expected a result of the operands' shape, '!cuda_tile.tile<8xf32>', found '!cuda_tile.tile<2x4xi1>'}}
  %0 = cmpf equal ordered %a, %b : tile<8xf32> -> tile<2x4xi1>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>, %c: tile<4xi1>) {
  // expected-error @below {{'cuda_tile.select' op failed to verify that all of {cond, result} have same shape}}
  %0 = select %c, %a, %b : tile<4xi1>, tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf4E2M1FN>, %c: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.select' op expected elements of at least a byte, found '!cuda_tile.tile<8xf4E2M1FN>'}}
  %0 = select %c, %a, %a : tile<8xi1>, tile<8xf4E2M1FN>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xi64>) {
  // expected-error @below {{'cuda_tile.fpowi' op operand #1 must be tile of i1, i8, i16 or i32, but got '!cuda_tile.tile<8xi64>'}}
  %0 = fpowi %a, %b : tile<8xf32>, tile<8xi64>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.fpowi' op failed to verify that all of {source, exponent} have same shape}}
  %0 = fpowi %a, %b : tile<8xf32>, tile<4xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.exti' op expected a wider type than 'i32', found 'i32'}}
  %0 = exti %a signed : tile<8xi32> -> tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.exti' op expected a wider type than 'i32', found 'i16'}}
  %0 = exti %a signed : tile<8xi32> -> tile<8xi16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.exti' op failed to verify that all of {from, to} have same shape}}
  %0 = exti %a signed : tile<8xi32> -> tile<4xi64>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.trunci' op expected a narrower type than 'i32', found 'i32'}}
  %0 = trunci %a : tile<8xi32> -> tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.trunci' op expected a narrower type than 'i32', found 'i64'}}
  %0 = trunci %a : tile<8xi32> -> tile<8xi64>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op expected another type than 'f32'}}
  %0 = ftof %a : tile<8xf32> -> tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op expected rounding nearest_even, zero, found negative_inf}}
  %0 = ftof %a rounding<negative_inf> : tile<8xf32> -> tile<8xf16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xbf16>) {
  // expected-error @below {{'cuda_tile.ftof' op expected rounding nearest_even, zero, found positive_inf}}
  %0 = ftof %a rounding<positive_inf> : tile<8xbf16> -> tile<8xf16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf64>) {
  // expected-error @below {{'cuda_tile.ftof' op expected rounding nearest_even, zero, found nearest_away}}
  %0 = ftof %a rounding<nearest_away> : tile<8xf64> -> tile<8xtf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf4E2M1FN>) {
  // expected-error @below {{'cuda_tile.ftof' op expected rounding nearest_even, found zero}}
  %0 = ftof %a rounding<zero> : tile<8xf4E2M1FN> -> tile<8xf8E4M3FN>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf64>) {
  // expected-error @below {{'cuda_tile.ftof' op expected rounding nearest_even, zero, negative_inf, positive_inf, found nearest_away}}
  %0 = ftof %a rounding<nearest_away> : tile<8xf64> -> tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op expected rounding zero, positive_inf, found nearest_even}}
  %0 = ftof %a : tile<8xf32> -> tile<8xf8E8M0FNU>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op expected rounding nearest_even, zero, found nearest_away}}
  %0 = ftof %a rounding<nearest_away> : tile<8xf32> -> tile<8xbf16>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.ftoi' op expected rounding nearest_int_to_zero, found nearest_even}}
  %0 = ftoi %a signed rounding<nearest_even> : tile<8xf32> -> tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.ftoi' op result #0 must be tile of i1, i8, i16, i32 or i64, but got '!cuda_tile.tile<8xi4>'}}
  %0 = ftoi %a signed : tile<8xf32> -> tile<8xi4>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.itof' op expected rounding nearest_even, found zero}}
  %0 = itof %a signed rounding<zero> : tile<8xi32> -> tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.itof' op expected another type than f8E8M0FNU, which integers become by way of another floating-point type}}
  %0 = itof %a signed : tile<8xi32> -> tile<8xf8E8M0FNU>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.bitcast' op expected types of one width, found 'f32' of 32 bits and 'i64' of 64}}
  %0 = bitcast %a : tile<8xf32> -> tile<8xi64>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xptr<f32>>) {
  // expected-error @below {{'cuda_tile.bitcast' op operand #0 must be tile of numbers, but got '!cuda_tile.tile<8xptr<f32>>'}}
  %0 = bitcast %a : tile<8xptr<f32>> -> tile<8xi64>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.int_to_ptr' op operand #0 must be tile of i64, but got '!cuda_tile.tile<8xi32>'}}
  %0 = int_to_ptr %a : tile<8xi32> -> tile<8xptr<f32>>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xptr<f32>>) {
  // expected-error @below {{'cuda_tile.ptr_to_int' op result #0 must be tile of i64, but got '!cuda_tile.tile<8xi32>'}}
  %0 = ptr_to_int %a : tile<8xptr<f32>> -> tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op expected rounding nearest_even, found zero}}
  %0 = ftof %a rounding<zero> : tile<8xf32> -> tile<8xf8E5M3FNU>
}

// -----

// The largest f8E5M3FNU has no f16.
cuda_tile.testing$func @f(%a: tile<8xf8E5M3FNU>) {
  // expected-error @below {{'cuda_tile.ftof' op expected rounding nearest_even, zero, found negative_inf}}
  %0 = ftof %a rounding<negative_inf> : tile<8xf8E5M3FNU> -> tile<8xf16>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{expected numbers as literals, found '!cuda_tile.f8E5M3FNU'}}
  %0 = constant <f8E5M3FNU: 1.0> : tile<8xf8E5M3FNU>
}
