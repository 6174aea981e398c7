// A product whose result is read in halves, gates and gated values: a block computes a tile of each.
// RUN: tilegpt-opt %s --tile-link-library --tile-bind-operands --tile-fuse-launches --canonicalize --cse | FileCheck %s
// RUN: tilegpt-opt %s --tile-link-library --tile-bind-operands --tile-fuse-launches=mode=list -verify-diagnostics -o /dev/null

// An operand of both products is loaded once; the loop carries both accumulators.
// CHECK: tile.kernel @linear2.silu_glu(%[[X:.*]]: !tile.view<?x?x!tile.elt<X>>, %[[W:.*]]: !tile.view<?x?x!tile.elt<W>>) outs(%[[Y:.*]]: !tile.view<?x?x!tile.elt<Y>>)
// CHECK: grid [ceildiv(dim(%[[Y]], 0), BM), ceildiv(dim(%[[Y]], 1), BN)]
// CHECK: %[[F:.*]] = tile.dim %[[Y]], 1
// CHECK: %[[W1:.*]] = tile.subview %[[W]] [0, 0] [%[[F]], %{{.*}}]
// CHECK: %[[W2:.*]] = tile.subview %[[W]] [%[[F]], 0] [%[[F]], %{{.*}}]
// CHECK: %[[SUMS:.*]]:2 = scf.for %{{.*}} iter_args(%[[A:.*]] = %[[INIT:.*]], %[[B:.*]] = %[[INIT]])
// CHECK-COUNT-1: tile.load %[[X]]
// CHECK-NOT: tile.load %[[X]]
// CHECK: %[[G:.*]] = tile.load %[[W1]]
// CHECK: %[[U:.*]] = tile.load %[[W2]]
// CHECK: %[[NA:.*]] = tile.dot %{{.*}}, %[[G]], %[[A]]
// CHECK: %[[NB:.*]] = tile.dot %{{.*}}, %[[U]], %[[B]]
// CHECK: scf.yield %[[NA]], %[[NB]]
// CHECK: math.exp2
// CHECK: %[[R:.*]] = arith.mulf %{{.*}}, %[[SUMS]]#1
// CHECK: %[[O:.*]] = tile.cast %[[R]]
// CHECK: tile.store %[[O]], %[[Y]]
// CHECK-NOT: tile.store

// CHECK-LABEL: func.func @gated(
func.func @gated(%x: tensor<?x64xf32>, %w: tensor<96x64xf32>, %none: tensor<0xf32>) -> tensor<?x48xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%n) : tensor<?x96xf32>
  %o = tensor.empty(%n) : tensor<?x48xf32>
  %b = tile.launch @linear ins(%x, %w, %none) outs(%e) {tile.label = "gate"} : (tensor<?x64xf32>, tensor<96x64xf32>, tensor<0xf32>, tensor<?x96xf32>) -> tensor<?x96xf32>
  // CHECK: tile.launch @linear2.silu_glu ins(%{{.*}}, %{{.*}}) outs(%{{.*}}) {tile.label = "gate+glu"}
  // CHECK-NOT: tile.launch
  // expected-remark @+1 {{@linear2 and @silu_glu: epilogue of windows, saves 0.23 us}}
  %y = tile.launch @silu_glu ins(%b) outs(%o) {tile.label = "glu"} : (tensor<?x96xf32>, tensor<?x48xf32>) -> tensor<?x48xf32>
  return %y : tensor<?x48xf32>
}

