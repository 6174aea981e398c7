// Results of a product take less shared memory where that makes room for a stage. Kernels are printed last first.
// RUN: tilegpt-opt %s --compile-to=layouts --arch=sm_90a | FileCheck %s

// CHECK: #[[FIVE:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 12, stages = 5,
// CHECK: #[[SIX:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 12, stages = 6,

// Several tiles a block: the stores of one overlap the copies of the next.
// CHECK-LABEL: tile.kernel @linear_2(%arg0: !tile.view<900x9640xbf16>
// CHECK: tile_gpu.plan = #[[FIVE]]
// CHECK: tile_gpu.alloc {{.*}} : !tile_gpu.shared<2x192x64xbf16, swizzle = 128>

// 151 steps in six stages: results leave in boxes of 32 columns.
func.func @deep(%x: tensor<173x9640xbf16>, %w: tensor<9544x9640xbf16>, %b: tensor<9544xf32>, %y: tensor<173x9544xbf16>)
    -> tensor<173x9544xbf16> {
  %r = tile.launch @linear ins(%x, %w, %b) outs(%y) params {BM = 192, BN = 80, BK = 64}
      : (tensor<173x9640xbf16>, tensor<9544x9640xbf16>, tensor<9544xf32>, tensor<173x9544xbf16>) -> tensor<173x9544xbf16>
  return %r : tensor<173x9544xbf16>
}

// 47 steps: boxes that are stored one after the other would take as long.
// CHECK-LABEL: tile.kernel @linear_1(%arg0: !tile.view<173x3000xbf16>
// CHECK: tile_gpu.plan = #[[FIVE]]
// CHECK: tile_gpu.alloc {{.*}} : !tile_gpu.shared<2x192x64xbf16, swizzle = 128>
func.func @shallow(%x: tensor<173x3000xbf16>, %w: tensor<9544x3000xbf16>, %b: tensor<9544xf32>, %y: tensor<173x9544xbf16>)
    -> tensor<173x9544xbf16> {
  %r = tile.launch @linear ins(%x, %w, %b) outs(%y) params {BM = 192, BN = 80, BK = 64}
      : (tensor<173x3000xbf16>, tensor<9544x3000xbf16>, tensor<9544xf32>, tensor<173x9544xbf16>) -> tensor<173x9544xbf16>
  return %r : tensor<173x9544xbf16>
}

// CHECK-LABEL: tile.kernel @linear_0(%arg0: !tile.view<173x9640xbf16>
// CHECK: tile_gpu.plan = #[[SIX]]
// CHECK: tile_gpu.alloc {{.*}} : !tile_gpu.shared<1x192x32xbf16, swizzle = 64>
func.func @several(%x: tensor<900x9640xbf16>, %w: tensor<9544x9640xbf16>, %b: tensor<9544xf32>, %y: tensor<900x9544xbf16>)
    -> tensor<900x9544xbf16> {
  %r = tile.launch @linear ins(%x, %w, %b) outs(%y) params {BM = 192, BN = 80, BK = 64}
      : (tensor<900x9640xbf16>, tensor<9544x9640xbf16>, tensor<9544xf32>, tensor<900x9544xbf16>) -> tensor<900x9544xbf16>
  return %r : tensor<900x9544xbf16>
}
