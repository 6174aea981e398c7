// Products spelled differently from the library's: each is one main loop on GPUs that have them, and uses matrix
// instructions on older ones.
// TYPES: bf16 f16
!V = !tile.view<?x?x!T>
!Q = !tile.view<?x?xi8>
!Y = !tile.view<?x?xf32>
!A = tensor<128x64x!T>
!B = tensor<64x64x!T>
!S = tensor<128x64xf32>
!P = tensor<64x64xf32>
!C = tensor<64x1xf32>

// Steps along K that are not multiples of the instruction's depth: beyond a tile lies data of the next step.
// CASE @narrow_steps K=128: 65x128xT=random:1 72x128xT=random:2 -> 65x72xf32
// CASE @narrow_steps K=20: 64x20xT=random:1 64x20xT=random:2 -> 64x64xf32
tile.kernel @narrow_steps(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !P
  %steps = tile.num_tiles %a, 1 by [8] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (!P) {
    %x = tile.load %a[%m, %k] [64, 8] : !V -> tensor<64x8x!T>
    %w = tile.load %b[%n, %k] [64, 8] : !V -> tensor<64x8x!T>
    %d = tile.dot %x, %w, %acc transpose_b : tensor<64x8x!T>, tensor<64x8x!T>, !P -> !P
    scf.yield %d : !P
  }
  tile.store %r, %y[%m, %n] : !P, !Y
}
// The first columns of wider matrices, less than a whole step.
// CASE @front_columns K=24: 64x128xT=random:1 64x128xT=random:2 -> 64x64xf32
tile.kernel @front_columns(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !P
  %steps = tile.num_tiles %b, 0 by [64] : !V
  %x = tile.load %a[%m, %c0] [64, 24] : !V -> tensor<64x24x!T>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (!P) {
    %w = tile.load %b[%k, %c0] [64, 24] : !V -> tensor<64x24x!T>
    %d = tile.dot %x, %w, %acc transpose_b : tensor<64x24x!T>, tensor<64x24x!T>, !P -> !P
    scf.yield %d : !P
  }
  tile.store %r, %y[%m, %c0] : !P, !Y
}

// x·w: the right operand runs across K.
// CASE @right_across K=136: 200x136xT=random:1 136x72xT=random:2 -> 200x72xf32
tile.kernel @right_across(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%k, %n] [64, 64] : !V -> !B
    %d = tile.dot %x, %w, %acc0 : !A, !B, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%m, %n] : !S, !Y
}

// xᵀ·w: both operands run across K.
// CASE @both_across K=136: 136x200xT=random:1 136x72xT=random:2 -> 200x72xf32
tile.kernel @both_across(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 0 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (!S) {
    %x = tile.load %a[%k, %m] [64, 128] : !V -> tensor<64x128x!T>
    %w = tile.load %b[%k, %n] [64, 64] : !V -> !B
    %d = tile.dot %x, %w, %acc0 transpose_a : tensor<64x128x!T>, !B, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%m, %n] : !S, !Y
}

// x·w with tiles of two panels of w; blocks may share x or w.
// CASE @wide_across K=136: 300x136xT=random:1 136x264xT=random:2 -> 300x264xf32
tile.kernel @wide_across(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 128)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (tensor<128x128xf32>) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%k, %n] [64, 128] : !V -> tensor<64x128x!T>
    %d = tile.dot %x, %w, %acc0 : !A, tensor<64x128x!T>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x128xf32>, !Y
}

