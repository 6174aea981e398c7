// The value of the elements of a load that do not exist.
#ifndef TILEGPT_CONVERSION_TILETOARITH_PADVALUE_H
#define TILEGPT_CONVERSION_TILETOARITH_PADVALUE_H

#include "TileGPT/Dialect/Tile/IR/TileDialect.h"

namespace tilegpt::tile {

/// `pad` as a constant of `type`, a float or a signless integer; the latter
/// knows zero only.
mlir::TypedAttr padValue(PadKind pad, mlir::Type type);

} // namespace tilegpt::tile

#endif
