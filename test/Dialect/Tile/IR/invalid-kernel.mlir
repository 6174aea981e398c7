// Every way to misuse a kernel, its parameters, grid and conditions, with the message it gets.
// RUN: tilegpt-opt %s --verify-diagnostics --split-input-file

// expected-error@below {{'tile.kernel' op declares the parameter "BM" twice}}
tile.kernel @duplicate_parameter() params {BM = 4, BM = 8} grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op default of "BM" names "BN", which is not declared before it}}
tile.kernel @default_names_a_later_parameter() params {BM = BN * 2, BN = 8} grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op default of a parameter refers to axis 1 of argument 0, a view of rank 1}}
tile.kernel @default_asks_for_a_missing_axis(%x: !tile.view<?xf32>) params {BM = dim(%x, 1)} grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op expected num_outs between 0 and the number of arguments (0), found 1}}
"tile.kernel"() <{sym_name = "outs_exceed_arguments", num_outs = 1 : i64, params = [], grid = [#tile.expr<() -> (1), []>]}> ({
  "tile.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@below {{'tile.kernel' op expected num_outs between 0 and the number of arguments (0), found -1}}
"tile.kernel"() <{sym_name = "outs_negative", num_outs = -1 : i64, params = [], grid = [#tile.expr<() -> (1), []>]}> ({
  "tile.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@below {{'tile.kernel' op expected a view or a scalar as argument 0, found 'tensor<4xf32>'}}
tile.kernel @tensor_argument(%x: tensor<4xf32>) grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op expected outs to be views, but argument 0 is 'f32'}}
tile.kernel @scalar_out() outs(%x: f32) grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op argument 0 has elements of type variable 'W', which is not declared; add 'W: type = f32' to params}}
tile.kernel @undeclared_variable(%x: !tile.view<?x!tile.elt<W>>) grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op argument 0 has elements of type variable 'W', which is not declared; add 'W: type = f32' to params}}
tile.kernel @variable_is_a_size(%x: !tile.view<?x!tile.elt<W>>) params {W = 4} grid [1] {}

// -----

// expected-error@below {{expected a grid of 1 to 3 axes, found 0; 'grid launch' leaves it to the launch}}
tile.kernel @no_grid() grid [] {}

// -----

// expected-error@below {{'tile.kernel' op expected a grid of 1 to 3 axes, found 4}}
tile.kernel @grid_of_four_axes() grid [1, 1, 1, 1] {}

// -----

// expected-error@below {{'tile.kernel' op grid names "BM", which is neither a parameter nor an argument}}
tile.kernel @grid_names_nothing() grid [BM] {}

// -----

// expected-error@below {{'tile.kernel' op grid uses the type parameter "X" as a number}}
tile.kernel @grid_names_a_type() params {X: type = f32} grid [X] {}

// -----

