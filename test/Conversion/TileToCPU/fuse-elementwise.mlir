// RUN: tilegpt-opt %s --cpu-fuse-elementwise --canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @one_reader(
// CHECK:         linalg.generic
// CHECK:           arith.subf
// CHECK-NEXT:      math.exp
// CHECK-NOT:     linalg.generic
func.func @one_reader(%x: tensor<4x8xf32>, %m: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %d = arith.subf %x, %m : tensor<4x8xf32>
  %e = math.exp %d : tensor<4x8xf32>
  return %e : tensor<4x8xf32>
}

// -----

// A difference is cheaper to compute twice than to store; an exponential is not.
// CHECK-LABEL: func.func @two_readers(
// CHECK:         linalg.generic
// CHECK:           arith.subf
// CHECK-NEXT:      math.exp
// CHECK:         linalg.generic
// CHECK:           arith.subf
// CHECK-NEXT:      arith.divf
// CHECK:         linalg.generic
// CHECK-NOT:       math.exp
// CHECK:           math.log
func.func @two_readers(%x: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %d = arith.subf %x, %m : tensor<8xf32>
  %e = math.exp %d : tensor<8xf32>
  %q = arith.divf %d, %e : tensor<8xf32>
  %l = math.log %e : tensor<8xf32>
  return %e, %q, %l : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

#row = affine_map<(d0, d1) -> (d0, 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
// One square root per row, not per element.
// CHECK-LABEL: func.func @computes_no_more_often(
// CHECK:         linalg.generic
// CHECK:           math.rsqrt
// CHECK-NEXT:      linalg.yield
// CHECK:         linalg.generic
// CHECK-NOT:       math.rsqrt
// CHECK:           arith.mulf
func.func @computes_no_more_often(%x: tensor<4x8xf32>, %v: tensor<4x1xf32>) -> tensor<4x8xf32> {
  %s = math.rsqrt %v : tensor<4x1xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %b = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x1xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%i: f32, %o: f32):
      linalg.yield %i : f32
  } -> tensor<4x8xf32>
  %r = arith.mulf %x, %b : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @fills_constants(
// CHECK:         %[[FILL:.*]] = linalg.fill
// CHECK:         return %[[FILL]]
func.func @fills_constants() -> tensor<4xf32> {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

// An operand that an op reads twice is computed once.
// CHECK-LABEL: func.func @squares_of_squares(
// CHECK-COUNT-20: arith.mulf
// CHECK-NOT:      arith.mulf
func.func @squares_of_squares(%v1: tensor<64xf32>) -> tensor<64xf32> {
  %v2 = arith.mulf %v1, %v1 : tensor<64xf32>
  %v3 = arith.mulf %v2, %v2 : tensor<64xf32>
  %v4 = arith.mulf %v3, %v3 : tensor<64xf32>
  %v5 = arith.mulf %v4, %v4 : tensor<64xf32>
  %v6 = arith.mulf %v5, %v5 : tensor<64xf32>
  %v7 = arith.mulf %v6, %v6 : tensor<64xf32>
  %v8 = arith.mulf %v7, %v7 : tensor<64xf32>
  %v9 = arith.mulf %v8, %v8 : tensor<64xf32>
  %v10 = arith.mulf %v9, %v9 : tensor<64xf32>
  %v11 = arith.mulf %v10, %v10 : tensor<64xf32>
  %v12 = arith.mulf %v11, %v11 : tensor<64xf32>
  %v13 = arith.mulf %v12, %v12 : tensor<64xf32>
  %v14 = arith.mulf %v13, %v13 : tensor<64xf32>
  %v15 = arith.mulf %v14, %v14 : tensor<64xf32>
  %v16 = arith.mulf %v15, %v15 : tensor<64xf32>
  %v17 = arith.mulf %v16, %v16 : tensor<64xf32>
  %v18 = arith.mulf %v17, %v17 : tensor<64xf32>
  %v19 = arith.mulf %v18, %v18 : tensor<64xf32>
  %v20 = arith.mulf %v19, %v19 : tensor<64xf32>
  %v21 = arith.mulf %v20, %v20 : tensor<64xf32>
  return %v21 : tensor<64xf32>
}

// -----

// Each op reads the previous two: no op absorbs all of its predecessors again and again.
// CHECK-LABEL: func.func @reads_two_before(
// CHECK:         return
func.func @reads_two_before(%v0: tensor<64xf32>, %v1: tensor<64xf32>) -> tensor<64xf32> {
  %v2 = arith.addf %v0, %v1 : tensor<64xf32>
  %v3 = arith.addf %v1, %v2 : tensor<64xf32>
  %v4 = arith.addf %v2, %v3 : tensor<64xf32>
  %v5 = arith.addf %v3, %v4 : tensor<64xf32>
  %v6 = arith.addf %v4, %v5 : tensor<64xf32>
  %v7 = arith.addf %v5, %v6 : tensor<64xf32>
  %v8 = arith.addf %v6, %v7 : tensor<64xf32>
  %v9 = arith.addf %v7, %v8 : tensor<64xf32>
  %v10 = arith.addf %v8, %v9 : tensor<64xf32>
  %v11 = arith.addf %v9, %v10 : tensor<64xf32>
  %v12 = arith.addf %v10, %v11 : tensor<64xf32>
  %v13 = arith.addf %v11, %v12 : tensor<64xf32>
  %v14 = arith.addf %v12, %v13 : tensor<64xf32>
  %v15 = arith.addf %v13, %v14 : tensor<64xf32>
  %v16 = arith.addf %v14, %v15 : tensor<64xf32>
  %v17 = arith.addf %v15, %v16 : tensor<64xf32>
  %v18 = arith.addf %v16, %v17 : tensor<64xf32>
  %v19 = arith.addf %v17, %v18 : tensor<64xf32>
  %v20 = arith.addf %v18, %v19 : tensor<64xf32>
  %v21 = arith.addf %v19, %v20 : tensor<64xf32>
  %v22 = arith.addf %v20, %v21 : tensor<64xf32>
  %v23 = arith.addf %v21, %v22 : tensor<64xf32>
  %v24 = arith.addf %v22, %v23 : tensor<64xf32>
  %v25 = arith.addf %v23, %v24 : tensor<64xf32>
  %v26 = arith.addf %v24, %v25 : tensor<64xf32>
  %v27 = arith.addf %v25, %v26 : tensor<64xf32>
  %v28 = arith.addf %v26, %v27 : tensor<64xf32>
  %v29 = arith.addf %v27, %v28 : tensor<64xf32>
  %v30 = arith.addf %v28, %v29 : tensor<64xf32>
  %v31 = arith.addf %v29, %v30 : tensor<64xf32>
  %v32 = arith.addf %v30, %v31 : tensor<64xf32>
  %v33 = arith.addf %v31, %v32 : tensor<64xf32>
  %v34 = arith.addf %v32, %v33 : tensor<64xf32>
  %v35 = arith.addf %v33, %v34 : tensor<64xf32>
  %v36 = arith.addf %v34, %v35 : tensor<64xf32>
  %v37 = arith.addf %v35, %v36 : tensor<64xf32>
  %v38 = arith.addf %v36, %v37 : tensor<64xf32>
  %v39 = arith.addf %v37, %v38 : tensor<64xf32>
  %v40 = arith.addf %v38, %v39 : tensor<64xf32>
  %v41 = arith.addf %v39, %v40 : tensor<64xf32>
  return %v41 : tensor<64xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
// Two dots that start with one tile of zeros: each gets its own. A tile that is read afterwards is copied.
// CHECK-LABEL: func.func @fronts_of_one_tile
// CHECK:         %[[A:.*]] = linalg.fill
// CHECK:         %[[AF:.*]] = tensor.extract_slice %[[A]][0, 0]
// CHECK:         %[[AS:.*]] = linalg.contract {{.*}} outs(%[[AF]]
// CHECK:         tensor.insert_slice %[[AS]] into %[[A]]
// CHECK:         %[[B:.*]] = linalg.fill
// CHECK:         %[[BF:.*]] = tensor.extract_slice %[[B]][0, 0]
// CHECK:         %[[BS:.*]] = linalg.contract {{.*}} outs(%[[BF]]
// CHECK:         tensor.insert_slice %[[BS]] into %[[B]]
// CHECK:         %[[C:.*]] = bufferization.alloc_tensor() copy(%{{.*}}) : tensor<32x32xf32>
// CHECK:         %[[CF:.*]] = tensor.extract_slice %[[C]][0, 0]
// CHECK:         %[[CS:.*]] = linalg.contract {{.*}} outs(%[[CF]]
func.func @fronts_of_one_tile(%x: tensor<?x8xf32>, %w: tensor<32x8xf32>, %m: index)
    -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %f = tensor.extract_slice %zero[0, 0] [%m, 32] [1, 1] : tensor<32x32xf32> to tensor<?x32xf32>
  %0 = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%x, %w : tensor<?x8xf32>, tensor<32x8xf32>) outs(%f : tensor<?x32xf32>) -> tensor<?x32xf32>
  %1 = tensor.insert_slice %0 into %zero[0, 0] [%m, 32] [1, 1] : tensor<?x32xf32> into tensor<32x32xf32>
  %2 = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%x, %w : tensor<?x8xf32>, tensor<32x8xf32>) outs(%f : tensor<?x32xf32>) -> tensor<?x32xf32>
  %3 = tensor.insert_slice %2 into %zero[0, 0] [%m, 32] [1, 1] : tensor<?x32xf32> into tensor<32x32xf32>
  %g = tensor.extract_slice %1[0, 0] [%m, 32] [1, 1] : tensor<32x32xf32> to tensor<?x32xf32>
  %4 = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%x, %w : tensor<?x8xf32>, tensor<32x8xf32>) outs(%g : tensor<?x32xf32>) -> tensor<?x32xf32>
  %5 = tensor.insert_slice %4 into %1[0, 0] [%m, 32] [1, 1] : tensor<?x32xf32> into tensor<32x32xf32>
  return %1, %3, %5 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
