// Where the copies ahead of a loop are issued.
// RUN: tilegpt-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-gpu-pipeline-copies))' | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 1, stages = 3>
#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = []>
#a = #tile_gpu.layout<registers = [d1:8*1], lanes = [d1:2*8, d0:16*1], warps = []>
#wide = #tile_gpu.layout<registers = [d1:32*1], lanes = [d1:2*32, d0:16*1], warps = []>
#row = #tile_gpu.layout<registers = [], lanes = [rep:2, d0:16*1], warps = []>
#b = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:4*4, d0:8*1], warps = []>
!X = !tile.view<16x16xbf16>
!W = !tile.view<?x16xbf16>
!A = !tile_gpu.shared<16x16xbf16, swizzle = 32>
!B = !tile_gpu.shared<8x16xbf16, swizzle = 32>

// The left operand is reduced and passes through shared memory: its loads are issued first, the first copies of the loop next,
// and the copies' own barrier goes.
// CHECK-LABEL: tile.kernel @issued_first
// CHECK:         tile.load %arg0
// CHECK:         tile.load %arg2
// CHECK:         scf.if
// CHECK:           tile_gpu.copy %arg1
// CHECK:         tile_gpu.commit_copies
// CHECK:         scf.if
// CHECK:           tile_gpu.copy %arg1
// CHECK:         tile_gpu.commit_copies
// CHECK-NEXT:    tile.reduce
// CHECK-NOT:     tile_gpu.copy
// CHECK:         tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.write
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NOT:     tile_gpu.barrier
// CHECK:         scf.for
// CHECK-NEXT:      tile_gpu.wait_copies 1
// CHECK-NEXT:      tile_gpu.barrier
tile.kernel @issued_first(%x: !X, %w: !W, %y: !X) grid [8] attributes {tile_gpu.plan = #plan} {
  %sa = tile_gpu.alloc : !A
  %sb = tile_gpu.alloc : !B
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %z = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %xt = tile.load %x[%c0, %c0] [16, 16] : !X -> tensor<16x16xbf16, #a>
  %xf = tile.cast %xt : tensor<16x16xbf16, #a> to tensor<16x16xf32, #a>
  %m = tile.reduce max %xf axis 1 keepdims : tensor<16x16xf32, #a> -> tensor<16x1xf32, #row>
  %mb = tile.broadcast %m [16, 16] : tensor<16x1xf32, #row> -> tensor<16x16xf32, #a>
  %yt = tile.load %y[%c0, %c0] [16, 16] : !X -> tensor<16x16xbf16, #a>
  %yf = tile.cast %yt : tensor<16x16xbf16, #a> to tensor<16x16xf32, #a>
  %q = arith.mulf %mb, %yf : tensor<16x16xf32, #a>
  %qc = tile.cast %q : tensor<16x16xf32, #a> to tensor<16x16xbf16, #a>
  tile_gpu.barrier
  tile_gpu.write %qc, %sa : tensor<16x16xbf16, #a>, !A
  tile_gpu.barrier
  %r = scf.for %k = %c0 to %c48 step %c1 iter_args(%acc = %z) -> tensor<16x8xf32, #acc> {
    %wt = tile.load %w[%k, %c0] [8, 16] : !W -> tensor<8x16xbf16, #b>
    tile_gpu.barrier
    tile_gpu.write %wt, %sb : tensor<8x16xbf16, #b>, !B
    tile_gpu.barrier
    %d = tile_gpu.dot %sa, %sb, %acc transpose_b : !A, !B, tensor<16x8xf32, #acc> -> tensor<16x8xf32, #acc>
    scf.yield %d : tensor<16x8xf32, #acc>
  }
}

