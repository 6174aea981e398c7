// Warp groups of products: three share 192 rows, or 192 columns of a product that is computed transposed, if the
// accumulators fit the registers of their threads. One or two that can share the columns do instead.
// RUN: tilegpt-opt %s --tile-gpu-swap-operands --tile-gpu-make-plan | FileCheck %s

// CHECK-DAG: #[[ROWS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 12, stages = 5, producer = true, persistent = true, raster = 1>
// CHECK-DAG: #[[COLUMNS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 12, stages = 5, producer = true, persistent = true, raster = 10>
// CHECK-DAG: #[[TWO:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 5, producer = true, persistent = true, raster = 1, overlap = false>
// CHECK-DAG: #[[NONE:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 3>

// CHECK-LABEL: tile.kernel @rows(
// CHECK:         attributes {tile_gpu.plan = #[[ROWS]]
// CHECK:         tile.dot {{.*}} -> tensor<192x104xf32>
tile.kernel @rows(%x: !tile.view<1920x1024xbf16>, %w: !tile.view<1024x1024xbf16>) outs(%y: !tile.view<1920x1024xbf16>) grid [10, 10] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : tensor<192x104xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<192x104xf32>) {
    %a = tile.load %x[%m, %k] [192, 64] : !tile.view<1920x1024xbf16> -> tensor<192x64xbf16>
    %b = tile.load %w[%n, %k] [104, 64] : !tile.view<1024x1024xbf16> -> tensor<104x64xbf16>
    %s = tile.dot %a, %b, %acc transpose_b : tensor<192x64xbf16>, tensor<104x64xbf16>, tensor<192x104xf32> -> tensor<192x104xf32>
    scf.yield %s : tensor<192x104xf32>
  }
  %o = tile.cast %r : tensor<192x104xf32> to tensor<192x104xbf16>
  tile.store %o, %y[%m, %n] : tensor<192x104xbf16>, !tile.view<1920x1024xbf16>
}

// CHECK-LABEL: tile.kernel @columns(
// CHECK:         attributes {tile_gpu.plan = #[[COLUMNS]]
// CHECK:         tile.dot {{.*}} -> tensor<192x104xf32>
tile.kernel @columns(%x: !tile.view<1024x1024xbf16>, %w: !tile.view<1920x1024xbf16>) outs(%y: !tile.view<1024x1920xbf16>) grid [10, 10] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : tensor<104x192xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<104x192xf32>) {
    %a = tile.load %x[%m, %k] [104, 64] : !tile.view<1024x1024xbf16> -> tensor<104x64xbf16>
    %b = tile.load %w[%n, %k] [192, 64] : !tile.view<1920x1024xbf16> -> tensor<192x64xbf16>
    %s = tile.dot %a, %b, %acc transpose_b : tensor<104x64xbf16>, tensor<192x64xbf16>, tensor<104x192xf32> -> tensor<104x192xf32>
    scf.yield %s : tensor<104x192xf32>
  }
  %o = tile.cast %r : tensor<104x192xf32> to tensor<104x192xbf16>
  tile.store %o, %y[%m, %n] : tensor<104x192xbf16>, !tile.view<1024x1920xbf16>
}

// Two groups share the 128 columns.
// CHECK-LABEL: tile.kernel @two_of_columns(
// CHECK:         attributes {tile_gpu.plan = #[[TWO]]
// CHECK:         tile.dot {{.*}} -> tensor<128x192xf32>
tile.kernel @two_of_columns(%x: !tile.view<1920x1024xbf16>, %w: !tile.view<1024x1024xbf16>) outs(%y: !tile.view<1920x1024xbf16>) grid [10, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : tensor<192x128xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<192x128xf32>) {
    %a = tile.load %x[%m, %k] [192, 64] : !tile.view<1920x1024xbf16> -> tensor<192x64xbf16>
    %b = tile.load %w[%n, %k] [128, 64] : !tile.view<1024x1024xbf16> -> tensor<128x64xbf16>
    %s = tile.dot %a, %b, %acc transpose_b : tensor<192x64xbf16>, tensor<128x64xbf16>, tensor<192x128xf32> -> tensor<192x128xf32>
    scf.yield %s : tensor<192x128xf32>
  }
  %o = tile.cast %r : tensor<192x128xf32> to tensor<192x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<192x128xbf16>, !tile.view<1920x1024xbf16>
}

// 108 accumulators per thread.
// CHECK-LABEL: tile.kernel @too_wide(
// CHECK:         attributes {tile_gpu.plan = #[[NONE]]
tile.kernel @too_wide(%x: !tile.view<1920x1024xbf16>, %w: !tile.view<1080x1024xbf16>) outs(%y: !tile.view<1920x1080xbf16>) grid [10, 5] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : tensor<192x216xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<192x216xf32>) {
    %a = tile.load %x[%m, %k] [192, 64] : !tile.view<1920x1024xbf16> -> tensor<192x64xbf16>
    %b = tile.load %w[%n, %k] [216, 64] : !tile.view<1080x1024xbf16> -> tensor<216x64xbf16>
    %s = tile.dot %a, %b, %acc transpose_b : tensor<192x64xbf16>, tensor<216x64xbf16>, tensor<192x216xf32> -> tensor<192x216xf32>
    scf.yield %s : tensor<192x216xf32>
  }
  %o = tile.cast %r : tensor<192x216xf32> to tensor<192x216xbf16>
  tile.store %o, %y[%m, %n] : tensor<192x216xbf16>, !tile.view<1920x1080xbf16>
}
