// Every way to misuse a reduction, with the message it gets.
// RUN: tilegpt-opt %s --verify-diagnostics --split-input-file

func.func @unknown_name(%x: tensor<4xf32>) {
  // expected-error@below {{custom op 'tile.reduce' expected one of add, mul, max, min, umax, umin, and, or, xor, argmax, argmin, found 'sum'}}
  %0 = tile.reduce sum %x axis 0 : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @unknown_nan_policy(%x: tensor<4xf32>) {
  // expected-error@below {{custom op 'tile.reduce' expected one of propagate, ignore, found 'skip'}}
  %0 = tile.reduce max %x axis 0 nan(skip) : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @no_source() {
  // expected-error@below {{'tile.reduce' op expected at least one source}}
  "tile.reduce"() <{axis = 0 : i64}> ({}) : () -> ()
  return
}

// -----

func.func @axis(%x: tensor<4x8xf32>) {
  // expected-error@below {{'tile.reduce' op axis 2 is out of range: 'tensor<4x8xf32>' has 2 axes}}
  %0 = tile.reduce add %x axis 2 : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @axis_of_a_scalar(%x: tensor<f32>) {
  // expected-error@below {{'tile.reduce' op axis 0 is out of range: 'tensor<f32>' has 0 axes}}
  %0 = tile.reduce add %x axis 0 : tensor<f32> -> tensor<f32>
  return
}

// -----

func.func @result_keeps_the_axis(%x: tensor<4x8xf32>) {
  // expected-error@below {{'tile.reduce' op expected result of type 'tensor<4xf32>', found 'tensor<4x1xf32>': its rank is 1, not 2}}
  %0 = tile.reduce add %x axis 1 : tensor<4x8xf32> -> tensor<4x1xf32>
  return
}

// -----

func.func @result_drops_the_axis(%x: tensor<4x8xf32>) {
  // expected-error@below {{'tile.reduce' op expected result of type 'tensor<4x1xf32>', found 'tensor<4xf32>': its rank is 2, not 1}}
  %0 = tile.reduce add %x axis 1 keepdims : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @result_of_argmax(%x: tensor<4x8xf32>) {
  // expected-error@below {{'tile.reduce' op expected result of type 'tensor<4xi32>', found 'tensor<4xf32>': the element types differ}}
  %0 = tile.reduce argmax %x axis 1 : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @count_of_results(%x: tensor<4x8xf32>) {
  // expected-error@below {{'tile.reduce' op expected number of results to be 1, found 2}}
  %0:2 = tile.reduce add %x axis 1 : tensor<4x8xf32> -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @named_with_two_sources(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op add takes one source, found 2}}
  %0:2 = tile.reduce add %x, %x axis 0 : tensor<4xf32>, tensor<4xf32> -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @named_with_identity(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op add knows its identity; drop identities or give a region instead of the name}}
  %0 = tile.reduce add %x axis 0 identities [0.0 : f32] : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @named_with_region(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op add takes no region; drop one of the two}}
  %0 = "tile.reduce"(%x) <{axis = 0 : i64, kind = #tile<reduce_kind add>}> ({
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
  }) : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @neither_name_nor_region(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op expected the name of a reduction or a region}}
  %0 = "tile.reduce"(%x) <{axis = 0 : i64}> ({}) : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @variable(%x: tensor<4x!tile.elt<X>>) {
  // expected-error@below {{'tile.reduce' op cannot reduce elements of type '!tile.elt<X>'; use tile.cast first}}
  %0 = tile.reduce add %x axis 0 : tensor<4x!tile.elt<X>> -> tensor<!tile.elt<X>>
  return
}

// -----

func.func @bitwise_on_floats(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op xor needs integer elements, found 'f32'}}
  %0 = tile.reduce xor %x axis 0 : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @unsigned_on_floats(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op umax needs integer elements, found 'f32'}}
  %0 = tile.reduce umax %x axis 0 : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @sum_of_i1(%x: tensor<4xi1>) {
  // expected-error@below {{'tile.reduce' op add is not defined for i1; use and, or, xor}}
  %0 = tile.reduce add %x axis 0 : tensor<4xi1> -> tensor<i1>
  return
}

// -----

func.func @nan_of_integers(%x: tensor<4xi32>) {
  // expected-error@below {{'tile.reduce' op nan(ignore) is for max, min, argmax and argmin of floats, found max of 'i32'}}
  %0 = tile.reduce max %x axis 0 nan(ignore) : tensor<4xi32> -> tensor<i32>
  return
}

// -----

