// RUN: tilegpt-opt %s --cpu-kernel-abi -split-input-file | FileCheck %s

// A view of rank 1 (pointer, size, stride) and an f32 take four words.
// CHECK-LABEL: llvm.func @kernel.scale(
// CHECK-SAME:    %[[WORDS:.*]]: !llvm.ptr, %[[GRID:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64) -> i32 attributes {tilegpt.asserts = ["positive"]}
// CHECK:         %[[AT:.*]] = llvm.getelementptr %[[WORDS]][3]
// CHECK:         %[[S:.*]] = llvm.load %[[AT]] : !llvm.ptr -> f32
// CHECK:         llvm.cond_br
// CHECK:         llvm.urem %[[BEGIN]]
// CHECK:         %[[STATUS:.*]] = llvm.call @scale.block({{.*}}, %[[S]],
// CHECK:         llvm.cond_br
// CHECK:       llvm.func internal @scale.block(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr {llvm.noalias}
llvm.func @scale.block(%p: !llvm.ptr, %q: !llvm.ptr, %o: i64, %n: i64, %st: i64, %s: f32,
                       %x: i64, %y: i64, %z: i64, %gx: i64, %gy: i64, %gz: i64) -> i32
    attributes {tilegpt.ranks = array<i64: 1, -1>, tilegpt.asserts = ["positive"]} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %c0 : i32
}

// -----

// A kernel may have the name of a function it calls.
// CHECK-LABEL: llvm.func @erf(f64) -> f64
// CHECK: llvm.func @kernel.erf(
llvm.func @erf(f64) -> f64
llvm.func @erf.block(%x: i64, %y: i64, %z: i64, %gx: i64, %gy: i64, %gz: i64) -> i32
    attributes {tilegpt.ranks = array<i64>} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %c0 : i32
}

// -----

// A pointer takes one word, and may alias others.
// CHECK-LABEL: llvm.func @kernel.raw(
// CHECK-SAME:    %[[WORDS:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64) -> i32
// CHECK:         llvm.getelementptr %[[WORDS]][0]
// CHECK:         %[[AT:.*]] = llvm.getelementptr %[[WORDS]][1]
// CHECK:         llvm.load %[[AT]] : !llvm.ptr -> i32
// CHECK:       llvm.func internal @raw.block(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i32,
llvm.func @raw.block(%p: !llvm.ptr, %q: !llvm.ptr, %o: i64, %n: i32,
                     %x: i64, %y: i64, %z: i64, %gx: i64, %gy: i64, %gz: i64) -> i32
    attributes {tilegpt.ranks = array<i64: -2, -1>} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %c0 : i32
}

// -----

// Sizes and strides that a kernel requires to be equal are read once.
// CHECK-LABEL: llvm.func @kernel.equal(
// CHECK:         llvm.getelementptr %{{.*}}[1]
// CHECK-NEXT:    %[[ROWS:.*]] = llvm.load
// CHECK:         llvm.getelementptr %{{.*}}[2]
// CHECK-NEXT:    %[[STRIDE:.*]] = llvm.load
// CHECK:         llvm.getelementptr %{{.*}}[3]
// CHECK-NOT:     llvm.getelementptr %{{.*}}[4]
// CHECK:         llvm.call @equal.block(%{{.*}}, %{{.*}}, %{{.*}}, %[[ROWS]], %[[STRIDE]], %{{.*}}, %{{.*}}, %{{.*}}, %[[ROWS]], %[[STRIDE]],
llvm.func @equal.block(%p: !llvm.ptr, %q: !llvm.ptr, %o: i64, %n: i64, %st: i64, %r: !llvm.ptr, %s: !llvm.ptr, %o2: i64,
                       %n2: i64, %st2: i64, %x: i64, %y: i64, %z: i64, %gx: i64, %gy: i64, %gz: i64) -> i32
    attributes {tilegpt.ranks = array<i64: 1, 1>, tilegpt.equal_words = array<i64: 0, 1, 2, 3, 1, 2>} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %c0 : i32
}

// -----

// The second axis of the grid runs fastest.
// CHECK-LABEL: llvm.func @kernel.rows(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %[[GRID:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %{{.*}}: i64) -> i32
// CHECK:         %[[AT:.*]] = llvm.getelementptr %[[GRID]][1]
// CHECK:         %[[COLUMNS:.*]] = llvm.load %[[AT]]
// CHECK:         %[[COLUMN:.*]] = llvm.urem %[[BEGIN]], %[[COLUMNS]]
// CHECK:         %[[REST:.*]] = llvm.udiv %[[BEGIN]], %[[COLUMNS]]
// CHECK:         %[[ROW:.*]] = llvm.urem %[[REST]],
// CHECK:         llvm.br ^{{.*}}(%[[BEGIN]], %[[ROW]], %[[COLUMN]], %{{.*}} : i64, i64, i64, i64)
// CHECK:         llvm.icmp "eq" %{{.*}}, %[[COLUMNS]]
llvm.func @rows.block(%x: i64, %y: i64, %z: i64, %gx: i64, %gy: i64, %gz: i64) -> i32
    attributes {tilegpt.ranks = array<i64>, tilegpt.block_order = array<i64: 1, 0, 2>} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %c0 : i32
}
