// RUN: tilegpt-opt %s -split-input-file --tile-gpu-assign-layouts --canonicalize --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Accesses of 16 bytes where only offsets say how tiles are in memory, although elements are computed in 32 bits.
// CHECK-DAG: #[[EIGHT:.*]] = #tile_gpu.layout<registers = [d0:8*1], lanes = [d0:32*8], warps = [d0:4*256]>
// CHECK-LABEL: @narrow
// CHECK:       tile.load_at {{.*}} -> tensor<1024xbf16, #[[EIGHT]]>
// CHECK:       tile.store_at {{.*}} : tensor<1024xbf16, #[[EIGHT]]>
tile.kernel @narrow(%x: !tile.ptr<bf16>, %y: !tile.ptr<bf16>) grid launch attributes {tile_gpu.plan = #plan} {
  %xa = tile.assume %x div_by 16 : !tile.ptr<bf16>
  %ya = tile.assume %y div_by 16 : !tile.ptr<bf16>
  %o = tile.iota [1024] : tensor<1024xi32>
  %t = tile.load_at %xa[%o] : !tile.ptr<bf16>, tensor<1024xi32> -> tensor<1024xbf16>
  %w = arith.extf %t : tensor<1024xbf16> to tensor<1024xf32>
  %e = math.exp %w : tensor<1024xf32>
  %n = arith.truncf %e : tensor<1024xf32> to tensor<1024xbf16>
  tile.store_at %n, %ya[%o] : tensor<1024xbf16>, !tile.ptr<bf16>, tensor<1024xi32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Four elements where others are of 32 bits: eight would take two instructions each, in twice the lines.
// CHECK-DAG: #[[FOUR:.*]] = #tile_gpu.layout<registers = [d0:4*1, d0:2*512], lanes = [d0:32*4], warps = [d0:4*128]>
// CHECK-LABEL: @mixed
// CHECK:       tile.load_at {{.*}} -> tensor<1024xbf16, #[[FOUR]]>
tile.kernel @mixed(%x: !tile.ptr<bf16>, %y: !tile.ptr<f32>) grid launch attributes {tile_gpu.plan = #plan} {
  %xa = tile.assume %x div_by 16 : !tile.ptr<bf16>
  %ya = tile.assume %y div_by 16 : !tile.ptr<f32>
  %o = tile.iota [1024] : tensor<1024xi32>
  %t = tile.load_at %xa[%o] : !tile.ptr<bf16>, tensor<1024xi32> -> tensor<1024xbf16>
  %w = arith.extf %t : tensor<1024xbf16> to tensor<1024xf32>
  tile.store_at %w, %ya[%o] : tensor<1024xf32>, !tile.ptr<f32>, tensor<1024xi32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Rows of a product that are scattered: lanes of a warp exchange elements, so that each stores 16 bytes of a row.
// CHECK-DAG: #[[ACC:.*]] = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
// CHECK-DAG: #[[ROWS:.*]] = #tile_gpu.layout<registers = [d1:8*1, d0:2*8], lanes = [d1:4*8, d0:8*1], warps = [d0:4*16]>
// CHECK-LABEL: @scattered
// CHECK:       %[[T:.*]] = arith.truncf {{.*}} to tensor<64x32xbf16, #[[ACC]]>
// CHECK:       %[[R:.*]] = tile_gpu.convert_layout %[[T]] : tensor<64x32xbf16, #[[ACC]]> -> tensor<64x32xbf16, #[[ROWS]]>
// CHECK:       tile.store_at %[[R]], {{.*}}, tensor<64x32xi32, #[[ROWS]]>
tile.kernel @scattered(%pl: !tile.ptr<bf16>, %pr: !tile.ptr<bf16>, %p: !tile.ptr<bf16>, %at: !tile.ptr<i32>,
                       %pitch: i32) grid launch attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %pa = tile.assume %p div_by 16 : !tile.ptr<bf16>
  %pitch8 = tile.assume %pitch div_by 8 : i32
  %acc = arith.constant dense<0.0> : tensor<64x32xf32>
  %a = tile.view_at %pl sizes [64, 64] strides [64, 1] : !tile.ptr<bf16> -> !tile.view<64x64xbf16>
  %b = tile.view_at %pr sizes [64, 32] strides [32, 1] : !tile.ptr<bf16> -> !tile.view<64x32xbf16>
  %l = tile.load %a[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %r = tile.load %b[%c0, %c0] [64, 32] : !tile.view<64x32xbf16> -> tensor<64x32xbf16>
  %d = tile.dot %l, %r, %acc : tensor<64x64xbf16>, tensor<64x32xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
  %t = arith.truncf %d : tensor<64x32xf32> to tensor<64x32xbf16>
  %m = tile.iota [64] : tensor<64xi32>
  %row = tile.load_at %at[%m] : !tile.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %ps = tile.splat %pitch8 [64] : i32 -> tensor<64xi32>
  %first = arith.muli %row, %ps : tensor<64xi32>
  %firsts = tile.expand_dims %first, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %n = tile.iota [32] : tensor<32xi32>
  %ns = tile.expand_dims %n, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %f = tile.broadcast %firsts [64, 32] : tensor<64x1xi32> -> tensor<64x32xi32>
  %g = tile.broadcast %ns [64, 32] : tensor<1x32xi32> -> tensor<64x32xi32>
  %o = arith.addi %f, %g : tensor<64x32xi32>
  tile.store_at %t, %pa[%o] : tensor<64x32xbf16>, !tile.ptr<bf16>, tensor<64x32xi32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A pitch of any size leaves single elements, whose lanes stay.
// CHECK-LABEL: @unaligned
// CHECK:       %[[T:.*]] = arith.truncf
// CHECK-NOT:   tile_gpu.convert_layout %[[T]]
// CHECK:       tile.store_at %[[T]],
tile.kernel @unaligned(%pl: !tile.ptr<bf16>, %pr: !tile.ptr<bf16>, %p: !tile.ptr<bf16>, %pitch: i32) grid launch
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %pa = tile.assume %p div_by 16 : !tile.ptr<bf16>
  %acc = arith.constant dense<0.0> : tensor<64x32xf32>
  %a = tile.view_at %pl sizes [64, 64] strides [64, 1] : !tile.ptr<bf16> -> !tile.view<64x64xbf16>
  %b = tile.view_at %pr sizes [64, 32] strides [32, 1] : !tile.ptr<bf16> -> !tile.view<64x32xbf16>
  %l = tile.load %a[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %r = tile.load %b[%c0, %c0] [64, 32] : !tile.view<64x32xbf16> -> tensor<64x32xbf16>
  %d = tile.dot %l, %r, %acc : tensor<64x64xbf16>, tensor<64x32xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
  %t = arith.truncf %d : tensor<64x32xf32> to tensor<64x32xbf16>
  %m = tile.iota [64] : tensor<64xi32>
  %ps = tile.splat %pitch [64] : i32 -> tensor<64xi32>
  %first = arith.muli %m, %ps : tensor<64xi32>
  %firsts = tile.expand_dims %first, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %n = tile.iota [32] : tensor<32xi32>
  %ns = tile.expand_dims %n, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %f = tile.broadcast %firsts [64, 32] : tensor<64x1xi32> -> tensor<64x32xi32>
  %g = tile.broadcast %ns [64, 32] : tensor<1x32xi32> -> tensor<64x32xi32>
  %o = arith.addi %f, %g : tensor<64x32xi32>
  tile.store_at %t, %pa[%o] : tensor<64x32xbf16>, !tile.ptr<bf16>, tensor<64x32xi32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// What is added to the product is loaded at the same offsets, and stays with it: there is nothing to exchange.
// CHECK-LABEL: @updated
// CHECK:       %[[T:.*]] = arith.truncf
// CHECK-NOT:   tile_gpu.convert_layout %[[T]]
// CHECK:       tile.store_at %[[T]],
tile.kernel @updated(%pl: !tile.ptr<bf16>, %pr: !tile.ptr<bf16>, %p: !tile.ptr<bf16>) grid launch
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %pa = tile.assume %p div_by 16 : !tile.ptr<bf16>
  %a = tile.view_at %pl sizes [64, 64] strides [64, 1] : !tile.ptr<bf16> -> !tile.view<64x64xbf16>
  %b = tile.view_at %pr sizes [64, 32] strides [32, 1] : !tile.ptr<bf16> -> !tile.view<64x32xbf16>
  %l = tile.load %a[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %r = tile.load %b[%c0, %c0] [64, 32] : !tile.view<64x32xbf16> -> tensor<64x32xbf16>
  %pitch = arith.constant dense<32> : tensor<64xi32>
  %m = tile.iota [64] : tensor<64xi32>
  %first = arith.muli %m, %pitch : tensor<64xi32>
  %firsts = tile.expand_dims %first, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %n = tile.iota [32] : tensor<32xi32>
  %ns = tile.expand_dims %n, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %f = tile.broadcast %firsts [64, 32] : tensor<64x1xi32> -> tensor<64x32xi32>
  %g = tile.broadcast %ns [64, 32] : tensor<1x32xi32> -> tensor<64x32xi32>
  %o = arith.addi %f, %g : tensor<64x32xi32>
  %old = tile.load_at %pa[%o] : !tile.ptr<bf16>, tensor<64x32xi32> -> tensor<64x32xbf16>
  %acc = arith.extf %old : tensor<64x32xbf16> to tensor<64x32xf32>
  %d = tile.dot %l, %r, %acc : tensor<64x64xbf16>, tensor<64x32xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
  %t = arith.truncf %d : tensor<64x32xf32> to tensor<64x32xbf16>
  tile.store_at %t, %pa[%o] : tensor<64x32xbf16>, !tile.ptr<bf16>, tensor<64x32xi32>
}
