// RUN: tilegpt-opt %s --tile-gpu-make-plan=target=sm_90a | FileCheck %s

// Threads of a kernel without loops get the registers of 16 warps.
// CHECK-LABEL: tile.kernel @sum
// CHECK:         tile_gpu.least_residents = 4 : i64
tile.kernel @sum(%x: !tile.view<4096x64xf32>, %r: !tile.view<4096x64xf32>) outs(%y: !tile.view<4096x64xf32>) grid [128] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%n, %c0] [32, 64] : !tile.view<4096x64xf32> -> tensor<32x64xf32>
  %b = tile.load %r[%n, %c0] [32, 64] : !tile.view<4096x64xf32> -> tensor<32x64xf32>
  %s = arith.addf %a, %b : tensor<32x64xf32>
  tile.store %s, %y[%n, %c0] : tensor<32x64xf32>, !tile.view<4096x64xf32>
}

// Those of a reduction loop get the registers of 24 warps …
// CHECK-LABEL: tile.kernel @columns
// CHECK:         tile_gpu.least_residents = 6 : i64
tile.kernel @columns(%x: !tile.view<4096x64xf32>) outs(%y: !tile.view<32x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %r = scf.for %i = %c0 to %c128 step %c1 iter_args(%a = %z) -> (tensor<32x64xf32>) {
    %t = tile.load %x[%i, %c0] [32, 64] : !tile.view<4096x64xf32> -> tensor<32x64xf32>
    %b = arith.addf %a, %t : tensor<32x64xf32>
    scf.yield %b : tensor<32x64xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<32x64xf32>, !tile.view<32x64xf32>
}

// … or of all blocks, if those are a few more.
// CHECK-LABEL: tile.kernel @many_columns
// CHECK:         tile_gpu.least_residents = 7 : i64
tile.kernel @many_columns(%x: !tile.view<4096x57600xf32>) outs(%y: !tile.view<32x57600xf32>) grid [900] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %r = scf.for %i = %c0 to %c128 step %c1 iter_args(%a = %z) -> (tensor<32x64xf32>) {
    %t = tile.load %x[%i, %n] [32, 64] : !tile.view<4096x57600xf32> -> tensor<32x64xf32>
    %b = arith.addf %a, %t : tensor<32x64xf32>
    scf.yield %b : tensor<32x64xf32>
  }
  tile.store %r, %y[%c0, %n] : tensor<32x64xf32>, !tile.view<32x57600xf32>
}

// Other loops, dots, and loops whose warps read a row in several narrow pieces leave the choice to ptxas.
// CHECK-LABEL: tile.kernel @narrow_pieces
// CHECK-NOT:     tile_gpu.least_residents
// CHECK-LABEL: tile.kernel @copies
// CHECK-NOT:     tile_gpu.least_residents
// CHECK-LABEL: tile.kernel @product
// CHECK-NOT:   least_residents
// A dot with few rows becomes a sum of products, whose blocks share a multiprocessor.
// CHECK-LABEL: tile.kernel @one_row
// CHECK-NOT:     tile_gpu.least_residents
tile.kernel @narrow_pieces(%x: !tile.view<4096x67xf32>) outs(%y: !tile.view<32x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %r = scf.for %i = %c0 to %c128 step %c1 iter_args(%a = %z) -> (tensor<32x64xf32>) {
    %t = tile.load %x[%i, %c0] [32, 64] : !tile.view<4096x67xf32> -> tensor<32x64xf32>
    %b = arith.addf %a, %t : tensor<32x64xf32>
    scf.yield %b : tensor<32x64xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<32x64xf32>, !tile.view<32x64xf32>
}
tile.kernel @copies(%x: !tile.view<4096x64xf32>) outs(%y: !tile.view<4096x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  scf.for %i = %c0 to %c128 step %c1 {
    %t = tile.load %x[%i, %c0] [32, 64] : !tile.view<4096x64xf32> -> tensor<32x64xf32>
    tile.store %t, %y[%i, %c0] : tensor<32x64xf32>, !tile.view<4096x64xf32>
  }
}
tile.kernel @product(%x: !tile.view<64x64xbf16>, %w: !tile.view<64x64xbf16>) outs(%y: !tile.view<64x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile.load %x[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %b = tile.load %w[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %d = tile.dot %a, %b, %z transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  tile.store %d, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}
tile.kernel @one_row(%x: !tile.view<1x2048xbf16>, %w: !tile.view<4096x2048xbf16>) outs(%y: !tile.view<1x4096xf32>) grid [512] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<1x8xf32>
  %a = tile.load %x[%c0, %c0] [1, 2048] : !tile.view<1x2048xbf16> -> tensor<1x2048xbf16>
  %b = tile.load %w[%n, %c0] [8, 2048] : !tile.view<4096x2048xbf16> -> tensor<8x2048xbf16>
  %d = tile.dot %a, %b, %zero transpose_b : tensor<1x2048xbf16>, tensor<8x2048xbf16>, tensor<1x8xf32> -> tensor<1x8xf32>
  tile.store %d, %y[%c0, %n] : tensor<1x8xf32>, !tile.view<1x4096xf32>
}
