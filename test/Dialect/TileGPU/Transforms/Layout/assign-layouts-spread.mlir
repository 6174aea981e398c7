// RUN: tilegpt-opt %s --tile-gpu-assign-layouts --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Warps share the reduced rows, and the result is only stored: each thread gets its part of it, instead of every warp
// all of it.
// CHECK-DAG:   #[[TILE:[^ ]*]] = #tile_gpu.layout<registers = [d1:4*1, d0:16*4], lanes = [d1:32*4], warps = [d0:4*1]>
// CHECK-DAG:   #[[OWN:[^ ]*]] = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = [d0:4*32]>
// CHECK-LABEL: @columns
// CHECK:         tile.load {{.*}} -> tensor<64x128xf32, #[[TILE]]>
// CHECK:         %[[S:.*]] = tile.reduce add %{{.*}} axis 0 : tensor<64x128xf32, #[[TILE]]> -> tensor<128xf32, #[[OWN]]>
// CHECK-NOT:     convert_layout
// CHECK:         tile.store
tile.kernel @columns(%x: !tile.view<64x512xf32>) outs(%y: !tile.view<512xf32>) grid [4] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %half = arith.constant dense<0.5> : tensor<128xf32>
  %t = tile.load %x[%c0, %n] [64, 128] : !tile.view<64x512xf32> -> tensor<64x128xf32>
  %s = tile.reduce add %t axis 0 : tensor<64x128xf32> -> tensor<128xf32>
  %m = arith.mulf %s, %half : tensor<128xf32>
  tile.store %m, %y[%n] : tensor<128xf32>, !tile.view<512xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A result that is combined with the tile again stays in every warp.
// CHECK-DAG:   #[[ALL:[^ ]*]] = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:32*4], warps = [rep:4]>
// CHECK-LABEL: @normalized
// CHECK:         tile.reduce {{.*}} -> tensor<1x128xf32, #[[ALL]]>
// CHECK-NEXT:    tile.broadcast
tile.kernel @normalized(%x: !tile.view<64x512xf32>) outs(%y: !tile.view<64x512xf32>) grid [4] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %n] [64, 128] : !tile.view<64x512xf32> -> tensor<64x128xf32>
  %s = tile.reduce add %t axis 0 keepdims : tensor<64x128xf32> -> tensor<1x128xf32>
  %all = tile.broadcast %s [64, 128] : tensor<1x128xf32> -> tensor<64x128xf32>
  %d = arith.subf %t, %all : tensor<64x128xf32>
  tile.store %d, %y[%c0, %n] : tensor<64x128xf32>, !tile.view<64x512xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// So do argmax indices, which are exchanged as pairs, and columns that would leave threads padding.
// CHECK-DAG:   #[[PLACES:[^ ]*]] = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [rep:4]>
// CHECK-DAG:   #[[PADDED:[^ ]*]] = #tile_gpu.layout<registers = [d0:2*32], lanes = [d0:32*1], warps = [rep:4]>
// CHECK-LABEL: @places
// CHECK:         tile.reduce argmax {{.*}} -> tensor<128xi32, #[[PLACES]]>
// CHECK-LABEL: @padded
// CHECK:         tile.reduce add {{.*}} -> tensor<33xf32, #[[PADDED]]>
tile.kernel @places(%x: !tile.view<64x512xf32>) outs(%y: !tile.view<512xi32>) grid [4] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %n] [64, 128] : !tile.view<64x512xf32> -> tensor<64x128xf32>
  %s = tile.reduce argmax %t axis 0 : tensor<64x128xf32> -> tensor<128xi32>
  tile.store %s, %y[%n] : tensor<128xi32>, !tile.view<512xi32>
}
tile.kernel @padded(%x: !tile.view<64x33xf32>) outs(%y: !tile.view<33xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [64, 33] : !tile.view<64x33xf32> -> tensor<64x33xf32>
  %s = tile.reduce add %t axis 0 : tensor<64x33xf32> -> tensor<33xf32>
  tile.store %s, %y[%c0] : tensor<33xf32>, !tile.view<33xf32>
}
