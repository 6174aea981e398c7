// RUN: tilegpt-opt %s --tile-gpu-split-iterations --canonicalize --cse | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-split-iterations --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tilegpt-opt %s --tile-gpu-split-iterations --tile-gpu-make-plan --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN
// Warp groups are sm_90a's.
// RUN: tilegpt-opt %s --tile-gpu-split-iterations=target=sm_80 | FileCheck %s --check-prefix=AMPERE
// AMPERE-NOT: [64, 128]

// The threads of two warp groups have no registers for two scores and a sum of 128 x 128 each. Iterations of half as many keys
// need no more for the same sum; the positions of the keys follow.
// CHECK-LABEL: @sums
// CHECK:       %[[STEPS:.*]] = tile.num_tiles %{{.*}}, 0 by [128]
// CHECK:       %[[END:.*]] = arith.muli %[[STEPS]], %c2
// CHECK:       scf.for %[[J:.*]] = %c0{{.*}} to %[[END]] {{.*}} -> (tensor<128x128xf32>)
// CHECK:         tile.load %{{.*}}[%[[J]], %{{.*}}] [64, 128]
// CHECK:         tile.dot {{.*}} : tensor<128x128xbf16>, tensor<64x128xbf16>, tensor<128x64xf32>
// CHECK:         arith.muli %[[J]], %c64
// CHECK:         tile.iota [64]
// CHECK:         tile.dot {{.*}} : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
// REMARK: @sums: tile: iterations of 64 instead of 128
tile.kernel @sums(%q: !tile.view<?x128xbf16>, %k: !tile.view<?x128xbf16>, %v: !tile.view<?x128xbf16>, %g: !tile.view<?x128xbf16>) outs(%y: !tile.view<?x128xf32>) grid [ceildiv(dim(%y, 0), 128)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %q[%x1, %x2] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
  %x4 = arith.constant 0 : index
  %x5 = tile.load %g[%x1, %x4] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
  %x6 = arith.constant 128 : index
  %x7 = arith.muli %x1, %x6 : index
  %x8 = arith.index_cast %x7 : index to i32
  %x9 = tile.iota [128] : tensor<128xi32>
  %x10 = tile.splat %x8 [128] : i32 -> tensor<128xi32>
  %x11 = arith.addi %x9, %x10 : tensor<128xi32>
  %x12 = tile.expand_dims %x11, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %x13 = arith.constant dense<0.0> : tensor<128x128xf32>
  %x14 = tile.num_tiles %k, 0 by [128] : !tile.view<?x128xbf16>
  %x15 = arith.constant 0 : index
  %x16 = arith.constant 1 : index
  %x19 = scf.for %x17 = %x15 to %x14 step %x16 iter_args(%x18 = %x13) -> (tensor<128x128xf32>) {
    %x20 = arith.constant 0 : index
    %x21 = tile.load %k[%x17, %x20] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x22 = arith.constant 0 : index
    %x23 = tile.load %v[%x17, %x22] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x24 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x25 = tile.dot %x3, %x21, %x24 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x26 = arith.constant 128 : index
    %x27 = arith.muli %x17, %x26 : index
    %x28 = arith.index_cast %x27 : index to i32
    %x29 = tile.iota [128] : tensor<128xi32>
    %x30 = tile.splat %x28 [128] : i32 -> tensor<128xi32>
    %x31 = arith.addi %x29, %x30 : tensor<128xi32>
    %x32 = tile.expand_dims %x31, 0 : tensor<128xi32> -> tensor<1x128xi32>
    %x33 = tile.broadcast %x12 [128, 128] : tensor<128x1xi32> -> tensor<128x128xi32>
    %x34 = tile.broadcast %x32 [128, 128] : tensor<1x128xi32> -> tensor<128x128xi32>
    %x35 = arith.cmpi sge, %x33, %x34 : tensor<128x128xi32>
    %x36 = arith.constant dense<0xFF800000> : tensor<128x128xf32>
    %x37 = arith.select %x35, %x25, %x36 : tensor<128x128xi1>, tensor<128x128xf32>
    %x38 = math.exp %x37 : tensor<128x128xf32>
    %x39 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x40 = tile.dot %x5, %x23, %x39 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x41 = arith.mulf %x38, %x40 : tensor<128x128xf32>
    %x42 = tile.cast %x41 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x43 = tile.dot %x42, %x21, %x18 : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %x43 : tensor<128x128xf32>
  }
  %x44 = arith.constant 0 : index
  tile.store %x19, %y[%x1, %x44] : tensor<128x128xf32>, !tile.view<?x128xf32>
}

