// RUN: tilegpt-opt %s --tile-gpu-make-plan=target=sm_90a --split-input-file | FileCheck %s

// 34 rows on 132 multiprocessors: clusters of seven blocks, two to a multiprocessor, would be 238 of 264 blocks, but an
// H200 runs 30 such clusters at a time.
// CHECK: #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 3, blocks = 1, inRegisters = true>
tile.kernel @quantize(%arg0: !tile.view<34x69315xf32>) outs(%arg1: !tile.view<34xf32>, %arg2: !tile.view<34x69315xi8>)
    grid [34] {
  %cst = arith.constant dense<1.000000e-30> : tensor<1x1xf32>
  %cst_0 = arith.constant dense<1.270000e+02> : tensor<1x1xf32>
  %c0 = arith.constant 0 : index
  %0 = tile.block_id 0
  %1 = tile.load %arg0[%0, %c0] [1, 69315] : !tile.view<34x69315xf32> -> tensor<1x69315xf32>
  %2 = math.absf %1 : tensor<1x69315xf32>
  %3 = tile.reduce max %2 axis 1 keepdims : tensor<1x69315xf32> -> tensor<1x1xf32>
  %4 = arith.maximumf %3, %cst : tensor<1x1xf32>
  %5 = arith.divf %4, %cst_0 : tensor<1x1xf32>
  %6 = arith.divf %cst_0, %4 : tensor<1x1xf32>
  %7 = tile.broadcast %6 [1, 69315] : tensor<1x1xf32> -> tensor<1x69315xf32>
  %8 = arith.mulf %1, %7 : tensor<1x69315xf32>
  %9 = math.roundeven %8 : tensor<1x69315xf32>
  %10 = arith.fptosi %9 : tensor<1x69315xf32> to tensor<1x69315xi8>
  %11 = tile.reshape %5 [1] : tensor<1x1xf32> -> tensor<1xf32>
  tile.store %11, %arg1[%0] : tensor<1xf32>, !tile.view<34xf32>
  tile.store %10, %arg2[%0, %c0] : tensor<1x69315xi8>, !tile.view<34x69315xi8>
}

// -----

// 77 clusters of five are three blocks for a multiprocessor. Registers are limited to what lets the third one in.
// CHECK: #tile_gpu.plan<target = "sm_90a", warps = 4, parts = 5, blocks = 3, inRegisters = true>
tile.kernel @quantize(%arg0: !tile.view<77x33377xf32>) outs(%arg1: !tile.view<77xf32>, %arg2: !tile.view<77x33377xi8>)
    grid [77] {
  %cst = arith.constant dense<1.000000e-30> : tensor<1x1xf32>
  %cst_0 = arith.constant dense<1.270000e+02> : tensor<1x1xf32>
  %c0 = arith.constant 0 : index
  %0 = tile.block_id 0
  %1 = tile.load %arg0[%0, %c0] [1, 33377] : !tile.view<77x33377xf32> -> tensor<1x33377xf32>
  %2 = math.absf %1 : tensor<1x33377xf32>
  %3 = tile.reduce max %2 axis 1 keepdims : tensor<1x33377xf32> -> tensor<1x1xf32>
  %4 = arith.maximumf %3, %cst : tensor<1x1xf32>
  %5 = arith.divf %4, %cst_0 : tensor<1x1xf32>
  %6 = arith.divf %cst_0, %4 : tensor<1x1xf32>
  %7 = tile.broadcast %6 [1, 33377] : tensor<1x1xf32> -> tensor<1x33377xf32>
  %8 = arith.mulf %1, %7 : tensor<1x33377xf32>
  %9 = math.roundeven %8 : tensor<1x33377xf32>
  %10 = arith.fptosi %9 : tensor<1x33377xf32> to tensor<1x33377xi8>
  %11 = tile.reshape %5 [1] : tensor<1x1xf32> -> tensor<1xf32>
  tile.store %11, %arg1[%0] : tensor<1xf32>, !tile.view<77xf32>
  tile.store %10, %arg2[%0, %c0] : tensor<1x33377xi8>, !tile.view<77x33377xi8>
}

// -----

// An H200 runs 15 clusters of eight blocks at a time, and 17 of six. Threads of a kernel that stores rows take at least 44
// registers beside the elements of their rows, so there is no room for a second block and the 16th cluster would wait.
// CHECK: #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 6, blocks = 1, inRegisters = true>
tile.kernel @difference(%x: !tile.view<16x156070xf32>) outs(%y: !tile.view<16x156070xf32>) grid [16] {
  %c0 = arith.constant 0 : index
  %m = tile.block_id 0
  %t = tile.load %x[%m, %c0] [1, 156070] : !tile.view<16x156070xf32> -> tensor<1x156070xf32>
  %max = tile.reduce max %t axis 1 keepdims : tensor<1x156070xf32> -> tensor<1x1xf32>
  %all = tile.broadcast %max [1, 156070] : tensor<1x1xf32> -> tensor<1x156070xf32>
  %d = arith.subf %t, %all : tensor<1x156070xf32>
  tile.store %d, %y[%m, %c0] : tensor<1x156070xf32>, !tile.view<16x156070xf32>
}

