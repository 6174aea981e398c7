// The GPU that all tests of the process share, or the reason there is none.
#ifndef TILEGPT_TEST_UNIT_GPU_GPUDEVICE_H
#define TILEGPT_TEST_UNIT_GPU_GPUDEVICE_H

#include "TileGPT/Compiler/GpuKernelRun.h"

namespace tilegpt::test {

/// Exit code of a process that cannot run more tests, because a kernel has left
/// the CUDA context unusable. The next test is started, but not run.
inline constexpr int lostGpuExit = 75;

/// GPU 0, with the target from $TILEGPT_TEST_ARCH or else the one that suits it
/// best; kernels are cached in $TILEGPT_CACHE_DIR.
/// \returns a Device error if there is none. Does not return if the CUDA
/// context has become unusable: the process exits with lostGpuExit.
runtime::Result<compiler::GpuRunner *> gpu();

/// gpu(), for tests that compile images for its target, which no device of
/// another architecture loads.
/// \returns a Device error also if GPU 0 has another architecture.
runtime::Result<compiler::GpuRunner *> gpuOfTarget();

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_GPU_GPUDEVICE_H
