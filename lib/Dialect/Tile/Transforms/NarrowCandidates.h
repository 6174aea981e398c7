// Restricts tile sizes to those with which launches meet requirements and tiles
// have their declared types.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NARROWCANDIDATES_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NARROWCANDIDATES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Drops candidates of size parameters with which a launch of `kernel` would
/// violate a requirement, such as `dim(%c, 0) == ceildiv(dim(%x, 0), BN)`. If
/// the default is one of them, the nearest remaining candidate replaces it.
///
/// A tile of static size, such as `[BM, 64] -> tensor<8x64xf32>`, leaves BM
/// this size only.
///
/// If a requirement cannot be decided yet (a dynamic size, a scalar, a second
/// parameter with candidates), only the default remains: the caller of the
/// kernel cannot know any other choice. If nothing remains, the parameter stays
/// as it is, and binding the kernel reports the requirement.
void narrowCandidates(KernelOp kernel, llvm::ArrayRef<LaunchOp> launches);

} // namespace tilegpt::tile

#endif
