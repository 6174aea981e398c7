// Errors of later phases are located in the text of bytecode without locations, too, counting all entries.
// RUN: tilegpt-opt %s --emit=cuda-tile-bytecode -o %t.tileirbc
// RUN: tilegpt-opt %t.tileirbc | FileCheck %s --check-prefix=TEXT
// RUN: not tilegpt-opt %t.tileirbc --emit=ptx --arch=sm_90a --function=large 2>&1 | FileCheck %s

// TEXT:      module {
// TEXT-NEXT: cuda_tile.module @kernels {
// TEXT-NEXT: entry @small
// TEXT-NEXT: iota
// TEXT-NEXT: return
// TEXT-NEXT: }
// TEXT-NEXT: {{^}}    entry @large
// CHECK:     .tileirbc:7:5: error: 'tile.kernel' op needs 262144 bytes of shared memory
cuda_tile.module @m {
  entry @small(%p: tile<ptr<f32>>) {
    %0 = iota : tile<8xi32>
  }
  entry @large(%p: tile<ptr<f32>>) {
    %n = iota : tile<65536xi32>
    %rows = reshape %n : tile<65536xi32> -> tile<256x256xi32>
    %across = permute %rows [1, 0] : tile<256x256xi32> -> tile<256x256xi32>
    %i = reshape %across : tile<256x256xi32> -> tile<65536xi32>
    %one = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %all = broadcast %one : tile<1xptr<f32>> -> tile<65536xptr<f32>>
    %q = offset %all, %i : tile<65536xptr<f32>>, tile<65536xi32> -> tile<65536xptr<f32>>
    %x, %loaded = load_ptr_tko weak %q : tile<65536xptr<f32>> -> tile<65536xf32>, token
    %s = scan %x dim=0 reverse=false identities=[0.0 : f32] : tile<65536xf32> -> tile<65536xf32> (%a: tile<f32>, %b: tile<f32>) {
      %c = addf %a, %b : tile<f32>
      yield %c : tile<f32>
    }
    %k = store_ptr_tko weak %q, %s token=%loaded : tile<65536xptr<f32>>, tile<65536xf32> -> token
  }
}
