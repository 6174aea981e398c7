// Merges nested masks.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_MERGEMASKS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_MERGEMASKS_H

#include "mlir/IR/Block.h"

namespace tilegpt::tilegpu {

/// Merges nested masks with the same masked value into one mask with both
/// conditions, which iterations then check and apply together.
/// \returns the number of masks merged.
unsigned mergeMasks(mlir::Block &body);

} // namespace tilegpt::tilegpu

#endif
