// RUN: tilegpt-opt %s --split-input-file --tile-gpu-allocate-shared | FileCheck %s
// RUN: tilegpt-opt %s --split-input-file --tile-gpu-allocate-shared --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// Updates of few integers at data-dependent indices get bins in scratch.

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
#l = #tile_gpu.layout<registers = [d0:2*1], lanes = [d0:32*2], warps = [d0:4*64]>

// WHY: @histogram: atomic: a block accumulates the 256 elements in shared memory and updates each once in global memory
// CHECK-LABEL: tile.kernel @histogram(
// CHECK:         tile_gpu.scratch_bytes = 1024
// CHECK:         tile.atomic_rmw add %{{.*}} {tile_gpu.bins = 256 : i64}
tile.kernel @histogram(%x: !tile.view<?xi32>) outs(%h: !tile.view<256xi32>) grid [ceildiv(dim(%x, 0), 256)] attributes {tile_gpu.plan = #plan} {
  %b = tile.block_id 0
  %p = tile.base %h : !tile.view<256xi32> -> !tile.ptr<i32>
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.load %x[%b] [256] : !tile.view<?xi32> -> tensor<256xi32, #l>
  %old = tile.atomic_rmw add %p[%i], %one : !tile.ptr<i32>, tensor<256xi32, #l>, tensor<256xi32, #l>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
#l = #tile_gpu.layout<registers = [d0:2*1], lanes = [d0:32*2], warps = [d0:4*64]>
#wide = #tile_gpu.layout<registers = [d0:8*1], lanes = [d0:32*8], warps = [d0:4*256]>

// Of an unknown number of elements the first have bins: as many as updates, and up to 4 KB of them.
// WHY: @first: atomic: a block accumulates the first 256 of an unknown number of elements in shared memory and updates each once in global memory, the others there
// WHY: @first: atomic: a block accumulates the first 256 of an unknown number of elements in shared memory
// WHY: @first: atomic: a block accumulates the first 512 of an unknown number of elements in shared memory
// CHECK-LABEL: tile.kernel @first(
// CHECK:         tile_gpu.scratch_bytes = 4096
// CHECK:         tile.atomic_rmw add %{{.*}} {tile_gpu.bins = 256 : i64, tile_gpu.first_bins}
// CHECK:         tile.atomic_rmw umax %{{.*}} {tile_gpu.bins = 256 : i64, tile_gpu.first_bins}
// CHECK:         tile.atomic_rmw add %{{.*}} {tile_gpu.bins = 512 : i64, tile_gpu.first_bins}
tile.kernel @first(%x: !tile.view<?xi32>) outs(%any: !tile.view<?xi32>, %wide: !tile.view<?xi64>) grid [1] attributes {tile_gpu.plan = #plan} {
  %b = tile.block_id 0
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %i = tile.load %x[%b] [256] : !tile.view<?xi32> -> tensor<256xi32, #l>
  %p1 = tile.base %any : !tile.view<?xi32> -> !tile.ptr<i32>
  %0 = tile.atomic_rmw add %p1[%i], %one : !tile.ptr<i32>, tensor<256xi32, #l>, tensor<256xi32, #l>
  %1 = tile.atomic_rmw umax %p1[%i], %one : !tile.ptr<i32>, tensor<256xi32, #l>, tensor<256xi32, #l>
  %j = tile.load %x[%b] [1024] : !tile.view<?xi32> -> tensor<1024xi32, #wide>
  %many = arith.constant dense<1> : tensor<1024xi64, #wide>
  %q = tile.base %wide : !tile.view<?xi64> -> !tile.ptr<i64>
  %2 = tile.atomic_rmw add %q[%j], %many : !tile.ptr<i64>, tensor<1024xi32, #wide>, tensor<1024xi64, #wide>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
#l = #tile_gpu.layout<registers = [d0:2*1], lanes = [d0:32*2], warps = [d0:4*64]>
#small = #tile_gpu.layout<registers = [d0:1*1], lanes = [d0:16*1, rep:2], warps = [rep:4]>

// No bins: more elements than updates, few updates of an unknown number of elements, floats, indices within a row, and
// updates whose old values are read.
// WHY-COUNT-2: @none: atomic missed: each element of the tile is an update of global memory: a block accumulates only views of no more elements than the tile and up to 16 KB, or of an unknown number if the tile has 128
// WHY-NOT:     remark:
// CHECK-LABEL: tile.kernel @none(
// CHECK-NOT:     tile_gpu.bins
tile.kernel @none(%x: !tile.view<?xi32>) outs(%many: !tile.view<257xi32>, %any: !tile.view<?xi32>, %floats: !tile.view<64xf32>,
                                             %row: !tile.view<256xi32>, %read: !tile.view<64xi32>, %y: !tile.view<?xi32>)
    grid [ceildiv(dim(%x, 0), 256)] attributes {tile_gpu.plan = #plan} {
  %b = tile.block_id 0
  %one = arith.constant dense<1> : tensor<256xi32, #l>
  %half = arith.constant dense<0.5> : tensor<256xf32, #l>
  %i = tile.load %x[%b] [256] : !tile.view<?xi32> -> tensor<256xi32, #l>
  %p0 = tile.base %many : !tile.view<257xi32> -> !tile.ptr<i32>
  %0 = tile.atomic_rmw add %p0[%i], %one : !tile.ptr<i32>, tensor<256xi32, #l>, tensor<256xi32, #l>
  %p1 = tile.base %any : !tile.view<?xi32> -> !tile.ptr<i32>
  %few = tile.load %x[%b] [16] : !tile.view<?xi32> -> tensor<16xi32, #small>
  %1 = tile.atomic_rmw add %p1[%few], %few : !tile.ptr<i32>, tensor<16xi32, #small>, tensor<16xi32, #small>
  %p2 = tile.base %floats : !tile.view<64xf32> -> !tile.ptr<f32>
  %2 = tile.atomic_rmw add %p2[%i], %half : !tile.ptr<f32>, tensor<256xi32, #l>, tensor<256xf32, #l>
  %p3 = tile.base %row : !tile.view<256xi32> -> !tile.ptr<i32>
  %n = tile.iota [256] : tensor<256xi32, #l>
  %at = arith.addi %n, %one : tensor<256xi32, #l>
  %3 = tile.atomic_rmw add %p3[%at], %i : !tile.ptr<i32>, tensor<256xi32, #l>, tensor<256xi32, #l>
  %p4 = tile.base %read : !tile.view<64xi32> -> !tile.ptr<i32>
  %4 = tile.atomic_rmw add %p4[%i], %one : !tile.ptr<i32>, tensor<256xi32, #l>, tensor<256xi32, #l>
  tile.store %4, %y[%b] : tensor<256xi32, #l>, !tile.view<?xi32>
  %5 = tile.atomic_rmw add %p4[%i], %one order(release) : !tile.ptr<i32>, tensor<256xi32, #l>, tensor<256xi32, #l>
}
