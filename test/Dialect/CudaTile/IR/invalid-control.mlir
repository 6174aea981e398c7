// Errors of entries, globals, control flow and assumptions.
// RUN: tilegpt-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected

// expected-error @below {{'cuda_tile.entry' op expected no results, found '!cuda_tile.tile<i32>'}}
cuda_tile.entry @f() -> tile<i32> {
}

// -----

// expected-error @below {{'cuda_tile.entry' op expected tiles of rank 0 as arguments, found '!cuda_tile.tile<8xi32>'}}
cuda_tile.entry @f(%a: tile<8xi32>) {
}

// -----

cuda_tile.module @m {
  entry @f() {
  }
  // expected-error @below {{redefinition of symbol named 'f'}}
  entry @f() {
  }
}

// -----

// expected-error @below {{custom op 'cuda_tile.entry' expected a dictionary of hints for "sm_90", found 3 : i64}}
cuda_tile.entry @f() optimization_hints=<sm_90 = 3> {
}

// -----

// expected-error @below {{custom op 'cuda_tile.entry' expected each target of optimization_hints once, found 'sm_90' again}}
cuda_tile.entry @f() optimization_hints=<sm_90 = {}, sm_90 = {}> {
}

// -----

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.global' op expected a tile of rank 1, found '!cuda_tile.tile<f32>'}}
  global @g <f32: 1.0> : tile<f32>
}

// -----

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.global' op expected a tile of rank 1, found '!cuda_tile.tile<2x2xf32>'}}
  global @g <f32: 1.0> : tile<2x2xf32>
}

// -----

cuda_tile.module @m {
  entry @f() {
    // expected-error @below {{'cuda_tile.get_global' op expected the name of a global, found @g}}
    %0 = get_global @g : tile<ptr<f32>>
  }
}

// -----

cuda_tile.module @m {
  global @g <f32: 1.0> : tile<2xf32>
  entry @f() {
    // expected-error @below {{'cuda_tile.get_global' op expected a pointer to 'f32', as @g holds, found '!cuda_tile.ptr<i32>'}}
    %0 = get_global @g : tile<ptr<i32>>
  }
}

// -----

