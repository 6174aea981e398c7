// Every way to misuse an op on views, with the message it gets.
// RUN: tilegpt-opt %s --verify-diagnostics --split-input-file

func.func @dim_axis_too_large(%x: !tile.view<?x4xf32>) {
  // expected-error@below {{'tile.dim' op axis 2 is out of range: '!tile.view<?x4xf32>' has 2 axes}}
  %0 = tile.dim %x, 2 : !tile.view<?x4xf32>
  return
}

// -----

func.func @dim_axis_negative(%x: !tile.view<4xf32>) {
  // expected-error@below {{'tile.dim' op axis -1 is out of range: '!tile.view<4xf32>' has 1 axis}}
  %0 = tile.dim %x, -1 : !tile.view<4xf32>
  return
}

// -----

func.func @num_tiles_axis(%x: !tile.view<?xf32>) {
  // expected-error@below {{'tile.num_tiles' op axis 1 is out of range: '!tile.view<?xf32>' has 1 axis}}
  %0 = tile.num_tiles %x, 1 by [8] : !tile.view<?xf32>
  return
}

// -----

func.func @num_tiles_sizes(%x: !tile.view<?xf32>) {
  // expected-error@below {{'tile.num_tiles' op expected one tile size, that of axis 0, found 2}}
  %0 = tile.num_tiles %x, 0 by [8, 4] : !tile.view<?xf32>
  return
}

// -----

func.func @num_tiles_name_outside_a_kernel(%x: !tile.view<?xf32>) {
  // expected-error@below {{'tile.num_tiles' op names the parameter "BN", which the kernel does not declare; add it to params}}
  %0 = tile.num_tiles %x, 0 by [BN] : !tile.view<?xf32>
  return
}

// -----

func.func @num_tiles_size_zero(%x: !tile.view<?xf32>) {
  // expected-error@below {{custom op 'tile.num_tiles' expected a positive tile size, found 0}}
  %0 = tile.num_tiles %x, 0 by [0] : !tile.view<?xf32>
  return
}

// -----

func.func @subview_count_of_offsets(%x: !tile.view<?x4xf32>) {
  // expected-error@below {{'tile.subview' op expected as many offsets as '!tile.view<?x4xf32>' has axes (2), found 1}}
  %0 = tile.subview %x[0] [4, 4] : !tile.view<?x4xf32> -> !tile.view<4x4xf32>
  return
}

// -----

func.func @subview_count_of_sizes(%x: !tile.view<?x4xf32>) {
  // expected-error@below {{'tile.subview' op expected as many sizes as '!tile.view<?x4xf32>' has axes (2), found 3}}
  %0 = tile.subview %x[0, 0] [4, 4, 1] : !tile.view<?x4xf32> -> !tile.view<4x4xf32>
  return
}

// -----

func.func @subview_dynamic_offset_without_operand(%x: !tile.view<8xf32>) {
  // expected-error@below {{'tile.subview' op expected as many operands as dynamic offsets (1), found 0}}
  %0 = "tile.subview"(%x) <{static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tile.view<8xf32>) -> !tile.view<4xf32>
  return
}

// -----

