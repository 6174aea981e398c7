// Products of windows: one to three warp groups of 64 rows, as many as leave every multiprocessor a tile.
// RUN: tilegpt-opt %s --tile-gpu-choose-tiles | FileCheck %s

// 64 heads of 1024 rows, 4 heads per sequence; the depth is a number, not a parameter.
// CHECK-LABEL: tile.kernel @many_heads(
// CHECK: params {BM = 128 in [128], BN = 128 in [128]}
!V = !tile.view<4x16x1024x128xbf16>
!W = !tile.view<1024x128xbf16>
tile.kernel @many_heads(%q: !V, %k: !V) outs(%y: !V)
    params {BM = 64 in [64, 128], BN = 64 in [64, 128]} grid [ceildiv(dim(%q, 2), BM), dim(%q, 1), dim(%q, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %init = tile.splat %zero [BM, 128] : f32 -> tensor<?x128xf32>
  %qv = tile.select %q[%b, %h] : !V -> !W
  %kv = tile.select %k[%b, %h] : !V -> !W
  %yv = tile.select %y[%b, %h] : !V -> !W
  %steps = tile.num_tiles %kv, 0 by [BN] : !W
  %qt = tile.load %qv[%m, %c0] [BM, 128] : !W -> tensor<?x128xbf16>
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x128xf32>) {
    %kt = tile.load %kv[%j, %c0] [BN, 128] : !W -> tensor<?x128xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<?x128xbf16>, tensor<?x128xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    %p = tile.cast %s : tensor<?x?xf32> to tensor<?x?xbf16>
    %next = tile.dot %p, %kt, %acc : tensor<?x?xbf16>, tensor<?x128xbf16>, tensor<?x128xf32> -> tensor<?x128xf32>
    scf.yield %next : tensor<?x128xf32>
  }
  %out = tile.cast %sum : tensor<?x128xf32> to tensor<?x128xbf16>
  tile.store %out, %yv[%m, %c0] : tensor<?x128xbf16>, !W
}

// 4 heads do not fill the multiprocessors with two groups: one, and 128 columns.
// CHECK-LABEL: tile.kernel @few_heads(
// CHECK: params {BM = 64 in [64], BN = 128 in [128]}
!F = !tile.view<4x1024x128xbf16>
tile.kernel @few_heads(%q: !F, %k: !F) outs(%y: !F)
    params {BM = 64 in [64, 128], BN = 64 in [64, 128]} grid [ceildiv(dim(%q, 1), BM), dim(%q, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %init = tile.splat %zero [BM, 128] : f32 -> tensor<?x128xf32>
  %qv = tile.select %q[%h] : !F -> !W
  %kv = tile.select %k[%h] : !F -> !W
  %yv = tile.select %y[%h] : !F -> !W
  %steps = tile.num_tiles %kv, 0 by [BN] : !W
  %qt = tile.load %qv[%m, %c0] [BM, 128] : !W -> tensor<?x128xbf16>
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x128xf32>) {
    %kt = tile.load %kv[%j, %c0] [BN, 128] : !W -> tensor<?x128xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<?x128xbf16>, tensor<?x128xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    %p = tile.cast %s : tensor<?x?xf32> to tensor<?x?xbf16>
    %next = tile.dot %p, %kt, %acc : tensor<?x?xbf16>, tensor<?x128xbf16>, tensor<?x128xf32> -> tensor<?x128xf32>
    scf.yield %next : tensor<?x128xf32>
  }
  %out = tile.cast %sum : tensor<?x128xf32> to tensor<?x128xbf16>
  tile.store %out, %yv[%m, %c0] : tensor<?x128xbf16>, !W
}

