// RUN: tilegpt-opt %s --tile-gpu-make-plan=target=sm_80 | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-make-plan=target=sm_90a | FileCheck %s --check-prefixes=HOPPER,ONCE
// RUN: tilegpt-opt %s --tile-gpu-make-plan="target=sm_90a multiprocessors=100" | FileCheck %s --check-prefixes=HOPPER,TWICE

// CHECK-DAG: #[[SMALL:.*]] = #tile_gpu.plan<target = "sm_80", warps = 4>
// CHECK-DAG: #[[ONE_WARP:.*]] = #tile_gpu.plan<target = "sm_80", warps = 1>
// CHECK-DAG: #[[TWO_WARPS:.*]] = #tile_gpu.plan<target = "sm_80", warps = 2, stages = 4>
// CHECK-DAG: #[[LONG:.*]] = #tile_gpu.plan<target = "sm_80", warps = 32>
// CHECK-DAG: #[[ONE_ROW:.*]] = #tile_gpu.plan<target = "sm_80", warps = 32, blocks = 1>
// CHECK-DAG: #[[LOOP:.*]] = #tile_gpu.plan<target = "sm_80", warps = 4, stages = 4>
// CHECK-DAG: #[[THREE:.*]] = #tile_gpu.plan<target = "sm_80", warps = 3, blocks = 12>
// CHECK-DAG: #[[TWO_TILES:.*]] = #tile_gpu.plan<target = "sm_80", warps = 3, blocks = 6>
// CHECK-DAG: #[[KEPT:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 2>
// HOPPER-DAG: #[[EIGHT_PARTS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, parts = 8, blocks = 5, inRegisters = true>
// ONCE-DAG:   #[[FIVE_PARTS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 5, blocks = 1, inRegisters = true>
// HOPPER-DAG: #[[TWO_ROWS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 19, parts = 8, blocks = 1>
// HOPPER-DAG: #[[MANY_ROWS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 16, blocks = 2>
// HOPPER-DAG: #[[PLAIN:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 8>
// HOPPER-DAG: #[[SHARED:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 7, producer = true, persistent = true>
// HOPPER-DAG: #[[TURNS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 4, producer = true, persistent = true, teams = 2>
// ONCE-DAG:     #[[ONCE:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 4, producer = true, persistent = true>
// ONCE-DAG:     #[[PARTS:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 12, producer = true, parts = 4>
// ONCE-DAG:     #[[WHOLE:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 12, producer = true, persistent = true>
// ONCE-DAG:     #[[SINGLE:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, stages = 3>
// ONCE-DAG:     #[[DOUBLE:.*]] = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 3>

// CHECK-LABEL: @small
// CHECK:       tile_gpu.plan = #[[SMALL]]}
tile.kernel @small(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [64] : !tile.view<?xf32> -> tensor<64xf32>
  tile.store %t, %y[%c0] : tensor<64xf32>, !tile.view<?xf32>
}

// With many blocks of so few elements it gets as many warps as leave a thread four elements.
// CHECK-LABEL: @many_small
// CHECK:       tile_gpu.plan = #[[ONE_WARP]]}
tile.kernel @many_small(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [4096] {
  %r = tile.block_id 0
  %t = tile.load %x[%r] [64] : !tile.view<?xf32> -> tensor<64xf32>
  tile.store %t, %y[%r] : tensor<64xf32>, !tile.view<?xf32>
}

// If iterations reduce, as many as leave a thread 16.
// CHECK-LABEL: @many_reduced
// CHECK:       tile_gpu.plan = #[[TWO_WARPS]]}
tile.kernel @many_reduced(%x: !tile.view<?xf32>, %n: index) outs(%y: !tile.view<?xf32>) grid [4096] {
  %r = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[%r] [1024] : !tile.view<?xf32> -> tensor<1024xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<1024xf32>) {
    %m = tile.reduce max %a axis 0 keepdims : tensor<1024xf32> -> tensor<1xf32>
    %b = tile.broadcast %m [1024] : tensor<1xf32> -> tensor<1024xf32>
    %d = arith.subf %b, %a : tensor<1024xf32>
    scf.yield %d : tensor<1024xf32>
  }
  tile.store %s, %y[%r] : tensor<1024xf32>, !tile.view<?xf32>
}

