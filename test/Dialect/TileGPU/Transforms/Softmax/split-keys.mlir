// RUN: tilegpt-opt %s --tile-gpu-split-keys --canonicalize --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-split-keys="target=sm_80" --split-input-file | FileCheck %s --check-prefix=SM80
// RUN: tilegpt-opt %s --tile-gpu-split-keys --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// SM80-NOT: tile_gpu.cluster

!K = !tile.view<1024x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// 1024 keys are 256 for each of four blocks, even if more would fit. All but the first subtract 0 from hidden scores as
// long as they have seen no other; their results are weighted by their maximum.
// CHECK-LABEL: tile.kernel @decode
// CHECK:         tile_gpu.cluster = array<i32: 4, 1, 1>, tile_gpu.grid_of_clusters
// CHECK-DAG:     %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK-DAG:     %[[LOWS:.*]] = arith.constant dense<0xFF800000> : tensor<4x1xf32>
// CHECK-DAG:     %[[SCALE:.*]] = arith.constant dense<1.250000e-01> : tensor<4x1xf32>
// CHECK:         tile_gpu.arrive_cluster relaxed
// CHECK:         %[[RANK:.*]] = tile_gpu.cluster_rank
// CHECK:         %[[PART:.*]] = tile.assume %[[RANK]] bounded [0, 3]
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %[[PART]], %c0
// CHECK:         %[[STANDIN:.*]] = arith.select %[[FIRST]], %[[LOW]], %{{.*}} : f32
// CHECK:         %[[STANDINS:.*]] = tile.splat %[[STANDIN]] [4, 1]
// CHECK:         %[[L:.*]]:3 = scf.for %{{.*}} = %[[PART]] to %c16 step %c4
// CHECK:           %[[MN:.*]] = arith.maximumf
// CHECK:           %[[ISLOW:.*]] = arith.cmpf oeq, %[[MN]], %{{.*}}
// CHECK:           %[[G:.*]] = arith.select %[[ISLOW]], %[[STANDINS]], %[[MN]]
// CHECK:           tile.broadcast %[[G]]
// CHECK:           arith.subf %{{.*}}, %[[G]]
// CHECK:           scf.yield %[[MN]]
// CHECK:         %[[MB:.*]] = tile_gpu.alloc : !tile_gpu.shared<16x1xf32>
// CHECK:         %[[LB:.*]] = tile_gpu.alloc : !tile_gpu.shared<16x1xf32>
// CHECK:         %[[OB:.*]] = tile_gpu.alloc : !tile_gpu.shared<16x64xf32>
// CHECK:         tile_gpu.await_cluster
// CHECK-NEXT:    tile_gpu.write_part %[[L]]#0, %[[MB]][%[[PART]]]
// CHECK-NEXT:    tile_gpu.write_part %[[L]]#1, %[[LB]][%[[PART]]]
// CHECK-NEXT:    tile_gpu.write_part %[[L]]#2, %[[OB]][%[[PART]]]
// CHECK-NEXT:    tile_gpu.arrive_cluster
// CHECK-NEXT:    tile_gpu.await_cluster
// CHECK:         %[[R0:.*]] = tile_gpu.rows %[[MB]] from %c0
// CHECK:         %[[M0:.*]] = tile_gpu.read %[[R0]]
// CHECK:         tile_gpu.rows %[[MB]] from %c12
// CHECK-COUNT-2:   arith.maximumf
// CHECK:         %[[M:.*]] = arith.maximumf
// CHECK:         %[[SAME:.*]] = arith.cmpf oeq, %[[M0]], %[[M]]
// CHECK:         %[[LESS:.*]] = arith.subf %[[M0]], %[[M]]
// CHECK:         %[[TIMES:.*]] = arith.mulf %[[LESS]], %[[SCALE]]
// CHECK:         %[[POWER:.*]] = math.exp %[[TIMES]]
// CHECK:         arith.select %[[SAME]], %{{.*}}, %[[POWER]]
// CHECK:         tile_gpu.rows %[[LB]] from %c0
// CHECK:         tile_gpu.rows %[[OB]] from %c0
// CHECK:         tile_gpu.rows %[[OB]] from %c256
// CHECK:         tile.store
// WHY: @decode: cluster: 4 blocks split the keys
tile.kernel @decode(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K, %hide: !tile.view<64xi1>) outs(%y: !tile.view<4x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<0.0> : !C
  %zo = arith.constant dense<0.0> : !S
  %hidden = arith.constant dense<0xFF800000> : !S
  %sc = arith.constant dense<0.125> : !S
  %sc1 = arith.constant dense<0.125> : !C
  %qt = tile.load %q[%c0, %c0] [4, 64] : !tile.view<4x64xbf16> -> tensor<4x64xbf16>
  %ht = tile.load %hide[%c0] [64] : !tile.view<64xi1> -> tensor<64xi1>
  %hb = tile.broadcast %ht [4, 64] : tensor<64xi1> -> tensor<4x64xi1>
  %m, %l, %o = scf.for %j = %c0 to %c16 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, !S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %s = arith.select %hb, %hidden, %x : tensor<4x64xi1>, !S
    %mt = tile.reduce max %s axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [4, 64] : !C -> !S
    %sd = arith.subf %s, %mb : !S
    %sx = arith.mulf %sd, %sc : !S
    %e = math.exp %sx : !S
    %md = arith.subf %mi, %mn : !C
    %mx = arith.mulf %md, %sc1 : !C
    %a = math.exp %mx : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [4, 64] : !C -> !S
    %oa = arith.mulf %oi, %ab : !S
    %w = tile.cast %e : !S to tensor<4x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %mn, %ln, %on : !C, !C, !S
  }
  %lb = tile.broadcast %l [4, 64] : !C -> !S
  %r = arith.divf %o, %lb : !S
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<4x64xf32>
}

