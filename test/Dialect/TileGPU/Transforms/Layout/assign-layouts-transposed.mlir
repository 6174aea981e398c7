// A main loop that transposes an operand from one buffer of shared memory to another: each thread writes 16 bytes of a row.
// Adjacent lanes have adjacent rows, which are in different banks of a swizzled buffer and adjacent elements of the source.
// RUN: tilegpt-opt %s --arch=sm_90a --compile-to=layouts | FileCheck %s

// CHECK-DAG: #[[ALL:.*]] = #tile_gpu.layout<registers = [d1:4*1, d0:5*32], lanes = [d0:32*1], warps = [d1:8*4]>
// CHECK-DAG: #[[FEW:.*]] = #tile_gpu.layout<registers = [d1:4*1, d0:4*32], lanes = [d0:8*1, d1:4*4], warps = [d1:2*16, d0:4*8]>
// CHECK-LABEL: tile.kernel @all_lanes_down
// CHECK:         tile_gpu.write %{{.*}} : tensor<160x32xf32, #[[ALL]]>, !tile_gpu.shared<160x32xf32, swizzle = 128>
tile.kernel @all_lanes_down(%a: !tile.view<1024x4096xf32>, %b: !tile.view<1024x4160xf32>) outs(%y: !tile.view<4096x4160xf32>) grid [32, 26] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant dense<0.0> : tensor<128x160xf32>
  %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %z) -> (tensor<128x160xf32>) {
    %at = tile.load %a[%k, %m] [32, 128] : !tile.view<1024x4096xf32> -> tensor<32x128xf32>
    %bt = tile.load %b[%k, %n] [32, 160] : !tile.view<1024x4160xf32> -> tensor<32x160xf32>
    %s = tile.dot %at, %bt, %acc transpose_a precision(tf32) : tensor<32x128xf32>, tensor<32x160xf32>, tensor<128x160xf32> -> tensor<128x160xf32>
    scf.yield %s : tensor<128x160xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x160xf32>, !tile.view<4096x4160xf32>
}

// CHECK-LABEL: tile.kernel @few_lanes_down
// CHECK:         tile_gpu.write %{{.*}} : tensor<104x32xf32, #[[FEW]]>, !tile_gpu.shared<104x32xf32, swizzle = 128>
tile.kernel @few_lanes_down(%a: !tile.view<1024x4096xf32>, %b: !tile.view<1024x4160xf32>) outs(%y: !tile.view<4096x4160xf32>) grid [32, 40] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant dense<0.0> : tensor<128x104xf32>
  %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %z) -> (tensor<128x104xf32>) {
    %at = tile.load %a[%k, %m] [32, 128] : !tile.view<1024x4096xf32> -> tensor<32x128xf32>
    %bt = tile.load %b[%k, %n] [32, 104] : !tile.view<1024x4160xf32> -> tensor<32x104xf32>
    %s = tile.dot %at, %bt, %acc transpose_a precision(tf32) : tensor<32x128xf32>, tensor<32x104xf32>, tensor<128x104xf32> -> tensor<128x104xf32>
    scf.yield %s : tensor<128x104xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x104xf32>, !tile.view<4096x4160xf32>
}
