// RUN: tilegpt-opt %s --tile-gpu-to-threads --split-input-file --canonicalize --cse | FileCheck %s

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#wide = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:16*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>

// An lhs in registers: adjacent pairs, four per step of 16 along K, which pass through the fence, so that nothing
// writes them after it; the rhs along N, with panels of 64 columns, 16 rows of 128 bytes apart.
// CHECK-LABEL: func.func @registers(
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
// CHECK:         llvm.bitcast %{{.*}} : vector<2xbf16> to i32
// CHECK:         "wgmma.fence.sync.aligned;", "=r,=r,=r,=r,0,1,2,3"
// CHECK:         "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {$0, $1,
// CHECK-SAME:      {$64, $65, $66, $67}, $68, 1, 1, 1, 1;"
// CHECK-NOT:     wgmma.mma_async
// CHECK:         nvvm.wgmma.commit.group.sync.aligned
// CHECK:         "wgmma.wait_group.sync.aligned 1;", "=f,{{.*}}=f,r,r,r,r,0,1,2,
tile.kernel @registers(%x: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %v = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<16x128xbf16, swizzle = 128>
  %e = tile.splat %x [128, 16] : f32 -> tensor<128x16xf32, #acc>
  %c = tile.splat %x [128, 128] : f32 -> tensor<128x128xf32, #wide>
  %p = tile_gpu.pack %e : tensor<128x16xf32, #acc> -> !tile_gpu.packed<tensor<128x16xbf16, #acc>>
  %d = tile_gpu.async_dot %p, %v along_n onto %c : tensor<128x128xf32, #wide>
      : !tile_gpu.packed<tensor<128x16xbf16, #acc>>, !tile_gpu.shared<16x128xbf16, swizzle = 128>
      -> !tile_gpu.pending<tensor<128x128xf32, #wide>>
  %t = tile_gpu.finish_dot %d reads %p : !tile_gpu.packed<tensor<128x16xbf16, #acc>> later 1
      : !tile_gpu.pending<tensor<128x128xf32, #wide>>
  %ok = arith.cmpf oeq, %t, %t : tensor<128x128xf32, #wide>
  tile.assert %ok, "no NaN" : tensor<128x128xi1, #wide>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>

// 32 rows of two panels: 128 threads clear 16 rows at a time; a fence and a barrier precede the tensor cores' reads.
// CHECK-LABEL: func.func @clear(
// CHECK-DAG:     %[[FROM:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK:         %[[LEFT:.*]] = arith.subi %[[FROM]], %{{.*}} : i32
// CHECK:         %[[FIRST:.*]] = arith.cmpi sle, %[[LEFT]], %c0_i32
// CHECK:         scf.if %[[FIRST]] {
// CHECK-COUNT-2:   llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>
// CHECK:         }
// CHECK:         %[[SECOND:.*]] = arith.cmpi sle, %[[LEFT]], %c16_i32
// CHECK:         scf.if %[[SECOND]] {
// CHECK-COUNT-2:   llvm.store
// CHECK:         }
// CHECK:         nvvm.fence.proxy
// CHECK:         nvvm.barrier id = %{{.*}} number_of_threads = %c128_i32
tile.kernel @clear(%n: index) grid [1] attributes {tile_gpu.plan = #plan} {
  %s = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<32x128xbf16, swizzle = 128>
  tile_gpu.clear_rows %s from %n : !tile_gpu.shared<32x128xbf16, swizzle = 128>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>

// Columns 72 to 79 of 160 rows, one unit each: unit 1 of the second panel, xor the row.
// CHECK-LABEL: func.func @clear_columns(
// CHECK:         %[[UNIT:.*]] = arith.xori %{{.*}}, %c1_i32
// CHECK:         scf.if
// CHECK-COUNT-1:   llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>
// CHECK:         arith.xori %{{.*}}, %c1_i32
// CHECK:         scf.if
// CHECK-COUNT-1:   llvm.store
// CHECK:         nvvm.fence.proxy
// CHECK:         nvvm.barrier id = %{{.*}} number_of_threads = %c128_i32
tile.kernel @clear_columns() grid [1] attributes {tile_gpu.plan = #plan} {
  %s = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<160x128xbf16, swizzle = 128>
  tile_gpu.clear_columns %s from 72 : !tile_gpu.shared<160x128xbf16, swizzle = 128>
}

// -----

#rows = #tile_gpu.layout<registers = [d0:2*8], lanes = [rep:4, d0:8*1], warps = [d0:8*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>

// Each warp votes among its own lanes.
// CHECK-LABEL: func.func @vote(
// CHECK:         %[[EITHER:.*]] = arith.ori %{{.*}}, %{{.*}} : i1
// CHECK:         nvvm.vote.sync any %{{.*}}, %[[EITHER]] -> i1
tile.kernel @vote(%x: !tile.view<128xf32>) outs(%y: !tile.view<1xi32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [128] : !tile.view<128xf32> -> tensor<128xf32, #rows>
  %nan = arith.cmpf uno, %t, %t : tensor<128xf32, #rows>
  %any = tile_gpu.any %nan : tensor<128xi1, #rows>
  tile.assert %any, "a NaN" : i1
}

// -----

// Barriers 8 and 9 for the turns of two groups; the first one opens with an arrival at its own.
// CHECK-LABEL: func.func @turns(
// CHECK:         scf.if
// CHECK:           nvvm.barrier.arrive id = %{{.*}} number_of_threads = %c256_i32
// CHECK:         %[[MINE:.*]] = arith.addi %{{.*}}, %c8_i32
// CHECK:         nvvm.barrier id = %[[MINE]] number_of_threads = %c256_i32
// CHECK:         %[[NEXT:.*]] = arith.select %{{.*}}, %c0_i32, %{{.*}} : i32
// CHECK:         %[[OTHER:.*]] = arith.addi %[[NEXT]], %c8_i32
// CHECK:         nvvm.barrier.arrive id = %[[OTHER]] number_of_threads = %c256_i32
tile.kernel @turns() grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>} {
  tile_gpu.open_group_turns
  tile_gpu.take_group_turn
  tile_gpu.pass_group_turn
}

// -----

// One group needs no turns.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT:     nvvm.barrier
tile.kernel @alone() grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>} {
  tile_gpu.open_group_turns
  tile_gpu.take_group_turn
  tile_gpu.pass_group_turn
}

