// The real NCCL, as far as one GPU can test it: its functions can be called,
// and graphs capture them.
#include "TileGPT/Runtime/Cuda/Collectives.h"
#include "TileGPT/Runtime/Cuda/Memory.h"
#include "TileGPT/Runtime/Cuda/Nccl.h"
#include "TileGPT/Runtime/Ranks/Group.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilegpt::cuda {
namespace {

TEST(GpuCollectives, OneRankGetsItsOwnNumbersFromAGraph) {
  auto driver = Driver::load();
  if (!driver)
    GTEST_SKIP() << driver.error().message;
  auto device = Device::open(*driver, 0);
  if (!device)
    GTEST_SKIP() << device.error().message;
  if (auto found = Nccl::load("libnccl.so.2"); !found)
    GTEST_SKIP() << found.error().message;
  const auto alone = runtime::Group::join({}, {});
  ASSERT_TRUE(alone) << alone.error().message;
  const auto made = makeNcclCollectives(*device, **alone);
  ASSERT_TRUE(made) << made.error().message;
  Collectives &ranks = **made;

  constexpr int64_t count = 1000;
  constexpr size_t bytes = count * sizeof(float);
  const Stream stream = Stream::create(*device).value();
  const auto memory = [&] {
    return DeviceMemory::allocate(*device, bytes, "numbers").value();
  };
  const DeviceMemory in = memory(), sum = memory(), all = memory();
  const auto host = PinnedMemory::allocate(*device, bytes, "numbers").value();
  auto *numbers = reinterpret_cast<float *>(host.data());
  std::vector<float> expected;
  for (int64_t i = 0; i < count; ++i)
    expected.push_back(numbers[i] = float(i) / 8);
  ASSERT_TRUE(stream.copyToDevice(in.address(), numbers, bytes));
  ASSERT_EQ(stream.synchronize(), CUDA_SUCCESS);

  {
    ASSERT_TRUE(stream.beginCapture());
    const auto summed = ranks.allReduce(bundle::ElementType::F32, in.address(),
                                        sum.address(), count, stream);
    const auto gathered = ranks.allGather(
        bundle::ElementType::F32, sum.address(), all.address(), count, stream);
    const auto graph = stream.endCapture();
    ASSERT_TRUE(summed) << summed.error().message;
    ASSERT_TRUE(gathered) << gathered.error().message;
    ASSERT_TRUE(graph) << graph.error().message;
    for (int run = 0; run < 2; ++run) {
      ASSERT_TRUE(stream.fillZero(all.address(), bytes));
      ASSERT_TRUE(stream.launch(*graph));
      ASSERT_TRUE(stream.copyToHost(numbers, all.address(), bytes));
      ASSERT_EQ(stream.synchronize(), CUDA_SUCCESS);
      EXPECT_THAT(std::vector<float>(numbers, numbers + count),
                  testing::ElementsAreArray(expected));
    }
    EXPECT_TRUE(ranks.check());
  }
  // 16-bit types too, and in place.
  ASSERT_TRUE(stream.copyToDevice(in.address(), numbers, bytes));
  for (const auto type : {bundle::ElementType::BF16, bundle::ElementType::F16})
    ASSERT_TRUE(
        ranks.allReduce(type, in.address(), in.address(), 2 * count, stream));
  ASSERT_TRUE(stream.copyToHost(numbers, in.address(), bytes));
  ASSERT_EQ(stream.synchronize(), CUDA_SUCCESS);
  EXPECT_THAT(std::vector<float>(numbers, numbers + count),
              testing::ElementsAreArray(expected));
}

} // namespace
} // namespace tilegpt::cuda
