// Attention whose loop computes more than one softmax: two maps over the same values, or other results beside the output.
// A mask that is added to scores.
// TYPES: bf16 f16
!V = !tile.view<?x64x!T>
!Y = !tile.view<?x?xf32>
!P = tensor<64x64xf32>
!I = tensor<64x64xi32>
!I1 = tensor<64x64xi1>
!C = tensor<64x1xf32>

// Differential attention: the difference of two softmaxes over the same values. Both masks hide the same iterations.
// CASE @attend_twice rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 200x64xT=random:4 200x64xT=random:5 -> 200x64xf32
tile.kernel @attend_twice(%q: !V, %r: !V, %k: !V, %h: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
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
  %part = arith.constant dense<0.25> : !P
  %q0 = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %r0 = tile.load %r[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %res:6 = scf.for %j = %c0 to %end step %c1 iter_args(%m1 = %low, %l1 = %z1, %o1 = %zs, %m2 = %low, %l2 = %z1, %o2 = %zs) -> (!C, !C, !P, !C, !C, !P) {
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %k1 = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d1 = tile.dot %q0, %k1, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %x1 = arith.mulf %d1, %sc : !P
    %s1 = arith.select %seen, %x1, %hidden : !I1, !P
    %mt1 = tile.reduce max %s1 axis 1 keepdims : !P -> !C
    %mn1 = arith.maximumf %m1, %mt1 : !C
    %mb1 = tile.broadcast %mn1 [64, 64] : !C -> !P
    %sd1 = arith.subf %s1, %mb1 : !P
    %e1 = math.exp %sd1 : !P
    %md1 = arith.subf %m1, %mn1 : !C
    %a1 = math.exp %md1 : !C
    %lt1 = tile.reduce add %e1 axis 1 keepdims : !P -> !C
    %la1 = arith.mulf %l1, %a1 : !C
    %ln1 = arith.addf %la1, %lt1 : !C
    %ab1 = tile.broadcast %a1 [64, 64] : !C -> !P
    %oa1 = arith.mulf %o1, %ab1 : !P
    %w1 = tile.cast %e1 : !P to tensor<64x64x!T>
    %on1 = tile.dot %w1, %vt, %oa1 : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %k2 = tile.load %h[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d2 = tile.dot %r0, %k2, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %x2 = arith.mulf %d2, %sc : !P
    %s2 = arith.select %seen, %x2, %hidden : !I1, !P
    %mt2 = tile.reduce max %s2 axis 1 keepdims : !P -> !C
    %mn2 = arith.maximumf %m2, %mt2 : !C
    %mb2 = tile.broadcast %mn2 [64, 64] : !C -> !P
    %sd2 = arith.subf %s2, %mb2 : !P
    %e2 = math.exp %sd2 : !P
    %md2 = arith.subf %m2, %mn2 : !C
    %a2 = math.exp %md2 : !C
    %lt2 = tile.reduce add %e2 axis 1 keepdims : !P -> !C
    %la2 = arith.mulf %l2, %a2 : !C
    %ln2 = arith.addf %la2, %lt2 : !C
    %ab2 = tile.broadcast %a2 [64, 64] : !C -> !P
    %oa2 = arith.mulf %o2, %ab2 : !P
    %w2 = tile.cast %e2 : !P to tensor<64x64x!T>
    %on2 = tile.dot %w2, %vt, %oa2 : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    scf.yield %mn1, %ln1, %on1, %mn2, %ln2, %on2 : !C, !C, !P, !C, !C, !P
  }
  %b1 = tile.broadcast %res#1 [64, 64] : !C -> !P
  %y1 = arith.divf %res#2, %b1 : !P
  %b2 = tile.broadcast %res#4 [64, 64] : !C -> !P
  %y2 = arith.divf %res#5, %b2 : !P
  %y2p = arith.mulf %y2, %part : !P
  %yd = arith.subf %y1, %y2p : !P
  tile.store %yd, %y[%m, %c0] : !P, !Y
}

// Also the sum of all scores of a row, hidden ones included: no iteration may be skipped.
// CASE @attend_and_sum rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32 200x1xf32
tile.kernel @attend_and_sum(%q: !V, %k: !V, %v: !V) outs(%y: !Y, %t: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
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
  %q0 = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %res:4 = scf.for %j = %c0 to %end step %c1 iter_args(%m1 = %low, %l1 = %z1, %o1 = %zs, %ti = %z1) -> (!C, !C, !P, !C) {
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %k1 = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d1 = tile.dot %q0, %k1, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %x1 = arith.mulf %d1, %sc : !P
    %s1 = arith.select %seen, %x1, %hidden : !I1, !P
    %mt1 = tile.reduce max %s1 axis 1 keepdims : !P -> !C
    %mn1 = arith.maximumf %m1, %mt1 : !C
    %mb1 = tile.broadcast %mn1 [64, 64] : !C -> !P
    %sd1 = arith.subf %s1, %mb1 : !P
    %e1 = math.exp %sd1 : !P
    %md1 = arith.subf %m1, %mn1 : !C
    %a1 = math.exp %md1 : !C
    %lt1 = tile.reduce add %e1 axis 1 keepdims : !P -> !C
    %la1 = arith.mulf %l1, %a1 : !C
    %ln1 = arith.addf %la1, %lt1 : !C
    %ab1 = tile.broadcast %a1 [64, 64] : !C -> !P
    %oa1 = arith.mulf %o1, %ab1 : !P
    %w1 = tile.cast %e1 : !P to tensor<64x64x!T>
    %on1 = tile.dot %w1, %vt, %oa1 : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %xt = tile.reduce add %x1 axis 1 keepdims : !P -> !C
    %tn = arith.addf %ti, %xt : !C
    scf.yield %mn1, %ln1, %on1, %tn : !C, !C, !P, !C
  }
  %b1 = tile.broadcast %res#1 [64, 64] : !C -> !P
  %y1 = arith.divf %res#2, %b1 : !P
  tile.store %y1, %y[%m, %c0] : !P, !Y
  tile.store %res#3, %t[%m, %c0] : !C, !Y
}

// Also exponentials relative to the maximum so far, which therefore must be updated in every iteration.
// CASE @attend_and_count rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32 200x1xf32
tile.kernel @attend_and_count(%q: !V, %k: !V, %v: !V) outs(%y: !Y, %t: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
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
  %q0 = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %res:4 = scf.for %j = %c0 to %end step %c1 iter_args(%m1 = %low, %l1 = %z1, %o1 = %zs, %ti = %z1) -> (!C, !C, !P, !C) {
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %k1 = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d1 = tile.dot %q0, %k1, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %x1 = arith.mulf %d1, %sc : !P
    %s1 = arith.select %seen, %x1, %hidden : !I1, !P
    %mt1 = tile.reduce max %s1 axis 1 keepdims : !P -> !C
    %mn1 = arith.maximumf %m1, %mt1 : !C
    %mb1 = tile.broadcast %mn1 [64, 64] : !C -> !P
    %sd1 = arith.subf %s1, %mb1 : !P
    %e1 = math.exp %sd1 : !P
    %md1 = arith.subf %m1, %mn1 : !C
    %a1 = math.exp %md1 : !C
    %lt1 = tile.reduce add %e1 axis 1 keepdims : !P -> !C
    %la1 = arith.mulf %l1, %a1 : !C
    %ln1 = arith.addf %la1, %lt1 : !C
    %ab1 = tile.broadcast %a1 [64, 64] : !C -> !P
    %oa1 = arith.mulf %o1, %ab1 : !P
    %w1 = tile.cast %e1 : !P to tensor<64x64x!T>
    %on1 = tile.dot %w1, %vt, %oa1 : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %tn = arith.addf %ti, %lt1 : !C
    scf.yield %mn1, %ln1, %on1, %tn : !C, !C, !P, !C
  }
  %b1 = tile.broadcast %res#1 [64, 64] : !C -> !P
  %y1 = arith.divf %res#2, %b1 : !P
  tile.store %y1, %y[%m, %c0] : !P, !Y
  tile.store %res#3, %t[%m, %c0] : !C, !Y
}

// Also the scores themselves, stored in the loop.
// CASE @attend_and_store rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32 200x200xf32
tile.kernel @attend_and_store(%q: !V, %k: !V, %v: !V) outs(%y: !Y, %t: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
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
  %q0 = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %res:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m1 = %low, %l1 = %z1, %o1 = %zs) -> (!C, !C, !P) {
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %k1 = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d1 = tile.dot %q0, %k1, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %x1 = arith.mulf %d1, %sc : !P
    %s1 = arith.select %seen, %x1, %hidden : !I1, !P
    %mt1 = tile.reduce max %s1 axis 1 keepdims : !P -> !C
    %mn1 = arith.maximumf %m1, %mt1 : !C
    %mb1 = tile.broadcast %mn1 [64, 64] : !C -> !P
    %sd1 = arith.subf %s1, %mb1 : !P
    %e1 = math.exp %sd1 : !P
    %md1 = arith.subf %m1, %mn1 : !C
    %a1 = math.exp %md1 : !C
    %lt1 = tile.reduce add %e1 axis 1 keepdims : !P -> !C
    %la1 = arith.mulf %l1, %a1 : !C
    %ln1 = arith.addf %la1, %lt1 : !C
    %ab1 = tile.broadcast %a1 [64, 64] : !C -> !P
    %oa1 = arith.mulf %o1, %ab1 : !P
    %w1 = tile.cast %e1 : !P to tensor<64x64x!T>
    %on1 = tile.dot %w1, %vt, %oa1 : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    tile.store %x1, %t[%m, %j] : !P, !Y
    scf.yield %mn1, %ln1, %on1 : !C, !C, !P
  }
  %b1 = tile.broadcast %res#1 [64, 64] : !C -> !P
  %y1 = arith.divf %res#2, %b1 : !P
  tile.store %y1, %y[%m, %c0] : !P, !Y
}

// A mask that is added: 0 for keys that a row sees, -10⁹ for others.
// CASE @attend_added_mask rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 -> 200x64xf32
tile.kernel @attend_added_mask(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e+30> : !C
  %lows = arith.constant dense<-1.0e+09> : !P
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %q0 = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %res:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m1 = %low, %l1 = %z1, %o1 = %zs) -> (!C, !C, !P) {
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %k1 = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d1 = tile.dot %q0, %k1, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %x1 = arith.mulf %d1, %sc : !P
    %t1 = arith.select %seen, %zs, %lows : !I1, !P
    %s1 = arith.addf %x1, %t1 : !P
    %mt1 = tile.reduce max %s1 axis 1 keepdims : !P -> !C
    %mn1 = arith.maximumf %m1, %mt1 : !C
    %mb1 = tile.broadcast %mn1 [64, 64] : !C -> !P
    %sd1 = arith.subf %s1, %mb1 : !P
    %e1 = math.exp %sd1 : !P
    %md1 = arith.subf %m1, %mn1 : !C
    %a1 = math.exp %md1 : !C
    %lt1 = tile.reduce add %e1 axis 1 keepdims : !P -> !C
    %la1 = arith.mulf %l1, %a1 : !C
    %ln1 = arith.addf %la1, %lt1 : !C
    %ab1 = tile.broadcast %a1 [64, 64] : !C -> !P
    %oa1 = arith.mulf %o1, %ab1 : !P
    %w1 = tile.cast %e1 : !P to tensor<64x64x!T>
    %on1 = tile.dot %w1, %vt, %oa1 : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    scf.yield %mn1, %ln1, %on1 : !C, !C, !P
  }
  %b1 = tile.broadcast %res#1 [64, 64] : !C -> !P
  %y1 = arith.divf %res#2, %b1 : !P
  tile.store %y1, %y[%m, %c0] : !P, !Y
}

