// Elementwise functions and gated units. @add has a file of its own.

!X = !tile.view<?x?x!tile.elt<X>>
!Y = !tile.view<?x?x!tile.elt<Y>>
!Z = !tile.view<?x?x!tile.elt<Z>>
!F = !tile.view<?xf32>
!XW = !tile.view<?x?x!tile.elt<X>, strides=[?, 1]>

// Rounds rows to another type: y = x.
//   x [N, C] → y [N, C]; a block computes BM × BN of y.
// One rounding. Moves 2·N·C elements.
tile.kernel @round(%x: !X) outs(%y: !Y)
    implements(arith.truncf)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16], Y: type = bf16 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %r = tile.cast %t : tensor<?x?x!tile.elt<X>> to tensor<?x?x!tile.elt<Y>>
  tile.store %r, %y[%m, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}

// Caps values softly to between −c and c: y = c·tanh(x/c).
//   x [N, C], c → y [N, C]; a block computes BM × BN of y.
// Computes in f32: error ≤ 4·2⁻²⁴ of |x|. Moves 2·N·C elements.
tile.kernel @softcap(%x: !X, %cap: f32) outs(%y: !X)
    implements(gpt.softcap)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %caps = tile.splat %cap [BM, BN] : f32 -> tensor<?x?xf32>
  %u = arith.divf %xf, %caps : tensor<?x?xf32>
  %t = math.tanh %u : tensor<?x?xf32>
  %r = arith.mulf %t, %caps : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}

// Clamps values to between −c and c: y = min(max(x, −c), c).
//   x [N, C], c → y [N, C]; a block computes BM × BN of y.
// Exact. Moves 2·N·C elements.
tile.kernel @clamp(%x: !X, %limit: f32) outs(%y: !X)
    implements(gpt.clamp)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %most = tile.splat %limit [BM, BN] : f32 -> tensor<?x?xf32>
  %least = arith.negf %most : tensor<?x?xf32>
  %low = arith.maximumf %xf, %least : tensor<?x?xf32>
  %r = arith.minimumf %low, %most : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}

// Scales rows: y = s·x.
//   x [N, C], s → y [N, C]; a block computes BM × BN of y.
// Computes in f32: error ≤ 2⁻²⁴ of |y|. Moves 2·N·C elements.
tile.kernel @scale(%x: !X, %factor: f32) outs(%y: !X)
    implements(gpt.scale)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %factors = tile.splat %factor [BM, BN] : f32 -> tensor<?x?xf32>
  %r = arith.mulf %xf, %factors : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}

// ReLU: y = max(x, 0).
//   x [N, C] → y [N, C]; a block computes BM × BN of y.
// Exact. Moves 2·N·C elements.
tile.kernel @relu(%x: !X) outs(%y: !X)
    implements(gpt.relu)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %r = arith.maximumf %xf, %zeros : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}

// Squared ReLU: y = max(x, 0)².
//   x [N, C] → y [N, C]; a block computes BM × BN of y.
// Computes in f32: error ≤ 2⁻²⁴ of y. Moves 2·N·C elements.
tile.kernel @relu_squared(%x: !X) outs(%y: !X)
    implements(gpt.relu {squared})
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %p = arith.maximumf %xf, %zeros : tensor<?x?xf32>
  %r = arith.mulf %p, %p : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}

