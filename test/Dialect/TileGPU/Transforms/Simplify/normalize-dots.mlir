// RUN: tilegpt-opt %s --tile-gpu-normalize-dots --canonicalize --split-input-file | FileCheck %s

!V = !tile.view<256x256xbf16>
!F = !tile.view<256x256xf32>

// A tile of a transposed view is loaded as it lies in memory, and the dot gets the transpose.
// CHECK-LABEL: tile.kernel @transposed_view(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: {{[^,]*}}, %[[W:[a-z0-9]+]]:
// CHECK-DAG:     %[[XT:.*]] = tile.load %[[X]][%[[M:.*]], %[[N:.*]]] [64, 32]
// CHECK-DAG:     %[[WT:.*]] = tile.load %[[W]][%[[N]], %[[M]]] [128, 32]
// CHECK:         tile.dot %[[XT]], %[[WT]], %{{.*}} transpose_b
// CHECK-NOT:     tile.transpose
tile.kernel @transposed_view(%x: !V, %w: !V) outs(%y: !F) grid [2, 2] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : tensor<64x128xf32>
  %t = tile.transpose %w [1, 0] : !V -> !tile.view<256x256xbf16, strides=[1, 256]>
  %xt = tile.load %x[%m, %n] [64, 32] : !V -> tensor<64x32xbf16>
  %wt = tile.load %t[%m, %n] [32, 128] : !tile.view<256x256xbf16, strides=[1, 256]> -> tensor<32x128xbf16>
  %s = tile.dot %xt, %wt, %z : tensor<64x32xbf16>, tensor<32x128xbf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  tile.store %s, %y[%m, %n] : tensor<64x128xf32>, !F
}

// -----

!V = !tile.view<256x256xbf16>
!F = !tile.view<256x256xf32>

// So is a tile at offsets whose columns are adjacent in memory. If its rows are, it stays.
// CHECK-LABEL: tile.kernel @offsets_along_columns(
// CHECK:         %[[AT:.*]] = tile.permute %{{.*}} [1, 0] : tensor<32x128xi32> -> tensor<128x32xi32>
// CHECK:         %[[IN:.*]] = tile.permute %{{.*}} [1, 0] : tensor<32x128xi1> -> tensor<128x32xi1>
// CHECK:         %[[WT:.*]] = tile.load_at %{{.*}}[%[[AT]]] mask(%[[IN]] : tensor<128x32xi1>)
// CHECK:         tile.dot %[[XT:.*]], %[[WT]], %{{.*}} transpose_b
// CHECK-NOT:     tile.permute
// CHECK:         %[[UT:.*]] = tile.load_at
// CHECK:         tile.dot %[[XT]], %[[UT]], %{{.*}} : tensor<64x32xbf16>, tensor<32x128xbf16>
tile.kernel @offsets_along_columns(%x: !V, %w: !V, %n: i32) outs(%y: !F, %u: !F) grid [1] {
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<64x128xf32>
  %p = tile.base %w : !V -> !tile.ptr<bf16>
  %i = tile.iota [32] : tensor<32xi32>
  %j = tile.iota [128] : tensor<128xi32>
  %ie = tile.expand_dims %i, 1 : tensor<32xi32> -> tensor<32x1xi32>
  %row = tile.broadcast %ie [32, 128] : tensor<32x1xi32> -> tensor<32x128xi32>
  %column = tile.broadcast %j [32, 128] : tensor<128xi32> -> tensor<32x128xi32>
  %ns = tile.splat %n [32, 128] : i32 -> tensor<32x128xi32>
  %far = arith.muli %column, %ns : tensor<32x128xi32>
  %at = arith.addi %far, %row : tensor<32x128xi32>
  %in = arith.cmpi slt, %row, %ns : tensor<32x128xi32>
  %xt = tile.load %x[%c0, %c0] [64, 32] : !V -> tensor<64x32xbf16>
  %wt = tile.load_at %p[%at] mask(%in : tensor<32x128xi1>) : !tile.ptr<bf16>, tensor<32x128xi32> -> tensor<32x128xbf16>
  %s = tile.dot %xt, %wt, %z : tensor<64x32xbf16>, tensor<32x128xbf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  tile.store %s, %y[%c0, %c0] : tensor<64x128xf32>, !F
  %under = arith.muli %row, %ns : tensor<32x128xi32>
  %straight = arith.addi %under, %column : tensor<32x128xi32>
  %ut = tile.load_at %p[%straight] : !tile.ptr<bf16>, tensor<32x128xi32> -> tensor<32x128xbf16>
  %r = tile.dot %xt, %ut, %z : tensor<64x32xbf16>, tensor<32x128xbf16>, tensor<64x128xf32> -> tensor<64x128xf32>
  tile.store %r, %u[%c0, %c0] : tensor<64x128xf32>, !F
}