// Two products over one K whose right operands are computed: the two halves of a byte.
// CASE @nibbles K=272: 200x136xT=random:1 200x136xT=random:2 72x136xi8=random:3:-100:100 -> 200x72xf32
tile.kernel @nibbles(%a: !V, %b: !V, %q: !Q) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %four = arith.constant dense<4> : tensor<64x64xi8>
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %u = tile.load %b[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %q[%n, %k] [64, 64] : !Q -> tensor<64x64xi8>
    %up = arith.shli %w, %four : tensor<64x64xi8>
    %down = arith.shrsi %up, %four : tensor<64x64xi8>
    %high = arith.shrsi %w, %four : tensor<64x64xi8>
    %lf = arith.sitofp %down : tensor<64x64xi8> to !B
    %hf = arith.sitofp %high : tensor<64x64xi8> to !B
    %d = tile.dot %x, %lf, %acc0 transpose_b : !A, !B, !S -> !S
    %e = tile.dot %u, %hf, %d transpose_b : !A, !B, !S -> !S
    scf.yield %e : !S
  }
  tile.store %r, %y[%m, %n] : !S, !Y
}

// Accumulators that start with a loaded tile.
// CASE @begun K=136: 200x136xT=random:1 72x136xT=random:2 200x72xf32=random:3 -> 200x72xf32
tile.kernel @begun(%a: !V, %b: !V, %c: !Y) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = tile.load %c[%m, %n] [128, 64] : !Y -> !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %start) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%n, %k] [64, 64] : !V -> !B
    %d = tile.dot %x, %w, %acc0 transpose_b : !A, !B, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%m, %n] : !S, !Y
}

// A result in two types: one is stored by TMA, the other row by row.
// CASE @two_types K=136: 300x136xT=random:1 200x136xT=random:2 -> 300x200xT 300x200xf32
tile.kernel @two_types(%a: !V, %b: !V) outs(%h: !V, %y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%n, %k] [64, 64] : !V -> !B
    %d = tile.dot %x, %w, %acc0 transpose_b : !A, !B, !S -> !S
    scf.yield %d : !S
  }
  %t = tile.cast %r : !S to !A
  tile.store %t, %h[%m, %n] : !A, !V
  tile.store %r, %y[%m, %n] : !S, !Y
}

// The right operand through a transposed view.
// CASE @transposed_view K=136: 200x136xT=random:1 136x72xT=random:2 -> 200x72xf32
tile.kernel @transposed_view(%a: !V, %b0: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %b = tile.transpose %b0 [1, 0] : !V -> !tile.view<?x?x!T, strides=[?, ?]>
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%n, %k] [64, 64] : !tile.view<?x?x!T, strides=[?, ?]> -> !B
    %d = tile.dot %x, %w, %acc0 transpose_b : !A, !B, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%m, %n] : !S, !Y
}

// The right operand loaded with an order of axes.
// CASE @ordered K=136: 200x136xT=random:1 136x72xT=random:2 -> 200x72xf32
tile.kernel @ordered(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%k, %n] [64, 64] order [1, 0] : !V -> !B
    %d = tile.dot %x, %w, %acc0 transpose_b : !A, !B, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%m, %n] : !S, !Y
}

// The product is added after the dot.
// CASE @added K=136: 200x136xT=random:1 72x136xT=random:2 -> 200x72xf32
tile.kernel @added(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%n, %k] [64, 64] : !V -> !B
    %p = tile.dot %x, %w, %z transpose_b : !A, !B, !S -> !S
    %d = arith.addf %p, %acc0 : !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%m, %n] : !S, !Y
}

// Two products share an operand.
// CASE @two_products K=136: 200x136xT=random:1 72x136xT=random:2 72x136xT=random:3 -> 200x72xf32
tile.kernel @two_products(%a: !V, %b: !V, %g: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r0, %r1 = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z, %acc1 = %z) -> (!S, !S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%n, %k] [64, 64] : !V -> !B
    %v = tile.load %g[%n, %k] [64, 64] : !V -> !B
    %d = tile.dot %x, %w, %acc0 transpose_b : !A, !B, !S -> !S
    %e = tile.dot %x, %v, %acc1 transpose_b : !A, !B, !S -> !S
    scf.yield %d, %e : !S, !S
  }
  %r = arith.subf %r0, %r1 : !S
  tile.store %r, %y[%m, %n] : !S, !Y
}

