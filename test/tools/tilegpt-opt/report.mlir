// A report has the remarks and the output of ptxas; spills in any generated code are warnings.
// REQUIRES: ptxas
// RUN: tilegpt-opt %s --emit=report > %t.report 2> %t.err
// RUN: FileCheck %s --input-file=%t.report && count 0 < %t.err
// RUN: tilegpt-opt %s --emit=launch -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARNING

// CHECK: kernel_wide: {{[0-9]+}} threads, {{[0-9]+}} bytes of dynamic shared memory, {{[0-9]+}} bytes of code
// CHECK: Used {{[0-9]+}} registers
// CHECK: problem: {{[1-9][0-9]*}} bytes of spill stores and {{[0-9]+}} of spill loads at {{[0-9]+}} registers
// CHECK: remark: {{.*}}report.mlir:[[# @LINE + 3]]:1: plan: {{[0-9]+}} warps
// CHECK: remark: {{.*}}report.mlir:[[# @LINE + 2]]:1: overlap: the launch may start before its predecessor has completed
// WARNING: {{^}}tilegpt-opt: warning: gpu: kernel 'kernel_wide': {{[1-9][0-9]*}} bytes of spill stores and
tile.kernel @wide(%x: !tile.view<256x256xf32>) outs(%y: !tile.view<256x256xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] [256, 256] : !tile.view<256x256xf32> -> tensor<256x256xf32>
  %max = tile.reduce max %a axis 1 keepdims : tensor<256x256xf32> -> tensor<256x1xf32>
  %most = tile.reduce max %a axis 0 keepdims : tensor<256x256xf32> -> tensor<1x256xf32>
  %rows = tile.broadcast %max [256, 256] : tensor<256x1xf32> -> tensor<256x256xf32>
  %columns = tile.broadcast %most [256, 256] : tensor<1x256xf32> -> tensor<256x256xf32>
  %d = arith.subf %a, %rows : tensor<256x256xf32>
  %s = arith.mulf %d, %columns : tensor<256x256xf32>
  tile.store %s, %y[%c0, %c0] : tensor<256x256xf32>, !tile.view<256x256xf32>
}
