// Accesses by offset become loads and stores of views if their elements are evenly spaced and adjacent along an axis.
// RUN: tilegpt-opt %s --split-input-file --pass-pipeline='builtin.module(tile.kernel(cpu-offsets-to-views),canonicalize,cse)' | FileCheck %s

// A run below a bound: the bound becomes the size of the view.
// CHECK-LABEL: tile.kernel @add(
// CHECK-DAG: %[[FIRST:.+]] = arith.index_cast %{{.+}} : i32 to index
// CHECK-DAG: %[[N:.+]] = arith.index_cast %arg2 : i32 to index
// CHECK: %[[LEFT:.+]] = arith.subi %[[N]], %[[FIRST]]
// CHECK: %[[MOST:.+]] = arith.minsi %[[LEFT]], %c1024
// CHECK: %[[SIZE:.+]] = arith.maxsi %[[MOST]], %c0
// CHECK: %[[BYTES:.+]] = arith.muli %[[FIRST]], %c4
// CHECK: tile.int_to_ptr
// CHECK: %[[X:.+]] = tile.view_at %{{.+}} sizes [%[[SIZE]]] strides [1] : !tile.ptr<f32> -> !tile.view<?xf32, strides=[1]>
// CHECK: tile.load %[[X]][%c0] [1024] pad(neg_inf)
// CHECK: %[[Y:.+]] = tile.view_at
// CHECK: tile.store %{{.+}}, %[[Y]][%c0]
tile.kernel @add(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) grid launch {
  %m = tile.block_id 0
  %mi = arith.index_cast %m : index to i32
  %c = arith.constant 1024 : i32
  %f = arith.muli %mi, %c : i32
  %fs = tile.splat %f [1024] : i32 -> tensor<1024xi32>
  %i = tile.iota [1024] : tensor<1024xi32>
  %o = arith.addi %fs, %i : tensor<1024xi32>
  %ns = tile.splat %n [1024] : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %o, %ns : tensor<1024xi32>
  %t = tile.load_at %x[%o] pad(neg_inf) mask(%mask : tensor<1024xi1>) : !tile.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  tile.store_at %t, %y[%o] mask(%mask : tensor<1024xi1>) : tensor<1024xf32>, !tile.ptr<f32>, tensor<1024xi32>
}

// -----

// The start of a tile wraps as its offsets do.
// CHECK-LABEL: tile.kernel @wraps(
// CHECK: %[[N:.+]] = arith.index_cast %{{.+}} : i32 to index
// CHECK: %[[FAR:.+]] = arith.muli %[[N]], %[[N]] : index
// CHECK: %[[WHOLE:.+]] = arith.index_cast %[[FAR]] : index to i64
// CHECK: %[[LOW:.+]] = arith.trunci %[[WHOLE]] : i64 to i32
// CHECK: %[[START:.+]] = arith.index_cast %[[LOW]] : i32 to index
// CHECK: arith.muli %[[START]], %c4
tile.kernel @wraps(%x: !tile.ptr<f32>, %n: i32, %y: !tile.ptr<f32>) grid launch {
  %i = tile.iota [16] : tensor<16xi32>
  %ns = tile.splat %n [16] : i32 -> tensor<16xi32>
  %far = arith.muli %ns, %ns : tensor<16xi32>
  %o = arith.addi %i, %far : tensor<16xi32>
  %t = tile.load_at %x[%o] : !tile.ptr<f32>, tensor<16xi32> -> tensor<16xf32>
  tile.store_at %t, %y[%i] : tensor<16xf32>, !tile.ptr<f32>, tensor<16xi32>
}

// -----

