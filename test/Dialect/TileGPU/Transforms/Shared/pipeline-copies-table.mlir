// Tiles whose index comes from a block table are copied asynchronously as well.
// RUN: tilegpt-opt %s --arch=sm_80 --explain --emit=ptx -o %t.ptx 2>&1 | FileCheck %s

!T = !tile.view<64xi32>

// CHECK: @table: copy: 2 loads ahead of their use
tile.kernel @table(%x: !tile.view<16x4096xbf16>, %w: !tile.view<512x64x64xbf16>, %t: !T) outs(%y: !tile.view<16x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : tensor<16x64xf32>
  %r = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %z) -> (tensor<16x64xf32>) {
    %e = tile.load %t[%k] [1] : !T -> tensor<1xi32>
    %s = tensor.extract %e[%c0] : tensor<1xi32>
    %p = arith.index_cast %s : i32 to index
    %a = tile.load %x[%c0, %k] [16, 64] : !tile.view<16x4096xbf16> -> tensor<16x64xbf16>
    %b = tile.load %w[%p, %c0, %c0] [1, 64, 64] : !tile.view<512x64x64xbf16> -> tensor<1x64x64xbf16>
    %m = tile.reshape %b [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %m, %acc : tensor<16x64xbf16>, tensor<64x64xbf16>, tensor<16x64xf32> -> tensor<16x64xf32>
    scf.yield %d : tensor<16x64xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<16x64xf32>, !tile.view<16x64xf32>
}

// Not if the kernel writes the table: this iteration may store the next entry.
// CHECK: @written: copy missed: an operand is loaded through registers: its address depends on what the loop computes
tile.kernel @written(%x: !tile.view<16x4096xbf16>, %w: !tile.view<512x64x64xbf16>) outs(%y: !tile.view<16x64xf32>, %t: !T) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : tensor<16x64xf32>
  %r = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %z) -> (tensor<16x64xf32>) {
    %e = tile.load %t[%k] [1] : !T -> tensor<1xi32>
    %s = tensor.extract %e[%c0] : tensor<1xi32>
    %p = arith.index_cast %s : i32 to index
    %a = tile.load %x[%c0, %k] [16, 64] : !tile.view<16x4096xbf16> -> tensor<16x64xbf16>
    %b = tile.load %w[%p, %c0, %c0] [1, 64, 64] : !tile.view<512x64x64xbf16> -> tensor<1x64x64xbf16>
    %m = tile.reshape %b [64, 64] : tensor<1x64x64xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %m, %acc : tensor<16x64xbf16>, tensor<64x64xbf16>, tensor<16x64xf32> -> tensor<16x64xf32>
    tile.store %e, %t[%c1] : tensor<1xi32>, !T
    scf.yield %d : tensor<16x64xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<16x64xf32>, !tile.view<16x64xf32>
}
