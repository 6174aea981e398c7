// Blocks of attention get the rows of two warp groups.
// RUN: tilegpt-opt %s --tile-gpu-grow-rows --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-grow-rows --split-input-file --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: tilegpt-opt %s --tile-gpu-grow-rows=target=sm_80 --split-input-file | FileCheck %s --check-prefix=SM80

// SM80: grid [32, 32]

!Q = !tile.view<2048x64xbf16>
!V = !tile.view<32x2048x64xbf16>
!H = tensor<64x64xbf16>
!P = tensor<64x64xf32>
!C = tensor<64x1xf32>

// The bound of the loop becomes that of the last of two blocks, whose keys the mask hides from the first one. Rows and keys
// share constants and the iota.
// CHECK-LABEL: tile.kernel @causal(
// CHECK-NEXT:    grid [16, 32]
// CHECK-DAG:     %[[H:.*]] = tile.block_id 1
// CHECK-DAG:     %[[M:.*]] = tile.block_id 0
// CHECK:         tile.load %{{.*}}[%[[M]], %{{.*}}] [128, 64]
// CHECK:         %[[START:.*]] = arith.muli %[[M]], %c128{{.*}}
// CHECK:         %[[FIRST:.*]] = arith.muli %[[M]], %c2{{.*}}
// CHECK:         %[[LAST:.*]] = arith.addi %[[FIRST]], %c1{{.*}}
// CHECK:         %[[END:.*]] = arith.addi %[[LAST]], %c1
// CHECK:         scf.for %{{.*}} = %c0 to %[[END]] step %c1 {{.*}} -> (tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x64xf32>)
// CHECK:           tile.dot {{.*}} : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
// CHECK:         tile.store %{{.*}}, %{{.*}}[%[[M]], %{{.*}}] : tensor<128x64xbf16>
// WHY: @causal: tile: a block has 128 rows instead of 64, one warp group for every 64
tile.kernel @causal(%q: !V, %k: !V, %v: !V) outs(%y: !V) grid [32, 32] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !V -> !Q
  %kh = tile.select %k[%h] : !V -> !Q
  %vh = tile.select %v[%h] : !V -> !Q
  %yh = tile.select %y[%h] : !V -> !Q
  %qt = tile.load %qh[%i, %c0] [64, 64] : !Q -> !H
  %iota = tile.iota [64] : tensor<64xi32>
  %start = arith.muli %i, %c64 : index
  %si = arith.index_cast %start : index to i32
  %ss = tile.splat %si [64] : i32 -> tensor<64xi32>
  %qp = arith.addi %iota, %ss : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %end = arith.addi %i, %c1 : index
  %z:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %zeros) -> (!C, !C, !P) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !Q -> !H
    %vt = tile.load %vh[%j, %c0] [64, 64] : !Q -> !H
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %iota : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<64x64xi32>
    %x = tile.dot %qt, %kt, %zeros transpose_b : !H, !H, !P -> !P
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> !P
    %oa = arith.mulf %o, %ab : !P
    %w = tile.cast %e : !P to !H
    %on = tile.dot %w, %vt, %oa : !H, !H, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %z#1 [64, 64] : !C -> !P
  %r = arith.divf %z#2, %lb : !P
  %rb = tile.cast %r : !P to !H
  tile.store %rb, %yh[%i, %c0] : !H, !Q
}

// -----

!Q = !tile.view<2048x64xbf16>
!V = !tile.view<32x2048x64xbf16>
!H = tensor<64x64xbf16>
!P = tensor<64x64xf32>
!C = tensor<64x1xf32>

