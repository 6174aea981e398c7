// RUN: tilegpt-opt %s --tile-gpu-lift-views --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-lift-views=target=sm_80 --split-input-file | FileCheck %s --check-prefix=OLD
// RUN: tilegpt-opt %s --tile-gpu-lift-views --split-input-file --explain 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY

// OLD-NOT: tile.launch_views

!P = !tile.ptr<bf16>
!V = !tile.view<?x?xbf16, strides=[?, 1]>

// CHECK-DAG: affine_map<()[s0, s1, s2, s3, s4] -> (s3, s4, s4, 1)>
// CHECK-DAG: affine_map<()[s0, s1, s2, s3, s4] -> (s4, s4 * 2, s4 * 2, 1)>

// Read views come before the written one, which is an out. Sizes are expressions of the arguments.
// CHECK-LABEL: tile.kernel @product(
// CHECK-SAME:    %{{[a-z0-9]+}}: !tile.ptr<bf16>, %{{.*}}: i32, %{{.*}}: !tile.view<?x?xbf16, strides=[?, 1]>, %{{.*}}: !tile.view<?x?xbf16, strides=[?, 1]>) outs(%[[C:[a-z0-9]+]]: !tile.view<?x?xbf16, strides=[?, 1]>)
// CHECK-NEXT:    grid launch
// CHECK-SAME:    tile.launch_views = [
// CHECK-SAME:      {alignment = 16 : i64, pointer = 0 : i64, size_divisors = array<i64: 1, 8>, stride_divisors = array<i64: 8, 1>, words = #{{[a-z0-9]+}}},
// CHECK-SAME:      {alignment = 16 : i64, pointer = 1 : i64, size_divisors = array<i64: 8, 16>, stride_divisors = array<i64: 16, 1>, words = #{{[a-z0-9]+}}},
// CHECK-SAME:      {alignment = 16 : i64, pointer = 2 : i64,
// CHECK-NOT:     tile.view_at
// CHECK:         tile.store %{{.*}}, %[[C]]
tile.kernel @product(%p: !P, %q: !P, %r: !P, %m: i32, %k: i32) grid launch {
  %b = tile.block_id 0
  %pa = tile.assume %p div_by 16 : !P
  %qa = tile.assume %q div_by 16 : !P
  %ra = tile.assume %r div_by 16 : !P
  %ma = tile.assume %m bounded [0, 2147483647] : i32
  %kb = tile.assume %k bounded [0, 1000000] : i32
  %ka = tile.assume %kb div_by 8 : i32
  %c2 = arith.constant 2 : index
  %mi = arith.index_castui %ma : i32 to index
  %ki = arith.index_castui %ka : i32 to index
  %n = arith.muli %ki, %c2 : index
  %va = tile.view_at %pa sizes [%mi, %ki] strides [%ki, 1] : !P -> !V
  %vb = tile.view_at %qa sizes [%ki, %n] strides [%n, 1] : !P -> !V
  %vc = tile.view_at %ra sizes [%mi, %n] strides [%n, 1] : !P -> !V
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.load %va[%b, %c0] [64, 64] : !V -> tensor<64x64xbf16>
  %y = tile.load %vb[%c0, %c0] [64, 64] : !V -> tensor<64x64xbf16>
  %d = tile.dot %x, %y, %zero : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  %t = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %t, %vc[%b, %c0] : tensor<64x64xbf16>, !V
}

// -----

!P = !tile.ptr<bf16>
!V = !tile.view<?x?xbf16, strides=[?, 1]>

// 32-bit numbers that may be negative are read as unsigned, and their products wrap.
// CHECK: affine_map<()[s0, s1] -> (s1 mod 4294967296, 64, {{.*}}mod 4294967296{{.*}}, 1)>
// CHECK-LABEL: tile.kernel @wraps
// CHECK: tile.launch_views
tile.kernel @wraps(%p: !P, %m: i32) grid launch {
  %pa = tile.assume %p div_by 16 : !P
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : i32
  %pitch = arith.muli %m, %c64 : i32
  %mi = arith.index_castui %m : i32 to index
  %si = arith.index_castui %pitch : i32 to index
  %v = tile.view_at %pa sizes [%mi, 64] strides [%si, 1] : !P -> !tile.view<?x64xbf16, strides=[?, 1]>
  %x = tile.load %v[%c0, %c0] [64, 64] : !tile.view<?x64xbf16, strides=[?, 1]> -> tensor<64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %x, %x, %zero : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
}

// -----

!P = !tile.ptr<bf16>
!V = !tile.view<?x?xbf16, strides=[?, 1]>

