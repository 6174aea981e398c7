// Iterations of few keys become fewer ones of 128.
// RUN: tilegpt-opt %s --tile-gpu-join-iterations --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-join-iterations --split-input-file --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: tilegpt-opt %s --tile-gpu-join-iterations=target=sm_80 --split-input-file | FileCheck %s --check-prefix=SM80
// SM80-NOT: tensor<128x128xf32>

!Q = !tile.view<2048x64xbf16>
!V = !tile.view<32x2048x64xbf16>
!K = tensor<64x64xbf16>
!H = tensor<128x64xbf16>
!P = tensor<128x64xf32>
!C = tensor<128x1xf32>

// Two iterations for each 64 rows.
// CHECK-LABEL: tile.kernel @even(
// CHECK:         %[[END:.*]] = arith.ceildivui %{{.*}}, %c2
// CHECK:         scf.for %[[J:.*]] = %{{.*}} to %[[END]] step
// CHECK:           tile.load %{{.*}}[%[[J]], %{{.*}}] [128, 64]
// CHECK:           tile.load %{{.*}}[%[[J]], %{{.*}}] [128, 64]
// CHECK:           arith.muli %[[J]], %c128
// CHECK:           tile.dot {{.*}} : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32>
// WHY: @even: tile: 2 iterations become one
tile.kernel @even(%q: !V, %k: !V, %v: !V) outs(%y: !V) grid [16, 32] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !V -> !Q
  %kh = tile.select %k[%h] : !V -> !Q
  %vh = tile.select %v[%h] : !V -> !Q
  %yh = tile.select %y[%h] : !V -> !Q
  %qt = tile.load %qh[%i, %c0] [128, 64] : !Q -> !H
  %rows = tile.iota [128] : tensor<128xi32>
  %iota = tile.iota [64] : tensor<64xi32>
  %c128 = arith.constant 128 : index
  %start = arith.muli %i, %c128 : index
  %si = arith.index_cast %start : index to i32
  %ss = tile.splat %si [128] : i32 -> tensor<128xi32>
  %qp = arith.addi %rows, %ss : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 64] : tensor<128x1xi32> -> tensor<128x64xi32>
  %c2 = arith.constant 2 : index
  %next = arith.addi %i, %c1 : index
  %end = arith.muli %next, %c2 : index
  %z:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %zeros) -> (!C, !C, !P) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !Q -> !K
    %vt = tile.load %vh[%j, %c0] [64, 64] : !Q -> !K
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %iota : tensor<64xi32>
    %kpos = tile.broadcast %kp [128, 64] : tensor<64xi32> -> tensor<128x64xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<128x64xi32>
    %x = tile.dot %qt, %kt, %zeros transpose_b : !H, !K, !P -> !P
    %s = arith.select %seen, %x, %hidden : tensor<128x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [128, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [128, 64] : !C -> !P
    %oa = arith.mulf %o, %ab : !P
    %w = tile.cast %e : !P to !H
    %on = tile.dot %w, %vt, %oa : !H, !K, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %z#1 [128, 64] : !C -> !P
  %r = arith.divf %z#2, %lb : !P
  %rb = tile.cast %r : !P to !H
  tile.store %rb, %yh[%i, %c0] : !H, !Q
}

// -----

!Q = !tile.view<2048x64xbf16>
!V = !tile.view<32x2048x64xbf16>
!K = tensor<64x64xbf16>
!H = tensor<128x64xbf16>
!P = tensor<128x64xf32>
!C = tensor<128x1xf32>

