// RUN: tilegpt-opt %s --tile-gpu-stage-rows --split-input-file | FileCheck %s

#row = #tile_gpu.layout<registers = [d1:99*512], lanes = [d1:32*1], warps = [d1:16*32]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, blocks = 2>
!X = !tile.view<4096x50257xbf16>

// Rows of an odd number of columns start anywhere in a unit of eight: tiles start with a unit. The sum and the store
// each read the row and recompute what they need.
// CHECK:       #[[W:.*]] = #tile_gpu.layout<registers = [d1:8*1, d1:13*4096], lanes = [d1:32*8], warps = [d1:16*256]>
// CHECK-LABEL: tile.kernel @odd_rows
// CHECK:         tile_gpu.staged_rows
// CHECK:         %[[M:.*]] = tile.block_id 0
// CHECK:         %[[F:.*]] = arith.remui %[[M]], %c8
// CHECK:         %[[B:.*]] = tile_gpu.alloc : !tile_gpu.shared<1x50264xbf16>
// CHECK:         tile_gpu.copy %{{.*}}[%[[M]], %{{.*}}] to %[[B]] covering %[[F]] inside [true, true]
// CHECK:         tile_gpu.commit_copies
// CHECK:         tile_gpu.wait_copies 0
// CHECK:         tile_gpu.barrier
// CHECK:         %[[X:.*]] = tile_gpu.read %[[B]] {{.*}} -> tensor<1x50264xbf16, #[[W]]>
// CHECK:         %[[XF:.*]] = tile.cast %[[X]]
// CHECK:         %[[O:.*]] = tile_gpu.fill_outside %[[XF]], %{{.*}} from %[[F]] columns 50257
// CHECK:         %[[S:.*]] = tile.reduce add %[[O]]
// CHECK:         %[[Y:.*]] = tile_gpu.read %[[B]]
// CHECK:         %[[YF:.*]] = tile.cast %[[Y]]
// CHECK:         %[[SB:.*]] = tile.broadcast %[[S]] [1, 50264]
// CHECK:         %[[D:.*]] = arith.divf %[[YF]], %[[SB]]
// CHECK:         %[[R:.*]] = tile.cast %[[D]]
// CHECK:         tile_gpu.store_covering %[[R]] from %[[F]], %{{.*}}[%[[M]]] inside
// CHECK-NOT:     tensor<1x50257x
tile.kernel @odd_rows(%x: !X) outs(%y: !X) grid [4096] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 50257] : !X -> tensor<1x50257xbf16, #row>
  %f = tile.cast %t : tensor<1x50257xbf16, #row> to tensor<1x50257xf32, #row>
  %s = tile.reduce add %f axis 1 keepdims : tensor<1x50257xf32, #row> -> tensor<1x1xf32, #sum>
  %b = tile.broadcast %s [1, 50257] : tensor<1x1xf32, #sum> -> tensor<1x50257xf32, #row>
  %d = arith.divf %f, %b : tensor<1x50257xf32, #row>
  %r = tile.cast %d : tensor<1x50257xf32, #row> to tensor<1x50257xbf16, #row>
  tile.store %r, %y[%m, %c0] : tensor<1x50257xbf16, #row>, !X
}

// -----

#row = #tile_gpu.layout<registers = [d1:4*1, d1:10*4096], lanes = [d1:32*4], warps = [d1:32*128]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:32]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 32, blocks = 1>
!X = !tile.view<?x40000xf32>

// Rows of whole units: nothing is out of bounds. Only rows are checked.
// CHECK-LABEL: tile.kernel @even_rows
// CHECK:         tile_gpu.copy {{.*}} inside [false, true]
// CHECK:         %[[X:.*]] = tile_gpu.read
// CHECK-NOT:     tile_gpu.fill_outside
// CHECK:         tile.reduce max %[[X]]
// CHECK:         tile_gpu.store_covering {{[^i]*}} from %c0{{[_0-9]*}}, %{{.*}}[%{{.*}}] : tensor<1x40000xf32
tile.kernel @even_rows(%x: !X) outs(%y: !X) grid [8] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 40000] : !X -> tensor<1x40000xf32, #row>
  %s = tile.reduce max %t axis 1 keepdims : tensor<1x40000xf32, #row> -> tensor<1x1xf32, #sum>
  %b = tile.broadcast %s [1, 40000] : tensor<1x1xf32, #sum> -> tensor<1x40000xf32, #row>
  %d = arith.subf %t, %b : tensor<1x40000xf32, #row>
  tile.store %d, %y[%m, %c0] : tensor<1x40000xf32, #row>, !X
}