// -----

!K = !tile.view<8192x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// Seven copies of each of two blocks, a cluster of four each: the first block of a cluster writes the cluster's result,
// and the last block of a group to finish merges the seven and stores.
// CHECK-LABEL: tile.kernel @copies
// CHECK:         grid [14] attributes {tile_gpu.cluster = array<i32: 4, 1, 1>, tile_gpu.grid_of_clusters}
// CHECK-DAG:     %[[C7:.*]] = arith.constant 7 : index
// CHECK:         %[[R:.*]] = tile_gpu.cluster_rank
// CHECK:         %[[RANK:.*]] = tile.assume %[[R]] bounded [0, 3]
// CHECK:         %[[BLOCK:.*]] = tile.block_id 0
// CHECK:         %[[REM:.*]] = arith.remui %[[BLOCK]], %[[C7]]
// CHECK:         %[[COPY:.*]] = tile.assume %[[REM]] bounded [0, 6]
// CHECK:         %[[BEFORE:.*]] = arith.muli %[[COPY]], %c4
// CHECK:         %[[SUM:.*]] = arith.addi %[[BEFORE]], %[[RANK]]
// CHECK:         %[[PART:.*]] = tile.assume %[[SUM]] bounded [0, 27]
// CHECK:         arith.cmpi eq, %[[PART]], %c0
// CHECK:         scf.for %{{.*}} = %[[PART]] to %c128 step %c28
// CHECK:         tile_gpu.await_cluster
// CHECK:         tile_gpu.await_cluster
// CHECK:         %[[OC:.*]] = arith.addf %{{.*}} : tensor<4x64xf32>
// CHECK:         %[[Q:.*]] = arith.divui %{{.*}}, %[[C7]]
// CHECK:         %[[GROUP:.*]] = tile.assume %[[Q]] bounded [0, 1]
// CHECK:         %[[ROWS:.*]] = arith.muli %[[GROUP]], %[[C7]]
// CHECK:         %[[WM:.*]] = tile_gpu.workspace 0 : !tile.view<56x1xf32>
// CHECK:         %[[WL:.*]] = tile_gpu.workspace 1 : !tile.view<56x1xf32>
// CHECK:         %[[WO:.*]] = tile_gpu.workspace 2 : !tile.view<56x64xf32>
// CHECK:         %[[ISFIRST:.*]] = arith.cmpi eq, %[[RANK]], %c0
// CHECK:         scf.if %[[ISFIRST]]
// CHECK:           tile.store %{{.*}}, %[[WM]]
// CHECK:           tile.store %{{.*}}, %[[WL]]
// CHECK:           tile.store %{{.*}}, %[[WO]]
// CHECK:         %[[LAST:.*]] = tile_gpu.meet_blocks %[[GROUP]] of 2 parts 28 with %[[WM]], %[[WL]], %[[WO]]
// CHECK:         scf.if %[[LAST]]
// CHECK-COUNT-7:   tile.load %[[WM]]
// CHECK:           tile.load %[[WL]]
// CHECK:           tile.load %[[WO]]
// CHECK:           tile.store %{{.*}}, %{{.*}} : tensor<4x64xf32>, !tile.view<8x64xf32>
// WHY: @copies: cluster: 7 clusters of 4 blocks split the keys
// SM80: tile_gpu.meet_blocks %{{.*}} of 2 parts 7 with
// SM80-NOT: tile_gpu.cluster
tile.kernel @copies(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K, %hide: !tile.view<64xi1>) outs(%y: !tile.view<8x64xf32>) grid [14]
    attributes {tile_gpu.copies_of_blocks = 7 : i64} {
  %block = tile.block_id 0
  %c7 = arith.constant 7 : index
  %h = arith.divui %block, %c7 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<0.0> : !C
  %zo = arith.constant dense<0.0> : !S
  %hidden = arith.constant dense<0xFF800000> : !S
  %sc = arith.constant dense<0.125> : !S
  %sc1 = arith.constant dense<0.125> : !C
  %qt = tile.load %q[%c0, %c0] [4, 64] : !tile.view<4x64xbf16> -> tensor<4x64xbf16>
  %ht = tile.load %hide[%c0] [64] : !tile.view<64xi1> -> tensor<64xi1>
  %hb = tile.broadcast %ht [4, 64] : tensor<64xi1> -> tensor<4x64xi1>
  %m, %l, %o = scf.for %j = %c0 to %c128 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, !S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %s = arith.select %hb, %hidden, %x : tensor<4x64xi1>, !S
    %mt = tile.reduce max %s axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [4, 64] : !C -> !S
    %sd = arith.subf %s, %mb : !S
    %sx = arith.mulf %sd, %sc : !S
    %e = math.exp %sx : !S
    %md = arith.subf %mi, %mn : !C
    %mx = arith.mulf %md, %sc1 : !C
    %a = math.exp %mx : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [4, 64] : !C -> !S
    %oa = arith.mulf %oi, %ab : !S
    %w = tile.cast %e : !S to tensor<4x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %mn, %ln, %on : !C, !C, !S
  }
  %lb = tile.broadcast %l [4, 64] : !C -> !S
  %r = arith.divf %o, %lb : !S
  tile.store %r, %y[%h, %c0] : !S, !tile.view<8x64xf32>
}

