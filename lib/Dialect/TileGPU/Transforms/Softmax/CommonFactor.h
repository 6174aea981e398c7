// Hoists the common factor of all scores of an online softmax.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_COMMONFACTOR_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_COMMONFACTOR_H

#include "Mainloop/OnlineSoftmax.h"

namespace tilegpt::tilegpu {

/// If scores are c·x with a loop-invariant scalar c > 0, makes the loop compare
/// x instead: its maximum becomes that of x, and is multiplied by c after the
/// loop. Exponents stay the same. Updates the match to the new scores.
/// \returns the factors of c; empty if nothing has changed.
llvm::SmallVector<mlir::OpFoldResult> takeOutFactor(OnlineSoftmax &match);

} // namespace tilegpt::tilegpu

#endif
