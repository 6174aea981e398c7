// RUN: tilegpt-opt %s --tile-gpu-swap-operands --split-input-file | FileCheck %s

!X = !tile.view<256x256xbf16>
!Q = !tile.view<256x256xi8>
!F = !tile.view<256x256xf32>

// The rhs is computed, so the product is computed transposed: its weights are read from registers.
// CHECK-LABEL: tile.kernel @computed(
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} -> (tensor<64x32xf32>)
// CHECK:           %[[X:.*]] = tile.load {{.*}} -> tensor<32x64xbf16>
// CHECK:           %[[W:.*]] = arith.sitofp %{{.*}} : tensor<64x64xi8> to tensor<64x64xbf16>
// CHECK:           tile.dot %[[W]], %[[X]], %{{.*}} transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>
// CHECK:         tile.permute %[[SUM]] [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
tile.kernel @computed(%x: !X, %q: !Q) outs(%y: !F) grid [8, 4] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z) -> (tensor<32x64xf32>) {
    %xt = tile.load %x[%m, %k] [32, 64] : !X -> tensor<32x64xbf16>
    %qt = tile.load %q[%n, %k] [64, 64] : !Q -> tensor<64x64xi8>
    %w = arith.sitofp %qt : tensor<64x64xi8> to tensor<64x64xbf16>
    %p = tile.dot %xt, %w, %acc transpose_b : tensor<32x64xbf16>, tensor<64x64xbf16>, tensor<32x64xf32> -> tensor<32x64xf32>
    scf.yield %p : tensor<32x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<32x64xf32>, !F
}

// -----

!X = !tile.view<256x256xbf16>
!F = !tile.view<256x256xf32>

// Two loads stay.
// CHECK-LABEL: tile.kernel @loaded(
// CHECK-NOT:     tile.permute
tile.kernel @loaded(%x: !X, %w: !X) outs(%y: !F) grid [8, 4] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z) -> (tensor<32x64xf32>) {
    %xt = tile.load %x[%m, %k] [32, 64] : !X -> tensor<32x64xbf16>
    %wt = tile.load %w[%n, %k] [64, 64] : !X -> tensor<64x64xbf16>
    %p = tile.dot %xt, %wt, %acc transpose_b : tensor<32x64xbf16>, tensor<64x64xbf16>, tensor<32x64xf32> -> tensor<32x64xf32>
    scf.yield %p : tensor<32x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<32x64xf32>, !F
}

// -----

!X = !tile.view<256x256xbf16>
!Y = !tile.view<256x256xbf16>

// Warp groups cannot divide 72 rows, but 128 columns. 72 rows of 96 columns stay, and so do 128 rows.
// CHECK-LABEL: tile.kernel @uneven(
// CHECK:         tile.dot %{{.*}}, %{{.*}}, %{{.*}} transpose_b : tensor<128x64xbf16>, tensor<72x64xbf16>, tensor<128x72xf32>
// CHECK:         tile.permute %{{.*}} [1, 0] : tensor<128x72xf32> -> tensor<72x128xf32>
// CHECK:         tile.dot {{.*}} : tensor<72x64xbf16>, tensor<96x64xbf16>, tensor<72x96xf32>
// CHECK-NOT:     tile.permute
// CHECK:         tile.dot {{.*}} : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32>
// CHECK-NOT:     tile.permute
tile.kernel @uneven(%x: !X, %w: !X) outs(%y: !Y) grid [4, 2] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : tensor<72x128xf32>
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z) -> (tensor<72x128xf32>) {
    %xt = tile.load %x[%m, %k] [72, 64] : !X -> tensor<72x64xbf16>
    %wt = tile.load %w[%n, %k] [128, 64] : !X -> tensor<128x64xbf16>
    %p = tile.dot %xt, %wt, %acc transpose_b : tensor<72x64xbf16>, tensor<128x64xbf16>, tensor<72x128xf32> -> tensor<72x128xf32>
    scf.yield %p : tensor<72x128xf32>
  }
  %o = tile.cast %s : tensor<72x128xf32> to tensor<72x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<72x128xbf16>, !Y
  %z1 = arith.constant dense<0.0> : tensor<72x96xf32>
  %s1 = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z1) -> (tensor<72x96xf32>) {
    %xt = tile.load %x[%m, %k] [72, 64] : !X -> tensor<72x64xbf16>
    %wt = tile.load %w[%n, %k] [96, 64] : !X -> tensor<96x64xbf16>
    %p = tile.dot %xt, %wt, %acc transpose_b : tensor<72x64xbf16>, tensor<96x64xbf16>, tensor<72x96xf32> -> tensor<72x96xf32>
    scf.yield %p : tensor<72x96xf32>
  }
  %o1 = tile.cast %s1 : tensor<72x96xf32> to tensor<72x96xbf16>
  tile.store %o1, %y[%m, %n] : tensor<72x96xbf16>, !Y
  %z2 = arith.constant dense<0.0> : tensor<128x128xf32>
  %s2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z2) -> (tensor<128x128xf32>) {
    %xt = tile.load %x[%m, %k] [128, 64] : !X -> tensor<128x64xbf16>
    %wt = tile.load %w[%n, %k] [128, 64] : !X -> tensor<128x64xbf16>
    %p = tile.dot %xt, %wt, %acc transpose_b : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %p : tensor<128x128xf32>
  }
  %o2 = tile.cast %s2 : tensor<128x128xf32> to tensor<128x128xbf16>
  tile.store %o2, %y[%m, %n] : tensor<128x128xbf16>, !Y
}

// -----

!X = !tile.view<256x256xbf16>
!Q = !tile.view<256x256xi8>
!F = !tile.view<256x256xf32>
!S = tensor<32x64xf32>

