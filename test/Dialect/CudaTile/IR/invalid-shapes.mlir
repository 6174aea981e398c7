// Errors of constants and shapes.
// RUN: tilegpt-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected a tile of 'f32', found '!cuda_tile.tile<f16>'}}
  %0 = constant <f32: 1.0> : tile<f16>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected a number of type 'i32', found 'true', which is of i1}}
  %0 = constant <i32: true> : tile<i32>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{unexpected decimal integer literal for a floating point value}}
  %0 = constant <f32: 1> : tile<f32>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected a number of type 'i32'}}
  %0 = constant <i32: 1.0> : tile<i32>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected a number in the signed or unsigned range of 'i8'}}
  %0 = constant <i8: 256> : tile<i8>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected a number in the signed or unsigned range of 'i8'}}
  %0 = constant <i8: -129> : tile<i8>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected a number in the signed or unsigned range of 'i1'}}
  %0 = constant <i1: 2> : tile<i1>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected a number in the signed or unsigned range of 'i32'}}
  %0 = constant <i32: 4294967296> : tile<i32>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected a number in the signed range of 'i64'}}
  %0 = constant <i64: 9223372036854775808> : tile<i64>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected a number in the signed range of 'i64'}}
  %0 = constant <i64: [0, 0xFFFFFFFFFFFFFFFF]> : tile<2xi64>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected a number in the signed range of 'i64'}}
  %0 = constant <i64: -9223372036854775809> : tile<i64>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected lists of one shape, found [1] behind [2]}}
  %0 = constant <i32: [[1, 2], [3]]> : tile<2x2xi32>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected a number of type 'i32'}}
  %0 = constant <i32: []> : tile<2xi32>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected a tile of the literal's shape, [2], found '!cuda_tile.tile<4xi32>'}}
  %0 = constant <i32: [1, 2]> : tile<4xi32>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected a tile of the literal's shape, [2], found '!cuda_tile.tile<i32>'}}
  %0 = constant <i32: [1, 2]> : tile<i32>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected numbers as literals, found 'i4'}}
  %0 = constant <i4: 1> : tile<8xi4>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected numbers as literals, found '!cuda_tile.ptr<f32>'}}
  %0 = constant <ptr<f32>: 0> : tile<ptr<f32>>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{custom op 'cuda_tile.constant' expected a tile of 'f32', found 'f32'}}
  %0 = constant <f32: 1.0> : f32
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.broadcast' op expected tiles of one rank, found '!cuda_tile.tile<8xi32>' and '!cuda_tile.tile<1x8xi32>'}}
  %0 = broadcast %a : tile<8xi32> -> tile<1x8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.broadcast' op expected axis 0 of size 1 or 16 to broadcast, found 8}}
  %0 = broadcast %a : tile<8xi32> -> tile<16xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.broadcast' op expected elements of one type, found 'i32' and 'f32'}}
  %0 = broadcast %a : tile<8xi32> -> tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.reshape' op expected as many elements, 8, found 16}}
  %0 = reshape %a : tile<8xi32> -> tile<4x4xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.reshape' op expected elements of one type, found 'i32' and 'f32'}}
  %0 = reshape %a : tile<8xi32> -> tile<2x4xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.permute' op expected a tile of rank 2 or more, found '!cuda_tile.tile<8xi32>'}}
  %0 = permute %a [0] : tile<8xi32> -> tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<2x4xi32>) {
  // expected-error @below {{'cuda_tile.permute' op expected a permutation of 2 axes, found [0, 0]}}
  %0 = permute %a [0, 0] : tile<2x4xi32> -> tile<2x4xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<2x4xi32>) {
  // expected-error @below {{'cuda_tile.permute' op expected a permutation of 2 axes, found [0, 2]}}
  %0 = permute %a [0, 2] : tile<2x4xi32> -> tile<2x4xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<2x4xi32>) {
  // expected-error @below {{'cuda_tile.permute' op expected a permutation of 2 axes, found [1]}}
  %0 = permute %a [1] : tile<2x4xi32> -> tile<4x2xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<2x4xi32>) {
  // expected-error @below {{'cuda_tile.permute' op expected size 4 along axis 0 of the result, found 2}}
  %0 = permute %a [1, 0] : tile<2x4xi32> -> tile<2x4xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<2x4xi32>) {
  // expected-error @below {{'cuda_tile.permute' op expected elements of one type, found 'i32' and 'f32'}}
  %0 = permute %a [1, 0] : tile<2x4xi32> -> tile<4x2xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.cat' op expected dim below the rank, 1, found 1}}
  %0 = cat %a, %b dim = 1 : tile<8xi32>, tile<8xi32> -> tile<16xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.cat' op expected dim below the rank, 1, found -1}}
  %0 = cat %a, %b dim = -1 : tile<8xi32>, tile<8xi32> -> tile<16xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.cat' op expected size 16 along axis 0 of the result, found 8}}
  %0 = cat %a, %b dim = 0 : tile<8xi32>, tile<8xi32> -> tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<2x4xi32>, %b: tile<2x8xi32>) {
  // expected-error @below {{'cuda_tile.cat' op expected operands of one size along axis 1, found 4 and 8}}
  %0 = cat %a, %b dim = 0 : tile<2x4xi32>, tile<2x8xi32> -> tile<4x4xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.cat' op expected elements of one type, found 'i32' and 'f32'}}
  %0 = cat %a, %b dim = 0 : tile<8xi32>, tile<8xf32> -> tile<16xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<1x8xi32>) {
  // expected-error @below {{'cuda_tile.cat' op expected tiles of one rank, found '!cuda_tile.tile<8xi32>' and '!cuda_tile.tile<1x8xi32>'}}
  %0 = cat %a, %b dim = 0 : tile<8xi32>, tile<1x8xi32> -> tile<16xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.extract' op expected a size that divides 8 along axis 0, found 16}}
  %0 = extract %a[%i] : tile<8xi32> -> tile<16xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.extract' op expected an index for each of the 1 axes, found 2}}
  %0 = extract %a[%i, %i] : tile<8xi32> -> tile<4xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.extract' op expected elements of one type, found 'i32' and 'f32'}}
  %0 = extract %a[%i] : tile<8xi32> -> tile<4xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.extract' op expected tiles of one rank, found '!cuda_tile.tile<8xi32>' and '!cuda_tile.tile<1x4xi32>'}}
  %0 = extract %a[%i] : tile<8xi32> -> tile<1x4xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %i: tile<i64>) {
  // expected-error @below {{use of value '%i' expects different type than prior uses: '!cuda_tile.tile<i32>' vs '!cuda_tile.tile<i64>'}}
  %0 = extract %a[%i] : tile<8xi32> -> tile<4xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{use of value '%a' expects different type than prior uses: '!cuda_tile.tile<i32>' vs '!cuda_tile.tile<8xi32>'}}
  %0 = extract %a[%a] : tile<8xi32> -> tile<4xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<4xi32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.insert' op expected a size that divides 4 along axis 0, found 8}}
  %0 = insert %a, %b[%i] : tile<8xi32>, tile<4xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<16xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.insert' op expected elements of one type, found 'f32' and 'i32'}}
  %0 = insert %a, %b[%i] : tile<8xi32>, tile<16xf32>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{'cuda_tile.iota' op expected a tile of rank 1, found '!cuda_tile.tile<2x4xi32>'}}
  %0 = iota : tile<2x4xi32>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{'cuda_tile.iota' op expected at most 256 elements, as many as 'i8' has values, found 512}}
  %0 = iota : tile<512xi8>
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{'cuda_tile.iota' op result #0 must be tile of i1, i8, i16, i32 or i64, but got '!cuda_tile.tile<8xf32>'}}
  %0 = iota : tile<8xf32>
}

// -----

cuda_tile.testing$func @f(%a: tile<2x4xi32>) {
  // expected-error @below {{'cuda_tile.pack' op expected tiles of rank 1, found '!cuda_tile.tile<2x4xi32>'}}
  %0 = pack %a : tile<2x4xi32> -> tile<32xi8>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.pack' op expected the 32 bytes of '!cuda_tile.tile<8xi32>', found 8}}
  %0 = pack %a : tile<8xi32> -> tile<8xi8>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi8>) {
  // expected-error @below {{'cuda_tile.pack' op expected elements that are not 8 bits wide, found '!cuda_tile.tile<8xi8>'}}
  %0 = pack %a : tile<8xi8> -> tile<8xi8>
}

// -----

cuda_tile.testing$func @f(%a: tile<4xi1>) {
  // expected-error @below {{'cuda_tile.pack' op expected whole bytes, found 4 bits in '!cuda_tile.tile<4xi1>'}}
  %0 = pack %a : tile<4xi1> -> tile<1xi8>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi8>) {
  // expected-error @below {{'cuda_tile.unpack' op expected elements that are not 8 bits wide, found '!cuda_tile.tile<8xf8E5M2>'}}
  %0 = unpack %a : tile<8xi8> -> tile<8xf8E5M2>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi8>) {
  // expected-error @below {{'cuda_tile.unpack' op expected the 16 bytes of '!cuda_tile.tile<4xi32>', found 8}}
  %0 = unpack %a : tile<8xi8> -> tile<4xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<8xi32>, %b: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.pack' op result #0 must be tile of i8, but got '!cuda_tile.tile<8xi32>'}}
  %0 = pack %a : tile<8xi32> -> tile<8xi32>
}
