// RUN: tilegpt-opt %s --tile-gpu-stage-loads --split-input-file --canonicalize --cse | FileCheck %s

#rows = #tile_gpu.layout<registers = [d1:8*1, d1:3*256], lanes = [d1:32*8], warps = [d0:4*1]>
#gain = #tile_gpu.layout<registers = [d0:8*1, d0:3*256], lanes = [d0:32*8], warps = [rep:4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, persistent = true>
!X = !tile.view<?x768xbf16>

// What changes from tile to tile comes through shared memory, what does not stays in registers.
// CHECK-LABEL: tile.kernel @rows(
// CHECK:       %[[B:.*]] = tile_gpu.alloc : !tile_gpu.shared<4x768xbf16>
// CHECK:       scf.for
// CHECK:         %[[L:.*]] = tile.load
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.write %[[L]], %[[B]] :
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    %[[T:.*]] = tile_gpu.read %[[B]] :
// CHECK-NEXT:    tile.load {{.*}} [768]
// CHECK-NOT:     tile_gpu
// CHECK:         tile.store %[[T]]
tile.kernel @rows(%x: !X, %g: !tile.view<768xbf16>) outs(%y: !X, %z: !tile.view<768xbf16>)
    grid [ceildiv(dim(%y, 0), 4)] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %n = tile.num_blocks 0
  %w = tile_gpu.worker
  %s = tile_gpu.num_workers
  scf.for %m = %w to %n step %s {
    %t = tile.load %x[%m, %c0] [4, 768] : !X -> tensor<4x768xbf16, #rows>
    %gt = tile.load %g[%c0] [768] : !tile.view<768xbf16> -> tensor<768xbf16, #gain>
    tile.store %gt, %z[%c0] : tensor<768xbf16, #gain>, !tile.view<768xbf16>
    tile.store %t, %y[%m, %c0] : tensor<4x768xbf16, #rows>, !X
  }
}

// -----

#row = #tile_gpu.layout<registers = [d1:99*512], lanes = [d1:32*1], warps = [d1:16*32]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, stages = 3, persistent = true>
#ampere = #tile_gpu.plan<target = "sm_86", warps = 16, stages = 3, persistent = true>
!X = !tile.view<?x50257xbf16>

// Row m begins m·50257 mod 8 elements behind the start of a unit of 16 bytes, and there in the buffer.
// CHECK-LABEL: tile.kernel @odd_row(
// CHECK:       %[[B:.*]] = tile_gpu.alloc : !tile_gpu.shared<1x50264xbf16>
// CHECK:       scf.for %[[M:.*]] =
// CHECK:         %[[K:.*]] = arith.remui %[[M]], %c8
// CHECK:         tile_gpu.write %{{.*}}, %[[B]] column %[[K]]
// CHECK:         tile_gpu.read %[[B]] column %[[K]]
// Two of them have no room in 99 KB.
// CHECK-LABEL: tile.kernel @no_room(
// CHECK-NOT:   tile_gpu.alloc
tile.kernel @odd_row(%x: !X) outs(%y: !X) grid [dim(%y, 0)] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %n = tile.num_blocks 0
  %w = tile_gpu.worker
  %s = tile_gpu.num_workers
  scf.for %m = %w to %n step %s {
    %t = tile.load %x[%m, %c0] [1, 50257] : !X -> tensor<1x50257xbf16, #row>
    tile.store %t, %y[%m, %c0] : tensor<1x50257xbf16, #row>, !X
  }
}
tile.kernel @no_room(%x: !X) outs(%y: !X) grid [dim(%y, 0)] attributes {tile_gpu.plan = #ampere} {
  %c0 = arith.constant 0 : index
  %n = tile.num_blocks 0
  %w = tile_gpu.worker
  %s = tile_gpu.num_workers
  scf.for %m = %w to %n step %s {
    %t = tile.load %x[%m, %c0] [1, 50257] : !X -> tensor<1x50257xbf16, #row>
    tile.store %t, %y[%m, %c0] : tensor<1x50257xbf16, #row>, !X
  }
}

// -----

#rows = #tile_gpu.layout<registers = [d1:8*1, d1:3*256], lanes = [d1:32*8], warps = [d0:4*1]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
!X = !tile.view<?x768xbf16>

// Without such a plan nothing changes.
// CHECK-LABEL: tile.kernel @comes_and_goes(
// CHECK-NOT:   tile_gpu.alloc
tile.kernel @comes_and_goes(%x: !X) outs(%y: !X) grid [ceildiv(dim(%y, 0), 4)] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %m = tile.block_id 0
  %t = tile.load %x[%m, %c0] [4, 768] : !X -> tensor<4x768xbf16, #rows>
  tile.store %t, %y[%m, %c0] : tensor<4x768xbf16, #rows>, !X
}
