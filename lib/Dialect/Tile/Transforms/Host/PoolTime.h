// What a launch costs that the threads of a host share.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_HOST_POOLTIME_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_HOST_POOLTIME_H

#include "llvm/ADT/ArrayRef.h"

namespace tilegpt::tile {

/// Until the last of `threads` is done with blocks of these costs, shared as
/// `cpu::ThreadPool` does: each thread has a run of neighbouring blocks, takes
/// a quarter of what is left of it at a time, and then the back half of what
/// another one has left.
double timeInPool(llvm::ArrayRef<double> costs, unsigned threads);

} // namespace tilegpt::tile

#endif // TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_HOST_POOLTIME_H
