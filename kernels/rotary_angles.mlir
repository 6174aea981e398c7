// What rotary embedding multiplies with: row n is at position p = pos[b] + t, n = b·T + t, and its feature d < R turns by
// p·f(d mod R/2), f a table, or f(i) = 2^(r·i)·(m + (1 − m)·s), m = a + b·i + c·2^(r·i) within 0 … 1.
//   pos [B], f [R/2] ([0]: by r = −2·log₂(θ)/R, s, a, b, c) and an amplitude → cos [N, D], sin [N, R]; a block makes BM
//   rows.
// Behind R features cosines are 1. The first half of a row's sines is negative: y[d] = x[d]·cos[d] + x[d ± R/2]·sin[d].
// Frequencies and angles are f32: error of an angle ≤ 2⁻²¹ of it. Moves N·(D + R) elements.
!F = !tile.view<?x?xf32>
!V = !tile.view<?xf32>
!I = !tile.view<?xi32>
tile.kernel @rotary_angles(%pos: !I, %table: !V, %rate: f32, %stretch: f32, %ma: f32, %mb: f32, %mc: f32,
                           %amplitude: f32)
    outs(%cos: !F, %sin: !F)
    implements(gpt.rotary {part = "angles"})
    params {BM = 1 in [1, 2, 4, 8], D = dim(%cos, 1), R = dim(%sin, 1), Half = floordiv(dim(%sin, 1), 2)}
    grid [ceildiv(dim(%cos, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %bm = tile.param BM
  %r = tile.param R
  %half = tile.param Half
  %ri = arith.index_cast %r : index to i32
  %hi = arith.index_cast %half : index to i32

  // Positions of the rows.
  %rows = tile.dim %cos, 0 : !F
  %batch = tile.dim %pos, 0 : !I
  %tokens = arith.divui %rows, %batch : index
  %first = arith.muli %m, %bm : index
  %fi = arith.index_cast %first : index to i32
  %ti = arith.index_cast %tokens : index to i32
  %firsts = tile.splat %fi [BM] : i32 -> tensor<?xi32>
  %ts = tile.splat %ti [BM] : i32 -> tensor<?xi32>
  %i = tile.iota [BM] : tensor<?xi32>
  %row = arith.addi %firsts, %i : tensor<?xi32>
  %b = arith.divui %row, %ts : tensor<?xi32>
  %t = arith.remui %row, %ts : tensor<?xi32>
  %start = tile.gather %pos[] at %b axis 0 [BM] : !I, tensor<?xi32> -> tensor<?xi32>
  %p = arith.addi %start, %t : tensor<?xi32>
  %pf = arith.sitofp %p : tensor<?xi32> to tensor<?xf32>
  %pc = tile.expand_dims %pf, 1 : tensor<?xf32> -> tensor<?x1xf32>

  // Frequencies of the features; behind R they are 0.
  %d = tile.iota [D] : tensor<?xi32>
  %halves = tile.splat %hi [D] : i32 -> tensor<?xi32>
  %turning = tile.splat %ri [D] : i32 -> tensor<?xi32>
  %pair = arith.remui %d, %halves : tensor<?xi32>
  %pairf = arith.sitofp %pair : tensor<?xi32> to tensor<?xf32>
  %rates = tile.splat %rate [D] : f32 -> tensor<?xf32>
  %as = tile.splat %ma [D] : f32 -> tensor<?xf32>
  %bs = tile.splat %mb [D] : f32 -> tensor<?xf32>
  %cs = tile.splat %mc [D] : f32 -> tensor<?xf32>
  %ss = tile.splat %stretch [D] : f32 -> tensor<?xf32>
  %zeros = tile.splat %zero [D] : f32 -> tensor<?xf32>
  %ones = tile.splat %one [D] : f32 -> tensor<?xf32>
  %power = arith.mulf %pairf, %rates : tensor<?xf32>
  %plain = math.exp2 %power : tensor<?xf32>
  %linear = math.fma %pairf, %bs, %as : tensor<?xf32>
  %mix = math.fma %plain, %cs, %linear : tensor<?xf32>
  %above = arith.maximumf %mix, %zeros : tensor<?xf32>
  %kept = arith.minimumf %above, %ones : tensor<?xf32>
  %rest = arith.subf %ones, %kept : tensor<?xf32>
  %factor = math.fma %rest, %ss, %kept : tensor<?xf32>
  %made = arith.mulf %plain, %factor : tensor<?xf32>
  %listed = tile.gather %table[] at %pair axis 0 [D] : !V, tensor<?xi32> -> tensor<?xf32>
  %entries = tile.dim %table, 0 : !V
  %isListed = arith.cmpi ne, %entries, %c0 : index
  %scaled = arith.select %isListed, %listed, %made : tensor<?xf32>
  %turns = arith.cmpi slt, %d, %turning : tensor<?xi32>
  %f = arith.select %turns, %scaled, %zeros : tensor<?xi1>, tensor<?xf32>
  %fb = tile.broadcast %f [BM, D] : tensor<?xf32> -> tensor<?x?xf32>
  %pb = tile.broadcast %pc [BM, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %angle = arith.mulf %pb, %fb : tensor<?x?xf32>

  // The amplitude is for what turns.
  %amps = tile.splat %amplitude [D] : f32 -> tensor<?xf32>
  %negated = arith.negf %amps : tensor<?xf32>
  %lower = arith.cmpi slt, %d, %halves : tensor<?xi32>
  %cosamp = arith.select %turns, %amps, %ones : tensor<?xi1>, tensor<?xf32>
  %sinamp = arith.select %lower, %negated, %amps : tensor<?xi1>, tensor<?xf32>
  %cosamps = tile.broadcast %cosamp [BM, D] : tensor<?xf32> -> tensor<?x?xf32>
  %sinamps = tile.broadcast %sinamp [BM, D] : tensor<?xf32> -> tensor<?x?xf32>
  %cosine = math.cos %angle : tensor<?x?xf32>
  %sine = math.sin %angle : tensor<?x?xf32>
  %cr = arith.mulf %cosine, %cosamps : tensor<?x?xf32>
  %sr = arith.mulf %sine, %sinamps : tensor<?x?xf32>
  tile.store %cr, %cos[%m, %c0] : tensor<?x?xf32>, !F
  tile.store %sr, %sin[%m, %c0] : tensor<?x?xf32>, !F
}
