// Errors of views, pointers and tokens.
// RUN: tilegpt-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{use of value '%r' expects different type than prior uses: '!cuda_tile.tile<ptr<f32>>' vs '!cuda_tile.tile<8xi32>'}}
  %0 = make_tensor_view %r, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{use of value '%p' expects different type than prior uses: '!cuda_tile.tile<ptr<f16>>' vs '!cuda_tile.tile<ptr<f32>>'}}
  %0 = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf16, strides=[1]>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{custom op 'cuda_tile.make_tensor_view' expected 64 in shape of axis 0, as the type says, found 32}}
  %0 = make_tensor_view %p, shape = [32], strides = [1] : tensor_view<64xf32, strides=[1]>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{custom op 'cuda_tile.make_tensor_view' expected 1 in strides of axis 0, as the type says, found 2}}
  %0 = make_tensor_view %p, shape = [64], strides = [2] : tensor_view<64xf32, strides=[1]>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{custom op 'cuda_tile.make_tensor_view' expected 64 in shape of axis 0, as the type says, found a value}}
  %0 = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<64xf32, strides=[1]>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{custom op 'cuda_tile.make_tensor_view' expected a value in shape of axis 0, as the type says, found 64}}
  %0 = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<?xf32, strides=[1]>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{custom op 'cuda_tile.make_tensor_view' expected as many shape as the type has axes, 1, found 2}}
  %0 = make_tensor_view %p, shape = [64, 64], strides = [1] : tensor_view<64xf32, strides=[1]>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{use of value '%l' expects different type than prior uses: '!cuda_tile.tile<i32>' vs '!cuda_tile.tile<i64>'}}
  %0 = make_tensor_view %p, shape = [%n], strides = [%l] : tile<i32> -> tensor_view<?xf32, strides=[?]>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op operand #1 must be variadic of rank-0 tile of i1, i8, i16, i32 or i64, but got '!cuda_tile.tile<8xi32>'}}
  %0 = make_tensor_view %p, shape = [%r], strides = [1] : tile<8xi32> -> tensor_view<?xf32, strides=[1]>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{use of value '%v' expects different type than prior uses: '!cuda_tile.tensor_view<32xf32, strides=[1]>' vs '!cuda_tile.tensor_view<64xf32, strides=[1]>'}}
  %0 = make_partition_view %v : partition_view<tile=(8), tensor_view<32xf32, strides=[1]>>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{custom op 'cuda_tile.make_partition_view' expected the type of a view, found '!cuda_tile.tensor_view<64xf32, strides=[1]>'}}
  %0 = make_partition_view %v : tensor_view<64xf32, strides=[1]>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.make_partition_view' op result #0 must be partition_view, but got '!cuda_tile.gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>'}}
  %0 = make_partition_view %v : gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.make_strided_view' op result #0 must be strided_view, but got '!cuda_tile.partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>'}}
  %0 = make_strided_view %v : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{operation defines 1 results but was provided 2 to bind}}
  %0:2 = get_tensor_shape %v : tensor_view<64xf32, strides=[1]> -> tile<i32>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.get_tensor_shape' op result #0 must be variadic of rank-0 tile of i1, i8, i16, i32 or i64, but got '!cuda_tile.tile<8xi32>'}}
  %0 = get_tensor_shape %v : tensor_view<64xf32, strides=[1]> -> tile<8xi32>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{custom op 'cuda_tile.get_tensor_shape' expected a tensor_view, found '!cuda_tile.partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>'}}
  %0 = get_tensor_shape %t : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>> -> tile<i32>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{custom op 'cuda_tile.get_index_space_shape' expected a view of tiles, found '!cuda_tile.tensor_view<64xf32, strides=[1]>'}}
  %0 = get_index_space_shape %v : tensor_view<64xf32, strides=[1]> -> tile<i32>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.get_index_space_shape' op result #0 must be variadic of rank-0 tile of i1, i8, i16, i32 or i64, but got '!cuda_tile.tile<f32>'}}
  %0 = get_index_space_shape %t : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>> -> tile<f32>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected order weak, relaxed, acquire, found release}}
  %0, %1 = load_view_tko release device %t[%n] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected no scope of a weak access, found device}}
  %0, %1 = load_view_tko weak device %t[%n] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected a scope, tl_blk, device or sys, of a relaxed access}}
  %0, %1 = load_view_tko relaxed %t[%n] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{custom op 'cuda_tile.load_view_tko' expected a scope: tl_blk, device or sys, found 'cluster'}}
  %0, %1 = load_view_tko relaxed cluster %t[%n] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{custom op 'cuda_tile.load_view_tko' expected a memory order: weak, relaxed, acquire, release or acq_rel, found 'loosely'}}
  %0, %1 = load_view_tko loosely %t[%n] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected a tile of the view, '!cuda_tile.tile<8xf32>', found '!cuda_tile.tile<16xf32>'}}
  %0, %1 = load_view_tko weak %t[%n] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected a tile of the view, '!cuda_tile.tile<8xf32>', found '!cuda_tile.tile<8xf16>'}}
  %0, %1 = load_view_tko weak %t[%n] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf16>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected an index for each of the 1 axes, found 2}}
  %0, %1 = load_view_tko weak %t[%n, %n] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected an index for each of the 1 axes, found 0}}
  %0, %1 = load_view_tko weak %t[] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected a scalar as index of axis 0, found '!cuda_tile.tile<8xi32>'}}
  %0, %1 = load_view_tko weak %t[%r] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<8xi32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op operand #1 must be variadic of tile of i1, i8, i16, i32 or i64, but got '!cuda_tile.tile<8xf32>'}}
  %0, %1 = load_view_tko weak %t[%x] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<8xf32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected indices of one type, found '!cuda_tile.tile<i32>' and '!cuda_tile.tile<i64>'}}
  %0, %1 = load_view_tko weak %m[%n, %l] : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32>, tile<i64> -> tile<8x8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected a tile of 8 rows as index of the sparse axis 0, found '!cuda_tile.tile<i32>'}}
  %0, %1 = load_view_tko weak %g[%n] : gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, tile<i32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected a tile of 8 rows as index of the sparse axis 0, found '!cuda_tile.tile<4xi32>'}}
  %0, %1 = load_view_tko weak %g[%r4] : gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, tile<4xi32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected inbounds of each of the 1 axes, found 2}}
  %0, %1 = load_view_tko weak %t[%n] inbounds = [true, true] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.store_view_tko' op expected order weak, relaxed, release, found acquire}}
  %0 = store_view_tko acquire device %x, %t[%n] : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.store_view_tko' op expected a scope, tl_blk, device or sys, of a release access}}
  %0 = store_view_tko release %x, %t[%n] : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.store_view_tko' op expected a tile of the view, '!cuda_tile.tile<8xf32>', found '!cuda_tile.tile<8xf16>'}}
  %0 = store_view_tko weak %h, %t[%n] : tile<8xf16>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op expected order relaxed, found acquire}}
  %0 = atomic_red_view_tko acquire device %t[%n], addf, %x : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op expected scope tl_blk or device, found sys}}
  %0 = atomic_red_view_tko relaxed sys %t[%n], addf, %x : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op expected an update without a result, found xchg}}
  %0 = atomic_red_view_tko relaxed device %t[%n], xchg, %x : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op expected i32 or i64 for update add, found 'f32'}}
  %0 = atomic_red_view_tko relaxed device %t[%n], add, %x : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{custom op 'cuda_tile.atomic_red_view_tko' expected an update: and, or, xor, add, addf, max, min, umax or umin, found 'twice'}}
  %0 = atomic_red_view_tko relaxed device %t[%n], twice, %x : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op expected a view without a sparse axis, found '!cuda_tile.gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>'}}
  %0 = atomic_red_view_tko relaxed device %g[%r], addf, %x : tile<8xf32>, gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, tile<8xi32> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op expected a view without padding, found '!cuda_tile.partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>'}}
  %0 = atomic_red_view_tko relaxed device %pp[%n], addf, %x : tile<8xf32>, partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_ptr_tko' op expected order weak, relaxed, acquire, found release}}
  %0, %1 = load_ptr_tko release device %q : tile<8xptr<f32>> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_ptr_tko' op expected no scope of a weak access, found sys}}
  %0, %1 = load_ptr_tko weak sys %q : tile<8xptr<f32>> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_ptr_tko' op expected a scope, tl_blk, device or sys, of a acquire access}}
  %0, %1 = load_ptr_tko acquire %q : tile<8xptr<f32>> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_ptr_tko' op expected elements of the type pointed to, 'f32', found 'f16'}}
  %0, %1 = load_ptr_tko weak %q : tile<8xptr<f32>> -> tile<8xf16>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_ptr_tko' op expected a pointer for each element of '!cuda_tile.tile<4xf32>', found '!cuda_tile.tile<8xptr<f32>>'}}
  %0, %1 = load_ptr_tko weak %q : tile<8xptr<f32>> -> tile<4xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_ptr_tko' op expected a mask of the shape of '!cuda_tile.tile<8xf32>', found '!cuda_tile.tile<4xi1>'}}
  %0, %1 = load_ptr_tko weak %q, %c4 : tile<8xptr<f32>>, tile<4xi1> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.load_ptr_tko' op expected padding of the result's type, '!cuda_tile.tile<8xf32>', found '!cuda_tile.tile<8xf16>'}}
  %0, %1 = load_ptr_tko weak %q, %c, %h : tile<8xptr<f32>>, tile<8xi1>, tile<8xf16> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.store_ptr_tko' op expected order weak, relaxed, release, found acquire}}
  %0 = store_ptr_tko acquire device %q, %x : tile<8xptr<f32>>, tile<8xf32> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.store_ptr_tko' op expected elements of the type pointed to, 'f32', found 'f16'}}
  %0 = store_ptr_tko weak %q, %h : tile<8xptr<f32>>, tile<8xf16> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.store_ptr_tko' op expected a mask of the shape of '!cuda_tile.tile<8xf32>', found '!cuda_tile.tile<4xi1>'}}
  %0 = store_ptr_tko weak %q, %x, %c4 : tile<8xptr<f32>>, tile<8xf32>, tile<4xi1> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op expected order relaxed, acquire, release, acq_rel, found weak}}
  %0, %1 = atomic_rmw_tko weak device %qi, add, %r : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op expected i32 or i64 for update add, found 'f32'}}
  %0, %1 = atomic_rmw_tko relaxed device %q, add, %x : tile<8xptr<f32>>, tile<8xf32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op expected f16, bf16, f32 or f64 for update addf, found 'i32'}}
  %0, %1 = atomic_rmw_tko relaxed device %qi, addf, %r : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op expected i32 or i64 for update max, found 'i16'}}
  %0, %1 = atomic_rmw_tko relaxed device %qh, max, %hi : tile<8xptr<i16>>, tile<8xi16> -> tile<8xi16>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op expected 32 or 64 bits for update xchg, found 'i16'}}
  %0, %1 = atomic_rmw_tko relaxed device %qh, xchg, %hi : tile<8xptr<i16>>, tile<8xi16> -> tile<8xi16>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op expected elements of the type pointed to, 'f32', found 'i32'}}
  %0, %1 = atomic_rmw_tko relaxed device %q, add, %r : tile<8xptr<f32>>, tile<8xi32> -> tile<8xi32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op expected a mask of the shape of '!cuda_tile.tile<8xi32>', found '!cuda_tile.tile<4xi1>'}}
  %0, %1 = atomic_rmw_tko relaxed device %qi, add, %r, %c4 : tile<8xptr<i32>>, tile<8xi32>, tile<4xi1> -> tile<8xi32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_cas_tko' op expected order relaxed, acquire, release, acq_rel, found weak}}
  %0, %1 = atomic_cas_tko weak device %qi, %r, %r : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_cas_tko' op expected elements of 32 or 64 bits, found 'i16'}}
  %0, %1 = atomic_cas_tko relaxed device %qh, %hi, %hi : tile<8xptr<i16>>, tile<8xi16> -> tile<8xi16>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.offset' op failed to verify that all of {ptr, offset} have same shape}}
  %0 = offset %q, %r4 : tile<8xptr<f32>>, tile<4xi32> -> tile<8xptr<f32>>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.offset' op operand #1 must be tile of i1, i8, i16, i32 or i64, but got '!cuda_tile.tile<8xf32>'}}
  %0 = offset %q, %x : tile<8xptr<f32>>, tile<8xf32> -> tile<8xptr<f32>>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.join_tokens' op expected two tokens or more, found 1}}
  %0 = join_tokens %k : token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.alloca' op expected an alignment that is a power of two, found 3}}
  %0 = alloca num_elem = 8, alignment = 3 : tile<ptr<f32>>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.alloca' op expected an alignment of at least 4 bytes, the size of 'f32', found 2}}
  %0 = alloca num_elem = 8, alignment = 2 : tile<ptr<f32>>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>, %v: tensor_view<64xf32, strides=[1]>, %t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, %pp: partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, %m: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, %x: tile<8xf32>, %h: tile<8xf16>, %r: tile<8xi32>, %r4: tile<4xi32>, %q: tile<8xptr<f32>>, %qi: tile<8xptr<i32>>, %qh: tile<8xptr<i16>>, %hi: tile<8xi16>, %k: token, %c: tile<8xi1>, %c4: tile<4xi1>, %x2: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.alloca' op attribute 'num_elem' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = alloca num_elem = -1, alignment = 4 : tile<ptr<f32>>
}