// GELU with tanh approximation: y = ½·x·(1 + tanh(√(2/π)·(x + 0.044715·x³))).
//   x [N, C] → y [N, C]; a block computes BM × BN of y.
// Computes in f32: error ≤ 4·2⁻²⁴ of |x|. Moves 2·N·C elements.
tile.kernel @gelu(%x: !X) outs(%y: !X)
    implements(gpt.gelu {approximate = "tanh"})
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %h = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %cubic = arith.constant 0.044715 : f32
  %root = arith.constant 0.7978845608028654 : f32
  %halves = tile.splat %half [BM, BN] : f32 -> tensor<?x?xf32>
  %ones = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
  %cubics = tile.splat %cubic [BM, BN] : f32 -> tensor<?x?xf32>
  %roots = tile.splat %root [BM, BN] : f32 -> tensor<?x?xf32>
  %h2 = arith.mulf %h, %h : tensor<?x?xf32>
  %h3 = arith.mulf %h2, %h : tensor<?x?xf32>
  %p = arith.mulf %h3, %cubics : tensor<?x?xf32>
  %q = arith.addf %h, %p : tensor<?x?xf32>
  %u = arith.mulf %q, %roots : tensor<?x?xf32>
  %t = math.tanh %u : tensor<?x?xf32>
  %s = arith.addf %t, %ones : tensor<?x?xf32>
  %hh = arith.mulf %h, %halves : tensor<?x?xf32>
  %r = arith.mulf %hh, %s : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}

// Exact GELU: y = ½·x·(1 + erf(x/√2)).
//   x [N, C] → y [N, C]; a block computes BM × BN of y.
// Computes in f32: error ≤ 4·2⁻²⁴ of |x|. Moves 2·N·C elements.
tile.kernel @gelu_exact(%x: !X) outs(%y: !X)
    implements(gpt.gelu {approximate = "none"})
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %h = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.7071067811865476 : f32
  %halves = tile.splat %half [BM, BN] : f32 -> tensor<?x?xf32>
  %ones = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
  %roots = tile.splat %root [BM, BN] : f32 -> tensor<?x?xf32>
  %u = arith.mulf %h, %roots : tensor<?x?xf32>
  %e = math.erf %u : tensor<?x?xf32>
  %s = arith.addf %e, %ones : tensor<?x?xf32>
  %hh = arith.mulf %h, %halves : tensor<?x?xf32>
  %r = arith.mulf %hh, %s : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}

// xIELU: y = a·x² + b·x for x > 0, else (exp(min(x, e)) − 1 − x)·(b + c) + b·x, with a = log(1 + exp(p)), c = log(1 + exp(n)).
//   x [N, C], p, n, b, e [1] → y [N, C]; a block computes BM × BN of y.
// Computes in f32: error ≤ 16·2⁻²⁴ of |x|·(a·|x| + 2·b + c). Moves 2·N·C elements.
tile.kernel @xielu(%x: !X, %p: !F, %n: !F, %b: !F, %e: !F) outs(%y: !X)
    implements(gpt.xielu)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %row = tile.block_id 0
  %column = tile.block_id 1
  %c0 = arith.constant 0 : index
  %pt = tile.load %p[%c0] [1] : !F -> tensor<1xf32>
  %nt = tile.load %n[%c0] [1] : !F -> tensor<1xf32>
  %bt = tile.load %b[%c0] [1] : !F -> tensor<1xf32>
  %et = tile.load %e[%c0] [1] : !F -> tensor<1xf32>
  %pe = math.exp %pt : tensor<1xf32>
  %ne = math.exp %nt : tensor<1xf32>
  %a = math.log1p %pe : tensor<1xf32>
  %c = math.log1p %ne : tensor<1xf32>
  %bc = arith.addf %bt, %c : tensor<1xf32>
  %as = tile.broadcast %a [BM, BN] : tensor<1xf32> -> tensor<?x?xf32>
  %bs = tile.broadcast %bt [BM, BN] : tensor<1xf32> -> tensor<?x?xf32>
  %bcs = tile.broadcast %bc [BM, BN] : tensor<1xf32> -> tensor<?x?xf32>
  %es = tile.broadcast %et [BM, BN] : tensor<1xf32> -> tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>

  %xt = tile.load %x[%row, %column] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %linear = arith.mulf %xf, %bs : tensor<?x?xf32>
  %ax = arith.mulf %xf, %as : tensor<?x?xf32>
  %above = math.fma %ax, %xf, %linear : tensor<?x?xf32>
  %low = arith.minimumf %xf, %es : tensor<?x?xf32>
  %exp = math.expm1 %low : tensor<?x?xf32>
  %curve = arith.subf %exp, %xf : tensor<?x?xf32>
  %below = math.fma %curve, %bcs, %linear : tensor<?x?xf32>
  %is = arith.cmpf ogt, %xf, %zeros : tensor<?x?xf32>
  %r = arith.select %is, %above, %below : tensor<?x?xi1>, tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%row, %column] : tensor<?x?x!tile.elt<X>>, !X
}

