// RUN: tilegpt-opt %s --tile-gpu-stage-rows --canonicalize --cse --split-input-file | FileCheck %s

#row = #tile_gpu.layout<registers = [d1:8*1, d1:40*1024], lanes = [d1:32*8], warps = [d1:4*256]>
#one = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>
#vec = #tile_gpu.layout<registers = [d0:8*1, d0:40*1024], lanes = [d0:32*8], warps = [d0:4*256]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, parts = 2, blocks = 2>
!X = !tile.view<24x40001xbf16>
!F = !tile.view<40001xf32>

// Rows m and m + 8 begin at the same place of a 16-byte unit: their sums are computed in one loop and exchanged in one word,
// and each piece of the gain, which is shifted into place, is read once for both.
// CHECK-LABEL: tile.kernel @pair
// CHECK:         tile_gpu.init_mailbox
// CHECK-NOT:     tile_gpu.init_mailbox
// CHECK:         %[[R:.*]] = tile.assume
// CHECK:         %[[N:.*]] = arith.addi %[[R]], %c8
// CHECK:         tile.select %arg0[%[[R]]]
// CHECK:         tile_gpu.copy_run {{.*}} to %[[A:.*]] from %[[FIRST:[^ ]*]] length
// CHECK:         tile.select %arg0[%[[N]]]
// CHECK:         tile_gpu.copy_run {{.*}} to %[[B:.*]] from %[[FIRST]] length
// CHECK:         scf.for {{.*}} -> (tensor<1x{{.*}}xf32, {{.*}}>, tensor<1x{{.*}}xf32, {{.*}}>)
// CHECK:         tile_gpu.gather_parts {{.*}} -> tensor<2x1xi64
// CHECK-NOT:     tile_gpu.gather_parts
// CHECK-DAG:     tile.select %arg2[%[[R]]]
// CHECK-DAG:     tile.select %arg2[%[[N]]]
// CHECK:         scf.for
// CHECK:           tile.gather %arg1
// CHECK-NOT:       tile.gather
// CHECK:           tile_gpu.store_units
// CHECK-NEXT:      tile_gpu.store_units
tile.kernel @pair(%x: !X, %g: !F) outs(%y: !X) grid [16] attributes {tile_gpu.plan = #plan} {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %m = tile.assume %b bounded [0, 15] : index
  %n = arith.addi %m, %c8 : index
  %t = tile.load %x[%m, %c0] [1, 40001] : !X -> tensor<1x40001xbf16, #row>
  %u = tile.load %x[%n, %c0] [1, 40001] : !X -> tensor<1x40001xbf16, #row>
  %tf = tile.cast %t : tensor<1x40001xbf16, #row> to tensor<1x40001xf32, #row>
  %uf = tile.cast %u : tensor<1x40001xbf16, #row> to tensor<1x40001xf32, #row>
  %ts = tile.reduce add %tf axis 1 keepdims : tensor<1x40001xf32, #row> -> tensor<1x1xf32, #one>
  %us = tile.reduce add %uf axis 1 keepdims : tensor<1x40001xf32, #row> -> tensor<1x1xf32, #one>
  %v = tile.load %g[%c0] [40001] : !F -> tensor<40001xf32, #vec>
  %w = tile.broadcast %v [1, 40001] : tensor<40001xf32, #vec> -> tensor<1x40001xf32, #row>
  %tb = tile.broadcast %ts [1, 40001] : tensor<1x1xf32, #one> -> tensor<1x40001xf32, #row>
  %ub = tile.broadcast %us [1, 40001] : tensor<1x1xf32, #one> -> tensor<1x40001xf32, #row>
  %tn = arith.mulf %tf, %tb : tensor<1x40001xf32, #row>
  %un = arith.mulf %uf, %ub : tensor<1x40001xf32, #row>
  %tg = arith.mulf %tn, %w : tensor<1x40001xf32, #row>
  %ug = arith.mulf %un, %w : tensor<1x40001xf32, #row>
  %tc = tile.cast %tg : tensor<1x40001xf32, #row> to tensor<1x40001xbf16, #row>
  %uc = tile.cast %ug : tensor<1x40001xf32, #row> to tensor<1x40001xbf16, #row>
  tile.store %tc, %y[%m, %c0] : tensor<1x40001xbf16, #row>, !X
  tile.store %uc, %y[%n, %c0] : tensor<1x40001xbf16, #row>, !X
}

// -----

#row = #tile_gpu.layout<registers = [d1:8*1, d1:40*1024], lanes = [d1:32*8], warps = [d1:4*256]>
#one = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, parts = 2, blocks = 2>
!X = !tile.view<24x40001xbf16>

// Rows of an odd number of elements begin alike every eighth row, not every fourth.
// CHECK-LABEL: tile.kernel @apart
// CHECK:         tile.load
// CHECK:         tile.load
// CHECK-NOT:     tile_gpu.copy_run
tile.kernel @apart(%x: !X) outs(%y: !tile.view<24x1xf32>) grid [20] attributes {tile_gpu.plan = #plan} {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %m = tile.assume %b bounded [0, 19] : index
  %n = arith.addi %m, %c4 : index
  %t = tile.load %x[%m, %c0] [1, 40001] : !X -> tensor<1x40001xbf16, #row>
  %u = tile.load %x[%n, %c0] [1, 40001] : !X -> tensor<1x40001xbf16, #row>
  %tf = tile.cast %t : tensor<1x40001xbf16, #row> to tensor<1x40001xf32, #row>
  %uf = tile.cast %u : tensor<1x40001xbf16, #row> to tensor<1x40001xf32, #row>
  %d = arith.subf %tf, %uf : tensor<1x40001xf32, #row>
  %s = tile.reduce add %d axis 1 keepdims : tensor<1x40001xf32, #row> -> tensor<1x1xf32, #one>
  tile.store %s, %y[%m, %c0] : tensor<1x1xf32, #one>, !tile.view<24x1xf32>
}

// -----

#row = #tile_gpu.layout<registers = [d1:8*1, d1:40*1024], lanes = [d1:32*8], warps = [d1:4*256]>
#one = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, parts = 2, blocks = 2>
!X = !tile.view<24x40000xbf16>

// The second sum needs the first one: each has an exchange of its own.
// CHECK-LABEL: tile.kernel @chain
// CHECK-COUNT-2: tile_gpu.gather_parts {{.*}} -> tensor<2x1xf32
tile.kernel @chain(%x: !X) outs(%y: !tile.view<24x1xf32>) grid [24] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 40000] : !X -> tensor<1x40000xbf16, #row>
  %tf = tile.cast %t : tensor<1x40000xbf16, #row> to tensor<1x40000xf32, #row>
  %s = tile.reduce add %tf axis 1 keepdims : tensor<1x40000xf32, #row> -> tensor<1x1xf32, #one>
  %b = tile.broadcast %s [1, 40000] : tensor<1x1xf32, #one> -> tensor<1x40000xf32, #row>
  %d = arith.subf %tf, %b : tensor<1x40000xf32, #row>
  %q = tile.reduce add %d axis 1 keepdims : tensor<1x40000xf32, #row> -> tensor<1x1xf32, #one>
  tile.store %q, %y[%m, %c0] : tensor<1x1xf32, #one>, !tile.view<24x1xf32>
}
