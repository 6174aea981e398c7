// RUN: tilegpt-opt %s --tile-split-loops --canonicalize --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-split-loops="most-blocks=3" --split-input-file | FileCheck %s --check-prefix=FULL
// RUN: tilegpt-opt %s --tile-split-loops --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// Three blocks allow for no more.
// FULL: tile.launch @attend ins

// Two heads, of at most 8192 keys: 32 blocks for each, which take four tiles of keys or more, since those with fewer
// would not pay off. The exponents are multiply-adds with a factor, as users write them.
// CHECK-LABEL: func.func @heads
// CHECK-DAG:     %[[M:.*]] = tensor.empty() : tensor<64x1x1xf32>
// CHECK-DAG:     %[[O:.*]] = tensor.empty() : tensor<64x1x64xf32>
// CHECK:         %[[P:.*]]:3 = tile.launch @attend.part ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) outs(%{{.*}}, %{{.*}}, %[[O]])
// CHECK-SAME:      tile.label = "h.0.attention.part"
// CHECK:         tile.launch @attend.merge ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[P]]#0, %[[P]]#1, %[[P]]#2) outs(
// CHECK-SAME:      tile.label = "h.0.attention"
// CHECK-NOT:   tile.kernel @attend(
// CHECK-LABEL: tile.kernel @attend.part(
// CHECK-SAME:    outs(%[[MV:.*]]: !tile.view<64x1x1xf32>, %{{.*}}: !tile.view<64x1x1xf32>, %{{.*}}: !tile.view<64x1x64xf32>)
// CHECK:         grid [64]
// CHECK-DAG:     %[[NINF:.*]] = arith.constant dense<0xFF800000> : tensor<1x1xf32>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : index
// CHECK:         %[[B:.*]] = tile.block_id 0
// CHECK:         %[[PART:.*]] = arith.remui %[[B]], %[[C32]]
// CHECK:         %[[H:.*]] = arith.divui %[[B]], %[[C32]]
// CHECK:         tile.select %{{.*}}[%[[H]]]
// CHECK:         %[[STEPS:.*]] = tile.num_tiles
// CHECK:         %[[TRIPS:.*]] = arith.maxsi %[[STEPS]], %[[C0]]
// CHECK:         %[[EVEN:.*]] = arith.divui %{{.*}}, %[[C32]]
// CHECK:         %[[SHARE:.*]] = arith.maxui %[[EVEN]], %[[C4]]
// CHECK:         %[[ISFIRST:.*]] = arith.cmpi eq, %[[PART]], %[[C0]]
// CHECK:         %[[FIRST:.*]] = arith.muli %[[PART]], %[[SHARE]]
// CHECK:         %[[SOME:.*]] = arith.cmpi ult, %[[FIRST]], %[[TRIPS]]
// CHECK:         %[[RUNS:.*]] = arith.ori %[[ISFIRST]], %[[SOME]]
// CHECK:         scf.if %[[RUNS]] {
// CHECK:           %[[END:.*]] = arith.addi %[[FIRST]], %[[SHARE]]
// CHECK:           %[[TO:.*]] = arith.minsi %[[STEPS]], %[[END]]
// A part other than the first subtracts zero until it has seen a key.
// CHECK:           %[[Z:.*]] = arith.select %[[ISFIRST]], %{{.*}}, %{{.*}} : f32
// CHECK:           %[[ZT:.*]] = tile.splat %[[Z]]
// CHECK:           scf.for %{{.*}} = %[[FIRST]] to %[[TO]]
// CHECK:             %[[MAX:.*]] = arith.maximumf
// CHECK:             %[[LOW:.*]] = arith.cmpf oeq, %[[MAX]], %[[NINF]]
// CHECK:             arith.select %[[LOW]], %[[ZT]], %[[MAX]]
// CHECK:           %[[WINDOW:.*]] = tile.select %[[MV]][%{{.*}}] : !tile.view<64x1x1xf32> -> !tile.view<1x1xf32>
// CHECK:           tile.store %{{.*}}#0, %[[WINDOW]][%[[C0]], %[[C0]]]
// The partial results are rescaled as in the loop.
// CHECK-LABEL: tile.kernel @attend.merge(
// CHECK:         grid [2]
// CHECK-NOT:     tile.dot
// CHECK:         %[[EACH:.*]] = arith.maxui %{{.*}}, %{{.*}}
// CHECK:         %[[MOST:.*]] = arith.divui %{{.*}}, %[[EACH]]
// CHECK:         %[[USED:.*]] = arith.maxui %[[MOST]]
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[USED]] step %{{.*}} iter_args(%[[MO:.*]] = %{{.*}}, %[[LO:.*]] = %{{.*}}, %[[OO:.*]] = %{{.*}})
// CHECK:           %[[MN:.*]] = tile.load
// CHECK:           %[[LN:.*]] = tile.load
// CHECK:           %[[ON:.*]] = tile.load
// CHECK:           %[[MW:.*]] = arith.maximumf %[[MO]], %[[MN]]
// CHECK:           %[[DO:.*]] = arith.subf %[[MO]], %[[MW]]
// CHECK:           %[[AO:.*]] = math.exp
// CHECK:           %[[LA:.*]] = arith.mulf %[[LO]], %[[AO]]
// CHECK:           %[[DN:.*]] = arith.subf %[[MN]], %[[MW]]
// CHECK:           %[[AN:.*]] = math.exp
// CHECK:           %[[LB:.*]] = arith.mulf %[[LN]], %[[AN]]
// CHECK:           arith.addf %[[LA]], %[[LB]]
// CHECK:         arith.divf
// CHECK:         tile.store
// WHY: @attend: grid: the loop is split among 32 blocks, at least 4 iterations each
func.func @heads(%q: tensor<2x64xf32>, %k: tensor<2x8192x64xf32>, %v: tensor<2x8192x64xf32>, %n: tensor<2xi32>) -> tensor<2x64xf32> {
  %e = tensor.empty() : tensor<2x64xf32>
  %y = tile.launch @attend ins(%q, %k, %v, %n) outs(%e) {tile.label = "h.0.attention"}
      : (tensor<2x64xf32>, tensor<2x8192x64xf32>, tensor<2x8192x64xf32>, tensor<2xi32>, tensor<2x64xf32>) -> tensor<2x64xf32>
  return %y : tensor<2x64xf32>
}
tile.kernel @attend(%q: !tile.view<2x64xf32>, %k: !tile.view<2x8192x64xf32>, %v: !tile.view<2x8192x64xf32>,
    %n: !tile.view<2xi32>) outs(%y: !tile.view<2x64xf32>) grid [2] {
  %h = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %nt = tile.load %n[%h] [1] : !tile.view<2xi32> -> tensor<1xi32>
  %ni = tensor.extract %nt[%c0] : tensor<1xi32>
  %end = arith.index_cast %ni : i32 to index
  %kh = tile.select %k[%h] : !tile.view<2x8192x64xf32> -> !tile.view<8192x64xf32>
  %vh = tile.select %v[%h] : !tile.view<2x8192x64xf32> -> !tile.view<8192x64xf32>
  %ks = tile.subview %kh[0, 0] [%end, 64] : !tile.view<8192x64xf32> -> !tile.view<?x64xf32>
  %vs = tile.subview %vh[0, 0] [%end, 64] : !tile.view<8192x64xf32> -> !tile.view<?x64xf32>
  %qt = tile.load %q[%h, %c0] [1, 64] : !tile.view<2x64xf32> -> tensor<1x64xf32>
  %zeros = arith.constant dense<0.0> : tensor<1x64xf32>
  %ninfs = arith.constant dense<0xFF800000> : tensor<1x64xf32>
  %m0 = arith.constant dense<0xFF800000> : tensor<1x1xf32>
  %l0 = arith.constant dense<0.0> : tensor<1x1xf32>
  %scale = arith.constant dense<0.125> : tensor<1x64xf32>
  %scale1 = arith.constant dense<0.125> : tensor<1x1xf32>
  %ends = tile.splat %ni [1, 64] : i32 -> tensor<1x64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %steps = tile.num_tiles %ks, 0 by [64] : !tile.view<?x64xf32>
  %r:3 = scf.for %j = %c0 to %steps step %c1 iter_args(%m = %m0, %l = %l0, %o = %zeros)
      -> (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x64xf32>) {
    %kt = tile.load %ks[%j, %c0] [64, 64] : !tile.view<?x64xf32> -> tensor<64x64xf32>
    %vt = tile.load %vs[%j, %c0] [64, 64] : !tile.view<?x64xf32> -> tensor<64x64xf32>
    %s0 = tile.dot %qt, %kt, %zeros transpose_b : tensor<1x64xf32>, tensor<64x64xf32>, tensor<1x64xf32> -> tensor<1x64xf32>
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [1, 64] : tensor<64xi32> -> tensor<1x64xi32>
    %seen = arith.cmpi slt, %kpos, %ends : tensor<1x64xi32>
    %s = arith.select %seen, %s0, %ninfs : tensor<1x64xi1>, tensor<1x64xf32>
    %t = tile.reduce max %s axis 1 keepdims : tensor<1x64xf32> -> tensor<1x1xf32>
    %mn = arith.maximumf %m, %t : tensor<1x1xf32>
    %c = arith.mulf %mn, %scale1 : tensor<1x1xf32>
    %d = arith.negf %c : tensor<1x1xf32>
    %db = tile.broadcast %d [1, 64] : tensor<1x1xf32> -> tensor<1x64xf32>
    %x = math.fma %s, %scale, %db : tensor<1x64xf32>
    %e = math.exp %x : tensor<1x64xf32>
    %md = arith.subf %m, %mn : tensor<1x1xf32>
    %mf = arith.mulf %md, %scale1 : tensor<1x1xf32>
    %a = math.exp %mf : tensor<1x1xf32>
    %es = tile.reduce add %e axis 1 keepdims : tensor<1x64xf32> -> tensor<1x1xf32>
    %ln = math.fma %l, %a, %es : tensor<1x1xf32>
    %ab = tile.broadcast %a [1, 64] : tensor<1x1xf32> -> tensor<1x64xf32>
    %oa = arith.mulf %o, %ab : tensor<1x64xf32>
    %on = tile.dot %e, %vt, %oa : tensor<1x64xf32>, tensor<64x64xf32>, tensor<1x64xf32> -> tensor<1x64xf32>
    scf.yield %mn, %ln, %on : tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x64xf32>
  }
  %lb = tile.broadcast %r#1 [1, 64] : tensor<1x1xf32> -> tensor<1x64xf32>
  %w = arith.divf %r#2, %lb : tensor<1x64xf32>
  tile.store %w, %y[%h, %c0] : tensor<1x64xf32>, !tile.view<2x64xf32>
}

