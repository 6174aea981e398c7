// Samples the next token of each sequence, in two steps.

!Y = !tile.view<?x?xf32>
!R = !tile.view<?xf32>
!J = !tile.view<?x?xi32>
!I = !tile.view<?xi32>

// Sorts logits as far as sampling needs it: distributes them to W columns, and sorts each in descending order.
//   logits [B, V] → sorted [B, L·W], ids [B, L·W], L·W ≥ V; a block sorts one column of one row.
// Column c has the tokens c, c + W, c + 2W, …; entry r·W + c is the one of rank r, by logit and then by id, and its id.
// Missing entries are −∞. L·V comparisons; moves 3·V elements.
tile.kernel @sample_order(%logits: !Y) outs(%sorted: !Y, %ids: !J)
    implements(gpt.sample {part = "order"})
    params {W = 256 in [256], BR = 4 in [4, 8, 16], L = floordiv(dim(%sorted, 1), W)}
    grid [W, dim(%sorted, 0)] {
  %c = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %inf = arith.constant 0x7F800000 : f32
  %w = tile.param W
  %br = tile.param BR
  %l = tile.param L
  %wi = arith.index_cast %w : index to i32
  %ci = arith.index_cast %c : index to i32
  %row = tile.select %logits[%b] : !Y -> !R

  %r = tile.iota [L] : tensor<?xi32>
  %ws = tile.splat %wi [L] : i32 -> tensor<?xi32>
  %cs = tile.splat %ci [L] : i32 -> tensor<?xi32>
  %rw = arith.muli %r, %ws : tensor<?xi32>
  %id = arith.addi %rw, %cs : tensor<?xi32>
  %x = tile.gather %row[] at %id axis 0 [L] pad(neg_inf) : !R, tensor<?xi32> -> tensor<?xf32>
  %infs = tile.splat %inf [L] : f32 -> tensor<?xf32>
  %isnumber = arith.cmpf olt, %x, %infs : tensor<?xf32>
  tile.assert %isnumber, "expected logits that are numbers" : tensor<?xi1>
  %xb = tile.broadcast %x [BR, L] : tensor<?xf32> -> tensor<?x?xf32>
  %rb = tile.broadcast %r [BR, L] : tensor<?xi32> -> tensor<?x?xi32>

  // Counts the tokens of the column with a higher rank, BR at a time.
  %wo = tile.splat %wi [BR] : i32 -> tensor<?xi32>
  %co = tile.splat %ci [BR] : i32 -> tensor<?xi32>
  %ro0 = tile.iota [BR] : tensor<?xi32>
  %nones = tile.splat %none [BR, L] : i32 -> tensor<?x?xi32>
  %lb = arith.addi %l, %br : index
  %lb1 = arith.subi %lb, %c1 : index
  %steps = arith.divui %lb1, %br : index
  %counts = scf.for %j = %c0 to %steps step %c1 iter_args(%sum = %nones) -> (tensor<?x?xi32>) {
    %j0 = arith.muli %j, %br : index
    %j0i = arith.index_cast %j0 : index to i32
    %j0s = tile.splat %j0i [BR] : i32 -> tensor<?xi32>
    %ro = arith.addi %ro0, %j0s : tensor<?xi32>
    %row0 = arith.muli %ro, %wo : tensor<?xi32>
    %ido = arith.addi %row0, %co : tensor<?xi32>
    %y = tile.gather %row[] at %ido axis 0 [BR] pad(neg_inf) : !R, tensor<?xi32> -> tensor<?xf32>
    %yc = tile.expand_dims %y, 1 : tensor<?xf32> -> tensor<?x1xf32>
    %rc = tile.expand_dims %ro, 1 : tensor<?xi32> -> tensor<?x1xi32>
    %yb = tile.broadcast %yc [BR, L] : tensor<?x1xf32> -> tensor<?x?xf32>
    %rob = tile.broadcast %rc [BR, L] : tensor<?x1xi32> -> tensor<?x?xi32>
    %greater = arith.cmpf ogt, %yb, %xb : tensor<?x?xf32>
    %equal = arith.cmpf oeq, %yb, %xb : tensor<?x?xf32>
    %earlier = arith.cmpi slt, %rob, %rb : tensor<?x?xi32>
    %wins = arith.andi %equal, %earlier : tensor<?x?xi1>
    %before = arith.ori %greater, %wins : tensor<?x?xi1>
    %one = arith.extui %before : tensor<?x?xi1> to tensor<?x?xi32>
    %next = arith.addi %sum, %one : tensor<?x?xi32>
    scf.yield %next : tensor<?x?xi32>
  }
  %rank = tile.reduce add %counts axis 0 : tensor<?x?xi32> -> tensor<?xi32>
  %rankw = arith.muli %rank, %ws : tensor<?xi32>
  %slot = arith.addi %rankw, %cs : tensor<?xi32>
  %srow = tile.select %sorted[%b] : !Y -> !R
  %irow = tile.select %ids[%b] : !J -> !I
  tile.scatter %x, %srow[] at %slot axis 0 : tensor<?xf32>, !R, tensor<?xi32>
  tile.scatter %id, %irow[] at %slot axis 0 : tensor<?xi32>, !I, tensor<?xi32>
}

