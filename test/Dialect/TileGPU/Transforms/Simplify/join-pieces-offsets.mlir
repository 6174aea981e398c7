// RUN: tilegpt-opt %s --tile-gpu-join-pieces --split-input-file | FileCheck %s
// RUN: tilegpt-opt %s --tile-gpu-join-pieces --split-input-file --explain 2>&1 | FileCheck %s --check-prefix=WHY

// A root mean square whose row is accessed by offset, with masks of a size that only the launch knows.
// CHECK-LABEL: tile.kernel @rms
// CHECK-NOT:     scf.for
// CHECK:         tile.iota [2048]
// CHECK:         %[[X:.*]] = tile.load_at {{.*}} -> tensor<2048xbf16>
// CHECK:         %[[W:.*]] = arith.extf %[[X]]
// CHECK:         %[[S:.*]] = math.fma %[[W]], %[[W]],
// CHECK:         tile.reduce add %[[S]] axis 0 : tensor<2048xf32>
// CHECK:         tile.store_at {{.*}} : tensor<f32>
// CHECK-NOT:     tile.load_at
// CHECK:         arith.extf %[[X]]
// CHECK:         tile.store_at {{.*}} : tensor<2048xbf16>
// WHY: @rms: tile: 2 loops over an axis of 2048 share one load of it
tile.kernel @rms(%x: !tile.ptr<bf16>, %y: !tile.ptr<bf16>, %r: !tile.ptr<f32>, %columns: i32) grid launch {
  %b = tile.block_id 0
  %bi = arith.index_cast %b : index to i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %size = arith.constant 512 : i32
  %none = arith.constant dense<0.0> : tensor<512xf32>
  %i = tile.iota [512] : tensor<512xi32>
  %first = arith.muli %bi, %columns : i32
  %row = tile.splat %first [512] : i32 -> tensor<512xi32>
  %end = tile.splat %columns [512] : i32 -> tensor<512xi32>
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %none) -> tensor<512xf32> {
    %ki = arith.index_cast %k : index to i32
    %start = arith.muli %ki, %size : i32
    %starts = tile.splat %start [512] : i32 -> tensor<512xi32>
    %place = arith.addi %starts, %i : tensor<512xi32>
    %is = arith.cmpi slt, %place, %end : tensor<512xi32>
    %o = arith.addi %row, %place : tensor<512xi32>
    %t = tile.load_at %x[%o] mask(%is : tensor<512xi1>) : !tile.ptr<bf16>, tensor<512xi32> -> tensor<512xbf16>
    %w = arith.extf %t : tensor<512xbf16> to tensor<512xf32>
    %n = math.fma %w, %w, %a : tensor<512xf32>
    scf.yield %n : tensor<512xf32>
  }
  %sum = tile.reduce add %s axis 0 : tensor<512xf32> -> tensor<f32>
  %at = tile.splat %bi [] : i32 -> tensor<i32>
  tile.store_at %sum, %r[%at] : tensor<f32>, !tile.ptr<f32>, tensor<i32>
  %one = tensor.extract %sum[] : tensor<f32>
  %all = tile.splat %one [512] : f32 -> tensor<512xf32>
  scf.for %k = %c0 to %c4 step %c1 {
    %ki = arith.index_cast %k : index to i32
    %start = arith.muli %ki, %size : i32
    %starts = tile.splat %start [512] : i32 -> tensor<512xi32>
    %place = arith.addi %starts, %i : tensor<512xi32>
    %is = arith.cmpi slt, %place, %end : tensor<512xi32>
    %o = arith.addi %row, %place : tensor<512xi32>
    %t = tile.load_at %x[%o] mask(%is : tensor<512xi1>) : !tile.ptr<bf16>, tensor<512xi32> -> tensor<512xbf16>
    %w = arith.extf %t : tensor<512xbf16> to tensor<512xf32>
    %q = arith.mulf %w, %all : tensor<512xf32>
    %z = arith.truncf %q : tensor<512xf32> to tensor<512xbf16>
    tile.store_at %z, %y[%o] mask(%is : tensor<512xi1>) : tensor<512xbf16>, !tile.ptr<bf16>, tensor<512xi32>
  }
}