// -----

cuda_tile.testing$func @f(%g: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>, sparse_dim=0>, %r: tile<8xi32>, %x: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.multimem_store_view_tko' op expected a partition_view, found '!cuda_tile.gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>, sparse_dim=0>'}}
  %0 = multimem_store_view_tko weak %g, %x[%r] : gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>, sparse_dim=0>, tile<8xf32>, tile<8xi32> -> token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op expected order weak, relaxed, acquire, found release}}
  %0, %1 = multimem_load_reduce_view_tko release device %t[%n] : partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %n: tile<i32>, %x: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.multimem_reduce_view_tko' op expected order relaxed, release, found acquire}}
  %0 = multimem_reduce_view_tko acquire device %t, %x[%n] : partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %n: tile<i32>, %x: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.multimem_reduce_view_tko' op expected elements of i32 or i64 for reduction max, found 'f32'}}
  %0 = multimem_reduce_view_tko relaxed device %t, %x[%n] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op expected elements of i32, i64, f16 or bf16 for reduction min, found 'f32'}}
  %0, %1 = multimem_load_reduce_view_tko weak %t[%n] attributes {reduction = #cuda_tile.multimem_reduction_kind<min>} : partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8), tensor_view<64xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op expected elements of i32 or i64 for reduction xor, found 'f16'}}
  %0, %1 = multimem_load_reduce_view_tko weak %t[%n] attributes {reduction = #cuda_tile.multimem_reduction_kind<xor>} : partition_view<tile=(8), tensor_view<64xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf16>, token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8), tensor_view<64xi16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op expected elements of i32, i64, f16, bf16, f32 or f64, found 'i16'}}
  %0, %1 = multimem_load_reduce_view_tko weak %t[%n] : partition_view<tile=(8), tensor_view<64xi16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xi16>, token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8), tensor_view<64xtf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %n: tile<i32>, %x: tile<8xtf32>) {
  // expected-error @below {{'cuda_tile.multimem_store_view_tko' op expected elements of i32, i64, f16, bf16, f32 or f64, found 'tf32'}}
  %0 = multimem_store_view_tko weak %t, %x[%n] : partition_view<tile=(8), tensor_view<64xtf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xtf32>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8), tensor_view<64xbf16, strides=[2], #cuda_tile.ptr_attr<multicast>>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op expected one axis of stride 1 for elements of 16 bits, found '!cuda_tile.tensor_view<64xbf16, strides=[2], #cuda_tile.ptr_attr<multicast>>'}}
  %0, %1 = multimem_load_reduce_view_tko weak %t[%n] : partition_view<tile=(8), tensor_view<64xbf16, strides=[2], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xbf16>, token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(1), tensor_view<64xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op expected an even number of elements of 16 bits, found '!cuda_tile.tile<1xf16>'}}
  %0, %1 = multimem_load_reduce_view_tko weak %t[%n] : partition_view<tile=(1), tensor_view<64xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<1xf16>, token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<unicast>>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op expected a view of multicast memory, class multicast, found unicast}}
  %0, %1 = multimem_load_reduce_view_tko weak %t[%n] : partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<unicast>>>, tile<i32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, %n: tile<i32>, %x: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.multimem_store_view_tko' op expected a view of multicast memory, class multicast, found no class}}
  %0 = multimem_store_view_tko weak %t, %x[%n] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<8xf32>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %n: tile<i32>, %k: token) {
  // expected-error @below {{custom op 'cuda_tile.multimem_load_reduce_view_tko' expected the type of the token last, found '!cuda_tile.tile<i32>'}}
  %0, %1 = multimem_load_reduce_view_tko weak %t[%n] token = %k : partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected a view of memory that is not multicast, found multicast}}
  %0, %1 = load_view_tko weak %t[%n] : partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf32>, token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %n: tile<i32>, %x: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.store_view_tko' op expected a view of memory that is not multicast, found multicast}}
  %0 = store_view_tko weak %x, %t[%n] : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %n: tile<i32>, %x: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op expected a view of memory that is not multicast, found multicast}}
  %0 = atomic_red_view_tko relaxed device %t[%n], addf, %x : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<i32, <multicast>>>) {
  // expected-error @below {{'cuda_tile.load_ptr_tko' op expected pointers to memory that is not multicast, found '!cuda_tile.tile<ptr<i32, <multicast>>>'}}
  %0, %1 = load_ptr_tko weak %p : tile<ptr<i32, <multicast>>> -> tile<i32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<i32, <multicast>>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.store_ptr_tko' op expected pointers to memory that is not multicast, found '!cuda_tile.tile<ptr<i32, <multicast>>>'}}
  %0 = store_ptr_tko weak %p, %n : tile<ptr<i32, <multicast>>>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<i32, <multicast>>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op expected pointers to memory that is not multicast, found '!cuda_tile.tile<ptr<i32, <multicast>>>'}}
  %0, %1 = atomic_rmw_tko relaxed device %p, add, %n : tile<ptr<i32, <multicast>>>, tile<i32> -> tile<i32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<i32, <multicast>>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.atomic_cas_tko' op expected pointers to memory that is not multicast, found '!cuda_tile.tile<ptr<i32, <multicast>>>'}}
  %0, %1 = atomic_cas_tko relaxed device %p, %n, %n : tile<ptr<i32, <multicast>>>, tile<i32> -> tile<i32>, token
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<i32, <multicast>>>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op expected a tensor of the pointer's class, multicast, found no class}}
  %0 = make_tensor_view %p, shape = [64], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<64xi32, strides=[1]>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<i32>>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op expected a tensor of the pointer's class, no class, found unicast}}
  %0 = make_tensor_view %p, shape = [64], strides = [1] : tile<ptr<i32>> -> tensor_view<64xi32, strides=[1], #cuda_tile.ptr_attr<unicast>>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<i32, <none>>>) {
  // expected-error @below {{use of value '%p' expects different type than prior uses: '!cuda_tile.tile<ptr<i32>>' vs '!cuda_tile.tile<ptr<i32, <none>>>'}}
  %0 = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8x8), tensor_view<64x64xf4E2M1FN, strides=[64,2]>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected one axis of stride 1, along which elements are packed, found '!cuda_tile.tensor_view<64x64xf4E2M1FN, strides=[64,2]>'}}
  %0, %1 = load_view_tko weak %t[%n, %n] : partition_view<tile=(8x8), tensor_view<64x64xf4E2M1FN, strides=[64,2]>>, tile<i32> -> tile<8x8xf4E2M1FN>, token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8x8), tensor_view<64x64xf4E2M1FN, strides=[1,1]>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected one axis of stride 1, along which elements are packed, found '!cuda_tile.tensor_view<64x64xf4E2M1FN, strides=[1,1]>'}}
  %0, %1 = load_view_tko weak %t[%n, %n] : partition_view<tile=(8x8), tensor_view<64x64xf4E2M1FN, strides=[1,1]>>, tile<i32> -> tile<8x8xf4E2M1FN>, token
}

