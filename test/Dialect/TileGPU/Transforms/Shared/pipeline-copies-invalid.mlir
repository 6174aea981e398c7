// RUN: tilegpt-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-gpu-pipeline-copies))' --verify-diagnostics

#plan = #tile_gpu.plan<target = "sm_80", warps = 1, stages = 3>
tile.kernel @no_layouts(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  // expected-error @+1 {{'tile.splat' op has a tile without a layout, 'tensor<32xf32>'; run --tile-gpu-assign-layouts first}}
  %t = tile.splat %s [32] : f32 -> tensor<32xf32>
}