// expected-error@below {{'tile.kernel' op grid reads argument 0 of 0}}
"tile.kernel"() <{sym_name = "grid_of_a_missing_argument", num_outs = 0 : i64, params = [], grid = [#tile.expr<()[s0] -> (s0), [array<i64: 0>]>]}> ({
  "tile.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@below {{custom op 'tile.kernel' %y is not an argument of the kernel}}
tile.kernel @grid_of_a_missing_name(%x: !tile.view<?xf32>) grid [dim(%y, 0)] {}

// -----

// expected-error@below {{'tile.kernel' op grid refers to a size of argument 0, which is not a view but 'index'}}
tile.kernel @grid_of_a_scalars_size(%x: index) grid [dim(%x, 0)] {}

// -----

// expected-error@below {{'tile.kernel' op grid refers to axis 1 of argument 0, a view of rank 1}}
tile.kernel @grid_of_a_missing_axis(%x: !tile.view<?xf32>) grid [dim(%x, 1)] {}

// -----

// expected-error@below {{'tile.kernel' op grid reads argument 0 as a number; expected an integer or index, found '!tile.view<?xf32>'}}
tile.kernel @grid_of_a_view(%x: !tile.view<?xf32>) grid [%x] {}

// -----

// expected-error@below {{'tile.kernel' op grid reads argument 0 as a number; expected an integer or index, found 'f32'}}
tile.kernel @grid_of_a_float(%x: f32) grid [%x] {}

// -----

// expected-error@below {{custom op 'tile.kernel' expected a positive divisor in ceildiv, found 0}}
tile.kernel @grid_divides_by_zero(%x: !tile.view<?xf32>) grid [ceildiv(dim(%x, 0), 0)] {}

// -----

// expected-error@below {{custom op 'tile.kernel' expected a positive divisor in floordiv, found -1}}
tile.kernel @param_divides_by_a_folded_divisor(%x: !tile.view<?xf32>) params {K = floordiv(dim(%x, 0), 63 - 64)} grid [1] {}

// -----

// expected-error@below {{custom op 'tile.kernel' size expression does not fit 64 bits: 9223372036854775807 + 1}}
tile.kernel @sum_overflows(%x: !tile.view<?xf32>) grid [dim(%x, 0) + 9223372036854775807 + 1] {}

// -----

// expected-error@below {{custom op 'tile.kernel' size expression does not fit 64 bits: 4611686018427387904 * 4}}
tile.kernel @product_overflows(%x: !tile.view<?xf32>) grid [4611686018427387904 * 4] {}

// -----

// expected-error@below {{custom op 'tile.kernel' expected dim, ceildiv, floordiv or mod, found max}}
tile.kernel @grid_of_an_unknown_function(%x: !tile.view<?xf32>) grid [max(dim(%x, 0), 1)] {}

// -----

// expected-error@below {{custom op 'tile.kernel' expected ceildiv(a, b) or floordiv(a, b) instead of '/', which does not say how to round}}
tile.kernel @grid_by_slash(%x: !tile.view<?xf32>) params {BM = 4} grid [dim(%x, 0) / BM] {}

// -----

// expected-error@below {{custom op 'tile.kernel' expected 'outs', 'implements', 'where', 'requires', 'params' or 'grid', in this order, found 'out'}}
tile.kernel @misspelled_clause(%x: !tile.view<?xf32>) out(%y: !tile.view<?xf32>) grid [1] {}

// -----

// expected-error@below {{custom op 'tile.kernel' expected 'outs', 'implements', 'where', 'requires', 'params' or 'grid', in this order, found 'requires'}}
tile.kernel @clause_too_late(%x: !tile.view<?xf32>) params {BM = 4} requires(dim(%x, 0) == BM) grid [1] {}

// -----

// expected-error@below {{custom op 'tile.kernel' expected 'outs', 'implements', 'where', 'requires', 'params' or 'grid', in this order}}
tile.kernel @no_grid(%x: !tile.view<?xf32>) {}

// -----

// expected-error@below {{custom op 'tile.kernel' expected 'type' after ':', as in X: type = f32; a size is declared by BM = 64}}
tile.kernel @size_with_a_colon() params {BM: 4} grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op where names "BM", which is neither a parameter nor an argument}}
tile.kernel @where_names_nothing() where(BM <= 4) grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op where refers to axis 2 of argument 0, a view of rank 1}}
tile.kernel @where_asks_for_a_missing_axis(%x: !tile.view<?xf32>) where(4 == dim(%x, 2)) grid [1] {}

// -----

// expected-error@below {{custom op 'tile.kernel' expected one of == < <= > >=}}
tile.kernel @where_without_relation() where(4) grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op requires names "BM", which is neither a parameter nor an argument}}
tile.kernel @requires_names_nothing() requires(BM <= 4) grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op requires refers to axis 2 of argument 0, a view of rank 1}}
tile.kernel @requires_a_missing_axis(%x: !tile.view<?xf32>) requires(4 == dim(%x, 2)) grid [1] {}

// -----

// expected-error@below {{custom op 'tile.kernel' expected one of == < <= > >=}}
tile.kernel @requires_without_relation() requires(4) grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op expected axis 0 of argument 1 of 'no_launch_can' to be 4 (axis 0 of argument 0), found 5}}
tile.kernel @no_launch_can(%a: !tile.view<4xf32>, %b: !tile.view<5xf32>) requires(dim(%a, 0) == dim(%b, 0)) grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op requires: expected a positive divisor in floordiv, found 0}}
tile.kernel @requires_a_quotient_by_nothing(%a: !tile.view<4x0xf32>)
    requires(floordiv(dim(%a, 0), dim(%a, 1)) == 2) grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op with 'grid launch' cannot require anything of its launches; check it in the body with tile.assert}}
tile.kernel @raw_requires(%n: i32) requires(%n >= 1) grid launch {}

// -----

