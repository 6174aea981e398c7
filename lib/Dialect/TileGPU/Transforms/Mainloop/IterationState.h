// What an iteration of a main loop hands on to the next, as consumers run it.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_ITERATIONSTATE_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_ITERATIONSTATE_H

#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/SmallVector.h"

namespace tilegpt::tilegpu {

/// What an iteration hands on to the next.
struct IterationState {
  /// As many as the loop has results. Of dots in flight the tile that is still
  /// being written, of deferred ones what they will add to.
  llvm::SmallVector<mlir::Value> carried;
  /// Left operands of deferred dots, or of the trailing one, that are in
  /// registers; null for others.
  llvm::SmallVector<mlir::Value> packed;
  /// Places in the groups of the loop: of the next stage that is waited for,
  /// and of the one that is to be released.
  llvm::SmallVector<mlir::Value> places, behind;
  /// Whether the next iteration has to wait for stages that were asked for
  /// ahead of it, or to clear some of them; none where none are.
  llvm::SmallVector<mlir::Value> isLate;

  llvm::SmallVector<mlir::Value> flatten() const {
    llvm::SmallVector<mlir::Value> all;
    for (llvm::ArrayRef<mlir::Value> part :
         {llvm::ArrayRef(carried), llvm::ArrayRef(packed),
          llvm::ArrayRef(places), llvm::ArrayRef(behind),
          llvm::ArrayRef(isLate)})
      llvm::copy_if(part, std::back_inserter(all),
                    [](mlir::Value value) { return bool(value); });
    return all;
  }
  /// The same of other values.
  IterationState like(mlir::ValueRange values) const {
    IterationState other = *this;
    size_t next = 0;
    for (llvm::SmallVector<mlir::Value> *part :
         {&other.carried, &other.packed, &other.places, &other.behind,
          &other.isLate})
      for (mlir::Value &value : *part)
        if (value)
          value = values[next++];
    return other;
  }
};

} // namespace tilegpt::tilegpu

#endif
