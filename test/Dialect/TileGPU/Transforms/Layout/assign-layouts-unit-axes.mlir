// RUN: tilegpt-opt %s --tile-specialize --tile-gpu-make-plan=target=sm_90a --tile-gpu-assign-layouts | FileCheck %s

// A tile that is reshaped to more unit axes than follow its contiguous one: threads hold adjacent elements of that axis.
// CHECK: #[[COLUMN:.*]] = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [d0:4*128]>
// CHECK: tile.reshape {{.*}} -> tensor<512x1x1xf32, #[[COLUMN]]>
tile.kernel @column(%x: !tile.view<8x512xf32>) outs(%y: !tile.view<512x1x1xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.transpose %x [1, 0] : !tile.view<8x512xf32> -> !tile.view<512x8xf32, strides=[1, 512]>
  %0 = tile.load %t[%c0, %c0] [512, 1] : !tile.view<512x8xf32, strides=[1, 512]> -> tensor<512x1xf32>
  %1 = tile.reshape %0 [512, 1, 1] : tensor<512x1xf32> -> tensor<512x1x1xf32>
  tile.store %1, %y[%c0, %c0, %c0] : tensor<512x1x1xf32>, !tile.view<512x1x1xf32>
}

// CHECK: tile.reshape {{.*}} -> tensor<1x1x1xf32, #{{.*}}>
tile.kernel @element(%x: !tile.view<?xf32>) outs(%y: !tile.view<?x1x1xf32>) grid [dim(%x, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%m] [1] : !tile.view<?xf32> -> tensor<1xf32>
  %1 = tile.reshape %0 [1, 1, 1] : tensor<1xf32> -> tensor<1x1x1xf32>
  tile.store %1, %y[%m, %c0, %c0] : tensor<1x1x1xf32>, !tile.view<?x1x1xf32>
}
