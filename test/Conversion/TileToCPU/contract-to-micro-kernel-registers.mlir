// The number of vector registers determines the blocking of matmuls.
// RUN: tilegpt-opt %s --cpu-contract-to-micro-kernel="vector-bits=256 vector-registers=16 row-streams=1" | FileCheck %s --check-prefixes=CHECK,R16
// RUN: tilegpt-opt %s --cpu-contract-to-micro-kernel="vector-bits=512 vector-registers=32 row-streams=1" | FileCheck %s --check-prefixes=CHECK,R32

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// With 16 registers, blocks of 6 x 2 load as often as those of 3 x 3, which have too few accumulators to hide the
// latency of a multiply-add. A step of twelve has no cycles to spare for a prefetch; one of 24 has, and is not unrolled.
// CHECK-LABEL: @width
// R16: memref.alloca() {alignment = 64 : i64} : memref<64x16xf32>
// R16-NOT: memref.prefetch
// R16: scf.for {{.*}} iter_args
// R16-NOT: memref.prefetch
// R16-COUNT-2: vector.load %{{.*}} : memref<64x16xf32>, vector<8xf32>
// R16-COUNT-48: vector.fma {{.*}} : vector<8xf32>
// R16-NOT: vector.fma
// R16-NOT: memref.prefetch
// R16: scf.yield
// R32: memref.alloca() {alignment = 64 : i64} : memref<64x64xf32>
// R32: scf.for {{.*}} iter_args
// R32: memref.prefetch
// R32-COUNT-24: vector.fma {{.*}} : vector<16xf32>
// R32-NOT: vector.fma
// R32: scf.yield
func.func @width(%x: memref<128x64xf32>, %w: memref<192x64xf32>, %acc: memref<128x192xf32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<128x64xf32>, memref<192x64xf32>) outs(%acc : memref<128x192xf32>)
  return
}

// Rows left over from blocks of six: one block of that size with 16 registers, blocks of four, two and one with 32; four
// steps at a time.
// CHECK-LABEL: @rest
// CHECK: scf.for {{.*}} step %c6
// R16: scf.if
// R16: scf.for {{.*}} iter_args
// R16-COUNT-40: vector.fma
// R16-NOT: vector.fma
// R16: scf.yield
// R16: scf.if
// R16-COUNT-32: vector.fma
// R16-NOT: vector.fma
// R16: scf.if
// R16-COUNT-24: vector.fma
// R16-NOT: vector.fma
// R16: scf.if
// R16-COUNT-16: vector.fma
// R16-NOT: vector.fma
// R16: scf.if
// R16-COUNT-8: vector.fma
// R16-NOT: vector.fma
// R32: scf.if
// R32-COUNT-64: vector.fma
// R32-NOT: vector.fma
// R32: scf.if
// R32-COUNT-32: vector.fma
// R32-NOT: vector.fma
// R32: scf.if
// R32-COUNT-16: vector.fma
// R32-NOT: vector.fma
// CHECK: return
func.func @rest(%x: memref<36x8xf32>, %w: memref<64x8xf32>, %acc: memref<36x64xf32>, %m: index) {
  %xf = memref.subview %x[0, 0] [%m, 8] [1, 1] : memref<36x8xf32> to memref<?x8xf32, strided<[8, 1]>>
  %af = memref.subview %acc[0, 0] [%m, 64] [1, 1] : memref<36x64xf32> to memref<?x64xf32, strided<[64, 1]>>
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%xf, %w : memref<?x8xf32, strided<[8, 1]>>, memref<64x8xf32>) outs(%af : memref<?x64xf32, strided<[64, 1]>>)
  return
}

// Eleven rows are multiplied side by side, however few of them a block has. Blocks of four rows and three columns keep
// the three vectors of rhs in 16 registers beside their twelve accumulators; those of six and four keep the six of lhs
// in 32.
// CHECK-LABEL: @eleven_rows
// R16: scf.for {{.*}} step %c3
// R16: scf.for {{.*}} step %c4
// R16: scf.for {{.*}} iter_args
// R16-COUNT-3: memref.prefetch
// R16-COUNT-3: vector.load %{{.*}} : memref<12x128xf32>, vector<8xf32>
// R16: vector.load %{{.*}} : memref<11x128xf32>, vector<8xf32>
// R16-COUNT-3: vector.fma
// R16-NOT: vector.fma
// R16: vector.load %{{.*}} : memref<11x128xf32>, vector<8xf32>
// R16-COUNT-3: vector.fma
// R16-NOT: vector.fma
// R16: vector.load
// R32: scf.for {{.*}} step %c4
// R32: scf.for {{.*}} iter_args
// R32-COUNT-6: vector.load %{{.*}} : memref<11x128xf32>, vector<16xf32>
// R32: vector.load %{{.*}} : memref<12x128xf32>, vector<16xf32>
// R32-COUNT-6: vector.fma
// R32-NOT: vector.fma
// R32: vector.load %{{.*}} : memref<12x128xf32>, vector<16xf32>
func.func @eleven_rows(%x: memref<11x128xf32>, %w: memref<12x128xf32>, %acc: memref<11x12xf32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<11x128xf32>, memref<12x128xf32>) outs(%acc : memref<11x12xf32>)
  return
}

// A shallow product of a few rows packs rhs: transposing 64 elements of a row of it takes less than eight sums of lanes.
// One of 65 reads it in place.
// CHECK-LABEL: @shallow
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<64x16xf32>
// CHECK: return
// CHECK-LABEL: @not_shallow
// CHECK-NOT: memref.alloca
// CHECK: return
func.func @shallow(%x: memref<8x64xf32>, %w: memref<16x64xf32>, %acc: memref<8x16xf32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<8x64xf32>, memref<16x64xf32>) outs(%acc : memref<8x16xf32>)
  return
}
func.func @not_shallow(%x: memref<8x65xf32>, %w: memref<16x65xf32>, %acc: memref<8x16xf32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<8x65xf32>, memref<16x65xf32>) outs(%acc : memref<8x16xf32>)
  return
}
