// Elements at quotients and remainders of positions: the taps and channels of a convolution, prefetched beside a product, and
// positions below zero.
// TYPES: f16 bf16 f32

// A 3x3 convolution of images of 6 x 5 with 16 channels. The last of five iterations has half of its taps.
// CASE @convolve K=144: 1x6x5x16xT=random:1 16x144xT=random:2 -> 1x6x5x16xf32
// CASE @convolve K=144: 3x6x5x16xT=random:3 16x144xT=random:4 -> 3x6x5x16xf32
// CASE @convolve K=144: 0x6x5x16xT 16x144xT=random:4 -> 0x6x5x16xf32
tile.kernel @convolve(%x: !tile.view<?x6x5x16x!T>, %w: !tile.view<16x144x!T>) outs(%y: !tile.view<?x6x5x16xf32>)
    requires(dim(%x, 0) == dim(%y, 0))
    grid [ceildiv(dim(%y, 0) * 30, 32)] {
  %k30 = arith.constant 30 : i32
  %c32 = arith.constant 32 : index
  %c5_32 = arith.constant dense<5> : tensor<32xi32>
  %c6_32 = arith.constant dense<6> : tensor<32xi32>
  %c0_0_32x16 = arith.constant dense<0.0> : tensor<32x16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16_32 = arith.constant dense<16> : tensor<32xi32>
  %c3_32 = arith.constant dense<3> : tensor<32xi32>
  %c1_32 = arith.constant dense<1> : tensor<32xi32>
  %c0_32x32 = arith.constant dense<0> : tensor<32x32xi32>
  %c6_32x32 = arith.constant dense<6> : tensor<32x32xi32>
  %c5_32x32 = arith.constant dense<5> : tensor<32x32xi32>
  %c144_32 = arith.constant dense<144> : tensor<32xi32>
  %c16_32x32 = arith.constant dense<16> : tensor<32x32xi32>
  %c144_16 = arith.constant dense<144> : tensor<16xi32>
  %block = tile.block_id 0
  %px = tile.base %x : !tile.view<?x6x5x16x!T> -> !tile.ptr<!T>
  %pw = tile.base %w : !tile.view<16x144x!T> -> !tile.ptr<!T>
  %py = tile.base %y : !tile.view<?x6x5x16xf32> -> !tile.ptr<f32>
  %images = tile.dim %x, 0 : !tile.view<?x6x5x16x!T>
  %images32 = arith.index_cast %images : index to i32
  %pixels = arith.muli %images32, %k30 : i32
  %t9 = tile.iota [32] : tensor<32xi32>
  %t11 = arith.muli %block, %c32 : index
  %t12 = arith.index_cast %t11 : index to i32
  %t13 = tile.splat %t12 [32] : i32 -> tensor<32xi32>
  %pixel = arith.addi %t9, %t13 : tensor<32xi32>
  %column = arith.remsi %pixel, %c5_32 : tensor<32xi32>
  %line = arith.divsi %pixel, %c5_32 : tensor<32xi32>
  %row = arith.remsi %line, %c6_32 : tensor<32xi32>
  %image = arith.divsi %line, %c6_32 : tensor<32xi32>
  %filter = tile.iota [16] : tensor<16xi32>
  %steps = tile.num_tiles %w, 1 by [32] : !tile.view<16x144x!T>
  %total = scf.for %i = %c0 to %steps step %c1 iter_args(%sum = %c0_0_32x16) -> (tensor<32x16xf32>) {
    %t31 = tile.iota [32] : tensor<32xi32>
    %t33 = arith.muli %i, %c32 : index
    %t34 = arith.index_cast %t33 : index to i32
    %t35 = tile.splat %t34 [32] : i32 -> tensor<32xi32>
    %k = arith.addi %t31, %t35 : tensor<32xi32>
    %channel = arith.remsi %k, %c16_32 : tensor<32xi32>
    %tap = arith.divsi %k, %c16_32 : tensor<32xi32>
    %tap_row = arith.divsi %tap, %c3_32 : tensor<32xi32>
    %tap_column = arith.remsi %tap, %c3_32 : tensor<32xi32>
    %t46 = arith.subi %row, %c1_32 : tensor<32xi32>
    %t47 = tile.expand_dims %t46, 1 : tensor<32xi32> -> tensor<32x1xi32>
    %t48 = tile.broadcast %t47 [32, 32] : tensor<32x1xi32> -> tensor<32x32xi32>
    %t49 = tile.broadcast %tap_row [32, 32] : tensor<32xi32> -> tensor<32x32xi32>
    %h = arith.addi %t48, %t49 : tensor<32x32xi32>
    %t52 = arith.subi %column, %c1_32 : tensor<32xi32>
    %t53 = tile.expand_dims %t52, 1 : tensor<32xi32> -> tensor<32x1xi32>
    %t54 = tile.broadcast %t53 [32, 32] : tensor<32x1xi32> -> tensor<32x32xi32>
    %t55 = tile.broadcast %tap_column [32, 32] : tensor<32xi32> -> tensor<32x32xi32>
    %w_ = arith.addi %t54, %t55 : tensor<32x32xi32>
    %t58 = arith.cmpi sge, %h, %c0_32x32 : tensor<32x32xi32>
    %t60 = arith.cmpi slt, %h, %c6_32x32 : tensor<32x32xi32>
    %t61 = arith.andi %t58, %t60 : tensor<32x32xi1>
    %t63 = arith.cmpi sge, %w_, %c0_32x32 : tensor<32x32xi32>
    %t64 = arith.andi %t61, %t63 : tensor<32x32xi1>
    %t66 = arith.cmpi slt, %w_, %c5_32x32 : tensor<32x32xi32>
    %t67 = arith.andi %t64, %t66 : tensor<32x32xi1>
    %t68 = tile.splat %pixels [32] : i32 -> tensor<32xi32>
    %t69 = arith.cmpi slt, %pixel, %t68 : tensor<32xi32>
    %t70 = tile.expand_dims %t69, 1 : tensor<32xi1> -> tensor<32x1xi1>
    %t71 = tile.broadcast %t70 [32, 32] : tensor<32x1xi1> -> tensor<32x32xi1>
    %t72 = arith.andi %t67, %t71 : tensor<32x32xi1>
    %t74 = arith.cmpi slt, %k, %c144_32 : tensor<32xi32>
    %t75 = tile.broadcast %t74 [32, 32] : tensor<32xi1> -> tensor<32x32xi1>
    %mask = arith.andi %t72, %t75 : tensor<32x32xi1>
    %t78 = arith.muli %image, %c6_32 : tensor<32xi32>
    %t79 = tile.expand_dims %t78, 1 : tensor<32xi32> -> tensor<32x1xi32>
    %t80 = tile.broadcast %t79 [32, 32] : tensor<32x1xi32> -> tensor<32x32xi32>
    %t81 = arith.addi %t80, %h : tensor<32x32xi32>
    %t83 = arith.muli %t81, %c5_32x32 : tensor<32x32xi32>
    %t84 = arith.addi %t83, %w_ : tensor<32x32xi32>
    %t86 = arith.muli %t84, %c16_32x32 : tensor<32x32xi32>
    %t87 = tile.broadcast %channel [32, 32] : tensor<32xi32> -> tensor<32x32xi32>
    %at = arith.addi %t86, %t87 : tensor<32x32xi32>
    %a = tile.load_at %px[%at] mask(%mask : tensor<32x32xi1>) : !tile.ptr<!T>, tensor<32x32xi32> -> tensor<32x32x!T>
    %t91 = arith.muli %filter, %c144_16 : tensor<16xi32>
    %t92 = tile.expand_dims %t91, 1 : tensor<16xi32> -> tensor<16x1xi32>
    %t93 = tile.broadcast %t92 [16, 32] : tensor<16x1xi32> -> tensor<16x32xi32>
    %t94 = tile.broadcast %k [16, 32] : tensor<32xi32> -> tensor<16x32xi32>
    %w_at = arith.addi %t93, %t94 : tensor<16x32xi32>
    %t97 = arith.cmpi slt, %k, %c144_32 : tensor<32xi32>
    %w_mask = tile.broadcast %t97 [16, 32] : tensor<32xi1> -> tensor<16x32xi1>
    %b = tile.load_at %pw[%w_at] mask(%w_mask : tensor<16x32xi1>) : !tile.ptr<!T>, tensor<16x32xi32> -> tensor<16x32x!T>
    %next = tile.dot %a, %b, %sum transpose_b : tensor<32x32x!T>, tensor<16x32x!T>, tensor<32x16xf32> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %t102 = arith.muli %pixel, %c16_32 : tensor<32xi32>
  %t103 = tile.expand_dims %t102, 1 : tensor<32xi32> -> tensor<32x1xi32>
  %t104 = tile.broadcast %t103 [32, 16] : tensor<32x1xi32> -> tensor<32x16xi32>
  %t105 = tile.broadcast %filter [32, 16] : tensor<16xi32> -> tensor<32x16xi32>
  %y_at = arith.addi %t104, %t105 : tensor<32x16xi32>
  %t107 = tile.splat %pixels [32] : i32 -> tensor<32xi32>
  %t108 = arith.cmpi slt, %pixel, %t107 : tensor<32xi32>
  %t109 = tile.expand_dims %t108, 1 : tensor<32xi1> -> tensor<32x1xi1>
  %y_mask = tile.broadcast %t109 [32, 16] : tensor<32x1xi1> -> tensor<32x16xi1>
  tile.store_at %total, %py[%y_at] mask(%y_mask : tensor<32x16xi1>) : tensor<32x16xf32>, !tile.ptr<f32>, tensor<32x16xi32>
}

// The remainders of -16 and -15 divided by 16 are 0 and -15, without a sign 0 and 1.
// CASE @wrap: 128xT=random:1 i32=1 -> 64xT 64xT
// CASE @wrap: 128xT=random:1 i32=-6 -> 64xT 64xT
// CASE @wrap: 128xT=random:1 i32=-1 -> 64xT 64xT
tile.kernel @wrap(%x: !tile.view<128x!T>, %n: i32) outs(%y: !tile.view<64x!T>, %z: !tile.view<64x!T>)
    grid [1] {
  %k8 = arith.constant 8 : i32
  %c16_64 = arith.constant dense<16> : tensor<64xi32>
  %c64_64 = arith.constant dense<64> : tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c3_64 = arith.constant dense<3> : tensor<64xi32>
  %px = tile.base %x : !tile.view<128x!T> -> !tile.ptr<!T>
  %e = tile.iota [64] : tensor<64xi32>
  %t4 = arith.muli %n, %k8 : i32
  %t5 = tile.splat %t4 [64] : i32 -> tensor<64xi32>
  %position = arith.addi %e, %t5 : tensor<64xi32>
  %rest = arith.remsi %position, %c16_64 : tensor<64xi32>
  %at = arith.addi %rest, %c64_64 : tensor<64xi32>
  %signed = tile.load_at %px[%at] : !tile.ptr<!T>, tensor<64xi32> -> tensor<64x!T>
  tile.store %signed, %y[%c0] : tensor<64x!T>, !tile.view<64x!T>
  %unsigned_rest = arith.remui %position, %c16_64 : tensor<64xi32>
  %quotient = arith.divui %position, %c16_64 : tensor<64xi32>
  %group = arith.andi %quotient, %c3_64 : tensor<64xi32>
  %t20 = arith.muli %group, %c16_64 : tensor<64xi32>
  %unsigned_at = arith.addi %unsigned_rest, %t20 : tensor<64xi32>
  %unsigned = tile.load_at %px[%unsigned_at] : !tile.ptr<!T>, tensor<64xi32> -> tensor<64x!T>
  tile.store %unsigned, %z[%c0] : tensor<64x!T>, !tile.view<64x!T>
}
