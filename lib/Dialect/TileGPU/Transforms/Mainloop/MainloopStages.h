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
  using GroupFilter = llvm::function_ref<bool(const GroupUse &)>;

  MainloopStages(mlir::IRRewriter &rewriter, KernelRings &rings,
                 LoopRings &streams)
      : rewriter(rewriter), rings(rings), streams(streams), loop(streams.loop),
        loc(loop.getLoc()) {}

  /// Waits for stages, and clears what copies have brought from behind windows.
  /// \param index  of the iteration they are for.
  void await(GroupFilter isWanted, llvm::ArrayRef<mlir::Value> places,
             mlir::Value index);
  /// Whether a stage has not come yet, or something in one is to be cleared.
  mlir::Value probe(GroupFilter isWanted, llvm::ArrayRef<mlir::Value> places,
                    mlir::Value index);
  /// Whether an iteration may ask for what the next one reads of a group: it
  /// never clears all of these stages.
  bool canProbe(const GroupUse &use) const;
  /// The tiles that an iteration reads at once; null for others.
  llvm::SmallVector<mlir::Value> getNow(const IterationState &state);
  /// The tiles of deferred dots; null for others.
  llvm::SmallVector<mlir::Value> getDeferred(const IterationState &state);
  void release(GroupUse &use, mlir::Value &place);
  /// Releases what dots of the iteration before have read.
  void releaseLate(IterationState &state);
  /// Waits for the stages of an iteration that this warp group leaves out, as
  /// only what has come may be released, and releases them.
  llvm::SmallVector<mlir::Value> passBy(mlir::ValueRange places);

private:
  llvm::SmallVector<mlir::Value> slotsOf(GroupFilter isWanted,
                                         llvm::ArrayRef<mlir::Value> places);
  /// The streams of some groups, with what consumers call them.
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
