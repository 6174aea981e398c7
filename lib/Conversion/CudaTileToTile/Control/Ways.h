// The ways in which control leaves the blocks of an entry.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_CONTROL_WAYS_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_CONTROL_WAYS_H

#include "TileGPT/Conversion/CudaTileToTile/Passes.h"
#include <map>

namespace tilegpt::cuda_tile {

enum class Way { Yield, Continue, Break, Return };

/// The ways out of a block and the types of what each takes along.
using Ways = std::map<Way, llvm::SmallVector<mlir::Type>>;

/// The way that an op at the end of a block takes.
Way wayOf(mlir::Operation *terminator);

/// The ways out of a block behind a place in it, out of a region (one that is
/// missing yields nothing), and out of either branch.
Ways waysFrom(mlir::Block::iterator op, mlir::Block &block);
Ways waysOf(mlir::Region &region);
Ways waysOf(IfOp op);
/// A loop goes on behind itself after a `break`, or returns.
Ways waysOf(LoopOp op);

/// Whether control may leave the block of an `if` or a `loop` from within it.
bool isLeft(mlir::Operation *op);

/// The `if` that is the first way out of a loop when it does nothing but break
/// in one branch, and the rest of the loop has no other way out. Null if there
/// is none.
IfOp findTest(LoopOp op);

} // namespace tilegpt::cuda_tile

#endif