// expected-error@below {{'tile.kernel' op attribute 'requirements' failed to satisfy constraint: requirements}}
"tile.kernel"() <{sym_name = "malformed_requirements", num_outs = 0, params = [], grid = [#tile.expr<() -> (1), []>], requirements = [1]}> ({
  "tile.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@below {{expected '='}}
tile.kernel @parameter_without_value() params {BM} grid [1] {}

// -----

// expected-error@below {{custom op 'tile.kernel' parameter "BM" expected a positive integer, an expression or a type as default, found 0 : i64}}
tile.kernel @parameter_is_zero() params {BM = 0} grid [1] {}

// -----

// expected-error@below {{custom op 'tile.kernel' parameter "BM" expected positive integers as candidates, found -8 : i64}}
tile.kernel @candidate_is_negative() params {BM = 4 in [4, -8]} grid [1] {}

// -----

// expected-error@below {{custom op 'tile.kernel' type parameter "X" expected a float type, found i32}}
tile.kernel @type_parameter_is_an_integer() params {X: type = i32} grid [1] {}

// -----

tile.kernel @launches() grid [1] {
  // expected-error@below {{'tile.launch' op is not allowed in a kernel: kernels do not launch kernels; compose them in a func.func}}
  tile.launch @launches ins() outs() : () -> ()
}

// -----

tile.kernel @param_undeclared() params {BM = 4} grid [1] {
  // expected-error@below {{'tile.param' op names the parameter "BN", which the kernel does not declare; add it to params}}
  %0 = tile.param BN
}

// -----

tile.kernel @param_of_a_type() params {X: type = f32} grid [1] {
  // expected-error@below {{'tile.param' op uses the type parameter "X" as a tile size}}
  %0 = tile.param X
}

// -----

func.func @param_outside_a_kernel() {
  // expected-error@below {{'tile.param' op names the parameter "BM", which the kernel does not declare; add it to params}}
  %0 = tile.param BM
  return
}

// -----

tile.kernel @block_id_axis() grid [1, 1] {
  // expected-error@below {{'tile.block_id' op axis 2 is out of range: the grid of 'block_id_axis' has 2 axes}}
  %0 = tile.block_id 2
}

// -----

tile.kernel @num_blocks_axis() grid [1] {
  // expected-error@below {{'tile.num_blocks' op axis 1 is out of range: the grid of 'num_blocks_axis' has 1 axis}}
  %0 = tile.num_blocks 1
}

// -----

tile.kernel @block_id_negative_axis() grid [1] {
  // expected-error@below {{'tile.block_id' op axis -1 is out of range: the grid of 'block_id_negative_axis' has 1 axis}}
  %0 = tile.block_id -1
}

// -----

func.func @block_id_outside_a_kernel() {
  // expected-error@below {{'tile.block_id' op expected to be inside a tile.kernel}}
  %0 = tile.block_id 0
  return
}

// -----

func.func @return_outside_a_kernel() {
  // expected-error@below {{'tile.return' op expects parent op 'tile.kernel'}}
  tile.return
}

// -----

tile.kernel @tile_of_another_dialect_too_large() grid [1] {
  // expected-error@below {{'arith.constant' op a tensor of 4294967296x4294967296 has more elements than 63 bits can address; use smaller sizes}}
  %0 = "arith.constant"() <{value = dense<0> : tensor<4294967296x4294967296xi8>}> : () -> tensor<4294967296x4294967296xi8>
}

// -----

// expected-error@below {{'tile.kernel' op grid: expected a positive divisor in mod, found 0}}
"tile.kernel"() <{grid = [#tile.expr<()[s0] -> (s0 mod 0), [array<i64: 0, 0>]>], num_outs = 0 : i64, params = [],
                  sym_name = "an_attribute_divides_by_zero"}> ({
^bb0(%x: !tile.view<?xf32>):
  "tile.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@below {{'tile.kernel' op with 'grid launch' takes pointers and scalars, but argument 1 is '!tile.view<?xf32>'; pass a !tile.ptr and make the view with tile.view_at, or say the grid}}
tile.kernel @raw_with_a_view(%n: i32, %x: !tile.view<?xf32>) grid launch {}

// -----

// expected-error@below {{'tile.kernel' op with 'grid launch' has no outs; pass a !tile.ptr, through which a kernel may write}}
tile.kernel @raw_with_outs() outs(%x: !tile.view<?xf32>) grid launch {}

// -----

// expected-error@below {{expected argument 1 to be a view like its entry of 'tile.launch_views'}}
tile.kernel @raw_with_a_view_of_another_type(%p: !tile.ptr<bf16>, %v: !tile.view<?xf32>)
    grid launch attributes {tile.launch_views = [{alignment = 16 : i64, pointer = 0 : i64, size_divisors = array<i64: 1>,
      stride_divisors = array<i64: 1>, words = affine_map<()[s0] -> (s0, 1)>}]} {}

// -----

// expected-error@below {{expected 'tile.launch_views' on a kernel with 'grid launch', with an entry for each of the last arguments}}
tile.kernel @launch_views_with_a_grid(%v: !tile.view<?xf32>) grid [1] attributes {tile.launch_views = []} {}

// -----

// expected-error@below {{'tile.kernel' op takes pointers only with 'grid launch', but argument 0 is '!tile.ptr<f32>'; pass a !tile.view, or leave the grid to the launch}}
tile.kernel @pointer_without_launch(%x: !tile.ptr<f32>) grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op argument 0 is '!tile.ptr<!tile.elt<X>>'; with 'grid launch' a pointer says the type of its elements}}
tile.kernel @raw_with_a_type_variable(%x: !tile.ptr<!tile.elt<X>>) params {X: type = f32 in [f32, bf16]} grid launch {}

// -----

// expected-error@below {{'tile.kernel' op with 'grid launch' cannot implement an op of a graph, whose launches do not know the grid}}
tile.kernel @raw_that_implements(%x: !tile.ptr<f32>) implements(gpt.linear) grid launch {}

// -----

// expected-error@below {{'tile.kernel' op expected a pointer or a scalar as argument 0, found 'tensor<4xf32>'}}
tile.kernel @raw_with_a_tensor(%x: tensor<4xf32>) grid launch {}

// -----

tile.kernel @raw_axis() grid launch {
  // expected-error@below {{'tile.block_id' op axis 3 is out of range: the grid of 'raw_axis' has 3 axes}}
  %0 = tile.block_id 3
}

// -----

// expected-error@below {{'tile.kernel' op default of "Y" is the type of "X", which is no type parameter declared before it}}
tile.kernel @follows_a_later_one(%x: !tile.view<?x!tile.elt<X>>)
    params {Y: type = !tile.elt<X>, X: type = f32} grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op default of "Y" is the type of "N", which is no type parameter declared before it}}
tile.kernel @follows_a_number() params {N = 2, Y: type = !tile.elt<N>} grid [1] {}

// -----

// expected-error@below {{'tile.kernel' op default of "Y" is the type of "Y", which is no type parameter declared before it}}
tile.kernel @follows_itself() params {Y: type = !tile.elt<Y>} grid [1] {}

// -----

// expected-error@below {{custom op 'tile.kernel' expected one of == < <= > >=}}
tile.kernel @requires_by_assignment(%a: !tile.view<?xf32>, %b: !tile.view<?xf32>) requires(dim(%a, 0) = dim(%b, 0)) grid [1] {}

// -----

tile.kernel @loop_without_yield(%n: index, %i: i32) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@below {{'scf.for' op expected its body to end with scf.yield of 1 value, found 0}}
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %i) -> (i32) {
    %b = arith.addi %a, %a : i32
  }
}

