// Turns this step's queries and keys, and appends keys and values to the cache.
//   qkv [N, (H + 2K)·D], cos [N, D], sin [N, R] of @rotary_angles, pos [B] → k, v [B, K, S, D],
//   updated in place, q [N, H·D]; a block makes BM tokens of a head of keys and of the G = H / K queries that share it.
// As @rotary, rounded once. Moves 2·N·(H + 2K)·D + N·K·(D + R) elements.
!X = !tile.view<?x?x!tile.elt<X>>
!XW = !tile.view<?x?x!tile.elt<X>, strides=[?, 1]>
!KV = !tile.view<?x?x?x?x!tile.elt<KV>>
!H = !tile.view<?x?x!tile.elt<KV>>
!HW = !tile.view<?x?x!tile.elt<KV>, strides=[?, 1]>
!F = !tile.view<?x?xf32>
!FW = !tile.view<?x?xf32, strides=[?, 1]>
!I = !tile.view<?xi32>
tile.kernel @kv_append_rotary(%qkv: !X, %cos: !F, %sin: !F, %pos: !I) outs(%k: !KV, %v: !KV, %q: !X)
    implements(gpt.attention {part = "append", rotary})
    params {BM = 16 in [1, 4, 16], D = dim(%k, 3), T = dim(%sin, 1), Half = floordiv(T, 2),
            X: type = f32 in [f32, bf16, f16], KV: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(floordiv(dim(%qkv, 0), dim(%pos, 0)), BM), dim(%k, 1), dim(%pos, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tile.param D
  %t = tile.param T
  %half = tile.param Half

  // The windows of this sequence and head.
  %rows = tile.dim %qkv, 0 : !X
  %columns = tile.dim %qkv, 1 : !X
  %batch = tile.dim %pos, 0 : !I
  %heads = tile.dim %k, 1 : !KV
  %tokens = arith.divui %rows, %batch : index
  %kwidth = arith.muli %heads, %d : index
  %values = arith.subi %columns, %kwidth : index
  %keys = arith.subi %values, %kwidth : index
  %row = arith.muli %b, %tokens : index
  %hcol = arith.muli %h, %d : index
  %kcol = arith.addi %keys, %hcol : index
  %vcol = arith.addi %values, %hcol : index
  %qwidth = arith.divui %keys, %heads : index
  %group = arith.divui %qwidth, %d : index
  %qcol = arith.muli %h, %qwidth : index
  %qs = tile.subview %qkv[%row, %qcol] [%tokens, %qwidth] : !X -> !XW
  %qd = tile.subview %q[%row, %qcol] [%tokens, %qwidth] : !X -> !XW
  %ks = tile.subview %qkv[%row, %kcol] [%tokens, %d] : !X -> !XW
  %vs = tile.subview %qkv[%row, %vcol] [%tokens, %d] : !X -> !XW
  %coss = tile.subview %cos[%row, 0] [%tokens, %d] : !F -> !FW
  %sins = tile.subview %sin[%row, 0] [%tokens, %t] : !F -> !FW
  %pt = tile.load %pos[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %kh = tile.select %k[%b, %h] : !KV -> !H
  %vh = tile.select %v[%b, %h] : !KV -> !H
  %kd = tile.subview %kh[%p, 0] [%tokens, %d] : !H -> !HW
  %vd = tile.subview %vh[%p, 0] [%tokens, %d] : !H -> !HW

  // The feature that each feature is exchanged with.
  %ti = arith.index_cast %t : index to i32
  %hi = arith.index_cast %half : index to i32
  %feature = tile.iota [D] : tensor<?xi32>
  %halves = tile.splat %hi [D] : i32 -> tensor<?xi32>
  %turning = tile.splat %ti [D] : i32 -> tensor<?xi32>
  %up = arith.addi %feature, %halves : tensor<?xi32>
  %down = arith.subi %feature, %halves : tensor<?xi32>
  %lower = arith.cmpi slt, %feature, %halves : tensor<?xi32>
  %turns = arith.cmpi slt, %feature, %turning : tensor<?xi32>
  %rest = arith.select %turns, %down, %feature : tensor<?xi1>, tensor<?xi32>
  %other = arith.select %lower, %up, %rest : tensor<?xi1>, tensor<?xi32>
  %cost = tile.load %coss[%m, %c0] [BM, D] : !FW -> tensor<?x?xf32>
  %sint = tile.load %sins[%m, %c0] [BM, D] : !FW -> tensor<?x?xf32>

  %kt = tile.load %ks[%m, %c0] [BM, D] : !XW -> tensor<?x?x!tile.elt<X>>
  %kot = tile.gather %ks[%m] at %other axis 1 [BM, D] : !XW, tensor<?xi32> -> tensor<?x?x!tile.elt<X>>
  %kf = tile.cast %kt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %kof = tile.cast %kot : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %kc = arith.mulf %kf, %cost : tensor<?x?xf32>
  %kr = math.fma %kof, %sint, %kc : tensor<?x?xf32>
  %kn = tile.cast %kr : tensor<?x?xf32> to tensor<?x?x!tile.elt<KV>>
  tile.store %kn, %kd[%m, %c0] : tensor<?x?x!tile.elt<KV>>, !HW
  %vt = tile.load %vs[%m, %c0] [BM, D] : !XW -> tensor<?x?x!tile.elt<X>>
  %vn = tile.cast %vt : tensor<?x?x!tile.elt<X>> to tensor<?x?x!tile.elt<KV>>
  tile.store %vn, %vd[%m, %c0] : tensor<?x?x!tile.elt<KV>>, !HW

  scf.for %g = %c0 to %group step %c1 {
    %first = arith.muli %g, %d : index
    %firsti = arith.index_cast %first : index to i32
    %firsts = tile.splat %firsti [D] : i32 -> tensor<?xi32>
    %qother = arith.addi %firsts, %other : tensor<?xi32>
    %qt = tile.load %qs[%m, %g] [BM, D] : !XW -> tensor<?x?x!tile.elt<X>>
    %qot = tile.gather %qs[%m] at %qother axis 1 [BM, D] : !XW, tensor<?xi32> -> tensor<?x?x!tile.elt<X>>
    %qf = tile.cast %qt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
    %qof = tile.cast %qot : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
    %qc = arith.mulf %qf, %cost : tensor<?x?xf32>
    %qr = math.fma %qof, %sint, %qc : tensor<?x?xf32>
    %qn = tile.cast %qr : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
    tile.store %qn, %qd[%m, %g] : tensor<?x?x!tile.elt<X>>, !XW
  }
}
