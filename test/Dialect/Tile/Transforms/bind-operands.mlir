// RUN: tilegpt-opt %s --tile-bind-operands --canonicalize | FileCheck %s

!X = !tile.view<?x?xf32>
!F = !tile.view<?xf32>
!I = !tile.view<?xi32>
!T = !tile.view<?x?x!tile.elt<T>>

// Launches with the same knowledge of a kernel share a variant, whatever the numbers are. The first one keeps the
// kernel's name; results of comparisons are folded, and a scalar with other uses stays.
// CHECK-LABEL: tile.kernel @capped(
// CHECK-SAME:    %{{.*}}: !tile.view<?x?xf32>) outs(
// CHECK-NOT:     math.tanh
// CHECK-LABEL: tile.kernel @capped2(
// CHECK-SAME:    %{{.*}}: !tile.view<?x?xf32>, %[[CAP:.*]]: f32) outs(
// CHECK-NOT:     arith.cmpf
// CHECK:         tile.splat %[[CAP]]
// CHECK:         math.tanh
// CHECK-NOT:     arith.select
tile.kernel @capped(%x: !X, %cap: f32) outs(%y: !X) params {BM = 4, BN = 8} grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %on = arith.cmpf une, %cap, %zero : f32
  %t = tile.load %x[%m, %c0] [BM, BN] : !X -> tensor<?x?xf32>
  %caps = tile.splat %cap [BM, BN] : f32 -> tensor<?x?xf32>
  %u = arith.divf %t, %caps : tensor<?x?xf32>
  %h = math.tanh %u : tensor<?x?xf32>
  %c = arith.mulf %h, %caps : tensor<?x?xf32>
  %r = arith.select %on, %c, %t : tensor<?x?xf32>
  tile.store %r, %y[%m, %c0] : tensor<?x?xf32>, !X
}

// An unknown scalar, and one that only arithmetic reads, are left alone.
// CHECK-LABEL: tile.kernel @scaled(
// CHECK-SAME:    !tile.view<?x?xf32>, %{{.*}}: f32, %{{.*}}: i32) outs(
// CHECK:         arith.cmpi
tile.kernel @scaled(%x: !X, %factor: f32, %mode: i32) outs(%y: !X) params {BM = 4, BN = 8} grid [1] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %on = arith.cmpi ne, %mode, %zero : i32
  %t = tile.load %x[%c0, %c0] [BM, BN] : !X -> tensor<?x?xf32>
  %f = tile.splat %factor [BM, BN] : f32 -> tensor<?x?xf32>
  %s = arith.mulf %t, %f : tensor<?x?xf32>
  %r = arith.select %on, %s, %t : tensor<?x?xf32>
  tile.store %r, %y[%c0, %c0] : tensor<?x?xf32>, !X
}

// Absent tensors add nothing. Expressions are renumbered for the remaining arguments.
// CHECK-LABEL: tile.kernel @biased(
// CHECK-SAME:    %[[X:.*]]: !tile.view<?x?xf32>) outs(%[[Y:.*]]: !tile.view<?x?xf32>)
// CHECK:         params {BM = 4, C = dim(%[[X]], 1)}
// CHECK-NEXT:    grid [ceildiv(dim(%[[Y]], 0), BM)]
// CHECK:         %[[T:.*]] = tile.load %[[X]]
// CHECK-NEXT:    tile.store %[[T]]
tile.kernel @biased(%b: !F, %x: !X) outs(%y: !X) params {BM = 4, C = dim(%x, 1)} grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?xf32>
  %bt = tile.load %b[%c0] [C] : !F -> tensor<?xf32>
  %bs = tile.broadcast %bt [BM, C] : tensor<?xf32> -> tensor<?x?xf32>
  %r = arith.addf %t, %bs : tensor<?x?xf32>
  tile.store %r, %y[%m, %c0] : tensor<?x?xf32>, !X
}

