// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#l = #tile_gpu.layout<registers = [d0:4*1, d0:3*512], lanes = [d0:32*4], warps = [d0:4*128]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Entries from any one on: four are cut out of the two aligned vectors that contain them. Only elements 7 to 1490 are known
// to be entries: other vectors are loaded if they are whole, and the last three entries one by one.
// CHECK-LABEL: func.func @consecutive(
// CHECK-SAME:    %[[G:[^:]*]]: !llvm.ptr<1>
// CHECK-DAG:     %[[END:.*]] = arith.constant 1496 : index
// CHECK:         %[[BEHIND:.*]] = arith.andi %[[I:.*]], %c3{{.*}} : index
// CHECK:         %[[PLACE:.*]] = arith.subi %[[I]], %[[BEHIND]] : index
// CHECK:         %[[WHOLE:.*]] = arith.cmpi ult, %[[PLACE]], %[[END]] : index
// CHECK:         llvm.inline_asm {{.*}}@$4 ld.global.v4.b32 {{.*}} %[[WHOLE]],
// CHECK:         %[[LAST:.*]] = arith.cmpi eq, %[[PLACE]], %[[END]] : index
// CHECK:         %[[A:.*]] = llvm.getelementptr %[[G]][1496]
// CHECK:         llvm.load %[[A]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK:         %[[B:.*]] = llvm.getelementptr %[[G]][1497]
// CHECK:         llvm.load %[[B]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK:         %[[C:.*]] = llvm.getelementptr %[[G]][1498]
// CHECK:         llvm.load %[[C]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-COUNT-4: arith.select %[[LAST]]
// CHECK:         llvm.inline_asm {{.*}}@$4 ld.global.v4.b32
// CHECK:         arith.andi %{{.*}}, %c8_i32 : i32
// CHECK-COUNT-5: arith.select
// CHECK:         arith.andi %{{.*}}, %c4_i32 : i32
// CHECK-COUNT-4: arith.select
// CHECK-NOT:     llvm.intr.fshr
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK:         llvm.inline_asm {{.*}}@$4 ld.global.v4.b32
tile.kernel @consecutive(%g: !tile.view<1499xf32>) grid [2] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<1536xf32>
  %first = arith.index_cast %m : index to i32
  %firsts = tile.splat %first [1536] : i32 -> tensor<1536xi32, #l>
  %iota = tile.iota [1536] : tensor<1536xi32, #l>
  %places = arith.subi %iota, %firsts : tensor<1536xi32, #l>
  %t = tile.gather %g[] at %places axis 0 [1536] {tile_gpu.realigned = array<i64: 7, 1490>} : !tile.view<1499xf32>, tensor<1536xi32, #l> -> tensor<1536xf32, #l>
  tile_gpu.write %t, %b : tensor<1536xf32, #l>, !tile_gpu.shared<1536xf32>
}

// -----

#l = #tile_gpu.layout<registers = [d0:8*1], lanes = [d0:32*8], warps = [d0:4*256]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Halves of words are shifted, too; how many entries follow the last whole vector is known at run time.
// CHECK-LABEL: func.func @halves(
// CHECK-COUNT-7: llvm.inline_asm {{.*}}@$1 ld.global.b16
// CHECK-COUNT-4: llvm.intr.fshr
tile.kernel @halves(%g: !tile.view<?xbf16>) grid [2] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<1024xbf16>
  %first = arith.index_cast %m : index to i32
  %firsts = tile.splat %first [1024] : i32 -> tensor<1024xi32, #l>
  %iota = tile.iota [1024] : tensor<1024xi32, #l>
  %places = arith.subi %iota, %firsts : tensor<1024xi32, #l>
  %t = tile.gather %g[] at %places axis 0 [1024] {tile_gpu.realigned = array<i64: 0, 0>} : !tile.view<?xbf16>, tensor<1024xi32, #l> -> tensor<1024xbf16, #l>
  tile_gpu.write %t, %b : tensor<1024xbf16, #l>, !tile_gpu.shared<1024xbf16>
}

// -----

#l = #tile_gpu.layout<registers = [d0:8*128], lanes = [d0:32*1], warps = [d0:4*32]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Threads that hold less than a word of adjacent entries read them one by one.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-8: llvm.load {{.*}} -> bf16
tile.kernel @apart(%g: !tile.view<?xbf16>) grid [2] attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<1024xbf16>
  %places = tile.iota [1024] : tensor<1024xi32, #l>
  %t = tile.gather %g[] at %places axis 0 [1024] {tile_gpu.realigned = array<i64: 0, 0>} : !tile.view<?xbf16>, tensor<1024xi32, #l> -> tensor<1024xbf16, #l>
  tile_gpu.write %t, %b : tensor<1024xbf16, #l>, !tile_gpu.shared<1024xbf16>
}

// -----

#l = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [d0:4*128]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A known distance of three entries: the last of one vector and three of the next. Without a distance, one vector.
// CHECK-LABEL: func.func @known(
// CHECK:         %[[PLACE:.*]] = arith.subi %{{.*}}, %c3{{.*}} : index
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-NOT:     arith.select
// CHECK:         llvm.store
// CHECK:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-NOT:     llvm.load
// CHECK:         llvm.store
tile.kernel @known(%g: !tile.view<1024xf32>) grid [2] attributes {tile_gpu.plan = #plan} {
  %b = tile_gpu.alloc {offset = 0 : i64} : !tile_gpu.shared<512xf32>
  %three = arith.constant 3 : i32
  %threes = tile.splat %three [512] : i32 -> tensor<512xi32, #l>
  %iota = tile.iota [512] : tensor<512xi32, #l>
  %places = arith.addi %iota, %threes : tensor<512xi32, #l>
  %t = tile.gather %g[] at %places axis 0 [512] {tile_gpu.realigned = array<i64: 0, 512, 3>} : !tile.view<1024xf32>, tensor<512xi32, #l> -> tensor<512xf32, #l>
  tile_gpu.write %t, %b : tensor<512xf32, #l>, !tile_gpu.shared<512xf32>
  %u = tile.gather %g[] at %iota axis 0 [512] {tile_gpu.realigned = array<i64: 0, 512, 0>} : !tile.view<1024xf32>, tensor<512xi32, #l> -> tensor<512xf32, #l>
  tile_gpu.write %u, %b : tensor<512xf32, #l>, !tile_gpu.shared<512xf32>
}
