// RUN: tilegpt-opt %s --tile-gpu-to-threads --split-input-file --verify-diagnostics --canonicalize --cse | FileCheck %s

#wide = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#share = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, parts = 2>
!M = !tile_gpu.shared<514xi64>

// The mailbox expects the eight registers of 128 threads. Blocks of a cluster synchronize once it is set up: a fence
// orders its setup.
// CHECK-LABEL: func.func @exchange(
// CHECK:         nvvm.mbarrier.init %[[MAILBOX:.*]], %c1_i32
// CHECK-NEXT:    nvvm.fence.mbarrier.init
// CHECK:         nvvm.bar.warp.sync
// CHECK:         nvvm.mbarrier.arrive.expect_tx %[[MAILBOX]], %c4096_i32
// CHECK:         nvvm.cluster.arrive.relaxed
// CHECK-NEXT:    nvvm.cluster.wait
// CHECK-NOT:     nvvm.barrier0

// Two times four values go to the other block, whichever that is: registers 0 to 7 to block 0, 8 to 15 to block 1.
// CHECK:         %[[NOT0:.*]] = arith.cmpi ne, %[[PART:.*]], %c0_i32
// CHECK:         nvvm.mapa
// CHECK-COUNT-2: "@$6 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [$0], {$1, $2, $3, $4}, [$5];"
// CHECK:         arith.cmpi ne, %[[PART]], %c1_i32
// CHECK:         nvvm.mapa
// CHECK-COUNT-2: "@$6 st.async
// CHECK-NOT:     st.async
// CHECK:         nvvm.mbarrier.try_wait.parity %[[MAILBOX]], %c0_i32
// CHECK:         llvm.load {{.*}} -> vector<4xf32>
// CHECK-COUNT-4: arith.addf
// CHECK:         llvm.load {{.*}} -> vector<4xf32>
// CHECK-COUNT-4: arith.addf
tile.kernel @exchange(%v: f32) grid [1, 2] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 1
  %m = tile_gpu.alloc {offset = 0} : !M
  tile_gpu.init_mailbox %m : !M
  tile_gpu.roles producer {
  } consumer {
    %t = tile.splat %v [64, 32] : f32 -> tensor<64x32xf32, #wide>
    %s = tile_gpu.sum_parts %t part %n through %m : !M : tensor<64x32xf32, #wide> -> tensor<64x16xf32, #share>
    %ok = arith.cmpf oeq, %s, %s : tensor<64x16xf32, #share>
    tile.assert %ok, "no NaN" : tensor<64x16xi1, #share>
  }
}

// -----

#wide = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#share = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, parts = 2>

// The first warp has all of 16 rows: 32 threads send.
// CHECK-LABEL: func.func @few_rows(
// CHECK:         nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c1024_i32
// CHECK:         arith.cmpi ult, %{{.*}}, %c32_i32
tile.kernel @few_rows(%v: f32) grid [1, 2] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 1
  %m = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<130xi64>
  tile_gpu.init_mailbox %m : !tile_gpu.shared<130xi64>
  tile_gpu.roles producer {
  } consumer {
    %t = tile.splat %v [16, 32] : f32 -> tensor<16x32xf32, #wide>
    %s = tile_gpu.sum_parts %t part %n through %m : !tile_gpu.shared<130xi64>
        : tensor<16x32xf32, #wide> -> tensor<16x16xf32, #share>
    %ok = arith.cmpf oeq, %s, %s : tensor<16x16xf32, #share>
    tile.assert %ok, "no NaN" : tensor<16x16xi1, #share>
  }
}

// -----

#wide = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#share = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
tile.kernel @no_mailbox(%v: f32) grid [1, 2]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, parts = 2>} {
  %n = tile.block_id 1
  %t = tile.splat %v [64, 32] : f32 -> tensor<64x32xf32, #wide>
  // expected-error @below {{has no mailbox; run --tile-gpu-specialize-roles first}}
  // expected-error @below {{failed to legalize}}
  %s = tile_gpu.sum_parts %t part %n : tensor<64x32xf32, #wide> -> tensor<64x16xf32, #share>
}

// -----

#wide = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#share = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
tile.kernel @other_parts(%v: f32) grid [1, 4]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, parts = 4>} {
  %n = tile.block_id 1
  %m = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<514xi64>
  %t = tile.splat %v [64, 32] : f32 -> tensor<64x32xf32, #wide>
  // expected-error @below {{expected shares for 4 parts, found 2}}
  // expected-error @below {{failed to legalize}}
  %s = tile_gpu.sum_parts %t part %n through %m : !tile_gpu.shared<514xi64>
      : tensor<64x32xf32, #wide> -> tensor<64x16xf32, #share>
}

// -----

#rows = #tile_gpu.layout<registers = [d1:16*1, d0:4*16], lanes = [rep:2, d0:16*1], warps = [d0:4*64]>
tile.kernel @other_layout(%v: f32) grid [1, 2]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, parts = 2>} {
  %n = tile.block_id 1
  %t = tile.splat %v [64, 16] : f32 -> tensor<64x16xf32, #rows>
  // expected-error @below {{expected the layout of a wgmma accumulator on 4 warps, found 'tensor<64x16xf32,}}
  // expected-error @below {{failed to legalize}}
  %s = tile_gpu.sum_parts %t part %n : tensor<64x16xf32, #rows> -> tensor<64x8xf32, #rows>
}

