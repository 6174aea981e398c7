// RUN: tilegpt-opt %s --tile-gpu-make-plan=target=sm_90a --split-input-file | FileCheck %s

!Q = !tile.view<4x64xbf16>
!K = !tile.view<?x64xbf16>

// As many rows as one instruction has, in a loop: one warp per 32 columns that the loop computes with.
// CHECK-DAG:   #[[PLAN:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 3>
// CHECK-LABEL: tile.kernel @eight(
// CHECK:         tile_gpu.plan = #[[PLAN]]
tile.kernel @eight(%q: !Q, %k: !K, %n: index) outs(%y: !tile.view<4x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zeros = arith.constant dense<0.0> : tensor<4x256xf32>
  %none = arith.constant dense<0.0> : tensor<4x64xf32>
  %qt = tile.load %q[%c0, %c0] [4, 64] : !Q -> tensor<4x64xbf16>
  %o = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %none) -> (tensor<4x64xf32>) {
    %kt = tile.load %k[%j, %c0] [256, 64] : !K -> tensor<256x64xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<4x64xbf16>, tensor<256x64xbf16>, tensor<4x256xf32> -> tensor<4x256xf32>
    %e = math.exp2 %s : tensor<4x256xf32>
    %p = tile.cast %e : tensor<4x256xf32> to tensor<4x256xbf16>
    %next = tile.dot %p, %kt, %acc : tensor<4x256xbf16>, tensor<256x64xbf16>, tensor<4x64xf32> -> tensor<4x64xf32>
    scf.yield %next : tensor<4x64xf32>
  }
  tile.store %o, %y[%c0, %c0] : tensor<4x64xf32>, !tile.view<4x64xf32>
}

// -----

!Q = !tile.view<4x64xbf16>
!K = !tile.view<?x64xbf16>

// At least four, even with fewer columns per warp.
// CHECK-DAG:   #[[PLAN:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3>
// CHECK-LABEL: tile.kernel @four(
// CHECK:         tile_gpu.plan = #[[PLAN]]
tile.kernel @four(%q: !Q, %k: !K, %n: index) outs(%y: !tile.view<4x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %qt = tile.load %q[%c0, %c0] [4, 64] : !Q -> tensor<4x64xbf16>
  %o = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zeros) -> (tensor<4x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<4x64xbf16>, tensor<64x64xbf16>, tensor<4x64xf32> -> tensor<4x64xf32>
    %e = math.exp2 %s : tensor<4x64xf32>
    %p = tile.cast %e : tensor<4x64xf32> to tensor<4x64xbf16>
    %next = tile.dot %p, %kt, %acc : tensor<4x64xbf16>, tensor<64x64xbf16>, tensor<4x64xf32> -> tensor<4x64xf32>
    scf.yield %next : tensor<4x64xf32>
  }
  tile.store %o, %y[%c0, %c0] : tensor<4x64xf32>, !tile.view<4x64xf32>
}