// Two steps per iteration.
// CASE @unrolled K=136: 200x136xT=random:1 72x136xT=random:2 -> 200x72xf32
tile.kernel @unrolled(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %c2 = arith.constant 2 : index
  %steps = tile.num_tiles %a, 1 by [128] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (!S) {
    %k2 = arith.muli %k, %c2 : index
    %k3 = arith.addi %k2, %c1 : index
    %x = tile.load %a[%m, %k2] [128, 64] : !V -> !A
    %w = tile.load %b[%n, %k2] [64, 64] : !V -> !B
    %x2 = tile.load %a[%m, %k3] [128, 64] : !V -> !A
    %w2 = tile.load %b[%n, %k3] [64, 64] : !V -> !B
    %p = tile.dot %x, %w, %acc0 transpose_b : !A, !B, !S -> !S
    %d = tile.dot %x2, %w2, %p transpose_b : !A, !B, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%m, %n] : !S, !Y
}

// The left operand is computed.
// CASE @rectified K=136: 200x136xT=random:1 72x136xT=random:2 -> 200x72xf32
tile.kernel @rectified(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %zh = arith.constant dense<0.0> : !A
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (!S) {
    %x0 = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %x = arith.maximumf %x0, %zh : !A
    %w = tile.load %b[%n, %k] [64, 64] : !V -> !B
    %d = tile.dot %x, %w, %acc0 transpose_b : !A, !B, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%m, %n] : !S, !Y
}

// The right operand is computed: the product is transposed.
// CASE @converted K=136: 200x136xT=random:1 72x136xi8=random:2:-1:1 -> 200x72xf32
tile.kernel @converted(%a: !V, %b: !Q) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %q = tile.load %b[%n, %k] [64, 64] : !Q -> tensor<64x64xi8>
    %f = arith.sitofp %q : tensor<64x64xi8> to tensor<64x64xf32>
    %w = tile.cast %f : tensor<64x64xf32> to !B
    %d = tile.dot %x, %w, %acc0 transpose_b : !A, !B, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%m, %n] : !S, !Y
}

// The left operand is a window of columns.
// CASE @window K=136: 200x272xT=random:1 72x128xT=random:2 -> 200x72xf32
tile.kernel @window(%a0: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %rows = tile.dim %a0, 0 : !V
  %a = tile.subview %a0[0, 128] [%rows, 128] : !V -> !tile.view<?x128x!T, strides=[?, 1]>
  %steps = tile.num_tiles %a, 1 by [64] : !tile.view<?x128x!T, strides=[?, 1]>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !tile.view<?x128x!T, strides=[?, 1]> -> !A
    %w = tile.load %b[%n, %k] [64, 64] : !V -> !B
    %d = tile.dot %x, %w, %acc0 transpose_b : !A, !B, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%m, %n] : !S, !Y
}

