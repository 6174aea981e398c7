// A step of Adam with decay of weights, of parameters that are kept in f32 and used in narrower ones:
// m' = 0.9 m + 0.1 g, v' = 0.99 v + 0.01 g², p' = p − 0.001 (m' / (√v' + 10⁻⁸) + 0.01 p).
//   p, m, v [N] f32, g [N] → p', m', v' [N] f32, w = p' [N]; a block makes BN elements. Moves 8·N elements.
!F = !tile.view<?xf32>
!X = !tile.view<?x!tile.elt<X>>
tile.kernel @adam_step(%p: !F, %m: !F, %v: !F, %g: !X) outs(%pn: !F, %mn: !F, %vn: !F, %w: !X)
    params {BN = 1024 in [256, 512, 1024, 2048], X: type = bf16 in [bf16, f16, f32]}
    grid [ceildiv(dim(%pn, 0), BN)] {
  %n = tile.block_id 0
  %b1 = arith.constant 0.9 : f32
  %a1 = arith.constant 0.1 : f32
  %b2 = arith.constant 0.99 : f32
  %a2 = arith.constant 0.01 : f32
  %rate = arith.constant 0.001 : f32
  %tiny = arith.constant 1.0e-08 : f32
  %b1s = tile.splat %b1 [BN] : f32 -> tensor<?xf32>
  %a1s = tile.splat %a1 [BN] : f32 -> tensor<?xf32>
  %b2s = tile.splat %b2 [BN] : f32 -> tensor<?xf32>
  %a2s = tile.splat %a2 [BN] : f32 -> tensor<?xf32>
  %rates = tile.splat %rate [BN] : f32 -> tensor<?xf32>
  %tinys = tile.splat %tiny [BN] : f32 -> tensor<?xf32>
  %pt = tile.load %p[%n] [BN] : !F -> tensor<?xf32>
  %mt = tile.load %m[%n] [BN] : !F -> tensor<?xf32>
  %vt = tile.load %v[%n] [BN] : !F -> tensor<?xf32>
  %gt = tile.load %g[%n] [BN] : !X -> tensor<?x!tile.elt<X>>
  %gf = tile.cast %gt : tensor<?x!tile.elt<X>> to tensor<?xf32>
  %m1 = arith.mulf %mt, %b1s : tensor<?xf32>
  %m2 = arith.mulf %gf, %a1s : tensor<?xf32>
  %ms = arith.addf %m1, %m2 : tensor<?xf32>
  %gg = arith.mulf %gf, %gf : tensor<?xf32>
  %v1 = arith.mulf %vt, %b2s : tensor<?xf32>
  %v2 = arith.mulf %gg, %a2s : tensor<?xf32>
  %vs = arith.addf %v1, %v2 : tensor<?xf32>
  %root = math.sqrt %vs : tensor<?xf32>
  %some = arith.addf %root, %tinys : tensor<?xf32>
  %step = arith.divf %ms, %some : tensor<?xf32>
  %decay = arith.mulf %pt, %a2s : tensor<?xf32>
  %both = arith.addf %step, %decay : tensor<?xf32>
  %less = arith.mulf %both, %rates : tensor<?xf32>
  %ps = arith.subf %pt, %less : tensor<?xf32>
  %ws = tile.cast %ps : tensor<?xf32> to tensor<?x!tile.elt<X>>
  tile.store %ps, %pn[%n] : tensor<?xf32>, !F
  tile.store %ms, %mn[%n] : tensor<?xf32>, !F
  tile.store %vs, %vn[%n] : tensor<?xf32>, !F
  tile.store %ws, %w[%n] : tensor<?x!tile.elt<X>>, !X
}