// A row may see none of the first 64 keys, where it saw one of the first 128: a maximum of minus infinity minus itself would be
// NaN. One that starts at a finite number stays.
// CHECK-LABEL: @softmax
// CHECK:       %[[START:.*]] = arith.constant dense<-1.000000e+30> : tensor<128x1xf32>
// CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %[[START]],
// CHECK:         tile.load %{{.*}} [64, 256]
// REMARK: @softmax: tile: iterations of 64 instead of 128
tile.kernel @softmax(%q: !tile.view<?x256xbf16>, %k: !tile.view<?x256xbf16>, %v: !tile.view<?x256xbf16>) outs(%y: !tile.view<?x256xf32>) grid [ceildiv(dim(%y, 0), 128)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %q[%x1, %x2] [128, 256] : !tile.view<?x256xbf16> -> tensor<128x256xbf16>
  %x4 = arith.constant 128 : index
  %x5 = arith.muli %x1, %x4 : index
  %x6 = arith.index_cast %x5 : index to i32
  %x7 = tile.iota [128] : tensor<128xi32>
  %x8 = tile.splat %x6 [128] : i32 -> tensor<128xi32>
  %x9 = arith.addi %x7, %x8 : tensor<128xi32>
  %x10 = tile.expand_dims %x9, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %x11 = arith.constant dense<0.0> : tensor<128x256xf32>
  %x12 = tile.num_tiles %k, 0 by [128] : !tile.view<?x256xbf16>
  %x13 = arith.constant 0 : index
  %x14 = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %x15 = arith.constant dense<0.0> : tensor<128x1xf32>
  %x16 = arith.constant 1 : index
  %x21, %x22, %x23 = scf.for %x17 = %x13 to %x12 step %x16 iter_args(%x18 = %x14, %x19 = %x15, %x20 = %x11) -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x256xf32>) {
    %x24 = arith.constant 0 : index
    %x25 = tile.load %k[%x17, %x24] [128, 256] : !tile.view<?x256xbf16> -> tensor<128x256xbf16>
    %x26 = arith.constant 0 : index
    %x27 = tile.load %v[%x17, %x26] [128, 256] : !tile.view<?x256xbf16> -> tensor<128x256xbf16>
    %x28 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x29 = tile.dot %x3, %x25, %x28 transpose_b : tensor<128x256xbf16>, tensor<128x256xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x30 = arith.constant 128 : index
    %x31 = arith.muli %x17, %x30 : index
    %x32 = arith.index_cast %x31 : index to i32
    %x33 = tile.iota [128] : tensor<128xi32>
    %x34 = tile.splat %x32 [128] : i32 -> tensor<128xi32>
    %x35 = arith.addi %x33, %x34 : tensor<128xi32>
    %x36 = tile.expand_dims %x35, 0 : tensor<128xi32> -> tensor<1x128xi32>
    %x37 = tile.broadcast %x10 [128, 128] : tensor<128x1xi32> -> tensor<128x128xi32>
    %x38 = tile.broadcast %x36 [128, 128] : tensor<1x128xi32> -> tensor<128x128xi32>
    %x39 = arith.cmpi sge, %x37, %x38 : tensor<128x128xi32>
    %x40 = arith.constant dense<0xFF800000> : tensor<128x128xf32>
    %x41 = arith.select %x39, %x29, %x40 : tensor<128x128xi1>, tensor<128x128xf32>
    %x42 = tile.reduce max %x41 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x43 = arith.maximumf %x18, %x42 : tensor<128x1xf32>
    %x44 = tile.broadcast %x43 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x45 = arith.subf %x41, %x44 : tensor<128x128xf32>
    %x46 = math.exp %x45 : tensor<128x128xf32>
    %x47 = arith.subf %x18, %x43 : tensor<128x1xf32>
    %x48 = math.exp %x47 : tensor<128x1xf32>
    %x49 = arith.mulf %x19, %x48 : tensor<128x1xf32>
    %x50 = tile.reduce add %x46 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x51 = arith.addf %x49, %x50 : tensor<128x1xf32>
    %x52 = tile.cast %x46 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x53 = tile.broadcast %x48 [128, 256] : tensor<128x1xf32> -> tensor<128x256xf32>
    %x54 = arith.mulf %x20, %x53 : tensor<128x256xf32>
    %x55 = tile.dot %x52, %x27, %x54 : tensor<128x128xbf16>, tensor<128x256xbf16>, tensor<128x256xf32> -> tensor<128x256xf32>
    scf.yield %x43, %x51, %x55 : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x256xf32>
  }
  %x56 = tile.broadcast %x22 [128, 256] : tensor<128x1xf32> -> tensor<128x256xf32>
  %x57 = arith.divf %x23, %x56 : tensor<128x256xf32>
  %x58 = arith.constant 0 : index
  tile.store %x57, %y[%x1, %x58] : tensor<128x256xf32>, !tile.view<?x256xf32>
}

