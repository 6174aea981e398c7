// From gpt ops to launches of kernels.
#ifndef TILEGPT_CONVERSION_GPTTOTILE_PASSES_H
#define TILEGPT_CONVERSION_GPTTOTILE_PASSES_H

#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace tilegpt::gpt {

/// Attribute of a launch: where in the model it stands, e.g. "h.3.attn.c_attn";
/// for traces and errors.
inline constexpr llvm::StringLiteral labelAttr = "tile.label";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "TileGPT/Conversion/GptToTile/Passes.h.inc"

} // namespace tilegpt::gpt

#endif
