// Kernels whose blocks communicate through memory: a histogram, the gradient of an embedding, a split-K product, a
// single-pass cumulative sum.
// TYPES: f32
!V = !tile.view<?x!T>
!V2 = !tile.view<?x?x!T>
!I = !tile.view<?xi32>

// How often each number from 0 to 3 occurs. The padding of the last tile is not counted.
// CASE @histogram: 11xi32=0,1,1,2,3,3,3,3,0,1,2 -> 4xi32=2,3,2,4|0,0,0,0
tile.kernel @histogram(%x: !I) outs(%y: !I) params {BN = 4 in [4, 1024]} grid [ceildiv(dim(%x, 0), BN)] {
  %b = tile.block_id 0
  %p = tile.base %y : !I -> !tile.ptr<i32>
  %0 = tile.load %x[%b] [BN] pad(minus_one) : !I -> tensor<?xi32>
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %1 = tile.splat %z [BN] : i32 -> tensor<?xi32>
  %2 = arith.cmpi sge, %0, %1 : tensor<?xi32>
  %3 = tile.splat %o [BN] : i32 -> tensor<?xi32>
  %4 = tile.atomic_rmw add %p[%0], %3 mask(%2 : tensor<?xi1>) : !tile.ptr<i32>, tensor<?xi32>, tensor<?xi32>
}
// The same with a static number of bins, and the maximum per bin.
// CASE @bins: 11xi32=0,1,1,2,3,3,3,3,0,1,2 11xi64=5,-7,9,1,2,3,-4,8,6,0,-1 -> 4xi32=12,3,2,4|10,0,0,0 4xi64=6,9,1,20|-100,-100,-100,20
tile.kernel @bins(%x: !I, %v: !tile.view<?xi64>) outs(%y: !tile.view<4xi32>, %z: !tile.view<4xi64>)
    params {BN = 8 in [8, 1024]} grid [ceildiv(dim(%x, 0), BN)] {
  %b = tile.block_id 0
  %p = tile.base %y : !tile.view<4xi32> -> !tile.ptr<i32>
  %q = tile.base %z : !tile.view<4xi64> -> !tile.ptr<i64>
  %0 = tile.load %x[%b] [BN] pad(minus_one) : !I -> tensor<?xi32>
  %1 = tile.load %v[%b] [BN] : !tile.view<?xi64> -> tensor<?xi64>
  %z0 = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %2 = tile.splat %z0 [BN] : i32 -> tensor<?xi32>
  %3 = arith.cmpi sge, %0, %2 : tensor<?xi32>
  %4 = tile.splat %o [BN] : i32 -> tensor<?xi32>
  %5 = tile.atomic_rmw add %p[%0], %4 mask(%3 : tensor<?xi1>) : !tile.ptr<i32>, tensor<?xi32>, tensor<?xi32>
  %6 = tile.atomic_rmw max %q[%0], %1 mask(%3 : tensor<?xi1>) : !tile.ptr<i64>, tensor<?xi32>, tensor<?xi64>
}
// dw[ids[n], c] += dy[n, c].
// CASE @embed_backward: 5xi32=1,0,1,2,1 5x3xT=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 -> 3x3xT=4,5,6,21,24,27,10,11,12|0,0,0,0,0,0,0,0,0
tile.kernel @embed_backward(%ids: !I, %dy: !V2) outs(%dw: !V2) params {BM = 2, BC = 2}
    grid [ceildiv(dim(%dy, 1), BC), ceildiv(dim(%dy, 0), BM)] {
  %c = tile.block_id 0
  %m = tile.block_id 1
  %p = tile.base %dw : !V2 -> !tile.ptr<!T>
  %size = tile.param BC
  %width = tile.dim %dw, 1 : !V2
  %0 = tile.load %ids[%m] [BM] pad(minus_one) : !I -> tensor<?xi32>
  %1 = tile.load %dy[%m, %c] [BM, BC] : !V2 -> tensor<?x?x!T>
  %w32 = arith.index_cast %width : index to i32
  %start = arith.muli %c, %size : index
  %s32 = arith.index_cast %start : index to i32
  %2 = tile.splat %w32 [BM] : i32 -> tensor<?xi32>
  %3 = arith.muli %0, %2 : tensor<?xi32>
  %4 = tile.expand_dims %3, 1 : tensor<?xi32> -> tensor<?x1xi32>
  %5 = tile.broadcast %4 [BM, BC] : tensor<?x1xi32> -> tensor<?x?xi32>
  %6 = tile.iota [BC] : tensor<?xi32>
  %7 = tile.splat %s32 [BC] : i32 -> tensor<?xi32>
  %8 = arith.addi %6, %7 : tensor<?xi32>
  %9 = tile.broadcast %8 [BM, BC] : tensor<?xi32> -> tensor<?x?xi32>
  %10 = arith.addi %5, %9 : tensor<?x?xi32>
  %z = arith.constant 0 : i32
  %11 = tile.splat %z [BM] : i32 -> tensor<?xi32>
  %12 = arith.cmpi sge, %0, %11 : tensor<?xi32>
  %13 = tile.expand_dims %12, 1 : tensor<?xi1> -> tensor<?x1xi1>
  %14 = tile.broadcast %13 [BM, BC] : tensor<?x1xi1> -> tensor<?x?xi1>
  %15 = tile.splat %w32 [BC] : i32 -> tensor<?xi32>
  %16 = arith.cmpi slt, %8, %15 : tensor<?xi32>
  %17 = tile.broadcast %16 [BM, BC] : tensor<?xi1> -> tensor<?x?xi1>
  %18 = arith.andi %14, %17 : tensor<?x?xi1>
  %19 = tile.atomic_rmw add %p[%10], %1 mask(%18 : tensor<?x?xi1>) : !tile.ptr<!T>, tensor<?x?xi32>, tensor<?x?x!T>
}
// y += x·wᵀ, each block for a part of K.
// CASE @split_depth K=4: 2x4xT=1,2,3,4,5,6,7,8 2x4xT=1,0,1,0,0,2,0,1 -> 2x2xT=4,8,12,20|0,0,0,0
tile.kernel @split_depth(%x: !V2, %w: !V2) outs(%y: !V2) params {BM = 16, BN = 16, BK = 16, P = 2 in [2, 4]}
    grid [ceildiv(dim(%y, 1), BN), ceildiv(dim(%y, 0), BM), P] {
  %n = tile.block_id 0
  %m = tile.block_id 1
  %part = tile.block_id 2
  %parts = tile.param P
  %c1 = arith.constant 1 : index
  %steps = tile.num_tiles %x, 1 by [BK] : !V2
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %acc = scf.for %k = %part to %steps step %parts iter_args(%sum = %init) -> (tensor<?x?xf32>) {
    %0 = tile.load %x[%m, %k] [BM, BK] : !V2 -> tensor<?x?x!T>
    %1 = tile.load %w[%n, %k] [BN, BK] : !V2 -> tensor<?x?x!T>
    %2 = tile.dot %0, %1, %sum transpose_b : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %2 : tensor<?x?xf32>
  }
  %p = tile.base %y : !V2 -> !tile.ptr<!T>
  %rows = tile.dim %y, 0 : !V2
  %columns = tile.dim %y, 1 : !V2
  %bm = tile.param BM
  %bn = tile.param BN
  %rows32 = arith.index_cast %rows : index to i32
  %columns32 = arith.index_cast %columns : index to i32
  %row = arith.muli %m, %bm : index
  %column = arith.muli %n, %bn : index
  %row32 = arith.index_cast %row : index to i32
  %column32 = arith.index_cast %column : index to i32
  %3 = tile.iota [BM] : tensor<?xi32>
  %4 = tile.splat %row32 [BM] : i32 -> tensor<?xi32>
  %5 = arith.addi %3, %4 : tensor<?xi32>
  %6 = tile.splat %rows32 [BM] : i32 -> tensor<?xi32>
  %7 = arith.cmpi slt, %5, %6 : tensor<?xi32>
  %8 = tile.splat %columns32 [BM] : i32 -> tensor<?xi32>
  %9 = arith.muli %5, %8 : tensor<?xi32>
  %10 = tile.iota [BN] : tensor<?xi32>
  %11 = tile.splat %column32 [BN] : i32 -> tensor<?xi32>
  %12 = arith.addi %10, %11 : tensor<?xi32>
  %13 = tile.splat %columns32 [BN] : i32 -> tensor<?xi32>
  %14 = arith.cmpi slt, %12, %13 : tensor<?xi32>
  %15 = tile.expand_dims %9, 1 : tensor<?xi32> -> tensor<?x1xi32>
  %16 = tile.broadcast %15 [BM, BN] : tensor<?x1xi32> -> tensor<?x?xi32>
  %17 = tile.broadcast %12 [BM, BN] : tensor<?xi32> -> tensor<?x?xi32>
  %18 = arith.addi %16, %17 : tensor<?x?xi32>
  %19 = tile.expand_dims %7, 1 : tensor<?xi1> -> tensor<?x1xi1>
  %20 = tile.broadcast %19 [BM, BN] : tensor<?x1xi1> -> tensor<?x?xi1>
  %21 = tile.broadcast %14 [BM, BN] : tensor<?xi1> -> tensor<?x?xi1>
  %22 = arith.andi %20, %21 : tensor<?x?xi1>
  %23 = tile.atomic_rmw add %p[%18], %acc mask(%22 : tensor<?x?xi1>) : !tile.ptr<!T>, tensor<?x?xi32>, tensor<?x?xf32>
}
// y[i] = x[0] + … + x[i] in one pass over memory (decoupled look-back). Blocks take tiles in order (state[0]) and publish
// their sums: state[1 + t] holds, in one word, the sum of tile t (1 in the upper half) or of all tiles up to it (2). A block
// adds up the words before its tile, 128 at a time, back to the first prefix sum. State must be 0 before.
// CASE @cumulative_sum: 300xT=-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2,-1,1,3,0,2 -> 300xT=-1,0,3,3,5,4,5,8,8,10,9,10,13,13,15,14,15,18,18,20,19,20,23,23,25,24,25,28,28,30,29,30,33,33,35,34,35,38,38,40,39,40,43,43,45,44,45,48,48,50,49,50,53,53,55,54,55,58,58,60,59,60,63,63,65,64,65,68,68,70,69,70,73,73,75,74,75,78,78,80,79,80,83,83,85,84,85,88,88,90,89,90,93,93,95,94,95,98,98,100,99,100,103,103,105,104,105,108,108,110,109,110,113,113,115,114,115,118,118,120,119,120,123,123,125,124,125,128,128,130,129,130,133,133,135,134,135,138,138,140,139,140,143,143,145,144,145,148,148,150,149,150,153,153,155,154,155,158,158,160,159,160,163,163,165,164,165,168,168,170,169,170,173,173,175,174,175,178,178,180,179,180,183,183,185,184,185,188,188,190,189,190,193,193,195,194,195,198,198,200,199,200,203,203,205,204,205,208,208,210,209,210,213,213,215,214,215,218,218,220,219,220,223,223,225,224,225,228,228,230,229,230,233,233,235,234,235,238,238,240,239,240,243,243,245,244,245,248,248,250,249,250,253,253,255,254,255,258,258,260,259,260,263,263,265,264,265,268,268,270,269,270,273,273,275,274,275,278,278,280,279,280,283,283,285,284,285,288,288,290,289,290,293,293,295,294,295,298,298,300 39xi64|0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
tile.kernel @cumulative_sum(%x: !V) outs(%y: !V, %state: !tile.view<?xi64>) params {BN = 8 in [8, 1024, 4096, 6144, 8192]}
    grid [ceildiv(dim(%x, 0), BN)] {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %half = arith.constant 32 : i64
  %none = arith.constant 0.0 : f32
  %p = tile.base %state : !tile.view<?xi64> -> !tile.ptr<i64>
  %turn = tile.splat %zero [] : i64 -> tensor<i64>
  %step = tile.splat %one [] : i64 -> tensor<i64>
  %taken = tile.atomic_rmw add %p[%turn], %step : !tile.ptr<i64>, tensor<i64>, tensor<i64>
  %me = tensor.extract %taken[] : tensor<i64>
  %t = arith.index_cast %me : i64 to index
  %0 = tile.load %x[%t] [BN] : !V -> tensor<?xf32>
  %1 = tile.scan add %0 axis 0 : tensor<?xf32>
  %2 = tile.reduce add %0 axis 0 : tensor<?xf32> -> tensor<f32>
  %own = tensor.extract %2[] : tensor<f32>

  %next = arith.addi %me, %one : i64
  %place = tile.splat %next [] : i64 -> tensor<i64>
  %3 = arith.bitcast %own : f32 to i32
  %4 = arith.extui %3 : i32 to i64
  %5 = arith.shli %one, %half : i64
  %6 = arith.ori %4, %5 : i64
  %7 = tile.splat %6 [] : i64 -> tensor<i64>
  tile.store_at %7, %p[%place] order(relaxed) : tensor<i64>, !tile.ptr<i64>, tensor<i64>

  %i = tile.iota [128] : tensor<128xi64>
  %ones = arith.constant dense<1> : tensor<128xi64>
  %twos = arith.constant dense<2> : tensor<128xi64>
  %zeros = arith.constant dense<0> : tensor<128xi64>
  %halves = arith.constant dense<32> : tensor<128xi64>
  %nothing = arith.constant dense<0.0> : tensor<128xf32>
  %before:2 = scf.while (%end = %me, %sum = %none) : (i64, f32) -> (i64, f32) {
    %more = arith.cmpi sgt, %end, %zero : i64
    scf.condition(%more) %end, %sum : i64, f32
  } do {
  ^bb0(%end: i64, %sum: f32):
    %8 = tile.splat %end [128] : i64 -> tensor<128xi64>
    %9 = arith.subi %8, %i : tensor<128xi64>
    %10 = arith.cmpi sge, %9, %ones : tensor<128xi64>
    %words = scf.while () : () -> tensor<128xi64> {
      %11 = tile.load_at %p[%9] mask(%10 : tensor<128xi1>) order(relaxed) : !tile.ptr<i64>, tensor<128xi64> -> tensor<128xi64>
      %12 = arith.shrui %11, %halves : tensor<128xi64>
      %13 = arith.select %10, %12, %twos : tensor<128xi1>, tensor<128xi64>
      %14 = tile.reduce min %13 axis 0 : tensor<128xi64> -> tensor<i64>
      %15 = tensor.extract %14[] : tensor<i64>
      %again = arith.cmpi eq, %15, %zero : i64
      scf.condition(%again) %11 : tensor<128xi64>
    } do {
    ^bb0(%w: tensor<128xi64>):
      scf.yield
    }
    %16 = arith.shrui %words, %halves : tensor<128xi64>
    %17 = arith.select %10, %16, %twos : tensor<128xi1>, tensor<128xi64>
    %18 = tile.reduce argmax %17 axis 0 : tensor<128xi64> -> tensor<i32>
    %19 = tile.reduce max %17 axis 0 : tensor<128xi64> -> tensor<i64>
    %20 = tensor.extract %18[] : tensor<i32>
    %21 = tensor.extract %19[] : tensor<i64>
    %isAll = arith.cmpi eq, %21, %two : i64
    %last = arith.constant 127 : i64
    %22 = arith.extsi %20 : i32 to i64
    %23 = arith.select %isAll, %22, %last : i64
    %24 = tile.splat %23 [128] : i64 -> tensor<128xi64>
    %25 = arith.cmpi sle, %i, %24 : tensor<128xi64>
    %26 = arith.trunci %words : tensor<128xi64> to tensor<128xi32>
    %27 = arith.bitcast %26 : tensor<128xi32> to tensor<128xf32>
    %28 = arith.select %25, %27, %nothing : tensor<128xi1>, tensor<128xf32>
    %29 = tile.reduce add %28 axis 0 : tensor<128xf32> -> tensor<f32>
    %30 = tensor.extract %29[] : tensor<f32>
    %31 = arith.addf %sum, %30 : f32
    %window = arith.constant 128 : i64
    %32 = arith.subi %end, %window : i64
    %33 = arith.select %isAll, %zero, %32 : i64
    scf.yield %33, %31 : i64, f32
  }

  %all = arith.addf %before#1, %own : f32
  %34 = arith.bitcast %all : f32 to i32
  %35 = arith.extui %34 : i32 to i64
  %36 = arith.shli %two, %half : i64
  %37 = arith.ori %35, %36 : i64
  %38 = tile.splat %37 [] : i64 -> tensor<i64>
  tile.store_at %38, %p[%place] order(relaxed) : tensor<i64>, !tile.ptr<i64>, tensor<i64>
  %39 = tile.splat %before#1 [BN] : f32 -> tensor<?xf32>
  %40 = arith.addf %1, %39 : tensor<?xf32>
  tile.store %40, %y[%t] : tensor<?xf32>, !V
}
