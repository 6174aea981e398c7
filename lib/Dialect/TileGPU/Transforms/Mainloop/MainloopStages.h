// The stages of a main loop's rings: when its consumers wait for them, and when
// they release them.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPSTAGES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPSTAGES_H

#include "Mainloop/IterationState.h"
#include "Mainloop/MainloopRings.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tilegpu {

/// Writes waits and releases where the rewriter stands.
class MainloopStages {
public:
  MainloopStages(mlir::IRRewriter &rewriter, KernelRings &rings,
                 LoopRings &streams)
      : rewriter(rewriter), rings(rings), streams(streams), loop(streams.loop),
        loc(loop.getLoc()) {}

  /// Waits for the tiles that an iteration reads at once; null for others.
  llvm::SmallVector<mlir::Value> awaitNow(IterationState &state,
                                          mlir::Value index);
  /// Waits for the tiles of deferred dots that nothing else has read.
  llvm::SmallVector<mlir::Value> awaitDeferred(IterationState &state,
                                               mlir::Value index);
  void release(GroupUse &use, mlir::Value &place);
  /// Releases what dots of the iteration before have read.
  void releaseLate(IterationState &state);
  /// Waits for the stages of an iteration that this warp group leaves out, as
  /// only what has come may be released, and releases them.
  llvm::SmallVector<mlir::Value> passBy(mlir::ValueRange places);

private:
  llvm::SmallVector<mlir::Value>
  slotsOf(llvm::function_ref<bool(const GroupUse &)> isWanted,
          llvm::ArrayRef<mlir::Value> places, mlir::Value index);
  mlir::Value cloneIntoIteration(mlir::Value value, mlir::IRMapping &known);

  mlir::IRRewriter &rewriter;
  KernelRings &rings;
  LoopRings &streams;
  MainloopOp loop;
  mlir::Location loc;
};

} // namespace tilegpt::tilegpu

#endif
