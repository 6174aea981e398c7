// RUN: tilegpt-opt %s --tile-gpu-order-by-use | FileCheck %s

// Chains of two registers, element by element; loads and stores stay where they are.
// CHECK-LABEL: func.func @chains(
// CHECK:         %[[X0:.*]] = llvm.load
// CHECK-NEXT:    %[[X1:.*]] = llvm.load
// CHECK-NEXT:    %[[A0:.*]] = arith.addf %[[X0]], %[[X0]]
// CHECK-NEXT:    %[[B0:.*]] = arith.mulf %[[A0]], %[[A0]]
// CHECK-NEXT:    llvm.store %[[B0]]
// CHECK-NEXT:    %[[A1:.*]] = arith.addf %[[X1]], %[[X1]]
// CHECK-NEXT:    %[[B1:.*]] = arith.mulf %[[A1]], %[[A1]]
// CHECK-NEXT:    llvm.store %[[B1]]
func.func @chains(%p: !llvm.ptr, %q: !llvm.ptr) {
  %x0 = llvm.load %p : !llvm.ptr -> f32
  %x1 = llvm.load %q : !llvm.ptr -> f32
  %a0 = arith.addf %x0, %x0 : f32
  %a1 = arith.addf %x1, %x1 : f32
  %b0 = arith.mulf %a0, %a0 : f32
  %b1 = arith.mulf %a1, %a1 : f32
  llvm.store %b0, %p : f32, !llvm.ptr
  llvm.store %b1, %q : f32, !llvm.ptr
  return
}

// What is used inside of an op comes before that op, never into it.
// CHECK-LABEL: func.func @loop(
// CHECK:         llvm.store
// CHECK-NEXT:    %[[A:.*]] = arith.addf
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      llvm.store %[[A]]
func.func @loop(%p: !llvm.ptr, %x: f32, %c: i1) {
  %a = arith.addf %x, %x : f32
  llvm.store %x, %p : f32, !llvm.ptr
  scf.if %c {
    llvm.store %a, %p : f32, !llvm.ptr
  }
  return
}

// Pieces of a row that lies in shared memory come when they are used, but not across what may change them.
// CHECK-LABEL: func.func @long_row(
// CHECK:         %[[A:.*]] = llvm.load
// CHECK-NEXT:    llvm.store %[[A]], %{{.*}} : f32, !llvm.ptr<1>
// CHECK-NEXT:    %[[B:.*]] = llvm.load
// CHECK-NEXT:    llvm.store %[[B]], %{{.*}} : f32, !llvm.ptr<1>
// CHECK-NEXT:    %[[C:.*]] = llvm.load
// CHECK-NEXT:    nvvm.barrier
// CHECK-NEXT:    llvm.store %[[C]]
func.func @long_row(%s: !llvm.ptr<3>, %p: !llvm.ptr<1>) attributes {tile_gpu.staged_rows} {
  %a = llvm.load %s : !llvm.ptr<3> -> f32
  %b = llvm.load %s : !llvm.ptr<3> -> f32
  llvm.store %a, %p : f32, !llvm.ptr<1>
  llvm.store %b, %p : f32, !llvm.ptr<1>
  %c = llvm.load %s : !llvm.ptr<3> -> f32
  nvvm.barrier
  llvm.store %c, %p : f32, !llvm.ptr<1>
  return
}

// A dot has put its multiply-adds in order.
// CHECK-LABEL: func.func @products(
// CHECK:         %[[A0:.*]] = llvm.intr.fma(%arg1, %arg1, %arg1)
// CHECK-NEXT:    %[[A1:.*]] = llvm.intr.fma(%arg1, %arg1, %arg1)
// CHECK-NEXT:    llvm.intr.fma(%arg1, %arg1, %[[A0]])
// CHECK-NEXT:    llvm.intr.fma(%arg1, %arg1, %[[A1]])
func.func @products(%p: !llvm.ptr, %x: f32) {
  %a0 = llvm.intr.fma(%x, %x, %x) : (f32, f32, f32) -> f32
  %a1 = llvm.intr.fma(%x, %x, %x) : (f32, f32, f32) -> f32
  %b0 = llvm.intr.fma(%x, %x, %a0) : (f32, f32, f32) -> f32
  %b1 = llvm.intr.fma(%x, %x, %a1) : (f32, f32, f32) -> f32
  llvm.store %b0, %p : f32, !llvm.ptr
  llvm.store %b1, %p : f32, !llvm.ptr
  return
}
