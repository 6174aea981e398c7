// Iterations that a mask makes idle: they change no loop-carried value.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_IDLEITERATIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_IDLEITERATIONS_H

#include "Mainloop/OnlineSoftmax.h"
#include "Masks/MaskConditions.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tilegpt::tilegpu {

/// A mask of a loop: if its condition holds nowhere, the iteration yields its
/// arguments.
struct IdleMask {
  PositionCondition condition;
  mlir::RankedTensorType type; ///< of the masked tile
};

/// The masks that each make iterations idle on their own: hidden scores, or
/// their exponentials, are zero, and the loop accumulates products of them. As
/// in a dot, the numbers multiplied by zeros have to be finite.
/// \param body  of the loop, or the `consume` region of a main loop.
llvm::SmallVector<IdleMask> findIdleMasks(mlir::LoopLikeOpInterface loop,
                                          mlir::Block &body);

/// What hides scores of a softmax.
struct SoftmaxMask {
  PositionCondition condition; ///< holds for those that are not hidden
  bool hidesByInfinity = true; ///< and not by finite numbers
};
SoftmaxMask findSoftmaxMask(const OnlineSoftmax &softmax);

/// Whether the maximum of rows that have seen no key is a number, or replaced
/// by one: scores of minus infinity do not make them NaN.
bool isGuardedMaximum(mlir::LoopLikeOpInterface loop,
                      const OnlineSoftmax &softmax);

} // namespace tilegpt::tilegpu

#endif
