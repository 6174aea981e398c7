// What the scores of an online softmax are made of between the dots of its
// iteration, and how exact that has to be.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_SCORES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_SCORES_H

#include "Mainloop/OnlineSoftmax.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {

/// The ops of an iteration that scores are made of, back to loads and to dots,
/// which are not among them.
/// \param withSums  whether those that these dots add to are, too.
llvm::SetVector<mlir::Operation *> opsOfScores(const OnlineSoftmax &match,
                                               bool withSums = false);

/// Whether scores are products of 16-bit numbers.
bool hasNarrowFactors(MainloopOp loop);

/// Those in the loop that nothing else reads.
llvm::SetVector<mlir::Operation *> scoreSlice(const OnlineSoftmax &match);

/// Those of an iteration that may move into a branch of it, in their order.
/// None where scores are what a dot makes, masked or not, and none where a tile
/// that is loaded to registers is among them: it would stay there as well.
llvm::SmallVector<mlir::Operation *> movableScores(const OnlineSoftmax &match);

/// Scores of 16-bit factors need not be exact in the last digits: a tanh that
/// caps them is one instruction, what divides them multiplies by its
/// reciprocal, products and sums round once.
void relaxScores(const OnlineSoftmax &match);

/// Maxima below this are huge: a product of them with the scale of the scores
/// is not right to a fraction of 1.
inline constexpr double leastMaximum = -65536;

/// Whether scores may be huge: numbers that hide them, or from memory.
bool mayHaveHugeScores(const OnlineSoftmax &match);

/// Whether maxima may be huge: of such scores, or those a loop begins with.
bool mayBeHuge(const OnlineSoftmax &match);

} // namespace tilegpt::tilegpu

#endif
