// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#l = #tile_gpu.layout<registers = [d1:4*8, d0:4*4], lanes = [d1:8*1, d0:4*1], warps = [d0:2*16, d1:2*32]>

// 16 elements per thread: eight times four steps of the depth make 512 multiply-adds per iteration. Both operands are
// contiguous along the depth and loaded four steps at a time.
// CHECK-LABEL: func.func @unrolls_as_much_as_pays
// CHECK:         scf.for %{{.*}} = %c0 to %c256 step %c32 iter_args
// CHECK-COUNT-64:  llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT:       llvm.load
// CHECK-COUNT-512: math.fma {{.*}} : f32
// CHECK-NOT:       math.fma
// CHECK:           scf.yield
tile.kernel @unrolls_as_much_as_pays(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<32x256xf32, padding = 4>
  %b = tile_gpu.alloc {offset = 33280 : i64} : !tile_gpu.shared<64x256xf32, padding = 4>
  %z = tile.splat %s [32, 64] : f32 -> tensor<32x64xf32, #l>
  %d = tile_gpu.dot %a, %b, %z transpose_b
      : !tile_gpu.shared<32x256xf32, padding = 4>, !tile_gpu.shared<64x256xf32, padding = 4>, tensor<32x64xf32, #l>
      -> tensor<32x64xf32, #l>
  %x = arith.cmpf olt, %d, %z : tensor<32x64xf32, #l>
  tile.assert %x, "small" : tensor<32x64xi1, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#l = #tile_gpu.layout<registers = [d0:2*4], lanes = [d1:8*1, d0:4*1], warps = []>

// Elements across the depth are loaded one by one; integers are widened and wrap.
// CHECK-LABEL: func.func @multiplies_integers
// CHECK-COUNT-5: llvm.load %{{.*}} : !llvm.ptr<3> -> i8
// CHECK:         arith.extui %{{.*}} : i8 to i32
// CHECK:         llvm.load %{{.*}} : !llvm.ptr<3> -> i16
// CHECK:         arith.extsi %{{.*}} : i16 to i32
// CHECK:         arith.muli
// CHECK-NEXT:    arith.addi
tile.kernel @multiplies_integers(%s: i32) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<8x5xi8>
  %b = tile_gpu.alloc {offset = 64 : i64} : !tile_gpu.shared<5x8xi16>
  %z = tile.splat %s [8, 8] : i32 -> tensor<8x8xi32, #l>
  %d = tile_gpu.dot %a, %b, %z unsigned_lhs
      : !tile_gpu.shared<8x5xi8>, !tile_gpu.shared<5x8xi16>, tensor<8x8xi32, #l> -> tensor<8x8xi32, #l>
  %x = arith.cmpi slt, %d, %z : tensor<8x8xi32, #l>
  tile.assert %x, "small" : tensor<8x8xi1, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#l = #tile_gpu.layout<registers = [d1:2*8, d0:2*4], lanes = [d1:8*1, d0:4*1], warps = []>

// Of rows 4 … 7 of a tile with 5 rows one exists: the others read the last row instead.
// CHECK-LABEL: func.func @reads_nothing_outside_the_buffer
// CHECK:         %[[ROW:.*]] = arith.addi %{{.*}}, %c4
// CHECK:         arith.minui %[[ROW]], %c4
// CHECK-COUNT-8: math.fma
// CHECK-NOT:     math.fma
tile.kernel @reads_nothing_outside_the_buffer(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<5x2xf32>
  %b = tile_gpu.alloc {offset = 64 : i64} : !tile_gpu.shared<2x16xf32>
  %z = tile.splat %s [5, 16] : f32 -> tensor<5x16xf32, #l>
  %d = tile_gpu.dot %a, %b, %z
      : !tile_gpu.shared<5x2xf32>, !tile_gpu.shared<2x16xf32>, tensor<5x16xf32, #l> -> tensor<5x16xf32, #l>
  %x = arith.cmpf olt, %d, %z : tensor<5x16xf32, #l>
  tile.assert %x, "small" : tensor<5x16xi1, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#l = #tile_gpu.layout<registers = [d1:8*8, d0:16*4], lanes = [d0:2*1, d1:8*1, d0:2*2], warps = []>

// 128 accumulators per thread: two columns at a time, down one and up the other, all steps of a load.
// CHECK-LABEL: func.func @puts_many_in_order
// CHECK:         %[[A:.*]] = llvm.intr.fma(%[[FIRST:.*]], %[[COLUMN:.*]], %{{.*}}) : (f32, f32, f32) -> f32
// CHECK-COUNT-14: llvm.intr.fma(%{{.*}}, %[[COLUMN]], %{{.*}})
// CHECK-NEXT:    llvm.intr.fma(%[[LAST:.*]], %[[COLUMN]], %{{.*}})
// CHECK-NEXT:    llvm.intr.fma(%[[LAST]], %[[NEXT:.*]], %{{.*}})
// CHECK-COUNT-14: llvm.intr.fma(%{{.*}}, %[[NEXT]], %{{.*}})
// CHECK-NEXT:    llvm.intr.fma(%[[FIRST]], %[[NEXT]], %{{.*}})
// CHECK-NEXT:    llvm.intr.fma(%{{.*}}, %{{.*}}, %[[A]])
// CHECK-NOT:     math.fma
tile.kernel @puts_many_in_order(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<64x4xf32>
  %b = tile_gpu.alloc {offset = 1024 : i64} : !tile_gpu.shared<64x4xf32>
  %z = tile.splat %s [64, 64] : f32 -> tensor<64x64xf32, #l>
  %d = tile_gpu.dot %a, %b, %z transpose_b
      : !tile_gpu.shared<64x4xf32>, !tile_gpu.shared<64x4xf32>, tensor<64x64xf32, #l> -> tensor<64x64xf32, #l>
  %x = arith.cmpf olt, %d, %z : tensor<64x64xf32, #l>
  tile.assert %x, "small" : tensor<64x64xi1, #l>
}