// Two products of one accumulator, with both halves of a byte computed; and a second accumulator with a loaded rhs.
// CHECK-LABEL: tile.kernel @nibbles(
// CHECK:         %[[SUMS:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (tensor<64x32xf32>, tensor<64x32xf32>)
// CHECK:           %[[LOW:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[A]] transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>
// CHECK:           %[[BOTH:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[LOW]] transpose_b
// CHECK:           %[[OTHER:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[B]] transpose_b
// CHECK:           scf.yield %[[BOTH]], %[[OTHER]]
// CHECK:         tile.permute %[[SUMS]]#0 [1, 0]
// CHECK:         tile.permute %[[SUMS]]#1 [1, 0]
tile.kernel @nibbles(%x: !X, %q: !Q, %w: !X) outs(%y: !F) grid [8, 4] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : !S
  %four = arith.constant dense<4> : tensor<64x64xi8>
  %s:2 = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %z, %b = %z) -> (!S, !S) {
    %k1 = arith.addi %k, %c2 : index
    %x0 = tile.load %x[%m, %k] [32, 64] : !X -> tensor<32x64xbf16>
    %x1 = tile.load %x[%m, %k1] [32, 64] : !X -> tensor<32x64xbf16>
    %wt = tile.load %w[%n, %k] [64, 64] : !X -> tensor<64x64xbf16>
    %qt = tile.load %q[%n, %k] [64, 64] : !Q -> tensor<64x64xi8>
    %up = arith.shli %qt, %four : tensor<64x64xi8>
    %low = arith.sitofp %up : tensor<64x64xi8> to tensor<64x64xbf16>
    %high = arith.sitofp %qt : tensor<64x64xi8> to tensor<64x64xbf16>
    %p = tile.dot %x0, %low, %a transpose_b : tensor<32x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %r = tile.dot %x1, %high, %p transpose_b : tensor<32x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %o = tile.dot %x0, %wt, %b transpose_b : tensor<32x64xbf16>, tensor<64x64xbf16>, !S -> !S
    scf.yield %r, %o : !S, !S
  }
  %t = arith.addf %s#0, %s#1 : !S
  tile.store %t, %y[%m, %n] : !S, !F
}

// -----

!X = !tile.view<256x256xbf16>
!Q = !tile.view<256x256xi8>
!F = !tile.view<256x256xf32>
!S = tensor<32x64xf32>

// An accumulator with another reader in the loop stays.
// CHECK-LABEL: tile.kernel @read(
// CHECK-NOT:     tile.permute
tile.kernel @read(%x: !X, %q: !Q) outs(%y: !F) grid [8, 4] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : !S
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %z) -> (!S) {
    %xt = tile.load %x[%m, %k] [32, 64] : !X -> tensor<32x64xbf16>
    %qt = tile.load %q[%n, %k] [64, 64] : !Q -> tensor<64x64xi8>
    %w = arith.sitofp %qt : tensor<64x64xi8> to tensor<64x64xbf16>
    %p = tile.dot %xt, %w, %a transpose_b : tensor<32x64xbf16>, tensor<64x64xbf16>, !S -> !S
    %h = arith.addf %p, %a : !S
    scf.yield %h : !S
  }
  tile.store %s, %y[%m, %n] : !S, !F
}

// -----

!X = !tile.view<256x256xbf16>
!Q = !tile.view<256x256xi8>
!F = !tile.view<256x256xf32>

// The weights are contiguous along the columns: threads read them in the layout of the left operand.
// CHECK-LABEL: tile.kernel @across(
// CHECK:         %[[W:.*]] = arith.sitofp %{{.*}} : tensor<64x64xi8> to tensor<64x64xbf16>
// CHECK:         %[[T:.*]] = tile.permute %[[W]] [1, 0]
// CHECK:         tile.dot %[[T]], %{{.*}}, %{{.*}} transpose_b : tensor<64x64xbf16>, tensor<32x64xbf16>
tile.kernel @across(%x: !X, %q: !Q) outs(%y: !F) grid [8, 4] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z) -> (tensor<32x64xf32>) {
    %xt = tile.load %x[%m, %k] [32, 64] : !X -> tensor<32x64xbf16>
    %qt = tile.load %q[%k, %n] [64, 64] : !Q -> tensor<64x64xi8>
    %w = arith.sitofp %qt : tensor<64x64xi8> to tensor<64x64xbf16>
    %p = tile.dot %xt, %w, %acc : tensor<32x64xbf16>, tensor<64x64xbf16>, tensor<32x64xf32> -> tensor<32x64xf32>
    scf.yield %p : tensor<32x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<32x64xf32>, !F
}

// -----

!X = !tile.view<256x256xbf16>
!F = !tile.view<256x256xf32>

// A left operand that is not computed element by element would be exchanged between threads either way.
// CHECK-LABEL: tile.kernel @reduced(
// CHECK-NOT:     tile.permute
// CHECK:         tile.dot %{{.*}}, %{{.*}}, %{{.*}} transpose_a
tile.kernel @reduced(%x: !X) outs(%y: !F) grid [4, 4] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%k, %m] [64, 64] : !X -> tensor<64x64xbf16>
    %b = tile.load %x[%k, %n] [64, 64] : !X -> tensor<64x64xbf16>
    %most = tile.reduce max %a axis 1 keepdims : tensor<64x64xbf16> -> tensor<64x1xbf16>
    %mosts = tile.broadcast %most [64, 64] : tensor<64x1xbf16> -> tensor<64x64xbf16>
    %less = arith.subf %a, %mosts : tensor<64x64xbf16>
    %p = tile.dot %less, %b, %acc transpose_a : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %p : tensor<64x64xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x64xf32>, !F
}
