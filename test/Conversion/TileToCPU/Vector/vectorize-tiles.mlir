// RUN: tilegpt-opt %s --cpu-vectorize-tiles --canonicalize -split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --cpu-vectorize-tiles=vector-bits=256 --canonicalize -split-input-file | FileCheck %s --check-prefix=V256

#id = affine_map<(d0, d1) -> (d0, d1)>
// Whole vectors in a loop, the remainder with a mask.
// CHECK-LABEL: func.func @elementwise(
// CHECK-DAG:     %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : index
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           scf.for %[[J:.*]] = %{{.*}} to %[[C32]] step %[[C16]]
// CHECK:             vector.load %{{.*}}[%[[I]], %[[J]]] : memref<4x40xf32>, vector<16xf32>
// CHECK:             arith.addf %{{.*}} : vector<16xf32>
// CHECK:             vector.store
// CHECK:           %[[MASK:.*]] = vector.constant_mask [8] : vector<16xi1>
// CHECK:           vector.maskedload %{{.*}}[%[[I]], %[[C32]]], %[[MASK]]
// CHECK:           vector.maskedstore %{{.*}}[%[[I]], %[[C32]]], %[[MASK]]
// V256-LABEL: func.func @elementwise(
// V256-NOT:     mask
// V256:         arith.addf %{{.*}} : vector<8xf32>
func.func @elementwise(%a: memref<4x40xf32>, %b: memref<4x40xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x40xf32>) outs(%b : memref<4x40xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
  }
  return
}

// -----

