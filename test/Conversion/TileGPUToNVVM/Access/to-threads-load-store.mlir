// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

// An unknown number of rows: an out-of-bounds load reads the start of the argument and yields the pad value, an
// out-of-bounds store is predicated. Columns are in bounds: 3 tiles of 256 fill a row. Memory that the kernel never
// writes is invariant.
#l = #tile_gpu.layout<registers = [d1:8*1, d0:2*4], lanes = [d1:32*8], warps = [d0:4*1]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
// CHECK-LABEL: func.func @open_rows(
// CHECK-SAME:    %[[X:[^:]*]]: !llvm.ptr<1>, %[[ROWS:[^:]*]]: i64
// CHECK-DAG:     %[[PAD:.*]] = arith.constant dense<0.000000e+00> : vector<8xbf16>
// CHECK-DAG:     %[[SIZE:.*]] = arith.index_cast %[[ROWS]] : i64 to index
// CHECK:         %[[LEFT:.*]] = arith.subi %[[SIZE]], %[[START:.*]] : index
// CHECK:         %[[REACH:.*]] = arith.subi %[[LEFT]], %[[WARP:.*]] : index
// CHECK:         %[[IN:.*]] = arith.cmpi sgt, %[[REACH]], %{{.*}} : index
// CHECK:         %[[AT:.*]] = arith.select %[[IN]], %{{.*}}, %[[X]] : !llvm.ptr<1>
// CHECK:         %[[LOADED:.*]] = llvm.load %[[AT]] invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
// CHECK:         arith.select %[[IN]], %[[LOADED]], %[[PAD]] : vector<8xbf16>
// CHECK:         llvm.load {{.*}} -> vector<8xbf16>
// CHECK-NOT:     llvm.load
// CHECK-COUNT-2: llvm.inline_asm has_side_effects asm_dialect = att "@$0 st.global.v4.b32 [$1+{{0|6144}}], {$2, $3, $4, $5};", "b,l,r,r,r,r"
// CHECK-NOT:     inline_asm
tile.kernel @open_rows(%x: !tile.view<?x768xbf16>) outs(%y: !tile.view<?x768xbf16>)
    grid [ceildiv(dim(%y, 0), 8), 3] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [8, 256] : !tile.view<?x768xbf16> -> tensor<8x256xbf16, #l>
  tile.store %t, %y[%m, %n] : tensor<8x256xbf16, #l>, !tile.view<?x768xbf16>
}

// -----

// Sizes, grid and loop are known: no guards.
#l = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
// CHECK-LABEL: func.func @all_inside(
// CHECK-NOT:     arith.cmpi
// CHECK-NOT:     arith.select
// CHECK:         scf.for
// CHECK:           llvm.load %{{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:           llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT:     inline_asm
tile.kernel @all_inside(%x: !tile.view<64x768xf32>) outs(%y: !tile.view<64x768xf32>)
    grid [ceildiv(dim(%y, 0), 8)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.num_tiles %x, 1 by [64] : !tile.view<64x768xf32>
  scf.for %k = %c0 to %n step %c1 {
    %t = tile.load %x[%m, %k] [8, 64] : !tile.view<64x768xf32> -> tensor<8x64xf32, #l>
    tile.store %t, %y[%m, %k] : tensor<8x64xf32, #l>, !tile.view<64x768xf32>
  }
}

// -----

// Rows of 50257 elements are unaligned: single elements, which alone may be out of bounds. Rows of 1538 are aligned to
// two.
#l = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:32*4], warps = [d1:4*128]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
// CHECK-LABEL: func.func @odd_rows(
// CHECK-COUNT-4: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-COUNT-2: llvm.inline_asm {{.*}} "@$0 st.global.v2.b32 [$1+{{0|8}}], {$2, $3};", "b,l,r,r"
tile.kernel @odd_rows(%x: !tile.view<8x50257xf32>) outs(%y: !tile.view<8x1538xf32>)
    grid [8, 4] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [1, 512] pad(neg_inf) : !tile.view<8x50257xf32> -> tensor<1x512xf32, #l>
  tile.store %t, %y[%m, %n] : tensor<1x512xf32, #l>, !tile.view<8x1538xf32>
}

