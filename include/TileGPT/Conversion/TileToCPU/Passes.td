//===- Passes.td - Conversion of tile kernels to host code --------*- tablegen -*-===//

#ifndef TILEGPT_CONVERSION_TILETOCPU_PASSES_TD
#define TILEGPT_CONVERSION_TILETOCPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileToLinalg : Pass<"tile-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower specialized kernels to linalg ops on tensors";
  let description = [{
    A `tile.kernel @name` becomes a `func.func @name.block` that runs one block: views are memrefs, the last six arguments are
    the block's index along each axis of the grid and the number of blocks along it, the result is the launch status. Tiles
    stay tensors.

    A load of an argument that the kernel never stores to reads memory in place (`memref.subview`) if the tile is in bounds and
    its rows are contiguous, or if its only use is a dot and everything the dot multiplies is in bounds; other partial tiles are
    copied to a padded scratch buffer. Stores are clipped. f16 and bf16 sums are accumulated in f32.

    In elementwise kernels and reductions, the axis of the grid that cuts rows of the results into tiles runs fastest:
    `tilegpt.block_order` of the function lists the axes from the fastest one on, unless that is the order of the grid.

    Example:
    ```mlir
    tile.kernel @copy(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [ceildiv(dim(%y, 0), 16)] {
      %n = tile.block_id 0
      %t = tile.load %x[%n] [16] : !tile.view<?xf32> -> tensor<16xf32>
      tile.store %t, %y[%n] : tensor<16xf32>, !tile.view<?xf32>
    }
    ```
    becomes `func.func @copy.block(%x: memref<?xf32, …>, %y: memref<?xf32, …>, %bx: index, …) -> i32` whose tile is
    `bufferization.to_tensor` of a window of `%x` or of a scratch buffer.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
}

def OffsetsToViews : Pass<"cpu-offsets-to-views", "::tilegpt::tile::KernelOp"> {
  let summary = "Access evenly spaced elements through views";
  let description = [{
    A weak `tile.load_at` or `tile.store_at` becomes a `tile.load` or `tile.store` of a view at its first element if its offsets
    are evenly spaced along every axis, adjacent along one of them, and its mask is a conjunction of upper bounds of positions,
    which become sizes of the view. Offsets are followed through sums, products with scalars, shape changes and tiles that a
    loop advances by the same distance in every iteration. Elements then move in whole runs instead of one by one. The first
    offset of a tile and its strides wrap as their types do; i32 offsets are taken not to wrap within a tile, which would
    spread it over 2³² elements.
    Other accesses stay: with lower bounds, offsets that are data, or a memory order.

    Example: with `%o` = `%first` + iota,
    ```mlir
    %m = arith.cmpi slt, %o, %ns : tensor<256xi32>
    %t = tile.load_at %p[%o] mask(%m : tensor<256xi1>) : !tile.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    ```
    becomes a load of 256 elements of a view at `%p` + `%first` with min(`%n` − `%first`, 256) elements, at least 0.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilegpt::tile::TileDialect"];
  let statistics = [Statistic<"numViews", "views", "accesses that became loads and stores of views">];
}

def FuseElementwise : Pass<"cpu-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Fuse elementwise ops on tiles into their consumers";
  let description = [{
    Elementwise ops on tensors become `linalg.generic` and are fused into their consumers: always if they consist of a few cheap
    scalar ops (a broadcast, an index, a difference), even into several consumers; otherwise only into a single consumer that
    does not evaluate them more often, up to 256 scalar ops together. Remaining constant tiles become `linalg.fill`. An op of up to 16 scalar ops whose result
    is only stored is computed once per store, for full and partial tiles separately, limited to what is stored. A product that
    accumulates into the front of a tile with other uses gets a copy of the whole tile, since fronts have no static size.

    Example: `%d = arith.subf %x, %m` with one reader `%e = math.exp %d` leaves one `linalg.generic` with both ops.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def TieLoopTiles : Pass<"cpu-tie-loop-tiles", "::mlir::func::FuncOp"> {
  let summary = "Give every loop-carried tile a single buffer";
  let description = [{
    A tile yielded by an `scf.for` is written to the iteration argument's own tile
    (`bufferization.materialize_in_destination`), so that bufferization uses one buffer for the whole loop. If the value is
    already there, as for an accumulator, it is a self-copy and folds away. Swapped tiles are copied first. Tiles carried by an
    `scf.while` are kept in buffers created before it, one for each tile that its condition uses and one for each that its body
    is given; the loop itself then carries only scalars.

    Example: `scf.yield %s` becomes `%t = bufferization.materialize_in_destination %s in %arg` and `scf.yield %t`.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect"];
}

def BufferizeTiles : Pass<"cpu-bufferize-tiles", "::mlir::ModuleOp"> {
  let summary = "Bufferize tiles, in place where possible";
  let description = [{
    Upstream's one-shot bufferization, with copies as `linalg.copy`, which later passes vectorize.

    Example: `%y = linalg.generic … outs(%acc : tensor<16xf32>)` becomes `linalg.generic … outs(%acc : memref<16xf32>)`.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect"];
}

def PlaceTileBuffers : Pass<"cpu-place-tile-buffers", "::mlir::func::FuncOp"> {
  let summary = "Allocate tile buffers on the stack";
  let description = [{
    Every `memref.alloc` becomes an aligned `memref.alloca` at the start of the function: a block allocates nothing. Fails if the
    tiles of a kernel need more than `budget` bytes, naming the largest.

    Example: an `alloc` in a loop becomes one `alloca` before it.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let options = [
    Option<"budget", "budget", "int64_t", "4 << 20", "stack limit of a block, in bytes">,
    Option<"alignment", "alignment", "int64_t", "64", "alignment of a buffer in bytes">,
  ];
}

def ContractToMicroKernel : Pass<"cpu-contract-to-micro-kernel"> {
  let summary = "Lower linalg.contract on memrefs to register-blocked vector code";
  let description = [{
    Every `linalg.contract` of static shape, `acc[b, m, n] += lhs[b, m, k]·rhs[b, k, n]` with an optional leading batch
    axis and either side transposed, becomes loops of `vector` and `scf` ops in one of two forms:

    - *outer product*: a block of accumulators in registers takes one row of rhs and one column of lhs per step. An rhs shared
      by many rows is first packed, one panel at a time, into an aligned scratch buffer of K x NR elements. Up to six rows
      take four steps of K at a time; with 24 accumulators and one row stream they take one, and prefetch the next panel
      meanwhile. Accumulators that start at otherwise unused zeros, a `linalg.fill` of a local buffer before the op or its
      enclosing loop, are not loaded, and the fill is erased.
    - *inner product*, for few rows and an rhs stored [N, K] that is deeper than eight times their number: vectors along K, one
      accumulator per element, one reduction at the end; rhs is streamed from its original location, once.

    Operands may be fronts of such tiles, `memref.subview %t[0, 0] [%m, %k] [1, 1]`: the loops then end where the fronts do, in
    smaller blocks: powers of two, or exactly the remaining rows if half a block would not hide the FMA latency. Elements of
    the tiles beyond the front need not exist, except in an lhs that is widened; in acc they are not written, and may be
    undefined if the zeros were removed.

    Operands narrower than the accumulator are widened when they are read. Tails are masked or use a smaller block. The order
    in which an element is summed depends only on K, the types and the form, never on its row or column, nor on any other element.

    Example: `linalg.contract indexing_maps = [(m, n, k) -> (m, k), (m, n, k) -> (n, k), (m, n, k) -> (m, n)]
    ins(%x, %w : memref<1x768xf32>, memref<64x768xbf16>) outs(%acc : memref<1x64xf32>)` becomes a loop over blocks of
    rows of `%w` around a loop over K in steps of one vector.

    Scratch memory is allocated on the stack in the entry block of the function.

    A contraction with another indexing, an unsupported dynamic size, an accumulator that is not [m, n] with contiguous rows, or
    element types that `tile.dot` does not support is skipped, with a remark that gives the reason.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "512", "width of the target's vector registers, in bits">,
    Option<"vectorRegisters", "vector-registers", "unsigned", "32", "number of vector registers of the target">,
    Option<"rowStreams", "row-streams", "unsigned", "4",
      "rows of rhs that an inner product reads at once; 1: sequentially, in memory order">,
  ];
  let statistics = [
    Statistic<"numOuter", "outer-product", "contractions lowered to the outer product form">,
    Statistic<"numInner", "inner-product", "contractions lowered to the inner product form">,
  ];
}

def CarryBitsAsBytes : Pass<"cpu-carry-bits-as-bytes", "::mlir::ModuleOp"> {
  let summary = "Represent i1 elements in memory as i8";
  let description = [{
    Memory of i1 becomes memory of i8 with the same layout: an element is extended to 0 or 1 where it is stored, and its lowest
    bit is taken where it is read, so that ops on such memory can be vectorized. Named linalg ops on it become linalg.generic.

    Example: `memref.load %m[%i] : memref<8xi1>` becomes `arith.trunci` of a load of `memref<8xi8>`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def VectorizeTiles : Pass<"cpu-vectorize-tiles", "::mlir::func::FuncOp"> {
  let summary = "Vectorize linalg ops on buffers";
  let description = [{
    The innermost axis that is contiguous in every operand that has it is vectorized, with a masked tail; the others become
    loops. A reduction along that axis keeps vector accumulators and combines them once per row; one along other axes keeps up
    to eight adjacent vectors. A copy whose input and output are contiguous along different axes transposes squares in
    registers; inputs of an elementwise op that are contiguous along another axis than its output are transposed in windows
    into a buffer first. Other ops without such an axis, and ops on i1 memory (`cpu-carry-bits-as-bytes`), become scalar loops.
    `linalg.contract` that no earlier pass lowered is treated like any other op.

    Changes the order of sums.

    Example: `linalg.generic` that adds two `memref<4x40xf32>` becomes a loop over 4 rows around a loop over two vectors
    of 16 and a masked third.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "512", "width of the target's vector registers, in bits">,
  ];
  let statistics = [
    Statistic<"numVector", "vectorised", "ops turned into vector loops">,
    Statistic<"numScalar", "scalar", "ops turned into scalar loops">,
  ];
}

def ExtendMath : Pass<"cpu-extend-math", "::mlir::func::FuncOp"> {
  let summary = "Compute math functions of narrow floats in f32, and round each result";
  let description = [{
    Ops of `math` on types narrower than f32 become ops on f32 between conversions, like upstream's
    `math-extend-to-supported-types`, but without the fast-math flag that lets conversions cancel: every op rounds its result, so
    a following function sees a value of the narrow type.

    Example: `math.exp %a : bf16` becomes an `extf`, an f32 `exp` and a `truncf`, which remains if a `math.floor` follows.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def ExpandFloats : Pass<"cpu-expand-floats", "::mlir::func::FuncOp"> {
  let summary = "Compute f8, f16 and bf16 arithmetic in f32, with exact rounding";
  let description = [{
    Arithmetic on f8E4M3FN, f8E5M2, f16 and bf16 becomes f32 arithmetic followed by rounding. Conversions become exact host
    operations: f8 and bf16 by integer ops; f64 to a narrow type through an f32 rounded to odd, to avoid double rounding;
    integers of 32 bits and more through f64. Of two zeros `max` returns the positive and `min` the negative one, in either
    order. `only-f8` leaves f16 and bf16, which a GPU supports, and the zeros of f32, which it orders, unchanged.

    Example: `arith.addf %a, %b : bf16` becomes two `extf`, an f32 `addf` and a `truncf`, the conversions as shifts.
  }];
  let options = [Option<"onlyF8", "only-f8", "bool", "false", "expand only the f8 types">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CarryFloatsAsBits : Pass<"cpu-carry-floats-as-bits", "::mlir::ModuleOp"> {
  let summary = "Represent f8 and bf16 values as integers";
  let description = [{
    Types, constants and memory of f8E4M3FN, f8E5M2 and bf16 become i8 and i16 with the same bits. No arithmetic on these types
    may remain. `only-f8` leaves bf16 unchanged.

    Example: `vector.load %m[%i] : memref<8xbf16>, vector<8xbf16>` loads `vector<8xi16>`.
  }];
  let options = [Option<"onlyF8", "only-f8", "bool", "false", "convert only the f8 types">];
}

def ExpandMath : Pass<"cpu-expand-math", "::mlir::func::FuncOp"> {
  let summary = "Expand f32 math functions to polynomials with an error of a few ulp";
  let description = [{
    Functions of f32 become branch-free arithmetic that preserves NaN, infinities and signs. sin, cos and tan do so below 2¹⁸
    in magnitude and `arith.remf` for quotients below 2²⁴; for others they are left to libm, like functions of f64. powf is
    computed in f64. fpowi becomes powf with a sign. Vectors of integers of at most 32 bits are divided as floats, exactly.
    `tile.rounded` becomes round-to-nearest arithmetic, in f64 or a wider
    type, followed by a step to an adjacent value depending on the sign of the rounding error: exact for every value.

    Example: `math.exp %x : vector<16xf32>` becomes range reduction, a polynomial and a shift into the
    exponent.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def AssertToStatus : Pass<"cpu-assert-to-status", "::mlir::func::FuncOp"> {
  let summary = "Return the number of a failed assertion";
  let description = [{
    `cf.assert` number n (from 0, in program order) branches to `return n + 1` if its condition is false; the messages are listed
    in the function's attribute `tilegpt.asserts`. Structured control flow must have been lowered to branches.

    Example: `cf.assert %ok, "id outside the vocabulary"` becomes `cf.cond_br %ok, ^next, ^return_1`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect"];
}

def KernelAbi : Pass<"cpu-kernel-abi", "::mlir::ModuleOp"> {
  let summary = "Create the entry points that the runtime calls";
  let description = [{
    The function `name.block` that runs one block becomes private, and an entry point `kernel.name` calls it:
    `i32 kernel.name(ptr words, ptr grid, i64 begin, i64 end)` runs blocks [begin, end) of the grid, in the order that
    `tilegpt.block_order` gives, else x fastest, and stops at the first failure. `words` holds the arguments in order: a view as
    pointer, sizes and strides in elements, a scalar as one word.
    Runs on the LLVM dialect.

    Example: a block function of one `memref<?xf32>` reads the words pointer, size, stride.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif
