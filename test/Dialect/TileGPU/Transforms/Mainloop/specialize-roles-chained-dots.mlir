// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-specialize-roles --split-input-file --verify-diagnostics --canonicalize --cse | FileCheck %s

#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:8*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4, rep:2]>
#q = #tile_gpu.layout<registers = [d1:8*1, d0:4*32], lanes = [d1:8*8, d0:4*1], warps = [d0:8*4]>
#all = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:8]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>
!Q = !tile.view<?x2304xbf16>
!K = !tile.view<12x1024x64xbf16>
!W = !tile.view<?x64xbf16>
!S = tensor<128x64xf32, #acc>

// Rings for the resident tile and for both rhs; whole rows of the cache, one head at a time.
// CHECK-LABEL: tile.kernel @attend(
// CHECK-DAG:   %[[MQ:.*]] = tile_gpu.tensor_map %arg0 {{.*}} -> !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>
// CHECK-DAG:   %[[MK:.*]] = tile_gpu.tensor_map %arg1 {{.*}} -> !tile_gpu.tensor_map<1x64x64xbf16, swizzle = 128>
// CHECK-DAG:   %[[MV:.*]] = tile_gpu.tensor_map %arg2 {{.*}} -> !tile_gpu.tensor_map<1x64x64xbf16, swizzle = 128>

// The producer computes the end of the loop itself, although it is in memory.
// CHECK:       tile_gpu.roles registers [24, 240] producer {
// CHECK:         tile_gpu.acquire %[[PQ:.*]][%{{.*}}] bytes 16384 : !tile_gpu.pipe<2>
// CHECK:         tile_gpu.tma_load %[[MQ]]
// CHECK:         tile.load %arg3
// CHECK:         scf.for %[[J:.*]] = %c0 to %{{.*}} step %c1
// CHECK:           %[[ROW:.*]] = arith.muli %[[J]], %c64
// CHECK:           tile_gpu.acquire %[[PK:.*]][%{{.*}}] bytes 8192
// CHECK:           tile_gpu.tma_load %[[MK]][%{{.*}}, %[[ROW]], %c0]
// CHECK:           tile_gpu.acquire %[[PV:.*]][%{{.*}}] bytes 8192
// CHECK:           tile_gpu.tma_load %[[MV]][%{{.*}}, %[[ROW]], %c0]

// Consumers: the first iteration has one dot. Rows outside the window are cleared.
// CHECK:       } consumer {
// CHECK:         tile_gpu.open_group_turns
// CHECK:         tile_gpu.await %[[PQ]]
// CHECK:         tile_gpu.await %[[PK]]
// CHECK:         scf.if
// CHECK-NEXT:      tile_gpu.clear_rows
// CHECK:         tile_gpu.take_group_turn
// CHECK-NEXT:    %[[D:.*]] = tile_gpu.async_dot
// CHECK-NEXT:    tile_gpu.pass_group_turn
// CHECK-NEXT:    tile_gpu.finish_dot %[[D]] :
// CHECK-NEXT:    tile_gpu.release %[[PK]]
// CHECK:         tile_gpu.probe %[[PV:.*]][
// CHECK:         tile_gpu.probe %[[PK]][
// CHECK:         arith.cmpi slt
// CHECK-NEXT:    arith.ori
// CHECK-NEXT:    %[[LATE0:.*]] = arith.ori
// CHECK:         %[[P0:.*]] = tile_gpu.pack

