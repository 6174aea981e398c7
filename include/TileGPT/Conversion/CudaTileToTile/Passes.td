//===- Passes.td - From CUDA Tile IR to the tile dialect ----------*- tablegen -*-===//

#ifndef TILEGPT_CONVERSION_CUDATILETOTILE_PASSES_TD
#define TILEGPT_CONVERSION_CUDATILETOTILE_PASSES_TD

include "mlir/Pass/PassBase.td"

def CudaTileToTilePass : Pass<"cuda-tile-to-tile", "::mlir::ModuleOp"> {
  let summary = "lower CUDA Tile IR to kernels of the tile dialect";
  let description = [{
    Every `entry` of the module's `cuda_tile.module`s becomes a `tile.kernel` of the same name with `grid launch`, whose
    arguments are the pointers and scalars that the entry declares. A module without CUDA Tile IR stays as it is. An op
    that has no counterpart is an error that says what is missing; nothing is left out silently.

    | CUDA Tile IR | becomes |
    |---|---|
    | a tile of numbers | a tensor, or a scalar when its rank is 0; `tf32` is f32 |
    | a tile of pointers | a pointer and the distances from it, in elements, as i64 |
    | a tensor view and the tile views of it | a `!tile.view` at the pointer; what the tile views say goes into their accesses |
    | a token | nothing: a block runs in the order of the text, which is stronger than any order of tokens. Pointers whose accesses tokens order, one of which writes, are of one class (`tile.alias_classes`), where there is more to say than that one pointer is written and no other leads there |
    | `for`, `if`, `loop` and what leaves them | `scf.for`, `scf.if`, `scf.while` |
    | `assume` of a scalar or a pointer | `tile.assume`; promises about tiles are dropped |
    | `optimization_hints` | dropped |

    Example: `%c = addi %a, %b : tile<8xi32>` becomes `%c = arith.addi %a, %b : tensor<8xi32>`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect", "::tilegpt::tile::TileDialect"];
}

def CudaTileCheckHintsPass : Pass<"cuda-tile-check-hints", "::mlir::ModuleOp"> {
  let summary = "say which optimization hints are unknown or out of range";
  let description = [{
    A hint is never an error of the language, and all other passes pass over those they do not know. This one warns at ops
    whose hints name an unknown target, are not of the op, or have a value that is none: `num_cta_in_cga` is a power of two
    up to 16, `occupancy` 1 to 32, `num_worker_warps_per_cta` a power of two up to 32; `latency` of accesses 1 to 10,
    `allow_tma` of views true or false. The module stays as it is.

    Example: `entry @f() optimization_hints=<sm_90 = {occupancy = 64}>` gives `expected an integer from 1 to 32 for
    sm_90.occupancy, found 64 : i64`.
  }];
  let options = [Option<"error", "error", "bool", "false", "such hints are errors">];
}

#endif
