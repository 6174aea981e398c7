// RUN: tilegpt-opt %s --tile-gpu-to-threads --split-input-file --canonicalize --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 2, producer = true>
!W = !tile_gpu.shared<2xi32>

// A counter that wraps to 0 after as many draws as there are tiles; the first drawn tile follows those that blocks
// start with.
// CHECK:       llvm.mlir.global internal @draws_next_tile(0 : i32) {addr_space = 1 : i32, alignment = 4 : i64} : i32
// CHECK-LABEL: func.func @draws(
// CHECK:         llvm.inline_asm has_side_effects asm_dialect = att "atom.relaxed.gpu.global.inc.u32 $0, [$1], $2;", "=r,l,r" %{{.*}}, %c47_i32
// CHECK:         nvvm.read.ptx.sreg.nctaid.x
// CHECK:         arith.addi
// CHECK:         %[[THERE:.*]] = arith.cmpi ult, %[[TILE:.*]], %c48_i32
// CHECK:         %[[NEXT:.*]] = arith.select %[[THERE]], %[[TILE]], %c-1_i32
// CHECK:         nvvm.mbarrier.try_wait.parity
// CHECK:         llvm.store volatile %[[NEXT]]
// CHECK:         nvvm.mbarrier.arrive

// A shuffle makes the index uniform across the warp before the warp arrives.
// CHECK:         nvvm.mbarrier.try_wait.parity
// CHECK:         %[[NUMBER:.*]] = llvm.load volatile
// CHECK:         nvvm.shfl.sync idx %{{.*}}, %[[NUMBER]], %c0_i32, %c31_i32
// CHECK:         llvm.inline_asm {{.*}} "@$1 mbarrier.arrive.shared.b64 _, [$0];"
tile.kernel @draws() outs(%y: !tile.view<48xi32>) grid [48] attributes {tile_gpu.plan = #plan} {
  %c48 = arith.constant 48 : index
  %words = tile_gpu.alloc {offset = 0} : !W
  %bars = tile_gpu.alloc {offset = 16} : !tile_gpu.shared<4xi64>
  %p = tile_gpu.pipe %bars readers 4 : !tile_gpu.shared<4xi64> -> !tile_gpu.pipe<2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  tile_gpu.roles producer {
    %t = tile_gpu.next_tile of %c48
    tile_gpu.send %t to %words on %p[%c] : !W, !tile_gpu.pipe<2>
  } consumer {
    %t = tile_gpu.receive %words on %p[%c] : !W, !tile_gpu.pipe<2>
    %ok = arith.cmpi ne, %t, %c48 : index
    tile.assert %ok, "another" : i1
  }
}
