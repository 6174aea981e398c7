// Elementwise integer arithmetic of the arith dialect: sums and products wrap, divisions round as their names say.
// TYPES: i8 i16 i32 i64
!V = !tile.view<?x!T>
!X = tensor<4x!T>

// CASE @addi: 6xT=1,2,-3,100,7,-128 6xT=5,-2,-1,3,0,1 -> 6xT=6,0,-4,103,7,-127
// CASE @addi [i8]: 2xT=127,-128 2xT=1,-1 -> 2xT=-128,127
// CASE @addi [i32]: 1xT=2147483647 1xT=1 -> 1xT=-2147483648
// CASE @addi: 1001xT=random:1 1001xT=random:2 -> 1001xT
tile.kernel @addi(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.addi %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @subi: 6xT=1,2,-3,100,7,-120 6xT=5,-2,-1,3,0,1 -> 6xT=-4,4,-2,97,7,-121
// CASE @subi [i8]: 1xT=-128 1xT=1 -> 1xT=127
// CASE @subi: 1001xT=random:1 1001xT=random:2 -> 1001xT
tile.kernel @subi(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.subi %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @muli: 6xT=1,2,-3,20,7,-8 6xT=5,-2,-1,3,0,1 -> 6xT=5,-4,3,60,0,-8
// CASE @muli [i16]: 1xT=256 1xT=256 -> 1xT=0
// CASE @muli [i64]: 1xT=4294967296 1xT=4294967299 -> 1xT=12884901888
// CASE @muli: 1001xT=random:1 1001xT=random:2 -> 1001xT
tile.kernel @muli(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.muli %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @divsi: 8xT=7,-7,7,-7,1,127,-8,8 8xT=2,2,-2,-2,2,1,3,-3 -> 8xT=3,-3,-3,3,0,127,-2,-2
// CASE @divsi: 4xT=1,2,3,4 4xT=1,0,1,1 -> error "is undefined for 2, 0"
tile.kernel @divsi(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.divsi %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @remsi: 8xT=7,-7,7,-7,1,127,-8,8 8xT=2,2,-2,-2,2,1,3,-3 -> 8xT=1,-1,1,-1,1,0,-2,2
// CASE @remsi: 4xT=1,2,3,4 4xT=1,0,1,1 -> error "is undefined for 2, 0"
tile.kernel @remsi(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.remsi %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @floordivsi: 8xT=7,-7,7,-7,1,127,-8,8 8xT=2,2,-2,-2,2,1,3,-3 -> 8xT=3,-4,-4,3,0,127,-3,-3
// CASE @floordivsi: 4xT=1,2,3,4 4xT=1,0,1,1 -> error "is undefined for 2, 0"
tile.kernel @floordivsi(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.floordivsi %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @ceildivsi: 8xT=7,-7,7,-7,1,127,-8,8 8xT=2,2,-2,-2,2,1,3,-3 -> 8xT=4,-3,-3,4,1,127,-2,-2
// CASE @ceildivsi: 4xT=1,2,3,4 4xT=1,0,1,1 -> error "is undefined for 2, 0"
tile.kernel @ceildivsi(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.ceildivsi %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @divui: 4xT=7,1,100,8 4xT=2,3,2,1 -> 4xT=3,0,50,8
// CASE @divui [i8]: 4xT=-1,-2,-128,1 4xT=2,3,-1,1 -> 4xT=127,84,0,1
tile.kernel @divui(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.divui %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @remui: 4xT=7,1,100,8 4xT=2,3,2,1 -> 4xT=1,1,0,0
// CASE @remui [i8]: 4xT=-1,-2,-128,1 4xT=2,3,-1,1 -> 4xT=1,2,-128,0
tile.kernel @remui(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.remui %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @ceildivui: 4xT=7,1,100,8 4xT=2,3,2,1 -> 4xT=4,1,50,8
// CASE @ceildivui [i8]: 4xT=-1,-2,-128,1 4xT=2,3,-1,1 -> 4xT=-128,85,1,1
tile.kernel @ceildivui(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.ceildivui %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @maxsi: 6xT=1,2,-3,100,7,-128 6xT=5,-2,-1,3,0,1 -> 6xT=5,2,-1,100,7,1
// CASE @maxsi: 1001xT=random:1 1001xT=random:2 -> 1001xT
tile.kernel @maxsi(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.maxsi %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @minsi: 6xT=1,2,-3,100,7,-128 6xT=5,-2,-1,3,0,1 -> 6xT=1,-2,-3,3,0,-128
tile.kernel @minsi(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.minsi %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @maxui: 6xT=1,2,-3,100,7,-128 6xT=5,-2,-1,3,0,1 -> 6xT=5,-2,-1,100,7,-128
tile.kernel @maxui(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.maxui %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @minui: 6xT=1,2,-3,100,7,-128 6xT=5,-2,-1,3,0,1 -> 6xT=1,2,-3,3,0,1
// CASE @minui: 1001xT=random:1 1001xT=random:2 -> 1001xT
tile.kernel @minui(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.minui %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @shli: 6xT=1,-1,3,5,0,1 6xT=0,1,2,3,4,6 -> 6xT=1,-2,12,40,0,64
// CASE @shli [i8]: 1xT=1 1xT=8 -> error "is undefined for 1, 8"
tile.kernel @shli(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.shli %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @shrsi: 6xT=64,-64,3,5,-1,1 6xT=0,1,1,2,4,6 -> 6xT=64,-32,1,1,-1,0
tile.kernel @shrsi(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.shrsi %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @shrui: 4xT=64,5,3,1 4xT=3,1,1,0 -> 4xT=8,2,1,1
// CASE @shrui [i8]: 2xT=-1,-128 2xT=4,7 -> 2xT=15,1
// CASE @shrui [i16]: 1xT=-1 1xT=8 -> 1xT=255
tile.kernel @shrui(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.shrui %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @andi: 6xT=12,10,-1,0,127,-128 6xT=10,3,5,7,1,-1 -> 6xT=8,2,5,0,1,-128
// CASE @andi: 1001xT=random:1 1001xT=random:2 -> 1001xT
tile.kernel @andi(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.andi %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @ori: 6xT=12,10,-1,0,127,-128 6xT=10,3,5,7,1,-1 -> 6xT=14,11,-1,7,127,-1
tile.kernel @ori(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.ori %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @xori: 6xT=12,10,-1,0,127,-128 6xT=10,3,5,7,1,-1 -> 6xT=6,9,-6,7,126,127
// CASE @xori: 1001xT=random:1 1001xT=random:2 -> 1001xT
tile.kernel @xori(%a: !V, %b: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2 = arith.xori %0, %1 : !X
  tile.store %2, %y[%i] : !X, !V
}
// CASE @absi: 6xT=1,-2,0,100,-100,7 -> 6xT=1,2,0,100,100,7
tile.kernel @absi(%a: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = math.absi %0 : !X
  tile.store %1, %y[%i] : !X, !V
}
// CASE @constants: -> 4xT=1,-2,3,100
tile.kernel @constants() outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %d = arith.constant dense<[1, -2, 3, 100]> : !X
  tile.store %d, %y[%i] : !X, !V
}
// CASE @scalars: T=3 T=4 -> 4xT=11,11,11,11
tile.kernel @scalars(%a: !T, %b: !T) outs(%y: !V) grid [1] {
  %i = tile.block_id 0
  %m = arith.muli %a, %b : !T
  %one = arith.constant 1 : !T
  %s = arith.subi %m, %one : !T
  %t = tile.splat %s [4] : !T -> !X
  tile.store %t, %y[%i] : !X, !V
}
// Products of twice the width, in two halves.
// CASE @extended [i8]: 6xT=-128,-128,127,-1,3,-128 6xT=-128,127,127,-1,-5,-1 -> 6xT=0,-128,1,1,-15,-128 6xT=64,-64,63,0,-1,0 6xT=0,-128,1,1,-15,-128 6xT=64,63,63,-2,2,127
// CASE @extended [i16]: 6xT=-32768,-32768,32767,-1,3,-32768 6xT=-32768,32767,32767,-1,-5,-1 -> 6xT=0,-32768,1,1,-15,-32768 6xT=16384,-16384,16383,0,-1,0 6xT=0,-32768,1,1,-15,-32768 6xT=16384,16383,16383,-2,2,32767
// CASE @extended [i32]: 6xT=-2147483648,-2147483648,2147483647,-1,3,-2147483648 6xT=-2147483648,2147483647,2147483647,-1,-5,-1 -> 6xT=0,-2147483648,1,1,-15,-2147483648 6xT=1073741824,-1073741824,1073741823,0,-1,0 6xT=0,-2147483648,1,1,-15,-2147483648 6xT=1073741824,1073741823,1073741823,-2,2,2147483647
// CASE @extended [i64]: 6xT=-9223372036854775808,-9223372036854775808,9223372036854775807,-1,3,-9223372036854775808 6xT=-9223372036854775808,9223372036854775807,9223372036854775807,-1,-5,-1 -> 6xT=0,-9223372036854775808,1,1,-15,-9223372036854775808 6xT=4611686018427387904,-4611686018427387904,4611686018427387903,0,-1,0 6xT=0,-9223372036854775808,1,1,-15,-9223372036854775808 6xT=4611686018427387904,4611686018427387903,4611686018427387903,-2,2,9223372036854775807
// CASE @extended: 1001xT=random:1:-2147483648:2147483647 1001xT=random:2:-2147483648:2147483647 -> 1001xT 1001xT 1001xT 1001xT
tile.kernel @extended(%a: !V, %b: !V) outs(%sl: !V, %sh: !V, %ul: !V, %uh: !V) grid [ceildiv(dim(%sl, 0), 4)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [4] : !V -> !X
  %1 = tile.load %b[%i] [4] : !V -> !X
  %2, %3 = arith.mulsi_extended %0, %1 : !X
  %4, %5 = arith.mului_extended %0, %1 : !X
  tile.store %2, %sl[%i] : !X, !V
  tile.store %3, %sh[%i] : !X, !V
  tile.store %4, %ul[%i] : !X, !V
  tile.store %5, %uh[%i] : !X, !V
}
// The high half alone, for a matrix.
// CASE @high_half: 9x7xT=random:3:-2147483648:2147483647 -> 9x7xT
tile.kernel @high_half(%a: !tile.view<?x?x!T>) outs(%y: !tile.view<?x?x!T>) grid [ceildiv(dim(%y, 0), 4)] {
  %i = tile.block_id 0
  %z = arith.constant 0 : index
  %0 = tile.load %a[%i, %z] [4, 8] : !tile.view<?x?x!T> -> tensor<4x8x!T>
  %1, %2 = arith.mului_extended %0, %0 : tensor<4x8x!T>
  tile.store %2, %y[%i, %z] : tensor<4x8x!T>, !tile.view<?x?x!T>
}
// CASE @extended_scalars: T=-3 T=5 -> 4xT=-15,-15,-15,-15 4xT=-1,-1,-1,-1
tile.kernel @extended_scalars(%a: !T, %b: !T) outs(%l: !V, %h: !V) grid [1] {
  %i = tile.block_id 0
  %0, %1 = arith.mulsi_extended %a, %b : !T
  %2 = tile.splat %0 [4] : !T -> !X
  %3 = tile.splat %1 [4] : !T -> !X
  tile.store %2, %l[%i] : !X, !V
  tile.store %3, %h[%i] : !X, !V
}
// By constants, as products.
// CASE @by_constants: 8xT=7,-7,0,-1,1,127,-128,8 -> 8xT 8xT 8xT 8xT
// CASE @by_constants: 1001xT=random:1 -> 1001xT 1001xT 1001xT 1001xT
tile.kernel @by_constants(%a: !V) outs(%q: !V, %r: !V, %uq: !V, %ur: !V) grid [ceildiv(dim(%q, 0), 16)] {
  %i = tile.block_id 0
  %0 = tile.load %a[%i] [16] : !V -> tensor<16x!T>
  %c = arith.constant dense<-7> : tensor<16x!T>
  %d = arith.constant dense<10> : tensor<16x!T>
  %1 = arith.divsi %0, %c : tensor<16x!T>
  %2 = arith.remsi %0, %d : tensor<16x!T>
  %3 = arith.divui %0, %d : tensor<16x!T>
  %4 = arith.remui %0, %c : tensor<16x!T>
  tile.store %1, %q[%i] : tensor<16x!T>, !V
  tile.store %2, %r[%i] : tensor<16x!T>, !V
  tile.store %3, %uq[%i] : tensor<16x!T>, !V
  tile.store %4, %ur[%i] : tensor<16x!T>, !V
}