// If they also load and store, as many as leave a thread eight.
// CHECK-LABEL: @many_loaded
// CHECK:       tile_gpu.plan = #[[TWO_WARPS]]}
tile.kernel @many_loaded(%x: !tile.view<?xf32>, %n: index) outs(%y: !tile.view<?xf32>) grid [4096] {
  %b = tile.block_id 0
  %c4096 = arith.constant 4096 : index
  scf.for %r = %b to %n step %c4096 {
    %t = tile.load %x[%r] [512] : !tile.view<?xf32> -> tensor<512xf32>
    %m = tile.reduce max %t axis 0 keepdims : tensor<512xf32> -> tensor<1xf32>
    %all = tile.broadcast %m [512] : tensor<1xf32> -> tensor<512xf32>
    %d = arith.subf %all, %t : tensor<512xf32>
    tile.store %d, %y[%r] : tensor<512xf32>, !tile.view<?xf32>
  }
}

// Few blocks, an unknown number of them, or copies to shared memory that would limit their number, keep four warps.
// CHECK-LABEL: @unknown_small
// CHECK:       tile_gpu.plan = #[[SMALL]]}
tile.kernel @unknown_small(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [ceildiv(dim(%x, 0), 64)] {
  %r = tile.block_id 0
  %t = tile.load %x[%r] [64] : !tile.view<?xf32> -> tensor<64xf32>
  tile.store %t, %y[%r] : tensor<64xf32>, !tile.view<?xf32>
}
// CHECK-LABEL: @few_small
// CHECK:       tile_gpu.plan = #[[SMALL]]}
tile.kernel @few_small(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [512] {
  %r = tile.block_id 0
  %t = tile.load %x[%r] [64] : !tile.view<?xf32> -> tensor<64xf32>
  tile.store %t, %y[%r] : tensor<64xf32>, !tile.view<?xf32>
}
// CHECK-LABEL: @many_copied
// CHECK:       tile_gpu.plan = #[[LOOP]]}
tile.kernel @many_copied(%x: !tile.view<?x256xf32>, %n: index) outs(%y: !tile.view<?xf32>) grid [4096] {
  %r = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<1x256xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<1x256xf32>) {
    %t = tile.load %x[%i, %c0] [1, 256] : !tile.view<?x256xf32> -> tensor<1x256xf32>
    %e = math.exp %a : tensor<1x256xf32>
    %b = arith.addf %e, %t : tensor<1x256xf32>
    scf.yield %b : tensor<1x256xf32>
  }
  %m = tile.reduce max %s axis 1 : tensor<1x256xf32> -> tensor<1xf32>
  tile.store %m, %y[%r] : tensor<1xf32>, !tile.view<?xf32>
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

// Reduced as f32 it would fill the registers of a multiprocessor: the row is kept in shared memory. With clusters, few
// rows are split so that all multiprocessors have a part of one, and registers for it; no multiprocessor gets two.
// CHECK-LABEL: @reduced_row
// CHECK:       tile_gpu.plan = #[[ONE_ROW]]}
// HOPPER-LABEL: @reduced_row
// HOPPER:       tile_gpu.plan = #[[EIGHT_PARTS]], tile_gpu.resident = 1 : i64}
tile.kernel @reduced_row(%x: !tile.view<8x50257xbf16>) outs(%y: !tile.view<8x50257xbf16>) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 50257] : !tile.view<8x50257xbf16> -> tensor<1x50257xbf16>
  %s = tile.reduce max %t axis 1 keepdims : tensor<1x50257xbf16> -> tensor<1x1xbf16>
  %b = tile.broadcast %s [1, 50257] : tensor<1x1xbf16> -> tensor<1x50257xbf16>
  %d = arith.subf %t, %b : tensor<1x50257xbf16>
  tile.store %d, %y[%m, %c0] : tensor<1x50257xbf16>, !tile.view<8x50257xbf16>
}

