// RUN: tilegpt-opt %s --tile-link-library --tile-fuse-launches --canonicalize --cse | FileCheck %s
// RUN: tilegpt-opt %s --tile-link-library --tile-fuse-launches=exact --canonicalize --cse | FileCheck %s --check-prefix=EXACT
// RUN: tilegpt-opt %s --tile-link-library --tile-fuse-launches=mode=off | FileCheck %s --check-prefix=OFF
// RUN: tilegpt-opt %s --tile-link-library --tile-fuse-launches=mode=list 2>&1 >/dev/null | FileCheck %s --check-prefix=LIST
// RUN: not tilegpt-opt %s --tile-fuse-launches=mode=some 2>&1 | FileCheck %s --check-prefix=MODE

// LIST: remark: @linear and @square: epilogue, saves 0.23 us
// LIST: remark: @add and @layer_norm: prologue, saves 0.23 us
// MODE: error: tile-fuse-launches: expected mode to be off, list or all, found 'some'
// OFF-NOT: @linear.square

!X = !tile.view<?x?x!tile.elt<X>>

// One row at a time; fused, in the tiles of its producer.
tile.kernel @square(%x: !X) outs(%y: !X)
    params {BN = 64 in [32, 64], X: type = f32 in [f32, bf16]}
    grid [dim(%y, 0), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [1, BN] : !X -> tensor<1x?x!tile.elt<X>>
  %f = tile.cast %t : tensor<1x?x!tile.elt<X>> to tensor<1x?xf32>
  %r = arith.mulf %f, %f : tensor<1x?xf32>
  %o = tile.cast %r : tensor<1x?xf32> to tensor<1x?x!tile.elt<X>>
  tile.store %o, %y[%m, %n] : tensor<1x?x!tile.elt<X>>, !X
}

// An epilogue: the product's kernel, with the square before its store and without the tensor in between.
// CHECK: tile.kernel @linear.square(%[[X:.*]]: !tile.view<?x?x!tile.elt<X>>, %[[W:.*]]: !tile.view<?x?x!tile.elt<W>>, %[[B:.*]]: !tile.view<?xf32>) outs(%[[Y:.*]]: !tile.view<?x?x!tile.elt<Y>>)
// CHECK-NEXT: requires(dim(%[[X]], 0) == dim(%[[Y]], 0), dim(%[[X]], 1) == dim(%[[W]], 1), dim(%[[W]], 0) == dim(%[[Y]], 1))
// CHECK-NEXT: params {BM = 128 in [{{.*}}], BN = 96 in [{{.*}}], BK = 256 in [{{.*}}], X: type = {{.*}}, Y: type = !tile.elt<X> {{.*}}, W: type = {{[^}]*}}}
// CHECK-NEXT: grid [ceildiv(dim(%[[Y]], 0), BM), ceildiv(dim(%[[Y]], 1), BN)]
// CHECK: %[[H:.*]] = arith.addf %{{.*}}, %{{.*}} : tensor<?x?xf32>
// CHECK-NEXT: %[[R:.*]] = arith.mulf %[[H]], %[[H]] : tensor<?x?xf32>
// CHECK-NEXT: %[[O:.*]] = tile.cast %[[R]] : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
// CHECK-NEXT: tile.store %[[O]], %[[Y]]
// CHECK-NEXT: }

// The rounding in between can be kept.
// EXACT: tile.kernel @linear.square
// EXACT: %[[H:.*]] = arith.addf %{{.*}}, %{{.*}} : tensor<?x?xf32>
// EXACT-NEXT: %[[T:.*]] = tile.cast %[[H]] : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
// EXACT-NEXT: %[[F:.*]] = tile.cast %[[T]] : tensor<?x?x!tile.elt<Y>> to tensor<?x?xf32>
// EXACT-NEXT: arith.mulf %[[F]], %[[F]]

// CHECK-LABEL: func.func @linear_square(
// CHECK-SAME: %[[X:.*]]: tensor<?x64xf32>, %[[W:.*]]: tensor<128x64xf32>, %[[B:.*]]: tensor<128xf32>
func.func @linear_square(%x: tensor<?x64xf32>, %w: tensor<128x64xf32>, %b: tensor<128xf32>) -> tensor<?x128xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%n) : tensor<?x128xf32>
  %y = tile.launch @linear ins(%x, %w, %b) outs(%e) params {BM = 64} {tile.label = "fc"}
      : (tensor<?x64xf32>, tensor<128x64xf32>, tensor<128xf32>, tensor<?x128xf32>) -> tensor<?x128xf32>
  // CHECK: %[[R:.*]] = tile.launch @linear.square ins(%[[X]], %[[W]], %[[B]]) outs(%{{.*}}) params {BM = 64 : i64} {tile.label = "fc+square"}
  %z = tile.launch @square ins(%y) outs(%e) {tile.label = "square"} : (tensor<?x128xf32>, tensor<?x128xf32>) -> tensor<?x128xf32>
  // CHECK-NEXT: return %[[R]]
  return %z : tensor<?x128xf32>
}

