// RUN: tilegpt-opt %s --tile-gpu-split-loops --canonicalize --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-split-loops="multiprocessors=1" --split-input-file | FileCheck %s --check-prefix=FULL
// RUN: tilegpt-opt %s --tile-gpu-split-loops --explain --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// Six blocks with two tiles of 8 KB in flight keep a multiprocessor busy.
// FULL-LABEL: tile.kernel @column_sum
// FULL:         grid [6]

// Three blocks of columns and 64 iterations: 64 blocks for each. Each block runs the reduction after the loop itself;
// the last one reads all parts in tiles of at most 4096 elements, and stores.
// CHECK-LABEL: tile.kernel @column_sum
// CHECK:         grid [192]
// CHECK-DAG:     %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK:         %[[B:.*]] = tile.block_id 0
// CHECK:         %[[R:.*]] = arith.remui %[[B]], %[[C64]]
// CHECK:         %[[PART:.*]] = tile.assume %[[R]] bounded [0, 63]
// CHECK:         %[[D:.*]] = arith.divui %[[B]], %[[C64]]
// CHECK:         %[[N:.*]] = tile.assume %[[D]] bounded [0, 2]
// CHECK:         %[[L:.*]] = scf.for %[[I:.*]] = %[[PART]] to %[[C64]] step %[[C64]]
// CHECK:           tile.load %{{.*}}[%[[I]], %[[N]]] [64, 32]
// CHECK:         %[[OWN:.*]] = tile.reduce add %[[L]] axis 0
// CHECK:         %[[BASE:.*]] = arith.muli %[[N]], %[[C64]]
// CHECK:         %[[PLACE:.*]] = arith.addi %[[BASE]], %[[PART]]
// CHECK:         %[[W:.*]] = tile_gpu.workspace 0 : !tile.view<192x32xf32>
// CHECK:         %[[ROW:.*]] = tile.expand_dims %[[OWN]], 0
// CHECK:         tile.store %[[ROW]], %[[W]][%[[PLACE]], %[[C0]]]
// CHECK:         %[[LAST:.*]] = tile_gpu.meet_blocks %[[N]] of 3 parts 64 with %[[W]] : !tile.view<192x32xf32>
// CHECK:         scf.if %[[LAST]] {
// CHECK:           %[[ALL:.*]] = tile.load %[[W]][%[[N]], %[[C0]]] [64, 32]
// CHECK:           %[[SUM:.*]] = tile.reduce add %[[ALL]] axis 0 : tensor<64x32xf32> -> tensor<32xf32>
// CHECK:           tile.store %[[SUM]], %{{.*}}[%[[N]]]
// WHY: @column_sum: grid: 64 blocks split the loop of each tile
tile.kernel @column_sum(%x: !tile.view<4096x80xf32>) outs(%y: !tile.view<80xf32>) grid [3] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %z) -> (tensor<64x32xf32>) {
    %t = tile.load %x[%i, %n] [64, 32] : !tile.view<4096x80xf32> -> tensor<64x32xf32>
    %b = arith.addf %a, %t : tensor<64x32xf32>
    scf.yield %b : tensor<64x32xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<64x32xf32> -> tensor<32xf32>
  tile.store %s, %y[%n] : tensor<32xf32>, !tile.view<80xf32>
}

// -----

// Three blocks per multiprocessor keep the memory busy: the busiest runs 15 iterations, and 18 if two blocks split five.
// CHECK-LABEL: tile.kernel @enough_blocks
// CHECK:         grid [354]
// CHECK-NOT:     tile_gpu.meet_blocks
tile.kernel @enough_blocks(%x: !tile.view<35x90498xf32>) outs(%y: !tile.view<90498xf32>) grid [354] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant dense<0.0> : tensor<8x256xf32>
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %z) -> (tensor<8x256xf32>) {
    %t = tile.load %x[%i, %n] [8, 256] : !tile.view<35x90498xf32> -> tensor<8x256xf32>
    %b = arith.addf %a, %t : tensor<8x256xf32>
    scf.yield %b : tensor<8x256xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<8x256xf32> -> tensor<256xf32>
  tile.store %s, %y[%n] : tensor<256xf32>, !tile.view<90498xf32>
}

// -----

// With 40 iterations for each, what they save is more than the exchange takes.
// CHECK-LABEL: tile.kernel @long_loop
// CHECK:         grid [708]
// CHECK:         tile_gpu.meet_blocks
tile.kernel @long_loop(%x: !tile.view<320x90498xf32>) outs(%y: !tile.view<90498xf32>) grid [354] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %z = arith.constant dense<0.0> : tensor<8x256xf32>
  %r = scf.for %i = %c0 to %c40 step %c1 iter_args(%a = %z) -> (tensor<8x256xf32>) {
    %t = tile.load %x[%i, %n] [8, 256] : !tile.view<320x90498xf32> -> tensor<8x256xf32>
    %b = arith.addf %a, %t : tensor<8x256xf32>
    scf.yield %b : tensor<8x256xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<8x256xf32> -> tensor<256xf32>
  tile.store %s, %y[%n] : tensor<256xf32>, !tile.view<90498xf32>
}

