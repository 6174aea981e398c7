// RUN: tilegpt-opt %s --cpu-contract-to-micro-kernel | FileCheck %s
// RUN: tilegpt-opt %s --cpu-contract-to-micro-kernel="vector-bits=256 vector-registers=16" | FileCheck %s --check-prefix=AVX2
// RUN: tilegpt-opt %s --cpu-contract-to-micro-kernel="row-streams=1" | FileCheck %s --check-prefix=TURN

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#nk = affine_map<(m, n, k) -> (n, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Four registers of columns and six rows accumulate over all of K, four steps at a time; panels of rhs are transposed
// into one scratch buffer, from segments of 128 bits that are loaded where they belong. The two remaining registers of
// columns have as many rows, which still hide latency, and the front of that buffer. Nothing is prefetched where the hardware
// follows several rows.
// CHECK-LABEL: @many_rows_pack_panels_of_transposed_rhs
// CHECK: %[[PANEL:.*]] = memref.alloca() {alignment = 64 : i64} : memref<256x64xf32>
// CHECK-COUNT-64: vector.insert_strided_slice {{.*}} : vector<4xf32> into vector<16xf32>
// CHECK-NOT: vector.insert_strided_slice
// CHECK-COUNT-32: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-16: vector.store %{{.*}}, %[[PANEL]]
// CHECK-COUNT-24: vector.load %{{.*}} : memref<132x96xf32>, vector<16xf32>
// CHECK: scf.for {{.*}} step %c4{{.*}} iter_args
// CHECK-NOT: memref.prefetch
// CHECK-COUNT-4: vector.load %[[PANEL]]
// CHECK-COUNT-24: vector.fma {{.*}} : vector<16xf32>
// CHECK-COUNT-4: vector.load %[[PANEL]]
// CHECK-COUNT-72: vector.fma {{.*}} : vector<16xf32>
// CHECK-NOT: vector.fma
// CHECK: scf.yield
// CHECK-COUNT-24: vector.store %{{.*}} : memref<132x96xf32>, vector<16xf32>
// CHECK: %[[FRONT:.*]] = memref.reinterpret_cast %[[PANEL]] to offset: [0], sizes: [256, 32], strides: [32, 1]
// CHECK: scf.for {{.*}} step %c4{{.*}} iter_args
// CHECK-COUNT-2: vector.load %[[FRONT]]
// CHECK-COUNT-48: vector.fma {{.*}} : vector<16xf32>
// CHECK-NOT: vector.fma
// AVX2-LABEL: @many_rows_pack_panels_of_transposed_rhs
// AVX2: memref.alloca() {alignment = 64 : i64} : memref<256x16xf32>
// AVX2-COUNT-16: vector.insert_strided_slice {{.*}} : vector<4xf32> into vector<8xf32>
// AVX2-COUNT-16: vector.shuffle
// AVX2-NOT: vector.shuffle
// AVX2-COUNT-48: vector.fma {{.*}} : vector<8xf32>
// AVX2-NOT: vector.fma
// AVX2: return
func.func @many_rows_pack_panels_of_transposed_rhs(%x: memref<132x256xf32, strided<[?, 1]>>,
    %w: memref<96x256xf32, strided<[?, 1]>>, %acc: memref<132x96xf32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<132x256xf32, strided<[?, 1]>>, memref<96x256xf32, strided<[?, 1]>>) outs(%acc : memref<132x96xf32>)
  return
}