// The mask shows a key behind the last iteration of a block.
// CHECK-LABEL: tile.kernel @one_key_more(
// CHECK-NEXT:    grid [32, 32]
// WHY: @one_key_more: tile missed: a block has 64 rows instead of 128: the bounds of the loop depend on it, and no mask is known to hide what other rows would see
tile.kernel @one_key_more(%q: !V, %k: !V, %v: !V) outs(%y: !V) grid [32, 32] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !V -> !Q
  %kh = tile.select %k[%h] : !V -> !Q
  %vh = tile.select %v[%h] : !V -> !Q
  %yh = tile.select %y[%h] : !V -> !Q
  %qt = tile.load %qh[%i, %c0] [64, 64] : !Q -> !H
  %iota = tile.iota [64] : tensor<64xi32>
  %start = arith.muli %i, %c64 : index
  %si = arith.index_cast %start : index to i32
  %ss = tile.splat %si [64] : i32 -> tensor<64xi32>
  %qp = arith.addi %iota, %ss : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %end = arith.addi %i, %c1 : index
  %z:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %zeros) -> (!C, !C, !P) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !Q -> !H
    %vt = tile.load %vh[%j, %c0] [64, 64] : !Q -> !H
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %shown = arith.constant dense<-1> : tensor<64xi32>
    %kn = arith.addi %js, %iota : tensor<64xi32>
    %kp = arith.addi %kn, %shown : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<64x64xi32>
    %x = tile.dot %qt, %kt, %zeros transpose_b : !H, !H, !P -> !P
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> !P
    %oa = arith.mulf %o, %ab : !P
    %w = tile.cast %e : !P to !H
    %on = tile.dot %w, %vt, %oa : !H, !H, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %z#1 [64, 64] : !C -> !P
  %r = arith.divf %z#2, %lb : !P
  %rb = tile.cast %r : !P to !H
  tile.store %rb, %yh[%i, %c0] : !H, !Q
}

// -----

!Q = !tile.view<2048x64xbf16>
!V = !tile.view<32x2048x64xbf16>
!H = tensor<64x64xbf16>
!P = tensor<64x64xf32>
!C = tensor<64x1xf32>

// Iterations of 32 keys end where those of 64 do: twice the number.
// CHECK-LABEL: tile.kernel @half_steps(
// CHECK-NEXT:    grid [16, 32]
// WHY: @half_steps: tile: a block has 128 rows instead of 64
tile.kernel @half_steps(%q: !V, %k: !V, %v: !V) outs(%y: !V) grid [32, 32] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !V -> !Q
  %kh = tile.select %k[%h] : !V -> !Q
  %vh = tile.select %v[%h] : !V -> !Q
  %yh = tile.select %y[%h] : !V -> !Q
  %qt = tile.load %qh[%i, %c0] [64, 64] : !Q -> !H
  %iota = tile.iota [64] : tensor<64xi32>
  %start = arith.muli %i, %c64 : index
  %si = arith.index_cast %start : index to i32
  %ss = tile.splat %si [64] : i32 -> tensor<64xi32>
  %qp = arith.addi %iota, %ss : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %c32 = arith.constant 32 : index
  %c31 = arith.constant 31 : index
  %narrow = arith.constant dense<0.0> : tensor<64x32xf32>
  %away = arith.constant dense<0xFF800000> : tensor<64x32xf32>
  %iotak = tile.iota [32] : tensor<32xi32>
  %qposk = tile.broadcast %qc [64, 32] : tensor<64x1xi32> -> tensor<64x32xi32>
  %rows = arith.addi %i, %c1 : index
  %keys = arith.muli %rows, %c64 : index
  %up = arith.addi %keys, %c31 : index
  %end = arith.divui %up, %c32 : index
  %z:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %zeros) -> (!C, !C, !P) {
    %kt = tile.load %kh[%j, %c0] [32, 64] : !Q -> tensor<32x64xbf16>
    %vt = tile.load %vh[%j, %c0] [32, 64] : !Q -> tensor<32x64xbf16>
    %j0 = arith.muli %j, %c32 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [32] : i32 -> tensor<32xi32>
    %kp = arith.addi %js, %iotak : tensor<32xi32>
    %kpos = tile.broadcast %kp [64, 32] : tensor<32xi32> -> tensor<64x32xi32>
    %seen = arith.cmpi sle, %kpos, %qposk : tensor<64x32xi32>
    %x = tile.dot %qt, %kt, %narrow transpose_b : !H, tensor<32x64xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
    %s = arith.select %seen, %x, %away : tensor<64x32xi1>, tensor<64x32xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<64x32xf32> -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 32] : !C -> tensor<64x32xf32>
    %sd = arith.subf %s, %mb : tensor<64x32xf32>
    %e = math.exp %sd : tensor<64x32xf32>
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : tensor<64x32xf32> -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> !P
    %oa = arith.mulf %o, %ab : !P
    %w = tile.cast %e : tensor<64x32xf32> to tensor<64x32xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<64x32xbf16>, tensor<32x64xbf16>, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %z#1 [64, 64] : !C -> !P
  %r = arith.divf %z#2, %lb : !P
  %rb = tile.cast %r : !P to !H
  tile.store %rb, %yh[%i, %c0] : !H, !Q
}

