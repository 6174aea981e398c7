// The exact text of the profile table, and its JSON.
#include "ProfileExample.h"
#include "TileGPT/Runtime/Data/Json.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;

static StepProfile exampleProfile() {
  StepProfile profile =
      profileOf("decode:1x1@8", 210e-6,
                {{"linear_0", "h.0.fc", 8, 200e-6, reading(1e6, 1e6)},
                 {"add_0", "h.0", 1, 0.1e-6, std::nullopt},
                 {"norm_0", "h.0.ln", 8, 2e-6, std::nullopt}},
                exampleRates(), {});
  profile.advice.push_back({"--dtype bf16", "reads less", 100e-6});
  return profile;
}

TEST(ProfileText, IsATable) {
  EXPECT_EQ(
      formatProfile(exampleProfile()),
      "decode:1x1@8: 210.0 us a step, 202.1 us in launches\n"
      "bounds (measured): 10.0 GB/s, 100 GFLOP/s, 1.00 us a launch\n"
      "kernel   launches         us     %         MB     GB/s  GFLOP/s bound%"
      "  why not faster\n"
      "linear_0        1      200.0  99.0      1.00       5.0      0.0    50m\n"
      "norm_0          1        2.0   1.0          -        -        -      -\n"
      "others          1        0.1   0.0\n"
      "  -100.0 us (49 %)  --dtype bf16: reads less\n");
}

TEST(ProfileText, AsJsonHasAllFigures) {
  const auto document =
      JsonDocument::parse(profileAsJson(exampleProfile()), "");
  ASSERT_TRUE(document) << document.error().message;
  const JsonValue root = document->root();
  EXPECT_EQ(root.find("step")->string(), "decode:1x1@8");
  EXPECT_NEAR(root.find("launches_ns")->number(), 202100, 1);
  EXPECT_EQ(root.find("bounds")->find("lanes")->integer(), 4);
  ASSERT_EQ(root.find("kernels")->size(), 3u);
  const JsonValue linear = *root.find("kernels")->begin();
  EXPECT_EQ(linear.find("label")->string(), "h.0.fc");
  EXPECT_EQ(linear.find("read_bytes")->number(), 1e6);
  EXPECT_EQ(linear.find("bound")->string(), "memory");
  const JsonValue advice = *root.find("advice")->begin();
  EXPECT_EQ(advice.find("saved_ns")->number(), 100000);
}
