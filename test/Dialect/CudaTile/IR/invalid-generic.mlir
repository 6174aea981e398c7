// Errors that only the generic form of an op can have, or bytecode.
// RUN: tilegpt-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics=only-expected

cuda_tile.testing$func @f() {
  // expected-error @below {{'cuda_tile.constant' op expected a literal of the result's type, '!cuda_tile.tile<4xi32>', found '!cuda_tile.tile<8xi32>'}}
  %0 = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<8xi32>}> : () -> !cuda_tile.tile<4xi32>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>, %b: tile<i64>) {
  // expected-error @below {{'cuda_tile.for' op expected bounds and step of one type, found '!cuda_tile.tile<i32>', '!cuda_tile.tile<i32>' and '!cuda_tile.tile<i64>'}}
  "cuda_tile.for"(%a, %a, %b) ({
  ^bb0(%i: !cuda_tile.tile<i32>):
    "cuda_tile.continue"() : () -> ()
  }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i64>) -> ()
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>) {
  // expected-error @below {{'cuda_tile.for' op expected results of the initial values' types, ['!cuda_tile.tile<i32>'], found ['!cuda_tile.tile<i64>']}}
  %0 = "cuda_tile.for"(%a, %a, %a, %a) ({
  ^bb0(%i: !cuda_tile.tile<i32>, %x: !cuda_tile.tile<i32>):
    "cuda_tile.continue"(%x) : (!cuda_tile.tile<i32>) -> ()
  }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i64>
}

// -----

cuda_tile.testing$func @f(%a: tile<i32>) {
  // expected-error @below {{'cuda_tile.for' op expected an induction variable as region argument}}
  "cuda_tile.for"(%a, %a, %a) ({
    "cuda_tile.continue"() : () -> ()
  }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{'cuda_tile.loop' op expected a body that ends with break, continue or return}}
  "cuda_tile.loop"() ({
    "test.end"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.testing$func @f(%c: tile<i1>) {
  // expected-error @below {{'cuda_tile.if' op expected branches that end with yield, break, continue or return, found test.end}}
  "cuda_tile.if"(%c) ({
    "test.end"() : () -> ()
  }, {
  }) : (!cuda_tile.tile<i1>) -> ()
}

// -----

cuda_tile.testing$func @f(%c: tile<i1>) {
  // expected-error @below {{'cuda_tile.if' op region #0 ('thenRegion') failed to verify constraint: region with 1 blocks}}
  "cuda_tile.if"(%c) ({
  }, {
  }) : (!cuda_tile.tile<i1>) -> ()
}

// -----

cuda_tile.testing$func @f() {
  // expected-error @below {{'cuda_tile.reduce' op expected at least one operand}}
  "cuda_tile.reduce"() <{dim = 0 : i32, identities = []}> ({
    "cuda_tile.yield"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expected a result for each of the 1 operands, found 2}}
  %0:2 = "cuda_tile.reduce"(%x) <{dim = 0 : i32, identities = [0.0 : f32]}> ({
  ^bb0(%a: !cuda_tile.tile<f32>, %e: !cuda_tile.tile<f32>):
    "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> ()
  }) : (!cuda_tile.tile<8x4xf32>) -> (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>)
}

// -----

cuda_tile.testing$func @f(%x: tile<8x4xf32>, %y: tile<8x8xf32>) {
  // expected-error @below {{'cuda_tile.scan' op expected operands of one shape, found '!cuda_tile.tile<8x4xf32>' and '!cuda_tile.tile<8x8xf32>'}}
  %0:2 = "cuda_tile.scan"(%x, %y) <{dim = 0 : i32, reverse = false, identities = [0.0 : f32, 0.0 : f32]}> ({
  ^bb0(%a: !cuda_tile.tile<f32>, %e: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>, %f: !cuda_tile.tile<f32>):
    "cuda_tile.yield"(%a, %b) : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> ()
  }) : (!cuda_tile.tile<8x4xf32>, !cuda_tile.tile<8x8xf32>) -> (!cuda_tile.tile<8x4xf32>, !cuda_tile.tile<8x8xf32>)
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op expected a value for each of the 1 strides that the type leaves open, found 0}}
  %0 = "cuda_tile.make_tensor_view"(%p, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!cuda_tile.tile<!cuda_tile.ptr<f32>>, !cuda_tile.tile<i32>) -> !cuda_tile.tensor_view<?xf32, strides=[?]>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op expected a value for each of the 1 sizes that the type leaves open, found 2}}
  %0 = "cuda_tile.make_tensor_view"(%p, %n, %n, %n) <{operandSegmentSizes = array<i32: 1, 2, 1>}> : (!cuda_tile.tile<!cuda_tile.ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tensor_view<?xf32, strides=[?]>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %s: tile<i64>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op expected sizes and strides of one type, found '!cuda_tile.tile<i32>' and '!cuda_tile.tile<i64>'}}
  %0 = "cuda_tile.make_tensor_view"(%p, %n, %s) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!cuda_tile.tile<!cuda_tile.ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i64>) -> !cuda_tile.tensor_view<?xf32, strides=[?]>
}

