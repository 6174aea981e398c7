// RUN: tilegpt-opt %s --tile-gpu-flatten-elements --split-input-file | FileCheck %s

!X = !tile.view<?x3001xf32>
!Y = !tile.view<?x3001xbf16>

// Rows of an odd number of columns: a block processes 1024 consecutive elements.
// CHECK-LABEL: tile.kernel @odd_rows
// CHECK:         %[[M:.*]] = tile.block_id 0
// CHECK:         %[[N:.*]] = tile.block_id 1
// CHECK:         %[[R:.*]] = arith.muli %[[M]], %c12
// CHECK:         %[[I:.*]] = arith.addi %[[R]], %[[N]]
// CHECK:         %[[A:.*]] = tile_gpu.run %{{.*}}[%[[I]]] length 1024 : !tile.view<?x3001xf32> -> !tile.view<?xf32>
// CHECK:         %[[T:.*]] = tile.load %[[A]][%c0{{.*}}] [1024] : !tile.view<?xf32> -> tensor<1024xf32>
// CHECK:         %[[S:.*]] = tile.splat %{{.*}} [1024] : f32 -> tensor<1024xf32>
// CHECK:         %[[F:.*]] = arith.mulf %[[T]], %[[S]] : tensor<1024xf32>
// CHECK:         %[[Z:.*]] = arith.constant dense<1.000000e+00> : tensor<1024xf32>
// CHECK:         %[[O:.*]] = tile.cast %{{.*}} : tensor<1024xf32> to tensor<1024xbf16>
// CHECK:         %[[Y:.*]] = tile_gpu.run %{{.*}}[%[[I]]] length 1024
// CHECK:         tile.store %[[O]], %[[Y]][%c0
tile.kernel @odd_rows(%x: !X, %s: f32) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 4), 12] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [4, 256] : !X -> tensor<4x256xf32>
  %ss = tile.splat %s [4, 256] : f32 -> tensor<4x256xf32>
  %f = arith.mulf %t, %ss : tensor<4x256xf32>
  %one = arith.constant dense<1.0> : tensor<4x256xf32>
  %g = arith.addf %f, %one : tensor<4x256xf32>
  %o = tile.cast %g : tensor<4x256xf32> to tensor<4x256xbf16>
  tile.store %o, %y[%m, %n] : tensor<4x256xbf16>, !Y
}

// -----

!X = !tile.view<?x16xf32>

// Rows of whole units, but most of every tile is empty.
// CHECK-LABEL: tile.kernel @short_rows
// CHECK:         tile_gpu.run
tile.kernel @short_rows(%x: !X) outs(%y: !X) grid [ceildiv(dim(%y, 0), 4), 1] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [4, 64] : !X -> tensor<4x64xf32>
  tile.store %t, %y[%m, %n] : tensor<4x64xf32>, !X
}

// -----

!X = !tile.view<?x104xbf16>

// Whole units and few empty elements, but 32 bytes of a row at a time.
// CHECK-LABEL: tile.kernel @pieces_of_rows
// CHECK:         tile_gpu.run %{{.*}} length 2048
tile.kernel @pieces_of_rows(%x: !X) outs(%y: !X) grid [ceildiv(dim(%y, 0), 128), 7] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [128, 16] : !X -> tensor<128x16xbf16>
  tile.store %t, %y[%m, %n] : tensor<128x16xbf16>, !X
}

// -----

!X = !tile.view<?x512xf32>

// Nothing to gain.
// CHECK-LABEL: tile.kernel @even_rows
// CHECK-NOT:     tile_gpu.run
tile.kernel @even_rows(%x: !X) outs(%y: !X) grid [ceildiv(dim(%y, 0), 4), 2] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [4, 256] : !X -> tensor<4x256xf32>
  tile.store %t, %y[%m, %n] : tensor<4x256xf32>, !X
}

// -----

!X = !tile.view<?x3001xf32>

// Only the first 256 columns are written: the others have no blocks.
// CHECK-LABEL: tile.kernel @part_of_the_columns
// CHECK-NOT:     tile_gpu.run
tile.kernel @part_of_the_columns(%x: !X) outs(%y: !X) grid [ceildiv(dim(%y, 0), 4), 1] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [4, 256] : !X -> tensor<4x256xf32>
  tile.store %t, %y[%m, %n] : tensor<4x256xf32>, !X
}

// -----

!X = !tile.view<?x3001xf32>

// The element of another position.
// CHECK-LABEL: tile.kernel @other_place
// CHECK-NOT:     tile_gpu.run
tile.kernel @other_place(%x: !X) outs(%y: !X) grid [ceildiv(dim(%y, 0), 4), 12] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [4, 256] : !X -> tensor<4x256xf32>
  tile.store %t, %y[%m, %n] : tensor<4x256xf32>, !X
}

// -----

!X = !tile.view<?x3001xf32>
!S = !tile.view<?x3001xf32, strides=[4096, 1]>

// Rows with gaps between them.
// CHECK-LABEL: tile.kernel @not_dense
// CHECK-NOT:     tile_gpu.run
tile.kernel @not_dense(%x: !S) outs(%y: !X) grid [ceildiv(dim(%y, 0), 4), 12] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [4, 256] : !S -> tensor<4x256xf32>
  tile.store %t, %y[%m, %n] : tensor<4x256xf32>, !X
}

// -----

!X = !tile.view<?x3001xf32>

