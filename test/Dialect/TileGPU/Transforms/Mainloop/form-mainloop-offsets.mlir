// Loops with loads by offset beside their dots: the consumers issue them, like all loads that are no dot operands.
// RUN: tilegpt-opt %s --tile-gpu-make-plan --tile-gpu-form-mainloop | FileCheck %s
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=HOPPER
// RUN: tilegpt-opt %s --tile-gpu-make-plan --explain 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY

!Q = !tile.view<1024x64xbf16>
!M = !tile.view<1024x1024xi8>
!Y = !tile.view<1024x64xf32>

// Scores that a byte each hides.
// CHECK-LABEL: tile.kernel @masked(
// CHECK:         tile_gpu.mainloop
// CHECK:           consume
// CHECK:             tile.load_at
// HOPPER-LABEL: .entry kernel_masked(
// HOPPER:        cp.async.bulk.tensor
// HOPPER:        wgmma.mma_async
tile.kernel @masked(%q: !Q, %k: !Q, %v: !Q, %mask: !M) outs(%y: !Y) grid [16] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0> : tensor<64x64xi8>
  %p = tile.base %mask : !M -> !tile.ptr<i8>
  %n = tile.iota [64] : tensor<64xi32>
  %width = arith.constant dense<1024> : tensor<64xi32>
  %m0 = arith.muli %m, %c64 : index
  %m0i = arith.index_cast %m0 : index to i32
  %m0s = tile.splat %m0i [64] : i32 -> tensor<64xi32>
  %row = arith.addi %n, %m0s : tensor<64xi32>
  %start = arith.muli %row, %width : tensor<64xi32>
  %startc = tile.expand_dims %start, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %starts = tile.broadcast %startc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %qt = tile.load %q[%m, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r = scf.for %j = %c0 to %c16 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
    %vt = tile.load %v[%j, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
    %s = tile.dot %qt, %kt, %z transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %j0 = arith.muli %j, %c64 : index
    %j0i = arith.index_cast %j0 : index to i32
    %j0s = tile.splat %j0i [64] : i32 -> tensor<64xi32>
    %col = arith.addi %n, %j0s : tensor<64xi32>
    %cols = tile.broadcast %col [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %o = arith.addi %starts, %cols : tensor<64x64xi32>
    %b = tile.load_at %p[%o] : !tile.ptr<i8>, tensor<64x64xi32> -> tensor<64x64xi8>
    %seen = arith.cmpi ne, %b, %none : tensor<64x64xi8>
    %h = arith.select %seen, %s, %z : tensor<64x64xi1>, tensor<64x64xf32>
    %hr = tile.cast %h : tensor<64x64xf32> to tensor<64x64xbf16>
    %a = tile.dot %hr, %vt, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %a : tensor<64x64xf32>
  }
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}

// A loop that waits for another block's write is no main loop: a producer would run ahead of it.
// CHECK-LABEL: tile.kernel @ordered(
// CHECK-NOT:     tile_gpu.mainloop
// WHY: @ordered: main-loop missed: the loop has ops other than loads, dots, arithmetic and stores
tile.kernel @ordered(%x: !Q, %w: !Q, %flag: !tile.view<1024xi32>) outs(%y: !Y) grid [16] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %p = tile.base %flag : !tile.view<1024xi32> -> !tile.ptr<i32>
  %xt = tile.load %x[%m, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
  %r = scf.for %j = %c0 to %c16 step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %wt = tile.load %w[%j, %c0] [64, 64] : !Q -> tensor<64x64xbf16>
    %ji = arith.index_cast %j : index to i32
    %o = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %f = tile.load_at %p[%o] order(acquire) : !tile.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
    %ff = arith.sitofp %f : tensor<64xi32> to tensor<64xf32>
    %fs = tile.broadcast %ff [64, 64] : tensor<64xf32> -> tensor<64x64xf32>
    %s = tile.dot %xt, %wt, %z transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %t = arith.mulf %s, %fs : tensor<64x64xf32>
    %a = arith.addf %acc, %t : tensor<64x64xf32>
    scf.yield %a : tensor<64x64xf32>
  }
  tile.store %r, %y[%m, %c0] : tensor<64x64xf32>, !Y
}
