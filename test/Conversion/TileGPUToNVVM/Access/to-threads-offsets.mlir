// RUN: tilegpt-opt %s --tile-gpu-to-threads --canonicalize --cse --split-input-file | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#l = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [d0:4*128]>

// Elements adjacent in memory move sixteen bytes at once; predicated if a mask is the same for all four.
// CHECK-LABEL: func.func @vectors(
// CHECK:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT:     llvm.load
// CHECK:         llvm.inline_asm has_side_effects {{.*}}"@$0 st.global.v4.b32 [$1+0], {$2, $3, $4, $5};"
// CHECK-NOT:     llvm.inline_asm
tile.kernel @vectors(%i: index) outs(%y: !tile.view<512xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %p = tile.base %y : !tile.view<512xf32> -> !tile.ptr<f32>
  %o = tile.iota [512] : tensor<512xi32, #l>
  %n = arith.constant dense<260> : tensor<512xi32, #l>
  %m = arith.cmpi slt, %o, %n : tensor<512xi32, #l>
  %v = tile.load_at %p[%o] : !tile.ptr<f32>, tensor<512xi32, #l> -> tensor<512xf32, #l>
  tile.store_at %v, %p[%o] mask(%m : tensor<512xi1, #l>) : tensor<512xf32, #l>, !tile.ptr<f32>, tensor<512xi32, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#l = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [d0:4*128]>

// A mask that splits four adjacent elements makes them move one by one; hidden ones are not read and yield the pad
// value.
// CHECK-LABEL: func.func @elements(
// CHECK-COUNT-4: llvm.inline_asm has_side_effects {{.*}}"mov.b32 $0, 4286578688; @$1 ld.global.b32 $0, [$2];"
// CHECK-NOT:     ld.global
tile.kernel @elements(%i: index) outs(%y: !tile.view<512xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c = arith.constant 0 : index
  %p = tile.base %y : !tile.view<512xf32> -> !tile.ptr<f32>
  %o = tile.iota [512] : tensor<512xi32, #l>
  %n = arith.constant dense<259> : tensor<512xi32, #l>
  %m = arith.cmpi slt, %o, %n : tensor<512xi32, #l>
  %v = tile.load_at %p[%o] pad(neg_inf) mask(%m : tensor<512xi1, #l>) : !tile.ptr<f32>, tensor<512xi32, #l> -> tensor<512xf32, #l>
  tile.store %v, %y[%c] : tensor<512xf32, #l>, !tile.view<512xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#l = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [rep:4]>

// One thread reads data that others may change, after a fence, for all; a store waits for the block's earlier accesses.
// CHECK-LABEL: func.func @ordered(
// CHECK:         scf.if
// CHECK:           llvm.load %{{.*}} atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK:         llvm.inline_asm has_side_effects {{.*}}"fence.acq_rel.gpu;", "~{memory}"
// CHECK:         nvvm.barrier0
// CHECK:         nvvm.shfl.sync idx
// CHECK:         llvm.store %{{.*}} !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK:         llvm.load %{{.*}} !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK:         llvm.inline_asm has_side_effects {{.*}}"fence.acq_rel.gpu;", "~{memory}"
// CHECK:         scf.if
// CHECK:           llvm.store %{{.*}} atomic syncscope("device") monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
tile.kernel @ordered(%i: i32) outs(%y: !tile.view<8xi32>) grid [1] attributes {tile_gpu.plan = #plan, tile_gpu.scratch = 0 : i64} {
  %p = tile.base %y : !tile.view<8xi32> -> !tile.ptr<i32>
  %o = tile.splat %i [] : i32 -> tensor<i32, #l>
  %v = tile.load_at %p[%o] order(acquire) : !tile.ptr<i32>, tensor<i32, #l> -> tensor<i32, #l>
  tile.store_at %v, %p[%o] order(release) : tensor<i32, #l>, !tile.ptr<i32>, tensor<i32, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>
#columns = #tile_gpu.layout<registers = [], lanes = [d0:32*1], warps = [rep:4]>
#row = #tile_gpu.layout<registers = [], lanes = [d1:32*1], warps = [rep:4]>
#wide = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:8*4, rep:4], warps = [rep:4]>
#l = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>

// Equal offsets from other registers are the same offsets.
// CHECK-LABEL: func.func @converted(
// CHECK:         "{{.*}}ld.global.v4.b32 {{.*}}"
// CHECK-NOT:     ld.global
tile.kernel @converted(%n: i32) outs(%y: !tile.view<16x32xf32>) grid [1]
    attributes {tile_gpu.plan = #plan, tile_gpu.scratch = 0 : i64} {
  %c = arith.constant 0 : index
  %p = tile.base %y : !tile.view<16x32xf32> -> !tile.ptr<f32>
  %o = tile.iota [32] : tensor<32xi32, #columns>
  %end = arith.constant dense<24> : tensor<32xi32, #columns>
  %below = arith.cmpi slt, %o, %end : tensor<32xi32, #columns>
  %o1 = tile.expand_dims %o, 0 : tensor<32xi32, #columns> -> tensor<1x32xi32, #row>
  %o2 = tile_gpu.convert_layout %o1 : tensor<1x32xi32, #row> -> tensor<1x32xi32, #wide>
  %o3 = tile.broadcast %o2 [16, 32] : tensor<1x32xi32, #wide> -> tensor<16x32xi32, #l>
  %m1 = tile.expand_dims %below, 0 : tensor<32xi1, #columns> -> tensor<1x32xi1, #row>
  %m2 = tile_gpu.convert_layout %m1 : tensor<1x32xi1, #row> -> tensor<1x32xi1, #wide>
  %m3 = tile.broadcast %m2 [16, 32] : tensor<1x32xi1, #wide> -> tensor<16x32xi1, #l>
  %v = tile.load_at %p[%o3] mask(%m3 : tensor<16x32xi1, #l>) : !tile.ptr<f32>, tensor<16x32xi32, #l> -> tensor<16x32xf32, #l>
  tile.store %v, %y[%c, %c] : tensor<16x32xf32, #l>, !tile.view<16x32xf32>
}
