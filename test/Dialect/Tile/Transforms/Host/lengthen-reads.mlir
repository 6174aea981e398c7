// RUN: tilegpt-opt %s --tile-lengthen-reads | FileCheck %s

!X = !tile.view<?x?x!tile.elt<X>>
!W = !tile.view<?x?x!tile.elt<W>>
!H = !tile.view<?x?x!tile.elt<W>, strides=[?, 1]>
tile.kernel @gated(%x: !X, %w: !W) outs(%y: !X)
    params {BN = 16 in [2, 4, 8, 16, 32, 64], K = dim(%x, 1), F = dim(%y, 1),
            X: type = f32 in [f32, bf16], W: type = f32 in [f32, bf16, f8E4M3FN]}
    grid [ceildiv(dim(%y, 1), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %f = tile.param F
  %k = tile.param K
  %gate = tile.subview %w[0, 0] [%f, %k] : !W -> !H
  %up = tile.subview %w[%f, 0] [%f, %k] : !W -> !H
  %init = tile.splat %zero [1, BN] : f32 -> tensor<1x?xf32>
  %xt = tile.load %x[%c0, %c0] [1, K] : !X -> tensor<1x?x!tile.elt<X>>
  %gt = tile.load %gate[%n, %c0] [BN, K] : !H -> tensor<?x?x!tile.elt<W>>
  %ut = tile.load %up[%n, %c0] [BN, K] : !H -> tensor<?x?x!tile.elt<W>>
  %g = tile.dot %xt, %gt, %init transpose_b
      : tensor<1x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<1x?xf32> -> tensor<1x?xf32>
  %u = tile.dot %xt, %ut, %init transpose_b
      : tensor<1x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<1x?xf32> -> tensor<1x?xf32>
  %r = arith.mulf %g, %u : tensor<1x?xf32>
  %out = tile.cast %r : tensor<1x?xf32> to tensor<1x?x!tile.elt<X>>
  tile.store %out, %y[%c0, %n] : tensor<1x?x!tile.elt<X>>, !X
}
tile.kernel @single(%x: !X, %w: !W) outs(%y: !X)
    params {BN = 16 in [2, 4, 8, 16, 32, 64], K = dim(%x, 1),
            X: type = f32 in [f32, bf16], W: type = f32 in [f32, bf16, f8E4M3FN]}
    grid [ceildiv(dim(%y, 1), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [1, BN] : f32 -> tensor<1x?xf32>
  %xt = tile.load %x[%c0, %c0] [1, K] : !X -> tensor<1x?x!tile.elt<X>>
  %wt = tile.load %w[%n, %c0] [BN, K] : !W -> tensor<?x?x!tile.elt<W>>
  %s = tile.dot %xt, %wt, %init transpose_b
      : tensor<1x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<1x?xf32> -> tensor<1x?xf32>
  %out = tile.cast %s : tensor<1x?xf32> to tensor<1x?x!tile.elt<X>>
  tile.store %out, %y[%c0, %n] : tensor<1x?x!tile.elt<X>>, !X
}

// The fewest rows whose runs have 64 KiB: 32 of 2304 bytes, 64 of 1152 bytes; with 576 bytes none has, and the most are
// chosen.
// CHECK-LABEL: func.func @runs
// CHECK: tile.launch @gated {{.*}} params {BN = 32 : i64} : (tensor<1x576xf32>, tensor<3072x576xf32>
// CHECK: tile.launch @gated {{.*}} params {BN = 64 : i64} : (tensor<1x576xf32>, tensor<3072x576xbf16>
// CHECK: tile.launch @gated {{.*}} params {BN = 64 : i64} : (tensor<1x576xf32>, tensor<3072x576xf8E4M3FN>
func.func @runs(%x: tensor<1x576xf32>, %a: tensor<3072x576xf32>, %b: tensor<3072x576xbf16>, %c: tensor<3072x576xf8E4M3FN>,
                %e: tensor<1x1536xf32>) -> (tensor<1x1536xf32>, tensor<1x1536xf32>, tensor<1x1536xf32>) {
  %0 = tile.launch @gated ins(%x, %a) outs(%e) : (tensor<1x576xf32>, tensor<3072x576xf32>, tensor<1x1536xf32>) -> tensor<1x1536xf32>
  %1 = tile.launch @gated ins(%x, %b) outs(%e) : (tensor<1x576xf32>, tensor<3072x576xbf16>, tensor<1x1536xf32>) -> tensor<1x1536xf32>
  %2 = tile.launch @gated ins(%x, %c) outs(%e) : (tensor<1x576xf32>, tensor<3072x576xf8E4M3FN>, tensor<1x1536xf32>) -> tensor<1x1536xf32>
  return %0, %1, %2 : tensor<1x1536xf32>, tensor<1x1536xf32>, tensor<1x1536xf32>
}
// Sixteen blocks remain, however short their runs are.
// CHECK-LABEL: func.func @blocks
// CHECK: tile.launch @gated {{.*}} params {BN = 8 : i64} :
func.func @blocks(%x: tensor<1x64xf32>, %w: tensor<256x64xf32>, %e: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %0 = tile.launch @gated ins(%x, %w) outs(%e) : (tensor<1x64xf32>, tensor<256x64xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
  return %0 : tensor<1x128xf32>
}
// Given sizes stay; products that read one matrix, have unknown sizes, or are too small for sixteen blocks are left
// alone.
// CHECK-LABEL: func.func @left_alone
// CHECK: tile.launch @gated {{.*}} params {BN = 4 : i64} :
// CHECK: tile.launch @single {{.*}} outs(%{{[a-z0-9]*}}) :
// CHECK: tile.launch @gated {{.*}} outs(%{{[a-z0-9]*}}) :
// CHECK: tile.launch @gated {{.*}} outs(%{{[a-z0-9]*}}) :
func.func @left_alone(%x: tensor<1x576xf32>, %w: tensor<3072x576xf32>, %e: tensor<1x1536xf32>, %o: tensor<?x576xf32>,
                      %p: tensor<1x?xf32>, %s: tensor<32x576xf32>, %q: tensor<1x16xf32>)
    -> (tensor<1x1536xf32>, tensor<1x1536xf32>, tensor<1x?xf32>, tensor<1x16xf32>) {
  %0 = tile.launch @gated ins(%x, %w) outs(%e) params {BN = 4} : (tensor<1x576xf32>, tensor<3072x576xf32>, tensor<1x1536xf32>) -> tensor<1x1536xf32>
  %1 = tile.launch @single ins(%x, %w) outs(%e) : (tensor<1x576xf32>, tensor<3072x576xf32>, tensor<1x1536xf32>) -> tensor<1x1536xf32>
  %2 = tile.launch @gated ins(%x, %o) outs(%p) : (tensor<1x576xf32>, tensor<?x576xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
  %3 = tile.launch @gated ins(%x, %s) outs(%q) : (tensor<1x576xf32>, tensor<32x576xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
  return %0, %1, %2, %3 : tensor<1x1536xf32>, tensor<1x1536xf32>, tensor<1x?xf32>, tensor<1x16xf32>
}

tile.kernel @double(%x: !X) outs(%y: !X)
    params {BM = 4 in [1, 2, 4], BN = 256 in [64, 128, 256, 512, 1024], X: type = f32 in [f32, bf16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %f = tile.cast %t : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %d = arith.addf %f, %f : tensor<?x?xf32>
  %r = tile.cast %d : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %r, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}
tile.kernel @row_sums(%x: !X) outs(%y: !X)
    params {BM = 4 in [1, 2, 4], BN = 256 in [64, 128, 256, 512, 1024], X: type = f32 in [f32, bf16]}
    grid [ceildiv(dim(%x, 0), BM), ceildiv(dim(%x, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %f = tile.cast %t : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %d = tile.reduce add %f axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %r = tile.cast %d : tensor<?x1xf32> to tensor<?x1x!tile.elt<X>>
  tile.store %r, %y[%m, %n] : tensor<?x1x!tile.elt<X>>, !X
}

// Elementwise kernels get the most columns that pad no more than the default (1000 columns as little in tiles of 1024, 1280
// in tiles of 256, 1536 in tiles of 512) and leave 16 blocks, of the fewest rows too.
// CHECK-LABEL: func.func @columns
// CHECK: tile.launch @double {{.*}} params {BN = 1024 : i64} : (tensor<64x1000xf32>,
// CHECK: tile.launch @double ins(%{{[a-z0-9]+}}) outs(%{{[a-z0-9]+}}) : (tensor<64x1280xf32>,
// CHECK: tile.launch @double {{.*}} params {BN = 512 : i64} : (tensor<64x1536xf32>,
// CHECK: tile.launch @double {{.*}} params {BN = 512 : i64} : (tensor<32x1024xf32>,
// CHECK: tile.launch @double {{.*}} params {BN = 512 : i64} : (tensor<?x8192xf32>,
// CHECK: tile.launch @double {{.*}} params {BN = 64 : i64} : (tensor<64x1000xf32>,
// CHECK: tile.launch @double {{.*}} params {BM = 1 : i64, BN = 1024 : i64} : (tensor<32x1024xf32>,
func.func @columns(%a: tensor<64x1000xf32>, %b: tensor<64x1280xf32>, %c: tensor<64x1536xf32>, %d: tensor<32x1024xf32>,
                   %e: tensor<?x8192xf32>) {
  %0 = tile.launch @double ins(%a) outs(%a) : (tensor<64x1000xf32>, tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %1 = tile.launch @double ins(%b) outs(%b) : (tensor<64x1280xf32>, tensor<64x1280xf32>) -> tensor<64x1280xf32>
  %2 = tile.launch @double ins(%c) outs(%c) : (tensor<64x1536xf32>, tensor<64x1536xf32>) -> tensor<64x1536xf32>
  %3 = tile.launch @double ins(%d) outs(%d) : (tensor<32x1024xf32>, tensor<32x1024xf32>) -> tensor<32x1024xf32>
  %4 = tile.launch @double ins(%e) outs(%e) : (tensor<?x8192xf32>, tensor<?x8192xf32>) -> tensor<?x8192xf32>
  %5 = tile.launch @double ins(%a) outs(%a) params {BN = 64} : (tensor<64x1000xf32>, tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %6 = tile.launch @double ins(%d) outs(%d) params {BM = 1} : (tensor<32x1024xf32>, tensor<32x1024xf32>) -> tensor<32x1024xf32>
  return
}
// Reductions keep theirs.
// CHECK-LABEL: func.func @sums
// CHECK-NOT: params
// CHECK: return
func.func @sums(%x: tensor<64x1024xf32>, %y: tensor<64x4xf32>) {
  %0 = tile.launch @row_sums ins(%x) outs(%y) : (tensor<64x1024xf32>, tensor<64x4xf32>) -> tensor<64x4xf32>
  return
}