// A bias has two windows, too.
// CHECK-LABEL: func.func @biased(
func.func @biased(%x: tensor<8x64xf32>, %w: tensor<96x64xf32>, %v: tensor<96xf32>) -> tensor<8x48xf32> {
  %e = tensor.empty() : tensor<8x96xf32>
  %o = tensor.empty() : tensor<8x48xf32>
  %b = tile.launch @linear ins(%x, %w, %v) outs(%e) : (tensor<8x64xf32>, tensor<96x64xf32>, tensor<96xf32>, tensor<8x96xf32>) -> tensor<8x96xf32>
  // CHECK: tile.launch @linear.gelu_glu
  // expected-remark @+1 {{@linear and @gelu_glu: epilogue of windows, saves}}
  %y = tile.launch @gelu_glu ins(%b) outs(%o) : (tensor<8x96xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
  return %y : tensor<8x48xf32>
}

// CHECK-LABEL: func.func @refused(
func.func @refused(%x: tensor<8x64xf32>, %w: tensor<96x64xf32>, %none: tensor<0xf32>, %short: tensor<95xf32>, %wide: tensor<8x96xf32>, %g: tensor<96xf32>, %eps: f32)
    -> (tensor<8x48xf32>, tensor<8x48xf32>, tensor<8x48xf32>, tensor<8x96xf32>, tensor<8x40xf32>) {
  %e = tensor.empty() : tensor<8x96xf32>
  %o = tensor.empty() : tensor<8x48xf32>
  // A bias with another length than the rows has other halves.
  %a = tile.launch @linear ins(%x, %w, %short) outs(%e) : (tensor<8x64xf32>, tensor<96x64xf32>, tensor<95xf32>, tensor<8x96xf32>) -> tensor<8x96xf32>
  // CHECK: tile.launch @linear ins
  // CHECK: tile.launch @silu_glu
  // expected-remark @+1 {{no epilogue of windows: @linear loads something along axis 1 of it that has no two windows}}
  %0 = tile.launch @silu_glu ins(%a) outs(%o) : (tensor<8x96xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
  %b = tile.launch @rms_norm ins(%wide, %g, %eps, %eps) outs(%e) : (tensor<8x96xf32>, tensor<96xf32>, f32, f32, tensor<8x96xf32>) -> tensor<8x96xf32>
  // expected-remark @+1 {{no epilogue of windows: @rms_norm is no product}}
  %1 = tile.launch @silu_glu ins(%b) outs(%o) : (tensor<8x96xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
  %c = tile.launch @linear ins(%x, %w, %none) outs(%e) : (tensor<8x64xf32>, tensor<96x64xf32>, tensor<0xf32>, tensor<8x96xf32>) -> tensor<8x96xf32>
  // expected-remark @+1 {{no epilogue of windows: the tensor has other uses}}
  %2 = tile.launch @silu_glu ins(%c) outs(%o) : (tensor<8x96xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
  %d = tile.launch @linear ins(%x, %w, %none) outs(%e) : (tensor<8x64xf32>, tensor<96x64xf32>, tensor<0xf32>, tensor<8x96xf32>) -> tensor<8x96xf32>
  %p = tensor.empty() : tensor<8x40xf32>
  // The windows of this launch are smaller than its halves: they start where the first one ends all the same.
  // expected-remark @+1 {{@linear2 and @silu_glu: epilogue of windows, saves}}
  %3 = tile.launch @silu_glu ins(%d) outs(%p) : (tensor<8x96xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
  return %0, %1, %2, %c, %3 : tensor<8x48xf32>, tensor<8x48xf32>, tensor<8x48xf32>, tensor<8x96xf32>, tensor<8x40xf32>
}

// Several tensors between two launches, in the same tiles: none of them is stored.
!V = !tile.view<?x?xf32>
!T = tensor<?x?xf32>
tile.kernel @both(%x: !V) outs(%a: !V, %b: !V)
    params {BM = 4 in [1, 4], BN = 64 in [32, 64]} grid [ceildiv(dim(%a, 0), BM), ceildiv(dim(%a, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !V -> !T
  tile.store %t, %a[%m, %n] : !T, !V
  %s = arith.mulf %t, %t : !T
  tile.store %s, %b[%m, %n] : !T, !V
}
tile.kernel @difference(%a: !V, %b: !V) outs(%y: !V)
    params {R = 2 in [1, 2], C = 32 in [32]} grid [ceildiv(dim(%y, 0), R), ceildiv(dim(%y, 1), C)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %s = tile.load %a[%m, %n] [R, C] : !V -> !T
  %t = tile.load %b[%m, %n] [R, C] : !V -> !T
  %d = arith.subf %s, %t : !T
  tile.store %d, %y[%m, %n] : !T, !V
}
tile.kernel @first_columns(%a: !V, %b: !V) outs(%y: !V)
    params {R = 2 in [1, 2], C = 32 in [32]} grid [ceildiv(dim(%y, 0), R), ceildiv(dim(%y, 1), C)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %s = tile.load %a[%m, %n] [R, C] : !V -> !T
  %t = tile.load %b[%m, %c0] [R, 1] : !V -> tensor<?x1xf32>
  %u = tile.broadcast %t [R, C] : tensor<?x1xf32> -> !T
  %d = arith.subf %s, %u : !T
  tile.store %d, %y[%m, %n] : !T, !V
}
// CHECK: tile.kernel @both.difference(%[[X:.*]]: {{.*}}) outs(%[[Y:.*]]: !tile.view<?x?xf32>)
// CHECK: %[[T:.*]] = tile.load %[[X]]
// CHECK: %[[S:.*]] = arith.mulf %[[T]], %[[T]]
// CHECK: %[[D:.*]] = arith.subf %[[T]], %[[S]]
// CHECK: tile.store %[[D]], %[[Y]]
// CHECK-NOT: tile.store
// CHECK-LABEL: func.func @several(
func.func @several(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %e = tensor.empty() : tensor<8x64xf32>
  %f:2 = tile.launch @both ins(%x) outs(%e, %e) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>)
  // CHECK: tile.launch @both.difference
  // expected-remark @+1 {{@both and @difference: epilogue, saves}}
  %y = tile.launch @difference ins(%f#0, %f#1) outs(%e) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %g:2 = tile.launch @both ins(%x) outs(%e, %e) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>)
  // CHECK: tile.launch @both ins
  // CHECK: tile.launch @first_columns
  // expected-remark @+2 {{@both and @first_columns: no epilogue: @first_columns has an axis of its grid, 1, that numbers no tiles of it; no prologue}}
  // expected-remark @+1 {{@both and @first_columns: no epilogue: the consumer also uses another result of the producer, with different tiles; no prologue: the consumer also uses another result of the producer}}
  %z = tile.launch @first_columns ins(%g#0, %g#1) outs(%e) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y, %z : tensor<8x64xf32>, tensor<8x64xf32>
}
