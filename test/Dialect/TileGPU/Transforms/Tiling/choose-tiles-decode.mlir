// Decode attention with heads of 256 elements: a block is alone on its multiprocessor. Two stages of 64 keys are preferred to three
// of 32, where they fit.
// RUN: tilegpt-opt %s --tile-gpu-choose-tiles=target=sm_90a | FileCheck %s --check-prefix=HOPPER
// RUN: tilegpt-opt %s --tile-gpu-choose-tiles=target=sm_86 | FileCheck %s

// HOPPER-LABEL: tile.kernel @decode_wide(
// HOPPER: params {G = 4, BN = 64 in [64]}
// CHECK-LABEL: tile.kernel @decode_wide(
// CHECK: params {G = 4, BN = 32 in [32]}
!Group = !tile.view<64x4x256xbf16>
!Cache = !tile.view<64x4096x256xbf16>
tile.kernel @decode_wide(%q: !Group, %k: !Cache, %v: !Cache) outs(%y: !tile.view<64x4x256xf32>)
    params {G = 4, BN = 64 in [16, 32, 64, 128, 256]} grid [dim(%q, 0)] {
  %h = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %zero = tile.splat %z [G, BN] : f32 -> tensor<?x?xf32>
  %sum = tile.splat %z [G, 256] : f32 -> tensor<?x256xf32>
  %qh = tile.select %q[%h] : !Group -> !tile.view<4x256xbf16>
  %kh = tile.select %k[%h] : !Cache -> !tile.view<4096x256xbf16>
  %vh = tile.select %v[%h] : !Cache -> !tile.view<4096x256xbf16>
  %yh = tile.select %y[%h] : !tile.view<64x4x256xf32> -> !tile.view<4x256xf32>
  %qt = tile.load %qh[%c0, %c0] [G, 256] : !tile.view<4x256xbf16> -> tensor<?x256xbf16>
  %n = tile.num_tiles %kh, 0 by [BN] : !tile.view<4096x256xbf16>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %sum) -> (tensor<?x256xf32>) {
    %kt = tile.load %kh[%j, %c0] [BN, 256] : !tile.view<4096x256xbf16> -> tensor<?x256xbf16>
    %vt = tile.load %vh[%j, %c0] [BN, 256] : !tile.view<4096x256xbf16> -> tensor<?x256xbf16>
    %s = tile.dot %qt, %kt, %zero transpose_b : tensor<?x256xbf16>, tensor<?x256xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    %w = tile.cast %s : tensor<?x?xf32> to tensor<?x?xbf16>
    %o = tile.dot %w, %vt, %acc : tensor<?x?xbf16>, tensor<?x256xbf16>, tensor<?x256xf32> -> tensor<?x256xf32>
    scf.yield %o : tensor<?x256xf32>
  }
  tile.store %r, %yh[%c0, %c0] : tensor<?x256xf32>, !tile.view<4x256xf32>
}