// -----

!K = !tile.view<8192x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// The number of keys is known only at run time: up to 46 iterations the first copy does everything, without a merge in
// global memory.
// CHECK-LABEL: tile.kernel @copies_of_some
// CHECK-SAME:    %[[N:[^:]*]]: index)
// CHECK:         %[[SHORT:.*]] = arith.cmpi sle, %[[N]], %c46
// CHECK:         %[[ISONE:.*]] = arith.cmpi eq, %[[COPY:.*]], %c0
// CHECK:         %[[ALONE:.*]] = arith.select %[[ISONE]], %[[PART:.*]], %[[N]] : index
// CHECK:         %[[BEGIN:.*]] = arith.select %[[SHORT]], %[[ALONE]], %[[PART]] : index
// CHECK:         %[[STEP:.*]] = arith.select %[[SHORT]], %c4, %c28 : index
// CHECK:         scf.for %{{.*}} = %[[BEGIN]] to %[[N]] step %[[STEP]]
// CHECK:         %[[LAST:.*]] = scf.if %[[SHORT]] -> (i1)
// CHECK:           scf.yield %{{.*}} : i1
// CHECK:         } else {
// CHECK:           tile_gpu.meet_blocks
// CHECK:         scf.if %[[LAST]]
// CHECK:           %[[ALL:.*]] = scf.if %[[SHORT]]
// CHECK:             scf.yield
// CHECK:           } else {
// CHECK:             tile.load
// CHECK:           tile.store
tile.kernel @copies_of_some(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K, %hide: !tile.view<64xi1>, %n: index) outs(%y: !tile.view<8x64xf32>) grid [14]
    attributes {tile_gpu.copies_of_blocks = 7 : i64} {
  %block = tile.block_id 0
  %c7 = arith.constant 7 : index
  %h = arith.divui %block, %c7 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<0.0> : !C
  %zo = arith.constant dense<0.0> : !S
  %hidden = arith.constant dense<0xFF800000> : !S
  %sc = arith.constant dense<0.125> : !S
  %sc1 = arith.constant dense<0.125> : !C
  %qt = tile.load %q[%c0, %c0] [4, 64] : !tile.view<4x64xbf16> -> tensor<4x64xbf16>
  %ht = tile.load %hide[%c0] [64] : !tile.view<64xi1> -> tensor<64xi1>
  %hb = tile.broadcast %ht [4, 64] : tensor<64xi1> -> tensor<4x64xi1>
  %m, %l, %o = scf.for %j = %c0 to %n step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, !S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %s = arith.select %hb, %hidden, %x : tensor<4x64xi1>, !S
    %mt = tile.reduce max %s axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [4, 64] : !C -> !S
    %sd = arith.subf %s, %mb : !S
    %sx = arith.mulf %sd, %sc : !S
    %e = math.exp %sx : !S
    %md = arith.subf %mi, %mn : !C
    %mx = arith.mulf %md, %sc1 : !C
    %a = math.exp %mx : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [4, 64] : !C -> !S
    %oa = arith.mulf %oi, %ab : !S
    %w = tile.cast %e : !S to tensor<4x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %mn, %ln, %on : !C, !C, !S
  }
  %lb = tile.broadcast %l [4, 64] : !C -> !S
  %r = arith.divf %o, %lb : !S
  tile.store %r, %y[%h, %c0] : !S, !tile.view<8x64xf32>
}