// -----

// A kernel that only reduces takes fewer: two blocks share a multiprocessor, so ptxas is asked for the registers of two.
// CHECK: #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 8, blocks = 2, inRegisters = true>
tile.kernel @maximum(%x: !tile.view<16x156070xf32>) outs(%y: !tile.view<16xf32>) grid [16] {
  %c0 = arith.constant 0 : index
  %m = tile.block_id 0
  %t = tile.load %x[%m, %c0] [1, 156070] : !tile.view<16x156070xf32> -> tensor<1x156070xf32>
  %max = tile.reduce max %t axis 1 : tensor<1x156070xf32> -> tensor<1xf32>
  tile.store %max, %y[%m] : tensor<1xf32>, !tile.view<16xf32>
}

// -----

// So it is for rows that make more blocks than there are multiprocessors.
// CHECK: #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 8, blocks = 2, inRegisters = true>
tile.kernel @sums(%x: !tile.view<33x180022xf32>) outs(%y: !tile.view<33xf32>) grid [33] {
  %c0 = arith.constant 0 : index
  %m = tile.block_id 0
  %t = tile.load %x[%m, %c0] [1, 180022] : !tile.view<33x180022xf32> -> tensor<1x180022xf32>
  %sum = tile.reduce add %t axis 1 : tensor<1x180022xf32> -> tensor<1xf32>
  tile.store %sum, %y[%m] : tensor<1xf32>, !tile.view<33xf32>
}

// -----

// … but if blocks that share compute for long, clusters of six are faster, which have multiprocessors of their own.
// CHECK: #tile_gpu.plan<target = "sm_90a", warps = 16, parts = 6, blocks = 2, inRegisters = true>
tile.kernel @exponentials(%x: !tile.view<16x131001xbf16>) outs(%y: !tile.view<16xf32>) grid [16] {
  %c0 = arith.constant 0 : index
  %m = tile.block_id 0
  %t = tile.load %x[%m, %c0] [1, 131001] : !tile.view<16x131001xbf16> -> tensor<1x131001xbf16>
  %f = tile.cast %t : tensor<1x131001xbf16> to tensor<1x131001xf32>
  %e = math.exp %f : tensor<1x131001xf32>
  %sum = tile.reduce add %e axis 1 : tensor<1x131001xf32> -> tensor<1xf32>
  tile.store %sum, %y[%m] : tensor<1xf32>, !tile.view<16xf32>
}

// -----

// Rows that are reduced twice stay in registers meanwhile, so there is no room for a second block of 16 warps.
// CHECK: #tile_gpu.plan<target = "sm_90a", warps = 8, parts = 8, blocks = 2, inRegisters = true>
tile.kernel @place(%x: !tile.view<16x131001xbf16>) outs(%y: !tile.view<16xi32>) grid [16] {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<2147483647> : tensor<1x131001xi32>
  %m = tile.block_id 0
  %t = tile.load %x[%m, %c0] [1, 131001] : !tile.view<16x131001xbf16> -> tensor<1x131001xbf16>
  %max = tile.reduce max %t axis 1 keepdims : tensor<1x131001xbf16> -> tensor<1x1xbf16>
  %all = tile.broadcast %max [1, 131001] : tensor<1x1xbf16> -> tensor<1x131001xbf16>
  %is = arith.cmpf oeq, %t, %all : tensor<1x131001xbf16>
  %n = tile.iota [131001] : tensor<131001xi32>
  %ns = tile.broadcast %n [1, 131001] : tensor<131001xi32> -> tensor<1x131001xi32>
  %held = arith.select %is, %ns, %none : tensor<1x131001xi1>, tensor<1x131001xi32>
  %first = tile.reduce min %held axis 1 : tensor<1x131001xi32> -> tensor<1xi32>
  tile.store %first, %y[%m] : tensor<1xi32>, !tile.view<16xi32>
}

// -----

