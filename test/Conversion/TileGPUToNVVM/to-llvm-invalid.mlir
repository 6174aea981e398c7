// RUN: not tilegpt-opt %s --tile-gpu-to-llvm 2>&1 | FileCheck %s

// CHECK: error: 'scf.if' op expected thread code as branches between blocks, found a nested region; run --convert-scf-to-cf first
func.func @nested(%is: i1) {
  scf.if %is {
  }
  func.return
}