// Attention with exp, products and differences instead of multiply-adds, and a negated mask.
// CASE @attend_exp rounded K=136: 136x64xT=random:1 136x64xT=random:2 136x64xT=random:3 -> 136x64xf32
tile.kernel @attend_exp(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %lows = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %sc1 = arith.constant dense<0.125> : !C
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %n = arith.addi %m, %c1 : index
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %n step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo)
      -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %x = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %hidden = arith.cmpi slt, %qpos, %kpos : tensor<64x64xi32>
    %s = arith.select %hidden, %lows, %x : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mt, %mi : !C
    %ms = arith.mulf %mn, %sc1 : !C
    %mb = tile.broadcast %ms [64, 64] : !C -> !P
    %ss = arith.mulf %sc, %s : !P
    %sd = arith.subf %ss, %mb : !P
    %mo = arith.mulf %mi, %sc1 : !C
    %md = arith.subf %mo, %ms : !C
    %e = math.exp %sd : !P
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %al, %li : !C
    %ln = arith.addf %lt, %la : !C
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %ab, %oi : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// A head dimension of 80: five steps of sixteen, with space left in the panels.
// CASE @attend_width_80 rounded K=136: 136x80xT=random:1 136x80xT=random:2 136x80xT=random:3 -> 136x80xf32
tile.kernel @attend_width_80(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x80xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %lows = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %sc1 = arith.constant dense<0.125> : !C
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %n = arith.addi %m, %c1 : index
  %qt = tile.load %q[%m, %c0] [64, 80] : !V -> tensor<64x80x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %n step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo)
      -> (!C, !C, tensor<64x80xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 80] : !V -> tensor<64x80x!T>
    %vt = tile.load %v[%j, %c0] [64, 80] : !V -> tensor<64x80x!T>
    %x = tile.dot %qt, %kt, %zs transpose_b : tensor<64x80x!T>, tensor<64x80x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<64x64xi32>
    %s = arith.select %seen, %x, %lows : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mt, %mi : !C
    %ms = arith.mulf %mn, %sc1 : !C
    %mb = tile.broadcast %ms [64, 64] : !C -> !P
    %ss = arith.mulf %sc, %s : !P
    %sd = arith.subf %ss, %mb : !P
    %mo = arith.mulf %mi, %sc1 : !C
    %md = arith.subf %mo, %ms : !C
    %e = math.exp2 %sd : !P
    %al = math.exp2 %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %al, %li : !C
    %ln = arith.addf %lt, %la : !C
    %ab = tile.broadcast %al [64, 80] : !C -> tensor<64x80xf32>
    %oa = arith.mulf %ab, %oi : tensor<64x80xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x80x!T>, tensor<64x80xf32> -> tensor<64x80xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x80xf32>
  }
  %lb = tile.broadcast %ll [64, 80] : !C -> tensor<64x80xf32>
  %r = arith.divf %oo, %lb : tensor<64x80xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x80xf32>, !Y
}

// A head dimension of 48, with exp.
// CASE @attend_width_48 rounded K=136: 136x48xT=random:1 136x48xT=random:2 136x48xT=random:3 -> 136x48xf32
tile.kernel @attend_width_48(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x48xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %lows = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %sc1 = arith.constant dense<0.125> : !C
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %n = arith.addi %m, %c1 : index
  %qt = tile.load %q[%m, %c0] [64, 48] : !V -> tensor<64x48x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %n step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo)
      -> (!C, !C, tensor<64x48xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 48] : !V -> tensor<64x48x!T>
    %vt = tile.load %v[%j, %c0] [64, 48] : !V -> tensor<64x48x!T>
    %x = tile.dot %qt, %kt, %zs transpose_b : tensor<64x48x!T>, tensor<64x48x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<64x64xi32>
    %s = arith.select %seen, %x, %lows : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mt, %mi : !C
    %ms = arith.mulf %mn, %sc1 : !C
    %mb = tile.broadcast %ms [64, 64] : !C -> !P
    %ss = arith.mulf %sc, %s : !P
    %sd = arith.subf %ss, %mb : !P
    %mo = arith.mulf %mi, %sc1 : !C
    %md = arith.subf %mo, %ms : !C
    %e = math.exp %sd : !P
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %al, %li : !C
    %ln = arith.addf %lt, %la : !C
    %ab = tile.broadcast %al [64, 48] : !C -> tensor<64x48xf32>
    %oa = arith.mulf %ab, %oi : tensor<64x48xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x48x!T>, tensor<64x48xf32> -> tensor<64x48xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x48xf32>
  }
  %lb = tile.broadcast %ll [64, 48] : !C -> tensor<64x48xf32>
  %r = arith.divf %oo, %lb : tensor<64x48xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x48xf32>, !Y
}