// Narrow elements that are used once stay packed, so that a block of 32 warps has room for a fourth of a row.
// CHECK: #tile_gpu.plan<target = "sm_90a", warps = 32, parts = 4, blocks = 1, inRegisters = true>
tile.kernel @packed(%x: !tile.view<23x178696xbf16>) outs(%y: !tile.view<23xf32>) grid [23] {
  %c0 = arith.constant 0 : index
  %m = tile.block_id 0
  %t = tile.load %x[%m, %c0] [1, 178696] : !tile.view<23x178696xbf16> -> tensor<1x178696xbf16>
  %f = tile.cast %t : tensor<1x178696xbf16> to tensor<1x178696xf32>
  %max = tile.reduce max %f axis 1 : tensor<1x178696xf32> -> tensor<1xf32>
  tile.store %max, %y[%m] : tensor<1xf32>, !tile.view<23xf32>
}

// -----

// Blocks that fill a multiprocessor's shared memory: 32 clusters of eight run in three rounds, of six in two.
// CHECK: #tile_gpu.plan<target = "sm_90a", warps = 25, parts = 6, blocks = 1>
tile.kernel @two_rows(%x: !tile.view<32x230008xbf16>, %r: !tile.view<32x230008xbf16>) outs(%y: !tile.view<32x230008xbf16>) grid [32] {
  %c0 = arith.constant 0 : index
  %m = tile.block_id 0
  %a = tile.load %x[%m, %c0] [1, 230008] : !tile.view<32x230008xbf16> -> tensor<1x230008xbf16>
  %b = tile.load %r[%m, %c0] [1, 230008] : !tile.view<32x230008xbf16> -> tensor<1x230008xbf16>
  %t = arith.addf %a, %b : tensor<1x230008xbf16>
  %max = tile.reduce max %t axis 1 keepdims : tensor<1x230008xbf16> -> tensor<1x1xbf16>
  %all = tile.broadcast %max [1, 230008] : tensor<1x1xbf16> -> tensor<1x230008xbf16>
  %d = arith.subf %t, %all : tensor<1x230008xbf16>
  tile.store %d, %y[%m, %c0] : tensor<1x230008xbf16>, !tile.view<32x230008xbf16>
}

// -----

// All 15 rows run at a time in clusters of eight.
// CHECK: #tile_gpu.plan<target = "sm_90a", warps = 29, parts = 8, blocks = 1>
tile.kernel @fewer_rows(%x: !tile.view<15x230008xbf16>, %r: !tile.view<15x230008xbf16>) outs(%y: !tile.view<15x230008xbf16>) grid [15] {
  %c0 = arith.constant 0 : index
  %m = tile.block_id 0
  %a = tile.load %x[%m, %c0] [1, 230008] : !tile.view<15x230008xbf16> -> tensor<1x230008xbf16>
  %b = tile.load %r[%m, %c0] [1, 230008] : !tile.view<15x230008xbf16> -> tensor<1x230008xbf16>
  %t = arith.addf %a, %b : tensor<1x230008xbf16>
  %max = tile.reduce max %t axis 1 keepdims : tensor<1x230008xbf16> -> tensor<1x1xbf16>
  %all = tile.broadcast %max [1, 230008] : tensor<1x1xbf16> -> tensor<1x230008xbf16>
  %d = arith.subf %t, %all : tensor<1x230008xbf16>
  tile.store %d, %y[%m, %c0] : tensor<1x230008xbf16>, !tile.view<15x230008xbf16>
}

// -----

// Two blocks of a multiprocessor, 16 warps each, would process a part in three pieces, each in two steps, the second of
// which 27 warps need: 14 of each block. The columns of a step are those of all lanes.
// CHECK: #tile_gpu.plan<target = "sm_90a", warps = 14, parts = 4, blocks = 2>
tile.kernel @busy_warps(%x: !tile.view<131x84078xbf16>, %r: !tile.view<131x84078xbf16>) outs(%y: !tile.view<131xf32>) grid [131] {
  %c0 = arith.constant 0 : index
  %m = tile.block_id 0
  %a = tile.load %x[%m, %c0] [1, 84078] : !tile.view<131x84078xbf16> -> tensor<1x84078xbf16>
  %b = tile.load %r[%m, %c0] [1, 84078] : !tile.view<131x84078xbf16> -> tensor<1x84078xbf16>
  %af = tile.cast %a : tensor<1x84078xbf16> to tensor<1x84078xf32>
  %bf = tile.cast %b : tensor<1x84078xbf16> to tensor<1x84078xf32>
  %max = tile.reduce max %af axis 1 keepdims : tensor<1x84078xf32> -> tensor<1x1xf32>
  %all = tile.broadcast %max [1, 84078] : tensor<1x1xf32> -> tensor<1x84078xf32>
  %d = arith.subf %bf, %all : tensor<1x84078xf32>
  %e = math.exp %d : tensor<1x84078xf32>
  %s = tile.reduce add %e axis 1 : tensor<1x84078xf32> -> tensor<1xf32>
  tile.store %s, %y[%m] : tensor<1xf32>, !tile.view<131xf32>
}
