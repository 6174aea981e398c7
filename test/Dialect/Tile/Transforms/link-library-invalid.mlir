// RUN: tilegpt-opt %s --tile-link-library -verify-diagnostics
// RUN: not tilegpt-opt %s --tile-link-library="dir=%S/Inputs/no-such-folder" 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not tilegpt-opt %s --tile-link-library="dir=%S/Inputs/duplicate-kernels" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not tilegpt-opt %s --tile-link-library="dir=%S/Inputs/broken-kernels" 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: rm -rf %t.none && mkdir %t.none
// RUN: not tilegpt-opt %s --tile-link-library="dir=%t.none" 2>&1 | FileCheck %s --check-prefix=NOTHING

// FOLDER: error: cannot read the kernel directory '{{.*}}no-such-folder': No such file or directory
// NOTHING: error: the kernel directory '{{.*}}.none' has no .mlir file
// TWICE: other_gelu.mlir:2:1: error: a kernel called 'gelu' is also in another file of the library
// BROKEN: broken.mlir:1:{{[0-9]+}}: error:

func.func @launches_gelu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %y = tile.launch @gelu ins(%x) outs(%e) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
// expected-error @+1 {{'func.func' op has the name of the library's kernel 'gelu', which the module needs; rename it}}
func.func private @gelu()
