// Parameters get one value; sizes of the data become sizes of the views, and of derived types.
// RUN: tilegpt-opt %s --tile-bind-parameters=bind=BM=3,C=96,X=bf16 | FileCheck %s
// RUN: not tilegpt-opt %s --tile-bind-parameters=bind=N=3 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tilegpt-opt %s --tile-bind-parameters=bind=BM=0 2>&1 | FileCheck %s --check-prefix=VALUE

// CHECK: tile.kernel @rows(%{{.*}}: !tile.view<?x96x!tile.elt<X>>)
// CHECK: params {BM = 3, C = dim(%{{.*}}, 1), X: type = bf16}
// CHECK: tile.select {{.*}} : !tile.view<?x96x!tile.elt<X>> -> !tile.view<96x!tile.elt<X>>
// CHECK: tile.kernel @other
// CHECK: params {BM = 3}
// CHECK: tile.kernel @follows
// CHECK: params {X: type = bf16, Y: type = !tile.elt<X>}
// NAME: error: bind=N=3: no kernel has a parameter 'N'; @rows has BM, C, X; @other has BM; @follows has X, Y
// VALUE: error: bind=BM=0: expected a positive integer for BM, found '0'
tile.kernel @rows(%x: !tile.view<?x?x!tile.elt<X>>)
    params {BM = 1 in [1, 2], C = dim(%x, 1), X: type = f32 in [f32, bf16]} grid [1] {
  %c0 = arith.constant 0 : index
  %row = tile.select %x[%c0] : !tile.view<?x?x!tile.elt<X>> -> !tile.view<?x!tile.elt<X>>
  %t = tile.load %row[%c0] [C] : !tile.view<?x!tile.elt<X>> -> tensor<?x!tile.elt<X>>
}
tile.kernel @other() params {BM = 4} grid [1] {}
tile.kernel @follows(%x: !tile.view<?x!tile.elt<X>>) params {X: type = f32, Y: type = !tile.elt<X>} grid [1] {}
