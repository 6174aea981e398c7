// Rotary embedding of the heads of queries and keys: y = x·cos + swap(x)·sin, where swap exchanges the halves of the
// first R features of a head; heads from Q on are copied.
//   x [N, heads·D], cos [N, D], sin [N, R], the first half negative, Q → y [N, heads·D]; a block makes BM rows of a head.
// f32 inside: error ≤ 4·2⁻²⁴ of |y|. Moves 2·N·heads·D + N·(D + R)·heads elements, the second part from the cache.
!X = !tile.view<?x?x!tile.elt<X>>
!F = !tile.view<?x?xf32>
tile.kernel @rotary(%x: !X, %cos: !F, %sin: !F, %turned: i32) outs(%y: !X)
    implements(gpt.rotary {part = "turn"})
    params {BM = 16 in [1, 4, 16], D = dim(%cos, 1), R = dim(%sin, 1), Half = floordiv(dim(%sin, 1), 2),
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), D)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %d = tile.param D
  %r = tile.param R
  %half = tile.param Half
  %ri = arith.index_cast %r : index to i32
  %hi = arith.index_cast %half : index to i32

  // The column each feature is exchanged with.
  %head = arith.muli %h, %d : index
  %headi = arith.index_cast %head : index to i32
  %heads = tile.splat %headi [D] : i32 -> tensor<?xi32>
  %halves = tile.splat %hi [D] : i32 -> tensor<?xi32>
  %turning = tile.splat %ri [D] : i32 -> tensor<?xi32>
  %i = tile.iota [D] : tensor<?xi32>
  %above = arith.addi %i, %halves : tensor<?xi32>
  %below = arith.subi %i, %halves : tensor<?xi32>
  %lower = arith.cmpi slt, %i, %halves : tensor<?xi32>
  %turns = arith.cmpi slt, %i, %turning : tensor<?xi32>
  %upper = arith.select %turns, %below, %i : tensor<?xi1>, tensor<?xi32>
  %other = arith.select %lower, %above, %upper : tensor<?xi1>, tensor<?xi32>
  %columns = arith.addi %heads, %other : tensor<?xi32>

  %xt = tile.load %x[%m, %h] [BM, D] : !X -> tensor<?x?x!tile.elt<X>>
  %st = tile.gather %x[%m] at %columns axis 1 [BM, D] : !X, tensor<?xi32> -> tensor<?x?x!tile.elt<X>>
  %cost = tile.load %cos[%m, %c0] [BM, D] : !F -> tensor<?x?xf32>
  %sint = tile.load %sin[%m, %c0] [BM, D] : !F -> tensor<?x?xf32>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %sf = tile.cast %st : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %xc = arith.mulf %xf, %cost : tensor<?x?xf32>
  %new = math.fma %sf, %sint, %xc : tensor<?x?xf32>
  %hx = arith.index_cast %h : index to i32
  %hs = tile.splat %hx [BM, D] : i32 -> tensor<?x?xi32>
  %qs = tile.splat %turned [BM, D] : i32 -> tensor<?x?xi32>
  %isturned = arith.cmpi slt, %hs, %qs : tensor<?x?xi32>
  %res = arith.select %isturned, %new, %xf : tensor<?x?xi1>, tensor<?x?xf32>
  %out = tile.cast %res : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %h] : tensor<?x?x!tile.elt<X>>, !X
}
