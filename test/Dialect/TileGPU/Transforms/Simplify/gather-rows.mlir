// RUN: tilegpt-opt %s --tile-gpu-gather-rows --canonicalize --cse --split-input-file | FileCheck %s

// Rows by index, whole tiles of columns, both within the sizes of a matrix; out-of-bounds elements are zero anyway.
// CHECK-LABEL: tile.kernel @rows
// CHECK-SAME:    %[[P:.*]]: !tile.ptr<bf16>, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[S:.*]]: i32,
// CHECK:         %[[R:.*]] = tile.load {{.*}} -> tensor<128xi32>
// CHECK:         %[[V:.*]] = tile.view_at %[[P]] sizes [%{{.*}}, %{{.*}}] strides [%{{.*}}, 1] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, strides=[?, 1]>
// CHECK:         scf.for %[[K:[^ ]*]] =
// CHECK:           %[[A:.*]] = tile.gather %[[V]][%[[K]]] at %[[R]] axis 0 [128, 64]
// CHECK:           tile.dot %[[A]]
// CHECK-NOT:     tile.load_at
tile.kernel @rows(%p: !tile.ptr<bf16>, %m: i32, %n: i32, %s: i32, %rp: !tile.ptr<i32>, %wp: !tile.ptr<bf16>, %yp: !tile.ptr<f32>) grid launch {
  %rows = tile.view_at %rp sizes [128] : !tile.ptr<i32> -> !tile.view<128xi32>
  %w = tile.view_at %wp sizes [64, 64] : !tile.ptr<bf16> -> !tile.view<64x64xbf16>
  %y = tile.view_at %yp sizes [128, 64] : !tile.ptr<f32> -> !tile.view<128x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<128x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %height = tile.assume %m bounded [0, 2147483647] : i32
  %width = tile.assume %n bounded [0, 1000000] : i32
  %stride = tile.assume %s bounded [0, 2147483647] : i32
  %steps32 = arith.ceildivsi %width, %c64 : i32
  %steps = arith.index_cast %steps32 : i32 to index
  %r = tile.load %rows[%c0] [128] : !tile.view<128xi32> -> tensor<128xi32>
  %b = tile.load %w[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %i = tile.iota [64] : tensor<64xi32>
  %rc = tile.expand_dims %r, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %re = arith.extsi %rc : tensor<128x1xi32> to tensor<128x1xi64>
  %rw = tile.broadcast %re [128, 64] : tensor<128x1xi64> -> tensor<128x64xi64>
  %h = arith.extsi %height : i32 to i64
  %hw = tile.splat %h [128, 64] : i64 -> tensor<128x64xi64>
  %below = arith.cmpi ult, %rw, %hw : tensor<128x64xi64>
  %t = arith.extsi %stride : i32 to i64
  %tw = tile.splat %t [128, 64] : i64 -> tensor<128x64xi64>
  %start = arith.muli %rw, %tw : tensor<128x64xi64>
  %l = arith.extsi %width : i32 to i64
  %lw = tile.splat %l [128, 64] : i64 -> tensor<128x64xi64>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32>) {
    %k32 = arith.index_cast %k : index to i32
    %first = arith.muli %k32, %c64 : i32
    %fs = tile.splat %first [64] : i32 -> tensor<64xi32>
    %c = arith.addi %fs, %i : tensor<64xi32>
    %cc = tile.expand_dims %c, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %ce = arith.extsi %cc : tensor<1x64xi32> to tensor<1x64xi64>
    %cw = tile.broadcast %ce [128, 64] : tensor<1x64xi64> -> tensor<128x64xi64>
    %inside = arith.cmpi ult, %cw, %lw : tensor<128x64xi64>
    %mask = arith.andi %below, %inside : tensor<128x64xi1>
    %o = arith.addi %start, %cw : tensor<128x64xi64>
    %v = tile.load_at %p[%o] mask(%mask : tensor<128x64xi1>) : !tile.ptr<bf16>, tensor<128x64xi64> -> tensor<128x64xbf16>
    %a = arith.select %mask, %v, %none : tensor<128x64xi1>, tensor<128x64xbf16>
    %d = tile.dot %a, %b, %acc : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<128x64xf32>, !tile.view<128x64xf32>
}

// -----

// Near misses: a mask of rows only; columns that do not start with a tile; a height that may be negative; no dot.
// CHECK-LABEL: tile.kernel @others
// CHECK-NOT:     tile.gather
tile.kernel @others(%p: !tile.ptr<bf16>, %m: i32, %n: i32, %s: i32, %f: i32, %rp: !tile.ptr<i32>, %wp: !tile.ptr<bf16>, %yp: !tile.ptr<f32>, %zp: !tile.ptr<bf16>) grid launch {
  %rows = tile.view_at %rp sizes [64] : !tile.ptr<i32> -> !tile.view<64xi32>
  %w = tile.view_at %wp sizes [64, 64] : !tile.ptr<bf16> -> !tile.view<64x64xbf16>
  %y = tile.view_at %yp sizes [64, 64] : !tile.ptr<f32> -> !tile.view<64x64xf32>
  %z = tile.view_at %zp sizes [64, 64] : !tile.ptr<bf16> -> !tile.view<64x64xbf16>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %height = tile.assume %m bounded [0, 2147483647] : i32
  %width = tile.assume %n bounded [0, 1000000] : i32
  %stride = tile.assume %s bounded [0, 2147483647] : i32
  %from = tile.assume %f bounded [0, 1000] : i32
  %r = tile.load %rows[%c0] [64] : !tile.view<64xi32> -> tensor<64xi32>
  %b = tile.load %w[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %i = tile.iota [64] : tensor<64xi32>
  %rc = tile.expand_dims %r, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %re = arith.extsi %rc : tensor<64x1xi32> to tensor<64x1xi64>
  %rw = tile.broadcast %re [64, 64] : tensor<64x1xi64> -> tensor<64x64xi64>
  %h = arith.extsi %height : i32 to i64
  %hw = tile.splat %h [64, 64] : i64 -> tensor<64x64xi64>
  %below = arith.cmpi ult, %rw, %hw : tensor<64x64xi64>
  %hn = arith.extsi %m : i32 to i64
  %hnw = tile.splat %hn [64, 64] : i64 -> tensor<64x64xi64>
  %belowAny = arith.cmpi ult, %rw, %hnw : tensor<64x64xi64>
  %t = arith.extsi %stride : i32 to i64
  %tw = tile.splat %t [64, 64] : i64 -> tensor<64x64xi64>
  %start = arith.muli %rw, %tw : tensor<64x64xi64>
  %l = arith.extsi %width : i32 to i64
  %lw = tile.splat %l [64, 64] : i64 -> tensor<64x64xi64>
  %tile = arith.muli %from, %c64 : i32
  %ts = tile.splat %tile [64] : i32 -> tensor<64xi32>
  %tc = arith.addi %ts, %i : tensor<64xi32>
  %tcc = tile.expand_dims %tc, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %tce = arith.extsi %tcc : tensor<1x64xi32> to tensor<1x64xi64>
  %tcw = tile.broadcast %tce [64, 64] : tensor<1x64xi64> -> tensor<64x64xi64>
  %inside = arith.cmpi ult, %tcw, %lw : tensor<64x64xi64>
  %o = arith.addi %start, %tcw : tensor<64x64xi64>
  %v0 = tile.load_at %p[%o] mask(%below : tensor<64x64xi1>) : !tile.ptr<bf16>, tensor<64x64xi64> -> tensor<64x64xbf16>
  %d0 = tile.dot %v0, %b, %zero : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  %us = tile.splat %from [64] : i32 -> tensor<64xi32>
  %uc = arith.addi %us, %i : tensor<64xi32>
  %ucc = tile.expand_dims %uc, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %uce = arith.extsi %ucc : tensor<1x64xi32> to tensor<1x64xi64>
  %ucw = tile.broadcast %uce [64, 64] : tensor<1x64xi64> -> tensor<64x64xi64>
  %uin = arith.cmpi ult, %ucw, %lw : tensor<64x64xi64>
  %um = arith.andi %below, %uin : tensor<64x64xi1>
  %uo = arith.addi %start, %ucw : tensor<64x64xi64>
  %v1 = tile.load_at %p[%uo] mask(%um : tensor<64x64xi1>) : !tile.ptr<bf16>, tensor<64x64xi64> -> tensor<64x64xbf16>
  %d1 = tile.dot %v1, %b, %d0 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  %nm = arith.andi %belowAny, %inside : tensor<64x64xi1>
  %v2 = tile.load_at %p[%o] mask(%nm : tensor<64x64xi1>) : !tile.ptr<bf16>, tensor<64x64xi64> -> tensor<64x64xbf16>
  %d2 = tile.dot %v2, %b, %d1 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  %all = arith.andi %below, %inside : tensor<64x64xi1>
  %v3 = tile.load_at %p[%o] mask(%all : tensor<64x64xi1>) : !tile.ptr<bf16>, tensor<64x64xi64> -> tensor<64x64xbf16>
  tile.store %d2, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
  tile.store %v3, %z[%c0, %c0] : tensor<64x64xbf16>, !tile.view<64x64xbf16>
}
