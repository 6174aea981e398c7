// Replaces selections by the tensors they choose.
#ifndef TILEGPT_LIB_DIALECT_GPT_TRANSFORMS_REPLACESELECTION_H
#define TILEGPT_LIB_DIALECT_GPT_TRANSFORMS_REPLACESELECTION_H

#include "TileGPT/Dialect/Gpt/IR/GptOps.h"

namespace tilegpt::gpt {

/// Puts the tensor that `select` chooses in its place, and erases the ops that
/// only the other one was computed for.
/// \returns failure with an error on `select` if its value depends on the layer
/// or is no number.
mlir::LogicalResult replaceSelection(SelectOp select);

} // namespace tilegpt::gpt

#endif // TILEGPT_LIB_DIALECT_GPT_TRANSFORMS_REPLACESELECTION_H
