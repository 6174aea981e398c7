// Attention whose scores or weights take more than a dot and a mask: functions of positions, scales of keys and values,
// dropped weights; and weights that are sigmoids or softplus of scores.
// TYPES: bf16 f16
!V = !tile.view<?x64x!T>
!Y = !tile.view<?x?xf32>
!P = tensor<64x64xf32>
!I = tensor<64x64xi32>
!C = tensor<64x1xf32>

// A logarithm of the distance.
// CASE @attend_logarithm rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 f32=0.75 f32=0.5 -> 200x64xf32
tile.kernel @attend_logarithm(%q: !V, %k: !V, %v: !V, %a: f32, %b: f32) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e+30> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %ones = arith.constant dense<1.0> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zs) -> (!C, !C, !P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %x = arith.mulf %d, %sc : !P
    %back = arith.subi %qpos, %kpos : !I
    %far = math.absi %back : !I
    %df = arith.sitofp %far : !I to !P
    %bs = tile.splat %b [64, 64] : f32 -> !P
    %as = tile.splat %a [64, 64] : f32 -> !P
    %bd = arith.mulf %df, %bs : !P
    %grown = arith.addf %bd, %ones : !P
    %log = math.log %grown : !P
    %term = arith.mulf %log, %as : !P
    %z = arith.subf %x, %term : !P
    %s = arith.select %causal, %z, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %mi, %mn : !C
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %li, %al : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> !P
    %oa = arith.mulf %oi, %ab : !P
    %w = arith.mulf %e, %ones : !P
    %ec = tile.cast %w : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> !P
  %r = arith.divf %oo, %lb : !P
  tile.store %r, %y[%m, %c0] : !P, !Y
}

// Other functions of the distance: a root, and a logarithm of the number after it.
// CASE @attend_root rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @attend_root(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e+30> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %ones = arith.constant dense<1.0> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zs) -> (!C, !C, !P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %x = arith.mulf %d, %sc : !P
    %back = arith.subi %qpos, %kpos : !I
    %far = math.absi %back : !I
    %df = arith.sitofp %far : !I to !P
    %root = math.sqrt %df : !P
    %after = math.log1p %root : !P
    %x2 = arith.subf %x, %root : !P
    %z = arith.addf %x2, %after : !P
    %s = arith.select %causal, %z, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %mi, %mn : !C
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %li, %al : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> !P
    %oa = arith.mulf %oi, %ab : !P
    %w = arith.mulf %e, %ones : !P
    %ec = tile.cast %w : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> !P
  %r = arith.divf %oo, %lb : !P
  tile.store %r, %y[%m, %c0] : !P, !Y
}

// A bucket of distances: the logarithm is rounded down to an integer, so it stays exact.
// CASE @attend_buckets rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @attend_buckets(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e+30> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %ones = arith.constant dense<1.0> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zs) -> (!C, !C, !P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %x = arith.mulf %d, %sc : !P
    %back = arith.subi %qpos, %kpos : !I
    %far = math.absi %back : !I
    %df = arith.sitofp %far : !I to !P
    %grown = arith.addf %df, %ones : !P
    %log = math.log2 %grown : !P
    %bucket = arith.fptosi %log : !P to !I
    %bias = arith.sitofp %bucket : !I to !P
    %half = arith.mulf %bias, %sc : !P
    %z = arith.subf %x, %half : !P
    %s = arith.select %causal, %z, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %mi, %mn : !C
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %li, %al : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> !P
    %oa = arith.mulf %oi, %ab : !P
    %w = arith.mulf %e, %ones : !P
    %ec = tile.cast %w : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> !P
  %r = arith.divf %oo, %lb : !P
  tile.store %r, %y[%m, %c0] : !P, !Y
}

