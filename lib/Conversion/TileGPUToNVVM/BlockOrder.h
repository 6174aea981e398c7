// The order of the ops of a block while many of them move.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_BLOCKORDER_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_BLOCKORDER_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"

namespace tilegpt::tilegpu {

/// Numbers the ops of a block in order. `Operation::isBeforeInBlock` numbers
/// all of them again after every move; this numbers only neighbours, and only
/// if there is no number between them.
class BlockOrder {
public:
  /// \param block  outlives this; its ops are moved by this only.
  explicit BlockOrder(mlir::Block &block);

  bool isBefore(mlir::Operation *op, mlir::Operation *other) const {
    return numbers.at(op) < numbers.at(other);
  }

  void moveBefore(mlir::Operation *op, mlir::Operation *place);
  void moveAfter(mlir::Operation *op, mlir::Operation *place);

private:
  /// Numbers an op between its neighbours.
  void renumber(mlir::Operation *op);
  /// Spreads the numbers around an op, over a range wide enough that this is
  /// rarely necessary.
  void spread(mlir::Operation *op);

  llvm::DenseMap<mlir::Operation *, uint64_t> numbers;
};

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_BLOCKORDER_H
