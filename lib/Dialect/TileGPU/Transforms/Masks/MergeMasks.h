// Merges nested masks.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_MERGEMASKS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_MERGEMASKS_H

#include "mlir/IR/Block.h"

namespace tilegpt::tilegpu {

/// Merges nested masks with the same masked value into one mask with both
/// conditions, which iterations then check and apply together. Masks that are
/// added, as 0 or a number that hides scores, become selects between the score
/// and the sum. Masks of integers are removed if the same mask hides what is
/// computed from them.
/// \returns the number of masks changed.
unsigned mergeMasks(mlir::Block &body);

} // namespace tilegpt::tilegpu

#endif