// Queries are scaled before the loop.
// CASE @attend_scaled rounded K=136: 136x64xT=random:1 136x64xT=random:2 136x64xT=random:3 -> 136x64xf32
tile.kernel @attend_scaled(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %lows = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %sc1 = arith.constant dense<0.125> : !C
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %n = arith.addi %m, %c1 : index
  %qt0 = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %half = arith.constant dense<0.5> : tensor<64x64x!T>
  %qt = arith.mulf %qt0, %half : tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %n step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo)
      -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %x = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<64x64xi32>
    %s = arith.select %seen, %x, %lows : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mt, %mi : !C
    %ms = arith.mulf %mn, %sc1 : !C
    %mb = tile.broadcast %ms [64, 64] : !C -> !P
    %ss = arith.mulf %sc, %s : !P
    %sd = arith.subf %ss, %mb : !P
    %mo = arith.mulf %mi, %sc1 : !C
    %md = arith.subf %mo, %ms : !C
    %e = math.exp2 %sd : !P
    %al = math.exp2 %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %al, %li : !C
    %ln = arith.addf %lt, %la : !C
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %ab, %oi : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// A sliding window: two comparisons.
// CASE @attend_window rounded K=136: 136x64xT=random:1 136x64xT=random:2 136x64xT=random:3 -> 136x64xf32
tile.kernel @attend_window(%q: !V, %k: !V, %v: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<0xFF800000> : !C
  %lows = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %sc1 = arith.constant dense<0.125> : !C
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %n = arith.addi %m, %c1 : index
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %n step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo)
      -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %x = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %seen = arith.cmpi sge, %qpos, %kpos : tensor<64x64xi32>
    %c40 = arith.constant dense<100> : tensor<64x64xi32>
    %far = arith.subi %qpos, %c40 : tensor<64x64xi32>
    %near = arith.cmpi sgt, %kpos, %far : tensor<64x64xi32>
    %both = arith.andi %seen, %near : tensor<64x64xi1>
    %s = arith.select %both, %x, %lows : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mt, %mi : !C
    %ms = arith.mulf %mn, %sc1 : !C
    %mb = tile.broadcast %ms [64, 64] : !C -> !P
    %ss = arith.mulf %sc, %s : !P
    %sd = arith.subf %ss, %mb : !P
    %mo = arith.mulf %mi, %sc1 : !C
    %md = arith.subf %mo, %ms : !C
    %e = math.exp2 %sd : !P
    %al = math.exp2 %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %al, %li : !C
    %ln = arith.addf %lt, %la : !C
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %ab, %oi : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// Rows that are multiples of 8 or 4 bytes, or of neither: the last words of a row must not be read beyond its end.
// CASE @narrow_rows K=132: 200x132xT=random:1 72x132xT=random:2 -> 200x72xf32
// CASE @narrow_rows K=134: 130x134xT=random:3 66x134xT=random:4 -> 130x66xf32
// CASE @narrow_rows K=135: 130x135xT=random:5 66x135xT=random:6 -> 130x66xf32
tile.kernel @narrow_rows(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : !S
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (!S) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> !A
    %w = tile.load %b[%n, %k] [64, 64] : !V -> !B
    %d = tile.dot %x, %w, %acc0 transpose_b : !A, !B, !S -> !S
    scf.yield %d : !S
  }
  tile.store %r, %y[%m, %n] : !S, !Y
}

// One product per head: unit axes before and between rows and columns.
!W = !tile.view<?x?x?x!T>
!G = !tile.view<?x?x?xf32>
// CASE @heads K=136: 150x3x136xT=random:1 3x136x72xT=random:2 -> 150x3x72xf32
tile.kernel @heads(%a: !W, %b: !W) outs(%y: !G)
    grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 2), 64), dim(%y, 1)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %h = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<1x128x64xf32>
  %steps = tile.num_tiles %a, 2 by [64] : !W
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (tensor<1x128x64xf32>) {
    %x = tile.load %a[%m, %h, %k] [128, 1, 64] : !W -> tensor<128x1x64x!T>
    %x1 = tile.reshape %x [1, 128, 64] : tensor<128x1x64x!T> -> tensor<1x128x64x!T>
    %w = tile.load %b[%h, %k, %n] [1, 64, 64] : !W -> tensor<1x64x64x!T>
    %d = tile.dot %x1, %w, %acc0 : tensor<1x128x64x!T>, tensor<1x64x64x!T>, tensor<1x128x64xf32> -> tensor<1x128x64xf32>
    scf.yield %d : tensor<1x128x64xf32>
  }
  %o = tile.reshape %r [128, 1, 64] : tensor<1x128x64xf32> -> tensor<128x1x64xf32>
  tile.store %o, %y[%m, %h, %n] : tensor<128x1x64xf32>, !G
}

