// Tiles whose elements move between threads need shared memory for all of them: 2·4·256·100 f32 do not fit, and a quarter
// of them does.
// RUN: tilegpt-opt %s --tile-gpu-choose-tiles --explain 2>&1 | FileCheck %s

// CHECK: remark: @kronecker: tile missed: the tiles need 819200 bytes of shared memory and 0 accumulators, too much for sm_90a; chose BA = 1, BB = 2
// CHECK-LABEL: tile.kernel @kronecker(
// CHECK: params {C = 256, D = 100, BA = 1 in [1], BB = 2 in [2], BC = BA * 256, BD = BB * 100}
!M = !tile.view<?x?xf32>
tile.kernel @kronecker(%a: !M, %b: !tile.view<256x100xf32>) outs(%y: !M)
    params {C = 256, D = 100, BA = 2 in [1, 2], BB = 4 in [2, 4], BC = BA * 256, BD = BB * 100}
    grid [ceildiv(dim(%a, 0), BA), ceildiv(dim(%a, 1), BB)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %c0 = arith.constant 0 : index
  %at = tile.load %a[%i, %j] [BA, BB] : !M -> tensor<?x?xf32>
  %bt = tile.load %b[%c0, %c0] [C, D] : !tile.view<256x100xf32> -> tensor<?x?xf32>
  %a4 = tile.reshape %at [BA, 1, BB, 1] : tensor<?x?xf32> -> tensor<?x1x?x1xf32>
  %b4 = tile.reshape %bt [1, C, 1, D] : tensor<?x?xf32> -> tensor<1x?x1x?xf32>
  %ab = tile.broadcast %a4 [BA, C, BB, D] : tensor<?x1x?x1xf32> -> tensor<?x?x?x?xf32>
  %bb = tile.broadcast %b4 [BA, C, BB, D] : tensor<1x?x1x?xf32> -> tensor<?x?x?x?xf32>
  %p = arith.mulf %ab, %bb : tensor<?x?x?x?xf32>
  %o = tile.reshape %p [BC, BD] : tensor<?x?x?x?xf32> -> tensor<?x?xf32>
  tile.store %o, %y[%i, %j] : tensor<?x?xf32>, !M
}
