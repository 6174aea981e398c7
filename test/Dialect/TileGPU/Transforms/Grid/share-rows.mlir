// RUN: tilegpt-opt %s --tile-gpu-share-rows --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 4, parts = 4>
!X = !tile.view<1024x64xf32>

// Four blocks compute the same 32 partial sums: each computes eight of them from its own rows, with the original row
// indices, and all exchange the results.
// CHECK-LABEL: tile.kernel @sums
// CHECK:         tile_gpu.cluster = array<i32: 4, 1, 1>
// CHECK-DAG:     %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<8x64xf32>
// CHECK-DAG:     %[[IN:.*]] = tile.iota [128]
// CHECK-DAG:     %[[ID:.*]] = tile.block_id 0
// CHECK-DAG:     tile_gpu.arrive_cluster relaxed
// CHECK-DAG:     %[[P:.*]] = arith.remui %[[ID]], %c4
// CHECK:         %[[F:.*]] = arith.muli %[[P]], %c128
// CHECK:         %[[S:.*]] = scf.for %[[J:.*]] = {{.*}} iter_args(%[[A:.*]] = %[[Z]]) -> (tensor<8x64xf32>)
// CHECK-DAG:       %[[J4:.*]] = arith.muli %[[J]], %c4
// CHECK-DAG:       %[[AT:.*]] = arith.addi %[[J4]], %[[P]]
// CHECK-DAG:       %[[T:.*]] = tile.load %{{.*}}[%[[AT]], %c0] [128, 64]
// CHECK-DAG:       tile.reshape %[[T]] [8, 16, 64]
// CHECK:           tile.reduce add {{.*}} axis 1 : tensor<8x16x64xf32> -> tensor<8x64xf32>
// CHECK:         tile_gpu.await_cluster
// CHECK-NEXT:    tile_gpu.write_part %[[S]], %[[B:.*]][%[[P]]] : tensor<8x64xf32>, !tile_gpu.shared<32x64xf32>
// CHECK-NEXT:    tile_gpu.arrive_cluster
// CHECK-NEXT:    tile_gpu.await_cluster
// CHECK-NEXT:    %[[ALL:.*]] = tile_gpu.read %[[B]] : !tile_gpu.shared<32x64xf32> -> tensor<32x64xf32>
// CHECK:         tile.store %[[ALL]]
tile.kernel @sums(%x: !X, %n: index) outs(%y: !tile.view<?x64xf32>) grid [dim(%y, 0) * 4] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  %i = tile.block_id 0
  %h = arith.divui %i, %c4 : index
  %in = tile.iota [512] : tensor<512xi32>
  %z = tile.splat %zero [32, 64] : f32 -> tensor<32x64xf32>
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%a = %z) -> (tensor<32x64xf32>) {
    %t = tile.load %x[%j, %c0] [512, 64] : !X -> tensor<512x64xf32>
    %p = tile.reshape %t [32, 16, 64] : tensor<512x64xf32> -> tensor<32x16x64xf32>
    %first = arith.muli %j, %c512 : index
    %firsti = arith.index_cast %first : index to i32
    %firsts = tile.splat %firsti [512] : i32 -> tensor<512xi32>
    %at = arith.addi %firsts, %in : tensor<512xi32>
    %atp = tile.reshape %at [32, 16] : tensor<512xi32> -> tensor<32x16xi32>
    %atf = arith.sitofp %atp : tensor<32x16xi32> to tensor<32x16xf32>
    %ate = tile.expand_dims %atf, 2 : tensor<32x16xf32> -> tensor<32x16x1xf32>
    %atb = tile.broadcast %ate [32, 16, 64] : tensor<32x16x1xf32> -> tensor<32x16x64xf32>
    %w = arith.mulf %p, %atb : tensor<32x16x64xf32>
    %r = tile.reduce add %w axis 1 : tensor<32x16x64xf32> -> tensor<32x64xf32>
    %b = arith.addf %a, %r : tensor<32x64xf32>
    scf.yield %b : tensor<32x64xf32>
  }
  tile.store %s, %y[%h, %c0] : tensor<32x64xf32>, !tile.view<?x64xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 4, parts = 4>
!X = !tile.view<1024x64xf32>

// Parts that are combined in every iteration are not split: each block computes all of them.
// CHECK-LABEL: tile.kernel @meets
// CHECK-NOT:     tile_gpu.arrive_cluster
// CHECK:         scf.for {{.*}} -> (tensor<32x64xf32>)
tile.kernel @meets(%x: !X, %n: index) outs(%y: !tile.view<?x64xf32>) grid [dim(%y, 0) * 4] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %i = tile.block_id 0
  %h = arith.divui %i, %c4 : index
  %z = tile.splat %zero [32, 64] : f32 -> tensor<32x64xf32>
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%a = %z) -> (tensor<32x64xf32>) {
    %t = tile.load %x[%j, %c0] [32, 64] : !X -> tensor<32x64xf32>
    %m = tile.reduce max %t axis 0 keepdims : tensor<32x64xf32> -> tensor<1x64xf32>
    %mb = tile.broadcast %m [32, 64] : tensor<1x64xf32> -> tensor<32x64xf32>
    %b = arith.addf %a, %mb : tensor<32x64xf32>
    scf.yield %b : tensor<32x64xf32>
  }
  tile.store %s, %y[%h, %c0] : tensor<32x64xf32>, !tile.view<?x64xf32>
}