// Nor do they subtract anything.
// CHECK-LABEL: tile.kernel @shifted(
// CHECK-SAME:    %[[X:.*]]: !tile.view<?x?xf32>, %[[I:.*]]: !tile.view<?xi32>) outs(
// CHECK:         %[[AT:.*]] = tile.load %[[I]]
// CHECK-NEXT:    tile.gather %[[X]][%{{.*}}] at %[[AT]]
tile.kernel @shifted(%x: !X, %i: !I, %from: !I) outs(%y: !X) params {BM = 4, BN = 8} grid [1] {
  %c0 = arith.constant 0 : index
  %i0 = tile.load %i[%c0] [BM] : !I -> tensor<?xi32>
  %f0 = tile.load %from[%c0] [1] : !I -> tensor<1xi32>
  %f = tile.broadcast %f0 [BM] : tensor<1xi32> -> tensor<?xi32>
  %at = arith.subi %i0, %f : tensor<?xi32>
  %t = tile.gather %x[%c0] at %at axis 0 [BM, BN] : !X, tensor<?xi32> -> tensor<?x?xf32>
  tile.store %t, %y[%c0, %c0] : tensor<?x?xf32>, !X
}

// An unused out is dropped with its result and its computation; one that determines the grid stays.
// CHECK-LABEL: tile.kernel @twice(
// CHECK-SAME:    outs(%{{.*}}: !tile.view<?x?xf32>)
// CHECK-NOT:     scf.for
tile.kernel @twice(%x: !X) outs(%y: !X, %z: !X) params {BM = 4, BN = 8} grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %columns = tile.dim %z, 1 : !X
  %is = arith.cmpi ne, %columns, %c0 : index
  %t = tile.load %x[%m, %c0] [BM, BN] : !X -> tensor<?x?xf32>
  tile.store %t, %y[%m, %c0] : tensor<?x?xf32>, !X
  %times = arith.select %is, %c1, %c0 : index
  scf.for %i = %c0 to %times step %c1 {
    %s = arith.mulf %t, %t : tensor<?x?xf32>
    tile.store %s, %z[%m, %i] : tensor<?x?xf32>, !X
  }
}
// CHECK-LABEL: tile.kernel @measured(
// CHECK-SAME:    !tile.view<?x0xf32>
tile.kernel @measured(%x: !X) outs(%y: !X) params {BM = 4} grid [dim(%x, 1), ceildiv(dim(%y, 0), BM)] {
}

// A type variable is bound with the kernel; its zeros are not created here.
// CHECK-LABEL: tile.kernel @typed(
// CHECK:         tile.load
tile.kernel @typed(%x: !T) outs(%y: !T) params {BM = 4, BN = 8, T: type = f32 in [f32, bf16]} grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [BM, BN] : !T -> tensor<?x?x!tile.elt<T>>
  tile.store %t, %y[%c0, %c0] : tensor<?x?x!tile.elt<T>>, !T
}

// An unused empty tensor that binds a type variable stays.
// CHECK-LABEL: tile.kernel @followed(
// CHECK-SAME:    !tile.view<?x0x!tile.elt<T>>) outs(
tile.kernel @followed(%x: !T) outs(%y: !tile.view<?x?x!tile.elt<Y>>)
    params {BM = 4, BN = 8, T: type = f32 in [f32, bf16], Y: type = !tile.elt<T> in [f32, bf16]} grid [1] {
}