// -----

!V = !tile.view<256x256xbf16>
!F = !tile.view<256x256xf32>

// A loop-carried value plus a dot with a zero accumulator becomes the dot's accumulator.
// CHECK-LABEL: tile.kernel @added(
// CHECK:         scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<64x128xf32>)
// CHECK:           %[[S:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[ACC]]
// CHECK-NOT:       arith.addf
// CHECK:           scf.yield %[[S]]
tile.kernel @added(%x: !V, %w: !V) outs(%y: !F) grid [2, 2] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  %z = arith.constant dense<0.0> : tensor<64x128xf32>
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %z) -> (tensor<64x128xf32>) {
    %xt = tile.load %x[%m, %k] [64, 64] : !V -> tensor<64x64xbf16>
    %wt = tile.load %w[%k, %n] [64, 128] : !V -> tensor<64x128xbf16>
    %p = tile.dot %xt, %wt, %z : tensor<64x64xbf16>, tensor<64x128xbf16>, tensor<64x128xf32> -> tensor<64x128xf32>
    %a = arith.addf %acc, %p : tensor<64x128xf32>
    scf.yield %a : tensor<64x128xf32>
  }
  tile.store %s, %y[%m, %n] : tensor<64x128xf32>, !F
}

// -----

!V = !tile.view<64x64xbf16>
!F = !tile.view<64x64xf32>
!C = !tile.view<64x1xf32>

