// Gated causal convolution of every channel over the last few rows.

!X = !tile.view<?x?x!tile.elt<X>>
!XW = !tile.view<?x?x!tile.elt<X>, strides=[?, 1]>
!Y = !tile.view<?x?x!tile.elt<Y>>
!YW = !tile.view<?x?x!tile.elt<Y>, strides=[?, 1]>
!U = !tile.view<?x?x?x?x!tile.elt<U>>
!H = !tile.view<?x?x!tile.elt<U>>
!HW = !tile.view<?x?x!tile.elt<U>, strides=[?, 1]>
!W = !tile.view<?x?xf32>
!B = !tile.view<?xf32>
!I = !tile.view<?xi32>

// Appends what is convolved to its cache: u[b, 0, pos[b] + t] = b·x of row b·T + t.
//   x [N, 3C] (b, c and x of a row side by side), pos [B] → u [B, 1, S, C], N = B·T; a block computes BM rows of BN channels.
// Moves 3·N·C elements.
tile.kernel @conv_append(%x: !X, %pos: !I) outs(%u: !U)
    implements(gpt.short_conv {part = "append"})
    params {BM = 4 in [1, 4, 16], BN = 128 in [64, 128, 256, 512],
            X: type = f32 in [f32, bf16, f16], U: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(floordiv(dim(%x, 0), dim(%pos, 0)), BM), ceildiv(dim(%u, 3), BN), dim(%pos, 0)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %rows = tile.dim %x, 0 : !X
  %batch = tile.dim %pos, 0 : !I
  %tokens = arith.divui %rows, %batch : index
  %row = arith.muli %b, %tokens : index
  %channels = tile.dim %u, 3 : !U
  %twice = arith.addi %channels, %channels : index
  %bs = tile.subview %x[%row, 0] [%tokens, %channels] : !X -> !XW
  %xs = tile.subview %x[%row, %twice] [%tokens, %channels] : !X -> !XW
  %pt = tile.load %pos[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %uh = tile.select %u[%b, %c0] : !U -> !H
  %ud = tile.subview %uh[%p, 0] [%tokens, %channels] : !H -> !HW
  %bt = tile.load %bs[%m, %n] [BM, BN] : !XW -> tensor<?x?x!tile.elt<X>>
  %xt = tile.load %xs[%m, %n] [BM, BN] : !XW -> tensor<?x?x!tile.elt<X>>
  %bf = tile.cast %bt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %r = arith.mulf %bf, %xf : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<U>>
  tile.store %out, %ud[%m, %n] : tensor<?x?x!tile.elt<U>>, !HW
}

// Convolves: y[b·T + t, i] = c·(Σⱼ w[i, j]·u[b, 0, pos[b] + t − L + 1 + j, i] + bias[i]), where u is 0 before entry 0.
//   x [N, 3C] (of which c is read), u [B, 1, S, C] (this step's rows already appended), pos [B], w [C, L], bias [C] ([0]: none)
//   → y [N, C], N = B·T; a block computes BM rows of BN channels.
// Computes in f32: error ≤ (L + 3)·2⁻²⁴ of Σ|w·u|·|c|. Moves (2 + L)·N·C elements.
tile.kernel @conv_convolve(%x: !X, %u: !U, %pos: !I, %w: !W, %bias: !B) outs(%y: !Y)
    implements(gpt.short_conv {part = "convolve"})
    requires(dim(%x, 0) == dim(%y, 0), dim(%w, 0) == dim(%y, 1), dim(%u, 3) == dim(%y, 1))
    params {BM = 4 in [1, 4, 16], BN = 128 in [64, 128, 256, 512], X: type = f32 in [f32, bf16, f16],
            U: type = f32 in [f32, bf16, f16], Y: type = !tile.elt<X> in [f32, bf16, f16]}
    grid [ceildiv(floordiv(dim(%x, 0), dim(%pos, 0)), BM), ceildiv(dim(%y, 1), BN), dim(%pos, 0)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %bm = tile.param BM
  %rows = tile.dim %x, 0 : !X
  %batch = tile.dim %pos, 0 : !I
  %tokens = arith.divui %rows, %batch : index
  %row = arith.muli %b, %tokens : index
  %channels = tile.dim %y, 1 : !Y
  %cs = tile.subview %x[%row, %channels] [%tokens, %channels] : !X -> !XW
  %ys = tile.subview %y[%row, 0] [%tokens, %channels] : !Y -> !YW
  %pt = tile.load %pos[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %tokens : index
  %uh = tile.select %u[%b, %c0] : !U -> !H
  %us = tile.subview %uh[0, 0] [%end, %channels] : !H -> !HW

  // The first entry that each row reads; entries before 0 are read as 0.
  %taps = tile.dim %w, 1 : !W
  %first = arith.muli %m, %bm : index
  %at = arith.addi %p, %first : index
  %at1 = arith.addi %at, %c1 : index
  %ati = arith.index_cast %at1 : index to i32
  %tapsi = arith.index_cast %taps : index to i32
  %begin = arith.subi %ati, %tapsi : i32
  %begins = tile.splat %begin [BM] : i32 -> tensor<?xi32>
  %in = tile.iota [BM] : tensor<?xi32>
  %entry0 = arith.addi %begins, %in : tensor<?xi32>

  %bt = tile.load %bias[%n] [BN] : !B -> tensor<?xf32>
  %init = tile.broadcast %bt [BM, BN] : tensor<?xf32> -> tensor<?x?xf32>
  %sum = scf.for %j = %c0 to %taps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %ji = arith.index_cast %j : index to i32
    %js = tile.splat %ji [BM] : i32 -> tensor<?xi32>
    %entry = arith.addi %entry0, %js : tensor<?xi32>
    %ut = tile.gather %us[%n] at %entry axis 0 [BM, BN] : !HW, tensor<?xi32> -> tensor<?x?x!tile.elt<U>>
    %uf = tile.cast %ut : tensor<?x?x!tile.elt<U>> to tensor<?x?xf32>
    %wt = tile.load %w[%n, %j] [BN, 1] : !W -> tensor<?x1xf32>
    %wr = tile.reshape %wt [BN] : tensor<?x1xf32> -> tensor<?xf32>
    %wb = tile.broadcast %wr [BM, BN] : tensor<?xf32> -> tensor<?x?xf32>
    %next = math.fma %uf, %wb, %acc : tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %ct = tile.load %cs[%m, %n] [BM, BN] : !XW -> tensor<?x?x!tile.elt<X>>
  %cf = tile.cast %ct : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %r = arith.mulf %cf, %sum : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %ys[%m, %n] : tensor<?x?x!tile.elt<Y>>, !YW
}
