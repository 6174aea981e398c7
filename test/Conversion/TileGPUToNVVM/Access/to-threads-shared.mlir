// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#l = #tile_gpu.layout<registers = [d1:8*1, d0:2*4], lanes = [d1:8*8, d0:4*1], warps = []>

// Eight adjacent bf16 are one access; rows of 128 bytes are permuted by XOR with the row.
// CHECK-LABEL: func.func @swizzled
// CHECK-COUNT-2: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<8xbf16>, !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xbf16>
tile.kernel @swizzled(%s: bf16) grid [1] attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<8x64xbf16, swizzle = 128>
  %t = tile.splat %s [8, 64] : bf16 -> tensor<8x64xbf16, #l>
  tile_gpu.write %t, %b : tensor<8x64xbf16, #l>, !tile_gpu.shared<8x64xbf16, swizzle = 128>
  tile_gpu.barrier
  %r = tile_gpu.read %b : !tile_gpu.shared<8x64xbf16, swizzle = 128> -> tensor<8x64xbf16, #l>
  %x = arith.cmpf olt, %r, %t : tensor<8x64xbf16, #l>
  tile.assert %x, "in order" : tensor<8x64xi1, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#l = #tile_gpu.layout<registers = [d1:4*1, d0:2*4], lanes = [d1:8*4, d0:4*1], warps = []>

// A row of 6 is written two by two, and only by lanes within it; rows from 4 on only by the lanes of row 0.
// CHECK-LABEL: func.func @edges
// CHECK:         %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %c6
// CHECK:         scf.if %[[IN]]
// CHECK:           llvm.store %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<3>
// CHECK:         %[[NEXT:.*]] = arith.cmpi slt, %{{.*}}, %c4
// CHECK:         scf.if %[[NEXT]]
tile.kernel @edges(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<5x6xf32, padding = 2>
  %t = tile.splat %s [5, 6] : f32 -> tensor<5x6xf32, #l>
  tile_gpu.write %t, %b : tensor<5x6xf32, #l>, !tile_gpu.shared<5x6xf32, padding = 2>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#l = #tile_gpu.layout<registers = [d0:2*32], lanes = [d0:32*1], warps = []>

// A boolean takes a byte.
// CHECK-LABEL: func.func @masks
// CHECK-COUNT-2: llvm.store %{{.*}} : i8, !llvm.ptr<3>
tile.kernel @masks(%s: i1) grid [1] attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<64xi1>
  %t = tile.splat %s [64] : i1 -> tensor<64xi1, #l>
  tile_gpu.write %t, %b : tensor<64xi1, #l>, !tile_gpu.shared<64xi1>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>
#l = #tile_gpu.layout<registers = [d0:2*1, d0:2*8], lanes = [d0:4*2, d1:8*1], warps = []>

// Bytes that are apart in memory are loaded one by one and become halves of pairs.
// CHECK-LABEL: func.func @bytes
// CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr<3> -> i8
// CHECK:         %[[FIRST:.*]] = llvm.insertelement %{{.*}} : vector<2xi8>
// CHECK:         %[[PAIR:.*]] = llvm.insertelement %{{.*}}, %[[FIRST]]
// CHECK:         llvm.extractelement %[[PAIR]]
// CHECK:         llvm.extractelement %[[PAIR]]
tile.kernel @bytes(%s: i8) grid [1] attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<16x128xi8, swizzle = 128>
  %t = tile.splat %s [16, 8] : i8 -> tensor<16x8xi8, #l>
  %r = tile_gpu.read %b : !tile_gpu.shared<16x128xi8, swizzle = 128> -> tensor<16x8xi8, #l>
  %x = arith.cmpi eq, %r, %t : tensor<16x8xi8, #l>
  tile.assert %x, "equal" : tensor<16x8xi1, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#l = #tile_gpu.layout<registers = [d0:2*1, d1:8*1], lanes = [d1:8*8, d0:4*2], warps = []>

// Eight adjacent bf16 are written at once, also if every other register holds them.
// CHECK-LABEL: func.func @rows_in_turns
// CHECK-COUNT-2: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<8xbf16>, !llvm.ptr<3>
// CHECK-NOT:     llvm.store
tile.kernel @rows_in_turns(%s: bf16) grid [1] attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<8x64xbf16, swizzle = 128>
  %t = tile.splat %s [8, 64] : bf16 -> tensor<8x64xbf16, #l>
  tile_gpu.write %t, %b : tensor<8x64xbf16, #l>, !tile_gpu.shared<8x64xbf16, swizzle = 128>
}
