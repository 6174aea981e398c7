// Kernels compiled for a standalone run get the tile sizes of a model's launch,
// which fit the GPU. Does not need a GPU.
#include "KernelCases.h"
#include "NumericRun.h"
#include "gmock/gmock.h"

namespace tilegpt::numeric {
namespace {

std::array<int64_t, 3> gridOn(llvm::StringRef target, const NumericCase &test) {
  compiler::GpuCompilation compilation(
      llvm::cantFail(target::GpuTarget::find(target)));
  auto run = NumericRun(test).compileForGpu({.openSizes = true}, compilation);
  if (run)
    return run->grid;
  ADD_FAILURE() << llvm::toString(run.takeError());
  return {};
}

TEST(GpuKernelRun, HasTheTilesOfALaunch) {
  const NumericCase linear =
      kernelCase("linear", {"1024x128xbf16", "3072x128xbf16", "3072xf32"},
                 {"1024x3072xbf16"}, 1);
  EXPECT_THAT(gridOn("sm_90a", linear), testing::ElementsAre(8, 24, 1));
  EXPECT_THAT(gridOn("sm_80", linear), testing::ElementsAre(8, 32, 1));
}

TEST(GpuKernelRun, KeepsTheTilesItIsGiven) {
  NumericCase linear =
      kernelCase("linear", {"1024x128xbf16", "3072x128xbf16", "3072xf32"},
                 {"1024x3072xbf16"}, 1);
  linear.parameters = {{"BN", 96}};
  EXPECT_THAT(gridOn("sm_90a", linear), testing::ElementsAre(4, 32, 1));
}

/// The host's tiles, 128 x 96 in steps of 256, need more shared memory than any
/// GPU has.
TEST(GpuKernelRun, FitsWhereTheDefaultsDoNot) {
  const NumericCase linear = kernelCase(
      "linear", {"65x768xf32", "257x768xf32", "257xf32"}, {"65x257xf32"}, 1);
  for (const char *target : {"sm_80", "sm_86", "sm_89", "sm_90a"})
    EXPECT_NE(gridOn(target, linear)[0], 0) << target;
}

/// A sum of a single step is not a loop, so it gets no producer.
TEST(GpuKernelRun, IsSimplifiedBeforeItIsPlanned) {
  const NumericCase linear = kernelCase(
      "linear", {"256x64xbf16", "256x64xbf16", "256xf32"}, {"256x256xbf16"}, 1);
  EXPECT_NE(gridOn("sm_90a", linear)[0], 0);
}

} // namespace
} // namespace tilegpt::numeric