// Rows that do not divide between warp groups: the product is transposed, with two warp groups or one, and the last box
// overlaps the previous one.
// CASE @uneven_rows K=136: 200x136xT=random:1 264x136xT=random:2 -> 200x264xT
// CASE @uneven_rows K=192: 70x192xT=random:3 128x192xT=random:4 -> 70x128xT
tile.kernel @uneven_rows(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 72), ceildiv(dim(%y, 1), 128)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<72x128xf32>
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (tensor<72x128xf32>) {
    %x = tile.load %a[%m, %k] [72, 64] : !V -> tensor<72x64x!T>
    %w = tile.load %b[%n, %k] [128, 64] : !V -> tensor<128x64x!T>
    %d = tile.dot %x, %w, %acc0 transpose_b : tensor<72x64x!T>, tensor<128x64x!T>, tensor<72x128xf32> -> tensor<72x128xf32>
    scf.yield %d : tensor<72x128xf32>
  }
  %o = tile.cast %r : tensor<72x128xf32> to tensor<72x128x!T>
  tile.store %o, %y[%m, %n] : tensor<72x128x!T>, !V
}
// CASE @uneven_rows_of_one_group K=136: 150x136xT=random:5 136x136xT=random:6 -> 150x136xT
tile.kernel @uneven_rows_of_one_group(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 88), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<88x64xf32>
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc0 = %z) -> (tensor<88x64xf32>) {
    %x = tile.load %a[%m, %k] [88, 64] : !V -> tensor<88x64x!T>
    %w = tile.load %b[%n, %k] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %x, %w, %acc0 transpose_b : tensor<88x64x!T>, tensor<64x64x!T>, tensor<88x64xf32> -> tensor<88x64xf32>
    scf.yield %d : tensor<88x64xf32>
  }
  %o = tile.cast %r : tensor<88x64xf32> to tensor<88x64x!T>
  tile.store %o, %y[%m, %n] : tensor<88x64x!T>, !V
}
// aᵀ·b in 32 rows, which run along the left operand's rows.
// CASE @few_rows_along K=100: 100x72xT=random:1 100x72xT=random:2 -> 72x72xf32
tile.kernel @few_rows_along(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 32), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %steps = tile.num_tiles %a, 0 by [32] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<32x64xf32>) {
    %xt = tile.load %a[%k, %m] [32, 32] : !V -> tensor<32x32x!T>
    %x = tile.permute %xt [1, 0] : tensor<32x32x!T> -> tensor<32x32x!T>
    %w = tile.load %b[%k, %n] [32, 64] : !V -> tensor<32x64x!T>
    %d = tile.dot %x, %w, %acc : tensor<32x32x!T>, tensor<32x64x!T>, tensor<32x64xf32> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<32x64xf32>, !Y
}
// A rectified left operand and eight columns: stages are too small for adjacent placement.
// CASE @small_stages K=64: 130x64xT=random:1 20x64xT=random:2 -> 130x20xf32
tile.kernel @small_stages(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64), ceildiv(dim(%y, 1), 8)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<64x8xf32>
  %zero = arith.constant dense<0.0> : tensor<64x16x!T>
  %steps = tile.num_tiles %a, 1 by [16] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<64x8xf32>) {
    %xl = tile.load %a[%m, %k] [64, 16] : !V -> tensor<64x16x!T>
    %x = arith.maximumf %xl, %zero : tensor<64x16x!T>
    %w = tile.load %b[%n, %k] [8, 16] : !V -> tensor<8x16x!T>
    %d = tile.dot %x, %w, %acc transpose_b : tensor<64x16x!T>, tensor<8x16x!T>, tensor<64x8xf32> -> tensor<64x8xf32>
    scf.yield %d : tensor<64x8xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<64x8xf32>, !Y
}

