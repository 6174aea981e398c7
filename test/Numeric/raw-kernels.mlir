// Raw kernels: pointers and scalars as arguments, the grid from the launch.
// TYPES: f16 bf16 f32
!P = !tile.ptr<!T>
!V = !tile.view<?x!T>
!M = !tile.view<?x?x!T, strides=[?, 1]>

// Views whose sizes are scalar arguments; the last tile is partial.
// CASE @add grid=3: 10xT=1,2,3,4,5,6,7,8,9,10 10xT=10 out0 i32=10 -> 10xT=11,12,13,14,15,16,17,18,19,20
// CASE @add grid=3: 10xT=1,2,3,4,5,6,7,8,9,10 10xT=10 out0 i32=7 -> 10xT=11,12,13,14,15,16,17,-1,-1,-1|-1
// CASE @add grid=0: 2xT=1,2 2xT=10 out0 i32=2 -> 2xT=7,7|7
// CASE @add grid=3: out0 out0 out0 i32=5 -> 5xT=2,4,6,8,10|1,2,3,4,5
// CASE @add [f32] grid=3: 5xT=1,2,3,4,5 5xT=10 5xT=0 i32=6 -> error "reaches element 5 of a memory of 5"
tile.kernel @add(%a: !P, %b: !P, %y: !P, %n: i32) grid launch {
  %m = tile.block_id 0
  %size = arith.index_cast %n : i32 to index
  %av = tile.view_at %a sizes [%size] : !P -> !V
  %bv = tile.view_at %b sizes [%size] : !P -> !V
  %yv = tile.view_at %y sizes [%size] : !P -> !V
  %0 = tile.load %av[%m] [4] : !V -> tensor<4x!T>
  %1 = tile.load %bv[%m] [4] : !V -> tensor<4x!T>
  %2 = arith.addf %0, %1 : tensor<4x!T>
  tile.store %2, %yv[%m] : tensor<4x!T>, !V
}

// A product of matrices with padded rows, and a swapped grid.
// CASE @matmul grid=2x3 K=5: 3x6xT=1,2,3,4,5,99,2,3,4,5,6,99,0,1,0,1,0,99 5x3xT=1,0,1,0,1,1,1,1,0,0,1,0,2,0,1 out0 i32=3 i32=3 i64=5 i32=6 i64=3 i32=4 -> 3x4xT=14,9,8,-1,18,12,11,-1,0,2,1,-1|-1
tile.kernel @matmul(%a: !P, %b: !P, %c: !P, %m: i32, %n: i32, %k: i64, %sa: i32, %sb: i64, %sc: i32) grid launch {
  %i = tile.block_id 1
  %j = tile.block_id 0
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = arith.index_cast %m : i32 to index
  %columns = arith.index_cast %n : i32 to index
  %depth = arith.index_cast %k : i64 to index
  %da = arith.index_cast %sa : i32 to index
  %db = arith.index_cast %sb : i64 to index
  %dc = arith.index_cast %sc : i32 to index
  %av = tile.view_at %a sizes [%rows, %depth] strides [%da, 1] : !P -> !M
  %bv = tile.view_at %b sizes [%depth, %columns] strides [%db, 1] : !P -> !M
  %cv = tile.view_at %c sizes [%rows, %columns] strides [%dc, 1] : !P -> !M
  %steps = tile.num_tiles %av, 1 by [4] : !M
  %none = arith.constant dense<0.0> : tensor<1x2xf32>
  %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> tensor<1x2xf32> {
    %x = tile.load %av[%i, %s] [1, 4] : !M -> tensor<1x4x!T>
    %y = tile.load %bv[%s, %j] [4, 2] : !M -> tensor<4x2x!T>
    %next = tile.dot %x, %y, %acc : tensor<1x4x!T>, tensor<4x2x!T>, tensor<1x2xf32> -> tensor<1x2xf32>
    scf.yield %next : tensor<1x2xf32>
  }
  %r = tile.cast %sum : tensor<1x2xf32> to tensor<1x2x!T>
  tile.store %r, %cv[%i, %j] : tensor<1x2x!T>, !M
}

// Two pointers to the same memory: a tile is read completely before dependent values are written.
// CASE @transpose grid=1: out0 out0 -> 2x2xT=1,3,2,4|1,2,3,4
// CASE @transpose grid=1: 2x2xT=1,2,3,4 out0 -> 2x2xT=1,3,2,4
tile.kernel @transpose(%a: !P, %y: !P) grid launch {
  %i = arith.constant 0 : index
  %av = tile.view_at %a sizes [2, 2] : !P -> !tile.view<2x2x!T>
  %yv = tile.view_at %y sizes [2, 2] : !P -> !tile.view<2x2x!T>
  %0 = tile.load %av[%i, %i] [2, 2] : !tile.view<2x2x!T> -> tensor<2x2x!T>
  %1 = tile.permute %0 [1, 0] : tensor<2x2x!T> -> tensor<2x2x!T>
  tile.store %1, %yv[%i, %i] : tensor<2x2x!T>, !tile.view<2x2x!T>
}

