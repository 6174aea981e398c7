// RUN: tilegpt-opt %s --tile-gpu-form-mainloop --tile-gpu-share-depth --split-input-file --verify-diagnostics --canonicalize --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 12, producer = true, parts = 4>
!X = !tile.view<64x3072xbf16>
!W = !tile.view<768x3072xbf16>
!Y = !tile.view<64x768xf32>

// Four blocks compute four tiles of 16 columns together, each along every fourth step; then each continues with its own
// tile.
// CHECK-LABEL: tile.kernel @product(
// CHECK-SAME:    %[[X:.*]]: !tile.view<64x3072xbf16>, %[[W:.*]]: !tile.view<768x3072xbf16>)
// CHECK:         tile_gpu.cluster = array<i32: 1, 4, 1>
// CHECK-DAG:   %[[M:.*]] = tile.block_id 0
// CHECK-DAG:   %[[N:.*]] = tile.block_id 1
// CHECK-DAG:   %[[PART:.*]] = arith.remui %[[N]], %c4
// CHECK-DAG:   %[[GROUP:.*]] = arith.divui %[[N]], %c4
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
// CHECK:       %[[WIDE:.*]] = tile_gpu.mainloop %c0 to %c12 step %c1 init(%[[ZERO]] : tensor<64x64xf32>) produce {
// CHECK-NEXT:  ^bb0(%[[I:.*]]: index):
// CHECK:         %[[FOURTH:.*]] = arith.muli %[[I]], %c4
// CHECK:         %[[K:.*]] = arith.addi %[[FOURTH]], %[[PART]]
// CHECK-DAG:     %[[A:.*]] = tile.load %[[X]][%[[M]], %[[K]]] [64, 64]
// CHECK-DAG:     %[[B:.*]] = tile.load %[[W]][%[[GROUP]], %[[K]]] [64, 64]
// CHECK:         tile_gpu.yield %[[B]], %[[A]]
// CHECK:       ^bb0(%{{.*}}: index, %[[BT:.*]]: tensor<64x64xbf16>, %[[AT:.*]]: tensor<64x64xbf16>, %[[ACC:.*]]: tensor<64x64xf32>):
// CHECK:         %[[D:.*]] = tile.dot %[[AT]], %[[BT]], %[[ACC]] transpose_b
// CHECK:         tile_gpu.yield %[[D]]
// CHECK:       %[[S:.*]] = tile_gpu.sum_parts %[[WIDE]] part %[[PART]] : tensor<64x64xf32> -> tensor<64x16xf32>
// CHECK:       tile.store %[[S]], %{{.*}}[%[[M]], %[[N]]]
tile.kernel @product(%x: !X, %w: !W) outs(%y: !Y) grid [1, 48] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %init = arith.constant dense<0.0> : tensor<64x16xf32>
  %sum = scf.for %k = %c0 to %c48 step %c1 iter_args(%acc = %init) -> (tensor<64x16xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !X -> tensor<64x64xbf16>
    %b = tile.load %w[%n, %k] [16, 64] : !W -> tensor<16x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b
        : tensor<64x64xbf16>, tensor<16x64xbf16>, tensor<64x16xf32> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<64x16xf32>, !Y
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 12, producer = true, parts = 4>
!X = !tile.view<64x3072xbf16>
!W = !tile.view<768x3072xbf16>
!Y = !tile.view<64x768xf32>

// Steps that do not divide by four read zeros past the end: 13 iterations for 49 steps.
// CHECK-LABEL: tile.kernel @odd(
// CHECK:       tile_gpu.mainloop %c0 to %c13 step %c1
tile.kernel @odd(%x: !X, %w: !W) outs(%y: !Y) grid [1, 48] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c49 = arith.constant 49 : index
  %init = arith.constant dense<0.0> : tensor<64x16xf32>
  %sum = scf.for %k = %c0 to %c49 step %c1 iter_args(%acc = %init) -> (tensor<64x16xf32>) {
    %a = tile.load %x[%c0, %k] [64, 64] : !X -> tensor<64x64xbf16>
    %b = tile.load %w[%n, %k] [16, 64] : !W -> tensor<16x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b
        : tensor<64x64xbf16>, tensor<16x64xbf16>, tensor<64x16xf32> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  tile.store %sum, %y[%c0, %n] : tensor<64x16xf32>, !Y
}

// -----

// expected-error @below {{has a plan with a producer, but no main loop: it has no loop with a dot}}
tile.kernel @nothing_to_share() grid [1]
    attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, parts = 2>} {
}

// -----

// Adjacent blocks would have to load the lhs of others from another matrix.
// expected-error @below {{has a plan with 4 parts; expected one loop that a producer can feed, from zero on, with columns of each block's own and nothing else}}
tile.kernel @other_rows(%x: !tile.view<48x64x3072xbf16>, %w: !tile.view<768x3072xbf16>) outs(%y: !tile.view<64x768xf32>)
    grid [1, 48] attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 12, producer = true,
                                                            parts = 4>} {
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %own = tile.select %x[%n] : !tile.view<48x64x3072xbf16> -> !tile.view<64x3072xbf16>
  %init = arith.constant dense<0.0> : tensor<64x16xf32>
  %sum = scf.for %k = %c0 to %c48 step %c1 iter_args(%acc = %init) -> (tensor<64x16xf32>) {
    %a = tile.load %own[%c0, %k] [64, 64] : !tile.view<64x3072xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%n, %k] [16, 64] : !tile.view<768x3072xbf16> -> tensor<16x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b
        : tensor<64x64xbf16>, tensor<16x64xbf16>, tensor<64x16xf32> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  tile.store %sum, %y[%c0, %n] : tensor<64x16xf32>, !tile.view<64x768xf32>
}
