// One iteration of a main loop on the consumers: when its dots start and
// finish.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPITERATION_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPITERATION_H

#include "Mainloop/IterationSchedule.h"
#include "Mainloop/MainloopStages.h"

namespace tilegpt::tilegpu {

/// Emits iterations, and the epilogue of the last one, at the rewriter's
/// insertion point.
class IterationWriter {
public:
  IterationWriter(mlir::IRRewriter &rewriter, KernelRings &rings,
                  LoopRings &streams, const mlir::IRMapping &slots);

  /// Allocates buffers for operands that iterations compute.
  void allocateStaged() { dots.allocateStaged(); }
  /// Whether dots stay in flight across iterations.
  bool reachesOn() const {
    return !schedule.inFlight.empty() || !schedule.deferred.empty() ||
           schedule.trailing;
  }
  /// Whether all dots are deferred and have their left operand in registers.
  bool handsOnRegisters();

  /// Emits the deferred dots of the previous iteration, the leading dots of
  /// this one, and the computation on their results.
  IterationState write(IterationState state, mlir::Value counter, bool isFirst);
  /// Emits the deferred dots of the last iteration.
  void writeLastDeferred(IterationState &state, mlir::Value end);
  /// Waits for the trailing dot of the previous iteration and returns its
  /// result; null if the loop has no trailing dot.
  mlir::Value finishTrailing(IterationState &state);
  /// Passes the turns and releases the stages of an iteration that another warp
  /// group runs.
  llvm::SmallVector<mlir::Value> passBy(mlir::ValueRange places);
  /// Releases the stages that dots of the last iteration have read.
  void releaseLate(IterationState &state) { stages.releaseLate(state); }

private:
  /// Whether an iteration probes the stages of a group for the next one. It
  /// does not if the producer can only fill the next stage after this iteration
  /// has released its own.
  bool isProbed(const GroupUse &use) const {
    return probesAhead && !(use.isReadNow && use.isReleasedLate) &&
           stages.canProbe(use);
  }
  void awaitStart(const IterationState &state, mlir::Value counter,
                  bool isFirst);
  void awaitDeferred(const IterationState &state, mlir::Value counter);
  mlir::Value probeNext(llvm::ArrayRef<mlir::Value> places, mlir::Value counter,
                        bool isFirst);
  mlir::Value iterationAt(mlir::Value counter);

  void compute(mlir::IRMapping &known, llvm::ArrayRef<mlir::Value> now,
               bool isFirst,
               llvm::function_ref<bool(mlir::Operation &)> isWanted);
  bool isReadForSums(unsigned group);
  void readStreams(mlir::Operation &op, llvm::ArrayRef<mlir::Value> now,
                   mlir::IRMapping &known);
  void readInRegions(mlir::Operation &copy, llvm::ArrayRef<mlir::Value> now);
  IterationState handOn(IterationState &state,
                        llvm::ArrayRef<mlir::Value> places,
                        mlir::IRMapping &known);

  mlir::Value startTrailing(IterationState &state, mlir::Value sum,
                            llvm::ArrayRef<mlir::Value> now,
                            mlir::IRMapping &known);
  mlir::Value startDot(tile::DotOp dot, llvm::ArrayRef<mlir::Value> tiles,
                       mlir::IRMapping &known, bool isFirst);
  llvm::SmallVector<mlir::Value>
  startDeferred(const IterationState &state, llvm::ArrayRef<mlir::Value> tiles);
  void finishDeferred(IterationState &state,
                      llvm::ArrayRef<mlir::Value> pending, int64_t later = 0);
  void finishDeferredInto(IterationState &state,
                          llvm::ArrayRef<mlir::Value> pending,
                          mlir::IRMapping &known, int64_t later = 0);

  mlir::IRRewriter &rewriter;
  LoopRings &streams;
  MainloopOp loop;
  mlir::Block &body;
  MainloopDots dots;
  IterationSchedule schedule;
  MainloopStages stages;
  mlir::Location loc;
  /// Whether an iteration probes the stages of the next one, and of its own
  /// deferred dots, while its other dots run.
  bool probesAhead = false;
};

} // namespace tilegpt::tilegpu

#endif