// -----

#rows = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>
// A tile goes to the same rows of the buffer in each of two blocks.
// CHECK-LABEL: func.func @write_part
// CHECK:         nvvm.cluster.wait
// CHECK:         %[[ROW:.*]] = arith.muli %{{.*}}, %c8
// CHECK:         nvvm.mapa {{.*}} -> !llvm.ptr<7>
// CHECK:         llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<7>
// CHECK:         nvvm.mapa {{.*}} -> !llvm.ptr<7>
// CHECK:         llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<7>
// CHECK:         nvvm.cluster.arrive
// CHECK-NEXT:    nvvm.cluster.wait
tile.kernel @write_part(%v: f32, %p: index) grid [2]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, parts = 2>} {
  %b = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<16x64xf32>
  %t = tile.splat %v [8, 64] : f32 -> tensor<8x64xf32, #rows>
  tile_gpu.arrive_cluster
  tile_gpu.await_cluster
  tile_gpu.write_part %t, %b[%p] : tensor<8x64xf32, #rows>, !tile_gpu.shared<16x64xf32>
  tile_gpu.arrive_cluster
  tile_gpu.await_cluster
}

// -----

#own = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>
#all = #tile_gpu.layout<registers = [d0:4*1], lanes = [rep:32], warps = [rep:4]>
// The first four threads send this block's index to one block each, without fences.
// CHECK-LABEL: func.func @gather_parts
// CHECK:         nvvm.mbarrier.arrive.expect_tx %[[MAILBOX:.*]], %c32_i32
// CHECK:         nvvm.cluster.arrive.relaxed
// CHECK-NEXT:    nvvm.cluster.wait
// CHECK:         %[[SENDS:.*]] = arith.cmpi ult, %{{.*}}, %c4_i32
// CHECK:         %[[WORD:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK:         %[[PLACE:.*]] = arith.muli %{{.*}}, %c8 : index
// CHECK:         %[[THERE:.*]] = nvvm.mapa
// CHECK:         %[[BARRIER:.*]] = nvvm.mapa %[[MAILBOX]]
// CHECK:         llvm.inline_asm {{.*}}"@$3 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [$0], $1, [$2];", "r,l,r,b" %[[THERE]], %[[WORD]], %[[BARRIER]], %[[SENDS]]
// CHECK:         nvvm.mbarrier.try_wait.parity %[[MAILBOX]], %c0_i32
// CHECK-COUNT-4: llvm.load {{.*}} -> i64
// CHECK-NOT:     nvvm.cluster
tile.kernel @gather_parts(%v: f32, %p: index) outs(%y: !tile.view<4x1xf32>) grid [4]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, parts = 4>} {
  %c0 = arith.constant 0 : index
  %m = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<6xi64>
  tile_gpu.init_mailbox %m : !tile_gpu.shared<6xi64>
  tile_gpu.arrive_cluster relaxed
  tile_gpu.await_cluster
  %t = tile.splat %v [1, 1] : f32 -> tensor<1x1xf32, #own>
  %a = tile_gpu.gather_parts %t part %p through %m : !tile_gpu.shared<6xi64> : tensor<1x1xf32, #own> -> tensor<4x1xf32, #all>
  tile.store %a, %y[%c0, %c0] : tensor<4x1xf32, #all>, !tile.view<4x1xf32>
}

// -----

#own = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>
#each = #tile_gpu.layout<registers = [], lanes = [rep:8, d0:4*1], warps = [rep:4]>
tile.kernel @gather_parts_by_lane(%v: f32, %p: index) grid [4]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, parts = 4>} {
  %m = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<6xi64>
  %t = tile.splat %v [1, 1] : f32 -> tensor<1x1xf32, #own>
  // expected-error @below {{expected every thread to have all numbers, found 'tensor<1x1xf32,}}
  // expected-error @below {{failed to legalize}}
  %a = tile_gpu.gather_parts %t part %p through %m : !tile_gpu.shared<6xi64> : tensor<1x1xf32, #own> -> tensor<4x1xf32, #each>
}

// -----

#own = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>
#all = #tile_gpu.layout<registers = [d0:3*1], lanes = [rep:32], warps = [rep:4]>
// The barrier waits for three words, not for the buffer, which is longer.
// CHECK-LABEL: func.func @gather_three(
// CHECK:         nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c24_i32
tile.kernel @gather_three(%v: f32, %p: index) outs(%y: !tile.view<3x1xf32>) grid [3]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, parts = 3>} {
  %c0 = arith.constant 0 : index
  %m = tile_gpu.alloc {offset = 0} : !tile_gpu.shared<5xi64>
  tile_gpu.init_mailbox %m : !tile_gpu.shared<5xi64>
  tile_gpu.arrive_cluster relaxed
  tile_gpu.await_cluster
  %t = tile.splat %v [1, 1] : f32 -> tensor<1x1xf32, #own>
  %a = tile_gpu.gather_parts %t part %p through %m : !tile_gpu.shared<5xi64> : tensor<1x1xf32, #own> -> tensor<3x1xf32, #all>
  tile.store %a, %y[%c0, %c0] : tensor<3x1xf32, #all>, !tile.view<3x1xf32>
}