// Without such a mask the maximum of any key is finite.
// CHECK-LABEL: @softmax_of_all
// CHECK-NOT:   dense<-1.0
// CHECK:       %[[START:.*]] = arith.constant dense<0xFF800000> : tensor<128x1xf32>
// CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %[[START]],
// CHECK:         tile.load %{{.*}} [64, 256]
tile.kernel @softmax_of_all(%q: !tile.view<?x256xbf16>, %k: !tile.view<?x256xbf16>, %v: !tile.view<?x256xbf16>) outs(%y: !tile.view<?x256xf32>) grid [ceildiv(dim(%y, 0), 128)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %q[%x1, %x2] [128, 256] : !tile.view<?x256xbf16> -> tensor<128x256xbf16>
  %x4 = arith.constant 128 : index
  %x5 = arith.muli %x1, %x4 : index
  %x6 = arith.index_cast %x5 : index to i32
  %x7 = tile.iota [128] : tensor<128xi32>
  %x8 = tile.splat %x6 [128] : i32 -> tensor<128xi32>
  %x9 = arith.addi %x7, %x8 : tensor<128xi32>
  %x10 = tile.expand_dims %x9, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %x11 = arith.constant dense<0.0> : tensor<128x256xf32>
  %x12 = tile.num_tiles %k, 0 by [128] : !tile.view<?x256xbf16>
  %x13 = arith.constant 0 : index
  %x14 = arith.constant dense<0xFF800000> : tensor<128x1xf32>
  %x15 = arith.constant dense<0.0> : tensor<128x1xf32>
  %x16 = arith.constant 1 : index
  %x21, %x22, %x23 = scf.for %x17 = %x13 to %x12 step %x16 iter_args(%x18 = %x14, %x19 = %x15, %x20 = %x11) -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x256xf32>) {
    %x24 = arith.constant 0 : index
    %x25 = tile.load %k[%x17, %x24] [128, 256] : !tile.view<?x256xbf16> -> tensor<128x256xbf16>
    %x26 = arith.constant 0 : index
    %x27 = tile.load %v[%x17, %x26] [128, 256] : !tile.view<?x256xbf16> -> tensor<128x256xbf16>
    %x28 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x29 = tile.dot %x3, %x25, %x28 transpose_b : tensor<128x256xbf16>, tensor<128x256xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x30 = tile.reduce max %x29 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x31 = arith.maximumf %x18, %x30 : tensor<128x1xf32>
    %x32 = tile.broadcast %x31 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x33 = arith.subf %x29, %x32 : tensor<128x128xf32>
    %x34 = math.exp %x33 : tensor<128x128xf32>
    %x35 = arith.subf %x18, %x31 : tensor<128x1xf32>
    %x36 = math.exp %x35 : tensor<128x1xf32>
    %x37 = arith.mulf %x19, %x36 : tensor<128x1xf32>
    %x38 = tile.reduce add %x34 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x39 = arith.addf %x37, %x38 : tensor<128x1xf32>
    %x40 = tile.cast %x34 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x41 = tile.broadcast %x36 [128, 256] : tensor<128x1xf32> -> tensor<128x256xf32>
    %x42 = arith.mulf %x20, %x41 : tensor<128x256xf32>
    %x43 = tile.dot %x40, %x27, %x42 : tensor<128x128xbf16>, tensor<128x256xbf16>, tensor<128x256xf32> -> tensor<128x256xf32>
    scf.yield %x31, %x39, %x43 : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x256xf32>
  }
  %x44 = tile.broadcast %x22 [128, 256] : tensor<128x1xf32> -> tensor<128x256xf32>
  %x45 = arith.divf %x23, %x44 : tensor<128x256xf32>
  %x46 = arith.constant 0 : index
  tile.store %x45, %y[%x1, %x46] : tensor<128x256xf32>, !tile.view<?x256xf32>
}

// Tiles that fit stay, unless a request says otherwise; the request is gone then.
// CHECK-LABEL: @fits
// CHECK:         tile.load %{{.*}}[%{{.*}}] [128, 128]
// CHECK-NOT:     [64, 128]
tile.kernel @fits(%q: !tile.view<?x128xbf16>, %k: !tile.view<?x128xbf16>, %v: !tile.view<?x128xbf16>) outs(%y: !tile.view<?x128xf32>) grid [ceildiv(dim(%y, 0), 128)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %q[%x1, %x2] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
  %x4 = arith.constant 128 : index
  %x5 = arith.muli %x1, %x4 : index
  %x6 = arith.index_cast %x5 : index to i32
  %x7 = tile.iota [128] : tensor<128xi32>
  %x8 = tile.splat %x6 [128] : i32 -> tensor<128xi32>
  %x9 = arith.addi %x7, %x8 : tensor<128xi32>
  %x10 = tile.expand_dims %x9, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %x11 = arith.constant dense<0.0> : tensor<128x128xf32>
  %x12 = tile.num_tiles %k, 0 by [128] : !tile.view<?x128xbf16>
  %x13 = arith.constant 0 : index
  %x14 = arith.constant dense<-1.000000000e+30> : tensor<128x1xf32>
  %x15 = arith.constant dense<0.0> : tensor<128x1xf32>
  %x16 = arith.constant 1 : index
  %x21, %x22, %x23 = scf.for %x17 = %x13 to %x12 step %x16 iter_args(%x18 = %x14, %x19 = %x15, %x20 = %x11) -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x128xf32>) {
    %x24 = arith.constant 0 : index
    %x25 = tile.load %k[%x17, %x24] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x26 = arith.constant 0 : index
    %x27 = tile.load %v[%x17, %x26] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x28 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x29 = tile.dot %x3, %x25, %x28 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x30 = tile.reduce max %x29 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x31 = arith.maximumf %x18, %x30 : tensor<128x1xf32>
    %x32 = tile.broadcast %x31 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x33 = arith.subf %x29, %x32 : tensor<128x128xf32>
    %x34 = math.exp %x33 : tensor<128x128xf32>
    %x35 = arith.subf %x18, %x31 : tensor<128x1xf32>
    %x36 = math.exp %x35 : tensor<128x1xf32>
    %x37 = arith.mulf %x19, %x36 : tensor<128x1xf32>
    %x38 = tile.reduce add %x34 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x39 = arith.addf %x37, %x38 : tensor<128x1xf32>
    %x40 = tile.cast %x34 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x41 = tile.broadcast %x36 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x42 = arith.mulf %x20, %x41 : tensor<128x128xf32>
    %x43 = tile.dot %x40, %x27, %x42 : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %x31, %x39, %x43 : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x128xf32>
  }
  %x44 = tile.broadcast %x22 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
  %x45 = arith.divf %x23, %x44 : tensor<128x128xf32>
  %x46 = arith.constant 0 : index
  tile.store %x45, %y[%x1, %x46] : tensor<128x128xf32>, !tile.view<?x128xf32>
}

