// Products of rows that no producer can copy: few blocks split the depth, in tiles that wgmma multiplies.
// RUN: tilegpt-opt %s --tile-gpu-choose-tiles | FileCheck %s

// 1316 rows start at odd multiples of 8 bytes. 32 x 32 would have 84 blocks, each with 100 steps.
// CHECK-LABEL: tile.kernel @deep(
// CHECK: params {BM = 128 in [128], BN = 64 in [64], BK = 64 in [64]}
tile.kernel @deep(%x: !tile.view<6400x1316xf16>, %w: !tile.view<6400x64xf16>) outs(%y: !tile.view<1316x64xf32>)
    params {BM = 128 in [32, 64, 96, 128], BN = 96 in [32, 64, 96, 128], BK = 128 in [32, 64, 128]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 0 by [BK] : !tile.view<6400x1316xf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.load %x[%k, %m] [BK, BM] : !tile.view<6400x1316xf16> -> tensor<?x?xf16>
    %b = tile.load %w[%k, %n] [BK, BN] : !tile.view<6400x64xf16> -> tensor<?x?xf16>
    %next = tile.dot %a, %b, %acc transpose_a : tensor<?x?xf16>, tensor<?x?xf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<?x?xf32>, !tile.view<1316x64xf32>
}

// Ten steps are too few to divide.
// CHECK-LABEL: tile.kernel @shallow(
// CHECK: params {BM = 32 in [32], BN = 32 in [32], BK = 64 in [64]}
tile.kernel @shallow(%x: !tile.view<640x1316xf16>, %w: !tile.view<640x64xf16>) outs(%y: !tile.view<1316x64xf32>)
    params {BM = 128 in [32, 64, 96, 128], BN = 96 in [32, 64, 96, 128], BK = 128 in [32, 64, 128]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 0 by [BK] : !tile.view<640x1316xf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.load %x[%k, %m] [BK, BM] : !tile.view<640x1316xf16> -> tensor<?x?xf16>
    %b = tile.load %w[%k, %n] [BK, BN] : !tile.view<640x64xf16> -> tensor<?x?xf16>
    %next = tile.dot %a, %b, %acc transpose_a : tensor<?x?xf16>, tensor<?x?xf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<?x?xf32>, !tile.view<1316x64xf32>
}

// The sum does not begin with zero, so that blocks cannot divide it.
// CHECK-LABEL: tile.kernel @begun(
// CHECK: params {BM = 32 in [32], BN = 32 in [32], BK = 64 in [64]}
tile.kernel @begun(%x: !tile.view<6400x1316xf16>, %w: !tile.view<6400x64xf16>) outs(%y: !tile.view<1316x64xf32>)
    params {BM = 128 in [32, 64, 96, 128], BN = 96 in [32, 64, 96, 128], BK = 128 in [32, 64, 128]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %init = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 0 by [BK] : !tile.view<6400x1316xf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.load %x[%k, %m] [BK, BM] : !tile.view<6400x1316xf16> -> tensor<?x?xf16>
    %b = tile.load %w[%k, %n] [BK, BN] : !tile.view<6400x64xf16> -> tensor<?x?xf16>
    %next = tile.dot %a, %b, %acc transpose_a : tensor<?x?xf16>, tensor<?x?xf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<?x?xf32>, !tile.view<1316x64xf32>
}
