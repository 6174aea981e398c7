// Rows that several loops access piece by piece, at offsets from pointers, and results of products that are stored so.
// TYPES: f32 bf16
!P = !tile.ptr<!T>

// A row over the root of the sum of its squares; the last piece is a part of one, or there are fewer.
// CASE @normalize grid=3: 3x500xT=random:1 i32=500 out0 -> 3x500xT
// CASE @normalize grid=2: 2x512xT=random:2 i32=512 out0 -> 2x512xT
// CASE @normalize grid=3: 3x130xT=random:3 i32=130 out0 -> 3x130xT
// CASE @normalize grid=5: 5x7xT=random:4 i32=7 out0 -> 5x7xT
tile.kernel @normalize(%x: !P, %columns: i32, %y: !P) grid launch {
  %b = tile.block_id 0
  %bi = arith.index_cast %b : index to i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %size = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<128xf32>
  %i = tile.iota [128] : tensor<128xi32>
  %first = arith.muli %bi, %columns : i32
  %row = tile.splat %first [128] : i32 -> tensor<128xi32>
  %end = tile.splat %columns [128] : i32 -> tensor<128xi32>
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %none) -> tensor<128xf32> {
    %ki = arith.index_cast %k : index to i32
    %start = arith.muli %ki, %size : i32
    %starts = tile.splat %start [128] : i32 -> tensor<128xi32>
    %place = arith.addi %starts, %i : tensor<128xi32>
    %is = arith.cmpi slt, %place, %end : tensor<128xi32>
    %o = arith.addi %row, %place : tensor<128xi32>
    %t = tile.load_at %x[%o] mask(%is : tensor<128xi1>) : !P, tensor<128xi32> -> tensor<128x!T>
    %w = tile.cast %t : tensor<128x!T> to tensor<128xf32>
    %n = math.fma %w, %w, %a : tensor<128xf32>
    scf.yield %n : tensor<128xf32>
  }
  %sum = tile.reduce add %s axis 0 : tensor<128xf32> -> tensor<f32>
  %one = tensor.extract %sum[] : tensor<f32>
  %root = math.rsqrt %one : f32
  %all = tile.splat %root [128] : f32 -> tensor<128xf32>
  scf.for %k = %c0 to %c4 step %c1 {
    %ki = arith.index_cast %k : index to i32
    %start = arith.muli %ki, %size : i32
    %starts = tile.splat %start [128] : i32 -> tensor<128xi32>
    %place = arith.addi %starts, %i : tensor<128xi32>
    %is = arith.cmpi slt, %place, %end : tensor<128xi32>
    %o = arith.addi %row, %place : tensor<128xi32>
    %t = tile.load_at %x[%o] mask(%is : tensor<128xi1>) : !P, tensor<128xi32> -> tensor<128x!T>
    %w = tile.cast %t : tensor<128x!T> to tensor<128xf32>
    %q = arith.mulf %w, %all : tensor<128xf32>
    %z = tile.cast %q : tensor<128xf32> to tensor<128x!T>
    tile.store_at %z, %y[%o] mask(%is : tensor<128xi1>) : tensor<128x!T>, !P, tensor<128xi32>
  }
}

