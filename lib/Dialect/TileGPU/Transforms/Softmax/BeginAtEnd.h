// Whether a loop of an online softmax runs from its last iteration to its
// first.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_BEGINATEND_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_BEGINATEND_H

#include "Mainloop/OnlineSoftmax.h"
#include "Masks/AffineCondition.h"

namespace tilegpt::tilegpu {

/// Whether a condition has a part that is not affine and may hide any iteration
/// by itself: numbers of documents, say.
bool mayHideAny(const IterationRange &range,
                const PositionCondition &condition);

/// Whether the last iterations are those to begin with: a mask hides some of
/// their scores, and either scores of the first ones as well, so that blocks do
/// not walk the same keys at the same time anyway, or scores change with the
/// position of a key.
bool shouldBeginAtEnd(const OnlineSoftmax &match);

/// Runs the iterations from the last to the first. The first to run has to find
/// a maximum anyway; that it has a mask as well costs little, and scores that
/// fall with the distance of a key do not raise the maximum afterwards. Rows
/// that see nothing in it keep a maximum that is a number.
void beginAtEnd(const OnlineSoftmax &match);

} // namespace tilegpt::tilegpu

#endif
