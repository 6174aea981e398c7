// RUN: tilegpt-opt %s --tile-gpu-plan=target=sm_80 | FileCheck %s

// CHECK-DAG: #[[SMALL:.*]] = #tile_gpu.plan<target = "sm_80", warps = 4>
// CHECK-DAG: #[[LONG:.*]] = #tile_gpu.plan<target = "sm_80", warps = 32>
// CHECK-DAG: #[[KEPT:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 2>

// CHECK-LABEL: @small
// CHECK:       tile_gpu.plan = #[[SMALL]]}
tile.kernel @small(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [64] : !tile.view<?xf32> -> tensor<64xf32>
  tile.store %t, %y[%c0] : tensor<64xf32>, !tile.view<?xf32>
}

// A row of the vocabulary takes a whole multiprocessor.
// CHECK-LABEL: @long_row
// CHECK:       tile_gpu.plan = #[[LONG]]}
tile.kernel @long_row(%x: !tile.view<?x50257xf32>) outs(%y: !tile.view<?x50257xf32>) grid [dim(%x, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 50257] : !tile.view<?x50257xf32> -> tensor<1x50257xf32>
  tile.store %t, %y[%m, %c0] : tensor<1x50257xf32>, !tile.view<?x50257xf32>
}

// A plan that is there is kept.
// CHECK-LABEL: @planned
// CHECK:       tile_gpu.plan = #[[KEPT]]}
tile.kernel @planned() grid [1] attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 2>} {
}
