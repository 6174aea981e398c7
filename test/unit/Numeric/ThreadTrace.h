// The global memory accesses of one thread, computed without a GPU: which bytes
// of which argument it reads and writes.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_THREADTRACE_H
#define TILEGPT_TEST_UNIT_NUMERIC_THREADTRACE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <vector>

namespace tilegpt::test {

/// One access to global memory.
struct GlobalAccess {
  unsigned argument; ///< of the function
  int64_t offset;    ///< in bytes from its pointer
  int64_t bytes;     ///< size of the access
  bool isWrite;
};

/// The position of a thread in a launch.
struct ThreadPlace {
  int64_t block[3], thread;
  int64_t cluster = 1; ///< blocks of a cluster along x
};

/// Runs a function as `--tile-gpu-to-threads` leaves it, for one thread. Loaded
/// values and values from other threads count as 0, so addresses and branches
/// must not depend on them.
/// \param arguments  integers by number; pointers among them are ignored.
std::vector<GlobalAccess> traceThread(mlir::func::FuncOp function,
                                      llvm::ArrayRef<int64_t> arguments,
                                      const ThreadPlace &place);

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_NUMERIC_THREADTRACE_H