// -----

cuda_tile.testing$func @f(%p: tile<ptr<f16>>, %n: tile<i32>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op expected a pointer to 'f32', found one to 'f16'}}
  %0 = "cuda_tile.make_tensor_view"(%p, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!cuda_tile.tile<!cuda_tile.ptr<f16>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tensor_view<?xf32, strides=[?]>
}

// -----

cuda_tile.testing$func @f(%v: tensor_view<64xf32, strides=[1]>) {
  // expected-error @below {{'cuda_tile.make_partition_view' op expected the tensor of the view's type, '!cuda_tile.tensor_view<32xf32, strides=[1]>', found '!cuda_tile.tensor_view<64xf32, strides=[1]>'}}
  %0 = "cuda_tile.make_partition_view"(%v) : (!cuda_tile.tensor_view<64xf32, strides=[1]>) -> !cuda_tile.partition_view<tile=(8), !cuda_tile.tensor_view<32xf32, strides=[1]>>
}

// -----

cuda_tile.testing$func @f(%v: tensor_view<64xf32, strides=[1]>) {
  // expected-error @below {{'cuda_tile.make_strided_view' op expected the tensor of the view's type, '!cuda_tile.tensor_view<32xf32, strides=[1]>', found '!cuda_tile.tensor_view<64xf32, strides=[1]>'}}
  %0 = "cuda_tile.make_strided_view"(%v) : (!cuda_tile.tensor_view<64xf32, strides=[1]>) -> !cuda_tile.strided_view<tile=(8), traversal_strides=[4], !cuda_tile.tensor_view<32xf32, strides=[1]>>
}

// -----

cuda_tile.testing$func @f(%v: tensor_view<64xf32, strides=[1]>) {
  // expected-error @below {{'cuda_tile.make_gather_scatter_view' op expected the tensor of the view's type, '!cuda_tile.tensor_view<32xf32, strides=[1]>', found '!cuda_tile.tensor_view<64xf32, strides=[1]>'}}
  %0 = "cuda_tile.make_gather_scatter_view"(%v) : (!cuda_tile.tensor_view<64xf32, strides=[1]>) -> !cuda_tile.gather_scatter_view<tile=(8), !cuda_tile.tensor_view<32xf32, strides=[1]>, sparse_dim=0>
}

// -----

cuda_tile.testing$func @f(%v: tensor_view<64x64xf32, strides=[64,1]>) {
  // expected-error @below {{'cuda_tile.get_tensor_shape' op expected a result for each of the 2 axes, found 1}}
  %0 = "cuda_tile.get_tensor_shape"(%v) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>) -> !cuda_tile.tile<i32>
}

// -----

cuda_tile.testing$func @f(%v: tensor_view<64x64xf32, strides=[64,1]>) {
  // expected-error @below {{'cuda_tile.get_tensor_shape' op expected results of one type, found '!cuda_tile.tile<i32>', '!cuda_tile.tile<i64>'}}
  %0:2 = "cuda_tile.get_tensor_shape"(%v) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>) -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i64>)
}

// -----

cuda_tile.testing$func @f(%v: partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>) {
  // expected-error @below {{'cuda_tile.get_index_space_shape' op expected a result for each of the 2 axes, found 3}}
  %0:3 = "cuda_tile.get_index_space_shape"(%v) : (!cuda_tile.partition_view<tile=(8x8), !cuda_tile.tensor_view<64x64xf32, strides=[64,1]>>) -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
}
