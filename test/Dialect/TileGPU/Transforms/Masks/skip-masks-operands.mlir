// RUN: tilegpt-opt %s --tile-gpu-skip-masks --split-input-file | FileCheck %s

// A masked tile that a dot reads, converted or as it is, is computed by the only warp group while an earlier dot runs:
// a branch that yields it would serialize the dots, so the mask stays. Two groups wait for their dots first.
// CHECK-LABEL: tile.kernel @one_group(
// CHECK:         scf.for
// CHECK:           %[[E:.*]] = math.exp2
// CHECK-NOT:       scf.if
// CHECK:           arith.select %{{.*}}, %[[E]], %{{.*}} : tensor<64x64xi1>, tensor<64x64xf32>
// CHECK:           tile.dot
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>
tile.kernel @one_group(%n: index, %v: !tile.view<?x64xbf16>) outs(%y: !tile.view<64x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %l = tile.load %v[%c0, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
  %l0 = tile.load %v[%c0, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
  %rows = tile.iota [64] : tensor<64xi32>
  %column = tile.expand_dims %rows, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %q = tile.broadcast %column [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %x = tile.dot %l, %l0, %zero transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %e = math.exp2 %x : tensor<64x64xf32>
    %ji = arith.index_cast %j : index to i32
    %first = arith.muli %ji, %c64 : i32
    %base = tile.splat %first [64] : i32 -> tensor<64xi32>
    %k1 = arith.addi %base, %rows : tensor<64xi32>
    %k = tile.broadcast %k1 [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %seen = arith.cmpi sle, %k, %q : tensor<64x64xi32>
    %s = arith.select %seen, %e, %zero : tensor<64x64xi1>, tensor<64x64xf32>
    %p = tile.cast %s : tensor<64x64xf32> to tensor<64x64xbf16>
    %t = tile.load %v[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %next = tile.dot %p, %t, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// -----

// CHECK-LABEL: tile.kernel @two_groups(
// CHECK:         scf.for
// CHECK:           %[[E:.*]] = math.exp2
// CHECK:           scf.if
// CHECK:             arith.select %{{.*}}, %[[E]], %{{.*}} : tensor<128x64xi1>, tensor<128x64xf32>
// CHECK:           tile.dot
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>
tile.kernel @two_groups(%n: index, %v: !tile.view<?x64xbf16>) outs(%y: !tile.view<128x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %l = tile.load %v[%c0, %c0] [128, 64] : !tile.view<?x64xbf16> -> tensor<128x64xbf16>
  %l0 = tile.load %v[%c0, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
  %rows = tile.iota [128] : tensor<128xi32>
  %keys = tile.iota [64] : tensor<64xi32>
  %column = tile.expand_dims %rows, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %q = tile.broadcast %column [128, 64] : tensor<128x1xi32> -> tensor<128x64xi32>
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32>) {
    %x = tile.dot %l, %l0, %zero transpose_b : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    %e = math.exp2 %x : tensor<128x64xf32>
    %ji = arith.index_cast %j : index to i32
    %first = arith.muli %ji, %c64 : i32
    %base = tile.splat %first [64] : i32 -> tensor<64xi32>
    %k1 = arith.addi %base, %keys : tensor<64xi32>
    %k = tile.broadcast %k1 [128, 64] : tensor<64xi32> -> tensor<128x64xi32>
    %seen = arith.cmpi sle, %k, %q : tensor<128x64xi32>
    %s = arith.select %seen, %e, %zero : tensor<128x64xi1>, tensor<128x64xf32>
    %p = tile.cast %s : tensor<128x64xf32> to tensor<128x64xbf16>
    %t = tile.load %v[%j, %c0] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %next = tile.dot %p, %t, %acc : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<128x64xf32>, !tile.view<128x64xf32>
}
