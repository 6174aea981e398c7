// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#l = #tile_gpu.layout<registers = [d1:8*1, d0:4*8], lanes = [d1:32*8], warps = [d0:8*1]>
#m = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = [d0:8*32]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 8>

// Rows eight apart are equally aligned: one address, rounded down to a unit, serves all rows of a thread. Only where units
// may reach behind the view are elements loaded one by one.
// CHECK-LABEL: func.func @rows(
// CHECK:         %[[BEHIND:.*]] = arith.andi %{{.*}}, %c15_i64 : i64
// CHECK:         %[[BEFORE:.*]] = arith.shrui %[[BEHIND]], %c1_i64 : i64
// CHECK:         %[[BACK:.*]] = arith.subi %c0_i64, %[[BEFORE]] : i64
// CHECK:         %[[ROW:.*]] = llvm.getelementptr %{{.*}}[%[[BACK]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, bf16
// CHECK:         scf.if %{{.*}} -> (bf16
// CHECK-COUNT-32:  llvm.inline_asm {{.*}} ld.global.b16
// CHECK-NOT:       ld.global
// CHECK:         } else {
// CHECK-COUNT-4:   llvm.inline_asm {{.*}} ld.global.v4.b32
// CHECK-NOT:       ld.global
tile.kernel @rows(%x: !tile.view<98x185535xbf16>, %i: index) grid [749] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %c248 = arith.constant 248 : index
  %c32 = arith.constant 32 : index
  %ii = tile.assume %i bounded [0, 3] : index
  %row = arith.muli %ii, %c32 : index
  %column = arith.muli %n, %c248 : index
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<32x256xbf16>
  %t = tile_gpu.load_covering %x[%row, %column] : !tile.view<98x185535xbf16> -> tensor<32x256xbf16, #l>
  tile_gpu.write %t, %b : tensor<32x256xbf16, #l>, !tile_gpu.shared<32x256xbf16>
}
