// RUN: tilegpt-opt %s --tile-gpu-choose-tiles | FileCheck %s

!X = !tile.view<?x?xbf16>

// x·wᵀ + (x·a)·b: the few columns of x·a do not shrink the tile of x·wᵀ.
// CHECK: tile.launch @adapted {{.*}} params {BK = 64 : i64, BM = 128 : i64, BN = 128 : i64}
tile.kernel @adapted(%x: !X, %w: !X, %a: !tile.view<?x16xbf16>, %b: !tile.view<16x?xbf16>) outs(%y: !X)
    params {BM = 64 in [64, 128], BN = 64 in [64, 128], BK = 64} grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %z = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %zr = tile.splat %zero [BM, 16] : f32 -> tensor<?x16xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %s, %r = scf.for %k = %c0 to %steps step %c1 iter_args(%si = %z, %ri = %zr) -> (tensor<?x?xf32>, tensor<?x16xf32>) {
    %xt = tile.load %x[%m, %k] [BM, BK] : !X -> tensor<?x?xbf16>
    %wt = tile.load %w[%n, %k] [BN, BK] : !X -> tensor<?x?xbf16>
    %at = tile.load %a[%k, %c0] [BK, 16] : !tile.view<?x16xbf16> -> tensor<?x16xbf16>
    %sn = tile.dot %xt, %wt, %si transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    %rn = tile.dot %xt, %at, %ri : tensor<?x?xbf16>, tensor<?x16xbf16>, tensor<?x16xf32> -> tensor<?x16xf32>
    scf.yield %sn, %rn : tensor<?x?xf32>, tensor<?x16xf32>
  }
  %rr = tile.cast %r : tensor<?x16xf32> to tensor<?x16xbf16>
  %bt = tile.load %b[%c0, %n] [16, BN] : !tile.view<16x?xbf16> -> tensor<16x?xbf16>
  %t = tile.dot %rr, %bt, %s : tensor<?x16xbf16>, tensor<16x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
  %o = tile.cast %t : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %o, %y[%m, %n] : tensor<?x?xbf16>, !X
}
func.func @step(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>, %a: tensor<4096x16xbf16>, %b: tensor<16x4096xbf16>) -> tensor<4096x4096xbf16> {
  %e = tensor.empty() : tensor<4096x4096xbf16>
  %y = tile.launch @adapted ins(%x, %w, %a, %b) outs(%e)
    : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>, tensor<4096x16xbf16>, tensor<16x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %y : tensor<4096x4096xbf16>
}
