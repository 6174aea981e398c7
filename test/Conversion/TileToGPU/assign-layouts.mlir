// RUN: tilegpt-opt %s -split-input-file --tile-gpu-assign-layouts --canonicalize --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A row of four a warp, four neighbours a thread: nothing moves between threads but in the sum.
// CHECK-DAG: #[[ROWS:.*]] = #tile_gpu.layout<registers = [d1:4*1, d1:6*128], lanes = [d1:32*4], warps = [d0:4*1]>
// CHECK-DAG: #[[SUMS:.*]] = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [d0:4*1]>
// CHECK-DAG: #[[GAIN:.*]] = #tile_gpu.layout<registers = [d0:4*1, d0:6*128], lanes = [d0:32*4], warps = [rep:4]>
// CHECK-LABEL: @rows
// CHECK-NOT:   convert_layout
// CHECK:       tile.load {{.*}} -> tensor<4x768xf32, #[[ROWS]]>
// CHECK:       tile.reduce add {{.*}} -> tensor<4x1xf32, #[[SUMS]]>
// CHECK:       tile.broadcast {{.*}} tensor<4x1xf32, #[[SUMS]]> -> tensor<4x768xf32, #[[ROWS]]>
// CHECK:       tile.load {{.*}} -> tensor<768xf32, #[[GAIN]]>
// CHECK-NOT:   convert_layout
tile.kernel @rows(%x: !tile.view<?x768xf32>, %g: !tile.view<768xf32>) outs(%y: !tile.view<?x768xf32>)
    grid [ceildiv(dim(%y, 0), 4)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [4, 768] : !tile.view<?x768xf32> -> tensor<4x768xf32>
  %s = tile.reduce add %t axis 1 keepdims : tensor<4x768xf32> -> tensor<4x1xf32>
  %b = tile.broadcast %s [4, 768] : tensor<4x1xf32> -> tensor<4x768xf32>
  %d = arith.divf %t, %b : tensor<4x768xf32>
  %gt = tile.load %g[%c0] [768] : !tile.view<768xf32> -> tensor<768xf32>
  %gb = tile.broadcast %gt [4, 768] : tensor<768xf32> -> tensor<4x768xf32>
  %r = arith.mulf %d, %gb : tensor<4x768xf32>
  tile.store %r, %y[%m, %c0] : tensor<4x768xf32>, !tile.view<?x768xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 7>

// Narrow rows that share a vector: seven warps to a row, eight neighbours a thread, which keeps its part of the vector for
// all rows.
// CHECK-DAG: #[[ROWS:.*]] = #tile_gpu.layout<registers = [d1:8*1, d0:4*1], lanes = [d1:32*8], warps = [d1:7*256]>
// CHECK-DAG: #[[GAIN:.*]] = #tile_gpu.layout<registers = [d0:8*1], lanes = [d0:32*8], warps = [d0:7*256]>
// CHECK-LABEL: @shared_rows
// CHECK-NOT:   convert_layout
// CHECK:       tile.load {{.*}} -> tensor<4x1600xbf16, #[[ROWS]]>
// CHECK:       tile.load {{.*}} -> tensor<1600xf32, #[[GAIN]]>
// CHECK-NOT:   convert_layout
tile.kernel @shared_rows(%x: !tile.view<?x1600xbf16>, %g: !tile.view<1600xf32>) outs(%y: !tile.view<?x1600xf32>)
    grid [ceildiv(dim(%x, 0), 4)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [4, 1600] : !tile.view<?x1600xbf16> -> tensor<4x1600xbf16>
  %f = tile.cast %t : tensor<4x1600xbf16> to tensor<4x1600xf32>
  %gt = tile.load %g[%c0] [1600] : !tile.view<1600xf32> -> tensor<1600xf32>
  %gb = tile.broadcast %gt [4, 1600] : tensor<1600xf32> -> tensor<4x1600xf32>
  %r = arith.mulf %f, %gb : tensor<4x1600xf32>
  tile.store %r, %y[%m, %c0] : tensor<4x1600xf32>, !tile.view<?x1600xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A constant that two classes read is made twice; narrow elements take eight neighbours; a transposed load follows
// the axis that is dense in memory.
// CHECK-DAG: #[[NARROW:.*]] = #tile_gpu.layout<registers = [d1:8*1], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
// CHECK-DAG: #[[COLUMNS:.*]] = #tile_gpu.layout<registers = [d0:4*1, d1:2*32], lanes = [d0:4*4, d1:8*1], warps = [d1:4*8]>
// CHECK-LABEL: @kinds
// CHECK:       tile.load {{.*}} -> tensor<16x64xbf16, #[[NARROW]]>
// CHECK:       tile.load {{.*}} -> tensor<16x64xf32, #[[COLUMNS]]>
tile.kernel @kinds(%a: !tile.view<?x64xbf16>, %b: !tile.view<64x16xf32>) outs(%y: !tile.view<?x64xbf16>, %z: !tile.view<64x16xf32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %a0 = tile.load %a[%c0, %c0] [16, 64] : !tile.view<?x64xbf16> -> tensor<16x64xbf16>
  %a1 = arith.extf %a0 : tensor<16x64xbf16> to tensor<16x64xf32>
  %a2 = arith.maximumf %a1, %zero : tensor<16x64xf32>
  %a3 = arith.truncf %a2 : tensor<16x64xf32> to tensor<16x64xbf16>
  tile.store %a3, %y[%c0, %c0] : tensor<16x64xbf16>, !tile.view<?x64xbf16>
  %b0 = tile.load %b[%c0, %c0] [16, 64] order [1, 0] : !tile.view<64x16xf32> -> tensor<16x64xf32>
  %b1 = arith.maximumf %b0, %zero : tensor<16x64xf32>
  tile.store %b1, %z[%c0, %c0] order [1, 0] : tensor<16x64xf32>, !tile.view<64x16xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Where two wishes meet, the tile is converted.
// CHECK-LABEL: @meeting
// CHECK:       %[[ROW:.*]] = tile.reduce max
// CHECK:       %[[TURNED:.*]] = tile_gpu.convert_layout %[[ROW]]
// CHECK:       tile.broadcast %[[TURNED]]
tile.kernel @meeting(%a: !tile.view<64x64xf32>) outs(%y: !tile.view<64x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] [64, 64] : !tile.view<64x64xf32> -> tensor<64x64xf32>
  %m = tile.reduce max %t axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  %b = tile.broadcast %m [64, 64] : tensor<64xf32> -> tensor<64x64xf32>
  %d = arith.subf %t, %b : tensor<64x64xf32>
  tile.store %d, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}
