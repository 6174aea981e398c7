// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// Renaming axes moves nothing: only the sum remains.
#row = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:32*4], warps = [d0:4*1]>
#turned = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [d1:4*1]>
#columns = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [rep:4]>
#tall = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:32*4], warps = [rep:4]>

// CHECK-LABEL: func.func @other_names(
// CHECK-NOT:     nvvm.barrier
// CHECK-NOT:     llvm.load
// CHECK:         return
tile.kernel @other_names() grid [1] attributes {tile_gpu.plan = #plan} {
  %i = tile.iota [128] : tensor<128xi32, #columns>
  %e = tile.expand_dims %i, 0 : tensor<128xi32, #columns> -> tensor<1x128xi32, #tall>
  %b = tile.broadcast %e [4, 128] : tensor<1x128xi32, #tall> -> tensor<4x128xi32, #row>
  %p = tile.permute %b [1, 0] : tensor<4x128xi32, #row> -> tensor<128x4xi32, #turned>
  %r = tile.reshape %i [1, 128] : tensor<128xi32, #columns> -> tensor<1x128xi32, #tall>
  %c = arith.cmpi slt, %p, %p : tensor<128x4xi32, #turned>
  %d = arith.cmpi slt, %r, %e : tensor<1x128xi32, #tall>
  tile.assert %c, "used" : tensor<128x4xi1, #turned>
  tile.assert %d, "used" : tensor<1x128xi1, #tall>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// Columns are split in place; padding in the registers of rows, which are not split, does not matter.
#fragment = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:2*8], lanes = [d1:4*2, d0:8*1], warps = [d1:4*16]>
#cut = #tile_gpu.layout<registers = [d4:2*1, d0:2*8, d2:2*1], lanes = [d3:4*1, d0:8*1], warps = [d1:4*1]>

// CHECK-LABEL: func.func @cut_columns(
// CHECK-NOT:     nvvm.barrier
// CHECK-NOT:     llvm.load
// CHECK:         return
tile.kernel @cut_columns(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %s [4, 64] : f32 -> tensor<4x64xf32, #fragment>
  %r = tile.reshape %t [4, 4, 2, 4, 2] : tensor<4x64xf32, #fragment> -> tensor<4x4x2x4x2xf32, #cut>
  %c = arith.cmpf olt, %r, %r : tensor<4x4x2x4x2xf32, #cut>
  tile.assert %c, "used" : tensor<4x4x2x4x2xi1, #cut>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// Between layouts that no renaming relates, through rows in shared memory: 16 bytes per write. The rows are padded, so
// that reads along the columns have no bank conflicts.
#row = #tile_gpu.layout<registers = [d1:4*1, d0:2*16], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>
#column = #tile_gpu.layout<registers = [d1:8*1], lanes = [d0:32*1], warps = [d1:4*8]>

// CHECK-LABEL: func.func @through_scratch(
// CHECK-NOT:     nvvm.barrier0
// CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT:     llvm.load
tile.kernel @through_scratch(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %s [32, 32] : f32 -> tensor<32x32xf32, #row>
  %r = tile_gpu.convert_layout %t : tensor<32x32xf32, #row> -> tensor<32x32xf32, #column>
  %c = arith.cmpf olt, %r, %r : tensor<32x32xf32, #column>
  tile.assert %c, "used" : tensor<32x32xi1, #column>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// Elements that stay in their warp go through the warp's own memory, 8 rows of 32 columns at a time, out-of-bounds
// elements included. Only the lanes of a warp synchronize.
#fragments = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:5*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#rows = #tile_gpu.layout<registers = [d0:16*1, d1:2*32], lanes = [d1:32*1], warps = [d0:4*16]>

// CHECK-LABEL: func.func @inside_warps(
// CHECK-NOT:     nvvm.barrier0
// CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<3>
// CHECK-NEXT:    nvvm.bar.warp.sync
// CHECK-COUNT-8: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK:         nvvm.bar.warp.sync
// CHECK-COUNT-4: llvm.store %{{.*}} : vector<2xf32>, !llvm.ptr<3>
// CHECK-COUNT-8: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK-NOT:     nvvm.barrier0
// CHECK:         return
tile.kernel @inside_warps(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %t = tile.splat %s [64, 40] : f32 -> tensor<64x40xf32, #fragments>
  %r = tile_gpu.convert_layout %t : tensor<64x40xf32, #fragments> -> tensor<64x40xf32, #rows>
  %c = arith.cmpf olt, %r, %r : tensor<64x40xf32, #rows>
  tile.assert %c, "used" : tensor<64x40xi1, #rows>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>

// A piece of another tile: only the piece is exchanged, and a thread reads it where it replaces its own elements.
#piece = #tile_gpu.layout<registers = [d0:2*1], lanes = [d0:4*2, rep:8], warps = []>
#whole = #tile_gpu.layout<registers = [d0:2*1], lanes = [d0:32*2], warps = []>
#twice = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = []>

// CHECK-LABEL: func.func @pieces(
// CHECK-SAME:    %[[NUMBER:.*]]: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: !llvm.ptr<1>)
// CHECK-NOT:     nvvm.barrier0
// CHECK:         scf.if
// CHECK:           llvm.store %{{.*}} : vector<2xi32>, !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK:         %[[SPLICED:.*]]:2 = scf.if %{{.*}} -> (i32, i32)
// CHECK:           llvm.load %{{.*}} : !llvm.ptr<3> -> vector<2xi32>
// CHECK:         } else {
// Concatenated with itself: each half of the lanes' registers goes to its place.
// CHECK:         nvvm.barrier0
// CHECK:         llvm.store %{{.*}} : vector<2xi32>, !llvm.ptr<3>
// CHECK:         llvm.store %{{.*}} : vector<2xi32>, !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK:         llvm.load %{{.*}} : !llvm.ptr<3> -> vector<4xi32>
// And a piece of that again.
// CHECK:         nvvm.barrier0
// CHECK:         llvm.store %{{.*}} : vector<4xi32>, !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK:         llvm.load %{{.*}} : !llvm.ptr<3> -> vector<2xi32>
tile.kernel @pieces(%n: index) grid [1] attributes {tile_gpu.plan = #plan} {
  %p = tile.iota [8] : tensor<8xi32, #piece>
  %w = tile.iota [64] : tensor<64xi32, #whole>
  %s = tile.insert %p into %w[%n] : tensor<8xi32, #piece> into tensor<64xi32, #whole> -> tensor<64xi32, #whole>
  %d = tile.cat %s, %s axis 0 : tensor<64xi32, #whole>, tensor<64xi32, #whole> -> tensor<128xi32, #twice>
  %e = tile.extract %d[%n] [8] : tensor<128xi32, #twice> -> tensor<8xi32, #piece>
  %c = arith.cmpi slt, %e, %p : tensor<8xi32, #piece>
  tile.assert %c, "used" : tensor<8xi1, #piece>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// An element of a tile that every thread holds is a register; otherwise the thread that holds it broadcasts it.
#all = #tile_gpu.layout<registers = [d0:2*1], lanes = [rep:32], warps = [rep:4]>
#spread = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = [rep:4]>

// CHECK-LABEL: func.func @one_element(
// CHECK-SAME:    %[[A:.*]]: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: !llvm.ptr<1>)
// CHECK:         %[[LANE:.*]] = arith.remui
// CHECK-NOT:     nvvm.barrier0
// CHECK:         scf.if
// CHECK:           llvm.store %{{.*}} : i32, !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK:         llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK-NOT:     nvvm.barrier0
tile.kernel @one_element(%a: i32) grid [1] attributes {tile_gpu.plan = #plan} {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %i = tile.iota [32] : tensor<32xi32, #spread>
  %s = tile.iota [2] : tensor<2xi32, #all>
  %x = tensor.extract %i[%c7] : tensor<32xi32, #spread>
  %y = tensor.extract %s[%c1] : tensor<2xi32, #all>
  %c = arith.cmpi slt, %x, %y : i32
  tile.assert %c, "used" : i1
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>

// What changes threads goes through memory in rows, padded by 16 bytes here, so that neither the lanes that write rows nor
// those that each read 32 adjacent elements meet in a bank. The tiles may have different axes.
#blocked = #tile_gpu.layout<registers = [d1:4*1, d0:8*4], lanes = [d1:8*4, d0:4*1], warps = []>
#runs = #tile_gpu.layout<registers = [d0:32*1], lanes = [d0:32*32], warps = []>

// CHECK-LABEL: func.func @padded_rows(
// CHECK:         %[[LANE:.*]] = arith.remui %{{.*}}, %c32
// CHECK:         %[[ROW:.*]] = arith.divui %[[LANE]], %c8
// CHECK:         arith.muli %[[ROW]], %c36
// CHECK-COUNT-8: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<3>
// CHECK:         %[[FIRST:.*]] = arith.muli %[[LANE]], %c36
// CHECK-COUNT-8: llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xf32>
tile.kernel @padded_rows(%s: f32) outs(%y: !tile.view<1024xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.splat %s [32, 32] : f32 -> tensor<32x32xf32, #blocked>
  %r = tile.reshape %t [1024] : tensor<32x32xf32, #blocked> -> tensor<1024xf32, #runs>
  tile.store %r, %y[%c0] : tensor<1024xf32, #runs>, !tile.view<1024xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>

// Layouts that do not cover exactly the elements of a tile are no such rows.
#wide = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = []>
#odd = #tile_gpu.layout<registers = [d1:4*1, d0:2*4], lanes = [d1:8*4, d0:4*1], warps = []>

// CHECK-LABEL: func.func @plain_rows(
// CHECK:         arith.muli %{{.*}}, %c24
tile.kernel @plain_rows(%s: f32) outs(%y: !tile.view<5x24xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.splat %s [120] : f32 -> tensor<120xf32, #wide>
  %r = tile.reshape %t [5, 24] : tensor<120xf32, #wide> -> tensor<5x24xf32, #odd>
  tile.store %r, %y[%c0, %c0] : tensor<5x24xf32, #odd>, !tile.view<5x24xf32>
}
