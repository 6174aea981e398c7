// What a launch is known by in records of tuning.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_LAUNCHKEY_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_LAUNCHKEY_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Runtime/Tuning/Records.h"

namespace tilegpt::tile {

/// The digest of a kernel's text: names and locations are not part of it, so
/// that renaming keeps records and editing forgets them.
std::string digestOf(KernelOp kernel);

/// The key of a launch whose kernel is not specialized; rows are those of the
/// function around it.
runtime::LaunchKey keyOf(LaunchOp launch, KernelOp kernel);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_ANALYSIS_LAUNCHKEY_H
