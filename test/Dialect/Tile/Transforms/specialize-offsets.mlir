// RUN: tilegpt-opt %s --tile-specialize --canonicalize --cse --split-input-file | FileCheck %s

!V = !tile.view<?x?xf16>

// Offsets row·width + column, advanced by the loop, with masks of bounds: tiles of the views, whatever the sizes. The right
// operand is read across its rows.
// CHECK-LABEL: tile.kernel @product(
// CHECK:       %[[M:.*]] = tile.block_id 0
// CHECK:       %[[N:.*]] = tile.block_id 1
// CHECK:       scf.for %[[K:[^ ]*]] =
// CHECK:         %[[I:.*]] = arith.divui %[[K]], %{{.*}} : index
// CHECK:         tile.load %arg0[%[[M]], %[[I]]] [64, 32] : !tile.view
// CHECK:         tile.load %arg1[%[[N]], %[[I]]] [32, 16] order [1, 0] : !tile.view
// CHECK:       tile.store %{{.*}}, %arg2[%[[M]], %[[N]]] : tensor<64x16xf32>
// CHECK-NOT:   load_at
tile.kernel @product(%a: !V, %b: !V) outs(%y: !tile.view<?x?xf32>)
    requires(dim(%a, 0) == dim(%y, 0), dim(%b, 0) == dim(%y, 1), dim(%a, 1) == dim(%b, 1))
    grid [ceildiv(dim(%y, 0), 64), ceildiv(dim(%y, 1), 16)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %m32 = arith.index_cast %m : index to i32
  %n32 = arith.index_cast %n : index to i32
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %di = tile.dim %a, 0 : !V
  %dj = tile.dim %b, 0 : !V
  %dk = tile.dim %a, 1 : !V
  %height = arith.index_cast %di : index to i32
  %width = arith.index_cast %dj : index to i32
  %depth = arith.index_cast %dk : index to i32
  %ri = tile.iota [64] : tensor<64xi32>
  %r0 = arith.muli %m32, %c64 : i32
  %rs = tile.splat %r0 [64] : i32 -> tensor<64xi32>
  %r = arith.addi %rs, %ri : tensor<64xi32>
  %rc = tile.expand_dims %r, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ci = tile.iota [16] : tensor<16xi32>
  %c0s = arith.muli %n32, %c16 : i32
  %cs = tile.splat %c0s [16] : i32 -> tensor<16xi32>
  %c = arith.addi %cs, %ci : tensor<16xi32>
  %k = tile.iota [32] : tensor<32xi32>
  %kc = tile.expand_dims %k, 1 : tensor<32xi32> -> tensor<32x1xi32>
  %ds = tile.splat %depth [64, 1] : i32 -> tensor<64x1xi32>
  %start = arith.muli %rc, %ds : tensor<64x1xi32>
  %startb = tile.broadcast %start [64, 32] : tensor<64x1xi32> -> tensor<64x32xi32>
  %kb = tile.broadcast %k [64, 32] : tensor<32xi32> -> tensor<64x32xi32>
  %ao = arith.addi %startb, %kb : tensor<64x32xi32>
  %ds2 = tile.splat %depth [16] : i32 -> tensor<16xi32>
  %startc = arith.muli %c, %ds2 : tensor<16xi32>
  %startcb = tile.broadcast %startc [32, 16] : tensor<16xi32> -> tensor<32x16xi32>
  %kcb = tile.broadcast %kc [32, 16] : tensor<32x1xi32> -> tensor<32x16xi32>
  %bo = arith.addi %startcb, %kcb : tensor<32x16xi32>
  %ap = tile.base %a : !V -> !tile.ptr<f16>
  %bp = tile.base %b : !V -> !tile.ptr<f16>
  %yp = tile.base %y : !tile.view<?x?xf32> -> !tile.ptr<f32>
  %step = arith.constant dense<32> : tensor<64x32xi32>
  %step2 = arith.constant dense<32> : tensor<32x16xi32>
  %hs = tile.splat %height [64, 1] : i32 -> tensor<64x1xi32>
  %rin = arith.cmpi slt, %rc, %hs : tensor<64x1xi32>
  %rinb = tile.broadcast %rin [64, 32] : tensor<64x1xi1> -> tensor<64x32xi1>
  %ws = tile.splat %width [16] : i32 -> tensor<16xi32>
  %cin = arith.cmpi slt, %c, %ws : tensor<16xi32>
  %cinb = tile.broadcast %cin [32, 16] : tensor<16xi1> -> tensor<32x16xi1>
  %s:3 = scf.for %k0 = %c0 to %depth step %c32 iter_args(%acc = %zero, %x = %ao, %z = %bo) -> (tensor<64x16xf32>, tensor<64x32xi32>, tensor<32x16xi32>) : i32 {
    %left = arith.subi %depth, %k0 : i32
    %ls = tile.splat %left [32] : i32 -> tensor<32xi32>
    %kin = arith.cmpi slt, %k, %ls : tensor<32xi32>
    %kinb = tile.broadcast %kin [64, 32] : tensor<32xi1> -> tensor<64x32xi1>
    %am = arith.andi %rinb, %kinb : tensor<64x32xi1>
    %at = tile.load_at %ap[%x] mask(%am : tensor<64x32xi1>) : !tile.ptr<f16>, tensor<64x32xi32> -> tensor<64x32xf16>
    %kinc = tile.expand_dims %kin, 1 : tensor<32xi1> -> tensor<32x1xi1>
    %kincb = tile.broadcast %kinc [32, 16] : tensor<32x1xi1> -> tensor<32x16xi1>
    %bm = arith.andi %kincb, %cinb : tensor<32x16xi1>
    %bt = tile.load_at %bp[%z] mask(%bm : tensor<32x16xi1>) : !tile.ptr<f16>, tensor<32x16xi32> -> tensor<32x16xf16>
    %d = tile.dot %at, %bt, %acc : tensor<64x32xf16>, tensor<32x16xf16>, tensor<64x16xf32> -> tensor<64x16xf32>
    %x1 = arith.addi %x, %step : tensor<64x32xi32>
    %z1 = arith.addi %z, %step2 : tensor<32x16xi32>
    scf.yield %d, %x1, %z1 : tensor<64x16xf32>, tensor<64x32xi32>, tensor<32x16xi32>
  }
  %ws2 = tile.splat %width [64, 1] : i32 -> tensor<64x1xi32>
  %ys = arith.muli %rc, %ws2 : tensor<64x1xi32>
  %ysb = tile.broadcast %ys [64, 16] : tensor<64x1xi32> -> tensor<64x16xi32>
  %cb = tile.broadcast %c [64, 16] : tensor<16xi32> -> tensor<64x16xi32>
  %yo = arith.addi %ysb, %cb : tensor<64x16xi32>
  %rinc = tile.broadcast %rin [64, 16] : tensor<64x1xi1> -> tensor<64x16xi1>
  %cinc = tile.broadcast %cin [64, 16] : tensor<16xi1> -> tensor<64x16xi1>
  %ym = arith.andi %rinc, %cinc : tensor<64x16xi1>
  tile.store_at %s#0, %yp[%yo] mask(%ym : tensor<64x16xi1>) : tensor<64x16xf32>, !tile.ptr<f32>, tensor<64x16xi32>
}