// -----

#row = #tile_gpu.layout<registers = [d1:196*512], lanes = [d1:32*1], warps = [d1:16*32]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 4, blocks = 2>
!X = !tile.view<?x100001xf32>

// Four blocks keep a part of a row each: the grid counts clusters. They process it in pieces that fit a thread's
// registers.
// CHECK:       #[[W:.*]] = #tile_gpu.layout<registers = [d1:4*1, d1:4*2048], lanes = [d1:32*4], warps = [d1:16*128]>
// CHECK-LABEL: tile.kernel @cluster
// CHECK:         grid [dim(%arg1, 0)] attributes {tile_gpu.cluster = array<i32: 4, 1, 1>, {{.*}}tile_gpu.staged_rows}
// CHECK:         %[[M:.*]] = tile_gpu.alloc : !tile_gpu.shared<6xi64>
// CHECK-NEXT:    tile_gpu.init_mailbox %[[M]]
// CHECK-NEXT:    tile_gpu.arrive_cluster relaxed
// CHECK:         %[[P:.*]] = tile_gpu.cluster_rank
// CHECK:         %[[R:.*]] = tile.block_id 0
// CHECK:         %[[ROW:.*]] = tile.select %{{.*}}[%[[R]]]
// CHECK:         %[[PIECE:.*]] = tile_gpu.run %[[ROW]][%[[P]]] length 25004
// CHECK:         %[[B:.*]] = tile_gpu.alloc : !tile_gpu.shared<25008xf32>
// CHECK:         tile_gpu.copy_run %[[PIECE]] to %[[B]] from %[[F:.*]] length 25004
// CHECK:         tile_gpu.wait_copies 0
// Only the ends may be out of bounds of the part, of which the last is shorter.
// CHECK:         tile_gpu.read {{.*}} -> tensor<1x6252xf32, #[[W]]>
// CHECK:         arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
// CHECK:         arith.cmpi ult
// CHECK-NOT:     arith.maximumf
// CHECK:         scf.for {{.*}} -> (tensor<1x6252xf32, #[[W]]>)
// CHECK-NOT:       arith.cmpi
// CHECK:           arith.maximumf
// CHECK:           scf.yield
// CHECK:         arith.cmpi ult
// CHECK:         %[[ALL2:.*]] = arith.maximumf
// CHECK:         %[[OWN:.*]] = tile.reduce max %[[ALL2]] axis 1 keepdims : tensor<1x6252xf32, #[[W]]>
// Other blocks must have started before anything is written to them.
// CHECK:         tile_gpu.await_cluster
// CHECK-NEXT:    %[[ALL:.*]] = tile_gpu.gather_parts %[[OWN]] part %[[P]] through %[[M]]
// CHECK-NOT:     tile_gpu.await_cluster
// CHECK:         %[[MAX:.*]] = tile.reduce max %[[ALL]] axis 0 keepdims
// The result is stored piece by piece from registers.
// CHECK:         %[[Y:.*]] = tile_gpu.run
// CHECK-NOT:     tile_gpu.barrier
// CHECK:         tile.broadcast %[[MAX]] [1, 6252]
// CHECK:         tile_gpu.store_units %{{.*}} at %{{.*}} of %[[Y]] from %[[F]] :
// CHECK:         scf.for
// CHECK:           tile_gpu.store_units %{{.*}} at %{{.*}} of %[[Y]] from %[[F]] inside :
// CHECK:         tile_gpu.store_units %{{.*}} at %{{.*}} of %[[Y]] from %[[F]] :
// CHECK-NOT:     tile_gpu.barrier
tile.kernel @cluster(%x: !X) outs(%y: !X) grid [dim(%y, 0)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 100001] : !X -> tensor<1x100001xf32, #row>
  %s = tile.reduce max %t axis 1 keepdims : tensor<1x100001xf32, #row> -> tensor<1x1xf32, #sum>
  %b = tile.broadcast %s [1, 100001] : tensor<1x1xf32, #sum> -> tensor<1x100001xf32, #row>
  %d = arith.subf %t, %b : tensor<1x100001xf32, #row>
  tile.store %d, %y[%m, %c0] : tensor<1x100001xf32, #row>, !X
}

