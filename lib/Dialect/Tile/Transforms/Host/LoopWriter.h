// Shared construction of the kernels of a split loop.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_HOST_LOOPWRITER_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_HOST_LOOPWRITER_H

#include "Host/LoopParts.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tile {

/// A kernel being created from the original.
class LoopWriter {
public:
  explicit LoopWriter(LoopDeal whole);

protected:
  mlir::Block *body() { return copy->getEntryBlock(); }
  mlir::Value number(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value ceildiv(mlir::Value a, mlir::Value b);
  /// The type of a loop-carried tile.
  mlir::RankedTensorType tileAt(unsigned number);

  /// Sets `trips`, the trip count of the loop, and `share`, that of a part.
  void countIterations();

  /// The index of the first part of a block, from its block ids.
  mlir::Value firstPart(llvm::ArrayRef<mlir::Value> place);
  /// The window of a view of partial results for one part.
  mlir::Value windowOf(mlir::Value partial, mlir::Value part);
  /// Indices of the only tile of such a window.
  llvm::SmallVector<mlir::Value> originOf(unsigned number);

  /// Erases dead ops, except the loop.
  void dropUnused();

  /// Renumbers arguments in expressions of the kernel.
  void renumber(llvm::function_ref<int64_t(int64_t)> numberOf);

  LoopDeal deal;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::IRMapping mapping; ///< from the whole kernel
  mlir::OwningOpRef<KernelOp> copy;
  mlir::scf::ForOp loop; ///< of the copy
  mlir::Value trips, share;
};

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_TRANSFORMS_HOST_LOOPWRITER_H