// Loads whose tiles take many registers stay where they are.
// CHECK-LABEL: tile.kernel @many_registers
// CHECK:         tile.load %arg0
// CHECK:         tile_gpu.copy %arg1
// CHECK:         tile_gpu.copy %arg1
// CHECK:         tile.reduce
// CHECK:         tile.load %arg3
// CHECK:         tile.load %arg2
// CHECK:         scf.for
tile.kernel @many_registers(%x: !X, %w: !W, %y: !X, %l: !tile.view<16x64xf32>) grid [8] attributes {tile_gpu.plan = #plan} {
  %sa = tile_gpu.alloc : !A
  %sb = tile_gpu.alloc : !B
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %z = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %xt = tile.load %x[%c0, %c0] [16, 16] : !X -> tensor<16x16xbf16, #a>
  %xf = tile.cast %xt : tensor<16x16xbf16, #a> to tensor<16x16xf32, #a>
  %m = tile.reduce max %xf axis 1 keepdims : tensor<16x16xf32, #a> -> tensor<16x1xf32, #row>
  %mb = tile.broadcast %m [16, 16] : tensor<16x1xf32, #row> -> tensor<16x16xf32, #a>
  %lt = tile.load %l[%c0, %c0] [16, 64] : !tile.view<16x64xf32> -> tensor<16x64xf32, #wide>
  %lm = tile.reduce max %lt axis 1 keepdims : tensor<16x64xf32, #wide> -> tensor<16x1xf32, #row>
  %yt = tile.load %y[%c0, %c0] [16, 16] : !X -> tensor<16x16xbf16, #a>
  %yf = tile.cast %yt : tensor<16x16xbf16, #a> to tensor<16x16xf32, #a>
  %q = arith.mulf %mb, %yf : tensor<16x16xf32, #a>
  %qc = tile.cast %q : tensor<16x16xf32, #a> to tensor<16x16xbf16, #a>
  tile_gpu.barrier
  tile_gpu.write %qc, %sa : tensor<16x16xbf16, #a>, !A
  tile_gpu.barrier
  %r = scf.for %k = %c0 to %c48 step %c1 iter_args(%acc = %z) -> tensor<16x8xf32, #acc> {
    %wt = tile.load %w[%k, %c0] [8, 16] : !W -> tensor<8x16xbf16, #b>
    tile_gpu.barrier
    tile_gpu.write %wt, %sb : tensor<8x16xbf16, #b>, !B
    tile_gpu.barrier
    %d = tile_gpu.dot %sa, %sb, %acc transpose_b : !A, !B, tensor<16x8xf32, #acc> -> tensor<16x8xf32, #acc>
    scf.yield %d : tensor<16x8xf32, #acc>
  }
}

// An operand that is only loaded is not worth it.
// CHECK-LABEL: tile.kernel @only_loaded
// CHECK:         tile.load %arg0
// CHECK-NOT:     tile_gpu.copy
// CHECK:         arith.mulf
// CHECK:         tile_gpu.write
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.barrier
// CHECK:         tile_gpu.copy
// CHECK:         scf.for
tile.kernel @only_loaded(%x: !X, %w: !W, %y: !X) grid [8] attributes {tile_gpu.plan = #plan} {
  %sa = tile_gpu.alloc : !A
  %sb = tile_gpu.alloc : !B
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %z = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %xt = tile.load %x[%c0, %c0] [16, 16] : !X -> tensor<16x16xbf16, #a>
  %xf = tile.cast %xt : tensor<16x16xbf16, #a> to tensor<16x16xf32, #a>
  %mb = arith.mulf %xf, %xf : tensor<16x16xf32, #a>
  %yt = tile.load %y[%c0, %c0] [16, 16] : !X -> tensor<16x16xbf16, #a>
  %yf = tile.cast %yt : tensor<16x16xbf16, #a> to tensor<16x16xf32, #a>
  %q = arith.mulf %mb, %yf : tensor<16x16xf32, #a>
  %qc = tile.cast %q : tensor<16x16xf32, #a> to tensor<16x16xbf16, #a>
  tile_gpu.barrier
  tile_gpu.write %qc, %sa : tensor<16x16xbf16, #a>, !A
  tile_gpu.barrier
  %r = scf.for %k = %c0 to %c48 step %c1 iter_args(%acc = %z) -> tensor<16x8xf32, #acc> {
    %wt = tile.load %w[%k, %c0] [8, 16] : !W -> tensor<8x16xbf16, #b>
    tile_gpu.barrier
    tile_gpu.write %wt, %sb : tensor<8x16xbf16, #b>, !B
    tile_gpu.barrier
    %d = tile_gpu.dot %sa, %sb, %acc transpose_b : !A, !B, tensor<16x8xf32, #acc> -> tensor<16x8xf32, #acc>
    scf.yield %d : tensor<16x8xf32, #acc>
  }
}

