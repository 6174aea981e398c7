// RUN: tilegpt-opt %s -split-input-file --tile-gpu-assign-layouts --canonicalize --cse | FileCheck %s

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A row of four per warp, four adjacent elements per thread: only the sum exchanges data between threads.
// CHECK-DAG: #[[ROWS:.*]] = #tile_gpu.layout<registers = [d1:4*1, d1:6*128], lanes = [d1:32*4], warps = [d0:4*1]>
// CHECK-DAG: #[[SUMS:.*]] = #tile_gpu.layout<registers = [], lanes = [rep:32], warps = [d0:4*1]>
// CHECK-DAG: #[[GAIN:.*]] = #tile_gpu.layout<registers = [d0:4*1, d0:6*128], lanes = [d0:32*4], warps = [rep:4]>
// CHECK-LABEL: @rows
// CHECK-NOT:   convert_layout
// CHECK:       tile.load {{.*}} -> tensor<4x768xf32, #[[ROWS]]>
// CHECK:       tile.reduce add {{.*}} -> tensor<4x1xf32, #[[SUMS]]>
// CHECK:       tile.broadcast {{.*}} tensor<4x1xf32, #[[SUMS]]> -> tensor<4x768xf32, #[[ROWS]]>
// CHECK:       tile.load {{.*}} -> tensor<768xf32, #[[GAIN]]>
// CHECK-NOT:   convert_layout
tile.kernel @rows(%x: !tile.view<?x768xf32>, %g: !tile.view<768xf32>) outs(%y: !tile.view<?x768xf32>)
    grid [ceildiv(dim(%y, 0), 4)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [4, 768] : !tile.view<?x768xf32> -> tensor<4x768xf32>
  %s = tile.reduce add %t axis 1 keepdims : tensor<4x768xf32> -> tensor<4x1xf32>
  %b = tile.broadcast %s [4, 768] : tensor<4x1xf32> -> tensor<4x768xf32>
  %d = arith.divf %t, %b : tensor<4x768xf32>
  %gt = tile.load %g[%c0] [768] : !tile.view<768xf32> -> tensor<768xf32>
  %gb = tile.broadcast %gt [4, 768] : tensor<768xf32> -> tensor<4x768xf32>
  %r = arith.mulf %d, %gb : tensor<4x768xf32>
  tile.store %r, %y[%m, %c0] : tensor<4x768xf32>, !tile.view<?x768xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 7>

// Narrow rows that share a vector: seven warps per row, eight adjacent elements per thread, which keeps its part of the
// vector for all rows.
// CHECK-DAG: #[[ROWS:.*]] = #tile_gpu.layout<registers = [d1:8*1, d0:4*1], lanes = [d1:32*8], warps = [d1:7*256]>
// CHECK-DAG: #[[GAIN:.*]] = #tile_gpu.layout<registers = [d0:8*1], lanes = [d0:32*8], warps = [d0:7*256]>
// CHECK-LABEL: @shared_rows
// CHECK-NOT:   convert_layout
// CHECK:       tile.load {{.*}} -> tensor<4x1600xbf16, #[[ROWS]]>
// CHECK:       tile.load {{.*}} -> tensor<1600xf32, #[[GAIN]]>
// CHECK-NOT:   convert_layout
tile.kernel @shared_rows(%x: !tile.view<?x1600xbf16>, %g: !tile.view<1600xf32>) outs(%y: !tile.view<?x1600xf32>)
    grid [ceildiv(dim(%x, 0), 4)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [4, 1600] : !tile.view<?x1600xbf16> -> tensor<4x1600xbf16>
  %f = tile.cast %t : tensor<4x1600xbf16> to tensor<4x1600xf32>
  %gt = tile.load %g[%c0] [1600] : !tile.view<1600xf32> -> tensor<1600xf32>
  %gb = tile.broadcast %gt [4, 1600] : tensor<1600xf32> -> tensor<4x1600xf32>
  %r = arith.mulf %f, %gb : tensor<4x1600xf32>
  tile.store %r, %y[%m, %c0] : tensor<4x1600xf32>, !tile.view<?x1600xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A constant with two classes of users is cloned; narrow elements come eight at a time; a transposed load follows the
// axis that is contiguous in memory.
// CHECK-DAG: #[[NARROW:.*]] = #tile_gpu.layout<registers = [d1:8*1], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
// CHECK-DAG: #[[COLUMNS:.*]] = #tile_gpu.layout<registers = [d0:4*1, d1:2*32], lanes = [d0:4*4, d1:8*1], warps = [d1:4*8]>
// CHECK-LABEL: @kinds
// CHECK:       tile.load {{.*}} -> tensor<16x64xbf16, #[[NARROW]]>
// CHECK:       tile.load {{.*}} -> tensor<16x64xf32, #[[COLUMNS]]>
tile.kernel @kinds(%a: !tile.view<?x64xbf16>, %b: !tile.view<64x16xf32>) outs(%y: !tile.view<?x64xbf16>, %z: !tile.view<64x16xf32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %a0 = tile.load %a[%c0, %c0] [16, 64] : !tile.view<?x64xbf16> -> tensor<16x64xbf16>
  %a1 = arith.extf %a0 : tensor<16x64xbf16> to tensor<16x64xf32>
  %a2 = arith.maximumf %a1, %zero : tensor<16x64xf32>
  %a3 = arith.truncf %a2 : tensor<16x64xf32> to tensor<16x64xbf16>
  tile.store %a3, %y[%c0, %c0] : tensor<16x64xbf16>, !tile.view<?x64xbf16>
  %b0 = tile.load %b[%c0, %c0] [16, 64] order [1, 0] : !tile.view<64x16xf32> -> tensor<16x64xf32>
  %b1 = arith.maximumf %b0, %zero : tensor<16x64xf32>
  tile.store %b1, %z[%c0, %c0] order [1, 0] : tensor<16x64xf32>, !tile.view<64x16xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// If two preferences conflict, the tile is converted.
// CHECK-LABEL: @meeting
// CHECK:       %[[ROW:.*]] = tile.reduce max
// CHECK:       %[[TURNED:.*]] = tile_gpu.convert_layout %[[ROW]]
// CHECK:       tile.broadcast %[[TURNED]]
tile.kernel @meeting(%a: !tile.view<64x64xf32>) outs(%y: !tile.view<64x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] [64, 64] : !tile.view<64x64xf32> -> tensor<64x64xf32>
  %m = tile.reduce max %t axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  %b = tile.broadcast %m [64, 64] : tensor<64xf32> -> tensor<64x64xf32>
  %d = arith.subf %t, %b : tensor<64x64xf32>
  tile.store %d, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8>

// A value that several warps would compute redundantly is computed once, by all threads, and exchanged.
// CHECK-DAG: #[[SPREAD:.*]] = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:32*4], warps = [d1:8*128]>
// CHECK-LABEL: @computed_once
// CHECK:       %[[S:.*]] = arith.addf {{.*}} : tensor<1x1024xf32, #[[SPREAD]]>
// CHECK:       %[[T:.*]] = tile_gpu.convert_layout %[[S]]
// CHECK:       tile.broadcast %[[T]]
// CHECK-NOT:   tile_gpu.convert_layout
tile.kernel @computed_once(%x: !tile.view<1x1024xf32>, %z: !tile.view<1x1024xf32>, %w: !tile.view<64x1024xf32>)
    outs(%y: !tile.view<64x1024xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] [1, 1024] : !tile.view<1x1024xf32> -> tensor<1x1024xf32>
  %b = tile.load %z[%c0, %c0] [1, 1024] : !tile.view<1x1024xf32> -> tensor<1x1024xf32>
  %s = arith.addf %a, %b : tensor<1x1024xf32>
  %sb = tile.broadcast %s [8, 1024] : tensor<1x1024xf32> -> tensor<8x1024xf32>
  %t = tile.load %w[%c0, %c0] [8, 1024] : !tile.view<64x1024xf32> -> tensor<8x1024xf32>
  %r = arith.mulf %t, %sb : tensor<8x1024xf32>
  tile.store %r, %y[%c0, %c0] : tensor<8x1024xf32>, !tile.view<64x1024xf32>
}

// A loaded tile is loaded by every warp, which costs nothing more.
// CHECK-LABEL: @loaded_alike
// CHECK-NOT:   tile_gpu.convert_layout
tile.kernel @loaded_alike(%x: !tile.view<1x1024xf32>, %w: !tile.view<64x1024xf32>)
    outs(%y: !tile.view<64x1024xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] [1, 1024] : !tile.view<1x1024xf32> -> tensor<1x1024xf32>
  %sb = tile.broadcast %a [8, 1024] : tensor<1x1024xf32> -> tensor<8x1024xf32>
  %t = tile.load %w[%c0, %c0] [8, 1024] : !tile.view<64x1024xf32> -> tensor<8x1024xf32>
  %r = arith.mulf %t, %sb : tensor<8x1024xf32>
  tile.store %r, %y[%c0, %c0] : tensor<8x1024xf32>, !tile.view<64x1024xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8>

// The accumulator decides the layout of a tile scaled by a row's factor, not the factor, of which every thread would
// hold 64 copies.
// CHECK-LABEL: @scaled_sums
// CHECK-NOT:   registers = [d1:64*1]
// CHECK-NOT:   tile_gpu.convert_layout
tile.kernel @scaled_sums(%x: !tile.view<?x64xbf16>, %w: !tile.view<?x64xbf16>) outs(%y: !tile.view<8x64xf32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %kt = tile.load %x[%c0, %c0] [128, 64] : !tile.view<?x64xbf16> -> tensor<128x64xbf16>
  %k = tile.reshape %kt [8, 16, 64] : tensor<128x64xbf16> -> tensor<8x16x64xbf16>
  %kf = arith.extf %k : tensor<8x16x64xbf16> to tensor<8x16x64xf32>
  %dots = tile.reduce add %kf axis 2 : tensor<8x16x64xf32> -> tensor<8x16xf32>
  %m = tile.reduce max %dots axis 1 keepdims : tensor<8x16xf32> -> tensor<8x1xf32>
  %mb = tile.broadcast %m [8, 64] : tensor<8x1xf32> -> tensor<8x64xf32>
  %vt = tile.load %w[%c0, %c0] [128, 64] : !tile.view<?x64xbf16> -> tensor<128x64xbf16>
  %v = tile.reshape %vt [8, 16, 64] : tensor<128x64xbf16> -> tensor<8x16x64xbf16>
  %vf = arith.extf %v : tensor<8x16x64xbf16> to tensor<8x16x64xf32>
  %o = tile.reduce add %vf axis 1 : tensor<8x16x64xf32> -> tensor<8x64xf32>
  %r = arith.mulf %o, %mb : tensor<8x64xf32>
  %l = tile.reduce add %r axis 0 keepdims : tensor<8x64xf32> -> tensor<1x64xf32>
  tile.store %l, %y[%c0, %c0] : tensor<1x64xf32>, !tile.view<8x64xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A tile that is loaded along one axis and stored along the other is transposed through shared memory, so that both
// accesses move whole sectors.
// CHECK-DAG: #[[IN:.*]] = #tile_gpu.layout<registers = [d1:4*1, d0:4*8], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>
// CHECK-DAG: #[[TURNED:.*]] = #tile_gpu.layout<registers = [d0:4*1, d1:4*8], lanes = [d0:16*4, d1:2*1], warps = [d1:4*2]>
// CHECK-DAG: #[[OUT:.*]] = #tile_gpu.layout<registers = [d1:4*1, d0:4*16], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>
// CHECK-LABEL: @transposed
// CHECK:       tile.load {{.*}} -> tensor<32x64xf32, #[[IN]]>
// CHECK:       tile.permute {{.*}} -> tensor<64x32xf32, #[[TURNED]]>
// CHECK:       tile_gpu.convert_layout {{.*}} -> tensor<64x32xf32, #[[OUT]]>
// CHECK:       tile.store {{.*}} tensor<64x32xf32, #[[OUT]]>
tile.kernel @transposed(%x: !tile.view<1000x3000xf32>) outs(%y: !tile.view<3000x1000xf32>)
    grid [ceildiv(dim(%x, 0), 32), ceildiv(dim(%x, 1), 64)] attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [32, 64] : !tile.view<1000x3000xf32> -> tensor<32x64xf32>
  %p = tile.permute %t [1, 0] : tensor<32x64xf32> -> tensor<64x32xf32>
  tile.store %p, %y[%n, %m] : tensor<64x32xf32>, !tile.view<3000x1000xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Four rows of four: a row of the result is shorter than a sector either way.
// CHECK-LABEL: @small
// CHECK-NOT:   convert_layout
// CHECK:       tile.store
tile.kernel @small(%x: !tile.view<4x4xf32>) outs(%y: !tile.view<4x4xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [4, 4] : !tile.view<4x4xf32> -> tensor<4x4xf32>
  %p = tile.permute %t [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  tile.store %p, %y[%c0, %c0] : tensor<4x4xf32>, !tile.view<4x4xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A piece is inserted in the layout of the transposed load.
// CHECK-LABEL: @insert
// CHECK:       %[[DEST:.*]] = tile.load {{.*}} -> tensor<32x16xf32, #[[LAYOUT:.*]]>
// CHECK-NOT:   convert_layout
// CHECK:       tile.insert %{{.*}} into %[[DEST]]{{.*}} into tensor<32x16xf32, #[[LAYOUT]]> -> tensor<32x16xf32, #[[LAYOUT]]>
tile.kernel @insert(%x: !tile.view<?x?xf32, strides=[1, ?]>, %p: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] [32, 16] : !tile.view<?x?xf32, strides=[1, ?]> -> tensor<32x16xf32>
  %s = tile.load %p[%c0, %c0] [8, 16] : !tile.view<?x?xf32> -> tensor<8x16xf32>
  %r = tile.insert %s into %t[%c0, %c0] : tensor<8x16xf32> into tensor<32x16xf32> -> tensor<32x16xf32>
  tile.store %r, %y[%c0, %c0] : tensor<32x16xf32>, !tile.view<?x?xf32>
}

// -----

// Rows of f32 meet 16-bit weights that are prefetched through shared memory: four adjacent elements per thread, so that
// the rows' accesses are contiguous.
// CHECK:       #[[WEIGHTS:.*]] = #tile_gpu.layout<registers = [d1:4*1, d1:6*128, d0:2*4], lanes = [d1:32*4], warps = [d0:4*1]>
// CHECK-LABEL: @few_rows
// CHECK:       tile.load %arg1{{.*}} -> tensor<8x768xbf16, #[[WEIGHTS]]>
// CHECK-NOT:   convert_layout
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
tile.kernel @few_rows(%x: !tile.view<1x768xf32>, %w: !tile.view<?x768xbf16>) outs(%y: !tile.view<1x?xf32>)
    grid [ceildiv(dim(%y, 1), 8)] attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%c0, %c0] [1, 768] : !tile.view<1x768xf32> -> tensor<1x768xf32>
  %xb = tile.broadcast %xt [8, 768] : tensor<1x768xf32> -> tensor<8x768xf32>
  %wt = tile.load %w[%n, %c0] [8, 768] : !tile.view<?x768xbf16> -> tensor<8x768xbf16>
  %we = arith.extf %wt : tensor<8x768xbf16> to tensor<8x768xf32>
  %p = arith.mulf %xb, %we : tensor<8x768xf32>
  %s = tile.reduce add %p axis 1 : tensor<8x768xf32> -> tensor<8xf32>
  %r = tile.expand_dims %s, 0 : tensor<8xf32> -> tensor<1x8xf32>
  tile.store %r, %y[%c0, %n] : tensor<1x8xf32>, !tile.view<1x?xf32>
}

// -----

// Weights that launches write are loaded into registers, sixteen bytes at a time, and so are all weights if launches do
// not overlap.
// CHECK-DAG:   #[[WIDE:.*]] = #tile_gpu.layout<registers = [d1:8*1, d1:3*256, d0:2*4], lanes = [d1:32*8], warps = [d0:4*1]>
// CHECK-LABEL: @written_weights
// CHECK:       tile.load %arg1{{.*}} -> tensor<8x768xbf16, #[[WIDE]]>
// CHECK-LABEL: @before_hopper
// CHECK:       tile.load %arg1{{.*}} -> tensor<8x768xbf16, #[[WIDE]]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
#older = #tile_gpu.plan<target = "sm_80", warps = 4>
tile.kernel @written_weights(%x: !tile.view<1x768xf32>, %w: !tile.view<?x768xbf16>) outs(%y: !tile.view<1x?xf32>)
    grid [ceildiv(dim(%y, 1), 8)] attributes {tile_gpu.plan = #plan} {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%c0, %c0] [1, 768] : !tile.view<1x768xf32> -> tensor<1x768xf32>
  %xb = tile.broadcast %xt [8, 768] : tensor<1x768xf32> -> tensor<8x768xf32>
  %wt = tile.load %w[%n, %c0] [8, 768] : !tile.view<?x768xbf16> -> tensor<8x768xbf16>
  %we = arith.extf %wt : tensor<8x768xbf16> to tensor<8x768xf32>
  %p = arith.mulf %xb, %we : tensor<8x768xf32>
  %s = tile.reduce add %p axis 1 : tensor<8x768xf32> -> tensor<8xf32>
  %r = tile.expand_dims %s, 0 : tensor<8xf32> -> tensor<1x8xf32>
  tile.store %r, %y[%c0, %n] : tensor<1x8xf32>, !tile.view<1x?xf32>
}
tile.kernel @before_hopper(%x: !tile.view<1x768xf32>, %w: !tile.view<?x768xbf16>) outs(%y: !tile.view<1x?xf32>)
    grid [ceildiv(dim(%y, 1), 8)] attributes {tile.launch_invariant = array<i64: 1>, tile_gpu.plan = #older} {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%c0, %c0] [1, 768] : !tile.view<1x768xf32> -> tensor<1x768xf32>
  %xb = tile.broadcast %xt [8, 768] : tensor<1x768xf32> -> tensor<8x768xf32>
  %wt = tile.load %w[%n, %c0] [8, 768] : !tile.view<?x768xbf16> -> tensor<8x768xbf16>
  %we = arith.extf %wt : tensor<8x768xbf16> to tensor<8x768xf32>
  %p = arith.mulf %xb, %we : tensor<8x768xf32>
  %s = tile.reduce add %p axis 1 : tensor<8x768xf32> -> tensor<8xf32>
  %r = tile.expand_dims %s, 0 : tensor<8xf32> -> tensor<1x8xf32>
  tile.store %r, %y[%c0, %n] : tensor<1x8xf32>, !tile.view<1x?xf32>
}

// -----

// 16-bit results are stored sixteen bytes at a time, wherever they come from.
// CHECK-DAG:   #[[EIGHT:.*]] = #tile_gpu.layout<registers = [d1:8*1], lanes = [d1:32*8], warps = [d0:4*1]>
// CHECK-LABEL: @rounded
// CHECK:       tile.load {{.*}} -> tensor<4x256xf32, #[[EIGHT]]>
// CHECK:       tile.store {{.*}} : tensor<4x256xbf16, #[[EIGHT]]>
#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>
tile.kernel @rounded(%x: !tile.view<?x256xf32>) outs(%y: !tile.view<?x256xbf16>)
    grid [ceildiv(dim(%y, 0), 4)] attributes {tile.launch_invariant = array<i64: 0>, tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [4, 256] : !tile.view<?x256xf32> -> tensor<4x256xf32>
  %r = arith.truncf %t : tensor<4x256xf32> to tensor<4x256xbf16>
  tile.store %r, %y[%m, %c0] : tensor<4x256xbf16>, !tile.view<?x256xbf16>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8>

// Values not in memory broadcast their operands in registers, while threads hold at most twice their share ...
// CHECK-DAG: #[[FEW:.*]] = #tile_gpu.layout<registers = [d0:64*1], lanes = [d1:32*1], warps = [d1:8*32]>
// CHECK-LABEL: @repeated
// CHECK:       arith.cmpf {{.*}} : tensor<64x256xf32, #[[FEW]]>
// ... and are spread over all threads otherwise.
// CHECK-LABEL: @spread
// CHECK:       %[[X:.*]] = tile_gpu.convert_layout
// CHECK:       tile.broadcast %[[X]] [64, 64] : tensor<1x64xf32, {{.*}}> -> tensor<64x64xf32, #[[MANY:.*]]>
// CHECK:       arith.cmpf {{.*}} : tensor<64x64xf32, #[[MANY]]>
// CHECK-NOT:   tensor<64x64xf32, #[[FEW]]>
tile.kernel @repeated(%x: !tile.view<1x256xf32>, %z: !tile.view<64x1xf32>) outs(%y: !tile.view<1x256xi32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] [1, 256] : !tile.view<1x256xf32> -> tensor<1x256xf32>
  %b = tile.load %z[%c0, %c0] [64, 1] : !tile.view<64x1xf32> -> tensor<64x1xf32>
  %ab = tile.broadcast %a [64, 256] : tensor<1x256xf32> -> tensor<64x256xf32>
  %bb = tile.broadcast %b [64, 256] : tensor<64x1xf32> -> tensor<64x256xf32>
  %c = arith.cmpf olt, %bb, %ab : tensor<64x256xf32>
  %n = arith.extui %c : tensor<64x256xi1> to tensor<64x256xi32>
  %s = tile.reduce add %n axis 0 keepdims : tensor<64x256xi32> -> tensor<1x256xi32>
  tile.store %s, %y[%c0, %c0] : tensor<1x256xi32>, !tile.view<1x256xi32>
}
tile.kernel @spread(%x: !tile.view<1x64xf32>, %z: !tile.view<64x1xf32>) outs(%y: !tile.view<1x64xi32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] [1, 64] : !tile.view<1x64xf32> -> tensor<1x64xf32>
  %b = tile.load %z[%c0, %c0] [64, 1] : !tile.view<64x1xf32> -> tensor<64x1xf32>
  %ab = tile.broadcast %a [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
  %bb = tile.broadcast %b [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %c = arith.cmpf olt, %bb, %ab : tensor<64x64xf32>
  %n = arith.extui %c : tensor<64x64xi1> to tensor<64x64xi32>
  %s = tile.reduce add %n axis 0 keepdims : tensor<64x64xi32> -> tensor<1x64xi32>
  tile.store %s, %y[%c0, %c0] : tensor<1x64xi32>, !tile.view<1x64xi32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A row shorter than a block follows the tile it is broadcast to if that is reduced along the row: 16 lanes hold a row
// of it, not all threads. A loop carries the tile.
// CHECK-DAG: #[[ROW:.*]] = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:16*4, rep:2], warps = [rep:4]>
// CHECK-DAG: #[[STATE:.*]] = #tile_gpu.layout<registers = [d1:4*1, d0:8*8], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>
// CHECK-LABEL: @reduced
// CHECK:         tile.load {{.*}} -> tensor<1x64xf32, #[[ROW]]>
// CHECK-NOT:     convert_layout
// CHECK:         arith.addf {{.*}} : tensor<64x64xf32, #[[STATE]]>
tile.kernel @reduced(%x: !tile.view<8x64xf32>) outs(%y: !tile.view<8x64xf32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%state = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%i, %c0] [1, 64] : !tile.view<8x64xf32> -> tensor<1x64xf32>
    %b = tile.broadcast %a [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
    %n = arith.addf %state, %b : tensor<64x64xf32>
    %s = tile.reduce add %n axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
    %t = tile.reshape %s [1, 64] : tensor<64x1xf32> -> tensor<1x64xf32>
    tile.store %t, %y[%i, %c0] : tensor<1x64xf32>, !tile.view<8x64xf32>
    scf.yield %n : tensor<64x64xf32>
  }
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// One number per row is loaded where the numbers it is combined with are, which packed ones become: no exchange.
// CHECK-DAG: #[[ZERO:.*]] = #tile_gpu.layout<registers = [], lanes = [rep:4, d0:8*1], warps = [d0:4*8]>
// CHECK-LABEL: @grouped
// CHECK:         tile.load {{.*}} -> tensor<32x1xf16, #[[ZERO]]>
// CHECK-NOT:     convert_layout
// CHECK:         tile.store
tile.kernel @grouped(%w: !tile.view<32x16xi32>, %z: !tile.view<32x1xf16>) outs(%y: !tile.view<32x16xi32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %p = tile.load %w[%c0, %c0] [32, 16] : !tile.view<32x16xi32> -> tensor<32x16xi32>
  %zt = tile.load %z[%c0, %c0] [32, 1] : !tile.view<32x1xf16> -> tensor<32x1xf16>
  %e = tile.expand_dims %p, 2 : tensor<32x16xi32> -> tensor<32x16x1xi32>
  %b = tile.broadcast %e [32, 16, 8] : tensor<32x16x1xi32> -> tensor<32x16x8xi32>
  %r = tile.reshape %b [32, 128] : tensor<32x16x8xi32> -> tensor<32x128xi32>
  %f = arith.sitofp %r : tensor<32x128xi32> to tensor<32x128xf16>
  %zb = tile.broadcast %zt [32, 128] : tensor<32x1xf16> -> tensor<32x128xf16>
  %d = arith.subf %f, %zb : tensor<32x128xf16>
  %s = math.exp %d : tensor<32x128xf16>
  %g = tile.reshape %s [32, 16, 8] : tensor<32x128xf16> -> tensor<32x16x8xf16>
  %h = tile.reduce max %g axis 2 : tensor<32x16x8xf16> -> tensor<32x16xf16>
  %i = arith.fptosi %h : tensor<32x16xf16> to tensor<32x16xi32>
  tile.store %i, %y[%c0, %c0] : tensor<32x16xi32>, !tile.view<32x16xi32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Pieces are in registers of the threads that hold the whole: halves of rows, if each thread has both, ...
// CHECK-DAG: #[[WHOLE:.*]] = #tile_gpu.layout<registers = [d1:4*1, d0:4*16, d1:2*32], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>
// CHECK-DAG: #[[HALF:.*]] = #tile_gpu.layout<registers = [d1:4*1, d0:4*16], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>
// CHECK-LABEL: @halves
// CHECK-NOT:   convert_layout
// CHECK:       tile.cat {{.*}} : tensor<64x32xf32, #[[HALF]]>, tensor<64x32xf32, #[[HALF]]> -> tensor<64x64xf32, #[[WHOLE]]>
// CHECK:       tile.extract {{.*}} : tensor<64x64xf32, #[[WHOLE]]> -> tensor<64x32xf32, #[[HALF]]>
tile.kernel @halves(%x: !tile.view<64x32xf32>) outs(%y: !tile.view<64x32xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.load %x[%c0, %c0] [64, 32] : !tile.view<64x32xf32> -> tensor<64x32xf32>
  %n = arith.negf %a : tensor<64x32xf32>
  %w = tile.cat %n, %a axis 1 : tensor<64x32xf32>, tensor<64x32xf32> -> tensor<64x64xf32>
  %e = math.exp %w : tensor<64x64xf32>
  %l = tile.extract %e[%c0, %c0] [64, 32] : tensor<64x64xf32> -> tensor<64x32xf32>
  %r = tile.extract %e[%c0, %c1] [64, 32] : tensor<64x64xf32> -> tensor<64x32xf32>
  %s = arith.addf %l, %r : tensor<64x32xf32>
  tile.store %s, %y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32>
}

// ... and adjacent elements that a packed number becomes.
// CHECK-LABEL: @neighbours
// CHECK-NOT:   convert_layout
// CHECK:       tile.cat {{.*}} -> tensor<64x8x2xi32, #[[PAIRS:.*]]>
// CHECK:       tile.reshape {{.*}} : tensor<64x8x2xi32, #[[PAIRS]]> -> tensor<64x16xi32, #[[ROW:.*]]>
// CHECK:       tile.store {{.*}} tensor<64x16xi32, #[[ROW]]>
tile.kernel @neighbours(%x: !tile.view<64x8xi32>) outs(%y: !tile.view<64x16xi32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %four = arith.constant dense<4> : tensor<64x8x1xi32>
  %a = tile.load %x[%c0, %c0] [64, 8] : !tile.view<64x8xi32> -> tensor<64x8xi32>
  %b = tile.reshape %a [64, 8, 1] : tensor<64x8xi32> -> tensor<64x8x1xi32>
  %h = arith.shrui %b, %four : tensor<64x8x1xi32>
  %p = tile.cat %b, %h axis 2 : tensor<64x8x1xi32>, tensor<64x8x1xi32> -> tensor<64x8x2xi32>
  %r = tile.reshape %p [64, 16] : tensor<64x8x2xi32> -> tensor<64x16xi32>
  tile.store %r, %y[%c0, %c0] : tensor<64x16xi32>, !tile.view<64x16xi32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A value not in memory is reduced along a short axis by the threads that hold the result.
// CHECK-DAG: #[[SUM:.*]] = #tile_gpu.layout<registers = [d1:4*1, d0:2*16], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>
// CHECK-DAG: #[[EACH:.*]] = #tile_gpu.layout<registers = [d2:8*1, d1:4*1, d0:2*16], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>
// CHECK-LABEL: @distances
// CHECK:       tile.reduce add {{.*}} : tensor<32x32x8xf32, #[[EACH]]> -> tensor<32x32xf32, #[[SUM]]>
// CHECK-NEXT:  tile.store
tile.kernel @distances(%x: !tile.view<32x8xf32>, %c: !tile.view<32x8xf32>) outs(%y: !tile.view<32x32xf32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] [32, 8] : !tile.view<32x8xf32> -> tensor<32x8xf32>
  %b = tile.load %c[%c0, %c0] [32, 8] : !tile.view<32x8xf32> -> tensor<32x8xf32>
  %ae = tile.expand_dims %a, 1 : tensor<32x8xf32> -> tensor<32x1x8xf32>
  %ab = tile.broadcast %ae [32, 32, 8] : tensor<32x1x8xf32> -> tensor<32x32x8xf32>
  %bb = tile.broadcast %b [32, 32, 8] : tensor<32x8xf32> -> tensor<32x32x8xf32>
  %d = arith.subf %ab, %bb : tensor<32x32x8xf32>
  %e = math.absf %d : tensor<32x32x8xf32>
  %s = tile.reduce add %e axis 2 : tensor<32x32x8xf32> -> tensor<32x32xf32>
  tile.store %s, %y[%c0, %c0] : tensor<32x32xf32>, !tile.view<32x32xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Each thread unpacks the words it has read: merged axes keep the layout, with contiguous elements in consecutive
// registers.
// CHECK-DAG: #[[WORDS:.*]] = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:4*4, d0:8*1], warps = [d0:4*8]>
// CHECK-DAG: #[[PARTS:.*]] = #tile_gpu.layout<registers = [d1:32*1], lanes = [d1:4*32, d0:8*1], warps = [d0:4*8]>
// CHECK-LABEL: @unpack
// CHECK:       tile.load {{.*}} -> tensor<32x16xi32, #[[WORDS]]>
// CHECK:       tile.reshape {{.*}} -> tensor<32x128xi32, #[[PARTS]]>
// CHECK-NOT:   convert_layout
// CHECK:       tile.dot
tile.kernel @unpack(%x: !tile.view<16x128xf16>, %w: !tile.view<32x16xi32>) outs(%y: !tile.view<16x32xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %four = arith.constant dense<4> : tensor<8xi32>
  %mask = arith.constant dense<15> : tensor<32x16x8xi32>
  %words = tile.load %w[%c0, %c0] [32, 16] : !tile.view<32x16xi32> -> tensor<32x16xi32>
  %words1 = tile.expand_dims %words, 2 : tensor<32x16xi32> -> tensor<32x16x1xi32>
  %words8 = tile.broadcast %words1 [32, 16, 8] : tensor<32x16x1xi32> -> tensor<32x16x8xi32>
  %numbers = tile.iota [8] : tensor<8xi32>
  %bits = arith.muli %numbers, %four : tensor<8xi32>
  %shifts = tile.broadcast %bits [32, 16, 8] : tensor<8xi32> -> tensor<32x16x8xi32>
  %shifted = arith.shrui %words8, %shifts : tensor<32x16x8xi32>
  %parts = arith.andi %shifted, %mask : tensor<32x16x8xi32>
  %joined = tile.reshape %parts [32, 128] : tensor<32x16x8xi32> -> tensor<32x128xi32>
  %weights = arith.sitofp %joined : tensor<32x128xi32> to tensor<32x128xf16>
  %rows = tile.load %x[%c0, %c0] [16, 128] : !tile.view<16x128xf16> -> tensor<16x128xf16>
  %sum = tile.dot %rows, %weights, %zero transpose_b : tensor<16x128xf16>, tensor<32x128xf16>, tensor<16x32xf32> -> tensor<16x32xf32>
  tile.store %sum, %y[%c0, %c0] : tensor<16x32xf32>, !tile.view<16x32xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// Results that become the lhs of another dot, in this iteration or the next, stay in registers: a warp has whole rows.
// CHECK-DAG: #[[ROWS:.*]] = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, d0:8*1], warps = [d0:4*16]>
// CHECK-LABEL: @powers
// CHECK:       scf.for {{.*}} -> (tensor<64x64xf32, #[[ROWS]]>)
// CHECK-NOT:   convert_layout
// CHECK:       tile.dot {{.*}} transpose_b : {{.*}} -> tensor<64x64xf32, #[[ROWS]]>
// CHECK-NOT:   convert_layout
// CHECK:       tile.dot {{.*}} -> tensor<64x64xf32, #[[ROWS]]>
// CHECK-NEXT:  scf.yield
tile.kernel @powers(%x: !tile.view<64x64xbf16>, %n: index) outs(%y: !tile.view<64x64xf32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile.load %x[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %f = tile.cast %a : tensor<64x64xbf16> to tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %f) -> tensor<64x64xf32> {
    %h = tile.cast %v : tensor<64x64xf32> to tensor<64x64xbf16>
    %d = tile.dot %h, %h, %zero transpose_b : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %g = tile.cast %d : tensor<64x64xf32> to tensor<64x64xbf16>
    %e = tile.dot %g, %h, %zero : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %e : tensor<64x64xf32>
  }
  tile.store %r, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_80", warps = 4>

// A result that is the rhs of another dot goes through shared memory: warps are spread over both axes.
// CHECK-DAG: #[[BOTH:.*]] = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8, d0:2*16], lanes = [d1:4*2, d0:8*1], warps = [d0:2*32, d1:2*32]>
// CHECK-LABEL: @right_operand
// CHECK:       tile.dot {{.*}} -> tensor<64x64xf32, #[[BOTH]]>
// CHECK:       tile.dot {{.*}} -> tensor<64x64xf32, #[[BOTH]]>
tile.kernel @right_operand(%x: !tile.view<64x64xbf16>) outs(%y: !tile.view<64x64xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile.load %x[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %d = tile.dot %a, %a, %zero : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  %g = tile.cast %d : tensor<64x64xf32> to tensor<64x64xbf16>
  %e = tile.dot %a, %g, %zero : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  tile.store %e, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A step of a recurrence: few numbers that are loaded or stored as a row but used as a column lie as the column does, so that
// nothing moves between threads but in the sum.
// CHECK-DAG: #[[STATE:.*]] = #tile_gpu.layout<registers = [d1:4*1, d0:2*8], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>
// CHECK-DAG: #[[COLUMN:.*]] = #tile_gpu.layout<registers = [d0:2*8], lanes = [rep:16, d0:2*1], warps = [d0:4*2]>
// CHECK-DAG: #[[ROW:.*]] = #tile_gpu.layout<registers = [d1:2*8], lanes = [rep:16, d1:2*1], warps = [d1:4*2]>
// CHECK-LABEL: @step
// CHECK-NOT:   convert_layout
// CHECK:       tile.load {{.*}} -> tensor<1x16xf32, #[[ROW]]>
// CHECK:       tile.reshape {{.*}} tensor<1x16xf32, #[[ROW]]> -> tensor<16x1xf32, #[[COLUMN]]>
// CHECK:       tile.reduce add {{.*}} tensor<16x64xf32, #[[STATE]]> -> tensor<16x1xf32, #[[COLUMN]]>
// CHECK-NOT:   convert_layout
// CHECK:       tile.store {{.*}} : tensor<1x16xf32, #[[ROW]]>
tile.kernel @step(%k: !tile.view<?x64xf32>, %v: !tile.view<?x16xf32>, %n: index) outs(%y: !tile.view<?x16xf32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  scf.for %i = %c0 to %n step %c1 iter_args(%state = %zero) -> tensor<16x64xf32> {
    %kt = tile.load %k[%i, %c0] [1, 64] : !tile.view<?x64xf32> -> tensor<1x64xf32>
    %kb = tile.broadcast %kt [16, 64] : tensor<1x64xf32> -> tensor<16x64xf32>
    %vt = tile.load %v[%i, %c0] [1, 16] : !tile.view<?x16xf32> -> tensor<1x16xf32>
    %vc = tile.reshape %vt [16, 1] : tensor<1x16xf32> -> tensor<16x1xf32>
    %p = arith.mulf %state, %kb : tensor<16x64xf32>
    %s = tile.reduce add %p axis 1 keepdims : tensor<16x64xf32> -> tensor<16x1xf32>
    %d = arith.subf %vc, %s : tensor<16x1xf32>
    %db = tile.broadcast %d [16, 64] : tensor<16x1xf32> -> tensor<16x64xf32>
    %u = arith.mulf %db, %kb : tensor<16x64xf32>
    %next = arith.addf %state, %u : tensor<16x64xf32>
    %row = tile.reshape %d [1, 16] : tensor<16x1xf32> -> tensor<1x16xf32>
    tile.store %row, %y[%i, %c0] : tensor<1x16xf32>, !tile.view<?x16xf32>
    scf.yield %next : tensor<16x64xf32>
  }
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A step of a selective scan: 32 numbers for 128 threads, loaded as a row and used as a column, are one access of a thread in
// the layout of the column, too.
// CHECK-DAG: #[[COLUMN:.*]] = #tile_gpu.layout<registers = [], lanes = [rep:4, d0:8*1], warps = [d0:4*8]>
// CHECK-DAG: #[[ROW:.*]] = #tile_gpu.layout<registers = [], lanes = [rep:4, d2:8*1], warps = [d2:4*8]>
// CHECK-LABEL: @channels
// CHECK-NOT:   convert_layout
// CHECK:       tile.load {{.*}} -> tensor<1x1x32xf32, #[[ROW]]>
// CHECK:       tile.reshape {{.*}} tensor<1x1x32xf32, #[[ROW]]> -> tensor<32x1xf32, #[[COLUMN]]>
// CHECK-NOT:   convert_layout
// CHECK:       tile.store {{.*}} : tensor<1x1x32xf32, #[[ROW]]>
tile.kernel @channels(%a: !tile.view<32x16xf32>, %u: !tile.view<1x?x32xf32>, %n: index) outs(%y: !tile.view<1x?x32xf32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %at = tile.load %a[%c0, %c0] [32, 16] : !tile.view<32x16xf32> -> tensor<32x16xf32>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  scf.for %i = %c0 to %n step %c1 iter_args(%state = %zero) -> tensor<32x16xf32> {
    %ut = tile.load %u[%c0, %i, %c0] [1, 1, 32] : !tile.view<1x?x32xf32> -> tensor<1x1x32xf32>
    %uc = tile.reshape %ut [32, 1] : tensor<1x1x32xf32> -> tensor<32x1xf32>
    %ub = tile.broadcast %uc [32, 16] : tensor<32x1xf32> -> tensor<32x16xf32>
    %p = arith.mulf %state, %at : tensor<32x16xf32>
    %next = arith.addf %p, %ub : tensor<32x16xf32>
    %s = tile.reduce add %next axis 1 : tensor<32x16xf32> -> tensor<32xf32>
    %row = tile.reshape %s [1, 1, 32] : tensor<32xf32> -> tensor<1x1x32xf32>
    tile.store %row, %y[%c0, %i, %c0] : tensor<1x1x32xf32>, !tile.view<1x?x32xf32>
    scf.yield %next : tensor<32x16xf32>
  }
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A near miss: half an element a thread would be eight accesses of a thread as the column, so that the row changes places.
// CHECK-DAG: #[[ROW:.*]] = #tile_gpu.layout<registers = [], lanes = [d1:32*1], warps = [d1:2*32, rep:2]>
// CHECK-LABEL: @long_column
// CHECK:       tile.load {{.*}} -> tensor<1x64xf32, #[[ROW]]>
// CHECK:       tile.reshape {{.*}} tensor<1x64xf32, #[[ROW]]> -> tensor<64x1xf32
tile.kernel @long_column(%v: !tile.view<?x64xf32>, %f: f32) outs(%y: !tile.view<64x64xf32>) grid [1]
    attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.splat %f [64, 64] : f32 -> tensor<64x64xf32>
  %e = math.exp %t : tensor<64x64xf32>
  %s = tile.reduce add %e axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
  %vt = tile.load %v[%c0, %c0] [1, 64] : !tile.view<?x64xf32> -> tensor<1x64xf32>
  %vc = tile.reshape %vt [64, 1] : tensor<1x64xf32> -> tensor<64x1xf32>
  %d = arith.subf %vc, %s : tensor<64x1xf32>
  %db = tile.broadcast %d [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %r = arith.mulf %db, %e : tensor<64x64xf32>
  tile.store %r, %y[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Angles of few rows: 16 threads do not repeat functions of tens of instructions, each computes its share. Cheap elements are
// repeated, so that nothing moves.
// CHECK-DAG: #[[SHARED:.*]] = #tile_gpu.layout<registers = [d1:2*1], lanes = [d1:16*2, d0:2*1], warps = [d0:4*2]>
// CHECK-DAG: #[[REPEATED:.*]] = #tile_gpu.layout<registers = [d1:32*1], lanes = [d0:8*1, rep:4], warps = [rep:4]>
// CHECK-LABEL: @angles
// CHECK:       math.cos {{.*}} : tensor<8x32xf32, #[[SHARED]]>
// CHECK-LABEL: @sums
// CHECK:       arith.addf {{.*}} : tensor<8x32xf32, #[[REPEATED]]>
tile.kernel @angles(%x: !tile.view<?xf32>, %f: f32) outs(%y: !tile.view<?xf32>) grid [ceildiv(dim(%y, 0), 8)]
    attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %xt = tile.load %x[%m] [8] : !tile.view<?xf32> -> tensor<8xf32>
  %xc = tile.expand_dims %xt, 1 : tensor<8xf32> -> tensor<8x1xf32>
  %xb = tile.broadcast %xc [8, 32] : tensor<8x1xf32> -> tensor<8x32xf32>
  %i = tile.iota [32] : tensor<32xi32>
  %if = arith.sitofp %i : tensor<32xi32> to tensor<32xf32>
  %ib = tile.broadcast %if [8, 32] : tensor<32xf32> -> tensor<8x32xf32>
  %a = arith.mulf %xb, %ib : tensor<8x32xf32>
  %c = math.cos %a : tensor<8x32xf32>
  %s = tile.reduce add %c axis 1 : tensor<8x32xf32> -> tensor<8xf32>
  tile.store %s, %y[%m] : tensor<8xf32>, !tile.view<?xf32>
}
tile.kernel @sums(%x: !tile.view<?xf32>, %f: f32) outs(%y: !tile.view<?xf32>) grid [ceildiv(dim(%y, 0), 8)]
    attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %xt = tile.load %x[%m] [8] : !tile.view<?xf32> -> tensor<8xf32>
  %xc = tile.expand_dims %xt, 1 : tensor<8xf32> -> tensor<8x1xf32>
  %xb = tile.broadcast %xc [8, 32] : tensor<8x1xf32> -> tensor<8x32xf32>
  %i = tile.iota [32] : tensor<32xi32>
  %if = arith.sitofp %i : tensor<32xi32> to tensor<32xf32>
  %ib = tile.broadcast %if [8, 32] : tensor<32xf32> -> tensor<8x32xf32>
  %a = arith.addf %xb, %ib : tensor<8x32xf32>
  %s = tile.reduce mul %a axis 1 : tensor<8x32xf32> -> tensor<8xf32>
  tile.store %s, %y[%m] : tensor<8xf32>, !tile.view<?xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Butterflies: a thread holds both elements of a pair, so that taking pairs apart and joining them moves nothing. Also where the
// row is loaded as pairs: their axis is the last of more than one element.
// CHECK-DAG: #[[LOADED:.*]] = #tile_gpu.layout<registers = [d2:2*1, d1:4*32], lanes = [d1:32*1], warps = [d0:4*1]>
// CHECK-DAG: #[[PAIRS:.*]] = #tile_gpu.layout<registers = [d3:4*1, d2:2*1], lanes = [d3:2*4, d1:16*1], warps = [d0:4*1]>
// CHECK-DAG: #[[HALVES:.*]] = #tile_gpu.layout<registers = [d3:4*1], lanes = [d3:2*4, d1:16*1], warps = [d0:4*1]>
// CHECK-LABEL: @butterflies
// CHECK:       tile.reshape {{.*}} -> tensor<4x128x2x1xf32, #[[LOADED]]>
// CHECK:       tile.reshape {{.*}} -> tensor<4x16x2x8xf32, #[[PAIRS]]>
// CHECK-COUNT-2: tile.extract {{.*}} -> tensor<4x16x1x8xf32, #[[HALVES]]>
tile.kernel @butterflies(%x: !tile.view<?x256xf32>) outs(%y: !tile.view<?x256xf32>) grid [ceildiv(dim(%x, 0), 4)]
    attributes {tile_gpu.plan = #plan} {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[%m, %c0] [4, 256] : !tile.view<?x256xf32> -> tensor<4x256xf32>
  %p = tile.reshape %t [4, 128, 2, 1] : tensor<4x256xf32> -> tensor<4x128x2x1xf32>
  %a = tile.extract %p[%c0, %c0, %c0, %c0] [4, 128, 1, 1] : tensor<4x128x2x1xf32> -> tensor<4x128x1x1xf32>
  %b = tile.extract %p[%c0, %c0, %c1, %c0] [4, 128, 1, 1] : tensor<4x128x2x1xf32> -> tensor<4x128x1x1xf32>
  %s = arith.addf %a, %b : tensor<4x128x1x1xf32>
  %d = arith.subf %a, %b : tensor<4x128x1x1xf32>
  %q = tile.cat %s, %d axis 2 : tensor<4x128x1x1xf32>, tensor<4x128x1x1xf32> -> tensor<4x128x2x1xf32>
  %r = tile.reshape %q [4, 16, 2, 8] : tensor<4x128x2x1xf32> -> tensor<4x16x2x8xf32>
  %e = tile.extract %r[%c0, %c0, %c0, %c0] [4, 16, 1, 8] : tensor<4x16x2x8xf32> -> tensor<4x16x1x8xf32>
  %f = tile.extract %r[%c0, %c0, %c1, %c0] [4, 16, 1, 8] : tensor<4x16x2x8xf32> -> tensor<4x16x1x8xf32>
  %g = arith.addf %e, %f : tensor<4x16x1x8xf32>
  %h = arith.subf %e, %f : tensor<4x16x1x8xf32>
  %j = tile.cat %g, %h axis 2 : tensor<4x16x1x8xf32>, tensor<4x16x1x8xf32> -> tensor<4x16x2x8xf32>
  %k = tile.reshape %j [4, 256] : tensor<4x16x2x8xf32> -> tensor<4x256xf32>
  tile.store %k, %y[%m, %c0] : tensor<4x256xf32>, !tile.view<?x256xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Near misses: pieces of several sizes, a piece that a thread has no share of, pieces that are not a power of two.
// CHECK-DAG: #[[BLOCKED:.*]] = #tile_gpu.layout<registers = [d1:4*1, d0:2*8], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>
// CHECK-LABEL: @several_sizes
// CHECK:       math.exp {{.*}} : tensor<16x64xf32, #[[BLOCKED]]>
// CHECK-LABEL: @too_many
// CHECK:       math.exp {{.*}} : tensor<16x64xf32, #[[BLOCKED]]>
// CHECK-LABEL: @three
// CHECK:       math.exp {{.*}} : tensor<16x48xf32, #[[BLOCKED]]>
tile.kernel @several_sizes(%f: f32) outs(%y: !tile.view<16x8xf32>, %z: !tile.view<16x16xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.splat %f [16, 64] : f32 -> tensor<16x64xf32>
  %e = math.exp %t : tensor<16x64xf32>
  %a = tile.extract %e[%c0, %c0] [16, 8] : tensor<16x64xf32> -> tensor<16x8xf32>
  %b = tile.extract %e[%c0, %c0] [16, 16] : tensor<16x64xf32> -> tensor<16x16xf32>
  tile.store %a, %y[%c0, %c0] : tensor<16x8xf32>, !tile.view<16x8xf32>
  tile.store %b, %z[%c0, %c0] : tensor<16x16xf32>, !tile.view<16x16xf32>
}
tile.kernel @too_many(%f: f32) outs(%y: !tile.view<16x1xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.splat %f [16, 64] : f32 -> tensor<16x64xf32>
  %e = math.exp %t : tensor<16x64xf32>
  %a = tile.extract %e[%c0, %c0] [16, 1] : tensor<16x64xf32> -> tensor<16x1xf32>
  tile.store %a, %y[%c0, %c0] : tensor<16x1xf32>, !tile.view<16x1xf32>
}
tile.kernel @three(%f: f32) outs(%y: !tile.view<16x16xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %t = tile.splat %f [16, 48] : f32 -> tensor<16x48xf32>
  %e = math.exp %t : tensor<16x48xf32>
  %a = tile.extract %e[%c0, %c0] [16, 16] : tensor<16x48xf32> -> tensor<16x16xf32>
  tile.store %a, %y[%c0, %c0] : tensor<16x16xf32>, !tile.view<16x16xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// Long functions of scalars have no layout.
// CHECK-LABEL: @scalar_function
// CHECK:       math.cos %{{.*}} : f32
// CHECK:       math.sin %{{.*}} : tensor<512xf32, #
tile.kernel @scalar_function(%x: !tile.view<512xf32>, %f: f32) outs(%y: !tile.view<512xf32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %c = math.cos %f : f32
  %cs = tile.splat %c [512] : f32 -> tensor<512xf32>
  %t = tile.load %x[%c0] [512] : !tile.view<512xf32> -> tensor<512xf32>
  %s = math.sin %t : tensor<512xf32>
  %p = arith.mulf %s, %cs : tensor<512xf32>
  tile.store %p, %y[%c0] : tensor<512xf32>, !tile.view<512xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 4>

// A tile whose rows would fit a thread is spread over more lanes if every thread would hold a whole row vector, too. Positions
// take no registers.
// CHECK-DAG: #[[SPREAD:.*]] = #tile_gpu.layout<registers = [d1:4*1, d0:8*8], lanes = [d1:16*4, d0:2*1], warps = [d0:4*2]>
// CHECK-DAG: #[[WHOLE:.*]] = #tile_gpu.layout<registers = [d1:64*1], lanes = [d0:32*1], warps = [d0:2*32, rep:2]>
// CHECK-LABEL: @row_vectors
// CHECK:       arith.mulf {{.*}} : tensor<64x64xf32, #[[SPREAD]]>
// CHECK-LABEL: @row_positions
// CHECK:       arith.mulf {{.*}} : tensor<64x64xf32, #[[WHOLE]]>
tile.kernel @row_vectors(%v: !tile.view<64x1xf32>, %q: !tile.view<1x64xf32>) outs(%y: !tile.view<64x1xf32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %a = tile.load %v[%c0, %c0] [64, 1] : !tile.view<64x1xf32> -> tensor<64x1xf32>
  %b = tile.load %q[%c0, %c0] [1, 64] : !tile.view<1x64xf32> -> tensor<1x64xf32>
  %ab = tile.broadcast %a [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %bb = tile.broadcast %b [64, 64] : tensor<1x64xf32> -> tensor<64x64xf32>
  %p = arith.mulf %ab, %bb : tensor<64x64xf32>
  %s = tile.reduce add %p axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
  tile.store %s, %y[%c0, %c0] : tensor<64x1xf32>, !tile.view<64x1xf32>
}
tile.kernel @row_positions(%v: !tile.view<64x1xf32>) outs(%y: !tile.view<64x1xf32>)
    grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %a = tile.load %v[%c0, %c0] [64, 1] : !tile.view<64x1xf32> -> tensor<64x1xf32>
  %i = tile.iota [64] : tensor<64xi32>
  %ab = tile.broadcast %a [64, 64] : tensor<64x1xf32> -> tensor<64x64xf32>
  %ib = tile.broadcast %i [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
  %f = arith.sitofp %ib : tensor<64x64xi32> to tensor<64x64xf32>
  %p = arith.mulf %ab, %f : tensor<64x64xf32>
  %s = tile.reduce add %p axis 1 keepdims : tensor<64x64xf32> -> tensor<64x1xf32>
  tile.store %s, %y[%c0, %c0] : tensor<64x1xf32>, !tile.view<64x1xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 8>

// Users of a free tile with unit axes inserted get tiles of their own, too: no position moves between threads.
// CHECK-LABEL: @positions_of_both_axes
// CHECK-NOT:   convert_layout
// CHECK:       tile.store
tile.kernel @positions_of_both_axes() outs(%y: !tile.view<64x64xi32>) grid [1] attributes {tile_gpu.plan = #plan} {
  %c0 = arith.constant 0 : index
  %i = tile.iota [64] : tensor<64xi32>
  %row = tile.expand_dims %i, 0 : tensor<64xi32> -> tensor<1x64xi32>
  %column = tile.permute %row [1, 0] : tensor<1x64xi32> -> tensor<64x1xi32>
  %a = tile.broadcast %row [64, 64] : tensor<1x64xi32> -> tensor<64x64xi32>
  %b = tile.broadcast %column [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %s = arith.addi %a, %b : tensor<64x64xi32>
  tile.store %s, %y[%c0, %c0] : tensor<64x64xi32>, !tile.view<64x64xi32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 2>

// Loads by offset that are not aligned take one instruction an element: adjacent lanes have adjacent elements, so that each
// touches one line, although the store could move four elements.
// CHECK-DAG: #[[LANES:.*]] = #tile_gpu.layout<registers = [d0:4*64], lanes = [d0:32*1], warps = [d0:2*32]>
// CHECK-LABEL: @taps
// CHECK:       tile.load_at {{.*}} -> tensor<256xf32, #[[LANES]]>
// CHECK:       tile.store {{.*}} : tensor<256xf32, #[[LANES]]>
tile.kernel @taps(%x: !tile.view<65536xf32>, %n: index) outs(%y: !tile.view<65536xf32>) grid [256] attributes {tile_gpu.plan = #plan} {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 256 : index
  %s = arith.muli %b, %size : index
  %si = arith.index_cast %s : index to i32
  %ss = tile.splat %si [256] : i32 -> tensor<256xi32>
  %i = tile.iota [256] : tensor<256xi32>
  %place = arith.addi %i, %ss : tensor<256xi32>
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %p = tile.base %x : !tile.view<65536xf32> -> !tile.ptr<f32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> tensor<256xf32> {
    %ki = arith.index_cast %k : index to i32
    %ks = tile.splat %ki [256] : i32 -> tensor<256xi32>
    %o = arith.addi %place, %ks : tensor<256xi32>
    %t = tile.load_at %p[%o] : !tile.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    %u = arith.addf %a, %t : tensor<256xf32>
    scf.yield %u : tensor<256xf32>
  }
  tile.store %r, %y[%b] : tensor<256xf32>, !tile.view<65536xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 2>

// So do those of positions that are divided, here of tiles with another unit axis than what is stored.
// CHECK-DAG: #[[LANES:.*]] = #tile_gpu.layout<registers = [d1:4*64], lanes = [d1:32*1], warps = [d1:2*32]>
// CHECK-LABEL: @halves
// CHECK:       tile.store {{.*}} : tensor<1x256xf32, #[[LANES]]>
tile.kernel @halves(%x: !tile.view<32768xf32>) outs(%y: !tile.view<1x65536xf32>) grid [256] attributes {tile_gpu.plan = #plan} {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %size = arith.constant 256 : index
  %s = arith.muli %b, %size : index
  %si = arith.index_cast %s : index to i32
  %ss = tile.splat %si [256] : i32 -> tensor<256xi32>
  %i = tile.iota [256] : tensor<256xi32>
  %place = arith.addi %i, %ss : tensor<256xi32>
  %one = arith.constant dense<1> : tensor<256xi32>
  %o = arith.shrsi %place, %one : tensor<256xi32>
  %p = tile.base %x : !tile.view<32768xf32> -> !tile.ptr<f32>
  %t = tile.load_at %p[%o] : !tile.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  %r = tile.reshape %t [1, 256] : tensor<256xf32> -> tensor<1x256xf32>
  tile.store %r, %y[%c0, %b] : tensor<1x256xf32>, !tile.view<1x65536xf32>
}

// -----

#plan = #tile_gpu.plan<target = "sm_90a", warps = 2>

// Near misses: aligned offsets, and offsets from memory, which no layout brings together.
// CHECK-DAG: #[[FOUR:.*]] = #tile_gpu.layout<registers = [d0:4*1], lanes = [d0:32*4], warps = [d0:2*128]>
// CHECK-LABEL: @aligned
// CHECK:       tile.store {{.*}} : tensor<256xf32, #[[FOUR]]>
tile.kernel @aligned(%x: !tile.view<65536xf32>, %at: !tile.view<65536xi32>) outs(%y: !tile.view<65536xf32>) grid [256]
    attributes {tile_gpu.plan = #plan} {
  %b = tile.block_id 0
  %size = arith.constant 256 : index
  %s = arith.muli %b, %size : index
  %si = arith.index_cast %s : index to i32
  %ss = tile.splat %si [256] : i32 -> tensor<256xi32>
  %i = tile.iota [256] : tensor<256xi32>
  %place = arith.addi %i, %ss : tensor<256xi32>
  %p = tile.base %x : !tile.view<65536xf32> -> !tile.ptr<f32>
  %t = tile.load_at %p[%place] : !tile.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  %o = tile.load %at[%b] [256] : !tile.view<65536xi32> -> tensor<256xi32>
  %u = tile.load_at %p[%o] : !tile.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  %r = arith.addf %t, %u : tensor<256xf32>
  tile.store %r, %y[%b] : tensor<256xf32>, !tile.view<65536xf32>
}
