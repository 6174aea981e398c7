// The stages of a main loop's rings: when consumers wait for them and release
// them.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPSTAGES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPSTAGES_H

#include "Mainloop/IterationState.h"
#include "Mainloop/MainloopRings.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tilegpu {

/// Emits waits and releases at the rewriter's insertion point.
class MainloopStages {
public:
  using GroupFilter = llvm::function_ref<bool(const GroupUse &)>;

  MainloopStages(mlir::IRRewriter &rewriter, KernelRings &rings,
                 LoopRings &streams)
      : rewriter(rewriter), rings(rings), streams(streams), loop(streams.loop),
        loc(loop.getLoc()) {}

  /// Waits for stages, and clears the parts of copied tiles outside their
  /// windows.
  /// \param index  the iteration that reads the stages.
  void await(GroupFilter isWanted, llvm::ArrayRef<mlir::Value> places,
             mlir::Value index);
  /// Whether a stage is not filled yet, or part of one has to be cleared.
  mlir::Value probe(GroupFilter isWanted, llvm::ArrayRef<mlir::Value> places,
                    mlir::Value index);
  /// Whether an iteration may probe the next iteration's stages of a group. It
  /// may not if every iteration clears them.
  bool canProbe(const GroupUse &use) const;
  /// The tiles that are read within the iteration; null for others.
  llvm::SmallVector<mlir::Value> getNow(const IterationState &state);
  /// The tiles of deferred dots; null for others.
  llvm::SmallVector<mlir::Value> getDeferred(const IterationState &state);
  void release(GroupUse &use, mlir::Value &place);
  /// Releases the stages that dots of the previous iteration have read.
  void releaseLate(IterationState &state);
  /// Waits for the stages of an iteration that another warp group runs, since
  /// only a filled stage may be released, and releases them.
  llvm::SmallVector<mlir::Value> passBy(mlir::ValueRange places);

private:
  llvm::SmallVector<mlir::Value> slotsOf(GroupFilter isWanted,
                                         llvm::ArrayRef<mlir::Value> places);
  /// The streams of the wanted groups, with the consumers' block arguments.
  llvm::SmallVector<std::pair<StreamUse *, mlir::Value>>
  streamsOf(GroupFilter isWanted) const;
  mlir::Value cloneIntoIteration(mlir::Value value, mlir::IRMapping &known);

  mlir::IRRewriter &rewriter;
  KernelRings &rings;
  LoopRings &streams;
  MainloopOp loop;
  mlir::Location loc;
};

} // namespace tilegpt::tilegpu

#endif
