// Iterations in the middle of a loop that a mask hides from all rows: those
// between the first keys, which all rows see, and the window of a block.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_HIDDENGAP_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_HIDDENGAP_H

#include "Masks/AffineCondition.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// A mask as a disjunction of two: `front` holds from no iteration on, `back`
/// holds before none. Between the end of one and the begin of the other there
/// may be iterations in which neither holds.
struct HiddenGap {
  PositionCondition front, back;
};

/// Nothing if the mask has no such form.
std::optional<HiddenGap> findHiddenGap(const IterationRange &range,
                                       const PositionCondition &mask);

/// Replaces a loop by one that ends at iteration `begin` and another that
/// continues with iteration `end`, or where the first one ended if that is
/// later. Builds before the loop.
void leaveOutGap(mlir::scf::ForOp loop, mlir::Value begin, mlir::Value end);

} // namespace tilegpt::tilegpu

#endif
