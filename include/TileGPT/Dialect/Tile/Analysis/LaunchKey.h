// The keys of launches in tuning records.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_LAUNCHKEY_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_LAUNCHKEY_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Runtime/Tuning/Records.h"

namespace tilegpt::tile {

/// The digest of a kernel's text without names and locations, so renaming keeps
/// records and editing invalidates them.
std::string digestOf(KernelOp kernel);

/// The key of a launch of an unspecialized kernel, with the row range of the
/// enclosing function.
runtime::LaunchKey keyOf(LaunchOp launch, KernelOp kernel);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_ANALYSIS_LAUNCHKEY_H
