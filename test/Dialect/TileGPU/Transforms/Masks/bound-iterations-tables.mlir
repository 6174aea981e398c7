// RUN: tilegpt-opt %s --tile-gpu-bound-iterations | FileCheck %s

!Q = !tile.view<1024x64xbf16>
!Y = !tile.view<1024x64xf32>
!S = tensor<64x64xf32>
!I = tensor<64x64xi32>
!P = tensor<64x64xbf16>

// The mask of scores hides what the mask of positions in the table changes.
// CHECK-LABEL: tile.kernel @masked_twice(
// CHECK:         scf.for
// CHECK-NOT:       arith.select {{.*}} tensor<64x64xi32>
// CHECK:           tile.gather
// CHECK:           arith.select {{.*}} tensor<64x64xf32>
tile.kernel @masked_twice(%q: !Q, %k: !Q, %t: !tile.view<2048xf32>) outs(%y: !Y) grid [16] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %most = arith.constant dense<1023> : !I
  %none = arith.constant dense<0> : !I
  %zero = arith.constant dense<0.0> : !S
  %m0 = arith.muli %m, %c64 : index
  %mi = arith.index_cast %m0 : index to i32
  %ms = tile.splat %mi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %in, %ms : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %rows = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %qt = tile.load %q[%m, %c0] [64, 64] : !Q -> !P
  %r = scf.for %j = %c0 to %c16 step %c1 iter_args(%o = %zero) -> (!S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !Q -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %in, %js : tensor<64xi32>
    %columns = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %d = arith.subi %columns, %rows : !I
    %seen = arith.cmpi sle, %columns, %rows : !I
    %any = arith.addi %d, %most : !I
    %at = arith.select %seen, %any, %none : tensor<64x64xi1>, !I
    %flat = tile.reshape %at [4096] : !I -> tensor<4096xi32>
    %b = tile.gather %t[] at %flat axis 0 [4096] : !tile.view<2048xf32>, tensor<4096xi32> -> tensor<4096xf32>
    %bias = tile.reshape %b [64, 64] : tensor<4096xf32> -> !S
    %s = tile.dot %qt, %kt, %bias transpose_b : !P, !P, !S -> !S
    %h = arith.select %seen, %s, %zero : tensor<64x64xi1>, !S
    %e = math.absf %h : !S
    %p = tile.cast %e : !S to !P
    %n = tile.dot %p, %kt, %o : !P, !P, !S -> !S
    scf.yield %n : !S
  }
  tile.store %r, %y[%m, %c0] : !S, !Y
}

// Another mask stays.
// CHECK-LABEL: tile.kernel @masked_otherwise(
// CHECK:         scf.for
// CHECK:           arith.select {{.*}} tensor<64x64xi32>
// CHECK:           tile.gather
tile.kernel @masked_otherwise(%q: !Q, %k: !Q, %t: !tile.view<2048xf32>) outs(%y: !Y) grid [16] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %most = arith.constant dense<1023> : !I
  %none = arith.constant dense<0> : !I
  %zero = arith.constant dense<0.0> : !S
  %m0 = arith.muli %m, %c64 : index
  %mi = arith.index_cast %m0 : index to i32
  %ms = tile.splat %mi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %in, %ms : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %rows = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %qt = tile.load %q[%m, %c0] [64, 64] : !Q -> !P
  %r = scf.for %j = %c0 to %c16 step %c1 iter_args(%o = %zero) -> (!S) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !Q -> !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %in, %js : tensor<64xi32>
    %columns = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %d = arith.subi %columns, %rows : !I
    %seen = arith.cmpi sle, %columns, %rows : !I
    %any = arith.addi %d, %most : !I
    %in2 = arith.cmpi slt, %columns, %rows : !I
    %at = arith.select %in2, %any, %none : tensor<64x64xi1>, !I
    %flat = tile.reshape %at [4096] : !I -> tensor<4096xi32>
    %b = tile.gather %t[] at %flat axis 0 [4096] : !tile.view<2048xf32>, tensor<4096xi32> -> tensor<4096xf32>
    %bias = tile.reshape %b [64, 64] : tensor<4096xf32> -> !S
    %s = tile.dot %qt, %kt, %bias transpose_b : !P, !P, !S -> !S
    %h = arith.select %seen, %s, %zero : tensor<64x64xi1>, !S
    %e = math.absf %h : !S
    %p = tile.cast %e : !S to !P
    %n = tile.dot %p, %kt, %o : !P, !P, !S -> !S
    scf.yield %n : !S
  }
  tile.store %r, %y[%m, %c0] : !S, !Y
}