// One row: rhs is widened as it is read, in place; four rows of it at a time, a quarter of the tile apart.
// CHECK-LABEL: @one_row_streams_rhs
// CHECK-NOT: memref.alloca
// CHECK: scf.for %[[N:.*]] = %{{.*}} to %c4
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-4: memref.prefetch
// CHECK: vector.load %{{.*}}[%[[N]], {{.*}} : memref<16x768xbf16>, vector<16xbf16>
// CHECK: arith.extf {{.*}} vector<16xbf16> to vector<16xf32>
// CHECK: scf.yield
// CHECK: vector.shuffle
// CHECK-COUNT-4: memref.store %{{.*}} : memref<1x16xf32>
// If one stream pays off, the four rows are adjacent and each has its own loop; the hardware prefetches.
// TURN-LABEL: @one_row_streams_rhs
// TURN-NOT: memref.prefetch
// TURN: scf.for %{{.*}} = %{{.*}} to %c16{{.*}} step %c4
// Each register of a cache line of rhs has its own accumulator, added after the loop.
// TURN: scf.for {{.*}} iter_args(%[[EVEN:.*]] = %{{.*}}, %[[ODD:.*]] = %{{.*}}) -> (vector<16xf32>, vector<16xf32>)
// TURN: vector.fma {{.*}}, %[[EVEN]] : vector<16xf32>
// TURN: vector.fma {{.*}}, %[[ODD]] : vector<16xf32>
// TURN: scf.yield
// TURN-NEXT: }
// TURN: arith.addf {{.*}} : vector<16xf32>
// TURN-COUNT-3: scf.for {{.*}} iter_args
// TURN-NOT: scf.for
// TURN: vector.shuffle
// The sums of adjacent elements are added to acc at once.
// TURN-NOT: memref.store
// TURN: %[[OLD:.*]] = vector.load %{{.*}} : memref<1x16xf32>, vector<4xf32>
// TURN: %[[SUM:.*]] = arith.addf %[[OLD]], %{{.*}} : vector<4xf32>
// TURN: vector.store %[[SUM]], %{{.*}} : memref<1x16xf32>, vector<4xf32>
// TURN-NOT: memref.store
// TURN: return
func.func @one_row_streams_rhs(%x: memref<1x768xf32>, %w: memref<16x768xbf16>, %acc: memref<1x16xf32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<1x768xf32>, memref<16x768xbf16>) outs(%acc : memref<1x16xf32>)
  return
}

// Rows of lhs of more than 12 KiB would be evicted between two rows of rhs: four of these share what is read of lhs.
// TURN-LABEL: @long_rows_share_lhs
// TURN: scf.for %[[N:.*]] = %{{.*}} to %c16{{.*}} step %c4
// TURN-COUNT-4: memref.prefetch
// TURN: %[[SECOND:.*]] = arith.addi %[[N]], %c1
// TURN: vector.load %{{.*}}[%[[SECOND]], %{{.*}}] : memref<16x784xf32>, vector<16xf32>
// TURN: scf.yield
// TURN-COUNT-4: vector.store %{{.*}} : memref<4x16xf32>, vector<4xf32>
// TURN: return
func.func @long_rows_share_lhs(%x: memref<4x784xf32>, %w: memref<16x784xf32>, %acc: memref<4x16xf32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<4x784xf32>, memref<16x784xf32>) outs(%acc : memref<4x16xf32>)
  return
}

// Rows of 12 KiB together stay in the first-level cache.
// TURN-LABEL: @short_rows_in_turn
// TURN-NOT: memref.prefetch
// TURN-COUNT-4: scf.for {{.*}} iter_args
// TURN: return
func.func @short_rows_in_turn(%x: memref<4x768xf32>, %w: memref<16x768xf32>, %acc: memref<4x16xf32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<4x768xf32>, memref<16x768xf32>) outs(%acc : memref<4x16xf32>)
  return
}

// Five rows of lhs are multiplied with four rows of rhs side by side, which are adjacent if one stream pays off.
// CHECK-LABEL: @five_rows
// CHECK: scf.for %{{.*}} = %{{.*}} to %c4
// CHECK-COUNT-4: memref.prefetch
// CHECK-COUNT-20: vector.fma {{.*}} : vector<16xf32>
// CHECK-NOT: vector.fma
// CHECK: scf.yield
// TURN-LABEL: @five_rows
// TURN: scf.for %[[N:.*]] = %{{.*}} to %c16{{.*}} step %c4
// TURN: %[[SECOND:.*]] = arith.addi %[[N]], %c1
// TURN: vector.load %{{.*}}[%[[SECOND]], %{{.*}}] : memref<16x768xf32>, vector<16xf32>
// TURN: scf.yield
// TURN-COUNT-5: vector.store %{{.*}} : memref<5x16xf32>, vector<4xf32>
// TURN: return
func.func @five_rows(%x: memref<5x768xf32>, %w: memref<16x768xf32>, %acc: memref<5x16xf32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<5x768xf32>, memref<16x768xf32>) outs(%acc : memref<5x16xf32>)
  return
}

