// Elementwise ops whose innermost axes are shorter than a vector: lanes run along several axes.
// RUN: tilegpt-opt %s --cpu-vectorize-tiles --canonicalize -split-input-file | FileCheck %s

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// Pairs of a row: of four registers of memory, the first and the second halves of each eight elements.
// CHECK-LABEL: func.func @halves(
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}}
// CHECK:           scf.for %{{.*}} = %{{.*}} to %[[C8]] step %[[C4]]
// CHECK:             memref.reinterpret_cast %{{.*}} sizes: [28], strides: [1]
// CHECK:             %[[MASK:.*]] = vector.constant_mask [28] : vector<32xi1>
// CHECK:             %[[LOW:.*]] = vector.maskedload %{{.*}}, %[[MASK]]
// CHECK:             vector.shuffle %[[LOW]], %[[LOW]] [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]
// CHECK:             arith.addf %{{.*}} : vector<16xf32>
// Results are dense.
// CHECK:             vector.store %{{.*}} : memref<16xf32, {{.*}}>, vector<16xf32>
func.func @halves(%a: memref<6x8x8xf32>, %y: memref<6x8x4xf32>) {
  %low = memref.subview %a[0, 0, 0] [6, 8, 4] [1, 1, 1] : memref<6x8x8xf32> to memref<6x8x4xf32, strided<[64, 8, 1]>>
  %high = memref.subview %a[0, 0, 4] [6, 8, 4] [1, 1, 1] : memref<6x8x8xf32> to memref<6x8x4xf32, strided<[64, 8, 1], offset: 4>>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%low, %high : memref<6x8x4xf32, strided<[64, 8, 1]>>, memref<6x8x4xf32, strided<[64, 8, 1], offset: 4>>)
      outs(%y : memref<6x8x4xf32>) {
    ^bb0(%x: f32, %z: f32, %o: f32):
      %s = arith.addf %x, %z : f32
      linalg.yield %s : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
// Every other element, as of complex numbers. Five rows of three fill fifteen lanes: what all rows read is repeated, and
// indices are those of each lane.
// CHECK-LABEL: func.func @interleaved(
// CHECK:         vector.maskedload
// CHECK:         vector.shuffle %{{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 0]
// CHECK:         %[[SPREAD:.*]] = vector.shuffle %{{.*}} [0, 0, 1, 0, 2, {{.*}}] : vector<16xf32>, vector<16xf32>
// CHECK:         vector.maskedstore %{{.*}}, %[[SPREAD]]
// CHECK-LABEL: func.func @repeated(
// CHECK-DAG:     %[[ROWS:.*]] = arith.constant dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00, {{.*}}, 4.000000e+00, 0.000000e+00]> : vector<16xf32>
// CHECK-DAG:     %[[USED:.*]] = arith.constant dense<[true, {{.*}}, true, false]> : vector<16xi1>
// CHECK:         %[[B:.*]] = vector.shuffle %{{.*}} [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0] : vector<4xf32>, vector<4xf32>
// CHECK:         arith.addf %[[B]], %[[ROWS]]
// CHECK:         vector.maskedstore %{{.*}}, %[[USED]]
func.func @interleaved(%a: memref<15x2xf32>, %y: memref<15x2xf32>) {
  %re = memref.subview %a[0, 0] [15, 1] [1, 1] : memref<15x2xf32> to memref<15x1xf32, strided<[2, 1]>>
  %im = memref.subview %y[0, 1] [15, 1] [1, 1] : memref<15x2xf32> to memref<15x1xf32, strided<[2, 1], offset: 1>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%re : memref<15x1xf32, strided<[2, 1]>>) outs(%im : memref<15x1xf32, strided<[2, 1], offset: 1>>) {
    ^bb0(%x: f32, %o: f32):
      %s = arith.negf %x : f32
      linalg.yield %s : f32
  }
  return
}
func.func @repeated(%b: memref<3xf32>, %y: memref<5x3xf32>) {
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<3xf32>) outs(%y : memref<5x3xf32>) {
    ^bb0(%x: f32, %o: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %f = arith.sitofp %j : i32 to f32
      %s = arith.addf %x, %f : f32
      linalg.yield %s : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// Lanes too far apart, rows that fill vectors, and strides known at run time are left to the other lowerings.
// CHECK-LABEL: func.func @far(
// CHECK-NOT:     vector.shuffle
// CHECK-LABEL: func.func @long(
// CHECK-NOT:     vector.shuffle
// CHECK-LABEL: func.func @unknown(
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func @far(%a: memref<8x4xf32, strided<[100, 1]>>, %y: memref<8x4xf32>) {
  linalg.copy ins(%a : memref<8x4xf32, strided<[100, 1]>>) outs(%y : memref<8x4xf32>)
  return
}
func.func @long(%a: memref<8x12xf32, strided<[13, 1]>>, %y: memref<8x12xf32>) {
  linalg.copy ins(%a : memref<8x12xf32, strided<[13, 1]>>) outs(%y : memref<8x12xf32>)
  return
}
func.func @unknown(%a: memref<8x4xf32, strided<[?, 1]>>, %y: memref<8x4xf32>) {
  linalg.copy ins(%a : memref<8x4xf32, strided<[?, 1]>>) outs(%y : memref<8x4xf32>)
  return
}
