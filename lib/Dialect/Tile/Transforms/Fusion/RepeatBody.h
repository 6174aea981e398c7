// Repeats the body of a kernel for several sets of values.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_REPEATBODY_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_REPEATBODY_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Clones the ops that depend on some values once for each set of replacements.
/// Other ops are not repeated, and neither is a loop, which then carries the
/// results of all repetitions.
/// \param begin   in the kernel's entry block: ops before it stay
/// \param from    arguments of the kernel
/// \param places  by repetition: the replacements for `from`
void repeatBody(mlir::Block::iterator begin, mlir::ValueRange from,
                llvm::ArrayRef<llvm::SmallVector<mlir::Value>> places);

} // namespace tilegpt::tile

#endif
