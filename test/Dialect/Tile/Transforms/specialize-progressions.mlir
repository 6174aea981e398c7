// RUN: tilegpt-opt %s --tile-specialize --split-input-file | FileCheck %s

// Offsets of a matrix that a loop advances along K: sums of the first ones and a multiple of the iteration. The amount is
// computed before the loop, wherever the kernel does it.
// CHECK-LABEL: tile.kernel @advanced(
// CHECK:       %[[FIRST:.*]] = tile.iota [16]
// CHECK:       %[[AMOUNT:.*]] = arith.muli %arg2, %c32{{.*}} : i32
// CHECK:       scf.for %[[K:.*]] = %c0{{.*}} to %{{.*}} step %c1{{.*}} {
// CHECK:         %[[N:.*]] = arith.index_cast %[[K]] : index to i32
// CHECK:         %[[FAR:.*]] = arith.muli %[[N]], %[[AMOUNT]] : i32
// CHECK:         %[[FARS:.*]] = tile.splat %[[FAR]] [16]
// CHECK:         %[[AT:.*]] = arith.addi %[[FIRST]], %[[FARS]]
// CHECK:         tile.load_at %arg0[%[[AT]]]
tile.kernel @advanced(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %stride: i32, %n: index) grid launch {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = tile.iota [16] : tensor<16xi32>
  %end = scf.for %k = %c0 to %n step %c1 iter_args(%at = %first) -> (tensor<16xi32>) {
    %t = tile.load_at %x[%at] : !tile.ptr<f32>, tensor<16xi32> -> tensor<16xf32>
    tile.store_at %t, %y[%first] : tensor<16xf32>, !tile.ptr<f32>, tensor<16xi32>
    %c32 = arith.constant 32 : i32
    %amount = arith.muli %stride, %c32 : i32
    %amounts = tile.splat %amount [16] : i32 -> tensor<16xi32>
    %next = arith.addi %amounts, %at : tensor<16xi32>
    scf.yield %next : tensor<16xi32>
  }
}

// -----

// A loop in steps of a tile: the amount is divided by the step. The final value is known after the loop.
// CHECK-LABEL: tile.kernel @steps(
// CHECK:       %[[SUM:.*]] = scf.for %[[K:.*]] = %arg1 to %arg2 step %c32{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<1xf32>) {
// CHECK:         %[[D:.*]] = arith.subi %[[K]], %arg1 : index
// CHECK:         %[[N:.*]] = arith.muli %[[D]], %c2{{.*}} : index
// CHECK:         %[[AT:.*]] = arith.subi %arg3, %[[N]] : index
// CHECK:         tile.load %arg0[%[[AT]]]
// CHECK:       %[[RANGE:.*]] = arith.subi %arg2, %arg1 : index
// CHECK:       %[[SOME:.*]] = arith.maxsi %[[RANGE]], %c0{{.*}} : index
// CHECK:       %[[COUNT:.*]] = arith.ceildivsi %[[SOME]], %c32{{.*}} : index
// CHECK:       %[[WHOLE:.*]] = arith.muli %[[COUNT]], %c32{{.*}} : index
// CHECK:       %[[BACK:.*]] = arith.muli %[[WHOLE]], %c2{{.*}} : index
// CHECK:       %[[LAST:.*]] = arith.subi %arg3, %[[BACK]] : index
// CHECK:       tile.store %[[SUM]], %arg4[%[[LAST]]]
tile.kernel @steps(%x: !tile.view<?xf32>, %from: index, %to: index, %first: index) outs(%y: !tile.view<?xf32>) grid [1] {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %sum, %last = scf.for %k = %from to %to step %c32 iter_args(%s = %zero, %at = %first) -> (tensor<1xf32>, index) {
    %t = tile.load %x[%at] [1] : !tile.view<?xf32> -> tensor<1xf32>
    %next = arith.subi %at, %c64 : index
    %more = arith.addf %s, %t : tensor<1xf32>
    scf.yield %more, %next : tensor<1xf32>, index
  }
  tile.store %sum, %y[%last] : tensor<1xf32>, !tile.view<?xf32>
}

// -----

// Numbers that advance by something else each time, or by different amounts for each element, stay carried.
// CHECK-LABEL: tile.kernel @uneven(
// CHECK:       scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (index, tensor<4xi32>) {
tile.kernel @uneven(%x: !tile.view<?xi32>, %n: index) outs(%y: !tile.view<?xi32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = tile.iota [4] : tensor<4xi32>
  %a, %b = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c1, %b = %first) -> (index, tensor<4xi32>) {
    %a2 = arith.addi %a, %k : index
    %b2 = arith.addi %b, %first : tensor<4xi32>
    scf.yield %a2, %b2 : index, tensor<4xi32>
  }
  tile.store %b, %y[%a] : tensor<4xi32>, !tile.view<?xi32>
}

// -----

// Bounds that are compared unsigned have no iteration count in signed arithmetic: from -1 to 4 there is none.
// CHECK-LABEL: tile.kernel @unsigned_bounds(
// CHECK:       scf.for unsigned {{.*}} iter_args(%{{.*}} = %arg3) -> (index) {
tile.kernel @unsigned_bounds(%x: !tile.view<?xf32>, %from: index, %to: index, %first: index) outs(%y: !tile.view<?xf32>) grid [1] {
  %c1 = arith.constant 1 : index
  %last = scf.for unsigned %k = %from to %to step %c1 iter_args(%at = %first) -> (index) {
    %next = arith.addi %at, %c1 : index
    scf.yield %next : index
  }
  %t = tile.load %x[%last] [1] : !tile.view<?xf32> -> tensor<1xf32>
  tile.store %t, %y[%last] : tensor<1xf32>, !tile.view<?xf32>
}