// -----

// One row of many: its index, a multiple of four, makes up for the odd stride.
#l = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:32*4], warps = [d1:4*128]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
// CHECK-LABEL: func.func @every_fourth_row(
// CHECK:         llvm.load {{.*}} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT:     llvm.load
tile.kernel @every_fourth_row(%x: !tile.view<8x50257xf32>) outs(%y: !tile.view<2x50176xf32>)
    grid [2, 98] attributes {tile_gpu.plan = #plan} {
  %b = tile.block_id 0
  %n = tile.block_id 1
  %c4 = arith.constant 4 : index
  %m = arith.muli %b, %c4 : index
  %t = tile.load %x[%m, %n] [1, 512] : !tile.view<8x50257xf32> -> tensor<1x512xf32, #l>
  tile.store %t, %y[%b, %n] : tensor<1x512xf32, #l>, !tile.view<2x50176xf32>
}

// -----

// Windows at multiples of 64 columns allow the same vectors as the whole; those at arbitrary columns do not.
#l = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
!X = !tile.view<?x2304xf32>
!W = !tile.view<?x64xf32, strides=[2304, 1]>
// CHECK-LABEL: func.func @windows(
// CHECK:         llvm.load {{.*}} -> vector<4xf32>
// CHECK-COUNT-4: llvm.load {{.*}} -> f32
// CHECK-NOT:     llvm.load
tile.kernel @windows(%x: !X, %any: index) outs(%y: !X) grid [1, 12] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %rows = tile.dim %x, 0 : !X
  %column = arith.muli %h, %c64 : index
  %w = tile.subview %x[%any, %column] [%rows, 64] : !X -> !W
  %t = tile.load %w[%m, %c0] [8, 64] : !W -> tensor<8x64xf32, #l>
  %v = tile.subview %x[0, %any] [%rows, 64] : !X -> !W
  %u = tile.load %v[%m, %c0] [8, 64] : !W -> tensor<8x64xf32, #l>
  %s = arith.addf %t, %u : tensor<8x64xf32, #l>
  tile.store %s, %y[%m, %h] : tensor<8x64xf32, #l>, !X
}

// -----

// Axis 0 of the tile runs along the contiguous axis of the view, and has the adjacent elements.
#l = #tile_gpu.layout<registers = [d0:8*1], lanes = [d0:8*8, d1:4*1], warps = [d1:4*4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
// CHECK-LABEL: func.func @transposed(
// CHECK:         llvm.load {{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK-NOT:     llvm.load
// CHECK-COUNT-8: llvm.store %{{.*}}, %{{.*}} {alignment = 2 : i64} : f16, !llvm.ptr<1>
tile.kernel @transposed(%x: !tile.view<64x64xf16>) outs(%y: !tile.view<64x64xf16>)
    grid [4] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [64, 16] order [1, 0] : !tile.view<64x64xf16> -> tensor<64x16xf16, #l>
  tile.store %t, %y[%c0, %m] : tensor<64x16xf16, #l>, !tile.view<64x64xf16>
}

// -----

// The adjacent elements of a thread need not be its first registers.
#l = #tile_gpu.layout<registers = [d0:2*4, d1:4*1], lanes = [d1:16*4, d0:2*1], warps = [d0:2*2, rep:2]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
// CHECK-LABEL: func.func @second_digit(
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<4xf32>
// CHECK-NOT:     llvm.load
tile.kernel @second_digit(%x: !tile.view<8x64xf32>) outs(%y: !tile.view<8x64xf32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [8, 64] : !tile.view<8x64xf32> -> tensor<8x64xf32, #l>
  tile.store %t, %y[%c0, %c0] : tensor<8x64xf32, #l>, !tile.view<8x64xf32>
}

// -----