// -----

// Rows of a tile in two dimensions, and a column stride that only the launch knows.
// CHECK-LABEL: tile.kernel @rows
// CHECK-NOT:     scf.for
// CHECK:         tile.load_at {{.*}} -> tensor<4x256xf32>
// CHECK-NOT:     tile.load_at
// CHECK:         tile.store_at {{.*}} : tensor<4x256xf32>
tile.kernel @rows(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %pitch: i32, %step: i32) grid launch {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %size = arith.constant 128 : i32
  %none = arith.constant dense<0xFF800000> : tensor<4x1xf32>
  %i = tile.iota [128] : tensor<128xi32>
  %m = tile.iota [4] : tensor<4xi32>
  %ms = tile.expand_dims %m, 1 : tensor<4xi32> -> tensor<4x1xi32>
  %p = tile.splat %pitch [4, 1] : i32 -> tensor<4x1xi32>
  %rows = arith.muli %ms, %p : tensor<4x1xi32>
  %row = tile.broadcast %rows [4, 128] : tensor<4x1xi32> -> tensor<4x128xi32>
  %steps = tile.splat %step [4, 128] : i32 -> tensor<4x128xi32>
  %s = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %none) -> tensor<4x1xf32> {
    %ki = arith.index_cast %k : index to i32
    %start = arith.muli %ki, %size : i32
    %starts = tile.splat %start [128] : i32 -> tensor<128xi32>
    %place = arith.addi %starts, %i : tensor<128xi32>
    %e = tile.expand_dims %place, 0 : tensor<128xi32> -> tensor<1x128xi32>
    %places = tile.broadcast %e [4, 128] : tensor<1x128xi32> -> tensor<4x128xi32>
    %c = arith.muli %places, %steps : tensor<4x128xi32>
    %o = arith.addi %row, %c : tensor<4x128xi32>
    %t = tile.load_at %x[%o] : !tile.ptr<f32>, tensor<4x128xi32> -> tensor<4x128xf32>
    %r = tile.reduce max %t axis 1 keepdims : tensor<4x128xf32> -> tensor<4x1xf32>
    %n = arith.maximumf %a, %r : tensor<4x1xf32>
    scf.yield %n : tensor<4x1xf32>
  }
  %most = tile.broadcast %s [4, 128] : tensor<4x1xf32> -> tensor<4x128xf32>
  scf.for %k = %c0 to %c2 step %c1 {
    %ki = arith.index_cast %k : index to i32
    %start = arith.muli %ki, %size : i32
    %starts = tile.splat %start [128] : i32 -> tensor<128xi32>
    %place = arith.addi %starts, %i : tensor<128xi32>
    %e = tile.expand_dims %place, 0 : tensor<128xi32> -> tensor<1x128xi32>
    %places = tile.broadcast %e [4, 128] : tensor<1x128xi32> -> tensor<4x128xi32>
    %c = arith.muli %places, %steps : tensor<4x128xi32>
    %o = arith.addi %row, %c : tensor<4x128xi32>
    %t = tile.load_at %x[%o] : !tile.ptr<f32>, tensor<4x128xi32> -> tensor<4x128xf32>
    %q = arith.subf %t, %most : tensor<4x128xf32>
    tile.store_at %q, %y[%o] : tensor<4x128xf32>, !tile.ptr<f32>, tensor<4x128xi32>
  }
}

// -----