// Every other iteration overlaps the last dot of the previous one. It waits for tiles, and clears their rows, only if
// the previous iteration did not find them complete when its dots had finished.
// CHECK:         %[[R:.*]]:5 = scf.for {{.*}} iter_args(%[[O:.*]] = %{{.*}}, %[[P:.*]] = %[[P0]], %[[KC:.*]] = %{{.*}}, %[[VC:.*]] = %{{.*}}, %[[LATE:.*]] = %[[LATE0]])
// CHECK:           scf.if %[[LATE]] {
// CHECK:             tile_gpu.await %[[PV]][%[[VC]]]
// CHECK:             tile_gpu.clear_rows
// CHECK:             tile_gpu.await %[[PK]][%[[KC]]]
// CHECK:             tile_gpu.clear_rows
// CHECK:           tile_gpu.take_group_turn
// CHECK-NEXT:      %[[S:.*]] = tile_gpu.async_dot
// CHECK-NEXT:      %[[SUM:.*]] = tile_gpu.async_dot %[[P]], %{{.*}} along_n onto %[[O]]
// CHECK-NEXT:      tile_gpu.pass_group_turn
// CHECK-NEXT:      %[[SCORES:.*]] = tile_gpu.finish_dot %[[S]] later 1
// CHECK-NEXT:      tile_gpu.release %[[PK]][%[[KC]]]
// CHECK:           %[[DONE:.*]] = tile_gpu.finish_dot %[[SUM]] reads %[[P]]
// CHECK-NEXT:      tile_gpu.release %[[PV]][%[[VC]]]
// CHECK:           %[[VIN:.*]] = tile_gpu.probe %[[PV]][%[[VN:.*]]]
// CHECK-NEXT:      arith.xori %[[VIN]], %true
// CHECK:           arith.cmpi slt
// CHECK:           tile_gpu.probe %[[PK]][%[[KN:.*]]]
// CHECK:           arith.cmpi slt
// CHECK-NEXT:      arith.ori
// CHECK-NEXT:      %[[LATE1:.*]] = arith.ori
// CHECK:           %[[E:.*]] = math.exp2 %[[SCORES]]
// CHECK:           %[[NEXT:.*]] = tile_gpu.pack %[[E]]
// CHECK:           %[[HALF:.*]] = arith.mulf %[[DONE]]
// CHECK:           scf.yield %[[HALF]], %[[NEXT]], %[[KN]], %[[VN]], %[[LATE1]]
// CHECK:         tile_gpu.await %[[PV]][%[[R]]#3]
// CHECK:         %[[LAST:.*]] = tile_gpu.async_dot %[[R]]#1, %{{.*}} along_n onto %[[R]]#0
// CHECK:         tile_gpu.finish_dot %[[LAST]] reads %[[R]]#1
// CHECK:         tile_gpu.release %[[PQ]]
// CHECK-NOT:     tile.dot
tile.kernel @attend(%q: !Q, %k: !K, %v: !K, %pos: !tile.view<1xi32>) outs(%y: !tile.view<?x64xf32>) grid [1, 12]
    attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant dense<0.5> : !S
  %zero = arith.constant dense<0.0> : !S
  %pt = tile.load %pos[%c0] [1] : !tile.view<1xi32> -> tensor<1xi32, #all>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32, #all>
  %end = arith.index_cast %pi : i32 to index
  %kh = tile.select %k[%h] : !K -> !tile.view<1024x64xbf16>
  %vh = tile.select %v[%h] : !K -> !tile.view<1024x64xbf16>
  %ks = tile.subview %kh[0, 0] [%end, 64] : !tile.view<1024x64xbf16> -> !W
  %vs = tile.subview %vh[0, 0] [%end, 64] : !tile.view<1024x64xbf16> -> !W
  %qs = tile.subview %q[%m, 0] [%end, 64] : !Q -> !tile.view<?x64xbf16, strides=[2304, 1]>
  %qt = tile.load %qs[%m, %c0] [128, 64] : !tile.view<?x64xbf16, strides=[2304, 1]> -> tensor<128x64xbf16, #q>
  %steps = tile.num_tiles %ks, 0 by [64] : !W
  %r = scf.for %j = %c0 to %steps step %c1 iter_args(%o = %zero) -> (!S) {
    %kt = tile.load %ks[%j, %c0] [64, 64] : !W -> tensor<64x64xbf16, #in>
    %vt = tile.load %vs[%j, %c0] [64, 64] : !W -> tensor<64x64xbf16, #in>
    %s = tile.dot %qt, %kt, %zero transpose_b : tensor<128x64xbf16, #q>, tensor<64x64xbf16, #in>, !S -> !S
    %e = math.exp2 %s : !S
    %p = tile.cast %e : !S to tensor<128x64xbf16, #acc>
    %oh = arith.mulf %o, %half : !S
    %on = tile.dot %p, %vt, %oh : tensor<128x64xbf16, #acc>, tensor<64x64xbf16, #in>, !S -> !S
    scf.yield %on : !S
  }
  tile.store %r, %y[%m, %c0] : !S, !tile.view<?x64xf32>
}

// -----

