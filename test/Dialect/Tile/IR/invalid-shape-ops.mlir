// Every way to misuse an op that makes or reshapes tiles, with the message it gets.
// RUN: tilegpt-opt %s --verify-diagnostics --split-input-file

func.func @splat_element_type(%v: f32) {
  // expected-error@below {{'tile.splat' op expected result of type 'tensor<4xf32>', found 'tensor<4xf16>': the element types differ}}
  %0 = tile.splat %v [4] : f32 -> tensor<4xf16>
  return
}

// -----

func.func @splat_shape(%v: f32) {
  // expected-error@below {{'tile.splat' op expected result of type 'tensor<4x2xf32>', found 'tensor<4x3xf32>': axis 1 is 2, not 3}}
  %0 = tile.splat %v [4, 2] : f32 -> tensor<4x3xf32>
  return
}

// -----

func.func @splat_undeclared_size(%v: f32) {
  // expected-error@below {{'tile.splat' op names the parameter "BM", which the kernel does not declare; add it to params}}
  %0 = tile.splat %v [BM] : f32 -> tensor<?xf32>
  return
}

// -----

func.func @splat_more_elements_than_can_be_counted(%v: f32) {
  // expected-error@below {{'tile.splat' op a tensor of 9223372036854775807x3 has more elements than 63 bits can address; use smaller sizes}}
  %0 = tile.splat %v [9223372036854775807, 3] : f32 -> tensor<?x?xf32>
  return
}

// -----

func.func @splat_element_type_without_tiles(%v: f8E4M3FNUZ) {
  // expected-error@below {{'tile.splat' op result #0 must be ranked tensor of i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or a type variable values, but got 'tensor<4xf8E4M3FNUZ>'}}
  %0 = tile.splat %v [4] : f8E4M3FNUZ -> tensor<4xf8E4M3FNUZ>
  return
}

// -----

func.func @splat_negative_size(%v: f32) {
  // expected-error@below {{custom op 'tile.splat' expected a positive tile size, found -4}}
  %0 = tile.splat %v [-4] : f32 -> tensor<?xf32>
  return
}

// -----

func.func @splat_size_that_is_neither_number_nor_name(%v: f32) {
  // expected-error@below {{custom op 'tile.splat' expected a tile size: an integer or the name of a parameter}}
  %0 = tile.splat %v [?] : f32 -> tensor<?xf32>
  return
}

// -----

func.func @splat_size_of_another_type(%v: f32) {
  // expected-error@below {{'tile.splat' op attribute 'sizes' failed to satisfy constraint: tile sizes: positive integers or parameter names}}
  %0 = "tile.splat"(%v) <{sizes = [4 : i32]}> : (f32) -> tensor<4xf32>
  return
}

// -----

func.func @iota_rank() {
  // expected-error@below {{'tile.iota' op expected one size, found 2; reshape or broadcast the 1-D result}}
  %0 = tile.iota [4, 4] : tensor<4x4xi32>
  return
}

// -----

func.func @iota_of_floats() {
  // expected-error@below {{'tile.iota' op result #0 must be ranked tensor of i8, i16, i32 or i64 values, but got 'tensor<4xf32>'}}
  %0 = tile.iota [4] : tensor<4xf32>
  return
}

// -----

func.func @iota_does_not_fit() {
  // expected-error@below {{'tile.iota' op the last value, 128, does not fit 'i8'; use a wider element type}}
  %0 = tile.iota [129] : tensor<129xi8>
  return
}

// -----

func.func @iota_undeclared_size() {
  // expected-error@below {{'tile.iota' op names the parameter "BN", which the kernel does not declare; add it to params}}
  %0 = tile.iota [BN] : tensor<?xi32>
  return
}

// -----

func.func @iota_shape() {
  // expected-error@below {{'tile.iota' op expected result of type 'tensor<4xi32>', found 'tensor<5xi32>': axis 0 is 4, not 5}}
  %0 = tile.iota [4] : tensor<5xi32>
  return
}

// -----