func.func @subview_operand_without_dynamic_size(%x: !tile.view<8xf32>, %n: index) {
  // expected-error@below {{'tile.subview' op expected as many operands as dynamic sizes (0), found 1}}
  %0 = "tile.subview"(%x, %n) <{static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (!tile.view<8xf32>, index) -> !tile.view<4xf32>
  return
}

// -----

func.func @subview_negative_offset(%x: !tile.view<8xf32>) {
  // expected-error@below {{'tile.subview' op offset of axis 0 is negative: -1}}
  %0 = tile.subview %x[-1] [4] : !tile.view<8xf32> -> !tile.view<4xf32>
  return
}

// -----

func.func @subview_negative_constant_offset(%x: !tile.view<8xf32>) {
  %c = arith.constant -2 : index
  // expected-error@below {{'tile.subview' op offset of axis 0 is negative: -2}}
  %0 = tile.subview %x[%c] [4] : !tile.view<8xf32> -> !tile.view<4xf32>
  return
}

// -----

func.func @subview_negative_size(%x: !tile.view<8xf32>) {
  // expected-error@below {{'tile.subview' op size of axis 0 is negative: -1}}
  %0 = tile.subview %x[0] [-1] : !tile.view<8xf32> -> !tile.view<?xf32>
  return
}

// -----

func.func @subview_leaves_the_source(%x: !tile.view<?x8xf32>) {
  // expected-error@below {{'tile.subview' op window of 4 at offset 5 leaves axis 1 of '!tile.view<?x8xf32>'; offset + size must not exceed the size of the axis}}
  %0 = tile.subview %x[0, 5] [4, 4] : !tile.view<?x8xf32> -> !tile.view<4x4xf32, strides=[8, 1]>
  return
}

// -----

func.func @subview_larger_than_the_source(%x: !tile.view<8xf32>, %i: index) {
  // expected-error@below {{'tile.subview' op window of 9 at offset ? leaves axis 0 of '!tile.view<8xf32>'; offset + size must not exceed the size of the axis}}
  %0 = tile.subview %x[%i] [9] : !tile.view<8xf32> -> !tile.view<9xf32>
  return
}

// -----

func.func @subview_end_overflows(%x: !tile.view<?xf32>) {
  // expected-error@below {{'tile.subview' op window of 1 at offset 9223372036854775807 leaves axis 0 of '!tile.view<?xf32>'; offset + size must not exceed the size of the axis}}
  %0 = tile.subview %x[9223372036854775807] [1] : !tile.view<?xf32> -> !tile.view<1xf32>
  return
}

// -----

func.func @subview_shape(%x: !tile.view<?x8xf32>) {
  // expected-error@below {{'tile.subview' op expected result of type '!tile.view<4x4xf32, strides=[8, 1]>', found '!tile.view<4x5xf32, strides=[8, 1]>': axis 1 is 4, not 5}}
  %0 = tile.subview %x[0, 0] [4, 4] : !tile.view<?x8xf32> -> !tile.view<4x5xf32, strides=[8, 1]>
  return
}

// -----

func.func @subview_rank(%x: !tile.view<?x8xf32>) {
  // expected-error@below {{'tile.subview' op expected result of type '!tile.view<4x4xf32, strides=[8, 1]>', found '!tile.view<4xf32>': its rank is 2, not 1}}
  %0 = tile.subview %x[0, 0] [4, 4] : !tile.view<?x8xf32> -> !tile.view<4xf32>
  return
}

// -----

func.func @subview_element_type(%x: !tile.view<?x8xf32>) {
  // expected-error@below {{'tile.subview' op expected result of type '!tile.view<4x8xf32>', found '!tile.view<4x8xf16>': the element types differ}}
  %0 = tile.subview %x[0, 0] [4, 8] : !tile.view<?x8xf32> -> !tile.view<4x8xf16>
  return
}

// -----

func.func @subview_stride(%x: !tile.view<?x8xf32>) {
  // expected-error@below {{'tile.subview' op expected result of type '!tile.view<4x4xf32, strides=[8, 1]>', found '!tile.view<4x4xf32, strides=[4, 1]>': axis 0 has stride 8, not 4}}
  %0 = tile.subview %x[0, 0] [4, 4] : !tile.view<?x8xf32> -> !tile.view<4x4xf32, strides=[4, 1]>
  return
}

// -----

func.func @subview_of_columns_is_not_dense(%x: !tile.view<?x8xf32>) {
  // expected-error@below {{'tile.subview' op expected result of type '!tile.view<4x4xf32, strides=[8, 1]>', found '!tile.view<4x4xf32>': it may not be dense; declare its strides}}
  %0 = tile.subview %x[0, 0] [4, 4] : !tile.view<?x8xf32> -> !tile.view<4x4xf32>
  return
}

// -----

func.func @subview_of_columns_may_not_be_dense(%x: !tile.view<?x?xf32>, %n: index) {
  // expected-error@below {{'tile.subview' op expected result of type '!tile.view<?x?xf32, strides=[?, 1]>', found '!tile.view<?x?xf32>': it may not be dense; declare its strides}}
  %0 = tile.subview %x[0, 0] [%n, %n] : !tile.view<?x?xf32> -> !tile.view<?x?xf32>
  return
}

// -----

func.func @select_too_many_indices(%x: !tile.view<8xf32>, %i: index) {
  // expected-error@below {{'tile.select' op expected no more indices than '!tile.view<8xf32>' has axes (1), found 2}}
  %0 = tile.select %x[%i, %i] : !tile.view<8xf32> -> !tile.view<f32>
  return
}

// -----

func.func @select_outside(%x: !tile.view<?x8xf32>, %i: index) {
  %c8 = arith.constant 8 : index
  // expected-error@below {{'tile.select' op index 8 is outside axis 1 of '!tile.view<?x8xf32>'}}
  %0 = tile.select %x[%i, %c8] : !tile.view<?x8xf32> -> !tile.view<f32>
  return
}

// -----

func.func @select_negative(%x: !tile.view<?x8xf32>) {
  %c = arith.constant -1 : index
  // expected-error@below {{'tile.select' op index -1 is outside axis 0 of '!tile.view<?x8xf32>'}}
  %0 = tile.select %x[%c] : !tile.view<?x8xf32> -> !tile.view<8xf32>
  return
}

// -----

func.func @select_shape(%x: !tile.view<?x8xf32>, %i: index) {
  // expected-error@below {{'tile.select' op expected result of type '!tile.view<8xf32>', found '!tile.view<4xf32>': axis 0 is 8, not 4}}
  %0 = tile.select %x[%i] : !tile.view<?x8xf32> -> !tile.view<4xf32>
  return
}

// -----

func.func @transpose_length(%x: !tile.view<?x8xf32>) {
  // expected-error@below {{'tile.transpose' op expected permutation to be a permutation of 2 axes, found [0]: its length is 1}}
  %0 = tile.transpose %x [0] : !tile.view<?x8xf32> -> !tile.view<?x8xf32>
  return
}

// -----

func.func @transpose_repeats(%x: !tile.view<?x8xf32>) {
  // expected-error@below {{'tile.transpose' op expected permutation to be a permutation of 2 axes, found [1, 1]: 1 repeats}}
  %0 = tile.transpose %x [1, 1] : !tile.view<?x8xf32> -> !tile.view<8x8xf32>
  return
}

// -----

func.func @transpose_out_of_range(%x: !tile.view<?x8xf32>) {
  // expected-error@below {{'tile.transpose' op expected permutation to be a permutation of 2 axes, found [2, 0]: 2 is out of range}}
  %0 = tile.transpose %x [2, 0] : !tile.view<?x8xf32> -> !tile.view<8x?xf32, strides=[1, 8]>
  return
}

// -----

func.func @transpose_is_not_dense(%x: !tile.view<?x8xf32>) {
  // expected-error@below {{'tile.transpose' op expected result of type '!tile.view<8x?xf32, strides=[1, 8]>', found '!tile.view<8x?xf32>': it may not be dense; declare its strides}}
  %0 = tile.transpose %x [1, 0] : !tile.view<?x8xf32> -> !tile.view<8x?xf32>
  return
}
