// Programs that loop until the data says so, walk pointers, or carry several values in a scan.
// TYPES: f32

// Steps of the Collatz iteration until 1, in i64, one tile at a time until all of its numbers have arrived.
// CASE @collatz: 6xi64=1,6,7,27,97,0 -> 6xi32=0,8,16,111,118,0 6xi64=1,16,52,9232,9232,0
tile.kernel @collatz(%x: !tile.view<?xi64>) outs(%steps: !tile.view<?xi32>, %peak: !tile.view<?xi64>)
    params {B = 64 in [32, 64, 128]}
    grid [ceildiv(dim(%x, 0), B)] {
  %b = tile.block_id 0
  %v = tile.load %x[%b] [B] : !tile.view<?xi64> -> tensor<?xi64>
  %i0 = arith.constant 0 : i32
  %l1 = arith.constant 1 : i64
  %l2 = arith.constant 2 : i64
  %l3 = arith.constant 3 : i64
  %n0 = tile.splat %i0 [B] : i32 -> tensor<?xi32>
  %one = tile.splat %l1 [B] : i64 -> tensor<?xi64>
  %three = tile.splat %l3 [B] : i64 -> tensor<?xi64>
  %end, %count, %top = scf.while (%a = %v, %n = %n0, %p = %v) : (tensor<?xi64>, tensor<?xi32>, tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi32>, tensor<?xi64>) {
    %busy = arith.cmpi sgt, %a, %one : tensor<?xi64>
    %any = tile.reduce or %busy axis 0 : tensor<?xi1> -> tensor<i1>
    %go = tensor.extract %any[] : tensor<i1>
    scf.condition(%go) %a, %n, %p : tensor<?xi64>, tensor<?xi32>, tensor<?xi64>
  } do {
  ^bb0(%a: tensor<?xi64>, %n: tensor<?xi32>, %p: tensor<?xi64>):
    %busy = arith.cmpi sgt, %a, %one : tensor<?xi64>
    %bit = arith.andi %a, %one : tensor<?xi64>
    %odd = arith.cmpi eq, %bit, %one : tensor<?xi64>
    %half = arith.shrsi %a, %one : tensor<?xi64>
    %t3 = arith.muli %a, %three : tensor<?xi64>
    %t4 = arith.addi %t3, %one : tensor<?xi64>
    %next = arith.select %odd, %t4, %half : tensor<?xi1>, tensor<?xi64>
    %a1 = arith.select %busy, %next, %a : tensor<?xi1>, tensor<?xi64>
    %inc = arith.extui %busy : tensor<?xi1> to tensor<?xi32>
    %n1 = arith.addi %n, %inc : tensor<?xi32>
    %p1 = arith.maxsi %p, %a1 : tensor<?xi64>
    scf.yield %a1, %n1, %p1 : tensor<?xi64>, tensor<?xi32>, tensor<?xi64>
  }
  tile.store %count, %steps[%b] : tensor<?xi32>, !tile.view<?xi32>
  tile.store %top, %peak[%b] : tensor<?xi64>, !tile.view<?xi64>
}

// Greatest common divisors of two matrices of i16, by Euclid's algorithm.
// CASE @gcd: 2x3xi16=12,-18,0,7,100,-35 2x3xi16=18,12,5,0,75,21 -> 2x3xi16=6,6,5,7,25,7
tile.kernel @gcd(%a: !tile.view<?x?xi16>, %b: !tile.view<?x?xi16>) outs(%y: !tile.view<?x?xi16>)
    requires(dim(%a, 0) == dim(%b, 0), dim(%a, 1) == dim(%b, 1), dim(%a, 0) == dim(%y, 0), dim(%a, 1) == dim(%y, 1))
    grid [ceildiv(dim(%y, 0), 8), ceildiv(dim(%y, 1), 16)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %at = tile.load %a[%i, %j] [8, 16] : !tile.view<?x?xi16> -> tensor<8x16xi16>
  %bt = tile.load %b[%i, %j] [8, 16] : !tile.view<?x?xi16> -> tensor<8x16xi16>
  %a0 = math.absi %at : tensor<8x16xi16>
  %b0 = math.absi %bt : tensor<8x16xi16>
  %zero = arith.constant dense<0> : tensor<8x16xi16>
  %one = arith.constant dense<1> : tensor<8x16xi16>
  %g:2 = scf.while (%u = %a0, %v = %b0) : (tensor<8x16xi16>, tensor<8x16xi16>) -> (tensor<8x16xi16>, tensor<8x16xi16>) {
    %nz = arith.cmpi ne, %v, %zero : tensor<8x16xi16>
    %nzi = arith.extui %nz : tensor<8x16xi1> to tensor<8x16xi32>
    %r = tile.reduce add %nzi axis 1 : tensor<8x16xi32> -> tensor<8xi32>
    %s = tile.reduce add %r axis 0 keepdims : tensor<8xi32> -> tensor<1xi32>
    %c0 = arith.constant 0 : index
    %left = tensor.extract %s[%c0] : tensor<1xi32>
    %z = arith.constant 0 : i32
    %more = arith.cmpi sgt, %left, %z : i32
    scf.condition(%more) %u, %v : tensor<8x16xi16>, tensor<8x16xi16>
  } do {
  ^bb0(%u: tensor<8x16xi16>, %v: tensor<8x16xi16>):
    %nz = arith.cmpi ne, %v, %zero : tensor<8x16xi16>
    %d = arith.select %nz, %v, %one : tensor<8x16xi1>, tensor<8x16xi16>
    %r = arith.remui %u, %d : tensor<8x16xi16>
    %u1 = arith.select %nz, %v, %u : tensor<8x16xi1>, tensor<8x16xi16>
    %v1 = arith.select %nz, %r, %zero : tensor<8x16xi1>, tensor<8x16xi16>
    scf.yield %u1, %v1 : tensor<8x16xi16>, tensor<8x16xi16>
  }
  tile.store %g#0, %y[%i, %j] : tensor<8x16xi16>, !tile.view<?x?xi16>
}

