// RUN: tilegpt-opt %s --tile-specialize | FileCheck %s

// A loop over i32 counts by index between the same bounds; its number as an index is the counter itself.
// CHECK-LABEL: tile.kernel @words(
// CHECK-DAG:   %[[FROM:.*]] = arith.index_cast %arg1 : i32 to index
// CHECK-DAG:   %[[TO:.*]] = arith.index_cast %arg2 : i32 to index
// CHECK-DAG:   %[[STEP:.*]] = arith.constant 64 : index
// CHECK:       scf.for %[[I:.*]] = %[[FROM]] to %[[TO]] step %[[STEP]] {
// CHECK-NEXT:    %[[W:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-NEXT:    %[[S:.*]] = tile.splat %[[W]] [64] : i32 -> tensor<64xi32>
// CHECK-NEXT:    tile.store %[[S]], %arg3[%[[I]]]
tile.kernel @words(%x: !tile.view<?xi32>, %from: i32, %to: i32) outs(%y: !tile.view<?xi32>) grid [1] {
  %step = arith.constant 64 : i32
  scf.for %i = %from to %to step %step : i32 {
    %j = arith.index_cast %i : i32 to index
    %s = tile.splat %i [64] : i32 -> tensor<64xi32>
    tile.store %s, %y[%j] : tensor<64xi32>, !tile.view<?xi32>
  }
}

// Numbers that an index of a GPU may not hold: the loop counts its iterations.
// CHECK-LABEL: tile.kernel @doublewords(
// CHECK:       %[[COUNT:.*]] = arith.index_castui %{{.*}} : i64 to index
// CHECK:       scf.for %[[I:.*]] = %c0{{.*}} to %[[COUNT]] step %c1
// CHECK-NEXT:    %[[N:.*]] = arith.index_castui %[[I]] : index to i64
// CHECK-NEXT:    %[[O:.*]] = arith.muli %[[N]], %{{.*}} : i64
// CHECK-NEXT:    %[[V:.*]] = arith.addi %arg0, %[[O]] : i64
// CHECK-NEXT:    tile.splat %[[V]] [1] : i64 -> tensor<1xi64>
tile.kernel @doublewords(%from: i64, %to: i64) outs(%y: !tile.view<?xi64>) grid [1] {
  %c0 = arith.constant 0 : index
  %step = arith.constant 3 : i64
  scf.for %i = %from to %to step %step : i64 {
    %s = tile.splat %i [1] : i64 -> tensor<1xi64>
    tile.store %s, %y[%c0] : tensor<1xi64>, !tile.view<?xi64>
  }
}

// So does one whose bounds are unsigned.
// CHECK-LABEL: tile.kernel @unsigned(
// CHECK:       arith.cmpi ugt, %arg1, %arg0 : i32
// CHECK:       scf.for %{{.*}} = %c0{{.*}} to %{{.*}} step %c1
tile.kernel @unsigned(%from: i32, %to: i32) outs(%y: !tile.view<?xi32>) grid [1] {
  %c0 = arith.constant 0 : index
  %step = arith.constant 3 : i32
  scf.for unsigned %i = %from to %to step %step : i32 {
    %s = tile.splat %i [1] : i32 -> tensor<1xi32>
    tile.store %s, %y[%c0] : tensor<1xi32>, !tile.view<?xi32>
  }
}