// -----

// The kernel still sees the original number of blocks.
// CHECK-LABEL: tile.kernel @counts_blocks
// CHECK:         grid [192]
// CHECK-DAG:     arith.constant dense<3.000000e+00> : tensor<32xf32>
// CHECK-NOT:     tile.num_blocks
tile.kernel @counts_blocks(%x: !tile.view<4096x80xf32>) outs(%y: !tile.view<80xf32>) grid [3] {
  %n = tile.block_id 0
  %blocks = tile.num_blocks 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %z) -> (tensor<64x32xf32>) {
    %t = tile.load %x[%i, %n] [64, 32] : !tile.view<4096x80xf32> -> tensor<64x32xf32>
    %b = arith.addf %a, %t : tensor<64x32xf32>
    scf.yield %b : tensor<64x32xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<64x32xf32> -> tensor<32xf32>
  %count = arith.index_cast %blocks : index to i32
  %f = arith.sitofp %count : i32 to f32
  %fs = tile.splat %f [32] : f32 -> tensor<32xf32>
  %m = arith.mulf %s, %fs : tensor<32xf32>
  tile.store %m, %y[%n] : tensor<32xf32>, !tile.view<80xf32>
}

// -----

// Two results, one with a non-neutral initial value, which only the first block uses. Groups are numbered over both
// grid axes.
// CHECK-LABEL: tile.kernel @two_results
// CHECK:         grid [6, 2]
// CHECK-DAG:     %[[SEVEN:.*]] = arith.constant dense<7.000000e+00>
// CHECK-DAG:     %[[LOW:.*]] = arith.constant dense<0xFF800000>
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK:         %[[INIT:.*]] = arith.select %[[FIRST]], %[[SEVEN]], %[[LOW]]
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[INIT]], %{{.*}} = %{{.*}})
// CHECK-DAG:     tile_gpu.workspace 0 : !tile.view<12x64x16xf32>
// CHECK-DAG:     tile_gpu.workspace 1 : !tile.view<12x64x16xf32>
// CHECK:         tile_gpu.meet_blocks %{{.*}} of 2 parts 6
// CHECK:         scf.if
// CHECK:           arith.maximumf
// CHECK:           tile.reduce max
// CHECK:           arith.addf
// CHECK:           tile.reduce add
// CHECK:           tile.store
// CHECK:           tile.store
tile.kernel @two_results(%x: !tile.view<12288x32xf32>) outs(%m: !tile.view<64x32xf32>, %s: !tile.view<64x32xf32>) grid [1, 2] {
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c192 = arith.constant 192 : index
  %seven = arith.constant dense<7.0> : tensor<64x16xf32>
  %z = arith.constant dense<0.0> : tensor<64x16xf32>
  %r:2 = scf.for %i = %c0 to %c192 step %c1 iter_args(%a = %seven, %b = %z) -> (tensor<64x16xf32>, tensor<64x16xf32>) {
    %t = tile.load %x[%i, %n] [64, 16] : !tile.view<12288x32xf32> -> tensor<64x16xf32>
    %c = arith.maximumf %t, %a : tensor<64x16xf32>
    %d = arith.addf %b, %t : tensor<64x16xf32>
    scf.yield %c, %d : tensor<64x16xf32>, tensor<64x16xf32>
  }
  tile.store %r#0, %m[%c0, %n] : tensor<64x16xf32>, !tile.view<64x32xf32>
  tile.store %r#1, %s[%c0, %n] : tensor<64x16xf32>, !tile.view<64x32xf32>
}

// -----

// A sum that is scaled in each iteration needs its iterations in order.
// CHECK-LABEL: tile.kernel @scaled_each_time
// CHECK:         grid [1]
// CHECK-NOT:     tile_gpu.meet_blocks
// WHY: @scaled_each_time: grid missed: 1 block for 132 multiprocessors: the loop carries values other than reductions
tile.kernel @scaled_each_time(%x: !tile.view<4096x32xf32>) outs(%y: !tile.view<64x32xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %half = arith.constant dense<0.5> : tensor<64x32xf32>
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %z) -> (tensor<64x32xf32>) {
    %t = tile.load %x[%i, %c0] [64, 32] : !tile.view<4096x32xf32> -> tensor<64x32xf32>
    %b = arith.mulf %a, %half : tensor<64x32xf32>
    %c = arith.addf %b, %t : tensor<64x32xf32>
    scf.yield %c : tensor<64x32xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}

