// Products of a batch share the multiprocessors: many small ones get large tiles, a single one small tiles.
// RUN: tilegpt-opt %s --tile-gpu-choose-tiles=target=sm_80 | FileCheck %s

// CHECK-LABEL: tile.kernel @many(
// CHECK:       params {BM = 64 in [64], BN = 128 in [128]
!A = !tile.view<512x64x256xf16>
!B = !tile.view<256x128xf16>
!C = !tile.view<512x64x128xf16>
tile.kernel @many(%a: !A, %b: !B) outs(%c: !C)
    params {BM = 64 in [16, 32, 64], BN = 64 in [32, 64, 128], BK = 32 in [32, 64]}
    grid [ceildiv(dim(%c, 1), BM), ceildiv(dim(%c, 2), BN), dim(%c, 0)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %e = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %av = tile.select %a[%e] : !A -> !tile.view<64x256xf16>
  %cv = tile.select %c[%e] : !C -> !tile.view<64x128xf16>
  %steps = tile.num_tiles %b, 0 by [BK] : !B
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %at = tile.load %av[%m, %k] [BM, BK] : !tile.view<64x256xf16> -> tensor<?x?xf16>
    %bt = tile.load %b[%k, %n] [BK, BN] : !B -> tensor<?x?xf16>
    %next = tile.dot %at, %bt, %acc : tensor<?x?xf16>, tensor<?x?xf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xf16>
  tile.store %out, %cv[%m, %n] : tensor<?x?xf16>, !tile.view<64x128xf16>
}

// CHECK-LABEL: tile.kernel @single(
// CHECK:       params {BM = 16 in [16], BN = 32 in [32]
!D = !tile.view<64x256xf16>
!E = !tile.view<64x128xf16>
tile.kernel @single(%a: !D, %b: !B) outs(%c: !E)
    params {BM = 64 in [16, 32, 64], BN = 64 in [32, 64, 128], BK = 32 in [32, 64]}
    grid [ceildiv(dim(%c, 0), BM), ceildiv(dim(%c, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %b, 0 by [BK] : !B
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %at = tile.load %a[%m, %k] [BM, BK] : !D -> tensor<?x?xf16>
    %bt = tile.load %b[%k, %n] [BK, BN] : !B -> tensor<?x?xf16>
    %next = tile.dot %at, %bt, %acc : tensor<?x?xf16>, tensor<?x?xf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xf16>
  tile.store %out, %c[%m, %n] : tensor<?x?xf16>, !E
}