// With a 16-bit bias 64 columns: more would leave no registers for it beside two lhs operands.
// CHECK-LABEL: tile.kernel @few_heads_with_bias(
// CHECK: params {BM = 64 in [64], BN = 64 in [64]}
!B = !tile.view<4x1024x1024xbf16>
tile.kernel @few_heads_with_bias(%q: !F, %k: !F, %bias: !B) outs(%y: !F)
    params {BM = 64 in [64, 128], BN = 128 in [64, 128]} grid [ceildiv(dim(%q, 1), BM), dim(%q, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %init = tile.splat %zero [BM, 128] : f32 -> tensor<?x128xf32>
  %qv = tile.select %q[%h] : !F -> !W
  %kv = tile.select %k[%h] : !F -> !W
  %bv = tile.select %bias[%h] : !B -> !tile.view<1024x1024xbf16>
  %yv = tile.select %y[%h] : !F -> !W
  %steps = tile.num_tiles %kv, 0 by [BN] : !W
  %qt = tile.load %qv[%m, %c0] [BM, 128] : !W -> tensor<?x128xbf16>
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x128xf32>) {
    %kt = tile.load %kv[%j, %c0] [BN, 128] : !W -> tensor<?x128xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<?x128xbf16>, tensor<?x128xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    %bt = tile.load %bv[%m, %j] [BM, BN] : !tile.view<1024x1024xbf16> -> tensor<?x?xbf16>
    %p = tile.cast %s : tensor<?x?xf32> to tensor<?x?xbf16>
    %pb = arith.addf %p, %bt : tensor<?x?xbf16>
    %next = tile.dot %pb, %kt, %acc : tensor<?x?xbf16>, tensor<?x128xbf16>, tensor<?x128xf32> -> tensor<?x128xf32>
    scf.yield %next : tensor<?x128xf32>
  }
  %out = tile.cast %sum : tensor<?x128xf32> to tensor<?x128xbf16>
  tile.store %out, %yv[%m, %c0] : tensor<?x128xbf16>, !W
}

// Heads side by side: the rows of one are tiles with unit axes.
// CHECK-LABEL: tile.kernel @heads_side_by_side(
// CHECK: params {BM = 128 in [128], BN = 128 in [128]}
!S = !tile.view<4x1024x16x128xbf16>
tile.kernel @heads_side_by_side(%q: !S, %k: !S) outs(%y: !S)
    params {BM = 64 in [64, 128], BN = 64 in [64, 128]} grid [ceildiv(dim(%q, 1), BM), dim(%q, 2), dim(%q, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %init = tile.splat %zero [BM, 128] : f32 -> tensor<?x128xf32>
  %steps = tile.num_tiles %k, 1 by [BN] : !S
  %q4 = tile.load %q[%b, %m, %h, %c0] [1, BM, 1, 128] : !S -> tensor<1x?x1x128xbf16>
  %qt = tile.reshape %q4 [BM, 128] : tensor<1x?x1x128xbf16> -> tensor<?x128xbf16>
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x128xf32>) {
    %k4 = tile.load %k[%b, %j, %h, %c0] [1, BN, 1, 128] : !S -> tensor<1x?x1x128xbf16>
    %kt = tile.reshape %k4 [BN, 128] : tensor<1x?x1x128xbf16> -> tensor<?x128xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<?x128xbf16>, tensor<?x128xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    %p = tile.cast %s : tensor<?x?xf32> to tensor<?x?xbf16>
    %next = tile.dot %p, %kt, %acc : tensor<?x?xbf16>, tensor<?x128xbf16>, tensor<?x128xf32> -> tensor<?x128xf32>
    scf.yield %next : tensor<?x128xf32>
  }
  %out = tile.cast %sum : tensor<?x128xf32> to tensor<?x128xbf16>
  %y4 = tile.reshape %out [1, BM, 1, 128] : tensor<?x128xbf16> -> tensor<1x?x1x128xbf16>
  tile.store %y4, %y[%b, %m, %h, %c0] : tensor<1x?x1x128xbf16>, !S
}

