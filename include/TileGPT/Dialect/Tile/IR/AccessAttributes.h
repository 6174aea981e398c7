// Names of attributes that say something of a single access.
#ifndef TILEGPT_DIALECT_TILE_IR_ACCESSATTRIBUTES_H
#define TILEGPT_DIALECT_TILE_IR_ACCESSATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tilegpt::tile {

/// Unit attribute of a load: nothing that the kernel writes or waits for comes
/// before it, so that it may be issued as early as its place is known.
inline constexpr llvm::StringLiteral settledAttr = "tile.settled";

} // namespace tilegpt::tile

#endif
