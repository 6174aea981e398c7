// Values of flags, as text.
#include "Flags/FlagValues.h"
#include <cmath>
#include <gmock/gmock.h>

using namespace tilegpt::run;
using testing::ElementsAre;
using testing::Optional;
using testing::Pair;

TEST(FlagValues, NumbersMustFillTheWholeText) {
  EXPECT_THAT(parseNumber<int32_t>("-12"), Optional(-12));
  EXPECT_THAT(parseNumber<float>("0.5"), Optional(0.5f));
  for (const char *text : {"", " 1", "1 ", "1x", "0x10", "99999999999"})
    EXPECT_EQ(parseNumber<int32_t>(text), std::nullopt) << text;
}

TEST(FlagValues, TokensAreSeparatedByCommasOrSpaces) {
  EXPECT_THAT(parseTokens("859,26"), Optional(ElementsAre(859, 26)));
  EXPECT_THAT(parseTokens("859 26"), Optional(ElementsAre(859, 26)));
  EXPECT_THAT(parseTokens("7"), Optional(ElementsAre(7)));
  for (const char *text : {"", ",", "1,", "1,,2", "1;2", "a"})
    EXPECT_EQ(parseTokens(text), std::nullopt) << text;
}

TEST(FlagValues, LogitBiasIsATokenASignAndANumber) {
  EXPECT_THAT(parseLogitBias("199+1.5"), Optional(Pair(199, 1.5f)));
  EXPECT_THAT(parseLogitBias("199-2e-1"), Optional(Pair(199, -0.2f)));
  EXPECT_THAT(parseLogitBias("199-inf"), Optional(Pair(199, -INFINITY)));
  for (const char *text : {"", "199", "+1", "199+", "199+x", "x-1"})
    EXPECT_EQ(parseLogitBias(text), std::nullopt) << text;
}

TEST(FlagValues, StepsToMeasure) {
  using tilegpt::bundle::PlanKind;
  EXPECT_THAT(
      parseBenchTests("prefill:1024x8,score:256,decode:1x4@512,decode:1@3"),
      Optional(ElementsAre(BenchTest{PlanKind::Prefill, 1024, 8, 0},
                           BenchTest{PlanKind::Score, 256, 1, 0},
                           BenchTest{PlanKind::Decode, 1, 4, 512},
                           BenchTest{PlanKind::Decode, 1, 1, 3})));
  EXPECT_EQ((BenchTest{PlanKind::Decode, 1, 4, 512}).name(), "decode:1x4@512");
  for (const char *text :
       {"", "prefill", "prefill:", "prefill:0", "prefill:8x0", "prefill:8x",
        "prefill:8@-1", "prefill:8@", "decode:2", "encode:1", "score:8,",
        "score:8@1x2"})
    EXPECT_EQ(parseBenchTests(text), std::nullopt) << text;
}
