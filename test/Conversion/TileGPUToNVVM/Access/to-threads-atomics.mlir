// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#l = #tile_gpu.layout<registers = [d0:2*1], lanes = [d0:32*2], warps = [rep:4]>

// Of four warps that hold the tile the first updates it. Nobody reads the old values.
// CHECK-LABEL: func.func @once(
// CHECK-COUNT-2: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("device") monotonic : !llvm.ptr<1>, f32
// CHECK-NOT:     llvm.atomicrmw
// CHECK-NOT:     nvvm.barrier0
tile.kernel @once(%s: f32) outs(%y: !tile.view<64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %p = tile.base %y : !tile.view<64xf32> -> !tile.ptr<f32>
  %o = tile.iota [64] : tensor<64xi32, #l>
  %v = tile.splat %s [64] : f32 -> tensor<64xf32, #l>
  %old = tile.atomic_rmw add %p[%o], %v : !tile.ptr<f32>, tensor<64xi32, #l>, tensor<64xf32, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#l = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = [rep:4]>

// Floats are compared as bits; what there was reaches the other warps through scratch. In front of a release, and behind an
// acquire, all threads of the block meet.
// CHECK-LABEL: func.func @exchange(
// CHECK:         nvvm.barrier0
// CHECK:         "fence.acq_rel.sys;"
// CHECK:         %[[OLD:.*]] = scf.if
// CHECK:           llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} monotonic monotonic : !llvm.ptr<1>, i32
// CHECK:         "fence.acq_rel.sys;"
// CHECK:         nvvm.barrier0
// CHECK:         nvvm.barrier0
// CHECK:         scf.if
// CHECK:           llvm.store %[[OLD]], %{{.*}} !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK:         llvm.load %{{.*}} !llvm.ptr<3> -> f32
tile.kernel @exchange(%s: f32) outs(%y: !tile.view<32xf32>) grid [1] attributes {tile_gpu.plan = #plan, tile_gpu.scratch = 0 : i64} {
  %c = arith.constant 0 : index
  %p = tile.base %y : !tile.view<32xf32> -> !tile.ptr<f32>
  %o = tile.iota [32] : tensor<32xi64, #l>
  %v = tile.splat %s [32] : f32 -> tensor<32xf32, #l>
  %old = tile.atomic_cas %p[%o], %v, %v order(acq_rel) scope(system) : !tile.ptr<f32>, tensor<32xi64, #l>, tensor<32xf32, #l>
  %m = arith.cmpf oeq, %old, %v : tensor<32xf32, #l>
  tile.assert %m, "used" : tensor<32xi1, #l>
}
