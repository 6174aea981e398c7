// Reports which GPU the tests run on; skipped, with the reason, if there is
// none.
#include "GpuDevice.h"
#include <gtest/gtest.h>
#include <iostream>

namespace tilegpt::test {
namespace {

TEST(GpuDevice, IsThere) {
  auto runner = gpu();
  if (!runner)
    GTEST_SKIP() << runner.error().message;
  const cuda::DeviceInfo &device = (*runner)->device();
  std::cout << "device: " << device.describe() << ", " << device.architecture()
            << ", " << device.multiprocessors
            << " multiprocessors; compiled for "
            << (*runner)->target().name.str() << "\n";
  EXPECT_GT(device.multiprocessors, 0);
}

} // namespace
} // namespace tilegpt::test
