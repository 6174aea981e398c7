// Transforms of the gpt dialect.
#ifndef TILEGPT_DIALECT_GPT_TRANSFORMS_PASSES_H
#define TILEGPT_DIALECT_GPT_TRANSFORMS_PASSES_H

#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace tilegpt::gpt {

/// Attributes of a function that is a plan of a model, besides tile::rowsAttr:
/// its kind ("decode", "sample", "prefill" or "score"), and array<i64: lo, hi>,
/// the range of B.
inline constexpr llvm::StringLiteral planKindAttr = "gpt.plan";
inline constexpr llvm::StringLiteral sequencesAttr = "gpt.sequences";

/// Whether N = B in plans of this kind.
inline bool hasOneRowPerSequence(mlir::StringAttr planKind) {
  return planKind == "decode" || planKind == "sample";
}

/// Unit attribute of a function whose results are already the last rows.
inline constexpr llvm::StringLiteral lastRowsAttr = "gpt.last_rows";

#define GEN_PASS_DECL
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h.inc"

} // namespace tilegpt::gpt

#endif