// CHECK-LABEL: @requested
// CHECK-NEXT:    grid {{.*}} attributes {tile.wanted_plan = {overlap = 0 : i64}}
// CHECK:         tile.load %{{.*}}[%{{.*}}] [32, 128]
tile.kernel @requested(%q: !tile.view<?x128xbf16>, %k: !tile.view<?x128xbf16>, %v: !tile.view<?x128xbf16>) outs(%y: !tile.view<?x128xf32>) grid [ceildiv(dim(%y, 0), 128)] attributes {tile.wanted_plan = {overlap = 0, pieces = 4}} {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %q[%x1, %x2] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
  %x4 = arith.constant 128 : index
  %x5 = arith.muli %x1, %x4 : index
  %x6 = arith.index_cast %x5 : index to i32
  %x7 = tile.iota [128] : tensor<128xi32>
  %x8 = tile.splat %x6 [128] : i32 -> tensor<128xi32>
  %x9 = arith.addi %x7, %x8 : tensor<128xi32>
  %x10 = tile.expand_dims %x9, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %x11 = arith.constant dense<0.0> : tensor<128x128xf32>
  %x12 = tile.num_tiles %k, 0 by [128] : !tile.view<?x128xbf16>
  %x13 = arith.constant 0 : index
  %x14 = arith.constant dense<-1.000000000e+30> : tensor<128x1xf32>
  %x15 = arith.constant dense<0.0> : tensor<128x1xf32>
  %x16 = arith.constant 1 : index
  %x21, %x22, %x23 = scf.for %x17 = %x13 to %x12 step %x16 iter_args(%x18 = %x14, %x19 = %x15, %x20 = %x11) -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x128xf32>) {
    %x24 = arith.constant 0 : index
    %x25 = tile.load %k[%x17, %x24] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x26 = arith.constant 0 : index
    %x27 = tile.load %v[%x17, %x26] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x28 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x29 = tile.dot %x3, %x25, %x28 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x30 = tile.reduce max %x29 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x31 = arith.maximumf %x18, %x30 : tensor<128x1xf32>
    %x32 = tile.broadcast %x31 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x33 = arith.subf %x29, %x32 : tensor<128x128xf32>
    %x34 = math.exp %x33 : tensor<128x128xf32>
    %x35 = arith.subf %x18, %x31 : tensor<128x1xf32>
    %x36 = math.exp %x35 : tensor<128x1xf32>
    %x37 = arith.mulf %x19, %x36 : tensor<128x1xf32>
    %x38 = tile.reduce add %x34 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x39 = arith.addf %x37, %x38 : tensor<128x1xf32>
    %x40 = tile.cast %x34 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x41 = tile.broadcast %x36 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x42 = arith.mulf %x20, %x41 : tensor<128x128xf32>
    %x43 = tile.dot %x40, %x27, %x42 : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %x31, %x39, %x43 : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x128xf32>
  }
  %x44 = tile.broadcast %x22 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
  %x45 = arith.divf %x23, %x44 : tensor<128x128xf32>
  %x46 = arith.constant 0 : index
  tile.store %x45, %y[%x1, %x46] : tensor<128x128xf32>, !tile.view<?x128xf32>
}

