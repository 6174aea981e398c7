// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --split-input-file --verify-diagnostics | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true>
!X = !tile.view<4096x4096xbf16>
!F = !tile.view<4096x4096xf32>

// TMA loads in one region, dots in the other.
// CHECK-LABEL: tile.kernel @product(
// CHECK:         tile_gpu.mainloop
// CHECK-SAME:    produce
// CHECK-COUNT-2:   tile.load
// CHECK:         consume
// CHECK-NOT:       tile.load
// CHECK:           tile.dot
tile.kernel @product(%x: !X, %w: !X) outs(%y: !F) grid [64, 32] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : tensor<64x128xf32>
  %s = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %z) -> (tensor<64x128xf32>) {
    %xt = tile.load %x[%m, %k] [64, 64] : !X -> tensor<64x64xbf16>
    %wt = tile.load %w[%n, %k] [128, 64] : !X -> tensor<128x64xbf16>
    %p = tile.dot %xt, %wt, %acc transpose_b : tensor<64x64xbf16>, tensor<128x64xbf16>, tensor<64x128xf32> -> tensor<64x128xf32>
    scf.yield %p : tensor<64x128xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x128xf32>, !F
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true>
!B = !tile.view<4096x4096xi8>
!I = !tile.view<4096x4096xi32>

// wgmma multiplies unsigned bytes by signed ones.
// CHECK-LABEL: tile.kernel @unsigned(
// CHECK:         tile_gpu.mainloop
// CHECK:         consume
// CHECK:           tile.dot {{.*}} transpose_b unsigned_rhs
tile.kernel @unsigned(%x: !B, %w: !B) outs(%y: !I) grid [64, 32] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0> : tensor<64x128xi32>
  %s = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %z) -> (tensor<64x128xi32>) {
    %xt = tile.load %x[%m, %k] [64, 128] : !B -> tensor<64x128xi8>
    %wt = tile.load %w[%n, %k] [128, 128] : !B -> tensor<128x128xi8>
    %p = tile.dot %xt, %wt, %acc transpose_b unsigned_rhs : tensor<64x128xi8>, tensor<128x128xi8>, tensor<64x128xi32> -> tensor<64x128xi32>
    scf.yield %p : tensor<64x128xi32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x128xi32>, !I
}
