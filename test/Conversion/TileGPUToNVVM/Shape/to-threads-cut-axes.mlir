// RUN: tilegpt-opt %s --tile-gpu-assign-layouts --canonicalize --cse | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-assign-layouts --canonicalize --cse --tile-gpu-allocate-shared --tile-gpu-to-threads | FileCheck %s --check-prefix=THREADS

// A loaded tile whose only use is a reshape that splits axes gets its layout from the result: one part per warp, so
// that sums over a part stay in the warp, and threads exchange nothing in the loop.
// CHECK-DAG: #[[PARTS:.*]] = #tile_gpu.layout<registers = [d2:8*1, d1:4*4], lanes = [d2:8*8, d1:4*1], warps = [d0:8*1]>
// CHECK-DAG: #[[WHOLE:.*]] = #tile_gpu.layout<registers = [d1:8*1, d0:4*4], lanes = [d1:8*8, d0:4*1], warps = [d0:8*16]>
// CHECK:     tile.load {{.*}} -> tensor<128x64xbf16, #[[WHOLE]]>
// CHECK:     tile.reshape {{.*}} -> tensor<8x16x64xbf16, #[[PARTS]]>
// CHECK-NOT: convert_layout
// THREADS-NOT: barrier
tile.kernel @parts(%x: !tile.view<1024x64xbf16>) outs(%y: !tile.view<8x16xf32>)
    grid [1] attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 8>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [128, 64] : !tile.view<1024x64xbf16> -> tensor<128x64xbf16>
  %p = tile.reshape %t [8, 16, 64] : tensor<128x64xbf16> -> tensor<8x16x64xbf16>
  %f = arith.extf %p : tensor<8x16x64xbf16> to tensor<8x16x64xf32>
  %s = tile.reduce add %f axis 2 : tensor<8x16x64xf32> -> tensor<8x16xf32>
  tile.store %s, %y[%c0, %c0] : tensor<8x16xf32>, !tile.view<8x16xf32>
}