// -----

!K = !tile.view<1024x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// A kernel that handles hidden rows itself stays.
// CHECK-LABEL: tile.kernel @guarded
// CHECK:         scf.for %{{.*}} step %c4
// CHECK-COUNT-1:   arith.cmpf oeq
// CHECK-NOT:       arith.cmpf
// CHECK:           scf.yield
// WHY: @guarded: cluster: 4 blocks split the keys
tile.kernel @guarded(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K) outs(%y: !tile.view<4x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<0.0> : !C
  %zo = arith.constant dense<0.0> : !S
  %sc = arith.constant dense<0.125> : !S
  %sc1 = arith.constant dense<0.125> : !C
  %qt = tile.load %q[%c0, %c0] [4, 64] : !tile.view<4x64xbf16> -> tensor<4x64xbf16>
  %m, %l, %o = scf.for %j = %c0 to %c16 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, !S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %mt = tile.reduce max %x axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %ish = arith.cmpf oeq, %mn, %low : !C
    %mg = arith.select %ish, %z1, %mn : tensor<4x1xi1>, !C
    %mb = tile.broadcast %mg [4, 64] : !C -> !S
    %sd = arith.subf %x, %mb : !S
    %sx = arith.mulf %sd, %sc : !S
    %e = math.exp %sx : !S
    %md = arith.subf %mi, %mg : !C
    %mx = arith.mulf %md, %sc1 : !C
    %a = math.exp %mx : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [4, 64] : !C -> !S
    %oa = arith.mulf %oi, %ab : !S
    %w = tile.cast %e : !S to tensor<4x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %mn, %ln, %on : !C, !C, !S
  }
  %lb = tile.broadcast %l [4, 64] : !C -> !S
  %r = arith.divf %o, %lb : !S
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<4x64xf32>
}

