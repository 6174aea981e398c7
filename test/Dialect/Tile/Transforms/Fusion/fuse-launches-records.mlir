// Tuning records decide legal fusions, instead of the estimated gain.
// DEFINE: %{rates} = launch-ns=1700 bytes-per-us=4200000 cached-bytes=20000000 element-ps=2500 parallel-blocks=264
// RUN: rm -rf %t && mkdir -p %t
// RUN: tilegpt-opt %s --tile-link-library --tile-fuse-launches="shows-decisions %{rates}" > %t/shown.mlir
// RUN: FileCheck %s --check-prefix=SHOWN --input-file=%t/shown.mlir
// RUN: %python %S/../Inputs/fusion-record.py layer_norm+linear_decode.gelu 8192-8192 < %t/shown.mlir > %t/fused.json
// RUN: %python %S/../Inputs/fusion-record.py linear_decode+gelu 8192-8192 < %t/shown.mlir > %t/apart.json
// RUN: tilegpt-opt %s --tile-link-library --tile-fuse-launches="file=%t/fused.json device=x86_64 %{rates}" | FileCheck %s --check-prefix=FUSED
// RUN: tilegpt-opt %s --tile-link-library --tile-fuse-launches="file=%t/apart.json device=x86_64 explain %{rates}" 2> %t/explained | FileCheck %s --check-prefix=APART
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t/explained

// Records for another device or for other rows change nothing; --tile-apply-records warns.
// RUN: tilegpt-opt %s --tile-link-library --tile-fuse-launches="file=%t/fused.json device=sm_90a %{rates}" | FileCheck %s --check-prefix=DEFAULT
// RUN: sed 's/\[8192, 8192\]/[1, 4096]/' %t/fused.json > %t/rows.json
// RUN: tilegpt-opt %s --tile-link-library --tile-fuse-launches="file=%t/rows.json device=x86_64 %{rates}" | FileCheck %s --check-prefix=DEFAULT


!X = tensor<?x1600xbf16>
!H = tensor<?x6400xbf16>

// What is decided about texts that a fusion made comes last.
// SHOWN: func.func @rows
// SHOWN-SAME: tile.fusions = [
// SHOWN-DAG: fused = true, name = "linear_decode+gelu"
// SHOWN-DAG: fused = false, name = "layer_norm+linear_decode.gelu"
// DEFAULT: launch @layer_norm ins
// DEFAULT: launch @linear_decode.gelu ins
// APART: launch @layer_norm ins
// APART: launch @linear_decode ins
// APART: launch @gelu ins
// WHY: remark: @linear_decode and @gelu: epilogue, saves {{.*}} us; a record keeps apart
// FUSED: launch @layer_norm.linear_decode.gelu
func.func @rows(%x: !X, %g: tensor<1600xf32>, %b: tensor<1600xf32>, %w: tensor<6400x1600xbf16>, %c: tensor<6400xf32>,
    %eps: f32) -> !H attributes {tile.rows = array<i64: 8192, 8192>} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : !X
  %e = tensor.empty(%n) : !X
  %norm = tile.launch @layer_norm ins(%x, %g, %b, %eps) outs(%e) : (!X, tensor<1600xf32>, tensor<1600xf32>, f32, !X) -> !X
  %h = tensor.empty(%n) : !H
  %y = tile.launch @linear_decode ins(%norm, %w, %c) outs(%h) : (!X, tensor<6400x1600xbf16>, tensor<6400xf32>, !H) -> !H
  %a = tensor.empty(%n) : !H
  %z = tile.launch @gelu ins(%y) outs(%a) : (!H, !H) -> !H
  return %z : !H
}
