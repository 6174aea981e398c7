// RUN: tilegpt-opt %s --tile-gpu-to-threads --split-input-file --verify-diagnostics --canonicalize --cse | FileCheck %s

#wide = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#share = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, persistent = true>

// A thread writes its 16 accumulators of 64 x 32. Part 0 adds 2³¹ minus the number of the two others, and one thread of
// the block waits for the highest bit to change. Of a share of 16 columns a thread has eight accumulators, the first
// ones of each part.
// CHECK:       llvm.mlir.global internal @shares_blocks_come({{.*}}) {{.*}} : !llvm.array<2 x i32>
// CHECK-LABEL: func.func @shares(
// CHECK-COUNT-4: llvm.store %{{.*}} : vector<4xf32>
// CHECK:         %[[COUNT:.*]] = arith.select %{{.*}}, %c2147483646_i32, %c1_i32 : i32
// CHECK:         nvvm.barrier
// CHECK:         scf.if
// CHECK:           "{\0A.reg .b32 before, now;{{.*}}atom.relaxed.gpu.global.add.u32 before, [$0], $1;
// CHECK-SAME:      ld.relaxed.gpu.global.u32 now, [$0];
// CHECK-SAME:      "l,r,~{memory}" %{{.*}}, %[[COUNT]]
// CHECK:         nvvm.barrier
// CHECK-COUNT-6: ld.relaxed.gpu.global.v4.f32
// CHECK-NOT:     ld.relaxed
// CHECK-COUNT-16: arith.addf
// CHECK-NOT:     arith.addf
tile.kernel @shares(%v: f32, %x: !tile.view<8xf32>) grid [6] attributes {tile_gpu.plan = #plan} {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %p = arith.remui %b, %c3 : index
  %g = arith.divui %b, %c3 : index
  %first = arith.muli %g, %c3 : index
  %w = tile_gpu.workspace 0 : !tile.view<6x2048xf32>
  tile_gpu.roles producer {
  } consumer {
    %t = tile.splat %v [64, 32] : f32 -> tensor<64x32xf32, #wide>
    tile_gpu.put_part %t, %w[%b] : tensor<64x32xf32, #wide>, !tile.view<6x2048xf32>
    tile_gpu.await_blocks %g of 2 part %p of 3 with %w : !tile.view<6x2048xf32>
    %s = tile_gpu.sum_share %p of %w[%first] parts 3 : !tile.view<6x2048xf32> -> tensor<64x16xf32, #share>
    %ok = arith.cmpf oeq, %s, %s : tensor<64x16xf32, #share>
    tile.assert %ok, "no NaN" : tensor<64x16xi1, #share>
  }
}