// -----

!Q = !tile.view<2048x64xbf16>
!V = !tile.view<32x2048x64xbf16>
!H = tensor<64x64xbf16>
!P = tensor<64x64xf32>
!C = tensor<64x1xf32>

// There would be fewer blocks than multiprocessors.
// CHECK-LABEL: tile.kernel @few_blocks(
// CHECK-NEXT:    grid [32, 8]
tile.kernel @few_blocks(%q: !V, %k: !V, %v: !V) outs(%y: !V) grid [32, 8] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !V -> !Q
  %kh = tile.select %k[%h] : !V -> !Q
  %vh = tile.select %v[%h] : !V -> !Q
  %yh = tile.select %y[%h] : !V -> !Q
  %qt = tile.load %qh[%i, %c0] [64, 64] : !Q -> !H
  %iota = tile.iota [64] : tensor<64xi32>
  %start = arith.muli %i, %c64 : index
  %si = arith.index_cast %start : index to i32
  %ss = tile.splat %si [64] : i32 -> tensor<64xi32>
  %qp = arith.addi %iota, %ss : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %end = arith.addi %i, %c1 : index
  %z:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %zeros) -> (!C, !C, !P) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !Q -> !H
    %vt = tile.load %vh[%j, %c0] [64, 64] : !Q -> !H
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %iota : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<64x64xi32>
    %x = tile.dot %qt, %kt, %zeros transpose_b : !H, !H, !P -> !P
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> !P
    %oa = arith.mulf %o, %ab : !P
    %w = tile.cast %e : !P to !H
    %on = tile.dot %w, %vt, %oa : !H, !H, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %z#1 [64, 64] : !C -> !P
  %r = arith.divf %z#2, %lb : !P
  %rb = tile.cast %r : !P to !H
  tile.store %rb, %yh[%i, %c0] : !H, !Q
}

// -----

!Q = !tile.view<2048x64xbf16>
!V = !tile.view<32x2048x64xbf16>
!H = tensor<64x64xbf16>
!P = tensor<64x64xf32>
!C = tensor<64x1xf32>

// Rows are numbered from the start of each tile.
// CHECK-LABEL: tile.kernel @local_rows(
// CHECK-NEXT:    grid [32, 32]
// WHY: @local_rows: tile missed: a block has 64 rows instead of 128: indices within a tile are used directly; add the start of the tile to them
tile.kernel @local_rows(%q: !V, %k: !V, %v: !V) outs(%y: !V) grid [32, 32] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !V -> !Q
  %kh = tile.select %k[%h] : !V -> !Q
  %vh = tile.select %v[%h] : !V -> !Q
  %yh = tile.select %y[%h] : !V -> !Q
  %qt = tile.load %qh[%i, %c0] [64, 64] : !Q -> !H
  %iota = tile.iota [64] : tensor<64xi32>
  %start = arith.muli %i, %c64 : index
  %si = arith.index_cast %start : index to i32
  %ss = tile.splat %si [64] : i32 -> tensor<64xi32>
  %qp = arith.addi %iota, %iota : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %end = arith.constant 1 : index
  %z:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %zeros) -> (!C, !C, !P) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !Q -> !H
    %vt = tile.load %vh[%j, %c0] [64, 64] : !Q -> !H
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %iota : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<64x64xi32>
    %x = tile.dot %qt, %kt, %zeros transpose_b : !H, !H, !P -> !P
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> !P
    %oa = arith.mulf %o, %ab : !P
    %w = tile.cast %e : !P to !H
    %on = tile.dot %w, %vt, %oa : !H, !H, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %z#1 [64, 64] : !C -> !P
  %r = arith.divf %z#2, %lb : !P
  %rb = tile.cast %r : !P to !H
  tile.store %rb, %yh[%i, %c0] : !H, !Q
}

// -----

!Q = !tile.view<2048x64xbf16>
!V = !tile.view<32x2048x64xbf16>
!H = tensor<64x64xbf16>
!P = tensor<64x64xf32>
!C = tensor<64x1xf32>

