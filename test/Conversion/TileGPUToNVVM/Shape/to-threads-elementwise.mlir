// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse | FileCheck %s

// A tile of 1024 elements on 128 threads is eight registers of each: four adjacent elements, twice.
#l = #tile_gpu.layout<registers = [d0:4*1, d0:2*512], lanes = [d0:32*4], warps = [d0:4*128]>
#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// Arguments are words: a view is pointer, size and stride; the grid and the status follow.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME:    %[[A:.*]]: !llvm.ptr<1>, %[[SIZE:[^:]*]]: i64, %{{[^:]*}}: i64, %[[S:[^:]*]]: i64,
// CHECK-SAME:    %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %[[STATUS:[^:]*]]: !llvm.ptr<1>)
// CHECK-SAME:    tilegpt.asserts = ["sums stay small"]
// CHECK:         %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK:         arith.sitofp
// CHECK:         %[[R:.*]]:8 = scf.for {{.*}} iter_args(
// CHECK-COUNT-8:   arith.addf {{.*}} : f32
// CHECK-COUNT-8: arith.cmpf olt
// CHECK:         scf.if
// CHECK-NEXT:      llvm.store %{{.*}}, %[[STATUS]] : i32, !llvm.ptr<1>
tile.kernel @sum(%a: !tile.view<?xf32>, %s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.num_tiles %a, 0 by [1024] : !tile.view<?xf32>
  %t = tile.splat %s [1024] : f32 -> tensor<1024xf32, #l>
  %i = tile.iota [1024] : tensor<1024xi32, #l>
  %f = arith.sitofp %i : tensor<1024xi32, #l> to tensor<1024xf32, #l>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %t) -> tensor<1024xf32, #l> {
    %x = arith.addf %acc, %f : tensor<1024xf32, #l>
    scf.yield %x : tensor<1024xf32, #l>
  }
  %z = arith.cmpf olt, %r, %f : tensor<1024xf32, #l>
  tile.assert %z, "sums stay small" : tensor<1024xi1, #l>
}

// Both halves of products, register by register; directed rounding is preserved.
// CHECK-LABEL: func.func @two_results(
// CHECK-COUNT-8: arith.mului_extended %{{.*}}, %{{.*}} : i32
// CHECK-NOT:     arith.mului_extended
// CHECK-COUNT-8: tile.rounded mul %{{.*}}, %{{.*}} mode(up) : f32
tile.kernel @two_results(%n: i32) grid [1] attributes {tile_gpu.plan = #plan} {
  %i = tile.iota [1024] : tensor<1024xi32, #l>
  %m = tile.splat %n [1024] : i32 -> tensor<1024xi32, #l>
  %low, %high = arith.mului_extended %i, %m : tensor<1024xi32, #l>
  %t = arith.sitofp %i : tensor<1024xi32, #l> to tensor<1024xf32, #l>
  %u = tile.rounded mul %t, %t mode(up) : tensor<1024xf32, #l>
  %z = arith.cmpf olt, %u, %t : tensor<1024xf32, #l>
  %c = arith.cmpi ult, %low, %high : tensor<1024xi32, #l>
  %e = arith.andi %z, %c : tensor<1024xi1, #l>
  tile.assert %e, "used" : tensor<1024xi1, #l>
}
