// Rows and columns of pointers with bounds, which a host accesses through views: advanced by a loop, beyond the end, from the
// middle of an argument, in place, and one row for all.
// TYPES: f32 bf16 i32 i8
!P = !tile.ptr<!T>

// Three tiles of M rows and, together, K columns of a matrix; elements at odd offsets are the last tile's, the others those
// of its first row.
// CASE @advance grid=1: 3x9xT=random:1 i32=9 i32=3 i32=9 out0 -> 5x4xT
// CASE @advance grid=1: 5x12xT=random:2 i32=12 i32=5 i32=12 out0 -> 5x4xT
// CASE @advance grid=1: 2x4xT=random:3 i32=4 i32=0 i32=4 out0 -> 5x4xT
// CASE @advance grid=1: 2x4xT=random:4 i32=4 i32=2 i32=-1 out0 -> 5x4xT
tile.kernel @advance(%x: !P, %stride: i32, %m: i32, %k: i32, %y: !P) grid launch {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %four = arith.constant 4 : i32
  %r = tile.iota [5] : tensor<5xi32>
  %c = tile.iota [4] : tensor<4xi32>
  %rc = tile.expand_dims %r, 1 : tensor<5xi32> -> tensor<5x1xi32>
  %cr = tile.expand_dims %c, 0 : tensor<4xi32> -> tensor<1x4xi32>
  %ss = tile.splat %stride [5, 1] : i32 -> tensor<5x1xi32>
  %rs = arith.muli %rc, %ss : tensor<5x1xi32>
  %rb = tile.broadcast %rs [5, 4] : tensor<5x1xi32> -> tensor<5x4xi32>
  %cb = tile.broadcast %cr [5, 4] : tensor<1x4xi32> -> tensor<5x4xi32>
  %o = arith.addi %rb, %cb : tensor<5x4xi32>
  %ms = tile.splat %m [5, 1] : i32 -> tensor<5x1xi32>
  %rin = arith.cmpi slt, %rc, %ms : tensor<5x1xi32>
  %rinb = tile.broadcast %rin [5, 4] : tensor<5x1xi1> -> tensor<5x4xi1>
  %ones = arith.constant dense<1> : tensor<5x4xi32>
  %steps = arith.constant dense<4> : tensor<5x4xi32>
  %first = tile.load_at %x[%cb] : !P, tensor<5x4xi32> -> tensor<5x4x!T>
  %odd = arith.andi %o, %ones : tensor<5x4xi32>
  %choice = arith.cmpi eq, %odd, %ones : tensor<5x4xi32>
  %sum, %end = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %first, %at = %o) -> (tensor<5x4x!T>, tensor<5x4xi32>) {
    %ii = arith.index_cast %i : index to i32
    %done = arith.muli %ii, %four : i32
    %left = arith.subi %k, %done : i32
    %ls = tile.splat %left [1, 4] : i32 -> tensor<1x4xi32>
    %in = arith.cmpi sgt, %ls, %cr : tensor<1x4xi32>
    %inb = tile.broadcast %in [5, 4] : tensor<1x4xi1> -> tensor<5x4xi1>
    %mask = arith.andi %rinb, %inb : tensor<5x4xi1>
    %t = tile.load_at %x[%at] mask(%mask : tensor<5x4xi1>) : !P, tensor<5x4xi32> -> tensor<5x4x!T>
    %bb = arith.select %choice, %t, %a : tensor<5x4xi1>, tensor<5x4x!T>
    %next = arith.addi %steps, %at : tensor<5x4xi32>
    scf.yield %bb, %next : tensor<5x4x!T>, tensor<5x4xi32>
  }
  %four2 = arith.constant dense<4> : tensor<5x1xi32>
  %ro = arith.muli %rc, %four2 : tensor<5x1xi32>
  %rob = tile.broadcast %ro [5, 4] : tensor<5x1xi32> -> tensor<5x4xi32>
  %yo = arith.addi %rob, %cb : tensor<5x4xi32>
  tile.store_at %sum, %y[%yo] : tensor<5x4x!T>, !P, tensor<5x4xi32>
}

// Moved by one element, into the same memory.
// CASE @shift grid=1: 9xT=random:1 out0 -> 9xT
tile.kernel @shift(%x: !P, %y: !P) grid launch {
  %i = tile.iota [8] : tensor<8xi32>
  %one = arith.constant dense<1> : tensor<8xi32>
  %next = arith.addi %i, %one : tensor<8xi32>
  %all = tile.iota [9] : tensor<9xi32>
  %a = tile.load_at %x[%all] : !P, tensor<9xi32> -> tensor<9x!T>
  tile.store_at %a, %y[%all] : tensor<9x!T>, !P, tensor<9xi32>
  %t = tile.load_at %y[%i] : !P, tensor<8xi32> -> tensor<8x!T>
  %u = tile.load_at %y[%next] : !P, tensor<8xi32> -> tensor<8x!T>
  tile.store_at %t, %y[%next] : tensor<8x!T>, !P, tensor<8xi32>
  tile.store_at %u, %y[%i] : tensor<8x!T>, !P, tensor<8xi32>
}

