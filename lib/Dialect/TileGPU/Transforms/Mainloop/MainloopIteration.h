// One iteration of a main loop, as consumers run it: when its dots start and
// end.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPITERATION_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPITERATION_H

#include "Mainloop/MainloopDots.h"
#include "Mainloop/MainloopStages.h"

namespace tilegpt::tilegpu {

/// Writes iterations, and what follows the last one, where the rewriter stands.
class IterationWriter {
public:
  IterationWriter(mlir::IRRewriter &rewriter, KernelRings &rings,
                  LoopRings &streams, const mlir::IRMapping &slots);

  /// Makes buffers for operands that iterations compute.
  void allocateStaged() { dots.allocateStaged(); }
  /// Whether dots reach into the next iteration.
  bool reachesOn() const {
    return !inFlight.empty() || !deferred.empty() || trailing;
  }

  /// The deferred dots of the iteration before, its own leading ones, and what
  /// it computes with these.
  IterationState write(IterationState state, mlir::Value counter, bool isFirst);
  /// The deferred dots of the last iteration.
  void writeLastDeferred(IterationState &state, mlir::Value end);
  /// Waits for the trailing dot of the iteration before; null where the loop
  /// has none.
  mlir::Value finishTrailing(IterationState &state);
  /// The turns and stages of an iteration that this warp group leaves out.
  llvm::SmallVector<mlir::Value> passBy(mlir::ValueRange places);
  /// Releases what dots of the last iteration have read.
  void releaseLate(IterationState &state) { stages.releaseLate(state); }

private:
  /// Whether an iteration asks ahead for the stages of a group. Not where the
  /// next stage comes once what this iteration reads is released.
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
  void addReaders(mlir::Value value);

  void compute(mlir::IRMapping &known, llvm::ArrayRef<mlir::Value> now,
               bool isFirst,
               llvm::function_ref<bool(mlir::Operation &)> isWanted);
  bool isReadForSums(unsigned group);
  bool isStartedElsewhere(tile::DotOp dot) const;
  void readStreams(mlir::Operation &op, llvm::ArrayRef<mlir::Value> now,
                   mlir::IRMapping &known);
  void readInRegions(mlir::Operation &copy, llvm::ArrayRef<mlir::Value> now);
  IterationState handOn(IterationState &state,
                        llvm::ArrayRef<mlir::Value> places,
                        mlir::IRMapping &known);

  bool isCarried(mlir::Value tile);
  tile::DotOp findTrailing(PlanAttr plan);
  void addSources(mlir::Value value,
                  llvm::SmallPtrSetImpl<mlir::Operation *> &sources);
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
  MainloopStages stages;
  mlir::Location loc;
  llvm::SmallVector<tile::DotOp> inFlight, leading, deferred;
  /// What leading dots add to, where iterations compute that: while the
  /// deferred dots run, which start first then.
  llvm::SmallPtrSet<mlir::Operation *, 8> ofSums;
  /// The one dot of a loop that computes its operands and writes some to shared
  /// memory: it runs while the next iteration computes its own.
  tile::DotOp trailing;
  /// What makes its left operand in registers: those that the product of the
  /// iteration before may read are written behind its end.
  llvm::SmallPtrSet<mlir::Operation *, 8> ofLeft;
  /// Whether an iteration computes with the results of deferred dots, and waits
  /// for them before it computes anything.
  bool readsDeferred = false, finishesFirst = false;
  /// Whether an iteration asks for stages of the next one, and of its own
  /// deferred dots, while its other dots run.
  bool probesAhead = false;
  /// What comes last, where an iteration computes while these dots run.
  llvm::SmallPtrSet<mlir::Operation *, 8> readers;
};

} // namespace tilegpt::tilegpu

#endif
