// Entries of a program that share globals: what one writes the others see.
#include "SharedGlobals.h"
#include "../ScopedVariable.h"
#include "Cuda/OpenFake.h"
#include "TileGPT/Compiler/CudaTileModule.h"
#include "TileGPT/Runtime/Cuda/Stream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilegpt;
using testing::ElementsAre;

namespace {

compiler::CudaTileModule compile(const std::string &target) {
  compiler::CudaTileOptions options;
  options.target = target;
  options.cacheFolder = "off";
  options.threads = 2;
  options.driver = test::fakeLibrary;
  return compiler::CudaTileModule::compile(
             std::as_bytes(std::span(std::string_view(test::sharedGlobals))),
             options)
      .value();
}

TEST(SharedGlobals, LaunchesOnTheCpuSeeEachOthersWrites) {
  const compiler::CudaTileModule module = compile("cpu");
  int32_t one = 1, sums[4] = {};
  void *memory = sums, *n[] = {&one}, *y[] = {&memory};
  ASSERT_TRUE(module.find("add")->launch({3, 1, 1}, n, nullptr));
  ASSERT_TRUE(module.find("double")->launch({1, 1, 1}, {}, nullptr));
  ASSERT_TRUE(module.find("read")->launch({1, 1, 1}, y, nullptr));
  EXPECT_THAT(sums, ElementsAre(1026, 1046, 1066, 1086));
  ASSERT_TRUE(module.find("add")->launch({1, 2, 1}, n, nullptr));
  ASSERT_TRUE(module.find("read")->launch({1, 1, 1}, y, nullptr));
  EXPECT_THAT(sums, ElementsAre(1028, 1048, 1068, 1088));
}

TEST(SharedGlobals, EveryModuleHasItsOwn) {
  const compiler::CudaTileModule first = compile("cpu"),
                                 second = compile("cpu");
  int32_t one = 1, sums[4] = {};
  void *memory = sums, *n[] = {&one}, *y[] = {&memory};
  ASSERT_TRUE(first.find("add")->launch({1, 1, 1}, n, nullptr));
  ASSERT_TRUE(second.find("read")->launch({1, 1, 1}, y, nullptr));
  EXPECT_THAT(sums, ElementsAre(1010, 1020, 1030, 1040));
}

/// With ptxas, if there is one.
TEST(SharedGlobals, CompileForAGpuThatIsNotThere) {
  EXPECT_EQ(compile("sm_90a").entries().size(), 3u);
}

TEST(SharedGlobals, EntriesOnAGpuHaveOneImage) {
  const test::ScopedVariable ptxas{"TILEGPT_PTXAS", "off"};
  test::FakeCuda &fake = test::freshFake();
  fake.parameters["kernel_add"] = {4, 8, 8, 8, 8};
  fake.parameters["kernel_double"] = {8, 8, 8, 8};
  fake.parameters["kernel_read"] = {8, 8, 8, 8, 8};
  const auto stream = cuda::Stream::create(test::openFake()).value();
  const compiler::CudaTileModule module = compile("sm_90a");
  int32_t one = 1;
  uint64_t address = 4096;
  void *n[] = {&one}, *y[] = {&address};
  const auto launch = [&](const char *name, int64_t blocks, void *const *with) {
    const auto done =
        module.find(name)->launch({blocks, 1, 1}, with, stream.get());
    EXPECT_TRUE(done) << done.error().message;
  };
  for (int round = 0; round < 2; ++round) {
    launch("add", 3, n);
    launch("double", 1, nullptr);
    launch("read", 1, y);
  }
  EXPECT_EQ(fake.calls["cuModuleLoadDataEx"], 1);
  EXPECT_EQ(fake.launches.size(), 6u);
}

} // namespace
