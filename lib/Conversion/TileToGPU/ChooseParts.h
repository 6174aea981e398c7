// Into how many parts the blocks of a cluster share out the rows of a loop (see
// ShareRows.cpp), as decode attention's keys.
#ifndef TILEGPT_LIB_CONVERSION_TILETOGPU_CHOOSEPARTS_H
#define TILEGPT_LIB_CONVERSION_TILETOGPU_CHOOSEPARTS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"

namespace tilegpt::tilegpu {

/// A loop over the rows of a window, of which a block may make all or, with
/// others, a part.
struct WalkedRows {
  mlir::StringAttr copies; ///< parameter: blocks that make the same
  mlir::StringAttr parts;  ///< parameter: parts that meet behind the loop
  /// The axis that is walked.
  unsigned argument, axis;
};
std::optional<WalkedRows> findWalkedRows(tile::KernelOp kernel);

/// The blocks that share the rows of a launch.
/// \param sizeOf  of an axis of an operand, the most there can be.
int64_t chooseCopies(
    tile::KernelOp kernel, const WalkedRows &rows,
    const target::GpuTarget &target, int64_t multiprocessors,
    llvm::function_ref<std::optional<int64_t>(unsigned, unsigned)> sizeOf);

} // namespace tilegpt::tilegpu

#endif
