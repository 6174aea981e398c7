// RUN: tilegpt-opt %s --tile-gpu-to-llvm | FileCheck %s

// Every dialect of thread code in one conversion, with an index of 32 bits; a
// branch passes on what another dialect computed.

// CHECK-LABEL: llvm.func @all(
// CHECK-SAME:    %[[N:.*]]: i32, %[[X:.*]]: f32) -> i32
// CHECK:         %[[ONE:.*]] = llvm.mlir.constant(1 : index) : i32
// CHECK:         %[[SUM:.*]] = llvm.add %[[N]], %[[ONE]] : i32
// CHECK:         %[[ROOT:.*]] = llvm.intr.sqrt(%[[X]]) : (f32) -> f32
// CHECK:         %[[LESS:.*]] = llvm.fcmp "olt" %[[ROOT]], %[[X]] : f32
// CHECK:         llvm.cond_br %[[LESS]], ^[[END:.*]](%[[SUM]] : i32), ^[[END]](%[[N]] : i32)
// CHECK:       ^[[END]](%[[RESULT:.*]]: i32):
// CHECK:         llvm.return %[[RESULT]] : i32
func.func @all(%n: index, %x: f32) -> index {
  %one = arith.constant 1 : index
  %sum = arith.addi %n, %one : index
  %root = math.sqrt %x : f32
  %less = arith.cmpf olt, %root, %x : f32
  cf.cond_br %less, ^end(%sum : index), ^end(%n : index)
^end(%result: index):
  func.return %result : index
}

// LLVM has no intrinsic for some ops of NVVM.

// CHECK-LABEL: llvm.func @ptx(
// CHECK:         %[[BITS:.*]] = llvm.trunc %{{.*}} : i32 to i16
// CHECK:         llvm.inline_asm has_side_effects {{.*}}"cvt.u32.u16 $0, $1;", "=r,h" %[[BITS]] : (i16) -> i32
func.func @ptx(%at: index) -> i32 {
  %bits = arith.index_cast %at : index to i16
  %wide = nvvm.inline_ptx "cvt.u32.u16 {$w0}, {$r0};" ro(%bits : i16) -> i32
  func.return %wide : i32
}
