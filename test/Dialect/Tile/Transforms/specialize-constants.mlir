// RUN: tilegpt-opt %s --canonicalize --tile-specialize | FileCheck %s

// A comparison of a tile of unknown size with itself folds to a constant of unknown size, which gets the size that each
// of its users needs.
// CHECK-LABEL: tile.kernel @compares(
// CHECK: tile.load %{{.*}} [16] : !tile.view<?xi1>
// CHECK: %[[ALL:.*]] = arith.constant dense<true> : tensor<16xi1>
// CHECK-NEXT: arith.xori %{{.*}}, %[[ALL]] : tensor<16xi1>
// CHECK: %[[NO:.*]] = arith.constant dense<false> : tensor<16xi1>
// CHECK-NEXT: tile.store %{{.*}} mask(%[[NO]] : tensor<16xi1>)
// CHECK-NOT: tensor<?
tile.kernel @compares(%x: !tile.view<?xi32>, %p: !tile.view<?xi1>) outs(%y: !tile.view<?xi32>, %q: !tile.view<?xi1>) params {B = 16 in [8, 16]}
    grid [ceildiv(dim(%y, 0), B)] {
  %m = tile.block_id 0
  %0 = tile.load %x[%m] [B] : !tile.view<?xi32> -> tensor<?xi32>
  %1 = arith.cmpi eq, %0, %0 : tensor<?xi32>
  %2 = arith.cmpi slt, %0, %0 : tensor<?xi32>
  %3 = tile.load %p[%m] [B] mask(%1 : tensor<?xi1>) : !tile.view<?xi1> -> tensor<?xi1>
  %4 = arith.xori %3, %1 : tensor<?xi1>
  tile.store %4, %q[%m] : tensor<?xi1>, !tile.view<?xi1>
  tile.store %0, %y[%m] mask(%2 : tensor<?xi1>) : tensor<?xi32>, !tile.view<?xi32>
}