// The row index matters.
// CHECK-LABEL: tile.kernel @row_number
// CHECK-NOT:     tile_gpu.run
tile.kernel @row_number() outs(%y: !X) grid [ceildiv(dim(%y, 0), 1), 12] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %i = arith.index_cast %m : index to i32
  %f = arith.sitofp %i : i32 to f32
  %t = tile.splat %f [1, 256] : f32 -> tensor<1x256xf32>
  tile.store %t, %y[%m, %n] : tensor<1x256xf32>, !X
}

// -----

// Tiles of whole rows are runs of memory; their sum is cut into rows after the loop.
// CHECK-LABEL: tile.kernel @whole_rows
// CHECK-DAG:     %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<3996xf32>
// CHECK-DAG:     %[[ALL:.*]] = tile_gpu.run %{{.*}}[%{{.*}}] length 1050984 : !tile.view<58388x18xf32> -> !tile.view<1050984xf32>
// CHECK:         %[[R:.*]] = scf.for %[[I:.*]] = %{{.*}} iter_args(%[[A:.*]] = %[[Z]]) -> (tensor<3996xf32>)
// CHECK:           %[[T:.*]] = tile.load %[[ALL]][%[[I]]] [3996] : !tile.view<1050984xf32> -> tensor<3996xf32>
// CHECK:           %[[Q:.*]] = arith.mulf %[[T]], %[[T]] : tensor<3996xf32>
// CHECK:           arith.addf %[[A]], %[[Q]] : tensor<3996xf32>
// CHECK:         %[[ROWS:.*]] = tile.reshape %[[R]] [222, 18] : tensor<3996xf32> -> tensor<222x18xf32>
// CHECK:         tile.reduce add %[[ROWS]] axis 0
tile.kernel @whole_rows(%x: !tile.view<58388x18xf32>) outs(%y: !tile.view<18xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c264 = arith.constant 264 : index
  %z = arith.constant dense<0.0> : tensor<222x18xf32>
  %r = scf.for %i = %c0 to %c264 step %c1 iter_args(%a = %z) -> (tensor<222x18xf32>) {
    %t = tile.load %x[%i, %c0] [222, 18] : !tile.view<58388x18xf32> -> tensor<222x18xf32>
    %q = arith.mulf %t, %t : tensor<222x18xf32>
    %b = arith.addf %a, %q : tensor<222x18xf32>
    scf.yield %b : tensor<222x18xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<222x18xf32> -> tensor<18xf32>
  tile.store %s, %y[%c0] : tensor<18xf32>, !tile.view<18xf32>
}

// -----

// Not tiles of some columns, tiles that are no whole units, and ops that see rows.
// CHECK-NOT: tile_gpu.run
tile.kernel @some_columns(%x: !tile.view<58388x18xf32>) outs(%y: !tile.view<16xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c264 = arith.constant 264 : index
  %z = arith.constant dense<0.0> : tensor<222x16xf32>
  %r = scf.for %i = %c0 to %c264 step %c1 iter_args(%a = %z) -> (tensor<222x16xf32>) {
    %t = tile.load %x[%i, %c0] [222, 16] : !tile.view<58388x18xf32> -> tensor<222x16xf32>
    %b = arith.addf %a, %t : tensor<222x16xf32>
    scf.yield %b : tensor<222x16xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<222x16xf32> -> tensor<16xf32>
  tile.store %s, %y[%c0] : tensor<16xf32>, !tile.view<16xf32>
}
tile.kernel @odd_tiles(%x: !tile.view<58388x18xf32>) outs(%y: !tile.view<18xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c265 = arith.constant 265 : index
  %z = arith.constant dense<0.0> : tensor<221x18xf32>
  %r = scf.for %i = %c0 to %c265 step %c1 iter_args(%a = %z) -> (tensor<221x18xf32>) {
    %t = tile.load %x[%i, %c0] [221, 18] : !tile.view<58388x18xf32> -> tensor<221x18xf32>
    %b = arith.addf %a, %t : tensor<221x18xf32>
    scf.yield %b : tensor<221x18xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<221x18xf32> -> tensor<18xf32>
  tile.store %s, %y[%c0] : tensor<18xf32>, !tile.view<18xf32>
}
tile.kernel @scaled_columns(%x: !tile.view<58388x18xf32>, %g: !tile.view<18xf32>) outs(%y: !tile.view<18xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c264 = arith.constant 264 : index
  %z = arith.constant dense<0.0> : tensor<222x18xf32>
  %r = scf.for %i = %c0 to %c264 step %c1 iter_args(%a = %z) -> (tensor<222x18xf32>) {
    %t = tile.load %x[%i, %c0] [222, 18] : !tile.view<58388x18xf32> -> tensor<222x18xf32>
    %v = tile.load %g[%c0] [18] : !tile.view<18xf32> -> tensor<18xf32>
    %vs = tile.broadcast %v [222, 18] : tensor<18xf32> -> tensor<222x18xf32>
    %p = arith.mulf %t, %vs : tensor<222x18xf32>
    %b = arith.addf %a, %p : tensor<222x18xf32>
    scf.yield %b : tensor<222x18xf32>
  }
  %s = tile.reduce add %r axis 0 : tensor<222x18xf32> -> tensor<18xf32>
  tile.store %s, %y[%c0] : tensor<18xf32>, !tile.view<18xf32>
}
