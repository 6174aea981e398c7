// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

// A warp per row: each thread holds the index of its row, and reads 4 columns of it at once, if the row is in bounds.
// Unsigned, a negative index is not.
#l = #tile_gpu.layout<registers = [d1:4*1, d0:2*4], lanes = [d1:32*4], warps = [d0:4*1]>
#i = #tile_gpu.layout<registers = [d0:2*4], lanes = [rep:32], warps = [d0:4*1]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
!W = !tile.view<50257x768xf32>
!I = !tile.view<?xi32>
// CHECK-LABEL: func.func @gather(
// CHECK-SAME:    %[[W:[^:]*]]: !llvm.ptr<1>
// CHECK-DAG:     %[[V:.*]] = arith.constant 50257 : index
// CHECK-COUNT-2: llvm.load {{.*}} invariant {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK:         %[[ID:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK:         %[[EXISTS:.*]] = arith.cmpi ult, %[[ID]], %[[V]] : index
// CHECK:         %[[COLUMN:.*]] = llvm.getelementptr %[[W]]
// CHECK:         %[[TILE:.*]] = llvm.getelementptr %[[COLUMN]]
// CHECK:         %[[ROW:.*]] = arith.index_cast %[[ID]] : index to i64
// CHECK:         %[[DISTANCE:.*]] = arith.muli %[[ROW]], %{{.*}} overflow<nsw> : i64
// CHECK:         %[[THERE:.*]] = llvm.getelementptr %[[TILE]][%[[DISTANCE]]]
// CHECK:         %[[AT:.*]] = arith.select %[[EXISTS]], %[[THERE]], %[[W]] : !llvm.ptr<1>
// CHECK:         llvm.load %[[AT]] invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:         llvm.load {{.*}} -> vector<4xf32>
tile.kernel @gather(%w: !W, %ids: !I) outs(%y: !tile.view<?x768xf32>)
    grid [ceildiv(dim(%y, 0), 8), 6] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %id = tile.load %ids[%m] [8] : !I -> tensor<8xi32, #i>
  %t = tile.gather %w[%n] at %id axis 0 [8, 128] : !W, tensor<8xi32, #i> -> tensor<8x128xf32, #l>
  tile.store %t, %y[%m, %n] : tensor<8x128xf32, #l>, !tile.view<?x768xf32>
}

// -----

// The index of padding is arbitrary: only rows of the tile are written. Wide entries are compared as they are.
#l = #tile_gpu.layout<registers = [d1:2*1], lanes = [d1:32*2], warps = [d0:4*1]>
#i = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [d0:4*1]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
!C = !tile.view<?x64xbf16>
// CHECK-LABEL: func.func @scatter(
// CHECK-SAME:    %[[Y:[^:]*]]: !llvm.ptr<1>, %[[ROWS:[^:]*]]: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: !llvm.ptr<1>)
// CHECK:         %[[REACH:.*]] = arith.subi
// CHECK:         %[[INSIDE:.*]] = arith.cmpi sgt, %[[REACH]]
// CHECK:         %[[ID:.*]] = llvm.load {{.*}} -> i64
// CHECK:         %[[ENTRY:.*]] = arith.select %[[INSIDE]], %[[ID]], %{{.*}} : i64
// CHECK:         %[[EXISTS:.*]] = arith.cmpi ult, %[[ENTRY]], %[[ROWS]] : i64
// CHECK:         %[[COLUMN:.*]] = llvm.getelementptr %[[Y]]
// CHECK:         %[[ROW:.*]] = arith.muli %[[ENTRY]],
// CHECK:         %[[AT:.*]] = llvm.getelementptr %[[COLUMN]][%[[ROW]]]
// CHECK:         %[[BOTH:.*]] = arith.andi %[[INSIDE]], %[[EXISTS]] : i1
// CHECK:         llvm.inline_asm {{.*}} "@$0 st.global.b32 [$1+0], $2;", "b,l,r" %[[BOTH]], %[[AT]],
tile.kernel @scatter(%x: !tile.view<3x64xbf16>, %slots: !tile.view<3xi64>) outs(%y: !C)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %id = tile.load %slots[%c0] [3] : !tile.view<3xi64> -> tensor<3xi64, #i>
  %t = tile.load %x[%c0, %c0] [3, 64] : !tile.view<3x64xbf16> -> tensor<3x64xbf16, #l>
  tile.scatter %t, %y[%c0] at %id axis 0 : tensor<3x64xbf16, #l>, !C, tensor<3xi64, #i>
}

// -----

// Along the contiguous axis adjacent elements are scattered one by one; a narrow index keeps its sign.
#l = #tile_gpu.layout<registers = [d0:2*1], lanes = [d0:32*2], warps = []>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 1>
!V = !tile.view<100xf32>
// CHECK-LABEL: func.func @gather_elements(
// CHECK:         llvm.load {{.*}} -> vector<2xi8>
// CHECK:         arith.index_cast %{{.*}} : i8 to index
// CHECK-COUNT-2: llvm.load {{.*}} -> f32
// CHECK:         llvm.store {{.*}} : vector<2xf32>
tile.kernel @gather_elements(%x: !V, %at: !tile.view<64xi8>) outs(%y: !tile.view<64xf32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %id = tile.load %at[%c0] [64] : !tile.view<64xi8> -> tensor<64xi8, #l>
  %t = tile.gather %x[] at %id axis 0 [64] pad(nan) : !V, tensor<64xi8, #l> -> tensor<64xf32, #l>
  tile.store %t, %y[%c0] : tensor<64xf32, #l>, !tile.view<64xf32>
}
