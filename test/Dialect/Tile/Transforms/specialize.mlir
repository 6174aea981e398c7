// RUN: tilegpt-opt %s --tile-specialize | FileCheck %s

!X = !tile.view<?x?x!tile.elt<X>>
tile.kernel @scale(%x: !X, %f: f32) outs(%y: !X)
    params {BM = 4 in [1, 2, 4], C = dim(%x, 1), X: type = f32 in [f32, bf16]}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %ft = tile.splat %f [BM, C] : f32 -> tensor<?x?xf32>
  %bm = tile.param BM
  %r = scf.for %i = %c0 to %bm step %c1 iter_args(%a = %xf) -> (tensor<?x?xf32>) {
    %n = arith.mulf %a, %ft : tensor<?x?xf32>
    scf.yield %n : tensor<?x?xf32>
  }
  %o = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %o, %y[%m, %c0] : tensor<?x?x!tile.elt<X>>, !X
}

// Equal signatures share an instance, in the order of their first launch, unless they are kept apart or request other
// plans; the template is erased.
// CHECK-NOT: tile.kernel @scale(
// CHECK-LABEL: tile.kernel @scale_3(
// CHECK-NEXT: params {BM = 2, C = 64}
// CHECK-NEXT: grid [4] attributes {tile.wanted_plan = {stages = 4 : i64}}
// CHECK-LABEL: tile.kernel @scale_2(
// CHECK-SAME: !tile.view<8x64xbf16>
// CHECK-NEXT: params {BM = 2, C = 64}
// CHECK-LABEL: tile.kernel @scale_1(
// CHECK-SAME: !tile.view<8x64xbf16>
// CHECK-NEXT: params {BM = 2, C = 64}
// CHECK-NEXT: grid [4]
// CHECK-LABEL: tile.kernel @scale_0(
// CHECK-SAME: !tile.view<?x48xf32>
// CHECK-NEXT: params {BM = 4, C = 48}
// CHECK-NEXT: grid [ceildiv(dim(%{{.*}}, 0), 4)]
// CHECK: tile.load {{.*}} [4, 48] : !tile.view<?x48xf32> -> tensor<4x48xf32>
// CHECK: arith.constant 4 : index
// CHECK: scf.for {{.*}} -> (tensor<4x48xf32>)
// CHECK: arith.mulf {{.*}} : tensor<4x48xf32>

// CHECK-LABEL: func.func @graph
func.func @graph(%a: tensor<?x48xf32>, %b: tensor<8x64xbf16>, %f: f32) -> (tensor<?x48xf32>, tensor<8x64xbf16>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x48xf32>
  %e = tensor.empty(%n) : tensor<?x48xf32>
  // CHECK: tile.launch @scale_0
  %0 = tile.launch @scale ins(%a, %f) outs(%e) : (tensor<?x48xf32>, f32, tensor<?x48xf32>) -> tensor<?x48xf32>
  // CHECK: tile.launch @scale_0
  %1 = tile.launch @scale ins(%0, %f) outs(%e) : (tensor<?x48xf32>, f32, tensor<?x48xf32>) -> tensor<?x48xf32>
  %g = tensor.empty() : tensor<8x64xbf16>
  // CHECK: tile.launch @scale_1
  // CHECK-NOT: params
  %2 = tile.launch @scale ins(%b, %f) outs(%g) params {BM = 2} : (tensor<8x64xbf16>, f32, tensor<8x64xbf16>) -> tensor<8x64xbf16>
  // CHECK: tile.launch @scale_2
  %3 = tile.launch @scale ins(%2, %f) outs(%g) params {BM = 2} {tile.apart = 3} : (tensor<8x64xbf16>, f32, tensor<8x64xbf16>) -> tensor<8x64xbf16>
  // CHECK: tile.launch @scale_3
  // CHECK-NOT: wanted_plan
  %4 = tile.launch @scale ins(%3, %f) outs(%g) params {BM = 2} {tile.wanted_plan = {stages = 4}} : (tensor<8x64xbf16>, f32, tensor<8x64xbf16>) -> tensor<8x64xbf16>
  return %1, %4 : tensor<?x48xf32>, tensor<8x64xbf16>
}
