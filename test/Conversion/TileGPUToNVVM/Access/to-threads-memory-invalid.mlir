// RUN: tilegpt-opt %s --tile-gpu-to-threads --split-input-file --verify-diagnostics

#l = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = []>
#m = #tile_gpu.layout<registers = [d0:4*32], lanes = [d0:32*1], warps = []>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>
tile.kernel @mask_of_another_layout(%x: !tile.view<128xf32>, %s: i1) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %mask = tile.splat %s [128] : i1 -> tensor<128xi1, #m>
  // expected-error@below {{expected the mask in the layout of the tile, #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = []>, found #tile_gpu.layout<registers = [d0:4*32], lanes = [d0:32*1], warps = []>; run --tile-gpu-assign-layouts}}
  // expected-error@below {{failed to legalize operation 'tile.load'}}
  %t = tile.load %x[%c0] [128] mask(%mask : tensor<128xi1, #m>) : !tile.view<128xf32> -> tensor<128xf32, #l>
}

// -----

#l = #tile_gpu.layout<registers = [d1:4*1, d0:2*4], lanes = [d1:32*4], warps = [d0:4*1]>
#i = #tile_gpu.layout<registers = [], lanes = [d0:8*1, rep:4], warps = [rep:4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
tile.kernel @indices_of_other_threads(%w: !tile.view<64x128xf32>, %ids: !tile.view<8xi32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %id = tile.load %ids[%c0] [8] : !tile.view<8xi32> -> tensor<8xi32, #i>
  // expected-error@below {{expected the index tile in the layout of axis 0 of the tile, #tile_gpu.layout<registers = [d0:2*4], lanes = [rep:32], warps = [d0:4*1]>, found}}
  // expected-error@below {{failed to legalize operation 'tile.gather'}}
  %t = tile.gather %w[%c0] at %id axis 0 [8, 128] : !tile.view<64x128xf32>, tensor<8xi32, #i> -> tensor<8x128xf32, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>
tile.kernel @memory_of_a_block() grid [1] attributes {tile_gpu.plan = #plan} {
  // expected-error@below {{'tile.scratch' op has no place; run --tile-gpu-place-scratch first}}
  // expected-error@below {{failed to legalize operation 'tile.scratch'}}
  %p = tile.scratch 4 : !tile.ptr<f32>
}
