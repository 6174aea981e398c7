// What bytecode does not have: functions of public test programs, whose single result has no parentheses, and hints
// without a value.
// RUN: tilegpt-opt %s | FileCheck %s
// RUN: tilegpt-opt %s > %t.short
// RUN: tilegpt-opt %t.short | diff %t.short -
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | diff %t.short -

cuda_tile.module @functions {
  // CHECK: testing$func @one(%{{.*}}: tile<i32>) -> tile<i32> {
  testing$func @one(%x: tile<i32>) -> (tile<i32>) {
    return %x : tile<i32>
  }

  // CHECK: testing$func @two(%{{.*}}: tile<i32>) -> (tile<i32>, tile<i32>) {
  testing$func @two(%x: tile<i32>) -> (tile<i32>, tile<i32>) {
    return %x, %x : tile<i32>, tile<i32>
  }

  // CHECK: entry @hinted() optimization_hints=<default = {fast, latency = 4}> {
  entry @hinted() optimization_hints=<default = {latency = 4, fast}> {
  }
}
