// From gpt ops to launches of kernels.
#ifndef TILEGPT_CONVERSION_GPTTOTILE_PASSES_H
#define TILEGPT_CONVERSION_GPTTOTILE_PASSES_H

#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace tilegpt::gpt {

#define GEN_PASS_DECL
#include "TileGPT/Conversion/GptToTile/Passes.h.inc"

} // namespace tilegpt::gpt

#endif
