// The advice given, and the savings it predicts.
#include "TileGPT/Runtime/Profile/Advice.h"
#include "ProfileExample.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;

static std::vector<Advice> advise(const std::vector<LaunchProfile> &launches,
                                  const Alternatives &alternatives) {
  return adviseOn(profileOf("step", 0, launches, exampleRates(), {}), launches,
                  alternatives);
}

TEST(Advice, NarrowWeightsSaveWhatTheLaunchesSpendOnReadingThem) {
  // 201 µs, twice the bound of 100 µs plus the launch itself: half of it is
  // saved.
  const auto advice =
      advise({{"linear_0", "", 8, 201e-6, reading(1e6, 1e6)}}, {});
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].what, "--dtype bf16");
  EXPECT_EQ(advice[0].because,
            "reads 0.50 MB instead of 1.00 MB of f32 weights");
  EXPECT_NEAR(advice[0].savedSeconds, 100e-6, 1e-9);
}

TEST(Advice, NothingIsSaidOfWeightsThatAreNotTheBound) {
  LaunchWork work = multiplying(1e9);
  work.readBytes = work.weightBytes = work.wideWeightBytes = 1e6;
  EXPECT_TRUE(advise({{"linear_0", "", 8, 20e-3, work}}, {}).empty());
}

TEST(Advice, MoreThreadsSaveAsTheirRatesSay) {
  MachineRates all = exampleRates();
  all.wideOpsPerSec *= 2;
  all.lanes = 8;
  Alternatives alternatives;
  alternatives.allThreads = all;
  const auto advice =
      advise({{"linear_0", "", 8, 101e-6, multiplying(1e7)}}, alternatives);
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].what, "--threads 8");
  EXPECT_NEAR(advice[0].savedSeconds, 50e-6, 1e-9);
}

TEST(Advice, SequencesShareTheReadingOfWeights) {
  LaunchWork narrow = reading(1e6);
  narrow.weightBytes = 1e6; // bf16
  Alternatives alternatives;
  alternatives.decodedSequences = 2;
  const auto advice =
      advise({{"linear_0", "", 8, 101e-6, narrow}}, alternatives);
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].what, "decode 4 sequences in a step");
  EXPECT_NEAR(advice[0].savedSeconds, 50.5e-6, 1e-9);
}

TEST(Advice, APlanForFewerRowsSavesThePadding) {
  LaunchWork padded = multiplying(1e7);
  padded.paddedOps = 4e7 / 3;
  LaunchWork read = reading(1e6);
  read.wideOps = 1e3;
  read.paddedOps = 1e6; // hidden behind the reads
  Alternatives alternatives;
  alternatives.plan = {"prefill:48x1@0", 17, 64, 48};
  const std::vector<LaunchProfile> launches = {
      {"linear_0", "", 8, 101e-6, padded}, {"linear_1", "", 8, 101e-6, read}};
  const auto advice = advise(launches, alternatives);
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].what, "tilegpt-run tune --bench prefill:48x1@0");
  EXPECT_EQ(advice[0].because,
            "finds out whether a plan for at most 48 rows has less padding; "
            "this one is for 17 to 64");
  EXPECT_NEAR(advice[0].savedSeconds, 25e-6, 1e-9);
  // The step has as many rows as the plan can have.
  alternatives.plan->rows = 64;
  EXPECT_TRUE(advise(launches, alternatives).empty());
}

TEST(Advice, AFusionSavesTheLaunchAndTheTensor) {
  Alternatives alternatives;
  alternatives.pairs = {{"linear", "gelu", 12, 50e3, "no epilogue: a mask"},
                        {"a", "b", 1, 0, "no prologue"}};
  const auto advice =
      advise({{"linear_0", "", 8, 1e-3, multiplying(1e8)}}, alternatives);
  ASSERT_EQ(advice.size(), 1u); // the other would save 0.1 %
  EXPECT_EQ(advice[0].what, "fuse linear and gelu (12x)");
  EXPECT_EQ(advice[0].because, "a launch and 0.05 MB between them go; not "
                               "fused: no epilogue: a mask");
  EXPECT_NEAR(advice[0].savedSeconds, 12 * (1e-6 + 10e-6), 1e-9);
}