// Scalars of every size, between pointers.
// CASE @scalars grid=2: i1=1 T=1.5 out0 i8=-3 i16=300 i64=-5000000000 f64=0.25 -> 2xT=1.5,1.5
// CASE @scalars grid=2: i1=0 T=1.5 out0 i8=-3 i16=300 i64=-5000000000 f64=0.25 -> 2xT=4,4
// CASE @scalars grid=2: i1=0 T=1.5 out0 i8=-3 i16=299 i64=-5000000000 f64=0.25 -> 2xT=0,0
tile.kernel @scalars(%c: i1, %s: !T, %y: !P, %a: i8, %b: i16, %d: i64, %e: f64) grid launch {
  %m = tile.block_id 0
  %blocks = tile.num_blocks 0
  %view = tile.view_at %y sizes [%blocks] : !P -> !V
  %a3 = arith.constant -3 : i8
  %b300 = arith.constant 300 : i16
  %d5 = arith.constant -5000000000 : i64
  %quarter = arith.constant 0.25 : f64
  %isA = arith.cmpi eq, %a, %a3 : i8
  %isB = arith.cmpi eq, %b, %b300 : i16
  %isD = arith.cmpi eq, %d, %d5 : i64
  %isE = arith.cmpf oeq, %e, %quarter : f64
  %ab = arith.andi %isA, %isB : i1
  %de = arith.andi %isD, %isE : i1
  %all = arith.andi %ab, %de : i1
  %four = arith.constant 4.0 : !T
  %zero = arith.constant 0.0 : !T
  %other = arith.select %all, %four, %zero : !T
  %value = arith.select %c, %s, %other : !T
  %tile = tile.splat %value [1] : !T -> tensor<1x!T>
  tile.store %tile, %view[%m] : tensor<1x!T>, !V
}

// Block coordinates: x varies fastest; bounds of every axis are known.
// CASE @where [f32] grid=3x2x2: out0 -> 12xi32=1322,11322,21322,101322,111322,121322,1001322,1011322,1021322,1101322,1111322,1121322
tile.kernel @where(%y: !tile.ptr<i32>) grid launch {
  %x = tile.block_id 0
  %yy = tile.block_id 1
  %z = tile.block_id 2
  %nx = tile.num_blocks 0
  %ny = tile.num_blocks 1
  %nz = tile.num_blocks 2
  %ten = arith.constant 10 : index
  %hundred = arith.constant 100 : index
  %0 = arith.muli %nx, %hundred : index
  %1 = arith.muli %ny, %ten : index
  %2 = arith.addi %0, %1 : index
  %3 = arith.addi %2, %nz : index
  %thousand = arith.constant 1000 : index
  %tenThousand = arith.constant 10000 : index
  %xs = arith.muli %x, %tenThousand : index
  %hundredThousand = arith.constant 100000 : index
  %ys = arith.muli %yy, %hundredThousand : index
  %million = arith.constant 1000000 : index
  %zs = arith.muli %z, %million : index
  %4 = arith.addi %3, %thousand : index
  %5 = arith.addi %4, %xs : index
  %6 = arith.addi %5, %ys : index
  %7 = arith.addi %6, %zs : index
  %zy = arith.muli %z, %ny : index
  %row = arith.addi %zy, %yy : index
  %rx = arith.muli %row, %nx : index
  %at = arith.addi %rx, %x : index
  %value = arith.index_cast %7 : index to i32
  %tile = tile.splat %value [1] : i32 -> tensor<1xi32>
  %place = arith.index_cast %at : index to i32
  %o = tile.splat %place [1] : i32 -> tensor<1xi32>
  tile.store_at %tile, %y[%o] : tensor<1xi32>, !tile.ptr<i32>, tensor<1xi32>
}

// Elements by offset, and a sum that all blocks add to.
// CASE @total grid=3: 10xT=1,2,3,4,5,6,7,8,9,10 out0 i32=10 -> 1xf32=55|0
tile.kernel @total(%a: !P, %sum: !tile.ptr<f32>, %n: i32) grid launch {
  %m = tile.block_id 0
  %m32 = arith.index_cast %m : index to i32
  %four = arith.constant 4 : i32
  %first = arith.muli %m32, %four : i32
  %i = tile.iota [4] : tensor<4xi32>
  %f = tile.splat %first [4] : i32 -> tensor<4xi32>
  %o = arith.addi %i, %f : tensor<4xi32>
  %bound = tile.splat %n [4] : i32 -> tensor<4xi32>
  %mask = arith.cmpi slt, %o, %bound : tensor<4xi32>
  %0 = tile.load_at %a[%o] mask(%mask : tensor<4xi1>) : !P, tensor<4xi32> -> tensor<4x!T>
  %1 = tile.cast %0 : tensor<4x!T> to tensor<4xf32>
  %at = arith.constant dense<0> : tensor<4xi32>
  %old = tile.atomic_rmw add %sum[%at], %1 : !tile.ptr<f32>, tensor<4xi32>, tensor<4xf32>
}
