// RUN: tilegpt-opt %s --tile-choose-parameters | FileCheck %s --check-prefixes=CHECK,OPEN
// RUN: tilegpt-opt %s --tile-choose-parameters=rows=3 | FileCheck %s --check-prefixes=CHECK,ROWS

tile.kernel @copy(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>)
    params {BM = 16 in [1, 4, 16], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !tile.view<?x?xf32> -> tensor<?x?xf32>
  tile.store %t, %y[%m, %n] : tensor<?x?xf32>, !tile.view<?x?xf32>
}

// CHECK-LABEL: @covers_static_sizes_with_the_smallest_candidate
func.func @covers_static_sizes_with_the_smallest_candidate(%a: tensor<2x32xf32>, %b: tensor<2x32xf32>) -> tensor<2x32xf32> {
  // CHECK: tile.launch @copy {{.*}} params {BM = 4 : i64, BN = 32 : i64}
  %0 = tile.launch @copy ins(%a) outs(%b) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
  return %0 : tensor<2x32xf32>
}

// CHECK-LABEL: @keeps_what_the_launch_says
func.func @keeps_what_the_launch_says(%a: tensor<2x768xf32>, %b: tensor<2x768xf32>) -> tensor<2x768xf32> {
  // CHECK: tile.launch @copy {{.*}} params {BM = 16 : i64}
  %0 = tile.launch @copy ins(%a) outs(%b) params {BM = 16} : (tensor<2x768xf32>, tensor<2x768xf32>) -> tensor<2x768xf32>
  return %0 : tensor<2x768xf32>
}

// CHECK-LABEL: @bounds_open_sizes_by_rows
func.func @bounds_open_sizes_by_rows(%a: tensor<?x768xf32>, %b: tensor<?x768xf32>) -> tensor<?x768xf32> {
  // OPEN-NOT: params
  // ROWS: tile.launch @copy {{.*}} params {BM = 4 : i64}
  %0 = tile.launch @copy ins(%a) outs(%b) : (tensor<?x768xf32>, tensor<?x768xf32>) -> tensor<?x768xf32>
  return %0 : tensor<?x768xf32>
}

// CHECK-LABEL: @bounds_open_sizes_by_the_range_of_the_plan
func.func @bounds_open_sizes_by_the_range_of_the_plan(%a: tensor<?x768xf32>, %b: tensor<?x768xf32>) -> tensor<?x768xf32>
    attributes {tile.rows = array<i64: 1, 1>} {
  // CHECK: tile.launch @copy {{.*}} params {BM = 1 : i64}
  %0 = tile.launch @copy ins(%a) outs(%b) : (tensor<?x768xf32>, tensor<?x768xf32>) -> tensor<?x768xf32>
  return %0 : tensor<?x768xf32>
}