func.func @nan_of_a_sum(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op nan(ignore) is for max, min, argmax and argmin of floats, found add of 'f32'}}
  %0 = tile.reduce add %x axis 0 nan(ignore) : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @nan_of_a_region(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op nan(ignore) is for named reductions; let the region decide}}
  %0 = tile.reduce %x axis 0 nan(ignore) identities [0.0 : f32] {
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
  } : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @source_shapes(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error@below {{'tile.reduce' op expected sources of one shape, found 'tensor<4xf32>' as source 0 and 'tensor<5xf32>' as source 1}}
  %0:2 = tile.reduce %x, %y axis 0 identities [0.0 : f32, 0.0 : f32] {
    ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
      tile.yield %a, %b : f32, f32
  } : tensor<4xf32>, tensor<5xf32> -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @no_identity(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op expected as many identities as sources (1), found 0}}
  %0 = tile.reduce %x axis 0 {
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
  } : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @identity_count(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op expected as many identities as sources (1), found 2}}
  %0 = tile.reduce %x axis 0 identities [0.0 : f32, 0.0 : f32] {
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
  } : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @identity_type(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op expected identity 0 of type 'f32' like source 0, found 0 : i32}}
  %0 = tile.reduce %x axis 0 identities [0 : i32] {
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
  } : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @identity_without_type(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op expected identity 0 of type 'f32' like source 0, found "zero"}}
  %0 = tile.reduce %x axis 0 identities ["zero"] {
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
  } : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @argument_count(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op expected the region to take 2 arguments, accumulators then elements, found 1}}
  %0 = tile.reduce %x axis 0 identities [0.0 : f32] {
    ^bb0(%a: f32):
      tile.yield %a : f32
  } : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @argument_type(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op expected argument 1 of the region of type 'f32' like source 0, found 'f64'}}
  %0 = tile.reduce %x axis 0 identities [0.0 : f32] {
    ^bb0(%a: f32, %b: f64):
      tile.yield %a : f32
  } : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @variable_by_region(%x: tensor<4x!tile.elt<X>>) {
  // expected-error@below {{'tile.reduce' op cannot reduce elements of type '!tile.elt<X>'; use tile.cast first}}
  %0 = tile.reduce %x axis 0 identities [0.0 : f32] {
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
  } : tensor<4x!tile.elt<X>> -> tensor<!tile.elt<X>>
  return
}

// -----

func.func @impure(%x: tensor<4xf32>, %y: !tile.view<?xf32>, %i: index) {
  // expected-error@below {{'tile.reduce' op expected a pure region, but it contains 'tile.load'; combine values only}}
  %0 = tile.reduce %x axis 0 identities [0.0 : f32] {
    ^bb0(%a: f32, %b: f32):
      %t = tile.load %y[%i] [1] : !tile.view<?xf32> -> tensor<1xf32>
      tile.yield %a : f32
  } : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @impure_inside(%x: tensor<4xf32>, %p: i1) {
  // expected-error@below {{'tile.reduce' op expected a pure region, but it contains 'scf.if'; combine values only}}
  %0 = tile.reduce %x axis 0 identities [0.0 : f32] {
    ^bb0(%a: f32, %b: f32):
      scf.if %p {
        tile.assert %p, "never" : i1
      }
      tile.yield %a : f32
  } : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @other_terminator(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.reduce' op expected the region to end with 'tile.yield', found 'ub.unreachable'}}
  %0 = tile.reduce %x axis 0 identities [0.0 : f32] {
    ^bb0(%a: f32, %b: f32):
      ub.unreachable
  } : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @count_of_values(%x: tensor<4xf32>) {
  %0 = tile.reduce %x axis 0 identities [0.0 : f32] {
    ^bb0(%a: f32, %b: f32):
      // expected-error@below {{'tile.yield' op expected as many values as sources (1), found 2}}
      tile.yield %a, %b : f32, f32
  } : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @type_of_value(%x: tensor<4xf32>) {
  %0 = tile.reduce %x axis 0 identities [0.0 : f32] {
    ^bb0(%a: f32, %b: f32):
      %n = arith.constant 0 : index
      // expected-error@below {{'tile.yield' op expected value 0 of type 'f32' like source 0, found 'index'}}
      tile.yield %n : index
  } : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @yield_elsewhere(%x: f32) {
  scf.execute_region {
    // expected-error@below {{'tile.yield' op expects parent op to be one of 'tile.reduce, tile.scan'}}
    tile.yield %x : f32
  }
  return
}

// -----

func.func @of_f8(%x: tensor<4xf8E4M3FN>) {
  // expected-error@below {{'tile.reduce' op operand #0 must be variadic of ranked tensor of i1, i8, i16, i32, i64, f16, bf16, f32, f64 or a type variable values, but got 'tensor<4xf8E4M3FN>'}}
  %0 = tile.reduce max %x axis 0 : tensor<4xf8E4M3FN> -> tensor<f8E4M3FN>
  return
}

// -----

// The kept axis is not where the result has it.
func.func @wrong_kept_axis(%x: tensor<?x?xf32>) {
  // expected-error@below {{'tile.reduce' op expected size 1 at axis 0 of the result, which keepdims keeps, found 'tensor<?x1xf32>'}}
  %0 = tile.reduce add %x axis 0 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  return
}

// -----

func.func @guessed_size(%x: tensor<?x?xf32>) {
  // expected-error@below {{'tile.reduce' op expected size ? at axis 1 of the result like 'tensor<?x?xf32>', which is reduced along axis 0, found 'tensor<1x1xf32>'}}
  %0 = tile.reduce add %x axis 0 keepdims : tensor<?x?xf32> -> tensor<1x1xf32>
  return
}
