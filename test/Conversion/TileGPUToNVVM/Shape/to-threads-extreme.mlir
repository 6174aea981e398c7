// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>

// The extreme of a thread's elements first, then the first of them that holds it: one comparison each if it is a number. Lanes
// exchange extremes, and then the indices of those that hold it.
#row = #tile_gpu.layout<registers = [d0:5*32], lanes = [d0:32*1], warps = []>
#all = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = []>

// CHECK-LABEL:   func.func @argmax(
// CHECK-COUNT-4:   arith.maximumf %{{.*}} : f32
// CHECK-NOT:       arith.maximumf
// CHECK-COUNT-4:   arith.cmpf oeq, %{{.*}} : f32
// CHECK:           %[[NAN:.*]] = arith.cmpf uno, %[[M:.*]], %[[M]] : f32
// CHECK:           scf.if %[[NAN]]
// CHECK-COUNT-4:     arith.cmpf uno
// CHECK-NOT:         arith.cmpf
// CHECK:           } else {
// CHECK-COUNT-5:   arith.maximumf
// CHECK-COUNT-4:   arith.minsi
tile.kernel @argmax(%x: !tile.view<160xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [160] : !tile.view<160xf32> -> tensor<160xf32, #row>
  %r = tile.reduce argmax %t axis 0 : tensor<160xf32, #row> -> tensor<i32, #all>
  %c = arith.cmpi slt, %r, %r : tensor<i32, #all>
  tile.assert %c, "used" : tensor<i1, #all>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>

// Elements of 16 bits two at a time. If NaN is ignored, the extreme is one only if all elements are, and the first one is it.
#row = #tile_gpu.layout<registers = [d0:5*32], lanes = [d0:32*1], warps = []>
#all = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = []>

// CHECK-LABEL:   func.func @argmin_of_pairs(
// CHECK:           llvm.intr.minnum(%{{.*}}, %{{.*}}) : (vector<2xbf16>, vector<2xbf16>) -> vector<2xbf16>
// CHECK-NOT:       llvm.intr.minnum
// CHECK-COUNT-2:   arith.minnumf %{{.*}} : bf16
// CHECK-NOT:       scf.if
// CHECK:           arith.cmpf uno, %[[M:.*]], %[[M]] : bf16
tile.kernel @argmin_of_pairs(%x: !tile.view<160xbf16>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [160] : !tile.view<160xbf16> -> tensor<160xbf16, #row>
  %r = tile.reduce argmin %t axis 0 nan(ignore) : tensor<160xbf16, #row> -> tensor<i32, #all>
  %c = arith.cmpi slt, %r, %r : tensor<i32, #all>
  tile.assert %c, "used" : tensor<i1, #all>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>

// A region over pairs, of which the indices are at known distances from each other: constants are selected, and added to one
// index.
#row = #tile_gpu.layout<registers = [d0:3*1], lanes = [rep:32], warps = []>
#all = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = []>

// CHECK-LABEL: func.func @region(
// CHECK:         %[[START:.*]] = arith.trunci
// CHECK:         %[[FROM:.*]] = arith.addi %[[START]], %c1_i32 : i32
// CHECK:         arith.maxsi
// CHECK:         arith.maxsi
// CHECK:         %[[FIRST:.*]] = arith.select %{{.*}}, %c-1_i32, %{{.*}} : i32
// CHECK:         arith.addi %[[FROM]], %[[FIRST]] : i32
// CHECK-NOT:     arith.minsi
tile.kernel @region(%x: !tile.view<3xi32>, %start: i32) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [3] : !tile.view<3xi32> -> tensor<3xi32, #row>
  %n = tile.iota [3] : tensor<3xi32, #row>
  %from = tile.splat %start [3] : i32 -> tensor<3xi32, #row>
  %i = arith.addi %n, %from : tensor<3xi32, #row>
  %r:2 = tile.reduce %t, %i axis 0 identities [-2147483648 : i32, 2147483647 : i32] {
    ^bb0(%a: i32, %ai: i32, %b: i32, %bi: i32):
      %greater = arith.cmpi sgt, %b, %a : i32
      %less = arith.cmpi sgt, %a, %b : i32
      %earlier = arith.cmpi slt, %bi, %ai : i32
      %either = arith.ori %greater, %earlier : i1
      %wins = arith.select %less, %greater, %either : i1
      %v = arith.select %wins, %b, %a : i32
      %vi = arith.select %wins, %bi, %ai : i32
      tile.yield %v, %vi : i32, i32
  } : tensor<3xi32, #row>, tensor<3xi32, #row> -> (tensor<i32, #all>, tensor<i32, #all>)
  %c = arith.cmpi slt, %r#0, %r#1 : tensor<i32, #all>
  tile.assert %c, "used" : tensor<i1, #all>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>

// Unlike it, a region that keeps the last of equal elements is applied as it is.
#row = #tile_gpu.layout<registers = [d0:3*1], lanes = [rep:32], warps = []>
#all = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = []>

// CHECK-LABEL:   func.func @last(
// CHECK-NOT:       arith.maxsi
// CHECK-COUNT-4:   arith.cmpi sgt, %{{.*}}, %{{.*}} : i32
// CHECK-NOT:       arith.maxsi
tile.kernel @last(%x: !tile.view<3xi32>, %start: i32) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [3] : !tile.view<3xi32> -> tensor<3xi32, #row>
  %n = tile.iota [3] : tensor<3xi32, #row>
  %r:2 = tile.reduce %t, %n axis 0 identities [-2147483648 : i32, -1 : i32] {
    ^bb0(%a: i32, %ai: i32, %b: i32, %bi: i32):
      %greater = arith.cmpi sgt, %b, %a : i32
      %less = arith.cmpi sgt, %a, %b : i32
      %later = arith.cmpi slt, %ai, %bi : i32
      %either = arith.ori %greater, %later : i1
      %wins = arith.select %less, %greater, %either : i1
      %v = arith.select %wins, %b, %a : i32
      %vi = arith.select %wins, %bi, %ai : i32
      tile.yield %v, %vi : i32, i32
  } : tensor<3xi32, #row>, tensor<3xi32, #row> -> (tensor<i32, #all>, tensor<i32, #all>)
  %c = arith.cmpi slt, %r#0, %r#1 : tensor<i32, #all>
  tile.assert %c, "used" : tensor<i1, #all>
}