// Blocks draw their tiles: the producer does, once all copies for one are issued, and broadcasts it to the consumers. A
// warp group skips its last iterations, but still takes part in turns and releases.
#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:8*16]>
#in = #tile_gpu.layout<registers = [d1:8*1, d0:8*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4, rep:2]>
#q = #tile_gpu.layout<registers = [d1:8*1, d0:4*32], lanes = [d1:8*8, d0:4*1], warps = [d0:8*4]>
!Q = !tile.view<1024x64xbf16>
!S = tensor<128x64xf32, #acc>
// CHECK-LABEL: tile.kernel @drawn(
// CHECK-DAG:   %[[WORDS:.*]] = tile_gpu.alloc : !tile_gpu.shared<2xi32>
// CHECK:       tile_gpu.roles registers [24, 240] producer {
// CHECK:         %[[W:.*]] = tile_gpu.worker
// CHECK:         %[[IN:.*]] = arith.cmpi ult, %[[W]], %c8
// CHECK:         %[[FIRST:.*]] = arith.select %[[IN]], %[[W]], %c-1
// CHECK:         scf.while (%[[T:.*]] = %[[FIRST]],
// CHECK:           %[[GO:.*]] = arith.cmpi ne, %[[T]], %c-1
// CHECK:           scf.condition(%[[GO]])
// CHECK:         } do {
// CHECK:         ^bb0(%[[M:[^:]*]]: index,
// CHECK:           arith.muli %[[M]], %c128
// CHECK:           scf.for
// CHECK:           %[[NEXT:.*]] = tile_gpu.next_tile of %c8
// CHECK-NEXT:      tile_gpu.send %[[NEXT]] to %[[WORDS]] on %[[PW:.*]][%[[C:.*]]]
// CHECK-NEXT:      %[[C1:.*]] = tile_gpu.advance %[[C]]
// CHECK-NEXT:      scf.yield %[[NEXT]], {{.*}}%[[C1]] :
// CHECK:       } consumer {
// CHECK:         scf.while
// CHECK:         } do {
// CHECK:           %[[OWN:.*]] = arith.minui %arg1, %c8
// CHECK:           %[[END:.*]] = arith.maxui %[[OWN]], %c1
// CHECK:           %[[R:.*]]:5 = scf.for %{{.*}} = %c1 to %[[END]] step %c1
// CHECK-NOT:       tile_gpu.limit_iterations
// CHECK:           tile_gpu.take_group_turn
// CHECK:           scf.for %{{.*}} = %[[END]] to %c8 step %c1 iter_args(%[[KC:.*]] = %{{.*}}, %[[VC:.*]] = %{{.*}})
// CHECK-NEXT:        tile_gpu.take_group_turn
// CHECK-NEXT:        tile_gpu.pass_group_turn
// CHECK-NEXT:        tile_gpu.await %{{.*}}[%[[KC]]]
// CHECK-NEXT:        tile_gpu.release %{{.*}}[%[[KC]]]
// CHECK:             tile_gpu.await %{{.*}}[%[[VC]]]
// CHECK-NEXT:        tile_gpu.release %{{.*}}[%[[VC]]]
// CHECK:           tile.store
// CHECK-NEXT:      %[[T:.*]] = tile_gpu.receive %[[WORDS]] on %[[PW]]
// CHECK:           scf.yield %[[T]],
tile.kernel @drawn(%q: !Q, %n: index) outs(%y: !tile.view<1024x64xf32>) grid [8]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true, persistent = true>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : !S
  %w = tile_gpu.worker
  %workers = tile_gpu.num_workers
  scf.for %m = %w to %c8 step %workers {
    %qt = tile.load %q[%m, %c0] [128, 64] : !Q -> tensor<128x64xbf16, #q>
    %r = scf.for %j = %c0 to %c8 step %c1 iter_args(%o = %zero) -> (!S) {
      tile_gpu.limit_iterations %n
      %kt = tile.load %q[%j, %c0] [64, 64] : !Q -> tensor<64x64xbf16, #in>
      %vt = tile.load %q[%j, %c0] [64, 64] : !Q -> tensor<64x64xbf16, #in>
      %s = tile.dot %qt, %kt, %zero transpose_b : tensor<128x64xbf16, #q>, tensor<64x64xbf16, #in>, !S -> !S
      %p = tile.cast %s : !S to tensor<128x64xbf16, #acc>
      %on = tile.dot %p, %vt, %o : tensor<128x64xbf16, #acc>, tensor<64x64xbf16, #in>, !S -> !S
      scf.yield %on : !S
    }
    tile.store %r, %y[%m, %c0] : !S, !tile.view<1024x64xf32>
  } {tile_gpu.dynamic_schedule}
}

// -----

// A tile that two dots read, along and across its rows, is copied once and released after the later dot. The next tile
// arrives only after this release: nothing is probed ahead.
#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
!V = !tile.view<256x64xbf16>
!S = tensor<64x64xf32, #acc>
// CHECK-LABEL: tile.kernel @twice(
// CHECK:       } consumer {
// CHECK:         scf.for {{.*}} iter_args({{.*}}, %[[NOW:.*]] = %{{.*}}, %[[BEFORE:.*]] = %{{.*}})
// CHECK:           tile_gpu.await %[[P:.*]][%[[NOW]]]
// CHECK:           %[[K:.*]] = tile_gpu.slot %[[RING:.*]][%[[NOW]]]
// CHECK:           %[[V:.*]] = tile_gpu.slot %[[RING]][%[[BEFORE]]]
// CHECK:           tile_gpu.async_dot %{{.*}}, %[[K]] :
// CHECK:           tile_gpu.async_dot %{{.*}}, %[[V]] along_n
// CHECK-NOT:       tile_gpu.probe
// CHECK:           tile_gpu.release %[[P]][%[[BEFORE]]]
// CHECK:           scf.yield {{.*}}, %[[NOW]] :
tile.kernel @twice(%q: !V, %k: !V) grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !S
  %qt = tile.load %q[%c0, %c0] [64, 64] : !V -> tensor<64x64xbf16, #acc>
  %c4 = arith.constant 4 : index
  %r = scf.for %j = %c0 to %c4 step %c1 iter_args(%o = %zero) -> (!S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64xbf16, #acc>
    %s = tile.dot %qt, %kt, %zero transpose_b : tensor<64x64xbf16, #acc>, tensor<64x64xbf16, #acc>, !S -> !S
    %p = tile.cast %s : !S to tensor<64x64xbf16, #acc>
    %on = tile.dot %p, %kt, %o : tensor<64x64xbf16, #acc>, tensor<64x64xbf16, #acc>, !S -> !S
    scf.yield %on : !S
  }
}
