// Entries of a program that share a global on a GPU.
#include "../Compiler/SharedGlobals.h"
#include "GpuDevice.h"
#include "TileGPT/Compiler/CudaTileModule.h"
#include "TileGPT/Runtime/Cuda/Memory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilegpt {
namespace {

TEST(GpuSharedGlobals, LaunchesSeeEachOthersWrites) {
  runtime::Result<compiler::GpuRunner *> runner = test::gpuOfTarget();
  if (!runner)
    GTEST_SKIP() << runner.error().message;
  compiler::CudaTileOptions options;
  options.target = (*runner)->target().name.str();
  const auto module = compiler::CudaTileModule::compile(
      std::as_bytes(std::span(std::string_view(test::sharedGlobals))), options);
  ASSERT_TRUE(module) << module.error().message;
  auto device = cuda::Device::open(cuda::Driver::load().value(), 0).value();
  const auto stream = cuda::Stream::create(device).value();
  int32_t one = 1, sums[4] = {};
  const auto memory =
      cuda::DeviceMemory::allocate(device, sizeof(sums), "sums").value();
  uint64_t address = memory.address();
  void *n[] = {&one}, *y[] = {&address};
  const auto launch = [&](const char *name, int64_t blocks, void *const *with) {
    const auto done =
        module->find(name)->launch({blocks, 1, 1}, with, stream.get());
    EXPECT_TRUE(done) << done.error().message;
  };
  launch("add", 1000, n);
  launch("double", 1, nullptr);
  launch("read", 1, y);
  const auto waited = module->find("read")->wait(stream.get());
  ASSERT_TRUE(waited) << waited.error().message;
  ASSERT_TRUE(stream.copyToHost(sums, address, sizeof(sums)));
  ASSERT_EQ(stream.synchronize(), cuda::CUDA_SUCCESS);
  EXPECT_THAT(sums, testing::ElementsAre(3020, 3040, 3060, 3080));
}

} // namespace
} // namespace tilegpt
