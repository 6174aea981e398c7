// RUN: tilegpt-opt %s --tile-gpu-resize-tiles --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-resize-tiles --split-input-file --explain 2>&1 | FileCheck %s --check-prefix=WHY

// The sums of 256 x 256 elements would take all registers of a multiprocessor: a block computes half of the rows.
// CHECK-LABEL: tile.kernel @square(
// CHECK:         grid [ceildiv(dim(%arg2, 0), 128), ceildiv(dim(%arg2, 1), 256)]
// CHECK:         scf.for {{.*}} -> (tensor<128x256xf32>)
// CHECK:           tile.load %arg0{{.*}} [128, 64]
// CHECK:           tile.load %arg1{{.*}} [256, 64]
// CHECK:         math.exp %{{.*}} : tensor<128x256xf32>
// CHECK:         tile.store %{{.*}} : tensor<128x256xbf16>
// WHY: @square: tile: tiles of 256 are cut to 128, for whose sums of dots a block has registers
!V = !tile.view<?x?xbf16>
tile.kernel @square(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 256), ceildiv(dim(%y, 1), 256)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<256x256xf32>
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %s = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<256x256xf32>) {
    %at = tile.load %a[%m, %k] [256, 64] : !V -> tensor<256x64xbf16>
    %bt = tile.load %b[%n, %k] [256, 64] : !V -> tensor<256x64xbf16>
    %d = tile.dot %at, %bt, %acc transpose_b : tensor<256x64xbf16>, tensor<256x64xbf16>, tensor<256x256xf32> -> tensor<256x256xf32>
    scf.yield %d : tensor<256x256xf32>
  }
  %e = math.exp %s : tensor<256x256xf32>
  %r = tile.cast %e : tensor<256x256xf32> to tensor<256x256xbf16>
  tile.store %r, %y[%m, %n] : tensor<256x256xbf16>, !V
}

// -----

// Two warp groups have registers for 256 x 208.
// CHECK-LABEL: tile.kernel @fitting(
// CHECK:         grid [ceildiv(dim(%arg2, 0), 256), ceildiv(dim(%arg2, 1), 208)]
!V = !tile.view<?x?xbf16>
tile.kernel @fitting(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 256), ceildiv(dim(%y, 1), 208)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<256x208xf32>
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %s = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<256x208xf32>) {
    %at = tile.load %a[%m, %k] [256, 64] : !V -> tensor<256x64xbf16>
    %bt = tile.load %b[%n, %k] [208, 64] : !V -> tensor<208x64xbf16>
    %d = tile.dot %at, %bt, %acc transpose_b : tensor<256x64xbf16>, tensor<208x64xbf16>, tensor<256x208xf32> -> tensor<256x208xf32>
    scf.yield %d : tensor<256x208xf32>
  }
  %r = tile.cast %s : tensor<256x208xf32> to tensor<256x208xbf16>
  tile.store %r, %y[%m, %n] : tensor<256x208xbf16>, !V
}

// -----

// Two sums of 128 x 512 elements: columns are the longer axis, twice.
// CHECK-LABEL: tile.kernel @two_sums(
// CHECK:         grid [ceildiv(dim(%arg3, 0), 128), ceildiv(dim(%arg3, 1), 128)]
// CHECK:         scf.for {{.*}} -> (tensor<128x128xf32>, tensor<128x128xf32>)
// WHY: @two_sums: tile: tiles of 512 are cut to 256
// WHY: @two_sums: tile: tiles of 256 are cut to 128
!V = !tile.view<?x?xbf16>
tile.kernel @two_sums(%a: !V, %b: !V, %c: !V) outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 512)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<128x512xf32>
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %s:2 = scf.for %k = %c0 to %steps step %c1 iter_args(%p = %zero, %q = %zero) -> (tensor<128x512xf32>, tensor<128x512xf32>) {
    %at = tile.load %a[%m, %k] [128, 64] : !V -> tensor<128x64xbf16>
    %bt = tile.load %b[%k, %n] [64, 512] : !V -> tensor<64x512xbf16>
    %ct = tile.load %c[%k, %n] [64, 512] : !V -> tensor<64x512xbf16>
    %d = tile.dot %at, %bt, %p : tensor<128x64xbf16>, tensor<64x512xbf16>, tensor<128x512xf32> -> tensor<128x512xf32>
    %e = tile.dot %at, %ct, %q : tensor<128x64xbf16>, tensor<64x512xbf16>, tensor<128x512xf32> -> tensor<128x512xf32>
    scf.yield %d, %e : tensor<128x512xf32>, tensor<128x512xf32>
  }
  %r = arith.mulf %s#0, %s#1 : tensor<128x512xf32>
  tile.store %r, %y[%m, %n] : tensor<128x512xf32>, !tile.view<?x?xf32>
}

