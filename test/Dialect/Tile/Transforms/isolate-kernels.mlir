// RUN: tilegpt-opt %s --tile-isolate-kernels | FileCheck %s

// CHECK: module {
// CHECK-NEXT: tile.kernel @outer
// CHECK: tile.kernel @inner
// CHECK-NOT: tile.global
// CHECK-NOT: func.func
// CHECK-NOT: module

tile.kernel @outer(%x: !tile.view<?xf32>) grid [1] {}
tile.global @w weight : tensor<4xf32>
func.func @graph() { return }
module {
  tile.kernel @inner(%x: !tile.view<?xf32>) grid [1] {}
}
