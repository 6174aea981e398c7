// RUN: tilegpt-opt %s --tile-gpu-choose-tiles | FileCheck %s

// Tiles of kernels without dots: the cheapest, by bandwidth and latency.

!X_colsum = !tile.view<?x?xbf16>
!Y_colsum = !tile.view<?xf32>
tile.kernel @colsum(%x: !X_colsum) outs(%y: !Y_colsum) params {BM = 32 in [8, 32, 128], BN = 128 in [32, 128, 256]} grid [ceildiv(dim(%x, 1), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %z = tile.splat %zero [BN] : f32 -> tensor<?xf32>
  %steps = tile.num_tiles %x, 0 by [BM] : !X_colsum
  %s = scf.for %i = %c0 to %steps step %c1 iter_args(%a = %z) -> (tensor<?xf32>) {
    %t = tile.load %x[%i, %n] [BM, BN] : !X_colsum -> tensor<?x?xbf16>
    %f = tile.cast %t : tensor<?x?xbf16> to tensor<?x?xf32>
    %r = tile.reduce add %f axis 0 : tensor<?x?xf32> -> tensor<?xf32>
    %q = arith.addf %a, %r : tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  tile.store %s, %y[%n] : tensor<?xf32>, !Y_colsum
}

!X_silumul = !tile.view<?x?xbf16>
tile.kernel @silumul(%gu: !X_silumul) outs(%y: !X_silumul) params {BN = 256 in [64, 256, 1024]} grid [dim(%y, 0), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %rows = tile.dim %gu, 0 : !X_silumul
  %w = tile.dim %y, 1 : !X_silumul
  %g = tile.subview %gu[%c0, %c0] [%rows, %w] : !X_silumul -> !tile.view<?x?xbf16, strides=[?, 1]>
  %u = tile.subview %gu[%c0, %w] [%rows, %w] : !X_silumul -> !tile.view<?x?xbf16, strides=[?, 1]>
  %gt = tile.load %g[%m, %n] [1, BN] : !tile.view<?x?xbf16, strides=[?, 1]> -> tensor<1x?xbf16>
  %ut = tile.load %u[%m, %n] [1, BN] : !tile.view<?x?xbf16, strides=[?, 1]> -> tensor<1x?xbf16>
  %gf = tile.cast %gt : tensor<1x?xbf16> to tensor<1x?xf32>
  %uf = tile.cast %ut : tensor<1x?xbf16> to tensor<1x?xf32>
  %ng = arith.negf %gf : tensor<1x?xf32>
  %e = math.exp %ng : tensor<1x?xf32>
  %one = arith.constant 1.0 : f32
  %ones = tile.splat %one [1, BN] : f32 -> tensor<1x?xf32>
  %d = arith.addf %e, %ones : tensor<1x?xf32>
  %s = arith.divf %gf, %d : tensor<1x?xf32>
  %r = arith.mulf %s, %uf : tensor<1x?xf32>
  %c = tile.cast %r : tensor<1x?xf32> to tensor<1x?xbf16>
  tile.store %c, %y[%m, %n] : tensor<1x?xbf16>, !X_silumul
}

!X_xent = !tile.view<?x?xf32>
!L_xent = !tile.view<?xi32>
!Y_xent = !tile.view<?xf32>
tile.kernel @xent(%x: !X_xent, %t: !L_xent) outs(%y: !Y_xent) params {BM = 4 in [1, 2, 4, 8], BN = 512 in [128, 512, 1024]} grid [ceildiv(dim(%x, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bn = tile.param BN
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %m0 = tile.splat %ninf [BM, 1] : f32 -> tensor<?x1xf32>
  %z0 = tile.splat %zero [BM, 1] : f32 -> tensor<?x1xf32>
  %lab = tile.load %t[%m] [BM] : !L_xent -> tensor<?xi32>
  %labc = tile.expand_dims %lab, 1 : tensor<?xi32> -> tensor<?x1xi32>
  %labb = tile.broadcast %labc [BM, BN] : tensor<?x1xi32> -> tensor<?x?xi32>
  %in = tile.iota [BN] : tensor<?xi32>
  %zs = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BN] : !X_xent
  %mx, %sm, %pick = scf.for %j = %c0 to %steps step %c1 iter_args(%mi = %m0, %li = %z0, %pi = %z0) -> (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>) {
    %xt = tile.load %x[%m, %j] [BM, BN] pad(neg_inf) : !X_xent -> tensor<?x?xf32>
    %j0 = arith.muli %j, %bn : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [BN] : i32 -> tensor<?xi32>
    %pos = arith.addi %js, %in : tensor<?xi32>
    %posb = tile.broadcast %pos [BM, BN] : tensor<?xi32> -> tensor<?x?xi32>
    %eq = arith.cmpi eq, %posb, %labb : tensor<?x?xi32>
    %sel = arith.select %eq, %xt, %zs : tensor<?x?xi1>, tensor<?x?xf32>
    %ps = tile.reduce add %sel axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %pn = arith.addf %pi, %ps : tensor<?x1xf32>
    %mt = tile.reduce max %xt axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %mn = arith.maximumf %mi, %mt : tensor<?x1xf32>
    %mb = tile.broadcast %mn [BM, BN] : tensor<?x1xf32> -> tensor<?x?xf32>
    %d = arith.subf %xt, %mb : tensor<?x?xf32>
    %e = math.exp %d : tensor<?x?xf32>
    %es = tile.reduce add %e axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %dm = arith.subf %mi, %mn : tensor<?x1xf32>
    %al = math.exp %dm : tensor<?x1xf32>
    %la = arith.mulf %li, %al : tensor<?x1xf32>
    %ln = arith.addf %la, %es : tensor<?x1xf32>
    scf.yield %mn, %ln, %pn : tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>
  }
  %lg = math.log %sm : tensor<?x1xf32>
  %lse = arith.addf %lg, %mx : tensor<?x1xf32>
  %loss = arith.subf %lse, %pick : tensor<?x1xf32>
  %flat = tile.reshape %loss [BM] : tensor<?x1xf32> -> tensor<?xf32>
  tile.store %flat, %y[%m] : tensor<?xf32>, !Y_xent
}

!X_columns = !tile.view<?x?xf32>
tile.kernel @columns(%x: !X_columns) outs(%y: !X_columns) params {R = dim(%x, 0), BN = 4 in [1, 2, 4, 8, 16, 32]} grid [ceildiv(dim(%y, 1), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%c0, %n] [R, BN] : !X_columns -> tensor<?x?xf32>
  %s = tile.reduce add %xt axis 0 keepdims : tensor<?x?xf32> -> tensor<1x?xf32>
  %b = tile.broadcast %s [R, BN] : tensor<1x?xf32> -> tensor<?x?xf32>
  %q = arith.divf %xt, %b : tensor<?x?xf32>
  tile.store %q, %y[%c0, %n] : tensor<?x?xf32>, !X_columns
}

// Whole sectors of 32 bytes are worth more registers per thread.
// CHECK-LABEL: func.func @whole_columns
// CHECK:       tile.launch @columns {{.*}} params {BN = 8 : i64}
func.func @whole_columns(%x: tensor<1000x3000xf32>, %y: tensor<1000x3000xf32>) -> tensor<1000x3000xf32> {
  %r = tile.launch @columns ins(%x) outs(%y) : (tensor<1000x3000xf32>, tensor<1000x3000xf32>) -> tensor<1000x3000xf32>
  return %r : tensor<1000x3000xf32>
}

// The loop over rows is within a block: narrow tiles for more blocks, and many rows for few iterations.
// CHECK-LABEL: func.func @sums_of_columns
// CHECK:       tile.launch @colsum {{.*}} params {BM = 128 : i64, BN = 32 : i64}
func.func @sums_of_columns(%x: tensor<4096x1600xbf16>, %y: tensor<1600xf32>) -> tensor<1600xf32> {
  %r = tile.launch @colsum ins(%x) outs(%y)
    : (tensor<4096x1600xbf16>, tensor<1600xf32>) -> tensor<1600xf32>
  return %r : tensor<1600xf32>
}


// Few wide tiles, since a block costs as much as some thousand bytes.
// CHECK-LABEL: func.func @gated
// CHECK:       tile.launch @silumul {{.*}} params {BN = 1024 : i64}
func.func @gated(%gu: tensor<512x5632xbf16>, %y: tensor<512x2816xbf16>) -> tensor<512x2816xbf16> {
  %r = tile.launch @silumul ins(%gu) outs(%y)
    : (tensor<512x5632xbf16>, tensor<512x2816xbf16>) -> tensor<512x2816xbf16>
  return %r : tensor<512x2816xbf16>
}

// Narrow ones if multiprocessors would be idle.
// CHECK-LABEL: func.func @gated_rows
// CHECK:       tile.launch @silumul {{.*}} params {BN = 256 : i64}
func.func @gated_rows(%gu: tensor<4x5632xbf16>, %y: tensor<4x2816xbf16>) -> tensor<4x2816xbf16> {
  %r = tile.launch @silumul ins(%gu) outs(%y)
    : (tensor<4x5632xbf16>, tensor<4x2816xbf16>) -> tensor<4x2816xbf16>
  return %r : tensor<4x2816xbf16>
}

// Each iteration waits for its reductions: as few iterations as registers allow.
// CHECK-LABEL: func.func @cross_entropy
// CHECK:       tile.launch @xent {{.*}} params {BM = 4 : i64, BN = 1024 : i64}
func.func @cross_entropy(%x: tensor<512x50257xf32>, %t: tensor<512xi32>, %y: tensor<512xf32>) -> tensor<512xf32> {
  %r = tile.launch @xent ins(%x, %t) outs(%y)
    : (tensor<512x50257xf32>, tensor<512xi32>, tensor<512xf32>) -> tensor<512xf32>
  return %r : tensor<512xf32>
}
