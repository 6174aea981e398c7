// Copies of every size arrive intact, although staging buffers are reused and
// the device copies as late as it may.
#include "TileGPT/Runtime/Cuda/Upload.h"
#include "OpenFake.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace tilegpt;
using namespace tilegpt::cuda;

namespace {

TEST(Upload, EverySizeArrivesWhole) {
  test::freshFake();
  const auto device = test::openFake();
  const Stream stream = Stream::create(device).value();
  constexpr size_t bufferBytes = 64;
  for (const size_t bytes : {size_t(0), size_t(1), size_t(63), size_t(64),
                             size_t(65), size_t(200), size_t(1000)}) {
    std::vector<unsigned char> first(bytes), second(bytes);
    std::iota(first.begin(), first.end(), uint8_t(1));
    std::iota(second.begin(), second.end(), uint8_t(100));
    const auto memory =
        DeviceMemory::allocate(device, 2 * bytes, "test").value();
    Uploader uploader = Uploader::create(device, stream, bufferBytes).value();
    ASSERT_TRUE(uploader.upload(memory.address(), first.data(), bytes));
    ASSERT_TRUE(
        uploader.upload(memory.address() + bytes, second.data(), bytes));
    ASSERT_TRUE(uploader.finish());
    const auto *arrived =
        reinterpret_cast<const unsigned char *>(memory.address());
    EXPECT_TRUE(std::equal(first.begin(), first.end(), arrived)) << bytes;
    EXPECT_TRUE(std::equal(second.begin(), second.end(), arrived + bytes))
        << bytes;
  }
}

TEST(Upload, AFailureOfTheDriverIsReported) {
  test::FakeCuda &fake = test::freshFake();
  const auto device = test::openFake();
  const Stream stream = Stream::create(device).value();
  const auto memory = DeviceMemory::allocate(device, 256, "test").value();
  Uploader uploader = Uploader::create(device, stream, 64).value();
  const std::vector<std::byte> data(256);
  fake.failAt("cuMemcpyHtoDAsync_v2", 3, CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(uploader.upload(memory.address(), data.data(), 256).error().message,
            "cuda: cannot copy 64 bytes to the device: invalid argument "
            "(CUDA_ERROR_INVALID_VALUE)");
}

} // namespace
