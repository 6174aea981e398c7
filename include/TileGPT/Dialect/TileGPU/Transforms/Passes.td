//===- Passes.td - Transforms of tile kernels for GPUs -----------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_TRANSFORMS_PASSES_TD
#define TILEGPT_DIALECT_TILEGPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChooseTiles : Pass<"tile-gpu-choose-tiles", "::mlir::ModuleOp"> {
  let summary = "Choose the tile sizes of launches for a GPU";
  let description = [{
    For each launch of a kernel that multiplies tiles it loads, the pass estimates the time of every combination of the
    candidates declared for the tile's rows and columns: whole waves of blocks over the multiprocessors, where each block takes
    as long as its MMAs, its loads and, unless hidden, its stores, with padding counted like data. If a producer can load the
    operands, the estimate uses the device's rates and the alignment of the rows (`GpuModel.h`), and also considers split-K.
    The K step is 128 bytes. Ordered loads, transposed views and permuted operands count as the transposed operand of a dot
    that they are.

    A kernel for few rows whose K is one tile gets tiles of so many columns that every multiprocessor has two, or one if
    launches overlap and the weights of a single-row matmul fit in shared memory (48 KB per block). From two rows on, if a
    producer can load its operands, it gets the sixteen rows of an MMA instruction instead, and columns by the same
    estimate.

    A kernel whose loop computes between its dots gets the largest tiles for which `tile-gpu-make-plan` chooses a producer.
    A kernel that works on whole rows gets enough rows for about 8192 elements, so that data shared by all rows is read
    rarely. The choice is written into the launch; parameters that the launch already has are kept.

    Example: a launch of `@linear` on `tensor<1024x768xbf16>` and `tensor<768x768xbf16>` gets
    `params {BK = 64, BM = 128, BN = 56}`.
  }];
  let options = [Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">,
                 Option<"target", "target", "std::string", "\"sm_90a\"", "target architecture">,
                 Option<"tf32", "tf32", "bool", "false", "f32 products will be rounded to TF32">,
                 Option<"fastF8", "fast-f8", "bool", "false", "f8 products may accumulate with reduced precision">];
  let dependentDialects = ["::tilegpt::tile::TileDialect", "::tilegpt::tilegpu::TileGPUDialect"];
}

