// Attention in other forms than the library's: a query scaled in advance, an additional score besides those of the keys,
// keys in two loops, smaller tiles of keys than of queries.
// TYPES: bf16 f16
!V = !tile.view<?x?x!T>
!Y = !tile.view<?x?xf32>
!P = tensor<64x64xf32>
!I = tensor<64x64xi32>
!C = tensor<64x1xf32>

// The query is scaled before the loop.
// CASE @attend_scaled_query rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @attend_scaled_query(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = arith.addi %m, %c1 : index
  %q0 = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %scq = arith.constant dense<0.125> : !P
  %qf = tile.cast %q0 : tensor<64x64x!T> to !P
  %qs = arith.mulf %qf, %scq : !P
  %qt = tile.cast %qs : !P to tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %d, %hidden : tensor<64x64xi1>, !P
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
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// A window, a cap and an additional score (attention sink).
// CASE @attend_sink rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 f32=2.5 1xf32=1.5 -> 200x64xf32
tile.kernel @attend_sink(%q: !V, %k: !V, %v: !V, %cap: f32, %sink: !tile.view<?xf32>) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e30> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = arith.addi %m, %c1 : index
  %ws = arith.constant dense<70> : !I
  %st = tile.load %sink[%c0] [1] : !tile.view<?xf32> -> tensor<1xf32>
  %sk = tensor.extract %st[%c0] : tensor<1xf32>
  %sks = tile.splat %sk [64, 1] : f32 -> !C
  %caps = tile.splat %cap [64, 64] : f32 -> !P
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %x0 = arith.mulf %d, %sc : !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %xc = arith.divf %x0, %caps : !P
    %th = math.tanh %xc : !P
    %x = arith.mulf %th, %caps : !P
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %far = arith.subi %qpos, %ws : !I
    %near = arith.cmpi sgt, %kpos, %far : !I
    %both = arith.andi %near, %seen : tensor<64x64xi1>
    %s = arith.select %both, %x, %hidden : tensor<64x64xi1>, !P
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
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %sd1 = arith.subf %sks, %mm : !C
  %se = math.exp %sd1 : !C
  %lx = arith.addf %ll, %se : !C
  %lb = tile.broadcast %lx [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// Keys before the queries need no mask: two loops.
// CASE @attend_two_loops rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @attend_two_loops(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = arith.addi %m, %c1 : index
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm0, %ll0, %oo0 = scf.for %j = %c0 to %m step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %x0 = arith.mulf %d, %sc : !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %mt = tile.reduce max %x0 axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %x0, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %mi, %mn : !C
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %li, %al : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %mm, %ll, %oo = scf.for %j = %m to %end step %c1 iter_args(%mi = %mm0, %li = %ll0, %oi = %oo0) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %x0 = arith.mulf %d, %sc : !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %x0, %hidden : tensor<64x64xi1>, !P
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
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// Half of the rows see none of the last keys.
// CASE @attend_few_keys rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @attend_few_keys(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : tensor<64x32xf32>
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %hidden = arith.constant dense<0xFF800000> : tensor<64x32xf32>
  %sc = arith.constant dense<0.125> : tensor<64x32xf32>
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %im = tile.iota [64] : tensor<64xi32>
  %in = tile.iota [32] : tensor<32xi32>
  %qp = arith.addi %fs, %im : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 32] : tensor<64x1xi32> -> tensor<64x32xi32>
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %m1 = arith.addi %m, %c1 : index
  %end = arith.muli %m1, %c2 : index
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !V -> tensor<32x64x!T>
    %vt = tile.load %v[%j, %c0] [32, 64] : !V -> tensor<32x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<32x64x!T>, tensor<64x32xf32> -> tensor<64x32xf32>
    %x0 = arith.mulf %d, %sc : tensor<64x32xf32>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %in : tensor<32xi32>
    %kpos = tile.broadcast %kp [64, 32] : tensor<32xi32> -> tensor<64x32xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<64x32xi32>
    %s = arith.select %seen, %x0, %hidden : tensor<64x32xi1>, tensor<64x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<64x32xf32> -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> tensor<64x32xf32>
    %sd = arith.subf %s, %mb : tensor<64x32xf32>
    %e = math.exp %sd : tensor<64x32xf32>
    %md = arith.subf %mi, %mn : !C
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> !C
    %la = arith.mulf %li, %al : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : tensor<64x32xf32> to tensor<64x32x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x32x!T>, tensor<32x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// All scores have a factor that is an argument and may be negative: then the maximum is the minimum of the products.