// numpy.searchsorted(a, v, side='right') by bisection.
// CASE @searchsorted: 5xf32=-1,0,0,2,3 6xf32=-2,-1,0,1,3,4 -> 6xi64=0,1,3,3,5,5
tile.kernel @searchsorted(%a: !tile.view<?xf32>, %v: !tile.view<?xf32>) outs(%y: !tile.view<?xi64>)
    requires(dim(%v, 0) == dim(%y, 0))
    params {BN = 128 in [64, 128, 256]}
    grid [ceildiv(dim(%y, 0), BN)] {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.dim %a, 0 : !tile.view<?xf32>
  %n64 = arith.index_cast %n : index to i64
  %x = tile.load %v[%b] [BN] : !tile.view<?xf32> -> tensor<?xf32>
  %z64 = arith.constant 0 : i64
  %o64 = arith.constant 1 : i64
  %lo0 = tile.splat %z64 [BN] : i64 -> tensor<?xi64>
  %hi0 = tile.splat %n64 [BN] : i64 -> tensor<?xi64>
  %ones = tile.splat %o64 [BN] : i64 -> tensor<?xi64>
  // one more halving than bits of n
  %lz = math.ctlz %n64 : i64
  %c64 = arith.constant 64 : i64
  %bits = arith.subi %c64, %lz : i64
  %steps = arith.index_cast %bits : i64 to index
  %lo, %hi = scf.for %s = %c0 to %steps step %c1 iter_args(%l = %lo0, %h = %hi0) -> (tensor<?xi64>, tensor<?xi64>) {
    %sum = arith.addi %l, %h : tensor<?xi64>
    %mid = arith.shrui %sum, %ones : tensor<?xi64>
    %open = arith.cmpi slt, %l, %h : tensor<?xi64>
    %e = tile.gather %a[] at %mid axis 0 [BN] mask(%open : tensor<?xi1>) : !tile.view<?xf32>, tensor<?xi64> -> tensor<?xf32>
    %le = arith.cmpf ole, %e, %x : tensor<?xf32>
    %right = arith.andi %le, %open : tensor<?xi1>
    %mid1 = arith.addi %mid, %ones : tensor<?xi64>
    %l1 = arith.select %right, %mid1, %l : tensor<?xi1>, tensor<?xi64>
    %h1 = arith.select %right, %h, %mid : tensor<?xi1>, tensor<?xi64>
    %h2 = arith.select %open, %h1, %h : tensor<?xi1>, tensor<?xi64>
    scf.yield %l1, %h2 : tensor<?xi64>, tensor<?xi64>
  }
  tile.store %lo, %y[%b] : tensor<?xi64>, !tile.view<?xi64>
}

