// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse | FileCheck %s

// One of four threads that hold an element prints it, after its coordinates.
#l = #tile_gpu.layout<registers = [], lanes = [d0:8*1, rep:4], warps = []>
#plan = #tile_gpu.plan<target = "sm_80", warps = 1>

// CHECK-DAG:   llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG:   llvm.mlir.global internal constant @[[TILE:.*]]("[%d] %.2f of %lld\0A\00") {addr_space = 1 : i32
// CHECK-DAG:   llvm.mlir.global internal constant @[[TEXT:.*]]("block\0A\00") {addr_space = 1 : i32
// CHECK-LABEL: func.func @print(
// CHECK:         llvm.mlir.addressof @[[TILE]]
// CHECK:         scf.if
// CHECK:           %[[PLACE:.*]] = llvm.alloca %{{.*}} x i64 {alignment = 8 : i64}
// CHECK:           llvm.store %{{.*}}, %[[PLACE]] : i32, !llvm.ptr
// CHECK:           %[[SECOND:.*]] = llvm.getelementptr %[[PLACE]][1]
// CHECK:           llvm.store %{{.*}}, %[[SECOND]] : f64, !llvm.ptr
// CHECK:           llvm.call @vprintf(%{{.*}}, %[[PLACE]])
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq
// CHECK:         scf.if %[[FIRST]]
// CHECK:           llvm.call @vprintf
tile.kernel @print(%n: index, %x: f16) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %x [8] : f16 -> tensor<8xf16, #l>
  tile.print "%.2f of %d\0A", %t, %n : tensor<8xf16, #l>, index
  tile.print "block\0A"
}
