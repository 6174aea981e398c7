// Attention whose masks compare distances or quotients of positions: chunks, blocks, neighbours of an image, windows on both
// sides.
// TYPES: bf16 f16
!V = !tile.view<?x64x!T>
!Y = !tile.view<?x?xf32>
!P = tensor<64x64xf32>
!I = tensor<64x64xi32>
!C = tensor<64x1xf32>

// Chunks whose length is an argument; a mask of a masked tile.
// CASE @attend_chunks rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 i32=48 -> 200x64xf32
// CASE @attend_chunks rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 i32=1 -> 200x64xf32
// CASE @attend_chunks rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 i32=1000 -> 200x64xf32
// CASE @attend_chunks rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 i32=-48 -> 200x64xf32
tile.kernel @attend_chunks(%q: !V, %k: !V, %v: !V, %chunk: i32) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e+30> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %end = tile.num_tiles %k, 0 by [64] : !V
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %by = tile.splat %chunk [64, 64] : i32 -> !I
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
    %x = arith.mulf %d, %sc : !P
    %qn = arith.floordivsi %qpos, %by : !I
    %kn = arith.floordivsi %kpos, %by : !I
    %same = arith.cmpi eq, %qn, %kn : !I
    %x1 = arith.select %same, %x, %hidden : tensor<64x64xi1>, !P
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %causal, %x1, %hidden : tensor<64x64xi1>, !P
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

