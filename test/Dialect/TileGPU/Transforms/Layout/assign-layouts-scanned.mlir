// RUN: tilegpt-opt %s --tile-gpu-assign-layouts --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8>

// A scanned row that comes through shared memory: 42 adjacent elements for each thread, 21 banks.
// CHECK:       #[[ROW:.*]] = #tile_gpu.layout<registers = [d1:42*1], lanes = [d1:32*42], warps = [d1:8*1344]>
// CHECK-LABEL: tile.kernel @row
// CHECK:         tile.load %{{.*}} -> tensor<1x10625xbf16, #[[ROW]]>
// CHECK:         tile.scan add %{{.*}} axis 1 : tensor<1x10625xf32, #[[ROW]]>
tile.kernel @row(%x: !tile.view<396x10625xbf16>) outs(%y: !tile.view<396x10625xbf16>) grid [396] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 10625] : !tile.view<396x10625xbf16> -> tensor<1x10625xbf16>
  %f = tile.cast %t : tensor<1x10625xbf16> to tensor<1x10625xf32>
  %s = tile.scan add %f axis 1 : tensor<1x10625xf32>
  %r = tile.cast %s : tensor<1x10625xf32> to tensor<1x10625xbf16>
  tile.store %r, %y[%m, %c0] : tensor<1x10625xbf16>, !tile.view<396x10625xbf16>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Each warp scans its own row.
// CHECK:       #[[ROWS:.*]] = #tile_gpu.layout<registers = [d1:65*1], lanes = [d1:32*65], warps = [d0:4*1]>
// CHECK-LABEL: tile.kernel @rows
// CHECK:         tile.load %{{.*}} -> tensor<4x2050xf32, #[[ROWS]]>
tile.kernel @rows(%x: !tile.view<3394x2050xf32>) outs(%y: !tile.view<3394x2050xf32>) grid [849] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [4, 2050] : !tile.view<3394x2050xf32> -> tensor<4x2050xf32>
  %s = tile.scan add %t axis 1 : tensor<4x2050xf32>
  tile.store %s, %y[%m, %c0] : tensor<4x2050xf32>, !tile.view<3394x2050xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Parts of rows come from memory directly: adjacent lanes access adjacent elements.
// CHECK:       #[[PART:.*]] = #tile_gpu.layout<registers = [d1:4*128], lanes = [d1:32*1], warps = [d1:4*32]>
// CHECK-LABEL: tile.kernel @part
// CHECK:         tile.load %{{.*}} -> tensor<1x500xf32, #[[PART]]>
tile.kernel @part(%x: !tile.view<3394x1001xf32>) outs(%y: !tile.view<3394x1001xf32>) grid [3394] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 500] : !tile.view<3394x1001xf32> -> tensor<1x500xf32>
  %s = tile.scan add %t axis 1 : tensor<1x500xf32>
  tile.store %s, %y[%m, %c0] : tensor<1x500xf32>, !tile.view<3394x1001xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8>

// Columns: threads scan eight adjacent rows before they exchange, and access four columns at a time as without the scan.
// CHECK:       #[[COLUMNS:.*]] = #tile_gpu.layout<registers = [d1:4*1, d0:8*1], lanes = [d1:2*4, d0:16*8], warps = [d0:8*128]>
// CHECK-LABEL: tile.kernel @columns
// CHECK:         tile.load %{{.*}} -> tensor<1024x8xf32, #[[COLUMNS]]>
// CHECK:         tile.scan add %{{.*}} axis 0 : tensor<1024x8xf32, #[[COLUMNS]]>
tile.kernel @columns(%x: !tile.view<1024x512xf32>) outs(%y: !tile.view<1024x512xf32>) grid [64] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %n] [1024, 8] : !tile.view<1024x512xf32> -> tensor<1024x8xf32>
  %s = tile.scan add %t axis 0 : tensor<1024x8xf32>
  tile.store %s, %y[%c0, %n] : tensor<1024x8xf32>, !tile.view<1024x512xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8>

// Without a scan, warps access adjacent rows.
// CHECK:       #[[PLAIN:.*]] = #tile_gpu.layout<registers = [d1:4*1, d0:8*128], lanes = [d1:2*4, d0:16*1], warps = [d0:8*16]>
// CHECK-LABEL: tile.kernel @plain
// CHECK:         tile.load %{{.*}} -> tensor<1024x8xf32, #[[PLAIN]]>
tile.kernel @plain(%x: !tile.view<1024x512xf32>) outs(%y: !tile.view<1024x512xf32>) grid [64] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %n] [1024, 8] : !tile.view<1024x512xf32> -> tensor<1024x8xf32>
  tile.store %t, %y[%c0, %n] : tensor<1024x8xf32>, !tile.view<1024x512xf32>
}
