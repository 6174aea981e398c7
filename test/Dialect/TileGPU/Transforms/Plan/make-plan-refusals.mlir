// Loops that no producer can feed, and why.
// RUN: tilegpt-opt %s --tile-gpu-normalize-dots --tile-gpu-swap-operands --tile-gpu-make-plan --explain -o /dev/null 2>&1 | FileCheck %s

!A = !tile.view<512x1024xbf16>
!Y = !tile.view<1024x1024xf32>

// aᵀ·b with 32 rows, which are contiguous in the lhs: an instruction takes 64.
// CHECK: @few_rows_along: main-loop missed: a left operand that is contiguous along M has 32 rows; use 64 or more
tile.kernel @few_rows_along(%a: !A, %b: !A) outs(%y: !Y) grid [32, 16] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %z) -> (tensor<32x64xf32>) {
    %xt = tile.load %a[%k, %m] [32, 32] : !A -> tensor<32x32xbf16>
    %x = tile.permute %xt [1, 0] : tensor<32x32xbf16> -> tensor<32x32xbf16>
    %w = tile.load %b[%k, %n] [32, 64] : !A -> tensor<32x64xbf16>
    %d = tile.dot %x, %w, %acc : tensor<32x32xbf16>, tensor<32x64xbf16>, tensor<32x64xf32> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<32x64xf32>, !Y
}
