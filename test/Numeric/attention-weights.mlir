// Attention with masks combined by "or" or defined by document numbers; with weights other than an online softmax: without a
// maximum, divided in every iteration, or gates; with scaled or rotated operands.
// TYPES: bf16 f16
!V = !tile.view<?x64x!T>
!Y = !tile.view<?x?xf32>
!P = tensor<64x64xf32>
!I = tensor<64x64xi32>
!C = tensor<64x1xf32>
!H = tensor<64x32xf32>

// All rows see a prefix, whose length is an argument, and the keys up to their own position.
// CASE @attend_prefix rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 i32=70 -> 200x64xf32
tile.kernel @attend_prefix(%q: !V, %k: !V, %v: !V, %prefix: i32) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
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
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %ps = tile.splat %prefix [64, 64] : i32 -> !I
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
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %all = arith.cmpi slt, %kpos, %ps : !I
    %seen = arith.ori %causal, %all : tensor<64x64xi1>
    %x = arith.mulf %d, %sc : !P
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

// Keys of the first tile and of a window, as the negation of the hidden ones.
// CASE @attend_far_or_near rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @attend_far_or_near(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
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
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %c20 = arith.constant dense<20> : !I
  %c40 = arith.constant dense<40> : !I
  %true = arith.constant dense<true> : tensor<64x64xi1>
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
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %behind = arith.cmpi sgt, %kpos, %qpos : !I
    %away = arith.subi %qpos, %kpos : !I
    %old = arith.cmpi sge, %away, %c20 : !I
    %late = arith.cmpi sge, %kpos, %c40 : !I
    %gone = arith.andi %old, %late : tensor<64x64xi1>
    %not = arith.ori %behind, %gone : tensor<64x64xi1>
    %seen = arith.xori %not, %true : tensor<64x64xi1>
    %x = arith.mulf %d, %sc : !P
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

// Rows see keys of their own document; document numbers need not be sorted.
// CASE @attend_documents rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 200xi32=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5 -> 200x64xf32
// CASE @attend_documents rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 200xi32=3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3 -> 200x64xf32
tile.kernel @attend_documents(%q: !V, %k: !V, %v: !V, %docs: !tile.view<?xi32>) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
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
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %dq = tile.load %docs[%m] [64] : !tile.view<?xi32> -> tensor<64xi32>
  %dqc = tile.expand_dims %dq, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %dqs = tile.broadcast %dqc [64, 64] : tensor<64x1xi32> -> !I
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
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %dk = tile.load %docs[%j] [64] : !tile.view<?xi32> -> tensor<64xi32>
    %dks = tile.broadcast %dk [64, 64] : tensor<64xi32> -> !I
    %same = arith.cmpi eq, %dks, %dqs : !I
    %seen = arith.andi %causal, %same : tensor<64x64xi1>
    %x = arith.mulf %d, %sc : !P
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

// Weights are plain exponentials.
// CASE @weigh_without_maximum rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @weigh_without_maximum(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
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
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%li = %z1, %oi = %zo) -> (!C, tensor<64x64xf32>) {
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
    %s = arith.select %causal, %x, %hidden : tensor<64x64xi1>, !P
    %e = math.exp %s : !P
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %ln = arith.addf %li, %lt : !C
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oi : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %ln, %on : !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// Linear attention: weights are products, and zero where masked.
// CASE @weigh_by_gates rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @weigh_by_gates(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
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
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %oo = scf.for %j = %c0 to %end step %c1 iter_args(%oi = %zo) -> (tensor<64x64xf32>) {
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
    %g = arith.uitofp %causal : tensor<64x64xi1> to !P
    %e = arith.mulf %x, %g : !P
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oi : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %on : tensor<64x64xf32>
  }
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %r = arith.mulf %oo, %one : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// The weighted sum is divided in every iteration.
// CASE @divide_behind_dot rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @divide_behind_dot(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
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
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
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
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %x = arith.mulf %d, %sc : !P
    %s = arith.select %causal, %x, %hidden : tensor<64x64xi1>, !P
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
    %lab = tile.broadcast %la [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %lab : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %od = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    %lnb = tile.broadcast %ln [64, 64] : !C -> tensor<64x64xf32>
    %on = arith.divf %od, %lnb : tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %r = arith.mulf %oo, %one : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// Weights are divided before the dot.
// CASE @divide_weights rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @divide_weights(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
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
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %ones = arith.constant dense<1.0> : !C
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
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %x = arith.mulf %d, %sc : !P
    %s = arith.select %causal, %x, %hidden : tensor<64x64xi1>, !P
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
    %inv = arith.divf %ones, %ln : !C
    %share = arith.mulf %la, %inv : !C
    %lab = tile.broadcast %share [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %lab : tensor<64x64xf32>
    %ib = tile.broadcast %inv [64, 64] : !C -> !P
    %es = arith.mulf %e, %ib : !P
    %ec = tile.cast %es : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %r = arith.mulf %oo, %one : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// The query is divided by a number, and keys are multiplied by an argument in the loop.
// CASE @scale_query_and_keys rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 f32=0.5 -> 200x64xf32
tile.kernel @scale_query_and_keys(%q: !V, %k: !V, %v: !V, %by: f32) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
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
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %bys = tile.splat %by [64, 64] : f32 -> !P
  %root = arith.constant dense<2.8> : !P
  %q0 = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %qf = tile.cast %q0 : tensor<64x64x!T> to !P
  %qs = arith.divf %qf, %root : !P
  %qt = tile.cast %qs : !P to tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %k0 = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %kf = tile.cast %k0 : tensor<64x64x!T> to !P
    %ks = arith.mulf %kf, %bys : !P
    %kt = tile.cast %ks : !P to tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %x = arith.mulf %d, %sc : !P
    %s = arith.select %causal, %x, %hidden : tensor<64x64xi1>, !P
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

// Keys are rotated in the loop: their halves are computed and concatenated.
// CASE @rotate_keys rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 200x32xf32=random:4 200x32xf32=random:5 -> 200x64xf32
tile.kernel @rotate_keys(%q: !V, %k: !V, %v: !V, %cosines: !tile.view<?x32xf32>, %sines: !tile.view<?x32xf32>) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
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
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %k0 = tile.load %k[%j, %c0] [64, 32] : !V -> tensor<64x32x!T>
    %k1 = tile.load %k[%j, %c1] [64, 32] : !V -> tensor<64x32x!T>
    %cos = tile.load %cosines[%j, %c0] [64, 32] : !tile.view<?x32xf32> -> !H
    %sin = tile.load %sines[%j, %c0] [64, 32] : !tile.view<?x32xf32> -> !H
    %f0 = tile.cast %k0 : tensor<64x32x!T> to !H
    %f1 = tile.cast %k1 : tensor<64x32x!T> to !H
    %ra = arith.mulf %f0, %cos : !H
    %rb = arith.mulf %f1, %sin : !H
    %rc = arith.mulf %f1, %cos : !H
    %rd = arith.mulf %f0, %sin : !H
    %r0 = arith.subf %ra, %rb : !H
    %r1 = arith.addf %rc, %rd : !H
    %kf = tile.cat %r0, %r1 axis 1 : !H, !H -> !P
    %kt = tile.cast %kf : !P to tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %causal = arith.cmpi sle, %kpos, %qpos : !I
    %x = arith.mulf %d, %sc : !P
    %s = arith.select %causal, %x, %hidden : tensor<64x64xi1>, !P
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