// Later pieces are stored over earlier ones.
// CASE @wrap grid=1: 512xT=random:5 out0 -> 128xT
tile.kernel @wrap(%x: !P, %y: !P) grid launch {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %size = arith.constant 128 : i32
  %ring = arith.constant dense<128> : tensor<128xi32>
  %none = arith.constant dense<0.0> : tensor<f32>
  %i = tile.iota [128] : tensor<128xi32>
  %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %none) -> tensor<f32> {
    %ki = arith.index_cast %k : index to i32
    %start = arith.muli %ki, %size : i32
    %starts = tile.splat %start [128] : i32 -> tensor<128xi32>
    %place = arith.addi %starts, %i : tensor<128xi32>
    %t = tile.load_at %x[%place] : !P, tensor<128xi32> -> tensor<128x!T>
    %w = tile.cast %t : tensor<128x!T> to tensor<128xf32>
    %r = tile.reduce max %w axis 0 : tensor<128xf32> -> tensor<f32>
    %n = arith.maximumf %a, %r : tensor<f32>
    scf.yield %n : tensor<f32>
  }
  %one = tensor.extract %s[] : tensor<f32>
  %all = tile.splat %one [128] : f32 -> tensor<128xf32>
  scf.for %k = %c0 to %c4 step %c1 {
    %ki = arith.index_cast %k : index to i32
    %start = arith.muli %ki, %size : i32
    %starts = tile.splat %start [128] : i32 -> tensor<128xi32>
    %place = arith.addi %starts, %i : tensor<128xi32>
    %t = tile.load_at %x[%place] : !P, tensor<128xi32> -> tensor<128x!T>
    %w = tile.cast %t : tensor<128x!T> to tensor<128xf32>
    %q = arith.subf %w, %all : tensor<128xf32>
    %z = tile.cast %q : tensor<128xf32> to tensor<128x!T>
    %o = arith.remui %place, %ring : tensor<128xi32>
    tile.store_at %z, %y[%o] : tensor<128x!T>, !P, tensor<128xi32>
  }
}

// The rows of a product from the last to the first, those of a number only.
// CASE @product [bf16] grid=1: 64x64xbf16=random:6 64x32xbf16=random:7 i32=32 i32=64 out0 -> 64x32xT
// CASE @product [bf16] grid=1: 64x64xbf16=random:8 64x32xbf16=random:9 i32=32 i32=40 out0 -> 40x32xT
tile.kernel @product(%l: !tile.ptr<bf16>, %r: !tile.ptr<bf16>, %pitch: i32, %rows: i32, %y: !P) grid launch {
  %c0 = arith.constant 0 : index
  %yes = tile.assume %y div_by 16 : !P
  %eighths = tile.assume %pitch div_by 8 : i32
  %acc = arith.constant dense<0.0> : tensor<64x32xf32>
  %va = tile.view_at %l sizes [64, 64] strides [64, 1] : !tile.ptr<bf16> -> !tile.view<64x64xbf16>
  %vb = tile.view_at %r sizes [64, 32] strides [32, 1] : !tile.ptr<bf16> -> !tile.view<64x32xbf16>
  %a = tile.load %va[%c0, %c0] [64, 64] : !tile.view<64x64xbf16> -> tensor<64x64xbf16>
  %b = tile.load %vb[%c0, %c0] [64, 32] : !tile.view<64x32xbf16> -> tensor<64x32xbf16>
  %d = tile.dot %a, %b, %acc : tensor<64x64xbf16>, tensor<64x32xbf16>, tensor<64x32xf32> -> tensor<64x32xf32>
  %t = tile.cast %d : tensor<64x32xf32> to tensor<64x32x!T>
  %m = tile.iota [64] : tensor<64xi32>
  %one = arith.constant 1 : i32
  %last = arith.subi %rows, %one : i32
  %lasts = tile.splat %last [64] : i32 -> tensor<64xi32>
  %row = arith.subi %lasts, %m : tensor<64xi32>
  %zero = arith.constant dense<0> : tensor<64xi32>
  %is = arith.cmpi sge, %row, %zero : tensor<64xi32>
  %isn = tile.expand_dims %is, 1 : tensor<64xi1> -> tensor<64x1xi1>
  %iss = tile.broadcast %isn [64, 32] : tensor<64x1xi1> -> tensor<64x32xi1>
  %ps = tile.splat %eighths [64] : i32 -> tensor<64xi32>
  %first = arith.muli %row, %ps : tensor<64xi32>
  %firsts = tile.expand_dims %first, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %n = tile.iota [32] : tensor<32xi32>
  %ns = tile.expand_dims %n, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %f = tile.broadcast %firsts [64, 32] : tensor<64x1xi32> -> tensor<64x32xi32>
  %g = tile.broadcast %ns [64, 32] : tensor<1x32xi32> -> tensor<64x32xi32>
  %o = arith.addi %f, %g : tensor<64x32xi32>
  tile.store_at %t, %yes[%o] mask(%iss : tensor<64x32xi1>) : tensor<64x32x!T>, !P, tensor<64x32xi32>
}
