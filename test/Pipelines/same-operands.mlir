// RUN: tilegpt-opt %s --compile-to=specialized | FileCheck %s
// RUN: tilegpt-opt %s --arch=sm_90a --compile-to=specialized | FileCheck %s

// Ops of a tile of unknown size with itself fold to constants once the sizes are bound, whatever uses them.
// CHECK-LABEL: tile.kernel @folds(
// CHECK: %[[ZERO:.*]] = arith.constant dense<0> : tensor<8x8xi32>
// CHECK: tile.store %[[ZERO]]
// CHECK: tile.reduce add %[[ZERO]]
// CHECK-NOT: tensor<?
!I = !tile.view<?x?xi32>
!I1 = !tile.view<?xi32>
tile.kernel @folds(%x: !I) outs(%y: !I, %z: !I1) params {B = 8 in [4, 8]} grid [ceildiv(dim(%y, 0), B)] {
  %m = tile.block_id 0
  %0 = tile.load %x[%m, %m] [B, B] : !I -> tensor<?x?xi32>
  %1 = arith.cmpi ult, %0, %0 : tensor<?x?xi32>
  %2 = tile.permute %1 [1, 0] : tensor<?x?xi1> -> tensor<?x?xi1>
  %3 = arith.extui %2 : tensor<?x?xi1> to tensor<?x?xi32>
  tile.store %3, %y[%m, %m] : tensor<?x?xi32>, !I
  %4 = arith.subi %0, %0 : tensor<?x?xi32>
  %5 = tile.reduce add %4 axis 1 : tensor<?x?xi32> -> tensor<?xi32>
  tile.store %5, %z[%m] : tensor<?xi32>, !I1
}
