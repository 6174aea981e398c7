// RUN: tilegpt-opt %s -split-input-file --tile-gpu-assign-layouts | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 3>

// Rows of an odd number of 16-bit elements, read by a dot: 16 bytes a thread. A multiprocessor is to run two blocks.
// CHECK-DAG: #[[UNITS:.*]] = #tile_gpu.layout<registers = [d1:8*1, d0:4*32], lanes = [d1:8*8, d0:4*1], warps = [d0:8*4]>
// CHECK-LABEL: @odd_pitch
// CHECK-NEXT:  tile_gpu.least_residents = 2 : i64
// CHECK:       tile.load %{{.*}} {tile_gpu.realigned} : !tile.view<?x?xbf16, strides=[?, 1]> -> tensor<128x64xbf16, #[[UNITS]]>
// CHECK:       tile.load %{{.*}} {tile_gpu.realigned} : !tile.view<256x1047xbf16> -> tensor<128x64xbf16, #[[UNITS]]>
tile.kernel @odd_pitch(%x: !tile.view<?x?xbf16, strides=[?, 1]>, %w: !tile.view<256x1047xbf16>) outs(%y: !tile.view<?x256xf32>)
    grid [ceildiv(dim(%y, 0), 128), 2] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c17 = arith.constant 17 : index
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %k = %c0 to %c17 step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    %a = tile.load %x[%m, %k] [128, 64] : !tile.view<?x?xbf16, strides=[?, 1]> -> tensor<128x64xbf16>
    %b = tile.load %w[%n, %k] [128, 64] : !tile.view<256x1047xbf16> -> tensor<128x64xbf16>
    %d = tile.dot %a, %b, %acc transpose_b {tile_gpu.wgmma} : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<128x128xf32>, !tile.view<?x256xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3>

// Rows that begin at words are copied, whatever their length; masked loads, other padding, tiles that arithmetic reads and
// wide elements stay as they are.
// CHECK-LABEL: @near_misses
// CHECK-NOT:   tile_gpu.realigned
// CHECK:       tile.store
tile.kernel @near_misses(%even: !tile.view<64x1046xbf16>, %any: !tile.view<64x?xbf16, strides=[1048, 1]>, %odd: !tile.view<64x1047xbf16>, %wide: !tile.view<64x1047xf32>, %mask: !tile.view<64x64xi1>)
    outs(%y: !tile.view<64x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %m = tile.load %mask[%c0, %c0] [64, 64] : !tile.view<64x64xi1> -> tensor<64x64xi1>
  %a = tile.load %even[%c0, %c0] [64, 64] : !tile.view<64x1046xbf16> -> tensor<64x64xbf16>
  %b = tile.load %odd[%c0, %c0] [64, 64] mask(%m : tensor<64x64xi1>) : !tile.view<64x1047xbf16> -> tensor<64x64xbf16>
  %c = tile.load %any[%c0, %c0] [64, 64] : !tile.view<64x?xbf16, strides=[1048, 1]> -> tensor<64x64xbf16>
  %h = tile.dot %a, %b, %zero transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  %d = tile.dot %a, %c, %h transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  %s = tile.load %odd[%c0, %c0] [64, 64] : !tile.view<64x1047xbf16> -> tensor<64x64xbf16>
  %t = arith.addf %s, %a : tensor<64x64xbf16>
  %e = tile.dot %t, %a, %d transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  %f = tile.load %wide[%c0, %c0] [64, 64] : !tile.view<64x1047xf32> -> tensor<64x64xf32>
  %g = tile.dot %f, %f, %e transpose_b : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  tile.store %g, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}
