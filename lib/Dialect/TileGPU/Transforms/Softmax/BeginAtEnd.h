// Runs the loop of an online softmax from its last iteration to its first.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_BEGINATEND_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_BEGINATEND_H

#include "Mainloop/OnlineSoftmax.h"
#include "Masks/AffineCondition.h"

namespace tilegpt::tilegpu {

/// Whether a condition has a non-affine part that may mask any iteration on its
/// own, such as a comparison of document ids.
bool mayHideAny(const IterationRange &range,
                const PositionCondition &condition);

/// Whether to run the last iterations first: a mask hides some of their scores,
/// and either also hides scores of the first ones, so that blocks do not walk
/// the same keys at the same time anyway, or scores depend on the key's
/// position.
bool shouldBeginAtEnd(const OnlineSoftmax &match);

/// Reverses the iterations. The first iteration has to compute a maximum
/// anyway, so its mask costs little, and scores that fall with the distance of
/// a key do not raise the maximum afterwards. Rows that are fully masked in it
/// keep a finite maximum.
void beginAtEnd(const OnlineSoftmax &match);

} // namespace tilegpt::tilegpu

#endif
