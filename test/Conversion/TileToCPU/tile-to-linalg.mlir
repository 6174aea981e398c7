// RUN: tilegpt-opt %s --tile-to-linalg --canonicalize --cse -split-input-file -verify-diagnostics | FileCheck %s

!V = !tile.view<?x?xf32>
// Inputs that are never stored to are read in place; only a tile at the edge is copied and padded.
// CHECK-LABEL: func.func @reads_inputs_in_place.block(
// CHECK-SAME:    %[[X:.*]]: memref<?x?xf32, strided<[?, 1], offset: ?>>, %[[Y:[a-z0-9]*]]: memref<?x?xf32, strided<[?, 1], offset: ?>>, %[[M:[a-z0-9]*]]: index
// CHECK-SAME:    -> i32 attributes {tilegpt.block_order = array<i64: 1, 0, 2>, tilegpt.ranks = array<i64: 2, 2>}
// CHECK:         %[[TILE:.*]] = scf.if %{{.*}} -> (memref<4x8xf32, strided<[?, 1], offset: ?>>)
// CHECK-NEXT:      memref.subview %[[X]][%{{.*}}, %{{.*}}] [4, 8] [1, 1]
// CHECK:         else
// CHECK:           %[[PADDED:.*]] = memref.alloc() : memref<4x8xf32>
// CHECK:           linalg.fill ins(%{{.*}} : f32) outs(%[[PADDED]]
// CHECK:           linalg.copy
// CHECK:         bufferization.to_tensor %[[TILE]] restrict :
// CHECK:         scf.if
// CHECK:           bufferization.materialize_in_destination
// CHECK:         else
// CHECK:           tensor.extract_slice
// CHECK:           bufferization.materialize_in_destination
// CHECK:         return %{{.*}} : i32
tile.kernel @reads_inputs_in_place(%x: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4), ceildiv(dim(%y, 1), 8)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [4, 8] : !V -> tensor<4x8xf32>
  tile.store %t, %y[%m, %n] : tensor<4x8xf32>, !V
}

// -----

!V = !tile.view<?xf32>
// An argument that the kernel stores to is copied: the tile must keep its value.
// CHECK-LABEL: func.func @copies_what_it_writes.block(
// CHECK:         %[[COPY:.*]] = memref.alloc() : memref<16xf32>
// CHECK:         bufferization.to_tensor %[[COPY]] restrict writable
tile.kernel @copies_what_it_writes() outs(%y: !V) grid [ceildiv(dim(%y, 0), 16)] {
  %n = tile.block_id 0
  %t = tile.load %y[%n] [16] : !V -> tensor<16xf32>
  tile.store %t, %y[%n] : tensor<16xf32>, !V
}

// -----

!V = !tile.view<?x?xf32, strides=[1, ?]>
!Y = !tile.view<?x?xf32>
// CHECK-LABEL: func.func @copies_strided_rows.block(
// CHECK:         memref.alloc() : memref<4x8xf32>
// CHECK:         to_tensor %{{.*}} restrict writable
tile.kernel @copies_strided_rows(%x: !V) outs(%y: !Y) grid [1] {
  %n = tile.block_id 0
  %t = tile.load %x[%n, %n] [4, 8] : !V -> tensor<4x8xf32>
  tile.store %t, %y[%n, %n] : tensor<4x8xf32>, !Y
}

// -----

!V = !tile.view<?x2xf32>
!Y = !tile.view<?x?xf32>
// No tile of three columns fits a view of two: only the clipped access is emitted.
// CHECK-LABEL: func.func @never_whole.block(
// CHECK-NOT:     [4, 3] [1, 1]
// CHECK:         linalg.copy
tile.kernel @never_whole(%x: !V) outs(%y: !Y) grid [1] {
  %n = tile.block_id 0
  %t = tile.load %x[%n, %n] [4, 3] : !V -> tensor<4x3xf32>
  tile.store %t, %y[%n, %n] : tensor<4x3xf32>, !Y
}

// -----

