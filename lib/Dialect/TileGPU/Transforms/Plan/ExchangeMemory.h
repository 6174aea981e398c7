// Shared memory that a kernel with main loops needs beside its rings to
// exchange elements between threads.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_EXCHANGEMEMORY_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_EXCHANGEMEMORY_H

#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"

namespace tilegpt::tilegpu {

/// In bytes; an upper bound, since layouts are not known yet.
struct ExchangeMemory {
  /// Scratch of each team, reused by one op after another.
  int64_t scratch = 0;
  /// Operands of dots outside main loops; teams would share these buffers.
  int64_t operands = 0;

  ExchangeMemory(tile::KernelOp kernel, llvm::ArrayRef<Mainloop> matches);

  /// Whether each of two teams can have its own: little beside the rings. Teams
  /// only hide each other's stores.
  bool suitsTeams() const;
};

} // namespace tilegpt::tilegpu

#endif
