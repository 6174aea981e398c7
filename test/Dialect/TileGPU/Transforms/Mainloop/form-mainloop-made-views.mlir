// Views whose addresses the kernel computes: where a producer cannot describe them, the loop stays.
// RUN: tilegpt-opt %s --tile-gpu-make-plan --tile-gpu-form-mainloop --explain --split-input-file -o - 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t

!M = !tile.view<?x?xbf16, strides=[?, 1]>
!A = tensor<128x64xbf16>
!B = tensor<64x128xbf16>
!C = tensor<128x128xf32>

// Rows and address are known multiples of 16 bytes, and nothing is written before.
// CHECK-LABEL: tile.kernel @described(
// CHECK:         scf.while
// CHECK:           tile_gpu.mainloop
tile.kernel @described(%x: i64, %w: i64, %y: !tile.ptr<f32>, %n: index) grid launch {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !C
  %pitch = tile.assume %n div_by 8 : index
  %px = tile.int_to_ptr %x : !tile.ptr<bf16>
  %ax = tile.assume %px div_by 16 : !tile.ptr<bf16>
  %pw = tile.int_to_ptr %w : !tile.ptr<bf16>
  %aw = tile.assume %pw div_by 16 : !tile.ptr<bf16>
  %vx = tile.view_at %ax sizes [%n, %n] strides [%pitch, 1] : !tile.ptr<bf16> -> !M
  %vw = tile.view_at %aw sizes [%n, %n] strides [%pitch, 1] : !tile.ptr<bf16> -> !M
  %vy = tile.view_at %y sizes [%n, %n] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %b = tile.block_id 0
  %r = scf.while (%i = %b) : (index) -> index {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!C) {
      %a = tile.load %vx[%i, %k] [128, 64] {tile.settled} : !M -> !A
      %t = tile.load %vw[%k, %c0] [64, 128] {tile.settled} : !M -> !B
      %d = tile.dot %a, %t, %acc : !A, !B, !C -> !C
      scf.yield %d : !C
    }
    tile.store %s, %vy[%i, %c0] : !C, !tile.view<?x?xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
}

// -----

!M = !tile.view<?x?xbf16, strides=[?, 1]>
!A = tensor<128x64xbf16>
!B = tensor<64x128xbf16>
!C = tensor<128x128xf32>

// Addresses read by offset, where nothing is written.
// CHECK-LABEL: tile.kernel @by_offset(
// CHECK:         tile_gpu.mainloop
tile.kernel @by_offset(%x: !tile.ptr<i64>, %w: i64, %y: !tile.ptr<f32>, %n: index) grid launch {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !C
  %b = tile.block_id 0
  %at = arith.index_cast %b : index to i64
  %o = tile.splat %at [] : i64 -> tensor<i64>
  %l = tile.load_at %x[%o] : !tile.ptr<i64>, tensor<i64> -> tensor<i64>
  %word = tensor.extract %l[] : tensor<i64>
  %pitch = tile.assume %n div_by 8 : index
  %px = tile.int_to_ptr %word : !tile.ptr<bf16>
  %ax = tile.assume %px div_by 16 : !tile.ptr<bf16>
  %pw = tile.int_to_ptr %w : !tile.ptr<bf16>
  %aw = tile.assume %pw div_by 16 : !tile.ptr<bf16>
  %vx = tile.view_at %ax sizes [%n, %n] strides [%pitch, 1] : !tile.ptr<bf16> -> !M
  %vw = tile.view_at %aw sizes [%n, %n] strides [%pitch, 1] : !tile.ptr<bf16> -> !M
  %vy = tile.view_at %y sizes [%n, %n] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!C) {
    %a = tile.load %vx[%c0, %k] [128, 64] {tile.settled} : !M -> !A
    %t = tile.load %vw[%k, %c0] [64, 128] {tile.settled} : !M -> !B
    %d = tile.dot %a, %t, %acc : !A, !B, !C -> !C
    scf.yield %d : !C
  }
  tile.store %s, %vy[%c0, %c0] : !C, !tile.view<?x?xf32>
}

// -----

!M = !tile.view<?x?xbf16, strides=[?, 1]>
!A = tensor<128x64xbf16>
!B = tensor<64x128xbf16>
!C = tensor<128x128xf32>

// WHY: main-loop missed: rows of a view are not known to start at multiples of 16 bytes
// CHECK-LABEL: tile.kernel @unaligned(
// CHECK-NOT:     tile_gpu.mainloop
tile.kernel @unaligned(%x: i64, %w: i64, %y: !tile.ptr<f32>, %n: index) grid launch {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !C
  %pitch = tile.assume %n div_by 8 : index
  %ax = tile.int_to_ptr %x : !tile.ptr<bf16>
  %aw = tile.int_to_ptr %w : !tile.ptr<bf16>
  %vx = tile.view_at %ax sizes [%n, %n] strides [%pitch, 1] : !tile.ptr<bf16> -> !M
  %vw = tile.view_at %aw sizes [%n, %n] strides [%pitch, 1] : !tile.ptr<bf16> -> !M
  %vy = tile.view_at %y sizes [%n, %n] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!C) {
    %a = tile.load %vx[%c0, %k] [128, 64] {tile.settled} : !M -> !A
    %t = tile.load %vw[%k, %c0] [64, 128] {tile.settled} : !M -> !B
    %d = tile.dot %a, %t, %acc : !A, !B, !C -> !C
    scf.yield %d : !C
  }
  tile.store %s, %vy[%c0, %c0] : !C, !tile.view<?x?xf32>
}

