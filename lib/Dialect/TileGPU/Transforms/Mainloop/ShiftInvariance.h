// Whether results of an online softmax depend on the value subtracted from its
// exponents.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_SHIFTINVARIANCE_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_SHIFTINVARIANCE_H

#include "TileGPT/Dialect/Tile/Analysis/LinearForm.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tilegpt::tilegpu {

/// The results of a loop that change with the subtracted maximum: m, and l and
/// o, which shrink by b^(c·d) when m grows by d.
struct ShiftedResults {
  mlir::Value maximum, sum, weighted;
  LinearTerm scale; ///< c, times any tile
  bool isBinary;    ///< whether b is 2
};

/// Whether a loop continues the recurrence of the loop before it.
/// \param maximum  the index of its init that is m.
/// \param scaled  the indices of its inits that are multiples of l or o.
using GoesOn =
    llvm::function_ref<bool(mlir::LoopLikeOpInterface loop, unsigned maximum,
                            llvm::ArrayRef<unsigned> scaled)>;

/// The first op after a loop whose result depends on the maximum. Quotients
/// such as o / l and sums such as c·m + ln l do not. Null if there is none.
mlir::Operation *findShiftedUse(mlir::Operation *loop,
                                const ShiftedResults &results, GoesOn goesOn);

} // namespace tilegpt::tilegpu

#endif
