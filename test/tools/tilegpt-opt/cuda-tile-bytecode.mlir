// Reads and writes CUDA Tile IR bytecode, which is recognized by its first bytes.
// RUN: tilegpt-opt %s --emit=cuda-tile-bytecode -o %t.tileirbc
// RUN: tilegpt-opt %t.tileirbc | FileCheck %s
// RUN: tilegpt-opt %t.tileirbc --emit=cuda-tile-bytecode | cmp %t.tileirbc -
// RUN: tilegpt-opt %s --emit=cuda-tile-bytecode --bytecode-version=13.1 | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --emit=cuda-tile-bytecode --bytecode-version=13.5 | tilegpt-opt | FileCheck %s

// An entry outside a module gets one.
// CHECK: cuda_tile.module @kernels {
// CHECK-NEXT: entry @iota(%{{.*}}: tile<ptr<i32>>) {
// CHECK-NEXT: iota : tile<8xi32>
cuda_tile.entry @iota(%p: tile<ptr<i32>>) {
  %0 = iota : tile<8xi32>
}

// RUN: head -c 40 %t.tileirbc > %t.short
// RUN: %expect-exit 3 tilegpt-opt %t.short 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: tilegpt-opt: error: {{.*}}.short: expected a section of {{[0-9]+}} bytes, found {{[0-9]+}} (at byte {{[0-9]+}})
// RUN: %expect-exit 3 tilegpt-opt %t.short --compile-to=tile 2>&1 | FileCheck %s --check-prefix=SHORT-PHASE
// SHORT-PHASE: .short:0:0: error: expected a section of {{[0-9]+}} bytes, found {{[0-9]+}} (at byte {{[0-9]+}})

// RUN: %expect-exit 2 tilegpt-opt %s --bytecode-version=13.3 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: --bytecode-version is for --emit=cuda-tile-bytecode
// RUN: %expect-exit 2 tilegpt-opt %s --emit=cuda-tile-bytecode --bytecode-version=12.0 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: --bytecode-version: expected 13.1 to 13.5, found '12.0'