// 128 keys are no multiple of three pieces: the request remains, for --tile-gpu-make-plan to report.
// CHECK-LABEL: @no_piece
// CHECK-NEXT:    grid {{.*}} attributes {tile.wanted_plan = {pieces = 3 : i64}}
// CHECK-NOT:     [64, 128]
tile.kernel @no_piece(%q: !tile.view<?x128xbf16>, %k: !tile.view<?x128xbf16>, %v: !tile.view<?x128xbf16>) outs(%y: !tile.view<?x128xf32>) grid [ceildiv(dim(%y, 0), 128)] attributes {tile.wanted_plan = {pieces = 3}} {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %q[%x1, %x2] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
  %x4 = arith.constant 128 : index
  %x5 = arith.muli %x1, %x4 : index
  %x6 = arith.index_cast %x5 : index to i32
  %x7 = tile.iota [128] : tensor<128xi32>
  %x8 = tile.splat %x6 [128] : i32 -> tensor<128xi32>
  %x9 = arith.addi %x7, %x8 : tensor<128xi32>
  %x10 = tile.expand_dims %x9, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %x11 = arith.constant dense<0.0> : tensor<128x128xf32>
  %x12 = tile.num_tiles %k, 0 by [128] : !tile.view<?x128xbf16>
  %x13 = arith.constant 0 : index
  %x14 = arith.constant dense<-1.000000000e+30> : tensor<128x1xf32>
  %x15 = arith.constant dense<0.0> : tensor<128x1xf32>
  %x16 = arith.constant 1 : index
  %x21, %x22, %x23 = scf.for %x17 = %x13 to %x12 step %x16 iter_args(%x18 = %x14, %x19 = %x15, %x20 = %x11) -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x128xf32>) {
    %x24 = arith.constant 0 : index
    %x25 = tile.load %k[%x17, %x24] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x26 = arith.constant 0 : index
    %x27 = tile.load %v[%x17, %x26] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x28 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x29 = tile.dot %x3, %x25, %x28 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x30 = tile.reduce max %x29 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x31 = arith.maximumf %x18, %x30 : tensor<128x1xf32>
    %x32 = tile.broadcast %x31 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x33 = arith.subf %x29, %x32 : tensor<128x128xf32>
    %x34 = math.exp %x33 : tensor<128x128xf32>
    %x35 = arith.subf %x18, %x31 : tensor<128x1xf32>
    %x36 = math.exp %x35 : tensor<128x1xf32>
    %x37 = arith.mulf %x19, %x36 : tensor<128x1xf32>
    %x38 = tile.reduce add %x34 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x39 = arith.addf %x37, %x38 : tensor<128x1xf32>
    %x40 = tile.cast %x34 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x41 = tile.broadcast %x36 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x42 = arith.mulf %x20, %x41 : tensor<128x128xf32>
    %x43 = tile.dot %x40, %x27, %x42 : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %x31, %x39, %x43 : tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x128xf32>
  }
  %x44 = tile.broadcast %x22 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
  %x45 = arith.divf %x23, %x44 : tensor<128x128xf32>
  %x46 = arith.constant 0 : index
  tile.store %x45, %y[%x1, %x46] : tensor<128x128xf32>, !tile.view<?x128xf32>
}

// Each piece would be divided by its own sum.
// CHECK-LABEL: @normalized
// CHECK-NOT:     [64, 128]
// REMARK: @normalized: tile missed: the tiles of an iteration are not split: the loop carries a value that is neither a sum of dots along the axis nor part of an online softmax
tile.kernel @normalized(%q: !tile.view<?x128xbf16>, %k: !tile.view<?x128xbf16>, %v: !tile.view<?x128xbf16>, %g: !tile.view<?x128xbf16>) outs(%y: !tile.view<?x128xf32>) grid [ceildiv(dim(%y, 0), 128)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %q[%x1, %x2] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
  %x4 = arith.constant 0 : index
  %x5 = tile.load %g[%x1, %x4] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
  %x6 = arith.constant 128 : index
  %x7 = arith.muli %x1, %x6 : index
  %x8 = arith.index_cast %x7 : index to i32
  %x9 = tile.iota [128] : tensor<128xi32>
  %x10 = tile.splat %x8 [128] : i32 -> tensor<128xi32>
  %x11 = arith.addi %x9, %x10 : tensor<128xi32>
  %x12 = tile.expand_dims %x11, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %x13 = arith.constant dense<0.0> : tensor<128x128xf32>
  %x14 = tile.num_tiles %k, 0 by [128] : !tile.view<?x128xbf16>
  %x15 = arith.constant 0 : index
  %x16 = arith.constant 1 : index
  %x19 = scf.for %x17 = %x15 to %x14 step %x16 iter_args(%x18 = %x13) -> (tensor<128x128xf32>) {
    %x20 = arith.constant 0 : index
    %x21 = tile.load %k[%x17, %x20] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x22 = arith.constant 0 : index
    %x23 = tile.load %v[%x17, %x22] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x24 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x25 = tile.dot %x3, %x21, %x24 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x26 = math.exp %x25 : tensor<128x128xf32>
    %x27 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x28 = tile.dot %x5, %x23, %x27 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x29 = arith.mulf %x26, %x28 : tensor<128x128xf32>
    %x30 = tile.reduce add %x29 axis 1 keepdims : tensor<128x128xf32> -> tensor<128x1xf32>
    %x31 = tile.broadcast %x30 [128, 128] : tensor<128x1xf32> -> tensor<128x128xf32>
    %x32 = arith.divf %x29, %x31 : tensor<128x128xf32>
    %x33 = tile.cast %x32 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x34 = tile.dot %x33, %x21, %x18 : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %x34 : tensor<128x128xf32>
  }
  %x35 = arith.constant 0 : index
  tile.store %x19, %y[%x1, %x35] : tensor<128x128xf32>, !tile.view<?x128xf32>
}