// Rows of lhs that do not fit into the first-level cache are multiplied in parts, for all rows of rhs in turn. The last
// rows of rhs prefetch the first ones of the next part.
// CHECK-LABEL: @long_rows_in_parts
// CHECK: scf.for %[[PART:.*]] = %c0{{.*}} to %c672{{.*}} step %c336
// CHECK: scf.for %[[N:.*]] = %{{.*}} to %c5
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[N]], %c4
// CHECK: %[[SHIFT:.*]] = arith.select %{{.*}}, %c336{{.*}}, %c0
// CHECK: scf.for %[[K:.*]] = %c0{{.*}} to %c336{{.*}} step %c16{{.*}} iter_args
// CHECK: %[[AT:.*]] = arith.addi %[[PART]], %[[K]]
// CHECK: %[[AHEAD:.*]] = arith.addi %[[AT]], %[[SHIFT]]
// CHECK: memref.prefetch %{{.*}}[%{{.*}}, %[[AHEAD]]]
// CHECK: vector.load %{{.*}}[%{{.*}}, %[[AT]]] : memref<16x1000xf32>, vector<16xf32>
// What is left of K.
// CHECK: vector.maskedload %{{.*}} : memref<16x1000xf32>
func.func @long_rows_in_parts(%x: memref<16x1000xf32>, %w: memref<16x1000xf32>, %acc: memref<16x16xf32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<16x1000xf32>, memref<16x1000xf32>) outs(%acc : memref<16x16xf32>)
  return
}

// Products of few rows are bound by memory, whose runs stay whole.
// CHECK-LABEL: @long_rows_of_few
// CHECK: scf.for %{{.*}} to %c4
// CHECK: scf.for %{{.*}} to %c8192{{.*}} step %c16{{.*}} iter_args
func.func @long_rows_of_few(%x: memref<1x8192xf32>, %w: memref<16x8192xf32>, %acc: memref<1x16xf32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<1x8192xf32>, memref<16x8192xf32>) outs(%acc : memref<1x16xf32>)
  return
}

// An rhs stored as [K, N] that one row reads is not packed.
// CHECK-LABEL: @one_row_reads_rhs_in_place
// CHECK-NOT: memref.alloca
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-4: vector.load %{{.*}} : memref<128x64xf32>, vector<16xf32>
// CHECK-COUNT-4: vector.fma
func.func @one_row_reads_rhs_in_place(%p: memref<1x128xf32>, %v: memref<128x64xf32>, %acc: memref<1x64xf32>) {
  linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%p, %v : memref<1x128xf32>, memref<128x64xf32>) outs(%acc : memref<1x64xf32>)
  return
}

// Edges of N and K are masked: no out-of-bounds accesses.
// CHECK-LABEL: @masks_edges
// CHECK: vector.maskedload %{{.*}} : memref<7x17xf32>
// CHECK-LABEL: @masks_edges_of_columns
// CHECK: vector.maskedload %{{.*}} : memref<9x21xf32>
// CHECK: vector.maskedstore %{{.*}} : memref<40x21xf32>
func.func @masks_edges(%x: memref<2x17xf32>, %w: memref<7x17xf32>, %acc: memref<2x7xf32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<2x17xf32>, memref<7x17xf32>) outs(%acc : memref<2x7xf32>)
  return
}
func.func @masks_edges_of_columns(%x: memref<9x40xf32>, %w: memref<9x21xf32>, %acc: memref<40x21xf32>) {
  linalg.contract indexing_maps = [#km, #kn, #mn]
    ins(%x, %w : memref<9x40xf32>, memref<9x21xf32>) outs(%acc : memref<40x21xf32>)
  return
}

// The scratch buffer of a dot in a loop is allocated once.
// CHECK-LABEL: @scratch_is_outside_loops
// CHECK: memref.alloca
// CHECK: scf.for
// CHECK-NOT: memref.alloca
// CHECK: return
func.func @scratch_is_outside_loops(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %acc: memref<64x64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.contract indexing_maps = [#mk, #nk, #mn]
      ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%acc : memref<64x64xf32>)
  }
  return
}

// A batch is a loop around the product of two matrices.
// CHECK-LABEL: @batch_is_a_loop
// CHECK: scf.for %[[B:.*]] = %{{.*}} to %c12
// CHECK: vector.load %{{.*}}[%[[B]], {{.*}} : memref<12x1x64xf32>
func.func @batch_is_a_loop(%q: memref<12x1x64xf32>, %k: memref<12x32x64xf32>, %acc: memref<12x1x32xf32>) {
  linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>,
                                   affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%q, %k : memref<12x1x64xf32>, memref<12x32x64xf32>) outs(%acc : memref<12x1x32xf32>)
  return
}

// Small integers are multiplied in pairs along K, which are summed in i32.
// CHECK-LABEL: @integers_in_pairs
// CHECK: arith.extui {{.*}} : vector<32xi8> to vector<32xi16>
// CHECK: vector.bitcast {{.*}} : vector<32xi16> to vector<16xi32>
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c16
// CHECK: %[[P:.*]] = arith.muli {{.*}} : vector<32xi32>
// CHECK: %[[E:.*]] = vector.shuffle %[[P]], %[[P]] [0, 2, 4, {{.*}}, 30]
// CHECK: %[[O:.*]] = vector.shuffle %[[P]], %[[P]] [1, 3, 5, {{.*}}, 31]
// CHECK: arith.addi %[[E]], %[[O]]
func.func @integers_in_pairs(%x: memref<4x32xi8>, %w: memref<8x32xi8>, %acc: memref<4x8xi32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn] {cast = #linalg.type_fn<cast_unsigned>}
    ins(%x, %w : memref<4x32xi8>, memref<8x32xi8>) outs(%acc : memref<4x8xi32>)
  return
}