// Gradients of keys and values: a thread has registers for the accumulators of both, and for the scores of 64 queries.
// CHECK-LABEL: tile.kernel @two_sums(
// CHECK: params {BM = 64 in [64], BN = 128 in [128]}
tile.kernel @two_sums(%q: !V, %k: !V, %v: !V, %g: !V) outs(%dk: !V, %dv: !V)
    params {BM = 64 in [64, 128], BN = 64 in [64, 128]} grid [ceildiv(dim(%k, 2), BN), dim(%k, 1), dim(%k, 0)] {
  %n = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [BN, BM] : f32 -> tensor<?x?xf32>
  %init = tile.splat %zero [BN, 128] : f32 -> tensor<?x128xf32>
  %qv = tile.select %q[%b, %h] : !V -> !W
  %kv = tile.select %k[%b, %h] : !V -> !W
  %vv = tile.select %v[%b, %h] : !V -> !W
  %gv = tile.select %g[%b, %h] : !V -> !W
  %dkv = tile.select %dk[%b, %h] : !V -> !W
  %dvv = tile.select %dv[%b, %h] : !V -> !W
  %steps = tile.num_tiles %qv, 0 by [BM] : !W
  %kt = tile.load %kv[%n, %c0] [BN, 128] : !W -> tensor<?x128xbf16>
  %vt = tile.load %vv[%n, %c0] [BN, 128] : !W -> tensor<?x128xbf16>
  %sums:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%ak = %init, %av = %init) -> (tensor<?x128xf32>, tensor<?x128xf32>) {
    %qt = tile.load %qv[%i, %c0] [BM, 128] : !W -> tensor<?x128xbf16>
    %gt = tile.load %gv[%i, %c0] [BM, 128] : !W -> tensor<?x128xbf16>
    %s = tile.dot %kt, %qt, %zeros transpose_b : tensor<?x128xbf16>, tensor<?x128xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    %p = math.exp %s : tensor<?x?xf32>
    %dp = tile.dot %vt, %gt, %zeros transpose_b : tensor<?x128xbf16>, tensor<?x128xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    %ds = arith.mulf %p, %dp : tensor<?x?xf32>
    %pb = tile.cast %p : tensor<?x?xf32> to tensor<?x?xbf16>
    %dsb = tile.cast %ds : tensor<?x?xf32> to tensor<?x?xbf16>
    %nk = tile.dot %dsb, %qt, %ak : tensor<?x?xbf16>, tensor<?x128xbf16>, tensor<?x128xf32> -> tensor<?x128xf32>
    %nv = tile.dot %pb, %gt, %av : tensor<?x?xbf16>, tensor<?x128xbf16>, tensor<?x128xf32> -> tensor<?x128xf32>
    scf.yield %nk, %nv : tensor<?x128xf32>, tensor<?x128xf32>
  }
  %ok = tile.cast %sums#0 : tensor<?x128xf32> to tensor<?x128xbf16>
  %ov = tile.cast %sums#1 : tensor<?x128xf32> to tensor<?x128xbf16>
  tile.store %ok, %dkv[%n, %c0] : tensor<?x128xbf16>, !W
  tile.store %ov, %dvv[%n, %c0] : tensor<?x128xbf16>, !W
}

