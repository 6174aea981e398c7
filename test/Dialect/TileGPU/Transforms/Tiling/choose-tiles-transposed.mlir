// Tiles do not depend on how a kernel writes that an operand is transposed.
// RUN: tilegpt-opt %s --tile-gpu-choose-tiles --split-input-file | FileCheck %s

!X = !tile.view<4096x2048xbf16>
!W = !tile.view<2048x2048xbf16>
!T = tensor<?x?xbf16>
!S = tensor<?x?xf32>

// CHECK-LABEL: tile.kernel @flag(
// CHECK: params {BM = 128 in [128], BN = 128 in [128], BK = 64 in [64]}
tile.kernel @flag(%x: !X, %w: !W) outs(%y: !X)
    params {BM = 64 in [16, 32, 64, 128, 256], BN = 64 in [16, 32, 64, 128, 256], BK = 64 in [32, 64, 128]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> !S
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (!S) {
    %a = tile.load %x[%m, %k] [BM, BK] : !X -> !T
    %b = tile.load %w[%n, %k] [BN, BK] : !W -> !T
    %next = tile.dot %a, %b, %acc transpose_b : !T, !T, !S -> !S
    scf.yield %next : !S
  }
  %r = tile.cast %sum : !S to !T
  tile.store %r, %y[%m, %n] : !T, !X
}

// -----

!X = !tile.view<4096x2048xbf16>
!W = !tile.view<2048x2048xbf16>
!T = tensor<?x?xbf16>
!S = tensor<?x?xf32>

// CHECK-LABEL: tile.kernel @permuted(
// CHECK: params {BM = 128 in [128], BN = 128 in [128], BK = 64 in [64]}
// CHECK: tile.permute
tile.kernel @permuted(%x: !X, %w: !W) outs(%y: !X)
    params {BM = 64 in [16, 32, 64, 128, 256], BN = 64 in [16, 32, 64, 128, 256], BK = 64 in [32, 64, 128]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> !S
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (!S) {
    %a = tile.load %x[%m, %k] [BM, BK] : !X -> !T
    %b = tile.load %w[%n, %k] [BN, BK] : !W -> !T
    %t = tile.permute %b [1, 0] : !T -> !T
    %next = tile.dot %a, %t, %acc : !T, !T, !S -> !S
    scf.yield %next : !S
  }
  %r = tile.cast %sum : !S to !T
  tile.store %r, %y[%m, %n] : !T, !X
}

// -----

!X = !tile.view<4096x2048xbf16>
!W = !tile.view<2048x2048xbf16>
!T = tensor<?x?xbf16>
!S = tensor<?x?xf32>

// CHECK-LABEL: tile.kernel @ordered(
// CHECK: params {BM = 128 in [128], BN = 128 in [128], BK = 64 in [64]}
tile.kernel @ordered(%x: !X, %w: !W) outs(%y: !X)
    params {BM = 64 in [16, 32, 64, 128, 256], BN = 64 in [16, 32, 64, 128, 256], BK = 64 in [32, 64, 128]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> !S
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (!S) {
    %a = tile.load %x[%m, %k] [BM, BK] : !X -> !T
    %b = tile.load %w[%n, %k] [BK, BN] order [1, 0] : !W -> !T
    %next = tile.dot %a, %b, %acc : !T, !T, !S -> !S
    scf.yield %next : !S
  }
  %r = tile.cast %sum : !S to !T
  tile.store %r, %y[%m, %n] : !T, !X
}

// -----

!X = !tile.view<4096x2048xbf16>
!W = !tile.view<2048x2048xbf16>
!V = !tile.view<2048x2048xbf16, strides=[1, 2048]>
!T = tensor<?x?xbf16>
!S = tensor<?x?xf32>

// CHECK-LABEL: tile.kernel @transposed_view(
// CHECK: params {BM = 128 in [128], BN = 128 in [128], BK = 64 in [64]}
tile.kernel @transposed_view(%x: !X, %w: !W) outs(%y: !X)
    params {BM = 64 in [16, 32, 64, 128, 256], BN = 64 in [16, 32, 64, 128, 256], BK = 64 in [32, 64, 128]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> !S
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %v = tile.transpose %w [1, 0] : !W -> !V
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (!S) {
    %a = tile.load %x[%m, %k] [BM, BK] : !X -> !T
    %b = tile.load %v[%k, %n] [BK, BN] : !V -> !T
    %next = tile.dot %a, %b, %acc : !T, !T, !S -> !S
    scf.yield %next : !S
  }
  %r = tile.cast %sum : !S to !T
  tile.store %r, %y[%m, %n] : !T, !X
}

// -----

!X = !tile.view<4096x2048xbf16>
!W = !tile.view<2048x2048xi8>
!T = tensor<?x?xbf16>
!S = tensor<?x?xf32>

// Converted after it is permuted.
// CHECK-LABEL: tile.kernel @permuted_bytes(
// CHECK: params {BM = 256 in [256], BN = 128 in [128], BK = 64 in [64]}
tile.kernel @permuted_bytes(%x: !X, %w: !W) outs(%y: !X)
    params {BM = 64 in [16, 32, 64, 128, 256], BN = 64 in [16, 32, 64, 128, 256], BK = 64 in [32, 64, 128]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> !S
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (!S) {
    %a = tile.load %x[%m, %k] [BM, BK] : !X -> !T
    %b = tile.load %w[%n, %k] [BN, BK] : !W -> tensor<?x?xi8>
    %t = tile.permute %b [1, 0] : tensor<?x?xi8> -> tensor<?x?xi8>
    %f = arith.sitofp %t : tensor<?x?xi8> to !T
    %next = tile.dot %a, %f, %acc : !T, !T, !S -> !S
    scf.yield %next : !S
  }
  %r = tile.cast %sum : !S to !T
  tile.store %r, %y[%m, %n] : !T, !X
}

// -----

!X = !tile.view<4096x2048xbf16>
!W = !tile.view<2048x2048xbf16>
!T = tensor<?x?xbf16>
!S = tensor<?x?xf32>

// Both operands are computed: threads stage one of them.
// CHECK-LABEL: tile.kernel @both_computed(
// CHECK: params {BM = 128 in [128], BN = 128 in [128], BK = 64 in [64]}
tile.kernel @both_computed(%x: !X, %w: !W) outs(%y: !X)
    params {BM = 64 in [16, 32, 64, 128, 256], BN = 64 in [16, 32, 64, 128, 256], BK = 64 in [32, 64, 128]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> !S
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (!S) {
    %a = tile.load %x[%m, %k] [BM, BK] : !X -> !T
    %b = tile.load %w[%n, %k] [BN, BK] : !W -> !T
    %c = tile.cast %a : !T to tensor<?x?xf16>
    %d = tile.cast %b : !T to tensor<?x?xf16>
    %next = tile.dot %c, %d, %acc transpose_b : tensor<?x?xf16>, tensor<?x?xf16>, !S -> !S
    scf.yield %next : !S
  }
  %r = tile.cast %sum : !S to !T
  tile.store %r, %y[%m, %n] : !T, !X
}