// An odd number of products and 32-bit numbers are multiplied one by one.
// CHECK-LABEL: @integers_one_by_one
// CHECK: arith.extui {{.*}} : vector<16xi8> to vector<16xi32>
// CHECK: arith.muli {{.*}} : vector<16xi32>
// CHECK-NOT: vector<32xi32>
// CHECK: return
func.func @integers_one_by_one(%x: memref<4x31xi8>, %w: memref<8x31xi8>, %y: memref<4x32xi32>, %v: memref<8x32xi32>,
                               %acc: memref<4x8xi32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn] {cast = #linalg.type_fn<cast_unsigned>}
    ins(%x, %w : memref<4x31xi8>, memref<8x31xi8>) outs(%acc : memref<4x8xi32>)
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%y, %v : memref<4x32xi32>, memref<8x32xi32>) outs(%acc : memref<4x8xi32>)
  return
}

// A transposed view is read along its contiguous axis; one without such an axis is gathered first.
// CHECK-LABEL: @follows_the_contiguous_axis
// CHECK: %[[KN:.*]] = memref.transpose %{{.*}} (d0, d1) -> (d1, d0)
// CHECK: vector.load %[[KN]]
// CHECK-LABEL: @gathers_without_contiguous_axis
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<8x16xf32>
// CHECK: memref.load
// CHECK: memref.store
func.func @follows_the_contiguous_axis(%x: memref<1x16xf32>, %w: memref<32x16xf32, strided<[1, ?]>>, %acc: memref<1x32xf32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<1x16xf32>, memref<32x16xf32, strided<[1, ?]>>) outs(%acc : memref<1x32xf32>)
  return
}
func.func @gathers_without_contiguous_axis(%x: memref<1x16xf32>, %w: memref<8x16xf32, strided<[?, 2]>>, %acc: memref<1x8xf32>) {
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<1x16xf32>, memref<8x16xf32, strided<[?, 2]>>) outs(%acc : memref<1x8xf32>)
  return
}

// The front of tiles: whole blocks of rows, then of four, two and one; the last columns are masked. Operands are read
// within their fronts: rows of rhs past it repeat the last one, the end of the depth is masked.
// CHECK-LABEL: @fronts
// CHECK-SAME: %[[X:.*]]: memref<36x64xf32>, %[[W:.*]]: memref<48x64xf32>, %[[ACC:.*]]: memref<36x48xf32>, %[[M:.*]]: index, %[[N:.*]]: index
// CHECK-NOT: linalg.contract
// CHECK: %[[LAST:.*]] = arith.subi %[[N]], %c1
// CHECK: arith.minsi %{{.*}}, %[[LAST]]
// CHECK: vector.create_mask
// CHECK: vector.maskedload %[[W]]
// CHECK: vector.maskedload %[[ACC]]
// CHECK-COUNT-12: vector.fma
// CHECK: vector.maskedstore %[[ACC]]
func.func @fronts(%x: memref<36x64xf32>, %w: memref<48x64xf32>, %acc: memref<36x48xf32>, %m: index, %n: index) {
  %xf = memref.subview %x[0, 0] [%m, 8] [1, 1] : memref<36x64xf32> to memref<?x8xf32, strided<[64, 1]>>
  %wf = memref.subview %w[0, 0] [%n, 8] [1, 1] : memref<48x64xf32> to memref<?x8xf32, strided<[64, 1]>>
  %af = memref.subview %acc[0, 0] [%m, %n] [1, 1] : memref<36x48xf32> to memref<?x?xf32, strided<[48, 1]>>
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%xf, %wf : memref<?x8xf32, strided<[64, 1]>>, memref<?x8xf32, strided<[64, 1]>>)
    outs(%af : memref<?x?xf32, strided<[48, 1]>>)
  return
}

