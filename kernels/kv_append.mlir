// Appends this step's keys and values to the cache: k[b, h, pos[b] + t] = qkv[b·T + t, H·D + h·D …], v likewise behind
// the keys.
//   qkv [N, (H + 2K)·D], pos [B] → k, v [B, K, S, D], updated in place; a block copies BM tokens of one head.
// A copy (rounded to the cache's type). Moves 4·N·K·D elements.
!X = !tile.view<?x?x!tile.elt<X>>
!XW = !tile.view<?x?x!tile.elt<X>, strides=[?, 1]>
!KV = !tile.view<?x?x?x?x!tile.elt<KV>>
!H = !tile.view<?x?x!tile.elt<KV>>
!HW = !tile.view<?x?x!tile.elt<KV>, strides=[?, 1]>
!I = !tile.view<?xi32>
tile.kernel @kv_append(%qkv: !X, %pos: !I) outs(%k: !KV, %v: !KV)
    implements(gpt.attention {part = "append"})
    params {BM = 16 in [1, 16, 64], D = dim(%k, 3),
            X: type = f32 in [f32, bf16, f16], KV: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(floordiv(dim(%qkv, 0), dim(%pos, 0)), BM), dim(%k, 1), dim(%pos, 0)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %d = tile.param D
  %bm = tile.param BM
  %rows = tile.dim %qkv, 0 : !X
  %batch = tile.dim %pos, 0 : !I
  %heads = tile.dim %k, 1 : !KV
  %tokens = arith.divui %rows, %batch : index
  %width = arith.muli %heads, %d : index
  %columns = tile.dim %qkv, 1 : !X
  %values = arith.subi %columns, %width : index
  %keys = arith.subi %values, %width : index
  %row = arith.muli %b, %tokens : index
  %hcol = arith.muli %h, %d : index
  %kcol = arith.addi %keys, %hcol : index
  %vcol = arith.addi %values, %hcol : index
  %ks = tile.subview %qkv[%row, %kcol] [%tokens, %d] : !X -> !XW
  %vs = tile.subview %qkv[%row, %vcol] [%tokens, %d] : !X -> !XW
  %pt = tile.load %pos[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %kh = tile.select %k[%b, %h] : !KV -> !H
  %vh = tile.select %v[%b, %h] : !KV -> !H
  %kd = tile.subview %kh[%p, 0] [%tokens, %d] : !H -> !HW
  %vd = tile.subview %vh[%p, 0] [%tokens, %d] : !H -> !HW
  %kt = tile.load %ks[%m, %c0] [BM, D] : !XW -> tensor<?x?x!tile.elt<X>>
  %vt = tile.load %vs[%m, %c0] [BM, D] : !XW -> tensor<?x?x!tile.elt<X>>
  %kc = tile.cast %kt : tensor<?x?x!tile.elt<X>> to tensor<?x?x!tile.elt<KV>>
  %vc = tile.cast %vt : tensor<?x?x!tile.elt<X>> to tensor<?x?x!tile.elt<KV>>
  tile.store %kc, %kd[%m, %c0] : tensor<?x?x!tile.elt<KV>>, !HW
  tile.store %vc, %vd[%m, %c0] : tensor<?x?x!tile.elt<KV>>, !HW
}
