// Gathered rows that only an outer loop changes, such as the taps of a convolution, are copied asynchronously.
// RUN: tilegpt-opt %s --arch=sm_80 --explain --emit=ptx -o %t.ptx 2>&1 | FileCheck %s

!X = !tile.view<512x256xbf16>
!W = !tile.view<3x64x256xbf16>

// CHECK:     @taps: copy: 2 loads ahead of their use
// CHECK-NOT: @taps: copy missed
tile.kernel @taps(%x: !X, %w: !W) outs(%y: !tile.view<512x64xf32>) grid [8] {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %n = tile.iota [64] : tensor<64xi32>
  %r = scf.for %tap = %c0 to %c3 step %c1 iter_args(%sum = %z) -> (tensor<64x64xf32>) {
    %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %sum) -> (tensor<64x64xf32>) {
      %b0 = arith.muli %b, %c64 : index
      %first = arith.addi %b0, %tap : index
      %i = arith.index_cast %first : index to i32
      %is = tile.splat %i [64] : i32 -> tensor<64xi32>
      %rows = arith.addi %n, %is : tensor<64xi32>
      %xt = tile.gather %x[%k] at %rows axis 0 [64, 64] : !X, tensor<64xi32> -> tensor<64x64xbf16>
      %wv = tile.select %w[%tap] : !W -> !tile.view<64x256xbf16>
      %wt = tile.load %wv[%c0, %k] [64, 64] : !tile.view<64x256xbf16> -> tensor<64x64xbf16>
      %d = tile.dot %xt, %wt, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    scf.yield %s : tensor<64x64xf32>
  }
  tile.store %r, %y[%b, %c0] : tensor<64x64xf32>, !tile.view<512x64xf32>
}

// Those that the loop itself changes are prefetched to registers.
// CHECK: @walked: copy missed: an operand is loaded through registers: the iteration before loads or computes it
tile.kernel @walked(%x: !X, %w: !tile.view<64x256xbf16>) outs(%y: !tile.view<512x64xf32>) grid [8] {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %n = tile.iota [64] : tensor<64xi32>
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %i = arith.index_cast %k : index to i32
    %is = tile.splat %i [64] : i32 -> tensor<64xi32>
    %rows = arith.addi %n, %is : tensor<64xi32>
    %xt = tile.gather %x[%k] at %rows axis 0 [64, 64] : !X, tensor<64xi32> -> tensor<64x64xbf16>
    %wt = tile.load %w[%c0, %k] [64, 64] : !tile.view<64x256xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %xt, %wt, %acc transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %s, %y[%b, %c0] : tensor<64x64xf32>, !tile.view<512x64xf32>
}
