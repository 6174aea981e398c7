// Folds of the ops, and near misses.
// RUN: tilegpt-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: @folds_static_sizes
// CHECK-DAG: %[[A:.*]] = arith.constant 768 : index
// CHECK-DAG: %[[B:.*]] = arith.constant 12 : index
// CHECK-DAG: %[[C:.*]] = arith.constant 110 : index
// CHECK: return %[[A]], %[[B]], %[[C]]
func.func @folds_static_sizes(%x: !tile.view<?x768xf32>) -> (index, index, index) {
  %0 = tile.dim %x, 1 : !tile.view<?x768xf32>
  %1 = tile.num_tiles %x, 1 by [64] : !tile.view<?x768xf32>
  // The last tile is not whole.
  %2 = tile.num_tiles %x, 1 by [7] : !tile.view<?x768xf32>
  return %0, %1, %2 : index, index, index
}

// -----

// CHECK-LABEL: @keeps_unknown_sizes
// CHECK: tile.dim
// CHECK: tile.num_tiles
func.func @keeps_unknown_sizes(%x: !tile.view<?x768xf32>) -> (index, index) {
  %0 = tile.dim %x, 0 : !tile.view<?x768xf32>
  %1 = tile.num_tiles %x, 0 by [64] : !tile.view<?x768xf32>
  return %0, %1 : index, index
}

// -----

// CHECK-LABEL: @keeps_tiles_of_unknown_size
// CHECK: tile.num_tiles
tile.kernel @keeps_tiles_of_unknown_size(%x: !tile.view<8xf32>) outs(%y: !tile.view<?xi32>) params {BM = 4} grid [1] {
  %0 = tile.num_tiles %x, 0 by [BM] : !tile.view<8xf32>
  %1 = arith.index_cast %0 : index to i32
  %2 = tile.splat %1 [4] : i32 -> tensor<4xi32>
  tile.store %2, %y[%0] : tensor<4xi32>, !tile.view<?xi32>
}

// -----

// CHECK-LABEL: @size_of_a_window
// CHECK-SAME: %{{.*}}: !tile.view<?x?xf32>, %[[N:.*]]: index
// CHECK: %[[C:.*]] = arith.constant 8 : index
// CHECK: return %[[N]], %[[C]]
func.func @size_of_a_window(%x: !tile.view<?x?xf32>, %n: index) -> (index, index) {
  %0 = tile.subview %x[4, 0] [%n, 8] : !tile.view<?x?xf32> -> !tile.view<?x?xf32, strides=[?, 1]>
  %1 = tile.dim %0, 0 : !tile.view<?x?xf32, strides=[?, 1]>
  %2 = tile.dim %0, 1 : !tile.view<?x?xf32, strides=[?, 1]>
  return %1, %2 : index, index
}

// -----

// CHECK-LABEL: @splat_of_a_constant
// CHECK-DAG: arith.constant dense<1.500000e+00> : tensor<4x2xf32>
// CHECK-DAG: arith.constant dense<true> : tensor<3xi1>
// CHECK-NOT: tile.splat
func.func @splat_of_a_constant() -> (tensor<4x2xf32>, tensor<3xi1>) {
  %f = arith.constant 1.5 : f32
  %b = arith.constant true
  %0 = tile.splat %f [4, 2] : f32 -> tensor<4x2xf32>
  %1 = tile.splat %b [3] : i1 -> tensor<3xi1>
  return %0, %1 : tensor<4x2xf32>, tensor<3xi1>
}

// -----