// Columns are whole, so the front of rhs has a static type.
// CHECK-LABEL: @front_of_static_type
// CHECK-NOT: linalg.contract
// CHECK: vector.fma
// CHECK: return
func.func @front_of_static_type(%x: memref<36x64xf32>, %w: memref<48x64xf32>, %acc: memref<36x48xf32>, %m: index) {
  %xf = memref.subview %x[0, 0] [%m, 8] [1, 1] : memref<36x64xf32> to memref<?x8xf32, strided<[64, 1]>>
  %wf = memref.subview %w[0, 0] [48, 8] [1, 1] : memref<48x64xf32> to memref<48x8xf32, strided<[64, 1]>>
  %af = memref.subview %acc[0, 0] [%m, 48] [1, 1] : memref<36x48xf32> to memref<?x48xf32, strided<[48, 1]>>
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%xf, %wf : memref<?x8xf32, strided<[64, 1]>>, memref<48x8xf32, strided<[64, 1]>>)
    outs(%af : memref<?x48xf32, strided<[48, 1]>>)
  return
}

// Accumulators initialized by zeros stored before the dot, or before its loop, are not loaded.
// CHECK-LABEL: @begins_at_zero
// CHECK-NOT: linalg.fill
// CHECK-NOT: load %{{.*}} : memref<32x32xf32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %cst
// CHECK: return
func.func @begins_at_zero(%x: memref<32x64xf32>, %w: memref<32x64xf32>, %y: memref<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %acc = memref.alloca() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%acc : memref<32x32xf32>)
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<32x64xf32>, memref<32x64xf32>) outs(%acc : memref<32x32xf32>)
  linalg.copy ins(%acc : memref<32x32xf32>) outs(%y : memref<32x32xf32>)
  return
}
// CHECK-LABEL: @begins_at_zero_in_a_loop
// CHECK-NOT: linalg.fill
// CHECK: scf.for %[[K:.*]] = %[[C0:.*]] to
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[K]], %[[C0]]
// CHECK: %[[MASK:.*]] = arith.select %[[FIRST]], %{{.*}}, %{{.*}} : vector<16xi1>
// CHECK: vector.maskedload %{{.*}} %[[MASK]]{{.*}} : memref<32x32xf32>
func.func @begins_at_zero_in_a_loop(%x: memref<32x64xf32>, %w: memref<32x64xf32>, %y: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %acc = memref.alloca() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%acc : memref<32x32xf32>)
  scf.for %k = %c0 to %c3 step %c1 {
    linalg.contract indexing_maps = [#mk, #nk, #mn]
      ins(%x, %w : memref<32x64xf32>, memref<32x64xf32>) outs(%acc : memref<32x32xf32>)
  }
  linalg.copy ins(%acc : memref<32x32xf32>) outs(%y : memref<32x32xf32>)
  return
}
// Zeros stay if others may see them: a loop that may not run, a reader before the dot, a window that is written,
// another number, other memory, a dot that only some iterations have.
// CHECK-LABEL: @zeros_that_stay
// CHECK-COUNT-6: linalg.fill
func.func @zeros_that_stay(%x: memref<32x64xf32>, %w: memref<32x64xf32>, %y: memref<32x32xf32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %a = memref.alloca() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<32x32xf32>)
  scf.for %k = %c0 to %n step %c1 {
    linalg.contract indexing_maps = [#mk, #nk, #mn]
      ins(%x, %w : memref<32x64xf32>, memref<32x64xf32>) outs(%a : memref<32x32xf32>)
  }
  %b = memref.alloca() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<32x32xf32>)
  linalg.copy ins(%b : memref<32x32xf32>) outs(%y : memref<32x32xf32>)
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<32x64xf32>, memref<32x64xf32>) outs(%b : memref<32x32xf32>)
  %d = memref.alloca() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<32x32xf32>)
  %row = memref.subview %d[0, 0] [1, 32] [1, 1] : memref<32x32xf32> to memref<1x32xf32, strided<[32, 1]>>
  memref.store %one, %row[%c0, %c0] : memref<1x32xf32, strided<[32, 1]>>
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<32x64xf32>, memref<32x64xf32>) outs(%d : memref<32x32xf32>)
  %e = memref.alloca() : memref<32x32xf32>
  linalg.fill ins(%one : f32) outs(%e : memref<32x32xf32>)
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<32x64xf32>, memref<32x64xf32>) outs(%e : memref<32x32xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<32x32xf32>)
  linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%x, %w : memref<32x64xf32>, memref<32x64xf32>) outs(%y : memref<32x32xf32>)
  %f = memref.alloca() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%f : memref<32x32xf32>)
  scf.for %k = %c0 to %c3 step %c1 {
    scf.if %c {
      linalg.contract indexing_maps = [#mk, #nk, #mn]
        ins(%x, %w : memref<32x64xf32>, memref<32x64xf32>) outs(%f : memref<32x32xf32>)
    }
  }
  return
}