// -----

// CHECK-LABEL: tile.kernel @stores_in_the_loop
// CHECK-NOT:     tile_gpu.meet_blocks
// WHY: @stores_in_the_loop: grid missed: 1 block for 132 multiprocessors: the loop has ops other than loads and arithmetic
tile.kernel @stores_in_the_loop(%x: !tile.view<4096x32xf32>) outs(%y: !tile.view<4096x32xf32>, %s: !tile.view<64x32xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %z) -> (tensor<64x32xf32>) {
    %t = tile.load %x[%i, %c0] [64, 32] : !tile.view<4096x32xf32> -> tensor<64x32xf32>
    tile.store %t, %y[%i, %c0] : tensor<64x32xf32>, !tile.view<4096x32xf32>
    %c = arith.addf %a, %t : tensor<64x32xf32>
    scf.yield %c : tensor<64x32xf32>
  }
  tile.store %r, %s[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}

// -----

// One result depends on the other.
// CHECK-LABEL: tile.kernel @dependent
// CHECK-NOT:     tile_gpu.meet_blocks
// WHY: @dependent: grid missed: 1 block for 132 multiprocessors: the loop carries values other than reductions
tile.kernel @dependent(%x: !tile.view<4096x32xf32>) outs(%y: !tile.view<64x32xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %r:2 = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %z, %b = %z) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
    %t = tile.load %x[%i, %c0] [64, 32] : !tile.view<4096x32xf32> -> tensor<64x32xf32>
    %c = arith.addf %a, %t : tensor<64x32xf32>
    %p = arith.mulf %c, %t : tensor<64x32xf32>
    %d = arith.addf %b, %p : tensor<64x32xf32>
    scf.yield %c, %d : tensor<64x32xf32>, tensor<64x32xf32>
  }
  tile.store %r#1, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}

// -----

// A block that stores many elements without a loop.
// WHY: @one_block: grid missed: 1 block for 132 multiprocessors: no loop to split among more; use smaller tiles and a larger grid
// WHY-NOT: @one_small_block
tile.kernel @one_block(%x: !tile.view<256x64xf32>) outs(%y: !tile.view<256x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [256, 64] : !tile.view<256x64xf32> -> tensor<256x64xf32>
  %s = arith.addf %t, %t : tensor<256x64xf32>
  tile.store %s, %y[%c0, %c0] : tensor<256x64xf32>, !tile.view<256x64xf32>
}
tile.kernel @one_small_block(%x: !tile.view<32x64xf32>) outs(%y: !tile.view<32x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [32, 64] : !tile.view<32x64xf32> -> tensor<32x64xf32>
  %s = arith.addf %t, %t : tensor<32x64xf32>
  tile.store %s, %y[%c0, %c0] : tensor<32x64xf32>, !tile.view<32x64xf32>
}

// -----

// The last of 792 blocks, six for each multiprocessor, would read their results for longer than one iteration takes: two
// blocks for each multiprocessor run three or four.
// CHECK-LABEL: tile.kernel @few_iterations
// CHECK:         grid [264]
tile.kernel @few_iterations(%x: !tile.view<241136x7xf32>) outs(%y: !tile.view<7xf32>) grid [1] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c826 = arith.constant 826 : index
  %z = arith.constant dense<0.0> : tensor<292x7xf32>
  %r = scf.for %i = %c0 to %c826 step %c1 iter_args(%a = %z) -> (tensor<292x7xf32>) {
    %t = tile.load %x[%i, %n] [292, 7] : !tile.view<241136x7xf32> -> tensor<292x7xf32>
    %b = arith.addf %a, %t : tensor<292x7xf32>
    scf.yield %b : tensor<292x7xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<292x7xf32> -> tensor<7xf32>
  tile.store %s, %y[%n] : tensor<7xf32>, !tile.view<7xf32>
}

// -----

// … but not with ten times as many.
// CHECK-LABEL: tile.kernel @many_iterations
// CHECK:         grid [792]
tile.kernel @many_iterations(%x: !tile.view<2411360x7xf32>) outs(%y: !tile.view<7xf32>) grid [1] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8260 = arith.constant 8260 : index
  %z = arith.constant dense<0.0> : tensor<292x7xf32>
  %r = scf.for %i = %c0 to %c8260 step %c1 iter_args(%a = %z) -> (tensor<292x7xf32>) {
    %t = tile.load %x[%i, %n] [292, 7] : !tile.view<2411360x7xf32> -> tensor<292x7xf32>
    %b = arith.addf %a, %t : tensor<292x7xf32>
    scf.yield %b : tensor<292x7xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<292x7xf32> -> tensor<7xf32>
  tile.store %s, %y[%n] : tensor<7xf32>, !tile.view<7xf32>
}