// -----

#row = #tile_gpu.layout<registers = [d1:79*512], lanes = [d1:32*1], warps = [d1:16*32]>
#vec = #tile_gpu.layout<registers = [d0:79*512], lanes = [d0:32*1], warps = [d0:16*32]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 4, blocks = 2>
!X = !tile.view<?x40001xbf16>

// Rows are unaligned, the gain is not: threads hold as many adjacent elements as fill 16 bytes of it, cut out of the aligned
// vectors that contain them. Inner pieces read no vector past the end of the gain. Column indices are those of the whole row.
// The code for each of the four distances between rows and gain knows it.
// CHECK-DAG:   #[[UNITS:.*]] = #tile_gpu.layout<registers = [d1:4*1, d1:3*2048], lanes = [d1:32*4], warps = [d1:16*128]>
// CHECK-DAG:   #[[GAIN:.*]] = #tile_gpu.layout<registers = [d0:4*1, d0:3*2048], lanes = [d0:32*4], warps = [d0:16*128]>
// CHECK-LABEL: tile.kernel @gain
// CHECK:         %[[P:.*]] = tile_gpu.cluster_rank
// CHECK:         %[[FIRST:.*]] = arith.muli %[[P]], %c10008
// CHECK:         arith.subi
// CHECK:         arith.cmpi slt
// CHECK:         tile_gpu.read {{.*}} -> tensor<1x5008xbf16, #[[UNITS]]>
// CHECK:         tile.reduce add
// CHECK:         scf.if
// CHECK:         tile_gpu.read {{.*}} -> tensor<1x5008xbf16, #[[UNITS]]>
// CHECK:         tile.gather %{{.*}} {tile_gpu.realigned = array<i64: 0, 0, 0>} : {{.*}} -> tensor<5008xf32, #[[GAIN]]>
// CHECK:         tile_gpu.store_units
// CHECK:         tile.gather %{{.*}} {tile_gpu.realigned = array<i64: 0, 0, 3>}
// CHECK:         tile.gather %{{.*}} {tile_gpu.realigned = array<i64: 0, 0, 2>}
// CHECK:         tile.gather %{{.*}} {tile_gpu.realigned = array<i64: 0, 0, 1>}
// CHECK-NOT:     tile_gpu.store_run
tile.kernel @gain(%x: !X, %g: !tile.view<40001xf32>) outs(%y: !X) grid [dim(%y, 0)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %half = arith.constant dense<20000> : tensor<40001xi32, #vec>
  %zero = arith.constant dense<0.0> : tensor<1x40001xf32, #row>
  %t = tile.load %x[%m, %c0] [1, 40001] : !X -> tensor<1x40001xbf16, #row>
  %v = tile.load %g[%c0] [40001] : !tile.view<40001xf32> -> tensor<40001xf32, #vec>
  %f = tile.cast %t : tensor<1x40001xbf16, #row> to tensor<1x40001xf32, #row>
  %n = tile.iota [40001] : tensor<40001xi32, #vec>
  %l = arith.cmpi slt, %n, %half : tensor<40001xi32, #vec>
  %lb = tile.broadcast %l [1, 40001] : tensor<40001xi1, #vec> -> tensor<1x40001xi1, #row>
  %left = arith.select %lb, %f, %zero : tensor<1x40001xi1, #row>, tensor<1x40001xf32, #row>
  %s = tile.reduce add %left axis 1 keepdims : tensor<1x40001xf32, #row> -> tensor<1x1xf32, #sum>
  %b = tile.broadcast %s [1, 40001] : tensor<1x1xf32, #sum> -> tensor<1x40001xf32, #row>
  %vb = tile.broadcast %v [1, 40001] : tensor<40001xf32, #vec> -> tensor<1x40001xf32, #row>
  %d = arith.divf %f, %b : tensor<1x40001xf32, #row>
  %w = arith.mulf %d, %vb : tensor<1x40001xf32, #row>
  %r = tile.cast %w : tensor<1x40001xf32, #row> to tensor<1x40001xbf16, #row>
  tile.store %r, %y[%m, %c0] : tensor<1x40001xbf16, #row>, !X
}

// -----