// Rows and columns with a bound each, as n > column and row <= last, in a loop along a dimension with a stride.
// CHECK-LABEL: tile.kernel @rows(
// CHECK: scf.for %[[K:[^ ]+]] = %c0 to %c4 step %c1 {
// CHECK: %[[N:.+]] = arith.index_cast %[[K]] : index to i32
// CHECK-NEXT: %[[AT:.+]] = arith.muli %[[N]], %arg5 : i32
// CHECK: %[[V:.+]] = tile.view_at %{{.+}} sizes [%{{.+}}, %{{.+}}] strides [%{{.+}}, 1] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, strides=[?, 1]>
// CHECK: tile.load %[[V]][%c0, %c0] [8, 16]
tile.kernel @rows(%x: !tile.ptr<bf16>, %y: !tile.ptr<bf16>, %stride: i32, %n: i32, %last: i32, %step: i32) grid launch {
  %c0 = arith.constant 0 : index
  %v = tile.view_at %y sizes [8, 16] : !tile.ptr<bf16> -> !tile.view<8x16xbf16>
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = tile.iota [8] : tensor<8xi32>
  %rc = tile.expand_dims %r, 1 : tensor<8xi32> -> tensor<8x1xi32>
  %c = tile.iota [16] : tensor<16xi32>
  %cr = tile.reshape %c [1, 16] : tensor<16xi32> -> tensor<1x16xi32>
  %ss = tile.splat %stride [8, 1] : i32 -> tensor<8x1xi32>
  %rs = arith.muli %ss, %rc : tensor<8x1xi32>
  %rb = tile.broadcast %rs [8, 16] : tensor<8x1xi32> -> tensor<8x16xi32>
  %cb = tile.broadcast %cr [8, 16] : tensor<1x16xi32> -> tensor<8x16xi32>
  %o = arith.addi %rb, %cb : tensor<8x16xi32>
  %ns = tile.splat %n [1, 16] : i32 -> tensor<1x16xi32>
  %lasts = tile.splat %last [8, 1] : i32 -> tensor<8x1xi32>
  %in = arith.cmpi sgt, %ns, %cr : tensor<1x16xi32>
  %rin = arith.cmpi sle, %rc, %lasts : tensor<8x1xi32>
  %inb = tile.broadcast %in [8, 16] : tensor<1x16xi1> -> tensor<8x16xi1>
  %rinb = tile.broadcast %rin [8, 16] : tensor<8x1xi1> -> tensor<8x16xi1>
  %mask = arith.andi %inb, %rinb : tensor<8x16xi1>
  scf.for %k = %c0 to %c4 step %c1 {
    %number = arith.index_cast %k : index to i32
    %ahead = arith.muli %number, %step : i32
    %aheads = tile.splat %ahead [8, 16] : i32 -> tensor<8x16xi32>
    %at = arith.addi %o, %aheads : tensor<8x16xi32>
    %t = tile.load_at %x[%at] mask(%mask : tensor<8x16xi1>) : !tile.ptr<bf16>, tensor<8x16xi32> -> tensor<8x16xbf16>
    tile.store %t, %v[%c0, %c0] : tensor<8x16xbf16>, !tile.view<8x16xbf16>
  }
}

// -----

// One row for all rows is loaded once.
// CHECK-LABEL: tile.kernel @same_row(
// CHECK: %[[V:.+]] = tile.view_at %arg0 sizes [1, 16] strides [1, 1]
// CHECK: %[[T:.+]] = tile.load %[[V]][%c0, %c0] [1, 16]
// CHECK: tile.broadcast %[[T]] [8, 16]
tile.kernel @same_row(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) grid launch {
  %c0 = arith.constant 0 : index
  %v = tile.view_at %y sizes [8, 16] : !tile.ptr<f32> -> !tile.view<8x16xf32>
  %c = tile.iota [16] : tensor<16xi32>
  %o = tile.broadcast %c [8, 16] : tensor<16xi32> -> tensor<8x16xi32>
  %t = tile.load_at %x[%o] : !tile.ptr<f32>, tensor<8x16xi32> -> tensor<8x16xf32>
  tile.store %t, %v[%c0, %c0] : tensor<8x16xf32>, !tile.view<8x16xf32>
}

// -----

// All or nothing.
// CHECK-LABEL: tile.kernel @if(
// CHECK: %[[ALL:.+]] = arith.select %arg2, %c16, %c0
// CHECK: %[[MOST:.+]] = arith.minsi %[[ALL]], %c16
// CHECK: %[[SIZE:.+]] = arith.maxsi %[[MOST]], %c0
// CHECK: tile.view_at %arg0 sizes [%[[SIZE]]]
tile.kernel @if(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %c: i1) grid launch {
  %c0 = arith.constant 0 : index
  %v = tile.view_at %y sizes [16] : !tile.ptr<f32> -> !tile.view<16xf32>
  %o = tile.iota [16] : tensor<16xi32>
  %mask = tile.splat %c [16] : i1 -> tensor<16xi1>
  %t = tile.load_at %x[%o] mask(%mask : tensor<16xi1>) : !tile.ptr<f32>, tensor<16xi32> -> tensor<16xf32>
  tile.store %t, %v[%c0] : tensor<16xf32>, !tile.view<16xf32>
}

// -----