// The block id is a number of its own.
// CHECK-LABEL: tile.kernel @scaled(
// CHECK-NEXT:    grid [32, 32]
// WHY: @scaled: tile missed: a block has 64 rows instead of 128: the tile index is used other than to compute element indices
tile.kernel @scaled(%q: !V, %k: !V, %v: !V) outs(%y: !V) grid [32, 32] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !V -> !Q
  %kh = tile.select %k[%h] : !V -> !Q
  %vh = tile.select %v[%h] : !V -> !Q
  %yh = tile.select %y[%h] : !V -> !Q
  %qt = tile.load %qh[%i, %c0] [64, 64] : !Q -> !H
  %iota = tile.iota [64] : tensor<64xi32>
  %start = arith.muli %i, %c64 : index
  %si = arith.index_cast %start : index to i32
  %ss = tile.splat %si [64] : i32 -> tensor<64xi32>
  %qp = arith.addi %iota, %ss : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %end = arith.addi %i, %c1 : index
  %z:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %zeros) -> (!C, !C, !P) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !Q -> !H
    %vt = tile.load %vh[%j, %c0] [64, 64] : !Q -> !H
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %iota : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %seen = arith.cmpi sle, %kpos, %qpos : tensor<64x64xi32>
    %x = tile.dot %qt, %kt, %zeros transpose_b : !H, !H, !P -> !P
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> !P
    %oa = arith.mulf %o, %ab : !P
    %w = tile.cast %e : !P to !H
    %on = tile.dot %w, %vt, %oa : !H, !H, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %z#1 [64, 64] : !C -> !P
  %ii = arith.index_cast %i : index to i32
  %fi = arith.sitofp %ii : i32 to f32
  %fs = tile.splat %fi [64, 64] : f32 -> !P
  %r0 = arith.divf %z#2, %lb : !P
  %r = arith.mulf %r0, %fs : !P
  %rb = tile.cast %r : !P to !H
  tile.store %rb, %yh[%i, %c0] : !H, !Q
}

// -----

!Q = !tile.view<2048x64xbf16>
!V = !tile.view<32x2048x64xbf16>
!H = tensor<64x64xbf16>
!P = tensor<64x64xf32>
!C = tensor<64x1xf32>

// A block begins where its rows do; a mask hides keys before that, but a maximum of minus infinity would become NaN.
// CHECK-LABEL: tile.kernel @first_key(
// CHECK-NEXT:    grid [32, 32]
// WHY: @first_key: tile missed: a block has 64 rows instead of 128: the bounds of the loop depend on it, and no mask is known to hide what other rows would see
tile.kernel @first_key(%q: !V, %k: !V, %v: !V) outs(%y: !V) grid [32, 32] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<0xFF800000> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !V -> !Q
  %kh = tile.select %k[%h] : !V -> !Q
  %vh = tile.select %v[%h] : !V -> !Q
  %yh = tile.select %y[%h] : !V -> !Q
  %qt = tile.load %qh[%i, %c0] [64, 64] : !Q -> !H
  %iota = tile.iota [64] : tensor<64xi32>
  %start = arith.muli %i, %c64 : index
  %si = arith.index_cast %start : index to i32
  %ss = tile.splat %si [64] : i32 -> tensor<64xi32>
  %qp = arith.addi %iota, %ss : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %end = arith.constant 32 : index
  %z:3 = scf.for %j = %i to %end step %c1 iter_args(%m = %low, %l = %none, %o = %zeros) -> (!C, !C, !P) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !Q -> !H
    %vt = tile.load %vh[%j, %c0] [64, 64] : !Q -> !H
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %iota : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %seen = arith.cmpi sge, %kpos, %qpos : tensor<64x64xi32>
    %x = tile.dot %qt, %kt, %zeros transpose_b : !H, !H, !P -> !P
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> !P
    %oa = arith.mulf %o, %ab : !P
    %w = tile.cast %e : !P to !H
    %on = tile.dot %w, %vt, %oa : !H, !H, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %z#1 [64, 64] : !C -> !P
  %r = arith.divf %z#2, %lb : !P
  %rb = tile.cast %r : !P to !H
  tile.store %rb, %yh[%i, %c0] : !H, !Q
}

// -----

!Q = !tile.view<2048x64xbf16>
!V = !tile.view<32x2048x64xbf16>
!H = tensor<64x64xbf16>
!P = tensor<64x64xf32>
!C = tensor<64x1xf32>