// Twenty clusters of six blocks would need the registers of 120 of 132 multiprocessors, but at most 17 of them find six
// adjacent ones at a time; 22 of five do.
// ONCE-LABEL: @clusters_at_a_time
// ONCE:       tile_gpu.plan = #[[FIVE_PARTS]], tile_gpu.resident = 1 : i64}
tile.kernel @clusters_at_a_time(%x: !tile.view<20x152266xf32>) outs(%y: !tile.view<20x1xf32>) grid [20] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 152266] : !tile.view<20x152266xf32> -> tensor<1x152266xf32>
  %s = tile.reduce add %t axis 1 keepdims : tensor<1x152266xf32> -> tensor<1x1xf32>
  tile.store %s, %y[%m, %c0] : tensor<1x1xf32>, !tile.view<20x1xf32>
}

// Two rows of a kernel with two results, which are stored from registers even if unaligned, fit in eight parts.
// HOPPER-LABEL: @two_results
// HOPPER:       tile_gpu.plan = #[[TWO_ROWS]]}
tile.kernel @two_results(%x: !tile.view<16x174101xf32>, %y: !tile.view<16x174101xf32>, %g: !tile.view<174101xf32>)
    outs(%z: !tile.view<16x174101xf32>, %n: !tile.view<16x174101xf32>) grid [16] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%m, %c0] [1, 174101] : !tile.view<16x174101xf32> -> tensor<1x174101xf32>
  %yt = tile.load %y[%m, %c0] [1, 174101] : !tile.view<16x174101xf32> -> tensor<1x174101xf32>
  %t = arith.addf %xt, %yt : tensor<1x174101xf32>
  tile.store %t, %z[%m, %c0] : tensor<1x174101xf32>, !tile.view<16x174101xf32>
  %s = tile.reduce max %t axis 1 keepdims : tensor<1x174101xf32> -> tensor<1x1xf32>
  %b = tile.broadcast %s [1, 174101] : tensor<1x1xf32> -> tensor<1x174101xf32>
  %d = arith.subf %t, %b : tensor<1x174101xf32>
  %gt = tile.load %g[%c0] [174101] : !tile.view<174101xf32> -> tensor<174101xf32>
  %gb = tile.broadcast %gt [1, 174101] : tensor<174101xf32> -> tensor<1x174101xf32>
  %r = arith.mulf %d, %gb : tensor<1x174101xf32>
  tile.store %r, %n[%m, %c0] : tensor<1x174101xf32>, !tile.view<16x174101xf32>
}

// With many rows per multiprocessor, each row is kept by one block.
// HOPPER-LABEL: @many_rows
// HOPPER:       tile_gpu.plan = #[[MANY_ROWS]]}
tile.kernel @many_rows(%x: !tile.view<4096x50257xbf16>) outs(%y: !tile.view<4096x50257xbf16>) grid [4096] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 50257] : !tile.view<4096x50257xbf16> -> tensor<1x50257xbf16>
  %s = tile.reduce max %t axis 1 keepdims : tensor<1x50257xbf16> -> tensor<1x1xbf16>
  %b = tile.broadcast %s [1, 50257] : tensor<1x1xbf16> -> tensor<1x50257xbf16>
  %d = arith.subf %t, %b : tensor<1x50257xbf16>
  tile.store %d, %y[%m, %c0] : tensor<1x50257xbf16>, !tile.view<4096x50257xbf16>
}

// Rows that fit the registers of a block stay there if there are enough of them.
// HOPPER-LABEL: @short_rows
// HOPPER:       tile_gpu.plan = #[[PLAIN]]}
tile.kernel @short_rows(%x: !tile.view<512x8192xbf16>) outs(%y: !tile.view<512x8192xbf16>) grid [512] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 8192] : !tile.view<512x8192xbf16> -> tensor<1x8192xbf16>
  %s = tile.reduce max %t axis 1 keepdims : tensor<1x8192xbf16> -> tensor<1x1xbf16>
  %b = tile.broadcast %s [1, 8192] : tensor<1x1xbf16> -> tensor<1x8192xbf16>
  %d = arith.subf %t, %b : tensor<1x8192xbf16>
  tile.store %d, %y[%m, %c0] : tensor<1x8192xbf16>, !tile.view<512x8192xbf16>
}

