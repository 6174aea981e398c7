// Products whose estimates are doubted: an alternative with a slightly higher estimate was measured to be faster.
// RUN: tilegpt-opt %s --tile-gpu-choose-tiles | FileCheck %s

// The weights exceed the L2 cache: 128 x 128, whose 60 tiles two blocks each would split along the depth, are slower.
// CHECK-LABEL: tile.kernel @from_memory(
// CHECK: BN = 64 in [64]
tile.kernel @from_memory(%x: !tile.view<122x4496xbf16>, %w: !tile.view<7672x4496xbf16>) outs(%y: !tile.view<122x7672xbf16>)
    params {BM = 128 in [128], BN = 64 in [64, 128], BK = 64 in [64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !tile.view<122x4496xbf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.load %x[%m, %k] [BM, BK] : !tile.view<122x4496xbf16> -> tensor<?x?xbf16>
    %b = tile.load %w[%n, %k] [BN, BK] : !tile.view<7672x4496xbf16> -> tensor<?x?xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %out, %y[%m, %n] : tensor<?x?xbf16>, !tile.view<122x7672xbf16>
}

// A third of the columns fit the cache: split.
// CHECK-LABEL: tile.kernel @in_cache(
// CHECK: BN = 128 in [128]
tile.kernel @in_cache(%x: !tile.view<122x15696xbf16>, %w: !tile.view<1920x15696xbf16>) outs(%y: !tile.view<122x1920xbf16>)
    params {BM = 128 in [128], BN = 64 in [64, 128], BK = 64 in [64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !tile.view<122x15696xbf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.load %x[%m, %k] [BM, BK] : !tile.view<122x15696xbf16> -> tensor<?x?xbf16>
    %b = tile.load %w[%n, %k] [BN, BK] : !tile.view<1920x15696xbf16> -> tensor<?x?xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %out, %y[%m, %n] : tensor<?x?xbf16>, !tile.view<122x1920xbf16>
}

// Three waves of 128 x 192 in clusters of four, or two of 128 x 256 in clusters of two.
// CHECK-LABEL: tile.kernel @several_tiles(
// CHECK: BN = 256 in [256]
tile.kernel @several_tiles(%x: !tile.view<983x2824xbf16>, %w: !tile.view<7936x2824xbf16>) outs(%y: !tile.view<983x7936xbf16>)
    params {BM = 128 in [128], BN = 192 in [192, 256], BK = 64 in [64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !tile.view<983x2824xbf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.load %x[%m, %k] [BM, BK] : !tile.view<983x2824xbf16> -> tensor<?x?xbf16>
    %b = tile.load %w[%n, %k] [BN, BK] : !tile.view<7936x2824xbf16> -> tensor<?x?xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %out, %y[%m, %n] : tensor<?x?xbf16>, !tile.view<983x7936xbf16>
}

// Clusters of two over eight rows of tiles, each of two warp groups, were a tenth slower than blocks of one.
// CHECK-LABEL: tile.kernel @pairs(
// CHECK: BM = 64 in [64], BN = 96 in [96]
tile.kernel @pairs(%x: !tile.view<1024x3072xbf16>, %w: !tile.view<768x3072xbf16>) outs(%y: !tile.view<1024x768xbf16>)
    params {BM = 64 in [64, 128], BN = 96 in [48, 96], BK = 64 in [64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !tile.view<1024x3072xbf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.load %x[%m, %k] [BM, BK] : !tile.view<1024x3072xbf16> -> tensor<?x?xbf16>
    %b = tile.load %w[%n, %k] [BN, BK] : !tile.view<768x3072xbf16> -> tensor<?x?xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %out, %y[%m, %n] : tensor<?x?xbf16>, !tile.view<1024x768xbf16>
}

// Small tiles divide a depth, by clusters or through memory.
// CHECK-LABEL: tile.kernel @small_tiles(
// CHECK: BM = 48 in [48], BN = 96 in [96]
tile.kernel @small_tiles(%x: !tile.view<561x4296xbf16>, %w: !tile.view<264x4296xbf16>) outs(%y: !tile.view<561x264xbf16>)
    params {BM = 32 in [32, 48], BN = 48 in [48, 96], BK = 64 in [64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !tile.view<561x4296xbf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.load %x[%m, %k] [BM, BK] : !tile.view<561x4296xbf16> -> tensor<?x?xbf16>
    %b = tile.load %w[%n, %k] [BN, BK] : !tile.view<264x4296xbf16> -> tensor<?x?xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %out, %y[%m, %n] : tensor<?x?xbf16>, !tile.view<561x264xbf16>
}
