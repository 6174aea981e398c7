//===- Passes.td - Passes from tile kernels to host code ----------*- tablegen -*-===//

#ifndef TILEGPT_CONVERSION_TILETOCPU_PASSES_TD
#define TILEGPT_CONVERSION_TILETOCPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileToLinalg : Pass<"tile-to-linalg", "::mlir::ModuleOp"> {
  let summary = "turns specialized kernels into functions of linalg ops on tensors";
  let description = [{
    A `tile.kernel @name` becomes a `func.func @name.block` that runs one block: views are memrefs, the last six arguments are the
    block's index along each axis of the grid and the number of blocks along it, the result is the launch status.
    Tiles stay tensors.

    A load of an argument that the kernel never stores to reads memory in place (`memref.subview`) when the tile lies
    inside the view and its rows are contiguous, or when all that a dot, which alone reads it, multiplies lies inside;
    another tile at the edge is copied to a padded scratch. Stores are clipped. Sums of f16 and bf16 are formed in f32.

    Example:
    ```mlir
    tile.kernel @copy(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [ceildiv(dim(%y, 0), 16)] {
      %n = tile.block_id 0
      %t = tile.load %x[%n] [16] : !tile.view<?xf32> -> tensor<16xf32>
      tile.store %t, %y[%n] : tensor<16xf32>, !tile.view<?xf32>
    }
    ```
    becomes `func.func @copy.block(%x: memref<?xf32, …>, %y: memref<?xf32, …>, %bx: index, …) -> i32` whose tile is
    `bufferization.to_tensor` of a window of `%x` or of a scratch.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwise : Pass<"cpu-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "joins elementwise ops on tiles with what reads them";
  let description = [{
    Elementwise ops on tensors become `linalg.generic` and are fused into their readers: always when a few cheap
    scalar ops do it (a broadcast, an index, a difference), even into several readers; otherwise only into one reader
    that computes them no more often than before. What remains of constant tiles becomes `linalg.fill`. An op of up to 16
    scalar ops whose result is only stored is computed once for each store, the whole one and that of a tile at an edge,
    of no more than it stores. A product that is added to the front of a tile that others read as well gets a copy of the whole tile, as fronts have no static size.

    Example: `%d = arith.subf %x, %m` with one reader `%e = math.exp %d` leaves one `linalg.generic` with both ops.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def TieLoopTiles : Pass<"cpu-tie-loop-tiles", "::mlir::func::FuncOp"> {
  let summary = "gives every tile that a loop carries one place";
  let description = [{
    A tile yielded by an `scf.for` is written to the iteration argument's own tile
    (`bufferization.materialize_in_destination`), so that bufferization finds one buffer for the whole loop. Where the
    value already lies there, as an accumulator does, the copy is to itself and vanishes. Tiles that change places are
    copied aside first. Tiles that an `scf.while` carries are kept in buffers made in front of it, one for each tile that
    its condition sees and one for each that its body is given; the loop itself then carries scalars only.

    Example: `scf.yield %s` becomes `%t = bufferization.materialize_in_destination %s in %arg` and `scf.yield %t`.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect"];
}

def BufferizeTiles : Pass<"cpu-bufferize-tiles", "::mlir::ModuleOp"> {
  let summary = "turns tiles into buffers, in place where nothing is read afterwards";
  let description = [{
    Upstream's one-shot bufferization, with copies as `linalg.copy` that later passes vectorise.

    Example: `%y = linalg.generic … outs(%acc : tensor<16xf32>)` becomes `linalg.generic … outs(%acc : memref<16xf32>)`.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect"];
}

def PlaceTileBuffers : Pass<"cpu-place-tile-buffers", "::mlir::func::FuncOp"> {
  let summary = "puts the buffers of tiles on the stack";
  let description = [{
    Every `memref.alloc` becomes an aligned `memref.alloca` at the start of the function: a block allocates nothing.
    Fails when the tiles of a kernel need more than `budget` bytes, naming the largest.

    Example: an `alloc` in a loop becomes one `alloca` in front of it.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let options = [
    Option<"budget", "budget", "int64_t", "4 << 20", "bytes of stack that a block may use">,
    Option<"alignment", "alignment", "int64_t", "64", "alignment of a buffer in bytes">,
  ];
}

def ContractToMicroKernel : Pass<"cpu-contract-to-micro-kernel"> {
  let summary = "lowers linalg.contract on memrefs to register-blocked vector code";
  let description = [{
    Every `linalg.contract` of static shape, `acc[b, m, n] += lhs[b, m, k]·rhs[b, k, n]` with an optional leading batch
    axis and either side transposed, becomes loops of `vector` and `scf` ops in one of two forms:

    - *outer product*: a block of accumulators in registers takes one row of rhs and one column of lhs at each step.
      An rhs that many rows share is first packed, a panel at a time, into an aligned scratch of K x NR elements; where
      registers hold 24 sums, the next panel is prefetched meanwhile. Sums that begin at zeros which only they see, a
      `linalg.fill` of a buffer of the function in front of the op or of the loop it is in, do not read them; the fill goes.
    - *inner product*, for few rows and an rhs stored [N, K]: vectors along K, one accumulator an element, one
      reduction at the end; rhs is streamed from where it lies, once.

    Operands may be fronts of such tiles, `memref.subview %t[0, 0] [%m, %k] [1, 1]`: the loops then end where the fronts do,
    in smaller blocks: of powers of two, or of just the rows that are left where half a block would not hide the latency of
    a multiply-add. What the tiles have beyond need not exist, but of an lhs that is widened; of acc it is not written, and it
    may hold anything where the zeros were taken away.

    Operands narrower than the accumulator are widened when they are read. Edges are masked or take a smaller block.
    The sum of an element is formed in an order that depends on K, the types and the form alone, never on its row or
    column, nor on any other element.

    Example: `linalg.contract indexing_maps = [(m, n, k) -> (m, k), (m, n, k) -> (n, k), (m, n, k) -> (m, n)]
    ins(%x, %w : memref<1x768xf32>, memref<64x768xbf16>) outs(%acc : memref<1x64xf32>)` becomes a loop over blocks of
    rows of `%w` around a loop over K in steps of one vector.

    Scratch memory is allocated on the stack in the entry block of the function.

    A contraction with another indexing, a dynamic size of another kind, an accumulator that is not [m, n] with contiguous rows, or
    element types that `tile.dot` does not have is left alone, with a remark that says why.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "512", "width of a vector register of the target, in bits">,
    Option<"vectorRegisters", "vector-registers", "unsigned", "32", "vector registers the target has">,
    Option<"rowStreams", "row-streams", "unsigned", "4",
      "rows of rhs an inner product reads at once; 1: one after the other, in the order of memory">,
  ];
  let statistics = [
    Statistic<"numOuter", "outer-product", "contractions lowered to the outer product form">,
    Statistic<"numInner", "inner-product", "contractions lowered to the inner product form">,
  ];
}

def VectorizeTiles : Pass<"cpu-vectorize-tiles", "::mlir::func::FuncOp"> {
  let summary = "turns linalg ops on buffers into loops over vectors";
  let description = [{
    One axis that is contiguous in every operand that has it runs in steps of a vector, with a masked rest; the others
    become loops. A reduction along that axis keeps vectors of partial results and combines them once a row. Ops that
    have no such axis, or memory of i1, become scalar loops. `linalg.contract` that no earlier pass took is treated like
    any other op.

    Changes the order of sums.

    Example: `linalg.generic` that adds two `memref<4x40xf32>` becomes a loop over 4 rows around a loop over two vectors
    of 16 and a masked third.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "512", "width of a vector register of the target, in bits">,
  ];
  let statistics = [
    Statistic<"numVector", "vectorised", "ops turned into vector loops">,
    Statistic<"numScalar", "scalar", "ops turned into scalar loops">,
  ];
}

def ExtendMath : Pass<"cpu-extend-math", "::mlir::func::FuncOp"> {
  let summary = "computes functions of narrow floats in f32, and rounds each result";
  let description = [{
    Ops of `math` on types narrower than f32 become ops on f32 between conversions, as upstream's
    `math-extend-to-supported-types` has them, but for a fast-math flag that lets one conversion swallow the other: a
    float is rounded by every op, so the value that a second function sees has the digits of its type.

    Example: `math.exp %a : bf16` becomes an `extf`, an f32 `exp` and a `truncf`, which remains if a `math.floor` follows.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def ExpandFloats : Pass<"cpu-expand-floats", "::mlir::func::FuncOp"> {
  let summary = "computes with f8, f16 and bf16 in f32, and rounds exactly";
  let description = [{
    Arithmetic on f8E4M3FN, f8E5M2, f16 and bf16 becomes f32 arithmetic and a rounding of each result. Conversions become
    what the host does exactly: f8 and bf16 by integer ops; f64 to a narrow type through an f32 that is rounded to odd, so
    that it is rounded once; integers of 32 bits and more through f64. Of two zeros `max` gives the positive one and `min`
    the negative one, whichever comes first. `only-f8` leaves f16 and bf16 alone, which a GPU computes with, and the zeros
    of f32, which it orders.

    Example: `arith.addf %a, %b : bf16` becomes two `extf`, an f32 `addf` and a `truncf`, the conversions as shifts.
  }];
  let options = [Option<"onlyF8", "only-f8", "bool", "false", "expands nothing but the f8 types">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CarryFloatsAsBits : Pass<"cpu-carry-floats-as-bits", "::mlir::ModuleOp"> {
  let summary = "moves f8 and bf16 values as integers";
  let description = [{
    Types, constants and memory of f8E4M3FN, f8E5M2 and bf16 become i8 and i16 of the same bits. Nothing may compute in
    these types any more. `only-f8` leaves bf16 alone.

    Example: `vector.load %m[%i] : memref<8xbf16>, vector<8xbf16>` loads `vector<8xi16>`.
  }];
  let options = [Option<"onlyF8", "only-f8", "bool", "false", "carries nothing but the f8 types">];
}

def ExpandMath : Pass<"cpu-expand-math", "::mlir::func::FuncOp"> {
  let summary = "replaces f32 functions by polynomials where they are accurate to a few ulp";
  let description = [{
    exp, exp2, log, tanh and erf of f32 become branch-free arithmetic that keeps NaN, infinities and signs; the rest is
    left to libm. fpowi becomes powf with a sign. `tile.rounded` becomes arithmetic that rounds to nearest, of f64 or of
    wider numbers than its own, and a step to a neighbour by the sign of what that lost: exact for every value.

    Example: `math.exp %x : vector<16xf32>` becomes range reduction, a polynomial and a shift into the
    exponent.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

def AssertToStatus : Pass<"cpu-assert-to-status", "::mlir::func::FuncOp"> {
  let summary = "makes a failed assertion return its number";
  let description = [{
    `cf.assert` number n (from 0, in program order) branches to `return n + 1` when its condition is false; the messages
    are listed in the attribute `tilegpt.asserts` of the function. Structured control flow must have become branches.

    Example: `cf.assert %ok, "id outside the vocabulary"` becomes `cf.cond_br %ok, ^next, ^return_1`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect"];
}

def KernelAbi : Pass<"cpu-kernel-abi", "::mlir::ModuleOp"> {
  let summary = "gives each kernel the entry point the runtime calls";
  let description = [{
    The function `name.block` that runs one block becomes private, and an entry point `kernel.name` calls it:
    `i32 kernel.name(ptr words, ptr grid, i64 begin, i64 end)` runs blocks [begin, end) of the grid, x fastest, and stops at the
    first that fails. `words` holds, argument by argument, a view as pointer, sizes and strides in elements, and a scalar
    as one word. Runs on the LLVM dialect.

    Example: a block function of one `memref<?xf32>` reads the words pointer, size, stride.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif
