// Every way to misuse a load, store, gather or scatter, with the message it gets.
// RUN: tilegpt-opt %s --verify-diagnostics --split-input-file

func.func @load_count_of_indices(%x: !tile.view<?x8xf32>, %i: index) {
  // expected-error@below {{'tile.load' op expected as many tile indices as '!tile.view<?x8xf32>' has axes (2), found 1}}
  %0 = tile.load %x[%i] [4, 8] : !tile.view<?x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @load_rank_of_tile(%x: !tile.view<?x8xf32>, %i: index) {
  // expected-error@below {{'tile.load' op expected a tile of rank 2 like '!tile.view<?x8xf32>', found rank 1}}
  %0 = tile.load %x[%i, %i] [8] : !tile.view<?x8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @load_result_rank(%x: !tile.view<?x8xf32>, %i: index) {
  // expected-error@below {{'tile.load' op expected result of type 'tensor<4x8xf32>', found 'tensor<8xf32>': its rank is 2, not 1}}
  %0 = tile.load %x[%i, %i] [4, 8] : !tile.view<?x8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @load_result_shape(%x: !tile.view<?x8xf32>, %i: index) {
  // expected-error@below {{'tile.load' op expected result of type 'tensor<4x8xf32>', found 'tensor<4x4xf32>': axis 1 is 8, not 4}}
  %0 = tile.load %x[%i, %i] [4, 8] : !tile.view<?x8xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @load_element_type(%x: !tile.view<?x8xf32>, %i: index) {
  // expected-error@below {{'tile.load' op expected result of type 'tensor<4x8xf32>', found 'tensor<4x8xf16>': the element types differ}}
  %0 = tile.load %x[%i, %i] [4, 8] : !tile.view<?x8xf32> -> tensor<4x8xf16>
  return
}

// -----

func.func @load_order_length(%x: !tile.view<?x8xf32>, %i: index) {
  // expected-error@below {{'tile.load' op expected order to be a permutation of 2 axes, found [0]: its length is 1}}
  %0 = tile.load %x[%i, %i] [4, 8] order [0] : !tile.view<?x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @load_order_repeats(%x: !tile.view<?x8xf32>, %i: index) {
  // expected-error@below {{'tile.load' op expected order to be a permutation of 2 axes, found [0, 0]: 0 repeats}}
  %0 = tile.load %x[%i, %i] [4, 8] order [0, 0] : !tile.view<?x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @load_order_out_of_range(%x: !tile.view<?x8xf32>, %i: index) {
  // expected-error@below {{'tile.load' op expected order to be a permutation of 2 axes, found [-1, 0]: -1 is out of range}}
  %0 = tile.load %x[%i, %i] [4, 8] order [-1, 0] : !tile.view<?x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @load_pad_unknown(%x: !tile.view<?xf32>, %i: index) {
  // expected-error@below {{custom op 'tile.load' expected one of zero, neg_inf, pos_inf, nan, neg_zero, minus_one, found 'one'}}
  %0 = tile.load %x[%i] [4] pad(one) : !tile.view<?xf32> -> tensor<4xf32>
  return
}

// -----

func.func @load_pad_nan_of_integers(%x: !tile.view<?xi32>, %i: index) {
  // expected-error@below {{'tile.load' op pad(nan) needs float elements, but '!tile.view<?xi32>' holds integers; use pad(zero) or pad(minus_one)}}
  %0 = tile.load %x[%i] [4] pad(nan) : !tile.view<?xi32> -> tensor<4xi32>
  return
}

// -----

func.func @load_pad_infinity_of_integers(%x: !tile.view<?xi8>, %i: index) {
  // expected-error@below {{'tile.load' op pad(neg_inf) needs float elements, but '!tile.view<?xi8>' holds integers; use pad(zero) or pad(minus_one)}}
  %0 = tile.load %x[%i] [4] pad(neg_inf) : !tile.view<?xi8> -> tensor<4xi8>
  return
}

// -----

func.func @load_mask_shape(%x: !tile.view<?x8xf32>, %i: index, %m: tensor<4x4xi1>) {
  // expected-error@below {{'tile.load' op expected a mask of shape 4x8 like the tile, found 4x4}}
  %0 = tile.load %x[%i, %i] [4, 8] mask(%m : tensor<4x4xi1>) : !tile.view<?x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @load_mask_rank(%x: !tile.view<?x8xf32>, %i: index, %m: tensor<8xi1>) {
  // expected-error@below {{'tile.load' op expected a mask of shape 4x8 like the tile, found 8}}
  %0 = tile.load %x[%i, %i] [4, 8] mask(%m : tensor<8xi1>) : !tile.view<?x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @load_mask_type(%x: !tile.view<?xf32>, %i: index, %m: tensor<8xi8>) {
  // expected-error@below {{'tile.load' op operand #2 must be ranked tensor of 1-bit signless integer values, but got 'tensor<8xi8>'}}
  %0 = tile.load %x[%i] [8] mask(%m : tensor<8xi8>) : !tile.view<?xf32> -> tensor<8xf32>
  return
}

// -----

tile.kernel @load_undeclared_size(%x: !tile.view<?xf32>) params {BM = 4} grid [1] {
  %i = tile.block_id 0
  // expected-error@below {{'tile.load' op names the parameter "BN", which the kernel does not declare; add it to params}}
  %0 = tile.load %x[%i] [BN] : !tile.view<?xf32> -> tensor<?xf32>
}

// -----

tile.kernel @load_sized_by_a_type(%x: !tile.view<?xf32>) params {X: type = f32} grid [1] {
  %i = tile.block_id 0
  // expected-error@below {{'tile.load' op uses the type parameter "X" as a tile size}}
  %0 = tile.load %x[%i] [X] : !tile.view<?xf32> -> tensor<?xf32>
}

// -----

func.func @load_pad_without_infinity(%x: !tile.view<?xf8E4M3FN>, %i: index) {
  // expected-error@below {{'tile.load' op pad(neg_inf) needs a type with infinities, but '!tile.view<?xf8E4M3FN>' holds f8E4M3FN; use pad(zero) or pad(nan)}}
  %0 = tile.load %x[%i] [4] pad(neg_inf) : !tile.view<?xf8E4M3FN> -> tensor<4xf8E4M3FN>
  return
}

// -----

func.func @load_more_elements_than_can_be_counted(%x: !tile.view<?x?xf32>, %i: index) {
  // expected-error@below {{'tile.load' op a tensor of 4294967296x4294967296 has more elements than 63 bits can address; use smaller sizes}}
  %0 = tile.load %x[%i, %i] [4294967296, 4294967296] : !tile.view<?x?xf32> -> tensor<4294967296x4294967296xf32>
  return
}

// -----

func.func @load_element_type_without_tiles(%x: !tile.view<?xf8E8M0FNU>, %i: index) {
  // expected-error@below {{'tile.load' op result #0 must be ranked tensor of i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or a type variable values, but got 'tensor<4xf8E8M0FNU>'}}
  %0 = tile.load %x[%i] [4] : !tile.view<?xf8E8M0FNU> -> tensor<4xf8E8M0FNU>
  return
}

// -----

func.func @store_count_of_indices(%x: !tile.view<?x8xf32>, %t: tensor<4x8xf32>) {
  // expected-error@below {{'tile.store' op expected as many tile indices as '!tile.view<?x8xf32>' has axes (2), found 0}}
  tile.store %t, %x[] : tensor<4x8xf32>, !tile.view<?x8xf32>
  return
}

// -----

func.func @store_rank(%x: !tile.view<?x8xf32>, %t: tensor<8xf32>, %i: index) {
  // expected-error@below {{'tile.store' op expected a tile of rank 2 like '!tile.view<?x8xf32>', found rank 1}}
  tile.store %t, %x[%i, %i] : tensor<8xf32>, !tile.view<?x8xf32>
  return
}

// -----

func.func @store_element_type(%x: !tile.view<?x8xbf16>, %t: tensor<4x8xf32>, %i: index) {
  // expected-error@below {{'tile.store' op expected elements of type 'bf16' like '!tile.view<?x8xbf16>', found 'f32'; convert the tile first}}
  tile.store %t, %x[%i, %i] : tensor<4x8xf32>, !tile.view<?x8xbf16>
  return
}

// -----

func.func @store_order(%x: !tile.view<?x8xf32>, %t: tensor<4x8xf32>, %i: index) {
  // expected-error@below {{'tile.store' op expected order to be a permutation of 2 axes, found [1, 1]: 1 repeats}}
  tile.store %t, %x[%i, %i] order [1, 1] : tensor<4x8xf32>, !tile.view<?x8xf32>
  return
}

// -----

func.func @store_mask(%x: !tile.view<?x8xf32>, %t: tensor<4x8xf32>, %i: index, %m: tensor<4x1xi1>) {
  // expected-error@below {{'tile.store' op expected a mask of shape 4x8 like the tile, found 4x1}}
  tile.store %t, %x[%i, %i] mask(%m : tensor<4x1xi1>) : tensor<4x8xf32>, !tile.view<?x8xf32>
  return
}

// -----

tile.kernel @store_to_an_argument_that_is_read(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %y[%i] [4] : !tile.view<?xf32> -> tensor<4xf32>
  // expected-error@below {{'tile.store' op writes argument 0, which the kernel only reads; move it to outs}}
  tile.store %0, %x[%i] : tensor<4xf32>, !tile.view<?xf32>
}

// -----

tile.kernel @store_through_a_window_of_an_argument_that_is_read(%x: !tile.view<?x4xf32>) grid [1] {
  %i = tile.block_id 0
  %0 = arith.constant dense<0.0> : tensor<4xf32>
  %s = tile.select %x[%i] : !tile.view<?x4xf32> -> !tile.view<4xf32>
  // expected-error@below {{'tile.store' op writes argument 0, which the kernel only reads; move it to outs}}
  tile.store %0, %s[%i] : tensor<4xf32>, !tile.view<4xf32>
}

// -----

func.func @gather_axis(%x: !tile.view<?x8xf32>, %i: index, %at: tensor<4xi32>) {
  // expected-error@below {{'tile.gather' op axis 2 is out of range: '!tile.view<?x8xf32>' has 2 axes}}
  %0 = tile.gather %x[%i] at %at axis 2 [4, 8] : !tile.view<?x8xf32>, tensor<4xi32> -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_count_of_indices(%x: !tile.view<?x8xf32>, %i: index, %at: tensor<4xi32>) {
  // expected-error@below {{'tile.gather' op expected as many tile indices as '!tile.view<?x8xf32>' has axes besides the indexed one (1), found 2}}
  %0 = tile.gather %x[%i, %i] at %at axis 0 [4, 8] : !tile.view<?x8xf32>, tensor<4xi32> -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_rank(%x: !tile.view<?x8xf32>, %i: index, %at: tensor<4xi32>) {
  // expected-error@below {{'tile.gather' op expected a tile of rank 2 like '!tile.view<?x8xf32>', found rank 1}}
  %0 = tile.gather %x[%i] at %at axis 0 [4] : !tile.view<?x8xf32>, tensor<4xi32> -> tensor<4xf32>
  return
}

// -----

func.func @gather_index_rank(%x: !tile.view<?x8xf32>, %i: index, %at: tensor<4x1xi32>) {
  // expected-error@below {{'tile.gather' op expected a 1-D index tile, found 'tensor<4x1xi32>'}}
  %0 = tile.gather %x[%i] at %at axis 0 [4, 8] : !tile.view<?x8xf32>, tensor<4x1xi32> -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_index_length(%x: !tile.view<?x8xf32>, %i: index, %at: tensor<8xi32>) {
  // expected-error@below {{'tile.gather' op expected 4 indices, the size of the tile along axis 0, found 8}}
  %0 = tile.gather %x[%i] at %at axis 0 [4, 8] : !tile.view<?x8xf32>, tensor<8xi32> -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_index_type(%x: !tile.view<?xf32>, %at: tensor<8xf32>) {
  // expected-error@below {{'tile.gather' op operand #1 must be ranked tensor of i8, i16, i32 or i64 values, but got 'tensor<8xf32>'}}
  %0 = tile.gather %x[] at %at axis 0 [8] : !tile.view<?xf32>, tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @gather_mask(%x: !tile.view<?xf32>, %at: tensor<8xi32>, %m: tensor<4xi1>) {
  // expected-error@below {{'tile.gather' op expected a mask of shape 8 like the tile, found 4}}
  %0 = tile.gather %x[] at %at axis 0 [8] mask(%m : tensor<4xi1>) : !tile.view<?xf32>, tensor<8xi32> -> tensor<8xf32>
  return
}

// -----

func.func @gather_pad(%x: !tile.view<?xi32>, %at: tensor<8xi32>) {
  // expected-error@below {{'tile.gather' op pad(pos_inf) needs float elements, but '!tile.view<?xi32>' holds integers; use pad(zero) or pad(minus_one)}}
  %0 = tile.gather %x[] at %at axis 0 [8] pad(pos_inf) : !tile.view<?xi32>, tensor<8xi32> -> tensor<8xi32>
  return
}

// -----

func.func @gather_undeclared_size(%x: !tile.view<?xf32>, %at: tensor<?xi32>) {
  // expected-error@below {{'tile.gather' op names the parameter "BM", which the kernel does not declare; add it to params}}
  %0 = tile.gather %x[] at %at axis 0 [BM] : !tile.view<?xf32>, tensor<?xi32> -> tensor<?xf32>
  return
}

// -----

func.func @gather_result(%x: !tile.view<?xf32>, %at: tensor<8xi32>) {
  // expected-error@below {{'tile.gather' op expected result of type 'tensor<8xf32>', found 'tensor<4xf32>': axis 0 is 8, not 4}}
  %0 = tile.gather %x[] at %at axis 0 [8] : !tile.view<?xf32>, tensor<8xi32> -> tensor<4xf32>
  return
}

// -----

func.func @scatter_axis(%x: !tile.view<?xf32>, %at: tensor<8xi32>, %t: tensor<8xf32>) {
  // expected-error@below {{'tile.scatter' op axis -1 is out of range: '!tile.view<?xf32>' has 1 axis}}
  tile.scatter %t, %x[] at %at axis -1 : tensor<8xf32>, !tile.view<?xf32>, tensor<8xi32>
  return
}

// -----

func.func @scatter_count_of_indices(%x: !tile.view<?x4xf32>, %at: tensor<8xi32>, %t: tensor<8x4xf32>) {
  // expected-error@below {{'tile.scatter' op expected as many tile indices as '!tile.view<?x4xf32>' has axes besides the indexed one (1), found 0}}
  tile.scatter %t, %x[] at %at axis 0 : tensor<8x4xf32>, !tile.view<?x4xf32>, tensor<8xi32>
  return
}

// -----

func.func @scatter_rank(%x: !tile.view<?x4xf32>, %at: tensor<8xi32>, %t: tensor<8xf32>, %i: index) {
  // expected-error@below {{'tile.scatter' op expected a tile of rank 2 like '!tile.view<?x4xf32>', found rank 1}}
  tile.scatter %t, %x[%i] at %at axis 0 : tensor<8xf32>, !tile.view<?x4xf32>, tensor<8xi32>
  return
}

// -----

func.func @scatter_element_type(%x: !tile.view<?xf16>, %at: tensor<8xi32>, %t: tensor<8xf32>) {
  // expected-error@below {{'tile.scatter' op expected elements of type 'f16' like '!tile.view<?xf16>', found 'f32'; convert the tile first}}
  tile.scatter %t, %x[] at %at axis 0 : tensor<8xf32>, !tile.view<?xf16>, tensor<8xi32>
  return
}

// -----

func.func @scatter_index_rank(%x: !tile.view<?xf32>, %at: tensor<i32>, %t: tensor<8xf32>) {
  // expected-error@below {{'tile.scatter' op expected a 1-D index tile, found 'tensor<i32>'}}
  tile.scatter %t, %x[] at %at axis 0 : tensor<8xf32>, !tile.view<?xf32>, tensor<i32>
  return
}

// -----

func.func @scatter_index_length(%x: !tile.view<?xf32>, %at: tensor<4xi32>, %t: tensor<8xf32>) {
  // expected-error@below {{'tile.scatter' op expected 8 indices, the size of the tile along axis 0, found 4}}
  tile.scatter %t, %x[] at %at axis 0 : tensor<8xf32>, !tile.view<?xf32>, tensor<4xi32>
  return
}

// -----

func.func @scatter_mask(%x: !tile.view<?xf32>, %at: tensor<8xi32>, %t: tensor<8xf32>, %m: tensor<4xi1>) {
  // expected-error@below {{'tile.scatter' op expected a mask of shape 8 like the tile, found 4}}
  tile.scatter %t, %x[] at %at axis 0 mask(%m : tensor<4xi1>) : tensor<8xf32>, !tile.view<?xf32>, tensor<8xi32>
  return
}

// -----

tile.kernel @scatter_to_an_argument_that_is_read(%x: !tile.view<?xf32>) grid [1] {
  %0 = arith.constant dense<0.0> : tensor<4xf32>
  %i = tile.iota [4] : tensor<4xi32>
  // expected-error@below {{'tile.scatter' op writes argument 0, which the kernel only reads; move it to outs}}
  tile.scatter %0, %x[] at %i axis 0 : tensor<4xf32>, !tile.view<?xf32>, tensor<4xi32>
}

// -----

tile.kernel @pad_with_a_number(%x: !tile.view<?xf32>) grid [1] {
  %i = arith.constant 0 : index
  // expected-error@below {{custom op 'tile.load' expected one of zero, neg_inf, pos_inf, nan, neg_zero, minus_one}}
  %0 = tile.load %x[%i] [4] pad(-inf) : !tile.view<?xf32> -> tensor<4xf32>
}
