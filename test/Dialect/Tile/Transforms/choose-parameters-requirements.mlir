// Candidates with which a launch would violate a requirement, or a tile would not have its declared size, are dropped.
// RUN: tilegpt-opt %s --tile-choose-parameters | FileCheck %s

// 512 would cover the data, but violates the requirement.
// CHECK: @counts(
// CHECK: params {BN = 1024 in [1024]}
tile.kernel @counts(%x: !tile.view<500xi32>, %n: i32) outs(%y: !tile.view<2x500xi32>)
    requires(dim(%y, 0) * 512 == BN)
    params {BN = 1024 in [256, 512, 1024]} grid [ceildiv(dim(%x, 0), BN)] {
  %b = tile.block_id 0
  %t = tile.load %x[%b] [BN] : !tile.view<500xi32> -> tensor<?xi32>
  %r = tile.reshape %t [1, BN] : tensor<?xi32> -> tensor<1x?xi32>
  tile.store %r, %y[%b, %b] : tensor<1x?xi32>, !tile.view<2x500xi32>
}

// The default violates the requirement: the nearest candidate that does not replaces it.
// CHECK: @divides(
// CHECK: params {BN = 32 in [16, 32]}
tile.kernel @divides(%x: !tile.view<96xf32>) requires(mod(dim(%x, 0), BN) == 0)
    params {BN = 64 in [16, 32, 64]} grid [1] {}

// Not decided by what is known: the default stays, although one tile would cover two elements.
// CHECK: @open(
// CHECK: params {BN = 64 in [64]}
tile.kernel @open(%x: !tile.view<2xf32>, %y: !tile.view<?xf32>) requires(mod(dim(%y, 0), BN) == 0)
    params {BN = 64 in [16, 64]} grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [BN] : !tile.view<2xf32> -> tensor<?xf32>
}

// Two parameters with candidates: their combinations are not tried.
// CHECK: @two(
// CHECK: params {BM = 8 in [8], BN = 8 in [8]}
tile.kernel @two() requires(64 == BM * BN) params {BM = 8 in [4, 8], BN = 8 in [8, 16]} grid [1] {}

// A tile that states its size.
// CHECK: @stated(
// CHECK: params {BM = 2 in [2], BN = 8 in [8]}
tile.kernel @stated(%x: !tile.view<1x4xf32>) params {BM = 4 in [1, 2, 4], BN = 8 in [4, 8]} grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [BM, BN] : !tile.view<1x4xf32> -> tensor<2x8xf32>
}

// Requirements on data alone leave all candidates.
// CHECK: @data(
// CHECK: params {BN = 16 in [16, 64]}
tile.kernel @data(%x: !tile.view<?xf32>) requires(dim(%x, 0) >= 2) params {BN = 16 in [16, 64]} grid [1] {}
