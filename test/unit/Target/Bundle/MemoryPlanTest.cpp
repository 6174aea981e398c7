// Tensors that are live at the same time never share bytes of the arena, and
// bytes are reused where possible.
#include "TileGPT/Target/Bundle/MemoryPlan.h"
#include <gtest/gtest.h>
#include <random>

using namespace tilegpt::target;

TEST(MemoryPlan, AChainNeedsOnlyTwoBuffers) {
  std::vector<Lifetime> chain;
  for (unsigned launch = 0; launch < 10; ++launch)
    chain.push_back({launch, launch + 1, 128});
  EXPECT_EQ(planMemory(chain, 64).bytes, 256u);
}

TEST(MemoryPlan, ATensorReadByTheLaunchThatWritesAnotherKeepsItsBytes) {
  MemoryPlan plan =
      planMemory(std::vector<Lifetime>{{0, 1, 64}, {1, 2, 64}}, 64);
  EXPECT_NE(plan.offsets[0], plan.offsets[1]);
}

TEST(MemoryPlan, FillsTheGapBetweenTwoTensors) {
  // The small tensors overlap the large one, one after the other.
  MemoryPlan plan = planMemory(
      std::vector<Lifetime>{{0, 9, 1024}, {0, 3, 64}, {4, 9, 64}}, 64);
  EXPECT_EQ(plan.bytes, 1024u + 64u);
}

TEST(MemoryPlan, NothingNeedsNothing) {
  EXPECT_EQ(planMemory({}, 64).bytes, 0u);
}

TEST(MemoryPlan, RandomLifetimesNeverOverlap) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<Lifetime> lifetimes(random() % 40);
    for (Lifetime &lifetime : lifetimes) {
      lifetime.first = random() % 30;
      lifetime.last = lifetime.first + random() % 8;
      lifetime.bytes = random() % 1000;
    }
    MemoryPlan plan = planMemory(lifetimes, 64);
    for (size_t a = 0; a < lifetimes.size(); ++a) {
      EXPECT_EQ(plan.offsets[a] % 64, 0u);
      EXPECT_LE(plan.offsets[a] + lifetimes[a].bytes, plan.bytes);
      for (size_t b = 0; b < a; ++b) {
        bool together = lifetimes[a].first <= lifetimes[b].last &&
                        lifetimes[b].first <= lifetimes[a].last;
        bool apart = plan.offsets[a] + lifetimes[a].bytes <= plan.offsets[b] ||
                     plan.offsets[b] + lifetimes[b].bytes <= plan.offsets[a];
        EXPECT_TRUE(!together || apart) << "round " << round;
      }
    }
  }
}
