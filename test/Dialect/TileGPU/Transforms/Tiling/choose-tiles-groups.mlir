// Tiles of 192 rows, which three warp groups share.
// RUN: tilegpt-opt %s --tile-gpu-choose-tiles | FileCheck %s

// 33 rows and 4 columns of tiles are one wave on 132 multiprocessors; of 128 rows there are 49.
// CHECK-LABEL: tile.kernel @one_wave(
// CHECK: params {BM = 192 in [192], BN = 112 in [112], BK = 64 in [64]}
tile.kernel @one_wave(%x: !tile.view<6150x10144xbf16>, %w: !tile.view<432x10144xbf16>) outs(%y: !tile.view<6150x432xbf16>)
    params {BM = 128 in [128, 192, 256], BN = 112 in [112, 144, 216], BK = 64 in [64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !tile.view<6150x10144xbf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.load %x[%m, %k] [BM, BK] : !tile.view<6150x10144xbf16> -> tensor<?x?xbf16>
    %b = tile.load %w[%n, %k] [BN, BK] : !tile.view<432x10144xbf16> -> tensor<?x?xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %out, %y[%m, %n] : tensor<?x?xbf16>, !tile.view<6150x432xbf16>
}

// 104 accumulators per thread would not fit the registers that threads start with.
// CHECK-LABEL: tile.kernel @too_wide(
// CHECK: params {BM = 128 in [128], BN = 208 in [208], BK = 64 in [64]}
tile.kernel @too_wide(%x: !tile.view<5760x4096xbf16>, %w: !tile.view<832x4096xbf16>) outs(%y: !tile.view<5760x832xbf16>)
    params {BM = 128 in [128, 192], BN = 208 in [208], BK = 64 in [64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !tile.view<5760x4096xbf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %a = tile.load %x[%m, %k] [BM, BK] : !tile.view<5760x4096xbf16> -> tensor<?x?xbf16>
    %b = tile.load %w[%n, %k] [BN, BK] : !tile.view<832x4096xbf16> -> tensor<?x?xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %out, %y[%m, %n] : tensor<?x?xbf16>, !tile.view<5760x832xbf16>
}