// -----

!K = !tile.view<1024x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// Enough blocks for more than half of the multiprocessors.
// CHECK-LABEL: tile.kernel @many_blocks
// CHECK-NOT:     tile_gpu.cluster
// CHECK:         scf.for %{{.*}} = %c0 to %c16 step %c1
tile.kernel @many_blocks(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K) outs(%y: !tile.view<4x64xf32>) grid [67] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<0.0> : !C
  %zo = arith.constant dense<0.0> : !S
  %sc = arith.constant dense<0.125> : !S
  %sc1 = arith.constant dense<0.125> : !C
  %qt = tile.load %q[%c0, %c0] [4, 64] : !tile.view<4x64xbf16> -> tensor<4x64xbf16>
  %m, %l, %o = scf.for %j = %c0 to %c16 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, !S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %mt = tile.reduce max %x axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [4, 64] : !C -> !S
    %sd = arith.subf %x, %mb : !S
    %sx = arith.mulf %sd, %sc : !S
    %e = math.exp %sx : !S
    %md = arith.subf %mi, %mn : !C
    %mx = arith.mulf %md, %sc1 : !C
    %a = math.exp %mx : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [4, 64] : !C -> !S
    %oa = arith.mulf %oi, %ab : !S
    %w = tile.cast %e : !S to tensor<4x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %mn, %ln, %on : !C, !C, !S
  }
  %lb = tile.broadcast %l [4, 64] : !C -> !S
  %r = arith.divf %o, %lb : !S
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<4x64xf32>
}

// -----

!K = !tile.view<504x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// Too few keys for two blocks.
// CHECK-LABEL: tile.kernel @few_keys
// CHECK-NOT:     tile_gpu.cluster
// CHECK:         scf.for %{{.*}} = %c0 to %c16 step %c1
tile.kernel @few_keys(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K) outs(%y: !tile.view<4x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<0.0> : !C
  %zo = arith.constant dense<0.0> : !S
  %sc = arith.constant dense<0.125> : !S
  %sc1 = arith.constant dense<0.125> : !C
  %qt = tile.load %q[%c0, %c0] [4, 64] : !tile.view<4x64xbf16> -> tensor<4x64xbf16>
  %m, %l, %o = scf.for %j = %c0 to %c16 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, !S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %mt = tile.reduce max %x axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [4, 64] : !C -> !S
    %sd = arith.subf %x, %mb : !S
    %sx = arith.mulf %sd, %sc : !S
    %e = math.exp %sx : !S
    %md = arith.subf %mi, %mn : !C
    %mx = arith.mulf %md, %sc1 : !C
    %a = math.exp %mx : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [4, 64] : !C -> !S
    %oa = arith.mulf %oi, %ab : !S
    %w = tile.cast %e : !S to tensor<4x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %mn, %ln, %on : !C, !C, !S
  }
  %lb = tile.broadcast %l [4, 64] : !C -> !S
  %r = arith.divf %o, %lb : !S
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<4x64xf32>
}

// -----

