// Disassemblers print entries without a module and the dialect's name; locations follow them.
// RUN: tilegpt-opt %s --mlir-print-debuginfo | FileCheck %s
// CHECK: cuda_tile.module @kernels {
// CHECK-NEXT: global @table
// CHECK-NEXT: entry @f() {
// CHECK-NEXT: iota : tile<8xi32> loc([[LOC:#loc[0-9]*]])
// CHECK: [[LOC]] = loc("a.py":4:8)

// The lines of errors are those of the file.
// RUN: sed s/iota/count/ %s > %t.wrong
// RUN: %expect-exit 1 tilegpt-opt %t.wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: .wrong:[[#@LINE+3]]:{{[0-9]+}}: error: custom op
global @table alignment = 16 <i32: [1, 2]> : tile<2xi32>
entry @f() {
  %0 = iota : tile<8xi32> loc(#loc)
  return loc(#loc)
} loc(#loc)
#loc = loc("a.py":4:8)
