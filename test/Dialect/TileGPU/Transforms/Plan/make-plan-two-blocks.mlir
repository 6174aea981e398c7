// Two blocks of one warp group share a multiprocessor, whose tensor cores are idle while one computes.
// RUN: tilegpt-opt %s --tile-gpu-make-plan | FileCheck %s

// CHECK-DAG: #[[TWO:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 7, producer = true, persistent = true, blocks = 2>
// CHECK-DAG: #[[FEWER:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, persistent = true, blocks = 2>
// CHECK-DAG: #[[ONE:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 7, producer = true, persistent = true>
// CHECK-DAG: #[[LARGE:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3, producer = true, persistent = true>
// CHECK-DAG: #[[GROUPS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 5, producer = true, persistent = true>
// CHECK-DAG: #[[WANTED:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 7, producer = true, persistent = true, blocks = 1>

!W = !tile.view<4096x1024xi8>
!X = !tile.view<4096x1024xbf16>
!Y = !tile.view<4096x4096xf32>

// The operand is computed in registers.
// CHECK-LABEL: tile.kernel @shared(
// CHECK-NEXT:    tile_gpu.plan = #[[TWO]]}
tile.kernel @shared(%w: !W, %x: !X) outs(%y: !Y) grid [64, 64] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %wt = tile.load %w[%m, %k] [64, 64] : !W -> tensor<64x64xi8>
    %wf = arith.sitofp %wt : tensor<64x64xi8> to tensor<64x64xbf16>
    %xt = tile.load %x[%n, %k] [64, 64] : !X -> tensor<64x64xbf16>
    %s = tile.dot %wf, %xt, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<64x64xf32>, !Y
}

// Three stages of each suffice.
// CHECK-LABEL: tile.kernel @fewer_stages(
// CHECK-NEXT:    tile_gpu.plan = #[[FEWER]]}
tile.kernel @fewer_stages(%w: !W, %x: !X) outs(%y: !Y) grid [64, 22] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<64x192xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<64x192xf32>) {
    %wt = tile.load %w[%m, %k] [64, 64] : !W -> tensor<64x64xi8>
    %wf = arith.sitofp %wt : tensor<64x64xi8> to tensor<64x64xbf16>
    %xt = tile.load %x[%n, %k] [192, 64] : !X -> tensor<192x64xbf16>
    %s = tile.dot %wf, %xt, %acc transpose_b : tensor<64x64xbf16>, tensor<192x64xbf16>, tensor<64x192xf32> -> tensor<64x192xf32>
    scf.yield %s : tensor<64x192xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<64x192xf32>, !Y
}

// A single stage fits half of the shared memory.
// CHECK-LABEL: tile.kernel @large(
// CHECK-NEXT:    tile_gpu.plan = #[[LARGE]]}
tile.kernel @large(%w: !W, %x: !X) outs(%y: !Y) grid [64, 16] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 8 : index
  %z = arith.constant dense<0.0> : tensor<64x256xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<64x256xf32>) {
    %wt = tile.load %w[%m, %k] [64, 128] : !W -> tensor<64x128xi8>
    %wf = arith.sitofp %wt : tensor<64x128xi8> to tensor<64x128xbf16>
    %xt = tile.load %x[%n, %k] [256, 128] : !X -> tensor<256x128xbf16>
    %s = tile.dot %wf, %xt, %acc transpose_b : tensor<64x128xbf16>, tensor<256x128xbf16>, tensor<64x256xf32> -> tensor<64x256xf32>
    scf.yield %s : tensor<64x256xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<64x256xf32>, !Y
}

// Two warp groups compute in turns.
// CHECK-LABEL: tile.kernel @groups(
// CHECK-NEXT:    tile_gpu.plan = #[[GROUPS]]}
tile.kernel @groups(%w: !W, %x: !X) outs(%y: !Y) grid [32, 64] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<128x64xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<128x64xf32>) {
    %wt = tile.load %w[%m, %k] [128, 64] : !W -> tensor<128x64xi8>
    %wf = arith.sitofp %wt : tensor<128x64xi8> to tensor<128x64xbf16>
    %xt = tile.load %x[%n, %k] [64, 64] : !X -> tensor<64x64xbf16>
    %s = tile.dot %wf, %xt, %acc transpose_b : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %s : tensor<128x64xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x64xf32>, !Y
}

// No multiprocessor gets a third block.
// CHECK-LABEL: tile.kernel @few(
// CHECK-NEXT:    tile_gpu.plan = #[[ONE]]}
tile.kernel @few(%w: !W, %x: !X) outs(%y: !Y) grid [66, 4] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %wt = tile.load %w[%m, %k] [64, 64] : !W -> tensor<64x64xi8>
    %wf = arith.sitofp %wt : tensor<64x64xi8> to tensor<64x64xbf16>
    %xt = tile.load %x[%n, %k] [64, 64] : !X -> tensor<64x64xbf16>
    %s = tile.dot %wf, %xt, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<64x64xf32>, !Y
}

// Requested, as the compiler does where threads spill.
// CHECK-LABEL: tile.kernel @wanted(
// CHECK-NEXT:    tile_gpu.plan = #[[WANTED]]}
tile.kernel @wanted(%w: !W, %x: !X) outs(%y: !Y) grid [64, 64]
    attributes {tile.wanted_plan = {blocks = 1}} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %wt = tile.load %w[%m, %k] [64, 64] : !W -> tensor<64x64xi8>
    %wf = arith.sitofp %wt : tensor<64x64xi8> to tensor<64x64xbf16>
    %xt = tile.load %x[%n, %k] [64, 64] : !X -> tensor<64x64xbf16>
    %s = tile.dot %wf, %xt, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<64x64xf32>, !Y
}

// The bound of the rows leaves no multiprocessor a third block.
// CHECK-LABEL: tile.kernel @bounded(
// CHECK:         tile_gpu.plan = #[[ONE]]}
tile.kernel @bounded(%w: !tile.view<1024x1024xi8>, %x: !tile.view<?x1024xbf16>) outs(%y: !tile.view<1024x?xf32>)
    grid [16, ceildiv(dim(%x, 0), 64)] attributes {tile.most_rows = 1024 : i64} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %wt = tile.load %w[%m, %k] [64, 64] : !tile.view<1024x1024xi8> -> tensor<64x64xi8>
    %wf = arith.sitofp %wt : tensor<64x64xi8> to tensor<64x64xbf16>
    %xt = tile.load %x[%n, %k] [64, 64] : !tile.view<?x1024xbf16> -> tensor<64x64xbf16>
    %s = tile.dot %wf, %xt, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<64x64xf32>, !tile.view<1024x?xf32>
}

// CHECK-LABEL: tile.kernel @unbounded(
// CHECK:         tile_gpu.plan = #[[TWO]]}
tile.kernel @unbounded(%w: !tile.view<1024x1024xi8>, %x: !tile.view<?x1024xbf16>) outs(%y: !tile.view<1024x?xf32>)
    grid [16, ceildiv(dim(%x, 0), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %wt = tile.load %w[%m, %k] [64, 64] : !tile.view<1024x1024xi8> -> tensor<64x64xi8>
    %wf = arith.sitofp %wt : tensor<64x64xi8> to tensor<64x64xbf16>
    %xt = tile.load %x[%n, %k] [64, 64] : !tile.view<?x1024xbf16> -> tensor<64x64xbf16>
    %s = tile.dot %wf, %xt, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<64x64xf32>, !tile.view<1024x?xf32>
}
