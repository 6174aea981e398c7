// The consistency rules for the tables of a bundle.
#ifndef TILEGPT_LIB_BUNDLE_VALIDATE_H
#define TILEGPT_LIB_BUNDLE_VALIDATE_H

#include "TileGPT/Bundle/Bundle.h"

namespace tilegpt::bundle {

/// Checks every entry of every table of a bundle whose section layout is valid.
/// Every index and range is checked before use.
/// \returns BadInput with a message that continues "the image ".
runtime::Result<void> validate(const Bundle &bundle);

} // namespace tilegpt::bundle

#endif // TILEGPT_LIB_BUNDLE_VALIDATE_H
