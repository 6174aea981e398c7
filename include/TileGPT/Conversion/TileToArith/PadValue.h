// The value of out-of-bounds elements of a load.
#ifndef TILEGPT_CONVERSION_TILETOARITH_PADVALUE_H
#define TILEGPT_CONVERSION_TILETOARITH_PADVALUE_H

#include "TileGPT/Dialect/Tile/IR/TileDialect.h"

namespace tilegpt::tile {

/// `pad` as a constant of `type`, a float or a signless integer; integers only
/// support zero.
mlir::TypedAttr padValue(PadKind pad, mlir::Type type);

} // namespace tilegpt::tile

#endif