// -----

!W = !tile.view<3x64x64xf32>

// Known sizes need no mask. Entries of outer axes are tiles of one. A condition that is no bound stays.
// CHECK-LABEL: tile.kernel @known(
// CHECK:       %[[T:.*]] = tile.load %arg0[%{{.*}}, %{{.*}}, %{{.*}}] [1, 16, 64] : !tile.view<3x64x64xf32>
// CHECK:       tile.reshape %[[T]] [16, 64]
// CHECK:       tile.store %{{.*}} mask(%{{.*}} : tensor<1x16x64xi1>) : tensor<1x16x64xf32>, !tile.view<3x64x64xf32>
// CHECK-NOT:   load_at
tile.kernel @known(%x: !W) outs(%y: !W) grid [4, 3] {
  %m = tile.block_id 0
  %b = tile.block_id 1
  %c16 = arith.constant 16 : index
  %c4096 = arith.constant 4096 : index
  %i = tile.iota [16] : tensor<16xi32>
  %j = tile.iota [64] : tensor<64xi32>
  %r0 = arith.muli %m, %c16 : index
  %r32 = arith.index_cast %r0 : index to i32
  %b0 = arith.muli %b, %c4096 : index
  %b32 = arith.index_cast %b0 : index to i32
  %rs = tile.splat %r32 [16] : i32 -> tensor<16xi32>
  %r = arith.addi %i, %rs : tensor<16xi32>
  %stride = arith.constant dense<64> : tensor<16xi32>
  %p = arith.muli %r, %stride : tensor<16xi32>
  %pc = tile.expand_dims %p, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %pb = tile.broadcast %pc [16, 64] : tensor<16x1xi32> -> tensor<16x64xi32>
  %jb = tile.broadcast %j [16, 64] : tensor<64xi32> -> tensor<16x64xi32>
  %o0 = arith.addi %pb, %jb : tensor<16x64xi32>
  %bs = tile.splat %b32 [16, 64] : i32 -> tensor<16x64xi32>
  %o = arith.addi %o0, %bs : tensor<16x64xi32>
  %xp = tile.base %x : !W -> !tile.ptr<f32>
  %yp = tile.base %y : !W -> !tile.ptr<f32>
  %t = tile.load_at %xp[%o] : !tile.ptr<f32>, tensor<16x64xi32> -> tensor<16x64xf32>
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %positive = arith.cmpf ogt, %t, %zero : tensor<16x64xf32>
  tile.store_at %t, %yp[%o] mask(%positive : tensor<16x64xi1>) : tensor<16x64xf32>, !tile.ptr<f32>, tensor<16x64xi32>
}