// Levenshtein distance of one string with each row of a matrix of strings (i8). The row of the dynamic program is a tile;
// insertions are a prefix minimum.
// CASE @edit_distance BM=2: 3xi8=1,2,3 3x4xi8=1,2,3,3,2,3,3,3,0,0,0,0 -> 3xi32=1,3,4
tile.kernel @edit_distance(%s: !tile.view<?xi8>, %rows: !tile.view<?x?xi8>) outs(%d: !tile.view<?xi32>)
    requires(dim(%rows, 0) == dim(%d, 0))
    params {L = dim(%rows, 1), BM = 2 in [1, 2, 4]}
    grid [ceildiv(dim(%d, 0), BM)] {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.dim %s, 0 : !tile.view<?xi8>
  %t = tile.load %rows[%b, %c0] [BM, L] : !tile.view<?x?xi8> -> tensor<?x?xi8>
  %io = tile.iota [L] : tensor<?xi32>
  %pos = tile.broadcast %io [BM, L] : tensor<?xi32> -> tensor<?x?xi32>
  %i1 = arith.constant 1 : i32
  %ones = tile.splat %i1 [BM, L] : i32 -> tensor<?x?xi32>
  %first = arith.addi %pos, %ones : tensor<?x?xi32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%prev = %first) -> (tensor<?x?xi32>) {
    %ct = tile.load %s[%i] [1] : !tile.view<?xi8> -> tensor<1xi8>
    %cs = tile.broadcast %ct [BM, L] : tensor<1xi8> -> tensor<?x?xi8>
    %ii = arith.index_cast %i : index to i32
    %ii1 = arith.addi %ii, %i1 : i32
    %ne = arith.cmpi ne, %t, %cs : tensor<?x?xi8>
    %cost = arith.extui %ne : tensor<?x?xi1> to tensor<?x?xi32>
    // diagonal: prev shifted right by one, with i in front
    %isfirst0 = arith.constant 0 : i32
    %zeros = tile.splat %isfirst0 [BM, L] : i32 -> tensor<?x?xi32>
    %isfirst = arith.cmpi eq, %pos, %zeros : tensor<?x?xi32>
    %m, %diag = tile.scan %prev, %prev axis 1 exclusive identities [-1 : i32, -1 : i32] {
      ^bb0(%a: i32, %p: i32, %c: i32, %q: i32):
        %none = arith.constant -1 : i32
        %no = arith.cmpi eq, %q, %none : i32
        %keep = arith.select %no, %p, %q : i32
        %no2 = arith.cmpi eq, %c, %none : i32
        %keep2 = arith.select %no2, %a, %c : i32
        tile.yield %keep2, %keep : i32, i32
    } : tensor<?x?xi32>, tensor<?x?xi32>
    %is = tile.splat %ii [BM, L] : i32 -> tensor<?x?xi32>
    %dg = arith.select %isfirst, %is, %diag : tensor<?x?xi1>, tensor<?x?xi32>
    %sub = arith.addi %dg, %cost : tensor<?x?xi32>
    %del = arith.addi %prev, %ones : tensor<?x?xi32>
    %best = arith.minsi %sub, %del : tensor<?x?xi32>
    // insertion: min over j' <= j of best[j'] + (j - j'), and i + 1 + j + 1 - ... from the border
    %rel = arith.subi %best, %pos : tensor<?x?xi32>
    %pm = tile.scan min %rel axis 1 : tensor<?x?xi32>
    %back = arith.addi %pm, %pos : tensor<?x?xi32>
    %i1s = tile.splat %ii1 [BM, L] : i32 -> tensor<?x?xi32>
    %border = arith.addi %i1s, %first : tensor<?x?xi32>
    %new = arith.minsi %back, %border : tensor<?x?xi32>
    scf.yield %new : tensor<?x?xi32>
  }
  %lm1 = tile.param L
  %li = arith.index_cast %lm1 : index to i32
  %lend = arith.subi %li, %i1 : i32
  %ends = tile.splat %lend [BM, L] : i32 -> tensor<?x?xi32>
  %isend = arith.cmpi eq, %pos, %ends : tensor<?x?xi32>
  %z = arith.constant 0 : i32
  %zs = tile.splat %z [BM, L] : i32 -> tensor<?x?xi32>
  %only = arith.select %isend, %last, %zs : tensor<?x?xi1>, tensor<?x?xi32>
  %r = tile.reduce add %only axis 1 : tensor<?x?xi32> -> tensor<?xi32>
  tile.store %r, %d[%b] : tensor<?xi32>, !tile.view<?xi32>
}

