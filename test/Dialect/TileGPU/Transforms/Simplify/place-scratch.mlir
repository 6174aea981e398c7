// RUN: tilegpt-opt %s --tile-gpu-place-scratch --split-input-file -verify-diagnostics | FileCheck %s

// Two memories follow each other in a slot, each aligned to a cache line.
// CHECK-LABEL: tile.kernel @two(
// CHECK-DAG:     %[[S:.*]] = tile.data shared "scratch_slots" align 128 dense<0> : tensor<4096xi32>
// CHECK:         %[[B:.*]] = tile.block_id 0
// CHECK:         %[[F:.*]] = arith.remui %[[B]], %{{.*}} : index
// CHECK:         %[[I:.*]] = arith.index_cast %[[F]] : index to i32
// CHECK:         %[[SLOT:.*]] = scf.while (%[[AT:.*]] = %[[I]]) : (i32) -> i32 {
// CHECK:           %[[O:.*]] = tile.splat %[[AT]] [] : i32 -> tensor<i32>
// CHECK:           %[[W:.*]] = tile.atomic_rmw xchg %[[S]][%[[O]]], %{{.*}} order(acquire)
// CHECK:           %[[H:.*]] = tensor.extract %[[W]][] : tensor<i32>
// CHECK:           %[[N:.*]] = arith.cmpi ne, %[[H]]
// CHECK:           scf.condition(%[[N]]) %[[AT]]
// 4096 slots of 384 bytes.
// CHECK:         tile.data shared "scratch" align 128 dense<0> : tensor<196608xi64>
// CHECK:         %[[C0:.*]] = arith.constant 0 : i64
// CHECK:         %[[A0:.*]] = arith.addi %[[START:.*]], %[[C0]] : i64
// CHECK:         %[[P0:.*]] = tile.int_to_ptr %[[A0]] : !tile.ptr<f32>
// CHECK:         %[[Q0:.*]] = tile.assume %[[P0]] div_by 128
// CHECK:         %[[C1:.*]] = arith.constant 256 : i64
// CHECK:         arith.addi %[[START]], %[[C1]] : i64
// CHECK:         tile.store_at %{{.*}}, %[[Q0]]
// CHECK:         tile.store_at %{{.*}}, %[[S]][%{{.*}}] order(release)
// CHECK-NEXT:  }
tile.kernel @two() outs(%y: !tile.view<?xf32>) grid [8] {
  %p = tile.scratch 33 : !tile.ptr<f32>
  %q = tile.scratch 32 : !tile.ptr<i8>
  %i = tile.iota [4] : tensor<4xi32>
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  tile.store_at %0, %p[%i] : tensor<4xf32>, !tile.ptr<f32>, tensor<4xi32>
  %1 = arith.constant dense<1> : tensor<4xi8>
  tile.store_at %1, %q[%i] : tensor<4xi8>, !tile.ptr<i8>, tensor<4xi32>
}

// -----

// 128 MiB are 32 slots of 4 MiB; block indices of three axes are linearized; an existing name is kept.
// CHECK-LABEL: tile.kernel @large(
// CHECK:         tile.data shared "scratch_slots_" align 128 dense<0> : tensor<32xi32>
// CHECK:         %[[Z:.*]] = tile.block_id 2
// CHECK:         %[[Y:.*]] = tile.block_id 1
// CHECK:         %[[H:.*]] = tile.num_blocks 1
// CHECK:         %[[ZH:.*]] = arith.muli %[[Z]], %[[H]] : index
// CHECK:         arith.addi %[[ZH]], %[[Y]] : index
// CHECK:         tile.block_id 0
// CHECK:         tile.num_blocks 0
// CHECK:         tile.data shared "scratch" align 128 dense<0> : tensor<16777216xi64>
tile.kernel @large(%n: i32) grid launch {
  %p = tile.scratch 1048576 : !tile.ptr<f32>
  %own = tile.data shared "scratch_slots" dense<0> : tensor<1xi32> -> !tile.ptr<i32>
  %i = tile.iota [1] : tensor<1xi32>
  %0 = arith.constant dense<1.0> : tensor<1xf32>
  tile.store_at %0, %p[%i] : tensor<1xf32>, !tile.ptr<f32>, tensor<1xi32>
  %1 = arith.constant dense<1> : tensor<1xi32>
  tile.store_at %1, %own[%i] : tensor<1xi32>, !tile.ptr<i32>, tensor<1xi32>
}

// -----

// CHECK-LABEL: tile.kernel @none(
// CHECK-NOT:     tile.data
tile.kernel @none(%n: i32) grid launch {
}

// -----

tile.kernel @too_large(%n: i32) grid launch {
  // expected-error @below {{'tile.scratch' op takes 134217856 bytes of a block with all others; a GPU has up to 134217728}}
  %p = tile.scratch 16777216 : !tile.ptr<f64>
  %q = tile.scratch 1 : !tile.ptr<f64>
}

// -----

// Blocks of a product may wait for one another.
tile.kernel @product(%a: !tile.ptr<f32>) grid launch {
  // expected-error @below {{'tile.scratch' op takes 65536 bytes of a block with all others; in a kernel that multiplies a GPU has up to 32768}}
  %p = tile.scratch 16384 : !tile.ptr<f32>
  %0 = arith.constant dense<1.0> : tensor<16x16xf32>
  %1 = tile.dot %0, %0, %0 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
}
