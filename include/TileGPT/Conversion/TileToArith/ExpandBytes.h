// Numbers as bytes and bytes as numbers, for machines whose tiles have no
// bytes.
#ifndef TILEGPT_CONVERSION_TILETOARITH_EXPANDBYTES_H
#define TILEGPT_CONVERSION_TILETOARITH_EXPANDBYTES_H

#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tile {

/// Writes `tile.bytes` of tiles of known size as shifts along a second axis: a
/// number is broadcast and each byte shifted down, bytes are shifted up and
/// joined by `tile.reduce or`.
void populateExpandBytesPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tile

#endif
