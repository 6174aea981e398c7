// RUN: tilegpt-opt %s --tile-gpu-normalize-dots --split-input-file | FileCheck %s

!A = tensor<128x64xbf16>
!B = tensor<64x64xbf16>
!S = tensor<128x64xf32>
!T = tensor<64x64xf32>

// Gradients of keys and values: scores, masks and statistics of rows are computed with keys as rows, so that the left
// operands of the sums are in the registers that computed them.
// CHECK-LABEL: tile.kernel @gradients(
// CHECK:         scf.for
// CHECK:           %[[Q:.*]] = tile.load %arg0{{.*}} -> tensor<128x64xbf16>
// CHECK:           %[[G:.*]] = tile.load %arg3{{.*}} -> tensor<128x64xbf16>
// CHECK:           %[[L:.*]] = tile.load %arg4{{.*}} -> tensor<128xf32>
// CHECK:           %[[LR:.*]] = tile.expand_dims %[[L]], 0 : tensor<128xf32> -> tensor<1x128xf32>
// CHECK:           %[[S:.*]] = tile.dot %[[K:.*]], %[[Q]], %{{.*}} transpose_b : tensor<64x64xbf16>, tensor<128x64xbf16>, tensor<64x128xf32>
// CHECK:           %[[LB:.*]] = tile.broadcast %[[LR]] [64, 128]
// CHECK:           %[[D:.*]] = arith.subf %[[S]], %[[LB]] : tensor<64x128xf32>
// CHECK:           %[[P:.*]] = math.exp %[[D]] : tensor<64x128xf32>
// CHECK:           %[[SEEN:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : tensor<64x128xi32>
// CHECK:           %[[M:.*]] = arith.select %[[SEEN]], %[[P]], %{{.*}} : tensor<64x128xi1>, tensor<64x128xf32>
// CHECK:           %[[C:.*]] = tile.cast %[[M]] : tensor<64x128xf32> to tensor<64x128xbf16>
// CHECK:           tile.dot %[[C]], %[[G]], %{{.*}} : tensor<64x128xbf16>, tensor<128x64xbf16>, tensor<64x64xf32>
// CHECK:           %[[W:.*]] = tile.dot %[[V:.*]], %[[G]], %{{.*}} transpose_b
// CHECK:           %[[E:.*]] = arith.mulf %[[M]], %[[W]] : tensor<64x128xf32>
// CHECK:           %[[F:.*]] = tile.cast %[[E]] : tensor<64x128xf32> to tensor<64x128xbf16>
// CHECK:           tile.dot %[[F]], %[[Q]], %{{.*}} : tensor<64x128xbf16>, tensor<128x64xbf16>, tensor<64x64xf32>
// CHECK-NOT:       transpose_a
tile.kernel @gradients(%q: !tile.view<?x64xbf16>, %k: !tile.view<?x64xbf16>, %v: !tile.view<?x64xbf16>, %g: !tile.view<?x64xbf16>, %l: !tile.view<?xf32>)
    outs(%dk: !tile.view<?x64xf32>, %dv: !tile.view<?x64xf32>) grid [ceildiv(dim(%k, 0), 64)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : !T
  %none = arith.constant dense<0.0> : !S
  %kt = tile.load %k[%n, %c0] [64, 64] : !tile.view<?x64xbf16> -> !B
  %vt = tile.load %v[%n, %c0] [64, 64] : !tile.view<?x64xbf16> -> !B
  %columns = tile.iota [64] : tensor<64xi32>
  %steps = tile.num_tiles %q, 0 by [128] : !tile.view<?x64xbf16>
  %r:2 = scf.for %m = %c0 to %steps step %c1 iter_args(%ak = %zero, %av = %zero) -> (!T, !T) {
    %qt = tile.load %q[%m, %c0] [128, 64] : !tile.view<?x64xbf16> -> !A
    %gt = tile.load %g[%m, %c0] [128, 64] : !tile.view<?x64xbf16> -> !A
    %lt = tile.load %l[%m] [128] : !tile.view<?xf32> -> tensor<128xf32>
    %lc = tile.expand_dims %lt, 1 : tensor<128xf32> -> tensor<128x1xf32>
    %s = tile.dot %qt, %kt, %none transpose_b : !A, !B, !S -> !S
    %lb = tile.broadcast %lc [128, 64] : tensor<128x1xf32> -> !S
    %d = arith.subf %s, %lb : !S
    %e = math.exp %d : !S
    %rows = tile.iota [128] : tensor<128xi32>
    %first = arith.muli %m, %c128 : index
    %fi = arith.index_cast %first : index to i32
    %fs = tile.splat %fi [128] : i32 -> tensor<128xi32>
    %row = arith.addi %rows, %fs : tensor<128xi32>
    %rc = tile.expand_dims %row, 1 : tensor<128xi32> -> tensor<128x1xi32>
    %rb = tile.broadcast %rc [128, 64] : tensor<128x1xi32> -> tensor<128x64xi32>
    %cb = tile.broadcast %columns [128, 64] : tensor<64xi32> -> tensor<128x64xi32>
    %seen = arith.cmpi sge, %rb, %cb : tensor<128x64xi32>
    %p = arith.select %seen, %e, %none : tensor<128x64xi1>, !S
    %pc = tile.cast %p : !S to !A
    %nv = tile.dot %pc, %gt, %av transpose_a : !A, !A, !T -> !T
    %w = tile.dot %gt, %vt, %none transpose_b : !A, !B, !S -> !S
    %ds = arith.mulf %p, %w : !S
    %dc = tile.cast %ds : !S to !A
    %nk = tile.dot %dc, %qt, %ak transpose_a : !A, !A, !T -> !T
    scf.yield %nk, %nv : !T, !T
  }
  tile.store %r#0, %dk[%n, %c0] : !T, !tile.view<?x64xf32>
  tile.store %r#1, %dv[%n, %c0] : !T, !tile.view<?x64xf32>
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<64x64xbf16>
!S = tensor<128x64xf32>
!T = tensor<64x64xf32>

// The scores are also reduced.
// CHECK-LABEL: tile.kernel @reduced(
// CHECK:         scf.for
// CHECK:           tile.reduce max %{{.*}} axis 1 : tensor<128x64xf32>
// CHECK:           tile.dot {{.*}} transpose_a
tile.kernel @reduced(%q: !tile.view<?x64xbf16>, %k: !tile.view<?x64xbf16>) outs(%y: !tile.view<?x64xf32>, %z: !tile.view<?xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !T
  %none = arith.constant dense<0.0> : !S
  %kt = tile.load %k[%c0, %c0] [64, 64] : !tile.view<?x64xbf16> -> !B
  %r = scf.for %m = %c0 to %n step %c1 iter_args(%a = %zero) -> (!T) {
    %qt = tile.load %q[%m, %c0] [128, 64] : !tile.view<?x64xbf16> -> !A
    %s = tile.dot %qt, %kt, %none transpose_b : !A, !B, !S -> !S
    %x = tile.reduce max %s axis 1 : !S -> tensor<128xf32>
    tile.store %x, %z[%m] : tensor<128xf32>, !tile.view<?xf32>
    %p = tile.cast %s : !S to !A
    %d = tile.dot %p, %qt, %a transpose_a : !A, !A, !T -> !T
    scf.yield %d : !T
  }
  tile.store %r, %y[%c0, %c0] : !T, !tile.view<?x64xf32>
}

// -----

!A = tensor<64x64xbf16>
!T = tensor<64x64xf32>

// Another dot multiplies the scores as they are.
// CHECK-LABEL: tile.kernel @both_ways(
// CHECK:         scf.for
// CHECK:           %[[P:.*]] = tile.cast
// CHECK:           tile.dot %[[P]], {{.*}} transpose_a
// CHECK:           tile.dot %[[P]],
tile.kernel @both_ways(%q: !tile.view<?x64xbf16>, %k: !tile.view<?x64xbf16>) outs(%y: !tile.view<?x64xf32>, %z: !tile.view<?x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !T
  %kt = tile.load %k[%c0, %c0] [64, 64] : !tile.view<?x64xbf16> -> !A
  %r:2 = scf.for %m = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (!T, !T) {
    %qt = tile.load %q[%m, %c0] [64, 64] : !tile.view<?x64xbf16> -> !A
    %s = tile.dot %qt, %kt, %zero transpose_b : !A, !A, !T -> !T
    %p = tile.cast %s : !T to !A
    %d = tile.dot %p, %qt, %a transpose_a : !A, !A, !T -> !T
    %e = tile.dot %p, %kt, %b : !A, !A, !T -> !T
    scf.yield %d, %e : !T, !T
  }
  tile.store %r#0, %y[%c0, %c0] : !T, !tile.view<?x64xf32>
  tile.store %r#1, %z[%c0, %c0] : !T, !tile.view<?x64xf32>
}

// -----

!A = tensor<64x64xbf16>
!T = tensor<64x64xf32>

// What is transposed is loaded and scaled, not a product.
// CHECK-LABEL: tile.kernel @loaded(
// CHECK:         scf.for
// CHECK:           tile.dot {{.*}} transpose_a
tile.kernel @loaded(%k: !tile.view<?x64xbf16>) outs(%y: !tile.view<?x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : !T
  %half = arith.constant dense<0.5> : !A
  %r = scf.for %m = %c0 to %n step %c1 iter_args(%a = %zero) -> (!T) {
    %kt = tile.load %k[%m, %c0] [64, 64] : !tile.view<?x64xbf16> -> !A
    %s = arith.mulf %kt, %half : !A
    %d = tile.dot %s, %kt, %a transpose_a : !A, !A, !T -> !T
    scf.yield %d : !T
  }
  tile.store %r, %y[%c0, %c0] : !T, !tile.view<?x64xf32>
}
