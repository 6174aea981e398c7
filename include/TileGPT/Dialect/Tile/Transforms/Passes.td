//===- Passes.td - Passes within the tile dialect -----------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_PASSES_TD
#define TILEGPT_DIALECT_TILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LinkLibraryPass : Pass<"tile-link-library", "::mlir::ModuleOp"> {
  let summary = "bring kernels of the library into the module";
  let description = [{
    Copies the kernels that launches name to the end of the module and, when there is a model whose ops need kernels, all
    that implement an op (`--gpt-to-tile` drops those it does not choose). They are marked `tile.library`. A kernel in
    the module wins over one of the library of the same name.

    The library is the built-in one; with `dir`, kernels of that folder's files take the place of built-in ones of the
    same name, and others are added.

    Example: a module that launches `@softmax` without defining it gets the library's.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [Option<"dir", "dir", "std::string", "\"\"", "folder of kernels that override the built-in ones">];
}

def LinkPeersPass : Pass<"tile-link-peers", "::mlir::ModuleOp"> {
  let summary = "bring along kernels for exchanges through memory of other ranks";
  let description = [{
    For each specialized kernel marked `tile.collective`, which is an exchange where several ranks run a model, copies the
    library's kernel of that exchange through memory that every rank can write, bound to the type of its numbers. No
    launch names it; a runtime whose ranks reach each other's memory launches it in the place of the exchange.

    Example: a module with launches of `@all_reduce_0`, whose views are of bf16, gets `@peer_all_reduce_bf16`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def FuseLaunchesPass : Pass<"tile-fuse-launches", "::mlir::ModuleOp"> {
  let summary = "make one launch of two, where one reads what the other makes";
  let description = [{
    Works on texts of kernels whose parameters are not bound, whoever wrote them, and writes new ones: ordinary kernels
    that can be printed, edited and interpreted.

    - *Epilogue*: a consumer that works on a tensor element by element, or on whole rows of which the producer's tiles
      have all, is done where the producer stored it: on the producer's tiles, block for block.
    - *Prologue*: a producer that is pointwise or works on rows is done where the consumer loads the tensor.
    - *Epilogue of windows*: a consumer that reads two halves of a product, gates and what they let pass, is done where
      the product stored them: its blocks then make a tile of each, from two windows of what the halves come from.
    - *Append*: a producer that stores a row behind those of a tensor, and a consumer that sums over the rows up to it in a
      loop. The loop ends in front of the row, its body is done once more on the tile that is to be stored, and then it is
      stored: nothing waits for memory, and blocks may still share out the loop. What may not be done in parts is kept
      apart, as are rows that are numbered for more than a mask past the end.

    A tensor that something else reads is stored all the same. What `TileFootprint` does not prove is left alone: masks,
    orders, indices that are computed, block ids that are more than numbers of tiles, grids of different sizes, outs that
    are updated in place otherwise, memory that is updated in between. `tile.keep` on a launch keeps it
    apart. Of edges that exclude each other the one that saves most is fused first.

    With `mode=list` nothing is fused; remarks say what would be. With `explain` they also say what is not and why.

    Example: a user's kernel that squares the ReLU of what `@linear` makes becomes `@linear.relu_squared`, a product
    that squares before it stores.

    Not bit-preserving where the tensor between the two has fewer digits than the tiles it was rounded from: that rounding
    is left out, in front of a product where the tensor is one row. `exact` keeps it, and appends apart, as sums over the
    rows are rounded in other parts.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"mode", "mode", "std::string", "\"all\"", "off, list or all">,
    Option<"exact", "exact", "bool", "false", "round to the type of the tensor between two kernels">,
    Option<"explain", "explain", "bool", "false", "remarks on every edge: what is fused, what is not, why">,
    Option<"launchNs", "launch-ns", "int64_t", "230", "what a launch costs, in nanoseconds">,
    Option<"bytesPerUs", "bytes-per-us", "int64_t", "16000", "bytes that are read or written in a microsecond">,
    Option<"cachedBytes", "cached-bytes", "int64_t", "1000000", "a tensor of so many bytes costs nothing to read">,
    Option<"elementPs", "element-ps", "int64_t", "2000", "making an element of a row anew costs, in picoseconds">,
    Option<"parallelBlocks", "parallel-blocks", "int64_t", "1", "blocks that run at the same time">,
    Option<"overlapsMemory", "overlaps-memory", "bool", "false",
           "blocks work while others wait for memory: what those of a product of one row repeat costs nothing in the time that reading the other factor takes">];
  let statistics = [Statistic<"numFused", "fused", "launches that became part of another">];
}

def ApplyRecordsPass : Pass<"tile-apply-records", "::mlir::ModuleOp"> {
  let summary = "give launches the parameters that were measured to be fastest";
  let description = [{
    A file of records (docs/Tuning.md) says which parameters launches of a kernel's text on certain operands are fastest with, on
    one device. Each launch that has one gets them as its `params`, which the passes behind keep; what the launch says
    already stays. What a record says of the plan for a GPU becomes `tile.wanted_plan`, which `--tile-gpu-make-plan` takes where
    it fits. A record of another text, other operands or other rows is not applied, and a file for another device
    is not applied at all. Launches that the file has no record for get those that come with TileGPT for the device
    `shipped-for`. A record with a value that the kernel no longer declares as a candidate is left out with a
    remark, one that differs from a size that the launch gives without, and a file that cannot be read with a warning. No record changes what is computed but for the order of sums.

    Example: a launch of `@linear` on `tensor<?x768xf32>` and `tensor<2304x768xf32>` gets
    `params {BK = 256, BM = 64, BN = 48}`.
  }];
  let options = [Option<"file", "file", "std::string", "\"\"", "the records">,
                 Option<"device", "device", "std::string", "\"\"",
                        "what is compiled for, as \"x86_64 znver4 with 4 lanes\", or the architecture alone; empty applies any file">,
                 Option<"shippedFor", "shipped-for", "std::string", "\"\"",
                        "the device whose records of tuning/*.json are applied, spelled the same way; empty for none">,
                 Option<"explain", "explain", "bool", "false", "remarks on every launch: its text, and whether there is a record">];
  let statistics = [Statistic<"numApplied", "applied", "launches with a record">];
}

def ChooseParametersPass : Pass<"tile-choose-parameters", "::mlir::ModuleOp"> {
  let summary = "choose the tile sizes of each launch by its data";
  let description = [{
    A tile larger than its data wastes work on padding. For every size parameter of a launched kernel that the launch
    does not fix, the pass finds the axes of arguments that the parameter tiles, bounds their sizes by the operands'
    types (a size that is not static is at most the upper end of the function's `tile.rows` range, else `rows`), and takes
    the smallest candidate that covers them all when it is smaller than the default. Where tiles of windows are loaded,
    it is what the grid shares out in pieces of the parameter that counts: E of `ceildiv(E, BM)`. The choice is written into the launch, where it can be seen and changed; in a module
    without launches it is made for each kernel on data as its views are declared, and becomes the default.

    Example: a launch of `@linear_decode` (`BM = 16 in [1, 2, 4, 8, 16]`) on `tensor<1x768xf32>` gets `params {BM = 1}`.

    Not bit-preserving where a parameter changes the order of a sum.
  }];
  let options = [Option<"rows", "rows", "int64_t", "0",
    "upper bound of every size that is not static; 0 means none">];
  let statistics = [Statistic<"numChosen", "chosen", "parameters set below their default">];
}

def AssumeArgumentsPass : Pass<"tile-assume-arguments", "::mlir::ModuleOp"> {
  let summary = "promise what launches of raw kernels have in common";
  let description = [{
    A kernel whose pointers and strides may be anything gets no descriptors, no 16-byte copies and no vector loads. This
    pass states what the caller knows, as `tile.assume` at the beginning of each kernel with `grid launch`, and notes it as
    `tile.assumed_arguments`; the kernel must only be launched where it holds.

    - `16`: every pointer is a multiple of 16 bytes, and so is every stride of a view but the last axis's, times the
      elements' size. Other integers are left as they are.
    - `3:8`: argument 3 is a multiple of 8 (a pointer, of 8 bytes).
    - `5=1`: argument 5 is 1, and a constant from there on.

    What contradicts the text, names no argument or one of another type is an error.

    Example: `facts=0:16,2=1` of `@k(%p: !tile.ptr<f32>, %n: i32, %s: i32)` puts `tile.assume %p div_by 16` in front and
    replaces `%s` by 1.
  }];
  let options = [ListOption<"facts", "facts", "std::string", "16, 3:8 or 5=1">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def BalanceProductsPass : Pass<"tile-balance-products", "::mlir::ModuleOp"> {
  let summary = "choose the tiles of products for the threads of a host";
  let description = [{
    For every launch of a kernel of products that stores one tile a block, and leaves the sizes of that tile open, the
    pass chooses both among the candidates of their parameters. Large tiles read and pack operands less often; many
    tiles are shared more evenly by threads; columns beyond whole blocks of registers cost more than others. What it
    minimises is the sum of these costs for 1, 2, 4 and 8 threads, for the sizes of the data, or the upper end of the
    function's `tile.rows` range where rows are not static. The sums of a block take at most 256 KiB and a
    quarter of the second-level cache. Products of up to 16 rows are left to `tile-choose-parameters`, as are launches whose sizes are not known. Of the depth, where it is
    known and a loop takes tiles of it, it chooses the smallest tile with which sums are read and stored least often.

    Example: a launch of `@linear` on `tensor<1024x1024xf32>` and `tensor<1024x1024xf32>` gets
    `params {BK = 512, BM = 256, BN = 256}`.

    Not bit-preserving for kernels in which these parameters change the order of a sum.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "512", "width of a vector register of the host, in bits">,
    Option<"vectorRegisters", "vector-registers", "unsigned", "32", "vector registers the host has">,
    Option<"l2Bytes", "l2-bytes", "uint64_t", "1048576", "bytes of the second-level cache of a core">,
  ];
  let statistics = [Statistic<"numBalanced", "balanced", "launches whose tiles were chosen">];
}

def LengthenReadsPass : Pass<"tile-lengthen-reads", "::mlir::ModuleOp"> {
  let summary = "choose how much a block reads at a time where it reads several matrices";
  let description = [{
    A host reads memory fastest in long runs. For every launch of a kernel of products whose blocks each load some whole
    rows of two matrices or more, or of two windows of one, and which leaves that number of rows open, the pass chooses
    the first candidate whose runs have 64 KiB, or the largest one with fewer. There remain 16 blocks at least for
    threads to share. Blocks that read one matrix go on where the block in front ended; they are left alone.

    Example: a launch of a gated layer for one row on `tensor<3072x576xbf16>`, of which a block reads `BN` rows of
    either half, gets `params {BN = 64}`.

    Bit-preserving: each sum is over whole rows.
  }];
  let statistics = [Statistic<"numLengthened", "lengthened", "launches whose runs were chosen">];
}

def BindParametersPass : Pass<"tile-bind-parameters", "::mlir::ModuleOp"> {
  let summary = "give parameters of kernels values";
  let description = [{
    Every kernel of the module that declares a parameter gets the value for it, and no other: `BM = 64 in [16, 64]` with
    `bind=BM=32` becomes `BM = 32`, which need not be one of the candidates. Where the parameter is a size of the data,
    as `D = dim(%k, 3)`, the view gets that size. A name that no kernel declares is an error.
  }];
  let options = [ListOption<"bind", "bind", "std::string", "values as NAME=VALUE: BM=32, X=bf16">];
}

def BindOperandsPass : Pass<"tile-bind-operands", "::mlir::ModuleOp"> {
  let summary = "write the form of a kernel that the operands of a launch ask for";
  let description = [{
    One text serves several forms of what it computes: a number says which, or an operand may be absent. This pass writes
    the form that a launch asks for:

    - A comparison (`arith.cmpi`, `arith.cmpf`) of a scalar argument that is a constant of the launch becomes its result.
      The scalar stays an operand where something else reads it, so launches with different ones share a text.
    - A tensor with an axis of static size 0 is not there. What the kernel loads from it is zeros, and x + 0 and x − 0
      become x, which is −0 where the sum would be 0 for an x of −0.

    The text is simplified, and scalars and empty tensors that it does not read any more are no operands of it. Launches
    that know the same share a text. It has the name of the kernel where nothing else launches that, else one with a
    number behind it: `@attention2`.

    Example: with `%capped = arith.cmpf une, %cap, %zero`, `%s = arith.select %capped, %turned, %x` and a launch where
    `%cap` is 0.0, the kernel has neither an argument `%cap` nor what only `%turned` needed.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numTexts", "texts", "texts made for what launches know">];
}

def SpecializePass : Pass<"tile-specialize", "::mlir::ModuleOp"> {
  let summary = "bind parameters, element types and static sizes of launched kernels";
  let description = [{
    Every distinct launch signature gets an instance of its kernel: element type variables are replaced by the operands'
    types, parameters by their values (the launch's `params`, else the default), views take the static sizes of the
    operands, and all tiles become static. Launches are redirected to the instance; kernels nobody launches are removed.
    Launches with a different `tile.apart` do not share one: what else differs for them is decided per kernel.

    In a module without launches every kernel is bound in place, with its defaults (`--tile-bind-parameters` changes them).

    Example: `tile.launch @linear ins(%x, %w, %b) outs(%e) : (tensor<?x768xf32>, tensor<2304x768xbf16>, …)` becomes a
    launch of `@linear_0`, whose tiles are `tensor<128x96xf32>` and whose weights are `!tile.view<2304x768xbf16>`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numInstances", "instances", "kernel instances made">];
}

def MarkLaunchInvariantPass : Pass<"tile-mark-launch-invariant", "::mlir::ModuleOp"> {
  let summary = "say which arguments of kernels hold what they held when the step began";
  let description = [{
    Gives every launched kernel `tile.launch_invariant`, the numbers of the arguments that are launch-invariant in all its launches:
    weights, arguments of the function that no launch updates (and that are not `tile.transient`: written by launches
    outside of it), and state that no other launch of the function touches.
    A launch may read them, and update its state, before the launches in front of it are over.

    Where all launches of a kernel are in functions with a range of rows, `tile.most_rows` is the end of the longest: no
    size that is not static is greater.

    Example: a kernel that is always launched as `ins(%x, %w, %b)`, `%w` and `%b` being weights and `%x` the result of
    another launch, gets `tile.launch_invariant = array<i64: 1, 2>`.
  }];
}

def SplitLoopsPass : Pass<"tile-split-loops", "::mlir::ModuleOp"> {
  let summary = "let several blocks of a host share out the loop of one";
  let description = [{
    Decode attention of few heads has few blocks, and each walks over all keys: of a host with more threads, most have
    nothing to do. For every launch of at most half of `most-blocks` blocks whose kernel has one loop, with nothing but
    loads and arithmetic in it and in front of it, the loop is dealt to several blocks, and a second launch puts together
    what they have and does what stands behind the loop.

    What the loop carries must be reductions (`x + u`, `max(m, u)`, products added up, where u is made of nothing that is
    carried), or sums that are weighted by powers of a maximum, as those of an online softmax, however the exponents are
    spelled: a part of these counts `b^(d·m − d·m')` of what it has, where m is its own maximum and m' that of all.

    Each part has a run of neighbouring iterations: as many as the others, and at least so many that they take
    `least-ns`, and `least-ratio` times as long as what a part costs, by the bytes they load and the products they form. Where
    the data has fewer at run time, the first parts have all of them, and the others do nothing. How many parts there are
    follows from sizes alone, so results are the same to the bit for any number of threads. A kernel whose loop has no
    bound that is known stays as it is, and so does one that only adds up products: `tile-balance-products` has chosen its
    tiles for threads to share. Remarks say why a loop of few blocks was not split.

    Example: a launch of `@attention_decode_0` of four blocks over a cache of 8192 keys becomes one of
    `@attention_decode_0.part` of 64 blocks, and one of `@attention_decode_0.merge` of four.

    Not bit-preserving: sums are formed in another order.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = [Option<"mostBlocks", "most-blocks", "int64_t", "64", "blocks that a launch is split into, at most">,
                 Option<"leastNs", "least-ns", "int64_t", "8000",
                        "what the iterations of a part take at least, in nanoseconds">,
                 Option<"leastRatio", "least-ratio", "int64_t", "16",
                        "how much longer than what a part repeats, writes and reads its iterations take at least">];
  let statistics = [Statistic<"numSplit", "split", "launches whose loop was split">];
}

def RoundDotsPass : Pass<"tile-round-dots", "::tilegpt::tile::KernelOp"> {
  let summary = "let dots give up digits for the speed of matrix instructions";
  let description = [{
    With `tf32` every `tile.dot` of two f32 tiles that says nothing of its precision gets `precision(tf32)`: ten digits
    instead of 23. Sums stay f32. This is what `--dtype tf32` asks for. With `f8` every one of two f8 tiles gets
    `precision(fast)`: its sums may lose digits.

    Not bit-preserving.

    Example: `tile.dot %a, %b, %c : tensor<64x32xf32>, tensor<32x64xf32>, …` becomes `tile.dot %a, %b, %c precision(tf32)`.
  }];
  let options = [Option<"tf32", "tf32", "bool", "false", "operands of f32 products are rounded to tf32">,
                 Option<"f8", "f8", "bool", "false", "sums of f8 products may lose digits">];
}

def IsolateKernelsPass : Pass<"tile-isolate-kernels", "::mlir::ModuleOp"> {
  let summary = "leave nothing but kernels in a module";
  let description = [{
    Moves every kernel to the top of the module, in order, and erases the rest: models, functions, globals. Code is
    generated for what remains.

    Example: a `gpt.model` with two instances of kernels becomes a module of two kernels.
  }];
}

#endif