// The last iteration of an odd number shows keys of which the mask hides those behind the end.
// CHECK-LABEL: tile.kernel @hidden(
// CHECK:         scf.for
// CHECK:           tile.dot {{.*}} : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32>
tile.kernel @hidden(%q: !V, %k: !V, %v: !V) outs(%y: !V) grid [16, 32] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<-1.0e+30> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !V -> !Q
  %kh = tile.select %k[%h] : !V -> !Q
  %vh = tile.select %v[%h] : !V -> !Q
  %yh = tile.select %y[%h] : !V -> !Q
  %qt = tile.load %qh[%i, %c0] [128, 64] : !Q -> !H
  %zero = arith.constant dense<0> : tensor<128xi32>
  %rows = tile.iota [128] : tensor<128xi32>
  %iota = tile.iota [64] : tensor<64xi32>
  %c128 = arith.constant 128 : index
  %start = arith.muli %i, %c128 : index
  %si = arith.index_cast %start : index to i32
  %ss = tile.splat %si [128] : i32 -> tensor<128xi32>
  %far = arith.constant dense<64> : tensor<128xi32>
  %after = arith.addi %rows, %ss : tensor<128xi32>
  %qp0 = arith.subi %after, %far : tensor<128xi32>
  %qp = arith.addi %qp0, %zero : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 64] : tensor<128x1xi32> -> tensor<128x64xi32>
  %c2 = arith.constant 2 : index
  %first = arith.muli %i, %c2 : index
  %end = arith.addi %first, %c1 : index
  %z:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %zeros) -> (!C, !C, !P) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !Q -> !K
    %vt = tile.load %vh[%j, %c0] [64, 64] : !Q -> !K
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %iota : tensor<64xi32>
    %kpos = tile.broadcast %kp [128, 64] : tensor<64xi32> -> tensor<128x64xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<128x64xi32>
    %x = tile.dot %qt, %kt, %zeros transpose_b : !H, !K, !P -> !P
    %s = arith.select %seen, %x, %hidden : tensor<128x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [128, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [128, 64] : !C -> !P
    %oa = arith.mulf %o, %ab : !P
    %w = tile.cast %e : !P to !H
    %on = tile.dot %w, %vt, %oa : !H, !K, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %z#1 [128, 64] : !C -> !P
  %r = arith.divf %z#2, %lb : !P
  %rb = tile.cast %r : !P to !H
  tile.store %rb, %yh[%i, %c0] : !H, !Q
}

// -----

!Q = !tile.view<2048x64xbf16>
!V = !tile.view<32x2048x64xbf16>
!K = tensor<64x64xbf16>
!H = tensor<128x64xbf16>
!P = tensor<128x64xf32>
!C = tensor<128x1xf32>

// The loop ends where keys do: it has no iteration without a key.
// CHECK-LABEL: tile.kernel @lengths(
// CHECK:         scf.for
// CHECK:           tile.dot {{.*}} : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32>
tile.kernel @lengths(%q: !V, %k: !V, %v: !V, %n: i32) outs(%y: !V) grid [16, 32] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !V -> !Q
  %kh = tile.select %k[%h] : !V -> !Q
  %vh = tile.select %v[%h] : !V -> !Q
  %yh = tile.select %y[%h] : !V -> !Q
  %qt = tile.load %qh[%i, %c0] [128, 64] : !Q -> !H
  %rows = tile.iota [128] : tensor<128xi32>
  %iota = tile.iota [64] : tensor<64xi32>
  %c128 = arith.constant 128 : index
  %start = arith.muli %i, %c128 : index
  %si = arith.index_cast %start : index to i32
  %ss = tile.splat %si [128] : i32 -> tensor<128xi32>
  %qp = arith.addi %rows, %ss : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 64] : tensor<128x1xi32> -> tensor<128x64xi32>
  %c63_i32 = arith.constant 63 : i32
  %c64_i32 = arith.constant 64 : i32
  %up = arith.addi %n, %c63_i32 : i32
  %steps = arith.divsi %up, %c64_i32 : i32
  %end = arith.index_cast %steps : i32 to index
  %length = tile.splat %n [128, 64] : i32 -> tensor<128x64xi32>
  %z:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %zeros) -> (!C, !C, !P) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !Q -> !K
    %vt = tile.load %vh[%j, %c0] [64, 64] : !Q -> !K
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %iota : tensor<64xi32>
    %kpos = tile.broadcast %kp [128, 64] : tensor<64xi32> -> tensor<128x64xi32>
    %seen = arith.cmpi slt, %kpos, %length : tensor<128x64xi32>
    %x = tile.dot %qt, %kt, %zeros transpose_b : !H, !K, !P -> !P
    %s = arith.select %seen, %x, %hidden : tensor<128x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [128, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [128, 64] : !C -> !P
    %oa = arith.mulf %o, %ab : !P
    %w = tile.cast %e : !P to !H
    %on = tile.dot %w, %vt, %oa : !H, !K, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %z#1 [128, 64] : !C -> !P
  %r = arith.divf %z#2, %lb : !P
  %rb = tile.cast %r : !P to !H
  tile.store %rb, %yh[%i, %c0] : !H, !Q
}

