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

// If loads are of windows, the extent that the grid divides bounds the data.
tile.kernel @copy_of_each_sequence(%x: !tile.view<?x?xf32>, %pos: !tile.view<?xi32>) outs(%y: !tile.view<?x?xf32>)
    params {BM = 16 in [1, 4, 16], BN = 64 in [32, 64]}
    grid [ceildiv(floordiv(dim(%x, 0), dim(%pos, 0)), BM), dim(%pos, 0), BN] {
  %m = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %rows = tile.dim %x, 0 : !tile.view<?x?xf32>
  %columns = tile.dim %x, 1 : !tile.view<?x?xf32>
  %batch = tile.dim %pos, 0 : !tile.view<?xi32>
  %tokens = arith.divui %rows, %batch : index
  %row = arith.muli %b, %tokens : index
  %xs = tile.subview %x[%row, 0] [%tokens, %columns] : !tile.view<?x?xf32> -> !tile.view<?x?xf32, strides=[?, 1]>
  %ys = tile.subview %y[%row, 0] [%tokens, %columns] : !tile.view<?x?xf32> -> !tile.view<?x?xf32, strides=[?, 1]>
  %t = tile.load %xs[%m, %c0] [BM, BN] : !tile.view<?x?xf32, strides=[?, 1]> -> tensor<?x?xf32>
  tile.store %t, %ys[%m, %c0] : tensor<?x?xf32>, !tile.view<?x?xf32, strides=[?, 1]>
}

// CHECK-LABEL: @divides_rows_among_sequences
func.func @divides_rows_among_sequences(%a: tensor<8x32xf32>, %p: tensor<2xi32>, %b: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // CHECK: tile.launch @copy_of_each_sequence {{.*}} params {BM = 4 : i64} :
  %0 = tile.launch @copy_of_each_sequence ins(%a, %p) outs(%b)
      : (tensor<8x32xf32>, tensor<2xi32>, tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// As many sequences as rows, or one: unknown, so one is assumed.
// CHECK-LABEL: @takes_an_open_number_of_sequences_for_one
func.func @takes_an_open_number_of_sequences_for_one(%a: tensor<4x32xf32>, %p: tensor<?xi32>, %b: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // ROWS: tile.launch @copy_of_each_sequence {{.*}} params {BM = 4 : i64} :
  %0 = tile.launch @copy_of_each_sequence ins(%a, %p) outs(%b)
      : (tensor<4x32xf32>, tensor<?xi32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// CHECK-LABEL: @keeps_the_default_without_a_bound
func.func @keeps_the_default_without_a_bound(%a: tensor<?x32xf32>, %p: tensor<1xi32>, %b: tensor<?x32xf32>) -> tensor<?x32xf32> {
  // OPEN-NOT: params
  // ROWS: tile.launch @copy_of_each_sequence {{.*}} params {BM = 4 : i64} :
  %0 = tile.launch @copy_of_each_sequence ins(%a, %p) outs(%b)
      : (tensor<?x32xf32>, tensor<1xi32>, tensor<?x32xf32>) -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}
