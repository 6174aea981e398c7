// Conversions between floats that upstream's patterns put around an op.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_NEWCASTS_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_NEWCASTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilegpt::cpu {

/// The casts added to an op since construction: upstream marks them so that a
/// conversion and its inverse cancel, which would leave results of narrow ops
/// unrounded for other uses.
class NewCasts {
public:
  explicit NewCasts(mlir::Operation *root) : root(root) {
    forEach([&](mlir::Operation *op) { old.insert(op); });
  }

  /// Makes all of them round.
  void round() {
    forEach([&](mlir::Operation *op) {
      if (!old.contains(op))
        op->removeAttr("fastmath");
    });
  }

private:
  void forEach(llvm::function_ref<void(mlir::Operation *)> work) {
    root->walk([&](mlir::Operation *op) {
      if (mlir::isa<mlir::arith::ExtFOp, mlir::arith::TruncFOp>(op))
        work(op);
    });
  }

  mlir::Operation *root;
  llvm::SmallPtrSet<mlir::Operation *, 8> old;
};

} // namespace tilegpt::cpu

#endif // TILEGPT_LIB_CONVERSION_TILETOCPU_NEWCASTS_H