// Pieces that are stored to the same offsets: the last one wins.
// CHECK-LABEL: tile.kernel @wraps
// CHECK-COUNT-2: scf.for
// WHY: @wraps: tile missed: loops over the same axis are not merged: offsets of several tiles may be the same
tile.kernel @wraps(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) grid launch {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %size = arith.constant 128 : i32
  %ring = arith.constant dense<128> : tensor<128xi32>
  %none = arith.constant dense<0.0> : tensor<f32>
  %i = tile.iota [128] : tensor<128xi32>
  %s = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %none) -> tensor<f32> {
    %ki = arith.index_cast %k : index to i32
    %start = arith.muli %ki, %size : i32
    %starts = tile.splat %start [128] : i32 -> tensor<128xi32>
    %place = arith.addi %starts, %i : tensor<128xi32>
    %t = tile.load_at %x[%place] : !tile.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
    %r = tile.reduce add %t axis 0 : tensor<128xf32> -> tensor<f32>
    %n = arith.addf %a, %r : tensor<f32>
    scf.yield %n : tensor<f32>
  }
  %one = tensor.extract %s[] : tensor<f32>
  %all = tile.splat %one [128] : f32 -> tensor<128xf32>
  scf.for %k = %c0 to %c2 step %c1 {
    %ki = arith.index_cast %k : index to i32
    %start = arith.muli %ki, %size : i32
    %starts = tile.splat %start [128] : i32 -> tensor<128xi32>
    %place = arith.addi %starts, %i : tensor<128xi32>
    %t = tile.load_at %x[%place] : !tile.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
    %q = arith.subf %t, %all : tensor<128xf32>
    %o = arith.remui %place, %ring : tensor<128xi32>
    tile.store_at %q, %y[%o] : tensor<128xf32>, !tile.ptr<f32>, tensor<128xi32>
  }
}

// -----

// The second loop loads what it stores.
// CHECK-LABEL: tile.kernel @in_place
// CHECK-COUNT-2: scf.for
// WHY: @in_place: tile missed: loops over the same axis are not merged: the kernel loads what it stores
tile.kernel @in_place(%x: !tile.ptr<f32>) grid launch {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %size = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<f32>
  %i = tile.iota [128] : tensor<128xi32>
  %s = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %none) -> tensor<f32> {
    %ki = arith.index_cast %k : index to i32
    %start = arith.muli %ki, %size : i32
    %starts = tile.splat %start [128] : i32 -> tensor<128xi32>
    %place = arith.addi %starts, %i : tensor<128xi32>
    %t = tile.load_at %x[%place] : !tile.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
    %r = tile.reduce add %t axis 0 : tensor<128xf32> -> tensor<f32>
    %n = arith.addf %a, %r : tensor<f32>
    scf.yield %n : tensor<f32>
  }
  %one = tensor.extract %s[] : tensor<f32>
  %all = tile.splat %one [128] : f32 -> tensor<128xf32>
  scf.for %k = %c0 to %c2 step %c1 {
    %ki = arith.index_cast %k : index to i32
    %start = arith.muli %ki, %size : i32
    %starts = tile.splat %start [128] : i32 -> tensor<128xi32>
    %place = arith.addi %starts, %i : tensor<128xi32>
    %t = tile.load_at %x[%place] : !tile.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
    %q = arith.subf %t, %all : tensor<128xf32>
    tile.store_at %q, %x[%place] : tensor<128xf32>, !tile.ptr<f32>, tensor<128xi32>
  }
}

// -----

// Loads that others may order their stores by stay in their loops.
// CHECK-LABEL: tile.kernel @ordered
// CHECK-COUNT-2: scf.for
// WHY: @ordered: tile missed: loops over the same axis are not merged: the kernel does more than load, compute and store
tile.kernel @ordered(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) grid launch {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %size = arith.constant 128 : i32
  %i = tile.iota [128] : tensor<128xi32>
  scf.for %k = %c0 to %c2 step %c1 {
    %ki = arith.index_cast %k : index to i32
    %start = arith.muli %ki, %size : i32
    %starts = tile.splat %start [128] : i32 -> tensor<128xi32>
    %place = arith.addi %starts, %i : tensor<128xi32>
    %t = tile.load_at %x[%place] order(acquire) : !tile.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
    tile.store_at %t, %y[%place] : tensor<128xf32>, !tile.ptr<f32>, tensor<128xi32>
  }
  scf.for %k = %c0 to %c2 step %c1 {
    %ki = arith.index_cast %k : index to i32
    %start = arith.muli %ki, %size : i32
    %starts = tile.splat %start [128] : i32 -> tensor<128xi32>
    %place = arith.addi %starts, %i : tensor<128xi32>
    %t = tile.load_at %x[%place] order(acquire) : !tile.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
    tile.store_at %t, %y[%place] : tensor<128xf32>, !tile.ptr<f32>, tensor<128xi32>
  }
}
