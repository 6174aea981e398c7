// Values of flags, as text.
#include "FlagValues.h"
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
