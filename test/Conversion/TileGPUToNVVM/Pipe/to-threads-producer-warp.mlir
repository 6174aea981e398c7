// A producer whose lanes scan memory together is a warp; its first lane issues copies and draws tiles for all of them.
// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>
!W = !tile_gpu.shared<2xi32>

// CHECK-LABEL: func.func @draws(
// CHECK-SAME:    tile_gpu.producer_warp
// CHECK:         %[[WARP:.*]] = arith.divui %[[THREAD:.*]], %c32_i32
// CHECK:         %[[PRODUCES:.*]] = arith.cmpi eq, %[[WARP]], %c4_i32
// CHECK:         scf.if %[[PRODUCES]] {
// CHECK:           nvvm.redux.sync
// CHECK:           %[[LEADS:.*]] = arith.cmpi eq, %[[THREAD]], %c128_i32
// CHECK:           %[[DRAWN:.*]] = scf.if %[[LEADS]] -> (i32) {
// CHECK:             "atom.relaxed.gpu.global.inc.u32
// CHECK:           nvvm.shfl.sync idx %{{.*}}, %[[DRAWN]]
// CHECK:           nvvm.mbarrier.try_wait.parity
// CHECK:           scf.if %[[LEADS]] {
// CHECK:             llvm.store volatile
// CHECK:             nvvm.mbarrier.arrive
// CHECK:           }
// CHECK:           nvvm.mbarrier.try_wait.parity
// CHECK:           scf.if %[[LEADS]] {
// CHECK:             nvvm.mbarrier.arrive.expect_tx
// CHECK:           }
tile.kernel @draws(%k: !tile.view<?xi32>) outs(%y: !tile.view<48xi32>) grid [48]
    attributes {tile_gpu.plan = #plan, tile_gpu.producer_warp} {
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  %words = tile_gpu.alloc {offset = 0} : !W
  %bars = tile_gpu.alloc {offset = 16} : !tile_gpu.shared<4xi64>
  %p = tile_gpu.pipe %bars readers 4 : !tile_gpu.shared<4xi64> -> !tile_gpu.pipe<2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  tile_gpu.roles producer {
    %f, %e = tile_gpu.match_range %k[%c0, %c48] with %k[%c0, %c48] : !tile.view<?xi32>, !tile.view<?xi32>
    %t = tile_gpu.next_tile of %e
    tile_gpu.send %t to %words on %p[%c] : !W, !tile_gpu.pipe<2>
    tile_gpu.acquire %p[%c] bytes 128 : !tile_gpu.pipe<2>
  } consumer {
    %t = tile_gpu.receive %words on %p[%c] : !W, !tile_gpu.pipe<2>
    %ok = arith.cmpi ne, %t, %c48 : index
    tile.assert %ok, "another" : i1
  }
}