// -----

tile.kernel @branch_without_yield(%c: i1, %i: i32) grid [1] {
  // expected-error@below {{'scf.if' op expected its body to end with scf.yield of 1 value, found 0}}
  %r = scf.if %c -> (i32) {
    scf.yield %i : i32
  } else {
    %b = arith.addi %i, %i : i32
  }
}

// -----

tile.kernel @while_yields_too_little(%c: i1, %i: i32) grid [1] {
  // expected-error@below {{'scf.while' op expected its body to end with scf.yield of 2 values, found 1}}
  %r:2 = scf.while (%a = %i, %b = %i) : (i32, i32) -> (i32, i32) {
    scf.condition(%c) %a, %b : i32, i32
  } do {
  ^bb0(%a: i32, %b: i32):
    scf.yield %a : i32
  }
}

// -----

tile.kernel @loop_without_step(%n: index) grid [1] {
  %c0 = arith.constant 0 : index
  // expected-error@below {{'scf.for' op expected a positive step, found 0}}
  scf.for %k = %c0 to %n step %c0 {
  }
}

// -----

tile.kernel @loop_downwards(%n: i32) grid [1] {
  %c0 = arith.constant 0 : i32
  %step = arith.constant -2 : i32
  // expected-error@below {{'scf.for' op expected a positive step, found -2}}
  scf.for %k = %n to %c0 step %step : i32 {
  }
}

// -----

// expected-error@below {{'tile.kernel' op expected a view or a scalar as argument 0, found 'i0'}}
tile.kernel @argument_without_bits(%n: i0) grid [1] {}

// -----

tile.kernel @tile_without_bits(%x: !tile.view<?xi32>) grid [1] {
  %m = tile.block_id 0
  %t = tile.load %x[%m] [4] : !tile.view<?xi32> -> tensor<4xi32>
  // expected-error@below {{'arith.trunci' op expected integers of at least 1 bit in a kernel, found 'tensor<4xi0>'}}
  %none = arith.trunci %t : tensor<4xi32> to tensor<4xi0>
}
