// What the kernels of a loop in parts have in common while they are written.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_HOST_LOOPWRITER_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_HOST_LOOPWRITER_H

#include "Host/LoopParts.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tile {

/// A kernel that is on its way from the text of the whole.
class LoopWriter {
public:
  explicit LoopWriter(LoopDeal whole);

protected:
  mlir::Block *body() { return copy->getEntryBlock(); }
  mlir::Value number(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value ceildiv(mlir::Value a, mlir::Value b);
  /// The type of a tile that the loop carries.
  mlir::RankedTensorType tileAt(unsigned number);

  /// Sets `trips`, the iterations of the loop, and `share`, those of a part.
  void countIterations();

  /// The number of the first part of a block, by its place in the grid.
  mlir::Value firstPart(llvm::ArrayRef<mlir::Value> place);
  /// The window of a view of partial tiles that has one part.
  mlir::Value windowOf(mlir::Value partial, mlir::Value part);
  /// Indices of the only tile of such a window.
  llvm::SmallVector<mlir::Value> originOf(unsigned number);

  /// Erases ops that nothing uses, but for the loop.
  void dropUnused();

  /// Gives arguments in expressions of the kernel their new numbers.
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