// Equal bodies are one kernel.
// CHECK-LABEL: func.func @again(
func.func @again(%x: tensor<8x32xbf16>, %w: tensor<16x32xbf16>, %b: tensor<16xf32>) -> tensor<8x16xbf16> {
  %e = tensor.empty() : tensor<8x16xbf16>
  %y = tile.launch @linear ins(%x, %w, %b) outs(%e) : (tensor<8x32xbf16>, tensor<16x32xbf16>, tensor<16xf32>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
  // CHECK: tile.launch @linear.square ins
  %z = tile.launch @square ins(%y) outs(%e) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
  return %z : tensor<8x16xbf16>
}

// A prologue, whose tensor is still stored: the sum has other readers. The norm calls its type X and the addition Y,
// whose other types are renamed.
// CHECK: tile.kernel @add.layer_norm({{.*}}: !tile.view<?x?x!tile.elt<X2>>, {{.*}}: !tile.view<?x?x!tile.elt<B>>) outs(%[[NORM:.*]]: !tile.view<?x?x!tile.elt<Y>>, %[[SUM:.*]]: !tile.view<?x?x!tile.elt<X>>)
// CHECK-NEXT: requires(dim(%{{.*}}, 0) == dim(%[[NORM]], 1), {{.*}}, dim(%{{.*}}, 1) == dim(%[[SUM]], 1))
// CHECK-NEXT: params {{.*}} X: type = f32 in [f32, bf16, f16], Y: type = !tile.elt<X> in [f32, bf16, f16], X2: type = f32 in [f32, bf16, f16], B: type = !tile.elt<X2> in [f32, bf16, f16]}
// CHECK: %[[S:.*]] = arith.addf
// CHECK: tile.cast %[[S]]
// CHECK: tile.store %{{.*}}, %[[SUM]][%{{.*}}, %c0]
// CHECK: tile.reduce add %[[S]] axis 1
// CHECK: tile.store %{{.*}}, %[[NORM]][%{{.*}}, %c0]

// CHECK-LABEL: func.func @sum_and_norm(
func.func @sum_and_norm(%x: tensor<?x64xf32>, %r: tensor<?x64xf32>, %g: tensor<64xf32>, %b: tensor<64xf32>) -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  %eps = arith.constant 1.0e-5 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  // CHECK-NOT: tile.launch @add ins
  %s = tile.launch @add ins(%x, %r) outs(%e) : (tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  // CHECK: %[[BOTH:.*]]:2 = tile.launch @add.layer_norm
  %y = tile.launch @layer_norm ins(%s, %g, %b, %eps) outs(%e)
      : (tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>, f32, tensor<?x64xf32>) -> tensor<?x64xf32>
  // CHECK: return %[[BOTH]]#1, %[[BOTH]]#0
  return %s, %y : tensor<?x64xf32>, tensor<?x64xf32>
}

// A norm before a product of one row, recomputed by every block: not with many blocks.
// CHECK-LABEL: func.func @norm_in_front(
func.func @norm_in_front(%x: tensor<1x64xf32>, %g: tensor<64xf32>, %b: tensor<64xf32>, %w: tensor<16x64xf32>, %v: tensor<50000x64xf32>, %c: tensor<16xf32>, %d: tensor<50000xf32>)
    -> (tensor<1x16xf32>, tensor<1x50000xf32>) {
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<1x64xf32>
  %p = tensor.empty() : tensor<1x16xf32>
  %q = tensor.empty() : tensor<1x50000xf32>
  %m = tile.launch @layer_norm ins(%x, %g, %b, %eps) outs(%e) : (tensor<1x64xf32>, tensor<64xf32>, tensor<64xf32>, f32, tensor<1x64xf32>) -> tensor<1x64xf32>
  // CHECK: tile.launch @layer_norm.linear_decode
  %y = tile.launch @linear_decode ins(%m, %w, %c) outs(%p) : (tensor<1x64xf32>, tensor<16x64xf32>, tensor<16xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
  %n = tile.launch @layer_norm ins(%y, %c, %c, %eps) outs(%p) : (tensor<1x16xf32>, tensor<16xf32>, tensor<16xf32>, f32, tensor<1x16xf32>) -> tensor<1x16xf32>
  %o = tile.launch @layer_norm ins(%x, %b, %g, %eps) outs(%e) : (tensor<1x64xf32>, tensor<64xf32>, tensor<64xf32>, f32, tensor<1x64xf32>) -> tensor<1x64xf32>
  // CHECK: tile.launch @linear_decode
  %z = tile.launch @linear_decode ins(%o, %v, %d) outs(%q) : (tensor<1x64xf32>, tensor<50000x64xf32>, tensor<50000xf32>, tensor<1x50000xf32>) -> tensor<1x50000xf32>
  return %n, %z : tensor<1x16xf32>, tensor<1x50000xf32>
}