// The number of a tile of 128 keys.
// CHECK-LABEL: @numbered
// CHECK-NOT:     [64, 128]
// REMARK: @numbered: tile missed: the tiles of an iteration are not split: the tile index is used other than to compute element indices
tile.kernel @numbered(%q: !tile.view<?x128xbf16>, %k: !tile.view<?x128xbf16>, %v: !tile.view<?x128xbf16>, %g: !tile.view<?x128xbf16>) outs(%y: !tile.view<?x128xf32>) grid [ceildiv(dim(%y, 0), 128)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %q[%x1, %x2] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
  %x4 = arith.constant 0 : index
  %x5 = tile.load %g[%x1, %x4] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
  %x6 = arith.constant 128 : index
  %x7 = arith.muli %x1, %x6 : index
  %x8 = arith.index_cast %x7 : index to i32
  %x9 = tile.iota [128] : tensor<128xi32>
  %x10 = tile.splat %x8 [128] : i32 -> tensor<128xi32>
  %x11 = arith.addi %x9, %x10 : tensor<128xi32>
  %x12 = tile.expand_dims %x11, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %x13 = arith.constant dense<0.0> : tensor<128x128xf32>
  %x14 = tile.num_tiles %k, 0 by [128] : !tile.view<?x128xbf16>
  %x15 = arith.constant 0 : index
  %x16 = arith.constant 1 : index
  %x19 = scf.for %x17 = %x15 to %x14 step %x16 iter_args(%x18 = %x13) -> (tensor<128x128xf32>) {
    %x20 = arith.constant 0 : index
    %x21 = tile.load %k[%x17, %x20] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x22 = arith.constant 0 : index
    %x23 = tile.load %v[%x17, %x22] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x24 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x25 = tile.dot %x3, %x21, %x24 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x26 = arith.index_cast %x17 : index to i32
    %x27 = arith.sitofp %x26 : i32 to f32
    %x28 = tile.splat %x27 [128, 128] : f32 -> tensor<128x128xf32>
    %x29 = arith.addf %x25, %x28 : tensor<128x128xf32>
    %x30 = math.exp %x29 : tensor<128x128xf32>
    %x31 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x32 = tile.dot %x5, %x23, %x31 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x33 = arith.mulf %x30, %x32 : tensor<128x128xf32>
    %x34 = tile.cast %x33 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x35 = tile.dot %x34, %x21, %x18 : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %x35 : tensor<128x128xf32>
  }
  %x36 = arith.constant 0 : index
  tile.store %x19, %y[%x1, %x36] : tensor<128x128xf32>, !tile.view<?x128xf32>
}

// Places within a tile of 128 keys.
// CHECK-LABEL: @places
// CHECK-NOT:     [64, 128]
// REMARK: @places: tile missed: the tiles of an iteration are not split: indices within a tile are used directly; add the start of the tile to them
tile.kernel @places(%q: !tile.view<?x128xbf16>, %k: !tile.view<?x128xbf16>, %v: !tile.view<?x128xbf16>, %g: !tile.view<?x128xbf16>) outs(%y: !tile.view<?x128xf32>) grid [ceildiv(dim(%y, 0), 128)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %q[%x1, %x2] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
  %x4 = arith.constant 0 : index
  %x5 = tile.load %g[%x1, %x4] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
  %x6 = arith.constant 128 : index
  %x7 = arith.muli %x1, %x6 : index
  %x8 = arith.index_cast %x7 : index to i32
  %x9 = tile.iota [128] : tensor<128xi32>
  %x10 = tile.splat %x8 [128] : i32 -> tensor<128xi32>
  %x11 = arith.addi %x9, %x10 : tensor<128xi32>
  %x12 = tile.expand_dims %x11, 1 : tensor<128xi32> -> tensor<128x1xi32>
  %x13 = arith.constant dense<0.0> : tensor<128x128xf32>
  %x14 = tile.num_tiles %k, 0 by [128] : !tile.view<?x128xbf16>
  %x15 = arith.constant 0 : index
  %x16 = arith.constant 1 : index
  %x19 = scf.for %x17 = %x15 to %x14 step %x16 iter_args(%x18 = %x13) -> (tensor<128x128xf32>) {
    %x20 = arith.constant 0 : index
    %x21 = tile.load %k[%x17, %x20] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x22 = arith.constant 0 : index
    %x23 = tile.load %v[%x17, %x22] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x24 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x25 = tile.dot %x3, %x21, %x24 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x26 = tile.iota [128] : tensor<128xi32>
    %x27 = tile.expand_dims %x26, 0 : tensor<128xi32> -> tensor<1x128xi32>
    %x28 = tile.broadcast %x12 [128, 128] : tensor<128x1xi32> -> tensor<128x128xi32>
    %x29 = tile.broadcast %x27 [128, 128] : tensor<1x128xi32> -> tensor<128x128xi32>
    %x30 = arith.cmpi sge, %x28, %x29 : tensor<128x128xi32>
    %x31 = arith.constant dense<0xFF800000> : tensor<128x128xf32>
    %x32 = arith.select %x30, %x25, %x31 : tensor<128x128xi1>, tensor<128x128xf32>
    %x33 = math.exp %x32 : tensor<128x128xf32>
    %x34 = arith.constant dense<0.0> : tensor<128x128xf32>
    %x35 = tile.dot %x5, %x23, %x34 transpose_b : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    %x36 = arith.mulf %x33, %x35 : tensor<128x128xf32>
    %x37 = tile.cast %x36 : tensor<128x128xf32> to tensor<128x128xbf16>
    %x38 = tile.dot %x37, %x21, %x18 : tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %x38 : tensor<128x128xf32>
  }
  %x39 = arith.constant 0 : index
  tile.store %x19, %y[%x1, %x39] : tensor<128x128xf32>, !tile.view<?x128xf32>
}

