// Illegal fusions, and why: near misses of each rule.
// RUN: tilegpt-opt %s --tile-fuse-launches=mode=list --verify-diagnostics -o /dev/null

!V = !tile.view<?x?xf32>
!T = tensor<?x?xf32>
tile.kernel @double(%x: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !V -> !T
  %r = arith.addf %t, %t : !T
  tile.store %r, %y[%m, %n] : !T, !V
}
tile.kernel @exchange(%x: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] attributes {tile.collective = "all_reduce"} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !V -> !T
  tile.store %t, %y[%m, %n] : !T, !V
}
tile.kernel @masked(%x: !V, %keep: !tile.view<?x?xi1>) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %k = tile.load %keep[%m, %n] [BM, BN] : !tile.view<?x?xi1> -> tensor<?x?xi1>
  %t = tile.load %x[%m, %n] [BM, BN] mask(%k : tensor<?x?xi1>) : !V -> !T
  tile.store %t, %y[%m, %n] : !T, !V
}
tile.kernel @stores_masked(%x: !V, %keep: !tile.view<?x?xi1>) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %k = tile.load %keep[%m, %n] [BM, BN] : !tile.view<?x?xi1> -> tensor<?x?xi1>
  %t = tile.load %x[%m, %n] [BM, BN] : !V -> !T
  tile.store %t, %y[%m, %n] mask(%k : tensor<?x?xi1>) : !T, !V
}
tile.kernel @turn(%x: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%n, %m] [BM, BN] order [1, 0] : !V -> !T
  tile.store %t, %y[%m, %n] : !T, !V
}
tile.kernel @next(%x: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c1 = arith.constant 1 : index
  %m1 = arith.addi %m, %c1 : index
  %t = tile.load %x[%m1, %n] [BM, BN] : !V -> !T
  tile.store %t, %y[%m, %n] : !T, !V
}
tile.kernel @positions(%x: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %i = arith.index_cast %m : index to i32
  %f = arith.sitofp %i : i32 to f32
  %s = tile.splat %f [BM, BN] : f32 -> !T
  %t = tile.load %x[%m, %n] [BM, BN] : !V -> !T
  %r = arith.addf %t, %s : !T
  tile.store %r, %y[%m, %n] : !T, !V
}
tile.kernel @sum(%x: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], C = dim(%x, 1)}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [BM, C] : !V -> !T
  %s = tile.reduce add %t axis 1 keepdims : !T -> tensor<?x1xf32>
  %b = tile.broadcast %s [BM, C] : tensor<?x1xf32> -> !T
  tile.store %b, %y[%m, %c0] : !T, !V
}
tile.kernel @part_sum(%x: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !V -> !T
  %s = tile.reduce add %t axis 1 keepdims : !T -> tensor<?x1xf32>
  %b = tile.broadcast %s [BM, BN] : tensor<?x1xf32> -> !T
  tile.store %b, %y[%m, %n] : !T, !V
}
tile.kernel @checked(%x: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !V -> !T
  %true = arith.constant true
  tile.assert %true, "never" : i1
  tile.store %t, %y[%m, %n] : !T, !V
}
tile.kernel @repeat(%x: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN), 2] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !V -> !T
  tile.store %t, %y[%m, %n] : !T, !V
}
tile.kernel @twice(%x: !V, %z: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !V -> !T
  %u = tile.load %z[%m, %n] [BM, BN] : !V -> !T
  %r = arith.addf %t, %u : !T
  tile.store %r, %y[%m, %n] : !T, !V
}
tile.kernel @half(%x: !V) outs(%y: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]}
    grid [floordiv(dim(%y, 0), 2), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !V -> !T
  tile.store %t, %y[%m, %n] : !T, !V
}

