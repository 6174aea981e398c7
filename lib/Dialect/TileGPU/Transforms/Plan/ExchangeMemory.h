// Shared memory that a kernel with main loops takes beside its rings to
// exchange elements between threads.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_EXCHANGEMEMORY_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_EXCHANGEMEMORY_H

#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"

namespace tilegpt::tilegpu {

/// In bytes, and rather too many, as layouts are not known yet.
struct ExchangeMemory {
  /// Scratch of each team, which the ops use one behind the other.
  int64_t scratch = 0;
  /// Operands of dots that are in no main loop, which teams would share.
  int64_t operands = 0;

  ExchangeMemory(tile::KernelOp kernel, llvm::ArrayRef<Mainloop> matches);

  /// Whether two teams can have what they need each: little beside the rings,
  /// which hide behind each other what they store and nothing else.
  bool suitsTeams() const;
};

} // namespace tilegpt::tilegpu

#endif