// -----

!Q = !tile.view<2048x64xbf16>
!V = !tile.view<32x2048x64xbf16>
!K = tensor<64x64xbf16>
!H = tensor<128x64xbf16>
!P = tensor<128x64xf32>
!C = tensor<128x1xf32>

// The keys behind an odd number of iterations are not hidden.
// CHECK-LABEL: tile.kernel @shown(
// CHECK:         scf.for
// CHECK:           tile.dot {{.*}} : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
tile.kernel @shown(%q: !V, %k: !V, %v: !V) outs(%y: !V) grid [16, 32] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !V -> !Q
  %kh = tile.select %k[%h] : !V -> !Q
  %vh = tile.select %v[%h] : !V -> !Q
  %yh = tile.select %y[%h] : !V -> !Q
  %qt = tile.load %qh[%i, %c0] [128, 64] : !Q -> !H
  %rows = tile.iota [128] : tensor<128xi32>
  %iota = tile.iota [64] : tensor<64xi32>
  %c128 = arith.constant 128 : index
  %start = arith.muli %i, %c128 : index
  %si = arith.index_cast %start : index to i32
  %ss = tile.splat %si [128] : i32 -> tensor<128xi32>
  %qp = arith.addi %rows, %ss : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 64] : tensor<128x1xi32> -> tensor<128x64xi32>
  %end = arith.constant 31 : index
  %z:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %zeros) -> (!C, !C, !P) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !Q -> !K
    %vt = tile.load %vh[%j, %c0] [64, 64] : !Q -> !K
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %iota : tensor<64xi32>
    %kpos = tile.broadcast %kp [128, 64] : tensor<64xi32> -> tensor<128x64xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<128x64xi32>
    %x = tile.dot %qt, %kt, %zeros transpose_b : !H, !K, !P -> !P
    %s = arith.select %seen, %x, %hidden : tensor<128x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [128, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [128, 64] : !C -> !P
    %oa = arith.mulf %o, %ab : !P
    %w = tile.cast %e : !P to !H
    %on = tile.dot %w, %vt, %oa : !H, !K, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %z#1 [128, 64] : !C -> !P
  %r = arith.divf %z#2, %lb : !P
  %rb = tile.cast %r : !P to !H
  tile.store %rb, %yh[%i, %c0] : !H, !Q
}

// -----

!Q = !tile.view<2048x64xbf16>
!V = !tile.view<32x2048x64xbf16>
!K = tensor<64x64xbf16>
!H = tensor<128x64xbf16>
!P = tensor<128x64xf32>
!C = tensor<128x1xf32>

