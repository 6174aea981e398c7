// --exact disables everything that changes numbers in GPU code: a softmax of 16-bit results computes exponentials and
// quotients exactly, GELU its exponent.
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=RELAXED
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a --exact | FileCheck %s --check-prefix=EXACT
// RUN: tilegpt-opt %s --emit=llvm-ir --arch=sm_80 --exact | FileCheck %s --check-prefix=LLVM
// RUN: tilegpt-opt %kernels/attention.mlir --arg=qkv=1024x192xbf16,k=1x1x1024x64xbf16,v=1x1x1024x64xbf16 --compile-to=planned --arch=sm_90a \
// RUN:   | FileCheck %s --check-prefix=MAXIMUM
// RUN: tilegpt-opt %kernels/attention.mlir --arg=qkv=1024x192xbf16,k=1x1x1024x64xbf16,v=1x1x1024x64xbf16 --compile-to=planned --arch=sm_90a --exact \
// RUN:   | FileCheck %s --check-prefix=TEXT
// RUN: %expect-exit 2 tilegpt-opt %s --emit=ptx --exact --tf32 2>&1 | FileCheck %s --check-prefix=TF32
// RUN: %expect-exit 2 tilegpt-opt %s --emit=ptx --exact --fast-f8 2>&1 | FileCheck %s --check-prefix=F8
// RUN: %expect-exit 2 tilegpt-opt %s --exact 2>&1 | FileCheck %s --check-prefix=PHASE

// RELAXED-LABEL: .entry kernel_gelu(
// RELAXED: ex2.approx.ftz.f32
// RELAXED-LABEL: .entry kernel_softmax(
// RELAXED: ex2.approx.ftz.f32
// RELAXED-NOT: div.rn.f32

// EXACT-LABEL: .entry kernel_gelu(
// EXACT-NOT: ex2.approx.ftz.f32
// EXACT: ex2.approx.f32
// EXACT-LABEL: .entry kernel_softmax(
// EXACT-NOT: ex2.approx.ftz.f32
// EXACT: ex2.approx.f32
// EXACT: div.rn.f32

// LLVM-NOT: ex2.approx.ftz
// LLVM-NOT: fdiv {{.*}}afn

// MAXIMUM: 3.276800e+04
// TEXT: tile_gpu.mainloop
// TEXT-NOT: 3.276800e+04

// TF32: {{^}}tilegpt-opt: error: --exact and --tf32 contradict each other; remove one of them{{$}}
// F8: {{^}}tilegpt-opt: error: --exact and --fast-f8 contradict each other; remove one of them{{$}}
// PHASE: {{^}}tilegpt-opt: error: --exact requires a compilation target: {{.*}}

!V = !tile.view<64x1024xbf16>
tile.kernel @softmax(%x: !V) outs(%y: !V) grid [64] {
  %row = tile.block_id 0
  %c0 = arith.constant 0 : index
  %narrow = tile.load %x[%row, %c0] [1, 1024] : !V -> tensor<1x1024xbf16>
  %t = tile.cast %narrow : tensor<1x1024xbf16> to tensor<1x1024xf32>
  %max = tile.reduce max %t axis 1 keepdims : tensor<1x1024xf32> -> tensor<1x1xf32>
  %m = tile.broadcast %max [1, 1024] : tensor<1x1xf32> -> tensor<1x1024xf32>
  %d = arith.subf %t, %m : tensor<1x1024xf32>
  %e = math.exp %d : tensor<1x1024xf32>
  %sum = tile.reduce add %e axis 1 keepdims : tensor<1x1024xf32> -> tensor<1x1xf32>
  %s = tile.broadcast %sum [1, 1024] : tensor<1x1xf32> -> tensor<1x1024xf32>
  %p = arith.divf %e, %s : tensor<1x1024xf32>
  %r = tile.cast %p : tensor<1x1024xf32> to tensor<1x1024xbf16>
  tile.store %r, %y[%row, %c0] : tensor<1x1024xbf16>, !V
}

tile.kernel @gelu(%x: !V) outs(%y: !V) grid [64] {
  %row = tile.block_id 0
  %c0 = arith.constant 0 : index
  %half = arith.constant dense<0.5> : tensor<1x1024xf32>
  %one = arith.constant dense<1.0> : tensor<1x1024xf32>
  %narrow = tile.load %x[%row, %c0] [1, 1024] : !V -> tensor<1x1024xbf16>
  %t = tile.cast %narrow : tensor<1x1024xbf16> to tensor<1x1024xf32>
  %h = math.tanh %t : tensor<1x1024xf32>
  %g = arith.addf %h, %one : tensor<1x1024xf32>
  %x2 = arith.mulf %t, %half : tensor<1x1024xf32>
  %z = arith.mulf %x2, %g : tensor<1x1024xf32>
  %r = tile.cast %z : tensor<1x1024xf32> to tensor<1x1024xbf16>
  tile.store %r, %y[%row, %c0] : tensor<1x1024xbf16>, !V
}