!X = !tile.view<?x?xbf16>
!Y = !tile.view<?x?xf32>
// CHECK-DAG: #[[MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @dot.block(
// CHECK:         linalg.contract indexing_maps = [#[[MK]], #[[NK]], #[[MN]]] ins(%{{.*}}, %{{.*}} : tensor<4x8xbf16>, tensor<6x8xbf16>) outs(%{{.*}} : tensor<4x6xf32>)
tile.kernel @dot(%a: !X, %b: !X) outs(%y: !Y) grid [1] {
  %i = tile.block_id 0
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %0 = tile.load %a[%i, %i] [4, 8] : !X -> tensor<4x8xbf16>
  %1 = tile.load %b[%i, %i] [6, 8] : !X -> tensor<6x8xbf16>
  %2 = tile.dot %0, %1, %zero transpose_b : tensor<4x8xbf16>, tensor<6x8xbf16>, tensor<4x6xf32> -> tensor<4x6xf32>
  tile.store %2, %y[%i, %i] : tensor<4x6xf32>, !Y
}

// -----

!X = !tile.view<50x40xf32>
!W = !tile.view<64x40xf32>
!Y = !tile.view<50x64xf32>
// Only the stored rows and the existing depth of a tile at the edge are multiplied; columns are whole. As the operands
// have no other uses, the tile of %a stays in place; that of %b does if all of its rows are in bounds.
// CHECK-LABEL: func.func @dot_at_the_edge.block(
// CHECK-SAME:    %[[A:.*]]: memref<50x40xf32, strided<[40, 1], offset: ?>>, %[[B:.*]]: memref<64x40xf32
// CHECK:         %[[INSIDE:.*]] = memref.subview %[[A]]
// CHECK:         %[[WINDOW:.*]] = memref.reinterpret_cast %{{.*}} sizes: [32, 16]
// CHECK-NOT:     scf.if
// CHECK:         %[[CAST:.*]] = memref.cast %[[WINDOW]]
// CHECK:         bufferization.to_tensor %[[CAST]] restrict
// CHECK:         memref.subview %[[B]]
// CHECK:         memref.reinterpret_cast %{{.*}} sizes: [32, 16]
// CHECK:         %[[LHS:.*]] = tensor.extract_slice %{{.*}}[0, 0] [%[[M:.*]], %[[K:.*]]] [1, 1] : tensor<32x16xf32> to tensor<?x?xf32>
// CHECK:         %[[RHS:.*]] = tensor.extract_slice %{{.*}}[0, 0] [32, %[[K]]] [1, 1] : tensor<32x16xf32> to tensor<32x?xf32>
// CHECK:         %[[ACC:.*]] = tensor.extract_slice %{{.*}}[0, 0] [%[[M]], 32] [1, 1] : tensor<32x32xf32> to tensor<?x32xf32>
// CHECK:         %[[SUM:.*]] = linalg.contract {{.*}} ins(%[[LHS]], %[[RHS]] : {{.*}}) outs(%[[ACC]] : tensor<?x32xf32>)
// CHECK:         tensor.insert_slice %[[SUM]] into %{{.*}}[0, 0] [%[[M]], 32] [1, 1]
tile.kernel @dot_at_the_edge(%a: !X, %b: !W) outs(%y: !Y) grid [2, 2, 3] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %k = tile.block_id 2
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = tile.load %a[%m, %k] [32, 16] : !X -> tensor<32x16xf32>
  %1 = tile.load %b[%n, %k] [32, 16] : !W -> tensor<32x16xf32>
  %2 = tile.dot %0, %1, %zero transpose_b : tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  tile.store %2, %y[%m, %n] : tensor<32x32xf32>, !Y
}

// -----

