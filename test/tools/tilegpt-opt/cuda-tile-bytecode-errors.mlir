// Errors in bytecode without locations are located in the text that tilegpt-opt prints for it.
// RUN: tilegpt-opt %s --emit=cuda-tile-bytecode -o %t.tileirbc
// RUN: tilegpt-opt %t.tileirbc | FileCheck %s --check-prefix=TEXT
// RUN: not tilegpt-opt %t.tileirbc --compile-to=tile 2>&1 | FileCheck %s --check-prefix=PHASE
// RUN: not tilegpt-run %t.tileirbc --function second --grid 1 --raw 2>&1 | FileCheck %s --check-prefix=LAUNCH

// TEXT:      module {
// TEXT-NEXT: cuda_tile.module @kernels {
// TEXT-NEXT: entry @first
// TEXT-NEXT: {{^}}      %0 = offset
// TEXT-NEXT: return
// TEXT-NEXT: }
// TEXT-NEXT: entry @second
// TEXT-NEXT: iota
// TEXT-NEXT: {{^}}      %1 = offset
// PHASE-DAG: .tileirbc:4:7: error: 'cuda_tile.offset' op cannot be compiled
// PHASE-DAG: .tileirbc:9:7: error: 'cuda_tile.offset' op cannot be compiled
// LAUNCH:    tilegpt-run: error: {{.*}}.tileirbc:4:7: 'cuda_tile.offset' op cannot be compiled
cuda_tile.module @m {
  entry @first(%p: tile<ptr<f4E2M1FN>>, %i: tile<i32>) {
    %0 = offset %p, %i : tile<ptr<f4E2M1FN>>, tile<i32> -> tile<ptr<f4E2M1FN>>
  }
  entry @second(%p: tile<ptr<f4E2M1FN>>, %i: tile<i32>) {
    %0 = iota : tile<8xi32>
    %1 = offset %p, %i : tile<ptr<f4E2M1FN>>, tile<i32> -> tile<ptr<f4E2M1FN>>
  }
}