// Nothing passes a store,
// CHECK-LABEL: tile.kernel @behind_a_store
// CHECK:         tile.reduce
// CHECK-NOT:     tile_gpu.copy
// CHECK:         arith.mulf
// CHECK:         tile_gpu.write
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.barrier
// CHECK:         tile_gpu.copy
// CHECK:         scf.for
tile.kernel @behind_a_store(%x: !X, %w: !W, %y: !X) outs(%o: !X) grid [8] attributes {tile_gpu.plan = #plan} {
  %sa = tile_gpu.alloc : !A
  %sb = tile_gpu.alloc : !B
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %z = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %xt = tile.load %x[%c0, %c0] [16, 16] : !X -> tensor<16x16xbf16, #a>
  %xf = tile.cast %xt : tensor<16x16xbf16, #a> to tensor<16x16xf32, #a>
  %m = tile.reduce max %xf axis 1 keepdims : tensor<16x16xf32, #a> -> tensor<16x1xf32, #row>
  %mb = tile.broadcast %m [16, 16] : tensor<16x1xf32, #row> -> tensor<16x16xf32, #a>
  tile.store %xt, %o[%c0, %c0] : tensor<16x16xbf16, #a>, !X
  %yt = tile.load %y[%c0, %c0] [16, 16] : !X -> tensor<16x16xbf16, #a>
  %yf = tile.cast %yt : tensor<16x16xbf16, #a> to tensor<16x16xf32, #a>
  %q = arith.mulf %mb, %yf : tensor<16x16xf32, #a>
  %qc = tile.cast %q : tensor<16x16xf32, #a> to tensor<16x16xbf16, #a>
  tile_gpu.barrier
  tile_gpu.write %qc, %sa : tensor<16x16xbf16, #a>, !A
  tile_gpu.barrier
  %r = scf.for %k = %c0 to %c48 step %c1 iter_args(%acc = %z) -> tensor<16x8xf32, #acc> {
    %wt = tile.load %w[%k, %c0] [8, 16] : !W -> tensor<8x16xbf16, #b>
    tile_gpu.barrier
    tile_gpu.write %wt, %sb : tensor<8x16xbf16, #b>, !B
    tile_gpu.barrier
    %d = tile_gpu.dot %sa, %sb, %acc transpose_b : !A, !B, tensor<16x8xf32, #acc> -> tensor<16x8xf32, #acc>
    scf.yield %d : tensor<16x8xf32, #acc>
  }
}

