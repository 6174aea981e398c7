// RUN: tilegpt-opt %s --tile-gpu-order-by-use | FileCheck %s

// Chains of two registers, element by element; loads and stores stay in place.
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

// A value used within an op moves before that op, never into it.
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

// Pieces of a row in shared memory are read where they are used, but not across ops that may change them.
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

// A dot has already ordered its multiply-adds.
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

// Across a loop, a sum of two values that die there does not sink: it takes one register of the loop instead of two, and is
// pinned, as LLVM would sink it. What has one operand may sink.
// CHECK-LABEL: func.func @across_a_loop(
// CHECK-COUNT-3: llvm.load
// CHECK:         %[[S:.*]] = arith.addf
// CHECK-NEXT:    %[[PINNED:.*]] = llvm.inline_asm has_side_effects{{.*}} "", "=f,0" %[[S]] : (f32) -> f32
// CHECK-NEXT:    scf.for
// CHECK-NOT:     inline_asm
// CHECK:         %[[T:.*]] = arith.mulf %[[PINNED]], %[[PINNED]]
// CHECK-NEXT:    llvm.store %[[T]]
// CHECK:         %[[U:.*]] = arith.negf
// CHECK-NEXT:    llvm.store %[[U]]
func.func @across_a_loop(%p: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = llvm.load %p : !llvm.ptr -> f32
  %y = llvm.load %p : !llvm.ptr -> f32
  %z = llvm.load %p : !llvm.ptr -> f32
  %s = arith.addf %x, %y : f32
  %t = arith.mulf %s, %s : f32
  %u = arith.negf %z : f32
  scf.for %i = %c0 to %n step %c1 {
    nvvm.barrier
  }
  llvm.store %t, %p : f32, !llvm.ptr
  llvm.store %u, %p : f32, !llvm.ptr
  return
}

// A value that is rounded to 16 bits takes half a register.
// CHECK-LABEL: func.func @rounded(
// CHECK:         %[[R:.*]] = arith.truncf
// CHECK-NEXT:    %[[I:.*]] = llvm.bitcast %[[R]] : bf16 to i16
// CHECK-NEXT:    %[[PINNED:.*]] = llvm.inline_asm has_side_effects{{.*}} "", "=h,0" %[[I]] : (i16) -> i16
// CHECK-NEXT:    %[[B:.*]] = llvm.bitcast %[[PINNED]] : i16 to bf16
// CHECK-NEXT:    scf.for
// CHECK:         llvm.store %[[B]]
func.func @rounded(%p: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = llvm.load %p : !llvm.ptr -> f32
  %r = arith.truncf %x : f32 to bf16
  scf.for %i = %c0 to %n step %c1 {
    nvvm.barrier
  }
  llvm.store %r, %p : bf16, !llvm.ptr
  return
}

// Operands that the loop or code behind it uses too are live anyway, indices are cheap, and elements of a vector are registers.
// CHECK-LABEL: func.func @sinks_across(
// CHECK-NOT:     inline_asm
// CHECK:         scf.for
// CHECK:         %[[S:.*]] = arith.addf
// CHECK-NEXT:    llvm.store %[[S]]
// CHECK:         %[[J:.*]] = arith.addi
// CHECK-NEXT:    llvm.store %[[J]]
// CHECK:         %[[E:.*]] = llvm.extractelement
// CHECK-NEXT:    llvm.store %[[E]]
func.func @sinks_across(%p: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = llvm.load %p : !llvm.ptr -> f32
  %y = llvm.load %p : !llvm.ptr -> f32
  %j = llvm.load %p : !llvm.ptr -> i32
  %k = llvm.load %p : !llvm.ptr -> i32
  %s = arith.addf %x, %y : f32
  %l = arith.addi %j, %k : i32
  %v = llvm.load %p : !llvm.ptr -> vector<2xf32>
  %zero = arith.constant 0 : i32
  %e = llvm.extractelement %v[%zero : i32] : vector<2xf32>
  scf.for %i = %c0 to %n step %c1 {
    llvm.store %x, %p : f32, !llvm.ptr
  }
  llvm.store %s, %p : f32, !llvm.ptr
  llvm.store %y, %p : f32, !llvm.ptr
  llvm.store %l, %p : i32, !llvm.ptr
  llvm.store %e, %p : f32, !llvm.ptr
  return
}