// -----

!M = !tile.view<?x?xbf16, strides=[?, 1]>
!A = tensor<128x64xbf16>
!B = tensor<64x128xbf16>
!C = tensor<128x128xf32>

// WHY: main-loop missed: a tile is loaded from an address that the kernel may store to before
// CHECK-LABEL: tile.kernel @unsettled(
// CHECK-NOT:     tile_gpu.mainloop
tile.kernel @unsettled(%x: i64, %w: i64, %y: !tile.ptr<f32>, %n: index) grid launch {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !C
  %pitch = tile.assume %n div_by 8 : index
  %px = tile.int_to_ptr %x : !tile.ptr<bf16>
  %ax = tile.assume %px div_by 16 : !tile.ptr<bf16>
  %pw = tile.int_to_ptr %w : !tile.ptr<bf16>
  %aw = tile.assume %pw div_by 16 : !tile.ptr<bf16>
  %vx = tile.view_at %ax sizes [%n, %n] strides [%pitch, 1] : !tile.ptr<bf16> -> !M
  %vw = tile.view_at %aw sizes [%n, %n] strides [%pitch, 1] : !tile.ptr<bf16> -> !M
  %vy = tile.view_at %y sizes [%n, %n] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!C) {
    %a = tile.load %vx[%c0, %k] [128, 64] : !M -> !A
    %t = tile.load %vw[%k, %c0] [64, 128] : !M -> !B
    %d = tile.dot %a, %t, %acc : !A, !B, !C -> !C
    scf.yield %d : !C
  }
  tile.store %s, %vy[%c0, %c0] : !C, !tile.view<?x?xf32>
}

// -----

!M = !tile.view<?x?xbf16, strides=[?, 1]>
!A = tensor<128x64xbf16>
!B = tensor<64x128xbf16>
!C = tensor<128x128xf32>

// WHY: main-loop missed: the view of a tile is made in the loop
// CHECK-LABEL: tile.kernel @inside(
// CHECK-NOT:     tile_gpu.mainloop
tile.kernel @inside(%x: !tile.ptr<bf16>, %w: i64, %y: !tile.ptr<f32>, %n: index, %list: !tile.ptr<i64>) grid launch {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !C
  %pitch = tile.assume %n div_by 8 : index
  %pw = tile.int_to_ptr %w : !tile.ptr<bf16>
  %aw = tile.assume %pw div_by 16 : !tile.ptr<bf16>
  %vw = tile.view_at %aw sizes [%n, %n] strides [%pitch, 1] : !tile.ptr<bf16> -> !M
  %vy = tile.view_at %y sizes [%n, %n] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %table = tile.view_at %list sizes [%n] : !tile.ptr<i64> -> !tile.view<?xi64>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!C) {
    %l = tile.load %table[%k] [1] : !tile.view<?xi64> -> tensor<1xi64>
    %at = tensor.extract %l[%c0] : tensor<1xi64>
    %px = tile.int_to_ptr %at : !tile.ptr<bf16>
    %ax = tile.assume %px div_by 16 : !tile.ptr<bf16>
    %vx = tile.view_at %ax sizes [%n, %n] strides [%pitch, 1] : !tile.ptr<bf16> -> !M
    %t = tile.load %vw[%k, %c0] [64, 128] {tile.settled} : !M -> !B
    %a = tile.load %vx[%c0, %k] [128, 64] {tile.settled} : !M -> !A
    %d = tile.dot %a, %t, %acc : !A, !B, !C -> !C
    scf.yield %d : !C
  }
  tile.store %s, %vy[%c0, %c0] : !C, !tile.view<?x?xf32>
}

// -----

!X = !tile.view<?x64xbf16>
!A = tensor<64x64xbf16>
!C = tensor<64x64xf32>

// WHY: main-loop missed: the condition of a loop depends on more than sizes and single elements of inputs
// CHECK-LABEL: tile.kernel @until_small(
// CHECK-NOT:     tile_gpu.mainloop
tile.kernel @until_small(%x: !X, %w: !X, %n: index) outs(%y: !tile.view<64x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant 1.0 : f32
  %high = arith.constant 2.0 : f32
  %zero = arith.constant dense<0.0> : !C
  %r:2 = scf.while (%i = %c0, %size = %high) : (index, f32) -> (index, f32) {
    %more = arith.cmpf ogt, %size, %low : f32
    scf.condition(%more) %i, %size : index, f32
  } do {
  ^bb0(%i: index, %size: f32):
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!C) {
      %a = tile.load %x[%i, %c0] [64, 64] : !X -> !A
      %t = tile.load %w[%k, %c0] [64, 64] : !X -> !A
      %d = tile.dot %a, %t, %acc transpose_b : !A, !A, !C -> !C
      scf.yield %d : !C
    }
    tile.store %s, %y[%c0, %c0] : !C, !tile.view<64x64xf32>
    %m = tile.reduce max %s axis 0 : !C -> tensor<64xf32>
    %q = tile.reduce max %m axis 0 : tensor<64xf32> -> tensor<f32>
    %now = tensor.extract %q[] : tensor<f32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %now : index, f32
  }
}