// A tile that is stored as a whole or, at an edge, in part is computed for each store, only as far as it is stored.
// CHECK-LABEL: func.func @computed_where_stored(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[V:.*]]: tensor<8xf32>, %[[W:.*]]: tensor<4x1xf32>, %{{.*}}, %{{.*}}, %[[M:.*]]: index, %[[N:.*]]: index
// CHECK-NOT:     linalg.generic
// CHECK:         scf.if
// CHECK:           %[[WHOLE:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[V]], %[[W]] :
// CHECK:           bufferization.materialize_in_destination %[[WHOLE]]
// CHECK:         } else {
// CHECK-DAG:       %[[XF:.*]] = tensor.extract_slice %[[X]][0, 0] [%[[M]], %[[N]]]
// CHECK-DAG:       %[[VF:.*]] = tensor.extract_slice %[[V]][0] [%[[N]]]
// CHECK-DAG:       %[[WF:.*]] = tensor.extract_slice %[[W]][0, 0] [%[[M]], 1]
// CHECK:           %[[PART:.*]] = linalg.generic {{.*}} ins(%[[XF]], %[[VF]], %[[WF]] :
// CHECK:           bufferization.materialize_in_destination %[[PART]]
// CHECK-NOT:     linalg.generic
func.func @computed_where_stored(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %w: tensor<4x1xf32>, %y: memref<4x8xf32>, %z: memref<?x?xf32>, %m: index,
                                 %n: index, %c: i1) {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #column, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %v, %w : tensor<4x8xf32>, tensor<8xf32>, tensor<4x1xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32, %d: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      %t = arith.mulf %s, %d : f32
      linalg.yield %t : f32
  } -> tensor<4x8xf32>
  scf.if %c {
    bufferization.materialize_in_destination %r in restrict writable %y : (tensor<4x8xf32>, memref<4x8xf32>) -> ()
  } else {
    %f = tensor.extract_slice %r[0, 0] [%m, %n] [1, 1] : tensor<4x8xf32> to tensor<?x?xf32>
    bufferization.materialize_in_destination %f in restrict writable %z : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// A tile with other uses, and one of which a part with another start is stored, are computed once.
// CHECK-LABEL: func.func @made_once(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         scf.if
func.func @made_once(%x: tensor<4x8xf32>, %y: memref<4x8xf32>, %z: memref<?x8xf32>, %m: index, %c: i1) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = math.exp %a : f32
      linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = math.log %a : f32
      linalg.yield %s : f32
  } -> tensor<4x8xf32>
  scf.if %c {
    bufferization.materialize_in_destination %r in restrict writable %y : (tensor<4x8xf32>, memref<4x8xf32>) -> ()
  } else {
    %f = tensor.extract_slice %q[1, 0] [%m, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
    bufferization.materialize_in_destination %f in restrict writable %z : (tensor<?x8xf32>, memref<?x8xf32>) -> ()
  }
  return %r : tensor<4x8xf32>
}

