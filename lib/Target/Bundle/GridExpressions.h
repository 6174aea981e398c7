// Size expressions of kernels in the postfix form of bundles.
#ifndef TILEGPT_LIB_TARGET_BUNDLE_GRIDEXPRESSIONS_H
#define TILEGPT_LIB_TARGET_BUNDLE_GRIDEXPRESSIONS_H

#include "TileGPT/Bundle/Format.h"
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include <vector>

namespace tilegpt::target {

/// \param expr of a specialized kernel: its symbols are sizes and scalar
/// arguments only.
std::vector<bundle::Expression> postfixOf(tile::ExprAttr expr);

} // namespace tilegpt::target

#endif