// An argmax index is not the one in a wider tile.
// CHECK-LABEL: @position_in_row
// CHECK:       tile_gpu.plan = #[[LONG]]}
tile.kernel @position_in_row(%x: !tile.view<8x50257xbf16>) outs(%y: !tile.view<8xi32>) grid [8] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, 50257] : !tile.view<8x50257xbf16> -> tensor<1x50257xbf16>
  %s = tile.reduce argmax %t axis 1 : tensor<1x50257xbf16> -> tensor<1xi32>
  tile.store %s, %y[%m] : tensor<1xi32>, !tile.view<8xi32>
}

// A ring of copies feeds a loop of loads.
// CHECK-LABEL: @loop_of_loads
// CHECK:       tile_gpu.plan = #[[LOOP]]}
tile.kernel @loop_of_loads(%x: !tile.view<?x64xf32>) outs(%y: !tile.view<8x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x64xf32>
  %n = tile.num_tiles %x, 0 by [8] : !tile.view<?x64xf32>
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<8x64xf32>) {
    %t = tile.load %x[%j, %c0] [8, 64] : !tile.view<?x64xf32> -> tensor<8x64xf32>
    %r = arith.addf %acc, %t : tensor<8x64xf32>
    scf.yield %r : tensor<8x64xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<8x64xf32>, !tile.view<8x64xf32>
}

// Rows of 768 narrow elements that share a vector: three warps of 256 elements per row. Wide ones: one warp per row.
// CHECK-LABEL: @shared_rows
// CHECK:       tile_gpu.plan = #[[THREE]]}
// CHECK-LABEL: @wide_rows
// CHECK:       tile_gpu.plan = #[[SMALL]]}
tile.kernel @shared_rows(%x: !tile.view<?x768xbf16>, %g: !tile.view<768xf32>) outs(%y: !tile.view<?x768xf32>)
    grid [ceildiv(dim(%x, 0), 4)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [4, 768] : !tile.view<?x768xbf16> -> tensor<4x768xbf16>
  %f = tile.cast %t : tensor<4x768xbf16> to tensor<4x768xf32>
  %gt = tile.load %g[%c0] [768] : !tile.view<768xf32> -> tensor<768xf32>
  %gb = tile.broadcast %gt [4, 768] : tensor<768xf32> -> tensor<4x768xf32>
  %r = arith.mulf %f, %gb : tensor<4x768xf32>
  tile.store %r, %y[%m, %c0] : tensor<4x768xf32>, !tile.view<?x768xf32>
}
tile.kernel @wide_rows(%x: !tile.view<?x768xf32>, %g: !tile.view<768xf32>) outs(%y: !tile.view<?x768xf32>)
    grid [ceildiv(dim(%x, 0), 4)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [4, 768] : !tile.view<?x768xf32> -> tensor<4x768xf32>
  %gt = tile.load %g[%c0] [768] : !tile.view<768xf32> -> tensor<768xf32>
  %gb = tile.broadcast %gt [4, 768] : tensor<768xf32> -> tensor<4x768xf32>
  %r = arith.mulf %t, %gb : tensor<4x768xf32>
  tile.store %r, %y[%m, %c0] : tensor<4x768xf32>, !tile.view<?x768xf32>
}

// A plan that is there is kept.
// Two tiles of rows that are kept until both are reduced take the registers of half of the blocks.
// CHECK-LABEL: @two_tiles
// CHECK:       tile_gpu.plan = #[[TWO_TILES]]}
tile.kernel @two_tiles(%x: !tile.view<?x768xbf16>, %d: !tile.view<?x768xbf16>, %g: !tile.view<768xf32>) outs(%y: !tile.view<?x768xf32>)
    grid [ceildiv(dim(%x, 0), 4)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%m, %c0] [4, 768] : !tile.view<?x768xbf16> -> tensor<4x768xbf16>
  %dt = tile.load %d[%m, %c0] [4, 768] : !tile.view<?x768xbf16> -> tensor<4x768xbf16>
  %gt = tile.load %g[%c0] [768] : !tile.view<768xf32> -> tensor<768xf32>
  %xf = tile.cast %xt : tensor<4x768xbf16> to tensor<4x768xf32>
  %df = tile.cast %dt : tensor<4x768xbf16> to tensor<4x768xf32>
  %gb = tile.broadcast %gt [4, 768] : tensor<768xf32> -> tensor<4x768xf32>
  %dg = arith.mulf %df, %gb : tensor<4x768xf32>
  %p = arith.mulf %dg, %xf : tensor<4x768xf32>
  %s = tile.reduce add %p axis 1 keepdims : tensor<4x768xf32> -> tensor<4x1xf32>
  %sb = tile.broadcast %s [4, 768] : tensor<4x1xf32> -> tensor<4x768xf32>
  %h = arith.mulf %xf, %sb : tensor<4x768xf32>
  %o = arith.subf %dg, %h : tensor<4x768xf32>
  tile.store %o, %y[%m, %c0] : tensor<4x768xf32>, !tile.view<?x768xf32>
}