// Two warp groups share 256 rows: each has two wgmma of 64. Their threads have no registers for scores of 128 or 64 keys.
// CHECK-LABEL: @tall
// CHECK:         tile.load %{{.*}} [32, 128]
// CHECK:         tile.dot {{.*}} : tensor<256x32xbf16>, tensor<32x128xbf16>, tensor<256x128xf32>
// REMARK: @tall: tile: iterations of 32 instead of 128
// PLAN: @tall: main-loop: a producer copies the tiles of the loop ahead of its dots
tile.kernel @tall(%q: !tile.view<?x128xbf16>, %k: !tile.view<?x128xbf16>, %v: !tile.view<?x128xbf16>) outs(%y: !tile.view<?x128xf32>) grid [ceildiv(dim(%y, 0), 256)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %q[%x1, %x2] [256, 128] : !tile.view<?x128xbf16> -> tensor<256x128xbf16>
  %x4 = arith.constant 256 : index
  %x5 = arith.muli %x1, %x4 : index
  %x6 = arith.index_cast %x5 : index to i32
  %x7 = tile.iota [256] : tensor<256xi32>
  %x8 = tile.splat %x6 [256] : i32 -> tensor<256xi32>
  %x9 = arith.addi %x7, %x8 : tensor<256xi32>
  %x10 = tile.expand_dims %x9, 1 : tensor<256xi32> -> tensor<256x1xi32>
  %x11 = arith.constant dense<0.0> : tensor<256x128xf32>
  %x12 = tile.num_tiles %k, 0 by [128] : !tile.view<?x128xbf16>
  %x13 = arith.constant 0 : index
  %x14 = arith.constant dense<-1.000000000e+30> : tensor<256x1xf32>
  %x15 = arith.constant dense<0.0> : tensor<256x1xf32>
  %x16 = arith.constant 1 : index
  %x21, %x22, %x23 = scf.for %x17 = %x13 to %x12 step %x16 iter_args(%x18 = %x14, %x19 = %x15, %x20 = %x11) -> (tensor<256x1xf32>, tensor<256x1xf32>, tensor<256x128xf32>) {
    %x24 = arith.constant 0 : index
    %x25 = tile.load %k[%x17, %x24] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x26 = arith.constant 0 : index
    %x27 = tile.load %v[%x17, %x26] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x28 = arith.constant dense<0.0> : tensor<256x128xf32>
    %x29 = tile.dot %x3, %x25, %x28 transpose_b : tensor<256x128xbf16>, tensor<128x128xbf16>, tensor<256x128xf32> -> tensor<256x128xf32>
    %x30 = tile.reduce max %x29 axis 1 keepdims : tensor<256x128xf32> -> tensor<256x1xf32>
    %x31 = arith.maximumf %x18, %x30 : tensor<256x1xf32>
    %x32 = tile.broadcast %x31 [256, 128] : tensor<256x1xf32> -> tensor<256x128xf32>
    %x33 = arith.subf %x29, %x32 : tensor<256x128xf32>
    %x34 = math.exp %x33 : tensor<256x128xf32>
    %x35 = arith.subf %x18, %x31 : tensor<256x1xf32>
    %x36 = math.exp %x35 : tensor<256x1xf32>
    %x37 = arith.mulf %x19, %x36 : tensor<256x1xf32>
    %x38 = tile.reduce add %x34 axis 1 keepdims : tensor<256x128xf32> -> tensor<256x1xf32>
    %x39 = arith.addf %x37, %x38 : tensor<256x1xf32>
    %x40 = tile.cast %x34 : tensor<256x128xf32> to tensor<256x128xbf16>
    %x41 = tile.broadcast %x36 [256, 128] : tensor<256x1xf32> -> tensor<256x128xf32>
    %x42 = arith.mulf %x20, %x41 : tensor<256x128xf32>
    %x43 = tile.dot %x40, %x27, %x42 : tensor<256x128xbf16>, tensor<128x128xbf16>, tensor<256x128xf32> -> tensor<256x128xf32>
    scf.yield %x31, %x39, %x43 : tensor<256x1xf32>, tensor<256x1xf32>, tensor<256x128xf32>
  }
  %x44 = tile.broadcast %x22 [256, 128] : tensor<256x1xf32> -> tensor<256x128xf32>
  %x45 = arith.divf %x23, %x44 : tensor<256x128xf32>
  %x46 = arith.constant 0 : index
  tile.store %x45, %y[%x1, %x46] : tensor<256x128xf32>, !tile.view<?x128xf32>
}

