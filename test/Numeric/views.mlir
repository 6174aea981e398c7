// Windows of views: subview, select, transpose, and the sizes they report.
// TYPES: i1 i8 i16 i32 i64 f8E4M3FN f8E5M2 f16 bf16 f32 f64
!V = !tile.view<?x!T>
!V2 = !tile.view<?x?x!T>
!V3 = !tile.view<?x?x?x!T>
!N = !tile.view<?xi64>
!S2 = !tile.view<?x?x!T, strides=[?, 1]>

// Loads through a window are bounded by the window.
// CASE @subview: 3x4xT=1,1,0,1,1,0,1,1,0,1,1,1 -> 2x3xT=0,1,0,1,1,0
tile.kernel @subview(%a: !V2) outs(%y: !V2) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = tile.subview %a[%c1, 1] [%c2, 2] : !V2 -> !tile.view<?x2x!T, strides=[?, 1]>
  %0 = tile.load %w[%c0, %c0] [2, 3] : !tile.view<?x2x!T, strides=[?, 1]> -> tensor<2x3x!T>
  tile.store %0, %y[%c0, %c0] : tensor<2x3x!T>, !V2
}
// Stores through a window change nothing outside it.
// CASE @store_subview: 2x2xT=1,1,1,1 -> 3x3xT=0,0,0,0,1,0,0,1,0|0,0,0,0,0,0,0,0,0
tile.kernel @store_subview(%a: !V2) outs(%y: !V2) grid [1] {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %w = tile.subview %y[1, 1] [%c2, 1] : !V2 -> !tile.view<?x1x!T, strides=[?, 1]>
  %0 = tile.load %a[%c0, %c0] [2, 2] : !V2 -> tensor<2x2x!T>
  tile.store %0, %w[%c0, %c0] : tensor<2x2x!T>, !tile.view<?x1x!T, strides=[?, 1]>
}
// CASE @select: 2x2x3xT=1,0,1,0,1,1,0,0,1,1,1,0 -> 3xT=1,1,0 2x3xT=1,0,1,0,1,1
tile.kernel @select(%a: !V3) outs(%y: !V, %z: !V2) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.select %a[%c1, %c1] : !V3 -> !V
  %m = tile.select %a[%c0] : !V3 -> !V2
  %0 = tile.load %r[%c0] [3] : !V -> tensor<3x!T>
  %1 = tile.load %m[%c0, %c0] [2, 3] : !V2 -> tensor<2x3x!T>
  tile.store %0, %y[%c0] : tensor<3x!T>, !V
  tile.store %1, %z[%c0, %c0] : tensor<2x3x!T>, !V2
}
// CASE @transpose: 2x3xT=1,0,1,1,1,0 -> 3x2xT=1,1,0,1,1,0
tile.kernel @transpose(%a: !V2) outs(%y: !V2) grid [2] {
  %i = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.transpose %a [1, 0] : !V2 -> !tile.view<?x?x!T, strides=[1, ?]>
  %0 = tile.load %t[%i, %c0] [2, 2] : !tile.view<?x?x!T, strides=[1, ?]> -> tensor<2x2x!T>
  tile.store %0, %y[%i, %c0] : tensor<2x2x!T>, !V2
}
// Windows of windows.
// CASE @nested: 4x4xT=0,0,0,0,0,1,1,0,0,0,1,0,0,0,0,0 -> 2x2xT=1,0,1,1
tile.kernel @nested(%a: !V2) outs(%y: !V2) grid [1] {
  %c0 = arith.constant 0 : index
  %w = tile.subview %a[1, 0] [3, 4] : !V2 -> !tile.view<3x4x!T, strides=[?, 1]>
  %x = tile.subview %w[0, 1] [2, 2] : !tile.view<3x4x!T, strides=[?, 1]> -> !tile.view<2x2x!T, strides=[?, 1]>
  %t = tile.transpose %x [1, 0] : !tile.view<2x2x!T, strides=[?, 1]> -> !tile.view<2x2x!T, strides=[1, ?]>
  %0 = tile.load %t[%c0, %c0] [2, 2] : !tile.view<2x2x!T, strides=[1, ?]> -> tensor<2x2x!T>
  tile.store %0, %y[%c0, %c0] : tensor<2x2x!T>, !V2
}
// CASE @sizes: 3x7xT=0 -> 4xi64=3,7,2,4
tile.kernel @sizes(%a: !V2) outs(%y: !N) grid [1] {
  %c0 = arith.constant 0 : index
  %d0 = tile.dim %a, 0 : !V2
  %d1 = tile.dim %a, 1 : !V2
  %n0 = tile.num_tiles %a, 0 by [2] : !V2
  %n1 = tile.num_tiles %a, 1 by [2] : !V2
  %i0 = arith.index_cast %d0 : index to i64
  %i1 = arith.index_cast %d1 : index to i64
  %i2 = arith.index_cast %n0 : index to i64
  %i3 = arith.index_cast %n1 : index to i64
  %t0 = tile.splat %i0 [1] : i64 -> tensor<1xi64>
  %t1 = tile.splat %i1 [1] : i64 -> tensor<1xi64>
  %t2 = tile.splat %i2 [1] : i64 -> tensor<1xi64>
  %t3 = tile.splat %i3 [1] : i64 -> tensor<1xi64>
  %u = tile.cat %t0, %t1 axis 0 : tensor<1xi64>, tensor<1xi64> -> tensor<2xi64>
  %v = tile.cat %t2, %t3 axis 0 : tensor<1xi64>, tensor<1xi64> -> tensor<2xi64>
  %w = tile.cat %u, %v axis 0 : tensor<2xi64>, tensor<2xi64> -> tensor<4xi64>
  tile.store %w, %y[%c0] : tensor<4xi64>, !N
}
// An entry without rows, an empty batch, and sums over nothing.
// CASE @batch: 2x3x2xT=1,0,1,1,0,1,1,1,0,0,1,0 -> 2x2xT=0,1,1,0|1,1,1,1
// CASE @batch: 2x0x2xT -> 2x2xT=0,0,0,0|1,1,1,1
// CASE @batch: 0x3x2xT -> 0x2xT
tile.kernel @batch(%a: !tile.view<?x?x2x!T>) outs(%y: !tile.view<?x2x!T>) grid [dim(%y, 0)] {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.select %a[%b] : !tile.view<?x?x2x!T> -> !tile.view<?x2x!T>
  %n = tile.num_tiles %0, 0 by [1] : !tile.view<?x2x!T>
  %zero = tile.load %y[%b, %c1] [1, 2] : !tile.view<?x2x!T> -> tensor<1x2x!T>
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (tensor<1x2x!T>) {
    %1 = tile.load %0[%k, %c0] [1, 2] : !tile.view<?x2x!T> -> tensor<1x2x!T>
    scf.yield %1 : tensor<1x2x!T>
  }
  tile.store %last, %y[%b, %c0] : tensor<1x2x!T>, !tile.view<?x2x!T>
}
// An empty window loads the pad value and stores nothing, whether its size is in the text, a constant or data.
// CASE @empty_window: 2x3xT=1,1,1,1,1,1 index=0 -> 2x2xT=0,0,0,0 3xT=1,1,1|1,1,1
tile.kernel @empty_window(%a: !V2, %n: index) outs(%y: !V2, %z: !V) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = tile.subview %a[0, 3] [2, 0] : !V2 -> !tile.view<2x0x!T, strides=[?, 1]>
  %v = tile.subview %a[%c1, %n] [%c1, %n] : !V2 -> !S2
  %w = tile.subview %z[3] [%c0] : !V -> !V
  %0 = tile.load %u[%c0, %c0] [2, 1] : !tile.view<2x0x!T, strides=[?, 1]> -> tensor<2x1x!T>
  %1 = tile.load %v[%c0, %c0] [2, 1] : !S2 -> tensor<2x1x!T>
  %2 = tile.cat %0, %1 axis 1 : tensor<2x1x!T>, tensor<2x1x!T> -> tensor<2x2x!T>
  tile.store %2, %y[%c0, %c0] : tensor<2x2x!T>, !V2
  %3 = tile.load %z[%c0] [3] : !V -> tensor<3x!T>
  tile.store %3, %w[%c0] : tensor<3x!T>, !V
}
