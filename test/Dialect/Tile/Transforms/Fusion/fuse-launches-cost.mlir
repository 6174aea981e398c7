// The gain of a fusion with open sizes: the worse of one row and of the plan's maximum decides.
// RUN: tilegpt-opt %s --tile-link-library --tile-fuse-launches="mode=list explain launch-ns=1700 bytes-per-us=4200000 cached-bytes=20000000 element-ps=2500 parallel-blocks=264" -o /dev/null 2>&1 | FileCheck %s

!X = tensor<?x1600xbf16>
!H = tensor<?x6400xbf16>

// The last rows of a few sequences, in a plan for many rows: a norm in every block of the product is not worthwhile,
// however large a tensor of all rows would be.
// CHECK: remark: @layer_norm and @linear_decode: prologue, not profitable: loses {{[0-9][0-9]+[.][0-9]+}} us
func.func @last_rows(%x: !X, %g: tensor<1600xf32>, %b: tensor<1600xf32>, %w: tensor<6400x1600xbf16>, %c: tensor<6400xf32>,
    %eps: f32) -> !H attributes {tile.rows = array<i64: 8192, 8192>} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : !X
  %e = tensor.empty(%n) : !X
  %norm = tile.launch @layer_norm ins(%x, %g, %b, %eps) outs(%e) : (!X, tensor<1600xf32>, tensor<1600xf32>, f32, !X) -> !X
  %h = tensor.empty(%n) : !H
  %y = tile.launch @linear_decode ins(%norm, %w, %c) outs(%h) : (!X, tensor<6400x1600xbf16>, tensor<6400xf32>, !H) -> !H
  return %y : !H
}

!XF = tensor<?x1600xf32>
!HF = tensor<?x6400xf32>

// The same in f32: the plan's maximum of rows would not fit the cache, but the product's grid covers 16 rows.
// CHECK: remark: @layer_norm and @linear_decode: prologue, not profitable: loses {{[0-9][0-9]+[.][0-9]+}} us
func.func @last_rows_f32(%x: !XF, %g: tensor<1600xf32>, %b: tensor<1600xf32>, %w: tensor<6400x1600xbf16>, %c: tensor<6400xf32>,
    %eps: f32) -> !HF attributes {tile.rows = array<i64: 8192, 8192>} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : !XF
  %e = tensor.empty(%n) : !XF
  %norm = tile.launch @layer_norm ins(%x, %g, %b, %eps) outs(%e) : (!XF, tensor<1600xf32>, tensor<1600xf32>, f32, !XF) -> !XF
  %h = tensor.empty(%n) : !HF
  %y = tile.launch @linear_decode ins(%norm, %w, %c) outs(%h) : (!XF, tensor<6400x1600xbf16>, tensor<6400xf32>, !HF) -> !HF
  return %y : !HF
}