func.func @loads_and_stores(%x: !T, %keep: tensor<?x?xi1>, %e: !T) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : !T
  %n = tensor.dim %x, %c1 : !T
  %new = tensor.empty(%m, %n) : !T
  %a = tile.launch @double ins(%x) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{@double and @masked: @masked loads it with a mask}}
  %0 = tile.launch @masked ins(%a, %keep) outs(%new) : (!T, tensor<?x?xi1>, !T) -> !T
  %b = tile.launch @double ins(%x) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{@double and @turn: @turn loads it with a permuted axis order}}
  %1 = tile.launch @turn ins(%b) outs(%new) : (!T, !T) -> !T
  %c = tile.launch @double ins(%x) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{@next loads it at an index that is neither 0 nor a block id}}
  %2 = tile.launch @next ins(%c) outs(%new) : (!T, !T) -> !T
  %d = tile.launch @next ins(%x) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{no epilogue: @positions computes on its block id 0; no prologue: @next combines tiles of it with tiles from elsewhere}}
  %3 = tile.launch @positions ins(%d) outs(%new) : (!T, !T) -> !T
  %f = tile.launch @double ins(%x) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{no epilogue: @part_sum reduces or reorders axis 1, of which a tile of @double has a part; no prologue: @part_sum combines elements along axis 1, of which it loads a part}}
  %4 = tile.launch @part_sum ins(%f) outs(%new) : (!T, !T) -> !T
  %g = tile.launch @checked ins(%x) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{@checked and @checked: @checked asserts a property of its tiles}}
  %5 = tile.launch @checked ins(%g) outs(%new) : (!T, !T) -> !T
  %h = tile.launch @repeat ins(%x) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{no epilogue: @repeat stores it from several blocks; no prologue: @repeat has an axis of its grid, 2, that numbers no tiles of it}}
  %6 = tile.launch @double ins(%h) outs(%new) : (!T, !T) -> !T
  %i = tile.launch @double ins(%x) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{the consumer uses the tensor twice}}
  %7 = tile.launch @twice ins(%i, %i) outs(%new) : (!T, !T, !T) -> !T
  %j = tile.launch @half ins(%x) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{no epilogue: @half is not known to store all of axis 0 of it; no prologue: @half does not cover axis 0 of it with its grid}}
  %8 = tile.launch @double ins(%j) outs(%new) : (!T, !T) -> !T
  %k = tile.launch @stores_masked ins(%x, %keep) outs(%new) : (!T, tensor<?x?xi1>, !T) -> !T
  // expected-remark @+1 {{@stores_masked and @double: @stores_masked stores it with a mask}}
  %9 = tile.launch @double ins(%k) outs(%new) : (!T, !T) -> !T
  return
}

// Sizes that are not known to be equal.
func.func @sizes(%x: !T, %e: !T) -> (!T, !T) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : !T
  %n = tensor.dim %x, %c1 : !T
  %o = tensor.dim %e, %c1 : !T
  %new = tensor.empty(%m, %n) : !T
  %other = tensor.empty(%m, %o) : !T
  %a = tile.launch @double ins(%x) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{no epilogue: @double does not cover axis 1 of it with its grid; no prologue: the tensor has other uses, and @double does not load all of it}}
  %0 = tile.launch @double ins(%a) outs(%other) : (!T, !T) -> !T
  return %a, %0 : !T, !T
}

func.func @memory(%x: !T, %state: !T, %late: !T {tile.transient}) -> (!T, !T) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : !T
  %n = tensor.dim %x, %c1 : !T
  %new = tensor.empty(%m, %n) : !T
  %a = tile.launch @double ins(%x) outs(%state) : (!T, !T) -> !T
  // expected-remark @+1 {{the producer updates the tensor in place}}
  %0 = tile.launch @double ins(%a) outs(%new) : (!T, !T) -> !T
  %b = tile.launch @double ins(%x) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{the consumer updates the tensor in place}}
  %1 = tile.launch @double ins(%x) outs(%b) : (!T, !T) -> !T
  %c = tile.launch @double ins(%late) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{epilogue, saves}}
  %2 = tile.launch @double ins(%c) outs(%new) : (!T, !T) -> !T
  %d = tile.launch @double ins(%x) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{a launch has tile.keep}}
  %3 = tile.launch @double ins(%d) outs(%new) {tile.keep} : (!T, !T) -> !T
  return %2, %3 : !T, !T
}

func.func @order(%x: !T, %state: !T) -> (!T, !T, !T) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : !T
  %n = tensor.dim %x, %c1 : !T
  %new = tensor.empty(%m, %n) : !T
  %a = tile.launch @double ins(%x) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{no epilogue: @sum also uses its tile size C for something else; no prologue: the tensor has other uses, and @sum does not load all of it}}
  %s = tile.launch @sum ins(%a) outs(%state) : (!T, !T) -> !T
  // expected-remark @+2 {{something between the two reads what the producer writes}}
  // expected-remark @+1 {{the producer updates the tensor in place}}
  %t = tile.launch @twice ins(%a, %s) outs(%new) : (!T, !T, !T) -> !T
  %p = tile.launch @double ins(%state) outs(%new) : (!T, !T) -> !T
  %q = tile.launch @double ins(%x) outs(%state) : (!T, !T) -> !T
  // expected-remark @+1 {{a launch between the two updates what the producer reads}}
  %r = tile.launch @double ins(%p) outs(%new) : (!T, !T) -> !T
  %u = tile.launch @double ins(%state) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{one of the two updates a tensor in place that the other reads}}
  %v = tile.launch @double ins(%u) outs(%state) : (!T, !T) -> !T
  return %t, %r, %v : !T, !T, !T
}

// Ranks exchange whole tensors.
func.func @ranks(%x: !T) -> !T {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : !T
  %n = tensor.dim %x, %c1 : !T
  %new = tensor.empty(%m, %n) : !T
  %a = tile.launch @double ins(%x) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{@exchange is a collective}}
  %b = tile.launch @exchange ins(%a) outs(%new) : (!T, !T) -> !T
  // expected-remark @+1 {{@exchange is a collective}}
  %c = tile.launch @double ins(%b) outs(%new) : (!T, !T) -> !T
  return %c : !T
}
