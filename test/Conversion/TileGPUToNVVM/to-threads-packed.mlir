// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 1, teams = 4>
#row = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>

// Teams of one warp: each has its own buffers in shared memory, and waits for its own lanes only.
// CHECK-LABEL: func.func @packed(
// CHECK:         %[[ID:.*]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT:    %[[TEAM:.*]] = arith.divui %[[ID]], %c32_i32 : i32
// CHECK-NEXT:    arith.index_castui %[[TEAM]] : i32 to index
// CHECK:         %[[OWN:.*]] = arith.divui %{{.*}}, %c32_i32 : i32
// CHECK-NEXT:    %[[BYTES:.*]] = arith.muli %[[OWN]], %c128_i32 : i32
// CHECK-NEXT:    %[[BUFFER:.*]] = llvm.getelementptr %{{.*}}[%[[BYTES]]]
// CHECK:         llvm.getelementptr %[[BUFFER]]
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    nvvm.bar.warp.sync
// CHECK-NOT:     nvvm.barrier
tile.kernel @packed(%x: !tile.view<128xf32>) outs(%y: !tile.view<128xf32>) grid [1]
    attributes {tile_gpu.plan = #plan, tile_gpu.scratch_bytes = 128 : i64, tile_gpu.shared_bytes = 512 : i64} {
  %t = tile_gpu.team
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<32xf32>
  %v = tile.load %x[%t] [32] : !tile.view<128xf32> -> tensor<32xf32, #row>
  tile_gpu.write %v, %b : tensor<32xf32, #row>, !tile_gpu.shared<32xf32>
  tile_gpu.barrier
  %r = tile_gpu.read %b : !tile_gpu.shared<32xf32> -> tensor<32xf32, #row>
  tile.store %r, %y[%t] : tensor<32xf32, #row>, !tile.view<128xf32>
}