!X = !tile.view<5x16xf32>
!Y = !tile.view<5x50xf32>
!W = !tile.view<50x16xf32>
// With few rows, only those that are stored are multiplied, if their number is known; all columns are.
// CHECK-LABEL: func.func @few_rows.block(
// CHECK:         linalg.contract {{.*}} : tensor<5x16xf32>, tensor<32x16xf32>) outs(%{{.*}} : tensor<5x32xf32>)
tile.kernel @few_rows(%a: !X, %b: !W) outs(%y: !Y) grid [2] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<8x32xf32>
  %0 = tile.load %a[%c0, %c0] [8, 16] : !X -> tensor<8x16xf32>
  %1 = tile.load %b[%n, %c0] [32, 16] : !W -> tensor<32x16xf32>
  %2 = tile.dot %0, %1, %zero transpose_b : tensor<8x16xf32>, tensor<32x16xf32>, tensor<8x32xf32> -> tensor<8x32xf32>
  tile.store %2, %y[%c0, %n] : tensor<8x32xf32>, !Y
}

// -----

!X = !tile.view<?x16xf32>
!Y = !tile.view<?x64xf32>
!W = !tile.view<64x16xf32>
// If it is unknown, the whole tile is multiplied.
// CHECK-LABEL: func.func @few_rows_of_any_number.block(
// CHECK-NOT:     tensor.extract_slice %{{.*}} : tensor<8x16xf32>
// CHECK:         linalg.contract {{.*}} : tensor<8x16xf32>, tensor<32x16xf32>) outs(%{{.*}} : tensor<8x32xf32>)
tile.kernel @few_rows_of_any_number(%a: !X, %b: !W) outs(%y: !Y) grid [2] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<8x32xf32>
  %0 = tile.load %a[%c0, %c0] [8, 16] : !X -> tensor<8x16xf32>
  %1 = tile.load %b[%n, %c0] [32, 16] : !W -> tensor<32x16xf32>
  %2 = tile.dot %0, %1, %zero transpose_b : tensor<8x16xf32>, tensor<32x16xf32>, tensor<8x32xf32> -> tensor<8x32xf32>
  tile.store %2, %y[%c0, %n] : tensor<8x32xf32>, !Y
}

// -----

!X = !tile.view<50x40xf32>
!Y = !tile.view<50x50xf32>
// Other readers of a tile need all of it, as does a dot that rounds its operands.
// CHECK-LABEL: func.func @whole_tiles_at_the_edge.block(
// CHECK-NOT:     memref.reinterpret_cast
// CHECK-COUNT-3: linalg.copy
// CHECK-NOT:     memref.reinterpret_cast
// CHECK:         return
tile.kernel @whole_tiles_at_the_edge(%a: !X, %b: !X, %c: !X) outs(%y: !Y) grid [2, 2] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = tile.load %a[%m, %n] [32, 32] : !X -> tensor<32x32xf32>
  %1 = tile.load %b[%m, %n] [32, 32] : !X -> tensor<32x32xf32>
  %2 = tile.load %c[%m, %n] [32, 32] : !X -> tensor<32x32xf32>
  %3 = tile.dot %0, %0, %zero transpose_b : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %4 = tile.dot %1, %2, %zero transpose_b precision(tf32) : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %5 = arith.addf %3, %4 : tensor<32x32xf32>
  tile.store %5, %y[%m, %n] : tensor<32x32xf32>, !Y
}

// -----

!X = !tile.view<50x32xf32>
!Y = !tile.view<64xf32>
// A sum over rows needs all of them.
// CHECK-LABEL: func.func @rows_that_are_summed.block(
// CHECK-NOT:     tensor.extract_slice
// CHECK:         linalg.contract {{.*}} outs(%{{.*}} : tensor<32x32xf32>)
tile.kernel @rows_that_are_summed(%a: !X, %b: !X) outs(%y: !Y) grid [2, 2] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = tile.load %a[%m, %m] [32, 16] : !X -> tensor<32x16xf32>
  %1 = tile.load %b[%n, %m] [32, 16] : !X -> tensor<32x16xf32>
  %2 = tile.dot %0, %1, %zero transpose_b : tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %3 = tile.reduce add %2 axis 0 : tensor<32x32xf32> -> tensor<32xf32>
  tile.store %3, %y[%n] : tensor<32xf32>, !Y
}

// -----