// -----

// Every op is cheap and has two readers, as in the rounds of a random number generator: what each reader recomputes is
// bounded, so that results do not have copies of the whole chain.
// CHECK-LABEL: func.func @chain_of_cheap_ops(
// CHECK-COUNT-8: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @chain_of_cheap_ops(%x: tensor<8xi32>, %y: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %a0 = arith.addi %x, %y : tensor<8xi32>
  %l0 = arith.xori %y, %a0 : tensor<8xi32>
  %a1 = arith.addi %a0, %l0 : tensor<8xi32>
  %l1 = arith.xori %l0, %a1 : tensor<8xi32>
  %a2 = arith.addi %a1, %l1 : tensor<8xi32>
  %l2 = arith.xori %l1, %a2 : tensor<8xi32>
  %a3 = arith.addi %a2, %l2 : tensor<8xi32>
  %l3 = arith.xori %l2, %a3 : tensor<8xi32>
  %a4 = arith.addi %a3, %l3 : tensor<8xi32>
  %l4 = arith.xori %l3, %a4 : tensor<8xi32>
  %a5 = arith.addi %a4, %l4 : tensor<8xi32>
  %l5 = arith.xori %l4, %a5 : tensor<8xi32>
  %a6 = arith.addi %a5, %l5 : tensor<8xi32>
  %l6 = arith.xori %l5, %a6 : tensor<8xi32>
  %a7 = arith.addi %a6, %l6 : tensor<8xi32>
  %l7 = arith.xori %l6, %a7 : tensor<8xi32>
  %a8 = arith.addi %a7, %l7 : tensor<8xi32>
  %l8 = arith.xori %l7, %a8 : tensor<8xi32>
  %a9 = arith.addi %a8, %l8 : tensor<8xi32>
  %l9 = arith.xori %l8, %a9 : tensor<8xi32>
  %a10 = arith.addi %a9, %l9 : tensor<8xi32>
  %l10 = arith.xori %l9, %a10 : tensor<8xi32>
  %a11 = arith.addi %a10, %l10 : tensor<8xi32>
  %l11 = arith.xori %l10, %a11 : tensor<8xi32>
  return %a11, %l11 : tensor<8xi32>, tensor<8xi32>
}
