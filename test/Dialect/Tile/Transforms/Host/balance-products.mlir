// RUN: tilegpt-opt %s --tile-balance-products | FileCheck %s
// RUN: tilegpt-opt %s --tile-balance-products="l2-bytes=2097152" | FileCheck %s
// RUN: tilegpt-opt %s --tile-balance-products="threads=1" | FileCheck %s --check-prefix=ONE
// RUN: tilegpt-opt %s --tile-balance-products="threads=2" | FileCheck %s --check-prefix=TWO
// RUN: tilegpt-opt %s --tile-balance-products="vector-bits=256 vector-registers=16 l2-bytes=524288" | FileCheck %s --check-prefix=AVX2

!X = !tile.view<?x?x!tile.elt<X>>
!F = !tile.view<?x?xf32>
tile.kernel @matmul(%a: !X, %b: !X) outs(%y: !F)
    params {BM = 128 in [16, 32, 48, 64, 128, 256], BN = 96 in [32, 64, 72, 80, 96, 128, 192, 256], BK = 64 in [32, 64, 128, 256],
            X: type = f32 in [f32, bf16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %a, 1 by [BK] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %at = tile.load %a[%m, %k] [BM, BK] : !X -> tensor<?x?x!tile.elt<X>>
    %bt = tile.load %b[%n, %k] [BN, BK] : !X -> tensor<?x?x!tile.elt<X>>
    %next = tile.dot %at, %bt, %acc transpose_b
        : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<X>>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<?x?xf32>, !F
}
!Y = !tile.view<?x?xf32>
tile.kernel @copy(%x: !Y) outs(%y: !Y) params {BM = 4 in [1, 4], BN = 64 in [64, 256]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !Y -> tensor<?x?xf32>
  tile.store %t, %y[%m, %n] : tensor<?x?xf32>, !Y
}

// Sixteen blocks of the largest tiles keep eight threads busy.
// CHECK-LABEL: func.func @large
// CHECK: tile.launch @matmul {{.*}} params {BK = 256 : i64, BM = 256 : i64, BN = 256 : i64}
// The accumulators of a block take a quarter of a cache of 512 KiB.
// AVX2-LABEL: func.func @large
// AVX2: tile.launch @matmul {{.*}} params {BK = 256 : i64, BM = 256 : i64, BN = 128 : i64}
func.func @large(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %e = tensor.empty() : tensor<1024x1024xf32>
  %y = tile.launch @matmul ins(%a, %b) outs(%e) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %y : tensor<1024x1024xf32>
}
// Eight blocks rather than the two of the largest tiles, of all rows, so that rhs is packed once; `tile.rows` bounds
// the rows.
// CHECK-LABEL: func.func @small
// One thread is busy with any tiles: the largest pack least.
// ONE-LABEL: func.func @small
// ONE: tile.launch @matmul {{.*}} params {BK = 256 : i64, BM = 128 : i64, BN = 256 : i64}
// CHECK: tile.launch @matmul {{.*}} params {BK = 256 : i64, BM = 128 : i64, BN = 64 : i64}
func.func @small(%a: tensor<?x1024xf32>, %b: tensor<512x1024xf32>, %e: tensor<?x512xf32>) -> tensor<?x512xf32>
    attributes {tile.rows = array<i64: 65, 128>} {
  %y = tile.launch @matmul ins(%a, %b) outs(%e) : (tensor<?x1024xf32>, tensor<512x1024xf32>, tensor<?x512xf32>) -> tensor<?x512xf32>
  return %y : tensor<?x512xf32>
}
// Tiles have at least 64 rows to amortize packing, and nine of 32 columns keep eight threads busier than four of 80, of
// which the last one has 48.
// CHECK-LABEL: func.func @narrow
// CHECK: tile.launch @matmul {{.*}} params {BK = 256 : i64, BM = 64 : i64, BN = 32 : i64}
// Panels of 16 columns leave a register of eight for a tile of 72.
// AVX2-LABEL: func.func @narrow
// AVX2: tile.launch @matmul {{.*}} params {BK = 256 : i64, BM = 64 : i64, BN = 72 : i64}
func.func @narrow(%a: tensor<64x512xf32>, %b: tensor<288x512xf32>, %e: tensor<64x288xf32>) -> tensor<64x288xf32> {
  %y = tile.launch @matmul ins(%a, %b) outs(%e) : (tensor<64x512xf32>, tensor<288x512xf32>, tensor<64x288xf32>) -> tensor<64x288xf32>
  return %y : tensor<64x288xf32>
}
// ONE-LABEL: func.func @uneven
// ONE: tile.launch @matmul {{.*}} params {BK = 256 : i64, BM = 128 : i64, BN = 192 : i64}
// Tiles of 96 columns are larger, but the last one of 32 leaves one of two threads with half as much again.
// CHECK-LABEL: func.func @uneven
// CHECK: tile.launch @matmul {{.*}} params {BK = 256 : i64, BM = 64 : i64, BN = 80 : i64}
// AVX2-LABEL: func.func @uneven
// AVX2: tile.launch @matmul {{.*}} params {BK = 256 : i64, BM = 64 : i64, BN = 80 : i64}
func.func @uneven(%a: tensor<128x1024xf32>, %b: tensor<320x1024xf32>, %e: tensor<128x320xf32>) -> tensor<128x320xf32> {
  %y = tile.launch @matmul ins(%a, %b) outs(%e) : (tensor<128x1024xf32>, tensor<320x1024xf32>, tensor<128x320xf32>) -> tensor<128x320xf32>
  return %y : tensor<128x320xf32>
}
// Two threads get five tiles each; columns are packed once.
// TWO-LABEL: func.func @uneven
// TWO: tile.launch @matmul {{.*}} params {BK = 256 : i64, BM = 128 : i64, BN = 32 : i64}
// The smallest tile that covers the depth: accumulators are stored once, and no padding is multiplied.
// CHECK-LABEL: func.func @shallow
// CHECK: tile.launch @matmul {{.*}} params {BK = 128 : i64, BM = 64 : i64, BN = 32 : i64}
func.func @shallow(%a: tensor<64x106xf32>, %b: tensor<288x106xf32>, %e: tensor<64x288xf32>) -> tensor<64x288xf32> {
  %y = tile.launch @matmul ins(%a, %b) outs(%e) : (tensor<64x106xf32>, tensor<288x106xf32>, tensor<64x288xf32>) -> tensor<64x288xf32>
  return %y : tensor<64x288xf32>
}
// A given depth stays; one that differs between operands, or is unknown, is ignored.
// CHECK-LABEL: func.func @depths
// CHECK: tile.launch @matmul {{.*}} params {BK = 32 : i64, BM = 64 : i64, BN = 32 : i64}
// CHECK: tile.launch @matmul {{.*}} params {BM = 64 : i64, BN = 32 : i64}
// CHECK: tile.launch @matmul {{.*}} params {BM = 64 : i64, BN = 32 : i64}
func.func @depths(%a: tensor<64x106xf32>, %b: tensor<288x106xf32>, %c: tensor<288x72xf32>, %d: tensor<288x?xf32>,
                  %e: tensor<64x288xf32>) -> (tensor<64x288xf32>, tensor<64x288xf32>, tensor<64x288xf32>) {
  %0 = tile.launch @matmul ins(%a, %b) outs(%e) params {BK = 32} : (tensor<64x106xf32>, tensor<288x106xf32>, tensor<64x288xf32>) -> tensor<64x288xf32>
  %1 = tile.launch @matmul ins(%a, %c) outs(%e) : (tensor<64x106xf32>, tensor<288x72xf32>, tensor<64x288xf32>) -> tensor<64x288xf32>
  %2 = tile.launch @matmul ins(%a, %d) outs(%e) : (tensor<64x106xf32>, tensor<288x?xf32>, tensor<64x288xf32>) -> tensor<64x288xf32>
  return %0, %1, %2 : tensor<64x288xf32>, tensor<64x288xf32>, tensor<64x288xf32>
}
// Given sizes stay; few rows, open sizes and kernels without a product are left alone.
// CHECK-LABEL: func.func @left_alone
// CHECK: tile.launch @matmul {{.*}} params {BM = 32 : i64} :
// CHECK: tile.launch @matmul {{.*}} outs(%{{[a-z0-9]*}}) :
// CHECK: tile.launch @matmul {{.*}} outs(%{{[a-z0-9]*}}) :
// CHECK: tile.launch @copy {{.*}} outs(%{{[a-z0-9]*}}) :
func.func @left_alone(%a: tensor<1024x1024xf32>, %e: tensor<1024x1024xf32>, %f: tensor<16x1024xf32>, %g: tensor<16x1024xf32>,
                      %o: tensor<?x1024xf32>, %p: tensor<?x1024xf32>)
    -> (tensor<1024x1024xf32>, tensor<16x1024xf32>, tensor<?x1024xf32>, tensor<1024x1024xf32>) {
  %0 = tile.launch @matmul ins(%a, %a) outs(%e) params {BM = 32} : (tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %1 = tile.launch @matmul ins(%f, %a) outs(%g) : (tensor<16x1024xf32>, tensor<1024x1024xf32>, tensor<16x1024xf32>) -> tensor<16x1024xf32>
  %2 = tile.launch @matmul ins(%o, %a) outs(%p) : (tensor<?x1024xf32>, tensor<1024x1024xf32>, tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %3 = tile.launch @copy ins(%a) outs(%e) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0, %1, %2, %3 : tensor<1024x1024xf32>, tensor<16x1024xf32>, tensor<?x1024xf32>, tensor<1024x1024xf32>
}
