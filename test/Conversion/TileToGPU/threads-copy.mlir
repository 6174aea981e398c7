// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
!X = !tile.view<?x768xbf16>
!S = !tile_gpu.shared<16x16xbf16, swizzle = 32>

// 32 units of 16 bytes for 32 threads; a row below the view is zero.
// CHECK-LABEL: func.func @copies_units
// CHECK:         %[[SLOT:.*]] = llvm.getelementptr %{{.*}} -> !llvm.ptr<3>, i8
// CHECK:         %[[BYTES:.*]] = arith.select %{{.*}}, %c16_i32, %c0_i32
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[BYTES]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK-NOT:     nvvm.cp.async.shared
// CHECK:         nvvm.cp.async.commit.group
// CHECK:         nvvm.cp.async.wait.group 2
tile.kernel @copies_units(%x: !X, %i: index) grid [1] attributes {tile_gpu.plan = #plan} {
  %r = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<3x16x16xbf16, swizzle = 32>
  %s = tile_gpu.slice %r[%i] : !tile_gpu.shared<3x16x16xbf16, swizzle = 32> -> !S
  tile_gpu.copy %x[%i, %i] to %s inside [false, true] : !X, !S
  tile_gpu.commit_copies
  tile_gpu.wait_copies 2
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
!X = !tile.view<4x10x768xf32>
!S = !tile_gpu.shared<2x5x12xf32, padding = 8>

// 30 units: the last two threads copy nothing. All of them exist.
// CHECK-LABEL: func.func @leaves_threads_out
// CHECK:         arith.cmpi slt, %{{.*}}, %c30
// CHECK:         scf.if
// CHECK:           nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
tile.kernel @leaves_threads_out(%x: !X, %i: index) grid [1] attributes {tile_gpu.plan = #plan} {
  %s = tile_gpu.alloc {offset = 0 : i64} : !S
  tile_gpu.copy %x[%i, %i, %i] to %s inside [true, true, true] : !X, !S
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#row = #tile_gpu.layout<registers = [d1:7*128], lanes = [d1:32*1], warps = [d1:4*32]>
!X = !tile.view<?x799xbf16>
!S = !tile_gpu.shared<1x808xbf16>

// 101 units from the one on that the row begins in; of the last one only what belongs to the row is read. A row that does
// not exist is zero.
// CHECK-LABEL: func.func @covers_a_row
// CHECK:         %[[ADDRESS:.*]] = llvm.ptrtoint
// CHECK:         %[[AHEAD:.*]] = arith.andi %[[ADDRESS]], %c15_i64
// CHECK:         %[[BACK:.*]] = arith.subi %c0_i64, %[[AHEAD]]
// CHECK:         llvm.getelementptr %{{.*}}[%[[BACK]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK:         arith.addi %[[AHEAD]], %c1598_i64
// CHECK:         arith.cmpi slt, %{{.*}}, %c101
// CHECK:         scf.if
// CHECK:           arith.minsi %{{.*}}, %c16_i32
// CHECK:           %[[BYTES:.*]] = arith.maxsi %{{.*}}, %c0_i32
// CHECK:           nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[BYTES]]
// Its elements lie where the units put them, so they are read one by one.
// CHECK:         llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> bf16
tile.kernel @covers_a_row(%x: !X, %m: index, %k: index) outs(%y: !X) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %s = tile_gpu.alloc {offset = 0 : i64} : !S
  tile_gpu.copy %x[%m, %c0] to %s inside [false, true] covering : !X, !S
  %t = tile_gpu.read %s column %k : !S -> tensor<1x799xbf16, #row>
  tile.store %t, %y[%m, %c0] : tensor<1x799xbf16, #row>, !X
}
