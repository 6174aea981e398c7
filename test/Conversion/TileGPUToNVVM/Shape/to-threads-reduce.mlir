// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// A thread holds four adjacent elements of a row: a tree of three additions, then five shuffles for the 32 lanes of the
// row. All lanes get the result; sums of bf16 are computed in f32 and rounded once.
#row = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:32*4], warps = [d0:4*1]>
#sum = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [d0:4*1]>

// CHECK-LABEL: func.func @within_a_warp(
// CHECK:         %[[X:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:         %[[A:.*]] = arith.addf %[[X]], %[[X]] : f32
// CHECK:         %[[B:.*]] = arith.addf %[[A]], %[[A]] : f32
// CHECK:         %[[S:.*]] = nvvm.shfl.sync bfly %{{.*}}, %[[B]], %c1_i32
// CHECK:         %[[C:.*]] = arith.addf %[[B]], %[[S]] : f32
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK-NOT:     nvvm.shfl.sync
// CHECK-NOT:     nvvm.barrier
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
tile.kernel @within_a_warp(%s: bf16) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %s [4, 128] : bf16 -> tensor<4x128xbf16, #row>
  %r = tile.reduce add %t axis 1 : tensor<4x128xbf16, #row> -> tensor<4xbf16, #sum>
  %c = arith.cmpf olt, %r, %r : tensor<4xbf16, #sum>
  tile.assert %c, "used" : tensor<4xi1, #sum>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// Two warps share a row. One lane of each writes its part; all read both in one access. The row ends at 60, so the
// elements past it are masked.
#l = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:8*4, d0:4*1], warps = [d1:2*32, d0:2*4]>
#k = #tile_gpu.layout<registers = [], lanes = [rep:8, d0:4*1], warps = [rep:2, d0:2*4]>

