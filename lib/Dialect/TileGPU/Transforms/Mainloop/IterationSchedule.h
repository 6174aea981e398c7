// When the dots of an iteration start and finish, and which ops run beside
// them.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_ITERATIONSCHEDULE_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_ITERATIONSCHEDULE_H

#include "Mainloop/MainloopDots.h"

namespace tilegpt::tilegpu {

/// The dots of an iteration by their schedule, and the order of its other ops.
class IterationSchedule {
public:
  IterationSchedule(MainloopOp loop, MainloopDots &dots);

  bool isCarried(mlir::Value tile);
  /// Whether a dot does not start and finish in place.
  bool isStartedElsewhere(tile::DotOp dot) const;

  llvm::SmallVector<tile::DotOp> inFlight, leading, deferred;
  /// Ops that compute accumulators of leading dots. They run while the deferred
  /// dots do, which are issued first in that case.
  llvm::SmallPtrSet<mlir::Operation *, 8> ofSums;
  /// The only dot of a loop that computes its operands and writes some to
  /// shared memory: it runs while the next iteration computes its operands.
  tile::DotOp trailing;
  /// Ops that compute the trailing dot's lhs in registers. They are placed
  /// after the wait for the previous trailing dot, which may still read these
  /// registers.
  llvm::SmallPtrSet<mlir::Operation *, 8> ofLeft;
  /// Whether an iteration reads the results of deferred dots, and whether it
  /// waits for them before it computes anything.
  bool readsDeferred = false, finishesFirst = false;
  /// Ops that are emitted last, if an iteration computes while these dots run.
  llvm::SmallPtrSet<mlir::Operation *, 8> readers;

private:
  tile::DotOp findTrailing(PlanAttr plan, MainloopDots &dots);
  void addSources(mlir::Value value,
                  llvm::SmallPtrSetImpl<mlir::Operation *> &sources);
  void addReaders(mlir::Value value);

  MainloopOp loop;
  mlir::Block &body;
};

} // namespace tilegpt::tilegpu

#endif
