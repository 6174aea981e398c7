// What an op writes to the scratch area of its kernel when its threads have to
// exchange elements: how large that is, and how it is laid out.
#ifndef TILEGPT_LIB_CONVERSION_TILETOGPU_SCRATCH_H
#define TILEGPT_LIB_CONVERSION_TILETOGPU_SCRATCH_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/Operation.h"

namespace tilegpt::tilegpu {

/// Bytes of scratch that an op on tiles with layouts needs, a multiple of 16;
/// 0 for ops that exchange nothing between threads.
int64_t scratchBytes(mlir::Operation *op);

/// Types in which a thread carries the values of a reduction: one for each
/// source, or the best element and its i32 position for argmax and argmin.
llvm::SmallVector<mlir::Type> accumulatorTypes(tile::ReduceOp op);

/// How the warps along the axis of a reduction meet. Each accumulator has an
/// area of its own, one behind the other, of one slot for each register of the
/// result, each of `warpsBeside`, `lanesBeside` and `warpsAlong`, the last two
/// in the order that gives fewer bank conflicts.
struct ReduceExchange {
  int64_t registers;   ///< of a thread, for the result
  int64_t lanesBeside; ///< lanes of a warp that hold different results
  int64_t warpsBeside; ///< warps that hold different results, or copies
  int64_t warpsAlong;  ///< warps that hold parts of one result
  bool warpsFirst;     ///< whether the warps along the axis are neighbours

  explicit ReduceExchange(tile::ReduceOp op);
  bool isNeeded() const { return warpsAlong > 1; }
  int64_t getNumSlots() const {
    return registers * lanesBeside * warpsBeside * warpsAlong;
  }
};

} // namespace tilegpt::tilegpu

#endif