// The maximum starts with a number.
// CHECK-LABEL: tile.kernel @first_key_guarded(
// CHECK-NEXT:    grid [16, 32]
// CHECK:         %[[M:.*]] = tile.block_id 0
// CHECK:         %[[FIRST:.*]] = arith.muli %[[M]], %c2{{.*}}
// CHECK:         scf.for %{{.*}} = %[[FIRST]] to %c32
tile.kernel @first_key_guarded(%q: !V, %k: !V, %v: !V) outs(%y: !V) grid [32, 32] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant dense<-1.0e+30> : !C
  %none = arith.constant dense<0.0> : !C
  %zeros = arith.constant dense<0.0> : !P
  %hidden = arith.constant dense<0xFF800000> : !P
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !V -> !Q
  %kh = tile.select %k[%h] : !V -> !Q
  %vh = tile.select %v[%h] : !V -> !Q
  %yh = tile.select %y[%h] : !V -> !Q
  %qt = tile.load %qh[%i, %c0] [64, 64] : !Q -> !H
  %iota = tile.iota [64] : tensor<64xi32>
  %start = arith.muli %i, %c64 : index
  %si = arith.index_cast %start : index to i32
  %ss = tile.splat %si [64] : i32 -> tensor<64xi32>
  %qp = arith.addi %iota, %ss : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> tensor<64x64xi32>
  %end = arith.constant 32 : index
  %z:3 = scf.for %j = %i to %end step %c1 iter_args(%m = %low, %l = %none, %o = %zeros) -> (!C, !C, !P) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !Q -> !H
    %vt = tile.load %vh[%j, %c0] [64, 64] : !Q -> !H
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %iota : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> tensor<64x64xi32>
    %seen = arith.cmpi sge, %kpos, %qpos : tensor<64x64xi32>
    %x = tile.dot %qt, %kt, %zeros transpose_b : !H, !H, !P -> !P
    %s = arith.select %seen, %x, %hidden : tensor<64x64xi1>, !P
    %mt = tile.reduce max %s axis 1 keepdims : !P -> !C
    %mn = arith.maximumf %m, %mt : !C
    %mb = tile.broadcast %mn [64, 64] : !C -> !P
    %sd = arith.subf %s, %mb : !P
    %e = math.exp %sd : !P
    %md = arith.subf %m, %mn : !C
    %a = math.exp %md : !C
    %lt = tile.reduce add %e axis 1 keepdims : !P -> !C
    %la = arith.mulf %l, %a : !C
    %ln = arith.addf %la, %lt : !C
    %ab = tile.broadcast %a [64, 64] : !C -> !P
    %oa = arith.mulf %o, %ab : !P
    %w = tile.cast %e : !P to !H
    %on = tile.dot %w, %vt, %oa : !H, !H, !P -> !P
    scf.yield %mn, %ln, %on : !C, !C, !P
  }
  %lb = tile.broadcast %z#1 [64, 64] : !C -> !P
  %r = arith.divf %z#2, %lb : !P
  %rb = tile.cast %r : !P to !H
  tile.store %rb, %yh[%i, %c0] : !H, !Q
}

// -----