// CHECK-LABEL: @planned
// CHECK:       tile_gpu.plan = #[[KEPT]]}
tile.kernel @planned() grid [1] attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 2>} {
}

!X = !tile.view<?x768xbf16>
!W = !tile.view<3072x768xbf16>

// On sm_90a a producer feeds the loop: two warp groups share 128 × 96, with as many stages as fit shared memory; two
// teams take turns on tiles of 128 × 192.
// HOPPER-LABEL: @linear_96
// HOPPER:       tile_gpu.plan = #[[SHARED]]}
// HOPPER-LABEL: @linear_192
// HOPPER:       tile_gpu.plan = #[[TURNS]]}
tile.kernel @linear_96(%x: !X, %w: !W) outs(%y: !tile.view<?x3072xf32>) grid [ceildiv(dim(%y, 0), 128), 32] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %init = arith.constant dense<0.0> : tensor<128x96xf32>
  %sum = scf.for %k = %c0 to %c12 step %c1 iter_args(%acc = %init) -> (tensor<128x96xf32>) {
    %a = tile.load %x[%m, %k] [128, 64] : !X -> tensor<128x64xbf16>
    %b = tile.load %w[%n, %k] [96, 64] : !W -> tensor<96x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b
        : tensor<128x64xbf16>, tensor<96x64xbf16>, tensor<128x96xf32> -> tensor<128x96xf32>
    scf.yield %next : tensor<128x96xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<128x96xf32>, !tile.view<?x3072xf32>
}
tile.kernel @linear_192(%x: !X, %w: !W) outs(%y: !tile.view<?x3072xf32>) grid [ceildiv(dim(%y, 0), 128), 16] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %init = arith.constant dense<0.0> : tensor<128x192xf32>
  %sum = scf.for %k = %c0 to %c12 step %c1 iter_args(%acc = %init) -> (tensor<128x192xf32>) {
    %a = tile.load %x[%m, %k] [128, 64] : !X -> tensor<128x64xbf16>
    %b = tile.load %w[%n, %k] [192, 64] : !W -> tensor<192x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b
        : tensor<128x64xbf16>, tensor<192x64xbf16>, tensor<128x192xf32> -> tensor<128x192xf32>
    scf.yield %next : tensor<128x192xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<128x192xf32>, !tile.view<?x3072xf32>
}

// Teams take turns only if a block has several tiles: 128 tiles are one each for 132 multiprocessors.
// ONCE-LABEL:   @one_wave
// ONCE:         tile_gpu.plan = #[[ONCE]]}
// TWICE-LABEL:  @one_wave
// TWICE:        tile_gpu.plan = #[[TURNS]]}
tile.kernel @one_wave(%x: !X, %w: !W) outs(%y: !tile.view<?x3072xf32>) grid [8, 16] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %init = arith.constant dense<0.0> : tensor<128x192xf32>
  %sum = scf.for %k = %c0 to %c12 step %c1 iter_args(%acc = %init) -> (tensor<128x192xf32>) {
    %a = tile.load %x[%m, %k] [128, 64] : !X -> tensor<128x64xbf16>
    %b = tile.load %w[%n, %k] [192, 64] : !W -> tensor<192x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b
        : tensor<128x64xbf16>, tensor<192x64xbf16>, tensor<128x192xf32> -> tensor<128x192xf32>
    scf.yield %next : tensor<128x192xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<128x192xf32>, !tile.view<?x3072xf32>
}