#row = #tile_gpu.layout<registers = [d1:79*512], lanes = [d1:32*1], warps = [d1:16*32]>
#vec = #tile_gpu.layout<registers = [d0:79*512], lanes = [d0:32*1], warps = [d0:16*32]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 4, blocks = 2>
#rows = affine_map<()[s0, s1, s2] -> (s2, 40001, 40001, 1)>
#gain = affine_map<()[s0, s1, s2] -> (40001, 1)>
!X = !tile.view<?x40001xbf16>

// The gain begins at any element: those combined with it are read one by one, by adjacent lanes.
// CHECK-DAG:   #[[UNITS:.*]] = #tile_gpu.layout<registers = [d1:4*1, d1:3*2048], lanes = [d1:32*4], warps = [d1:16*128]>
// CHECK-DAG:   #[[ONES:.*]] = #tile_gpu.layout<registers = [d1:10*512], lanes = [d1:32*1], warps = [d1:16*32]>
// CHECK-DAG:   #[[GAIN:.*]] = #tile_gpu.layout<registers = [d0:10*512], lanes = [d0:32*1], warps = [d0:16*32]>
// CHECK-LABEL: tile.kernel @unaligned_gain
// CHECK:         tile_gpu.read {{.*}} -> tensor<1x5008xbf16, #[[UNITS]]>
// CHECK:         tile.reduce add
// CHECK:         tile_gpu.read {{.*}} -> tensor<1x5008xbf16, #[[ONES]]>
// CHECK:         tile.gather %{{.*}} -> tensor<5008xf32, #[[GAIN]]>
// CHECK:         tile_gpu.store_run
tile.kernel @unaligned_gain(%p: !tile.ptr<bf16>, %q: !tile.ptr<f32>, %count: i32, %x: !X, %g: !tile.view<40001xf32>) outs(%y: !X)
    grid launch attributes {tile_gpu.plan = #plan, tile.launch_views = [
      {alignment = 16 : i64, pointer = 0 : i64, size_divisors = array<i64: 1, 40001>, stride_divisors = array<i64: 40001, 1>, words = #rows},
      {alignment = 4 : i64, pointer = 1 : i64, size_divisors = array<i64: 40001>, stride_divisors = array<i64: 1>, words = #gain},
      {alignment = 16 : i64, pointer = 0 : i64, size_divisors = array<i64: 1, 40001>, stride_divisors = array<i64: 40001, 1>, words = #rows}]} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %half = arith.constant dense<20000> : tensor<40001xi32, #vec>
  %zero = arith.constant dense<0.0> : tensor<1x40001xf32, #row>
  %t = tile.load %x[%m, %c0] [1, 40001] : !X -> tensor<1x40001xbf16, #row>
  %v = tile.load %g[%c0] [40001] : !tile.view<40001xf32> -> tensor<40001xf32, #vec>
  %f = tile.cast %t : tensor<1x40001xbf16, #row> to tensor<1x40001xf32, #row>
  %n = tile.iota [40001] : tensor<40001xi32, #vec>
  %l = arith.cmpi slt, %n, %half : tensor<40001xi32, #vec>
  %lb = tile.broadcast %l [1, 40001] : tensor<40001xi1, #vec> -> tensor<1x40001xi1, #row>
  %left = arith.select %lb, %f, %zero : tensor<1x40001xi1, #row>, tensor<1x40001xf32, #row>
  %s = tile.reduce add %left axis 1 keepdims : tensor<1x40001xf32, #row> -> tensor<1x1xf32, #sum>
  %b = tile.broadcast %s [1, 40001] : tensor<1x1xf32, #sum> -> tensor<1x40001xf32, #row>
  %vb = tile.broadcast %v [1, 40001] : tensor<40001xf32, #vec> -> tensor<1x40001xf32, #row>
  %d = arith.divf %f, %b : tensor<1x40001xf32, #row>
  %w = arith.mulf %d, %vb : tensor<1x40001xf32, #row>
  %r = tile.cast %w : tensor<1x40001xf32, #row> to tensor<1x40001xbf16, #row>
  tile.store %r, %y[%m, %c0] : tensor<1x40001xbf16, #row>, !X
}

// -----

#row = #tile_gpu.layout<registers = [d1:79*512], lanes = [d1:32*1], warps = [d1:16*32]>
#vec = #tile_gpu.layout<registers = [d0:79*512], lanes = [d0:32*1], warps = [d0:16*32]>
#units = #tile_gpu.layout<registers = [d0:8*1, d0:10*4096], lanes = [d0:32*8], warps = [d0:16*256]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#one = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:16]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 4, blocks = 2>
!X = !tile.view<?x40001xf32>

// A vector that was converted to another layout, and a mask that became a row by a new axis: both are recomputed in one
// layout.
// CHECK-LABEL: tile.kernel @converted
// CHECK-NOT:     tile_gpu.convert_layout
// CHECK:         tile_gpu.init_mailbox
// CHECK:         arith.cmpi slt
// CHECK:         tile.expand_dims %{{.*}}, 0 : tensor<[[W:.*]]xi1, #{{.*}}> -> tensor<1x[[W]]xi1
// CHECK:         tile_gpu.gather_parts
// CHECK-NOT:     tile_gpu.convert_layout
// Whole-word elements are stored from registers here, too.
// CHECK:         tile_gpu.store_units
// CHECK-NOT:     tile_gpu.store_run
tile.kernel @converted(%x: !X, %g: !tile.view<40001xbf16>, %n: i32) outs(%y: !X) grid [dim(%y, 0)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<1x40001xf32, #row>
  %t = tile.load %x[%m, %c0] [1, 40001] : !X -> tensor<1x40001xf32, #row>
  %v = tile.load %g[%c0] [40001] : !tile.view<40001xbf16> -> tensor<40001xbf16, #units>
  %w = tile.cast %v : tensor<40001xbf16, #units> to tensor<40001xf32, #units>
  %u = tile_gpu.convert_layout %w : tensor<40001xf32, #units> -> tensor<40001xf32, #vec>
  %e = tile.splat %n [1] : i32 -> tensor<1xi32, #one>
  %eb = tile.broadcast %e [40001] : tensor<1xi32, #one> -> tensor<40001xi32, #vec>
  %i = tile.iota [40001] : tensor<40001xi32, #vec>
  %l = arith.cmpi slt, %i, %eb : tensor<40001xi32, #vec>
  %lb = tile.expand_dims %l, 0 : tensor<40001xi1, #vec> -> tensor<1x40001xi1, #row>
  %left = arith.select %lb, %t, %zero : tensor<1x40001xi1, #row>, tensor<1x40001xf32, #row>
  %s = tile.reduce add %left axis 1 keepdims : tensor<1x40001xf32, #row> -> tensor<1x1xf32, #sum>
  %sb = tile.broadcast %s [1, 40001] : tensor<1x1xf32, #sum> -> tensor<1x40001xf32, #row>
  %ub = tile.broadcast %u [1, 40001] : tensor<40001xf32, #vec> -> tensor<1x40001xf32, #row>
  %d = arith.mulf %left, %ub : tensor<1x40001xf32, #row>
  %o = arith.subf %d, %sb : tensor<1x40001xf32, #row>
  tile.store %o, %y[%m, %c0] : tensor<1x40001xf32, #row>, !X
}

// -----

#row = #tile_gpu.layout<registers = [d1:196*512], lanes = [d1:32*1], warps = [d1:16*32]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 4, blocks = 2>
!X = !tile.view<?x100001xf32>

// A cumulative sum: the blocks of a cluster exchange the totals of their parts, each adds those before its own, and
// every piece continues from the previous one.
// CHECK-LABEL: tile.kernel @cumulative_sum
// CHECK:         tile_gpu.init_mailbox
// CHECK-NOT:     tile_gpu.init_mailbox
// CHECK:         %[[P:.*]] = tile_gpu.cluster_rank
// CHECK:         tile_gpu.copy_run
// CHECK:         tile_gpu.wait_copies 0
// CHECK:         %[[O:.*]] = tile.reduce add %{{.*}} axis 1 keepdims
// CHECK:         %[[A:.*]] = tile_gpu.gather_parts %[[O]]
// CHECK:         %[[N:.*]] = tile.iota [4]
// CHECK:         %[[B:.*]] = arith.cmpi slt, %[[N]], %{{.*}} : tensor<4xi32
// CHECK:         %[[L:.*]] = arith.select %{{.*}}, %[[A]], %{{.*}} : tensor<4x1xi1
// CHECK:         %[[S:.*]] = tile.reduce add %[[L]] axis 0 keepdims
// CHECK:         %[[C:.*]] = tile.scan add %{{.*}} axis 1
// CHECK:         %[[D:.*]] = tile.broadcast %[[S]]
// CHECK:         %[[T:.*]] = tile.reduce add %{{.*}} axis 1 keepdims
// CHECK:         %[[G:.*]] = arith.addf %[[S]], %[[T]]
// CHECK:         arith.addf %[[D]], %[[C]]
// CHECK:         tile_gpu.store_units
// CHECK:         scf.for {{.*}} iter_args(%[[H:.*]] = %[[G]])
// CHECK:           tile.scan add
// CHECK:           scf.yield
tile.kernel @cumulative_sum(%x: !X) outs(%y: !X) grid [dim(%y, 0)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 100001] : !X -> tensor<1x100001xf32, #row>
  %s = tile.scan add %t axis 1 : tensor<1x100001xf32, #row>
  tile.store %s, %y[%m, %c0] : tensor<1x100001xf32, #row>, !X
}

// -----

#row = #tile_gpu.layout<registers = [d1:4*1, d1:10*4096], lanes = [d1:32*4], warps = [d1:32*128]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:32]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 32, blocks = 1>
!X = !tile.view<100x20000xf32>

// The second row is loaded after the first reduction: it is copied, and waited for, with the first one.
// CHECK-LABEL: tile.kernel @loaded_later
// CHECK:         %[[A:.*]] = tile_gpu.alloc
// CHECK:         tile_gpu.copy %arg0{{.*}} to %[[A]]
// CHECK:         %[[B:.*]] = tile_gpu.alloc
// CHECK:         tile_gpu.copy %arg1{{.*}} to %[[B]]
// CHECK:         tile_gpu.commit_copies
// CHECK:         tile_gpu.wait_copies 0
// CHECK:         tile.reduce max
// CHECK:         tile_gpu.read %[[B]]
// CHECK-NOT:     tile_gpu.copy
tile.kernel @loaded_later(%x: !X, %z: !X) outs(%y: !X) grid [100] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 20000] : !X -> tensor<1x20000xf32, #row>
  %s = tile.reduce max %t axis 1 keepdims : tensor<1x20000xf32, #row> -> tensor<1x1xf32, #sum>
  %b = tile.broadcast %s [1, 20000] : tensor<1x1xf32, #sum> -> tensor<1x20000xf32, #row>
  %c00 = arith.constant 0 : index
  %u = tile.load %z[%m, %c00] [1, 20000] : !X -> tensor<1x20000xf32, #row>
  %d = arith.subf %u, %b : tensor<1x20000xf32, #row>
  tile.store %d, %y[%m, %c0] : tensor<1x20000xf32, #row>, !X
}

