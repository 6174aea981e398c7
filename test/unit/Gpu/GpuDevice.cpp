// Opens the GPU once per process.
#include "GpuDevice.h"
#include <cstdio>
#include <cstdlib>

namespace tilegpt::test {

static runtime::Result<std::unique_ptr<compiler::GpuRunner>> openGpu() {
  const char *architecture = std::getenv("TILEGPT_TEST_ARCH");
  return compiler::GpuRunner::create(/*ordinal=*/0,
                                     architecture ? architecture : "",
                                     target::CodeCache::defaultFolder());
}

runtime::Result<compiler::GpuRunner *> gpu() {
  static const auto runner = openGpu();
  if (!runner)
    return tl::unexpected(runner.error());
  if ((*runner)->isLost()) {
    std::fflush(stdout);
    std::_Exit(lostGpuExit);
  }
  return runner->get();
}

runtime::Result<compiler::GpuRunner *> gpuOfTarget() {
  auto runner = gpu();
  if (!runner)
    return runner;
  const auto &device = (*runner)->device();
  const unsigned capability = 10 * device.major + device.minor;
  if ((*runner)->target().capability != capability)
    return runtime::makeError(
        runtime::ErrorCode::Device,
        "images are compiled for " + (*runner)->target().name.str() +
            ", and GPU 0 is sm_" + std::to_string(capability));
  return runner;
}

} // namespace tilegpt::test
