// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, d0:8*1], warps = [d0:2*16, d1:2*32]>

// A warp computes 16 × 32: one fragment of lhs times four of rhs, which are loaded two at a time, for each of two
// steps.
// CHECK-LABEL: func.func @multiplies_along_rows
// CHECK-COUNT-3: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK-COUNT-4: nvvm.mma.sync {{.*}} {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
// CHECK-COUNT-3: nvvm.ldmatrix
// CHECK-COUNT-4: nvvm.mma.sync
// CHECK-NOT:     nvvm.mma.sync
tile.kernel @multiplies_along_rows(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<32x32xbf16, swizzle = 64>
  %b = tile_gpu.alloc {offset = 2048 : i64} : !tile_gpu.shared<64x32xbf16, swizzle = 64>
  %z = tile.splat %s [32, 64] : f32 -> tensor<32x64xf32, #l>
  %d = tile_gpu.dot %a, %b, %z transpose_b
      : !tile_gpu.shared<32x32xbf16, swizzle = 64>, !tile_gpu.shared<64x32xbf16, swizzle = 64>, tensor<32x64xf32, #l>
      -> tensor<32x64xf32, #l>
  %x = arith.cmpf olt, %d, %z : tensor<32x64xf32, #l>
  tile.assert %x, "small" : tensor<32x64xi1, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, d0:8*1], warps = [d0:2*16, d1:2*32]>

