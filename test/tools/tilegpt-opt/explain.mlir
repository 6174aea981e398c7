// Remarks of passes on a kernel: line, kernel and text, with phases and with single passes.
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_80 --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=SM80
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=SM90
// RUN: tilegpt-opt %s --tile-specialize --tile-gpu-make-plan=target=sm_80 --tile-gpu-expand-dots --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=PASSES
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_80 -o /dev/null 2>&1 | count 0

// f32 keeps full precision, so there is no matrix instruction; the loop's copies are asynchronous if rows are whole
// units.
// SM80-DAG: explain.mlir:[[# @LINE + 5]]:1: remark: @product: plan: BK = 32, 4 warps, at most 3 stages
// SM80-DAG: explain.mlir:[[# @LINE + 13]]:13: remark: @product: dot missed: fused multiply-adds: f32 operands keep their full precision; allow precision(tf32), or use bf16 or f16
// SM80-DAG: explain.mlir:[[# @LINE + 9]]:10: remark: @product: copy: 2 loads ahead of their use, 3 stages
// SM80-DAG: explain.mlir:[[# @LINE + 2]]:1: remark: @product: overlap missed: sm_80 has no programmatic dependent launch
// SM90-DAG: explain.mlir:[[# @LINE + 1]]:1: remark: @product: overlap: the launch may start before its predecessor has completed
tile.kernel @product(%x: !tile.view<64x256xf32>, %w: !tile.view<64x?xf32>) outs(%y: !tile.view<64x64xf32>)
    params {BK = 32} grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !tile.view<64x256xf32>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%c0, %k] [64, BK] : !tile.view<64x256xf32> -> tensor<64x?xf32>
    %b = tile.load %w[%c0, %k] [64, BK] : !tile.view<64x?xf32> -> tensor<64x?xf32>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x?xf32>, tensor<64x?xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// SM80-DAG: explain.mlir:[[# @LINE + 5]]:8: remark: @double: dot missed: fused multiply-adds: products of f64 do not use tensor cores
tile.kernel @double(%x: !tile.view<16x16xf64>) outs(%y: !tile.view<16x16xf64>) grid [1] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf64>
  %a = tile.load %x[%c0, %c0] [16, 16] : !tile.view<16x16xf64> -> tensor<16x16xf64>
  %0 = tile.dot %a, %a, %zero : tensor<16x16xf64>, tensor<16x16xf64>, tensor<16x16xf64> -> tensor<16x16xf64>
  tile.store %0, %y[%c0, %c0] : tensor<16x16xf64>, !tile.view<16x16xf64>
}

// Why there is no matrix instruction, case by case.
// SM80-DAG: explain.mlir:[[# @LINE + 12]]:8: remark: @mixed: dot missed: fused multiply-adds: operands of bf16 and f32 are both converted to f32; cast one of them to the type of the other
// SM80-DAG: explain.mlir:[[# @LINE + 12]]:8: remark: @mixed: dot: mma.sync on operands in shared memory
// SM80-DAG: explain.mlir:[[# @LINE + 12]]:8: remark: @mixed: dot missed: fused multiply-adds: K = 24 is not a multiple of 16, the K of an MMA instruction; use such a tile, which is zero-padded
// PASSES: explain.mlir:[[# @LINE + 12]]:8: remark: @mixed: dot: 4 rows: FMAs in registers, since MMA instructions have 16 rows
tile.kernel @mixed(%x: !tile.view<16x32xbf16>, %w: !tile.view<16x32xf32>) outs(%y: !tile.view<16x16xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %few = arith.constant dense<0.0> : tensor<4x16xf32>
  %a = tile.load %x[%c0, %c0] [16, 32] : !tile.view<16x32xbf16> -> tensor<16x32xbf16>
  %n = tile.load %x[%c0, %c0] [16, 24] : !tile.view<16x32xbf16> -> tensor<16x24xbf16>
  %q = tile.load %x[%c0, %c0] [4, 32] : !tile.view<16x32xbf16> -> tensor<4x32xbf16>
  %b = tile.load %w[%c0, %c0] [16, 32] : !tile.view<16x32xf32> -> tensor<16x32xf32>
  %0 = tile.dot %a, %b, %zero transpose_b : tensor<16x32xbf16>, tensor<16x32xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = tile.dot %a, %a, %0 transpose_b : tensor<16x32xbf16>, tensor<16x32xbf16>, tensor<16x16xf32> -> tensor<16x16xf32>
  %2 = tile.dot %n, %n, %1 transpose_b : tensor<16x24xbf16>, tensor<16x24xbf16>, tensor<16x16xf32> -> tensor<16x16xf32>
  %3 = tile.dot %q, %a, %few transpose_b : tensor<4x32xbf16>, tensor<16x32xbf16>, tensor<4x16xf32> -> tensor<4x16xf32>
  tile.store %2, %y[%c0, %c0] : tensor<16x16xf32>, !tile.view<16x16xf32>
  tile.store %3, %y[%c0, %c0] : tensor<4x16xf32>, !tile.view<16x16xf32>
}

// Rows of an odd number of 16-bit elements have no units to copy.
// SM80-DAG: explain.mlir:[[# @LINE + 8]]:10: remark: @odd: copy missed: an operand is loaded through registers: its rows are not known to start at multiples of 4 bytes; make the size of the last axis of the view static, and such a multiple, or state it of pointers and strides with tile.assume
tile.kernel @odd(%x: !tile.view<64x255xbf16>, %w: !tile.view<64x255xbf16>) outs(%y: !tile.view<64x64xf32>)
    params {BK = 32} grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !tile.view<64x255xbf16>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%c0, %k] [64, BK] : !tile.view<64x255xbf16> -> tensor<64x?xbf16>
    %b = tile.load %w[%c0, %k] [64, BK] : !tile.view<64x255xbf16> -> tensor<64x?xbf16>
    %next = tile.dot %a, %b, %acc transpose_b : tensor<64x?xbf16>, tensor<64x?xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}