// -----

!U = !tile.view<?x?xf32>

// Near misses: columns that may run into the next row; a limit past the end of a row; a start between tiles; rows that may
// be negative; an atomic load; every second column; a view that is not dense.
// CHECK-LABEL: tile.kernel @others(
// CHECK-NOT:   tile.load %
// CHECK:       tile.load_at
// CHECK-COUNT-6: tile.load_at
tile.kernel @others(%x: !U, %s: i32, %v: !tile.view<?x?xf32, strides=[?, 1]>) outs(%y: !U) grid [ceildiv(dim(%y, 0), 16)] {
  %m = tile.block_id 0
  %c16 = arith.constant 16 : index
  %h = tile.dim %x, 0 : !U
  %w = tile.dim %x, 1 : !U
  %h32 = arith.index_cast %h : index to i32
  %w32 = arith.index_cast %w : index to i32
  %i = tile.iota [16] : tensor<16xi32>
  %j = tile.iota [64] : tensor<64xi32>
  %r0 = arith.muli %m, %c16 : index
  %r32 = arith.index_cast %r0 : index to i32
  %rs = tile.splat %r32 [16] : i32 -> tensor<16xi32>
  %r = arith.addi %i, %rs : tensor<16xi32>
  %stride = tile.splat %w32 [16] : i32 -> tensor<16xi32>
  %p = arith.muli %r, %stride : tensor<16xi32>
  %pc = tile.expand_dims %p, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %pb = tile.broadcast %pc [16, 64] : tensor<16x1xi32> -> tensor<16x64xi32>
  %jb = tile.broadcast %j [16, 64] : tensor<64xi32> -> tensor<16x64xi32>
  %o = arith.addi %pb, %jb : tensor<16x64xi32>
  %hs = tile.splat %h32 [16] : i32 -> tensor<16xi32>
  %rin = arith.cmpi slt, %r, %hs : tensor<16xi32>
  %rinc = tile.expand_dims %rin, 1 : tensor<16xi1> -> tensor<16x1xi1>
  %rinb = tile.broadcast %rinc [16, 64] : tensor<16x1xi1> -> tensor<16x64xi1>
  %ws = tile.splat %w32 [64] : i32 -> tensor<64xi32>
  %one = arith.constant dense<1> : tensor<64xi32>
  %wider = arith.addi %ws, %one : tensor<64xi32>
  %cin = arith.cmpi slt, %j, %ws : tensor<64xi32>
  %cinb = tile.broadcast %cin [16, 64] : tensor<64xi1> -> tensor<16x64xi1>
  %cwide = arith.cmpi slt, %j, %wider : tensor<64xi32>
  %cwideb = tile.broadcast %cwide [16, 64] : tensor<64xi1> -> tensor<16x64xi1>
  %all = arith.andi %rinb, %cinb : tensor<16x64xi1>
  %wide = arith.andi %rinb, %cwideb : tensor<16x64xi1>
  %xp = tile.base %x : !U -> !tile.ptr<f32>
  %vp = tile.base %v : !tile.view<?x?xf32, strides=[?, 1]> -> !tile.ptr<f32>
  %t0 = tile.load_at %xp[%o] mask(%rinb : tensor<16x64xi1>) : !tile.ptr<f32>, tensor<16x64xi32> -> tensor<16x64xf32>
  %t1 = tile.load_at %xp[%o] mask(%wide : tensor<16x64xi1>) : !tile.ptr<f32>, tensor<16x64xi32> -> tensor<16x64xf32>
  %ss = tile.splat %s [64] : i32 -> tensor<64xi32>
  %js = arith.addi %j, %ss : tensor<64xi32>
  %jsin = arith.cmpi slt, %js, %ws : tensor<64xi32>
  %jsinb = tile.broadcast %jsin [16, 64] : tensor<64xi1> -> tensor<16x64xi1>
  %shifted = arith.andi %rinb, %jsinb : tensor<16x64xi1>
  %jsb = tile.broadcast %js [16, 64] : tensor<64xi32> -> tensor<16x64xi32>
  %os = arith.addi %pb, %jsb : tensor<16x64xi32>
  %t2 = tile.load_at %xp[%os] mask(%shifted : tensor<16x64xi1>) : !tile.ptr<f32>, tensor<16x64xi32> -> tensor<16x64xf32>
  %n16 = arith.constant dense<16> : tensor<16xi32>
  %rb = arith.subi %r, %n16 : tensor<16xi32>
  %rbin = arith.cmpi slt, %rb, %hs : tensor<16xi32>
  %rbinc = tile.expand_dims %rbin, 1 : tensor<16xi1> -> tensor<16x1xi1>
  %rbinb = tile.broadcast %rbinc [16, 64] : tensor<16x1xi1> -> tensor<16x64xi1>
  %before = arith.andi %rbinb, %cinb : tensor<16x64xi1>
  %pbefore = arith.muli %rb, %stride : tensor<16xi32>
  %pbeforec = tile.expand_dims %pbefore, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %pbeforeb = tile.broadcast %pbeforec [16, 64] : tensor<16x1xi32> -> tensor<16x64xi32>
  %ob = arith.addi %pbeforeb, %jb : tensor<16x64xi32>
  %t3 = tile.load_at %xp[%ob] mask(%before : tensor<16x64xi1>) : !tile.ptr<f32>, tensor<16x64xi32> -> tensor<16x64xf32>
  %t4 = tile.load_at %xp[%o] mask(%all : tensor<16x64xi1>) order(relaxed) : !tile.ptr<f32>, tensor<16x64xi32> -> tensor<16x64xf32>
  %two = arith.constant dense<2> : tensor<64xi32>
  %j2 = arith.muli %j, %two : tensor<64xi32>
  %j2in = arith.cmpi slt, %j2, %ws : tensor<64xi32>
  %j2inb = tile.broadcast %j2in [16, 64] : tensor<64xi1> -> tensor<16x64xi1>
  %even = arith.andi %rinb, %j2inb : tensor<16x64xi1>
  %j2b = tile.broadcast %j2 [16, 64] : tensor<64xi32> -> tensor<16x64xi32>
  %o2 = arith.addi %pb, %j2b : tensor<16x64xi32>
  %t5 = tile.load_at %xp[%o2] mask(%even : tensor<16x64xi1>) : !tile.ptr<f32>, tensor<16x64xi32> -> tensor<16x64xf32>
  %t6 = tile.load_at %vp[%o] mask(%all : tensor<16x64xi1>) : !tile.ptr<f32>, tensor<16x64xi32> -> tensor<16x64xf32>
  %s1 = arith.addf %t0, %t1 : tensor<16x64xf32>
  %s2 = arith.addf %s1, %t2 : tensor<16x64xf32>
  %s3 = arith.addf %s2, %t3 : tensor<16x64xf32>
  %s4 = arith.addf %s3, %t4 : tensor<16x64xf32>
  %s5 = arith.addf %s4, %t5 : tensor<16x64xf32>
  %s6 = arith.addf %s5, %t6 : tensor<16x64xf32>
  %zero = arith.constant 0 : index
  tile.store %s6, %y[%m, %zero] : tensor<16x64xf32>, !U
}