// -----

// Reductions of all kinds: of rows whose number `tile.rows` bounds. The first part starts with the loop's initial
// value, the others with the identity; a maximum may start with that everywhere. The size of the out is that of the
// input columns.
// CHECK-LABEL: func.func @columns
// CHECK:         tile.launch @reduce.part ins(%{{.*}}) outs(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<65536x?xf32>,
// CHECK-LABEL: tile.kernel @reduce.part(%{{.*}}: !tile.view<65536x?xf32>) outs(%{{.*}}: !tile.view<64x256xf32>, %{{.*}}: !tile.view<64x256xf32>, %{{.*}}: !tile.view<64x256xf32>)
// CHECK:         grid [ceildiv(dim(%{{.*}}, 1), 256) * 32]
// CHECK-DAG:     %[[TWO:.*]] = arith.constant dense<2.000000e+00> : tensor<256xf32>
// CHECK-DAG:     %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<256xf32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<256xf32>
// CHECK:         %[[ISFIRST:.*]] = arith.cmpi eq
// CHECK:         scf.if
// CHECK:           %[[ADD:.*]] = arith.select %[[ISFIRST]], %[[TWO]], %[[ZERO]] : tensor<256xf32>
// CHECK:           %[[MUL:.*]] = arith.select %[[ISFIRST]], %[[TWO]], %[[ONE]] : tensor<256xf32>
// CHECK:           scf.for {{.*}} iter_args(%{{.*}} = %[[ADD]], %{{.*}} = %[[MUL]], %{{.*}} = %[[TWO]])
// CHECK-LABEL: tile.kernel @reduce.merge(
// CHECK-SAME:    outs(%{{.*}}: !tile.view<?xf32>)
// CHECK:         grid [ceildiv(dim(%{{.*}}, 0), 256)]
// CHECK:         scf.for
// CHECK:           arith.addf
// CHECK:           arith.mulf
// CHECK:           arith.maximumf
func.func @columns(%x: tensor<65536x?xf32>, %n: index) -> tensor<?xf32> attributes {tile.rows = array<i64: 1, 512>} {
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c1 : tensor<65536x?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %y = tile.launch @reduce ins(%x) outs(%e) : (tensor<65536x?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
tile.kernel @reduce(%x: !tile.view<65536x?xf32>) outs(%y: !tile.view<?xf32>) grid [ceildiv(dim(%y, 0), 256)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 65536 : index
  %z = arith.constant dense<2.0> : tensor<256xf32>
  %r:3 = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %z, %b = %z, %c = %z)
      -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) {
    %t = tile.load %x[%i, %n] [1, 256] : !tile.view<65536x?xf32> -> tensor<1x256xf32>
    %u = tile.reshape %t [256] : tensor<1x256xf32> -> tensor<256xf32>
    %an = arith.addf %a, %u : tensor<256xf32>
    %bn = arith.mulf %u, %b : tensor<256xf32>
    %cn = arith.maximumf %c, %u : tensor<256xf32>
    scf.yield %an, %bn, %cn : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
  }
  %s0 = arith.addf %r#0, %r#1 : tensor<256xf32>
  %s = arith.addf %s0, %r#2 : tensor<256xf32>
  tile.store %s, %y[%n] : tensor<256xf32>, !tile.view<?xf32>
}

