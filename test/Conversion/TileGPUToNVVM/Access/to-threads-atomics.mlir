// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#l = #tile_gpu.layout<registers = [d0:2*1], lanes = [d0:32*2], warps = [rep:4]>

// The first of four warps that hold the tile updates it. The old values are unused.
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

// Floats are compared as bits; the old value reaches the other warps through scratch. Before a release, and after an
// acquire, all threads of the block synchronize.
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

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
#l = #tile_gpu.layout<registers = [d0:8*1], lanes = [d0:32*8], warps = [rep:4]>

// Hopper adds adjacent elements at once, if one mask applies to all of them and the old values are unused.
// CHECK-LABEL: func.func @neighbours(
// CHECK-COUNT-2: llvm.inline_asm has_side_effects {{.*}}"@$0 red.relaxed.gpu.global.add.v4.f32 [$1], {$2, $3, $4, $5};"
// CHECK:         llvm.inline_asm has_side_effects {{.*}}"@$0 red.relaxed.sys.global.add.noftz.v8.bf16 [$1], {$2, $3, $4, $5, $6, $7, $8, $9};"
// CHECK-NOT:     llvm.inline_asm
// CHECK-COUNT-8: llvm.atomicrmw add {{.*}} i32
tile.kernel @neighbours(%s: f32, %h: bf16, %i: i32)
    outs(%y: !tile.view<256xf32>, %z: !tile.view<256xbf16>, %n: !tile.view<256xi32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %o = tile.iota [256] : tensor<256xi32, #l>
  %end = arith.constant dense<200> : tensor<256xi32, #l>
  %m = arith.cmpi slt, %o, %end : tensor<256xi32, #l>
  %p = tile.base %y : !tile.view<256xf32> -> !tile.ptr<f32>
  %v = tile.splat %s [256] : f32 -> tensor<256xf32, #l>
  %0 = tile.atomic_rmw add %p[%o], %v mask(%m : tensor<256xi1, #l>) : !tile.ptr<f32>, tensor<256xi32, #l>, tensor<256xf32, #l>
  %q = tile.base %z : !tile.view<256xbf16> -> !tile.ptr<bf16>
  %w = tile.splat %h [256] : bf16 -> tensor<256xbf16, #l>
  %1 = tile.atomic_rmw add %q[%o], %w scope(system) : !tile.ptr<bf16>, tensor<256xi32, #l>, tensor<256xbf16, #l>
  %r = tile.base %n : !tile.view<256xi32> -> !tile.ptr<i32>
  %u = tile.splat %i [256] : i32 -> tensor<256xi32, #l>
  %2 = tile.atomic_rmw add %r[%o], %u : !tile.ptr<i32>, tensor<256xi32, #l>, tensor<256xi32, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
#l = #tile_gpu.layout<registers = [d0:2*32], lanes = [d0:32*1], warps = [rep:4]>

// Elements of a thread without adjacent ones are added one by one, not as a vector of one.
// CHECK-LABEL: func.func @alone(
// CHECK-COUNT-2: llvm.inline_asm has_side_effects {{.*}}"@$0 red.relaxed.gpu.global.add.f32 [$1], $2;"
tile.kernel @alone(%s: f32) outs(%y: !tile.view<64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %o = tile.iota [64] : tensor<64xi32, #l>
  %p = tile.base %y : !tile.view<64xf32> -> !tile.ptr<f32>
  %v = tile.splat %s [64] : f32 -> tensor<64xf32, #l>
  %0 = tile.atomic_rmw add %p[%o], %v : !tile.ptr<f32>, tensor<64xi32, #l>, tensor<64xf32, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
#l = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [rep:4]>

// Used old values, masks that split adjacent elements, and elements not aligned to 16 bytes: element by element.
// CHECK-LABEL: func.func @elements(
// CHECK-NOT:     red.relaxed
// CHECK-COUNT-8: llvm.atomicrmw fadd
// CHECK-NOT:     red.relaxed
// CHECK-COUNT-4: llvm.atomicrmw fadd
// CHECK-NOT:     red.relaxed
tile.kernel @elements(%s: f32) outs(%y: !tile.view<129xf32>, %was: !tile.view<128xf32>) grid [1]
    attributes {tile_gpu.plan = #plan, tile_gpu.scratch = 0 : i64} {
  %c0 = arith.constant 0 : index
  %o = tile.iota [128] : tensor<128xi32, #l>
  %p = tile.base %y : !tile.view<129xf32> -> !tile.ptr<f32>
  %v = tile.splat %s [128] : f32 -> tensor<128xf32, #l>
  %one = arith.constant dense<1> : tensor<128xi32, #l>
  %o1 = arith.addi %o, %one : tensor<128xi32, #l>
  %0 = tile.atomic_rmw add %p[%o1], %v : !tile.ptr<f32>, tensor<128xi32, #l>, tensor<128xf32, #l>
  %end = arith.constant dense<99> : tensor<128xi32, #l>
  %m = arith.cmpi slt, %o, %end : tensor<128xi32, #l>
  %1 = tile.atomic_rmw add %p[%o], %v mask(%m : tensor<128xi1, #l>) : !tile.ptr<f32>, tensor<128xi32, #l>, tensor<128xf32, #l>
  %old = tile.atomic_rmw add %p[%o], %v : !tile.ptr<f32>, tensor<128xi32, #l>, tensor<128xf32, #l>
  tile.store %old, %was[%c0] : tensor<128xf32, #l>, !tile.view<128xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#l = #tile_gpu.layout<registers = [d0:2*1], lanes = [d0:32*2], warps = [d0:4*64]>

// With few numbers a block accumulates the updates in shared memory, and each thread flushes the bins that have any.
// CHECK-LABEL: func.func @bins(
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant -2147483648 : i32
// CHECK:         nvvm.barrier0
// CHECK:         scf.for %{{.*}} = %{{.*}} to %c64{{.*}} step %c128
// CHECK:           llvm.store %[[LEAST]], %{{.*}} : i32, !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK-COUNT-2: llvm.atomicrmw max %{{.*}}, %{{.*}} syncscope("block") monotonic : !llvm.ptr<3>, i32
// CHECK-NOT:     llvm.atomicrmw
// CHECK:         nvvm.barrier0
// CHECK:         scf.for
// CHECK:           %[[OWN:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK:           %[[HAS:.*]] = arith.cmpi ne, %[[OWN]], %[[LEAST]]
// CHECK:           scf.if %[[HAS]]
// CHECK:             llvm.atomicrmw max %{{.*}}, %[[OWN]] syncscope("device") monotonic : !llvm.ptr<1>, i32
tile.kernel @bins(%at: !tile.view<256xi32>) outs(%y: !tile.view<64xi32>) grid [1]
    attributes {tile_gpu.plan = #plan, tile_gpu.scratch = 0 : i64} {
  %c0 = arith.constant 0 : index
  %p = tile.base %y : !tile.view<64xi32> -> !tile.ptr<i32>
  %o = tile.load %at[%c0] [256] : !tile.view<256xi32> -> tensor<256xi32, #l>
  %old = tile.atomic_rmw max %p[%o], %o {tile_gpu.bins = 64 : i64} : !tile.ptr<i32>, tensor<256xi32, #l>, tensor<256xi32, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#l = #tile_gpu.layout<registers = [d0:2*1], lanes = [d0:32*2], warps = [d0:4*64]>

// Elements without a bin are updated in global memory.
// CHECK-LABEL: func.func @first_bins(
// CHECK:         nvvm.barrier0
// CHECK-COUNT-2: arith.cmpi ult
// CHECK:         nvvm.barrier0
// CHECK:         llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("device") monotonic : !llvm.ptr<1>, i32
tile.kernel @first_bins(%at: !tile.view<256xi32>) outs(%y: !tile.view<?xi32>) grid [1]
    attributes {tile_gpu.plan = #plan, tile_gpu.scratch = 0 : i64} {
  %c0 = arith.constant 0 : index
  %p = tile.base %y : !tile.view<?xi32> -> !tile.ptr<i32>
  %o = tile.load %at[%c0] [256] : !tile.view<256xi32> -> tensor<256xi32, #l>
  %old = tile.atomic_rmw add %p[%o], %o {tile_gpu.bins = 128 : i64, tile_gpu.first_bins} : !tile.ptr<i32>, tensor<256xi32, #l>, tensor<256xi32, #l>
}
