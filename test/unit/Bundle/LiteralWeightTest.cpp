// Weights whose names encode their values.
#include "TileGPT/Bundle/LiteralWeight.h"
#include <gtest/gtest.h>

using namespace tilegpt::bundle;

TEST(LiteralWeight, IsReadAsItWasWritten) {
  const std::vector<double> values = {1, 0.1, 1.0 / 3, 1e-30, 3e30};
  const std::string name = literalWeight(values);
  EXPECT_TRUE(isLiteralWeight(name));
  const auto read = parseLiteralWeight(name);
  ASSERT_TRUE(read) << name;
  EXPECT_EQ(*read, std::vector<float>(values.begin(), values.end()));
  EXPECT_EQ(literalWeight(std::vector<double>{1, 0.5}), "[1,0.5]");
  EXPECT_FALSE(isLiteralWeight("h.0.ln_1.weight"));
}

TEST(LiteralWeight, OtherTextsAreNone) {
  for (const char *name : {"", "1", "[1", "1]", "[1,]", "[,1]", "[1 2]", "[a]",
                           "[1,,2]", "[1e999]"})
    EXPECT_FALSE(parseLiteralWeight(name)) << name;
}