cuda_tile.module @m {
  entry @f(%x: tile<i32>) {
    // expected-error @below {{'cuda_tile.return' op expected operands of the function's result types, [], found ['!cuda_tile.tile<i32>']}}
    return %x : tile<i32>
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{use of value '%c' expects different type than prior uses: '!cuda_tile.tile<i32>' vs '!cuda_tile.tile<i1>'}}
  for %i in (%a to %c, step %a) : tile<i32> {
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.for' op operand #0 must be rank-0 tile of i1, i8, i16, i32 or i64, but got '!cuda_tile.tile<8xi32>'}}
  for %i in (%v to %v, step %v) : tile<8xi32> {
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{custom op 'cuda_tile.for' expected as many types as values carried, 1, found 2}}
  for %i in (%a to %a, step %a) : tile<i32> iter_values(%x = %a) -> (tile<i32>, tile<i32>) {
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  %0 = for %i in (%a to %a, step %a) : tile<i32> iter_values(%x = %a) -> (tile<i32>) {
    // expected-error @below {{'cuda_tile.continue' op expected operands of types ['!cuda_tile.tile<i32>'], as its loop has, found []}}
    continue
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.for' op expected no views as values carried, found '!cuda_tile.tensor_view<4xf32, strides=[1]>'}}
  %0 = for %i in (%a to %a, step %a) : tile<i32> iter_values(%x = %t) -> (tensor_view<4xf32, strides=[1]>) {
    continue %x : tensor_view<4xf32, strides=[1]>
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.for' op expected region arguments of types ['!cuda_tile.tile<i32>'], as the initial values, found []}}
  %0 = "cuda_tile.for"(%a, %a, %a, %a) ({
  ^bb0(%i: !cuda_tile.tile<i32>):
    "cuda_tile.continue"(%a) : (!cuda_tile.tile<i32>) -> ()
  }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.for' op expected an induction variable of the bounds' type, '!cuda_tile.tile<i32>', found '!cuda_tile.tile<i64>'}}
  "cuda_tile.for"(%a, %a, %a) ({
  ^bb0(%i: !cuda_tile.tile<i64>):
    "cuda_tile.continue"() : () -> ()
  }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  loop iter_values(%x = %a) : tile<i32> {
    // expected-error @below {{'cuda_tile.continue' op expected operands of types ['!cuda_tile.tile<i32>'], as its loop has, found []}}
    continue
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  %0 = loop : tile<i32> {
    // expected-error @below {{'cuda_tile.break' op expected operands of types ['!cuda_tile.tile<i32>'], as its loop has, found []}}
    break
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{custom op 'cuda_tile.loop' expected as many types as values carried, 1, found 2}}
  loop iter_values(%x = %a) : tile<i32>, tile<i32> {
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  for %i in (%a to %a, step %a) : tile<i32> {
    if %c {
      // expected-error @below {{'cuda_tile.break' op expected only branches between it and a loop}}
      break
    }
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  if %c {
    // expected-error @below {{'cuda_tile.continue' op expected only branches between it and a for or loop}}
    continue
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  for %i in (%a to %a, step %a) : tile<i32> {
    if %c {
      // expected-error @below {{'cuda_tile.return' op expected only branches and loops without a counter between it and an entry}}
      return
    }
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  for %i in (%a to %a, step %a) : tile<i32> {
    // expected-error @below {{'cuda_tile.return' op expects parent op to be one of 'cuda_tile.entry, cuda_tile.if, cuda_tile.loop, cuda_tile.testing$func'}}
    return
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  loop {
    // expected-error @below {{'cuda_tile.yield' op expects parent op to be one of 'cuda_tile.if, cuda_tile.reduce, cuda_tile.scan'}}
    yield
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.if' op expected an else branch, which yields the results}}
  %0 = if %c -> (tile<i32>) {
    yield %a : tile<i32>
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.if' op expected branches that yield the results' types, ['!cuda_tile.tile<i32>'], found ['!cuda_tile.tile<i1>']}}
  %0 = if %c -> (tile<i32>) {
    yield %a : tile<i32>
  } else {
    yield %c : tile<i1>
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.if' op expected branches that yield the results' types, ['!cuda_tile.tile<i32>'], found []}}
  %0 = if %c -> (tile<i32>) {
    yield %a : tile<i32>
  } else {
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.if' op expected branches that yield the results' types, [], found ['!cuda_tile.tile<i32>']}}
  if %c {
    yield %a : tile<i32>
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.if' op expected no views as results, found '!cuda_tile.tensor_view<4xf32, strides=[1]>'}}
  %0 = if %c -> (tensor_view<4xf32, strides=[1]>) {
    yield %t : tensor_view<4xf32, strides=[1]>
  } else {
    yield %t : tensor_view<4xf32, strides=[1]>
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{use of value '%a' expects different type than prior uses: '!cuda_tile.tile<i1>' vs '!cuda_tile.tile<i32>'}}
  if %a {
  }
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected div_by of a power of two up to 2^62, found 3}}
  %0 = assume div_by<3>, %v : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected div_by of a power of two up to 2^62, found 9223372036854775808}}
  %0 = assume div_by<9223372036854775808>, %v : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected div_by on integers, pointers or a tensor_view, found '!cuda_tile.tile<8xf32>'}}
  %0 = assume div_by<4>, %f : tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected div_by on integers, pointers or a tensor_view, found '!cuda_tile.token'}}
  %0 = assume div_by<4>, %k : token
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected div_by of a scalar without 'every'}}
  %0 = assume div_by<4, every 2 along 0>, %a : tile<i32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected div_by of a tensor_view without 'every'}}
  %0 = assume div_by<4, every 2 along 0>, %t : tensor_view<4xf32, strides=[1]>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected 'along' of div_by below the rank, 1, found 1}}
  %0 = assume div_by<4, every 2 along 1>, %v : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected 'every' of div_by from 0 to the size of axis 0, 8, found 16}}
  %0 = assume div_by<4, every 16 along 0>, %v : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{custom op 'cuda_tile.assume' expected 'along'}}
  %0 = assume div_by<4, every 2>, %v : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected same_elements on integers or pointers, found '!cuda_tile.tile<8xf32>'}}
  %0 = assume same_elements<[4]>, %f : tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected a number for each of the 1 axes in same_elements, found 2}}
  %0 = assume same_elements<[4, 4]>, %v : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected same_elements within the size of axis 0, 8, found 16}}
  %0 = assume same_elements<[16]>, %v : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected bounded on integers, found '!cuda_tile.tile<8xf32>'}}
  %0 = assume bounded<0, 1>, %f : tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected bounds in the signed range of 'i32', found 4294967296}}
  %0 = assume bounded<0, 4294967296>, %v : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected bounds in the signed range of 'i32', found -4294967296}}
  %0 = assume bounded<-4294967296, ?>, %v : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assume' op expected bounds in order, found 2 above 1}}
  %0 = assume bounded<2, 1>, %v : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{custom op 'cuda_tile.assume' expected div_by, same_elements or bounded, found 'prime'}}
  %0 = assume prime, %v : tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.print_tko' op expected as many arguments as the format has conversions, 1, found 0}}
  %0 = print_tko "%d" -> token
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.print_tko' op expected as many arguments as the format has conversions, 0, found 1}}
  %0 = print_tko "none", %a : tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.print_tko' op expected a format whose conversions end, found "%d %"}}
  %0 = print_tko "%d %", %a : tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.assert' op operand #0 must be tile of i1, but got '!cuda_tile.tile<i32>'}}
  assert %a, "no truth" : tile<i32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %c: tile<i1>, %v: tile<8xi32>, %f: tile<8xf32>, %t: tensor_view<4xf32, strides=[1]>, %k: token) {
  // expected-error @below {{'cuda_tile.get_tile_block_id' op result #0 must be rank-0 tile of i32, but got '!cuda_tile.tile<i64>'}}
  %0, %1, %2 = get_tile_block_id : tile<i64>
}

// -----

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.constant' op expected entries and globals only in a module}}
  %0 = constant <f32: 1.0> : tile<f32>
}

// -----

%f = "test.f32"() : () -> f32
%i = "test.index"() : () -> index
%c = cuda_tile.constant <i1: true> : !cuda_tile.tile<i1>
// expected-error @below {{'cuda_tile.if' op expected branches that yield the results' types, ['f32'], found ['index']}}
%r = cuda_tile.if %c -> (f32) {
  cuda_tile.yield %f : f32
} else {
  cuda_tile.yield %i : index
}