def RepeatBlocks : Pass<"tile-gpu-repeat-blocks", "::tilegpt::tile::KernelOp"> {
  let summary = "Replicate blocks with few queries so that they can split their keys";
  let description = [{
    If clusters of eight blocks leave more than a fifth of the device idle, as in decode attention with few KV heads, and
    blocks have enough keys for it to pay (`KeyParts.h`), every block is replicated P times: the first axis of the grid is
    multiplied by P, and `tile_gpu.copies_of_blocks` tells `tile-gpu-split-keys` to split the keys among the replicas.

    Runs at the end of the `specialized` phase, since launches read the grid there. Launches of the same kernel must not run
    concurrently.

    Example: on 132 multiprocessors a launch of 2 blocks that walk 32768 keys each becomes one of 14.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "target architecture">,
                 Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numRepeated", "num-repeated", "kernels whose blocks are replicated">];
}

def PackBlocks : Pass<"tile-gpu-pack-blocks", "::tilegpt::tile::KernelOp"> {
  let summary = "Pack several small blocks of a launch into one, each as a warp";
  let description = [{
    A GPU starts about one block every 1.2 ns, however small, and a multiprocessor runs at most 32. If a block has only one or
    two warps' worth of elements and there are many blocks, two to eight that are adjacent along an axis of the grid become
    the warps of one. Control flow stays independent: a warp computes its own block id and waits for no other warp (`teams` of
    the plan). Warps past the end of the axis exit. Blocks that run longer than their launch latency are left alone.

    Unlike `--tile-gpu-resize-tiles`, the pass does not look at how the block id is used. It packs no kernels with dots,
    loads that are copied ahead, or memory of a block (`tile.scratch`, results that blocks exchange).

    Runs at the end of the `specialized` phase, since launches read the grid there. Bit-preserving.

    Example: a pooling with one output per block, in a grid of [49, 256, 32], has a grid of [49, 32, 32] with eight warps
    per block.
  }];
  let options = [Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numPacked", "num-packed", "kernels whose blocks are packed">];
}

def SplitKeys : Pass<"tile-gpu-split-keys", "::tilegpt::tile::KernelOp"> {
  let summary = "Split the keys of an online softmax among the blocks of a cluster";
  let description = [{
    If a launch has so few blocks, each with few queries, that clusters of at least two of them fit on the device (up to 8
    blocks each, four fifths of the multiprocessors, 256 keys per block), every block becomes a cluster: block r of P takes
    iterations r, r + P, … of the loop. After the loop the blocks write maximum mᵣ, sum lᵣ and output oᵣ of each row to each
    other's shared memory and continue with m = max mᵣ, Σ lᵣ·b^(c·mᵣ - c·m) and Σ oᵣ·b^(c·mᵣ - c·m), where b is e or 2 and c
    the scale of the scores: the original result, up to the order of the sums. All of them store it.

    If blocks are replicated (`tile-gpu-repeat-blocks`), one block of each cluster writes the cluster's result to global
    memory (`tile_gpu.workspace`), and the last block to finish (`tile_gpu.meet_blocks`) combines these in the same way, in a
    fixed order, and stores. If there are too few keys for that at run time, the first replica takes all.

    All keys of a later block may be masked: it subtracts 0 as long as its maximum is minus infinity. Block 0 does not, so a
    row that is NaN after the first iteration stays NaN.

    The sum and the output must start at zero, c must be known to be positive, and the kernel may only load before the loop
    and store after it.

    Example: on 132 multiprocessors a launch of 8 blocks that walk 4096 keys becomes one of 8 clusters of 8, whose loops
    run from `%rank` to `%steps` step 8 (`tile_gpu.grid_of_clusters`).
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "target architecture">,
                 Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numSplit", "num-split", "loops whose keys are split">];
}

def JoinPieces : Pass<"tile-gpu-join-pieces", "::tilegpt::tile::KernelOp"> {
  let summary = "Replace several loops over pieces of an axis by one tile of the whole axis";
  let description = [{
    A kernel with several loops that each walk all tiles of the same axis (the maximum of a row, the sum of its exponentials,
    the quotients) reads the axis once per loop. Each loop becomes one iteration with a tile of the whole axis, and loads of
    the same tile are merged: short axes stay in registers, long rows in shared memory (`--tile-gpu-stage-rows`).

    Loops may carry reductions along the axis, tiles that are accumulated (also by fma) and reduced after the loop, and online
    softmax (a maximum and sums that are rescaled as it grows). Everything else in a loop must be elementwise, and induction
    variables may only index elements. Comparisons of indices with the size of the axis are folded. If the last piece extends
    past the axis and the padding (zeros and values computed from them) would change a reduction, or if the axis has an unknown
    extent, as in kernels that create their views or access elements by offset, the tile has as many elements as all pieces
    together. Offsets of stores must differ from piece to piece: indices of the axis, times and plus what is the same along it.

    The loops are in the kernel or in its only loop, which walks rows. Pieces may be slices (`tile.extract`) of a tile that has
    the whole axis.

    Kernels that load what they store, and axes that fit neither a block's registers nor shared memory, keep their loops; a
    remark gives the reason. Changes the order of sums.

    Runs in the `specialized` phase, before `--tile-gpu-resize-tiles`.

    Example: a softmax in two loops over `[1, 1024]` tiles of rows of 5000 columns loads `[1, 5000]` once.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "target architecture">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numJoined", "num-joined", "loops reduced to one iteration">];
}

def ResizeTiles : Pass<"tile-gpu-resize-tiles", "::tilegpt::tile::KernelOp"> {
  let summary = "Resize tiles to suit a block's registers";
  let description = [{
    If no result depends on the tile size along an axis of the grid (rows of a softmax, both axes of a matrix addition), the
    pass may change it: elements along the axis never interact, the block id is only used as a tile index, and blocks store
    the whole axis. Such tiles end with the data if more than a tenth of them would be padding, and grow by a power of two,
    up to 8 KB per load, as long as there are two blocks for each multiprocessor. Tiles of more than 32768 elements get
    fewer rows, at least one. Tiles of dots are halved if a block would keep sums in more than 49152 registers. Batches of
    dots of up to 16 bits with at least 16 rows get blocks of their own in loops that load tiles. Bit-preserving. A remark
    says why other kernels keep their tile sizes. Values that are the same for all rows, and expanded or reshaped to a row,
    are repeated.

    A tile that begins with an axis and is longer, such as a row of 6 in a masked tile of 1024, ends with the axis unless the
    padding changes a reduction; comparisons of indices with the end of the axis are folded.

    The tiles of a reduction loop grow along the axis it walks, up to 4 KB per load, as long as four iterations remain for
    each multiprocessor. This changes the order of sums.

    In a loop that only accumulates dots, tiles whose K is no multiple of the MMA instruction's, such as 24 in bf16, grow by the
    least factor that makes it one, unless the last one would sum more data, or take more than 512 bytes per row. Otherwise
    such dots are computed by multiply-adds.

    Runs in the `specialized` phase, since launches read the grid there.

    Example: a softmax of `[4, 3]` tiles of 1000000 x 3 elements in 250000 blocks has tiles of `[512, 3]` in 1954.
  }];
  let options = [Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numCut", "num-cut", "axes whose tiles end with the data">,
                    Statistic<"numGrown", "num-grown", "kernels with fewer, larger blocks">,
                    Statistic<"numIterationsGrown", "num-iterations-grown", "loops with fewer, larger iterations">,
                    Statistic<"numDepthsGrown", "num-depths-grown", "loops of dots with fewer, deeper iterations">,
                    Statistic<"numShrunk", "num-shrunk", "axes of tiles that no block could hold">];
}

def GrowRows : Pass<"tile-gpu-grow-rows", "::tilegpt::tile::KernelOp"> {
  let summary = "Give blocks of attention the rows of two warp groups";
  let description = [{
    A block whose dots have up to 64 rows has one warp group, during whose arithmetic the tensor cores are idle, and every block
    reads all keys. If elements of different rows never interact, rows are enumerated only as the sum of `block_id · size` and an
    index in the tile, and each multiprocessor keeps a block, blocks get 128 rows, or 64 if 128 do not fit. A bound of a loop
    that depends on the block becomes that of the first or last of the blocks that become one; a mask must hide from other rows
    what this adds. Only loops that a producer can feed and that compute between their dots are affected, on targets with
    `wgmma`, and online softmaxes of 16-bit tiles that no producer can feed: blocks of 8 to 32 rows get 64 if 256 threads have
    registers for the sums. Bit-preserving up to what is skipped by warps.

    Runs in the `specialized` phase, since launches read the grid there.

    Example: causal attention of 32 heads × 2048 in tiles of 64 rows has a grid of `[16, 32]` instead of `[32, 32]`.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "target architecture">,
                 Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numGrown", "num-grown", "kernels with fewer blocks of more rows">];
}

def StreamAxes : Pass<"tile-gpu-stream-axes", "::tilegpt::tile::KernelOp"> {
  let summary = "Process large tiles piece by piece if each element is used once";
  let description = [{
    A tile of more than 8192 elements, or 32768 if scanned, that is loaded from the start of an axis, computed elementwise, and
    reduced, scanned or stored becomes a loop over pieces of 4096 elements that carries the state of the reductions and scans:
    no block could hold it in registers, and with few blocks `--tile-gpu-split-loops` can split the loop. Narrow column tiles
    are widened to two cache lines. Rows of up to 262144 columns that fit the target's shared memory
    (`--tile-gpu-stage-rows`) are left alone. Elements past the end in the last piece are the identity of the reduction. A
    result that is combined with the axis again (the maximum of a softmax) needs the whole axis, which is left alone. Changes
    the order of sums.

    Example: `tile.reduce add %x axis 0` of a loaded `tensor<16777x32xf32>` becomes a loop over 263 tiles of
    `tensor<64x64xf32>`.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "target architecture">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numStreamed", "num-streamed", "tiles processed in pieces">];
}

def DeferReductions : Pass<"tile-gpu-defer-reductions", "::tilegpt::tile::KernelOp"> {
  let summary = "Accumulate tiles elementwise and reduce them after the loop";
  let description = [{
    A loop that carries s = s + reduce(t) carries the elementwise sum of the tiles t instead, followed by a single reduction, so
    warps do not synchronize in every iteration. The same applies to products, maxima and the other kinds of `tile.reduce`;
    sums of 16-bit values that are rounded in every iteration are left alone. Changes the order of sums.

    Example: `%b = arith.addf %a, %s` of `%s = tile.reduce add %x axis 0 : tensor<64x32xf32> -> tensor<32xf32>` becomes
    `%b = arith.addf %a, %x : tensor<64x32xf32>`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numDeferred", "num-deferred", "reductions moved after their loops">];
}

def FoldRows : Pass<"tile-gpu-fold-rows", "::tilegpt::tile::KernelOp"> {
  let summary = "Size the tiles of loops that sum the columns of narrow or unaligned matrices";
  let description = [{
    A loop that sums tiles of a dense matrix of static size along its rows may load any columns and rows at a time. If rows are
    not aligned to 16 bytes, or tiles take less than 128 bytes of each, a tile gets all columns and as many rows as are whole
    16-byte units and give a block 8 KB per iteration, so that it is contiguous (`tile-gpu-flatten-elements`). The blocks of
    the launch then exchange results of all columns (`tile-gpu-split-loops`); if that takes a noticeable part of the time of the
    loads, and with rows too long for the registers of a block, tiles stay narrow. Changes the order of sums.

    Otherwise, if rows begin at any element of a 16-byte unit, such as those of an odd number of elements, tiles are sized for
    `--tile-gpu-cover-columns`: with the unit that a row shares with its neighbor, a tile has at most one unit of each row for
    every lane of a warp, and all tiles about the same number of columns. A tile has as many rows as are 16 KB, in multiples
    of 8 and of the number of rows after which their alignment repeats. Tiles stay as they are if rows have less than three
    units, if accumulators need more than eight warps, or if the blocks of the launch would exchange more than 160 KB for a
    tile of columns, or have a quarter more iterations than on average.

    Example: column sums of bf16 98 x 185535 in tiles of `[32, 128]` have tiles of `[32, 248]`.

    Example: column sums of f32 957847 x 10 in tiles of `[64, 10]` have tiles of `[204, 10]`, 510 units.
  }];
  let options = [Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numFolded", "num-folded", "loops over whole rows">];
}

def MergeAxes : Pass<"tile-gpu-merge-axes", "::tilegpt::tile::KernelOp"> {
  let summary = "Merge axes of tensors whose rows blocks reduce, so that they are matrices";
  let description = [{
    Later passes choose where rows of matrices are kept, and move unaligned ones as runs of memory. Kernels that reduce or scan
    tiles of dense views of known sizes, of any rank, get that form:

    - If the grid has a block for each tile along the first axes of what a kernel stores, these become one axis, and so do those
      of the other views that the same blocks index: a softmax of `x [B, T, C]` with a block for each `(b, t)` is one of `B·T`
      rows. Other uses of block ids, such as for a mask of each `b`, compute them from the row; these kernels are only rewritten
      if their rows are long.
    - If blocks load all of the axes behind the first, and only reduce all of them, one after the other, these become one axis:
      an instance norm of `x [N, C, H, W]` reduces rows of `H·W`. So does the first axis, if blocks reduce tiles of it, such as
      groups of channels.
    - Values of one of these axes, such as gains of channels, are gathered for each element (`tile.gather`), if they are computed
      element by element from loads.

    Merged views are `tile.view_at` the base of an argument.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numLeading", "num-leading", "kernels whose grid got one axis">,
    Statistic<"numTrailing", "num-trailing", "kernels whose rows got one axis">
  ];
}

def MergeLoops : Pass<"tile-gpu-merge-loops", "::tilegpt::tile::KernelOp"> {
  let summary = "Merge nested reduction loops of launches with few blocks";
  let description = [{
    Statistics of the channels of a batch of images loop over images and over the tiles of each. If a launch has fewer than two
    blocks per multiprocessor, nested loops of constant trip counts become one, provided that the inner one only reduces what it
    loads and the outer one continues its sums, or adds up those that start with nothing: `--tile-gpu-split-loops` can then
    split their iterations. Changes the order of sums.

    Example: a loop over 8 images around one over 25 tiles becomes one of 200 iterations, whose index `i` stands for image
    `i / 25` and tile `i % 25`.
  }];
  let options = [Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numMerged", "num-merged", "nests of loops merged">];
}

def SplitLoops : Pass<"tile-gpu-split-loops", "::tilegpt::tile::KernelOp"> {
  let summary = "Split the iterations of a reduction loop among blocks";
  let description = [{
    If a launch has too few blocks for the device, and each only reduces what a loop loads, every block is replaced by P blocks:
    the first axis of the grid is multiplied by P, block r of a group takes iterations r, r + P, …, and writes its partial
    result to global memory (`tile_gpu.workspace`). The last block of a group to finish (`tile_gpu.meet_blocks`) combines the
    partial results in a fixed order and runs the code after the loop. So column sums use more multiprocessors than there are
    column tiles. Changes the order of sums, deterministically.

    Runs at the end of the `specialized` phase, since launches read the grid there. Launches of the same kernel must not run
    concurrently.

    Example: on 132 multiprocessors the column sums of 49310 x 774 in 7 tiles of 128 columns become a launch of 658 blocks.
  }];
  let options = [Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numSplit", "num-split", "loops split among blocks">];
}

def SplitDepth : Pass<"tile-gpu-split-depth", "::tilegpt::tile::KernelOp"> {
  let summary = "Split K of a matmul among blocks of the grid (split-K)";
  let description = [{
    If a matmul has few tiles and large K, so that the cost model predicts a gain from more blocks, every block is replaced by
    P blocks: one axis of the grid is multiplied by P, block r of a group takes S = ⌈steps / P⌉ K steps from r·S on (zeros past the
    end of K), and writes its partial sums to global memory (`tile_gpu.put_part`). When all blocks of a group have arrived
    (`tile_gpu.await_blocks`), each of the first blocks takes an equal range of columns of the tile, adds the partial sums in a
    fixed order (`tile_gpu.sum_share`) and runs the epilogue for it; if the epilogue combines columns, one block does all of
    it. If warp groups cannot divide the rows of the tile, or the right operand is computed, the product is transposed first
    (`--tile-gpu-swap-operands`), and blocks take ranges of rows. An operand that the loop computes need not be zero past the
    end of K: P then divides the steps. Changes the order of sums, deterministically. A kernel with `tile.wanted_plan` is split by `shares`, or not at all
    without it.

    A remark says why if another form of product leaves more than half of the multiprocessors without a block.

    Runs at the end of the `specialized` phase, since launches read the grid there. Launches of the same kernel must not run
    concurrently. Does nothing on targets without a producer (`--tile-gpu-specialize-roles`).

    Example: on the 132 multiprocessors of an H200 the matmul 64 x 64 x 65536 uses 32 or more blocks instead of 8.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "target architecture">,
                 Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numSplit", "num-split", "matmuls split among blocks">];
}

def DivideRows : Pass<"tile-gpu-divide-rows", "::mlir::ModuleOp"> {
  let summary = "Divide few long rows between blocks of the grid";
  let description = [{
    A kernel that reduces or scans whole rows, one per block, uses few multiprocessors if it has few rows. The blocks of a
    cluster share a row (`--tile-gpu-stage-rows`), but these are at most eight, and have to start close to each other. If all
    blocks of a larger or more even division are resident at a time, and the estimate (`RowPlan.cpp`) promises a gain of a
    tenth, every block becomes P adjacent ones, which exchange their results through global memory
    (`tile_gpu.gather_blocks`): the first axis of the grid is multiplied by P, and `tile_gpu.row_blocks` tells
    `--tile-gpu-make-plan` to plan for P parts of each row. A kernel with `tile.wanted_plan` is divided if that requests
    `throughMemory`.

    Runs at the end of the `specialized` phase, since launches read the grid there. Launches of the same kernel must not run
    concurrently. Changes the order of sums, deterministically. Does nothing on targets without clusters.

    Example: a softmax of 19 rows of 197695 columns runs as 247 blocks on 132 multiprocessors, 13 for each row.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "target architecture">,
                 Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">,
                 Option<"exact", "exact", "bool", "false", "plan without passes that change results">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numDivided", "num-divided", "kernels whose rows are divided">];
}

def PairRows : Pass<"tile-gpu-pair-rows", "::mlir::ModuleOp"> {
  let summary = "Let blocks process two long rows that share vectors";
  let description = [{
    Blocks of one long row each read vectors that all rows share, such as the gain and bias of a norm, once for every row. If
    that is more than they load and store of a row (16-bit rows and two f32 vectors), every block gets two rows, for which it
    reads the vectors once. Both begin at the same place of a 16-byte unit, so that the elements of both meet the same elements
    of the vectors: if the alignment of rows repeats every P rows, these are rows f and f + P. A block without a second row
    computes its first one twice. Rows stay apart if clusters of eight blocks for all pairs would be fewer than two blocks for
    each multiprocessor.

    Runs at the end of the `specialized` phase, before `--tile-gpu-divide-rows`, since launches read the grid there. The rows
    are processed side by side by `--tile-gpu-stage-rows`. Kernels with atomic updates keep their blocks.

    Example: layer norms of 101 bf16 rows of 165351 columns have 53 blocks, of rows 0 and 8, 1 and 9, …
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "target architecture">,
                 Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">,
                 Option<"exact", "exact", "bool", "false", "plan without passes that change results">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numPaired", "num-paired", "kernels whose blocks process two rows">];
}

def MakePlan : Pass<"tile-gpu-make-plan", "::tilegpt::tile::KernelOp"> {
  let summary = "Choose a kernel's execution plan: warps, pipeline stages, warp roles";
  let description = [{
    Attaches a `#tile_gpu.plan` to a specialized kernel that has none. Kernels that reduce rows are planned for the expected
    occupancy, one or two blocks per multiprocessor if rows are kept in shared memory (`--tile-gpu-stage-rows`). If launches
    overlap and the number of blocks of a matmul is known, `tile_gpu.resident` limits the occupancy;
    tile-gpu-allocate-shared enforces it by requesting additional shared memory. Kernels without dots that have no loop, or a
    reduction loop whose warps read whole rows, get `tile_gpu.least_residents`, the occupancy that ptxas must leave registers
    for; it then gives each thread its full share, for loads in flight.

    `tile.wanted_plan`, a dictionary of integers named after the plan's parameters, requests plan parameters. It is applied if
    all of them are valid: a split that blocks can perform (`parts`, `multicast`, `multicastAxis`), `teams` = 1 (no
    ping-pong), a producer with at least that many `stages`; `warps`, a power of two up to 32 (4 or 8 with matmuls), without
    a producer or rows in shared memory; `raster` and `overlap` are free. Otherwise the kernel gets its default plan, with a
    warning.

    Operands of dots that span a whole axis along K, where K is not a multiple of the K of `mma.sync`, are loaded with zero
    padding, unless a producer feeds them.

    f8 operands of full-precision dots are cast to the type in which they are multiplied if that enables a main loop.
    Accumulating dots in loops without a producer are marked with `tile_gpu.wgmma` if warp groups can compute them.

    If a producer copies a few KB for each step of a matmul, and a block has at least two rounds of stages of them, two steps
    along K become one: their synchronization takes longer than their copies.

    Example: `tile.kernel @softmax …` gets `tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = 8>`.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "target architecture">,
                 Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">];
  let dependentDialects = ["::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numStepsGrown", "num-steps-grown", "matmuls of which two steps became one">];
}

def ShiftTiles : Pass<"tile-gpu-shift-tiles", "::tilegpt::tile::KernelOp"> {
  let summary = "Shift the last tile along an axis so that it ends with the data";
  let description = [{
    If a producer copies the tiles of a kernel and the last tile along an axis of the grid would extend past the data, it is
    shifted to start at the extent minus the tile size. Both tiles compute and store the overlap, with bit-identical results.
    This avoids out-of-bounds rows, which TMA fills with zeros and which take about three times as long as others. All
    accesses along the axis get a one-tile window (`tile.subview`).

    Requirements: the extent is constant, the same for all accesses, and larger than a tile; elements at different positions of
    the axis never interact; the kernel does not read what it stores; a loop loads along the axis (a single load hardly
    matters); K is not split in clusters.

    Example: 202 rows in tiles of 128 are rows 0 … 127 and 74 … 201, not rows 128 … 255.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numShifted", "num-shifted", "axes whose last tile is shifted">];
}

def VersionKernels : Pass<"tile-gpu-version-kernels", "::mlir::ModuleOp"> {
  let summary = "Clone raw kernels for launches with aligned arguments";
  let description = [{
    A raw kernel that does not know the alignment of its pointers and strides gets no TMA, no 16-byte copies and no vector
    accesses. For each such kernel that loads or stores tiles, the pass adds a version, `@NAME$aligned`, that assumes what
    16-byte accesses need (`AlignedArguments.h`): pointers and row strides that are multiples of 16 bytes, last strides of
    1, and, unless TMA copies the rows, row lengths that are multiples of 16 bytes. Kernels that multiply narrower elements
    than 4 bytes also get `@NAME$words`, for multiples of 4 bytes, the narrowest `cp.async`.
    `tile.version_of` names the kernel that it is a version of, and `tile.assumed_arguments` holds the conditions, which
    the launching code checks. Kernels that already assume all of them, or have more than `max-ops` operations, get no
    version. Bit-preserving.

    Example: `@k(%p: !tile.ptr<bf16>, %m: i32, %s: i32)`, which loads tiles from `tile.view_at %p sizes [%m, 64] strides
    [%s, 1]` and multiplies them, gets a version `@k$aligned` with `tile.assume %p div_by 16` and `tile.assume %s div_by 8`.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "architecture to compile for">,
                 Option<"maxOps", "max-ops", "int64_t", "2000", "kernels of more operations get no version">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numVersions", "num-versions", "versions added">];
}

def LiftViews : Pass<"tile-gpu-lift-views", "::tilegpt::tile::KernelOp"> {
  let summary = "Turn views that a raw kernel creates from pointers into arguments";
  let description = [{
    In raw kernels with dots, on targets with TMA: a `tile.view_at` becomes an additional argument, and `tile.launch_views`
    records how the launch computes it. It is then an ordinary view, which can have a TMA descriptor. It must have 2 to 5 axes,
    the last with stride 1; address and other strides that the kernel assumes to be multiples of 16 bytes (`tile.assume`); and
    sizes and strides that the launch can compute: constants, integer arguments, and sums, differences, products and quotients
    of them. No other pointer may alias it if either is written (`tile.alias_classes`), unless the kernel reads through this
    view before it writes anything or waits for other blocks; written memory must be written through this view and not read. A
    remark says why a view is not lifted. Bit-preserving.

    Example: `%v = tile.view_at %p sizes [%m, %k] strides [%k, 1]`, where `%p` is argument 0, `%m` and `%k` are casts of
    arguments 1 and 2, and `%k` is assumed to be a multiple of 8, becomes an argument of the view's type and
    `{alignment = 16, pointer = 0, size_divisors = array<i64: 1, 8>, stride_divisors = array<i64: 8, 1>,
    words = affine_map<()[s0, s1, s2] -> (s1, s2, s2, 1)>}`.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "target architecture">];
  let dependentDialects = ["::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numLifted", "num-lifted", "views turned into arguments">];
}

def DropUnitAxes : Pass<"tile-gpu-drop-unit-axes", "::tilegpt::tile::KernelOp"> {
  let summary = "Drop unit axes of matmul operands";
  let description = [{
    In kernels with dots: a single-batch dot becomes a matrix dot. Loads and stores of tiles with unit axes for it become those
    of an entry of the view, or of an empty window if the entry is out of bounds; loop-carried values, elementwise ops, splats
    and broadcasts lose the axes too. Bit-preserving.

    Example: `tile.dot (tile.load %a[%z, %m, %k] [1, 64, 32]), …` becomes
    `tile.dot (tile.load (tile.select %a[%z])[%m, %k] [64, 32]), …`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilegpt::tile::TileDialect"];
}

def PlaceScratch : Pass<"tile-gpu-place-scratch", "::tilegpt::tile::KernelOp"> {
  let summary = "Allocate per-block scratch memory from an arena in the module";
  let description = [{
    `tile.scratch` becomes a part of a slot of a shared, zero-initialized `tile.data`. There are slots for 4096 blocks, or
    as many as fit in 128 MiB. A block tries slots in turn, exchanging a slot's state for 1 (`acquire`) until the old state
    is 0, and stores 0 when it is done (`release`), so blocks of concurrent launches have separate slots. If there are fewer
    slots than resident blocks, some blocks wait for others; kernels with dots, whose blocks may wait for each other, are
    rejected then.

    Example: `tile.scratch 1024 : !tile.ptr<f32>` becomes a `tile.int_to_ptr` of `tile.data shared "scratch" …` and 4096
    bytes for each preceding slot.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
                           "::tilegpt::tile::TileDialect"];
}

def ExpandBytes : Pass<"tile-gpu-expand-bytes", "::tilegpt::tile::KernelOp"> {
  let summary = "Expand conversions between values and bytes to shifts";
  let description = [{
    `tile.bytes` becomes a tile with an additional axis for the bytes of a value: to bytes, each value is broadcast along it,
    shifted and truncated; from bytes, they are shifted and combined by `tile.reduce or`. Bit-preserving.

    Example: `tile.bytes %x : tensor<64xf32> -> tensor<256xi8>` becomes an `arith.shrui` of a `tensor<64x4xi32>`, truncated
    and reshaped.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tile::TileDialect"];
}

def ExpandArgmax : Pass<"tile-gpu-expand-argmax", "::tilegpt::tile::KernelOp"> {
  let summary = "Reduce a long row to its extreme and the column that holds it at once";
  let description = [{
    `argmax` and `argmin` of one row of 2048 columns or more become a reduction of pairs of an element and its column, by a
    region that keeps the greater or smaller element and, of equal ones, the smaller column. Blocks can reduce pairs in parts
    and exchange them at once (`tile-gpu-stage-rows`); a thread finds the extreme of its elements first and then its column.
    Rows that are extended to a wider type are reduced before that, in half of the registers. Bit-preserving.

    Example: `tile.reduce argmax %x axis 1 : tensor<1x128256xf32> -> tensor<1xi32>` becomes a `tile.reduce` of `%x` and its
    column indices, with the identities minus infinity and 2³¹ - 1.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numExpanded", "num-expanded", "reductions of pairs">];
}

def NormalizeDots : Pass<"tile-gpu-normalize-dots", "::tilegpt::tile::KernelOp"> {
  let summary = "Normalize different forms of a dot";
  let description = [{
    In kernels with dots: a tile of a transposed view, one loaded with a permuted axis order, or one at offsets whose columns
    are adjacent in memory, is loaded in memory order and permuted; a permutation moves behind the elementwise ops on the way to a dot; a dot of a permuted matrix becomes a
    dot with `transpose_a` or `transpose_b` toggled; and `arith.addf` of a loop-carried value and a dot with a zero
    accumulator becomes a dot that accumulates into the loop-carried value. Only the order of a sum changes, which is
    unspecified for a dot.

    Patterns of attention are normalized too, bit-preserving:
    - A mask that is added to a dot with a zero accumulator, as 0 or a constant, becomes a select, and so does a condition
      that is converted and multiplied by a constant.
    - A comparison of indices along one axis becomes one of whole tiles.
    - A loop-carried maximum drops a floor that is not above its initial value.
    - A maximum of rows times a positive number becomes the maximum of the scaled values that the loop computes.
    - Bit operations that order the zeros of a maximum or minimum are dropped, since GPU instructions order them.
    - A reduction whose axis `tile.expand_dims` restores becomes `keepdims`.
    - An FMA of a loop-carried value and a row sum becomes a product and a sum, which LLVM contracts.
    - `arith.truncf` to nearest becomes `tile.cast`; a narrowing cast after `tile.cat` becomes one for each part.
    - In a loop, a dot whose right operand is a `tile.cat` of halves along K becomes two dots, of halves of a loaded left
      operand.
    - Scores of a loop that are only left operands with `transpose_a`, after elementwise ops, are computed transposed: the
      gradients PᵀdO and dSᵀQ of S = QKᵀ become those of Sᵀ = KQᵀ, whose left operands stay in registers.

    Example: `tile.dot (tile.load (tile.transpose %w)[%k, %n]), …` becomes `tile.dot (tile.load %w[%n, %k]), … transpose_b`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numTransposed", "num-transposed", "loops whose scores are transposed">];
}

def ScaleAfterLoop : Pass<"tile-gpu-scale-after-loop", "::tilegpt::tile::KernelOp"> {
  let summary = "Scale the sum of a loop instead of an operand of its dot";
  let description = [{
    If all iterations of a loop multiply an operand's rows (or columns, those of the result) by the same scales and the dot adds
    to a sum that starts at zero, the scales multiply the sum after the loop, provided that the operand is exact without them:
    i8 weights that are converted, or a tile of the operand's own type.

    Not bit-preserving: the operand is not rounded again, which changes each of its elements by up to 2⁻⁹ (relative) in bf16
    and 2⁻¹² in f16, and the scales round the sum once, to 2⁻²⁴.

    Example: in a loop, `tile.dot %x, (tile.cast (arith.mulf %w, broadcast %s)), %sum transpose_b` becomes
    `tile.dot %x, %w, %sum transpose_b`; after it, the sum is multiplied by the scales as a row.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numOperands", "num-operands", "operands that are not scaled before their dot">];
}

def ScaleScores : Pass<"tile-gpu-scale-scores", "::tilegpt::tile::KernelOp"> {
  let summary = "Scale scores that become exponents instead of queries or keys";
  let description = [{
    A query, or keys, that the kernel multiplies by a scalar and rounds to 16 bits before a loop's dot must be computed and
    written to shared memory. If the dot has a zero accumulator and its result becomes an exponent through products, sums,
    selects and tanh, the scalar multiplies the result instead, which is free because exponents have a factor anyway. Scalars
    are constants and function values, as factors or divisors.

    Not bit-preserving: the operand is not rounded again, which changes each of its elements by up to 2⁻⁹ (relative) in bf16
    and 2⁻¹² in f16, and the factor rounds the score once, to 2⁻²⁴.

    Example: `tile.dot (tile.cast (arith.mulf (tile.cast %q), splat %c)), %k, %zeros` becomes
    `arith.mulf (tile.dot %q, %k, %zeros), splat %c`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numDots", "num-dots", "dots whose result is scaled instead of an operand">];
}

def DeferDivision : Pass<"tile-gpu-defer-division", "::tilegpt::tile::KernelOp"> {
  let summary = "Divide weighted sums by the sum of weights once, after the loop";
  let description = [{
    A loop that carries a quotient, `o' = (l·a·o + e·V) / l'` with a column `l` that becomes `l'`, carries `u = l·o`
    instead: `u' = a·u + e·V`, and `o = u / l` after the loop. Columns are traced through products, quotients and broadcasts,
    before the dot, in its left operand and after it. `o` must start at zero, and stays zero if there are no iterations.

    Not bit-preserving: e is rounded to the values' type instead of e / l', with the same precision; one quotient per element
    is rounded instead of one per iteration.

    Example: `arith.divf (tile.dot %p, %v, (arith.mulf %o, %la)), %l` in the loop becomes
    `tile.dot %p, %v, (arith.mulf %u, %a)`, and `arith.divf %u, %l` after it.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numDivisions", "num-divisions", "divisions moved after their loop">];
}

def SwapOperands : Pass<"tile-gpu-swap-operands", "::tilegpt::tile::KernelOp"> {
  let summary = "Transpose dots whose right operand is computed or whose rows do not suit wgmma";
  let description = [{
    wgmma takes its left operand from registers, but its right one only from shared memory. A loop that only accumulates dots of
    loaded left operands and right ones of which it computes some (weights that are converted, scaled or unpacked) accumulates
    the transposed products instead, with a `tile.permute` of each sum after it. So does a loop with a single dot of loaded
    operands whose rows cannot be divided among warp groups, 64 or 128 each, but whose columns can: the N of a `wgmma` may be
    any multiple of 8. Bit-preserving: each element is the same sum.

    A left operand that the loop computes, element by element, from tiles that are contiguous along its rows (weights of `x·w`)
    is permuted instead of transposed by the dot, so that it can be in registers: threads read the copied tiles in its layout.

    Example: `tile.dot %x, (cast %q), %acc transpose_b : [128, 64], [256, 64]` becomes
    `tile.dot (cast %q), %x, %acc transpose_b : [256, 64], [128, 64]`.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numDots", "num-dots", "transposed dots">];
}

def FormMainloop : Pass<"tile-gpu-form-mainloop", "::tilegpt::tile::KernelOp"> {
  let summary = "Form main loops that a producer feeds";
  let description = [{
    In kernels whose plan has a producer, every loop with a `tile.dot` becomes a `tile_gpu.mainloop`: the loads that TMA can
    perform, with the scalars that compute their coordinates, move to its `produce` region, everything else to its `consume`
    region. Tiles from outside the loop that dots read become residents. f8 dots, whose accumulation would lose precision, get
    zero accumulators, and their results are added in f32.

    Fails, with a reason, if a producer cannot feed a loop. Later passes do not analyze the loop again: they read and edit the
    op.

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
  let summary = "Turn dots of fully loaded operands into loops over K";
  let description = [{
    A `tile.dot` with enough rows for an MMA instruction, whose operands are loads of their whole K, becomes a loop over K
    steps of 64, as in kernels for many rows, which a producer can feed. K up to 256 is not split.

    Example: `tile.dot` of `tile.load %x[0, 0] [16, 768]` and `tile.load %w[%n, 0] [32, 768]` becomes
    `scf.for %k = 0 to 12 { tile.dot (tile.load %x[0, %k] [16, 64]), (tile.load %w[%n, %k] [32, 64]) }`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def JoinIterations : Pass<"tile-gpu-join-iterations", "::tilegpt::tile::KernelOp"> {
  let summary = "Join iterations of few keys of loops that warp groups share";
  let description = [{
    Each iteration of attention waits for a dot, finds maxima and synchronizes, however few keys it has. Where two warp groups
    share the rows, two or four iterations become one, of up to 128 keys, if three stages of them fit. Loops may carry what
    `--tile-gpu-split-iterations` accepts; their bounds must be known to be multiples, or a mask must hide what follows the end.
    Changes how many keys an online softmax adds at a time.

    A request for `pieces` in `tile.wanted_plan` counts pieces of joined iterations.

    Example: a loop over `tile.load %k[%j, 0] [64, 64]` of 32 iterations becomes one of 16 over `[128, 64]`.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "target architecture">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numJoined", "num-joined", "kernels whose iterations are joined">];
}

def SplitIterations : Pass<"tile-gpu-split-iterations", "::tilegpt::tile::KernelOp"> {
  let summary = "Split iterations whose tiles do not fit the registers of warp groups";
  let description = [{
    If a producer could feed the loops of a kernel, but the threads that multiply lack the registers for their tiles, each
    iteration becomes two or four of a half or a quarter of the keys. This requires that loops carry nothing but online
    softmaxes and sums of dots along the axis that the iterations divide. A piece may see no key, where the whole tile did:
    maxima that start at minus infinity start at -1e30 instead if masks make scores minus infinity.

    A request for `pieces` in `tile.wanted_plan` splits loops that fit as well.

    Example: a loop over `tile.load %k[%j, 0] [128, 128]` of 16 iterations, whose dots of 128 rows carry two sums of 128 x 128,
    becomes one of 32 over `tile.load %k[%j, 0] [64, 128]`.
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "target architecture">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numSplit", "num-split", "kernels whose iterations are split">];
}

def PickColumns : Pass<"tile-gpu-pick-columns", "::tilegpt::tile::KernelOp"> {
  let summary = "Load the single element that a comparison selects from a row instead of summing the row";
  let description = [{
    The row sum of values selected where the column index equals a per-row index, with zeros elsewhere, is the element of
    that column, or zero if there is none. If the value is computed elementwise from rows of at least 256 bytes that the
    kernel does not write, only that element is loaded (`tile.load_at`) and computed. The loss of a label then costs one
    access per row instead of a comparison, a select and an addition per element.

    Example: `tile.reduce add (select(iota = label, %x - %max, 0)) axis 1` becomes `tile.load_at %base[row * C + label]`
    minus `%max`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numPicked", "num-picked", "sums replaced by one element">];
}

def FuseExponentialSums : Pass<"tile-gpu-fuse-exponential-sums", "::tilegpt::tile::KernelOp"> {
  let summary = "Compute the maximum of a row and the sum of its exponentials in one reduction";
  let description = [{
    A maximum along an axis, and the sum of `exp(x - max)` or `exp2(x - max)` along it, become one reduction of pairs: the
    maximum of a part of the row, and the sum of exponentials relative to that maximum. Two parts are combined by rescaling
    both sums to the larger maximum, so threads, warps and the blocks of a cluster exchange data once instead of twice, and a
    row in shared memory is read once. The exponent may have a constant positive factor.

    Exponentials are computed as powers of two (`afn`), with a relative error of 2^-22 plus that of rounding their exponent.
    Since terms with large exponents are small, a sum of n terms is wrong by at most 2^-22 + ln(n) * 2^-24 besides the rounding
    of its additions: 2^-20 for n = 200000. A row that is minus infinity, or has an infinity or a NaN, gives the same NaN as
    before.

    If the exponentials have other uses, as in a softmax, nothing changes: computing them twice takes longer than a second
    exchange. Disabled by `--exact`.

    Example: `%m = tile.reduce max %x axis 1` and `%s = tile.reduce add (math.exp (%x - %m)) axis 1` become
    `%m, %s = tile.reduce %x, %ones axis 1 identities [-inf, 0.0] { … }`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let statistics = [Statistic<"numFused", "num-fused", "sums of exponentials fused with their maximum">];
}

def GatherRows : Pass<"tile-gpu-gather-rows", "::tilegpt::tile::KernelOp"> {
  let summary = "Turn operands that are gathered rows into `tile.gather`";
  let description = [{
    Kernels on pointers read rows by index through offsets, `rows·stride + columns`, masked by `rows < height` and
    `columns < width`. If such a tile is an operand of a dot and its columns are whole tiles, it becomes a gather of rows of a
    view of these sizes, which supports asynchronous copies and vector accesses.

    Example: `tile.load_at %p[%rows·%s + (64·%k + iota)] mask(%rows < %m and … < %n)` becomes
    `tile.gather %view[%k] at %rows axis 0 [128, 64]`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numGathered", "num-gathered", "loads by offset turned into gathers">];
}

def FlattenElements : Pass<"tile-gpu-flatten-elements", "::tilegpt::tile::KernelOp"> {
  let summary = "Process contiguous runs instead of rows in elementwise kernels";
  let description = [{
    An elementwise kernel whose loads and stores all use the same position of dense arguments with the same width does not
    depend on row boundaries. If the width of rows prevents 16-byte accesses, leaves more than a tenth of the tiles as padding,
    or is cut into less than 128 bytes, each block processes as many consecutive elements instead. The grid is unchanged;
    blocks past the end do nothing.

    Likewise, a reduction loop that loads tiles of whole rows and computes elementwise processes them as tiles of one axis, which
    are cut into rows after the loop (`tile-gpu-fold-rows` makes such tiles).

    Example: `tile.load %a[%m, %n]` of `tensor<4x256xf32>` from `!tile.view<?x3001xf32>` becomes `tile.load` of
    `tensor<1024xf32>` from `tile_gpu.run %a[%m * 12 + %n] length 1024`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numFlattened", "flattened", "kernels that process runs">,
                    Statistic<"numLoopsFlattened", "loops-flattened", "loops that process runs">];
}

def CoverColumns : Pass<"tile-gpu-cover-columns", "::tilegpt::tile::KernelOp"> {
  let summary = "Read unaligned rows in whole units where their columns are summed";
  let description = [{
    The alignment of the rows of a dense matrix repeats after up to 16 of them. A loop that sums tiles of such rows
    elementwise reads the 16-byte units that cover its part of each row (`tile_gpu.load_covering`), one more than there are
    in the tile, and carries their sums, in which only rows of the same alignment meet. After the loop the sums of all
    alignments are shifted and added up (`tile_gpu.sum_shifted`). `--tile-gpu-fold-rows` sizes and marks the tiles. Changes
    the order of sums.

    Example: tiles of `[32, 248]` of bf16 in rows of 185535 become tiles of `[32, 256]`, whose sum of `[8, 256]` becomes one
    of 248 columns.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numCovered", "num-covered", "loops that read whole units">];
}

def ExpandDots : Pass<"tile-gpu-expand-dots", "::tilegpt::tile::KernelOp"> {
  let summary = "Expand dots with few rows to multiplications and sums";
  let description = [{
    A `tile.dot` whose result has too few rows for an MMA instruction becomes, row by row, an elementwise product and a
    `tile.reduce`: it is bound by reading the other operand, which is then distributed over all threads like any tile. This
    applies to dots of one row; of up to eight rows whose operands are loaded with their whole K outside of a loop, which are
    multiplied in pieces; and of up to eight rows whose products fit registers if no MMA instruction supports their operand
    types.

    Example: `tile.dot %x, %w, %c transpose_b : tensor<1x768xf32>, tensor<8x768xf32>, tensor<1x8xf32>` becomes
    `tile.reduce add (%x broadcast · %w) axis 1`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def PickElements : Pass<"tile-gpu-pick-elements", "::tilegpt::tile::KernelOp"> {
  let summary = "Load single elements instead of tiles of which only these are used";
  let description = [{
    Kernels read descriptions of their operands, such as an address, sizes and strides, by one tile, from which they extract
    single elements. Each becomes a load of its own, which a producer can repeat.

    Example: `tile.extract (tile.load %table[%g, %0] [1, 8])[%0, %3] [1, 1]` becomes `tile.load %table[%g, %3] [1, 1]`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numPicked", "num-picked", "elements loaded instead of tiles">];
}

def FlattenGuards : Pass<"tile-gpu-flatten-guards", "::tilegpt::tile::KernelOp"> {
  let summary = "Move loops that multiply out of a block's guards";
  let description = [{
    Blocks without work, such as those behind the last row of a sequence or group, skip it by a condition around everything
    (`scf.if`). A main loop must not be nested in a condition, since the producer runs it too. The pass moves the contents of
    such a guard in front of it: loops run no iteration unless the condition holds, windows (`tile.subview`) that it reads
    are empty, and stores and other effects keep a guard each. The condition must follow from sizes and single elements of
    inputs. Tiles loaded in the guard outside of loops must be of arguments, or of windows with a size known at run time.

    Example: `scf.if %c { %s = scf.for %i = %0 to %n … ; tile.store %s, … }` becomes `%m = arith.select %c, %n, %0`,
    `%s = scf.for %i = %0 to %m …` and `scf.if %c { tile.store %s, … }`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numGuards", "num-guards", "conditions whose loops moved out">];
}

def BoundIterations : Pass<"tile-gpu-bound-iterations", "::tilegpt::tile::KernelOp"> {
  let summary = "Skip iterations whose results a mask or a window hides";
  let description = [{
    Masked scores of an online softmax change neither a maximum nor a sum. Masks are recognized as affine conditions on row
    and column, joined by "and" and "or": causal masks, sliding windows, lengths, prefixes. A conjunction gives its tightest
    bound and ignores conditions that are not affine; a disjunction gives its loosest, and all of its conditions must be
    affine. The first and last iteration in which any row of the block sees a key follow from their extremes over the block,
    and become the loop bounds, on every target.

    Where every alternative of a disjunction holds from no iteration on or before none, as for the first keys or a window, the
    loop is split in two, and the iterations between them are left out. If the maximum starts at minus infinity, every row must
    see one of the first keys, which is checked at run time.

    A loop of several softmaxes (differential attention) is bounded if all have the same mask. The loop must compute nothing
    else: no other carried values, no side effects.

    Before that, masks of masked tiles are merged, those of positions in a table are removed if the same mask hides the
    scores, masks that are added as 0 or a low number become selects, and comparisons of absolute values (|q - k| < w) are
    split in two. Comparisons of quotients of positions by one constant (k / 64 == q / 64, or <=), or equality of quotients
    by one scalar, become comparisons of k with multiples computed before the loop. These only grow with the row, so chunks
    and blocks bound the loop like windows, and no iteration divides. A quotient rounded towards zero qualifies if the key's
    position is known not to be negative.

    Masks that compare an i32 per key with an i32 per row for equality (document or segment ids), both loaded from inputs,
    bound the loop at run time: each warp scans for the first key whose id is in the id range of the block's rows, and for
    the last one unless positions already bound the end (`tile_gpu.match_range`). Ids may be in any order; sorted ids skip
    most. The scan costs about one cycle per key. Masked scores must be minus infinity.

    The same applies to masks of other loops with two or more dots if a masked iteration leaves all loop-carried values
    unchanged: the masked scores, or their exponentials, are zeros whose products are accumulated (no maximum, a gate, a
    gradient). As in a dot, what zeros are multiplied with must be finite.

    A loop that only reads runs not at all in blocks that store none of its results: if each of the stores that depend on it
    is to a window (`tile.subview`) that ends, at a size known at run time, before the stored tile begins. A grid may thus
    have blocks for the most rows that a group of a grouped product can have.

    Masked scores are minus infinity, or -10⁴ and less, or have such a value added, if all rows of the block see a key (checked
    at run time for the first and the last row; otherwise the loop runs in full, since rows without keys are a mean of all
    values). Iterations before the first key are kept if they would make a row NaN: with minus infinity, unless the kernel
    replaces a maximum of minus infinity before subtracting it, or starts from a finite number.

    Example: keys `k` with `k > q - 256` and `k <= q`, 64 per iteration, for rows q0 … q0 + 127: the loop runs from
    max(0, q0 - 255) / 64 to (q0 + 127) / 64 + 1.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numLoops", "num-loops", "loops with tightened bounds">,
                    Statistic<"numMasks", "num-masks", "masks of masked tiles merged">,
                    Statistic<"numComparisons", "num-comparisons", "comparisons of positions instead of distances or quotients">];
}

def LimitIterations : Pass<"tile-gpu-limit-iterations", "::tilegpt::tile::KernelOp"> {
  let summary = "Skip iterations in which a warp group sees no key";
  let description = [{
    In kernels whose warp groups split the rows of an online softmax: scores that a mask `key <= row` hides are minus infinity,
    which changes neither a maximum nor a sum. The rows of the first groups end before those of the block, so all scores of
    their last iterations are masked. The same applies to other loops whose masks make iterations idle (see
    `tile-gpu-bound-iterations`).

    Example: a loop whose iteration j has the keys from 128·j on, for rows from %q on, gets
    `tile_gpu.limit_iterations %n` with n = ⌈(%q + 64·(group + 1)) / 128⌉.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numLoops", "num-loops", "loops with iterations that some warp groups skip">];
}

def SplitSums : Pass<"tile-gpu-split-sums", "::tilegpt::tile::KernelOp"> {
  let summary = "Carry row sums as per-lane partial sums";
  let description = [{
    In kernels with a producer, a loop-carried column that accumulates row sums (`l·a + Σ e`) becomes four columns: each of the
    four lanes that share a row keeps a partial sum, and lanes are combined after the loop instead of in every iteration. The
    same applies to loops in which `mma.sync` distributes the columns of few rows over several warps: four for each of them.
    The initial value is divided evenly. Not bit-preserving: the order of the additions changes.

    Example: `%l` of `tensor<64x1xf32>` becomes `tensor<64x4xf32>`, `tile.reduce add %e axis 1 keepdims` becomes a
    `tile.reshape` to [64, 16, 4, 2] and sums along its axes 3 and 1.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numSums", "num-sums", "sums carried as per-lane partial sums">];
}

def SkipMasks : Pass<"tile-gpu-skip-masks", "::tilegpt::tile::KernelOp"> {
  let summary = "Apply masks only to tiles that they cut";
  let description = [{
    An `arith.select` whose condition compares indices (sums of `tile.splat` and `tile.iota`) is only needed in some iterations
    of a loop: if the maximum of one side is below the minimum of the other, every element is kept. In kernels with a
    producer, the mask moves into a branch, which the iterations before the diagonal do not take. If a mask is already in such
    a branch, each of several conditions gets its own branch: few tiles are cut by both bounds of a window. Softmax recognition
    expects a single branch, so the pass runs before and after `tile-gpu-relax-softmax`.

    Example: `%s = arith.select %seen, %x, %c` with `%seen = arith.cmpi sle, %k, %q` becomes
    `%s = scf.if %all_seen { scf.yield %x } else { %seen = …; %m = arith.select %seen, %x, %c; scf.yield %m }`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numMasks", "num-masks", "masks that some iterations skip">];
}

def RelaxSoftmax : Pass<"tile-gpu-relax-softmax", "::tilegpt::tile::KernelOp"> {
  let summary = "Keep the maximum of an online softmax while exponentials stay in range";
  let description = [{
    A loop that carries a maximum `m`, sums and weighted sums of `exp2(x - m)` computes the same result for any `m`, as long as
    the exponentials neither overflow nor all underflow. In main loops an iteration uses the current `m`, and only if a sum of
    exponentials exceeds 2¹⁵ anywhere in a warp does it find the maximum and rescale the accumulators. Exponents become
    `2^(x·c - m·c)` by one FMA, where c combines all scalar factors, and log₂e for `exp`; they are `2^((x - m)·c)` in
    iterations that find a maximum which may be huge because scores are (a bias, a finite masking constant).

    Not bit-preserving: another number is subtracted, with the same rounding, and the product with c is not rounded;
    exponentials are accurate to 2⁻²² and |x·c|·2⁻²⁴ (relative). If the dots of the loop multiply 16-bit tiles, the score
    computation after them is approximate too: a quotient by a scalar becomes a product with its reciprocal, a product and
    the sum it feeds become an FMA (2⁻²³ of the score), and functions that reach scores only through continuous operations
    get the fast-math flag `afn`. tanh is `tanh.approx`, with a relative error of up to 2⁻¹¹, and so is a score capped as
    c·tanh(x/c): a fraction of the effect of rounding queries and keys to bf16. exp, exp2, sqrt and logarithms are one
    instruction; logarithms are accurate to 2⁻²² of 1 or of themselves, log1p to 2⁻¹⁴. A logarithm that is rounded to an
    integer, compared or used as an index keeps its precision. Powers below 2⁻¹²⁶ that the kernel flushes to zero are kept.

    The weights that are multiplied may be exponentials times factors, or masked, if neither depends on scores or the maximum:
    scales of values, dropout. f16 weights may only have constant factors below 2, since exponentials reach 2¹⁵.

    If all scores are c·x, with a scalar c > 0 from before the loop, x is compared: `m` becomes a maximum of x, and c part of the
    exponents' scale. If there is more between the dot and the mask, such as positional terms or a bias, the exponent is a sum
    of FMAs, one per term, starting at -m·c, and no score is materialized; the mask selects exponents. All of that is in both
    branches of the mask, with the exponentials, to overlap with their latency; an iteration that finds the maximum recomputes
    its scores. Each term is rounded once, to 2⁻²⁴ of the partial sum.

    If a score is c·(q·k) + t, with t computed without dots and loop-carried values, the dot's accumulator starts at t/c instead
    of zero, and at minus infinity where a mask compares data from memory: in main loops with several warp groups an iteration
    computes these while the deferred dots of the previous one run. c must be positive and from before the loop; t is a sum of
    positions relative to the row (`key - query`) times scalars, since terms that grow along the rows would cost the products
    precision, and of tiles widened from f16: numbers near the end of the f32 range, which mask scores in bf16 and f32, would become
    minus infinity. Tensor cores truncate some 2⁻²³ of a sum every 16 products: 2⁻²⁰ of t for rows of 128 elements.

    A loop may have several softmaxes, each with its own maximum, sum and output (differential attention). No other value of
    the loop may depend on `m`, and code after the loop must not, either. These do not: quotients with the sum, the maximum
    plus the logarithm of the sum, powers of numbers minus the maximum that are added to the sum (a sink), and a second loop
    that continues the recurrence.

    If a mask cuts scores of both the last and the first iterations, or any scores by conditions that are not affine
    (documents), or if scores depend on the key's position, the loop runs in reverse (`tile_gpu.descending`): the iteration that
    finds a maximum then has a mask anyway, and more distant keys do not raise it. In a plan with one warp group the branch that
    rescales the accumulators is separate and last, so that everything else can overlap with the dots of the previous iteration.

    Example: `%e = math.exp2 (%x - (max(%m, reduce max %x)))` becomes `%e = math.exp2 (%x - %m)` and
    `scf.if (tile_gpu.any (reduce add %e > 32768)) { … }` around the exact computation.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numLoops", "num-loops", "loops that keep their maximum">];
}

def RelaxRounded : Pass<"tile-gpu-relax-rounded", "::tilegpt::tile::KernelOp"> {
  let summary = "Use approximate exponentials and logarithms if results are rounded to 16 bits";
  let description = [{
    An f32 exponential that reaches memory only through products, quotients, roots, selects, log1p, and sums of exponentials
    (including loop-carried ones, and sums with non-negative numbers, as in 1/(1 + e⁻ˣ)) and is finally rounded to 16 bits
    gets the fast math flag `afn`: the rounding error of its exponent, at most 2⁻¹⁷ of the result, does not matter there.
    Subnormal results become 0. log1p gets the flag too and is then accurate to 2⁻¹⁴: softplus takes two instructions and a
    few products.

    In a loop with dots of tiles of at most 16 bits, functions of their results (tanh, exp, logarithms, roots) get the flag as
    well if only operands of dots rounded to 16 bits, and row reductions, depend on them, continuously: weights without an
    online softmax, gradients. The products have larger errors: tanh has one of up to 2⁻¹¹. Quotients by a scalar from before
    the loop become products with its reciprocal.

    In a loop, the exponent of such an exponential is contracted: e^(c·x + t) becomes 2^(c'·x + t'), one FMA per term, with
    factors computed before the loop. Each term is wrong by up to 2⁻²³ of itself.

    Example: `%e = math.exp %x` before `tile.cast (arith.divf %e, %sum) : tensor<1x768xf32> to tensor<1x768xbf16>`
    becomes `math.exp %x fastmath<afn>`.
  }];
  let dependentDialects = ["::mlir::math::MathDialect"];
}

def PrefetchLoads : Pass<"tile-gpu-prefetch-loads", "::tilegpt::tile::KernelOp"> {
  let summary = "Prefetch the tiles of a loop into registers";
  let description = [{
    A loop without matrix dots carries the tiles it loads from one iteration to the next: while one is summed, the next is
    in flight, or several if an iteration reads little and also stores; such a loop is unrolled, since a tile that moves
    from register to register would have to arrive first. A reduction loop of known trip count instead loads the tiles of
    several iterations at once, up to 16 KB or the available registers, if a warp reads whole rows or uses wide accesses;
    iterations past the end are masked.

    A loop with dots that does not store carries gathered operands, and operands at offsets, that are not copied to shared
    memory. If their
    addresses are computed from loaded indices, such as entries of a page table, the indices arrive another iteration
    earlier; operands with such addresses are left in place if every dot that uses them waits for another dot. A loop with
    few accumulators and without a producer also carries small tiles that operands are computed from, such as scales.

    In a loop that stores, loads by offset are carried too, their offsets computed ahead, unless the bounds of the loop are
    loaded. Such a loop carries nothing if all blocks of the grid run together, at least four on a multiprocessor, and these
    have enough loads in flight.

    Exceptions: loops without stores that access memory by offset; loops with atomics, or with accesses by offset that
    order others; other tiles whose address depends on more than the induction variable; tiles of tensors that the kernel
    writes if the loop stores; and, in a plan with stages, tiles that `--tile-gpu-pipeline-copies` will copy.

    Example: `%t = tile.load %x[%k]` in a loop over `%k` becomes an iteration argument, the first tile is loaded
    before the loop, and the body loads `%x[%k + 1]`.
  }];
  let options = [Option<"multiprocessors", "multiprocessors", "int64_t", "132", "multiprocessors of the device">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def AssignLayouts : Pass<"tile-gpu-assign-layouts", "::tilegpt::tile::KernelOp"> {
  let summary = "Assign a layout to every tile";
  let description = [{
    Dots, loads and stores determine layouts; elementwise ops, loops, reductions and broadcasts propagate them. Where two
    conflict, a `tile_gpu.convert_layout` is inserted. Each thread gets adjacent elements that fill one 16-byte access of the
    largest tile; if `--tile-gpu-overlap-launches` will bring that tile through shared memory, of the widest type along the
    same axis, so that a warp reads f32 rows next to 16-bit weights contiguously. Tiles that are only accessed by offset get as
    many adjacent elements as take the fewest instructions and lines.

    Offsets and masks of a store by offset of a dot's 16-bit elements get a layout of their own if nothing else of the dot uses
    them, and lanes of a warp exchange elements, so that each stores 16 or 8 contiguous bytes: four lanes that store 4 bytes
    each write half a sector.

    A load of a dot's operand in rows that may begin between two words, which no asynchronous copy can bring, is marked
    (`tile_gpu.realigned`): each thread gets 16 adjacent bytes, which it cuts out of two aligned vectors. If registers suffice
    for several blocks per multiprocessor, the kernel requires as many (`tile_gpu.least_residents`).

    Example: `%s = arith.addf %a, %b : tensor<128x96xf32>` becomes `arith.addf %a, %b : tensor<128x96xf32, #layout>`.
  }];
  let dependentDialects = ["::tilegpt::tilegpu::TileGPUDialect"];
}

def SpecializeRoles : Pass<"tile-gpu-specialize-roles", "::tilegpt::tile::KernelOp"> {
  let summary = "Specialize warps: split the threads of a kernel into a producer and consumers";
  let description = [{
    For kernels whose plan has a producer. One thread of an extra warp group copies the streams of each `tile_gpu.mainloop` by
    TMA into ring buffers of `stages` stages, as far ahead as these reach; consumers do everything else. They wait for a stage
    before the first dot or arithmetic that reads it and release it after the last. Streams that are read and released together
    share mbarriers; consecutive loops share ring buffers.

    Dots that only accumulate stay in flight when the next iteration starts. Where dots and arithmetic alternate (attention), a
    dot with a computed operand starts together with the first dots of the next iteration, and warp groups issue theirs in turns:
    one multiplies while others compute. Rows that copies bring from past the end of a window are cleared first. While such
    dots run, an iteration tests whether the stages that the next one starts with have arrived (`tile_gpu.probe`), and whether
    any must be cleared; the next one waits only if needed.

    Example: `tile_gpu.mainloop` over `tile.dot %a, %b, %acc transpose_b` becomes
    `tile_gpu.roles producer { scf.for … { tile_gpu.acquire …; tile_gpu.tma_load …; tile_gpu.tma_load … } } consumer {
    scf.for … { tile_gpu.await …; tile_gpu.async_dot …; tile_gpu.limit_dots 1; tile_gpu.release … } … }`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
}

def Persist : Pass<"tile-gpu-persist", "::tilegpt::tile::KernelOp"> {
  let summary = "Make blocks persistent";
  let description = [{
    For kernels whose plan is persistent: the body becomes a loop over the tiles assigned to a block. Bands of `raster` rows are
    traversed column by column, so that concurrent blocks share operands in L2. If the trip count of a loop grows along an axis
    of the grid (keys before a causal mask), tiles at the far end come first. If a producer feeds a loop that computes, or whose
    trip count depends on elements of inputs (rows of a group), blocks fetch tiles dynamically, so a free block takes the next
    one. Tiles of computing loops with the same right operands (of a head) are adjacent, `raster` such families at a time.

    Example: `%m = tile.block_id 0` becomes arithmetic on `%t` of `scf.for %t = %worker to %tiles step %num_workers`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
}

def ShareDepth : Pass<"tile-gpu-share-depth", "::tilegpt::tile::KernelOp"> {
  let summary = "Split K of dots among the blocks of a cluster";
  let description = [{
    For kernels whose plan has parts: with fewer tiles than multiprocessors, or small tiles, but large K. The P blocks of a
    cluster, adjacent along the columns of the result, compute the tiles of all of them together, each along every P-th K step,
    which copies fewer bytes per product. Then they exchange partial sums (`tile_gpu.sum_parts`), and each continues with its own
    tile. The order of the additions is fixed, but differs from that without parts.

    Example: `%s = scf.for %k = 0 to 48 { dot(load x[%m, %k], load w[%n, %k] [16, 64]) }` with `parts = 4` becomes
    `%t = scf.for %i = 0 to 12 { dot(load x[%m, 4·%i + %n mod 4], load w[%n / 4, …] [64, 64]) }` and
    `%s = tile_gpu.sum_parts %t part %n mod 4`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
}

def ShareRows : Pass<"tile-gpu-share-rows", "::tilegpt::tile::KernelOp"> {
  let summary = "Split the rows that a loop walks among the blocks of a cluster";
  let description = [{
    For kernels without a producer whose plan has P parts: groups of P blocks compute the same (`tile.block_id` is only used
    divided by P), and the loop carries tiles whose first axis is not reduced before the end of the loop, as in decode
    attention. Each block of a cluster takes its part of that axis, and of the rows that the loop loads for it. After the loop
    the blocks write their parts to each other's shared memory, and continue with all of them. Bit-preserving.

    Example: `scf.for … iter_args(%o = %z) -> tensor<32x64xf32> { tile.load %k[%j, %c0] [512, 64] … }` with `parts = 4`
    becomes `scf.for … -> tensor<8x64xf32> { tile.load %k[4·%j + %part, %c0] [128, 64] … }` and `tile_gpu.write_part`,
    `tile_gpu.arrive_cluster`, `tile_gpu.await_cluster`, `tile_gpu.read`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
}

def StageStores : Pass<"tile-gpu-stage-stores", "::tilegpt::tile::KernelOp"> {
  let summary = "Store dot results through shared memory";
  let description = [{
    In kernels with roles, a store of 16-bit elements in a dot's layout becomes a `tile_gpu.tma_store` if TMA can reach the
    argument and shared memory has room for a box of every warp group. In a window of rows (one sequence of many), partial tiles
    are stored directly: TMA would write past the window.

    A store of 32-bit elements becomes a `tile_gpu.row_store`, which supports unaligned rows (50257 columns), and so does one of
    16-bit elements whose rows are not aligned to memory sectors, 32 bytes.

    In other stores of rows that are not sector-aligned, the four lanes that share a row would write parts of two sectors. Each
    warp converts its part of the tile to rows first, so that one store of a warp is a run of 32 elements.

    In kernels without roles, lanes of a warp exchange the 16-bit elements of a dot's result, so that each stores 16 or 8
    contiguous bytes: four lanes that store 4 bytes each write half a sector.

    Example: `tile.store %t, %y[%m, %n]` becomes `tile_gpu.tma_store %t, %map[%row, %col] through %buffer`, and
    `tile_gpu.finish_stores` ends the consumers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
}

def StageRows : Pass<"tile-gpu-stage-rows", "::tilegpt::tile::KernelOp"> {
  let summary = "Keep rows that are too long for registers in shared memory";
  let description = [{
    For kernels, planned as such, that reduce whole rows. A row is copied to shared memory once; each reduction and store reads
    it from there, recomputing elementwise values. Only pieces are in registers, and a second block can work while this one waits
    for memory. If a row is too long for that, or if rows are too few to give every multiprocessor one, the blocks of a cluster
    keep a part each (`parts` of the plan) and exchange partial reductions. The grid then counts clusters: `tile.block_id` along
    x is the index of the cluster. Parts that are short enough may stay in registers instead (`inRegisters` of the plan): each is
    loaded once, in aligned units, for all uses.

    Rows may be unaligned (50257 columns of 16 bits). The tile then starts at the 16-byte boundary before the row, and its
    columns are shifted in all uses: loads and stores access whole 16-byte units, and reductions mask elements outside of the
    row.

    Example: `%t = tile.load %x[%m, %c0]`, `%s = tile.reduce add %t`, `%d = arith.divf %t, broadcast %s`,
    `tile.store %d, …` becomes `tile_gpu.copy %x[%m, %c0] to %b covering %f`, `%s = tile.reduce add (fill_outside
    (tile_gpu.read %b))`, `tile_gpu.store_covering (arith.divf (tile_gpu.read %b), broadcast %s) from %f, …`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::tilegpt::tilegpu::TileGPUDialect"];
}

def StageRuns : Pass<"tile-gpu-stage-runs", "::tilegpt::tile::KernelOp"> {
  let summary = "Move unaligned rows through shared memory";
  let description = [{
    A tile of whole rows of a dense argument is contiguous in memory. If its rows are not 16-byte aligned (3001 columns), threads
    could only access one element at a time. Such a tile is copied to shared memory in whole 16-byte units, from the unit in
    which it starts, and read from there element by element; results go the other way. Loads must read memory that the kernel
    does not write, stores write memory that it does not access otherwise, and two blocks must fit the shared memory of a
    multiprocessor.

    Example: `%t = tile.load %x[%m, %c0]` of `tensor<2x3001xbf16>` becomes
    `%r = tile_gpu.run %x[%m] length 6002`, `tile_gpu.copy_run %r to %b from %f`, …,
    `%t = tile_gpu.read (tile_gpu.rows %b from %f)`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
  let statistics = [Statistic<"numStaged", "staged", "loads and stores through shared memory">];
}

def PlaceOperands : Pass<"tile-gpu-place-operands", "::tilegpt::tile::KernelOp"> {
  let summary = "Allocate dot operands in shared memory";
  let description = [{
    Every `tile.dot` becomes a `tile_gpu.dot` whose operands are first written to their own buffers, between two barriers; a
    loop-invariant operand is written before the loop. If the accumulator is a fragment of `mma.sync`, buffers are swizzled, or
    padded if no swizzle avoids bank conflicts, and operands keep their type; for FMAs the rows are padded, and operands are first
    widened to the accumulator's type. A dot with `tile_gpu.wgmma` becomes a `tile_gpu.async_dot` that is waited for immediately,
    with `tile_gpu.publish` instead of the second barrier.

    A load that realigns its rows takes twice the registers of its tile: if other blocks compute meanwhile
    (`tile_gpu.least_residents`), it moves after the writes of the other operands.

    Example: `tile.dot %a, %b, %c` becomes `tile_gpu.barrier`, `tile_gpu.write %a, %sa`, `tile_gpu.write %b, %sb`,
    `tile_gpu.barrier`, `tile_gpu.dot %sa, %sb, %c`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tilegpu::TileGPUDialect"];
}

def PipelineCopies : Pass<"tile-gpu-pipeline-copies", "::tilegpt::tile::KernelOp"> {
  let summary = "Pipeline the copies of dot operands in loops";
  let description = [{
    A tile that a loop loads only to write it to a buffer for its dots is copied asynchronously instead (`tile_gpu.copy`),
    `stages - 1` iterations ahead, with `stages` from the plan or limited by shared memory: the buffer becomes a ring buffer. So is
    a tile of at least 512 bytes that threads compute with: they read it from its own ring buffer, since ptxas would sink register
    loads to their use. A group of copies is committed in every iteration, and `stages - 1` before the loop, empty if there is no
    such iteration, so an iteration always waits for the same group, counted from the most recent. One barrier per iteration tells
    all threads that the copies have arrived, and that the stage filled next has been read. Copies start after
    `tile_gpu.async_dot` and before its wait. Indices of gathered rows, which may only change in an enclosing loop, are written to
    shared memory before the loop. If reductions precede the loop, such as those of a norm of the other operand, its first
    copies start before them, after the loads that they depend on.

    Applies to tiles whose address is known in advance, of views that the kernel does not write in the range it reads, that are
    padded with zero and whose rows begin with aligned units of 16 bytes. Operands of dots are also copied in units of 8 or 4, and
    their rows may end inside a unit. Operands at offsets are copied (`tile_gpu.copy_at`) if these and the mask are computed from
    positions, the induction variable and loop-invariant numbers, and the elements of each unit are adjacent, aligned and masked
    alike: each thread computes the offsets of its own units. Others, and everything with fewer than two stages, go through registers.

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
  let statistics = [Statistic<"numLoops", "num-loops", "loops with pipelined copies">];
}

def OverlapLaunches : Pass<"tile-gpu-overlap-launches", "::tilegpt::tile::KernelOp"> {
  let summary = "Overlap launches by programmatic dependent launch";
  let description = [{
    On targets with programmatic dependent launch (sm_90a). A kernel releases the next launch first or, if a producer feeds it, when
    the producer has issued its last copy: blocks that start one by one as others end are scattered over the multiprocessors and
    share less of what they read. It waits for the previous launch before its first access to an argument that is not
    launch-invariant (`tile.launch_invariant`); in kernels with roles, each role does. Everything before that overlaps with the
    end of the previous launch: index computation, and loads of launch-invariant tiles such as weights, which become copies to
    shared memory (`tile_gpu.copy`) before the wait if they have at least 512 bytes in 16-byte units, up to 64 KB in all; the first
    copies of pipelined loops move there too. A producer whose loops load launch-invariant tiles fills the first round of stages
    with them before the wait if it loads little else, up to 6 KB per stage, or the first two stages if it loads one such tile
    per stage. Such blocks also release the next launch immediately, unless they form clusters.

    Smaller loads, up to 512 bytes in all, that follow a barrier or a reduction, such as those of a bias or a residual, are
    hoisted too, to avoid another memory latency at the end: before the wait if the tile is launch-invariant and at most 512
    blocks are launched, with `tile_gpu.early`, which selects an instruction that ptxas does not sink; otherwise after the
    loads that follow the wait. They are not moved across writes to memory. Loads of any size that only arithmetic and
    reductions precede, such as those of a second row, also follow the first ones if no element is loaded twice and a thread
    then holds at most 128 bytes of them.

    The kernel gets `tile_gpu.overlaps`.

    Example: `%x = tile.load %arg0 …; %w = tile.load %arg1 …` with `tile.launch_invariant = array<i64: 1>` becomes
    `tile_gpu.release_launch; tile_gpu.copy %arg1 … to %b; tile_gpu.commit_copies; tile_gpu.await_launch;
    %x = tile.load %arg0 …; tile_gpu.wait_copies 0; tile_gpu.barrier; %w = tile_gpu.read %b`.
  }];
  let dependentDialects = ["::tilegpt::tilegpu::TileGPUDialect"];
}

def AllocateShared : Pass<"tile-gpu-allocate-shared", "::tilegpt::tile::KernelOp"> {
  let summary = "Allocate buffers and exchange areas in shared memory";
  let description = [{
    Sets the `offset` of each `tile_gpu.alloc` such that buffers with overlapping lifetimes are disjoint and, after all buffers,
    one scratch area for ops that exchange elements between threads (`tile_gpu.convert_layout`, `tile.reduce`, …):
    `tile_gpu.scratch` of the kernel is its offset, `tile_gpu.shared_bytes` the total size. Fails if the target has less.

    A buffer is live from its first to its last use; throughout a loop if it is used both inside and outside of it. Writers of a
    buffer must pass a barrier first, since another buffer may have been read at the same address.

    Example: two buffers of 16 KB get the offsets 0 and 16384, the scratch area 32768.
  }];
  let dependentDialects = ["::tilegpt::tilegpu::TileGPUDialect"];
}

def OrderMemory : Pass<"tile-gpu-order-memory", "::tilegpt::tile::KernelOp"> {
  let summary = "Insert barriers between conflicting memory accesses of threads";
  let description = [{
    A block observes its memory accesses in program order, its threads do not: if a tile is written and then read, or written
    again, by threads that may own other elements of it, a `tile_gpu.barrier` is inserted between them, and one into a loop whose
    iterations conflict. Accesses of different arguments, and of tiles that loops or layouts keep disjoint, need none. Runs after
    layout assignment.

    Example: `tile.store %t, %y[%m]`, `tile.load %y[%n]` becomes `tile.store %t, %y[%m]`, `tile_gpu.barrier`,
    `tile.load %y[%n]`.
  }];
  let dependentDialects = ["::tilegpt::tilegpu::TileGPUDialect"];
}

#endif
