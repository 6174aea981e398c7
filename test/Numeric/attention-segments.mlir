// Attention whose rows see all keys of their own segment, before and after them. Padding has the number 0.
// TYPES: bf16 f16
!V = !tile.view<?x64x!T>
!Y = !tile.view<?x?xf32>
!P = tensor<64x64xf32>
!I = tensor<64x64xi32>
!C = tensor<64x1xf32>

// CASE @attend_segments rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 200xi32=3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,2147483647,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3 -> 200x64xf32
// CASE @attend_segments rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 200xi32=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648,-2147483648 -> 200x64xf32
tile.kernel @attend_segments(%q: !V, %k: !V, %v: !V, %docs: !tile.view<?xi32>) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %z1 = arith.constant dense<0.0> : !C
  %low = arith.constant dense<-1.0e+30> : !C
  %hidden = arith.constant dense<0xFF800000> : !P
  %sc = arith.constant dense<0.125> : !P
  %end = tile.num_tiles %k, 0 by [64] : !V
  %dq = tile.load %docs[%m] [64] : !tile.view<?xi32> -> tensor<64xi32>
  %dqc = tile.expand_dims %dq, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %dqs = tile.broadcast %dqc [64, 64] : tensor<64x1xi32> -> !I
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %mm, %ll, %oo = scf.for %j = %c0 to %end step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo) -> (!C, !C, tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %dk = tile.load %docs[%j] [64] : !tile.view<?xi32> -> tensor<64xi32>
    %dks = tile.broadcast %dk [64, 64] : tensor<64xi32> -> !I
    %same = arith.cmpi eq, %dks, %dqs : !I
    %x = arith.mulf %d, %sc : !P
    %s = arith.select %same, %x, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %mi, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %mi, %mn : !C
    %al = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %li, %al : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %al [64, 64] : !C -> tensor<64x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<64x64xf32>
    %ec = tile.cast %e : !P to tensor<64x64x!T>
    %on = tile.dot %ec, %vt, %oa : tensor<64x64x!T>, tensor<64x64x!T>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %mn, %ln, %on : !C, !C, tensor<64x64xf32>
  }
  %lb = tile.broadcast %ll [64, 64] : !C -> tensor<64x64xf32>
  %r = arith.divf %oo, %lb : tensor<64x64xf32>
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}