// Few tiles with a large K: blocks of the grid split it, and the last one of each tile executes the epilogue.
// CASE @deep K=4104: 40x4104xT=random:1 24x4104xT=random:2 24xf32=random:3 -> 40x24xf32
// CASE @deep K=8000: 72x8000xT=random:1 16x8000xT=random:2 16xf32=random:3 -> 72x16xf32
// CASE @deep K=4102: 40x4102xT=random:1 24x4102xT=random:2 24xf32=random:3 -> 40x24xf32
// CASE @deep K=8001: 72x8001xT=random:1 16x8001xT=random:2 16xf32=random:3 -> 72x16xf32
tile.kernel @deep(%a: !V, %b: !V, %c: !tile.view<?xf32>) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64), ceildiv(dim(%y, 1), 32)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<64x32xf32>) {
    %x = tile.load %a[%m, %k] [64, 64] : !V -> !B
    %w = tile.load %b[%n, %k] [32, 64] : !V -> tensor<32x64x!T>
    %d = tile.dot %x, %w, %acc transpose_b : !B, tensor<32x64x!T>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %d : tensor<64x32xf32>
  }
  %bias = tile.load %c[%n] [32] : !tile.view<?xf32> -> tensor<32xf32>
  %rows = tile.broadcast %bias [64, 32] : tensor<32xf32> -> tensor<64x32xf32>
  %s = arith.addf %r, %rows : tensor<64x32xf32>
  tile.store %s, %y[%m, %n] : tensor<64x32xf32>, !Y
}
// The rows of these tiles do not fit warp groups, which compute the transposed result.
// CASE @deep_transposed K=4104: 70x4104xT=random:1 136x4104xT=random:2 136xf32=random:3 -> 70x136xT
tile.kernel @deep_transposed(%a: !V, %b: !V, %c: !tile.view<?xf32>) outs(%y: !V) grid [ceildiv(dim(%y, 0), 72), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<72x64xf32>
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<72x64xf32>) {
    %x = tile.load %a[%m, %k] [72, 64] : !V -> tensor<72x64x!T>
    %w = tile.load %b[%n, %k] [64, 64] : !V -> !B
    %d = tile.dot %x, %w, %acc transpose_b : tensor<72x64x!T>, !B, tensor<72x64xf32> -> tensor<72x64xf32>
    scf.yield %d : tensor<72x64xf32>
  }
  %bias = tile.load %c[%n] [64] : !tile.view<?xf32> -> tensor<64xf32>
  %rows = tile.broadcast %bias [72, 64] : tensor<64xf32> -> tensor<72x64xf32>
  %s = arith.addf %r, %rows : tensor<72x64xf32>
  %t = tile.cast %s : tensor<72x64xf32> to tensor<72x64x!T>
  tile.store %t, %y[%m, %n] : tensor<72x64x!T>, !V
}
// Both operands run across K, in tiles that are wider than high.
// CASE @deep_across K=4104: 4104x16xT=random:1 4104x136xT=random:2 -> 16x136xf32
tile.kernel @deep_across(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64), ceildiv(dim(%y, 1), 128)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<64x128xf32>
  %steps = tile.num_tiles %a, 0 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<64x128xf32>) {
    %x = tile.load %a[%k, %m] [64, 64] : !V -> !B
    %w = tile.load %b[%k, %n] [64, 128] : !V -> tensor<64x128x!T>
    %d = tile.dot %x, %w, %acc transpose_a : !B, tensor<64x128x!T>, tensor<64x128xf32> -> tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<64x128xf32>, !Y
}