// The unknown remainder of a clipped copy.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             vector.load
// CHECK:           scf.if
// CHECK:             vector.create_mask
// CHECK:             vector.maskedstore
func.func @dynamic(%a: memref<?x?xf32, strided<[?, 1]>>, %b: memref<?x?xf32, strided<[8, 1]>>) {
  linalg.copy ins(%a : memref<?x?xf32, strided<[?, 1]>>) outs(%b : memref<?x?xf32, strided<[8, 1]>>)
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
// Four vectors of partial sums per row, combined once. The neutral element of addition is -0.
// CHECK-LABEL: func.func @sum_of_rows(
// CHECK-DAG:     %[[NEUTRAL:.*]] = arith.constant dense<-0.000000e+00> : vector<16xf32>
// CHECK:         scf.for
// CHECK:           scf.for {{.*}} iter_args(%{{.*}} = %[[NEUTRAL]], %{{.*}} = %[[NEUTRAL]], %{{.*}} = %[[NEUTRAL]], %{{.*}} = %[[NEUTRAL]])
// CHECK-COUNT-4:     arith.addf %{{.*}} : vector<16xf32>
// CHECK:           vector.shuffle
// CHECK:           arith.addf %{{.*}} : vector<8xf32>
// CHECK:           memref.store
func.func @sum_of_rows(%a: memref<4x768xf32>, %b: memref<4x1xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x768xf32>) outs(%b : memref<4x1xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %y, %x : f32
      linalg.yield %s : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
// Integers have no order of additions to keep, and LLVM 22 miscompiles trees of shuffles over products of i8.
// CHECK-LABEL: func.func @sum_of_integers(
// CHECK:           vector.reduction <add>, %{{.*}} : vector<16xi32> into i32
// CHECK-NOT:       vector.shuffle
// CHECK-LABEL: func.func @maximum_of_integers(
// CHECK:           vector.shuffle
func.func @sum_of_integers(%a: memref<4x64xi8>, %b: memref<4x1xi32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x64xi8>) outs(%b : memref<4x1xi32>) {
    ^bb0(%x: i8, %y: i32):
      %u = arith.extui %x : i8 to i32
      %p = arith.muli %u, %u : i32
      %s = arith.addi %y, %p : i32
      linalg.yield %s : i32
  }
  return
}
func.func @maximum_of_integers(%a: memref<4x64xi32>, %b: memref<4x1xi32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x64xi32>) outs(%b : memref<4x1xi32>) {
    ^bb0(%x: i32, %y: i32):
      %s = arith.maxsi %y, %x : i32
      linalg.yield %s : i32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
// A maximum of floats takes a comparison per vector; NaN and the signs of zeros are collected and decided per row.
// CHECK-LABEL: func.func @maximum_of_rows(
// CHECK-DAG:     %[[LOWEST:.*]] = arith.constant dense<0xFF800000> : vector<16xf32>
// CHECK-DAG:     %[[NONE:.*]] = arith.constant dense<0> : vector<16xi32>
// CHECK-DAG:     %[[ALL:.*]] = arith.constant dense<-1> : vector<16xi32>
// CHECK:         %[[STATE:.*]]:6 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[LOWEST]], %{{.*}} = %[[LOWEST]], %{{.*}} = %[[LOWEST]], %{{.*}} = %[[LOWEST]], %[[NANS:.*]] = %[[NONE]], %[[SIGNS:.*]] = %[[ALL]])
// CHECK:           %[[X:.*]] = vector.load
// CHECK:           %[[WINS:.*]] = arith.cmpf ogt, %{{.*}}, %[[A]] : vector<16xf32>
// CHECK:           arith.select %[[WINS]], %{{.*}}, %[[A]]
// CHECK:           arith.cmpf uno
// CHECK:           arith.andi %[[SIGNS]], %{{.*}} : vector<16xi32>
// CHECK:           arith.extsi %{{.*}} : vector<16xi1> to vector<16xi32>
// CHECK-NOT:       arith.extsi
// CHECK:           scf.yield
// The remainder is replaced where it is masked.
// CHECK:         arith.select %{{.*}}, %{{.*}}, %[[LOWEST]]
// CHECK-NOT:     arith.maximumf %{{.*}} : vector
// CHECK:         vector.reduction <and>
// CHECK:         vector.reduction <or>
// CHECK:         %[[ROW:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK:         %[[ROW2:.*]] = arith.maximumf %{{.*}} : f32
// CHECK:         memref.store %[[ROW2]]
// CHECK-LABEL: func.func @minimum_of_rows(
// CHECK:         arith.cmpf olt
// CHECK:         vector.reduction <or>
// CHECK:         vector.reduction <or>
// Numbers that hosts do not compare.
// CHECK-LABEL: func.func @maximum_of_bf16(
// CHECK:         arith.maximumf %{{.*}} : vector<8xbf16>
func.func @maximum_of_rows(%a: memref<4x136xf32>, %b: memref<4x1xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x136xf32>) outs(%b : memref<4x1xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.maximumf %y, %x : f32
      linalg.yield %s : f32
  }
  return
}
func.func @minimum_of_rows(%a: memref<4x136xf32>, %b: memref<4x1xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x136xf32>) outs(%b : memref<4x1xf32>) {
    ^bb0(%x: f32, %y: f32):
      %n = arith.negf %x : f32
      %s = arith.minimumf %y, %n : f32
      linalg.yield %s : f32
  }
  return
}
func.func @maximum_of_bf16(%a: memref<4x16xbf16>, %b: memref<4x1xbf16>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x16xbf16>) outs(%b : memref<4x1xbf16>) {
    ^bb0(%x: bf16, %y: bf16):
      %s = arith.maximumf %y, %x : bf16
      linalg.yield %s : bf16
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
// Columns are summed side by side, in a block of eight vectors that share the loop over rows; then the other whole vectors.
// CHECK-LABEL: func.func @sum_of_columns(
// CHECK-DAG:     %[[C128:.*]] = arith.constant 128 : index
// CHECK-DAG:     %[[C256:.*]] = arith.constant 256 : index
// CHECK:         scf.for %[[J:.*]] = %{{.*}} to %[[C256]] step %[[C128]]
// CHECK:           %[[OLD:.*]] = vector.load %{{.*}}[%[[J]]]
// CHECK-COUNT-7:   vector.load %{{.*}} : memref<328xf32>, vector<16xf32>
// CHECK:           %{{.*}}:8 = scf.for %[[I:.*]] = {{.*}} iter_args(%{{.*}} = %[[OLD]],
// CHECK:             vector.load %{{.*}}[%[[I]], %[[J]]]
// CHECK-COUNT-7:     vector.load %{{.*}} : memref<4x328xf32>, vector<16xf32>
// CHECK:             scf.yield
// CHECK-COUNT-8:   vector.store
// CHECK:         %{{.*}}:4 = scf.for
// CHECK-COUNT-4:   vector.load %{{.*}} : memref<4x328xf32>, vector<16xf32>
// CHECK:         vector.constant_mask [8]
// CHECK:         scf.for
// CHECK:           vector.maskedload %{{.*}} : memref<4x328xf32>
// V256-LABEL: func.func @sum_of_columns(
// V256-DAG:      %[[C64:.*]] = arith.constant 64 : index
// V256-DAG:      %[[C320:.*]] = arith.constant 320 : index
// V256:          scf.for %[[J:.*]] = %{{.*}} to %[[C320]] step %[[C64]]
// V256:            %{{.*}}:8 = scf.for
// V256:          vector.load %{{.*}} : memref<328xf32>, vector<8xf32>
// V256:          scf.for
// V256-NOT:      mask
// V256:          return
func.func @sum_of_columns(%a: memref<4x328xf32>, %b: memref<328xf32>) {
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<4x328xf32>) outs(%b : memref<328xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %y, %x : f32
      linalg.yield %s : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
// Two sums have blocks of four vectors, also where the number of columns is not known.
// CHECK-LABEL: func.func @two_sums_of_columns(
// CHECK:         scf.for {{.*}} step %{{.*}} {
// CHECK:           %{{.*}}:8 = scf.for
// CHECK-COUNT-4:     vector.load %{{.*}} : memref<4x?xf32>
// CHECK-NOT:         vector.load
// CHECK:             scf.yield
// CHECK:         scf.for
// CHECK:           %{{.*}}:2 = scf.for
// CHECK:         scf.if
// CHECK:           vector.create_mask
func.func @two_sums_of_columns(%a: memref<4x?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id, #column, #column], iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<4x?xf32>) outs(%b, %c : memref<?xf32>, memref<?xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %y, %x : f32
      %q = arith.maximumf %z, %x : f32
      linalg.yield %s, %q : f32, f32
  }
  return
}

// -----

#column = affine_map<(d0, d1) -> (d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
// A reduction that ignores its accumulator still starts with the old value, which a loop without iterations leaves.
// CHECK-LABEL: func.func @last_row(
// CHECK:         %[[OLD:.*]] = vector.load %{{.*}} : memref<16xf32>
// CHECK:         %[[NEW:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[OLD]])
// CHECK:           %[[ROW:.*]] = vector.load %{{.*}} : memref<4x16xf32>
// CHECK:           scf.yield %[[ROW]]
// CHECK:         vector.store %[[NEW]], %{{.*}} : memref<16xf32>
func.func @last_row(%a: memref<4x16xf32>, %b: memref<16xf32>) {
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<4x16xf32>) outs(%b : memref<16xf32>) {
    ^bb0(%x: f32, %y: f32):
      linalg.yield %x : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
// An output with the reduced axis is stored in every iteration.
// CHECK-LABEL: func.func @squares_and_sums(
// CHECK:         %[[OLD:.*]] = vector.load %{{.*}} : memref<16xf32>
// CHECK:         %[[SUM:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%{{.*}} = %[[OLD]])
// CHECK:           vector.store %{{.*}}, %{{.*}}[%[[I]], %{{.*}}] : memref<4x16xf32>
// CHECK:           scf.yield
// CHECK:         vector.store %[[SUM]], %{{.*}} : memref<16xf32>
func.func @squares_and_sums(%a: memref<4x16xf32>, %b: memref<4x16xf32>, %c: memref<16xf32>) {
  linalg.generic {indexing_maps = [#id, #id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<4x16xf32>) outs(%b, %c : memref<4x16xf32>, memref<16xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %q = arith.mulf %x, %x : f32
      %s = arith.addf %z, %q : f32
      linalg.yield %q, %s : f32, f32
  }
  return
}

// -----

// A transpose that no square fits into, one whose op has no vectors, one that sums, and i1, which has no vectors in memory.
// CHECK-LABEL: func.func @scalar(
// CHECK-NOT:     vector
// CHECK:         memref.load
// CHECK-NOT:     vector
// CHECK:         return
func.func @scalar(%a: memref<4x80xf32>, %b: memref<80x4xf32>, %c: memref<32x32xi64>, %f: memref<32x32xi64>, %d: memref<32x32xi32>,
                  %e: memref<4x32x32xi32>, %m: memref<8xi1>, %n: memref<8xi1>) {
  linalg.transpose ins(%a : memref<4x80xf32>) outs(%b : memref<80x4xf32>) permutation = [1, 0]
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<32x32xi64>) outs(%f : memref<32x32xi64>) {
    ^bb0(%x: i64, %y: i64):
      %s = arith.divsi %x, %y : i64
      linalg.yield %s : i64
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d0)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : memref<4x32x32xi32>) outs(%d : memref<32x32xi32>) {
    ^bb0(%x: i32, %y: i32):
      %s = arith.addi %x, %y : i32
      linalg.yield %s : i32
  }
  linalg.copy ins(%m : memref<8xi1>) outs(%n : memref<8xi1>)
  return
}

// -----

// Squares of 16 × 16, or of as many rows as a register has lanes: segments of 128 bits are inserted where they belong and
// transposed. What does not fill a square is copied element by element.
// CHECK-LABEL:     func.func @squares(
// CHECK:             scf.for %[[READ:.*]] =
// CHECK-NEXT:          scf.for %[[WRITTEN:.*]] =
// CHECK-COUNT-64:        vector.load %{{.*}} : memref<40x?xf32>, vector<4xf32>
// CHECK-COUNT-32:        vector.shuffle %{{.*}} : vector<16xf32>, vector<16xf32>
// CHECK-COUNT-16:        vector.store %{{.*}} : memref<?x40xf32>, vector<16xf32>
// CHECK-NOT:         vector
// CHECK-COUNT-2:     memref.load
// CHECK-NOT:         memref.load
// CHECK:             return
// V256-LABEL:      func.func @squares(
// V256-COUNT-16:         vector.load %{{.*}} : memref<40x?xf32>, vector<4xf32>
// V256-COUNT-16:         vector.shuffle %{{.*}} : vector<8xf32>, vector<8xf32>
// V256-COUNT-8:          vector.store %{{.*}} : memref<?x40xf32>, vector<8xf32>
// All rows of the output fill squares.
// V256-COUNT-1:    memref.load
// V256-NOT:        memref.load
// V256:            return
func.func @squares(%a: memref<40x?xf32>, %b: memref<?x40xf32>) {
  linalg.transpose ins(%a : memref<40x?xf32>) outs(%b : memref<?x40xf32>) permutation = [1, 0]
  return
}

// -----

// Axes in front become loops; 16 lanes of a narrow type fill half a register.
// CHECK-LABEL:    func.func @narrow_batch(
// CHECK:            %[[FROM:.*]] = memref.transpose %{{.*}} (d0, d1, d2) -> (d1, d0, d2)
// CHECK:            scf.for %[[BATCH:.*]] = %{{.*}} to %{{.*}} step
// CHECK:              vector.load %[[FROM]][%[[BATCH]], {{.*}}] : memref<3x32x64xbf16, strided<[64, 192, 1]>>, vector<8xbf16>
// CHECK:              vector.store %{{.*}}[%[[BATCH]], {{.*}}] : memref<3x64x32xbf16>, vector<16xbf16>
// CHECK-NOT:        memref.load
// CHECK:            return
func.func @narrow_batch(%a: memref<32x3x64xbf16>, %b: memref<3x64x32xbf16>) {
  linalg.transpose ins(%a : memref<32x3x64xbf16>) outs(%b : memref<3x64x32xbf16>) permutation = [1, 2, 0]
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
// Windows of an input that is contiguous along the other axis are transposed into a buffer: a cache line of each of its rows,
// 64 rows at a time. Inputs that are constant along the output's rows are not copied.
// CHECK-LABEL:     func.func @transposed_input(
// CHECK:             %[[SCRATCH:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16x64xf32>
// CHECK:             scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c16
// CHECK:               scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %c64
// CHECK:                 vector.shuffle
// CHECK:                 vector.store %{{.*}}, %[[SCRATCH]][
// CHECK:                 vector.load %[[SCRATCH]][
// CHECK:                 memref.load %{{.*}} : memref<16xf32
// CHECK:                 arith.mulf %{{.*}} : vector<16xf32>
// CHECK:                 vector.store
// CHECK-NOT:         memref.load
// CHECK:             return
func.func @transposed_input(%a: memref<128x64xf32>, %s: memref<64xf32>, %b: memref<64x128xf32>) {
  linalg.generic {indexing_maps = [#transposed, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %s : memref<128x64xf32>, memref<64xf32>) outs(%b : memref<64x128xf32>) {
    ^bb0(%x: f32, %f: f32, %y: f32):
      %p = arith.mulf %x, %f : f32
      linalg.yield %p : f32
  }
  return
}

// -----

// Divisions of at most 32 bits are vectors, by any number.
// CHECK-LABEL: func.func @divisions(
// CHECK:         arith.divsi %{{.*}} : vector<16xi32>
// CHECK:         arith.remui %{{.*}} : vector<16xi32>
func.func @divisions(%a: memref<64xi32>, %b: memref<64xi32>) {
  %c7 = arith.constant 7 : i32
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a : memref<64xi32>) outs(%b : memref<64xi32>) {
    ^bb0(%x: i32, %y: i32):
      %q = arith.divsi %x, %c7 : i32
      %r = arith.remui %q, %x : i32
      linalg.yield %r : i32
  }
  return
}

// -----

// Not those of 64 bits, nor of indices.
// CHECK-LABEL: func.func @scalar_divisions(
// CHECK-NOT:     vector
// CHECK:         arith.divsi
// CHECK-NOT:     vector
// CHECK:         arith.divui
// CHECK-NOT:     vector
// CHECK:         return
func.func @scalar_divisions(%a: memref<64xi64>, %b: memref<64xi64>, %c: memref<64xi32>, %d: memref<64xi32>) {
  %c7 = arith.constant 7 : i64
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a : memref<64xi64>) outs(%b : memref<64xi64>) {
    ^bb0(%x: i64, %y: i64):
      %q = arith.divsi %x, %c7 : i64
      linalg.yield %q : i64
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%c : memref<64xi32>) outs(%d : memref<64xi32>) {
    ^bb0(%x: i32, %y: i32):
      %c3 = arith.constant 3 : index
      %i = arith.index_cast %x : i32 to index
      %q = arith.divui %i, %c3 : index
      %r = arith.index_cast %q : index to i32
      linalg.yield %r : i32
  }
  return
}
