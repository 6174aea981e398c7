// Operands at offsets that a later iteration's number determines are copied asynchronously: each thread computes the
// offsets and masks of its own units.
// RUN: tilegpt-opt %s --arch=sm_80 --explain --emit=ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX --input-file %t.ptx

// Rows that differ in every iteration, as those of the taps of a convolution. Columns of the right operand, whose rows are
// adjacent in memory, are turned. The quotient of the rows is computed once.
// CHECK:     @taps: copy: 2 loads ahead of their use
// CHECK-NOT: @taps: copy missed
// PTX-LABEL: .entry kernel_taps
// PTX-NOT:     ld.global
// PTX:         cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16, %r{{[0-9]+}};
// PTX-NOT:     ld.global
// PTX:         ret;
tile.kernel @taps(%x: !tile.view<512x256xbf16>, %w: !tile.view<64x768xbf16>) outs(%y: !tile.view<512x64xf32>) grid [8] {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %i4 = arith.constant 4 : i32
  %i64 = arith.constant 64 : i32
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0> : tensor<64xi32>
  %height = arith.constant dense<512> : tensor<64xi32>
  %width = arith.constant dense<256> : tensor<64xi32>
  %depth = arith.constant dense<768> : tensor<64xi32>
  %xp = tile.base %x : !tile.view<512x256xbf16> -> !tile.ptr<bf16>
  %wp = tile.base %w : !tile.view<64x768xbf16> -> !tile.ptr<bf16>
  %n = tile.iota [64] : tensor<64xi32>
  %bi = arith.index_cast %b : index to i32
  %b0 = arith.muli %bi, %i64 : i32
  %bs = tile.splat %b0 [64] : i32 -> tensor<64xi32>
  %own = arith.addi %n, %bs : tensor<64xi32>
  %s = scf.for %k = %c0 to %c12 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %ki = arith.index_cast %k : index to i32
    %tap = arith.divsi %ki, %i4 : i32
    %part = arith.remsi %ki, %i4 : i32
    %c0i = arith.muli %part, %i64 : i32
    %ts = tile.splat %tap [64] : i32 -> tensor<64xi32>
    %rows = arith.subi %own, %ts : tensor<64xi32>
    %from = arith.cmpi sge, %rows, %none : tensor<64xi32>
    %below = arith.cmpi slt, %rows, %height : tensor<64xi32>
    %in = arith.andi %from, %below : tensor<64xi1>
    %cs = tile.splat %c0i [64] : i32 -> tensor<64xi32>
    %columns = arith.addi %n, %cs : tensor<64xi32>
    %left = arith.cmpi slt, %columns, %width : tensor<64xi32>
    %start = arith.muli %rows, %width : tensor<64xi32>
    %se = tile.expand_dims %start, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %sb = tile.broadcast %se [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
    %cb = tile.broadcast %columns [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %at = arith.addi %sb, %cb : tensor<64x64xi32>
    %ie = tile.expand_dims %in, 1 : tensor<64xi1> -> tensor<64x1xi1>
    %ib = tile.broadcast %ie [64, 64] : tensor<64x1xi1> -> tensor<64x64xi1>
    %lb = tile.broadcast %left [64, 64] : tensor<64xi1> -> tensor<64x64xi1>
    %mask = arith.andi %ib, %lb : tensor<64x64xi1>
    %xt = tile.load_at %xp[%at] mask(%mask : tensor<64x64xi1>) : !tile.ptr<bf16>, tensor<64x64xi32> -> tensor<64x64xbf16>
    %k0 = arith.muli %ki, %i64 : i32
    %ks = tile.splat %k0 [64] : i32 -> tensor<64xi32>
    %steps = arith.addi %n, %ks : tensor<64xi32>
    %ke = tile.expand_dims %steps, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %kb = tile.broadcast %ke [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
    %outs = arith.muli %n, %depth : tensor<64xi32>
    %ob = tile.broadcast %outs [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %wat = arith.addi %kb, %ob : tensor<64x64xi32>
    %wt = tile.load_at %wp[%wat] : !tile.ptr<bf16>, tensor<64x64xi32> -> tensor<64x64xbf16>
    %d = tile.dot %xt, %wt, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%b, %c0] : tensor<64x64xf32>, !tile.view<512x64xf32>
}

// Offsets that are loaded, and every second element, go through registers.
// CHECK:     @loaded: copy missed: an operand is loaded through registers: the iteration before loads or computes it
// CHECK-NOT: @loaded: copy:
tile.kernel @loaded(%x: !tile.view<?xbf16>, %o: !tile.view<64x64xi32>, %w: !tile.view<64x64xbf16>) outs(%y: !tile.view<64x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %xp = tile.base %x : !tile.view<?xbf16> -> !tile.ptr<bf16>
  %first = tile.load %o[%c0, %c0] [64, 64] : !tile.view<64x64xi32> -> tensor<64x64xi32>
  %wt = tile.load %w[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %ki = arith.index_cast %k : index to i32
    %ks = tile.splat %ki [64, 64] : i32 -> tensor<64x64xi32>
    %at = arith.addi %first, %ks : tensor<64x64xi32>
    %xt = tile.load_at %xp[%at] : !tile.ptr<bf16>, tensor<64x64xi32> -> tensor<64x64xbf16>
    %d = tile.dot %xt, %wt, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}