// -----

cuda_tile.testing$func @f(%t: partition_view<tile=(8x8), tensor_view<64x64xf4E2M1FN, strides=[64,?]>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected one axis of stride 1, along which elements are packed, found '!cuda_tile.tensor_view<64x64xf4E2M1FN, strides=[64,?]>'}}
  %0, %1 = load_view_tko weak %t[%n, %n] : partition_view<tile=(8x8), tensor_view<64x64xf4E2M1FN, strides=[64,?]>>, tile<i32> -> tile<8x8xf4E2M1FN>, token
}

// -----

cuda_tile.testing$func @f(%t: gather_scatter_view<tile=(8x8), tensor_view<64x64xf4E2M1FN, strides=[64,1]>, sparse_dim=1>, %n: tile<i32>, %r: tile<8xi32>, %x: tile<8x8xf4E2M1FN>) {
  // expected-error @below {{'cuda_tile.store_view_tko' op expected a sparse axis other than that of stride 1, along which elements are packed, found '!cuda_tile.gather_scatter_view<tile=(8x8), tensor_view<64x64xf4E2M1FN, strides=[64,1]>, sparse_dim=1>'}}
  %0 = store_view_tko weak %x, %t[%n, %r] : tile<8x8xf4E2M1FN>, gather_scatter_view<tile=(8x8), tensor_view<64x64xf4E2M1FN, strides=[64,1]>, sparse_dim=1>, tile<i32>, tile<8xi32> -> token
}

