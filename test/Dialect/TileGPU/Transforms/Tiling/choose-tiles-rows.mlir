// RUN: tilegpt-opt %s --tile-link-library --tile-bind-operands --tile-gpu-choose-tiles | FileCheck %s

// Wide elements: one long row in a block, several rows of up to 2048 elements, or of up to 4096 if they share vectors.
// CHECK-LABEL: @wide
// CHECK:       tile.launch @softmax {{.*}} params {BM = 2 : i64}
// CHECK:       tile.launch @softmax {{.*}} params {BM = 1 : i64}
// CHECK:       tile.launch @softmax {{.*}} params {BM = 4 : i64}
func.func @wide(%x0: tensor<2495x711xf32>, %x1: tensor<4096x1283xf32>, %x2: tensor<5000x333xf32>) {
  %0 = tile.launch @softmax ins(%x0) outs(%x0) : (tensor<2495x711xf32>, tensor<2495x711xf32>) -> tensor<2495x711xf32>
  %1 = tile.launch @softmax ins(%x1) outs(%x1) : (tensor<4096x1283xf32>, tensor<4096x1283xf32>) -> tensor<4096x1283xf32>
  %2 = tile.launch @softmax ins(%x2) outs(%x2) : (tensor<5000x333xf32>, tensor<5000x333xf32>) -> tensor<5000x333xf32>
  return
}

// CHECK-LABEL: @wide_with_vectors
// CHECK:       tile.launch @layer_norm {{.*}} params {BM = 4 : i64}
// CHECK:       tile.launch @layer_norm {{.*}} params {BM = 8 : i64}
// CHECK:       tile.launch @layer_norm {{.*}} params {BM = 1 : i64}
func.func @wide_with_vectors(%x0: tensor<2495x711xf32>, %g0: tensor<711xf32>, %x1: tensor<5000x333xf32>, %g1: tensor<333xf32>, %x2: tensor<2000x3333xf32>, %g2: tensor<3333xf32>, %eps: f32) {
  %0 = tile.launch @layer_norm ins(%x0, %g0, %g0, %eps) outs(%x0)
    : (tensor<2495x711xf32>, tensor<711xf32>, tensor<711xf32>, f32, tensor<2495x711xf32>) -> tensor<2495x711xf32>
  %1 = tile.launch @layer_norm ins(%x1, %g1, %g1, %eps) outs(%x1)
    : (tensor<5000x333xf32>, tensor<333xf32>, tensor<333xf32>, f32, tensor<5000x333xf32>) -> tensor<5000x333xf32>
  %2 = tile.launch @layer_norm ins(%x2, %g2, %g2, %eps) outs(%x2)
    : (tensor<2000x3333xf32>, tensor<3333xf32>, tensor<3333xf32>, f32, tensor<2000x3333xf32>) -> tensor<2000x3333xf32>
  return
}

// Narrow elements: up to four rows.
// CHECK-LABEL: @narrow
// CHECK:       tile.launch @softmax {{.*}} params {BM = 4 : i64}
// CHECK:       tile.launch @softmax {{.*}} params {BM = 2 : i64}
func.func @narrow(%x0: tensor<2495x711xbf16>, %x1: tensor<1100x4000xbf16>) {
  %0 = tile.launch @softmax ins(%x0) outs(%x0) : (tensor<2495x711xbf16>, tensor<2495x711xbf16>) -> tensor<2495x711xbf16>
  %1 = tile.launch @softmax ins(%x1) outs(%x1) : (tensor<1100x4000xbf16>, tensor<1100x4000xbf16>) -> tensor<1100x4000xbf16>
  return
}

// Every multiprocessor gets two blocks.
// CHECK-LABEL: @few
// CHECK:       tile.launch @softmax {{.*}} params {BM = 2 : i64}
func.func @few(%x0: tensor<600x333xf32>) {
  %0 = tile.launch @softmax ins(%x0) outs(%x0) : (tensor<600x333xf32>, tensor<600x333xf32>) -> tensor<600x333xf32>
  return
}
