// The vectors of RFC 4648, and texts that are no base64.
#include "TileGPT/Runtime/Data/Base64.h"
#include <gtest/gtest.h>

using tilegpt::runtime::decodeBase64;

TEST(Base64, DecodesTheVectorsOfItsDefinition) {
  EXPECT_EQ(decodeBase64(""), "");
  EXPECT_EQ(decodeBase64("Zg=="), "f");
  EXPECT_EQ(decodeBase64("Zm8="), "fo");
  EXPECT_EQ(decodeBase64("Zm9v"), "foo");
  EXPECT_EQ(decodeBase64("Zm9vYg=="), "foob");
  EXPECT_EQ(decodeBase64("+/8A"), std::string("\xfb\xff\0", 3));
}

TEST(Base64, RejectsOtherDigitsAndMisplacedPadding) {
  for (const char *text :
       {"Zg", "Zg=", "Z===", "=Zm9", "Zm=v", "Zm9 ", "Zm9v-_"})
    EXPECT_EQ(decodeBase64(text), std::nullopt) << text;
}
