// Rows of a left operand that are gathered come through registers, an iteration ahead, the other operand by cp.async.
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a --explain 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a | FileCheck %s

// REMARK: main-loop missed: the rows of a left operand are gathered, which the copy engine does not
// REMARK: copy: 1 load ahead of its use
// CHECK-LABEL: .entry kernel_gathered(
// CHECK:         ld.global.v4.b32
// CHECK:         cp.async.cg
// CHECK:         mma.sync
tile.kernel @gathered(%x: !tile.view<4096x512xbf16>, %w: !tile.view<1024x512xbf16>, %rows: !tile.view<1024xi32>) outs(%y: !tile.view<1024x1024xbf16>) grid [8, 8] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %i = tile.load %rows[%m] [128] : !tile.view<1024xi32> -> tensor<128xi32>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (tensor<128x128xf32>) {
    %a = tile.gather %x[%k] at %i axis 0 [128, 64] : !tile.view<4096x512xbf16>, tensor<128xi32> -> tensor<128x64xbf16>
    %b = tile.load %w[%n, %k] [128, 64] : !tile.view<1024x512xbf16> -> tensor<128x64xbf16>
    %d = tile.dot %a, %b, %acc transpose_b : tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %o = tile.cast %r : tensor<128x128xf32> to tensor<128x128xbf16>
  tile.store %o, %y[%m, %n] : tensor<128x128xbf16>, !tile.view<1024x1024xbf16>
}