!K = !tile.view<?x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// The maximum number of keys.
// CHECK-LABEL: tile.kernel @any_keys
// CHECK-NOT:     tile_gpu.cluster
// CHECK:         scf.for %{{.*}} = %c0 to %c16 step %c1
tile.kernel @any_keys(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K) outs(%y: !tile.view<4x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<0.0> : !C
  %zo = arith.constant dense<0.0> : !S
  %sc = arith.constant dense<0.125> : !S
  %sc1 = arith.constant dense<0.125> : !C
  %qt = tile.load %q[%c0, %c0] [4, 64] : !tile.view<4x64xbf16> -> tensor<4x64xbf16>
  %m, %l, %o = scf.for %j = %c0 to %c16 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, !S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %mt = tile.reduce max %x axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [4, 64] : !C -> !S
    %sd = arith.subf %x, %mb : !S
    %sx = arith.mulf %sd, %sc : !S
    %e = math.exp %sx : !S
    %md = arith.subf %mi, %mn : !C
    %mx = arith.mulf %md, %sc1 : !C
    %a = math.exp %mx : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [4, 64] : !C -> !S
    %oa = arith.mulf %oi, %ab : !S
    %w = tile.cast %e : !S to tensor<4x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %mn, %ln, %on : !C, !C, !S
  }
  %lb = tile.broadcast %l [4, 64] : !C -> !S
  %r = arith.divf %o, %lb : !S
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<4x64xf32>
}

// -----

!K = !tile.view<1024x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// A gather counts as a load. Clusters of two fill a device on which not all larger ones would fit.
// CHECK-LABEL: tile.kernel @gathers_in_front
// CHECK:         scf.for %{{.*}} step %c2
// WHY: @gathers_in_front: cluster: 2 blocks split the keys
tile.kernel @gathers_in_front(%q: !tile.view<4x64xbf16>, %i: !tile.view<64xi32>, %k: !K, %v: !K) outs(%y: !tile.view<4x64xf32>) grid [64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<0.0> : !C
  %zo = arith.constant dense<0.0> : !S
  %sc = arith.constant dense<0.125> : !S
  %sc1 = arith.constant dense<0.125> : !C
  %it = tile.load %i[%c0] [64] : !tile.view<64xi32> -> tensor<64xi32>
  %qt = tile.gather %q[%c0] at %it axis 1 [4, 64] : !tile.view<4x64xbf16>, tensor<64xi32> -> tensor<4x64xbf16>
  %m, %l, %o = scf.for %j = %c0 to %c16 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, !S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %mt = tile.reduce max %x axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [4, 64] : !C -> !S
    %sd = arith.subf %x, %mb : !S
    %sx = arith.mulf %sd, %sc : !S
    %e = math.exp %sx : !S
    %md = arith.subf %mi, %mn : !C
    %mx = arith.mulf %md, %sc1 : !C
    %a = math.exp %mx : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [4, 64] : !C -> !S
    %oa = arith.mulf %oi, %ab : !S
    %w = tile.cast %e : !S to tensor<4x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %mn, %ln, %on : !C, !C, !S
  }
  %lb = tile.broadcast %l [4, 64] : !C -> !S
  %r = arith.divf %o, %lb : !S
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<4x64xf32>
}

// -----