// -----

// Rows modulo a height that tiles divide do not wrap within a tile; those modulo another height, and rows that may start
// anywhere, do.
// CHECK-LABEL: tile.kernel @wrapped(
// CHECK:       %[[FIRST:.*]] = arith.muli %{{.*}}, %c16_i32
// CHECK:       %[[START:.*]] = arith.remui %[[FIRST]], %c64_i32 : i32
// CHECK:       %[[SPLAT:.*]] = tile.splat %[[START]] [16]
// CHECK:       arith.addi %{{.*}}, %[[SPLAT]]
// CHECK:       arith.remsi %{{.*}}, %{{.*}} : tensor<16xi32>
// CHECK:       arith.remui %{{.*}}, %{{.*}} : tensor<16xi32>
tile.kernel @wrapped(%s: i32) outs(%y: !tile.view<3x?xi32>) grid [8] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tile.block_id 0
  %c16 = arith.constant 16 : index
  %r0 = arith.muli %b, %c16 : index
  %r32 = arith.index_cast %r0 : index to i32
  %i = tile.iota [16] : tensor<16xi32>
  %rs = tile.splat %r32 [16] : i32 -> tensor<16xi32>
  %r = arith.addi %i, %rs : tensor<16xi32>
  %n64 = arith.constant dense<64> : tensor<16xi32>
  %n60 = arith.constant dense<60> : tensor<16xi32>
  %w = arith.remsi %r, %n64 : tensor<16xi32>
  %w1 = arith.remsi %r, %n60 : tensor<16xi32>
  %ss = tile.splat %s [16] : i32 -> tensor<16xi32>
  %rss = arith.addi %i, %ss : tensor<16xi32>
  %w2 = arith.remui %rss, %n64 : tensor<16xi32>
  %t = tile.reshape %w [1, 16] : tensor<16xi32> -> tensor<1x16xi32>
  %t1 = tile.reshape %w1 [1, 16] : tensor<16xi32> -> tensor<1x16xi32>
  %t2 = tile.reshape %w2 [1, 16] : tensor<16xi32> -> tensor<1x16xi32>
  tile.store %t, %y[%c0, %b] : tensor<1x16xi32>, !tile.view<3x?xi32>
  tile.store %t1, %y[%c1, %b] : tensor<1x16xi32>, !tile.view<3x?xi32>
  tile.store %t2, %y[%c2, %b] : tensor<1x16xi32>, !tile.view<3x?xi32>
}