// -----

// Twelve warps have registers for 192 x 256 sums.
// CHECK-LABEL: tile.kernel @fits(
// CHECK:         grid [ceildiv(dim(%arg2, 0), 192), ceildiv(dim(%arg2, 1), 256)]
// WHY-NOT: @fits: tile
!V = !tile.view<?x?xbf16>
tile.kernel @fits(%a: !V, %b: !V) outs(%y: !tile.view<?x?xf32>)
    grid [ceildiv(dim(%y, 0), 192), ceildiv(dim(%y, 1), 256)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<192x256xf32>
  %at = tile.load %a[%m, %c0] [192, 64] : !V -> tensor<192x64xbf16>
  %bt = tile.load %b[%c0, %n] [64, 256] : !V -> tensor<64x256xbf16>
  %d = tile.dot %at, %bt, %zero : tensor<192x64xbf16>, tensor<64x256xbf16>, tensor<192x256xf32> -> tensor<192x256xf32>
  tile.store %d, %y[%m, %n] : tensor<192x256xf32>, !tile.view<?x?xf32>
}

// -----

// Sums in f64 take two registers each. The columns are summed afterwards, so that rows are cut although they are fewer.
// CHECK-LABEL: tile.kernel @wide(
// CHECK:         grid [ceildiv(dim(%arg2, 0), 64)]
// CHECK:         tile.reduce add %{{.*}} axis 1 : tensor<64x256xf64>
// WHY: @wide: tile: tiles of 128 are cut to 64
!V = !tile.view<?x?xf64>
tile.kernel @wide(%a: !V, %b: !V) outs(%y: !tile.view<?xf64>) grid [ceildiv(dim(%y, 0), 128)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<128x256xf64>
  %at = tile.load %a[%m, %c0] [128, 16] : !V -> tensor<128x16xf64>
  %bt = tile.load %b[%c0, %c0] [16, 256] : !V -> tensor<16x256xf64>
  %d = tile.dot %at, %bt, %zero : tensor<128x16xf64>, tensor<16x256xf64>, tensor<128x256xf64> -> tensor<128x256xf64>
  %s = tile.reduce add %d axis 1 : tensor<128x256xf64> -> tensor<128xf64>
  tile.store %s, %y[%m] : tensor<128xf64>, !tile.view<?xf64>
}

// -----

// The number of the block is not that of a tile.
// CHECK-LABEL: tile.kernel @ordered(
// CHECK:         tensor<256x256xf32>
// WHY: @ordered: tile missed: sums of dots take 65536 registers of a block's 65536, but its tiles are not cut: the block id is used other than to address tiles
!V = !tile.view<?x?xbf16>
tile.kernel @ordered(%a: !V, %b: !V) outs(%y: !tile.view<1024x1024xf32>) grid [16] {
  %p = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %m = arith.divui %p, %c4 : index
  %n = arith.remui %p, %c4 : index
  %zero = arith.constant dense<0.0> : tensor<256x256xf32>
  %at = tile.load %a[%m, %c0] [256, 64] : !V -> tensor<256x64xbf16>
  %bt = tile.load %b[%c0, %n] [64, 256] : !V -> tensor<64x256xbf16>
  %d = tile.dot %at, %bt, %zero : tensor<256x64xbf16>, tensor<64x256xbf16>, tensor<256x256xf32> -> tensor<256x256xf32>
  tile.store %d, %y[%m, %n] : tensor<256x256xf32>, !tile.view<1024x1024xf32>
}