// The loop begins at an odd iteration.
// CHECK-LABEL: tile.kernel @begins_between(
// CHECK:         scf.for
// CHECK:           tile.dot {{.*}} : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
tile.kernel @begins_between(%q: !V, %k: !V, %v: !V) outs(%y: !V) grid [16, 32] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !V -> !Q
  %kh = tile.select %k[%h] : !V -> !Q
  %vh = tile.select %v[%h] : !V -> !Q
  %yh = tile.select %y[%h] : !V -> !Q
  %qt = tile.load %qh[%i, %c0] [128, 64] : !Q -> !H
  %rows = tile.iota [128] : tensor<128xi32>
  %iota = tile.iota [64] : tensor<64xi32>
  %c128 = arith.constant 128 : index
  %start = arith.muli %i, %c128 : index
  %si = arith.index_cast %start : index to i32
  %ss = tile.splat %si [128] : i32 -> tensor<128xi32>
  %qp = arith.addi %rows, %ss : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 64] : tensor<128x1xi32> -> tensor<128x64xi32>
  %end = arith.constant 32 : index
  %z:3 = scf.for %j = %c1 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %zeros) -> (!C, !C, !P) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !Q -> !K
    %vt = tile.load %vh[%j, %c0] [64, 64] : !Q -> !K
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %iota : tensor<64xi32>
    %kpos = tile.broadcast %kp [128, 64] : tensor<64xi32> -> tensor<128x64xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<128x64xi32>
    %x = tile.dot %qt, %kt, %zeros transpose_b : !H, !K, !P -> !P
    %s = arith.select %seen, %x, %hidden : tensor<128x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [128, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [128, 64] : !C -> !P
    %oa = arith.mulf %o, %ab : !P
    %w = tile.cast %e : !P to !H
    %on = tile.dot %w, %vt, %oa : !H, !K, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %z#1 [128, 64] : !C -> !P
  %r = arith.divf %z#2, %lb : !P
  %rb = tile.cast %r : !P to !H
  tile.store %rb, %yh[%i, %c0] : !H, !Q
}

// -----

!Q = !tile.view<2048x64xbf16>
!V = !tile.view<32x2048x64xbf16>
!K = tensor<64x64xbf16>
!H = tensor<128x64xbf16>
!P = tensor<128x64xf32>
!C = tensor<128x1xf32>

// Halves of joined iterations, which the compiler requests where threads spill, are the kernel's own.
// CHECK-LABEL: tile.kernel @halves(
// CHECK-NOT:     pieces
// CHECK:         scf.for
// CHECK:           tile.dot {{.*}} : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
tile.kernel @halves(%q: !V, %k: !V, %v: !V) outs(%y: !V) grid [16, 32] attributes {tile.wanted_plan = {pieces = 2}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !V -> !Q
  %kh = tile.select %k[%h] : !V -> !Q
  %vh = tile.select %v[%h] : !V -> !Q
  %yh = tile.select %y[%h] : !V -> !Q
  %qt = tile.load %qh[%i, %c0] [128, 64] : !Q -> !H
  %rows = tile.iota [128] : tensor<128xi32>
  %iota = tile.iota [64] : tensor<64xi32>
  %c128 = arith.constant 128 : index
  %start = arith.muli %i, %c128 : index
  %si = arith.index_cast %start : index to i32
  %ss = tile.splat %si [128] : i32 -> tensor<128xi32>
  %qp = arith.addi %rows, %ss : tensor<128xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qpos = tile.broadcast %qc [128, 64] : tensor<128x1xi32> -> tensor<128x64xi32>
  %c2 = arith.constant 2 : index
  %next = arith.addi %i, %c1 : index
  %end = arith.muli %next, %c2 : index
  %z:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %zeros) -> (!C, !C, !P) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !Q -> !K
    %vt = tile.load %vh[%j, %c0] [64, 64] : !Q -> !K
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %iota : tensor<64xi32>
    %kpos = tile.broadcast %kp [128, 64] : tensor<64xi32> -> tensor<128x64xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<128x64xi32>
    %x = tile.dot %qt, %kt, %zeros transpose_b : !H, !K, !P -> !P
    %s = arith.select %seen, %x, %hidden : tensor<128x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [128, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [128, 64] : !C -> !P
    %oa = arith.mulf %o, %ab : !P
    %w = tile.cast %e : !P to !H
    %on = tile.dot %w, %vt, %oa : !H, !K, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %z#1 [128, 64] : !C -> !P
  %r = arith.divf %z#2, %lb : !P
  %rb = tile.cast %r : !P to !H
  tile.store %rb, %yh[%i, %c0] : !H, !Q
}