// Keys that are computed from several tiles of a window are staged: two groups, and fewer columns.
// CHECK-LABEL: tile.kernel @rotated_keys(
// CHECK: params {BM = 128 in [128], BN = 64 in [64]}
tile.kernel @rotated_keys(%q: !V, %k: !V, %c: !tile.view<1024x64xf32>) outs(%y: !V)
    params {BM = 64 in [64, 128], BN = 64 in [64, 128]} grid [ceildiv(dim(%q, 2), BM), dim(%q, 1), dim(%q, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %init = tile.splat %zero [BM, 128] : f32 -> tensor<?x128xf32>
  %qv = tile.select %q[%b, %h] : !V -> !W
  %kv = tile.select %k[%b, %h] : !V -> !W
  %yv = tile.select %y[%b, %h] : !V -> !W
  %steps = tile.num_tiles %kv, 0 by [BN] : !W
  %qt = tile.load %qv[%m, %c0] [BM, 128] : !W -> tensor<?x128xbf16>
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x128xf32>) {
    %at = tile.load %kv[%j, %c0] [BN, 64] : !W -> tensor<?x64xbf16>
    %bt = tile.load %kv[%j, %c1] [BN, 64] : !W -> tensor<?x64xbf16>
    %ft = tile.load %c[%j, %c0] [BN, 64] : !tile.view<1024x64xf32> -> tensor<?x64xf32>
    %af = tile.cast %at : tensor<?x64xbf16> to tensor<?x64xf32>
    %bf = tile.cast %bt : tensor<?x64xbf16> to tensor<?x64xf32>
    %ac = arith.mulf %af, %ft : tensor<?x64xf32>
    %bc = arith.mulf %bf, %ft : tensor<?x64xf32>
    %kc = tile.cat %ac, %bc axis 1 : tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x128xf32>
    %kt = tile.cast %kc : tensor<?x128xf32> to tensor<?x128xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<?x128xbf16>, tensor<?x128xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    %p = tile.cast %s : tensor<?x?xf32> to tensor<?x?xbf16>
    %next = tile.dot %p, %kt, %acc : tensor<?x?xbf16>, tensor<?x128xbf16>, tensor<?x128xf32> -> tensor<?x128xf32>
    scf.yield %next : tensor<?x128xf32>
  }
  %out = tile.cast %sum : tensor<?x128xf32> to tensor<?x128xbf16>
  tile.store %out, %yv[%m, %c0] : tensor<?x128xbf16>, !W
}

// Queries that are computed from several tiles in front of the loop, too.
// CHECK-LABEL: tile.kernel @rotated_queries(
// CHECK: params {BM = 128 in [128], BN = 64 in [64]}
tile.kernel @rotated_queries(%q: !V, %k: !V, %c: !tile.view<1024x64xf32>) outs(%y: !V)
    params {BM = 64 in [64, 128], BN = 64 in [64, 128]} grid [ceildiv(dim(%q, 2), BM), dim(%q, 1), dim(%q, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %init = tile.splat %zero [BM, 128] : f32 -> tensor<?x128xf32>
  %qv = tile.select %q[%b, %h] : !V -> !W
  %kv = tile.select %k[%b, %h] : !V -> !W
  %yv = tile.select %y[%b, %h] : !V -> !W
  %steps = tile.num_tiles %kv, 0 by [BN] : !W
  %qa = tile.load %qv[%m, %c0] [BM, 64] : !W -> tensor<?x64xbf16>
  %qb = tile.load %qv[%m, %c1] [BM, 64] : !W -> tensor<?x64xbf16>
  %fq = tile.load %c[%m, %c0] [BM, 64] : !tile.view<1024x64xf32> -> tensor<?x64xf32>
  %qaf = tile.cast %qa : tensor<?x64xbf16> to tensor<?x64xf32>
  %qbf = tile.cast %qb : tensor<?x64xbf16> to tensor<?x64xf32>
  %qac = arith.mulf %qaf, %fq : tensor<?x64xf32>
  %qbc = arith.mulf %qbf, %fq : tensor<?x64xf32>
  %qc = tile.cat %qac, %qbc axis 1 : tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x128xf32>
  %qt = tile.cast %qc : tensor<?x128xf32> to tensor<?x128xbf16>
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x128xf32>) {
    %at = tile.load %kv[%j, %c0] [BN, 64] : !W -> tensor<?x64xbf16>
    %bt = tile.load %kv[%j, %c1] [BN, 64] : !W -> tensor<?x64xbf16>
    %ft = tile.load %c[%j, %c0] [BN, 64] : !tile.view<1024x64xf32> -> tensor<?x64xf32>
    %af = tile.cast %at : tensor<?x64xbf16> to tensor<?x64xf32>
    %bf = tile.cast %bt : tensor<?x64xbf16> to tensor<?x64xf32>
    %ac = arith.mulf %af, %ft : tensor<?x64xf32>
    %bc = arith.mulf %bf, %ft : tensor<?x64xf32>
    %kc = tile.cat %ac, %bc axis 1 : tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x128xf32>
    %kt = tile.cast %kc : tensor<?x128xf32> to tensor<?x128xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<?x128xbf16>, tensor<?x128xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    %p = tile.cast %s : tensor<?x?xf32> to tensor<?x?xbf16>
    %next = tile.dot %p, %kt, %acc : tensor<?x?xbf16>, tensor<?x128xbf16>, tensor<?x128xf32> -> tensor<?x128xf32>
    scf.yield %next : tensor<?x128xf32>
  }
  %out = tile.cast %sum : tensor<?x128xf32> to tensor<?x128xbf16>
  tile.store %out, %yv[%m, %c0] : tensor<?x128xbf16>, !W
}

