//===- Passes.td - From tile kernels to tiles spread over threads --*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_TRANSFORMS_PASSES_TD
#define TILEGPT_DIALECT_TILEGPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChooseTiles : Pass<"tile-gpu-choose-tiles", "::mlir::ModuleOp"> {
  let summary = "chooses the tile sizes of launches, for a GPU";
  let description = [{
    For each launch whose kernel multiplies tiles it loads, the pass estimates the time of every combination of the
    candidates declared for the tile's rows and columns: whole waves of blocks over the multiprocessors, each block
    as long as its multiplications, its loads and, where nothing hides them, its stores take, with what sticks out of the
    result counted like the rest; where a producer can bring the operands, by the rates of the device and the alignment of
    their rows (`GpuModel.h`), also with blocks that share out the depth. The depth of a step becomes 128 bytes. A kernel for few
    rows, whose depth is one tile, gets as many columns as leave every multiprocessor two tiles, or one where the weights of a
    row's product fit into shared memory (48 KB a block) and launches overlap; from two rows on, if a
    producer can bring its operands, the sixteen rows of an instruction instead and columns by the same estimate. A
    kernel whose loop computes between its dots gets the largest tiles for which `tile-gpu-make-plan` will have a producer. A
    kernel that works on whole rows takes as many as make some 8192 elements, so that what all rows share is read rarely.
    The choice is written into the launch; what a launch says already is kept.

    Example: a launch of `@linear` on `tensor<1024x768xbf16>` and `tensor<768x768xbf16>` gets
    `params {BK = 64, BM = 128, BN = 56}`.
  }];
  let options = [Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors to fill">,
                 Option<"target", "target", "std::string", "\"sm_90a\"", "architecture to choose for">,
                 Option<"tf32", "tf32", "bool", "false", "products of f32 will be rounded to tf32">,
                 Option<"fastF8", "fast-f8", "bool", "false", "sums of f8 products may lose digits">];
  let dependentDialects = ["::tilegpt::tile::TileDialect", "::tilegpt::tilegpu::TileGPUDialect"];
}

