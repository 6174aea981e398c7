// RUN: tilegpt-opt %s --tile-gpu-version-kernels --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-version-kernels=target=sm_80 --split-input-file | FileCheck %s --check-prefix=SM80
// RUN: tilegpt-opt %s --tile-gpu-version-kernels=max-ops=3 --split-input-file --explain 2>&1 >/dev/null | FileCheck %s --check-prefix=LIMIT
// RUN: tilegpt-opt %s --tile-gpu-version-kernels --split-input-file --explain 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY

// A product: TMA takes rows of any length, so sizes do not matter. The general kernel stays as it is.
// CHECK-LABEL: tile.kernel @product(
// CHECK-NOT:     tile.assume
// CHECK:       tile.kernel @product$aligned(%[[P:.*]]: !tile.ptr<bf16>, %[[R:.*]]: !tile.ptr<f32>, %{{.*}}: i32, %{{.*}}: i32, %[[S:.*]]: i32, %{{[^:]*}}: i32)
// CHECK-NEXT:    grid launch attributes {tile.assumed_arguments = [{argument = 0 : i64, div_by = 16 : i64}, {argument = 1 : i64, div_by = 16 : i64}, {argument = 4 : i64, div_by = 8 : i64}, {argument = 5 : i64, value = 1 : i64}]
// CHECK-SAME:    tile.version_of = "product"
// CHECK-NEXT:    tile.assume %[[P]] div_by 16
// CHECK-NEXT:    tile.assume %[[R]] div_by 16
// CHECK-NEXT:    tile.assume %[[S]] div_by 8
// Words are enough for cp.async, but only with whole rows.
// CHECK:       tile.kernel @product$words(
// CHECK-NEXT:    grid launch attributes {tile.assumed_arguments = [{argument = 0 : i64, div_by = 4 : i64}, {argument = 3 : i64, div_by = 2 : i64}, {argument = 4 : i64, div_by = 2 : i64}, {argument = 5 : i64, value = 1 : i64}]
// CHECK-SAME:    tile.version_of = "product"
// SM80:        tile.kernel @product$aligned
// SM80-NEXT:     {argument = 3 : i64, div_by = 8 : i64}, {argument = 4 : i64, div_by = 8 : i64}, {argument = 5 : i64, value = 1 : i64}]
// LIMIT: remark: @product: version missed: no version for aligned arguments: the kernel has {{[0-9]+}} ops, the limit is 3
// WHY: remark: @product: version: @product$aligned is for launches with arguments 0, 1 divisible by 16; argument 4 divisible by 8; argument 5 = 1
// WHY: remark: @product: version: @product$words is for launches with argument 0 divisible by 4; arguments 3, 4 divisible by 2; argument 5 = 1
!P = !tile.ptr<bf16>
!R = !tile.ptr<f32>
!V = !tile.view<?x?xbf16, strides=[?, ?]>
!W = !tile.view<?x64xf32>
tile.kernel @product(%p: !P, %r: !R, %m: i32, %n: i32, %s: i32, %t: i32) grid launch {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %mi = arith.index_castui %m : i32 to index
  %ni = arith.index_castui %n : i32 to index
  %si = arith.index_castui %s : i32 to index
  %ti = arith.index_castui %t : i32 to index
  %v = tile.view_at %p sizes [%mi, %ni] strides [%si, %ti] : !P -> !V
  %w = tile.view_at %r sizes [%mi, 64] : !R -> !W
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.load %v[%b, %c0] [64, 64] : !V -> tensor<64x64xbf16>
  %y = tile.load %v[%c0, %b] [64, 64] : !V -> tensor<64x64xbf16>
  %d = tile.dot %x, %y, %zero : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  tile.store %d, %w[%b, %c0] : tensor<64x64xf32>, !W
}

// -----

// Sizes are strides of dense views, except for the first. Kernels without dots have no version for words.
// CHECK-NOT:   @product$
// CHECK-NOT:   $words
// CHECK-LABEL: tile.kernel @dense$aligned
// CHECK-NEXT:    tile.assumed_arguments = [{argument = 0 : i64, div_by = 16 : i64}, {argument = 2 : i64, div_by = 4 : i64}]
// WHY: remark: @dense: version: @dense$aligned is for launches with argument 0 divisible by 16; argument 2 divisible by 4
!P = !tile.ptr<f32>
!V = !tile.view<?x?xf32>
tile.kernel @dense(%p: !P, %m: index, %n: index) grid launch {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %v = tile.view_at %p sizes [%m, %n] : !P -> !V
  %x = tile.load %v[%b, %c0] [1, 64] : !V -> tensor<1x64xf32>
  %y = arith.addf %x, %x : tensor<1x64xf32>
  tile.store %y, %v[%b, %c0] : tensor<1x64xf32>, !V
}