!X = !tile.view<?x?xbf16>
!Y = !tile.view<?xbf16>
// Sums of bf16 are computed in f32 and rounded once.
// CHECK-LABEL: func.func @sum.block(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8xbf16>) outs(%{{.*}} : tensor<4xf32>)
// CHECK:           arith.extf
// CHECK:           arith.addf %{{.*}} : f32
// CHECK:         arith.truncf %{{.*}} : tensor<4xf32> to tensor<4xbf16>
tile.kernel @sum(%a: !X) outs(%y: !Y) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i, %i] [4, 8] : !X -> tensor<4x8xbf16>
  %1 = tile.reduce add %0 axis 1 : tensor<4x8xbf16> -> tensor<4xbf16>
  tile.store %1, %y[%i] : tensor<4xbf16>, !Y
}

// -----

!I = !tile.view<?xi32>
!X = !tile.view<?x?xf32>
// A row with an out-of-bounds index becomes padding; unsigned, negative indices are too large.
// CHECK-LABEL: func.func @gather.block(
// CHECK:         scf.for
// CHECK:           arith.cmpi ult
// CHECK:           scf.if
// CHECK:             linalg.copy
// CHECK:           else
// CHECK:             linalg.fill
tile.kernel @gather(%ids: !I, %x: !X) outs(%y: !X) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %ids[%i] [4] : !I -> tensor<4xi32>
  %1 = tile.gather %x[%i] at %0 axis 0 [4, 8] : !X, tensor<4xi32> -> tensor<4x8xf32>
  tile.store %1, %y[%i, %i] : tensor<4x8xf32>, !X
}

// -----

!I = !tile.view<?xi32>
!X = !tile.view<?x?xf32>
// Rows share the search for runs of eight consecutive columns; such a run is copied as a whole.
// CHECK-LABEL: func.func @gather_runs.block(
// CHECK:         %[[RUNS:.*]] = memref.alloc() : memref<2xi64>
// CHECK:         scf.for
// CHECK-COUNT-7:   arith.cmpi eq
// CHECK:           memref.store %{{.*}}, %[[RUNS]]
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             %[[FIRST:.*]] = memref.load %[[RUNS]]
// CHECK:             arith.cmpi ne, %[[FIRST]], %c-1_i64
// CHECK:             scf.if
// CHECK:               linalg.copy ins(%{{.*}} : memref<1x8xf32,
// CHECK:             else
// CHECK:               scf.for
tile.kernel @gather_runs(%ids: !I, %x: !X) outs(%y: !X) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %ids[%i] [16] : !I -> tensor<16xi32>
  %1 = tile.gather %x[%i] at %0 axis 1 [4, 16] : !X, tensor<16xi32> -> tensor<4x16xf32>
  tile.store %1, %y[%i, %i] : tensor<4x16xf32>, !X
}

// -----

!I = !tile.view<?xi32>
!X = !tile.view<?x?xf32>
// Twelve columns are no whole number of runs; for three rows the search does not pay.
// CHECK-LABEL: func.func @gather_elements.block(
// CHECK-NOT:     memref<{{.*}}xi64>
// CHECK:         return
tile.kernel @gather_elements(%ids: !I, %x: !X) outs(%y: !X) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %ids[%i] [12] : !I -> tensor<12xi32>
  %1 = tile.gather %x[%i] at %0 axis 1 [4, 12] : !X, tensor<12xi32> -> tensor<4x12xf32>
  tile.store %1, %y[%i, %i] : tensor<4x12xf32>, !X
  %2 = tile.load %ids[%i] [16] : !I -> tensor<16xi32>
  %3 = tile.gather %x[%i] at %2 axis 1 [3, 16] : !X, tensor<16xi32> -> tensor<3x16xf32>
  tile.store %3, %y[%i, %i] : tensor<3x16xf32>, !X
}

// -----

