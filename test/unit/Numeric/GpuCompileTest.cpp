// Every kernel of test/Numeric compiles for GPUs; finds ops without GPU code on
// machines without a GPU.
#include "NumericRun.h"
#include "Random/RandomKernels.h"
#include "gtest/gtest.h"
#include <set>
#include <tuple>

namespace tilegpt::numeric {
namespace {

/// One case per kernel, types and parameters.
std::vector<NumericCase> kernelsOfCases() {
  std::vector<NumericCase> kernels;
  std::set<std::tuple<std::string, std::string, std::string,
                      std::vector<std::pair<std::string, int64_t>>>>
      seen;
  for (NumericCase &test : readCases())
    if (test.error.empty() &&
        seen.insert({test.file, test.kernel, test.types, test.parameters})
            .second)
      kernels.push_back(std::move(test));
  return kernels;
}

class GpuCompile : public testing::TestWithParam<NumericCase> {};

TEST_P(GpuCompile, HasCodeForEveryGpu) {
  NumericRun run(GetParam());
  for (const char *target : {"sm_80", "sm_90a"}) {
    compiler::GpuCompilation compilation(
        llvm::cantFail(target::GpuTarget::find(target)));
    for (const bool specialize : {false, true}) {
      if (specialize && !(run.kernelOp() && run.kernelOp().isRaw()))
        continue;
      auto compiled =
          run.compileForGpu({.specialize = specialize}, compilation);
      const std::string error =
          compiled ? "" : llvm::toString(compiled.takeError());
      EXPECT_EQ(error, "") << "for " << target;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Numeric, GpuCompile,
                         testing::ValuesIn(kernelsOfCases()),
                         [](const auto &info) {
                           return std::to_string(info.index) + "_" +
                                  info.param.name();
                         });

INSTANTIATE_TEST_SUITE_P(Random, GpuCompile, testing::ValuesIn(randomKernels()),
                         [](const auto &info) { return info.param.name(); });

} // namespace
} // namespace tilegpt::numeric
