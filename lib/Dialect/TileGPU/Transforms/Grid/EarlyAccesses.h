// Which accesses of a kernel may begin before the launch in front of it has
// ended: those of memory that is as the step found it.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_EARLYACCESSES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_GRID_EARLYACCESSES_H

#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {

/// What early copies and loads of one kernel ask.
class EarlyAccesses {
public:
  /// Whether an op must stand behind the wait.
  bool mustWait(mlir::Operation *op);

  /// Whether a value is no memory at all, or such as the step found it.
  bool isOwn(mlir::Value value);

  /// Whether a load from a view may read what one of these ops writes.
  bool meetsAny(mlir::ArrayRef<mlir::Operation *> writes, mlir::Value view);

  /// The loads in the block of the wait that suit, of those that need not wait;
  /// what they need is moved in front of it.
  mlir::SmallVector<tile::LoadOp>
  findLoads(AwaitLaunchOp wait, mlir::function_ref<bool(tile::LoadOp)> suits);

  IndexFacts &getFacts() { return facts; }

private:
  IndexFacts facts;
};

using OpSet = llvm::SetVector<mlir::Operation *>;

/// Whether the operands of an op behind a place are there already, or can be.
bool isKnownAt(mlir::Operation *place, mlir::Operation *op,
               const OpSet &movable);

/// Adds what makes a value, of what can be moved, in order.
void addWithOperands(mlir::Value value, const OpSet &movable, OpSet &moved);

/// The first op of the load's block that uses it, itself or inside.
mlir::Operation *firstUser(tile::LoadOp load);

/// Bytes in front of the wait; more would keep the blocks of this launch and of
/// the one before it from sharing a multiprocessor.
inline constexpr int64_t mostEarlyBytes = int64_t(64) << 10;

} // namespace tilegpt::tilegpu

#endif