// -----

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:26*8], lanes = [d1:4*2, d0:8*1], warps = [d0:12*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 12, stages = 2, producer = true>

// Three warp groups start with 128 registers: two instructions share 208 columns, whose accumulators, 104, need more. The second
// reads the operand from row 104, 832 units of 16 bytes behind.
// CHECK-LABEL: func.func @halves(
// CHECK:         nvvm.wgmma.mma_async %[[LEFT:[0-9]*]], %[[RIGHT:[0-9]*]], %{{.*}}, <m = 64, n = 104, k = 16>
// CHECK:         %[[HALF:.*]] = arith.addi %[[RIGHT]], %c832_i64 : i64
// CHECK:         nvvm.wgmma.mma_async %[[LEFT]], %[[HALF]], %{{.*}}, <m = 64, n = 104, k = 16>
// CHECK-COUNT-6: nvvm.wgmma.mma_async {{.*}}<m = 64, n = 104, k = 16>
// CHECK-NOT:     nvvm.wgmma.mma_async
// CHECK:         nvvm.wgmma.commit.group.sync.aligned
tile.kernel @halves(%x: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %u = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<192x64xbf16, swizzle = 128>
  %v = tile_gpu.alloc {offset = 49152} : !tile_gpu.shared<208x64xbf16, swizzle = 128>
  %c = tile.splat %x [192, 208] : f32 -> tensor<192x208xf32, #acc>
  %d = tile_gpu.async_dot %u, %v onto %c : tensor<192x208xf32, #acc>
      : !tile_gpu.shared<192x64xbf16, swizzle = 128>, !tile_gpu.shared<208x64xbf16, swizzle = 128>
      -> !tile_gpu.pending<tensor<192x208xf32, #acc>>
  %t = tile_gpu.finish_dot %d : !tile_gpu.pending<tensor<192x208xf32, #acc>>
  %ok = arith.cmpf oeq, %t, %t : tensor<192x208xf32, #acc>
  tile.assert %ok, "no NaN" : tensor<192x208xi1, #acc>
}