// CHECK-LABEL: @splat_of_a_value_or_of_unknown_size
// CHECK-COUNT-2: tile.splat
func.func @splat_of_a_value_or_of_unknown_size(%v: f32) -> (tensor<4xf32>, tensor<?xf32>) {
  %f = arith.constant 1.5 : f32
  %0 = tile.splat %v [4] : f32 -> tensor<4xf32>
  %1 = tile.splat %f [4] : f32 -> tensor<?xf32>
  return %0, %1 : tensor<4xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: @identities
// CHECK-SAME: %[[T:.*]]: tensor<4x8xf32>, %[[U:.*]]: tensor<?x?xf32>, %[[V:.*]]: tensor<?x8xf32>
// CHECK-NEXT: return %[[T]], %[[T]], %[[T]], %[[U]], %[[V]], %[[U]]
func.func @identities(%t: tensor<4x8xf32>, %u: tensor<?x?xf32>, %v: tensor<?x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<?x?xf32>, tensor<?x8xf32>, tensor<?x?xf32>) {
  %0 = tile.reshape %t [4, 8] : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = tile.broadcast %t [4, 8] : tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = tile.permute %t [0, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  %3 = tile.permute %u [0, 1] : tensor<?x?xf32> -> tensor<?x?xf32>
  // A single unknown axis takes the remaining elements.
  %4 = tile.reshape %v [4, 8] : tensor<?x8xf32> -> tensor<?x8xf32>
  %5 = tile.cast %u : tensor<?x?xf32> to tensor<?x?xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<?x?xf32>, tensor<?x8xf32>, tensor<?x?xf32>
}

// -----

// The types are equal, the shapes need not be.
// CHECK-LABEL: @no_identities
// CHECK: tile.reshape
// CHECK: tile.broadcast
// CHECK: tile.permute
func.func @no_identities(%u: tensor<?x?xf32>, %v: tensor<?xf32>, %s: tensor<4x4xf32>)
    -> (tensor<?x?xf32>, tensor<?xf32>, tensor<4x4xf32>) {
  %0 = tile.reshape %u [4, 4] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = tile.broadcast %v [4] : tensor<?xf32> -> tensor<?xf32>
  %2 = tile.permute %s [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<?xf32>, tensor<4x4xf32>
}

// -----

// CHECK-LABEL: @shapes_of_a_splat
// CHECK-DAG: arith.constant dense<2> : tensor<8xi32>
// CHECK-DAG: arith.constant dense<2> : tensor<3x2x4xi32>
// CHECK-DAG: arith.constant dense<2> : tensor<4x2xi32>
// CHECK-NOT: tile.
func.func @shapes_of_a_splat() -> (tensor<8xi32>, tensor<3x2x4xi32>, tensor<4x2xi32>) {
  %c = arith.constant dense<2> : tensor<2x4xi32>
  %0 = tile.reshape %c [8] : tensor<2x4xi32> -> tensor<8xi32>
  %1 = tile.broadcast %c [3, 2, 4] : tensor<2x4xi32> -> tensor<3x2x4xi32>
  %2 = tile.permute %c [1, 0] : tensor<2x4xi32> -> tensor<4x2xi32>
  return %0, %1, %2 : tensor<8xi32>, tensor<3x2x4xi32>, tensor<4x2xi32>
}

// -----

// CHECK-LABEL: @reshape_of_reshape
// CHECK-SAME: %[[T:.*]]: tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = tile.reshape %[[T]] [16, 2] : tensor<4x8xf32> -> tensor<16x2xf32>
// CHECK-NEXT: return %[[R]], %[[T]]
func.func @reshape_of_reshape(%t: tensor<4x8xf32>) -> (tensor<16x2xf32>, tensor<4x8xf32>) {
  %0 = tile.reshape %t [32] : tensor<4x8xf32> -> tensor<32xf32>
  %1 = tile.reshape %0 [16, 2] : tensor<32xf32> -> tensor<16x2xf32>
  %2 = tile.reshape %1 [4, 8] : tensor<16x2xf32> -> tensor<4x8xf32>
  return %1, %2 : tensor<16x2xf32>, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: @permute_of_permute
// CHECK-SAME: %[[T:.*]]: tensor<2x3x4xf32>
// CHECK-NEXT: %[[R:.*]] = tile.permute %[[T]] [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
// CHECK-NEXT: return %[[R]], %[[T]]
func.func @permute_of_permute(%t: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>) {
  %0 = tile.permute %t [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %1 = tile.permute %0 [1, 2, 0] : tensor<3x4x2xf32> -> tensor<4x2x3xf32>
  %2 = tile.permute %1 [1, 2, 0] : tensor<4x2x3xf32> -> tensor<2x3x4xf32>
  return %1, %2 : tensor<4x2x3xf32>, tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: @cast_of_cast
// CHECK-SAME: %[[T:.*]]: tensor<4xbf16>
// CHECK-NEXT: %[[R:.*]] = tile.cast %[[T]] : tensor<4xbf16> to tensor<4xf16>
// CHECK-NEXT: return %[[T]], %[[R]]
func.func @cast_of_cast(%t: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xf16>) {
  %0 = tile.cast %t : tensor<4xbf16> to tensor<4xf32>
  %1 = tile.cast %0 : tensor<4xf32> to tensor<4xbf16>
  %2 = tile.cast %0 : tensor<4xf32> to tensor<4xf16>
  return %1, %2 : tensor<4xbf16>, tensor<4xf16>
}

// -----

// These round; neither bf16 nor f16 contains the other; a variable may stand for f64.
// CHECK-LABEL: @cast_of_cast_that_rounds
// CHECK-COUNT-6: tile.cast
func.func @cast_of_cast_that_rounds(%t: tensor<4xf32>, %u: tensor<4xf16>, %v: tensor<4x!tile.elt<X>>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4x!tile.elt<X>>) {
  %0 = tile.cast %t : tensor<4xf32> to tensor<4xbf16>
  %1 = tile.cast %0 : tensor<4xbf16> to tensor<4xf32>
  %2 = tile.cast %u : tensor<4xf16> to tensor<4xbf16>
  %3 = tile.cast %2 : tensor<4xbf16> to tensor<4xf32>
  %4 = tile.cast %v : tensor<4x!tile.elt<X>> to tensor<4xf32>
  %5 = tile.cast %4 : tensor<4xf32> to tensor<4x!tile.elt<X>>
  return %1, %3, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4x!tile.elt<X>>
}

// -----

// Ties round to even: 1 + 2⁻⁸ is halfway between two bf16.
// CHECK-LABEL: @cast_of_a_splat
// CHECK-DAG: arith.constant dense<1.000000e+00> : tensor<4xbf16>
// CHECK-DAG: arith.constant dense<0x7C00> : tensor<4xf16>
// CHECK-NOT: tile.cast
func.func @cast_of_a_splat() -> (tensor<4xbf16>, tensor<4xf16>) {
  %a = arith.constant dense<1.00390625> : tensor<4xf32>
  %b = arith.constant dense<1.0e30> : tensor<4xf32>
  %0 = tile.cast %a : tensor<4xf32> to tensor<4xbf16>
  %1 = tile.cast %b : tensor<4xf32> to tensor<4xf16>
  return %0, %1 : tensor<4xbf16>, tensor<4xf16>
}

// -----

// CHECK-LABEL: @cast_to_a_variable
// CHECK: tile.cast
func.func @cast_to_a_variable() -> tensor<4x!tile.elt<X>> {
  %a = arith.constant dense<1.0> : tensor<4xf32>
  %0 = tile.cast %a : tensor<4xf32> to tensor<4x!tile.elt<X>>
  return %0 : tensor<4x!tile.elt<X>>
}

// -----

// CHECK-LABEL: @folds_scan_of_one
// CHECK-SAME: %[[X:.*]]: tensor<4x1xf32>
// CHECK: %[[E:.*]] = tile.scan add %[[X]] axis 1 exclusive
// CHECK: return %[[X]], %[[E]]
func.func @folds_scan_of_one(%x: tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>) {
  %0 = tile.scan add %x axis 1 reverse : tensor<4x1xf32>
  %1 = tile.scan add %x axis 1 exclusive : tensor<4x1xf32>
  return %0, %1 : tensor<4x1xf32>, tensor<4x1xf32>
}

// -----

// CHECK-LABEL: @folds_base_of_view_at
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>
// CHECK: return %[[P]]
func.func @folds_base_of_view_at(%p: !tile.ptr<f32>, %n: index) -> !tile.ptr<f32> {
  %0 = tile.view_at %p sizes [%n] : !tile.ptr<f32> -> !tile.view<?xf32>
  %1 = tile.base %0 : !tile.view<?xf32> -> !tile.ptr<f32>
  return %1 : !tile.ptr<f32>
}

// -----

// CHECK-LABEL: @folds_rounded
// CHECK-DAG: %[[BELOW:.*]] = arith.constant dense<0.333333313> : tensor<4xf32>
// CHECK-DAG: %[[ABOVE:.*]] = arith.constant dense<0.333333343> : tensor<4xf32>
// CHECK-DAG: %[[ROOT:.*]] = arith.constant 1.4142135623730951 : f64
// CHECK-DAG: %[[ZERO:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: return %[[BELOW]], %[[ABOVE]], %[[ROOT]], %[[ZERO]]
func.func @folds_rounded() -> (tensor<4xf32>, tensor<4xf32>, f64, f32) {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %three = arith.constant dense<3.0> : tensor<4xf32>
  %two = arith.constant 2.0 : f64
  %tiny = arith.constant -1.0e-40 : f32
  %f1 = arith.constant 1.0 : f32
  %0 = tile.rounded div %one, %three mode(zero) : tensor<4xf32>
  %1 = tile.rounded div %one, %three mode(up) : tensor<4xf32>
  %2 = tile.rounded sqrt %two mode(up) : f64
  %3 = tile.rounded mul %tiny, %f1 mode(down) ftz : f32
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, f64, f32
}

// -----

// CHECK-LABEL: @keeps_rounded_of_unknown_sizes
// CHECK: tile.rounded
func.func @keeps_rounded_of_unknown_sizes(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tile.rounded mul %x, %x mode(down) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: @folds_bytes_of_bytes
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>
// CHECK: %[[H:.*]] = tile.bytes %{{.*}} : tensor<32xi8> -> tensor<16xf16>
// CHECK: return %[[X]], %[[H]]
func.func @folds_bytes_of_bytes(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<16xf16>) {
  %0 = tile.bytes %x : tensor<8xf32> -> tensor<32xi8>
  %1 = tile.bytes %0 : tensor<32xi8> -> tensor<8xf32>
  %2 = tile.bytes %0 : tensor<32xi8> -> tensor<16xf16>
  return %1, %2 : tensor<8xf32>, tensor<16xf16>
}

// CHECK-LABEL: @addresses_there_and_back
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>, %[[A:.*]]: i64
func.func @addresses_there_and_back(%p: !tile.ptr<f32>, %a: i64) -> (!tile.ptr<f32>, i64, !tile.ptr<i32>) {
  %0 = tile.ptr_to_int %p : !tile.ptr<f32>
  %1 = tile.int_to_ptr %0 : !tile.ptr<f32>
  %2 = tile.int_to_ptr %a : !tile.ptr<f32>
  %3 = tile.ptr_to_int %2 : !tile.ptr<f32>
  // A pointer to another type stays.
  // CHECK: %[[Q:.*]] = tile.int_to_ptr %{{.*}} : !tile.ptr<i32>
  %4 = tile.int_to_ptr %0 : !tile.ptr<i32>
  // CHECK: return %[[P]], %[[A]], %[[Q]]
  return %1, %3, %4 : !tile.ptr<f32>, i64, !tile.ptr<i32>
}