// Chunks of a fixed length.
// CASE @attend_fixed_chunks rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @attend_fixed_chunks(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e+30> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %end = tile.num_tiles %k, 0 by [64] : !V
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %by = arith.constant dense<48> : !I
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
    %x = arith.mulf %d, %sc : !P
    %qn = arith.divsi %qpos, %by : !I
    %kn = arith.divsi %kpos, %by : !I
    %same = arith.cmpi eq, %kn, %qn : !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %both = arith.andi %same, %causal : tensor<64x64xi1>
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
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// Blocks of 32, in quotients of one axis: whole blocks up to that of the row.
// CASE @attend_blocks rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @attend_blocks(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e+30> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %end = tile.num_tiles %k, 0 by [64] : !V
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %five = arith.constant dense<5> : tensor<64xi32>
  %n = tile.dim %k, 0 : !V
  %ni = arith.index_cast %n : index to i32
  %ns = tile.splat %ni [64, 64] : i32 -> !I
  %qb = arith.shrsi %qp, %five : tensor<64xi32>
  %qbc = tile.expand_dims %qb, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qbs = tile.broadcast %qbc [64, 64] : tensor<64x1xi32> -> !I
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
    %x = arith.mulf %d, %sc : !P
    %kb = arith.shrsi %kp, %five : tensor<64xi32>
    %kbs = tile.broadcast %kb [64, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sge, %qbs, %kbs : !I
    %in_range = arith.cmpi slt, %kpos, %ns : !I
    %both = arith.andi %seen, %in_range : tensor<64x64xi1>
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
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// Rows of an image at most one away, 20 elements each, and at most 70 elements.
// CASE @attend_neighbours rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @attend_neighbours(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e+30> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %end = tile.num_tiles %k, 0 by [64] : !V
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %width = arith.constant dense<20> : !I
  %two = arith.constant dense<2> : !I
  %most = arith.constant dense<70> : !I
  %n = tile.dim %k, 0 : !V
  %ni = arith.index_cast %n : index to i32
  %ns = tile.splat %ni [64, 64] : i32 -> !I
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
    %x = arith.mulf %d, %sc : !P
    %qr = arith.divsi %qpos, %width : !I
    %kr = arith.divsi %kpos, %width : !I
    %dr = arith.subi %qr, %kr : !I
    %far = math.absi %dr : !I
    %near = arith.cmpi slt, %far, %two : !I
    %dp = arith.subi %kpos, %qpos : !I
    %away = math.absi %dp : !I
    %window = arith.cmpi sge, %most, %away : !I
    %in_range = arith.cmpi slt, %kpos, %ns : !I
    %one = arith.andi %near, %window : tensor<64x64xi1>
    %both = arith.andi %one, %in_range : tensor<64x64xi1>
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
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// Distances that lower scores: the product starts from them.
// CASE @attend_distances rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @attend_distances(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e+30> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %end = tile.num_tiles %k, 0 by [64] : !V
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %slope = arith.constant dense<0.125> : !P
  %n = tile.dim %k, 0 : !V
  %ni = arith.index_cast %n : index to i32
  %ns = tile.splat %ni [64, 64] : i32 -> !I
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
    %x = arith.mulf %d, %sc : !P
    %dp = arith.subi %kpos, %qpos : !I
    %away = math.absi %dp : !I
    %af = arith.sitofp %away : !I to !P
    %lean = arith.mulf %af, %slope : !P
    %low_score = arith.subf %x, %lean : !P
    %in_range = arith.cmpi slt, %kpos, %ns : !I
    %s = arith.select %in_range, %low_score, %hidden : tensor<64x64xi1>, !P
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

// The first five keys and a window of 40, or a hundred and a window of one: iterations between them see no key.
// CASE @attend_first_and_window rounded K=320: 320x64xT=random:1 320x64xT=random:2 320x64xT=random:3 i32=5 i32=40 -> 320x64xf32
// CASE @attend_first_and_window rounded K=320: 320x64xT=random:1 320x64xT=random:2 320x64xT=random:3 i32=100 i32=1 -> 320x64xf32
tile.kernel @attend_first_and_window(%q: !tile.view<?x64x!T>, %k: !tile.view<?x64x!T>, %v: !tile.view<?x64x!T>, %first: i32, %window: i32) outs(%y: !tile.view<?x64xf32>) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : tensor<64x1xf32>
  %low = arith.constant dense<0xFF800000> : tensor<64x1xf32>
  %hidden = arith.constant dense<0xFF800000> : tensor<64x64xf32>
  %scale = arith.constant dense<0.125> : tensor<64x64xf32>
  %firsts = tile.splat %first [64, 64] : i32 -> tensor<64x64xi32>
  %windows = tile.splat %window [64, 64] : i32 -> tensor<64x64xi32>
  %m0 = arith.muli %m, %c64 : index
  %mi32 = arith.index_cast %m0 : index to i32
  %ms = tile.splat %mi32 [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %ms, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %end = tile.num_tiles %k, 0 by [64] : !tile.view<?x64x!T>
  %qt = tile.load %q[%m, %c0] [64, 64] : !tile.view<?x64x!T> -> tensor<64x64x!T>
  %r:3 = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !tile.view<?x64x!T> -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !tile.view<?x64x!T> -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zo transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    %x = arith.mulf %d, %scale : tensor<64x64xf32>
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %causal = arith.cmpi sle, %kpos, %qpos : tensor<64x64xi32>
    %far = arith.subi %qpos, %kpos : tensor<64x64xi32>
    %near = arith.cmpi slt, %far, %windows : tensor<64x64xi32>
    %begin = arith.cmpi slt, %kpos, %firsts : tensor<64x64xi32>
    %any = arith.ori %near, %begin : tensor<64x64xi1>
    %seen = arith.andi %causal, %any : tensor<64x64xi1>
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, tensor<64x64xf32>
    %most = tile.reduce max %s axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %mn = arith.maximumf %mi, %most : tensor<64x1xf32>
    %mb = tile.broadcast %mn [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %t = arith.subf %s, %mb : tensor<64x64xf32>
    %p = math.exp %t : tensor<64x64xf32>
    %dm = arith.subf %mi, %mn : tensor<64x1xf32>
    %al = math.exp %dm : tensor<64x1xf32>
    %ls = arith.mulf %li, %al : tensor<64x1xf32>
    %ps = tile.reduce add %p axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %ln = arith.addf %ls, %ps : tensor<64x1xf32>
    %ab = tile.broadcast %al [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %os = arith.mulf %oi, %ab : tensor<64x64xf32>
    %pc = tile.cast %p : tensor<64x64xf32> to tensor<64x64x!T>
    %on = tile.dot %pc, %vt, %os : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>
  }
  %lb = tile.broadcast %r#1 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %o = arith.divf %r#2, %lb : tensor<64x64xf32>
  tile.store %o, %y[%m, %c0] : tensor<64x64xf32>, !tile.view<?x64xf32>
}

// A bias for each distance, from a table; the mask of scores hides that of positions in the table.
// CASE @attend_distance_table rounded: 2x150x64xT=random:1 2x150x64xT=random:2 2x150x64xT=random:3 2x299xf32=random:4 -> 2x150x64xf32
tile.kernel @attend_distance_table(%q: !tile.view<?x?x64x!T>, %k: !tile.view<?x?x64x!T>, %v: !tile.view<?x?x64x!T>, %tb: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?x64xf32>)
    grid [ceildiv(dim(%q, 1), 64), dim(%q, 0)] {
  %v1 = tile.block_id 0
  %v2 = tile.block_id 1
  %v3 = tile.dim %q, 1 : !tile.view<?x?x64x!T>
  %v4 = arith.index_cast %v3 : index to i32
  %v5 = tile.select %q[%v2] : !tile.view<?x?x64x!T> -> !tile.view<?x64x!T>
  %v6 = arith.constant 0 : index
  %v7 = tile.load %v5[%v1, %v6] [64, 64] : !tile.view<?x64x!T> -> tensor<64x64x!T>
  %v8 = tile.iota [64] : tensor<64xi32>
  %v9 = arith.constant 64 : index
  %v10 = arith.muli %v1, %v9 : index
  %v11 = arith.index_cast %v10 : index to i32
  %v12 = tile.splat %v11 [64] : i32 -> tensor<64xi32>
  %v13 = arith.addi %v8, %v12 : tensor<64xi32>
  %v14 = tile.expand_dims %v13, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %v15 = tile.broadcast %v14 [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %v16 = tile.num_tiles %k, 1 by [64] : !tile.view<?x?x64x!T>
  %v17 = arith.constant dense<-1.0e+30> : tensor<64x1xf32>
  %v18 = arith.constant dense<0.0> : tensor<64x1xf32>
  %v19 = arith.constant dense<0.0> : tensor<64x64xf32>
  %v20 = arith.constant 0 : index
  %v21 = arith.constant 1 : index
  %r26:3 = scf.for %i22 = %v20 to %v16 step %v21 iter_args(%a23 = %v17, %a24 = %v18, %a25 = %v19) -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) {
    %v27 = tile.iota [64] : tensor<64xi32>
    %v28 = arith.constant 64 : index
    %v29 = arith.muli %i22, %v28 : index
    %v30 = arith.index_cast %v29 : index to i32
    %v31 = tile.splat %v30 [64] : i32 -> tensor<64xi32>
    %v32 = arith.addi %v27, %v31 : tensor<64xi32>
    %v33 = tile.broadcast %v32 [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %v34 = tile.splat %v4 [64, 64] : i32 -> tensor<64x64xi32>
    %v35 = arith.cmpi slt, %v33, %v34 : tensor<64x64xi32>
    %v36 = tile.splat %v4 [64, 64] : i32 -> tensor<64x64xi32>
    %v37 = arith.cmpi slt, %v15, %v36 : tensor<64x64xi32>
    %v38 = arith.andi %v35, %v37 : tensor<64x64xi1>
    %v39 = arith.subi %v33, %v15 : tensor<64x64xi32>
    %v40 = arith.constant 1 : i32
    %v41 = arith.subi %v4, %v40 : i32
    %v42 = tile.splat %v41 [64, 64] : i32 -> tensor<64x64xi32>
    %v43 = arith.addi %v39, %v42 : tensor<64x64xi32>
    %v44 = arith.constant dense<0> : tensor<64x64xi32>
    %v45 = arith.select %v38, %v43, %v44 : tensor<64x64xi1>, tensor<64x64xi32>
    %v46 = tile.select %tb[%v2] : !tile.view<?x?xf32> -> !tile.view<?xf32>
    %v47 = tile.reshape %v45 [4096] : tensor<64x64xi32> -> tensor<4096xi32>
    %v48 = tile.gather %v46[] at %v47 axis 0 [4096] : !tile.view<?xf32>, tensor<4096xi32> -> tensor<4096xf32>
    %v49 = tile.reshape %v48 [64, 64] : tensor<4096xf32> -> tensor<64x64xf32>
    %v50 = tile.select %k[%v2] : !tile.view<?x?x64x!T> -> !tile.view<?x64x!T>
    %v51 = arith.constant 0 : index
    %v52 = tile.load %v50[%i22, %v51] [64, 64] : !tile.view<?x64x!T> -> tensor<64x64x!T>
    %v53 = arith.constant dense<0.0> : tensor<64x64xf32>
    %v54 = tile.dot %v7, %v52, %v53 transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    %v55 = arith.constant dense<0.125> : tensor<64x64xf32>
    %v56 = arith.mulf %v54, %v55 : tensor<64x64xf32>
    %v57 = arith.addf %v56, %v49 : tensor<64x64xf32>
    %v58 = arith.constant dense<-1.0e+30> : tensor<64x64xf32>
    %v59 = arith.select %v38, %v57, %v58 : tensor<64x64xi1>, tensor<64x64xf32>
    %v60 = tile.select %v[%v2] : !tile.view<?x?x64x!T> -> !tile.view<?x64x!T>
    %v61 = arith.constant 0 : index
    %v62 = tile.load %v60[%i22, %v61] [64, 64] : !tile.view<?x64x!T> -> tensor<64x64x!T>
    %v63 = tile.reduce max %v59 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %v64 = arith.maximumf %a23, %v63 : tensor<64x1xf32>
    %v65 = tile.broadcast %v64 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %v66 = arith.subf %v59, %v65 : tensor<64x64xf32>
    %v67 = math.exp %v66 : tensor<64x64xf32>
    %v68 = arith.subf %a23, %v64 : tensor<64x1xf32>
    %v69 = math.exp %v68 : tensor<64x1xf32>
    %v70 = arith.mulf %a24, %v69 : tensor<64x1xf32>
    %v71 = tile.reduce add %v67 axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %v72 = arith.addf %v70, %v71 : tensor<64x1xf32>
    %v73 = tile.cast %v67 : tensor<64x64xf32> to tensor<64x64x!T>
    %v74 = tile.broadcast %v69 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
    %v75 = arith.mulf %a25, %v74 : tensor<64x64xf32>
    %v76 = tile.dot %v73, %v62, %v75 : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %v64, %v72, %v76 : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>
  }
  %v77 = tile.broadcast %r26#1 [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %v78 = arith.divf %r26#2, %v77 : tensor<64x64xf32>
  %v80 = tile.select %y[%v2] : !tile.view<?x?x64xf32> -> !tile.view<?x64xf32>
  %v81 = arith.constant 0 : index
  tile.store %v78, %v80[%v1, %v81] : tensor<64x64xf32>, !tile.view<?x64xf32>
}
