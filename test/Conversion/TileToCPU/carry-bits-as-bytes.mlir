// i1 in memory is a byte each, in arguments, buffers and constants; values stay bits.
// RUN: tilegpt-opt %s --cpu-carry-bits-as-bytes | FileCheck %s

// CHECK: memref.global "private" constant @mask : memref<4xi8> = dense<[1, 0, 0, 1]>
memref.global "private" constant @mask : memref<4xi1> = dense<[true, false, false, true]>

#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @accesses(
// CHECK-SAME:      %[[X:.*]]: memref<4xi8>, %[[F:.*]]: memref<4xf32>, %[[I:.*]]: index, %[[BIT:.*]]: i1)
// CHECK:         %[[M:.*]] = memref.get_global @mask : memref<4xi8>
// CHECK:         %[[OWN:.*]] = memref.alloca() : memref<4xi8>
// CHECK:         linalg.generic {{.*}} ins(%[[BIT]] : i1) outs(%[[OWN]] : memref<4xi8>)
// CHECK:         ^bb0(%[[IN:.*]]: i1, %{{.*}}: i8):
// CHECK:           %[[BYTE:.*]] = arith.extui %[[IN]] : i1 to i8
// CHECK:           linalg.yield %[[BYTE]]
// CHECK:         linalg.generic {{.*}} ins(%[[M]], %[[F]] : memref<4xi8>, memref<4xf32>) outs(%[[X]] : memref<4xi8>)
// CHECK:         ^bb0(%[[A:.*]]: i8, %[[B:.*]]: f32, %{{.*}}: i8):
// CHECK:           %[[SET:.*]] = arith.trunci %[[A]] : i8 to i1
// CHECK:           %[[MORE:.*]] = arith.cmpf ogt, %[[B]]
// CHECK:           %[[BOTH:.*]] = arith.andi %[[SET]], %[[MORE]] : i1
// CHECK:           %[[OUT:.*]] = arith.extui %[[BOTH]] : i1 to i8
// CHECK:           linalg.yield %[[OUT]] : i8
// CHECK:         %[[L:.*]] = memref.load %[[OWN]][%[[I]]] : memref<4xi8>
// CHECK:         %[[LB:.*]] = arith.trunci %[[L]] : i8 to i1
// CHECK:         %[[SB:.*]] = arith.extui %[[BIT]] : i1 to i8
// CHECK:         memref.store %[[SB]], %[[OWN]][%[[I]]]
// CHECK:         return %[[LB]] : i1
func.func @accesses(%x: memref<4xi1>, %f: memref<4xf32>, %i: index, %bit: i1) -> i1 {
  %zero = arith.constant 0.0 : f32
  %m = memref.get_global @mask : memref<4xi1>
  %own = memref.alloca() : memref<4xi1>
  linalg.fill ins(%bit : i1) outs(%own : memref<4xi1>)
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%m, %f : memref<4xi1>, memref<4xf32>) outs(%x : memref<4xi1>) {
  ^bb0(%a: i1, %b: f32, %o: i1):
    %more = arith.cmpf ogt, %b, %zero : f32
    %both = arith.andi %a, %more : i1
    linalg.yield %both : i1
  }
  %l = memref.load %own[%i] : memref<4xi1>
  memref.store %bit, %own[%i] : memref<4xi1>
  return %l : i1
}
