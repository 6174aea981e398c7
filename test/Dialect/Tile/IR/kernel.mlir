// RUN: tilegpt-opt %s | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --mlir-print-op-generic | tilegpt-opt | FileCheck %s
// RUN: tilegpt-opt %s --emit-bytecode | tilegpt-opt | FileCheck %s

// CHECK: tile.kernel @smallest()
// CHECK-NEXT: grid [1] {
// CHECK-NEXT: }
tile.kernel @smallest() grid [1] {}

// CHECK: tile.kernel @everything(%[[X:.*]]: !tile.view<?x?x!tile.elt<X>>, %[[N:.*]]: index, %[[E:.*]]: f32) outs(%[[Y:.*]]: !tile.view<?x?xf32>, %[[Z:.*]]: !tile.view<?xi32>)
// CHECK-NEXT: implements(gpt.linear {activation = "gelu"})
// CHECK-NEXT: where(dim(%[[X]], 0) <= 16, %[[N]] >= 1, dim(%[[Y]], 1) == dim(%[[X]], 1))
// CHECK-NEXT: params {BM = 64 in [16, 64, 128], K = dim(%[[X]], 1), W: type = f32, X: type = bf16 in [f32, f16]}
// CHECK-NEXT: grid [ceildiv(dim(%[[Y]], 0), BM), %[[N]], 4] attributes {hint = "big"} {
tile.kernel @everything(%x: !tile.view<?x?x!tile.elt<X>>, %n: index, %eps: f32)
    outs(%y: !tile.view<?x?xf32>, %z: !tile.view<?xi32>)
    implements(gpt.linear {activation = "gelu"})
    where(dim(%x, 0) <= 16, %n >= 1, dim(%y, 1) == dim(%x, 1))
    params {BM = 64 in [16, 64, 128], K = dim(%x, 1), W: type = f32, X: type = bf16 in [f32, f16]}
    grid [ceildiv(dim(%y, 0), BM), %n, 4] attributes {hint = "big"} {
  // CHECK-NEXT: tile.param BM
  %0 = tile.param BM
  // CHECK-NEXT: tile.block_id 2
  %1 = tile.block_id 2
  // CHECK-NEXT: tile.num_blocks 0
  %2 = tile.num_blocks 0
  // CHECK-NEXT: }
  tile.return
}

// CHECK-LABEL: @requires(
// CHECK-SAME: %[[A:.*]]: !tile.view<?x?xf32>, %[[B:.*]]: !tile.view<?x?xf32>, %[[N:.*]]: i32)
// CHECK-NEXT: where(dim(%[[A]], 0) <= 4)
// CHECK-NEXT: requires(dim(%[[A]], 0) == dim(%[[B]], 0), dim(%[[B]], 1) >= BM * 2, %[[N]] < 3)
// CHECK-NEXT: params {BM = 4}
// CHECK-NEXT: grid [1] {
tile.kernel @requires(%a: !tile.view<?x?xf32>, %b: !tile.view<?x?xf32>, %n: i32)
    where(dim(%a, 0) <= 4)
    requires(dim(%a, 0) == dim(%b, 0), dim(%b, 1) >= 2 * BM, %n < 3)
    params {BM = 4} grid [1] {}

// A relation of each kind, and names that are not identifiers.
// CHECK: tile.kernel @"odd name"
// CHECK-NEXT: implements("my op")
// CHECK-NEXT: where("B M" < 1, "B M" > 2)
// CHECK-NEXT: params {"B M" = 3 in [4]}
// CHECK: tile.param "B M"
tile.kernel @"odd name"() implements("my op") where("B M" < 1, "B M" > 2) params {"B M" = 3 in [4]} grid [1] {
  %0 = tile.param "B M"
}

// CHECK-LABEL: @arithmetic
// CHECK: grid [dim(%{{.*}}, 0) + 3, (BM + BN) * 2, ceildiv(floordiv(BM, 2), mod(BN, 3))]
tile.kernel @arithmetic(%x: !tile.view<?xf32>) params {BM = 4, BN = 8}
    grid [1 + dim(%x, 0) + 2, 2 * (BM + BN), ceildiv(floordiv(BM, 2), mod(BN, 3))] {}

// CHECK-LABEL: @differences
// CHECK: grid [dim(%{{.*}}, 0) - BM, dim(%{{.*}}, 0) - 1, (BM - dim(%{{.*}}, 0)) * 3]
tile.kernel @differences(%x: !tile.view<?xf32>) params {BM = 4} grid [dim(%x, 0) - BM, dim(%x, 0) - 1, 3 * (BM - dim(%x, 0))] {}

// CHECK-LABEL: @raw(
// CHECK-SAME: %{{.*}}: !tile.ptr<bf16>, %{{.*}}: i32)
// CHECK-NEXT: params {BM = 4}
// CHECK-NEXT: grid launch {
// CHECK-NEXT: tile.block_id 2
tile.kernel @raw(%p: !tile.ptr<bf16>, %n: i32) params {BM = 4} grid launch {
  %0 = tile.block_id 2
}

// A type may be derived from another.
// CHECK-LABEL: @follows(
// CHECK-NEXT: params {X: type = f32 in [bf16], Y: type = !tile.elt<X> in [f16]}
tile.kernel @follows(%x: !tile.view<?x!tile.elt<X>>) outs(%y: !tile.view<?x!tile.elt<Y>>)
    params {X: type = f32 in [bf16], Y: type = !tile.elt<X> in [f16]} grid [1] {}
