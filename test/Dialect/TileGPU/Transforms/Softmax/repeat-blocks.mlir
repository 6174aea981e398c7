// RUN: tilegpt-opt %s --tile-gpu-repeat-blocks --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-repeat-blocks="target=sm_80" --split-input-file | FileCheck %s --check-prefix=SM80
// SM80-NOT: copies_of_blocks

!K = !tile.view<8192x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// Two blocks of 8192 keys become 16 of 1024 as clusters of eight, and 56 of 292 as seven of four each.
// CHECK-LABEL: tile.kernel @few_blocks
// CHECK:         grid [14] attributes {tile_gpu.copies_of_blocks = 7 : i64}
// CHECK:         %[[BLOCK:.*]] = tile.block_id 0
// CHECK:         %[[C7:.*]] = arith.constant 7 : index
// CHECK:         %[[QUOTIENT:.*]] = arith.divui %[[BLOCK]], %[[C7]]
// CHECK:         %[[H:.*]] = tile.assume %[[QUOTIENT]] bounded [0, 1]
// CHECK:         %[[COUNT:.*]] = tile.num_blocks 0
// CHECK:         %[[N:.*]] = arith.divui %[[COUNT]], %{{.*}}
// CHECK:         %[[LAST:.*]] = arith.subi %[[N]]
// CHECK:         arith.cmpi eq, %[[H]], %[[LAST]]
tile.kernel @few_blocks(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K, %hide: !tile.view<64xi1>) outs(%y: !tile.view<4x64xf32>) grid [2] {
  %h = tile.block_id 0
  %n = tile.num_blocks 0
  %c1x = arith.constant 1 : index
  %last = arith.subi %n, %c1x : index
  %isLast = arith.cmpi eq, %h, %last : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 128 : index
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

// -----

!K = !tile.view<1024x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// The savings are less than the cost of merging.
// CHECK-LABEL: tile.kernel @few_keys
// CHECK-NOT:     copies_of_blocks
tile.kernel @few_keys(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K, %hide: !tile.view<64xi1>) outs(%y: !tile.view<4x64xf32>) grid [2] {
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

// -----

!K = !tile.view<8192x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// Clusters of eight fill the device.
// CHECK-LABEL: tile.kernel @enough_blocks
// CHECK-NOT:     copies_of_blocks
tile.kernel @enough_blocks(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K, %hide: !tile.view<64xi1>) outs(%y: !tile.view<4x64xf32>) grid [14] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 128 : index
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

// -----

!K = !tile.view<8192x64xbf16>
!C = tensor<4x1xf32>
!S = tensor<4x64xf32>

// A loop that cannot be split is not repeated.
// CHECK-LABEL: tile.kernel @begins_with_one
// CHECK-NOT:     copies_of_blocks
tile.kernel @begins_with_one(%q: !tile.view<4x64xbf16>, %k: !K, %v: !K, %hide: !tile.view<64xi1>) outs(%y: !tile.view<4x64xf32>) grid [2] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 128 : index
  %low = arith.constant dense<0xFF800000> : !C
  %z1 = arith.constant dense<1.0> : !C
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
