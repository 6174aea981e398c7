// Collectives. @all_reduce and @all_gather are for a single rank; with several ranks the runtime exchanges data instead,
// with @peer_all_reduce and @peer_all_gather if ranks can access each other's memory.

!X = !tile.view<?x?x!tile.elt<X>>
!V = !tile.view<?x!tile.elt<X>>
!Words = !tile.view<?xi64>
!Tile = tensor<?xi64>

// The sum over all ranks, for a single rank: y = x. With several ranks the runtime exchanges data instead.
//   x [N, C] → y [N, C]; a block computes BM × BN of y.
// A copy. Moves 2·N·C elements.
tile.kernel @all_reduce(%x: !X) outs(%y: !X)
    implements(gpt.all_reduce)
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] attributes {tile.collective = "all_reduce"} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  tile.store %t, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}

// Concatenates the columns of all ranks, for a single rank: y[n, j] = x[n, j]. With several ranks the runtime exchanges
// data instead.
//   x [N, C] → y [N, O], O ≤ C; a block computes BM × BN of y.
// A copy. Moves 2·N·O elements.
tile.kernel @all_gather(%x: !X) outs(%y: !X)
    implements(gpt.all_gather)
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] attributes {tile.collective = "all_gather"} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  tile.store %t, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}

// The sum over all ranks through peer-writable memory: y = x₀ + x₁ + …, in f32 and in rank order, so that all ranks get
// the same bits. Each rank has a mailbox of 2 × ranks slots of W words in its own memory. A word has a number in its
// lower half and the epoch in its upper half, and is written and read atomically, so it needs no separate flag. Block b
// of every rank is in the same epoch E = epochs[b] + 1, and writes its words to slot (E mod 2, own rank) of the other
// mailboxes. A rank starts epoch E + 2, which overwrites them, only after it has received all words of E + 1, and a rank
// sends those only after it has read the words of E.
//   x [C], boxes [ranks] (addresses), stop [1] → y [C], epochs [ceil(C / BN)]; C ≤ W; a block computes BN of y.
// A nonzero stop ends blocks that wait for words; y is then undefined.
// Moves C elements and (ranks - 1)·C words of 8 bytes out of and into each rank. Errors: one rounding of y.
tile.kernel @peer_all_reduce(%x: !V, %boxes: !Words, %stop: !tile.view<?xi32>, %number: i64, %slot: i64)
    outs(%y: !V, %epochs: !Words)
    params {BN = 512 in [512], X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BN)] attributes {tile.collective = "peer_all_reduce"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %half = arith.constant 32 : i64
  %rank = arith.index_cast %number : i64 to index
  %b = tile.block_id 0
  %last = tile.load %epochs[%b] [1] : !Words -> tensor<1xi64>
  %before = tensor.extract %last[%c0] : tensor<1xi64>
  %epoch = arith.addi %before, %one : i64
  %tag = arith.shli %epoch, %half : i64

  // The elements of this block, in x and in a slot.
  %columns = tile.dim %x, 0 : !V
  %count = arith.index_cast %columns : index to i64
  %bn = tile.param BN
  %skipped = arith.muli %b, %bn : index
  %first = arith.index_cast %skipped : index to i64
  %0 = tile.iota [BN] : !Tile
  %1 = tile.splat %first [BN] : i64 -> !Tile
  %at = arith.addi %0, %1 : !Tile
  %2 = tile.splat %count [BN] : i64 -> !Tile
  %inside = arith.cmpi slt, %at, %2 : !Tile
  %mine = tile.load %x[%b] [BN] : !V -> tensor<?x!tile.elt<X>>
  %own = tile.cast %mine : tensor<?x!tile.elt<X>> to tensor<?xf32>

  %halves = tile.splat %half [BN] : i64 -> !Tile
  %tags = tile.splat %tag [BN] : i64 -> !Tile
  %due = arith.shrui %tags, %halves : !Tile
  %3 = arith.bitcast %own : tensor<?xf32> to tensor<?xi32>
  %4 = arith.extui %3 : tensor<?xi32> to !Tile
  %words = arith.ori %4, %tags : !Tile

  %ranks = tile.dim %boxes, 0 : !Words
  %many = arith.index_cast %ranks : index to i64
  %parity = arith.andi %epoch, %one : i64
  %side = arith.muli %parity, %many : i64
  %5 = arith.addi %side, %number : i64
  %6 = arith.muli %5, %slot : i64
  %7 = tile.splat %6 [BN] : i64 -> !Tile
  %to = arith.addi %at, %7 : !Tile
  scf.for %r = %c0 to %ranks step %c1 {
    %isOther = arith.cmpi ne, %r, %rank : index
    scf.if %isOther {
      %8 = tile.load %boxes[%r] [1] : !Words -> tensor<1xi64>
      %9 = tensor.extract %8[%c0] : tensor<1xi64>
      %box = tile.int_to_ptr %9 : !tile.ptr<i64>
      tile.store_at %words, %box[%to] mask(%inside : tensor<?xi1>) order(relaxed) scope(system) : !Tile, !tile.ptr<i64>, !Tile
    }
  }

  %10 = tile.load %boxes[%rank] [1] : !Words -> tensor<1xi64>
  %11 = tensor.extract %10[%c0] : tensor<1xi64>
  %box = tile.int_to_ptr %11 : !tile.ptr<i64>
  %halt = tile.base %stop : !tile.view<?xi32> -> !tile.ptr<i32>
  %nothing = arith.constant -0.0 : f32
  %none = tile.splat %nothing [BN] : f32 -> tensor<?xf32>
  %sum = scf.for %r = %c0 to %ranks step %c1 iter_args(%acc = %none) -> (tensor<?xf32>) {
    %isOwn = arith.cmpi eq, %r, %rank : index
    %part = scf.if %isOwn -> (tensor<?xf32>) {
      scf.yield %own : tensor<?xf32>
    } else {
      %from = arith.index_cast %r : index to i64
      %12 = arith.addi %side, %from : i64
      %13 = arith.muli %12, %slot : i64
      %14 = tile.splat %13 [BN] : i64 -> !Tile
      %there = arith.addi %at, %14 : !Tile
      %got = scf.while () : () -> !Tile {
        %word = tile.load_at %box[%there] mask(%inside : tensor<?xi1>) order(relaxed) scope(system) : !tile.ptr<i64>, !Tile -> !Tile
        %where = arith.constant dense<0> : tensor<i64>
        %15 = tile.load_at %halt[%where] order(relaxed) scope(system) : !tile.ptr<i32>, tensor<i64> -> tensor<i32>
        %16 = arith.shrui %word, %halves : !Tile
        %17 = arith.cmpi ne, %16, %due : !Tile
        %18 = arith.andi %17, %inside : tensor<?xi1>
        %19 = arith.extui %18 : tensor<?xi1> to tensor<?xi32>
        %20 = tile.reduce max %19 axis 0 : tensor<?xi32> -> tensor<i32>
        %late = tensor.extract %20[] : tensor<i32>
        %stopped = tensor.extract %15[] : tensor<i32>
        %waits = arith.cmpi ugt, %late, %stopped : i32
        scf.condition(%waits) %word : !Tile
      } do {
      ^bb0(%word: !Tile):
        scf.yield
      }
      %21 = arith.trunci %got : !Tile to tensor<?xi32>
      %22 = arith.bitcast %21 : tensor<?xi32> to tensor<?xf32>
      scf.yield %22 : tensor<?xf32>
    }
    %next = arith.addf %acc, %part : tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  %23 = tile.cast %sum : tensor<?xf32> to tensor<?x!tile.elt<X>>
  tile.store %23, %y[%b] : tensor<?x!tile.elt<X>>, !V
  %24 = tile.splat %epoch [1] : i64 -> tensor<1xi64>
  tile.store %24, %epochs[%b] : tensor<1xi64>, !Words
}

// Gathers the values of all ranks in rank order through peer-writable memory: y[r·S + i] = x_r[i]. Ranks exchange words
// as in peer_all_reduce, with the same mailboxes and epochs.
//   x [C], boxes [ranks] (addresses), stop [1] → y [(ranks - 1)·S + C], epochs [ceil(C / BN)]; C ≤ W, S; a block takes BN of x.
// A nonzero stop ends blocks that wait for words; y is then undefined.
// Moves C elements and (ranks - 1)·C words of 8 bytes out of and into each rank. Exact.
tile.kernel @peer_all_gather(%x: !V, %boxes: !Words, %stop: !tile.view<?xi32>, %number: i64, %slot: i64,
                             %stride: i64)
    outs(%y: !V, %epochs: !Words)
    params {BN = 512 in [512], X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%x, 0), BN)] attributes {tile.collective = "peer_all_gather"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %half = arith.constant 32 : i64
  %rank = arith.index_cast %number : i64 to index
  %b = tile.block_id 0
  %last = tile.load %epochs[%b] [1] : !Words -> tensor<1xi64>
  %before = tensor.extract %last[%c0] : tensor<1xi64>
  %epoch = arith.addi %before, %one : i64
  %tag = arith.shli %epoch, %half : i64

  // The elements of this block, in x and in a slot.
  %columns = tile.dim %x, 0 : !V
  %count = arith.index_cast %columns : index to i64
  %bn = tile.param BN
  %skipped = arith.muli %b, %bn : index
  %first = arith.index_cast %skipped : index to i64
  %0 = tile.iota [BN] : !Tile
  %1 = tile.splat %first [BN] : i64 -> !Tile
  %at = arith.addi %0, %1 : !Tile
  %2 = tile.splat %count [BN] : i64 -> !Tile
  %inside = arith.cmpi slt, %at, %2 : !Tile
  %mine = tile.load %x[%b] [BN] : !V -> tensor<?x!tile.elt<X>>
  %own = tile.cast %mine : tensor<?x!tile.elt<X>> to tensor<?xf32>

  %halves = tile.splat %half [BN] : i64 -> !Tile
  %tags = tile.splat %tag [BN] : i64 -> !Tile
  %due = arith.shrui %tags, %halves : !Tile
  %3 = arith.bitcast %own : tensor<?xf32> to tensor<?xi32>
  %4 = arith.extui %3 : tensor<?xi32> to !Tile
  %words = arith.ori %4, %tags : !Tile

  %ranks = tile.dim %boxes, 0 : !Words
  %many = arith.index_cast %ranks : index to i64
  %parity = arith.andi %epoch, %one : i64
  %side = arith.muli %parity, %many : i64
  %5 = arith.addi %side, %number : i64
  %6 = arith.muli %5, %slot : i64
  %7 = tile.splat %6 [BN] : i64 -> !Tile
  %to = arith.addi %at, %7 : !Tile
  scf.for %r = %c0 to %ranks step %c1 {
    %isOther = arith.cmpi ne, %r, %rank : index
    scf.if %isOther {
      %8 = tile.load %boxes[%r] [1] : !Words -> tensor<1xi64>
      %9 = tensor.extract %8[%c0] : tensor<1xi64>
      %box = tile.int_to_ptr %9 : !tile.ptr<i64>
      tile.store_at %words, %box[%to] mask(%inside : tensor<?xi1>) order(relaxed) scope(system) : !Tile, !tile.ptr<i64>, !Tile
    }
  }

  %10 = tile.load %boxes[%rank] [1] : !Words -> tensor<1xi64>
  %11 = tensor.extract %10[%c0] : tensor<1xi64>
  %box = tile.int_to_ptr %11 : !tile.ptr<i64>
  %halt = tile.base %stop : !tile.view<?xi32> -> !tile.ptr<i32>
  %all = tile.base %y : !V -> !tile.ptr<!tile.elt<X>>
  scf.for %r = %c0 to %ranks step %c1 {
    %isOwn = arith.cmpi eq, %r, %rank : index
    %from = arith.index_cast %r : index to i64
    %part = scf.if %isOwn -> (tensor<?xf32>) {
      scf.yield %own : tensor<?xf32>
    } else {
      %12 = arith.addi %side, %from : i64
      %13 = arith.muli %12, %slot : i64
      %14 = tile.splat %13 [BN] : i64 -> !Tile
      %there = arith.addi %at, %14 : !Tile
      %got = scf.while () : () -> !Tile {
        %word = tile.load_at %box[%there] mask(%inside : tensor<?xi1>) order(relaxed) scope(system) : !tile.ptr<i64>, !Tile -> !Tile
        %where = arith.constant dense<0> : tensor<i64>
        %15 = tile.load_at %halt[%where] order(relaxed) scope(system) : !tile.ptr<i32>, tensor<i64> -> tensor<i32>
        %16 = arith.shrui %word, %halves : !Tile
        %17 = arith.cmpi ne, %16, %due : !Tile
        %18 = arith.andi %17, %inside : tensor<?xi1>
        %19 = arith.extui %18 : tensor<?xi1> to tensor<?xi32>
        %20 = tile.reduce max %19 axis 0 : tensor<?xi32> -> tensor<i32>
        %late = tensor.extract %20[] : tensor<i32>
        %stopped = tensor.extract %15[] : tensor<i32>
        %waits = arith.cmpi ugt, %late, %stopped : i32
        scf.condition(%waits) %word : !Tile
      } do {
      ^bb0(%word: !Tile):
        scf.yield
      }
      %21 = arith.trunci %got : !Tile to tensor<?xi32>
      %22 = arith.bitcast %21 : tensor<?xi32> to tensor<?xf32>
      scf.yield %22 : tensor<?xf32>
    }
    %23 = tile.cast %part : tensor<?xf32> to tensor<?x!tile.elt<X>>
    %24 = arith.muli %from, %stride : i64
    %25 = tile.splat %24 [BN] : i64 -> !Tile
    %place = arith.addi %at, %25 : !Tile
    tile.store_at %23, %all[%place] mask(%inside : tensor<?xi1>) : tensor<?x!tile.elt<X>>, !tile.ptr<!tile.elt<X>>, !Tile
  }
  %26 = tile.splat %epoch [1] : i64 -> tensor<1xi64>
  tile.store %26, %epochs[%b] : tensor<1xi64>, !Words
}
