// RUN: tilegpt-opt %s | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --emit-bytecode | tilegpt-opt | FileCheck %s

// CHECK-LABEL: @tiles_sized_by_parameters
tile.kernel @tiles_sized_by_parameters(%v: f32) params {BM = 8, BN = 16} grid [1] {
  // CHECK: tile.splat %{{.*}} [BM] : f32 -> tensor<?xf32>
  %0 = tile.splat %v [BM] : f32 -> tensor<?xf32>
  // CHECK: tile.iota [BN] : tensor<?xi32>
  %1 = tile.iota [BN] : tensor<?xi32>
  // CHECK: tile.reshape %{{.*}} [BM, 1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = tile.reshape %0 [BM, 1] : tensor<?xf32> -> tensor<?x1xf32>
  // CHECK: tile.broadcast %{{.*}} [BM, BN] : tensor<?x1xf32> -> tensor<?x?xf32>
  %3 = tile.broadcast %2 [BM, BN] : tensor<?x1xf32> -> tensor<?x?xf32>
  // CHECK: tile.expand_dims %{{.*}}, 1 : tensor<?xi32> -> tensor<?x1xi32>
  %4 = tile.expand_dims %1, 1 : tensor<?xi32> -> tensor<?x1xi32>
  // CHECK: tile.permute %{{.*}} [1, 0] : tensor<?x1xf32> -> tensor<1x?xf32>
  %5 = tile.permute %2 [1, 0] : tensor<?x1xf32> -> tensor<1x?xf32>
  // CHECK: tile.cat %{{.*}}, %{{.*}} axis 0 : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  %6 = tile.cat %0, %0 axis 0 : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  // CHECK: tile.extract %{{.*}}[%{{.*}}, %{{.*}}] [1, BN] : tensor<?x?xf32> -> tensor<1x?xf32>
  %7 = tile.extract %3[%c0, %c0] [1, BN] : tensor<?x?xf32> -> tensor<1x?xf32>
  // CHECK: tile.insert %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] : tensor<1x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
  %8 = tile.insert %7 into %3[%c0, %c0] : tensor<1x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
}

// CHECK-LABEL: @tiles_of_every_element_type
func.func @tiles_of_every_element_type(%i1: i1, %i8: i8, %i16: i16, %i32: i32, %i64: i64,
                                       %f16: f16, %bf16: bf16, %f32: f32, %f64: f64) {
  // CHECK: -> tensor<2xi1>
  %0 = tile.splat %i1 [2] : i1 -> tensor<2xi1>
  // CHECK: -> tensor<2xi8>
  %1 = tile.splat %i8 [2] : i8 -> tensor<2xi8>
  // CHECK: -> tensor<2xi16>
  %2 = tile.splat %i16 [2] : i16 -> tensor<2xi16>
  // CHECK: -> tensor<2xi32>
  %3 = tile.splat %i32 [2] : i32 -> tensor<2xi32>
  // CHECK: -> tensor<2xi64>
  %4 = tile.splat %i64 [2] : i64 -> tensor<2xi64>
  // CHECK: -> tensor<2xf16>
  %5 = tile.splat %f16 [2] : f16 -> tensor<2xf16>
  // CHECK: -> tensor<2xbf16>
  %6 = tile.splat %bf16 [2] : bf16 -> tensor<2xbf16>
  // CHECK: -> tensor<2xf32>
  %7 = tile.splat %f32 [2] : f32 -> tensor<2xf32>
  // CHECK: -> tensor<2xf64>
  %8 = tile.splat %f64 [2] : f64 -> tensor<2xf64>
  // CHECK: tile.iota [128] : tensor<128xi8>
  %9 = tile.iota [128] : tensor<128xi8>
  // CHECK: tile.splat %{{.*}} [] : f32 -> tensor<f32>
  %10 = tile.splat %f32 [] : f32 -> tensor<f32>
  return
}

// CHECK-LABEL: @shapes_of_static_tiles
func.func @shapes_of_static_tiles(%a: tensor<8x4xf32>, %b: tensor<8x12xf32>, %s: tensor<f32>, %i: index) {
  // CHECK: tile.reshape %{{.*}} [2, 16] : tensor<8x4xf32> -> tensor<2x16xf32>
  %0 = tile.reshape %a [2, 16] : tensor<8x4xf32> -> tensor<2x16xf32>
  // CHECK: tile.broadcast %{{.*}} [3, 8, 4] : tensor<8x4xf32> -> tensor<3x8x4xf32>
  %1 = tile.broadcast %a [3, 8, 4] : tensor<8x4xf32> -> tensor<3x8x4xf32>
  // CHECK: tile.broadcast %{{.*}} [3, 5] : tensor<f32> -> tensor<3x5xf32>
  %2 = tile.broadcast %s [3, 5] : tensor<f32> -> tensor<3x5xf32>
  // CHECK: tile.expand_dims %{{.*}}, 0 : tensor<f32> -> tensor<1xf32>
  %3 = tile.expand_dims %s, 0 : tensor<f32> -> tensor<1xf32>
  // CHECK: tile.expand_dims %{{.*}}, 2 : tensor<8x4xf32> -> tensor<8x4x1xf32>
  %4 = tile.expand_dims %a, 2 : tensor<8x4xf32> -> tensor<8x4x1xf32>
  // CHECK: tile.permute %{{.*}} [2, 0, 1] : tensor<3x8x4xf32> -> tensor<4x3x8xf32>
  %5 = tile.permute %1 [2, 0, 1] : tensor<3x8x4xf32> -> tensor<4x3x8xf32>
  // CHECK: tile.cat %{{.*}}, %{{.*}} axis 1 : tensor<8x4xf32>, tensor<8x12xf32> -> tensor<8x16xf32>
  %6 = tile.cat %a, %b axis 1 : tensor<8x4xf32>, tensor<8x12xf32> -> tensor<8x16xf32>
  // CHECK: tile.extract %{{.*}}[%{{.*}}, %{{.*}}] [8, 4] : tensor<8x12xf32> -> tensor<8x4xf32>
  %7 = tile.extract %b[%i, %i] [8, 4] : tensor<8x12xf32> -> tensor<8x4xf32>
  // A piece need not divide the tile: this one may be at 0 and 1.
  // CHECK: tile.extract %{{.*}} [8, 5] : tensor<8x12xf32> -> tensor<8x5xf32>
  %8 = tile.extract %b[%i, %i] [8, 5] : tensor<8x12xf32> -> tensor<8x5xf32>
  // CHECK: tile.insert %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] : tensor<8x4xf32> into tensor<8x12xf32> -> tensor<8x12xf32>
  %9 = tile.insert %a into %b[%i, %i] : tensor<8x4xf32> into tensor<8x12xf32> -> tensor<8x12xf32>
  return
}

// CHECK-LABEL: @bytes
func.func @bytes(%x: tensor<64xf32>, %y: tensor<?xi8>) {
  // CHECK: tile.bytes %{{.*}} : tensor<64xf32> -> tensor<256xi8>
  %0 = tile.bytes %x : tensor<64xf32> -> tensor<256xi8>
  // CHECK: tile.bytes %{{.*}} : tensor<256xi8> -> tensor<32xi64>
  %1 = tile.bytes %0 : tensor<256xi8> -> tensor<32xi64>
  // CHECK: tile.bytes %{{.*}} : tensor<?xi8> -> tensor<?xbf16>
  %2 = tile.bytes %y : tensor<?xi8> -> tensor<?xbf16>
  return
}
