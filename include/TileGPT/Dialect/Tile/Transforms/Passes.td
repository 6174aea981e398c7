//===- Passes.td - Transforms of the tile dialect -----------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_PASSES_TD
#define TILEGPT_DIALECT_TILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LinkLibraryPass : Pass<"tile-link-library", "::mlir::ModuleOp"> {
  let summary = "Link kernels of the library into the module";
  let description = [{
    Copies the kernels named by launches to the end of the module and, if there is a model whose ops need kernels, all
    kernels that implement an op (`--gpt-to-tile` drops the unused ones). They are marked `tile.library`. A kernel of the
    module takes precedence over a library kernel of the same name.

    The library is the built-in one; with `dir`, kernels of that directory's files replace built-in ones of the same name,
    and others are added.

    Example: a module that launches `@softmax` without defining it gets the library's.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [Option<"dir", "dir", "std::string", "\"\"", "directory of kernels that override the built-in ones">];
}

def LinkPeersPass : Pass<"tile-link-peers", "::mlir::ModuleOp"> {
  let summary = "Link the kernels of peer-memory collectives";
  let description = [{
    For each specialized kernel marked `tile.collective`, which is a collective if several ranks run a model, copies the
    library's kernel that performs this collective through peer memory, bound to the element type. No launch names it; a
    runtime whose ranks can access each other's memory launches it instead.

    Example: a module with launches of `@all_reduce_0`, whose views are of bf16, gets `@peer_all_reduce_bf16`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def FuseLaunchesPass : Pass<"tile-fuse-launches", "::mlir::ModuleOp"> {
  let summary = "Fuse a producer launch and its consumer";
  let description = [{
    Works on kernels whose parameters are not bound, from users or the library, and creates new ones: ordinary kernels that
    can be printed, edited and interpreted.

    - *Epilogue*: a consumer that is elementwise, or works on whole rows each contained in a producer tile, runs where the
      producer stores the tensor: on the producer's tiles, block by block.
    - *Prologue*: a producer that is pointwise or rowwise runs where the consumer loads the tensor.
    - *Gated epilogue*: a consumer that reads two halves of a product, gates and values, runs where the product stores them:
      its blocks then compute a tile of each half, from two windows of the operand that the halves come from.
    - *Append*: a producer that stores a row after those of a tensor, and a consumer that reduces over the rows up to it in a
      loop. The loop ends before the row, its body runs once more on the tile to be stored, and then the tile is stored:
      nothing waits for memory, and blocks can still split the loop. Consumers whose loop cannot be split are not fused, nor
      are those that use row indices for more than an end mask.

    A tensor with other consumers is still stored. Launches are not fused if `TileFootprint` cannot prove it correct: masks,
    load orders, computed indices, block ids used other than as tile indices, grids of different sizes, outs that are otherwise
    updated in place, memory that is updated in between. `tile.keep` on a launch prevents fusion. Of conflicting fusions the
    one that saves most comes first.

    A tuning record (docs/Tuning.md) for the two kernels, their operands and rows decides whether a legal fusion is made,
    instead of its estimated gain; those that it asks for come first.

    With `mode=list` nothing is fused; remarks list possible fusions. With `explain` they also give the reasons for those that
    are not possible.

    Example: a user's kernel that squares the ReLU of the result of `@linear` becomes `@linear.relu_squared`, a matmul that
    squares before it stores.

    Not bit-preserving if the intermediate tensor has a narrower type than the tiles it was rounded from: that rounding is
    removed, before a matmul only if the tensor is one row. `exact` keeps it, and does not fuse appends, as they split sums
    over the rows differently.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"mode", "mode", "std::string", "\"all\"", "off, list or all">,
    Option<"exact", "exact", "bool", "false", "round to the type of the intermediate tensor">,
    Option<"explain", "explain", "bool", "false", "emit a remark for every edge: whether it is fused, and why not">,
    Option<"launchNs", "launch-ns", "int64_t", "230", "cost of a launch, in nanoseconds">,
    Option<"bytesPerUs", "bytes-per-us", "int64_t", "16000", "memory bandwidth, in bytes per microsecond">,
    Option<"cachedBytes", "cached-bytes", "int64_t", "1000000", "tensors up to this many bytes are read from cache at no cost">,
    Option<"elementPs", "element-ps", "int64_t", "2000", "cost of recomputing an element of a row, in picoseconds">,
    Option<"parallelBlocks", "parallel-blocks", "int64_t", "1", "number of concurrent blocks">,
    Option<"overlapsMemory", "overlaps-memory", "bool", "false",
           "blocks compute while others wait for memory: recomputation in a single-row matmul is free while the other operand is read">,
    Option<"file", "file", "std::string", "\"\"", "file of tuning records, as of --tile-apply-records, which warns about it">,
    Option<"device", "device", "std::string", "\"\"", "target device, as of --tile-apply-records">,
    Option<"shippedFor", "shipped-for", "std::string", "\"\"", "device whose shipped records are applied; empty for none">,
    Option<"showsDecisions", "shows-decisions", "bool", "false",
           "list the legal fusions of a function, each with its key and whether it was made, in `tile.fusions`">];
  let statistics = [Statistic<"numFused", "fused", "launches fused into another">];
}

def ApplyRecordsPass : Pass<"tile-apply-records", "::mlir::ModuleOp"> {
  let summary = "Apply tuning records to launches";
  let description = [{
    A file of records (docs/Tuning.md) gives the fastest parameters of launches, by kernel text and operands, on one device. Each
    launch that has a record gets its values as `params`, which later passes keep; parameters that the launch already has take
    precedence. GPU plan parameters of a record become `tile.wanted_plan`, which `--tile-gpu-make-plan` applies if valid. A
    record for another kernel text, other operands or other rows is not applied, nor is a file for another device. Launches
    without a record in the file use the records that ship with TileGPT for the device `shipped-for`. A record with a value
    that the kernel no longer declares as a candidate is skipped with a remark, one that contradicts a size of the launch
    silently, and a file that cannot be read with a warning. Records change results only by the order of sums.

    Example: a launch of `@linear` on `tensor<?x768xf32>` and `tensor<2304x768xf32>` gets
    `params {BK = 256, BM = 64, BN = 48}`.
  }];
  let options = [Option<"file", "file", "std::string", "\"\"", "file of records">,
                 Option<"device", "device", "std::string", "\"\"",
                        "target device, as \"x86_64 znver4 with 4 lanes\", or only the architecture; empty applies any file">,
                 Option<"shippedFor", "shipped-for", "std::string", "\"\"",
                        "device whose records of tuning/*.json are applied, in the same format; empty for none">,
                 Option<"explain", "explain", "bool", "false", "emit a remark for every launch: its text, and whether it has a record">];
  let statistics = [Statistic<"numApplied", "applied", "launches with a record">];
}

def ChooseParametersPass : Pass<"tile-choose-parameters", "::mlir::ModuleOp"> {
  let summary = "Choose tile sizes of launches that do not exceed the data";
  let description = [{
    A tile larger than its data wastes work on padding. For every size parameter of a launched kernel that the launch does not
    fix, the pass finds the axes of arguments that the parameter tiles, bounds their sizes by the operands' types (a dynamic
    size by the upper end of the function's `tile.rows` range, else by `rows`), and takes the smallest candidate that covers
    them all if it is smaller than the default. If tiles of windows are loaded, the extent that the grid divides by the
    parameter is used: E of `ceildiv(E, BM)`. The choice is written into the launch, where it can be inspected and changed; in a
    module without launches it is made for each kernel, by the declared sizes of its views, and becomes the default.

    Example: a launch of `@linear_decode` (`BM = 16 in [1, 2, 4, 8, 16]`) on `tensor<1x768xf32>` gets `params {BM = 1}`.

    Not bit-preserving if a parameter changes the order of a sum.
  }];
  let options = [Option<"rows", "rows", "int64_t", "0",
    "upper bound of dynamic sizes; 0 means none">];
  let statistics = [Statistic<"numChosen", "chosen", "parameters set below their default">];
}

def AssumeArgumentsPass : Pass<"tile-assume-arguments", "::mlir::ModuleOp"> {
  let summary = "Add assumptions that hold for all launches of raw kernels";
  let description = [{
    A kernel with arbitrary pointers and strides gets no TMA descriptors, no 16-byte copies and no vector loads. This pass adds
    the caller's assumptions as `tile.assume` at the start of each kernel with `grid launch`, and records them as
    `tile.assumed_arguments`; the kernel may only be launched if they hold.

    - `16`: every pointer is a multiple of 16 bytes, and so is every stride of a view except the last axis's, times the
      element size. Other integers are unchanged.
    - `3:8`: argument 3 is a multiple of 8 (a pointer, of 8 bytes).
    - `5=1`: argument 5 is 1, and becomes a constant.

    Contradictions with the kernel, and names of missing arguments or arguments of another type are errors.

    Example: `facts=0:16,2=1` of `@k(%p: !tile.ptr<f32>, %n: i32, %s: i32)` adds `tile.assume %p div_by 16` at the start and
    replaces `%s` by 1.
  }];
  let options = [ListOption<"facts", "facts", "std::string", "16, 3:8 or 5=1">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def BalanceProductsPass : Pass<"tile-balance-products", "::mlir::ModuleOp"> {
  let summary = "Choose matmul tiles for the threads of a host";
  let description = [{
    For every launch of a matmul kernel that stores one tile per block, with tile sizes not fixed, the pass chooses both among the
    candidates of their parameters. Large tiles read and pack operands less often; small tiles balance better across threads;
    columns beyond whole register blocks are more expensive. The pass minimizes these costs for the given number of threads, or
    their sum for 1, 2, 4 and 8 threads, for the sizes of the data, or the upper end of the function's `tile.rows` range for dynamic rows. The accumulators
    of a block take at most 256 KiB and a quarter of the L2 cache. Matmuls of up to 16 rows are left to
    `tile-choose-parameters`, and launches with unknown sizes are skipped. If K is known and a loop steps through it, the pass
    chooses the smallest K tile that loads and stores accumulators least often.

    Example: a launch of `@linear` on `tensor<1024x1024xf32>` and `tensor<1024x1024xf32>` gets
    `params {BK = 512, BM = 256, BN = 256}`.

    Not bit-preserving for kernels in which these parameters change the order of a sum.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "512", "width of a vector register of the host, in bits">,
    Option<"vectorRegisters", "vector-registers", "unsigned", "32", "vector registers of the host">,
    Option<"l2Bytes", "l2-bytes", "uint64_t", "1048576", "bytes of L2 cache per core">,
    Option<"threads", "threads", "unsigned", "0", "threads that run a launch; 0: not known">,
  ];
  let statistics = [Statistic<"numBalanced", "balanced", "launches whose tiles were chosen">];
}

def LengthenReadsPass : Pass<"tile-lengthen-reads", "::mlir::ModuleOp"> {
  let summary = "Choose tiles that read long runs of memory";
  let description = [{
    A host reads memory fastest in long runs. For every launch of a matmul kernel whose blocks each load some whole rows of two or
    more matrices, or of two windows of one, with the number of rows not fixed, the pass chooses the first candidate whose runs
    have 64 KiB, or the largest one with fewer. At least 16 blocks remain for threads to share. Blocks that read one matrix
    continue where the previous block ended; they are skipped.

    In elementwise kernels it chooses the most columns per block that pad the data no more than the default does, if 16 blocks
    remain for the fewest rows that the launch may have.

    Example: a launch of a gated layer for one row on `tensor<3072x576xbf16>`, of which a block reads `BN` rows of
    either half, gets `params {BN = 64}`.

    Bit-preserving: each sum is over whole rows, and elementwise kernels have none.
  }];
  let statistics = [Statistic<"numLengthened", "lengthened", "launches whose run length was chosen">];
}

def BindParametersPass : Pass<"tile-bind-parameters", "::mlir::ModuleOp"> {
  let summary = "Bind parameters of kernels to values";
  let description = [{
    Every kernel of the module that declares a parameter gets the given value as its only one: `BM = 64 in [16, 64]` with
    `bind=BM=32` becomes `BM = 32`, which need not be a candidate. If the parameter is a size of the data, as in
    `D = dim(%k, 3)`, the view gets that size. A name that no kernel declares is an error.
  }];
  let options = [ListOption<"bind", "bind", "std::string", "values as NAME=VALUE: BM=32, X=bf16">];
}

def BindOperandsPass : Pass<"tile-bind-operands", "::mlir::ModuleOp"> {
  let summary = "Specialize kernels for constant and absent operands of launches";
  let description = [{
    One kernel may implement several variants: a scalar selects one, or an operand may be absent. This pass creates the variant
    that a launch selects:

    - A comparison (`arith.cmpi`, `arith.cmpf`) of a scalar argument that is constant in the launch becomes its result. The scalar
      stays an operand if it has other uses, so launches with different values share a kernel.
    - A tensor with an axis of static size 0 is absent. Loads from it are zeros, and x + 0 and x − 0 become x (which is −0 where
      the sum would be 0 for an x of −0).

    The kernel is simplified, and scalars and empty tensors that it no longer reads are removed from its operands. Launches with
    the same knowledge share a kernel. It keeps the kernel's name if nothing else launches that, otherwise it gets a numeric
    suffix: `@attention2`.

    Example: with `%capped = arith.cmpf une, %cap, %zero`, `%s = arith.select %capped, %turned, %x` and a launch where
    `%cap` is 0.0, the kernel has neither an argument `%cap` nor what only `%turned` needed.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numTexts", "texts", "kernel variants created">];
}

def SpecializePass : Pass<"tile-specialize", "::mlir::ModuleOp"> {
  let summary = "Bind parameters, element types and static sizes of launched kernels";
  let description = [{
    Every distinct launch signature gets an instance of its kernel: element type variables are replaced by the operands'
    types, parameters by their values (the launch's `params`, else the default), views take the static sizes of the operands,
    and all tiles become static. Loops that count by an integer count by an index, and integers that they advance evenly, such
    as the offsets of tiles along K, are computed from it. Accesses at offsets from the base of a view, such as
    row·width + column, become accesses of its tiles where the mask or known sizes keep every coordinate in bounds, also with
    rows modulo a height that tiles divide. Sums of products of two matrices, each repeated along an axis of the other, become
    dots. Tiles that an iteration loads for the next one are loaded where they are used. The first and last iterations of a
    loop run in it if they are written in front of it and behind it. Sums of dots that are only added up behind their loop
    become one, and a branch that only the last iteration takes follows the loop. Masks of loads and stores lose conditions
    that hold in bounds of the view. Launches are redirected to the instance; kernels without launches are removed. Launches
    with a different `tile.apart` do not share an instance, so that later passes can make different decisions for them.

    In a module without launches every kernel is bound in place, with its defaults (`--tile-bind-parameters` changes them).

    Example: `tile.launch @linear ins(%x, %w, %b) outs(%e) : (tensor<?x768xf32>, tensor<2304x768xbf16>, …)` becomes a
    launch of `@linear_0`, whose tiles are `tensor<128x96xf32>` and whose weights are `!tile.view<2304x768xbf16>`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numInstances", "instances", "kernel instances created">];
}

def MarkLaunchInvariantPass : Pass<"tile-mark-launch-invariant", "::mlir::ModuleOp"> {
  let summary = "Mark kernel arguments that do not change during a step";
  let description = [{
    Gives every launched kernel `tile.launch_invariant`, the indices of the arguments that are launch-invariant in all its
    launches: weights, function arguments that no launch updates (and that are not `tile.transient`, i.e. written by launches
    outside of the function), and state that no other launch of the function accesses. A launch may read them, and update its
    state, before its predecessors have completed.

    If all launches of a kernel are in functions with a range of rows, `tile.most_rows` is the largest upper bound: no dynamic
    size is greater.

    Example: a kernel that is always launched as `ins(%x, %w, %b)`, `%w` and `%b` being weights and `%x` the result of
    another launch, gets `tile.launch_invariant = array<i64: 1, 2>`.
  }];
}

def SplitLoopsPass : Pass<"tile-split-loops", "::mlir::ModuleOp"> {
  let summary = "Split long loops of launches with few blocks among more blocks of a host";
  let description = [{
    Decode attention with few heads has few blocks, each walking all keys: most threads of a larger host are idle. For every
    launch of at most half of `most-blocks` blocks whose kernel has one loop, with only loads and arithmetic in it and before it,
    the loop is split among several blocks, and a second launch combines the partial results and runs the code after the loop.

    Loop-carried values must be reductions (`x + u`, `max(m, u)`, accumulated products, where u does not depend on loop-carried
    values), or sums weighted by powers of a maximum, as in an online softmax in any form: a part is rescaled by
    `b^(d·m − d·m')`, where m is its own maximum and m' the overall one.

    Each part has a contiguous range of iterations: equal shares, but at least as many as take `least-ns`, and `least-ratio`
    times as long as the overhead of a part, estimated from bytes loaded and products computed. If there are fewer at run time,
    the first parts take all of them, and the others do nothing. The number of parts depends only on sizes, so results are
    bit-identical for any number of threads. Kernels whose loop has no known bound are skipped, and so are those that only
    accumulate products, whose tiles `tile-balance-products` has chosen for the threads. Remarks give the reason why a loop of
    few blocks was not split.

    Example: a launch of `@attention_decode_0` of four blocks over a cache of 8192 keys becomes one of
    `@attention_decode_0.part` of 64 blocks, and one of `@attention_decode_0.merge` of four.

    Not bit-preserving: the order of sums changes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = [Option<"mostBlocks", "most-blocks", "int64_t", "64", "maximum number of blocks after splitting">,
                 Option<"leastNs", "least-ns", "int64_t", "8000",
                        "minimum time of a part's iterations, in nanoseconds">,
                 Option<"leastRatio", "least-ratio", "int64_t", "16",
                        "minimum ratio of the time of a part's iterations to its overhead">];
  let statistics = [Statistic<"numSplit", "split", "launches whose loop was split">];
}

def RoundDotsPass : Pass<"tile-round-dots", "::tilegpt::tile::KernelOp"> {
  let summary = "Reduce the precision of dots for faster MMA instructions";
  let description = [{
    With `tf32` every `tile.dot` of two f32 tiles without an explicit precision gets `precision(tf32)`: ten mantissa bits instead
    of 23, with f32 accumulation. This implements `--dtype tf32`. With `f8` every dot of two f8 tiles gets `precision(fast)`,
    which allows reduced accumulation precision.

    Not bit-preserving.

    Example: `tile.dot %a, %b, %c : tensor<64x32xf32>, tensor<32x64xf32>, …` becomes `tile.dot %a, %b, %c precision(tf32)`.
  }];
  let options = [Option<"tf32", "tf32", "bool", "false", "round operands of f32 dots to TF32">,
                 Option<"f8", "f8", "bool", "false", "allow reduced precision in the accumulation of f8 dots">];
}

def IsolateKernelsPass : Pass<"tile-isolate-kernels", "::mlir::ModuleOp"> {
  let summary = "Remove everything but kernels from a module";
  let description = [{
    Moves every kernel to the top level of the module, in order, and erases the rest: models, functions, globals. Code is
    generated for what remains.

    Example: a `gpt.model` with two instances of kernels becomes a module of two kernels.
  }];
}

#endif