// CASE @attend_scaled_by rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 f32=-0.75 -> 200x64xf32
// CASE @attend_scaled_by rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 f32=2.5 -> 200x64xf32
tile.kernel @attend_scaled_by(%q: !V, %k: !V, %v: !V, %by: f32) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = arith.addi %m, %c1 : index
  %bys = tile.splat %by [64, 64] : f32 -> !P
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %x0 = arith.mulf %d, %sc : !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %x = arith.mulf %x0, %bys : !P
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
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
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// An argument scales the maximum after its reduction, and scores inside the exponents; sums use multiply-adds.
// CASE @attend_scaled_maximum rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 f32=0.18 -> 200x64xf32
tile.kernel @attend_scaled_maximum(%q: !V, %k: !V, %v: !V, %by: f32) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = arith.addi %m, %c1 : index
  %bys = tile.splat %by [64, 64] : f32 -> !P
  %byc = tile.splat %by [64, 1] : f32 -> !C
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %d, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mu = arith.mulf %mt, %byc : !C
    %mn = arith.maxnumf %mi, %mu : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %mg = arith.negf %mb : !P
    %sd = math.fma %s, %bys, %mg : !P
    %e = math.exp2 %sd : !P
    %md = arith.subf %mi, %mn : !C
    %al = math.exp2 %md : !C
    %lr = tile.reduce add %e axis 1 : !P -> tensor<64xf32>
    %lt = tile.expand_dims %lr, 1 : tensor<64xf32> -> !C
    %ln = math.fma %li, %al, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// The same for all keys: with a negative factor the minimum of a tile's products is used.
// CASE @attend_scaled_maximum_of_all rounded K=192: 100x64xT=random:1 192x64xT=random:2 192x64xT=random:3 f32=0.18 -> 100x64xf32
// CASE @attend_scaled_maximum_of_all [bf16] rounded K=192: 100x64xT=random:1 192x64xT=random:2 192x64xT=random:3 f32=-0.03 -> 100x64xf32
tile.kernel @attend_scaled_maximum_of_all(%q: !V, %k: !V, %v: !V, %by: f32) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %end = tile.num_tiles %k, 0 by [64] : !V
  %bys = tile.splat %by [64, 64] : f32 -> !P
  %byc = tile.splat %by [64, 1] : f32 -> !C
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %mt = tile.reduce max %d axis 1 keepdims : !P -> !C
    %mu = arith.mulf %mt, %byc : !C
    %mn = arith.maxnumf %mi, %mu : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %mg = arith.negf %mb : !P
    %sd = math.fma %d, %bys, %mg : !P
    %e = math.exp2 %sd : !P
    %md = arith.subf %mi, %mn : !C
    %al = math.exp2 %md : !C
    %lr = tile.reduce add %e axis 1 : !P -> tensor<64xf32>
    %lt = tile.expand_dims %lr, 1 : tensor<64xf32> -> !C
    %ln = math.fma %li, %al, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// Row and column terms added to the dot, and a finite number for masked scores.
// CASE @attend_terms rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 200xf32=random:4 200xf32=random:5 -> 200x64xf32
tile.kernel @attend_terms(%q: !V, %k: !V, %v: !V, %rows: !tile.view<?xf32>, %columns: !tile.view<?xf32>) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %hidden = arith.constant dense<-1.0e4> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = arith.addi %m, %c1 : index
  %rt = tile.load %rows[%m] [64] : !tile.view<?xf32> -> tensor<64xf32>
  %rc = tile.expand_dims %rt, 1 : tensor<64xf32> -> !C
  %rb = tile.broadcast %rc [64, 64] : !C -> !P
  %half = arith.constant dense<0.5> : !P
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %x0 = arith.mulf %d, %sc : !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %ct = tile.load %columns[%j] [64] : !tile.view<?xf32> -> tensor<64xf32>
    %cb = tile.broadcast %ct [64, 64] : tensor<64xf32> -> !P
    %x1 = arith.addf %x0, %rb : !P
    %x2 = arith.mulf %cb, %half : !P
    %x = arith.subf %x1, %x2 : !P
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
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
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}