// Rows of two wgmma for each of two warp groups, which skip the keys after their own rows.
// CASE @attend_tall rounded K=300: 300x64xT=random:1 300x64xT=random:2 300x64xT=random:3 -> 300x64xf32
tile.kernel @attend_tall(%q: !V, %k: !V, %v: !V) outs(%y: !tile.view<?x64xf32>) grid [ceildiv(dim(%y, 0), 256)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %q[%x1, %x2] [256, 64] : !V -> tensor<256x64x!T>
  %x4 = arith.constant 256 : index
  %x5 = arith.muli %x1, %x4 : index
  %x6 = arith.index_cast %x5 : index to i32
  %x7 = tile.iota [256] : tensor<256xi32>
  %x8 = tile.splat %x6 [256] : i32 -> tensor<256xi32>
  %x9 = arith.addi %x7, %x8 : tensor<256xi32>
  %x10 = tile.expand_dims %x9, 1 : tensor<256xi32> -> tensor<256x1xi32>
  %x11 = arith.constant dense<0.0> : tensor<256x64xf32>
  %x12 = tile.num_tiles %k, 0 by [64] : !V
  %x13 = arith.constant 0 : index
  %x14 = arith.constant dense<-1.000000000e+30> : tensor<256x1xf32>
  %x15 = arith.constant dense<0.0> : tensor<256x1xf32>
  %x16 = arith.constant 1 : index
  %x21, %x22, %x23 = scf.for %x17 = %x13 to %x12 step %x16 iter_args(%x18 = %x14, %x19 = %x15, %x20 = %x11) -> (tensor<256x1xf32>, tensor<256x1xf32>, tensor<256x64xf32>) {
    %x24 = arith.constant 0 : index
    %x25 = tile.load %k[%x17, %x24] [64, 64] : !V -> tensor<64x64x!T>
    %x26 = arith.constant 0 : index
    %x27 = tile.load %v[%x17, %x26] [64, 64] : !V -> tensor<64x64x!T>
    %x28 = arith.constant dense<0.0> : tensor<256x64xf32>
    %x29 = tile.dot %x3, %x25, %x28 transpose_b : tensor<256x64x!T>, tensor<64x64x!T>, tensor<256x64xf32> -> tensor<256x64xf32>
    %x30 = arith.constant dense<0.125> : tensor<256x64xf32>
    %x31 = arith.mulf %x29, %x30 : tensor<256x64xf32>
    %x32 = arith.constant 64 : index
    %x33 = arith.muli %x17, %x32 : index
    %x34 = arith.index_cast %x33 : index to i32
    %x35 = tile.iota [64] : tensor<64xi32>
    %x36 = tile.splat %x34 [64] : i32 -> tensor<64xi32>
    %x37 = arith.addi %x35, %x36 : tensor<64xi32>
    %x38 = tile.expand_dims %x37, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %x39 = tile.broadcast %x10 [256, 64] : tensor<256x1xi32> -> tensor<256x64xi32>
    %x40 = tile.broadcast %x38 [256, 64] : tensor<1x64xi32> -> tensor<256x64xi32>
    %x41 = arith.cmpi sge, %x39, %x40 : tensor<256x64xi32>
    %x42 = arith.constant dense<0xFF800000> : tensor<256x64xf32>
    %x43 = arith.select %x41, %x31, %x42 : tensor<256x64xi1>, tensor<256x64xf32>
    %x44 = tile.reduce max %x43 axis 1 keepdims : tensor<256x64xf32> -> tensor<256x1xf32>
    %x45 = arith.maximumf %x18, %x44 : tensor<256x1xf32>
    %x46 = tile.broadcast %x45 [256, 64] : tensor<256x1xf32> -> tensor<256x64xf32>
    %x47 = arith.subf %x43, %x46 : tensor<256x64xf32>
    %x48 = math.exp %x47 : tensor<256x64xf32>
    %x49 = arith.subf %x18, %x45 : tensor<256x1xf32>
    %x50 = math.exp %x49 : tensor<256x1xf32>
    %x51 = arith.mulf %x19, %x50 : tensor<256x1xf32>
    %x52 = tile.reduce add %x48 axis 1 keepdims : tensor<256x64xf32> -> tensor<256x1xf32>
    %x53 = arith.addf %x51, %x52 : tensor<256x1xf32>
    %x54 = tile.cast %x48 : tensor<256x64xf32> to tensor<256x64x!T>
    %x55 = tile.broadcast %x50 [256, 64] : tensor<256x1xf32> -> tensor<256x64xf32>
    %x56 = arith.mulf %x20, %x55 : tensor<256x64xf32>
    %x57 = tile.dot %x54, %x27, %x56 : tensor<256x64x!T>, tensor<64x64x!T>, tensor<256x64xf32> -> tensor<256x64xf32>
    scf.yield %x45, %x53, %x57 : tensor<256x1xf32>, tensor<256x1xf32>, tensor<256x64xf32>
  }
  %x58 = tile.broadcast %x22 [256, 64] : tensor<256x1xf32> -> tensor<256x64xf32>
  %x59 = arith.divf %x23, %x58 : tensor<256x64xf32>
  %x60 = arith.constant 0 : index
  tile.store %x59, %y[%x1, %x60] : tensor<256x64xf32>, !tile.view<?x64xf32>
}
