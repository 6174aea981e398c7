// Dots that tensor cores compute only with reduced precision: remarks say how to allow it.
// RUN: tilegpt-opt %s --arch=sm_90a --emit=report 2>&1 | FileCheck %s
// RUN: tilegpt-opt %s --arch=sm_90a --tf32 --fast-f8 --emit=report 2>&1 | FileCheck %s --check-prefix=FAST

!V = !tile.view<256x256xf8E4M3FN>
!W = !tile.view<256x256xf32>
!O = !tile.view<256x256xf32>
!S = tensor<64x64xf32>

// CHECK: main-loop missed: wgmma does not multiply f8E4M3FN by f8E4M3FN to f32 at full precision; allow reduced precision with --fast-f8, or precision(fast) on the dot
// FAST-NOT: main-loop missed
tile.kernel @eighths(%x: !V, %w: !V) outs(%y: !O) grid [4, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant dense<0.0> : !S
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %z) -> (!S) {
    %xt = tile.load %x[%m, %k] [64, 64] : !V -> tensor<64x64xf8E4M3FN>
    %wt = tile.load %w[%n, %k] [64, 64] : !V -> tensor<64x64xf8E4M3FN>
    %d = tile.dot %xt, %wt, %a transpose_b : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%m, %n] : !S, !O
}

// CHECK: main-loop missed: wgmma does not multiply f32 by f32 to f32 at full precision; allow 10 of 23 bits with --tf32, or precision(tf32) on the dot
tile.kernel @words(%x: !W, %w: !W) outs(%y: !O) grid [4, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : !S
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%a = %z) -> (!S) {
    %xt = tile.load %x[%m, %k] [64, 32] : !W -> tensor<64x32xf32>
    %wt = tile.load %w[%n, %k] [64, 32] : !W -> tensor<64x32xf32>
    %d = tile.dot %xt, %wt, %a transpose_b : tensor<64x32xf32>, tensor<64x32xf32>, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%m, %n] : !S, !O
}
