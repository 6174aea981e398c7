// Consumers take turns by the tiles that a launch gives to a block, not by those of loops that a kernel has around its product.
// RUN: tilegpt-opt %s --tile-gpu-make-plan | FileCheck %s
// RUN: tilegpt-opt %s --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=PTX

!X = !tile.view<8192x1024xbf16>
!Y = !tile.view<8192x8192xbf16>
!A = tensor<128x64xbf16>
!C = tensor<128x128xf32>

// CHECK: #[[TURNS:plan[0-9]*]] = #tile_gpu.plan<target = "sm_90a", warps = 4, {{.*}}, teams = 2>
// CHECK: #[[BOTH:plan[0-9]*]] = #tile_gpu.plan<target = "sm_90a", warps = 8, stages = 6, producer = true, persistent = true>

// CHECK-LABEL: tile.kernel @once(
// CHECK:         tile_gpu.plan = #[[TURNS]]}
// PTX-LABEL:   .entry kernel_once(
// PTX:           wgmma.mma_async
tile.kernel @once(%x: !X, %w: !X) outs(%y: !Y) grid [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : !C
  %m = tile.block_id 0
  %n = tile.block_id 1
  %s = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> (!C) {
    %a = tile.load %x[%m, %k] [128, 64] : !X -> !A
    %t = tile.load %w[%n, %k] [128, 64] : !X -> !A
    %d = tile.dot %a, %t, %acc transpose_b : !A, !A, !C -> !C
    scf.yield %d : !C
  }
  %r = arith.truncf %s : !C to tensor<128x128xbf16>
  tile.store %r, %y[%m, %n] : tensor<128x128xbf16>, !Y
}

// CHECK-LABEL: tile.kernel @twice(
// CHECK:         tile_gpu.plan = #[[BOTH]]}
// PTX-LABEL:   .entry kernel_twice(
// PTX:           wgmma.mma_async
tile.kernel @twice(%x: !X, %w: !X) outs(%y: !Y) grid [32, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : !C
  %m = tile.block_id 0
  %n = tile.block_id 1
  %from = arith.muli %m, %c2 : index
  %to = arith.addi %from, %c2 : index
  scf.for %i = %from to %to step %c1 {
    %s = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> (!C) {
      %a = tile.load %x[%i, %k] [128, 64] : !X -> !A
      %t = tile.load %w[%n, %k] [128, 64] : !X -> !A
      %d = tile.dot %a, %t, %acc transpose_b : !A, !A, !C -> !C
      scf.yield %d : !C
    }
    %r = arith.truncf %s : !C to tensor<128x128xbf16>
    tile.store %r, %y[%i, %n] : tensor<128x128xbf16>, !Y
  }
}

// CHECK-LABEL: tile.kernel @while_more(
// CHECK:         tile_gpu.plan = #[[BOTH]]}
// PTX-LABEL:   .entry kernel_while_more(
// PTX:           wgmma.mma_async
tile.kernel @while_more(%x: !X, %w: !X) outs(%y: !Y) grid [32, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : !C
  %m = tile.block_id 0
  %n = tile.block_id 1
  %from = arith.muli %m, %c2 : index
  %to = arith.addi %from, %c2 : index
  %last = scf.while (%i = %from) : (index) -> index {
    %more = arith.cmpi ult, %i, %to : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %s = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> (!C) {
      %a = tile.load %x[%i, %k] [128, 64] : !X -> !A
      %t = tile.load %w[%n, %k] [128, 64] : !X -> !A
      %d = tile.dot %a, %t, %acc transpose_b : !A, !A, !C -> !C
      scf.yield %d : !C
    }
    %r = arith.truncf %s : !C to tensor<128x128xbf16>
    tile.store %r, %y[%i, %n] : tensor<128x128xbf16>, !Y
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
}
