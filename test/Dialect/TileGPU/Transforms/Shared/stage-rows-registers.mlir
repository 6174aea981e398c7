// RUN: tilegpt-opt %s --tile-gpu-stage-rows --split-input-file | FileCheck %s

#row = #tile_gpu.layout<registers = [d1:196*512], lanes = [d1:32*1], warps = [d1:16*32]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 3, blocks = 1, inRegisters = true>
!X = !tile.view<?x100001xf32>

// Three blocks each keep a part of a row in registers: it is loaded once, in whole units from its first unit on, and
// both readers use it. There is no copy to wait for. Only the ends of a part, of which the last is shorter, may be out
// of bounds.
// CHECK:       #[[W:.*]] = #tile_gpu.layout<registers = [d1:4*1, d1:17*2048], lanes = [d1:32*4], warps = [d1:16*128]>
// CHECK-LABEL: tile.kernel @parts
// CHECK:         tile_gpu.cluster = array<i32: 3, 1, 1>
// CHECK-NOT:     tile_gpu.staged_rows
// CHECK:         %[[M:.*]] = tile_gpu.alloc : !tile_gpu.shared<5xi64>
// CHECK:         %[[P:.*]] = tile_gpu.cluster_rank
// CHECK:         %[[R:.*]] = tile.block_id 0
// CHECK:         arith.remui %[[R]], %c4
// CHECK:         %[[F:.*]] = arith.remui
// CHECK:         %[[AT:.*]] = arith.muli %[[P]], %c33336
// CHECK:         %[[X:.*]] = tile_gpu.load_units %arg0[%[[R]]] at %[[AT]] from %[[F]] known [0, 33329] : !tile.view<?x100001xf32> -> tensor<1x33340xf32, #[[W]]>
// CHECK-NOT:     tile_gpu.barrier
// CHECK:         %[[LAST:.*]] = arith.cmpi eq, %[[P]], %c2
// CHECK:         %[[N:.*]] = arith.select %[[LAST]], %c33329{{.*}}, %c33336
// CHECK:         %[[O:.*]] = tile_gpu.fill_outside %[[X]], %{{.*}} from %[[F]] length %[[N]] columns 33329
// CHECK:         %[[OWN:.*]] = tile.reduce max %[[O]] axis 1 keepdims
// CHECK:         %[[ALL:.*]] = tile_gpu.gather_parts %[[OWN]] part %[[P]] through %[[M]]
// CHECK:         %[[MAX:.*]] = tile.reduce max %[[ALL]] axis 0 keepdims
// CHECK:         %[[Y:.*]] = tile_gpu.run
// CHECK:         %[[B:.*]] = tile.broadcast %[[MAX]] [1, 33340]
// CHECK:         %[[D:.*]] = arith.subf %[[X]], %[[B]]
// CHECK:         tile_gpu.store_units %[[D]] at %{{.*}} of %[[Y]] from %[[F]] known [3, 33329] :
// CHECK-NOT:     tile_gpu.load_units
tile.kernel @parts(%x: !X) outs(%y: !X) grid [dim(%y, 0)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 100001] : !X -> tensor<1x100001xf32, #row>
  %s = tile.reduce max %t axis 1 keepdims : tensor<1x100001xf32, #row> -> tensor<1x1xf32, #sum>
  %b = tile.broadcast %s [1, 100001] : tensor<1x1xf32, #sum> -> tensor<1x100001xf32, #row>
  %d = arith.subf %t, %b : tensor<1x100001xf32, #row>
  tile.store %d, %y[%m, %c0] : tensor<1x100001xf32, #row>, !X
}

// -----

#row = #tile_gpu.layout<registers = [d1:8*1, d1:2*4096], lanes = [d1:32*8], warps = [d1:16*256]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, blocks = 2, inRegisters = true>
!X = !tile.view<?x8192xbf16>

// One block has a whole row of whole units: no exchange, nothing out of bounds. A gain is loaded in units, too.
// CHECK-LABEL: tile.kernel @alone
// CHECK-NOT:     tile_gpu.cluster
// CHECK:         %[[X:.*]] = tile_gpu.load_units %arg0[%{{.*}}] at %{{.*}} from %c0{{.*}} known [0, 8192] : !tile.view<?x8192xbf16>
// CHECK-NOT:     tile_gpu.fill_outside
// CHECK:         %[[S:.*]] = tile.reduce max %[[X]] axis 1 keepdims
// CHECK-NOT:     tile_gpu.gather_parts
// CHECK:         tile.load %{{.*}} [8192] : !tile.view<?xbf16> -> tensor<8192xbf16
// CHECK:         tile_gpu.store_units %{{.*}} inside known [0, 8192] : tensor<1x8192xbf16
tile.kernel @alone(%x: !X, %g: !tile.view<8192xbf16>) outs(%y: !X) grid [dim(%y, 0)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 8192] : !X -> tensor<1x8192xbf16, #row>
  %s = tile.reduce max %t axis 1 keepdims : tensor<1x8192xbf16, #row> -> tensor<1x1xbf16, #sum>
  %b = tile.broadcast %s [1, 8192] : tensor<1x1xbf16, #sum> -> tensor<1x8192xbf16, #row>
  %d = arith.subf %t, %b : tensor<1x8192xbf16, #row>
  %gt = tile.load %g[%c0] [8192] : !tile.view<8192xbf16> -> tensor<8192xbf16, #tile_gpu.layout<registers = [d0:8*1, d0:2*4096], lanes = [d0:32*8], warps = [d0:16*256]>>
  %gb = tile.broadcast %gt [1, 8192] : tensor<8192xbf16, #tile_gpu.layout<registers = [d0:8*1, d0:2*4096], lanes = [d0:32*8], warps = [d0:16*256]>> -> tensor<1x8192xbf16, #row>
  %r = arith.mulf %d, %gb : tensor<1x8192xbf16, #row>
  tile.store %r, %y[%m, %c0] : tensor<1x8192xbf16, #row>, !X
}