// -----

#row = #tile_gpu.layout<registers = [d1:157*256], lanes = [d1:32*1], warps = [d1:8*32]>
#one = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:8]>
#flat = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:8]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, parts = 2, blocks = 1>
!X = !tile.view<?x40001xf32>

// Loads that do not depend on rows are issued before rows are waited for; loads after a store stay.
// CHECK-LABEL: tile.kernel @other_loads
// CHECK:         tile.load %{{.*}} -> tensor<1xf32
// CHECK:         tile_gpu.wait_copies
// CHECK:         tile.reduce
// CHECK:         tile.load %{{.*}} -> tensor<1x1xf32
tile.kernel @other_loads(%x: !X, %a: !tile.view<?xf32>, %z: !tile.view<?x1xf32>) outs(%y: !tile.view<?xf32>) grid [dim(%y, 0)]
    attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %t = tile.load %x[%m, %c0] [1, 40001] : !X -> tensor<1x40001xf32, #row>
  %sum = tile.reduce add %t axis 1 : tensor<1x40001xf32, #row> -> tensor<1xf32, #flat>
  %b = tile.load %a[%m] [1] : !tile.view<?xf32> -> tensor<1xf32, #flat>
  %c = arith.addf %b, %sum : tensor<1xf32, #flat>
  tile.store %c, %y[%m] : tensor<1xf32, #flat>, !tile.view<?xf32>
  %late = tile.load %z[%c9, %c0] [1, 1] : !tile.view<?x1xf32> -> tensor<1x1xf32, #one>
  %l = tile.reshape %late [1] : tensor<1x1xf32, #one> -> tensor<1xf32, #flat>
  %k = arith.addf %l, %c : tensor<1xf32, #flat>
  tile.store %k, %y[%c9] : tensor<1xf32, #flat>, !tile.view<?xf32>
}
