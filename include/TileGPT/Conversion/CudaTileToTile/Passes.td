//===- Passes.td - From CUDA Tile IR to the tile dialect ----------*- tablegen -*-===//

#ifndef TILEGPT_CONVERSION_CUDATILETOTILE_PASSES_TD
#define TILEGPT_CONVERSION_CUDATILETOTILE_PASSES_TD

include "mlir/Pass/PassBase.td"

def CudaTileToTilePass : Pass<"cuda-tile-to-tile", "::mlir::ModuleOp"> {
  let summary = "Lower CUDA Tile IR to kernels of the tile dialect";
  let description = [{
    Every `entry` of the module's `cuda_tile.module`s becomes a `tile.kernel` of the same name with `grid launch`, whose
    arguments are the pointers and scalars that the entry declares. A module without CUDA Tile IR is unchanged. An op without
    a counterpart is an error that says what is missing; nothing is dropped silently.

    | CUDA Tile IR | becomes |
    |---|---|
    | a tile of numbers | a tensor, or a scalar if its rank is 0; `tf32` is f32 |
    | a tile of pointers | a base pointer and offsets in elements, as i64 |
    | a tensor view and its tile views | a `!tile.view` at the pointer; tile views become the indexing of accesses |
    | a token | nothing: a block executes in program order, which is stronger than any token order. Pointers whose accesses are ordered by tokens, one of them a write, form one class (`tile.alias_classes`), unless a single pointer is written and nothing aliases it |
    | `for`, `if`, `loop` and their exits | `scf.for`, `scf.if`, `scf.while` |
    | `assume` of a scalar or a pointer | `tile.assume`; assumptions about tiles are dropped |
    | `optimization_hints` | dropped |

    Example: `%c = addi %a, %b : tile<8xi32>` becomes `%c = arith.addi %a, %b : tensor<8xi32>`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect", "::tilegpt::tile::TileDialect"];
}

def CudaTileCheckHintsPass : Pass<"cuda-tile-check-hints", "::mlir::ModuleOp"> {
  let summary = "Warn about unknown or invalid optimization hints";
  let description = [{
    Invalid hints are not an error of the language, and all other passes ignore unknown ones. This pass warns about hints for
    an unknown target, hints that do not apply to the op, and invalid values: `num_cta_in_cga` is a power of two up to 16,
    `occupancy` 1 to 32, `num_worker_warps_per_cta` a power of two up to 32; `latency` of accesses 1 to 10, `allow_tma` of
    views true or false. The module is unchanged.

    Example: `entry @f() optimization_hints=<sm_90 = {occupancy = 64}>` gives `expected an integer from 1 to 32 for
    sm_90.occupancy, found 64 : i64`.
  }];
  let options = [Option<"error", "error", "bool", "false", "report them as errors">];
}

#endif