!I = !tile.view<?xi32>
!X = !tile.view<?xf32>
// Single elements are scattered a vector at a time; masked ones have an index that is out of bounds.
// CHECK-LABEL: func.func @scatter_elements.block(
// CHECK:         %[[AT:.*]] = arith.select %{{.*}} : tensor<40xi1>, tensor<40xi32>
// CHECK:         %[[INDICES:.*]] = bufferization.to_buffer %[[AT]] read_only
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %c32{{.*}} step %c16
// CHECK:           %[[INDEX:.*]] = vector.load %[[INDICES]][%[[I]]]
// CHECK:           %[[WIDE:.*]] = arith.index_cast %[[INDEX]]
// CHECK:           %[[EXISTS:.*]] = arith.cmpi ult, %[[WIDE]], %{{.*}} : vector<16xindex>
// CHECK:           vector.scatter %{{.*}}[%c0{{.*}}] [%[[INDEX]]], %[[EXISTS]], %{{.*}} : {{.*}} vector<16xi32>, vector<16xi1>, vector<16xf32>
// CHECK:         vector.constant_mask [8] : vector<16xi1>
// CHECK:         vector.maskedload %[[INDICES]]
// CHECK:         vector.scatter
tile.kernel @scatter_elements(%ids: !I, %x: !X) outs(%y: !X) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %ids[%i] [40] : !I -> tensor<40xi32>
  %1 = tile.load %x[%i] [40] : !X -> tensor<40xf32>
  %2 = arith.constant dense<0.0> : tensor<40xf32>
  %3 = arith.cmpf one, %1, %2 : tensor<40xf32>
  tile.scatter %1, %y[] at %0 axis 0 mask(%3 : tensor<40xi1>) : tensor<40xf32>, !X, tensor<40xi32>
}

// -----

// No host scatters elements of 16 bits.
// CHECK-LABEL: func.func @scatter_halves.block(
// CHECK-NOT:     vector.scatter
// CHECK:         return
tile.kernel @scatter_halves(%ids: !tile.view<?xi32>, %x: !tile.view<?xf16>) outs(%y: !tile.view<?xf16>) grid [1] {
  %i = tile.block_id 0
  %0 = tile.load %ids[%i] [40] : !tile.view<?xi32> -> tensor<40xi32>
  %1 = tile.load %x[%i] [40] : !tile.view<?xf16> -> tensor<40xf16>
  tile.scatter %1, %y[] at %0 axis 0 : tensor<40xf16>, !tile.view<?xf16>, tensor<40xi32>
}

// -----

// expected-error@+1 {{'tile.kernel' op argument #0 has the open type}}
tile.kernel @open_type(%x: !tile.view<?x!tile.elt<X>>) outs(%y: !tile.view<?xf32>) params {X: type = f32} grid [1] {
}

// -----

tile.kernel @open_size(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) params {BN = 16} grid [1] {
  %i = tile.block_id 0
  // expected-error@+1 {{run --tile-specialize first}}
  %t = tile.load %x[%i] [BN] : !tile.view<?xf32> -> tensor<?xf32>
}

// -----

!V = !tile.view<?xf32>
// A loop along the axis that carries the running value; the first element is itself, and nothing precedes it.
// CHECK-LABEL: func.func @scans.block(
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[C7:.*]] = arith.constant 7 : index
// CHECK:         %[[T:.*]] = bufferization.to_tensor
// CHECK:         %[[BUFFER:.*]] = memref.alloc() : memref<8xf32>
// CHECK:         %[[LAST:.*]] = tensor.extract %[[T]][%[[C7]]]
// CHECK:         memref.store %[[ZERO]], %[[BUFFER]][%[[C7]]]
// CHECK:         scf.for %[[I:.*]] = %c1 to %c8 step %c1 iter_args(%[[SUM:.*]] = %[[LAST]]) -> (f32) {
// CHECK:           %[[AT:.*]] = arith.subi %[[C7]], %[[I]]
// CHECK:           %[[E:.*]] = tensor.extract %[[T]][%[[AT]]]
// CHECK:           %[[NEXT:.*]] = arith.addf %[[SUM]], %[[E]]
// CHECK:           memref.store %[[SUM]], %[[BUFFER]][%[[AT]]]
// CHECK:           scf.yield %[[NEXT]]
tile.kernel @scans(%x: !V) outs(%y: !V) grid [1] {
  %c = arith.constant 0 : index
  %t = tile.load %x[%c] [8] : !V -> tensor<8xf32>
  %s = tile.scan add %t axis 0 exclusive reverse : tensor<8xf32>
  tile.store %s, %y[%c] : tensor<8xf32>, !V
}

// -----

!V = !tile.view<?xbf16>
// Accesses by offset go element by element, in the integer type of the memory. A bf16 sum is retried until no other
// thread has changed the element in between.
// CHECK-LABEL: func.func @offsets.block(
// CHECK:         %[[BASE:.*]] = memref.extract_aligned_pointer_as_index
// CHECK:         scf.for
// CHECK:           %[[SHOWN:.*]] = tensor.extract %{{.*}} : tensor<4xi1>
// CHECK:           scf.if %[[SHOWN]]
// CHECK:             %[[P:.*]] = llvm.inttoptr %{{.*}} : i64 to !llvm.ptr
// CHECK:             %[[FIRST:.*]] = llvm.load %[[P]] atomic monotonic {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK:             scf.while (%[[SEEN:.*]] = %[[FIRST]]) : (i16) -> i16 {
// CHECK:               %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : bf16
// CHECK:               %[[BITS:.*]] = arith.bitcast %[[SUM]] : bf16 to i16
// CHECK:               llvm.cmpxchg %[[P]], %[[SEEN]], %[[BITS]] release monotonic : !llvm.ptr, i16
// CHECK:         scf.for
// CHECK:           llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK:         scf.for
// CHECK:           llvm.store %{{.*}}, %{{.*}} atomic monotonic {alignment = 2 : i64} : i16, !llvm.ptr
tile.kernel @offsets(%i: i32) outs(%y: !V) grid [1] {
  %p = tile.base %y : !V -> !tile.ptr<bf16>
  %o = tile.iota [4] : tensor<4xi32>
  %one = arith.constant dense<1.0> : tensor<4xbf16>
  %m = arith.constant dense<[true, false, true, true]> : tensor<4xi1>
  %old = tile.atomic_rmw add %p[%o], %one mask(%m : tensor<4xi1>) order(release) : !tile.ptr<bf16>, tensor<4xi32>, tensor<4xbf16>
  %v = tile.load_at %p[%o] : !tile.ptr<bf16>, tensor<4xi32> -> tensor<4xbf16>
  tile.store_at %v, %p[%o] order(relaxed) : tensor<4xbf16>, !tile.ptr<bf16>, tensor<4xi32>
}

// -----

// A print holds the stream from its first line to its last.
// CHECK-DAG:     llvm.mlir.global external @stdout() {{.*}} : !llvm.ptr
// CHECK-DAG:     llvm.mlir.global internal constant @[[TEXT:.*]]("[%d] %.2f of %lld\0A\00")
// CHECK-LABEL: func.func @print.block(
// CHECK-DAG:     %[[OUT:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK-DAG:     %[[F:.*]] = llvm.mlir.addressof @[[TEXT]]
// CHECK:         llvm.call @flockfile(%[[OUT]])
// CHECK:         scf.for
// CHECK:           %[[X:.*]] = tensor.extract %{{.*}} : tensor<4xf16>
// CHECK:           %[[D:.*]] = arith.extf %[[X]] : f16 to f64
// CHECK:           llvm.call @printf(%[[F]], %{{.*}}, %[[D]], %{{.*}}) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, f64, i64) -> i32
// CHECK:         llvm.call @fflush(%[[OUT]])
// CHECK:         llvm.call @funlockfile(%[[OUT]])
tile.kernel @print(%n: index, %h: f16) grid [1] {
  %x = tile.splat %h [4] : f16 -> tensor<4xf16>
  tile.print "%.2f of %d\0A", %x, %n : tensor<4xf16>, index
}

// -----

// Every kernel defines the memory of its program; that of a kernel is private.
// CHECK-DAG:   memref.global "private" @tilegpt_shared_counts.block_own : memref<1xi32> = dense<0> {alignment = 16 : i64}
// CHECK-DAG:   memref.global @tilegpt_program_all : memref<1xi32> = dense<0> {alignment = 64 : i64}
// CHECK-LABEL: func.func @counts.block(
// CHECK-DAG:     memref.get_global @tilegpt_shared_counts.block_own
// CHECK-DAG:     memref.get_global @tilegpt_program_all
tile.kernel @counts() grid [1] {
  %own = tile.data shared "own" dense<0> : tensor<1xi32> -> !tile.ptr<i32>
  %all = tile.data shared "all" align 64 dense<0> : tensor<1xi32> {tile.program} -> !tile.ptr<i32>
  %o = arith.constant dense<0> : tensor<1xi32>
  %one = arith.constant dense<1> : tensor<1xi32>
  tile.store_at %one, %own[%o] : tensor<1xi32>, !tile.ptr<i32>, tensor<1xi32>
  tile.store_at %one, %all[%o] : tensor<1xi32>, !tile.ptr<i32>, tensor<1xi32>
}

// -----

// CHECK:       memref.global "private" constant @tilegpt_data_0 : memref<4xbf16> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> {alignment = 16 : i64}
// CHECK-LABEL: func.func @memory.block(
// CHECK:         %[[DATA:.*]] = memref.get_global @tilegpt_data_0
// CHECK:         memref.reinterpret_cast %[[DATA]]
// CHECK:         %[[OWN:.*]] = memref.alloc() : memref<4xbf16>
// CHECK:         memref.reinterpret_cast %[[OWN]]
tile.kernel @memory() grid [1] {
  %p = tile.data dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xbf16> -> !tile.ptr<bf16>
  %q = tile.scratch 4 : !tile.ptr<bf16>
  %o = tile.iota [4] : tensor<4xi32>
  %v = tile.load_at %p[%o] : !tile.ptr<bf16>, tensor<4xi32> -> tensor<4xbf16>
  tile.store_at %v, %q[%o] : tensor<4xbf16>, !tile.ptr<bf16>, tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @bytes.block(
// CHECK:         arith.shrui %{{.*}} : tensor<4x2xi16>
// CHECK:         arith.trunci %{{.*}} : tensor<4x2xi16> to tensor<4x2xi8>
tile.kernel @bytes() outs(%y: !tile.view<8xi8>) grid [1] {
  %i = tile.block_id 0
  %x = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf16>
  %b = tile.bytes %x : tensor<4xf16> -> tensor<8xi8>
  tile.store %b, %y[%i] : tensor<8xi8>, !tile.view<8xi8>
}

// -----

// Pointers may alias: a tile that is stored is copied first; one that a loop has consumed before anything is stored is
// read in place.
// CHECK-LABEL: func.func @raw.block(
// CHECK-SAME:    %{{.*}}: memref<f32, strided<[], offset: ?>>, %{{.*}}: memref<f32, strided<[], offset: ?>>
// CHECK-SAME:    attributes {tilegpt.ranks = array<i64: -2, -2>}
// CHECK-NOT:     -> (memref<4xf32
// CHECK:         scf.for
// CHECK:           scf.if %{{.*}} -> (memref<4xf32, strided<[1], offset: ?>>)
tile.kernel @raw(%a: !tile.ptr<f32>, %y: !tile.ptr<f32>) grid launch {
  %m = tile.block_id 0
  %n = tile.num_blocks 0
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %av = tile.view_at %a sizes [64] : !tile.ptr<f32> -> !tile.view<64xf32>
  %yv = tile.view_at %y sizes [64] : !tile.ptr<f32> -> !tile.view<64xf32>
  %stored = tile.load %av[%m] [4] : !tile.view<64xf32> -> tensor<4xf32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %stored) -> tensor<4xf32> {
    %used = tile.load %av[%i] [4] : !tile.view<64xf32> -> tensor<4xf32>
    %next = arith.addf %acc, %used : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  tile.store %sum, %yv[%m] : tensor<4xf32>, !tile.view<64xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#row = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
tile.kernel @spread_over_threads(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  // expected-error @+1 {{'tile.splat' op has a tile with a layout, 'tensor<32xf32, #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>>'; run this pass before --tile-gpu-assign-layouts}}
  %t = tile.splat %s [32] : f32 -> tensor<32xf32, #row>
}

// -----

!V = !tile.view<?x?xf32>
!C = !tile.view<?x?xf32, strides=[1, ?]>
// Consecutive blocks continue the rows of results. The natural order remains where the first axis of the grid does that
// already, where results disagree, where rows are not contiguous, and for products.
// CHECK-LABEL: func.func @natural_rows.block(
// CHECK-SAME:    -> i32 attributes {tilegpt.ranks =
tile.kernel @natural_rows(%x: !V) outs(%y: !V) grid [ceildiv(dim(%y, 1), 8), ceildiv(dim(%y, 0), 4)] {
  %n = tile.block_id 0
  %m = tile.block_id 1
  %t = tile.load %x[%m, %n] [4, 8] : !V -> tensor<4x8xf32>
  tile.store %t, %y[%m, %n] : tensor<4x8xf32>, !V
}
// CHECK-LABEL: func.func @two_results.block(
// CHECK-SAME:    -> i32 attributes {tilegpt.ranks =
tile.kernel @two_results(%x: !V) outs(%y: !V, %z: !V) grid [ceildiv(dim(%y, 0), 8), ceildiv(dim(%y, 1), 8)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [8, 8] : !V -> tensor<8x8xf32>
  %p = tile.permute %t [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
  tile.store %t, %y[%m, %n] : tensor<8x8xf32>, !V
  tile.store %p, %z[%n, %m] : tensor<8x8xf32>, !V
}
// CHECK-LABEL: func.func @columns.block(
// CHECK-SAME:    -> i32 attributes {tilegpt.ranks =
tile.kernel @columns(%x: !C) outs(%y: !C) grid [ceildiv(dim(%y, 0), 8), ceildiv(dim(%y, 1), 8)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [8, 8] : !C -> tensor<8x8xf32>
  tile.store %t, %y[%m, %n] : tensor<8x8xf32>, !C
}
// CHECK-LABEL: func.func @product.block(
// CHECK-SAME:    -> i32 attributes {tilegpt.ranks =
tile.kernel @product(%x: !V, %w: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 8), ceildiv(dim(%y, 1), 8)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<0.0> : tensor<8x8xf32>
  %t = tile.load %x[%m, %c0] [8, 8] : !V -> tensor<8x8xf32>
  %v = tile.load %w[%n, %c0] [8, 8] : !V -> tensor<8x8xf32>
  %p = tile.dot %t, %v, %a transpose_b : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  tile.store %p, %y[%m, %n] : tensor<8x8xf32>, !V
}

// -----

// Along rows, an argmax is the extreme and the first position that holds it; along columns it is one reduction of both.
// CHECK-LABEL: func.func @argmax.block(
// CHECK:       %[[MOST:.+]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK:         arith.maximumf
// CHECK:       linalg.generic {{.*}} ins(%{{.+}}, %[[MOST]] :
// CHECK:         arith.cmpf oeq
// CHECK:         arith.cmpf uno
// CHECK:         arith.minsi
// CHECK:       linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]}
// CHECK:         arith.cmpf ogt
// CHECK:       return
tile.kernel @argmax(%x: !tile.view<4x8xf32>) outs(%y: !tile.view<4xi32>, %z: !tile.view<8xi32>) grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [4, 8] : !tile.view<4x8xf32> -> tensor<4x8xf32>
  %r = tile.reduce argmax %t axis 1 : tensor<4x8xf32> -> tensor<4xi32>
  %s = tile.reduce argmax %t axis 0 : tensor<4x8xf32> -> tensor<8xi32>
  tile.store %r, %y[%c0] : tensor<4xi32>, !tile.view<4xi32>
  tile.store %s, %z[%c0] : tensor<8xi32>, !tile.view<8xi32>
}