!K = !tile.view<1024x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// Another block of the cluster may have stored what is read after the loop.
// CHECK-LABEL: tile.kernel @reads_behind
// CHECK-NOT:     tile_gpu.cluster
// CHECK:         scf.for %{{.*}} = %c0 to %c16 step %c1
// WHY: @reads_behind: cluster missed: few blocks, and their keys are not split: the kernel does more than load before the loop and store after it
tile.kernel @reads_behind(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K) outs(%y: !tile.view<4x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<0.0> : !C
  %zo = arith.constant dense<0.0> : !S
  %sc = arith.constant dense<0.125> : !S
  %sc1 = arith.constant dense<0.125> : !C
  %qt = tile.load %q[%c0, %c0] [4, 64] : !tile.view<4x64xbf16> -> tensor<4x64xbf16>
  %m, %l, %o = scf.for %j = %c0 to %c16 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, !S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %mt = tile.reduce max %x axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [4, 64] : !C -> !S
    %sd = arith.subf %x, %mb : !S
    %sx = arith.mulf %sd, %sc : !S
    %e = math.exp %sx : !S
    %md = arith.subf %mi, %mn : !C
    %mx = arith.mulf %md, %sc1 : !C
    %a = math.exp %mx : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [4, 64] : !C -> !S
    %oa = arith.mulf %oi, %ab : !S
    %w = tile.cast %e : !S to tensor<4x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %mn, %ln, %on : !C, !C, !S
  }
  %lb = tile.broadcast %l [4, 64] : !C -> !S
  %b = tile.load %y[%c0, %c0] [4, 64] : !tile.view<4x64xf32> -> !S
  %r0 = arith.divf %o, %lb : !S
  %r = arith.addf %r0, %b : !S
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<4x64xf32>
}

// -----

!K = !tile.view<1024x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// A store before the loop.
// CHECK-LABEL: tile.kernel @stores_in_front
// CHECK-NOT:     tile_gpu.cluster
// CHECK:         scf.for %{{.*}} = %c0 to %c16 step %c1
// WHY: @stores_in_front: cluster missed: few blocks, and their keys are not split: the kernel does more than load before the loop and store after it
tile.kernel @stores_in_front(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K) outs(%y: !tile.view<4x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<0.0> : !C
  %zo = arith.constant dense<0.0> : !S
  %sc = arith.constant dense<0.125> : !S
  %sc1 = arith.constant dense<0.125> : !C
  %qt = tile.load %q[%c0, %c0] [4, 64] : !tile.view<4x64xbf16> -> tensor<4x64xbf16>
  tile.store %zo, %y[%c0, %c0] : !S, !tile.view<4x64xf32>
  %m, %l, %o = scf.for %j = %c0 to %c16 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, !S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %mt = tile.reduce max %x axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [4, 64] : !C -> !S
    %sd = arith.subf %x, %mb : !S
    %sx = arith.mulf %sd, %sc : !S
    %e = math.exp %sx : !S
    %md = arith.subf %mi, %mn : !C
    %mx = arith.mulf %md, %sc1 : !C
    %a = math.exp %mx : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [4, 64] : !C -> !S
    %oa = arith.mulf %oi, %ab : !S
    %w = tile.cast %e : !S to tensor<4x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %mn, %ln, %on : !C, !C, !S
  }
  %lb = tile.broadcast %l [4, 64] : !C -> !S
  %r = arith.divf %o, %lb : !S
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<4x64xf32>
}

// -----

!K = !tile.view<1024x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// A sum that starts with its own score would count once per block.
// CHECK-LABEL: tile.kernel @sink
// CHECK-NOT:     tile_gpu.cluster
// CHECK:         scf.for %{{.*}} = %c0 to %c16 step %c1
// WHY: @sink: cluster missed: few blocks, and their keys are not split: the sum or the output does not start at zero
tile.kernel @sink(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K) outs(%y: !tile.view<4x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<1.0> : !C
  %zo = arith.constant dense<0.0> : !S
  %sc = arith.constant dense<0.125> : !S
  %sc1 = arith.constant dense<0.125> : !C
  %qt = tile.load %q[%c0, %c0] [4, 64] : !tile.view<4x64xbf16> -> tensor<4x64xbf16>
  %m, %l, %o = scf.for %j = %c0 to %c16 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, !S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %mt = tile.reduce max %x axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [4, 64] : !C -> !S
    %sd = arith.subf %x, %mb : !S
    %sx = arith.mulf %sd, %sc : !S
    %e = math.exp %sx : !S
    %md = arith.subf %mi, %mn : !C
    %mx = arith.mulf %md, %sc1 : !C
    %a = math.exp %mx : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [4, 64] : !C -> !S
    %oa = arith.mulf %oi, %ab : !S
    %w = tile.cast %e : !S to tensor<4x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %mn, %ln, %on : !C, !C, !S
  }
  %lb = tile.broadcast %l [4, 64] : !C -> !S
  %r = arith.divf %o, %lb : !S
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<4x64xf32>
}

