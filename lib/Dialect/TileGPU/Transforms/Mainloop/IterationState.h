// The state that consumers pass from one iteration of a main loop to the next.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_ITERATIONSTATE_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_ITERATIONSTATE_H

#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/SmallVector.h"

namespace tilegpt::tilegpu {

/// The state passed from one iteration to the next.
struct IterationState {
  /// One per result of the loop: for a dot in flight the accumulator it is
  /// writing, for a deferred dot the accumulator it will add to.
  llvm::SmallVector<mlir::Value> carried;
  /// The lhs of each deferred dot, or of the trailing one, if it is in
  /// registers; null otherwise.
  llvm::SmallVector<mlir::Value> packed;
  /// Cursors into the groups of the loop: the next stage to wait for, and the
  /// next one to release.
  llvm::SmallVector<mlir::Value> places, behind;
  /// Whether the next iteration must still wait for stages that were probed
  /// ahead, or clear part of them; empty without probes.
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
  /// After the last dots have finished: the results of the loop and the
  /// cursors.
  llvm::SmallVector<mlir::Value> results() const {
    llvm::SmallVector<mlir::Value> all(carried);
    all.append(places);
    return all;
  }
  /// The same state with other values.
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