// Blocks of the grid split the K of each entry of a batch.
// CASE @deep_batch K=4104: 2x40x4104xT=random:1 2x24x4104xT=random:2 -> 2x40x24xf32
// Clusters that multicast, whose last blocks lie outside of an entry.
// CASE @deep_batch K=136: 24x130x136xT=random:1 24x40x136xT=random:2 -> 24x130x40xf32
tile.kernel @deep_batch(%as: !tile.view<?x?x?x!T>, %bs: !tile.view<?x?x?x!T>) outs(%ys: !tile.view<?x?x?xf32>)
    grid [ceildiv(dim(%ys, 1), 64), ceildiv(dim(%ys, 2), 32), dim(%ys, 0)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %h = tile.block_id 2
  %a = tile.select %as[%h] : !tile.view<?x?x?x!T> -> !V
  %b = tile.select %bs[%h] : !tile.view<?x?x?x!T> -> !V
  %y = tile.select %ys[%h] : !tile.view<?x?x?xf32> -> !Y
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<64x32xf32>) {
    %x = tile.load %a[%m, %k] [64, 64] : !V -> !B
    %w = tile.load %b[%n, %k] [32, 64] : !V -> tensor<32x64x!T>
    %d = tile.dot %x, %w, %acc transpose_b : !B, tensor<32x64x!T>, tensor<64x32xf32> -> tensor<64x32xf32>
    scf.yield %d : tensor<64x32xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<64x32xf32>, !Y
}

// Out-of-bounds batch entries read zeros.
// CASE @entries rounded K=128: 2x100x128xT=random:1 2x72x128xT=random:2 3xi32=1,5,0 -> 3x100x72xf32
tile.kernel @entries(%a: !tile.view<?x?x?x!T>, %b: !tile.view<?x?x?x!T>, %id: !tile.view<?xi32>) outs(%y: !tile.view<?x?x?xf32>)
    grid [ceildiv(dim(%y, 1), 64), ceildiv(dim(%y, 2), 64), dim(%y, 0)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %h = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %it = tile.load %id[%h] [1] : !tile.view<?xi32> -> tensor<1xi32>
  %ie = tensor.extract %it[%c0] : tensor<1xi32>
  %i = arith.index_cast %ie : i32 to index
  %steps = tile.num_tiles %a, 2 by [64] : !tile.view<?x?x?x!T>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %x = tile.load %a[%i, %m, %k] [1, 64, 64] : !tile.view<?x?x?x!T> -> tensor<1x64x64x!T>
    %w = tile.load %b[%h, %n, %k] [1, 64, 64] : !tile.view<?x?x?x!T> -> tensor<1x64x64x!T>
    %x2 = tile.reshape %x [64, 64] : tensor<1x64x64x!T> -> tensor<64x64x!T>
    %w2 = tile.reshape %w [64, 64] : tensor<1x64x64x!T> -> tensor<64x64x!T>
    %d = tile.dot %x2, %w2, %acc transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %out = tile.reshape %r [1, 64, 64] : tensor<64x64xf32> -> tensor<1x64x64xf32>
  tile.store %out, %y[%h, %m, %n] : tensor<1x64x64xf32>, !tile.view<?x?x?xf32>
}

// The loop counts columns in i32.
// CASE @counted_by_i32 K=100: 65x100xT=random:1 72x100xT=random:2 -> 65x72xf32
tile.kernel @counted_by_i32(%a: !V, %b: !V) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %zero = arith.constant 0 : i32
  %bk = arith.constant 64 : i32
  %columns = tile.dim %a, 1 : !V
  %k = arith.index_cast %columns : index to i32
  %c = arith.constant dense<0.0> : !S
  %s = scf.for %i = %zero to %k step %bk iter_args(%acc = %c) -> (!S) : i32 {
    %step = arith.divsi %i, %bk : i32
    %j = arith.index_cast %step : i32 to index
    %0 = tile.load %a[%m, %j] [128, 64] : !V -> !A
    %1 = tile.load %b[%n, %j] [64, 64] : !V -> !B
    %2 = tile.dot %0, %1, %acc transpose_b : !A, !B, !S -> !S
    scf.yield %2 : !S
  }
  tile.store %s, %y[%m, %n] : !S, !Y
}