// -----

!K = !tile.view<1024x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// A factor of the scores that may be negative inverts the maximum.
// CHECK-LABEL: tile.kernel @unknown_scale
// CHECK-NOT:     tile_gpu.cluster
// CHECK:         scf.for %{{.*}} = %c0 to %c16 step %c1
// WHY: @unknown_scale: cluster missed: few blocks, and their keys are not split: the scale of the scores is not known to be positive
tile.kernel @unknown_scale(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K, %f: f32) outs(%y: !tile.view<4x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<0.0> : !C
  %zo = arith.constant dense<0.0> : !S
  %sc = tile.splat %f [4, 64] : f32 -> !S
  %sc1 = tile.splat %f [4, 1] : f32 -> !C
  %qt = tile.load %q[%c0, %c0] [4, 64] : !tile.view<4x64xbf16> -> tensor<4x64xbf16>
  %m, %l, %o = scf.for %j = %c0 to %c16 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, !S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %mt = tile.reduce max %x axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [4, 64] : !C -> !S
    %sd = arith.subf %x, %mb : !S
    %sx = arith.mulf %sd, %sc : !S
    %e = math.exp %sx : !S
    %md = arith.subf %mi, %mn : !C
    %mx = arith.mulf %md, %sc1 : !C
    %a = math.exp %mx : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [4, 64] : !C -> !S
    %oa = arith.mulf %oi, %ab : !S
    %w = tile.cast %e : !S to tensor<4x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %mn, %ln, %on : !C, !C, !S
  }
  %lb = tile.broadcast %l [4, 64] : !C -> !S
  %r = arith.divf %o, %lb : !S
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<4x64xf32>
}

// -----

!K = !tile.view<1024x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// Another value is carried.
// CHECK-LABEL: tile.kernel @two_sums
// CHECK-NOT:     tile_gpu.cluster
// CHECK:         scf.for %{{.*}} = %c0 to %c16 step %c1
// WHY: @two_sums: cluster missed: few blocks, and their keys are not split: the loop carries values other than a maximum, a sum and an output of each row in f32
tile.kernel @two_sums(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K) outs(%y: !tile.view<4x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<0.0> : !C
  %zo = arith.constant dense<0.0> : !S
  %sc = arith.constant dense<0.125> : !S
  %sc1 = arith.constant dense<0.125> : !C
  %qt = tile.load %q[%c0, %c0] [4, 64] : !tile.view<4x64xbf16> -> tensor<4x64xbf16>
  %m, %l, %o, %t = scf.for %j = %c0 to %c16 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo, %ti = %z1) -> (!C, !C, !S, !C) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %mt = tile.reduce max %x axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [4, 64] : !C -> !S
    %sd = arith.subf %x, %mb : !S
    %sx = arith.mulf %sd, %sc : !S
    %e = math.exp %sx : !S
    %md = arith.subf %mi, %mn : !C
    %mx = arith.mulf %md, %sc1 : !C
    %a = math.exp %mx : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [4, 64] : !C -> !S
    %oa = arith.mulf %oi, %ab : !S
    %w = tile.cast %e : !S to tensor<4x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %tn = arith.addf %ti, %lt : !C
    scf.yield %mn, %ln, %on, %tn : !C, !C, !S, !C
  }
  %lb = tile.broadcast %l [4, 64] : !C -> !S
  %r = arith.divf %o, %lb : !S
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<4x64xf32>
}
