// Launches of random kernels give bit-identical results fused and apart.
#include "FusedProgram.h"
#include "Random/RandomLaunches.h"
#include "gtest/gtest.h"

namespace tilegpt::numeric {
namespace {

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