// Sigmoid gate of each row: y = x/(1 + e⁻ᶻ).
//   x [N, C], z [N, 1] → y [N, C]; a block computes BM × BN of y.
// Computes in f32: error ≤ 8·2⁻²⁴ of |y|. Moves 2·N·C + N elements.
tile.kernel @gate(%x: !X, %z: !Z) outs(%y: !Y)
    implements(gpt.gate)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1), dim(%z, 0) == dim(%y, 0))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16], Z: type = f32 in [f32, bf16, f16], Y: type = !tile.elt<X> in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %nlog2e = arith.constant -1.4426950408889634 : f32
  %ones = tile.splat %one [BM, 1] : f32 -> tensor<?x1xf32>
  %nlog2es = tile.splat %nlog2e [BM, 1] : f32 -> tensor<?x1xf32>
  %zt = tile.load %z[%m, %c0] [BM, 1] : !Z -> tensor<?x1x!tile.elt<Z>>
  %zf = tile.cast %zt : tensor<?x1x!tile.elt<Z>> to tensor<?x1xf32>
  %zs = arith.mulf %zf, %nlog2es : tensor<?x1xf32>
  %e = math.exp2 %zs : tensor<?x1xf32>
  %d = arith.addf %e, %ones : tensor<?x1xf32>
  %ds = tile.broadcast %d [BM, BN] : tensor<?x1xf32> -> tensor<?x?xf32>
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %r = arith.divf %xf, %ds : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}

// Sigmoid gate of each feature: y = x/(1 + e⁻ᶻ).
//   x, z [N, C] → y [N, C]; a block computes BM × BN of y.
// Computes in f32: error ≤ 4·2⁻²⁴ of |y|. Moves 3·N·C elements.
tile.kernel @gate_features(%x: !X, %z: !Z) outs(%y: !Y)
    implements(gpt.gate {features})
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1), dim(%z, 0) == dim(%y, 0), dim(%z, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16], Z: type = f32 in [f32, bf16, f16], Y: type = !tile.elt<X> in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %one = arith.constant 1.0 : f32
  %nlog2e = arith.constant -1.4426950408889634 : f32
  %ones = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
  %nlog2es = tile.splat %nlog2e [BM, BN] : f32 -> tensor<?x?xf32>
  %zt = tile.load %z[%m, %n] [BM, BN] : !Z -> tensor<?x?x!tile.elt<Z>>
  %zf = tile.cast %zt : tensor<?x?x!tile.elt<Z>> to tensor<?x?xf32>
  %zs = arith.mulf %zf, %nlog2es : tensor<?x?xf32>
  %e = math.exp2 %zs : tensor<?x?xf32>
  %d = arith.addf %e, %ones : tensor<?x?xf32>
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %r = arith.divf %xf, %d : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}

// Product of each row with its number: y = z·x.
//   x [N, C], z [N, 1] → y [N, C]; a block computes BM × BN of y.
// One f32 product. Moves 2·N·C + N elements.
tile.kernel @gate_linear(%x: !X, %z: !Z) outs(%y: !Y)
    implements(gpt.gate {linear})
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1), dim(%z, 0) == dim(%y, 0))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16], Z: type = f32 in [f32, bf16, f16], Y: type = !tile.elt<X> in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %zt = tile.load %z[%m, %c0] [BM, 1] : !Z -> tensor<?x1x!tile.elt<Z>>
  %zf = tile.cast %zt : tensor<?x1x!tile.elt<Z>> to tensor<?x1xf32>
  %zb = tile.broadcast %zf [BM, BN] : tensor<?x1xf32> -> tensor<?x?xf32>
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %r = arith.mulf %xf, %zb : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}

