// RUN: tilegpt-opt %s --tile-gpu-stage-runs --split-input-file | FileCheck %s

#row = #tile_gpu.layout<registers = [d1:24*128], lanes = [d1:32*1], warps = [d1:4*32]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
!X = !tile.view<?x3001xbf16>

// A row is 375 units and one element: the next one starts one element later in a unit.
// CHECK-LABEL: tile.kernel @odd_rows
// CHECK:         %[[M:.*]] = tile.block_id 0
// CHECK:         %[[R:.*]] = tile_gpu.run %{{.*}}[%[[M]]] length 3001 : !tile.view<?x3001xbf16> -> !tile.view<?xbf16>
// CHECK:         %[[U:.*]] = arith.remui %[[M]], %c8
// CHECK:         %[[F:.*]] = arith.remui %[[U]], %c8
// CHECK:         %[[B:.*]] = tile_gpu.alloc : !tile_gpu.shared<3008xbf16>
// CHECK:         tile_gpu.copy_run %[[R]] to %[[B]] from %[[F]] length 3001 :
// CHECK:         tile_gpu.commit_copies
// CHECK:         %[[ROWS:.*]] = tile_gpu.rows %[[B]] from %[[F]] : {{.*}} -> !tile_gpu.shared<1x3001xbf16>
// CHECK:         tile_gpu.wait_copies 0
// CHECK:         tile_gpu.barrier
// CHECK:         %[[T:.*]] = tile_gpu.read %[[ROWS]]
// CHECK:         %[[O:.*]] = arith.addf %[[T]], %[[T]]
// CHECK:         %[[YR:.*]] = tile_gpu.run
// CHECK:         %[[YB:.*]] = tile_gpu.alloc : !tile_gpu.shared<3008xbf16>
// CHECK:         %[[YROWS:.*]] = tile_gpu.rows %[[YB]]
// CHECK:         tile_gpu.barrier
// CHECK:         tile_gpu.write %[[O]], %[[YROWS]]
// CHECK:         tile_gpu.barrier
// CHECK:         tile_gpu.store_run %[[YR]] of %[[YB]]
// CHECK-NOT:     tile.store
tile.kernel @odd_rows(%x: !X) outs(%y: !X) grid [dim(%y, 0)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 3001] : !X -> tensor<1x3001xbf16, #row>
  %o = arith.addf %t, %t : tensor<1x3001xbf16, #row>
  tile.store %o, %y[%m, %c0] : tensor<1x3001xbf16, #row>, !X
}

// -----

#row = #tile_gpu.layout<registers = [d1:24*128], lanes = [d1:32*1], warps = [d1:4*32]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
!X = !tile.view<?x3001xbf16>

// The second copy may overlap memory from which the first one is still read.
// CHECK-LABEL: tile.kernel @behind_a_read
// CHECK-NOT:     tile_gpu.barrier
// CHECK:         tile_gpu.copy_run
// CHECK:         tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.read
// CHECK:         tile_gpu.alloc
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.copy_run
tile.kernel @behind_a_read(%x: !X, %z: !X) outs(%y: !X) grid [dim(%y, 0)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 3001] : !X -> tensor<1x3001xbf16, #row>
  %o = arith.addf %t, %t : tensor<1x3001xbf16, #row>
  %u = tile.load %z[%m, %c0] [1, 3001] : !X -> tensor<1x3001xbf16, #row>
  %s = arith.addf %o, %u : tensor<1x3001xbf16, #row>
  tile.store %s, %y[%m, %c0] : tensor<1x3001xbf16, #row>, !X
}

// -----

#row = #tile_gpu.layout<registers = [d1:3*32], lanes = [d1:32*1], warps = [d0:8*1]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8>
!X = !tile.view<64x75xf32>

// Eight rows of 75 are whole units: the run is aligned, and all rows are in bounds.
// CHECK-LABEL: tile.kernel @eight_rows
// CHECK:         tile_gpu.copy_run %{{.*}} to %{{.*}} from %c0{{.*}} length 600 whole
// CHECK:         tile_gpu.rows %{{.*}} -> !tile_gpu.shared<8x75xf32>
tile.kernel @eight_rows(%x: !X) outs(%y: !X) grid [8] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [8, 75] : !X -> tensor<8x75xf32, #row>
  tile.store %t, %y[%m, %c0] : tensor<8x75xf32, #row>, !X
}

// -----

#row = #tile_gpu.layout<registers = [d1:24*128], lanes = [d1:32*1], warps = [d1:4*32]>
#wide = #tile_gpu.layout<registers = [d1:4*1, d1:6*512], lanes = [d1:32*4], warps = [d1:4*128]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
!X = !tile.view<64x3000xf32>
!Y = !tile.view<64x3001xf32>

// Rows of whole units need nothing; memory that is read and written keeps its order.
// CHECK-LABEL: tile.kernel @other_rows
// CHECK-NOT:     tile_gpu.run
tile.kernel @other_rows(%x: !X) outs(%y: !X, %z: !Y) grid [64] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 3000] : !X -> tensor<1x3000xf32, #wide>
  tile.store %t, %y[%m, %c0] : tensor<1x3000xf32, #wide>, !X
  %u = tile.load %z[%m, %c0] [1, 3001] : !Y -> tensor<1x3001xf32, #row>
  %v = arith.addf %u, %u : tensor<1x3001xf32, #row>
  tile.store %v, %z[%m, %c0] : tensor<1x3001xf32, #row>, !Y
}