// The parts of attention as other frontends emit them. A mask added to a dot becomes a select, a scaled maximum the
// maximum of the scaled scores, ordering of zeros is dropped, and a conversion becomes a cast.
// CHECK-LABEL: tile.kernel @scores(
// CHECK:         %[[D:.*]] = tile.dot
// CHECK:         %[[H:.*]] = arith.addf %[[D]], %{{.*}}
// CHECK:         %[[S:.*]] = arith.select %{{.*}}, %[[D]], %[[H]]
// CHECK:         %[[C:.*]] = arith.mulf %[[S]], %{{.*}} : tensor<64x64xf32>
// CHECK-NEXT:    %[[E:.*]] = tile.reduce max %[[C]] axis 1 keepdims
// CHECK-NEXT:    %[[L:.*]] = arith.maxnumf %{{.*}}, %[[E]]
// CHECK:         tile.store %[[L]]
// CHECK:         tile.cast %{{.*}} : tensor<64x64xf32> to tensor<64x64xbf16>
tile.kernel @scores(%q: !V, %k: !V, %older: !C) outs(%newer: !C, %y: !V) grid [1] {
  %i = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %low = arith.constant dense<0xFF800000> : tensor<64x64xf32>
  %column = arith.constant dense<0.125> : tensor<64x1xf32>
  %n = tile.iota [64] : tensor<64xi32>
  %row = tile.expand_dims %n, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %keys = tile.broadcast %row [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
  %c50 = arith.constant dense<50> : tensor<64x64xi32>
  %there = arith.cmpi slt, %keys, %c50 : tensor<64x64xi32>
  %qt = tile.load %q[%i, %i] [64, 64] : !V -> tensor<64x64xbf16>
  %kt = tile.load %k[%i, %i] [64, 64] : !V -> tensor<64x64xbf16>
  %m0 = tile.load %older[%i, %i] [64, 1] : !C -> tensor<64x1xf32>
  %d = tile.dot %qt, %kt, %z transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  %mask = arith.select %there, %z, %low : tensor<64x64xi1>, tensor<64x64xf32>
  %s = arith.addf %d, %mask : tensor<64x64xf32>
  %m = tile.reduce max %s axis 1 nan(ignore) : tensor<64x64xf32> -> tensor<64xf32>
  %mc = tile.expand_dims %m, 1 : tensor<64xf32> -> tensor<64x1xf32>
  %ms = arith.mulf %mc, %column : tensor<64x1xf32>
  %larger = arith.maxnumf %m0, %ms : tensor<64x1xf32>
  %same = arith.cmpf oeq, %m0, %ms : tensor<64x1xf32>
  %a = arith.bitcast %m0 : tensor<64x1xf32> to tensor<64x1xi32>
  %b = arith.bitcast %ms : tensor<64x1xf32> to tensor<64x1xi32>
  %both = arith.andi %a, %b : tensor<64x1xi32>
  %zero = arith.bitcast %both : tensor<64x1xi32> to tensor<64x1xf32>
  %mn = arith.select %same, %zero, %larger : tensor<64x1xi1>, tensor<64x1xf32>
  tile.store %mn, %newer[%i, %i] : tensor<64x1xf32>, !C
  %number = arith.constant 0.125 : f32
  %late = tile.splat %number [64, 64] : f32 -> tensor<64x64xf32>
  %scaled = arith.mulf %s, %late : tensor<64x64xf32>
  %r = arith.truncf %scaled : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %r, %y[%i, %i] : tensor<64x64xbf16>, !V
}

// -----

!V = !tile.view<64x64xbf16>
!C = !tile.view<64x1xf32>

// Near misses stay: a negative factor, a mask added to a sum that may be a negative zero, the minimum with the larger
// zero, rounding towards zero.
// CHECK-LABEL: tile.kernel @near_misses(
// CHECK:         tile.dot
// CHECK:         %[[S:.*]] = arith.addf %{{.*}}, %{{.*}} : tensor<64x64xf32>
// CHECK:         %[[M:.*]] = tile.reduce max %[[S]]
// CHECK:         arith.mulf %{{.*}} : tensor<64x1xf32>
// CHECK:         arith.minnumf
// CHECK:         arith.select %{{.*}} : tensor<64x1xi1>, tensor<64x1xf32>
// CHECK:         arith.truncf %{{.*}} toward_zero
tile.kernel @near_misses(%q: !V, %k: !V, %older: !C) outs(%newer: !C, %y: !V) grid [1] {
  %i = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %low = arith.constant dense<0xFF800000> : tensor<64x64xf32>
  %scale = arith.constant dense<-0.125> : tensor<64x64xf32>
  %column = arith.constant dense<-0.125> : tensor<64x1xf32>
  %n = tile.iota [64] : tensor<64xi32>
  %row = tile.expand_dims %n, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %keys = tile.broadcast %row [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
  %c50 = arith.constant dense<50> : tensor<64x64xi32>
  %there = arith.cmpi slt, %keys, %c50 : tensor<64x64xi32>
  %qt = tile.load %q[%i, %i] [64, 64] : !V -> tensor<64x64xbf16>
  %kt = tile.load %k[%i, %i] [64, 64] : !V -> tensor<64x64xbf16>
  %m0 = tile.load %older[%i, %i] [64, 1] : !C -> tensor<64x1xf32>
  %d = tile.dot %qt, %kt, %one transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  %mask = arith.select %there, %z, %low : tensor<64x64xi1>, tensor<64x64xf32>
  %s = arith.addf %d, %mask : tensor<64x64xf32>
  %m = tile.reduce max %s axis 1 nan(ignore) : tensor<64x64xf32> -> tensor<64xf32>
  %mc = tile.expand_dims %m, 1 : tensor<64xf32> -> tensor<64x1xf32>
  %ms = arith.mulf %mc, %column : tensor<64x1xf32>
  %smaller = arith.minnumf %m0, %ms : tensor<64x1xf32>
  %same = arith.cmpf oeq, %m0, %ms : tensor<64x1xf32>
  %a = arith.bitcast %m0 : tensor<64x1xf32> to tensor<64x1xi32>
  %b = arith.bitcast %ms : tensor<64x1xf32> to tensor<64x1xi32>
  %both = arith.andi %a, %b : tensor<64x1xi32>
  %zero = arith.bitcast %both : tensor<64x1xi32> to tensor<64x1xf32>
  %mn = arith.select %same, %zero, %smaller : tensor<64x1xi1>, tensor<64x1xf32>
  tile.store %mn, %newer[%i, %i] : tensor<64x1xf32>, !C
  %scaled = arith.mulf %s, %scale : tensor<64x64xf32>
  %r = arith.truncf %scaled toward_zero : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %r, %y[%i, %i] : tensor<64x64xbf16>, !V
}

// -----

!V = !tile.view<64x64xbf16>
!F = !tile.view<64x64xf32>

// A condition converted to a number, times a hiding number, is a select; so are scores plus that.
// CHECK-LABEL: tile.kernel @converted_condition(
// CHECK-DAG:     %[[LOW:.*]] = arith.constant dense<-1.000000e+09> : tensor<64x64xf32>
// CHECK:         %[[LATER:.*]] = arith.cmpi sgt
// CHECK:         %[[SCORE:.*]] = arith.mulf
// CHECK-NEXT:    %[[HIDDEN:.*]] = arith.addf %[[SCORE]], %[[LOW]]
// CHECK-NEXT:    %[[S:.*]] = arith.select %[[LATER]], %[[HIDDEN]], %[[SCORE]]
// CHECK:         tile.store %[[S]]
tile.kernel @converted_condition(%q: !V, %k: !V) outs(%y: !F) grid [1] {
  %i = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %low = arith.constant dense<-1.0e9> : tensor<64x64xf32>
  %scale = arith.constant dense<0.125> : tensor<64x64xf32>
  %n = tile.iota [64] : tensor<64xi32>
  %row = tile.expand_dims %n, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %column = tile.expand_dims %n, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %keys = tile.broadcast %row [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
  %queries = tile.broadcast %column [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %later = arith.cmpi sgt, %keys, %queries : tensor<64x64xi32>
  %qt = tile.load %q[%i, %i] [64, 64] : !V -> tensor<64x64xbf16>
  %kt = tile.load %k[%i, %i] [64, 64] : !V -> tensor<64x64xbf16>
  %d = tile.dot %qt, %kt, %z transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  %score = arith.mulf %d, %scale : tensor<64x64xf32>
  %number = arith.uitofp %later : tensor<64x64xi1> to tensor<64x64xf32>
  %mask = arith.mulf %number, %low : tensor<64x64xf32>
  %s = arith.addf %score, %mask : tensor<64x64xf32>
  tile.store %s, %y[%i, %i] : tensor<64x64xf32>, !F
}

!K = !tile.view<256x64xbf16>

// A carried maximum is not below its initial value: the lower bound is dropped, and a comparison of keys alone is
// applied to whole tiles. A maximum that starts below its lower bound keeps it.
// CHECK-LABEL: tile.kernel @floors(
// CHECK:         scf.for {{.*}} iter_args(%[[M:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:           %[[KEYS:.*]] = tile.broadcast %{{.*}} : tensor<1x64xi32> -> tensor<64x64xi32>
// CHECK:           arith.cmpi slt, %[[KEYS]], %{{.*}} : tensor<64x64xi32>
// CHECK:           %[[NEXT:.*]] = arith.maximumf %[[M]], %[[T:.*]] : tensor<64x1xf32>
// CHECK-NEXT:      %[[LARGER:.*]] = arith.maximumf %[[B]], %[[T]]
// CHECK-NEXT:      %[[FLOORED:.*]] = arith.maximumf %[[LARGER]], %{{.*}}
// CHECK-NEXT:      scf.yield %[[NEXT]], %[[FLOORED]]
tile.kernel @floors(%q: !V, %k: !K) outs(%y: !tile.view<64x1xf32>, %x: !tile.view<64x1xf32>) grid [1] {
  %i = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %hidden = arith.constant dense<0xFF800000> : tensor<64x64xf32>
  %floor = arith.constant dense<-1.0e30> : tensor<64x1xf32>
  %below = arith.constant dense<0xFF800000> : tensor<64x1xf32>
  %c50 = arith.constant dense<50> : tensor<1x64xi32>
  %n = tile.iota [64] : tensor<64xi32>
  %row = tile.expand_dims %n, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %qt = tile.load %q[%i, %i] [64, 64] : !V -> tensor<64x64xbf16>
  %steps = tile.num_tiles %k, 0 by [64] : !K
  %r:2 = scf.for %j = %i to %steps step %c1 iter_args(%m = %floor, %b = %below) -> (tensor<64x1xf32>, tensor<64x1xf32>) {
    %kt = tile.load %k[%j, %i] [64, 64] : !K -> tensor<64x64xbf16>
    %d = tile.dot %qt, %kt, %z transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %there = arith.cmpi slt, %row, %c50 : tensor<1x64xi32>
    %all = tile.broadcast %there [64, 64] : tensor<1x64xi1> -> tensor<64x64xi1>
    %s = arith.select %all, %d, %hidden : tensor<64x64xi1>, tensor<64x64xf32>
    %t = tile.reduce max %s axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %larger = arith.maximumf %m, %t : tensor<64x1xf32>
    %next = arith.maximumf %larger, %floor : tensor<64x1xf32>
    %other = arith.maximumf %b, %t : tensor<64x1xf32>
    %floored = arith.maximumf %other, %floor : tensor<64x1xf32>
    scf.yield %next, %floored : tensor<64x1xf32>, tensor<64x1xf32>
  }
  tile.store %r#0, %y[%i, %i] : tensor<64x1xf32>, !tile.view<64x1xf32>
  tile.store %r#1, %x[%i, %i] : tensor<64x1xf32>, !tile.view<64x1xf32>
}

!H = !tile.view<64x32xf32>

// Two halves are rounded before concatenation. Halves that are widened are concatenated first.
// CHECK-LABEL: tile.kernel @halves(
// CHECK-DAG:     %[[A:.*]] = tile.cast %{{.*}} : tensor<64x32xf32> to tensor<64x32xbf16>
// CHECK-DAG:     %[[B:.*]] = tile.cast %{{.*}} : tensor<64x32xf32> to tensor<64x32xbf16>
// CHECK:         %[[W:.*]] = tile.cat %[[A]], %[[B]] axis 1 : tensor<64x32xbf16>, tensor<64x32xbf16> -> tensor<64x64xbf16>
// CHECK:         tile.dot %{{.*}}, %[[W]]
// CHECK:         %[[C:.*]] = tile.cat %{{.*}} -> tensor<64x64xbf16>
// CHECK:         tile.cast %[[C]] : tensor<64x64xbf16> to tensor<64x64xf32>
tile.kernel @halves(%q: !V, %h: !H, %n: !tile.view<64x32xbf16>) outs(%y: !F) grid [1] {
  %i = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %qt = tile.load %q[%i, %i] [64, 64] : !V -> tensor<64x64xbf16>
  %a = tile.load %h[%i, %i] [64, 32] : !H -> tensor<64x32xf32>
  %b = arith.negf %a : tensor<64x32xf32>
  %w = tile.cat %a, %b axis 1 : tensor<64x32xf32>, tensor<64x32xf32> -> tensor<64x64xf32>
  %k = tile.cast %w : tensor<64x64xf32> to tensor<64x64xbf16>
  %d = tile.dot %qt, %k, %z transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  %t = tile.load %n[%i, %i] [64, 32] : !tile.view<64x32xbf16> -> tensor<64x32xbf16>
  %u = tile.cat %t, %t axis 1 : tensor<64x32xbf16>, tensor<64x32xbf16> -> tensor<64x64xbf16>
  %f = tile.cast %u : tensor<64x64xbf16> to tensor<64x64xf32>
  %s = arith.addf %d, %f : tensor<64x64xf32>
  tile.store %s, %y[%i, %i] : tensor<64x64xf32>, !F
}

// Halves of keys are multiplied with the halves of a query one by one.
// CHECK-LABEL: tile.kernel @joined_keys(
// CHECK-DAG:     %[[A:.*]] = tile.load %{{.*}}[%{{.*}}, %c0] [64, 64] : !tile.view<?x128xbf16>
// CHECK-DAG:     %[[B:.*]] = tile.load %{{.*}}[%{{.*}}, %c1] [64, 64] : !tile.view<?x128xbf16>
// CHECK:         scf.for
// CHECK-NOT:       tile.cat
// CHECK:           %[[FIRST:.*]] = tile.dot %[[A]], %[[K:.*]], %{{.*}} transpose_b
// CHECK:           tile.dot %[[B]], %{{.*}}, %[[FIRST]] transpose_b
tile.kernel @joined_keys(%q: !tile.view<?x128xbf16>, %k: !tile.view<?x64xbf16>, %n: index) outs(%y: !F) grid [1] {
  %i = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %qt = tile.load %q[%n, %i] [64, 128] : !tile.view<?x128xbf16> -> tensor<64x128xbf16>
  %s = scf.for %j = %i to %n step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %i] [64, 64] : !tile.view<?x64xbf16> -> tensor<64x64xbf16>
    %r = arith.negf %kt : tensor<64x64xbf16>
    %w = tile.cat %kt, %r axis 1 : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x128xbf16>
    %d = tile.dot %qt, %w, %z transpose_b : tensor<64x128xbf16>, tensor<64x128xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %e = math.exp %d : tensor<64x64xf32>
    %next = arith.addf %acc, %e : tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %s, %y[%i, %i] : tensor<64x64xf32>, !F
}

// Near miss: halves of 40 end within a step of the instruction.
// CHECK-LABEL: tile.kernel @joined_unevenly(
// CHECK:         tile.cat
// CHECK:         tile.dot
// CHECK-NOT:     tile.dot
tile.kernel @joined_unevenly(%q: !tile.view<?x80xbf16>, %k: !tile.view<?x40xbf16>, %n: index) outs(%y: !F) grid [1] {
  %i = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %qt = tile.load %q[%n, %i] [64, 80] : !tile.view<?x80xbf16> -> tensor<64x80xbf16>
  %s = scf.for %j = %i to %n step %c1 iter_args(%acc = %z) -> (tensor<64x64xf32>) {
    %kt = tile.load %k[%j, %i] [64, 40] : !tile.view<?x40xbf16> -> tensor<64x40xbf16>
    %r = arith.negf %kt : tensor<64x40xbf16>
    %w = tile.cat %kt, %r axis 1 : tensor<64x40xbf16>, tensor<64x40xbf16> -> tensor<64x80xbf16>
    %d = tile.dot %qt, %w, %z transpose_b : tensor<64x80xbf16>, tensor<64x80xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %e = math.exp %d : tensor<64x64xf32>
    %next = arith.addf %acc, %e : tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %s, %y[%i, %i] : tensor<64x64xf32>, !F
}

// -----

// An fma of a loop-carried sum becomes a product and a sum, and its reduction keeps its axis. Not if it is used twice,
// or if the axis is added elsewhere; other fmas stay.
// CHECK-LABEL: tile.kernel @carried_sums(
// CHECK:         scf.for {{.*}} iter_args(%{{.*}}, %[[L:[^ ]*]] = %{{.*}}) ->
// CHECK:           %[[FIRST:.*]] = tile.reduce add %{{.*}} axis 1 : tensor<64x64xf32> -> tensor<64xf32>
// CHECK:           tile.expand_dims %[[FIRST]], 0
// CHECK:           %[[S:.*]] = tile.reduce add %{{.*}} axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
// CHECK:           %[[P:.*]] = arith.mulf %[[L]], %[[A:.*]] fastmath<contract>
// CHECK:           arith.addf %[[P]], %[[S]] fastmath<contract>
// CHECK:           math.fma %[[A]], %[[A]], %[[S]]
!S = !tile.view<64x64xbf16>
tile.kernel @carried_sums(%q: !S, %k: !S) outs(%y: !tile.view<64x64xf32>, %l: !tile.view<64x1xf32>, %t: !tile.view<1x64xf32>, %u: !tile.view<64x1xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x1xf32>
  %a = arith.constant dense<0.5> : tensor<64x1xf32>
  %qt = tile.load %q[%c0, %c0] [64, 64] : !S -> tensor<64x64xbf16>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %z, %old = %none) -> (tensor<64x64xf32>, tensor<64x1xf32>) {
    %kt = tile.load %k[%c0, %i] [64, 64] : !S -> tensor<64x64xbf16>
    %d = tile.dot %qt, %kt, %acc : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %other = tile.reduce add %acc axis 1 : tensor<64x64xf32> -> tensor<64xf32>
    %row = tile.expand_dims %other, 0 : tensor<64xf32> -> tensor<1x64xf32>
    tile.store %row, %t[%c0, %c0] : tensor<1x64xf32>, !tile.view<1x64xf32>
    %sum = tile.reduce add %d axis 1 : tensor<64x64xf32> -> tensor<64xf32>
    %column = tile.expand_dims %sum, 1 : tensor<64xf32> -> tensor<64x1xf32>
    %new = math.fma %old, %a, %column : tensor<64x1xf32>
    %plain = math.fma %a, %a, %column : tensor<64x1xf32>
    tile.store %plain, %u[%c0, %c0] : tensor<64x1xf32>, !tile.view<64x1xf32>
    scf.yield %d, %new : tensor<64x64xf32>, tensor<64x1xf32>
  }
  tile.store %r#0, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
  tile.store %r#1, %l[%c0, %c0] : tensor<64x1xf32>, !tile.view<64x1xf32>
}

// -----

// A permutation moves behind what is computed of the operand, and folds into the dot.
// CHECK-LABEL: tile.kernel @computed_of_permuted(
// CHECK:         %[[W:.*]] = tile.load {{.*}} -> tensor<64x32xi8>
// CHECK:         %[[F:.*]] = arith.sitofp %[[W]] : tensor<64x32xi8> to tensor<64x32xf32>
// CHECK:         %[[S:.*]] = arith.mulf %[[F]], %{{.*}} : tensor<64x32xf32>
// CHECK:         %[[B:.*]] = tile.cast %[[S]] : tensor<64x32xf32> to tensor<64x32xbf16>
// CHECK:         tile.dot %{{.*}}, %[[B]], %{{.*}} transpose_b
tile.kernel @computed_of_permuted(%x: !tile.view<64x32xbf16>, %w: !tile.view<64x32xi8>) outs(%y: !tile.view<64x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %scale = arith.constant dense<0.5> : tensor<32x64xf32>
  %a = tile.load %x[%c0, %c0] [64, 32] : !tile.view<64x32xbf16> -> tensor<64x32xbf16>
  %b = tile.load %w[%c0, %c0] [64, 32] : !tile.view<64x32xi8> -> tensor<64x32xi8>
  %p = tile.permute %b [1, 0] : tensor<64x32xi8> -> tensor<32x64xi8>
  %f = arith.sitofp %p : tensor<32x64xi8> to tensor<32x64xf32>
  %s = arith.mulf %f, %scale : tensor<32x64xf32>
  %t = tile.cast %s : tensor<32x64xf32> to tensor<32x64xbf16>
  %r = tile.dot %a, %t, %zero : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  tile.store %r, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// -----

// It stays where another operand is not permuted, or where the result is also stored.
// CHECK-LABEL: tile.kernel @permuted_apart(
// CHECK:         tile.permute
// CHECK:         arith.addf
// CHECK:         tile.permute
// CHECK:         arith.negf
tile.kernel @permuted_apart(%x: !tile.view<64x32xf32>, %w: !tile.view<64x32xf32>) outs(%y: !tile.view<64x64xf32>, %z: !tile.view<32x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile.load %x[%c0, %c0] [64, 32] : !tile.view<64x32xf32> -> tensor<64x32xf32>
  %b = tile.load %w[%c0, %c0] [64, 32] : !tile.view<64x32xf32> -> tensor<64x32xf32>
  %v = tile.load %z[%c0, %c0] [32, 64] : !tile.view<32x64xf32> -> tensor<32x64xf32>
  %p = tile.permute %b [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %s = arith.addf %p, %v : tensor<32x64xf32>
  %r = tile.dot %a, %s, %zero : tensor<64x32xf32>, tensor<32x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %q = tile.permute %a [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %n = arith.negf %q : tensor<32x64xf32>
  %d = tile.dot %b, %n, %r : tensor<64x32xf32>, tensor<32x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  tile.store %d, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
  tile.store %n, %z[%c0, %c0] : tensor<32x64xf32>, !tile.view<32x64xf32>
}