// CHECK-LABEL: func.func @across_warps(
// CHECK:         arith.cmpi slt, %{{.*}}, %c60 : index
// CHECK:         arith.select %{{.*}}, %{{.*}}, %[[LEAST:cst.*]] : f32
// CHECK:         arith.maximumf
// CHECK-COUNT-3: nvvm.shfl.sync bfly
// CHECK-NOT:     nvvm.barrier0
// CHECK:         scf.if
// CHECK:           llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK:         llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xf32>
// CHECK:         arith.maximumf
tile.kernel @across_warps(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %s [8, 60] : f32 -> tensor<8x60xf32, #l>
  %r = tile.reduce max %t axis 1 keepdims : tensor<8x60xf32, #l> -> tensor<8x1xf32, #k>
  %c = arith.cmpf olt, %r, %r : tensor<8x1xf32, #k>
  tile.assert %c, "used" : tensor<8x1xi1, #k>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 2>

// The second of two ops waits until all warps have read what the first one exchanged.
#l = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = [d0:2*32]>
#k = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:2]>

// CHECK-LABEL: func.func @twice(
// CHECK-NOT:     nvvm.barrier0
// CHECK:         llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK:         llvm.load
// CHECK:         nvvm.barrier0
// CHECK:         llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK:         llvm.load
tile.kernel @twice(%s: f32) grid [1] attributes {tile_gpu.plan = #plan, tile_gpu.scratch = 0 : i64, tile_gpu.scratch_bytes = 16 : i64} {
  %t = tile.splat %s [64] : f32 -> tensor<64xf32, #l>
  %m = tile.reduce max %t axis 0 : tensor<64xf32, #l> -> tensor<f32, #k>
  %a = tile.reduce add %t axis 0 : tensor<64xf32, #l> -> tensor<f32, #k>
  %c = arith.cmpf olt, %m, %a : tensor<f32, #k>
  tile.assert %c, "used" : tensor<i1, #k>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 2>

// So does an op that a loop repeats.
#l = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = [d0:2*32]>
#k = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:2]>

// CHECK-LABEL: func.func @repeated(
// CHECK:         scf.for
// CHECK:           nvvm.barrier0
// CHECK:           llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK:           nvvm.barrier0
// CHECK:           llvm.load
tile.kernel @repeated(%s: f32) grid [1] attributes {tile_gpu.plan = #plan, tile_gpu.scratch = 0 : i64, tile_gpu.scratch_bytes = 16 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %t = tile.splat %s [64] : f32 -> tensor<64xf32, #l>
    %m = tile.reduce max %t axis 0 : tensor<64xf32, #l> -> tensor<f32, #k>
    %c = arith.cmpf olt, %m, %m : tensor<f32, #k>
    tile.assert %c, "used" : tensor<i1, #k>
  }
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>

// Along registers only: no exchange. Indices are constants of the registers.
#column = #tile_gpu.layout<registers = [d0:3*1], lanes = [d1:32*1], warps = []>
#best = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>

// CHECK-LABEL: func.func @first_of_the_largest(
// CHECK-NOT:     nvvm.shfl.sync
// CHECK-NOT:     nvvm.barrier
// CHECK:         return
tile.kernel @first_of_the_largest(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %s [3, 32] : f32 -> tensor<3x32xf32, #column>
  %r = tile.reduce argmax %t axis 0 : tensor<3x32xf32, #column> -> tensor<32xi32, #best>
  %c = arith.cmpi slt, %r, %r : tensor<32xi32, #best>
  tile.assert %c, "used" : tensor<32xi1, #best>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>

// By region: 64 bits take two shuffles, and both lanes combine the exchanged values in the same order.
#line = #tile_gpu.layout<registers = [], lanes = [d0:2*1, rep:16], warps = []>
#all = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = []>

// CHECK-LABEL: func.func @by_region(
// CHECK:         %[[SECOND:.*]] = arith.cmpi ne
// CHECK-COUNT-2: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %c1_i32, %{{.*}} : i32 -> i32
// CHECK:         %[[A:.*]] = arith.select %[[SECOND]], %[[OTHER:.*]], %[[OWN:.*]] : f64
// CHECK:         %[[B:.*]] = arith.select %[[SECOND]], %[[OWN]], %[[OTHER]] : f64
// CHECK:         arith.subf %[[A]], %[[B]] : f64
// CHECK-NOT:     nvvm.shfl.sync
tile.kernel @by_region(%s: f64) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %s [2] : f64 -> tensor<2xf64, #line>
  %r = tile.reduce %t axis 0 identities [0.0 : f64] {
    ^bb0(%a: f64, %b: f64):
      %0 = arith.subf %a, %b : f64
      tile.yield %0 : f64
  } : tensor<2xf64, #line> -> tensor<f64, #all>
  %c = arith.cmpf olt, %r, %r : tensor<f64, #all>
  tile.assert %c, "used" : tensor<i1, #all>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 8>

// Maxima and sums of exponentials: a thread finds the maximum of its four elements, then adds four powers relative to
// it; a warp exchanges its maxima, then its sums, each rescaled once. Eight warps exchange pairs, one of which a lane
// reads.
#row = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [d0:8*128]>
#all = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:8]>

// CHECK-LABEL: func.func @exponential_sum(
// CHECK-COUNT-3: arith.maximumf
// CHECK-NOT:     arith.maximumf
// CHECK-COUNT-4: math.exp2 {{.*}} fastmath<afn>
// CHECK-NOT:     math.exp2
// CHECK-COUNT-5: nvvm.shfl.sync
// CHECK-NOT:     nvvm.shfl.sync
// CHECK:         math.exp2
// CHECK-COUNT-5: nvvm.shfl.sync
// CHECK-NOT:     nvvm.barrier
// CHECK-COUNT-2: llvm.store
// CHECK:         nvvm.barrier
// CHECK-COUNT-2: llvm.load
// CHECK-COUNT-3: nvvm.shfl.sync
// CHECK-NOT:     nvvm.shfl.sync
// CHECK:         math.exp2
// CHECK-COUNT-3: nvvm.shfl.sync
// CHECK-NOT:     math.exp2
tile.kernel @exponential_sum(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %i = tile.iota [1024] : tensor<1024xi32, #row>
  %t = arith.sitofp %i : tensor<1024xi32, #row> to tensor<1024xf32, #row>
  %ones = arith.constant dense<1.0> : tensor<1024xf32, #row>
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %r:2 = tile.reduce %t, %ones axis 0 identities [0xFF800000 : f32, 0.0 : f32] {
    ^bb0(%ma: f32, %sa: f32, %mb: f32, %sb: f32):
      %m = arith.maximumf %ma, %mb : f32
      %empty = arith.cmpf oeq, %m, %least : f32
      %from = arith.select %empty, %zero, %m : f32
      %da = arith.subf %ma, %from : f32
      %ea = math.exp2 %da fastmath<afn> : f32
      %pa = arith.mulf %sa, %ea : f32
      %db = arith.subf %mb, %from : f32
      %eb = math.exp2 %db fastmath<afn> : f32
      %pb = arith.mulf %sb, %eb : f32
      %sum = arith.addf %pa, %pb : f32
      tile.yield %m, %sum : f32, f32
  } : tensor<1024xf32, #row>, tensor<1024xf32, #row> -> (tensor<f32, #all>, tensor<f32, #all>)
  %c = arith.cmpf olt, %r#0, %r#1 : tensor<f32, #all>
  tile.assert %c, "used" : tensor<i1, #all>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>

// Maxima of 16-bit elements two at a time, before they are widened, then of the two halves.
#row = #tile_gpu.layout<registers = [d0:4*1, d0:2*128], lanes = [d0:32*4], warps = []>
#all = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = []>

// CHECK-LABEL: func.func @exponential_sum_of_halves(
// CHECK-COUNT-3: llvm.intr.maximum(%{{.*}}) : (vector<2xbf16>, vector<2xbf16>) -> vector<2xbf16>
// CHECK-NOT:     llvm.intr.maximum
// CHECK-COUNT-1: arith.maximumf {{.*}} : f32
// CHECK-NOT:     arith.maximumf
// CHECK-COUNT-8: math.exp2 {{.*}} fastmath<afn>
// CHECK-NOT:     math.exp2
// CHECK:         nvvm.shfl.sync
tile.kernel @exponential_sum_of_halves(%x: !tile.view<256xbf16>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0] [256] : !tile.view<256xbf16> -> tensor<256xbf16, #row>
  %t = tile.cast %x0 : tensor<256xbf16, #row> to tensor<256xf32, #row>
  %ones = arith.constant dense<1.0> : tensor<256xf32, #row>
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %r:2 = tile.reduce %t, %ones axis 0 identities [0xFF800000 : f32, 0.0 : f32] {
    ^bb0(%ma: f32, %sa: f32, %mb: f32, %sb: f32):
      %m = arith.maximumf %ma, %mb : f32
      %empty = arith.cmpf oeq, %m, %least : f32
      %from = arith.select %empty, %zero, %m : f32
      %da = arith.subf %ma, %from : f32
      %ea = math.exp2 %da fastmath<afn> : f32
      %pa = arith.mulf %sa, %ea : f32
      %db = arith.subf %mb, %from : f32
      %eb = math.exp2 %db fastmath<afn> : f32
      %pb = arith.mulf %sb, %eb : f32
      %sum = arith.addf %pa, %pb : f32
      tile.yield %m, %sum : f32, f32
  } : tensor<256xf32, #row>, tensor<256xf32, #row> -> (tensor<f32, #all>, tensor<f32, #all>)
  %c = arith.cmpf olt, %r#0, %r#1 : tensor<f32, #all>
  tile.assert %c, "used" : tensor<i1, #all>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>

// A thread has all elements of a row: nothing is exchanged or rescaled, one power per element.
#row = #tile_gpu.layout<registers = [d1:8*1], lanes = [d0:32*1], warps = []>
#sum = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = []>
#column = #tile_gpu.layout<registers = [d0:8*1], lanes = [rep:32], warps = []>

// CHECK-LABEL: func.func @exponential_sum_of_thread(
// CHECK-COUNT-8: math.exp2 {{.*}} fastmath<afn>
// CHECK-NOT:     math.exp2
// CHECK-NOT:     nvvm.shfl.sync
tile.kernel @exponential_sum_of_thread() grid [1] attributes {tile_gpu.plan = #plan} {
  %rows = tile.iota [32] : tensor<32xi32, #sum>
  %columns = tile.iota [8] : tensor<8xi32, #column>
  %ends = tile.expand_dims %rows, 1 : tensor<32xi32, #sum> -> tensor<32x1xi32, #sum>
  %a = tile.broadcast %ends [32, 8] : tensor<32x1xi32, #sum> -> tensor<32x8xi32, #row>
  %b = tile.broadcast %columns [32, 8] : tensor<8xi32, #column> -> tensor<32x8xi32, #row>
  %i = arith.muli %a, %b : tensor<32x8xi32, #row>
  %t = arith.sitofp %i : tensor<32x8xi32, #row> to tensor<32x8xf32, #row>
  %ones = arith.constant dense<1.0> : tensor<32x8xf32, #row>
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %r:2 = tile.reduce %t, %ones axis 1 identities [0xFF800000 : f32, 0.0 : f32] {
    ^bb0(%ma: f32, %sa: f32, %mb: f32, %sb: f32):
      %m = arith.maximumf %ma, %mb : f32
      %empty = arith.cmpf oeq, %m, %least : f32
      %from = arith.select %empty, %zero, %m : f32
      %da = arith.subf %ma, %from : f32
      %ea = math.exp2 %da fastmath<afn> : f32
      %pa = arith.mulf %sa, %ea : f32
      %db = arith.subf %mb, %from : f32
      %eb = math.exp2 %db fastmath<afn> : f32
      %pb = arith.mulf %sb, %eb : f32
      %sum = arith.addf %pa, %pb : f32
      tile.yield %m, %sum : f32, f32
  } : tensor<32x8xf32, #row>, tensor<32x8xf32, #row> -> (tensor<32xf32, #sum>, tensor<32xf32, #sum>)
  %c = arith.cmpf olt, %r#0, %r#1 : tensor<32xf32, #sum>
  tile.assert %c, "used" : tensor<32xi1, #sum>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// A result that is spread over threads: each of four warps writes its partial results of all 128 elements, four
// adjacent ones at a time, and each thread adds the four parts of its own.
#columns = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:32*4], warps = [d0:4*1]>
#own = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = [d0:4*32]>

// CHECK-LABEL: func.func @spread(
// CHECK-NOT:     nvvm.barrier
// CHECK-COUNT-1: llvm.store %{{.*}}, %{{.*}} : vector<4xf32>, !llvm.ptr<3>
// CHECK-NOT:     llvm.store
// CHECK:         nvvm.barrier
// CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK-NOT:     llvm.load
// CHECK-COUNT-3: arith.addf
// CHECK-NOT:     arith.addf
tile.kernel @spread(%s: f32) grid [1] attributes {tile_gpu.plan = #plan, tile_gpu.scratch = 0 : i64, tile_gpu.scratch_bytes = 2048 : i64} {
  %t = tile.splat %s [4, 128] : f32 -> tensor<4x128xf32, #columns>
  %r = tile.reduce add %t axis 0 : tensor<4x128xf32, #columns> -> tensor<128xf32, #own>
  %c = arith.cmpf olt, %r, %r : tensor<128xf32, #own>
  tile.assert %c, "used" : tensor<128xi1, #own>
}