// Gated unit with tanh-approximated GELU: y = gelu(gate)·up; x holds [gate | up].
//   x [N, 2F] → y [N, F]; a block computes BM × BN of y.
// Computes in f32: error ≤ 8·2⁻²⁴ of |y|. Moves 3·N·F elements.
tile.kernel @gelu_glu(%x: !X) outs(%y: !X)
    implements(gpt.glu {activation = "gelu_tanh"})
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) >= 2 * dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 64, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %rows = tile.dim %y, 0 : !X
  %units = tile.dim %y, 1 : !X
  %gates = tile.subview %x[0, 0] [%rows, %units] : !X -> !XW
  %ups = tile.subview %x[0, %units] [%rows, %units] : !X -> !XW
  %gatet = tile.load %gates[%m, %n] [BM, BN] : !XW -> tensor<?x?x!tile.elt<X>>
  %upt = tile.load %ups[%m, %n] [BM, BN] : !XW -> tensor<?x?x!tile.elt<X>>
  %gate = tile.cast %gatet : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %up = tile.cast %upt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %cubic = arith.constant 0.044715 : f32
  %root = arith.constant 0.7978845608028654 : f32
  %halves = tile.splat %half [BM, BN] : f32 -> tensor<?x?xf32>
  %ones = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
  %cubics = tile.splat %cubic [BM, BN] : f32 -> tensor<?x?xf32>
  %roots = tile.splat %root [BM, BN] : f32 -> tensor<?x?xf32>
  %g2 = arith.mulf %gate, %gate : tensor<?x?xf32>
  %g3 = arith.mulf %g2, %gate : tensor<?x?xf32>
  %gp = arith.mulf %g3, %cubics : tensor<?x?xf32>
  %gq = arith.addf %gate, %gp : tensor<?x?xf32>
  %gu = arith.mulf %gq, %roots : tensor<?x?xf32>
  %gt = math.tanh %gu : tensor<?x?xf32>
  %gs = arith.addf %gt, %ones : tensor<?x?xf32>
  %gh = arith.mulf %gate, %halves : tensor<?x?xf32>
  %act = arith.mulf %gh, %gs : tensor<?x?xf32>
  %r = arith.mulf %act, %up : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}

// Gated unit with SiLU: y = silu(gate)·up, silu(x) = x/(1 + e⁻ˣ); x holds [gate | up].
//   x [N, 2F] → y [N, F]; a block computes BM × BN of y.
// Computes in f32: error ≤ 8·2⁻²⁴ of |y|. Moves 3·N·F elements.
tile.kernel @silu_glu(%x: !X) outs(%y: !X)
    implements(gpt.glu {activation = "silu"})
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) >= 2 * dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 64, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %rows = tile.dim %y, 0 : !X
  %units = tile.dim %y, 1 : !X
  %gates = tile.subview %x[0, 0] [%rows, %units] : !X -> !XW
  %ups = tile.subview %x[0, %units] [%rows, %units] : !X -> !XW
  %gatet = tile.load %gates[%m, %n] [BM, BN] : !XW -> tensor<?x?x!tile.elt<X>>
  %upt = tile.load %ups[%m, %n] [BM, BN] : !XW -> tensor<?x?x!tile.elt<X>>
  %gate = tile.cast %gatet : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %up = tile.cast %upt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %one = arith.constant 1.0 : f32
  %nlog2e = arith.constant -1.4426950408889634 : f32
  %ones = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
  %nlog2es = tile.splat %nlog2e [BM, BN] : f32 -> tensor<?x?xf32>
  %sx = arith.mulf %gate, %nlog2es : tensor<?x?xf32>
  %se = math.exp2 %sx : tensor<?x?xf32>
  %sd = arith.addf %se, %ones : tensor<?x?xf32>
  %act = arith.divf %gate, %sd : tensor<?x?xf32>
  %r = arith.mulf %act, %up : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}