// CHECK-LABEL: func.func @launches
func.func @launches(%x: tensor<?x8xf32>, %f: f32, %m: i32, %e: tensor<?x8xf32>, %n: tensor<?x0xf32>) -> tensor<?x8xf32> {
  %none = arith.constant 0.0 : f32
  %cap = arith.constant 50.0 : f32
  %other = arith.constant 30.0 : f32
  // CHECK: tile.launch @capped ins(%{{[^,]*}}) outs(%{{.*}}) {tile.label = "first"}
  %0 = tile.launch @capped ins(%x, %none) outs(%e) {tile.label = "first"} : (tensor<?x8xf32>, f32, tensor<?x8xf32>) -> tensor<?x8xf32>
  // CHECK: tile.launch @capped2 ins(%{{[^,]*}}, %[[C50:.*]]) outs
  %1 = tile.launch @capped ins(%0, %cap) outs(%e) : (tensor<?x8xf32>, f32, tensor<?x8xf32>) -> tensor<?x8xf32>
  // CHECK: tile.launch @capped2 ins(%{{[^,]*}}, %[[C30:.*]]) outs
  %2 = tile.launch @capped ins(%1, %other) outs(%e) : (tensor<?x8xf32>, f32, tensor<?x8xf32>) -> tensor<?x8xf32>
  // CHECK: tile.launch @scaled
  %3 = tile.launch @scaled ins(%2, %cap, %m) outs(%e) : (tensor<?x8xf32>, f32, i32, tensor<?x8xf32>) -> tensor<?x8xf32>
  %b = tensor.empty() : tensor<0xf32>
  // CHECK: %[[B:.*]] = tile.launch @biased ins(%{{[^,]*}}) outs
  %4 = tile.launch @biased ins(%b, %3) outs(%e) : (tensor<0xf32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  // CHECK: tile.launch @twice ins(%[[B]]) outs(%{{[^,]*}})
  %5:2 = tile.launch @twice ins(%4) outs(%e, %n) : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x0xf32>) -> (tensor<?x8xf32>, tensor<?x0xf32>)
  // CHECK: tile.launch @measured
  %6 = tile.launch @measured ins(%5#1) outs(%5#0) : (tensor<?x0xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  // CHECK: %[[T:.*]] = tile.launch @typed
  %7 = tile.launch @typed ins(%5#1) outs(%e) : (tensor<?x0xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  // CHECK: tile.launch @followed ins(%{{[^,)]+}}) outs
  %8 = tile.launch @followed ins(%n) outs(%e) : (tensor<?x0xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %start = tensor.empty() : tensor<0xi32>
  %rows = tensor.empty() : tensor<4xi32>
  // CHECK: tile.launch @shifted ins(%{{[^,]*}}, %{{[^,]*}}) outs
  %9 = tile.launch @shifted ins(%x, %rows, %start) outs(%e) : (tensor<?x8xf32>, tensor<4xi32>, tensor<0xi32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  // CHECK: return %[[T]]
  return %7 : tensor<?x8xf32>
}

// Stores to a window of an empty view are erased, with the computation of their values. The view is dropped, with its
// requirements.
// CHECK-LABEL: tile.kernel @half(
// CHECK-SAME:    ) outs(%{{[^:,]*}}: !tile.view<?x?xf32>)
// CHECK-NEXT:    requires(dim(%{{[^,]*}}, 0) == dim(%{{[^,]*}}, 0))
// CHECK-NOT:     math.exp
// CHECK:         tile.store
// CHECK-NOT:     tile.store
tile.kernel @half(%x: !X) outs(%y: !X, %z: !X) requires(dim(%z, 0) == dim(%x, 0), dim(%x, 0) == dim(%y, 0))
    params {BM = 4, BN = 8} grid [ceildiv(dim(%x, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %rows = tile.dim %z, 0 : !X
  %columns = tile.dim %z, 1 : !X
  %w = tile.subview %z[0, 0] [%rows, %columns] : !X -> !tile.view<?x?xf32, strides=[?, 1]>
  %t = tile.load %x[%m, %c0] [BM, BN] : !X -> tensor<?x?xf32>
  %e = math.exp %t : tensor<?x?xf32>
  tile.store %t, %y[%m, %c0] : tensor<?x?xf32>, !X
  tile.store %e, %w[%m, %c0] : tensor<?x?xf32>, !tile.view<?x?xf32, strides=[?, 1]>
}
func.func @stores_nothing(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>, %z: tensor<?x0xf32>) -> tensor<?x8xf32> {
  // CHECK: tile.launch @half ins(%{{[^,]*}}) outs(%{{[^,]*}}) :
  %0:2 = tile.launch @half ins(%x) outs(%y, %z) : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x0xf32>) -> (tensor<?x8xf32>, tensor<?x0xf32>)
  return %0#0 : tensor<?x8xf32>
}
