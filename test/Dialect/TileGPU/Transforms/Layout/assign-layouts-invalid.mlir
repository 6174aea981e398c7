// RUN: tilegpt-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-gpu-assign-layouts))" --verify-diagnostics --split-input-file

!V = !tile.view<?x?xf32>
// expected-error@below {{'tile.kernel' op has no plan; run --tile-gpu-make-plan first}}
tile.kernel @no_plan(%x: !V) outs(%y: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [4, 64] : !V -> tensor<4x64xf32>
  tile.store %t, %y[%c0, %c0] : tensor<4x64xf32>, !V
}

// -----

!V = !tile.view<?x?xf32>
tile.kernel @no_sizes(%x: !V) outs(%y: !V) params {BN = 64} grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_80", warps = 8>} {
  %c0 = arith.constant 0 : index
  // expected-error@below {{'tile.load' op has the open type 'tensor<4x?xf32>'; run --tile-specialize first}}
  %t = tile.load %x[%c0, %c0] [4, BN] : !V -> tensor<4x?xf32>
  tile.store %t, %y[%c0, %c0] : tensor<4x?xf32>, !V
}

// -----

!V = !tile.view<?x?xf32>
tile.kernel @too_large(%x: !V) outs(%y: !V) grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_80", warps = 8>} {
  %c0 = arith.constant 0 : index
  // expected-error@below {{'tile.load' op makes a tile of 4000000 elements, but the 256 threads of a block can hold at most 262144; choose smaller tiles}}
  %t = tile.load %x[%c0, %c0] [4, 1000000] : !V -> tensor<4x1000000xf32>
  tile.store %t, %y[%c0, %c0] : tensor<4x1000000xf32>, !V
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#row = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
tile.kernel @has_layouts(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  // expected-error @+1 {{'tile.splat' op has a tile with a layout, 'tensor<32xf32, #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>>'; run this pass before --tile-gpu-assign-layouts}}
  %t = tile.splat %s [32] : f32 -> tensor<32xf32, #row>
}
