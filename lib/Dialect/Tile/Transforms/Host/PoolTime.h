// The time of a launch shared by the threads of a host.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_HOST_POOLTIME_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_HOST_POOLTIME_H

#include "llvm/ADT/ArrayRef.h"

namespace tilegpt::tile {

/// Time until the last of `threads` finishes blocks of these costs, distributed
/// as by `cpu::ThreadPool`: each thread has a contiguous range of blocks, takes
/// a quarter of the rest at a time, and then steals the back half of another's
/// range.
double timeInPool(llvm::ArrayRef<double> costs, unsigned threads);

} // namespace tilegpt::tile

#endif // TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_HOST_POOLTIME_H