// Columns of a fixed number, such as those of a page.
// CHECK-LABEL: tile.kernel @pages(
// CHECK: params {BM = 128 in [128]}
tile.kernel @pages(%q: !V, %k: !V, %pages: !tile.view<?xi32>) outs(%y: !V)
    params {BM = 64 in [64, 128]} grid [ceildiv(dim(%q, 2), BM), dim(%q, 1), dim(%q, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [BM, 64] : f32 -> tensor<?x64xf32>
  %init = tile.splat %zero [BM, 128] : f32 -> tensor<?x128xf32>
  %qv = tile.select %q[%b, %h] : !V -> !W
  %kv = tile.select %k[%b, %h] : !V -> !W
  %yv = tile.select %y[%b, %h] : !V -> !W
  %steps = tile.num_tiles %kv, 0 by [64] : !W
  %qt = tile.load %qv[%m, %c0] [BM, 128] : !W -> tensor<?x128xbf16>
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x128xf32>) {
    %pt = tile.load %pages[%j] [1] : !tile.view<?xi32> -> tensor<1xi32>
    %pi = tensor.extract %pt[%c0] : tensor<1xi32>
    %page = arith.index_cast %pi : i32 to index
    %kt = tile.load %kv[%page, %c0] [64, 128] : !W -> tensor<64x128xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<?x128xbf16>, tensor<64x128xbf16>, tensor<?x64xf32> -> tensor<?x64xf32>
    %p = tile.cast %s : tensor<?x64xf32> to tensor<?x64xbf16>
    %next = tile.dot %p, %kt, %acc : tensor<?x64xbf16>, tensor<64x128xbf16>, tensor<?x128xf32> -> tensor<?x128xf32>
    scf.yield %next : tensor<?x128xf32>
  }
  %out = tile.cast %sum : tensor<?x128xf32> to tensor<?x128xbf16>
  tile.store %out, %yv[%m, %c0] : tensor<?x128xbf16>, !W
}