def RepeatBlocks : Pass<"tile-gpu-repeat-blocks", "::tilegpt::tile::KernelOp"> {
  let summary = "gives blocks of few queries copies that will share out their keys";
  let description = [{
    Where clusters of eight leave more than a fifth of the device idle, as of decode attention with a few heads of keys, and
    blocks have so many keys that it pays (`KeyParts.h`), every block becomes P that do the same: the first axis of the grid
    grows by P, and `tile_gpu.copies_of_blocks` says so to `tile-gpu-split-keys`, which lets them share the keys out.

    Stands at the end of the `specialized` phase, as launches read the grid there. Launches of one kernel must not run at
    the same time.

    Example: on 132 multiprocessors a launch of 2 blocks that walk 32768 keys each becomes one of 14.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "architecture to plan for">,
                 Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numRepeated", "num-repeated", "kernels whose blocks have copies">];
}
def SplitKeys : Pass<"tile-gpu-split-keys", "::tilegpt::tile::KernelOp"> {
  let summary = "lets blocks of clusters share out the keys of an online softmax";
  let description = [{
    Where a launch has so few blocks, each of few queries, that clusters of two and more of them fit the device (up to 8
    blocks each, four fifths of the multiprocessors, 256 keys a block), every block becomes a cluster: block r of P takes
    iterations r, r + P, … of the loop. Behind it the blocks write maximum mᵣ, sum lᵣ and output oᵣ of each row to each
    other's shared memory and go on with m = max mᵣ, Σ lᵣ·b^(c·mᵣ - c·m) and Σ oᵣ·b^(c·mᵣ - c·m), b being e or 2 and c the
    factor of the scores: what the text has, but for the order of the sums. All of them store it. Where blocks have copies
    (`tile-gpu-repeat-blocks`), one block of each cluster writes what these have together to global memory
    (`tile_gpu.workspace`), and the block that comes last (`tile_gpu.meet_blocks`) puts it together the same way, in a fixed
    order, and stores. Where there are too few keys for that when the kernel runs, the first of the copies takes all.

    Keys of a later block may all be hidden: it subtracts 0 as long as its maximum is minus infinity. Block 0 does not, so
    a row of which the first iteration makes NaN stays NaN.

    The sum and the output have to begin with zero, c to be known to be greater than zero, and the kernel to do no more
    than load in front of the loop and store behind it.

    Example: on 132 multiprocessors a launch of 8 blocks that walk 4096 keys becomes one of 8 clusters of 8, whose loops
    run from `%rank` to `%steps` step 8 (`tile_gpu.grid_of_clusters`).
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "architecture to plan for">,
                 Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numSplit", "num-split", "loops whose keys are shared out">];
}

def JoinPieces : Pass<"tile-gpu-join-pieces", "::tilegpt::tile::KernelOp"> {
  let summary = "makes one tile of the pieces of an axis that several loops walk";
  let description = [{
    A kernel whose loops each walk all tiles of the same axis (the maximum of a row, the sum of its exponentials, the
    quotients) reads the axis once for every loop. Each loop becomes one iteration with a tile of the whole axis, and
    loads of the same tile become one: short axes stay in registers, long rows in shared memory
    (`--tile-gpu-stage-rows`).

    Loops carry reductions along the axis, tiles that are added up and reduced behind the loop, and online softmax: a
    maximum and sums that shrink as it grows. All else of a loop is computed element by element; the numbers of pieces
    place elements and nothing else. Comparisons of places with the size of the axis are folded. Where the last piece
    sticks out of the axis and what lies behind, zeros and what is made of them, would change a reduction, the tile has
    as many elements as all pieces together.

    The loops stand in the kernel or in its one loop, which walks rows. Pieces may be cut out of a tile that has the whole axis
    (`tile.extract`). Where the extent of the axis is not known, as in kernels that make their views, the tile has as many
    elements as all pieces together.

    Kernels that load what they store, and axes that neither the registers of a block nor shared memory have room for,
    keep their loops; a remark says why. Changes the order of sums.

    Stands in the `specialized` phase, ahead of `--tile-gpu-resize-tiles`.

    Example: a softmax in two loops over `[1, 1024]` tiles of rows of 5000 columns loads `[1, 5000]` once.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "architecture to plan for">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numJoined", "num-joined", "loops that became one iteration">];
}

def ResizeTiles : Pass<"tile-gpu-resize-tiles", "::tilegpt::tile::KernelOp"> {
  let summary = "gives blocks as many rows as they have registers for";
  let description = [{
    Where no result depends on the size of a tile along an axis of the grid (rows of a softmax, both axes of a sum of
    matrices), that size need not be the one of the text: elements of the axis never meet, the number of the block is
    nothing but the place of tiles, and blocks store all there is. Such tiles end where the data ends, if more than a tenth
    of them would be empty, and grow by a power of two, up to 8 KB of a load, as long as there are two blocks for
    each multiprocessor. Tiles of more than 32768 elements have fewer rows, one at least. Never changes a number. Why other
    kernels keep their blocks is a remark.

    Stands in the `specialized` phase, as launches read the grid there.

    Example: a softmax of `[4, 3]` tiles of 1000000 x 3 elements in 250000 blocks has tiles of `[512, 3]` in 1954.
  }];
  let options = [Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors to fill">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numCut", "num-cut", "axes whose tiles end with the data">,
                    Statistic<"numGrown", "num-grown", "kernels of fewer, larger blocks">,
                    Statistic<"numShrunk", "num-shrunk", "axes of tiles that no block could hold">];
}

def StreamAxes : Pass<"tile-gpu-stream-axes", "::tilegpt::tile::KernelOp"> {
  let summary = "works through large tiles piece by piece where each element is needed once";
  let description = [{
    A tile of more than 8192 elements, or 32768 that are scanned, of which an axis is loaded from its start, computed with
    element by element, and reduced, scanned or stored becomes a loop over pieces of 4096 elements that
    carries the reductions and what the scans have come to: no block could hold it in registers, and where blocks are few
    `--tile-gpu-split-loops` shares the loop out. Narrow tiles of columns are widened to two lines of memory for it. Rows
    of up to 262144 columns that the target's shared memory holds (`--tile-gpu-stage-rows`) stay, reduced or scanned. Elements that the last piece has too many are the identity of a reduction. What meets the axis again (the maximum
    of a softmax) needs it as a whole, and stays. Changes the order of sums.

    Example: `tile.reduce add %x axis 0` of a loaded `tensor<16777x32xf32>` becomes a loop over 263 tiles of
    `tensor<64x64xf32>`.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "architecture to plan for">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numStreamed", "num-streamed", "tiles that are worked through in pieces">];
}

def DeferReductions : Pass<"tile-gpu-defer-reductions", "::tilegpt::tile::KernelOp"> {
  let summary = "reduces tiles behind the loop that adds them up";
  let description = [{
    A loop that carries s = s + reduce(t) carries the sum of the tiles t instead, element by element, and one reduction
    follows it: no warp waits for others in an iteration. Likewise for products, maxima and the other kinds of
    `tile.reduce`; sums of 16-bit numbers that are rounded each time stay as they are. Changes the order of sums.

    Example: `%b = arith.addf %a, %s` of `%s = tile.reduce add %x axis 0 : tensor<64x32xf32> -> tensor<32xf32>` becomes
    `%b = arith.addf %a, %x : tensor<64x32xf32>`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numDeferred", "num-deferred", "reductions that left their loops">];
}

def SplitLoops : Pass<"tile-gpu-split-loops", "::tilegpt::tile::KernelOp"> {
  let summary = "lets blocks share out the iterations of a loop that reduces";
  let description = [{
    Where a launch has too few blocks for the device, and each does nothing but reduce what a loop loads, P blocks take
    the place of one: the first axis of the grid grows by P, block r of a group takes iterations r, r + P, …, and writes
    what it has to global memory (`tile_gpu.workspace`). The block of a group that comes last (`tile_gpu.meet_blocks`)
    reads the parts of all in a fixed order and does what stands behind the loop. So sums of a few columns are not left to
    as many multiprocessors as there are tiles of columns. Changes the order of sums, not from run to run.

    Stands at the end of the `specialized` phase, as launches read the grid there. Launches of one kernel must not run at
    the same time.

    Example: on 132 multiprocessors the column sums of 49310 x 774 in 7 tiles of 128 columns become a launch of 658 blocks.
  }];
  let options = [Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors to fill">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numSplit", "num-split", "loops that are shared out">];
}

def SplitDepth : Pass<"tile-gpu-split-depth", "::tilegpt::tile::KernelOp"> {
  let summary = "lets blocks of the grid share out the depth of a product";
  let description = [{
    Where a product has so few tiles and so much depth that more blocks would take less time by the estimate of products,
    P blocks take the place of one (split-K): one axis of the grid grows by P, block r of a group takes steps r, r + P, …
    along the depth, behind the end of which there are zeros, and writes its sums to global memory (`tile_gpu.put_part`).
    When all of a group have come (`tile_gpu.await_blocks`) each of the first blocks takes as many columns of the tile, adds up
    the sums of all in a fixed order (`tile_gpu.sum_share`) and does what stands behind the loop; where columns meet there, one
    block does all of it. Changes the order of sums, not from run to run. A kernel with `tile.wanted_plan` gets as many as
    `shares` says there, or none.

    Stands at the end of the `specialized` phase, as launches read the grid there. Launches of one kernel must not run at
    the same time. Targets without a producer (`--tile-gpu-specialize-roles`) are left alone.

    Example: on 132 multiprocessors of an H200 the product 64 x 64 x 65536 becomes one of 32 blocks and more instead of 8.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "architecture to plan for">,
                 Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors to fill">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numSplit", "num-split", "products that are shared out">];
}

def MakePlan : Pass<"tile-gpu-make-plan", "::tilegpt::tile::KernelOp"> {
  let summary = "decides how a kernel runs: its warps, its stages, its roles";
  let description = [{
    Attaches a `#tile_gpu.plan` to a specialized kernel that has none. Kernels that reduce rows are planned for the
    blocks that a multiprocessor can hold at a time, one or two of those whose rows lie in shared memory
    (`--tile-gpu-stage-rows`).
    Where launches overlap and the blocks of a product are known, `tile_gpu.resident` says how many of them a
    multiprocessor should have at most; tile-gpu-allocate-shared asks for as much memory as keeps others out.

    A kernel with `tile.wanted_plan`, a dictionary of integers by the names of the plan's parameters, gets a plan that has them
    where blocks can share the product so (`parts`, `multicast`, `multicastAxis`), teams need not take turns (`teams` = 1), a
    producer has so many `stages` or more, and bands of rows (`raster`) and `overlap` as they please. Where it cannot have all of
    them it gets the plan that it has without, with a warning.

    Operands of dots that have all of an axis of their views along the sum, of a depth that no number of `mma.sync` has, are
    loaded with zeros behind their ends where no producer feeds them.

    f8 operands of dots that keep all digits are cast to the type in which they are multiplied where that makes a main loop.
    Dots that a loop sums up without a producer are marked with `tile_gpu.wgmma` where warp groups can compute them.

    Example: `tile.kernel @softmax …` gets `tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 8>`.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "architecture to plan for">,
                 Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">];
  let dependentDialects = ["::tilegpt::tilegpu::TileGPUDialect"];
}

def ShiftTiles : Pass<"tile-gpu-shift-tiles", "::tilegpt::tile::KernelOp"> {
  let summary = "begins the last tile of an axis early enough to end with the data";
  let description = [{
    Where a producer copies the tiles of a kernel and the last tile along an axis of the grid would stick out of the data, it
    begins at the extent less the size of a tile: what it has in common with the tile before it both compute and store,
    to the bit alike. Rows behind the end of an argument, which the copy engine fills with zeros, take some three times as
    long as others. All accesses along the axis get a window (`tile.subview`) of one tile. The extent is a number, the
    same for all of them, and larger than a tile; elements at different places of the axis never meet; nothing that the
    kernel stores is read; a loop loads along the axis, as what is loaded once hardly counts; blocks do not share out the depth in
    clusters.

    Example: 202 rows in tiles of 128 are rows 0 … 127 and 74 … 201, not rows 128 … 255.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numShifted", "num-shifted", "axes whose last tile begins earlier">];
}

def VersionKernels : Pass<"tile-gpu-version-kernels", "::mlir::ModuleOp"> {
  let summary = "clones raw kernels for launches with aligned arguments";
  let description = [{
    A raw kernel that does not know the alignment of its pointers and strides gets no TMA, no 16-byte copies and no vector
    accesses. For each such kernel that loads or stores tiles, the pass adds a version, `@NAME$aligned`, that assumes what
    16-byte accesses need (`AlignedArguments.h`): pointers and row strides that are multiples of 16 bytes, last strides of
    1, and, unless TMA copies the rows, row lengths that are multiples of 16 bytes. Kernels that multiply narrower elements
    than 4 bytes get `@NAME$words` besides, for multiples of 4 bytes: `cp.async` copies words, but nothing narrower.
    `tile.version_of` names the kernel that it is a version of, and `tile.assumed_arguments` holds the conditions, which
    whoever launches the kernel checks. Kernels whose text promises all of it are left alone, and so are kernels of more
    than `max-ops` operations. Bit-preserving.

    Example: `@k(%p: !tile.ptr<bf16>, %m: i32, %s: i32)`, which loads tiles from `tile.view_at %p sizes [%m, 64] strides
    [%s, 1]` and multiplies them, gets a version `@k$aligned` with `tile.assume %p div_by 16` and `tile.assume %s div_by 8`.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "architecture to compile for">,
                 Option<"maxOps", "max-ops", "int64_t", "2000", "kernels of more operations get no version">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numVersions", "num-versions", "versions added">];
}

def LiftViews : Pass<"tile-gpu-lift-views", "::tilegpt::tile::KernelOp"> {
  let summary = "makes arguments of views at the pointers of a raw kernel";
  let description = [{
    In raw kernels that multiply, for targets with a copy engine: a `tile.view_at` becomes an argument, behind those that
    the kernel declares, and `tile.launch_views` says how a launch makes it. From there on it is a view like those of other
    kernels, of which the copy engine can have a descriptor. It has to have 2 to 5 axes, the last of stride 1, an address and
    other strides that are multiples of 16 bytes by the promises of the text (`tile.assume`), and sizes and strides that
    the launch can compute: constants, integer arguments, and sums, differences, products and quotients of them. No other
    pointer may lead to the same memory where one of the two writes (`tile.alias_classes`), unless the kernel reads through
    this one before it writes anything or waits for other blocks; what is written must be written through this view and not
    be read. Where a view stays, a remark says why. Bit-preserving.

    Example: `%v = tile.view_at %p sizes [%m, %k] strides [%k, 1]`, where `%p` is argument 0, `%m` and `%k` are casts of
    arguments 1 and 2, and `%k` is promised to be a multiple of 8, becomes an argument of the view's type and
    `{alignment = 16, pointer = 0, size_divisors = array<i64: 1, 8>, stride_divisors = array<i64: 8, 1>,
    words = affine_map<()[s0, s1, s2] -> (s1, s2, s2, 1)>}`.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "architecture to compile for">];
  let dependentDialects = ["::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numLifted", "num-lifted", "views that became arguments">];
}

def DropUnitAxes : Pass<"tile-gpu-drop-unit-axes", "::tilegpt::tile::KernelOp"> {
  let summary = "makes products of tiles with unit axes products of matrices";
  let description = [{
    In kernels that multiply: a batch of one product becomes a product of matrices. A tile that is loaded or stored with
    unit axes for it becomes a tile of an entry of the view, or of an empty window where the entry lies outside; what a loop carries,
    what is computed element by element, splats and broadcasts lose the axes too. Bit-preserving.

    Example: `tile.dot (tile.load %a[%z, %m, %k] [1, 64, 32]), …` becomes
    `tile.dot (tile.load (tile.select %a[%z])[%m, %k] [64, 32]), …`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilegpt::tile::TileDialect"];
}

def PlaceScratch : Pass<"tile-gpu-place-scratch", "::tilegpt::tile::KernelOp"> {
  let summary = "gives blocks memory of their own from an arena that comes with the code";
  let description = [{
    `tile.scratch` becomes a part of a slot of a shared `tile.data` of zeros. There are slots for 4096 blocks, or as many as
    128 MiB hold. A block exchanges the state of one slot after another for 1 until one was 0 (`acquire`) and stores 0 there
    when it is done (`release`), so blocks of several launches at a time have slots of their own. With fewer slots than
    resident blocks some wait for others; kernels that multiply, whose blocks may wait for one another, are refused then.

    Example: `tile.scratch 1024 : !tile.ptr<f32>` becomes a `tile.int_to_ptr` of `tile.data shared "scratch" …` and 4096
    bytes for each slot in front.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
                           "::tilegpt::tile::TileDialect"];
}

def ExpandBytes : Pass<"tile-gpu-expand-bytes", "::tilegpt::tile::KernelOp"> {
  let summary = "takes numbers apart into bytes, and puts them together, with shifts";
  let description = [{
    `tile.bytes` becomes a tile with a second axis that counts the bytes of a number: of numbers, each is broadcast along
    it, shifted down and cut off; of bytes, they are shifted up and joined by `tile.reduce or`. Bit-preserving.

    Example: `tile.bytes %x : tensor<64xf32> -> tensor<256xi8>` becomes an `arith.shrui` of a `tensor<64x4xi32>`, truncated
    and reshaped.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tile::TileDialect"];
}

def ExpandArgmax : Pass<"tile-gpu-expand-argmax", "::tilegpt::tile::KernelOp"> {
  let summary = "finds the place of an extreme in a long row by the extreme";
  let description = [{
    `argmax` and `argmin` of one row of 2048 columns and more become a maximum or minimum m and the least number of a
    column that holds it: two reductions of the kinds that blocks can share out (`tile-gpu-stage-rows`). Columns that hold
    m are those equal to it; where NaN counts, those of NaN as well, and where it does not, all if m is NaN. The result is
    the same to the bit.

    Example: `tile.reduce argmax %x axis 1 : tensor<1x128256xf32> -> tensor<1xi32>` becomes `tile.reduce max` of `%x` and
    `tile.reduce min` of its column numbers, with 2³¹ - 1 in place of those of lesser elements.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numExpanded", "num-expanded", "reductions that become two">];
}

def NormalizeDots : Pass<"tile-gpu-normalize-dots", "::tilegpt::tile::KernelOp"> {
  let summary = "brings different spellings of a product to one";
  let description = [{
    In kernels that multiply: a tile of a transposed view, or one loaded with an order of axes, is loaded as it lies in
    memory and permuted; a dot of a permuted matrix becomes a dot of the matrix with `transpose_a` or `transpose_b` turned
    round; and `arith.addf` of what a loop carries and a dot onto zeros becomes a dot onto what it carries. Only the order
    of a sum changes, which is free in a dot. What attention does with products has one spelling, too, and no bit changes: a
    mask that is added to a dot onto zeros, as 0 or a number, becomes a choice, and so does a condition that is converted
    and multiplied by a number; a comparison of positions along one axis becomes one of whole tiles; a maximum that a loop
    carries loses a floor below which it does not begin; a maximum of rows times a positive number becomes the
    maximum of what the loop multiplies by it; bits that put the zeros of a maximum or minimum in order go, as a GPU's
    instructions order them; a reduction whose axis `tile.expand_dims` puts back keeps it (`keepdims`); a multiply-add of what a
    loop carries and a sum of rows becomes a product and a sum, which LLVM contracts; `arith.truncf` to nearest becomes `tile.cast`, a cast to fewer bits behind `tile.cat` one of each
    part, and in a loop a dot whose right operand is a `tile.cat` of halves along the sum two dots, of halves of a left
    operand that is loaded.

    Example: `tile.dot (tile.load (tile.transpose %w)[%k, %n]), …` becomes `tile.dot (tile.load %w[%n, %k]), … transpose_b`.
  }];
  let dependentDialects = ["::tilegpt::tile::TileDialect"];
}

def ScaleAfterDot : Pass<"tile-gpu-scale-after-dot", "::tilegpt::tile::KernelOp"> {
  let summary = "scales the scores instead of an operand of their dot";
  let description = [{
    A query, or keys, that a text multiplies by a scalar and rounds to 16 bits before a loop's dot has to be computed
    and written to shared memory. Where the dot begins with zeros and becomes an exponent by way of products, sums,
    choices and tanh, the scalar multiplies its result, which costs nothing: exponents have a factor anyhow. Scalars are
    numbers and values of the function, factors and divisors.

    Not bit-preserving: the operand is not rounded again, which changes each of its elements by up to 2⁻⁹ of itself in
    bf16 and 2⁻¹² in f16, and the factor rounds the score once, to 2⁻²⁴.

    Example: `tile.dot (tile.cast (arith.mulf (tile.cast %q), splat %c)), %k, %zeros` becomes
    `arith.mulf (tile.dot %q, %k, %zeros), splat %c`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numDots", "num-dots", "dots whose result is scaled instead of an operand">];
}

def DeferDivision : Pass<"tile-gpu-defer-division", "::tilegpt::tile::KernelOp"> {
  let summary = "divides weighted sums by their weights once, behind the loop";
  let description = [{
    A loop that carries a quotient, `o' = (l·a·o + e·V) / l'` with a column `l` that becomes `l'`, carries `u = l·o`
    instead: `u' = a·u + e·V`, and `o = u / l` behind the loop. Columns are followed through products, quotients and
    broadcasts, in front of the dot, in its left operand and behind it. `o` has to begin with zeros. Without iterations
    it is these.

    Not bit-preserving: what is rounded to the type of the values is e, not e / l', to as many digits; one quotient an
    element is rounded instead of one an iteration.

    Example: `arith.divf (tile.dot %p, %v, (arith.mulf %o, %la)), %l` in the loop becomes
    `tile.dot %p, %v, (arith.mulf %u, %a)`, and `arith.divf %u, %l` behind it.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numDivisions", "num-divisions", "divisions moved behind their loop">];
}

def SwapOperands : Pass<"tile-gpu-swap-operands", "::tilegpt::tile::KernelOp"> {
  let summary = "makes sums transposed whose right operand is computed";
  let description = [{
    wgmma takes its left operand from registers, its right one from shared memory only. A loop that does nothing but sum
    up products of loaded left operands and right ones of which it computes some (weights that are converted, scaled or
    taken apart) becomes one that sums up the transposed products, with a `tile.permute` of each sum behind it. So does
    one of a single product of loaded operands whose rows warp groups cannot share out, 64 or 128 each, but whose columns
    they can: columns of a `wgmma` may be any multiple of 8.
    Bit-preserving: each element is the same sum.

    Example: `tile.dot %x, (cast %q), %acc transpose_b : [128, 64], [256, 64]` becomes
    `tile.dot (cast %q), %x, %acc transpose_b : [256, 64], [128, 64]`.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numDots", "num-dots", "dots that are made transposed">];
}

def FormMainloop : Pass<"tile-gpu-form-mainloop", "::tilegpt::tile::KernelOp"> {
  let summary = "writes down which loops a producer feeds";
  let description = [{
    In kernels whose plan has a producer, every loop with a `tile.dot` becomes a `tile_gpu.mainloop`: the loads that the
    copy engine can do, with the scalars that say where they begin, go to its `produce` region, everything else to its
    `consume` region. Tiles from in front of the loop that dots read become residents. Dots of f8 tiles, which would cut
    digits off what they add to, add to zeros, and the sum is taken in f32 behind them.

    Fails where a loop is none that a producer can feed, and says why. No pass behind this one looks at the loop again to
    find out: they read and edit the op.

    Example:
    ```mlir
    scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z) -> (tensor<128x96xf32>) {
      %x = tile.load %a[%m, %k] [128, 64] : !A -> tensor<128x64xbf16>
      %w = tile.load %b[%n, %k] [96, 64] : !B -> tensor<96x64xbf16>
      %s = tile.dot %x, %w, %acc transpose_b …
      scf.yield %s : tensor<128x96xf32>
    }
    ```
    becomes
    ```mlir
    tile_gpu.mainloop %c0 to %n step %c1 init (%z : tensor<128x96xf32>) produce {
    ^bb0(%k: index):
      %x = tile.load %a[%m, %k] …
      %w = tile.load %b[%n, %k] …
      tile_gpu.yield %w, %x : tensor<96x64xbf16>, tensor<128x64xbf16>
    } consume {
    ^bb0(%k: index, %w: tensor<96x64xbf16>, %x: tensor<128x64xbf16>, %acc: tensor<128x96xf32>):
      %s = tile.dot %x, %w, %acc transpose_b …
      tile_gpu.yield %s : tensor<128x96xf32>
    } -> tensor<128x96xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numLoops", "num-loops", "main loops">];
}

def CutDots : Pass<"tile-gpu-cut-dots", "::tilegpt::tile::KernelOp"> {
  let summary = "cuts products of operands that are loaded whole into loops";
  let description = [{
    A `tile.dot` with rows enough for a matrix instruction, whose operands are loads of all of their depth, becomes a
    loop over pieces of 64 of it, as kernels of many rows have in their text: a form that a producer can feed. Up to 256
    are multiplied at once.

    Example: `tile.dot` of `tile.load %x[0, 0] [16, 768]` and `tile.load %w[%n, 0] [32, 768]` becomes
    `scf.for %k = 0 to 12 { tile.dot (tile.load %x[0, %k] [16, 64]), (tile.load %w[%n, %k] [32, 64]) }`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def PickColumns : Pass<"tile-gpu-pick-columns", "::tilegpt::tile::KernelOp"> {
  let summary = "reads the one element that a comparison leaves of a row instead of adding the row up";
  let description = [{
    The sum along a row of what is selected where the number of the column equals a number of the row, and of zeros, is the
    element of that column, or zero where there is none. Where it is computed element by element of rows of 256 bytes and
    more that the kernel does not write, it is read by its offset (`tile.load_at`) and computed alone. So the loss of a
    label costs one access a row, not a comparison, a selection and an addition an element.

    Example: `tile.reduce add (select(iota = label, %x - %max, 0)) axis 1` becomes `tile.load_at %base[row * C + label]`
    less `%max`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numPicked", "num-picked", "sums that are one element">];
}

def FuseExponentialSums : Pass<"tile-gpu-fuse-exponential-sums", "::tilegpt::tile::KernelOp"> {
  let summary = "finds the maximum of a row and the sum of its exponentials in one reduction";
  let description = [{
    A maximum along an axis, and the sum of `exp(x - max)` or `exp2(x - max)` along it, become one reduction of pairs: the
    maximum of a part of the row, and the sum of the exponentials below that maximum. Two parts are joined by shrinking both
    sums to the larger maximum, so threads, warps and the blocks of a cluster meet once instead of twice, and a row in
    shared memory is read once. A constant positive factor in the exponent may be a part of it.

    Exponentials are formed as powers of two (`afn`), with a relative error of 2^-22 and that of rounding their exponent.
    As the terms with large exponents are small, a sum of n terms is wrong by at most 2^-22 + ln(n) * 2^-24 beside the
    rounding of its additions: 2^-20 for n = 200000. A row that is minus infinity, has an infinity or a NaN gives the NaN
    that it gave before.

    Where the exponentials have other uses, as in a softmax, all stays as it is: computing them twice takes longer than a
    second exchange. Not run by `--exact`.

    Example: `%m = tile.reduce max %x axis 1` and `%s = tile.reduce add (math.exp (%x - %m)) axis 1` become
    `%m, %s = tile.reduce %x, %ones axis 1 identities [-inf, 0.0] { … }`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let statistics = [Statistic<"numFused", "num-fused", "sums of exponentials that are found with their maximum">];
}

def GatherRows : Pass<"tile-gpu-gather-rows", "::tilegpt::tile::KernelOp"> {
  let summary = "reads operands of products that are rows of a matrix by `tile.gather`";
  let description = [{
    Kernels that are written with pointers read rows by their numbers through offsets, `rows·stride + columns`, masked by
    `rows < height` and `columns < width`. Where such a tile is an operand of a product, and columns are whole tiles, it is
    a gather of rows of a view of these sizes, which copies ahead of time and vector accesses know.

    Example: `tile.load_at %p[%rows·%s + (64·%k + iota)] mask(%rows < %m and … < %n)` becomes
    `tile.gather %view[%k] at %rows axis 0 [128, 64]`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numGathered", "num-gathered", "loads by offsets that are gathers">];
}

def FlattenElements : Pass<"tile-gpu-flatten-elements", "::tilegpt::tile::KernelOp"> {
  let summary = "has kernels that compute element by element work on runs of neighbours";
  let description = [{
    A kernel whose loads and stores are all of the same place of dense arguments of the same widths, and that computes
    element by element, does not care where a row ends. Where the width of rows keeps threads from moving 16 bytes at
    once, leaves more than a tenth of the tiles empty, or is cut into less than 128 bytes, each block takes as many elements that follow one another
    instead. The grid stays as it is; blocks behind the end have nothing to do.

    Example: `tile.load %a[%m, %n]` of `tensor<4x256xf32>` from `!tile.view<?x3001xf32>` becomes `tile.load` of
    `tensor<1024xf32>` from `tile_gpu.run %a[%m * 12 + %n] length 1024`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numFlattened", "flattened", "kernels that work on runs">];
}

def ExpandDots : Pass<"tile-gpu-expand-dots", "::tilegpt::tile::KernelOp"> {
  let summary = "writes products with few rows as multiplications and sums";
  let description = [{
    A `tile.dot` whose result has too few rows for a matrix instruction becomes, row by row, a product of tiles and a
    `tile.reduce`: what bounds it is the read of the other operand, which is then spread over all threads like any tile.
    These are dots of one row, of up to eight whose operands are loaded with all of their depth outside of a loop, which
    are multiplied in pieces, and others of up to eight whose products registers hold where no matrix instruction
    multiplies their operands.

    Example: `tile.dot %x, %w, %c transpose_b : tensor<1x768xf32>, tensor<8x768xf32>, tensor<1x8xf32>` becomes
    `tile.reduce add (%x broadcast · %w) axis 1`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def BoundIterations : Pass<"tile-gpu-bound-iterations", "::tilegpt::tile::KernelOp"> {
  let summary = "leaves out iterations in which a mask hides all scores of a block";
  let description = [{
    Scores of an online softmax that a mask hides change neither a maximum nor a sum. Masks are read as affine conditions
    on row and column, joined by "and" and "or": causal masks, sliding windows, lengths, prefixes. Of conditions that all
    hold the tightest bound counts, and those that are not affine are passed over; of those of which any holds the
    loosest, and all have to be affine. The first and the last iteration in which any row of the block sees a
    key follow from their extremes over the block, and become bounds of the loop, on every target.

    Masks that compare an i32 per key with an i32 per row for equality (document or segment ids), both loaded from inputs,
    bound the loop at run time: each warp scans for the first key whose id lies in the id range of the block's rows, and for
    the last one unless positions already bound the end (`tile_gpu.match_range`). Ids may be in any order; sorted ids skip
    most. The scan costs about one cycle per key. Masked scores must be minus infinity.

    So do the masks of other loops with two dots and more, if an iteration that one hides hands on all it was handed:
    the hidden scores, or their exponentials, are zeros of which products are summed up (no maximum, a gate, a
    gradient). As in a dot, what zeros are multiplied with has to be finite.

    Hidden are scores that are minus infinity, or -10⁴ and less, or to which that is added, where the block's rows all see
    a key (asked at run time of its first and its last row; else the loop runs as it is written, as rows without keys have
    a mean of all values). Iterations before the first key are kept where they would make NaN of a row: under minus
    infinity, unless the text subtracts something else from a maximum that is minus infinity, or begins with a number.

    Example: keys `k` with `k > q - 256` and `k <= q`, 64 an iteration, for rows q0 … q0 + 127: the loop runs from
    max(0, q0 - 255) / 64 to (q0 + 127) / 64 + 1.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numLoops", "num-loops", "loops whose bounds were moved">];
}

def LimitIterations : Pass<"tile-gpu-limit-iterations", "::tilegpt::tile::KernelOp"> {
  let summary = "leaves out iterations in which a warp group sees nothing";
  let description = [{
    In kernels whose warp groups share the rows of an online softmax: scores that a mask `key <= row` hides are minus
    infinity, which changes neither a maximum nor a sum. The rows of the first groups end before those of the block do,
    so their last iterations are nothing but masks. So it is in other loops whose masks make iterations idle (see
    `tile-gpu-bound-iterations`).

    Example: a loop whose iteration j has the keys 128·j and up, for rows from %q on, gets
    `tile_gpu.limit_iterations %n` with n = ⌈(%q + 64·(group + 1)) / 128⌉.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numLoops", "num-loops", "loops with iterations that some groups leave out">];
}

def SplitSums : Pass<"tile-gpu-split-sums", "::tilegpt::tile::KernelOp"> {
  let summary = "carries sums of rows lane by lane";
  let description = [{
    In kernels with a producer, a column that a loop carries and adds sums of rows to (`l·a + Σ e`) becomes four: each lane
    that holds a part of a row has a sum of its own, and lanes meet behind the loop instead of in every iteration. So it does
    in loops where `mma.sync` deals out the columns of few rows to several warps: four for each of them. What the column begins
    with is shared out evenly. Not bit-preserving: the order of the additions is another one.

    Example: `%l` of `tensor<64x1xf32>` becomes `tensor<64x4xf32>`, `tile.reduce add %e axis 1 keepdims` becomes a
    `tile.reshape` to [64, 16, 4, 2] and sums along its axes 3 and 1.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numSums", "num-sums", "sums carried lane by lane">];
}

def SkipMasks : Pass<"tile-gpu-skip-masks", "::tilegpt::tile::KernelOp"> {
  let summary = "masks tiles only where their mask says no";
  let description = [{
    An `arith.select` whose condition compares positions (sums of `tile.splat` and `tile.iota`) is needed in some iterations
    of a loop only: where the largest of the one side is below the smallest of the other, every element is kept. In
    kernels with a producer, the mask goes into a branch, which the iterations before the diagonal do not take. Of a mask
    that stands in such a branch already, each of several conditions gets a branch of its own: few tiles are cut by both
    bounds of a window. Softmaxes are recognised by one branch, so that the pass runs in front of
    `tile-gpu-relax-softmax` and behind it.

    Example: `%s = arith.select %seen, %x, %c` with `%seen = arith.cmpi sle, %k, %q` becomes
    `%s = scf.if %all_seen { scf.yield %x } else { %seen = …; %m = arith.select %seen, %x, %c; scf.yield %m }`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numMasks", "num-masks", "masks that some iterations skip">];
}

def RelaxSoftmax : Pass<"tile-gpu-relax-softmax", "::tilegpt::tile::KernelOp"> {
  let summary = "lets online softmax keep a maximum while it serves";
  let description = [{
    A loop that carries a maximum `m`, sums and weighted sums of `exp2(x - m)` makes the same whatever `m` is, as long as
    the exponentials neither overflow nor all vanish. In main loops an iteration takes the `m` it is given, and
    only where a sum of exponentials exceeds 2¹⁵ anywhere in a warp does it look for the maximum and scale what the
    iterations before have made. Exponents become `2^(x·c - m·c)` by one multiply-add, c holding all scalars that the text
    has and log₂e where it has `exp`; `2^((x - m)·c)` in iterations that look for a maximum which may be huge because scores
    are (a bias, a finite number that hides them). Not bit-preserving: what is subtracted is another number, rounded the same, and the
    product with c is not rounded; exponentials are right to 2⁻²² and |x·c|·2⁻²⁴ of themselves. Where the dots of the
    loop multiply 16-bit tiles, what scores are made of behind them is not exact to the last digit either: a quotient by
    a scalar becomes a product with its reciprocal, a product that is added to something is not rounded (2⁻²³ of the
    score), and a tanh is `tanh.approx`, wrong by up to 2⁻¹¹ of itself. Powers below 2⁻¹²⁶ that the text flushes to zero stay. A score that is capped as c·tanh(x/c) is so, a
    fraction of what rounding queries and keys to bf16 does to it.

    A score that is c·x of every element, c > 0 a scalar from in front of the loop, is compared as x: `m` becomes a maximum of
    x, and c part of the exponents' scale. Where more stands between the dot and the mask, such as terms of the position or a
    bias, the exponent is a sum of multiply-adds, one a term, from -m·c on, and no score is made; the mask selects exponents.
    All of that stands in both branches of the mask, with the exponentials, so that what is slow about these hides it; an
    iteration that looks for the maximum makes its scores again. Each term is rounded once, to 2⁻²⁴ of the sum so far.

    Where c·(q·k) + t is a score, t computed without dots and without what iterations hand on, the dot begins with t/c instead
    of zeros, and with minus infinity where a mask hides scores that compares numbers from memory: in main loops of several
    warp groups an iteration computes these while the deferred dots of the one before run. c has to be positive and from in front of the loop;
    t is a sum of positions that count from the row (`key - query`) times scalars, as what grows along the rows would take
    digits from the products, and of tiles widened from f16: numbers near the end of f32, which hide scores in bf16 and f32,
    would become minus infinity. Tensor cores cut off some 2⁻²³ of a sum every 16 products: 2⁻²⁰ of t where rows have 128 elements.

    What follows the loop must not depend on `m`: quotients with the sum, the maximum plus the logarithm of the sum, powers of
    numbers less the maximum that are added to the sum (a sink), and a second loop that goes on with the recurrence do not.

    Where a mask hides scores of the last iterations and of the first ones, or may hide any by numbers that are not affine
    (documents), or scores change with the position of a key, the
    loop runs from its last iteration (`tile_gpu.descending`): the one that finds a maximum is then one that has a mask
    anyway, and keys farther away do not raise it. In a plan of one warp group the branch that scales what has been summed up
    stands alone and last, so that everything else can be computed while the dots of the iteration before run.

    Example: `%e = math.exp2 (%x - (max(%m, reduce max %x)))` becomes `%e = math.exp2 (%x - %m)` and
    `scf.if (tile_gpu.any (reduce add %e > 32768)) { … }` around the exact computation.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numLoops", "num-loops", "loops that keep their maximum">];
}

def RelaxRounded : Pass<"tile-gpu-relax-rounded", "::tilegpt::tile::KernelOp"> {
  let summary = "lets exponentials be rough that are only rounded to 16 bits";
  let description = [{
    An exponential of f32 that reaches memory only by way of products, quotients, choices and sums of exponentials, also sums
    that a loop carries or with a constant that is not negative (1/(1 + e⁻ˣ)), rounded to 16 bits in the end, gets the fast math flag `afn`: the rounding error of its exponent, at most 2⁻¹⁷ of the result,
    does not matter there. Results below the normal numbers become 0.

    Example: `%e = math.exp %x` before `tile.cast (arith.divf %e, %sum) : tensor<1x768xf32> to tensor<1x768xbf16>`
    becomes `math.exp %x fastmath<afn>`.
  }];
  let dependentDialects = ["::mlir::math::MathDialect"];
}

def PrefetchLoads : Pass<"tile-gpu-prefetch-loads", "::tilegpt::tile::KernelOp"> {
  let summary = "loads the tiles of a loop some iterations ahead";
  let description = [{
    A loop that does not multiply matrices carries the tiles it loads from one iteration to the next: while one is summed,
    the next is under way; several, where an iteration reads little and stores. Tiles whose place depends on more than the number of
    the iteration are left, those of tensors that the kernel writes where the loop stores, and, in a plan with stages,
    those that `--tile-gpu-pipeline-copies` will copy.

    Example: `%t = tile.load %x[%k]` in a loop over `%k` becomes an iteration argument, the first tile is loaded in
    front of the loop, and the body loads `%x[%k + 1]`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def AssignLayouts : Pass<"tile-gpu-assign-layouts", "::tilegpt::tile::KernelOp"> {
  let summary = "gives every tile a layout";
  let description = [{
    Dots, loads and stores say which layout suits them; elementwise ops, loops, reductions and broadcasts carry it on.
    Where two meet, a `tile_gpu.convert_layout` is inserted. Each thread gets neighbours that one access of 16 bytes moves, of the
    largest tile; where `--tile-gpu-overlap-launches` will bring that through shared memory, of the widest type along the
    same axis, so that a warp reads rows of f32 beside weights of 16 bits as one piece.

    Example: `%s = arith.addf %a, %b : tensor<128x96xf32>` becomes `arith.addf %a, %b : tensor<128x96xf32, #layout>`.
  }];
  let dependentDialects = ["::tilegpt::tilegpu::TileGPUDialect"];
}

def SpecializeRoles : Pass<"tile-gpu-specialize-roles", "::tilegpt::tile::KernelOp"> {
  let summary = "splits the threads of a kernel into a producer and consumers";
  let description = [{
    For kernels whose plan has a producer. One thread of an extra warp group copies the streams of each
    `tile_gpu.mainloop` by TMA into rings of `stages` buffers, as far ahead as these reach; everything else the kernel
    does, its consumers do. They wait for a stage in front of the first dot or arithmetic that reads it and release it
    behind the last. Streams that are read and released at the same time share barriers; loops behind each other share
    rings.

    Dots that only sum up stay in flight while the next iteration begins. Where dots and arithmetic alternate
    (attention), a dot of what is computed starts beside the first dots of the next iteration, and warp groups take turns
    to start theirs: one multiplies while others compute. What the copies bring from behind the end of a window is
    cleared first. While such dots run, an iteration asks whether the stages that the next one starts with are there
    (`tile_gpu.probe`), and whether any is to be cleared; the next one waits only then.

    Example: `tile_gpu.mainloop` over `tile.dot %a, %b, %acc transpose_b` becomes
    `tile_gpu.roles producer { scf.for … { tile_gpu.acquire …; tile_gpu.tma_load …; tile_gpu.tma_load … } } consumer {
    scf.for … { tile_gpu.await …; tile_gpu.async_dot …; tile_gpu.limit_dots 1; tile_gpu.release … } … }`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
}

def Persist : Pass<"tile-gpu-persist", "::tilegpt::tile::KernelOp"> {
  let summary = "lets blocks stay and work through the grid together";
  let description = [{
    For kernels whose plan is persistent: the body goes into a loop over the tiles of the grid that fall to a block.
    Bands of `raster` rows are walked column by column, so that blocks that run together share operands in the cache.
    Where the iterations of a loop grow along an axis of the grid (keys before a causal mask), its far end comes first.
    Where a producer feeds a loop that computes, blocks draw their tiles one by one, so that who is free has the next;
    and tiles with the same right operands (of a head) come together, `raster` such families at a time.

    Example: `%m = tile.block_id 0` becomes arithmetic on `%t` of `scf.for %t = %worker to %tiles step %num_workers`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
}

def ShareDepth : Pass<"tile-gpu-share-depth", "::tilegpt::tile::KernelOp"> {
  let summary = "lets blocks of a cluster share out the depth of their products";
  let description = [{
    For kernels whose plan has parts: where there are fewer tiles than multiprocessors, or little to do for each along
    its rows and columns, but much along the depth. The P blocks of a cluster, side by side along the columns of the result,
    make the tiles of all of them together, each along every P-th step of the depth: fewer bytes have to be copied for
    as many products. Then they exchange the sums (`tile_gpu.sum_parts`), and each goes on with its own tile. The order
    of the additions is fixed, but another one than without parts.

    Example: `%s = scf.for %k = 0 to 48 { dot(load x[%m, %k], load w[%n, %k] [16, 64]) }` with `parts = 4` becomes
    `%t = scf.for %i = 0 to 12 { dot(load x[%m, 4·%i + %n mod 4], load w[%n / 4, …] [64, 64]) }` and
    `%s = tile_gpu.sum_parts %t part %n mod 4`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
}

def ShareRows : Pass<"tile-gpu-share-rows", "::tilegpt::tile::KernelOp"> {
  let summary = "lets blocks of a cluster share out the rows that a loop walks";
  let description = [{
    For kernels without a producer whose plan has P parts: the text makes the same P times over (`tile.block_id` is used
    divided by P only), and its loop carries tiles along whose first axis nothing meets before the end of the loop, as
    decode attention does. Each block of a cluster takes its part of that axis, and of the rows that the loop loads for
    it. Behind the loop the blocks write what they have to each other's shared memory, and go on with all of it. The
    result is the same to the bit.

    Example: `scf.for … iter_args(%o = %z) -> tensor<32x64xf32> { tile.load %k[%j, %c0] [512, 64] … }` with `parts = 4`
    becomes `scf.for … -> tensor<8x64xf32> { tile.load %k[4·%j + %part, %c0] [128, 64] … }` and `tile_gpu.write_part`,
    `tile_gpu.arrive_cluster`, `tile_gpu.await_cluster`, `tile_gpu.read`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
}

def StageStores : Pass<"tile-gpu-stage-stores", "::tilegpt::tile::KernelOp"> {
  let summary = "stores results of dots through shared memory";
  let description = [{
    In kernels with roles, a store of 16-bit elements as a dot leaves them becomes a `tile_gpu.tma_store` where TMA can
    reach the argument and shared memory has room for a box of every warp group. Of a window of rows (one sequence of
    many), tiles that stick out of it are stored as they are: the engine would write behind it.

    One of 32-bit elements becomes a `tile_gpu.row_store`, which takes rows wherever they begin (50257 columns), and so
    does one of 16-bit elements whose rows begin anywhere in a sector of memory, 32 bytes.

    Of others whose rows do not begin at whole sectors of memory the four lanes that hold a part of a row would write parts
    of two sectors. There the tile is brought into rows first, each warp its own, and one store of a warp is a run of 32
    elements.

    In kernels without roles lanes of a warp exchange 16-bit elements as a dot leaves them, so that each stores 16 or 8
    neighbouring bytes: four lanes that store 4 each write half a sector.

    Example: `tile.store %t, %y[%m, %n]` becomes `tile_gpu.tma_store %t, %map[%row, %col] through %buffer`, and
    `tile_gpu.finish_stores` ends the consumers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
}

def StageRows : Pass<"tile-gpu-stage-rows", "::tilegpt::tile::KernelOp"> {
  let summary = "keeps rows that are too long for registers in shared memory";
  let description = [{
    For kernels, planned as such, that reduce whole rows. A row is copied to shared memory once; each reduction and store
    reads it from there, and computes again what it needs of it. So it is in registers in pieces only, and a second block
    can work while this one waits for memory. Of a row that is too long for that, or of rows too few to give every
    multiprocessor one, the blocks of a cluster keep a part each (`parts` of the plan) and exchange what each of them has
    of a reduction. The grid counts clusters then: `tile.block_id` along x is the number of the cluster. Parts that are
    short enough may stay in registers instead (`inRegisters` of the plan): each is loaded once, by whole units, and is
    there for everything that reads it.

    Rows may begin anywhere (50257 columns of 16 bits). The tile then begins where the unit of 16 bytes does that the
    row begins in, and its columns are shifted alike wherever it is used: loads and stores move whole units, reductions
    do not see what lies outside of the row.

    Example: `%t = tile.load %x[%m, %c0]`, `%s = tile.reduce add %t`, `%d = arith.divf %t, broadcast %s`,
    `tile.store %d, …` becomes `tile_gpu.copy %x[%m, %c0] to %b covering %f`, `%s = tile.reduce add (fill_outside
    (tile_gpu.read %b))`, `tile_gpu.store_covering (arith.divf (tile_gpu.read %b), broadcast %s) from %f, …`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
}

def StageRuns : Pass<"tile-gpu-stage-runs", "::tilegpt::tile::KernelOp"> {
  let summary = "moves rows that begin anywhere through shared memory";
  let description = [{
    A tile of whole rows of a dense argument is a run of neighbours in memory. Where its rows begin anywhere in a unit of
    16 bytes (3001 columns), threads that held neighbours could move but one element at a time. Such a tile is copied to
    shared memory by whole units, from the unit that the run begins in, and read from there element by element; results
    go the other way. Loads must read what the kernel does not write, stores write what it does not touch otherwise, and
    two blocks must have room in the shared memory of a multiprocessor.

    Example: `%t = tile.load %x[%m, %c0]` of `tensor<2x3001xbf16>` becomes
    `%r = tile_gpu.run %x[%m] length 6002`, `tile_gpu.copy_run %r to %b from %f`, …,
    `%t = tile_gpu.read (tile_gpu.rows %b from %f)`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numStaged", "staged", "loads and stores that move through shared memory">];
}

def PlaceOperands : Pass<"tile-gpu-place-operands", "::tilegpt::tile::KernelOp"> {
  let summary = "puts the operands of dots into shared memory";
  let description = [{
    Every `tile.dot` becomes a `tile_gpu.dot` whose operands are written to a buffer of their own first, between two
    barriers; an operand that a loop does not change is written in front of the loop. Where the accumulator is a
    fragment of `mma.sync` the buffers are swizzled, or padded where rows have no swizzle that spreads them over the
    banks, and the operands go there as they are; for multiply-adds the rows are padded, and the operands are widened to
    the type of the accumulator first. A dot with `tile_gpu.wgmma` becomes a `tile_gpu.async_dot` that is finished at
    once, with `tile_gpu.publish` instead of the second barrier.

    Example: `tile.dot %a, %b, %c` becomes `tile_gpu.barrier`, `tile_gpu.write %a, %sa`, `tile_gpu.write %b, %sb`,
    `tile_gpu.barrier`, `tile_gpu.dot %sa, %sb, %c`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
}

def PipelineCopies : Pass<"tile-gpu-pipeline-copies", "::tilegpt::tile::KernelOp"> {
  let summary = "makes loops copy the operands of their dots ahead of time";
  let description = [{
    A tile that a loop loads only to write it to a buffer for its dots is copied there asynchronously instead
    (`tile_gpu.copy`), `stages - 1` iterations ahead, `stages` being that of the plan or what there is room for: the buffer
    becomes a ring. So is a tile of 512 bytes or more that threads compute with: they read it from a ring of its own, as
    ptxas would move loads to registers down to where they are used. A group of copies is committed every iteration, and `stages - 1` in front of the loop, empty where there
    is no such iteration, so that an iteration always waits for the same group, counted from the youngest. One barrier an iteration tells
    all threads that the copies have arrived, and that the stage filled next has been read. Copies start behind
    `tile_gpu.async_dot`, in front of its end. The numbers of rows that are gathered, which only a loop
    around may change, are written to shared memory in front of the loop.

    Only for tiles whose place is known ahead of time, of views that the kernel writes no part of that they may read, and
    whose rows are whole and
    aligned units of 16 bytes, padded with zero; others keep going through registers, and so does everything with
    fewer than two stages.

    Example:
    ```mlir
    scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z) -> tensor<128x96xf32, #l> {
      %x = tile.load %a[%m, %k] [128, 64] : !A -> tensor<128x64xbf16, #b>
      tile_gpu.barrier
      tile_gpu.write %x, %s : tensor<128x64xbf16, #b>, !S
      tile_gpu.barrier
      …
    ```
    with `stages = 3` becomes
    ```mlir
    scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z, %read = %c0, %fill = %c2) -> (tensor<128x96xf32, #l>, index, index) {
      tile_gpu.wait_copies 1
      tile_gpu.barrier
      scf.if %there_is_an_iteration {
        tile_gpu.copy %a[%m, %k_plus_2] to %fill_slice inside [true, true] : !A, !S
      }
      tile_gpu.commit_copies
      …
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numLoops", "num-loops", "loops that copy ahead of time">];
}

def OverlapLaunches : Pass<"tile-gpu-overlap-launches", "::tilegpt::tile::KernelOp"> {
  let summary = "lets a kernel start while the launch before it is running";
  let description = [{
    On targets with programmatic dependent launch (sm_90a). A kernel lets the next launch start as its first act, or where
    a producer feeds it, when that has nothing more to copy: blocks that started one by one, as those in front end, would
    lie scattered over the multiprocessors and share less of what they read. It waits for the one before it in front of the first access to an argument that is not launch-invariant (`tile.launch_invariant`); in
    kernels with roles, each role does. So all that comes before runs while the launch before comes to its end: what
    blocks compute of where they are, and the loads of launch-invariant tiles such as weights, which become copies to shared
    memory (`tile_gpu.copy`) in front of the wait, where they have 512 bytes and whole units of 16, up to 64 KB in all;
    the first copies of loops that copy ahead are moved there. A producer whose loops bring launch-invariant tiles and little
    else, up to 6 KB a stage, fills the first round of stages with the former there. Such blocks share hardly anything: the next
    launch starts at once behind them too, unless they form clusters.

    Smaller loads, of 512 bytes in all, that stand behind a barrier or a reduction, as those of a bias or a residual do,
    are moved ahead too, so that a launch does not wait for memory once more when all else is done: where the tile is
    launch-invariant in front of the wait, with `tile_gpu.early`, by which the instruction becomes one that ptxas does not
    move back; else behind the loads that stand behind it. They pass nothing that writes to memory.

    The kernel gets `tile_gpu.overlaps`.

    Example: `%x = tile.load %arg0 …; %w = tile.load %arg1 …` with `tile.launch_invariant = array<i64: 1>` becomes
    `tile_gpu.release_launch; tile_gpu.copy %arg1 … to %b; tile_gpu.commit_copies; tile_gpu.await_launch;
    %x = tile.load %arg0 …; tile_gpu.wait_copies 0; tile_gpu.barrier; %w = tile_gpu.read %b`.
  }];
  let dependentDialects = ["::tilegpt::tilegpu::TileGPUDialect"];
}

def AllocateShared : Pass<"tile-gpu-allocate-shared", "::tilegpt::tile::KernelOp"> {
  let summary = "gives every buffer and every exchange its place in shared memory";
  let description = [{
    Sets the `offset` of each `tile_gpu.alloc`, so that buffers in use at the same time lie apart, and, behind all
    buffers, one scratch area for the ops that move elements between threads (`tile_gpu.convert_layout`, `tile.reduce`,
    …): `tile_gpu.scratch` of the kernel is its offset, `tile_gpu.shared_bytes` the whole. Fails where the target has
    less.

    A buffer is in use from its first to its last use; the whole loop long if both inside and outside of it. Who writes
    a buffer must pass a barrier first, as what is written may lie where another buffer was read.

    Example: two buffers of 16 KB get the offsets 0 and 16384, the scratch area 32768.
  }];
  let dependentDialects = ["::tilegpt::tilegpu::TileGPUDialect"];
}

def OrderMemory : Pass<"tile-gpu-order-memory", "::tilegpt::tile::KernelOp"> {
  let summary = "puts barriers between accesses of memory that threads share";
  let description = [{
    A block sees its memory in program order, its threads do not: where a tile is written and then read, or written
    again, by threads that may hold other elements of it, a `tile_gpu.barrier` goes between, and one into a loop whose
    iterations meet. Accesses of different arguments, and of tiles that loops or layouts keep apart, need none. Runs
    once tiles have layouts.

    Example: `tile.store %t, %y[%m]`, `tile.load %y[%n]` becomes `tile.store %t, %y[%m]`, `tile_gpu.barrier`,
    `tile.load %y[%n]`.
  }];
  let dependentDialects = ["::tilegpt::tilegpu::TileGPUDialect"];
}

#endif
