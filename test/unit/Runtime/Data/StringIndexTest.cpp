// Strings map to their original positions; unknown ones are not found.
#include "TileGPT/Runtime/Data/StringIndex.h"
#include <gtest/gtest.h>
#include <string>

using namespace tilegpt::runtime;

TEST(StringIndex, NumbersStringsInTheirOrder) {
  std::vector<std::string> texts;
  texts.reserve(1000);
  for (int i = 0; i < 1000; ++i)
    texts.push_back(std::string(size_t(i % 7), 'x') + std::to_string(i));
  StringIndex index(texts.size());
  for (uint32_t i = 0; i < texts.size(); ++i)
    EXPECT_EQ(index.add(texts[i]), std::pair(i, true));
  for (uint32_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(index.find(texts[i]), i);
    EXPECT_EQ(index.add(texts[i]), std::pair(i, false));
    EXPECT_EQ(index.find(texts[i] + "y"), std::nullopt);
  }
  EXPECT_EQ(index.size(), texts.size());
}

TEST(StringIndex, FindsNothingWhenEmpty) {
  const StringIndex index(0);
  EXPECT_EQ(index.find(""), std::nullopt);
}
