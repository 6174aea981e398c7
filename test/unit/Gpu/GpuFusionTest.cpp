// Random chains of launches on a GPU: fused kernels give the bits that the
// reference interpreter gives without fusion.
#include "../Numeric/FusedProgram.h"
#include "../Numeric/Random/RandomLaunches.h"
#include "GpuDevice.h"
#include "OnGpu.h"
#include "gtest/gtest.h"

namespace tilegpt::numeric {
namespace {

class GpuFusion : public testing::TestWithParam<uint64_t> {};

TEST_P(GpuFusion, GivesTheSameAsApart) {
  runtime::Result<compiler::GpuRunner *> runner = test::gpu();
  if (!runner)
    GTEST_SKIP() << runner.error().message;
  const LaunchChain chain = randomLaunches(GetParam());
  FusedProgram apart(chain.text, FusedProgram::Apart);
  FusedProgram fused(chain.text, FusedProgram::Fused);
  ASSERT_FALSE(HasFailure()) << chain.text;
  apart.call(chain.arguments);
  const auto found = fused.callCompiled(
      chain.arguments, [&](tile::KernelOp kernel, auto operands) {
        return (*runner)->run(kernel, operands,
                              {.guard = guardOf(64), .runs = 2});
      });
  EXPECT_TRUE(areEqual(apart.values, found)) << fused.print();
}

INSTANTIATE_TEST_SUITE_P(Random, GpuFusion,
                         testing::Range(uint64_t(0), uint64_t(60)));

} // namespace
} // namespace tilegpt::numeric
