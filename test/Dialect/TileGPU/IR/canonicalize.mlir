// RUN: tilegpt-opt %s --canonicalize | FileCheck %s

#row = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
#pairs = #tile_gpu.layout<registers = [d0:2*1], lanes = [d0:16*2, rep:2], warps = []>

// CHECK-DAG: #[[ROW:.*]] = #tile_gpu.layout<registers = [], lanes = [d0:32*1]
// CHECK-DAG: #[[PAIRS:.*]] = #tile_gpu.layout<registers = [d0:2*1]

// CHECK-LABEL: func.func @folds_to_itself(
// CHECK-SAME:    %[[T:.*]]: tensor
// CHECK-NEXT:    return %[[T]]
func.func @folds_to_itself(%t: tensor<32xf32, #row>) -> tensor<32xf32, #row> {
  %r = tile_gpu.convert_layout %t : tensor<32xf32, #row> -> tensor<32xf32, #row>
  return %r : tensor<32xf32, #row>
}

// CHECK-LABEL: func.func @folds_there_and_back(
// CHECK-SAME:    %[[T:.*]]: tensor
// CHECK-NEXT:    return %[[T]]
func.func @folds_there_and_back(%t: tensor<32xf32, #row>) -> tensor<32xf32, #row> {
  %r = tile_gpu.convert_layout %t : tensor<32xf32, #row> -> tensor<32xf32, #pairs>
  %s = tile_gpu.convert_layout %r : tensor<32xf32, #pairs> -> tensor<32xf32, #row>
  return %s : tensor<32xf32, #row>
}

// CHECK-LABEL: func.func @folds_a_splat(
// CHECK-NEXT:    %[[C:.*]] = arith.constant dense<1.000000e+00> : tensor<32xf32, #[[PAIRS]]>
// CHECK-NEXT:    return %[[C]]
func.func @folds_a_splat() -> tensor<32xf32, #pairs> {
  %c = arith.constant dense<1.0> : tensor<32xf32, #row>
  %r = tile_gpu.convert_layout %c : tensor<32xf32, #row> -> tensor<32xf32, #pairs>
  return %r : tensor<32xf32, #pairs>
}
