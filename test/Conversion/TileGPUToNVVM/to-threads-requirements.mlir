// Sizes and strides that a kernel requires to be equal are one value.
// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 1, stages = 0>
!V = !tile.view<?x?xf32>

// The words of each view are address, rows, columns, stride and 1.
// CHECK-LABEL: func.func @equal(
// CHECK-SAME:    %{{[^:]*}}: !llvm.ptr<1>, %[[ROWS:[^:]*]]: i64, %[[COLUMNS:[^:]*]]: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: !llvm.ptr<1>, %[[OTHER:[^:]*]]: i64, %{{[^:]*}}: i64
// CHECK-NOT:     tile_gpu.equal
// CHECK-NOT:     %[[OTHER]]
// CHECK:         return
tile.kernel @equal(%a: !V, %b: !V) requires(dim(%b, 0) == dim(%a, 0), dim(%b, 1) == dim(%a, 1))
    grid [1] attributes {tile_gpu.plan = #plan} {
  %r = tile.dim %a, 0 : !V
  %s = tile.dim %b, 0 : !V
  %e = arith.cmpi eq, %r, %s : index
  tile.assert %e, "equal" : i1
}

// CHECK-LABEL: func.func @unknown(
// CHECK:         arith.cmpi ne
tile.kernel @unknown(%a: !V, %b: !V) requires(dim(%b, 1) == dim(%a, 1)) grid [1] attributes {tile_gpu.plan = #plan} {
  %r = tile.dim %a, 0 : !V
  %s = tile.dim %b, 0 : !V
  %e = arith.cmpi eq, %r, %s : index
  tile.assert %e, "equal" : i1
}
