// Without launches, the declared sizes are the data, and the choices become the only candidates.
// RUN: tilegpt-opt %s --tile-choose-parameters | FileCheck %s

// CHECK: @few(
// CHECK: params {BM = 2 in [2]}
// CHECK: @open(
// CHECK: params {BM = 8 in [1, 2, 4, 8]}
tile.kernel @few(%x: !tile.view<2x64xf32>) params {BM = 8 in [1, 2, 4, 8]} grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [BM, 64] : !tile.view<2x64xf32> -> tensor<?x64xf32>
}
tile.kernel @open(%x: !tile.view<?x64xf32>) params {BM = 8 in [1, 2, 4, 8]} grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [BM, 64] : !tile.view<?x64xf32> -> tensor<?x64xf32>
}
