// Launches of random kernels give bit-identical results fused and apart.
#include "FusedProgram.h"
#include "Random/RandomLaunches.h"
#include "gtest/gtest.h"
#include <cmath>

namespace tilegpt::numeric {
namespace {

/// Whether all elements are equal, or both NaN.
testing::AssertionResult areEqual(llvm::ArrayRef<reference::TensorRef> expected,
                                  llvm::ArrayRef<reference::TensorRef> found) {
  if (expected.size() != found.size())
    return testing::AssertionFailure() << found.size() << " results";
  for (size_t result = 0; result < expected.size(); ++result)
    for (int64_t i = 0; i < expected[result]->size(); ++i) {
      const reference::Element one = (*expected[result])[i],
                               other = (*found[result])[i];
      const bool isSame =
          expected[result]->isFloat()
              ? one.f == other.f || (std::isnan(one.f) && std::isnan(other.f))
              : one.i == other.i;
      if (!isSame)
        return testing::AssertionFailure()
               << "result " << result << ", element " << i << ": "
               << (expected[result]->isFloat() ? one.f : double(one.i))
               << " apart, "
               << (expected[result]->isFloat() ? other.f : double(other.i))
               << " fused";
    }
  return testing::AssertionSuccess();
}

TEST(RandomFusion, KernelsGiveTheSameFusedAsApart) {
  constexpr uint64_t chains = 60;
  unsigned apartLaunches = 0, fusedLaunches = 0;
  for (uint64_t seed = 0; seed < chains; ++seed) {
    SCOPED_TRACE("chain " + std::to_string(seed));
    const LaunchChain chain = randomLaunches(seed);
    FusedProgram apart(chain.text, FusedProgram::Apart);
    FusedProgram fused(chain.text, FusedProgram::Fused);
    FusedProgram exact(chain.text, FusedProgram::FusedExactly);
    ASSERT_FALSE(testing::Test::HasFailure()) << chain.text;
    apart.call(chain.arguments);
    const auto found = fused.call(chain.arguments);
    exact.call(chain.arguments);
    EXPECT_TRUE(areEqual(apart.values, exact.values)) << exact.print();
    EXPECT_TRUE(areEqual(apart.values, fused.values)) << fused.print();
    // Printing and parsing again gives the same program.
    FusedProgram again(fused.print(), FusedProgram::Apart);
    EXPECT_EQ(found, again.call(chain.arguments));
    if (seed % 5 == 0)
      EXPECT_TRUE(areEqual(apart.values, fused.callOnCpu(chain.arguments)));
    ASSERT_FALSE(testing::Test::HasFailure()) << chain.text << fused.print();
    apartLaunches += apart.countLaunches();
    fusedLaunches += fused.countLaunches();
  }
  // Not vacuous: some launches fuse.
  EXPECT_LT(fusedLaunches, apartLaunches * 9 / 10)
      << fusedLaunches << " of " << apartLaunches;
}

} // namespace
} // namespace tilegpt::numeric
