// RUN: tilegpt-opt %s --tile-gpu-split-keys --verify-diagnostics

// Blocks that have copies have to share something out.
// expected-error @+1 {{has 2 copies of each block, which cannot share out its keys: it has no loop of an online softmax}}
tile.kernel @nothing(%y: !tile.view<4xf32>) outs(%z: !tile.view<4xf32>) grid [2] attributes {tile_gpu.copies_of_blocks = 2 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %y[%c0] [4] : !tile.view<4xf32> -> tensor<4xf32>
  tile.store %t, %z[%c0] : tensor<4xf32>, !tile.view<4xf32>
}
