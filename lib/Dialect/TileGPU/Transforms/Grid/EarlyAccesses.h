// Decides which accesses of a kernel may start before the previous launch has
// finished: those of memory that the current step does not modify.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_EARLYACCESSES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_EARLYACCESSES_H

#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

namespace tilegpt::tilegpu {

/// Checks whether copies and loads of one kernel can be hoisted above the wait.
class EarlyAccesses {
public:
  /// Whether an op must stay after the wait.
  bool mustWait(mlir::Operation *op);

  /// Whether a value is no memory, or memory that the step does not modify.
  bool isOwn(mlir::Value value);

  /// Whether a load from a view may read what one of these ops writes.
  bool meetsAny(mlir::ArrayRef<mlir::Operation *> writes, mlir::Value view);

  /// The loads in the wait's block that satisfy `suits` and need not wait.
  /// Moves the ops that they depend on before the wait.
  mlir::SmallVector<tile::LoadOp>
  findLoads(AwaitLaunchOp wait, mlir::function_ref<bool(tile::LoadOp)> suits);

  IndexFacts &getFacts() { return facts; }

private:
  IndexFacts facts;
};

/// The first op of the load's block that uses it, directly or in a region.
mlir::Operation *firstUser(tile::LoadOp load);

/// The most bytes loaded before the wait; more would prevent blocks of this
/// launch and the previous one from sharing a multiprocessor.
inline constexpr int64_t mostEarlyBytes = int64_t(64) << 10;

} // namespace tilegpt::tilegpu

#endif
