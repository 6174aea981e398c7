// RUN: tilegpt-opt %s --tile-gpu-skip-masks --tile-gpu-skip-masks --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// A sliding window: the branch around the mask checks both bounds, and in it each is applied only if it cuts a row of
// the warp.
// CHECK-LABEL: tile.kernel @window(
// CHECK:         scf.for
// CHECK:           %[[X:.*]] = tile.splat %{{.*}} [64, 32] : f32
// CHECK:           %[[LATE:.*]] = tile_gpu.any
// CHECK:           %[[EARLY:.*]] = tile_gpu.any
// CHECK:           %[[EITHER:.*]] = arith.ori %[[LATE]], %[[EARLY]] : i1
// CHECK:           scf.if %[[EITHER]] -> (tensor<64x32xf32>) {
// CHECK-NOT:         arith.andi
// CHECK:             %[[L:.*]] = tile_gpu.any
// CHECK:             %[[E:.*]] = tile_gpu.any
// CHECK:             %[[FIRST:.*]] = scf.if %[[L]] -> (tensor<64x32xf32>) {
// CHECK-NEXT:          %[[SEEN:.*]] = arith.cmpi sle
// CHECK-NEXT:          %[[S:.*]] = arith.select %[[SEEN]], %[[X]], %[[HIDDEN:.*]] :
// CHECK-NEXT:          scf.yield %[[S]]
// CHECK-NEXT:        } else {
// CHECK-NEXT:          scf.yield %[[X]]
// CHECK:             %[[BOTH:.*]] = scf.if %[[E]] -> (tensor<64x32xf32>) {
// CHECK:               %[[RECENT:.*]] = arith.cmpi sgt
// CHECK-NEXT:          %[[T:.*]] = arith.select %[[RECENT]], %[[FIRST]], %[[HIDDEN]] :
// CHECK-NEXT:          scf.yield %[[T]]
// CHECK-NEXT:        } else {
// CHECK-NEXT:          scf.yield %[[FIRST]]
// CHECK:             scf.yield %[[BOTH]]
tile.kernel @window(%n: index, %f: f32, %w: i32) outs(%y: !tile.view<64x32xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %rows = tile.iota [64] : tensor<64xi32>
  %column = tile.expand_dims %rows, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %q = tile.broadcast %column [64, 32] : tensor<64x1xi32> -> tensor<64x32xi32>
  %ws = tile.splat %w [64, 32] : i32 -> tensor<64x32xi32>
  %before = arith.subi %q, %ws : tensor<64x32xi32>
  %keys = tile.iota [32] : tensor<32xi32>
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x32xf32>) {
    %x = tile.splat %f [64, 32] : f32 -> tensor<64x32xf32>
    %ji = arith.index_cast %j : index to i32
    %first = arith.muli %ji, %c32 : i32
    %base = tile.splat %first [32] : i32 -> tensor<32xi32>
    %k1 = arith.addi %base, %keys : tensor<32xi32>
    %k = tile.broadcast %k1 [64, 32] : tensor<32xi32> -> tensor<64x32xi32>
    %late = arith.cmpi sle, %k, %q : tensor<64x32xi32>
    %recent = arith.cmpi sgt, %k, %before : tensor<64x32xi32>
    %seen = arith.andi %late, %recent : tensor<64x32xi1>
    %s = arith.select %seen, %x, %zero : tensor<64x32xi1>, tensor<64x32xf32>
    %next = arith.addf %acc, %s : tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// A disjunction is one mask.
// CHECK-LABEL: tile.kernel @either(
// CHECK:         scf.if %{{.*}} -> (tensor<64x32xf32>) {
// CHECK-NOT:       scf.if
// CHECK:           arith.ori
// CHECK:           arith.select
tile.kernel @either(%n: index, %f: f32, %p: i32) outs(%y: !tile.view<64x32xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %rows = tile.iota [64] : tensor<64xi32>
  %column = tile.expand_dims %rows, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %q = tile.broadcast %column [64, 32] : tensor<64x1xi32> -> tensor<64x32xi32>
  %keys = tile.iota [32] : tensor<32xi32>
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x32xf32>) {
    %x = tile.splat %f [64, 32] : f32 -> tensor<64x32xf32>
    %ji = arith.index_cast %j : index to i32
    %first = arith.muli %ji, %c32 : i32
    %base = tile.splat %first [32] : i32 -> tensor<32xi32>
    %k1 = arith.addi %base, %keys : tensor<32xi32>
    %k = tile.broadcast %k1 [64, 32] : tensor<32xi32> -> tensor<64x32xi32>
    %late = arith.cmpi sle, %k, %q : tensor<64x32xi32>
    %ps = tile.splat %p [64, 32] : i32 -> tensor<64x32xi32>
    %all = arith.cmpi slt, %k, %ps : tensor<64x32xi32>
    %seen = arith.ori %late, %all : tensor<64x32xi1>
    %s = arith.select %seen, %x, %zero : tensor<64x32xi1>, tensor<64x32xf32>
    %next = arith.addf %acc, %s : tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Near miss: checking document ids element by element costs as much as the select.
// CHECK-LABEL: tile.kernel @documents(
// CHECK:         scf.if %{{.*}} -> (tensor<64x32xf32>) {
// CHECK-NOT:       scf.if
// CHECK:           arith.andi
// CHECK-NEXT:      arith.select
tile.kernel @documents(%n: index, %f: f32, %d: !tile.view<?xi32>) outs(%y: !tile.view<64x32xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %rows = tile.iota [64] : tensor<64xi32>
  %column = tile.expand_dims %rows, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %q = tile.broadcast %column [64, 32] : tensor<64x1xi32> -> tensor<64x32xi32>
  %dq = tile.load %d[%c0] [64] : !tile.view<?xi32> -> tensor<64xi32>
  %dqc = tile.expand_dims %dq, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %dqs = tile.broadcast %dqc [64, 32] : tensor<64x1xi32> -> tensor<64x32xi32>
  %keys = tile.iota [32] : tensor<32xi32>
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x32xf32>) {
    %x = tile.splat %f [64, 32] : f32 -> tensor<64x32xf32>
    %ji = arith.index_cast %j : index to i32
    %first = arith.muli %ji, %c32 : i32
    %base = tile.splat %first [32] : i32 -> tensor<32xi32>
    %k1 = arith.addi %base, %keys : tensor<32xi32>
    %k = tile.broadcast %k1 [64, 32] : tensor<32xi32> -> tensor<64x32xi32>
    %late = arith.cmpi sle, %k, %q : tensor<64x32xi32>
    %dk = tile.load %d[%j] [32] : !tile.view<?xi32> -> tensor<32xi32>
    %dks = tile.broadcast %dk [64, 32] : tensor<32xi32> -> tensor<64x32xi32>
    %same = arith.cmpi eq, %dks, %dqs : tensor<64x32xi32>
    %seen = arith.andi %late, %same : tensor<64x32xi1>
    %s = arith.select %seen, %x, %zero : tensor<64x32xi1>, tensor<64x32xf32>
    %next = arith.addf %acc, %s : tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}