// A load of constant memory sinks to its use if accumulators take most registers, but not behind dots that hide its latency.
// CHECK-LABEL: func.func @loads_ahead_of_dots(
// CHECK:         %[[A:.*]] = llvm.load
// CHECK-NEXT:    llvm.inline_asm has_side_effects {{.*}}"wgmma.wait_group.sync.aligned 0;"
// CHECK-NEXT:    llvm.store %[[A]]
// CHECK-NEXT:    %[[B:.*]] = llvm.load
// CHECK-NEXT:    llvm.store %[[B]]
func.func @loads_ahead_of_dots(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>)
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>} {
  %a = llvm.load %p invariant : !llvm.ptr<1> -> f32
  llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "" : () -> ()
  %b = llvm.load %p invariant : !llvm.ptr<1> -> f32
  llvm.store %a, %q : f32, !llvm.ptr<1>
  llvm.store %b, %q : f32, !llvm.ptr<1>
  return
}

// Loads that sink come in batches, with their addresses: their latencies overlap.
// CHECK-LABEL: func.func @batches(
// CHECK:         llvm.store %{{.*}}, %{{.*}} : f32
// CHECK:         llvm.getelementptr
// CHECK:         llvm.load
// CHECK:         llvm.load
// CHECK-NEXT:    %[[A:.*]] = arith.addf
// CHECK-NEXT:    llvm.store %[[A]]
// CHECK-NEXT:    %[[B:.*]] = arith.addf
// CHECK-NEXT:    llvm.store %[[B]]
func.func @batches(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %x: f32)
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 2, producer = true>} {
  %a = llvm.load %p invariant : !llvm.ptr<1> -> f32
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %b = llvm.load %p1 invariant : !llvm.ptr<1> -> f32
  llvm.store %x, %q : f32, !llvm.ptr<1>
  %as = arith.addf %a, %x : f32
  %bs = arith.addf %b, %x : f32
  llvm.store %as, %q : f32, !llvm.ptr<1>
  llvm.store %bs, %q : f32, !llvm.ptr<1>
  return
}

// A sum does not sink across loads of more than 64 registers if that keeps both of its terms live there; it does across
// fewer, and if something else keeps them live.
// CHECK-LABEL: func.func @sums_ahead_of_loads(
// CHECK:         arith.addf
// CHECK-NEXT:    %[[MANY:.*]] = llvm.load {{.*}} vector<128xf32>
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    llvm.store %[[MANY]]
// CHECK:         %[[FEW:.*]] = llvm.load {{.*}} vector<64xf32>
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    llvm.store %[[FEW]]
// CHECK:         %[[OTHER:.*]] = llvm.load {{.*}} vector<128xf32>
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    llvm.store
func.func @sums_ahead_of_loads(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
  %a = llvm.load volatile %p : !llvm.ptr<1> -> f32
  %b = llvm.load volatile %p : !llvm.ptr<1> -> f32
  %ab = arith.addf %a, %b : f32
  %many = llvm.load volatile %p : !llvm.ptr<1> -> vector<128xf32>
  llvm.store %ab, %q : f32, !llvm.ptr<1>
  llvm.store %many, %q : vector<128xf32>, !llvm.ptr<1>
  %c = llvm.load volatile %p : !llvm.ptr<1> -> f32
  %d = llvm.load volatile %p : !llvm.ptr<1> -> f32
  %cd = arith.addf %c, %d : f32
  %few = llvm.load volatile %p : !llvm.ptr<1> -> vector<64xf32>
  llvm.store %cd, %q : f32, !llvm.ptr<1>
  llvm.store %few, %q : vector<64xf32>, !llvm.ptr<1>
  %e = llvm.load volatile %p : !llvm.ptr<1> -> f32
  %f = llvm.load volatile %p : !llvm.ptr<1> -> f32
  %ef = arith.addf %e, %f : f32
  %other = llvm.load volatile %p : !llvm.ptr<1> -> vector<128xf32>
  llvm.store %ef, %q : f32, !llvm.ptr<1>
  llvm.store %e, %q : f32, !llvm.ptr<1>
  llvm.store %other, %q : vector<128xf32>, !llvm.ptr<1>
  return
}
