// A pair that passes all checks but whose kernel cannot be written gets one remark, without a gain.
// RUN: tilegpt-opt %s --tile-fuse-launches=mode=list 2>&1 >/dev/null | FileCheck %s
// RUN: tilegpt-opt %s --tile-fuse-launches=explain 2>&1 >/dev/null | FileCheck %s

// CHECK:     remark: @fill and @row_sum: no prologue: no other argument is known to have the size of axis 1 of it
// CHECK-NOT: remark:

!V = !tile.view<?x?xf32>
!F = !tile.view<?xf32>
tile.kernel @fill(%s: f32) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.splat %s [BM, BN] : f32 -> tensor<?x?xf32>
  tile.store %t, %y[%m, %n] : tensor<?x?xf32>, !V
}
tile.kernel @row_sum(%x: !V) outs(%s: !F)
    params {BM = 4 in [1, 4, 16], C = dim(%x, 1)} grid [ceildiv(dim(%s, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [BM, C] : !V -> tensor<?x?xf32>
  %r = tile.reduce add %t axis 1 : tensor<?x?xf32> -> tensor<?xf32>
  tile.store %r, %s[%m] : tensor<?xf32>, !F
}
func.func @no_size(%scale: f32, %rows: index, %width: index) -> tensor<?xf32> {
  %e = tensor.empty(%rows, %width) : tensor<?x?xf32>
  %f = tensor.empty(%rows) : tensor<?xf32>
  %0 = tile.launch @fill ins(%scale) outs(%e) : (f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tile.launch @row_sum ins(%0) outs(%f) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
