// The body of a kernel once for each of several places it reads from.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_REPEATBODY_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_REPEATBODY_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Repeats what follows from some values, once for each set of values in their
/// place. What does not follow from them stays one, and so does a loop, which
/// then carries the results of all repetitions.
/// \param begin   of the kernel's entry block: what is in front of it stays
/// \param from    arguments of the kernel
/// \param places  by repetition: what stands for the values of `from`
void repeatBody(mlir::Block::iterator begin, mlir::ValueRange from,
                llvm::ArrayRef<llvm::SmallVector<mlir::Value>> places);

} // namespace tilegpt::tile

#endif
