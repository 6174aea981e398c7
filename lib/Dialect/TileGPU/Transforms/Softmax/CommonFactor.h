// A factor that all scores of an online softmax have.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_COMMONFACTOR_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_COMMONFACTOR_H

#include "Mainloop/OnlineSoftmax.h"

namespace tilegpt::tilegpu {

/// Where scores are c·x with a scalar c > 0 from in front of the loop, lets the
/// loop compare x instead: its maximum becomes that of x, and is multiplied by
/// c behind it. Exponents are still those of the text, and c short.
/// The match has the new scores then.
/// \returns the factors of c; none where nothing has changed.
llvm::SmallVector<mlir::OpFoldResult> takeOutFactor(OnlineSoftmax &match);

} // namespace tilegpt::tilegpu

#endif