// Decode attention: the queries of a group are given, and windows of the cache are selected. Keys of i8 take half the bytes,
// but are widened in buffers of their own.
// CHECK-LABEL: tile.kernel @decode_group(
// CHECK: params {G = 4, BN = 128 in [128]}
// CHECK-LABEL: tile.kernel @decode_bytes(
// CHECK: params {G = 4, BN = 128 in [128]}
!Group = !tile.view<256x4x64xbf16>
!Cache = !tile.view<256x4096x64xbf16>
!K8 = !tile.view<256x4096x64xi8>
tile.kernel @decode_group(%q: !Group, %k: !Cache, %v: !Cache) outs(%y: !tile.view<256x4x64xf32>)
    params {G = 4, BN = 64 in [16, 32, 64, 128, 256]} grid [dim(%q, 0)] {
  %h = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %zero = tile.splat %z [G, BN] : f32 -> tensor<?x?xf32>
  %sum = tile.splat %z [G, 64] : f32 -> tensor<?x64xf32>
  %qh = tile.select %q[%h] : !Group -> !tile.view<4x64xbf16>
  %kh = tile.select %k[%h] : !Cache -> !tile.view<4096x64xbf16>
  %vh = tile.select %v[%h] : !Cache -> !tile.view<4096x64xbf16>
  %yh = tile.select %y[%h] : !tile.view<256x4x64xf32> -> !tile.view<4x64xf32>
  %qt = tile.load %qh[%c0, %c0] [G, 64] : !tile.view<4x64xbf16> -> tensor<?x64xbf16>
  %n = tile.num_tiles %kh, 0 by [BN] : !tile.view<4096x64xbf16>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %sum) -> (tensor<?x64xf32>) {
    %kt = tile.load %kh[%j, %c0] [BN, 64] : !tile.view<4096x64xbf16> -> tensor<?x64xbf16>
    %vt = tile.load %vh[%j, %c0] [BN, 64] : !tile.view<4096x64xbf16> -> tensor<?x64xbf16>
    %s = tile.dot %qt, %kt, %zero transpose_b : tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    %w = tile.cast %s : tensor<?x?xf32> to tensor<?x?xbf16>
    %o = tile.dot %w, %vt, %acc : tensor<?x?xbf16>, tensor<?x64xbf16>, tensor<?x64xf32> -> tensor<?x64xf32>
    scf.yield %o : tensor<?x64xf32>
  }
  tile.store %r, %yh[%c0, %c0] : tensor<?x64xf32>, !tile.view<4x64xf32>
}
tile.kernel @decode_bytes(%q: !Group, %k: !K8, %v: !K8) outs(%y: !tile.view<256x4x64xf32>)
    params {G = 4, BN = 64 in [16, 32, 64, 128, 256]} grid [dim(%q, 0)] {
  %h = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %zero = tile.splat %z [G, BN] : f32 -> tensor<?x?xf32>
  %sum = tile.splat %z [G, 64] : f32 -> tensor<?x64xf32>
  %qh = tile.select %q[%h] : !Group -> !tile.view<4x64xbf16>
  %kh = tile.select %k[%h] : !K8 -> !tile.view<4096x64xi8>
  %vh = tile.select %v[%h] : !K8 -> !tile.view<4096x64xi8>
  %yh = tile.select %y[%h] : !tile.view<256x4x64xf32> -> !tile.view<4x64xf32>
  %qt = tile.load %qh[%c0, %c0] [G, 64] : !tile.view<4x64xbf16> -> tensor<?x64xbf16>
  %n = tile.num_tiles %kh, 0 by [BN] : !tile.view<4096x64xi8>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %sum) -> (tensor<?x64xf32>) {
    %k8 = tile.load %kh[%j, %c0] [BN, 64] : !tile.view<4096x64xi8> -> tensor<?x64xi8>
    %v8 = tile.load %vh[%j, %c0] [BN, 64] : !tile.view<4096x64xi8> -> tensor<?x64xi8>
    %kt = arith.sitofp %k8 : tensor<?x64xi8> to tensor<?x64xbf16>
    %vt = arith.sitofp %v8 : tensor<?x64xi8> to tensor<?x64xbf16>
    %s = tile.dot %qt, %kt, %zero transpose_b : tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    %w = tile.cast %s : tensor<?x?xf32> to tensor<?x?xbf16>
    %o = tile.dot %w, %vt, %acc : tensor<?x?xbf16>, tensor<?x64xbf16>, tensor<?x64xf32> -> tensor<?x64xf32>
    scf.yield %o : tensor<?x64xf32>
  }
  tile.store %r, %yh[%c0, %c0] : tensor<?x64xf32>, !tile.view<4x64xf32>
}
