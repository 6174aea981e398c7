// RUN: tilegpt-opt %s --cpu-contract-to-micro-kernel -split-input-file -verify-diagnostics

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @tensors(%x: tensor<4x8xf32>, %w: tensor<6x8xf32>, %acc: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // expected-remark@+1 {{not lowered to a micro-kernel: expected operands in memory; bufferize first}}
  %r = linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : tensor<4x8xf32>, tensor<6x8xf32>) outs(%acc : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @dynamic_size(%x: memref<4x?xf32>, %w: memref<6x?xf32>, %acc: memref<4x6xf32>) {
  // expected-remark@+1 {{not lowered to a micro-kernel: expected static sizes, or the front of tiles that have them}}
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<4x?xf32>, memref<6x?xf32>) outs(%acc : memref<4x6xf32>)
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @middle_of_a_tile(%x: memref<4x8xf32>, %w: memref<6x8xf32>, %acc: memref<4x6xf32>, %k: index) {
  %xk = memref.subview %x[0, 1] [4, %k] [1, 1] : memref<4x8xf32> to memref<4x?xf32, strided<[8, 1], offset: 1>>
  %wk = memref.subview %w[0, 0] [6, %k] [1, 1] : memref<6x8xf32> to memref<6x?xf32, strided<[8, 1]>>
  // expected-remark@+1 {{not lowered to a micro-kernel: expected static sizes, or the front of tiles that have them}}
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%xk, %wk : memref<4x?xf32, strided<[8, 1], offset: 1>>, memref<6x?xf32, strided<[8, 1]>>) outs(%acc : memref<4x6xf32>)
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @tiles_of_two_sizes(%x: memref<4x8xf32>, %w: memref<6x16xf32>, %acc: memref<4x6xf32>, %k: index) {
  %xk = memref.subview %x[0, 0] [4, %k] [1, 1] : memref<4x8xf32> to memref<4x?xf32, strided<[8, 1]>>
  %wk = memref.subview %w[0, 0] [6, %k] [1, 1] : memref<6x16xf32> to memref<6x?xf32, strided<[16, 1]>>
  // expected-remark@+1 {{not lowered to a micro-kernel: expected fronts of tiles of equal sizes}}
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%xk, %wk : memref<4x?xf32, strided<[8, 1]>>, memref<6x?xf32, strided<[16, 1]>>) outs(%acc : memref<4x6xf32>)
  return
}

// -----

func.func @part_of_the_batch(%x: memref<2x4x8xf32>, %w: memref<2x6x8xf32>, %acc: memref<2x4x6xf32>, %b: index) {
  %xb = memref.subview %x[0, 0, 0] [%b, 4, 8] [1, 1, 1] : memref<2x4x8xf32> to memref<?x4x8xf32, strided<[32, 8, 1]>>
  %wb = memref.subview %w[0, 0, 0] [%b, 6, 8] [1, 1, 1] : memref<2x6x8xf32> to memref<?x6x8xf32, strided<[48, 8, 1]>>
  %ab = memref.subview %acc[0, 0, 0] [%b, 4, 6] [1, 1, 1] : memref<2x4x6xf32> to memref<?x4x6xf32, strided<[24, 6, 1]>>
  // expected-remark@+1 {{not lowered to a micro-kernel: expected the whole batch}}
  linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>,
                                   affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%xb, %wb : memref<?x4x8xf32, strided<[32, 8, 1]>>, memref<?x6x8xf32, strided<[48, 8, 1]>>) outs(%ab : memref<?x4x6xf32, strided<[24, 6, 1]>>)
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @unstrided(%x: memref<4x8xf32, affine_map<(i, j) -> (i + j floordiv 2, j)>>, %w: memref<6x8xf32>, %acc: memref<4x6xf32>) {
  // expected-remark@+1 {{not lowered to a micro-kernel: expected strided operands}}
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<4x8xf32, affine_map<(i, j) -> (i + j floordiv 2, j)>>, memref<6x8xf32>) outs(%acc : memref<4x6xf32>)
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @accumulator_type(%x: memref<4x8xbf16>, %w: memref<6x8xbf16>, %acc: memref<4x6xbf16>) {
  // expected-remark@+1 {{not lowered to a micro-kernel: expected an f32, f64 or i32 accumulator}}
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<4x8xbf16>, memref<6x8xbf16>) outs(%acc : memref<4x6xbf16>)
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @narrowing(%x: memref<4x8xf64>, %w: memref<6x8xf32>, %acc: memref<4x6xf32>) {
  // expected-remark@+1 {{not lowered to a micro-kernel: expected operands that the accumulator's type holds exactly}}
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<4x8xf64>, memref<6x8xf32>) outs(%acc : memref<4x6xf32>)
  return
}

// -----

func.func @two_batches(%x: memref<2x3x4x8xf32>, %w: memref<2x3x6x8xf32>, %acc: memref<2x3x4x6xf32>) {
  // expected-remark@+1 {{not lowered to a micro-kernel: expected one loop each of m, n and k and at most one of a batch}}
  linalg.contract indexing_maps = [affine_map<(a, b, m, n, k) -> (a, b, m, k)>, affine_map<(a, b, m, n, k) -> (a, b, n, k)>,
                                   affine_map<(a, b, m, n, k) -> (a, b, m, n)>]
    ins(%x, %w : memref<2x3x4x8xf32>, memref<2x3x6x8xf32>) outs(%acc : memref<2x3x4x6xf32>)
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#nm = affine_map<(m, n, k) -> (n, m)>
func.func @accumulator_transposed(%x: memref<4x8xf32>, %w: memref<6x8xf32>, %acc: memref<6x4xf32>) {
  // expected-remark@+1 {{not lowered to a micro-kernel: expected an accumulator [m, n] with contiguous rows}}
  linalg.contract indexing_maps = [#mk, #nk, #nm]
    ins(%x, %w : memref<4x8xf32>, memref<6x8xf32>) outs(%acc : memref<6x4xf32>)
  return
}