// -----

// Few iterations stay in one block, without a remark.
// CHECK-LABEL: func.func @short
// CHECK:         tile.launch @few ins
// WHY-NOT: @few
func.func @short(%x: tensor<256x256xf32>) -> tensor<256xf32> {
  %e = tensor.empty() : tensor<256xf32>
  %y = tile.launch @few ins(%x) outs(%e) : (tensor<256x256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %y : tensor<256xf32>
}
tile.kernel @few(%x: !tile.view<256x256xf32>) outs(%y: !tile.view<256xf32>) grid [1] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 64 : index
  %z = arith.constant dense<0.0> : tensor<256xf32>
  %r = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %z) -> (tensor<256xf32>) {
    %t = tile.load %x[%i, %n] [1, 256] : !tile.view<256x256xf32> -> tensor<1x256xf32>
    %u = tile.reshape %t [256] : tensor<1x256xf32> -> tensor<256xf32>
    %an = arith.addf %a, %u : tensor<256xf32>
    scf.yield %an : tensor<256xf32>
  }
  tile.store %r, %y[%n] : tensor<256xf32>, !tile.view<256xf32>
}

// -----

// State that the loop reads is an input of the parts, in its original version, and is updated after them.
// CHECK-LABEL: func.func @state
// CHECK-SAME:    (%[[X:.*]]: tensor<256xf32>, %[[S:.*]]: tensor<65536x256xf32>)
// CHECK:         %[[P:.*]] = tile.launch @update.part ins(%[[X]], %[[S]]) outs(
// CHECK:         tile.launch @update.merge ins(%[[X]], %[[P]]) outs(%[[S]])
// CHECK-LABEL: tile.kernel @update.part(%{{.*}}: !tile.view<256xf32>, %{{.*}}: !tile.view<65536x256xf32>) outs(%{{.*}}: !tile.view<64x256xf32>)
func.func @state(%x: tensor<256xf32>, %s: tensor<65536x256xf32>) -> tensor<65536x256xf32> {
  %y = tile.launch @update ins(%x) outs(%s) : (tensor<256xf32>, tensor<65536x256xf32>) -> tensor<65536x256xf32>
  return %y : tensor<65536x256xf32>
}
tile.kernel @update(%x: !tile.view<256xf32>) outs(%s: !tile.view<65536x256xf32>) grid [1] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 65536 : index
  %t = tile.load %x[%c0] [256] : !tile.view<256xf32> -> tensor<256xf32>
  %z = arith.constant dense<0.0> : tensor<256xf32>
  %r = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %z) -> (tensor<256xf32>) {
    %l = tile.load %s[%i, %c0] [1, 256] : !tile.view<65536x256xf32> -> tensor<1x256xf32>
    %u = tile.reshape %l [256] : tensor<1x256xf32> -> tensor<256xf32>
    %p = arith.mulf %u, %t : tensor<256xf32>
    %an = arith.addf %a, %p : tensor<256xf32>
    scf.yield %an : tensor<256xf32>
  }
  %row = tile.reshape %r [1, 256] : tensor<256xf32> -> tensor<1x256xf32>
  tile.store %row, %s[%n, %c0] : tensor<1x256xf32>, !tile.view<65536x256xf32>
}
