// Products of gathered rows: tiles by the sizes of the product, as for rows in order, but none that a producer would feed.
// RUN: tilegpt-opt %s --tile-gpu-choose-tiles | FileCheck %s

!X = !tile.view<8192x2048xbf16>
!W = !tile.view<2048x2048xbf16>
!E = !tile.view<8x2048x2048xbf16>
!I = !tile.view<4096xi32>
!J = !tile.view<256xi32>

// The rows are as many as the numbers, not as those of x: 256 rows take smaller tiles.
// CHECK-LABEL: tile.kernel @gathered(
// CHECK: params {BM = 128 in [128], BN = 128 in [128], BK = 64 in [64]}
tile.kernel @gathered(%x: !X, %ids: !I, %w: !W) outs(%y: !tile.view<4096x2048xbf16>)
    params {BM = 128 in [32, 64, 128, 256], BN = 96 in [64, 96, 128, 256], BK = 256 in [32, 64, 128, 256]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %i = tile.load %ids[%m] [BM] : !I -> tensor<?xi32>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.gather %x[%k] at %i axis 0 [BM, BK] : !X, tensor<?xi32> -> tensor<?x?xbf16>
    %b = tile.load %w[%n, %k] [BN, BK] : !W -> tensor<?x?xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %out, %y[%m, %n] : tensor<?x?xbf16>, !tile.view<4096x2048xbf16>
}

// Numbers computed from loaded ones, and weights of an expert.
// CHECK-LABEL: tile.kernel @of_expert(
// CHECK: params {BM = 64 in [64], BN = 64 in [64], BK = 64 in [64]}
tile.kernel @of_expert(%x: !X, %ids: !J, %w: !E) outs(%y: !tile.view<256x2048xbf16>)
    params {BM = 128 in [32, 64, 128, 256], BN = 96 in [64, 96, 128, 256], BK = 256 in [32, 64, 128, 256]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2 : i32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %we = tile.select %w[%c1] : !E -> !W
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %i = tile.load %ids[%m] [BM] : !J -> tensor<?xi32>
  %twos = tile.splat %two [BM] : i32 -> tensor<?xi32>
  %rows = arith.divui %i, %twos : tensor<?xi32>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.gather %x[%k] at %rows axis 0 [BM, BK] : !X, tensor<?xi32> -> tensor<?x?xbf16>
    %b = tile.load %we[%n, %k] [BN, BK] : !W -> tensor<?x?xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %out, %y[%m, %n] : tensor<?x?xbf16>, !tile.view<256x2048xbf16>
}

// No argument tells how many numbers there are.
// CHECK-LABEL: tile.kernel @of_positions(
// CHECK: params {BM = 128 in [32, 64, 128, 256], BN = 96 in [64, 96, 128, 256], BK = 256 in [32, 64, 128, 256]}
tile.kernel @of_positions(%x: !X, %w: !W) outs(%y: !tile.view<4096x2048xbf16>)
    params {BM = 128 in [32, 64, 128, 256], BN = 96 in [64, 96, 128, 256], BK = 256 in [32, 64, 128, 256]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %i = tile.iota [BM] : tensor<?xi32>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.gather %x[%k] at %i axis 0 [BM, BK] : !X, tensor<?xi32> -> tensor<?x?xbf16>
    %b = tile.load %w[%n, %k] [BN, BK] : !W -> tensor<?x?xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %out, %y[%m, %n] : tensor<?x?xbf16>, !tile.view<4096x2048xbf16>
}
