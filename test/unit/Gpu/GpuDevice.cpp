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

} // namespace tilegpt::test
