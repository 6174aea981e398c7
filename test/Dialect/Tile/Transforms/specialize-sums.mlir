// RUN: tilegpt-opt %s --tile-specialize --split-input-file | FileCheck %s

!V = !tile.view<?x?xbf16>

// Two sums of a loop unrolled by hand, added up behind it, are one.
// CHECK-LABEL: tile.kernel @unrolled(
// CHECK:       %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (tensor<16x16xf32>) {
// CHECK:         %[[D:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[S]]
// CHECK:         %[[E:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[D]]
// CHECK:         scf.yield %[[E]]
// CHECK-NOT:   arith.addf
// CHECK:       tile.store %[[SUM]]
tile.kernel @unrolled(%a: !V, %b: !V) outs(%y: !tile.view<?x?xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tile.num_tiles %a, 1 by [16] : !V
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %s, %t = scf.for %k = %c0 to %n step %c2 iter_args(%s = %zero, %t = %zero) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %k1 = arith.addi %k, %c1 : index
    %a0 = tile.load %a[%c0, %k] [16, 16] : !V -> tensor<16x16xbf16>
    %b0 = tile.load %b[%k, %c0] [16, 16] : !V -> tensor<16x16xbf16>
    %d = tile.dot %a0, %b0, %s : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32> -> tensor<16x16xf32>
    %a1 = tile.load %a[%c0, %k1] [16, 16] : !V -> tensor<16x16xbf16>
    %b1 = tile.load %b[%k1, %c0] [16, 16] : !V -> tensor<16x16xbf16>
    %e = tile.dot %a1, %b1, %t : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d, %e : tensor<16x16xf32>, tensor<16x16xf32>
  }
  %sum = arith.addf %s, %t : tensor<16x16xf32>
  tile.store %sum, %y[%c0, %c0] : tensor<16x16xf32>, !tile.view<?x?xf32>
}

// -----

!V = !tile.view<?x?xbf16>

// Sums that are used apart, that the loop changes otherwise, or that both start from something, stay apart.
// CHECK-LABEL: tile.kernel @apart(
// CHECK:       scf.for {{.*}} -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>)
// CHECK:       arith.addf
// CHECK:       arith.addf
// CHECK:       arith.addf
tile.kernel @apart(%a: !V, %f: f32) outs(%y: !tile.view<?x?xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tile.num_tiles %a, 1 by [16] : !V
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %some = tile.splat %f [16, 16] : f32 -> tensor<16x16xf32>
  %r:6 = scf.for %k = %c0 to %n step %c1
      iter_args(%s = %zero, %t = %zero, %u = %zero, %v = %zero, %w = %some, %x = %some)
      -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
    %t0 = tile.load %a[%c0, %k] [16, 16] : !V -> tensor<16x16xbf16>
    %d0 = tile.dot %t0, %t0, %s : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32> -> tensor<16x16xf32>
    %d1 = tile.dot %t0, %t0, %t : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32> -> tensor<16x16xf32>
    %d2 = tile.dot %t0, %t0, %u : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32> -> tensor<16x16xf32>
    %half = arith.mulf %v, %some : tensor<16x16xf32>
    %d3 = tile.dot %t0, %t0, %half : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32> -> tensor<16x16xf32>
    %d4 = tile.dot %t0, %t0, %w : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32> -> tensor<16x16xf32>
    %d5 = tile.dot %t0, %t0, %x : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d0, %d1, %d2, %d3, %d4, %d5
        : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
  }
  %p = arith.addf %r#0, %r#1 : tensor<16x16xf32>
  %q = arith.addf %r#2, %r#3 : tensor<16x16xf32>
  %o = arith.addf %r#4, %r#5 : tensor<16x16xf32>
  tile.store %p, %y[%c0, %c0] : tensor<16x16xf32>, !tile.view<?x?xf32>
  tile.store %q, %y[%c0, %c1] : tensor<16x16xf32>, !tile.view<?x?xf32>
  tile.store %o, %y[%c0, %c2] : tensor<16x16xf32>, !tile.view<?x?xf32>
  tile.store %r#0, %y[%c1, %c2] : tensor<16x16xf32>, !tile.view<?x?xf32>
}

// -----

// A loop without one of its sums compares its bounds as before.
// CHECK-LABEL: tile.kernel @unsigned_bounds(
// CHECK:       %[[SUM:.*]] = scf.for unsigned {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<16x16xf32>) {
// CHECK:       tile.store %[[SUM]]
tile.kernel @unsigned_bounds(%a: !tile.view<?x?xbf16>, %from: index, %to: index) outs(%y: !tile.view<?x?xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %r:2 = scf.for unsigned %k = %from to %to step %c1 iter_args(%s = %zero, %t = %zero) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %tile = tile.load %a[%c0, %k] [16, 16] : !tile.view<?x?xbf16> -> tensor<16x16xbf16>
    %d0 = tile.dot %tile, %tile, %s : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32> -> tensor<16x16xf32>
    %d1 = tile.dot %tile, %tile, %t : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d0, %d1 : tensor<16x16xf32>, tensor<16x16xf32>
  }
  %p = arith.addf %r#0, %r#1 : tensor<16x16xf32>
  tile.store %p, %y[%c0, %c0] : tensor<16x16xf32>, !tile.view<?x?xf32>
}