// A mask selects elements of a load; in a store, it splits registers unless they share its value. An i1 takes a byte.
#l = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = []>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>
// CHECK-LABEL: func.func @masks(
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 0x7F800000 : f32
// CHECK:         %[[BYTES:.*]] = llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi8>
// CHECK:         %[[BYTE:.*]] = llvm.extractelement %[[BYTES]]
// CHECK:         %[[M:.*]] = arith.cmpi ne, %[[BYTE]], %[[ZERO]] : i8
// CHECK:         %[[X:.*]] = llvm.load {{.*}} -> vector<4xf32>
// CHECK:         %[[E:.*]] = llvm.extractelement %[[X]]
// CHECK:         arith.select %[[M]], %[[E]], %[[ONE]] : f32
// CHECK:         llvm.inline_asm {{.*}} "@$0 st.global.b32 [$1+0], $2;", "b,l,r" %[[M]],
// CHECK-COUNT-3: llvm.inline_asm {{.*}} "@$0 st.global.b32
// CHECK:         llvm.inline_asm {{.*}} "@$0 st.global.v4.b32 {{.*}} %{{[0-9]+}}
// CHECK:         arith.extui {{.*}} : i1 to i8
// CHECK:         llvm.store {{.*}} : vector<4xi8>, !llvm.ptr<1>
tile.kernel @masks(%x: !tile.view<128xf32>, %m: !tile.view<128xi1>, %all: i1)
    outs(%y: !tile.view<128xf32>, %z: !tile.view<128xf32>, %n: !tile.view<128xi1>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %mt = tile.load %m[%c0] [128] : !tile.view<128xi1> -> tensor<128xi1, #l>
  %t = tile.load %x[%c0] [128] pad(pos_inf) mask(%mt : tensor<128xi1, #l>)
      : !tile.view<128xf32> -> tensor<128xf32, #l>
  tile.store %t, %y[%c0] mask(%mt : tensor<128xi1, #l>) : tensor<128xf32, #l>, !tile.view<128xf32>
  %am = tile.splat %all [128] : i1 -> tensor<128xi1, #l>
  tile.store %t, %z[%c0] mask(%am : tensor<128xi1, #l>) : tensor<128xf32, #l>, !tile.view<128xf32>
  tile.store %mt, %n[%c0] : tensor<128xi1, #l>, !tile.view<128xi1>
}

// -----

// Of 4 warps, one per row, the last two hold padding of a tile of 2 rows: they read other data and store nothing. The
// second register is padding in every thread.
#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*4], lanes = [d1:32*2], warps = [d0:4*1]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
// CHECK-LABEL: func.func @padding(
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2 : index
// CHECK:         %[[REACH:.*]] = arith.subi %[[TWO]], %{{.*}} : index
// CHECK:         %[[IN:.*]] = arith.cmpi sgt, %[[REACH]], %{{.*}} : index
// CHECK:         arith.select %[[IN]], %{{.*}}, %arg0 : !llvm.ptr<1>
// CHECK:         llvm.load
// CHECK-NOT:     llvm.load
// CHECK:         llvm.inline_asm {{.*}} "@$0 st.global.v2.b32 {{.*}} %[[IN]],
// CHECK-NOT:     llvm.inline_asm
tile.kernel @padding(%x: !tile.view<2x64xf32>) outs(%y: !tile.view<2x64xf32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [2, 64] : !tile.view<2x64xf32> -> tensor<2x64xf32, #l>
  tile.store %t, %y[%c0, %c0] : tensor<2x64xf32, #l>, !tile.view<2x64xf32>
}

// -----

// If warps hold copies, one of them stores.
#l = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [rep:4]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
// CHECK-LABEL: func.func @copies(
// CHECK:         %[[WARP:.*]] = arith.divui
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %[[WARP]], %{{.*}} : index
// CHECK:         llvm.inline_asm {{.*}} "@$0 st.global.v4.b32 {{.*}} %[[FIRST]],
tile.kernel @copies(%x: !tile.view<128xi32>) outs(%y: !tile.view<128xi32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [128] : !tile.view<128xi32> -> tensor<128xi32, #l>
  tile.store %t, %y[%c0] : tensor<128xi32, #l>, !tile.view<128xi32>
}

// -----

// A possibly negative index addresses a tile before the view: all of its elements are out of bounds.
#l = #tile_gpu.layout<registers = [d0:2*1], lanes = [d0:32*2], warps = []>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>
// CHECK-LABEL: func.func @before_the_start(
// CHECK:         %[[START:.*]] = arith.muli %{{.*}}, %{{.*}} overflow<nsw> : index
// CHECK:         %[[LEFT:.*]] = arith.subi %{{.*}}, %[[START]] : index
// CHECK:         %[[BEFORE:.*]] = arith.cmpi slt, %[[START]], %[[ZERO:.*]] : index
// CHECK:         arith.select %[[BEFORE]], %[[ZERO]], %[[LEFT]] : index
// CHECK-COUNT-2: llvm.load %{{[0-9]+}} {alignment = 8 : i64} : !llvm.ptr<1> -> f64
tile.kernel @before_the_start(%i: index) outs(%y: !tile.view<?xf64>) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.load %y[%i] [64] : !tile.view<?xf64> -> tensor<64xf64, #l>
  tile.store %t, %y[%i] : tensor<64xf64, #l>, !tile.view<?xf64>
}

// -----

// A block for each row: all rows are in bounds, although their number is unknown.
#l = #tile_gpu.layout<registers = [d1:2*1], lanes = [d1:32*2], warps = []>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>
// CHECK-LABEL: func.func @block_a_row(
// CHECK-NOT:     arith.cmpi
// CHECK:         llvm.store {{.*}} : vector<2xi32>, !llvm.ptr<1>
tile.kernel @block_a_row(%x: !tile.view<?x64xi32>) outs(%y: !tile.view<?x64xi32>)
    grid [dim(%y, 0)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %i = tile.iota [64] : tensor<64xi32, #tile_gpu.layout<registers = [d0:2*1], lanes = [d0:32*2], warps = []>>
  %z = arith.constant dense<0> : tensor<1x64xi32, #l>
  tile.store %z, %y[%m, %c0] : tensor<1x64xi32, #l>, !tile.view<?x64xi32>
}

// -----

// Lanes whose unit is out of bounds read the first unit of the view instead. A view that may be shorter than a unit has
// none: they read nothing.
#l = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = []>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>
// CHECK-LABEL: func.func @shorter_than_a_unit(
// CHECK:         llvm.inline_asm {{.*}}ld.global.v4.b32
// CHECK:         llvm.inline_asm {{.*}}ld.global.v4.b32
// CHECK:         llvm.load {{.*}} -> vector<4xf32>
tile.kernel @shorter_than_a_unit(%a: !tile.view<3xf32>, %b: !tile.view<?xf32>, %c: !tile.view<5xf32>)
    outs(%x: !tile.view<128xf32>, %y: !tile.view<128xf32>, %z: !tile.view<128xf32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0] [128] : !tile.view<3xf32> -> tensor<128xf32, #l>
  %1 = tile.load %b[%c0] [128] : !tile.view<?xf32> -> tensor<128xf32, #l>
  %2 = tile.load %c[%c0] [128] : !tile.view<5xf32> -> tensor<128xf32, #l>
  tile.store %0, %x[%c0] : tensor<128xf32, #l>, !tile.view<128xf32>
  tile.store %1, %y[%c0] : tensor<128xf32, #l>, !tile.view<128xf32>
  tile.store %2, %z[%c0] : tensor<128xf32, #l>, !tile.view<128xf32>
}

// -----

// A load before the wait for other launches whose result is used after it keeps its place.
#l = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [d0:4*128]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
// CHECK-LABEL: func.func @early(
// CHECK:         llvm.load volatile %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:         griddepcontrol.wait
tile.kernel @early(%x: !tile.view<512xf32>) outs(%y: !tile.view<512xf32>)
    grid [1] attributes {tile.launch_invariant = array<i64: 0>, tile_gpu.overlaps, tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] [512] {tile_gpu.early} : !tile.view<512xf32> -> tensor<512xf32, #l>
  tile_gpu.await_launch
  tile.store %t, %y[%c0] : tensor<512xf32, #l>, !tile.view<512xf32>
}