// No producer can feed dots of 512 columns. Blocks of 64 rows load keys and values a quarter as often.
// CHECK-LABEL: tile.kernel @wide(
// CHECK-NEXT:    grid [4, 48]
// CHECK:         scf.for {{.*}} -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x512xf32>)
// WHY: @wide: tile: a block has 64 rows instead of 16, for which it loads keys once
tile.kernel @wide(%q: !tile.view<48x256x64xbf16>, %k: !tile.view<48x2048x64xbf16>, %v: !tile.view<48x2048x512xbf16>) outs(%y: !tile.view<48x256x512xf32>) grid [16, 48] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : tensor<16x1xf32>
  %none = arith.constant dense<0.0> : tensor<16x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<16x64xf32>
  %sums = arith.constant dense<0.0> : tensor<16x512xf32>
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !tile.view<48x256x64xbf16> -> !tile.view<256x64xbf16>
  %kh = tile.select %k[%h] : !tile.view<48x2048x64xbf16> -> !tile.view<2048x64xbf16>
  %vh = tile.select %v[%h] : !tile.view<48x2048x512xbf16> -> !tile.view<2048x512xbf16>
  %yh = tile.select %y[%h] : !tile.view<48x256x512xf32> -> !tile.view<256x512xf32>
  %qt = tile.load %qh[%i, %c0] [16, 64] : !tile.view<256x64xbf16> -> tensor<16x64xbf16>
  %z:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %sums) -> (tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x512xf32>) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !tile.view<2048x64xbf16> -> tensor<64x64xbf16>
    %vt = tile.load %vh[%j, %c0] [64, 512] : !tile.view<2048x512xbf16> -> tensor<64x512xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<16x64xbf16>, tensor<64x64xbf16>, tensor<16x64xf32> -> tensor<16x64xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<16x64xf32> -> tensor<16x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<16x1xf32>
    %mb = tile.broadcast %mn [16, 64] : tensor<16x1xf32> -> tensor<16x64xf32>
    %sd = arith.subf %s, %mb : tensor<16x64xf32>
    %e = math.exp %sd : tensor<16x64xf32>
    %md = arith.subf %m, %mn : tensor<16x1xf32>
    %a = math.exp %md : tensor<16x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<16x64xf32> -> tensor<16x1xf32>
    %la = arith.mulf %l, %a : tensor<16x1xf32>
    %ln = arith.addf %la, %lt : tensor<16x1xf32>
    %ab = tile.broadcast %a [16, 512] : tensor<16x1xf32> -> tensor<16x512xf32>
    %oa = arith.mulf %o, %ab : tensor<16x512xf32>
    %w = tile.cast %e : tensor<16x64xf32> to tensor<16x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<16x64xbf16>, tensor<64x512xbf16>, tensor<16x512xf32> -> tensor<16x512xf32>
    scf.yield %mn, %ln, %on : tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x512xf32>
  }
  %lb = tile.broadcast %z#1 [16, 512] : tensor<16x1xf32> -> tensor<16x512xf32>
  %r = arith.divf %z#2, %lb : tensor<16x512xf32>
  tile.store %r, %yh[%i, %c0] : tensor<16x512xf32>, !tile.view<256x512xf32>
}

// -----

// The sums of 64 rows would not fit the registers of 256 threads.
// CHECK-LABEL: tile.kernel @wider(
// CHECK-NEXT:    grid [16, 48]
tile.kernel @wider(%q: !tile.view<48x256x64xbf16>, %k: !tile.view<48x2048x64xbf16>, %v: !tile.view<48x2048x640xbf16>) outs(%y: !tile.view<48x256x640xf32>) grid [16, 48] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : tensor<16x1xf32>
  %none = arith.constant dense<0.0> : tensor<16x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<16x64xf32>
  %sums = arith.constant dense<0.0> : tensor<16x640xf32>
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !tile.view<48x256x64xbf16> -> !tile.view<256x64xbf16>
  %kh = tile.select %k[%h] : !tile.view<48x2048x64xbf16> -> !tile.view<2048x64xbf16>
  %vh = tile.select %v[%h] : !tile.view<48x2048x640xbf16> -> !tile.view<2048x640xbf16>
  %yh = tile.select %y[%h] : !tile.view<48x256x640xf32> -> !tile.view<256x640xf32>
  %qt = tile.load %qh[%i, %c0] [16, 64] : !tile.view<256x64xbf16> -> tensor<16x64xbf16>
  %z:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %sums) -> (tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x640xf32>) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !tile.view<2048x64xbf16> -> tensor<64x64xbf16>
    %vt = tile.load %vh[%j, %c0] [64, 640] : !tile.view<2048x640xbf16> -> tensor<64x640xbf16>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<16x64xbf16>, tensor<64x64xbf16>, tensor<16x64xf32> -> tensor<16x64xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<16x64xf32> -> tensor<16x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<16x1xf32>
    %mb = tile.broadcast %mn [16, 64] : tensor<16x1xf32> -> tensor<16x64xf32>
    %sd = arith.subf %s, %mb : tensor<16x64xf32>
    %e = math.exp %sd : tensor<16x64xf32>
    %md = arith.subf %m, %mn : tensor<16x1xf32>
    %a = math.exp %md : tensor<16x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<16x64xf32> -> tensor<16x1xf32>
    %la = arith.mulf %l, %a : tensor<16x1xf32>
    %ln = arith.addf %la, %lt : tensor<16x1xf32>
    %ab = tile.broadcast %a [16, 640] : tensor<16x1xf32> -> tensor<16x640xf32>
    %oa = arith.mulf %o, %ab : tensor<16x640xf32>
    %w = tile.cast %e : tensor<16x64xf32> to tensor<16x64xbf16>
    %on = tile.dot %w, %vt, %oa : tensor<16x64xbf16>, tensor<64x640xbf16>, tensor<16x640xf32> -> tensor<16x640xf32>
    scf.yield %mn, %ln, %on : tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x640xf32>
  }
  %lb = tile.broadcast %z#1 [16, 640] : tensor<16x1xf32> -> tensor<16x640xf32>
  %r = arith.divf %z#2, %lb : tensor<16x640xf32>
  tile.store %r, %yh[%i, %c0] : tensor<16x640xf32>, !tile.view<256x640xf32>
}

