// RUN: tilegpt-opt %s --tile-bind-parameters=bind=BM=32,W=bf16,D=64 | FileCheck %s
// RUN: not tilegpt-opt %s --tile-bind-parameters=bind=BQ=32 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tilegpt-opt %s --tile-bind-parameters=bind=BM=none 2>&1 | FileCheck %s --check-prefix=VALUE

// A value need not be a candidate; a parameter that is a size of the data gives the view that size.
// CHECK-LABEL: tile.kernel @double(
// CHECK-SAME:  !tile.view<?x64x
// CHECK:       BM = 32
// UNKNOWN:     bind=BQ=32: no kernel has a parameter 'BQ'; @double has BM, D, W
// VALUE:       bind=BM=none: expected a positive integer for BM, found 'none'
tile.kernel @double(%x: !tile.view<?x?x!tile.elt<W>>) outs(%y: !tile.view<?x?x!tile.elt<W>>)
    params {BM = 64 in [16, 64], D = dim(%x, 1), W: type = f32 in [f32, bf16]} grid [ceildiv(dim(%x, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [BM, D] : !tile.view<?x?x!tile.elt<W>> -> tensor<?x?x!tile.elt<W>>
  tile.store %t, %y[%m, %c0] : tensor<?x?x!tile.elt<W>>, !tile.view<?x?x!tile.elt<W>>
}
