// The computation of an online softmax's scores between the dots of an
// iteration, and the precision it needs.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_SCORES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_SCORES_H

#include "Mainloop/OnlineSoftmax.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {

/// The ops of an iteration that scores depend on, back to loads and dots, which
/// are not included.
/// \param withSums  whether to include the ops that compute the accumulators of
/// these dots.
llvm::SetVector<mlir::Operation *> opsOfScores(const OnlineSoftmax &match,
                                               bool withSums = false);

/// Whether scores are products of 16-bit operands.
bool hasNarrowFactors(MainloopOp loop);

/// Those of them within the loop that nothing else uses.
llvm::SetVector<mlir::Operation *> scoreSlice(const OnlineSoftmax &match);

/// Those of them that may move into a branch, in order. Empty if scores are a
/// dot's result, masked or not, or if a tile loaded into registers is among
/// them: it would stay live there as well.
llvm::SmallVector<mlir::Operation *> movableScores(const OnlineSoftmax &match);

/// Relaxes scores of 16-bit operands, which need not be exact to the last bit:
/// a capping tanh becomes one instruction, divisions multiply by the
/// reciprocal, products and sums round once.
void relaxScores(const OnlineSoftmax &match);

/// Maxima below this are huge: their product with the scale of the scores has
/// an error that is large compared to 1.
inline constexpr double leastMaximum = -65536;

/// Whether scores may be huge, because of mask values or loaded numbers.
bool mayHaveHugeScores(const OnlineSoftmax &match);

/// Whether maxima may be huge, because of such scores or the initial value.
bool mayBeHuge(const OnlineSoftmax &match);

} // namespace tilegpt::tilegpu

#endif
