// Matrix products of integers in i32, signed and unsigned; sums wrap.
// TYPES: i8:i8 i8:i16 i16:i16 i32:i32
!V = !tile.view<?x?x!T>
!W = !tile.view<?x?x!U>
!Y = !tile.view<?x?xi32>

// CASE @signed: 2x2xT=1,-2,3,4 2x2xU=-1,2,5,-128 -> 2x2xi32=-11,258,17,-506 2x2xi32=-5,261,5,-497
tile.kernel @signed(%a: !V, %b: !W) outs(%y: !Y, %t: !Y) grid [1] {
  %i = tile.block_id 0
  %zero = arith.constant dense<0> : tensor<2x2xi32>
  %0 = tile.load %a[%i, %i] [2, 2] : !V -> tensor<2x2x!T>
  %1 = tile.load %b[%i, %i] [2, 2] : !W -> tensor<2x2x!U>
  %2 = tile.dot %0, %1, %zero : tensor<2x2x!T>, tensor<2x2x!U>, tensor<2x2xi32> -> tensor<2x2xi32>
  tile.store %2, %y[%i, %i] : tensor<2x2xi32>, !Y
  %3 = tile.dot %0, %1, %zero transpose_b : tensor<2x2x!T>, tensor<2x2x!U>, tensor<2x2xi32> -> tensor<2x2xi32>
  tile.store %3, %t[%i, %i] : tensor<2x2xi32>, !Y
}
// CASE @unsigned [i8:i8,i8:i16]: 1x2xT=-1,1 1x2xU=1,2 -> 1x1xi32=257 1x1xi32=1 1x1xi32=257
// CASE @unsigned [i8:i8]: 1x2xT=1,1 1x2xU=-1,-2 -> 1x1xi32=-3 1x1xi32=509 1x1xi32=509
tile.kernel @unsigned(%a: !V, %b: !W) outs(%l: !Y, %r: !Y, %both: !Y) grid [1] {
  %i = tile.block_id 0
  %zero = arith.constant dense<0> : tensor<1x1xi32>
  %0 = tile.load %a[%i, %i] [1, 2] : !V -> tensor<1x2x!T>
  %1 = tile.load %b[%i, %i] [1, 2] : !W -> tensor<1x2x!U>
  %2 = tile.dot %0, %1, %zero transpose_b unsigned_lhs : tensor<1x2x!T>, tensor<1x2x!U>, tensor<1x1xi32> -> tensor<1x1xi32>
  %3 = tile.dot %0, %1, %zero transpose_b unsigned_rhs : tensor<1x2x!T>, tensor<1x2x!U>, tensor<1x1xi32> -> tensor<1x1xi32>
  %4 = tile.dot %0, %1, %zero transpose_b unsigned_lhs unsigned_rhs : tensor<1x2x!T>, tensor<1x2x!U>, tensor<1x1xi32> -> tensor<1x1xi32>
  tile.store %2, %l[%i, %i] : tensor<1x1xi32>, !Y
  tile.store %3, %r[%i, %i] : tensor<1x1xi32>, !Y
  tile.store %4, %both[%i, %i] : tensor<1x1xi32>, !Y
}