// -----

// Multiply-adds.
// CHECK-LABEL: tile.kernel @full_precision(
// CHECK-NEXT:    grid [16, 48]
tile.kernel @full_precision(%q: !tile.view<48x256x64xf32>, %k: !tile.view<48x2048x64xf32>, %v: !tile.view<48x2048x64xf32>) outs(%y: !tile.view<48x256x64xf32>) grid [16, 48] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : tensor<16x1xf32>
  %none = arith.constant dense<0.0> : tensor<16x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<16x64xf32>
  %sums = arith.constant dense<0.0> : tensor<16x64xf32>
  %h = tile.block_id 1
  %i = tile.block_id 0
  %qh = tile.select %q[%h] : !tile.view<48x256x64xf32> -> !tile.view<256x64xf32>
  %kh = tile.select %k[%h] : !tile.view<48x2048x64xf32> -> !tile.view<2048x64xf32>
  %vh = tile.select %v[%h] : !tile.view<48x2048x64xf32> -> !tile.view<2048x64xf32>
  %yh = tile.select %y[%h] : !tile.view<48x256x64xf32> -> !tile.view<256x64xf32>
  %qt = tile.load %qh[%i, %c0] [16, 64] : !tile.view<256x64xf32> -> tensor<16x64xf32>
  %z:3 = scf.for %j = %c0 to %end step %c1 iter_args(%m = %low, %l = %none, %o = %sums) -> (tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x64xf32>) {
    %kt = tile.load %kh[%j, %c0] [64, 64] : !tile.view<2048x64xf32> -> tensor<64x64xf32>
    %vt = tile.load %vh[%j, %c0] [64, 64] : !tile.view<2048x64xf32> -> tensor<64x64xf32>
    %s = tile.dot %qt, %kt, %zeros transpose_b : tensor<16x64xf32>, tensor<64x64xf32>, tensor<16x64xf32> -> tensor<16x64xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<16x64xf32> -> tensor<16x1xf32>
    %mn = arith.maximumf %m, %mt : tensor<16x1xf32>
    %mb = tile.broadcast %mn [16, 64] : tensor<16x1xf32> -> tensor<16x64xf32>
    %sd = arith.subf %s, %mb : tensor<16x64xf32>
    %e = math.exp %sd : tensor<16x64xf32>
    %md = arith.subf %m, %mn : tensor<16x1xf32>
    %a = math.exp %md : tensor<16x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<16x64xf32> -> tensor<16x1xf32>
    %la = arith.mulf %l, %a : tensor<16x1xf32>
    %ln = arith.addf %la, %lt : tensor<16x1xf32>
    %ab = tile.broadcast %a [16, 64] : tensor<16x1xf32> -> tensor<16x64xf32>
    %oa = arith.mulf %o, %ab : tensor<16x64xf32>
    %w = tile.cast %e : tensor<16x64xf32> to tensor<16x64xf32>
    %on = tile.dot %w, %vt, %oa : tensor<16x64xf32>, tensor<64x64xf32>, tensor<16x64xf32> -> tensor<16x64xf32>
    scf.yield %mn, %ln, %on : tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x64xf32>
  }
  %lb = tile.broadcast %z#1 [16, 64] : tensor<16x1xf32> -> tensor<16x64xf32>
  %r = arith.divf %z#2, %lb : tensor<16x64xf32>
  tile.store %r, %yh[%i, %c0] : tensor<16x64xf32>, !tile.view<256x64xf32>
}
