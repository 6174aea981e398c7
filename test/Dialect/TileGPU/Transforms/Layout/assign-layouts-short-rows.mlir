// RUN: tilegpt-opt %s -split-input-file --tile-gpu-assign-layouts --canonicalize --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A row of 18 vectors leaves 14 lanes of a warp idle, and none of eight lanes a fourth vector.
// CHECK: #[[EIGHT:.*]] = #tile_gpu.layout<registers = [d1:8*1, d1:3*64], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
// CHECK-LABEL: @vectors
// CHECK: tile.load {{.*}} -> tensor<16x144xbf16, #[[EIGHT]]>
tile.kernel @vectors(%x: !tile.view<?x144xbf16>) outs(%y: !tile.view<?xf32>) grid [ceildiv(dim(%y, 0), 16)]
    attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%m, %c0] [16, 144] : !tile.view<?x144xbf16> -> tensor<16x144xbf16>
  %xf = tile.cast %xt : tensor<16x144xbf16> to tensor<16x144xf32>
  %s = tile.reduce add %xf axis 1 : tensor<16x144xf32> -> tensor<16xf32>
  tile.store %s, %y[%m] : tensor<16xf32>, !tile.view<?xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// 16 vectors have 16 lanes, and fewer would have as many vectors each; four rows have a warp each; long rows leave few
// lanes idle; rows that are not reduced stay contiguous.
// CHECK-DAG: #[[SIXTEEN:.*]] = #tile_gpu.layout<registers = [d1:8*1, d0:2*8], lanes = [d1:16*8, d0:2*1], warps = [d0:4*2]>
// CHECK-DAG: #[[WARP:.*]] = #tile_gpu.layout<registers = [d1:8*1], lanes = [d1:32*8], warps = [d0:4*1]>
// CHECK-DAG: #[[LONG:.*]] = #tile_gpu.layout<registers = [d1:8*1, d1:3*256, d0:4*4], lanes = [d1:32*8], warps = [d0:4*1]>
// CHECK-DAG: #[[COPIED:.*]] = #tile_gpu.layout<registers = [d1:8*1, d0:4*4], lanes = [d1:32*8], warps = [d0:4*1]>
// CHECK-LABEL: @whole_warps
// CHECK: tile.load %arg0{{.*}} -> tensor<16x128xbf16, #[[SIXTEEN]]>
// CHECK: tile.load %arg1{{.*}} -> tensor<4x144xbf16, #[[WARP]]>
// CHECK: tile.load %arg2{{.*}} -> tensor<16x528xbf16, #[[LONG]]>
// CHECK: tile.load %arg3{{.*}} -> tensor<16x144xbf16, #[[COPIED]]>
tile.kernel @whole_warps(%a: !tile.view<16x128xbf16>, %b: !tile.view<4x144xbf16>, %c: !tile.view<16x528xbf16>,
                         %d: !tile.view<16x144xbf16>)
    outs(%y: !tile.view<16xbf16>, %z: !tile.view<4xbf16>, %v: !tile.view<16xbf16>, %e: !tile.view<16x144xbf16>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %at = tile.load %a[%c0, %c0] [16, 128] : !tile.view<16x128xbf16> -> tensor<16x128xbf16>
  %as = tile.reduce max %at axis 1 : tensor<16x128xbf16> -> tensor<16xbf16>
  tile.store %as, %y[%c0] : tensor<16xbf16>, !tile.view<16xbf16>
  %bt = tile.load %b[%c0, %c0] [4, 144] : !tile.view<4x144xbf16> -> tensor<4x144xbf16>
  %bs = tile.reduce max %bt axis 1 : tensor<4x144xbf16> -> tensor<4xbf16>
  tile.store %bs, %z[%c0] : tensor<4xbf16>, !tile.view<4xbf16>
  %ct = tile.load %c[%c0, %c0] [16, 528] : !tile.view<16x528xbf16> -> tensor<16x528xbf16>
  %cs = tile.reduce max %ct axis 1 : tensor<16x528xbf16> -> tensor<16xbf16>
  tile.store %cs, %v[%c0] : tensor<16xbf16>, !tile.view<16xbf16>
  %dt = tile.load %d[%c0, %c0] [16, 144] : !tile.view<16x144xbf16> -> tensor<16x144xbf16>
  tile.store %dt, %e[%c0, %c0] : tensor<16x144xbf16>, !tile.view<16x144xbf16>
}