// Scores have a scale per key, weights one per value.
// CASE @attend_scales rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 200xf32=random:4 200xf32=random:5 -> 200x64xf32
tile.kernel @attend_scales(%q: !V, %k: !V, %v: !V, %ks: !tile.view<?xf32>, %vs: !tile.view<?xf32>) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e+30> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %ones = arith.constant dense<1.0> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zs) -> (!C, !C, !P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %x = arith.mulf %d, %sc : !P
    %ksl = tile.load %ks[%j] [64] : !tile.view<?xf32> -> tensor<64xf32>
    %ksb = tile.broadcast %ksl [64, 64] : tensor<64xf32> -> !P
    %z = arith.mulf %x, %ksb : !P
    %s = arith.select %causal, %z, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %mi, %mn : !C
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %li, %al : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> !P
    %oa = arith.mulf %oi, %ab : !P
    %vsl = tile.load %vs[%j] [64] : !tile.view<?xf32> -> tensor<64xf32>
    %vsb = tile.broadcast %vsl [64, 64] : tensor<64xf32> -> !P
    %w = arith.mulf %e, %vsb : !P
    %ec = tile.cast %w : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> !P
  %r = arith.divf %oo, %lb : !P
  tile.store %r, %y[%m, %c0] : !P, !Y
}

// A hash of row and column drops weights after they are summed.
// CASE @attend_dropout rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 i32=12345 -> 200x64xf32
tile.kernel @attend_dropout(%q: !V, %k: !V, %v: !V, %seed: i32) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e+30> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %ones = arith.constant dense<1.0> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zs) -> (!C, !C, !P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %x = arith.mulf %d, %sc : !P
    %z = arith.addf %x, %zs : !P
    %s = arith.select %causal, %z, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %mi, %mn : !C
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %li, %al : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> !P
    %oa = arith.mulf %oi, %ab : !P
    %seeds = tile.splat %seed [64, 64] : i32 -> !I
    %p1 = arith.constant dense<73856093> : !I
    %p2 = arith.constant dense<19349663> : !I
    %c15 = arith.constant dense<15> : !I
    %c7 = arith.constant dense<7> : !I
    %zi = arith.constant dense<0> : !I
    %h1 = arith.muli %qpos, %p1 : !I
    %h2 = arith.muli %kpos, %p2 : !I
    %h3 = arith.xori %h1, %h2 : !I
    %h4 = arith.xori %h3, %seeds : !I
    %h5 = arith.shrui %h4, %c15 : !I
    %h6 = arith.xori %h4, %h5 : !I
    %h7 = arith.andi %h6, %c7 : !I
    %keep = arith.cmpi ne, %h7, %zi : !I
    %grow = arith.constant dense<1.14285719> : !P
    %eg = arith.mulf %e, %grow : !P
    %w = arith.select %keep, %eg, %zs : tensor<64x64xi1>, !P
    %ec = tile.cast %w : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> !P
  %r = arith.divf %oo, %lb : !P
  tile.store %r, %y[%m, %c0] : !P, !Y
}

// Sigmoids of scores.
// CASE @weigh_by_sigmoids rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 f32=-1.5 -> 200x64xf32
tile.kernel @weigh_by_sigmoids(%q: !V, %k: !V, %v: !V, %bias: f32) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %ones = arith.constant dense<1.0> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %oo = scf.for %j = %c0 to %end step %c1 iter_args(%oi = %zs) -> (!P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %x = arith.mulf %d, %sc : !P
    %bs = tile.splat %bias [64, 64] : f32 -> !P
    %z = arith.addf %x, %bs : !P
    %n = arith.negf %z : !P
    %e = math.exp %n : !P
    %g = arith.addf %e, %ones : !P
    %w = arith.divf %ones, %g : !P
    %ws = arith.select %causal, %w, %zs : tensor<64x64xi1>, !P
    %ec = tile.cast %ws : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oi : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    scf.yield %on : !P
  }
  %r = arith.mulf %oo, %sc : !P
  tile.store %r, %y[%m, %c0] : !P, !Y
}

// Softplus of scores.
// CASE @weigh_by_softplus rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @weigh_by_softplus(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %ones = arith.constant dense<1.0> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %oo = scf.for %j = %c0 to %end step %c1 iter_args(%oi = %zs) -> (!P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %x = arith.mulf %d, %sc : !P
    %e = math.exp %x : !P
    %w = math.log1p %e : !P
    %ws = arith.select %causal, %w, %zs : tensor<64x64xi1>, !P
    %ec = tile.cast %ws : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oi : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    scf.yield %on : !P
  }
  %r = arith.mulf %oo, %sc : !P
  tile.store %r, %y[%m, %c0] : !P, !Y
}
