// The keys of launches in tuning records.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_LAUNCHKEY_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_LAUNCHKEY_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Runtime/Tuning/Records.h"

namespace tilegpt::tile {

/// Attribute of a function: an array with a dictionary for each legal fusion of
/// its launches, for tuning: `name`, `digest` and `operands` of the key,
/// `fused`.
inline constexpr llvm::StringLiteral fusionsAttr = "tile.fusions";

/// The digest of a kernel's text without names and locations, so renaming keeps
/// records and editing invalidates them.
std::string digestOf(KernelOp kernel);

/// The key of a launch of an unspecialized kernel, with the row range of the
/// enclosing function.
runtime::LaunchKey keyOf(LaunchOp launch, KernelOp kernel);
/// The same, for a kernel of this digest.
runtime::LaunchKey keyOf(LaunchOp launch, std::string digest);

/// The key of two launches that a fusion may join.
/// \param first, second  the keys of the producer and its consumer.
/// \param result, operand  of the tensor between them.
runtime::LaunchKey keyOfPair(const runtime::LaunchKey &first, unsigned result,
                             const runtime::LaunchKey &second,
                             unsigned operand);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_ANALYSIS_LAUNCHKEY_H