// Roots of a forest by pointer jumping; parent[i] = i marks a root. The out is read back in every round.
// CASE @pointer_jump: 6xi32=0,0,1,2,4,4 -> 6xi32=0,0,0,0,4,4 6xi32=0,1,2,3,0,1
tile.kernel @pointer_jump(%parent: !tile.view<?xi32>) outs(%root: !tile.view<?xi32>, %depth: !tile.view<?xi32>)
    requires(dim(%parent, 0) == dim(%root, 0), dim(%root, 0) == dim(%depth, 0))
    params {N = dim(%parent, 0)}
    grid [1] {
  %c0 = arith.constant 0 : index
  %p = tile.load %parent[%c0] [N] : !tile.view<?xi32> -> tensor<?xi32>
  tile.store %p, %root[%c0] : tensor<?xi32>, !tile.view<?xi32>
  %io = tile.iota [N] : tensor<?xi32>
  %far = arith.cmpi ne, %p, %io : tensor<?xi32>
  %d0 = arith.extui %far : tensor<?xi1> to tensor<?xi32>
  tile.store %d0, %depth[%c0] : tensor<?xi32>, !tile.view<?xi32>
  %true = arith.constant true
  %f = scf.while (%go = %true) : (i1) -> i1 {
    scf.condition(%go) %go : i1
  } do {
  ^bb0(%g: i1):
    %r = tile.load %root[%c0] [N] : !tile.view<?xi32> -> tensor<?xi32>
    %rr = tile.gather %root[] at %r axis 0 [N] : !tile.view<?xi32>, tensor<?xi32> -> tensor<?xi32>
    %d = tile.load %depth[%c0] [N] : !tile.view<?xi32> -> tensor<?xi32>
    %dr = tile.gather %depth[] at %r axis 0 [N] : !tile.view<?xi32>, tensor<?xi32> -> tensor<?xi32>
    %dn = arith.addi %d, %dr : tensor<?xi32>
    %ne = arith.cmpi ne, %r, %rr : tensor<?xi32>
    %any = tile.reduce or %ne axis 0 : tensor<?xi1> -> tensor<i1>
    %more = tensor.extract %any[] : tensor<i1>
    tile.store %rr, %root[%c0] : tensor<?xi32>, !tile.view<?xi32>
    tile.store %dn, %depth[%c0] : tensor<?xi32>, !tile.view<?xi32>
    scf.yield %more : i1
  }
}