// Steps along K that a producer warp or all threads can prefetch.
// CASE @piped K=192 [i8:i8]: 200x192xT=random:1 72x192xU=random:2 -> 200x72xi32
// CASE @piped K=160 [i8:i8]: 64x160xT=random:3 144x160xU=random:4 -> 64x144xi32
tile.kernel @piped(%a: !V, %b: !W) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0> : tensor<128x64xi32>
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<128x64xi32>) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> tensor<128x64x!T>
    %w = tile.load %b[%n, %k] [64, 64] : !W -> tensor<64x64x!U>
    %d = tile.dot %x, %w, %acc transpose_b : tensor<128x64x!T>, tensor<64x64x!U>, tensor<128x64xi32> -> tensor<128x64xi32>
    scf.yield %d : tensor<128x64xi32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x64xi32>, !Y
}
// Operands of different signedness.
// CASE @piped_unsigned K=192 [i8:i8]: 130x192xT=random:5 72x192xU=random:6 -> 130x72xi32 130x72xi32 130x72xi32
// CASE @piped_unsigned K=208 [i8:i8]: 64x208xT=random:7 144x208xU=random:8 -> 64x144xi32 64x144xi32 64x144xi32
tile.kernel @piped_unsigned(%a: !V, %b: !W) outs(%l: !Y, %r: !Y, %both: !Y) grid [ceildiv(dim(%l, 0), 128), ceildiv(dim(%l, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0> : tensor<128x64xi32>
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %sl = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<128x64xi32>) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> tensor<128x64x!T>
    %w = tile.load %b[%n, %k] [64, 64] : !W -> tensor<64x64x!U>
    %d = tile.dot %x, %w, %acc transpose_b unsigned_lhs : tensor<128x64x!T>, tensor<64x64x!U>, tensor<128x64xi32> -> tensor<128x64xi32>
    scf.yield %d : tensor<128x64xi32>
  }
  tile.store %sl, %l[%m, %n] : tensor<128x64xi32>, !Y
  %sr = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<128x64xi32>) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> tensor<128x64x!T>
    %w = tile.load %b[%n, %k] [64, 64] : !W -> tensor<64x64x!U>
    %d = tile.dot %x, %w, %acc transpose_b unsigned_rhs : tensor<128x64x!T>, tensor<64x64x!U>, tensor<128x64xi32> -> tensor<128x64xi32>
    scf.yield %d : tensor<128x64xi32>
  }
  tile.store %sr, %r[%m, %n] : tensor<128x64xi32>, !Y
  %sb = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<128x64xi32>) {
    %x = tile.load %a[%m, %k] [128, 64] : !V -> tensor<128x64x!T>
    %w = tile.load %b[%n, %k] [64, 64] : !W -> tensor<64x64x!U>
    %d = tile.dot %x, %w, %acc transpose_b unsigned_lhs unsigned_rhs : tensor<128x64x!T>, tensor<64x64x!U>, tensor<128x64xi32> -> tensor<128x64xi32>
    scf.yield %d : tensor<128x64xi32>
  }
  tile.store %sb, %both[%m, %n] : tensor<128x64xi32>, !Y
}
// 72 rows are multiplied as columns: the operands change places.
// CASE @swapped_unsigned K=192 [i8:i8]: 144x192xT=random:9 64x192xU=random:10 -> 144x64xi32
tile.kernel @swapped_unsigned(%a: !V, %b: !W) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 72), ceildiv(dim(%y, 1), 64)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0> : tensor<72x64xi32>
  %steps = tile.num_tiles %a, 1 by [64] : !V
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<72x64xi32>) {
    %x = tile.load %a[%m, %k] [72, 64] : !V -> tensor<72x64x!T>
    %w = tile.load %b[%n, %k] [64, 64] : !W -> tensor<64x64x!U>
    %d = tile.dot %x, %w, %acc transpose_b unsigned_lhs : tensor<72x64x!T>, tensor<64x64x!U>, tensor<72x64xi32> -> tensor<72x64xi32>
    scf.yield %d : tensor<72x64xi32>
  }
  tile.store %r, %y[%m, %n] : tensor<72x64xi32>, !Y
}

// Operands that run across K: neither copies nor matrix instructions transpose bytes.
// CASE @across K=96 [i8:i8]: 70x96xT=random:1 96x90xU=random:2 -> 70x90xi32 90x70xi32
// CASE @across K=33 [i8:i8]: 33x33xT=random:3 33x41xU=random:4 -> 33x41xi32 41x33xi32
tile.kernel @across(%a: !V, %b: !W) outs(%y: !Y, %z: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0> : tensor<80x96xi32>
  %zeros = arith.constant dense<0> : tensor<96x80xi32>
  %x = tile.load %a[%c0, %c0] [80, 96] : !V -> tensor<80x96x!T>
  %w = tile.load %b[%c0, %c0] [96, 96] : !W -> tensor<96x96x!U>
  %0 = tile.dot %x, %w, %zero unsigned_lhs : tensor<80x96x!T>, tensor<96x96x!U>, tensor<80x96xi32> -> tensor<80x96xi32>
  tile.store %0, %y[%c0, %c0] : tensor<80x96xi32>, !Y
  // wᵀ·aᵀ: the operand that runs across K is on the left.
  %1 = tile.dot %w, %x, %zeros transpose_a transpose_b
      : tensor<96x96x!U>, tensor<80x96x!T>, tensor<96x80xi32> -> tensor<96x80xi32>
  tile.store %1, %z[%c0, %c0] : tensor<96x80xi32>, !Y
}