// Not: elements apart from each other or in reverse, offsets that are data, equal addresses of a store.
// CHECK-LABEL: tile.kernel @spacing(
// CHECK-NOT: tile.view_at
// CHECK: tile.load_at
// CHECK: tile.load_at
// CHECK: tile.load_at
// CHECK: tile.load_at
// CHECK-NOT: tile.view_at
// CHECK: tile.store_at
tile.kernel @spacing(%x: !tile.ptr<f32>, %p: !tile.ptr<i32>, %y: !tile.ptr<f32>) grid launch {
  %i = tile.iota [16] : tensor<16xi32>
  %two = arith.constant dense<2> : tensor<16xi32>
  %even = arith.muli %i, %two : tensor<16xi32>
  %back = arith.subi %two, %i : tensor<16xi32>
  %square = arith.muli %i, %i : tensor<16xi32>
  %0 = tile.load_at %x[%even] : !tile.ptr<f32>, tensor<16xi32> -> tensor<16xf32>
  %1 = tile.load_at %x[%back] : !tile.ptr<f32>, tensor<16xi32> -> tensor<16xf32>
  %2 = tile.load_at %x[%square] : !tile.ptr<f32>, tensor<16xi32> -> tensor<16xf32>
  %places = tile.load_at %p[%even] : !tile.ptr<i32>, tensor<16xi32> -> tensor<16xi32>
  %s = arith.addf %0, %1 : tensor<16xf32>
  %s2 = arith.addf %s, %2 : tensor<16xf32>
  %row = tile.broadcast %i [4, 16] : tensor<16xi32> -> tensor<4x16xi32>
  %rows = tile.broadcast %s2 [4, 16] : tensor<16xf32> -> tensor<4x16xf32>
  tile.store_at %rows, %y[%row] : tensor<4x16xf32>, !tile.ptr<f32>, tensor<4x16xi32>
  tile.store_at %s2, %y[%places] : tensor<16xf32>, !tile.ptr<f32>, tensor<16xi32>
}

// -----

// Not: a lower bound, an unsigned bound, a bound that falls along the axis, a memory order, elements of another type than the
// pointer's, a mask of data.
// CHECK-LABEL: tile.kernel @masks(
// CHECK-NOT: tile.view_at
// CHECK: tile.store_at
tile.kernel @masks(%x: !tile.ptr<f32>, %b: !tile.ptr<i8>, %y: !tile.ptr<f32>, %n: i32) grid launch {
  %i = tile.iota [16] : tensor<16xi32>
  %ns = tile.splat %n [16] : i32 -> tensor<16xi32>
  %above = arith.cmpi sge, %i, %ns : tensor<16xi32>
  %unsigned = arith.cmpi ult, %i, %ns : tensor<16xi32>
  %back = arith.subi %ns, %i : tensor<16xi32>
  %until = arith.cmpi slt, %back, %ns : tensor<16xi32>
  %0 = tile.load_at %x[%i] mask(%above : tensor<16xi1>) : !tile.ptr<f32>, tensor<16xi32> -> tensor<16xf32>
  %1 = tile.load_at %x[%i] mask(%unsigned : tensor<16xi1>) : !tile.ptr<f32>, tensor<16xi32> -> tensor<16xf32>
  %2 = tile.load_at %x[%i] mask(%until : tensor<16xi1>) : !tile.ptr<f32>, tensor<16xi32> -> tensor<16xf32>
  %3 = tile.load_at %x[%i] order(relaxed) : !tile.ptr<f32>, tensor<16xi32> -> tensor<16xf32>
  %4 = tile.load_at %b[%i] : !tile.ptr<i8>, tensor<16xi32> -> tensor<16xf32>
  %5 = arith.addf %0, %1 : tensor<16xf32>
  %6 = arith.addf %5, %2 : tensor<16xf32>
  %7 = arith.addf %6, %3 : tensor<16xf32>
  %8 = arith.addf %7, %4 : tensor<16xf32>
  %positive = arith.cmpf ogt, %8, %7 : tensor<16xf32>
  %9 = tile.load_at %x[%i] mask(%positive : tensor<16xi1>) : !tile.ptr<f32>, tensor<16xi32> -> tensor<16xf32>
  tile.store_at %9, %y[%i] order(relaxed) : tensor<16xf32>, !tile.ptr<f32>, tensor<16xi32>
}

// -----

// A single masked element has no axis whose size could be its bound.
// CHECK-LABEL: tile.kernel @single(
// CHECK: %[[X:.+]] = tile.load_at %arg0[%{{.+}}] mask(%{{.+}} : tensor<i1>)
// CHECK: tile.store_at %[[X]], %arg1[%{{.+}}] mask(%{{.+}} : tensor<i1>)
tile.kernel @single(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) grid launch {
  %m = tile.block_id 0
  %mi = arith.index_cast %m : index to i32
  %o = tile.splat %mi [] : i32 -> tensor<i32>
  %inside = arith.cmpi slt, %mi, %n : i32
  %mask = tile.splat %inside [] : i1 -> tensor<i1>
  %t = tile.load_at %x[%o] mask(%mask : tensor<i1>) : !tile.ptr<f32>, tensor<i32> -> tensor<f32>
  tile.store_at %t, %y[%o] mask(%mask : tensor<i1>) : tensor<f32>, !tile.ptr<f32>, tensor<i32>
}