// How long has the current run of equal values lasted at each position of a row.
// CASE @run_length BM=2: 2x5xi32=3,3,1,1,1,0,0,0,0,2 -> 2x5xi32=1,2,1,2,3,1,2,3,4,1
tile.kernel @run_length(%x: !tile.view<?x?xi32>) outs(%y: !tile.view<?x?xi32>)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4], C = dim(%x, 1)}
    grid [ceildiv(dim(%x, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [BM, C] : !tile.view<?x?xi32> -> tensor<?x?xi32>
  %one = arith.constant 1 : i32
  %ones = tile.splat %one [BM, C] : i32 -> tensor<?x?xi32>
  // the first element of the run, its last element, its length, the total length (a run that covers everything)
  %f, %l, %n, %tot = tile.scan %t, %t, %ones, %ones axis 1 identities [0 : i32, 0 : i32, 0 : i32, 0 : i32] {
    ^bb0(%f0: i32, %l0: i32, %n0: i32, %t0: i32, %f1: i32, %l1: i32, %n1: i32, %t1: i32):
      %z = arith.constant 0 : i32
      %isid0 = arith.cmpi eq, %t0, %z : i32
      %isid1 = arith.cmpi eq, %t1, %z : i32
      %same = arith.cmpi eq, %l0, %f1 : i32
      %whole = arith.cmpi eq, %n1, %t1 : i32
      %ext0 = arith.andi %same, %whole : i1
      %sum = arith.addi %n0, %n1 : i32
      %nn = arith.select %ext0, %sum, %n1 : i32
      %nn1 = arith.select %isid0, %n1, %nn : i32
      %nn2 = arith.select %isid1, %n0, %nn1 : i32
      %ff = arith.select %isid0, %f1, %f0 : i32
      %ll = arith.select %isid1, %l0, %l1 : i32
      %tt = arith.addi %t0, %t1 : i32
      tile.yield %ff, %ll, %nn2, %tt : i32, i32, i32, i32
  } : tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>
  tile.store %n, %y[%m, %c0] : tensor<?x?xi32>, !tile.view<?x?xi32>
}

// How often does the pattern occur in each text (overlaps count), and where first (-1 if nowhere).
// CASE @substring B=32: 2x7xi8=1,1,1,2,1,1,0,0,0,2,2,0,0,0 2xi8=1,1 -> 2xi32=3,0 2xi32=0,-1
tile.kernel @substring(%text: !tile.view<?x?xi8>, %pat: !tile.view<?xi8>) outs(%count: !tile.view<?xi32>, %first: !tile.view<?xi32>)
    requires(dim(%text, 0) == dim(%count, 0), dim(%count, 0) == dim(%first, 0), dim(%pat, 0) <= dim(%text, 1))
    params {B = 64 in [32, 64, 128]}
    grid [dim(%text, 0)] {
  %r = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.dim %text, 1 : !tile.view<?x?xi8>
  %k = tile.dim %pat, 0 : !tile.view<?xi8>
  %row = tile.select %text[%r] : !tile.view<?x?xi8> -> !tile.view<?xi8>
  %nk0 = arith.subi %n, %k : index
  %nk = arith.addi %nk0, %c1 : index
  // windows: one view a shift
  %b = tile.param B
  %tiles = arith.ceildivui %nk, %b : index
  %big = arith.constant 2147483647 : i32
  %zero = arith.constant 0 : i32
  %io = tile.iota [B] : tensor<?xi32>
  %cnt, %fst = scf.for %i = %c0 to %tiles step %c1 iter_args(%c = %zero, %f = %big) -> (i32, i32) {
    %t1 = arith.constant true
    %ts = tile.splat %t1 [B] : i1 -> tensor<?xi1>
    %hit = scf.for %j = %c0 to %k step %c1 iter_args(%ok = %ts) -> (tensor<?xi1>) {
      %w = tile.subview %row[%j] [%nk] : !tile.view<?xi8> -> !tile.view<?xi8>
      %t = tile.load %w[%i] [B] : !tile.view<?xi8> -> tensor<?xi8>
      %pt = tile.load %pat[%j] [1] : !tile.view<?xi8> -> tensor<1xi8>
      %ps = tensor.extract %pt[%c0] : tensor<1xi8>
      %pb = tile.splat %ps [B] : i8 -> tensor<?xi8>
      %eq = arith.cmpi eq, %t, %pb : tensor<?xi8>
      %both = arith.andi %ok, %eq : tensor<?xi1>
      scf.yield %both : tensor<?xi1>
    }
    %i0 = arith.muli %i, %b : index
    %i0i = arith.index_cast %i0 : index to i32
    %i0s = tile.splat %i0i [B] : i32 -> tensor<?xi32>
    %pos = arith.addi %io, %i0s : tensor<?xi32>
    %nki = arith.index_cast %nk : index to i32
    %nks = tile.splat %nki [B] : i32 -> tensor<?xi32>
    %in = arith.cmpi slt, %pos, %nks : tensor<?xi32>
    %h = arith.andi %hit, %in : tensor<?xi1>
    %hi = arith.extui %h : tensor<?xi1> to tensor<?xi32>
    %bigs = tile.splat %big [B] : i32 -> tensor<?xi32>
    %where = arith.select %h, %pos, %bigs : tensor<?xi1>, tensor<?xi32>
    %s = tile.reduce add %hi axis 0 : tensor<?xi32> -> tensor<i32>
    %m = tile.reduce min %where axis 0 : tensor<?xi32> -> tensor<i32>
    %sx = tensor.extract %s[] : tensor<i32>
    %mx = tensor.extract %m[] : tensor<i32>
    %cn = arith.addi %c, %sx : i32
    %fn = arith.minsi %f, %mx : i32
    scf.yield %cn, %fn : i32, i32
  }
  %none = arith.constant -1 : i32
  %is = arith.cmpi eq, %fst, %big : i32
  %res = arith.select %is, %none, %fst : i32
  %cs = tile.splat %cnt [1] : i32 -> tensor<1xi32>
  %fs = tile.splat %res [1] : i32 -> tensor<1xi32>
  tile.store %cs, %count[%r] : tensor<1xi32>, !tile.view<?xi32>
  tile.store %fs, %first[%r] : tensor<1xi32>, !tile.view<?xi32>
}

// Inserts keys into an open-addressing table (-1: free) by compare-and-swap, all keys of a block at once.
// CASE @hash_insert: 3xi64=5,6,5 -> 7xi64|-1 3xi32
tile.kernel @hash_insert(%keys: !tile.view<?xi64>) outs(%table: !tile.view<?xi64>, %slot: !tile.view<?xi32>)
    requires(dim(%keys, 0) == dim(%slot, 0), dim(%keys, 0) <= dim(%table, 0))
    grid [ceildiv(dim(%keys, 0), 32)] {
  %b = tile.block_id 0
  %c32 = arith.constant 32 : index
  %k = tile.load %keys[%b] [32] pad(minus_one) : !tile.view<?xi64> -> tensor<32xi64>
  %zero = arith.constant dense<0> : tensor<32xi64>
  %free = arith.constant dense<-1> : tensor<32xi64>
  %one = arith.constant dense<1> : tensor<32xi64>
  %p = tile.base %table : !tile.view<?xi64> -> !tile.ptr<i64>
  %n = tile.dim %table, 0 : !tile.view<?xi64>
  %nl = arith.index_cast %n : index to i64
  %ns = tile.splat %nl [32] : i64 -> tensor<32xi64>
  %mul = arith.constant dense<2654435761> : tensor<32xi64>
  %h0 = arith.muli %k, %mul : tensor<32xi64>
  %at0 = arith.remui %h0, %ns : tensor<32xi64>
  %todo0 = arith.cmpi sge, %k, %zero : tensor<32xi64>
  %r:2 = scf.while (%at = %at0, %todo = %todo0) : (tensor<32xi64>, tensor<32xi1>) -> (tensor<32xi64>, tensor<32xi1>) {
    %any = tile.reduce or %todo axis 0 : tensor<32xi1> -> tensor<i1>
    %go = tensor.extract %any[] : tensor<i1>
    scf.condition(%go) %at, %todo : tensor<32xi64>, tensor<32xi1>
  } do {
  ^bb0(%at: tensor<32xi64>, %todo: tensor<32xi1>):
    %was = tile.atomic_cas %p[%at], %free, %k mask(%todo : tensor<32xi1>) : !tile.ptr<i64>, tensor<32xi64>, tensor<32xi64>
    %got = arith.cmpi eq, %was, %free : tensor<32xi64>
    %mine = arith.cmpi eq, %was, %k : tensor<32xi64>
    %fin = arith.ori %got, %mine : tensor<32xi1>
    %true = arith.constant dense<true> : tensor<32xi1>
    %nfin = arith.xori %fin, %true : tensor<32xi1>
    %still = arith.andi %todo, %nfin : tensor<32xi1>
    %a1 = arith.addi %at, %one : tensor<32xi64>
    %a2 = arith.remui %a1, %ns : tensor<32xi64>
    %next = arith.select %still, %a2, %at : tensor<32xi1>, tensor<32xi64>
    scf.yield %next, %still : tensor<32xi64>, tensor<32xi1>
  }
  %s = arith.trunci %r#0 : tensor<32xi64> to tensor<32xi32>
  tile.store %s, %slot[%b] : tensor<32xi32>, !tile.view<?xi32>
}

// Dynamic time warping of a [N] with each row of b [R, M] (f32): rows of the program in a loop, a prefix scan for the
// horizontal steps: d[i, j] = c[i, j] + min(d[i-1, j], d[i-1, j-1], d[i, j-1]).
// CASE @dtw: 3xf32=1,2,3 2x4xf32=1,2,2,3,0,0,0,5 -> 2xf32=0,6
tile.kernel @dtw(%a: !tile.view<?xf32>, %b: !tile.view<?x?xf32>) outs(%d: !tile.view<?xf32>)
    requires(dim(%b, 0) == dim(%d, 0), dim(%a, 0) > 0)
    params {M = dim(%b, 1)}
    grid [dim(%d, 0)] {
  %r = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.dim %a, 0 : !tile.view<?xf32>
  %br = tile.select %b[%r] : !tile.view<?x?xf32> -> !tile.view<?xf32>
  %bt = tile.load %br[%c0] [M] : !tile.view<?xf32> -> tensor<?xf32>
  %inf = arith.constant 0x7F800000 : f32
  %infs = tile.splat %inf [M] : f32 -> tensor<?xf32>
  %io = tile.iota [M] : tensor<?xi32>
  %z = arith.constant 0 : i32
  %zs = tile.splat %z [M] : i32 -> tensor<?xi32>
  %is0 = arith.cmpi eq, %io, %zs : tensor<?xi32>
  %zf = arith.constant 0.0 : f32
  %zfs = tile.splat %zf [M] : f32 -> tensor<?xf32>
  %p = tile.scratch 1024 : !tile.ptr<f32>
  %o = arith.constant 1 : i32
  %ones = tile.splat %o [M] : i32 -> tensor<?xi32>
  %left = arith.subi %io, %ones : tensor<?xi32>
  %has = arith.cmpi sge, %left, %zs : tensor<?xi32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%prev = %infs) -> (tensor<?xf32>) {
    %at = tile.load %a[%i] [1] : !tile.view<?xf32> -> tensor<1xf32>
    %as = tile.broadcast %at [M] : tensor<1xf32> -> tensor<?xf32>
    %df = arith.subf %bt, %as : tensor<?xf32>
    %c = math.absf %df : tensor<?xf32>
    tile.store_at %prev, %p[%io] : tensor<?xf32>, !tile.ptr<f32>, tensor<?xi32>
    %dg = tile.load_at %p[%left] pad(pos_inf) mask(%has : tensor<?xi1>) : !tile.ptr<f32>, tensor<?xi32> -> tensor<?xf32>
    %m0 = arith.minimumf %dg, %prev : tensor<?xf32>
    // the start
    %isfirst = arith.cmpi eq, %i, %c0 : index
    %m1 = scf.if %isfirst -> (tensor<?xf32>) {
      %s = arith.select %is0, %zfs, %m0 : tensor<?xi1>, tensor<?xf32>
      scf.yield %s : tensor<?xf32>
    } else {
      scf.yield %m0 : tensor<?xf32>
    }
    // d[j] = min over k <= j of m1[k] + sum c[k..j]: pairs (min, sum)
    %q0 = arith.addf %m1, %c : tensor<?xf32>
    %q, %sum = tile.scan %q0, %c axis 0 identities [0x7F800000 : f32, 0.0 : f32] {
    ^bb0(%qa: f32, %sa: f32, %qb: f32, %sb: f32):
      %l = arith.addf %qa, %sb : f32
      %mn = arith.minimumf %l, %qb : f32
      %ss = arith.addf %sa, %sb : f32
      tile.yield %mn, %ss : f32, f32
    } : tensor<?xf32>, tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  %mp = tile.param M
  %m1 = arith.subi %mp, %c1 : index
  %res = tensor.extract %last[%m1] : tensor<?xf32>
  %rs = tile.splat %res [1] : f32 -> tensor<1xf32>
  tile.store %rs, %d[%r] : tensor<1xf32>, !tile.view<?xf32>
}

// Appends T new keys to a ring buffer [H, S, D] at positions (start + t) mod S, T <= S; start comes from memory.
// CASE @ring_append BT=4 BD=32: 1x2x2xbf16=1,2,3,4 1xi64=5 -> 1x3x2xbf16=3,4,9,9,1,2|9,9,9,9,9,9
tile.kernel @ring_append(%new: !tile.view<?x?x?xbf16>, %start: !tile.view<?xi64>) outs(%cache: !tile.view<?x?x?xbf16>)
    requires(dim(%new, 0) == dim(%cache, 0), dim(%new, 2) == dim(%cache, 2), dim(%new, 1) <= dim(%cache, 1))
    params {BT = 8 in [4, 8, 16], BD = 32 in [32, 64]}
    grid [ceildiv(dim(%new, 2), BD), ceildiv(dim(%new, 1), BT), dim(%new, 0)] {
  %d = tile.block_id 0
  %t = tile.block_id 1
  %h = tile.block_id 2
  %c0 = arith.constant 0 : index
  %v = tile.load %new[%h, %t, %d] [1, BT, BD] : !tile.view<?x?x?xbf16> -> tensor<1x?x?xbf16>
  %st = tile.load %start[%c0] [1] : !tile.view<?xi64> -> tensor<1xi64>
  %s = tile.dim %cache, 1 : !tile.view<?x?x?xbf16>
  %n = tile.dim %new, 1 : !tile.view<?x?x?xbf16>
  %sl = arith.index_cast %s : index to i64
  %nl = arith.index_cast %n : index to i64
  %bt = tile.param BT
  %t0 = arith.muli %t, %bt : index
  %t0l = arith.index_cast %t0 : index to i64
  %io = tile.iota [BT] : tensor<?xi64>
  %t0s = tile.splat %t0l [BT] : i64 -> tensor<?xi64>
  %at = arith.addi %io, %t0s : tensor<?xi64>
  %sb = tile.broadcast %st [BT] : tensor<1xi64> -> tensor<?xi64>
  %abs = arith.addi %at, %sb : tensor<?xi64>
  %ss = tile.splat %sl [BT] : i64 -> tensor<?xi64>
  %slot = arith.remsi %abs, %ss : tensor<?xi64>
  // rows past the end of `new` go nowhere
  %ns = tile.splat %nl [BT] : i64 -> tensor<?xi64>
  %in = arith.cmpi slt, %at, %ns : tensor<?xi64>
  %m1 = arith.constant -1 : i64
  %ms = tile.splat %m1 [BT] : i64 -> tensor<?xi64>
  %to = arith.select %in, %slot, %ms : tensor<?xi1>, tensor<?xi64>
  tile.scatter %v, %cache[%h, %d] at %to axis 1 : tensor<1x?x?xbf16>, !tile.view<?x?x?xbf16>, tensor<?xi64>
}

// strlen of each row of bytes, 32 bytes at a time, and the row in upper case up to its end.
// CASE @strlen: 2x4xi8=97,66,0,99,122,120,121,122 -> 2xi32=2,4 2x4xi8=65,66,0,0,90,88,89,90
tile.kernel @strlen(%x: !tile.view<?x?xi8>) outs(%len: !tile.view<?xi32>, %up: !tile.view<?x?xi8>)
    requires(dim(%x, 0) == dim(%len, 0), dim(%x, 0) == dim(%up, 0), dim(%x, 1) == dim(%up, 1))
    grid [dim(%x, 0)] {
  %r = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.dim %x, 1 : !tile.view<?x?xi8>
  %nt = tile.num_tiles %x, 1 by [32] : !tile.view<?x?xi8>
  %z = arith.constant dense<0> : tensor<1x32xi8>
  %io = tile.iota [32] : tensor<32xi32>
  %iob = tile.expand_dims %io, 0 : tensor<32xi32> -> tensor<1x32xi32>
  %c32 = arith.constant dense<32> : tensor<1x32xi32>
  %sp = arith.constant dense<32> : tensor<1x32xi8>
  %la = arith.constant dense<97> : tensor<1x32xi8>
  %lz = arith.constant dense<122> : tensor<1x32xi8>
  %l0 = arith.constant 0 : i32
  %k, %len1, %done = scf.while (%k0 = %c0, %l = %l0) : (index, i32) -> (index, i32, i1) {
    %t = tile.load %x[%r, %k0] [1, 32] : !tile.view<?x?xi8> -> tensor<1x32xi8>
    %isz = arith.cmpi eq, %t, %z : tensor<1x32xi8>
    %pos = arith.select %isz, %iob, %c32 : tensor<1x32xi1>, tensor<1x32xi32>
    %f = tile.reduce min %pos axis 1 : tensor<1x32xi32> -> tensor<1xi32>
    %fx = tensor.extract %f[%c0] : tensor<1xi32>
    %ge = arith.cmpi uge, %t, %la : tensor<1x32xi8>
    %le = arith.cmpi ule, %t, %lz : tensor<1x32xi8>
    %low = arith.andi %ge, %le : tensor<1x32xi1>
    %u0 = arith.subi %t, %sp : tensor<1x32xi8>
    %u = arith.select %low, %u0, %t : tensor<1x32xi1>, tensor<1x32xi8>
    %fs = tile.splat %fx [1, 32] : i32 -> tensor<1x32xi32>
    %in = arith.cmpi slt, %iob, %fs : tensor<1x32xi32>
    %v = arith.select %in, %u, %z : tensor<1x32xi1>, tensor<1x32xi8>
    tile.store %v, %up[%r, %k0] : tensor<1x32xi8>, !tile.view<?x?xi8>
    %l1 = arith.addi %l, %fx : i32
    %cfull = arith.constant 32 : i32
    %full = arith.cmpi eq, %fx, %cfull : i32
    %k1 = arith.addi %k0, %c1 : index
    %left = arith.cmpi ult, %k1, %nt : index
    %go = arith.andi %full, %left : i1
    scf.condition(%go) %k1, %l1, %full : index, i32, i1
  } do {
  ^bb0(%k2: index, %l2: i32, %f2: i1):
    scf.yield %k2, %l2 : index, i32
  }
  // the rest of the row is zero
  scf.for %i = %k to %nt step %c1 {
    tile.store %z, %up[%r, %i] : tensor<1x32xi8>, !tile.view<?x?xi8>
  }
  %ls = tile.splat %len1 [1] : i32 -> tensor<1xi32>
  tile.store %ls, %len[%r] : tensor<1xi32>, !tile.view<?xi32>
}

// Mean and variance of each row by a reduction with Chan's combination of (count, mean, M2); two outputs of rank 1.
// CASE @welford BM=2: 2x4xf16=1,2,3,6,5,5,5,5 -> 2xf32=3,5 2xf32=3.5,0
tile.kernel @welford(%x: !tile.view<?x?xf16>) outs(%mean: !tile.view<?xf32>, %var: !tile.view<?xf32>)
    requires(dim(%x, 0) == dim(%mean, 0), dim(%x, 0) == dim(%var, 0))
    params {BM = 2 in [1, 2, 4], C = dim(%x, 1)}
    grid [ceildiv(dim(%x, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %h = tile.load %x[%m, %c0] [BM, C] : !tile.view<?x?xf16> -> tensor<?x?xf16>
  %f = tile.cast %h : tensor<?x?xf16> to tensor<?x?xf32>
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %ones = tile.splat %one [BM, C] : f32 -> tensor<?x?xf32>
  %zeros = tile.splat %zero [BM, C] : f32 -> tensor<?x?xf32>
  %n, %mu, %m2 = tile.reduce %ones, %f, %zeros axis 1 identities [0.0 : f32, 0.0 : f32, 0.0 : f32] {
  ^bb0(%na: f32, %ma: f32, %sa: f32, %nb: f32, %mb: f32, %sb: f32):
    %tiny = arith.constant 1.0 : f32
    %nn = arith.addf %na, %nb : f32
    %den = arith.maximumf %nn, %tiny : f32
    %d = arith.subf %mb, %ma : f32
    %wb = arith.divf %nb, %den : f32
    %step = arith.mulf %d, %wb : f32
    %mm = arith.addf %ma, %step : f32
    %d2 = arith.mulf %d, %d : f32
    %nw = arith.mulf %na, %wb : f32
    %corr = arith.mulf %d2, %nw : f32
    %ss0 = arith.addf %sa, %sb : f32
    %ss = arith.addf %ss0, %corr : f32
    tile.yield %nn, %mm, %ss : f32, f32, f32
  } : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32> -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
  %v = arith.divf %m2, %n : tensor<?xf32>
  tile.store %mu, %mean[%m] : tensor<?xf32>, !tile.view<?xf32>
  tile.store %v, %var[%m] : tensor<?xf32>, !tile.view<?xf32>
}