// Samples the next token of each sequence by its row of `how`: temperature, k, p, log of min-p, u in [0, 1).
//   sorted, ids [B, L·W] from @sample_order, how [B, 5] → next [B]; a block samples for one sequence.
// The candidates, ordered by logit l and then by id, are cut off after k (0: no limit), then once the preceding ones
// reach the fraction p of the sum of all weights eˡ, then where l is less than the greatest logit + log min-p. The token
// is the one at which the sum of weights e^(l/temperature) exceeds u of their total; at temperature 0 it is the first.
// Every cutoff is found by bisection of the logits between the first and the last candidate; for k all weights are 1. It
// reads only the first ranks of all columns: as many as contain everything greater than any of the others. Sums are f32:
// a cutoff may move by one token if the sum is within V·2⁻²⁴ of its target. Moves 4·W elements.
tile.kernel @sample_draw(%sorted: !Y, %ids: !J, %how: !Y) outs(%next: !I)
    implements(gpt.sample {part = "draw"})
    params {W = 256 in [256], T = 4 in [4, 8, 16], BN = W * T}
    grid [dim(%next, 0)] {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %yes = arith.constant true
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %low = arith.constant 0xFF800000 : f32
  %bottom = arith.constant 0xFF7FFFFF : f32
  %log2e = arith.constant 1.4426950408889634 : f32
  %ranks = tile.param T
  %onei = arith.constant 1 : i32
  %zeros = tile.splat %zero [BN] : f32 -> tensor<?xf32>
  %infs = tile.splat %inf [BN] : f32 -> tensor<?xf32>
  %lows = tile.splat %low [BN] : f32 -> tensor<?xf32>

  %hr = tile.select %how[%b] : !Y -> !R
  %ht = tile.load %hr[%c0] [5] : !R -> tensor<5xf32>
  %temperature = tensor.extract %ht[%c0] : tensor<5xf32>
  %k = tensor.extract %ht[%c1] : tensor<5xf32>
  %p = tensor.extract %ht[%c2] : tensor<5xf32>
  %minp = tensor.extract %ht[%c3] : tensor<5xf32>
  %u = tensor.extract %ht[%c4] : tensor<5xf32>

  // The greatest logits of each column come first.
  %row = tile.select %sorted[%b] : !Y -> !R
  %idrow = tile.select %ids[%b] : !J -> !I
  %tiles = tile.num_tiles %row, 0 by [BN] : !R
  %tops = tile.load %row[%c0] [W] : !R -> tensor<?xf32>
  %mt = tile.reduce max %tops axis 0 keepdims : tensor<?xf32> -> tensor<1xf32>
  %max = tensor.extract %mt[%c0] : tensor<1xf32>
  %isnone = arith.cmpf ogt, %max, %low : f32
  tile.assert %isnone, "expected a finite logit" : i1
  %maxs = tile.splat %max [BN] : f32 -> tensor<?xf32>

  // The current candidates are those with logits of at least `t`, without the last `over` of those equal to it, all in
  // the first `n` tiles. The token will be number `j` of those equal to the final `t`.
  %greedy = arith.cmpf oeq, %temperature, %zero : f32
  %ends = arith.select %greedy, %c0, %c3 : index
  %t0 = arith.select %greedy, %max, %bottom : f32
  %n0 = arith.select %greedy, %c1, %tiles : index
  %t, %over, %j, %n = scf.for %e = %c0 to %ends step %c1
      iter_args(%te = %t0, %oe = %zero, %je = %zero, %ne = %n0) -> (f32, f32, f32, index) {
    %counts = arith.cmpi eq, %e, %c0 : index
    %draws = arith.cmpi eq, %e, %c2 : index
    %cuts = arith.xori %draws, %yes : i1

    // A weight is 2^(a·(l − max)).
    %sharp = arith.divf %log2e, %temperature : f32
    %a1 = arith.select %draws, %sharp, %log2e : f32
    %a = arith.select %counts, %zero, %a1 : f32
    %as = tile.splat %a [BN] : f32 -> tensor<?xf32>

    // Min-p applies before sampling.
    %least = arith.addf %max, %minp : f32
    %higher = arith.cmpf ogt, %least, %te : f32
    %lifts = arith.andi %draws, %higher : i1
    %ts = arith.select %lifts, %least, %te : f32
    %os = arith.select %lifts, %zero, %oe : f32
    %ds = arith.subf %ts, %max : f32
    %zs = arith.mulf %ds, %a : f32
    %ws = math.exp2 %zs : f32
    %wo = arith.mulf %os, %ws : f32

    // The first round, from `ts` up, sums the weights of all candidates; it is skipped for counts, where k is known. Then
    // the number of tiles grows until everything greater than the remainder reaches the target. Then rounds bisect [lo,
    // hi] for the logit at which the sum from above does; `slo` is the sum down to lo, `shi` that above hi.
    %none = arith.cmpf oeq, %k, %zero : f32
    %skips = arith.andi %counts, %none : i1
    %phase0 = arith.select %counts, %c1, %c0 : index
    %phase = arith.select %skips, %c2, %phase0 : index
    %tiles0 = arith.select %counts, %c0, %ne : index
    %goal0 = arith.select %counts, %k, %zero : f32
    %los = arith.select %skips, %max, %ts : f32
    %end, %idle, %nt, %lo, %hi, %mid, %slo, %shi, %goal = scf.while
        (%f0 = %phase, %e0 = %skips, %q0 = %tiles0, %l0 = %los, %h0 = %max, %m0 = %ts, %sl0 = %zero, %sh0 = %zero,
         %g0 = %goal0)
        : (index, i1, index, f32, f32, f32, f32, f32, f32) -> (index, i1, index, f32, f32, f32, f32, f32, f32) {
      %open = arith.cmpf olt, %l0, %h0 : f32
      %early = arith.cmpi slt, %f0, %c2 : index
      %goes = arith.ori %early, %open : i1
      scf.condition(%goes) %f0, %e0, %q0, %l0, %h0, %m0, %sl0, %sh0, %g0
          : index, i1, index, f32, f32, f32, f32, f32, f32
    } do {
    ^bb0(%f1: index, %e1: i1, %q1: index, %l1: f32, %h1: f32, %m1: f32, %sl1: f32, %sh1: f32, %g1: f32):
      // From m1 up: sum and least logit; below: the greatest.
      %ms = tile.splat %m1 [BN] : f32 -> tensor<?xf32>
      %sum, %up, %down = scf.for %i = %c0 to %q1 step %c1
          iter_args(%si = %zero, %ui = %inf, %di = %low) -> (f32, f32, f32) {
        %x = tile.load %row[%i] [BN] pad(neg_inf) : !R -> tensor<?xf32>
        %in = arith.cmpf oge, %x, %ms : tensor<?xf32>
        %d = arith.subf %x, %maxs : tensor<?xf32>
        %z = arith.mulf %d, %as : tensor<?xf32>
        %w = math.exp2 %z : tensor<?xf32>
        %wi = arith.select %in, %w, %zeros : tensor<?xi1>, tensor<?xf32>
        %xu = arith.select %in, %x, %infs : tensor<?xi1>, tensor<?xf32>
        %xd = arith.select %in, %lows, %x : tensor<?xi1>, tensor<?xf32>
        %st, %ut, %dt = tile.reduce %wi, %xu, %xd axis 0 keepdims
            identities [0.0 : f32, 0x7F800000 : f32, 0xFF800000 : f32] {
          ^bb0(%sa: f32, %ua: f32, %da: f32, %sb: f32, %ub: f32, %db: f32):
            %sc = arith.addf %sa, %sb : f32
            %uc = arith.minnumf %ua, %ub : f32
            %dc = arith.maxnumf %da, %db : f32
            tile.yield %sc, %uc, %dc : f32, f32, f32
        } : tensor<?xf32>, tensor<?xf32>, tensor<?xf32> -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
        %sx = tensor.extract %st[%c0] : tensor<1xf32>
        %ux = tensor.extract %ut[%c0] : tensor<1xf32>
        %dx = tensor.extract %dt[%c0] : tensor<1xf32>
        %sn = arith.addf %si, %sx : f32
        %un = arith.minnumf %ui, %ux : f32
        %dn = arith.maxnumf %di, %dx : f32
        scf.yield %sn, %un, %dn : f32, f32, f32
      }

      %weighs = arith.cmpi eq, %f1, %c0 : index
      %grows = arith.cmpi eq, %f1, %c1 : index
      %halves = arith.cmpi eq, %f1, %c2 : index

      // The target, from the round that sums all weights. If they do not exceed it, nothing is cut off.
      %total = arith.subf %sum, %wo : f32
      %q = arith.select %draws, %u, %p : f32
      %part = arith.mulf %q, %total : f32
      %enough = arith.cmpf oge, %part, %total : f32
      %idles = arith.andi %cuts, %enough : i1
      %e2 = arith.andi %weighs, %idles : i1
      %e3 = arith.ori %e1, %e2 : i1
      %g2 = arith.select %weighs, %part, %g1 : f32

      // Read more of the columns, and find the least logit that is greater than everything in the remainder.
      %more1 = arith.muli %q1, %c4 : index
      %more = arith.maxsi %more1, %c1 : index
      %q2 = arith.select %weighs, %c1, %more : index
      %q3 = arith.minsi %q2, %ne : index
      %behind = arith.muli %q3, %ranks : index
      %nexts = tile.load %row[%behind] [W] pad(neg_inf) : !R -> tensor<?xf32>
      %nextt = tile.reduce max %nexts axis 0 keepdims : tensor<?xf32> -> tensor<1xf32>
      %nextm = tensor.extract %nextt[%c0] : tensor<1xf32>
      %bits = arith.bitcast %nextm : f32 to i32
      %upbits = arith.addi %bits, %onei : i32
      %downbits = arith.subi %bits, %onei : i32
      %ispos = arith.cmpf ogt, %nextm, %zero : f32
      %isneg = arith.cmpf olt, %nextm, %zero : f32
      %b1 = arith.select %ispos, %upbits, %onei : i32
      %b2 = arith.select %isneg, %downbits, %b1 : i32
      %bound = arith.bitcast %b2 : i32 to f32
      %floor = arith.maximumf %bound, %ts : f32

      %exceeds = arith.cmpf ogt, %sum, %g1 : f32
      %reaches = arith.cmpf oge, %sum, %g1 : f32
      %meets = arith.select %draws, %exceeds, %reaches : i1
      %isall = arith.cmpi sge, %q1, %ne : index
      %isone = arith.cmpi eq, %ne, %c1 : index
      %settles1 = arith.ori %meets, %isall : i1
      %settles2 = arith.andi %grows, %settles1 : i1
      %settles3 = arith.andi %weighs, %isone : i1
      %settles = arith.ori %settles2, %settles3 : i1
      %rises = arith.andi %halves, %meets : i1
      %takes = arith.ori %settles, %rises : i1
      %fails = arith.xori %meets, %yes : i1
      %falls = arith.andi %halves, %fails : i1
      %l2 = arith.select %takes, %up, %l1 : f32
      %l3 = arith.select %e2, %h1, %l2 : f32
      %sl3 = arith.select %takes, %sum, %sl1 : f32
      %h3 = arith.select %falls, %down, %h1 : f32
      %sh3 = arith.select %falls, %sum, %sh1 : f32
      %ready1 = arith.ori %settles, %halves : i1
      %ready = arith.ori %ready1, %e2 : i1
      %f3 = arith.select %ready, %c2, %c1 : index
      %q4 = arith.select %ready, %q1, %q3 : index

      // Try the greatest logit first: often it is enough. Then the middle of (lo, hi].
      %lh = arith.mulf %l3, %half : f32
      %hh = arith.mulf %h3, %half : f32
      %middle = arith.addf %lh, %hh : f32
      %between = arith.cmpf ogt, %middle, %l3 : f32
      %tries = arith.andi %between, %halves : i1
      %m2 = arith.select %tries, %middle, %h3 : f32
      %m3 = arith.select %ready, %m2, %floor : f32
      scf.yield %f3, %e3, %q4, %l3, %h3, %m3, %sl3, %sh3, %g2 : index, i1, index, f32, f32, f32, f32, f32, f32
    }

    // The number of tokens with this logit that are needed to reach the target.
    %unmoved = arith.cmpf oeq, %lo, %ts : f32
    %beyond = arith.select %unmoved, %os, %zero : f32
    %de = arith.subf %lo, %max : f32
    %ze = arith.mulf %de, %a : f32
    %we = math.exp2 %ze : f32
    %se = arith.subf %slo, %shi : f32
    %parts = arith.divf %se, %we : f32
    %whole0 = math.roundeven %parts : f32
    %there = arith.maxnumf %whole0, %one : f32
    %left = arith.subf %there, %beyond : f32
    %ties = arith.maxnumf %left, %one : f32
    %lacks = arith.subf %goal, %shi : f32
    %need = arith.divf %lacks, %we : f32
    %whole = math.ceil %need : f32
    %taken1 = arith.minnumf %whole, %ties : f32
    %taken = arith.maxnumf %taken1, %one : f32
    %dropped = arith.subf %there, %taken : f32
    %before = math.floor %need : f32
    %last = arith.subf %ties, %one : f32
    %j1 = arith.minnumf %before, %last : f32
    %jn = arith.maxnumf %j1, %zero : f32

    %tn = arith.select %idle, %ts, %lo : f32
    %on = arith.select %idle, %os, %dropped : f32
    %nn = arith.select %idle, %ne, %nt : index
    scf.yield %tn, %on, %jn, %nn : f32, f32, f32, index
  }

  // Token number j, by id, of those with logit t; the last one if rounding has counted one too many.
  %first = arith.constant -1 : i32
  %most = arith.constant 0x7FFFFFFF : i32
  %mosts = tile.splat %most [BN] : i32 -> tensor<?xi32>
  %tt = tile.splat %t [BN] : f32 -> tensor<?xf32>
  %ji = arith.fptosi %j : f32 to i32
  %jx = arith.index_cast %ji : i32 to index
  %rounds = arith.addi %jx, %c1 : index
  %id = scf.for %m = %c0 to %rounds step %c1 iter_args(%id0 = %first) -> (i32) {
    %befores = tile.splat %id0 [BN] : i32 -> tensor<?xi32>
    %least = scf.for %i = %c0 to %n step %c1 iter_args(%f = %most) -> (i32) {
      %x = tile.load %row[%i] [BN] pad(neg_inf) : !R -> tensor<?xf32>
      %idt = tile.load %idrow[%i] [BN] : !I -> tensor<?xi32>
      %equals = arith.cmpf oeq, %x, %tt : tensor<?xf32>
      %after = arith.cmpi sgt, %idt, %befores : tensor<?xi32>
      %fits = arith.andi %equals, %after : tensor<?xi1>
      %found = arith.select %fits, %idt, %mosts : tensor<?xi1>, tensor<?xi32>
      %ft = tile.reduce min %found axis 0 keepdims : tensor<?xi32> -> tensor<1xi32>
      %fx = tensor.extract %ft[%c0] : tensor<1xi32>
      %fn = arith.minsi %f, %fx : i32
      scf.yield %fn : i32
    }
    %nothing = arith.cmpi eq, %least, %most : i32
    %idn = arith.select %nothing, %id0, %least : i32
    scf.yield %idn : i32
  }
  %out = tile.splat %id [1] : i32 -> tensor<1xi32>
  tile.store %out, %next[%b] : tensor<1xi32>, !I
}