// -----

// Offsets: the row stride and the bound on columns matter, the bound on rows does not.
// CHECK-LABEL: tile.kernel @offsets$aligned
// CHECK-NEXT:    tile.assumed_arguments = [{argument = 0 : i64, div_by = 16 : i64}, {argument = 2 : i64, div_by = 4 : i64}, {argument = 3 : i64, div_by = 4 : i64}]
!P = !tile.ptr<f32>
tile.kernel @offsets(%p: !P, %rows: i32, %columns: i32, %stride: i32) grid launch {
  %i = tile.iota [64] : tensor<64xi32>
  %r1 = tile.expand_dims %i, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c1 = tile.expand_dims %i, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %most = tile.splat %rows [64, 1] : i32 -> tensor<64x1xi32>
  %rin = arith.cmpi slt, %r1, %most : tensor<64x1xi32>
  %last = tile.splat %columns [1, 64] : i32 -> tensor<1x64xi32>
  %cin = arith.cmpi slt, %c1, %last : tensor<1x64xi32>
  %rb = tile.broadcast %rin [64, 64] : tensor<64x1xi1> -> tensor<64x64xi1>
  %cb = tile.broadcast %cin [64, 64] : tensor<1x64xi1> -> tensor<64x64xi1>
  %mask = arith.andi %rb, %cb : tensor<64x64xi1>
  %pitch = tile.splat %stride [64, 1] : i32 -> tensor<64x1xi32>
  %begin = arith.muli %r1, %pitch : tensor<64x1xi32>
  %bb = tile.broadcast %begin [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %bc = tile.broadcast %c1 [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
  %o = arith.addi %bb, %bc : tensor<64x64xi32>
  %x = tile.load_at %p[%o] mask(%mask : tensor<64x64xi1>) : !P, tensor<64x64xi32> -> tensor<64x64xf32>
  tile.store_at %x, %p[%o] mask(%mask : tensor<64x64xi1>) : tensor<64x64xf32>, !P, tensor<64x64xi32>
}

// -----

// Nothing to gain: everything is assumed already; single elements; no raw kernel.
// CHECK-LABEL: tile.kernel @promised(
// CHECK-LABEL: tile.kernel @single(
// CHECK-LABEL: tile.kernel @typed(
// CHECK-NOT:   $aligned
!P = !tile.ptr<f32>
!V = !tile.view<?x64xf32, strides=[?, 1]>
tile.kernel @promised(%p: !P, %m: index, %s: index) grid launch {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %pa = tile.assume %p div_by 16 : !P
  %sa = tile.assume %s div_by 4 : index
  %v = tile.view_at %pa sizes [%m, 64] strides [%sa, 1] : !P -> !V
  %x = tile.load %v[%b, %c0] [1, 64] : !V -> tensor<1x64xf32>
  tile.store %x, %v[%b, %c0] : tensor<1x64xf32>, !V
}
tile.kernel @single(%p: !P, %s: i32) grid launch {
  %o = tile.splat %s [1] : i32 -> tensor<1xi32>
  %x = tile.load_at %p[%o] : !P, tensor<1xi32> -> tensor<1xf32>
  tile.store_at %x, %p[%o] : tensor<1xf32>, !P, tensor<1xi32>
}
tile.kernel @typed(%v: !tile.view<?x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %x = tile.load %v[%c0, %c0] [1, 64] : !tile.view<?x64xf32> -> tensor<1x64xf32>
}

// -----

// A view has no operands for constant sizes and strides.
// CHECK-LABEL: tile.kernel @constant$aligned
// CHECK-NEXT:    tile.assumed_arguments = [{argument = 0 : i64, div_by = 16 : i64}, {argument = 1 : i64, div_by = 4 : i64}]
!P = !tile.ptr<f32>
!V = !tile.view<?xf32, strides=[1]>
!W = !tile.view<64xf32>
tile.kernel @constant(%p: !P, %n: i32) grid launch {
  %b = tile.block_id 0
  %size = arith.index_castui %n : i32 to index
  %v = tile.view_at %p sizes [%size] strides [1] : !P -> !V
  %w = tile.view_at %p sizes [64] : !P -> !W
  %x = tile.load %v[%b] [64] : !V -> tensor<64xf32>
  %y = tile.load %w[%b] [64] : !W -> tensor<64xf32>
  %z = arith.addf %x, %y : tensor<64xf32>
  tile.store %z, %v[%b] : tensor<64xf32>, !V
}
