// Whether results of an online softmax depend on what its exponents had
// subtracted.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_SHIFTINVARIANCE_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_SHIFTINVARIANCE_H

#include "TileGPT/Dialect/Tile/Analysis/LinearForm.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tilegpt::tilegpu {

/// The results of a loop that a larger maximum changes: m, and l and o, which
/// are smaller by b^(c·d) where m is larger by d.
struct ShiftedResults {
  mlir::Value maximum, sum, weighted;
  LinearTerm scale; ///< c, times any tile
  bool isBinary;    ///< whether b is 2
};

/// Whether a loop goes on with the recurrence of the loop in front of it.
/// \param maximum  number of the value it begins with that is m.
/// \param scaled   … of those that are multiples of l or o.
using GoesOn =
    llvm::function_ref<bool(mlir::LoopLikeOpInterface loop, unsigned maximum,
                            llvm::ArrayRef<unsigned> scaled)>;

/// The first op behind a loop that uses its results otherwise than in numbers
/// that do not change with the maximum: quotients such as o / l, and sums such
/// as c·m + ln l. Null where there is none.
mlir::Operation *findShiftedUse(mlir::Operation *loop,
                                const ShiftedResults &results, GoesOn goesOn);

} // namespace tilegpt::tilegpu

#endif