// Few tiles and a large depth: clusters of four blocks split it. With open rows the number of tiles is unknown.
// ONCE-LABEL:   @deep
// ONCE:         tile_gpu.plan = #[[PARTS]]}
// ONCE-LABEL:   @deep_open
// ONCE:         tile_gpu.plan = #[[WHOLE]]}
!D = !tile.view<64x3072xbf16>
!V = !tile.view<768x3072xbf16>
tile.kernel @deep(%x: !D, %w: !V) outs(%y: !tile.view<64x768xf32>) grid [1, 96] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %init = arith.constant dense<0.0> : tensor<64x8xf32>
  %sum = scf.for %k = %c0 to %c48 step %c1 iter_args(%acc = %init) -> (tensor<64x8xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !D -> tensor<64x64xbf16>
    %b = tile.load %w[%n, %k] [8, 64] : !V -> tensor<8x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xbf16>, tensor<8x64xbf16>, tensor<64x8xf32> -> tensor<64x8xf32>
    scf.yield %next : tensor<64x8xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<64x8xf32>, !tile.view<64x768xf32>
}
tile.kernel @deep_open(%x: !tile.view<?x3072xbf16>, %w: !V) outs(%y: !tile.view<?x768xf32>) grid [ceildiv(dim(%y, 0), 64), 96] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %init = arith.constant dense<0.0> : tensor<64x8xf32>
  %sum = scf.for %k = %c0 to %c48 step %c1 iter_args(%acc = %init) -> (tensor<64x8xf32>) {
    %a = tile.load %x[%m, %k] [64, 64] : !tile.view<?x3072xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%n, %k] [8, 64] : !V -> tensor<8x64xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x64xbf16>, tensor<8x64xbf16>, tensor<64x8xf32> -> tensor<64x8xf32>
    scf.yield %next : tensor<64x8xf32>
  }
  tile.store %sum, %y[%m, %n] : tensor<64x8xf32>, !tile.view<?x768xf32>
}

// An f32 product runs on four warps, whose threads have 128 accumulators each; in f64 on eight. 264 blocks of at most
// 4224 rows are two for each of 132 multiprocessors; without a bound the number of residents is not set. Launches of
// sm_80 do not overlap.
// ONCE-LABEL:   @single
// ONCE:         tile_gpu.plan = #[[SINGLE]], tile_gpu.resident = 2 : i64}
// CHECK-LABEL:  @single
// CHECK-NOT:    resident
// CHECK:        tile.block_id
// ONCE-LABEL:   @double
// ONCE:         tile_gpu.plan = #[[DOUBLE]]}
tile.kernel @single(%x: !tile.view<?x32xf32>, %w: !tile.view<1024x32xf32>) outs(%y: !tile.view<?x1024xf32>)
    grid [ceildiv(dim(%y, 0), 128), 8] attributes {tile.most_rows = 4224 : i64} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %init = arith.constant dense<0.0> : tensor<128x128xf32>
  %a = tile.load %x[%m, %c0] [128, 32] : !tile.view<?x32xf32> -> tensor<128x32xf32>
  %b = tile.load %w[%n, %c0] [128, 32] : !tile.view<1024x32xf32> -> tensor<128x32xf32>
  %sum = tile.dot %a, %b, %init transpose_b
      : tensor<128x32xf32>, tensor<128x32xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
  tile.store %sum, %y[%m, %n] : tensor<128x128xf32>, !tile.view<?x1024xf32>
}
tile.kernel @double(%x: !tile.view<?x32xf64>, %w: !tile.view<1024x32xf64>) outs(%y: !tile.view<?x1024xf64>)
    grid [ceildiv(dim(%y, 0), 128), 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %init = arith.constant dense<0.0> : tensor<128x128xf64>
  %a = tile.load %x[%m, %c0] [128, 32] : !tile.view<?x32xf64> -> tensor<128x32xf64>
  %b = tile.load %w[%n, %c0] [128, 32] : !tile.view<1024x32xf64> -> tensor<128x32xf64>
  %sum = tile.dot %a, %b, %init transpose_b
      : tensor<128x32xf64>, tensor<128x32xf64>, tensor<128x128xf64> -> tensor<128x128xf64>
  tile.store %sum, %y[%m, %n] : tensor<128x128xf64>, !tile.view<?x1024xf64>
}
