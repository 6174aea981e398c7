// Adds facts about arguments of a raw kernel as assumptions: the implementation
// of `--tile-assume-arguments`.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_RAW_ASSUMEARGUMENTS_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_RAW_ASSUMEARGUMENTS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/Transforms/Raw/ArgumentFacts.h"

namespace tilegpt::tile {

/// Attribute of a raw kernel: what `assumeArguments` has added, one dictionary
/// per argument: `{argument = 0, div_by = 16}` or `{argument = 5, value = 1}`.
inline constexpr llvm::StringLiteral assumedArgumentsAttr =
    "tile.assumed_arguments";

/// Which facts about each argument of a raw kernel are useful: that 16 divides
/// a pointer, or an integer times the size of the narrowest type that the
/// kernel points to; whether an integer that is not the size of a view is 1.
/// Facts that the kernel already assumes are not.
std::vector<WantedFacts> wantedFacts(KernelOp kernel);

/// Adds the facts about each argument as assumptions, and replaces arguments of
/// known value by constants. The kernel must not be launched with others.
/// \param facts one per argument.
void assumeArguments(KernelOp kernel, llvm::ArrayRef<ArgumentFacts> facts);

/// The facts that `assumeArguments` has added, by argument index.
llvm::SmallVector<std::pair<unsigned, ArgumentFacts>>
assumedFacts(KernelOp kernel);

} // namespace tilegpt::tile

#endif