// Operands across the depth are transposed on the way; a large depth is a loop over whole panels.
// CHECK-LABEL: func.func @transposes_on_the_way
// CHECK:         scf.for %{{.*}} = %c0 to %c16 step %c1 iter_args
// CHECK:           nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK:           nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK-COUNT-16:  nvvm.mma.sync {{.*}} : (vector<2xf16>, vector<2xf16>, f32)
// CHECK-NOT:       nvvm.mma.sync
// CHECK:           scf.yield
tile.kernel @transposes_on_the_way(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<1024x32xf16, swizzle = 64>
  %b = tile_gpu.alloc {offset = 65536 : i64} : !tile_gpu.shared<1024x64xf16, swizzle = 128>
  %z = tile.splat %s [32, 64] : f32 -> tensor<32x64xf32, #l>
  %d = tile_gpu.dot %a, %b, %z transpose_a
      : !tile_gpu.shared<1024x32xf16, swizzle = 64>, !tile_gpu.shared<1024x64xf16, swizzle = 128>, tensor<32x64xf32, #l>
      -> tensor<32x64xf32, #l>
  %x = arith.cmpf olt, %d, %z : tensor<32x64xf32, #l>
  tile.assert %x, "small" : tensor<32x64xi1, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 2>
#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:3*8], lanes = [d1:4*2, d0:8*1], warps = [d0:2*16]>

// Elements become tf32 in registers; 4-byte elements across the depth are loaded one by one. Rows 24 to 31 are out of
// bounds: their lanes load the last row.
// CHECK-LABEL: func.func @rounds_to_tf32
// CHECK:         arith.minui %{{.*}}, %c23
// CHECK:         nvvm.ldmatrix {{.*}} num = 4 : i32
// CHECK-COUNT-4: nvvm.convert.float.to.tf32 %{{.*}} {rnd = #nvvm.fp_rnd_mode<rn>}
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK:         nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<tf32>{{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 8>
tile.kernel @rounds_to_tf32(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<24x8xf32, swizzle = 32>
  %b = tile_gpu.alloc {offset = 1024 : i64} : !tile_gpu.shared<8x24xf32, padding = 16>
  %z = tile.splat %s [24, 24] : f32 -> tensor<24x24xf32, #l>
  %d = tile_gpu.dot %a, %b, %z precision(tf32)
      : !tile_gpu.shared<24x8xf32, swizzle = 32>, !tile_gpu.shared<8x24xf32, padding = 16>, tensor<24x24xf32, #l>
      -> tensor<24x24xf32, #l>
  %x = arith.cmpf olt, %d, %z : tensor<24x24xf32, #l>
  tile.assert %x, "small" : tensor<24x24xi1, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = []>

// A single fragment of rhs takes half a load; integers wrap.
// CHECK-LABEL: func.func @multiplies_bytes
// CHECK:         nvvm.ldmatrix {{.*}} num = 4 : i32
// CHECK:         nvvm.ldmatrix {{.*}} num = 2 : i32
// CHECK:         nvvm.mma.sync {{.*}}intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, {{.*}}multiplicandAPtxType = #nvvm.mma_type<u8>, multiplicandBPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 16, n = 8, k = 32>
tile.kernel @multiplies_bytes(%s: i32) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<16x32xi8, swizzle = 32>
  %b = tile_gpu.alloc {offset = 1024 : i64} : !tile_gpu.shared<8x32xi8, swizzle = 32>
  %z = tile.splat %s [16, 8] : i32 -> tensor<16x8xi32, #l>
  %d = tile_gpu.dot %a, %b, %z transpose_b unsigned_lhs
      : !tile_gpu.shared<16x32xi8, swizzle = 32>, !tile_gpu.shared<8x32xi8, swizzle = 32>, tensor<16x8xi32, #l>
      -> tensor<16x8xi32, #l>
  %x = arith.cmpi slt, %d, %z : tensor<16x8xi32, #l>
  tile.assert %x, "small" : tensor<16x8xi1, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = []>

// Bytes across the depth are loaded one by one, four per register: two registers of rhs.
// CHECK-LABEL: func.func @picks_bytes
// CHECK:         nvvm.ldmatrix {{.*}} num = 4 : i32
// CHECK-COUNT-8: llvm.load %{{.*}} : !llvm.ptr<3> -> i8
// CHECK-NOT:     llvm.load
// CHECK:         nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 16, n = 8, k = 32>
tile.kernel @picks_bytes(%s: i32) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<16x32xi8, swizzle = 32>
  %b = tile_gpu.alloc {offset = 1024 : i64} : !tile_gpu.shared<32x8xi8, padding = 16>
  %z = tile.splat %s [16, 8] : i32 -> tensor<16x8xi32, #l>
  %d = tile_gpu.dot %a, %b, %z
      : !tile_gpu.shared<16x32xi8, swizzle = 32>, !tile_gpu.shared<32x8xi8, padding = 16>, tensor<16x8xi32, #l>
      -> tensor<16x8xi32, #l>
  %x = arith.cmpi slt, %d, %z : tensor<16x8xi32, #l>
  tile.assert %x, "small" : tensor<16x8xi1, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#rows = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
#out = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>

// Only rhs comes from shared memory: registers of lhs are packed two by two.
// CHECK-LABEL: func.func @takes_lhs_from_registers
// CHECK:         llvm.bitcast %{{.*}} : vector<2xbf16> to i32
// CHECK:         nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>, num = 2 : i32
// CHECK-NOT:     nvvm.ldmatrix
// CHECK:         nvvm.mma.sync
tile.kernel @takes_lhs_from_registers(%s: f32, %h: bf16) grid [1] attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<16x8xbf16, padding = 8>
  %z = tile.splat %s [64, 8] : f32 -> tensor<64x8xf32, #out>
  %a = tile.splat %h [64, 16] : bf16 -> tensor<64x16xbf16, #rows>
  %d = tile_gpu.dot %a, %b, %z
      : tensor<64x16xbf16, #rows>, !tile_gpu.shared<16x8xbf16, padding = 8>, tensor<64x8xf32, #out>
      -> tensor<64x8xf32, #out>
  %x = arith.cmpf olt, %d, %z : tensor<64x8xf32, #out>
  tile.assert %x, "small" : tensor<64x8xi1, #out>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>
#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = []>

// Sums of f8 products keep full precision: elements are widened in registers, for two instructions per step.
// CHECK-LABEL: func.func @widens_f8
// CHECK:         nvvm.ldmatrix {{.*}} num = 4 : i32
// CHECK-COUNT-8: nvvm.convert.f8x2.to.f16x2 %{{.*}} : vector<2xi8>(f8E4M3FN) -> vector<2xf16>
// CHECK:         nvvm.ldmatrix {{.*}} num = 2 : i32
// CHECK-COUNT-4: nvvm.convert.f8x2.to.f16x2 %{{.*}} : vector<2xi8>(f8E5M2) -> vector<2xf16>
// CHECK-COUNT-2: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>{{.*}} : (vector<2xf16>, vector<2xf16>, f32)
// CHECK-NOT:     nvvm.mma.sync
tile.kernel @widens_f8(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<16x32xf8E4M3FN, swizzle = 32>
  %b = tile_gpu.alloc {offset = 1024 : i64} : !tile_gpu.shared<8x32xf8E5M2, swizzle = 32>
  %z = tile.splat %s [16, 8] : f32 -> tensor<16x8xf32, #l>
  %d = tile_gpu.dot %a, %b, %z transpose_b
      : !tile_gpu.shared<16x32xf8E4M3FN, swizzle = 32>, !tile_gpu.shared<8x32xf8E5M2, swizzle = 32>, tensor<16x8xf32, #l>
      -> tensor<16x8xf32, #l>
  %x = arith.cmpf olt, %d, %z : tensor<16x8xf32, #l>
  tile.assert %x, "small" : tensor<16x8xi1, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 1>
#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = []>

// They are also widened if there is no f8 instruction, whatever the kernel allows.
// CHECK-LABEL: func.func @widens_f8_by_arithmetic
// CHECK-DAG:     %[[SCALE:.*]] = arith.constant dense<2.560000e+02> : vector<2xf16>
// CHECK-DAG:     %[[LOW:.*]] = arith.constant 5124 : i32
// CHECK-DAG:     %[[HIGH:.*]] = arith.constant 13348 : i32
// CHECK:         llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.*}}, %{{.*}}, %[[LOW]])
// CHECK:         arith.mulf %{{.*}}, %[[SCALE]] : vector<2xf16>
// CHECK:         llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.*}}, %{{.*}}, %[[HIGH]])
// CHECK-COUNT-11: arith.mulf %{{.*}}, %[[SCALE]] : vector<2xf16>
// CHECK-COUNT-2: nvvm.mma.sync {{.*}} : (vector<2xf16>, vector<2xf16>, f32)
tile.kernel @widens_f8_by_arithmetic(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<16x32xf8E4M3FN, swizzle = 32>
  %b = tile_gpu.alloc {offset = 1024 : i64} : !tile_gpu.shared<8x32xf8E4M3FN, swizzle = 32>
  %z = tile.splat %s [16, 8] : f32 -> tensor<16x8xf32, #l>
  %d = tile_gpu.dot %a, %b, %z transpose_b precision(fast)
      : !tile_gpu.shared<16x32xf8E4M3FN, swizzle = 32>, !tile_gpu.shared<8x32xf8E4M3FN, swizzle = 32>, tensor<16x8xf32, #l>
      -> tensor<16x8xf32, #l>
  %x = arith.cmpf olt, %d, %z : tensor<16x8xf32, #l>
  tile.assert %x, "small" : tensor<16x8xi1, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_89", warps = 1>
#l = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = []>

// If sums may lose precision, f8 elements are multiplied directly.
// CHECK-LABEL: func.func @multiplies_f8
// CHECK-NOT:     convert
// CHECK:         llvm.inline_asm {{.*}}"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
// CHECK-NOT:     mma.sync
tile.kernel @multiplies_f8(%s: f32) grid [1] attributes {tile_gpu.plan = #plan} {
  %a = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<16x32xf8E4M3FN, swizzle = 32>
  %b = tile_gpu.alloc {offset = 1024 : i64} : !tile_gpu.shared<8x32xf8E5M2, swizzle = 32>
  %z = tile.splat %s [16, 8] : f32 -> tensor<16x8xf32, #l>
  %d = tile_gpu.dot %a, %b, %z transpose_b precision(fast)
      : !tile_gpu.shared<16x32xf8E4M3FN, swizzle = 32>, !tile_gpu.shared<8x32xf8E5M2, swizzle = 32>, tensor<16x8xf32, #l>
      -> tensor<16x8xf32, #l>
  %x = arith.cmpf olt, %d, %z : tensor<16x8xf32, #l>
  tile.assert %x, "small" : tensor<16x8xi1, #l>
}
