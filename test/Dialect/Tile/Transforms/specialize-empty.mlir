// RUN: tilegpt-opt %s --tile-specialize | FileCheck %s

// A launch without blocks runs nothing: no op of the kernel is checked against its sizes.
tile.kernel @inner(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [ceildiv(dim(%y, 0), 4)] {
  %m = tile.block_id 0
  %n = tile.dim %y, 0 : !tile.view<?xf32>
  %v = tile.subview %x[1] [%n] : !tile.view<?xf32> -> !tile.view<?xf32>
  %t = tile.load %v[%m] [4] : !tile.view<?xf32> -> tensor<4xf32>
  tile.store %t, %y[%m] : tensor<4xf32>, !tile.view<?xf32>
}

// CHECK-LABEL: tile.kernel @inner_0(
// CHECK-SAME: outs(%{{.*}}: !tile.view<0xf32>)
// CHECK-NEXT: grid [0] {
// CHECK-NEXT: }
func.func @empty(%a: tensor<0xf32>, %b: tensor<0xf32>) -> tensor<0xf32> {
  %0 = tile.launch @inner ins(%a) outs(%b) : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
