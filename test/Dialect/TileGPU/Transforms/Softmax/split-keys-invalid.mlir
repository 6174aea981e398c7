// RUN: tilegpt-opt %s --tile-gpu-split-keys --split-input-file --verify-diagnostics

// Blocks with copies must have something to split.
// expected-error @+1 {{has 2 replicas of each block, whose keys cannot be split: it has no loop of an online softmax}}
tile.kernel @nothing(%y: !tile.view<4xf32>) outs(%z: !tile.view<4xf32>) grid [2] attributes {tile_gpu.copies_of_blocks = 2 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %y[%c0] [4] : !tile.view<4xf32> -> tensor<4xf32>
  tile.store %t, %z[%c0] : tensor<4xf32>, !tile.view<4xf32>
}

// -----

!K = !tile.view<1024x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// expected-error @+1 {{has 2 replicas of each block, whose keys cannot be split: its number of blocks is not known}}
tile.kernel @any_grid(%n: !tile.view<?xf32>, %q: !tile.view<4x64xbf16>, %k: !K, %v: !K, %hide: !tile.view<64xi1>) outs(%y: !tile.view<4x64xf32>) grid [dim(%n, 0)] attributes {tile_gpu.copies_of_blocks = 2 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<0.0> : !C
  %zo = arith.constant dense<0.0> : !S
  %hidden = arith.constant dense<0xFF800000> : !S
  %sc = arith.constant dense<0.125> : !S
  %sc1 = arith.constant dense<0.125> : !C
  %qt = tile.load %q[%c0, %c0] [4, 64] : !tile.view<4x64xbf16> -> tensor<4x64xbf16>
  %ht = tile.load %hide[%c0] [64] : !tile.view<64xi1> -> tensor<64xi1>
  %hb = tile.broadcast %ht [4, 64] : tensor<64xi1> -> tensor<4x64xi1>
  %m, %l, %o = scf.for %j = %c0 to %c16 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, !S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %s = arith.select %hb, %hidden, %x : tensor<4x64xi1>, !S
    %mt = tile.reduce max %s axis 1 keepdims : !S -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [4, 64] : !C -> !S
    %sd = arith.subf %s, %mb : !S
    %sx = arith.mulf %sd, %sc : !S
    %e = math.exp %sx : !S
    %md = arith.subf %mi, %mn : !C
    %mx = arith.mulf %md, %sc1 : !C
    %a = math.exp %mx : !C
    %lt = tile.reduce add %e axis 1 keepdims : !S -> !C
    %la = arith.mulf %li, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [4, 64] : !C -> !S
    %oa = arith.mulf %oi, %ab : !S
    %w = tile.cast %e : !S to tensor<4x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<4x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %mn, %ln, %on : !C, !C, !S
  }
  %lb = tile.broadcast %l [4, 64] : !C -> !S
  %r = arith.divf %o, %lb : !S
  tile.store %r, %y[%c0, %c0] : !S, !tile.view<4x64xf32>
}