// -----

#fact = #cuda_tile.div_by<16>
cuda_tile.testing$func @f(%p: tile<ptr<f32>>) {
  // expected-error @below {{custom op 'cuda_tile.load_ptr_tko' invalid kind of attribute specified}}
  %0, %1 = load_ptr_tko weak %p optimization_hints = #fact : tile<ptr<f32>> -> tile<f32>, token
}

// -----

cuda_tile.testing$func @f(%v: !cuda_tile.partition_view<tile=(8), !cuda_tile.tensor_view<64xi32, strides=[1]>>, %i: tile<i32>) {
  // expected-error @below {{expected other attributes than "inbounds", which is written in front of them}}
  %x, %k = load_view_tko weak %v[%i] attributes {inbounds = array<i1: true>} : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
}

// -----

cuda_tile.testing$func @f(%v: !cuda_tile.partition_view<tile=(8), !cuda_tile.tensor_view<64xi32, strides=[1]>>, %i: tile<i32>, %x: tile<8xi32>) {
  // expected-error @below {{expected other attributes than "memory_ordering_semantics", which is written in front of them}}
  %k = store_view_tko weak %x, %v[%i] attributes {memory_ordering_semantics = 0 : i32} : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
}

// -----

cuda_tile.testing$func @f(%v: !cuda_tile.partition_view<tile=(8), !cuda_tile.tensor_view<64xi32, strides=[1]>>, %i: tile<i32>, %x: tile<8xi32>) {
  // expected-error @below {{expected other attributes than "mode", which is written in front of them}}
  %k = atomic_red_view_tko relaxed device %v[%i], add, %x attributes {mode = 0 : i32} : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
}
