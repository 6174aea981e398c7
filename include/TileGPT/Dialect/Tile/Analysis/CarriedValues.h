// Which values of a loop body depend on loop-carried values.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_CARRIEDVALUES_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_CARRIEDVALUES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace tilegpt::tile {

/// Base of pattern matchers on loops whose body has no nested regions that use
/// loop-carried values.
class CarriedValues {
protected:
  explicit CarriedValues(mlir::scf::ForOp loop) : loop(loop) {}

  bool isHere(mlir::Operation *op) {
    return op && op->getBlock() == loop.getBody();
  }

  /// Whether a value depends on loop-carried values.
  bool isCarried(mlir::Value value) {
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
      return argument.getOwner() == loop.getBody() &&
             argument != loop.getInductionVar();
    if (!isHere(value.getDefiningOp()))
      return false;
    auto [place, isNew] = carried.try_emplace(value, false);
    if (!isNew)
      return place->second;
    const bool is = dependsOnCarried(value.getDefiningOp());
    carried[value] = is;
    return is;
  }

  bool dependsOnCarried(mlir::Operation *op) {
    return llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
      return isCarried(operand);
    });
  }

  mlir::scf::ForOp loop;

private:
  llvm::DenseMap<mlir::Value, bool> carried;
};

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_ANALYSIS_CARRIEDVALUES_H
