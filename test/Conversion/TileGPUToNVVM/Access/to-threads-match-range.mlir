// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// The range of the rows' ids, by all lanes; then keys from the front and from the back, 256 at a time.
// CHECK-LABEL: func.func @scan(
// CHECK:         %[[RANGE:.*]]:2 = scf.for
// CHECK:           llvm.load
// CHECK:           arith.minsi
// CHECK:           arith.maxsi
// CHECK:         %[[LOW:.*]] = nvvm.redux.sync  min %[[RANGE]]#0
// CHECK:         %[[HIGH:.*]] = nvvm.redux.sync  max %[[RANGE]]#1
// CHECK:         %[[FIRST:.*]]:2 = scf.while
// CHECK:         } do {
// CHECK-COUNT-8:   llvm.load
// CHECK:           arith.cmpi sge, %{{.*}}, %[[LOW]]
// CHECK:           arith.cmpi sle, %{{.*}}, %[[HIGH]]
// CHECK:           arith.addi %{{.*}}, %c256
// CHECK:           nvvm.redux.sync  min
// CHECK:         scf.while
// CHECK:         } do {
// CHECK-COUNT-8:   llvm.load
// CHECK:           arith.subi %{{.*}}, %c256
// CHECK:           nvvm.redux.sync  max
tile.kernel @scan(%k: !tile.view<?xi32>, %r: !tile.view<?xi32>, %from: index, %to: index) outs(%y: !tile.view<1xi32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %f, %e = tile_gpu.match_range %k[%from, %to] with %r[%c0, %c128] : !tile.view<?xi32>, !tile.view<?xi32>
  %ok = arith.cmpi ule, %f, %e : index
  tile.assert %ok, "in order" : i1
}
