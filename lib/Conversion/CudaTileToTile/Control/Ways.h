// The exits of the blocks of an entry.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_CONTROL_WAYS_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_CONTROL_WAYS_H

#include "TileGPT/Conversion/CudaTileToTile/Passes.h"
#include <map>

namespace tilegpt::cuda_tile {

enum class Way { Yield, Continue, Break, Return };

/// The exits of a block, with the types of the values each passes.
using Ways = std::map<Way, llvm::SmallVector<mlir::Type>>;

/// The exit that a terminator takes.
Way wayOf(mlir::Operation *terminator);

/// The exits of a block from a place on, of a region (a missing region yields
/// nothing), and of the two branches.
Ways waysFrom(mlir::Block::iterator op, mlir::Block &block);
Ways waysOf(mlir::Region &region);
Ways waysOf(IfOp op);
/// Control continues after a loop if it breaks, or returns.
Ways waysOf(LoopOp op);

/// Whether control may leave the parent block from within an `if` or `loop`.
bool isLeft(mlir::Operation *op);

/// The `if` that is the first exit of a loop, if one of its branches only
/// breaks, and the rest of the loop has no other exit. Null if there is none.
IfOp findTest(LoopOp op);

} // namespace tilegpt::cuda_tile

#endif