// Each view but the first has one obstacle.
// CHECK-LABEL: tile.kernel @near_misses
// CHECK-COUNT-6: tile.view_at
// CHECK-NOT:     tile.view_at
tile.kernel @near_misses(%p: !P, %q: !P, %m: i32, %n: i32, %s: i64) grid launch {
  %pa = tile.assume %p div_by 16 : !P
  %qa = tile.assume %q div_by 16 : !P
  %nb = tile.assume %n bounded [0, 1000000] : i32
  %na = tile.assume %nb div_by 8 : i32
  %mi = arith.index_castui %m : i32 to index
  %ni = arith.index_castui %na : i32 to index
  %free = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %b = tile.block_id 0
  %good = tile.view_at %pa sizes [%mi, %ni] strides [%ni, 1] : !P -> !V
  // WHY: a pointer is not known to be a multiple of 16 bytes; add assume div_by<16>
  %v0 = tile.view_at %p sizes [%mi, %ni] strides [%ni, 1] : !P -> !V
  // WHY: strides of a view are not known to be multiples of 16 bytes; add assume div_by
  %v1 = tile.view_at %pa sizes [%mi, %ni] strides [%free, 1] : !P -> !V
  // WHY: the last axis of a view is not known to have a stride of 1
  %v2 = tile.view_at %pa sizes [%mi, %ni] strides [%ni, %ni] : !P -> !tile.view<?x?xbf16, strides=[?, ?]>
  // WHY: sizes or strides of a view are not arithmetic on arguments that the launch can evaluate
  %v3 = tile.view_at %pa sizes [%b, %ni] strides [%ni, 1] : !P -> !V
  // WHY: a 1-D view has no TMA descriptor
  %v4 = tile.view_at %pa sizes [%ni] : !P -> !tile.view<?xbf16>
  // WHY: memory that is written through a pointer is also read through it, or accessed through two views
  %v5 = tile.view_at %qa sizes [%mi, %ni] strides [%ni, 1] : !P -> !V
  %t = tile.load %good[%c0, %c0] [64, 64] : !V -> tensor<64x64xbf16>
  %t0 = tile.load %v0[%c0, %c0] [64, 64] : !V -> tensor<64x64xbf16>
  %t1 = tile.load %v1[%c0, %c0] [64, 64] : !V -> tensor<64x64xbf16>
  %t2 = tile.load %v2[%c0, %c0] [64, 64] : !tile.view<?x?xbf16, strides=[?, ?]> -> tensor<64x64xbf16>
  %t3 = tile.load %v3[%c0, %c0] [64, 64] : !V -> tensor<64x64xbf16>
  %t4 = tile.load %v4[%c0] [64] : !tile.view<?xbf16> -> tensor<64xbf16>
  %t5 = tile.load %v5[%c0, %c0] [64, 64] : !V -> tensor<64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %t, %t5, %zero : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  %r = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %r, %v5[%b, %c0] : tensor<64x64xbf16>, !V
}

// -----

!P = !tile.ptr<bf16>
!V = !tile.view<?x64xbf16>

// Pointers of one class may alias: the kernel reads what it writes in the next iteration.
// WHY: the memory of a view may be written through an aliasing pointer
// CHECK-LABEL: tile.kernel @aliased
// CHECK-COUNT-2: tile.view_at
tile.kernel @aliased(%p: !P, %q: !P, %m: index) grid launch attributes {tile.alias_classes = array<i64: 0, 0, 2>} {
  %pa = tile.assume %p div_by 16 : !P
  %qa = tile.assume %q div_by 16 : !P
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.view_at %pa sizes [%m, 64] : !P -> !V
  %w = tile.view_at %qa sizes [%m, 64] : !P -> !V
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  scf.for %i = %c0 to %m step %c1 {
    %x = tile.load %v[%i, %c0] [64, 64] : !V -> tensor<64x64xbf16>
    %d = tile.dot %x, %x, %zero : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    %r = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xbf16>
    tile.store %r, %w[%i, %c0] : tensor<64x64xbf16>, !V
  }
}

// -----

!P = !tile.ptr<bf16>
!V = !tile.view<?x64xbf16>

// The same, but everything is read before anything is written, which is left as it is.
// CHECK-LABEL: tile.kernel @read_first
// CHECK:       tile.launch_views = [{alignment = 16 : i64, pointer = 0 : i64
// CHECK-COUNT-1: tile.view_at
// CHECK-NOT:   tile.view_at
tile.kernel @read_first(%p: !P, %q: !P, %m: index) grid launch attributes {tile.alias_classes = array<i64: 0, 0, 2>} {
  %pa = tile.assume %p div_by 16 : !P
  %qa = tile.assume %q div_by 16 : !P
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.view_at %pa sizes [%m, 64] : !P -> !V
  %w = tile.view_at %qa sizes [%m, 64] : !P -> !V
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = scf.for %i = %c0 to %m step %c1 iter_args(%sum = %zero) -> tensor<64x64xf32> {
    %x = tile.load %v[%i, %c0] [64, 64] : !V -> tensor<64x64xbf16>
    %next = tile.dot %x, %x, %sum : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %r = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %r, %w[%c0, %c0] : tensor<64x64xbf16>, !V
}

// -----

!P = !tile.ptr<bf16>
!V = !tile.view<?x64xbf16>

// The reads wait for another block's lock.
// WHY: the memory of a view may be written through an aliasing pointer
// CHECK-LABEL: tile.kernel @read_behind_a_lock
// CHECK:       tile.view_at
tile.kernel @read_behind_a_lock(%p: !P, %lock: !tile.ptr<i32>, %m: index) grid launch attributes {tile.alias_classes = array<i64: 0, 0, 2>} {
  %pa = tile.assume %p div_by 16 : !P
  %c0 = arith.constant 0 : index
  %place = arith.constant dense<0> : tensor<i32>
  %old = tile.load_at %lock[%place] order(acquire) : !tile.ptr<i32>, tensor<i32> -> tensor<i32>
  %v = tile.view_at %pa sizes [%m, 64] : !P -> !V
  %x = tile.load %v[%c0, %c0] [64, 64] : !V -> tensor<64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %x, %x, %zero : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
  tile.print "%f", %d : tensor<64x64xf32>
}

// -----

// A kernel without dots has no use for descriptors.
// CHECK-LABEL: tile.kernel @copies
// CHECK: tile.view_at
tile.kernel @copies(%p: !tile.ptr<f32>) grid launch {
  %pa = tile.assume %p div_by 16 : !tile.ptr<f32>
  %c0 = arith.constant 0 : index
  %v = tile.view_at %pa sizes [64, 64] : !tile.ptr<f32> -> !tile.view<64x64xf32>
  %x = tile.load %v[%c0, %c0] [64, 64] : !tile.view<64x64xf32> -> tensor<64x64xf32>
  tile.store %x, %v[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32>
}
