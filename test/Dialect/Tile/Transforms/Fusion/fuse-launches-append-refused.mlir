// Obstacles to fusing a launch that appends a row with one that reads the rows.
// RUN: tilegpt-opt %s --tile-fuse-launches=mode=list --verify-diagnostics -o /dev/null

!S = !tile.view<?x?x?x?xf32>
!H = !tile.view<?x?xf32>
!V = !tile.view<?x?xf32>
!W = !tile.view<?x?xf32, strides=[?, 1]>
!I = !tile.view<?xi32>
!T = tensor<?x?xf32>
!X = tensor<?x8xf32>
!C = tensor<?x4x64x8xf32>

tile.kernel @append(%x: !V, %at: !I) outs(%s: !S)
    params {BM = 8 in [1, 8], D = dim(%s, 3)}
    grid [ceildiv(floordiv(dim(%x, 0), dim(%at, 0)), BM), dim(%s, 0), dim(%s, 1)] {
  %m = tile.block_id 0
  %b = tile.block_id 1
  %h = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tile.param D
  %n = tile.dim %x, 0 : !V
  %batch = tile.dim %at, 0 : !I
  %tokens = arith.divui %n, %batch : index
  %row = arith.muli %b, %tokens : index
  %xs = tile.subview %x[%row, 0] [%tokens, %d] : !V -> !W
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %behind = arith.addi %p, %c1 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %sd = tile.subview %sb[%p, 0] [%tokens, %d] : !H -> !W
  %t = tile.load %xs[%m, %c0] [BM, D] : !W -> !T
  tile.store %t, %sd[%m, %c0] : !T, !W
}
tile.kernel @append_behind(%x: !V, %at: !I) outs(%s: !S)
    params {BM = 8 in [1, 8], D = dim(%s, 3)}
    grid [ceildiv(floordiv(dim(%x, 0), dim(%at, 0)), BM), dim(%s, 0), dim(%s, 1)] {
  %m = tile.block_id 0
  %b = tile.block_id 1
  %h = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tile.param D
  %n = tile.dim %x, 0 : !V
  %batch = tile.dim %at, 0 : !I
  %tokens = arith.divui %n, %batch : index
  %row = arith.muli %b, %tokens : index
  %xs = tile.subview %x[%row, 0] [%tokens, %d] : !V -> !W
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %behind = arith.addi %p, %c1 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %sd = tile.subview %sb[%behind, 0] [%tokens, %d] : !H -> !W
  %t = tile.load %xs[%m, %c0] [BM, D] : !W -> !T
  tile.store %t, %sd[%m, %c0] : !T, !W
}
tile.kernel @append_turned(%x: !V, %at: !I) outs(%s: !S)
    params {BM = 8 in [1, 8], D = dim(%s, 3)}
    grid [ceildiv(floordiv(dim(%x, 0), dim(%at, 0)), BM), dim(%s, 0), dim(%s, 1)] {
  %m = tile.block_id 0
  %b = tile.block_id 1
  %h = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tile.param D
  %n = tile.dim %x, 0 : !V
  %batch = tile.dim %at, 0 : !I
  %tokens = arith.divui %n, %batch : index
  %row = arith.muli %b, %tokens : index
  %xs = tile.subview %x[%row, 0] [%tokens, %d] : !V -> !W
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %behind = arith.addi %p, %c1 : index
  %sb = tile.select %s[%h, %b] : !S -> !H
  %sd = tile.subview %sb[%p, 0] [%tokens, %d] : !H -> !W
  %t = tile.load %xs[%m, %c0] [BM, D] : !W -> !T
  tile.store %t, %sd[%m, %c0] : !T, !W
}
tile.kernel @append_tiles(%x: !V, %at: !I) outs(%s: !S)
    params {BM = 8 in [4, 8], D = dim(%s, 3)}
    grid [ceildiv(floordiv(dim(%x, 0), dim(%at, 0)), BM), dim(%s, 0), dim(%s, 1)] {
  %m = tile.block_id 0
  %b = tile.block_id 1
  %h = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tile.param D
  %n = tile.dim %x, 0 : !V
  %batch = tile.dim %at, 0 : !I
  %tokens = arith.divui %n, %batch : index
  %row = arith.muli %b, %tokens : index
  %xs = tile.subview %x[%row, 0] [%tokens, %d] : !V -> !W
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %behind = arith.addi %p, %c1 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %sd = tile.subview %sb[%p, 0] [%tokens, %d] : !H -> !W
  %t = tile.load %xs[%m, %c0] [BM, D] : !W -> !T
  tile.store %t, %sd[%m, %c0] : !T, !W
}
tile.kernel @append_masked(%x: !V, %at: !I) outs(%s: !S)
    params {BM = 8 in [1, 8], D = dim(%s, 3)}
    grid [ceildiv(floordiv(dim(%x, 0), dim(%at, 0)), BM), dim(%s, 0), dim(%s, 1)] {
  %m = tile.block_id 0
  %b = tile.block_id 1
  %h = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tile.param D
  %n = tile.dim %x, 0 : !V
  %batch = tile.dim %at, 0 : !I
  %tokens = arith.divui %n, %batch : index
  %row = arith.muli %b, %tokens : index
  %xs = tile.subview %x[%row, 0] [%tokens, %d] : !V -> !W
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %behind = arith.addi %p, %c1 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %sd = tile.subview %sb[%p, 0] [%tokens, %d] : !H -> !W
  %t = tile.load %xs[%m, %c0] [BM, D] : !W -> !T
  %k = arith.cmpf ogt, %t, %t : !T
  tile.store %t, %sd[%m, %c0] mask(%k : tensor<?x?xi1>) : !T, !W
}
tile.kernel @append_twice(%x: !V, %at: !I) outs(%s: !S)
    params {BM = 8 in [1, 8], D = dim(%s, 3)}
    grid [ceildiv(floordiv(dim(%x, 0), dim(%at, 0)), BM), dim(%s, 0), dim(%s, 1)] {
  %m = tile.block_id 0
  %b = tile.block_id 1
  %h = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tile.param D
  %n = tile.dim %x, 0 : !V
  %batch = tile.dim %at, 0 : !I
  %tokens = arith.divui %n, %batch : index
  %row = arith.muli %b, %tokens : index
  %xs = tile.subview %x[%row, 0] [%tokens, %d] : !V -> !W
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %behind = arith.addi %p, %c1 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %sd = tile.subview %sb[%p, 0] [%tokens, %d] : !H -> !W
  %t = tile.load %xs[%m, %c0] [BM, D] : !W -> !T
  tile.store %t, %sd[%m, %c0] : !T, !W
  tile.store %t, %sd[%m, %c0] : !T, !W
}
tile.kernel @sum(%s: !S, %at: !I) outs(%y: !V)
    requires(dim(%y, 0) == dim(%at, 0))
    params {BN = 4 in [4, 16], D = dim(%s, 3)}
    grid [dim(%s, 0), dim(%s, 1)] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %d = tile.param D
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %beyond = arith.addi %p, %c2 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %rows = tile.subview %sb[%c0, 0] [%end, %d] : !H -> !W
  %init = tile.splat %zero [1, D] : f32 -> tensor<1x?xf32>
  %steps = tile.num_tiles %rows, 0 by [BN] : !W
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%a = %init) -> (tensor<1x?xf32>) {
    %t = tile.load %rows[%j, %c0] [BN, D] : !W -> !T
    %r = tile.reduce add %t axis 0 keepdims : !T -> tensor<1x?xf32>
    %next = arith.addf %a, %r : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  tile.store %sum, %y[%b, %h] : tensor<1x?xf32>, !V
}
tile.kernel @sum_beyond(%s: !S, %at: !I) outs(%y: !V)
    requires(dim(%y, 0) == dim(%at, 0))
    params {BN = 4 in [4, 16], D = dim(%s, 3)}
    grid [dim(%s, 0), dim(%s, 1)] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %d = tile.param D
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %beyond = arith.addi %p, %c2 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %rows = tile.subview %sb[%c0, 0] [%beyond, %d] : !H -> !W
  %init = tile.splat %zero [1, D] : f32 -> tensor<1x?xf32>
  %steps = tile.num_tiles %rows, 0 by [BN] : !W
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%a = %init) -> (tensor<1x?xf32>) {
    %t = tile.load %rows[%j, %c0] [BN, D] : !W -> !T
    %r = tile.reduce add %t axis 0 keepdims : !T -> tensor<1x?xf32>
    %next = arith.addf %a, %r : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  tile.store %sum, %y[%b, %h] : tensor<1x?xf32>, !V
}
tile.kernel @sum_front(%s: !S, %at: !I) outs(%y: !V)
    requires(dim(%y, 0) == dim(%at, 0))
    params {BN = 4 in [4, 16], D = dim(%s, 3)}
    grid [dim(%s, 0), dim(%s, 1)] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %d = tile.param D
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %beyond = arith.addi %p, %c2 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %rows = tile.subview %sb[%c0, 0] [%p, %d] : !H -> !W
  %init = tile.splat %zero [1, D] : f32 -> tensor<1x?xf32>
  %steps = tile.num_tiles %rows, 0 by [BN] : !W
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%a = %init) -> (tensor<1x?xf32>) {
    %t = tile.load %rows[%j, %c0] [BN, D] : !W -> !T
    %r = tile.reduce add %t axis 0 keepdims : !T -> tensor<1x?xf32>
    %next = arith.addf %a, %r : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  tile.store %sum, %y[%b, %h] : tensor<1x?xf32>, !V
}
tile.kernel @sum_blocks(%s: !S, %at: !I) outs(%y: !V)
    requires(dim(%y, 0) == dim(%at, 0))
    params {BN = 4 in [4, 16], D = dim(%s, 3)}
    grid [dim(%s, 0), dim(%s, 1), 2] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %d = tile.param D
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %beyond = arith.addi %p, %c2 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %rows = tile.subview %sb[%c0, 0] [%end, %d] : !H -> !W
  %init = tile.splat %zero [1, D] : f32 -> tensor<1x?xf32>
  %steps = tile.num_tiles %rows, 0 by [BN] : !W
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%a = %init) -> (tensor<1x?xf32>) {
    %t = tile.load %rows[%j, %c0] [BN, D] : !W -> !T
    %r = tile.reduce add %t axis 0 keepdims : !T -> tensor<1x?xf32>
    %next = arith.addf %a, %r : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  tile.store %sum, %y[%b, %h] : tensor<1x?xf32>, !V
}
tile.kernel @sum_next(%s: !S, %at: !I) outs(%y: !V)
    requires(dim(%y, 0) == dim(%at, 0))
    params {BN = 4 in [4, 16], D = dim(%s, 3)}
    grid [dim(%s, 0), dim(%s, 1)] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %d = tile.param D
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %beyond = arith.addi %p, %c2 : index
  %other = arith.addi %h, %c0 : index
  %sb = tile.select %s[%b, %other] : !S -> !H
  %rows = tile.subview %sb[%c0, 0] [%end, %d] : !H -> !W
  %init = tile.splat %zero [1, D] : f32 -> tensor<1x?xf32>
  %steps = tile.num_tiles %rows, 0 by [BN] : !W
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%a = %init) -> (tensor<1x?xf32>) {
    %t = tile.load %rows[%j, %c0] [BN, D] : !W -> !T
    %r = tile.reduce add %t axis 0 keepdims : !T -> tensor<1x?xf32>
    %next = arith.addf %a, %r : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  tile.store %sum, %y[%b, %h] : tensor<1x?xf32>, !V
}
tile.kernel @sum_halves(%s: !S, %at: !I) outs(%y: !V)
    requires(dim(%y, 0) == dim(%at, 0))
    params {BN = 4 in [4, 16], D = dim(%s, 3)}
    grid [dim(%s, 0), dim(%s, 1)] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %d = tile.param D
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %beyond = arith.addi %p, %c2 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %rows = tile.subview %sb[%c0, 0] [%end, %d] : !H -> !W
  %init = tile.splat %zero [1, D] : f32 -> tensor<1x?xf32>
  %steps = arith.divui %end, %c2 : index
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%a = %init) -> (tensor<1x?xf32>) {
    %t = tile.load %rows[%j, %c0] [BN, D] : !W -> !T
    %r = tile.reduce add %t axis 0 keepdims : !T -> tensor<1x?xf32>
    %next = arith.addf %a, %r : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  tile.store %sum, %y[%b, %h] : tensor<1x?xf32>, !V
}
tile.kernel @sum_behind_first(%s: !S, %at: !I) outs(%y: !V)
    requires(dim(%y, 0) == dim(%at, 0))
    params {BN = 4 in [4, 16], D = dim(%s, 3)}
    grid [dim(%s, 0), dim(%s, 1)] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %d = tile.param D
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %beyond = arith.addi %p, %c2 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %rows = tile.subview %sb[%c0, 0] [%end, %d] : !H -> !W
  %init = tile.splat %zero [1, D] : f32 -> tensor<1x?xf32>
  %steps = tile.num_tiles %rows, 0 by [BN] : !W
  %sum = scf.for %j = %c1 to %steps step %c1 iter_args(%a = %init) -> (tensor<1x?xf32>) {
    %t = tile.load %rows[%j, %c0] [BN, D] : !W -> !T
    %r = tile.reduce add %t axis 0 keepdims : !T -> tensor<1x?xf32>
    %next = arith.addf %a, %r : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  tile.store %sum, %y[%b, %h] : tensor<1x?xf32>, !V
}
tile.kernel @last(%s: !S, %at: !I) outs(%y: !V)
    requires(dim(%y, 0) == dim(%at, 0))
    params {BN = 4 in [4, 16], D = dim(%s, 3)}
    grid [dim(%s, 0), dim(%s, 1)] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %d = tile.param D
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %beyond = arith.addi %p, %c2 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %rows = tile.subview %sb[%c0, 0] [%end, %d] : !H -> !W
  %init = tile.splat %zero [1, D] : f32 -> tensor<1x?xf32>
  %steps = tile.num_tiles %rows, 0 by [BN] : !W
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%a = %init) -> (tensor<1x?xf32>) {
    %t = tile.load %rows[%j, %c0] [BN, D] : !W -> !T
    %r = tile.reduce add %t axis 0 keepdims : !T -> tensor<1x?xf32>
    %half = arith.mulf %a, %r : tensor<1x?xf32>
    %next = arith.subf %r, %half : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  tile.store %sum, %y[%b, %h] : tensor<1x?xf32>, !V
}
tile.kernel @sum_fixed(%s: !S, %at: !I) outs(%y: !V)
    requires(dim(%y, 0) == dim(%at, 0))
    params {BN = 4 in [4, 16], D = dim(%s, 3)}
    grid [dim(%s, 0), dim(%s, 1)] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %d = tile.param D
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %beyond = arith.addi %p, %c2 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %rows = tile.subview %sb[%c0, 0] [%end, %d] : !H -> !W
  %init = tile.splat %zero [1, D] : f32 -> tensor<1x?xf32>
  %steps = tile.num_tiles %rows, 0 by [4] : !W
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%a = %init) -> (tensor<1x?xf32>) {
    %t = tile.load %rows[%j, %c0] [4, D] : !W -> tensor<4x?xf32>
    %r = tile.reduce add %t axis 0 keepdims : tensor<4x?xf32> -> tensor<1x?xf32>
    %next = arith.addf %a, %r : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  tile.store %sum, %y[%b, %h] : tensor<1x?xf32>, !V
}
tile.kernel @sum_early(%s: !S, %at: !I) outs(%y: !V)
    requires(dim(%y, 0) == dim(%at, 0))
    params {BN = 4 in [4, 16], D = dim(%s, 3)}
    grid [dim(%s, 0), dim(%s, 1)] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %d = tile.param D
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %beyond = arith.addi %p, %c2 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %rows = tile.subview %sb[%c0, 0] [%end, %d] : !H -> !W
  %zeros = tile.splat %zero [BN, D] : f32 -> !T
  %ends = tile.splat %pi [BN, D] : i32 -> tensor<?x?xi32>
  %init = tile.splat %zero [1, D] : f32 -> tensor<1x?xf32>
  %steps = tile.num_tiles %rows, 0 by [BN] : !W
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%a = %init) -> (tensor<1x?xf32>) {
    %t = tile.load %rows[%j, %c0] [BN, D] : !W -> !T
    %bn = tile.param BN
    %j0 = arith.muli %j, %bn : index
    %j0i = arith.index_cast %j0 : index to i32
    %j0s = tile.splat %j0i [BN] : i32 -> tensor<?xi32>
    %i = tile.iota [BN] : tensor<?xi32>
    %number = arith.addi %j0s, %i : tensor<?xi32>
    %column = tile.expand_dims %number, 1 : tensor<?xi32> -> tensor<?x1xi32>
    %all = tile.broadcast %column [BN, D] : tensor<?x1xi32> -> tensor<?x?xi32>
    %seen = arith.cmpi slt, %all, %ends : tensor<?x?xi32>
    %u = arith.select %seen, %t, %zeros : tensor<?x?xi1>, !T
    %r = tile.reduce add %u axis 0 keepdims : !T -> tensor<1x?xf32>
    %next = arith.addf %a, %r : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  tile.store %sum, %y[%b, %h] : tensor<1x?xf32>, !V
}
tile.kernel @sum_numbers(%s: !S, %at: !I) outs(%y: !V)
    requires(dim(%y, 0) == dim(%at, 0))
    params {BN = 4 in [4, 16], D = dim(%s, 3)}
    grid [dim(%s, 0), dim(%s, 1)] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %d = tile.param D
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %beyond = arith.addi %p, %c2 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %rows = tile.subview %sb[%c0, 0] [%end, %d] : !H -> !W
  %init = tile.splat %zero [1, D] : f32 -> tensor<1x?xf32>
  %steps = tile.num_tiles %rows, 0 by [BN] : !W
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%a = %init) -> (tensor<1x?xf32>) {
    %t = tile.load %rows[%j, %c0] [BN, D] : !W -> !T
    %bn = tile.param BN
    %j0 = arith.muli %j, %bn : index
    %j0i = arith.index_cast %j0 : index to i32
    %j0s = tile.splat %j0i [BN] : i32 -> tensor<?xi32>
    %i = tile.iota [BN] : tensor<?xi32>
    %number = arith.addi %j0s, %i : tensor<?xi32>
    %column = tile.expand_dims %number, 1 : tensor<?xi32> -> tensor<?x1xi32>
    %all = tile.broadcast %column [BN, D] : tensor<?x1xi32> -> tensor<?x?xi32>
    %f = arith.sitofp %all : tensor<?x?xi32> to !T
    %u = arith.mulf %f, %t : !T
    %r = tile.reduce add %u axis 0 keepdims : !T -> tensor<1x?xf32>
    %next = arith.addf %a, %r : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  tile.store %sum, %y[%b, %h] : tensor<1x?xf32>, !V
}
tile.kernel @sum_tiles(%s: !S, %at: !I) outs(%y: !V)
    requires(dim(%y, 0) == dim(%at, 0))
    params {BN = 4 in [4, 16], D = dim(%s, 3)}
    grid [dim(%s, 0), dim(%s, 1)] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %d = tile.param D
  %pt = tile.load %at[%b] [1] : !I -> tensor<1xi32>
  %pi = tensor.extract %pt[%c0] : tensor<1xi32>
  %p = arith.index_cast %pi : i32 to index
  %end = arith.addi %p, %c1 : index
  %beyond = arith.addi %p, %c2 : index
  %sb = tile.select %s[%b, %h] : !S -> !H
  %rows = tile.subview %sb[%c0, 0] [%end, %d] : !H -> !W
  %init = tile.splat %zero [1, D] : f32 -> tensor<1x?xf32>
  %steps = tile.num_tiles %rows, 0 by [BN] : !W
  %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%a = %init) -> (tensor<1x?xf32>) {
    %t = tile.load %rows[%j, %c0] [BN, D] : !W -> !T
    %ji = arith.index_cast %j : index to i32
    %jf = arith.sitofp %ji : i32 to f32
    %js = tile.splat %jf [BN, D] : f32 -> !T
    %u = arith.mulf %js, %t : !T
    %r = tile.reduce add %u axis 0 keepdims : !T -> tensor<1x?xf32>
    %next = arith.addf %a, %r : tensor<1x?xf32>
    scf.yield %next : tensor<1x?xf32>
  }
  tile.store %sum, %y[%b, %h] : tensor<1x?xf32>, !V
}
func.func @near_misses(%at: tensor<?xi32>, %s: !C) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %at, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : !X
  %x1 = tensor.empty(%n) : !X
  %a0 = tile.launch @append_behind ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append_behind and @sum: no append: @sum does not read the rows up to the one that is appended}}
  %y0 = tile.launch @sum ins(%a0, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a1 = tile.launch @append ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append and @sum_beyond: no append: @sum_beyond does not read the rows up to the one that is appended}}
  %y1 = tile.launch @sum_beyond ins(%a1, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a2 = tile.launch @append ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append and @sum_front: no append: @sum_front does not read the rows up to the one that is appended}}
  %y2 = tile.launch @sum_front ins(%a2, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a3 = tile.launch @append_turned ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append_turned and @sum: no append: @append_turned is not known to have as many blocks along axis 1 of its grid as @sum along axis 1}}
  %y3 = tile.launch @sum ins(%a3, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a4 = tile.launch @append_tiles ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append_tiles and @sum: no append: @append_tiles has no tiles of one row: 1 is no candidate of BM}}
  %y4 = tile.launch @sum ins(%a4, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a5 = tile.launch @append_masked ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append_masked and @sum: no append: @sum stores the row that is appended with a mask or an order}}
  %y5 = tile.launch @sum ins(%a5, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a6 = tile.launch @append_twice ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append_twice and @sum: no append: @sum accesses the row that is appended more than once}}
  %y6 = tile.launch @sum ins(%a6, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a7 = tile.launch @append ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append and @sum_blocks: no append: @sum_blocks has several blocks, along axis 2 of its grid, that read the same rows}}
  %y7 = tile.launch @sum_blocks ins(%a7, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a8 = tile.launch @append ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append and @sum_next: no append: @sum_next selects entries by more than a block id}}
  %y8 = tile.launch @sum_next ins(%a8, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a9 = tile.launch @append ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append and @sum_halves: no append: @sum_halves does not iterate over all tiles of the rows}}
  %y9 = tile.launch @sum_halves ins(%a9, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a10 = tile.launch @append ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append and @sum_behind_first: no append: @sum_behind_first does not iterate over all tiles of the rows}}
  %y10 = tile.launch @sum_behind_first ins(%a10, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a11 = tile.launch @append ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append and @last: no append: @last cannot move the row after its loop}}
  %y11 = tile.launch @last ins(%a11, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a12 = tile.launch @append ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append and @sum_fixed: no append: @sum_fixed loads tiles whose number of rows is not a parameter}}
  %y12 = tile.launch @sum_fixed ins(%a12, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a13 = tile.launch @append ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append and @sum_early: no append: @sum_early masks rows by another end than that of the rows it reads}}
  %y13 = tile.launch @sum_early ins(%a13, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a14 = tile.launch @append ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append and @sum_numbers: no append: @sum_numbers computes with the numbers of rows}}
  %y14 = tile.launch @sum_numbers ins(%a14, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %a15 = tile.launch @append ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append and @sum_tiles: no append: @sum_tiles computes with the number of a tile of rows}}
  %y15 = tile.launch @sum_tiles ins(%a15, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  return
}

func.func @memory(%at: tensor<?xi32>, %s: !C) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %at, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : !X
  %x1 = tensor.empty(%n) : !X
  // The original rows have another reader.
  %a = tile.launch @append ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  %before = tile.launch @sum ins(%s, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  // expected-remark @+1 {{@append and @sum: no append: a launch between the two accesses the appended tensor}}
  %0 = tile.launch @sum ins(%a, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  %b = tile.launch @append ins(%x1, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append and @sum: no append: a launch has tile.keep}}
  %1 = tile.launch @sum ins(%b, %at) outs(%e) {tile.keep} : (!C, tensor<?xi32>, !X) -> !X
  return
}

// An arbitrary number of rows: a sequence may have several.
func.func @several(%x: !X, %at: tensor<?xi32>, %s: !C) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %at, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : !X
  %a = tile.launch @append ins(%x, %at) outs(%s) : (!X, tensor<?xi32>, !C) -> !C
  // expected-remark @+1 {{@append and @sum: no append: @append is not known to have one block along axis 0 of its grid}}
  %0 = tile.launch @sum ins(%a, %at) outs(%e) : (!C, tensor<?xi32>, !X) -> !X
  return
}
