// What a launch knows of the arguments of a raw kernel, as promises in its
// text: the mechanism behind `--tile-assume-arguments`.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_RAW_ASSUMEARGUMENTS_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_RAW_ASSUMEARGUMENTS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/Transforms/Raw/ArgumentFacts.h"

namespace tilegpt::tile {

/// Attribute of a raw kernel: what `assumeArguments` has promised, a dictionary
/// an argument: `{argument = 0, div_by = 16}` or `{argument = 5, value = 1}`.
inline constexpr llvm::StringLiteral assumedArgumentsAttr =
    "tile.assumed_arguments";

/// What is worth knowing of each argument of a raw kernel: that 16 divides a
/// pointer, and an integer times the narrowest type that the kernel points to,
/// in bytes; whether an integer that is no size of a view is 1. What the text
/// promises already is not.
std::vector<WantedFacts> wantedFacts(KernelOp kernel);

/// Makes promises of what is known of each argument, and constants of those
/// whose value is. The kernel must not be launched on others.
/// \param facts as many as arguments.
void assumeArguments(KernelOp kernel, llvm::ArrayRef<ArgumentFacts> facts);

/// What `assumeArguments` has promised, by the number of the argument.
llvm::SmallVector<std::pair<unsigned, ArgumentFacts>>
assumedFacts(KernelOp kernel);

} // namespace tilegpt::tile

#endif
