// Attention of many heads in tiles of few rows, which GPUs with `wgmma` give the rows of two warp groups.
// TYPES: bf16 f16
!V = !tile.view<?x?x16x!T>
!H = !tile.view<?x16x!T>
!Y = !tile.view<?x?x16xf32>
!Z = !tile.view<?x16xf32>
!P = tensor<32x64xf32>
!I = tensor<32x64xi32>
!C = tensor<32x1xf32>
!O = tensor<32x16xf32>

// The end of the loop depends on the block.
// CASE @attend_rows_end rounded K=130: 72x130x16xT=random:1 72x130x16xT=random:2 72x130x16xT=random:3 -> 72x130x16xf32
tile.kernel @attend_rows_end(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 1), 32), dim(%y, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : !O
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %qh = tile.select %q[%h] : !V -> !H
  %kh = tile.select %k[%h] : !V -> !H
  %vh = tile.select %v[%h] : !V -> !H
  %yh = tile.select %y[%h] : !Y -> !Z
  %first = arith.muli %m, %c32 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [32] : i32 -> tensor<32xi32>
  %im = tile.iota [32] : tensor<32xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %im : tensor<32xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<32xi32> -> tensor<32x1xi32>
  %qpos = tile.broadcast %qc [32, 64] : tensor<32x1xi32> -> !I
  %next = arith.addi %m, %c1 : index
  %rows = arith.muli %next, %c32 : index
  %up = arith.addi %rows, %c63 : index
  %end = arith.divui %up, %c64 : index
  %qt = tile.load %qh[%m, %c0] [32, 16] : !H -> tensor<32x16x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, !O) {
    %kt = tile.load %kh[%j, %c0] [64, 16] : !H -> tensor<64x16x!T>
    %vt = tile.load %vh[%j, %c0] [64, 16] : !H -> tensor<64x16x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<32x16x!T>, tensor<64x16x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [32, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %s = arith.select %seen, %d, %hidden : tensor<32x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [32, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %mi, %mn : !C
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %li, %al : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %al [32, 16] : !C -> !O
    %oa = arith.mulf %oi, %ab : !O
    %ec = tile.cast %e : !P to tensor<32x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<32x64x!T>, tensor<64x16x!T>, !O -> !O
    scf.yield %mn, %ln, %on : !C, !C, !O
  }
  %lb = tile.broadcast %ll [32, 16] : !C -> !O
  %r = arith.divf %oo, %lb : !O
  tile.store %r, %yh[%m, %c0] : !O, !Z
}

// Both ends depend on it: a window of 50 keys. Keys outside of it weigh nothing; there is no maximum.
// CASE @attend_rows_window rounded K=130: 72x130x16xT=random:4 72x130x16xT=random:5 72x130x16xT=random:6 -> 72x130x16xf32
tile.kernel @attend_rows_window(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 1), 32), dim(%y, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c49 = arith.constant 49 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : !O
  %width = arith.constant dense<50> : !I
  %scale = arith.constant dense<0.03125> : !P
  %qh = tile.select %q[%h] : !V -> !H
  %kh = tile.select %k[%h] : !V -> !H
  %vh = tile.select %v[%h] : !V -> !H
  %yh = tile.select %y[%h] : !Y -> !Z
  %first = arith.muli %m, %c32 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [32] : i32 -> tensor<32xi32>
  %im = tile.iota [32] : tensor<32xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %im : tensor<32xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<32xi32> -> tensor<32x1xi32>
  %qpos = tile.broadcast %qc [32, 64] : tensor<32x1xi32> -> !I
  %back = arith.subi %first, %c49 : index
  %least = arith.maxsi %back, %c0 : index
  %begin = arith.divui %least, %c64 : index
  %next = arith.addi %m, %c1 : index
  %rows = arith.muli %next, %c32 : index
  %up = arith.addi %rows, %c63 : index
  %end = arith.divui %up, %c64 : index
  %qt = tile.load %qh[%m, %c0] [32, 16] : !H -> tensor<32x16x!T>
  %oo = scf.for %j = %begin to %end step %c1 iter_args(%oi = %zo) -> (!O) {
    %kt = tile.load %kh[%j, %c0] [64, 16] : !H -> tensor<64x16x!T>
    %vt = tile.load %vh[%j, %c0] [64, 16] : !H -> tensor<64x16x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<32x16x!T>, tensor<64x16x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [32, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %far = arith.subi %qpos, %width : !I
    %near = arith.cmpi sgt, %kpos, %far : !I
    %in2 = arith.andi %seen, %near : tensor<32x64xi1>
    %small = arith.mulf %d, %scale : !P
    %e = math.absf %small : !P
    %w = arith.select %in2, %e, %zs : tensor<32x64xi1>, !P
    %ec = tile.cast %w : !P to tensor<32x64x!T>
    %on = tile.dot %ec, %vt, %oi : tensor<32x64x!T>, tensor<64x16x!T>, !O -> !O
    scf.yield %on : !O
  }
  tile.store %oo, %yh[%m, %c0] : !O, !Z
}

// Two heads in a block, multiplied at a time; their masks have no axis of heads.
// CASE @attend_two_heads rounded: 4x200x64xT=random:1 4x200x64xT=random:2 4x200x64xT=random:3 -> 4x200x64xf32
!B = !tile.view<?x?x64x!T>
!D = tensor<2x64x64xf32>
!E = tensor<2x64x1xf32>
tile.kernel @attend_two_heads(%q: !B, %k: !B, %v: !B) outs(%y: !tile.view<?x?x64xf32>) grid [ceildiv(dim(%y, 1), 64), ceildiv(dim(%y, 0), 2)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zo = arith.constant dense<0.0> : !D
  %z1 = arith.constant dense<0.0> : !E
  %low = arith.constant dense<0xFF800000> : !E
  %hidden = arith.constant dense<0xFF800000> : !D
  %scale = arith.constant dense<0.125> : !D
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %end = arith.addi %m, %c1 : index
  %qt = tile.load %q[%h, %m, %c0] [2, 64, 64] : !B -> tensor<2x64x64x!T>
  %r:3 = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!E, !E, !D) {
    %kt = tile.load %k[%h, %j, %c0] [2, 64, 64] : !B -> tensor<2x64x64x!T>
    %vt = tile.load %v[%h, %j, %c0] [2, 64, 64] : !B -> tensor<2x64x64x!T>
    %d = tile.dot %qt, %kt, %zo transpose_b : tensor<2x64x64x!T>, tensor<2x64x64x!T>, !D -> !D
    %x = arith.mulf %d, %scale : !D
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<64x64xi32>
    %sx = tile.expand_dims %seen, 0 : tensor<64x64xi1> -> tensor<1x64x64xi1>
    %both = tile.broadcast %sx [2, 64, 64] : tensor<1x64x64xi1> -> tensor<2x64x64xi1>
    %s = arith.select %both, %x, %hidden : tensor<2x64x64xi1>, !D
    %most = tile.reduce max %s axis 2 keepdims : !D -> !E
    %mn = arith.maximumf %mi, %most : !E
    %mb = tile.broadcast %mn [2, 64, 64] : !E -> !D
    %t = arith.subf %s, %mb : !D
    %p = math.exp %t : !D
    %dm = arith.subf %mi, %mn : !E
    %al = math.exp %dm : !E
    %ls = arith.mulf %li, %al : !E
    %ps = tile.reduce add %p axis 2 keepdims : !D -> !E
    %ln = arith.addf %ls, %ps : !E
    %ab = tile.broadcast %al [2, 64, 64] : !E -> !D
    %os = arith.mulf %oi, %ab : !D
    %pc = tile.cast %p : !D to tensor<2x64x64x!T>
    %on = tile.dot %pc, %vt, %os : tensor<2x64x64x!T>, tensor<2x64x64x!T>, !D -> !D
    scf.yield %mn, %ln, %on : !E, !E, !D
  }
  %lb = tile.broadcast %r#1 [2, 64, 64] : !E -> !D
  %o = arith.divf %r#2, %lb : !D
  tile.store %o, %y[%h, %m, %c0] : !D, !tile.view<?x?x64xf32>
}
