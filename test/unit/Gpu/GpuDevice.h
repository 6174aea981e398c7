// The GPU all tests of the process share, or the reason why there is none.
#ifndef TILEGPT_TEST_UNIT_GPU_GPUDEVICE_H
#define TILEGPT_TEST_UNIT_GPU_GPUDEVICE_H

#include "TileGPT/Compiler/GpuKernelRun.h"

namespace tilegpt::test {

/// Exit code of a process that runs no further test because a kernel has made
/// the driver give up. The test that stands next is started, but not run.
inline constexpr int lostGpuExit = 75;

/// GPU 0, compiled for as $TILEGPT_TEST_ARCH says, by default as suits it best;
/// kernels come from the cache in $TILEGPT_CACHE_DIR.
/// \returns Device where there is none. Does not return when the driver has
/// given up: the process ends with lostGpuExit.
runtime::Result<compiler::GpuRunner *> gpu();

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_GPU_GPUDEVICE_H
