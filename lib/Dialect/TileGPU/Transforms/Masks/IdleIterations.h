// Iterations that change nothing that their loop carries, as a mask hides all
// that they would add.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_IDLEITERATIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_IDLEITERATIONS_H

#include "Masks/MaskConditions.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tilegpt::tilegpu {

/// A mask of a loop: where its condition holds nowhere, the iteration hands on
/// what it was handed.
struct IdleMask {
  PositionCondition condition;
  mlir::RankedTensorType type; ///< of the tile that is masked
};

/// The masks of which each alone makes iterations idle: scores that are zero,
/// or whose exponential is, where they are hidden, and of which the loop adds
/// up products. As in a dot, what zeros are multiplied with has to be finite.
/// \param body  of the loop, or the `consume` region of a main loop.
llvm::SmallVector<IdleMask> findIdleMasks(mlir::LoopLikeOpInterface loop,
                                          mlir::Block &body);

} // namespace tilegpt::tilegpu

#endif