// nor a read of a buffer, which may lie where the copies go,
// CHECK-LABEL: tile.kernel @behind_a_read
// CHECK:         tile.reduce
// CHECK-NOT:     tile_gpu.copy
// CHECK:         arith.mulf
// CHECK:         tile_gpu.write
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.barrier
// CHECK:         tile_gpu.copy
// CHECK:         scf.for
tile.kernel @behind_a_read(%x: !X, %w: !W, %y: !X) grid [8] attributes {tile_gpu.plan = #plan} {
  %sa = tile_gpu.alloc : !A
  %sb = tile_gpu.alloc : !B
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %z = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %xt = tile.load %x[%c0, %c0] [16, 16] : !X -> tensor<16x16xbf16, #a>
  %xf = tile.cast %xt : tensor<16x16xbf16, #a> to tensor<16x16xf32, #a>
  %m = tile.reduce max %xf axis 1 keepdims : tensor<16x16xf32, #a> -> tensor<16x1xf32, #row>
  %mb = tile.broadcast %m [16, 16] : tensor<16x1xf32, #row> -> tensor<16x16xf32, #a>
  %sx = tile_gpu.alloc : !A
  tile_gpu.barrier
  tile_gpu.write %xt, %sx : tensor<16x16xbf16, #a>, !A
  tile_gpu.barrier
  %rx = tile_gpu.read %sx : !A -> tensor<16x16xbf16, #a>
  %yt = tile.load %y[%c0, %c0] [16, 16] : !X -> tensor<16x16xbf16, #a>
  %yf = tile.cast %yt : tensor<16x16xbf16, #a> to tensor<16x16xf32, #a>
  %q = arith.mulf %mb, %yf : tensor<16x16xf32, #a>
  %qc = tile.cast %q : tensor<16x16xf32, #a> to tensor<16x16xbf16, #a>
  tile_gpu.barrier
  tile_gpu.write %qc, %sa : tensor<16x16xbf16, #a>, !A
  tile_gpu.barrier
  %r = scf.for %k = %c0 to %c48 step %c1 iter_args(%acc = %z) -> tensor<16x8xf32, #acc> {
    %wt = tile.load %w[%k, %c0] [8, 16] : !W -> tensor<8x16xbf16, #b>
    tile_gpu.barrier
    tile_gpu.write %wt, %sb : tensor<8x16xbf16, #b>, !B
    tile_gpu.barrier
    %d = tile_gpu.dot %sa, %sb, %acc transpose_b : !A, !B, tensor<16x8xf32, #acc> -> tensor<16x8xf32, #acc>
    scf.yield %d : tensor<16x8xf32, #acc>
  }
}

// nor another loop.
// CHECK-LABEL: tile.kernel @behind_a_loop
// CHECK:         tile.reduce
// CHECK-NOT:     tile_gpu.copy
// CHECK:         arith.mulf
// CHECK:         tile_gpu.write
// CHECK-NEXT:    tile_gpu.barrier
// CHECK-NEXT:    tile_gpu.barrier
// CHECK:         tile_gpu.copy
// CHECK:         scf.for
tile.kernel @behind_a_loop(%x: !X, %w: !W, %y: !X) grid [8] attributes {tile_gpu.plan = #plan} {
  %sa = tile_gpu.alloc : !A
  %sb = tile_gpu.alloc : !B
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %z = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %xt = tile.load %x[%c0, %c0] [16, 16] : !X -> tensor<16x16xbf16, #a>
  %xf = tile.cast %xt : tensor<16x16xbf16, #a> to tensor<16x16xf32, #a>
  %m = tile.reduce max %xf axis 1 keepdims : tensor<16x16xf32, #a> -> tensor<16x1xf32, #row>
  %mb = tile.broadcast %m [16, 16] : tensor<16x1xf32, #row> -> tensor<16x16xf32, #a>
  scf.for %j = %c0 to %c48 step %c1 {
    tile_gpu.barrier
  }
  %yt = tile.load %y[%c0, %c0] [16, 16] : !X -> tensor<16x16xbf16, #a>
  %yf = tile.cast %yt : tensor<16x16xbf16, #a> to tensor<16x16xf32, #a>
  %q = arith.mulf %mb, %yf : tensor<16x16xf32, #a>
  %qc = tile.cast %q : tensor<16x16xf32, #a> to tensor<16x16xbf16, #a>
  tile_gpu.barrier
  tile_gpu.write %qc, %sa : tensor<16x16xbf16, #a>, !A
  tile_gpu.barrier
  %r = scf.for %k = %c0 to %c48 step %c1 iter_args(%acc = %z) -> tensor<16x8xf32, #acc> {
    %wt = tile.load %w[%k, %c0] [8, 16] : !W -> tensor<8x16xbf16, #b>
    tile_gpu.barrier
    tile_gpu.write %wt, %sb : tensor<8x16xbf16, #b>, !B
    tile_gpu.barrier
    %d = tile_gpu.dot %sa, %sb, %acc transpose_b : !A, !B, tensor<16x8xf32, #acc> -> tensor<16x8xf32, #acc>
    scf.yield %d : tensor<16x8xf32, #acc>
  }
}
