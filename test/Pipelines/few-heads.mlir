// Decode attention with two key heads: one cluster each would leave most of the device idle, so seven share each head.
// The keys are still copied asynchronously, as no block writes them. With --exact there is neither.
// RUN: tilegpt-opt %s --arch=sm_90a --compile-to=specialized | FileCheck %s --check-prefix=GRID
// RUN: tilegpt-opt %s --arch=sm_90a --compile-to=layouts | FileCheck %s
// RUN: tilegpt-opt %s --arch=sm_90a --exact --compile-to=layouts | FileCheck %s --check-prefix=EXACT

// GRID: grid [14, 1] attributes {{.*}}tile_gpu.copies_of_blocks = 7
// CHECK: tile_gpu.cluster = array<i32: 7, 1, 1>
// CHECK: tile_gpu.commit_copies
// CHECK: scf.for
// CHECK: tile_gpu.wait_copies
// CHECK: tile_gpu.meet_blocks %{{.*}} of 2 parts 49
// EXACT-NOT: tile_gpu.cluster
// EXACT-NOT: tile_gpu.meet_blocks
func.func @few_heads(%q: tensor<1x2560xbf16>, %k: tensor<1x2x32768x128xbf16>, %v: tensor<1x2x32768x128xbf16>, %pos: tensor<1xi32>,
                     %y: tensor<1x2048xbf16>) -> tensor<1x2048xbf16> {
  %zf = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i32
  %r = tile.launch @attention_decode ins(%q, %k, %v, %pos, %zf, %zi, %zf) outs(%y)
      : (tensor<1x2560xbf16>, tensor<1x2x32768x128xbf16>, tensor<1x2x32768x128xbf16>, tensor<1xi32>, f32, i32, f32, tensor<1x2048xbf16>) -> tensor<1x2048xbf16>
  return %r : tensor<1x2048xbf16>
}
