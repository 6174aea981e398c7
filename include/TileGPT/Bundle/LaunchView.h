// Views that a launch of a raw kernel computes from its parameters.
#ifndef TILEGPT_BUNDLE_LAUNCHVIEW_H
#define TILEGPT_BUNDLE_LAUNCHVIEW_H

#include "TileGPT/Bundle/Format.h"

namespace tilegpt::bundle {

/// A view that follows a kernel's declared parameters, as words like any other:
/// address, sizes, strides in elements.
struct LaunchView {
  uint16_t pointer = 0; ///< the declared parameter that is the address
  uint16_t rank = 0;    ///< 1 to maxTensorMapRank
  /// Sizes, then strides: each an expression in the kernel's table, in which
  /// Scalar names a declared parameter.
  Range words[2 * maxTensorMapRank];
};
static_assert(sizeof(LaunchView) == 84);

} // namespace tilegpt::bundle

#endif // TILEGPT_BUNDLE_LAUNCHVIEW_H