func.func @reshape_count(%t: tensor<8x4xf32>) {
  // expected-error@below {{'tile.reshape' op cannot reshape 'tensor<8x4xf32>' of 32 elements to 4x4, which has 16; sizes must multiply to the elements of the source}}
  %0 = tile.reshape %t [4, 4] : tensor<8x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @reshape_count_overflows(%t: tensor<8x4xf32>) {
  // expected-error@below {{'tile.reshape' op cannot reshape 'tensor<8x4xf32>' of 32 elements to 4294967296x4294967296, which has too many; sizes must multiply to the elements of the source}}
  %0 = tile.reshape %t [4294967296, 4294967296] : tensor<8x4xf32> -> tensor<?x?xf32>
  return
}

// -----

func.func @reshape_of_more_elements_than_can_be_counted(%t: tensor<4294967296x4294967296xf32>) {
  // expected-error@below {{'tile.reshape' op cannot reshape 'tensor<4294967296x4294967296xf32>' of too many elements to 4294967296x4294967296, which has too many; sizes must multiply to the elements of the source}}
  %0 = tile.reshape %t [4294967296, 4294967296] : tensor<4294967296x4294967296xf32> -> tensor<?x?xf32>
  return
}

// -----

func.func @reshape_undeclared_size(%t: tensor<8x4xf32>) {
  // expected-error@below {{'tile.reshape' op names the parameter "BM", which the kernel does not declare; add it to params}}
  %0 = tile.reshape %t [BM, 4] : tensor<8x4xf32> -> tensor<?x4xf32>
  return
}

// -----

func.func @reshape_element_type(%t: tensor<8x4xf32>) {
  // expected-error@below {{'tile.reshape' op expected result of type 'tensor<32xf32>', found 'tensor<32xi32>': the element types differ}}
  %0 = tile.reshape %t [32] : tensor<8x4xf32> -> tensor<32xi32>
  return
}

// -----

func.func @broadcast_fewer_axes(%t: tensor<1x4xf32>) {
  // expected-error@below {{'tile.broadcast' op cannot broadcast 'tensor<1x4xf32>' of rank 2 to rank 1; give one size for each axis}}
  %0 = tile.broadcast %t [4] : tensor<1x4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_4_to_8(%t: tensor<2x4xf32>) {
  // expected-error@below {{'tile.broadcast' op cannot broadcast 4 to 8 along axis 1 of 'tensor<2x4xf32>', asked for 3x2x8; an axis of the source is 1 or the size asked for}}
  %0 = tile.broadcast %t [3, 2, 8] : tensor<2x4xf32> -> tensor<3x2x8xf32>
  return
}

// -----

// A column needs a unit axis behind it.
func.func @broadcast_column(%t: tensor<16xf32>) {
  // expected-error@below {{'tile.broadcast' op cannot broadcast 16 to 64 along axis 0 of 'tensor<16xf32>', asked for 16x64; an axis of the source is 1 or the size asked for; tile.expand_dims inserts an axis of size 1 after axis 0}}
  %0 = tile.broadcast %t [16, 64] : tensor<16xf32> -> tensor<16x64xf32>
  return
}

// -----

func.func @broadcast_result(%t: tensor<1xf32>) {
  // expected-error@below {{'tile.broadcast' op expected result of type 'tensor<8xf32>', found 'tensor<4xf32>': axis 0 is 8, not 4}}
  %0 = tile.broadcast %t [8] : tensor<1xf32> -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_undeclared_size(%t: tensor<1xf32>) {
  // expected-error@below {{'tile.broadcast' op names the parameter "BN", which the kernel does not declare; add it to params}}
  %0 = tile.broadcast %t [BN] : tensor<1xf32> -> tensor<?xf32>
  return
}

// -----

func.func @expand_dims_axis(%t: tensor<4xf32>) {
  // expected-error@below {{'tile.expand_dims' op axis 2 is out of range: an axis can be inserted into 'tensor<4xf32>' at 0 to 1}}
  %0 = tile.expand_dims %t, 2 : tensor<4xf32> -> tensor<4x1xf32>
  return
}

// -----

func.func @expand_dims_negative_axis(%t: tensor<4xf32>) {
  // expected-error@below {{'tile.expand_dims' op axis -1 is out of range: an axis can be inserted into 'tensor<4xf32>' at 0 to 1}}
  %0 = tile.expand_dims %t, -1 : tensor<4xf32> -> tensor<4x1xf32>
  return
}

// -----

func.func @expand_dims_result(%t: tensor<4xf32>) {
  // expected-error@below {{'tile.expand_dims' op expected result of type 'tensor<1x4xf32>', found 'tensor<4x1xf32>': axis 0 is 1, not 4}}
  %0 = tile.expand_dims %t, 0 : tensor<4xf32> -> tensor<4x1xf32>
  return
}

// -----

func.func @permute_length(%t: tensor<4x8xf32>) {
  // expected-error@below {{'tile.permute' op expected permutation to be a permutation of 2 axes, found [1, 0, 2]: its length is 3}}
  %0 = tile.permute %t [1, 0, 2] : tensor<4x8xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @permute_repeats(%t: tensor<4x8xf32>) {
  // expected-error@below {{'tile.permute' op expected permutation to be a permutation of 2 axes, found [0, 0]: 0 repeats}}
  %0 = tile.permute %t [0, 0] : tensor<4x8xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @permute_out_of_range(%t: tensor<4x8xf32>) {
  // expected-error@below {{'tile.permute' op expected permutation to be a permutation of 2 axes, found [0, 2]: 2 is out of range}}
  %0 = tile.permute %t [0, 2] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @permute_result(%t: tensor<4x8xf32>) {
  // expected-error@below {{'tile.permute' op expected result of type 'tensor<8x4xf32>', found 'tensor<4x8xf32>': axis 0 is 8, not 4}}
  %0 = tile.permute %t [1, 0] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @cat_element_types(%a: tensor<4xf32>, %b: tensor<4xf16>) {
  // expected-error@below {{'tile.cat' op expected lhs and rhs of one element type, found 'tensor<4xf32>' and 'tensor<4xf16>'}}
  %0 = tile.cat %a, %b axis 0 : tensor<4xf32>, tensor<4xf16> -> tensor<8xf32>
  return
}

// -----

func.func @cat_ranks(%a: tensor<4xf32>, %b: tensor<4x1xf32>) {
  // expected-error@below {{'tile.cat' op expected lhs and rhs of one rank, found 'tensor<4xf32>' and 'tensor<4x1xf32>'}}
  %0 = tile.cat %a, %b axis 0 : tensor<4xf32>, tensor<4x1xf32> -> tensor<8xf32>
  return
}

// -----

func.func @cat_axis(%a: tensor<4xf32>) {
  // expected-error@below {{'tile.cat' op axis 1 is out of range: 'tensor<4xf32>' has 1 axis}}
  %0 = tile.cat %a, %a axis 1 : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @cat_other_axes(%a: tensor<8x4xf32>, %b: tensor<6x12xf32>) {
  // expected-error@below {{'tile.cat' op expected axis 0 of lhs (8) to match that of rhs (6): 'tensor<8x4xf32>' and 'tensor<6x12xf32>' are joined along axis 1}}
  %0 = tile.cat %a, %b axis 1 : tensor<8x4xf32>, tensor<6x12xf32> -> tensor<8x16xf32>
  return
}

// -----

func.func @cat_overflows(%a: tensor<9223372036854775807xi8>) {
  // expected-error@below {{'tile.cat' op size of axis 0, 9223372036854775807 + 9223372036854775807, exceeds 63 bits}}
  %0 = tile.cat %a, %a axis 0 : tensor<9223372036854775807xi8>, tensor<9223372036854775807xi8> -> tensor<?xi8>
  return
}

// -----

func.func @cat_result(%a: tensor<8x4xf32>, %b: tensor<8x12xf32>) {
  // expected-error@below {{'tile.cat' op expected result of type 'tensor<8x16xf32>', found 'tensor<8x12xf32>': axis 1 is 16, not 12}}
  %0 = tile.cat %a, %b axis 1 : tensor<8x4xf32>, tensor<8x12xf32> -> tensor<8x12xf32>
  return
}

// -----

func.func @extract_count_of_indices(%t: tensor<8x32xf32>, %i: index) {
  // expected-error@below {{'tile.extract' op expected as many indices as 'tensor<8x32xf32>' has axes (2), found 1}}
  %0 = tile.extract %t[%i] [8, 16] : tensor<8x32xf32> -> tensor<8x16xf32>
  return
}

// -----

func.func @extract_rank(%t: tensor<8x32xf32>, %i: index) {
  // expected-error@below {{'tile.extract' op expected a piece of rank 2 like 'tensor<8x32xf32>', found rank 1}}
  %0 = tile.extract %t[%i, %i] [16] : tensor<8x32xf32> -> tensor<16xf32>
  return
}

// -----

func.func @extract_too_large(%t: tensor<8x32xf32>, %i: index) {
  // expected-error@below {{'tile.extract' op piece of 8x64 does not fit 'tensor<8x32xf32>': axis 1 has 32, not 64 elements}}
  %0 = tile.extract %t[%i, %i] [8, 64] : tensor<8x32xf32> -> tensor<8x64xf32>
  return
}

// -----

func.func @extract_out_of_range(%t: tensor<8x32xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // expected-error@below {{'tile.extract' op index 2 along axis 1 is out of range: 'tensor<8x32xf32>' holds 2 whole pieces of 16 there; indices count pieces, not elements}}
  %0 = tile.extract %t[%c0, %c2] [8, 16] : tensor<8x32xf32> -> tensor<8x16xf32>
  return
}

// -----

func.func @extract_negative(%t: tensor<?xf32>) {
  %c = arith.constant -1 : index
  // expected-error@below {{'tile.extract' op index -1 along axis 0 is negative; indices count pieces from 0}}
  %0 = tile.extract %t[%c] [8] : tensor<?xf32> -> tensor<8xf32>
  return
}

// -----

func.func @extract_undeclared_size(%t: tensor<?xf32>, %i: index) {
  // expected-error@below {{'tile.extract' op names the parameter "BM", which the kernel does not declare; add it to params}}
  %0 = tile.extract %t[%i] [BM] : tensor<?xf32> -> tensor<?xf32>
  return
}

// -----

func.func @extract_result(%t: tensor<8xf32>, %i: index) {
  // expected-error@below {{'tile.extract' op expected result of type 'tensor<4xf32>', found 'tensor<8xf32>': axis 0 is 4, not 8}}
  %0 = tile.extract %t[%i] [4] : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @insert_element_types(%t: tensor<4xf16>, %d: tensor<8xf32>, %i: index) {
  // expected-error@below {{'tile.insert' op expected source and dest of one element type, found 'tensor<4xf16>' and 'tensor<8xf32>'}}
  %0 = tile.insert %t into %d[%i] : tensor<4xf16> into tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @insert_count_of_indices(%t: tensor<4xf32>, %d: tensor<8xf32>, %i: index) {
  // expected-error@below {{'tile.insert' op expected as many indices as 'tensor<8xf32>' has axes (1), found 2}}
  %0 = tile.insert %t into %d[%i, %i] : tensor<4xf32> into tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @insert_rank(%t: tensor<4x1xf32>, %d: tensor<8xf32>, %i: index) {
  // expected-error@below {{'tile.insert' op expected a piece of rank 1 like 'tensor<8xf32>', found rank 2}}
  %0 = tile.insert %t into %d[%i] : tensor<4x1xf32> into tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @insert_too_large(%t: tensor<16xf32>, %d: tensor<8xf32>, %i: index) {
  // expected-error@below {{'tile.insert' op piece of 16 does not fit 'tensor<8xf32>': axis 0 has 8, not 16 elements}}
  %0 = tile.insert %t into %d[%i] : tensor<16xf32> into tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @insert_out_of_range(%t: tensor<3xf32>, %d: tensor<8xf32>) {
  %c2 = arith.constant 2 : index
  // expected-error@below {{'tile.insert' op index 2 along axis 0 is out of range: 'tensor<8xf32>' holds 2 whole pieces of 3 there; indices count pieces, not elements}}
  %0 = tile.insert %t into %d[%c2] : tensor<3xf32> into tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @insert_result(%t: tensor<4xf32>, %d: tensor<8xf32>, %i: index) {
  // expected-error@below {{'tile.insert' op expected result of type 'tensor<8xf32>', found 'tensor<4xf32>': axis 0 is 8, not 4}}
  %0 = tile.insert %t into %d[%i] : tensor<4xf32> into tensor<8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @bytes_of_a_matrix(%x: tensor<4x4xf32>) {
  // expected-error@below {{'tile.bytes' op expected a 1-D source, found 'tensor<4x4xf32>'; reshape it}}
  %0 = tile.bytes %x : tensor<4x4xf32> -> tensor<64xi8>
  return
}

// -----

func.func @bytes_on_no_side(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.bytes' op expected i8 on one side, found 'tensor<4xf32>' and 'tensor<8xi16>'}}
  %0 = tile.bytes %x : tensor<4xf32> -> tensor<8xi16>
  return
}

// -----

func.func @bytes_on_both_sides(%x: tensor<4xi8>) {
  // expected-error@below {{'tile.bytes' op expected i8 on one side, found 'tensor<4xi8>' and 'tensor<4xi8>'}}
  %0 = tile.bytes %x : tensor<4xi8> -> tensor<4xi8>
  return
}

// -----

func.func @bytes_of_bits(%x: tensor<8xi1>) {
  // expected-error@below {{'tile.bytes' op expected numbers of 16, 32 or 64 bits on the other side of i8, found 'i1'}}
  %0 = tile.bytes %x : tensor<8xi1> -> tensor<8xi8>
  return
}

// -----

func.func @bytes_left_over(%x: tensor<10xi8>) {
  // expected-error@below {{'tile.bytes' op expected a multiple of 4 bytes for numbers of type 'f32', found 10}}
  %0 = tile.bytes %x : tensor<10xi8> -> tensor<2xf32>
  return
}

// -----

func.func @bytes_of_another_count(%x: tensor<4xf32>) {
  // expected-error@below {{'tile.bytes' op expected result of type 'tensor<16xi8>', found 'tensor<8xi8>': axis 0 is 16, not 8}}
  %0 = tile.bytes %x : tensor<4xf32> -> tensor<8xi8>
  return
}
