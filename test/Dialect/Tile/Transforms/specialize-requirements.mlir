// Requirements of a kernel make open sizes of its instances static; those that still depend on a launch are kept.
// RUN: tilegpt-opt %s --tile-specialize | FileCheck %s

!V = !tile.view<?x?xf32>
tile.kernel @add(%a: !V, %b: !V) outs(%y: !V)
    requires(dim(%a, 0) == dim(%y, 0), dim(%a, 1) == dim(%b, 1), dim(%y, 1) == dim(%b, 1), dim(%a, 1) >= BM)
    params {BM = 4}
    grid [ceildiv(dim(%y, 0), BM), dim(%b, 1)] {
}

// CHECK-LABEL: tile.kernel @add_0(
// CHECK-SAME: %[[A:[^:]*]]: !tile.view<?x48xf32>, %{{[^:]*}}: !tile.view<?x48xf32>) outs(%[[Y:[^:]*]]: !tile.view<?x48xf32>)
// CHECK-NEXT: requires(dim(%[[A]], 0) == dim(%[[Y]], 0))
// CHECK-NEXT: params {BM = 4}
// CHECK-NEXT: grid [ceildiv(dim(%[[Y]], 0), 4), 48]
func.func @graph(%a: tensor<?x48xf32>, %b: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tile.launch @add ins(%a, %b) outs(%y) : (tensor<?x48xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