// 320 rows are five wgmma, which neither two nor three warp groups can share.
// CHECK-LABEL: @uneven
// CHECK:         tile.load %{{.*}} [128, 128]
// CHECK:         tile.load %{{.*}} [128, 128]
// CHECK:         tile.dot {{.*}} : tensor<320x128xbf16>, tensor<128x128xbf16>, tensor<320x128xf32>
// PLAN: @uneven: main-loop missed: the tiles of the loop do not fit the registers of the warp groups
tile.kernel @uneven(%q: !tile.view<?x128xbf16>, %k: !tile.view<?x128xbf16>, %v: !tile.view<?x128xbf16>) outs(%y: !tile.view<?x128xf32>) grid [ceildiv(dim(%y, 0), 320)] {
  %x1 = tile.block_id 0
  %x2 = arith.constant 0 : index
  %x3 = tile.load %q[%x1, %x2] [320, 128] : !tile.view<?x128xbf16> -> tensor<320x128xbf16>
  %x4 = arith.constant 320 : index
  %x5 = arith.muli %x1, %x4 : index
  %x6 = arith.index_cast %x5 : index to i32
  %x7 = tile.iota [320] : tensor<320xi32>
  %x8 = tile.splat %x6 [320] : i32 -> tensor<320xi32>
  %x9 = arith.addi %x7, %x8 : tensor<320xi32>
  %x10 = tile.expand_dims %x9, 1 : tensor<320xi32> -> tensor<320x1xi32>
  %x11 = arith.constant dense<0.0> : tensor<320x128xf32>
  %x12 = tile.num_tiles %k, 0 by [128] : !tile.view<?x128xbf16>
  %x13 = arith.constant 0 : index
  %x14 = arith.constant dense<-1.000000000e+30> : tensor<320x1xf32>
  %x15 = arith.constant dense<0.0> : tensor<320x1xf32>
  %x16 = arith.constant 1 : index
  %x21, %x22, %x23 = scf.for %x17 = %x13 to %x12 step %x16 iter_args(%x18 = %x14, %x19 = %x15, %x20 = %x11) -> (tensor<320x1xf32>, tensor<320x1xf32>, tensor<320x128xf32>) {
    %x24 = arith.constant 0 : index
    %x25 = tile.load %k[%x17, %x24] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x26 = arith.constant 0 : index
    %x27 = tile.load %v[%x17, %x26] [128, 128] : !tile.view<?x128xbf16> -> tensor<128x128xbf16>
    %x28 = arith.constant dense<0.0> : tensor<320x128xf32>
    %x29 = tile.dot %x3, %x25, %x28 transpose_b : tensor<320x128xbf16>, tensor<128x128xbf16>, tensor<320x128xf32> -> tensor<320x128xf32>
    %x30 = tile.reduce max %x29 axis 1 keepdims : tensor<320x128xf32> -> tensor<320x1xf32>
    %x31 = arith.maximumf %x18, %x30 : tensor<320x1xf32>
    %x32 = tile.broadcast %x31 [320, 128] : tensor<320x1xf32> -> tensor<320x128xf32>
    %x33 = arith.subf %x29, %x32 : tensor<320x128xf32>
    %x34 = math.exp %x33 : tensor<320x128xf32>
    %x35 = arith.subf %x18, %x31 : tensor<320x1xf32>
    %x36 = math.exp %x35 : tensor<320x1xf32>
    %x37 = arith.mulf %x19, %x36 : tensor<320x1xf32>
    %x38 = tile.reduce add %x34 axis 1 keepdims : tensor<320x128xf32> -> tensor<320x1xf32>
    %x39 = arith.addf %x37, %x38 : tensor<320x1xf32>
    %x40 = tile.cast %x34 : tensor<320x128xf32> to tensor<320x128xbf16>
    %x41 = tile.broadcast %x36 [320, 128] : tensor<320x1xf32> -> tensor<320x128xf32>
    %x42 = arith.mulf %x20, %x41 : tensor<320x128xf32>
    %x43 = tile.dot %x40, %x27, %x42 : tensor<320x128xbf16>, tensor<128x128xbf16>, tensor<320x128xf32> -> tensor<320x128xf32>
    scf.yield %x31, %x39, %x43 : tensor<320x1xf32>, tensor<320x1xf32>, tensor<320x128xf32>
  }
  %x44 = tile.broadcast %x22 [320, 128] : tensor<320x1xf32> -> tensor<320x128xf32>
  %x45 = arith.divf %x23, %x44 : tensor<320x128xf32>
  %x46 = arith.constant 0 : index
  tile.store %x45, %y[%x1, %x46] : tensor<320x128xf32>, !tile.view<?x128xf32>
}