// Blocks that are active or not, and the last block's part.
// CASE @parts grid=4: 30xT=random:1 i32=21 i32=3 out0 -> 32xT
// CASE @parts grid=4: 30xT=random:2 i32=30 i32=1 out0 -> 32xT
tile.kernel @parts(%x: !P, %n: i32, %blocks: i32, %y: !P) grid launch {
  %m = tile.block_id 0
  %mi = arith.index_cast %m : index to i32
  %c8 = arith.constant 8 : i32
  %start = arith.muli %mi, %c8 : i32
  %starts = tile.splat %start [8] : i32 -> tensor<8xi32>
  %i = tile.iota [8] : tensor<8xi32>
  %o = arith.addi %i, %starts : tensor<8xi32>
  %ns = tile.splat %n [8] : i32 -> tensor<8xi32>
  %in = arith.cmpi slt, %o, %ns : tensor<8xi32>
  %active = arith.cmpi slt, %mi, %blocks : i32
  %actives = tile.splat %active [8] : i1 -> tensor<8xi1>
  %mask = arith.andi %in, %actives : tensor<8xi1>
  %t = tile.load_at %x[%o] mask(%mask : tensor<8xi1>) : !P, tensor<8xi32> -> tensor<8x!T>
  tile.store_at %t, %y[%o] : tensor<8x!T>, !P, tensor<8xi32>
}

// One row for all, backwards from the middle, and columns as rows.
// CASE @ways grid=1: 4x8xT=random:1 i32=12 out0 -> 8x4xT
tile.kernel @ways(%x: !P, %middle: i32, %y: !P) grid launch {
  %r = tile.iota [4] : tensor<4xi32>
  %c = tile.iota [8] : tensor<8xi32>
  %rc = tile.expand_dims %r, 1 : tensor<4xi32> -> tensor<4x1xi32>
  %rb = tile.broadcast %rc [4, 8] : tensor<4x1xi32> -> tensor<4x8xi32>
  %cb = tile.broadcast %c [4, 8] : tensor<8xi32> -> tensor<4x8xi32>
  %ms = tile.splat %middle [4, 8] : i32 -> tensor<4x8xi32>
  %row = arith.addi %cb, %ms : tensor<4x8xi32>
  %eight = arith.constant dense<8> : tensor<4x8xi32>
  %four = arith.constant dense<4> : tensor<4x8xi32>
  %same = tile.load_at %x[%row] : !P, tensor<4x8xi32> -> tensor<4x8x!T>
  %rows = arith.muli %rb, %eight : tensor<4x8xi32>
  %o = arith.addi %rows, %cb : tensor<4x8xi32>
  %a = tile.load_at %x[%o] : !P, tensor<4x8xi32> -> tensor<4x8x!T>
  %columns = arith.muli %cb, %four : tensor<4x8xi32>
  %turned = arith.addi %columns, %rb : tensor<4x8xi32>
  %w = tile.load_at %x[%turned] : !P, tensor<4x8xi32> -> tensor<4x8x!T>
  %ones = arith.constant dense<1> : tensor<4x8xi32>
  %low = arith.andi %cb, %ones : tensor<4x8xi32>
  %odd = arith.cmpi eq, %low, %ones : tensor<4x8xi32>
  %left = arith.cmpi slt, %cb, %four : tensor<4x8xi32>
  %aw = arith.select %odd, %a, %w : tensor<4x8xi1>, tensor<4x8x!T>
  %all = arith.select %left, %aw, %same : tensor<4x8xi1>, tensor<4x8x!T>
  tile.store_at %all, %y[%turned] : tensor<4x8x!T>, !P, tensor<4x8xi32>
}
// Offsets whose start wraps around: n·n is 0.
// CASE @wraps grid=1: 16xT=random:5 i32=65536 out0 -> 16xT
// CASE @wraps grid=1: 16xT=random:6 i32=0 out0 -> 16xT
tile.kernel @wraps(%x: !P, %n: i32, %y: !P) grid launch {
  %i = tile.iota [16] : tensor<16xi32>
  %ns = tile.splat %n [16] : i32 -> tensor<16xi32>
  %far = arith.muli %ns, %ns : tensor<16xi32>
  %o = arith.addi %i, %far : tensor<16xi32>
  %last = arith.constant dense<12> : tensor<16xi32>
  %in = arith.cmpi sle, %o, %last : tensor<16xi32>
  %t = tile.load_at %x[%o] mask(%in : tensor<16xi1>) : !P, tensor<16xi32> -> tensor<16x!T>
  tile.store_at %t, %y[%i] : tensor<16x!T>, !P, tensor<16xi32>
}
