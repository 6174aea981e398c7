// RUN: tilegpt-opt %s --tile-gpu-skip-masks --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Keys j·32 … j·32 + 31: if the last of them is visible to all rows of a warp, nothing is compared elementwise.
// CHECK-LABEL: tile.kernel @causal(
// CHECK:         scf.for %[[J:.*]] =
// CHECK:           %[[X:.*]] = tile.splat %{{.*}} [64, 32] : f32
// CHECK:           %[[LAST:.*]] = arith.addi %{{.*}}, %c31_i32 : i32
// CHECK:           %[[KEYS:.*]] = tile.splat %[[LAST]] [64, 1] : i32 -> tensor<64x1xi32>
// CHECK:           %[[BEHIND:.*]] = arith.cmpi sgt, %[[KEYS]], %{{.*}} : tensor<64x1xi32>
// CHECK:           %[[ANY:.*]] = tile_gpu.any %[[BEHIND]] : tensor<64x1xi1>
// CHECK:           %[[S:.*]] = scf.if %[[ANY]] -> (tensor<64x32xf32>) {
// CHECK:             %[[SEEN:.*]] = arith.cmpi sle
// CHECK:             %[[M:.*]] = arith.select %[[SEEN]], %[[X]], %{{.*}}
// CHECK:             scf.yield %[[M]]
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[X]]
// CHECK:           arith.addf %{{.*}}, %[[S]]
tile.kernel @causal(%n: index, %f: f32) outs(%y: !tile.view<64x32xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
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
    %seen = arith.cmpi sle, %k, %q : tensor<64x32xi32>
    %s = arith.select %seen, %x, %zero : tensor<64x32xi1>, tensor<64x32xf32>
    %next = arith.addf %acc, %s : tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// An added mask: the addition moves to the branch of the mask.
// CHECK-LABEL: tile.kernel @added(
// CHECK:         scf.for
// CHECK-NOT:       arith.addf
// CHECK:           scf.if
// CHECK:             %[[A:.*]] = arith.addf %[[X:.*]], %{{.*}} : tensor<64x32xf32>
// CHECK:             arith.select %{{.*}}, %[[X]], %[[A]]
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[X]]
tile.kernel @added(%n: index, %f: f32) outs(%y: !tile.view<64x32xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
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
    %seen = arith.cmpi sle, %k, %q : tensor<64x32xi32>
    %far = arith.constant dense<-1.0e+30> : tensor<64x32xf32>
    %hidden = arith.addf %x, %far : tensor<64x32xf32>
    %s = arith.select %seen, %x, %hidden : tensor<64x32xi1>, tensor<64x32xf32>
    %next = arith.addf %acc, %s : tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// Keys before a bound: if all of them are, nothing is compared, elementwise or by row.
// CHECK-LABEL: tile.kernel @ends(
// CHECK-SAME:    %{{.*}}: index, %{{.*}}: f32, %[[END:.*]]: i32)
// CHECK:         scf.for %[[J:.*]] =
// CHECK:           %[[X:.*]] = tile.splat %{{.*}} [64, 32] : f32
// CHECK:           %[[LAST:.*]] = arith.addi %{{.*}}, %c31_i32 : i32
// CHECK:           %[[BEHIND:.*]] = arith.cmpi sge, %[[LAST]], %[[END]] : i32
// CHECK:           scf.if %[[BEHIND]] -> (tensor<64x32xf32>) {
// CHECK:             arith.cmpi slt
// CHECK:             arith.select
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[X]]
tile.kernel @ends(%n: index, %f: f32, %end: i32) outs(%y: !tile.view<64x32xf32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %ends = tile.splat %end [64, 32] : i32 -> tensor<64x32xi32>
  %keys = tile.iota [32] : tensor<32xi32>
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x32xf32>) {
    %x = tile.splat %f [64, 32] : f32 -> tensor<64x32xf32>
    %ji = arith.index_cast %j : index to i32
    %first = arith.muli %ji, %c32 : i32
    %base = tile.splat %first [32] : i32 -> tensor<32xi32>
    %k1 = arith.addi %base, %keys : tensor<32xi32>
    %k = tile.broadcast %k1 [64, 32] : tensor<32xi32> -> tensor<64x32xi32>
    %seen = arith.cmpi slt, %k, %ends : tensor<64x32xi32>
    %s = arith.select %seen, %x, %zero : tensor<64x32xi1>, tensor<64x32xf32>
    %next = arith.addf %acc, %s : tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// 128 keys, 32 per iteration: all are in bounds.
// CHECK-LABEL: tile.kernel @whole(
// CHECK:         scf.for
// CHECK:           %[[X:.*]] = tile.splat %{{.*}} [64, 32] : f32
// CHECK-NOT:       arith.select
// CHECK:           arith.addf %{{.*}}, %[[X]]
tile.kernel @whole(%f: f32) outs(%y: !tile.view<64x32xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %ends = arith.constant dense<128> : tensor<64x32xi32>
  %keys = tile.iota [32] : tensor<32xi32>
  %sum = scf.for %j = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (tensor<64x32xf32>) {
    %x = tile.splat %f [64, 32] : f32 -> tensor<64x32xf32>
    %first = arith.muli %j, %c32 : index
    %fi = arith.index_cast %first : index to i32
    %base = tile.splat %fi [32] : i32 -> tensor<32xi32>
    %k1 = arith.addi %base, %keys : tensor<32xi32>
    %k = tile.broadcast %k1 [64, 32] : tensor<32xi32> -> tensor<64x32xi32>
    %seen = arith.cmpi slt, %k, %ends : tensor<64x32xi32>
    %s = arith.select %seen, %x, %zero : tensor<64x32xi1>, tensor<64x32xf32>
    %next = arith.addf %acc, %s : tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// A disjunction: an element is hidden only if both conditions fail for one.
// CHECK-LABEL: tile.kernel @either(
// CHECK-SAME:    %{{.*}}: index, %{{.*}}: f32, %[[PREFIX:.*]]: i32)
// CHECK:         scf.for
// CHECK:           %[[LATE:.*]] = tile_gpu.any
// CHECK:           %[[BEHIND:.*]] = arith.cmpi sge, %{{.*}}, %[[PREFIX]] : i32
// CHECK:           %[[BOTH:.*]] = arith.andi %[[LATE]], %[[BEHIND]] : i1
// CHECK:           scf.if %[[BOTH]] -> (tensor<64x32xf32>) {
// CHECK:             arith.ori
// CHECK:             arith.select
// CHECK:           } else {
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

// Document ids: checks whether any two differ in a warp.
// CHECK-LABEL: tile.kernel @documents(
// CHECK:         scf.for
// CHECK:           %[[LATE:.*]] = tile_gpu.any %{{.*}} : tensor<64x1xi1>
// CHECK:           %[[OTHER:.*]] = arith.cmpi ne, %{{.*}} : tensor<64x32xi32>
// CHECK:           %[[OTHERS:.*]] = tile_gpu.any %[[OTHER]] : tensor<64x32xi1>
// CHECK:           %[[EITHER:.*]] = arith.ori %[[LATE]], %[[OTHERS]] : i1
// CHECK:           scf.if %[[EITHER]] -> (tensor<64x32xf32>) {
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

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// A mask of loaded numbers, or one without a bound on columns, stays.
// CHECK-LABEL: tile.kernel @unknown(
// CHECK-NOT:     scf.if
// CHECK-LABEL: func.func @end
tile.kernel @unknown(%n: index, %k: !tile.view<64x32xi32>) outs(%y: !tile.view<64x32xi32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0> : tensor<64x32xi32>
  %t = tile.load %k[%c0, %c0] [64, 32] : !tile.view<64x32xi32> -> tensor<64x32xi32>
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x32xi32>) {
    %seen = arith.cmpi sle, %t, %acc : tensor<64x32xi32>
    %s = arith.select %seen, %t, %zero : tensor<64x32xi1>, tensor<64x32xi32>
    scf.yield %s : tensor<64x32xi32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x32xi32>, !tile.view<64x32xi32>
}
func.func @end() { return }

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>

// An operand that is made of loaded numbers is computed while earlier dots run, which a branch would wait for: also where it is
// reshaped and cast after the mask. What a dot makes is in skip-masks-operands.mlir.
// CHECK-LABEL: tile.kernel @operand(
// CHECK:         scf.for
// CHECK-NOT:       scf.if
// CHECK:           tile.dot
tile.kernel @operand(%n: index, %w: !tile.view<?x16xf32>, %i: !tile.view<?x16xi32>, %x: !tile.view<?x64xbf16>) outs(%y: !tile.view<64x64xf32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x16x4xf32>
  %four = tile.iota [4] : tensor<4xi32>
  %p = tile.broadcast %four [64, 16, 4] : tensor<4xi32> -> tensor<64x16x4xi32>
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %wt = tile.load %w[%j, %c0] [64, 16] : !tile.view<?x16xf32> -> tensor<64x16xf32>
    %we = tile.expand_dims %wt, 2 : tensor<64x16xf32> -> tensor<64x16x1xf32>
    %wb = tile.broadcast %we [64, 16, 4] : tensor<64x16x1xf32> -> tensor<64x16x4xf32>
    %it = tile.load %i[%j, %c0] [64, 16] : !tile.view<?x16xi32> -> tensor<64x16xi32>
    %ie = tile.expand_dims %it, 2 : tensor<64x16xi32> -> tensor<64x16x1xi32>
    %ib = tile.broadcast %ie [64, 16, 4] : tensor<64x16x1xi32> -> tensor<64x16x4xi32>
    %is = arith.cmpi eq, %ib, %p : tensor<64x16x4xi32>
    %s = arith.select %is, %wb, %none : tensor<64x16x4xi1>, tensor<64x16x4xf32>
    %r = tile.reshape %s [64, 64] : tensor<64x16x4xf32> -> tensor<64x64xf32>
    %a = tile.cast %r : tensor<64x64xf32> to tensor<64x64xbf16>
    %b = tile.load %x[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %next = tile.dot %a, %b, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// -----

// Without a producer nothing changes.
// CHECK-LABEL: tile.kernel @plain(
// CHECK-NOT:     tile_gpu.any
tile.kernel @plain(%n: index, %f: f32) outs(%y: !tile.view<64x32xf32>) grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %rows = tile.iota [64] : tensor<64xi32>
  %column = tile.expand_dims %rows, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %q = tile.broadcast %column [64, 32] : tensor<64x1xi32> -> tensor<64x32xi32>
  %k1 = tile.iota [32] : tensor<32xi32>
  %k = tile.broadcast %k1 [64, 32] : tensor<32xi32> -> tensor<64x32xi32>
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x32xf32>) {
    %seen = arith.cmpi sle, %k, %q : tensor<64x32xi32>
    %s = arith.select %seen, %acc, %zero : tensor<64x32xi1>, tensor<64x32xf32>
    scf.yield %s : tensor<64x32xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}
