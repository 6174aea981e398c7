// Edge cases of UTF-8: what is a valid character, and how many bytes an invalid
// sequence spans.
#include "TileGPT/Runtime/Data/Utf8.h"
#include <gtest/gtest.h>

using namespace tilegpt::runtime;

TEST(Utf8, RoundTripsEveryScalarValue) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c == 0xD800)
      c = 0xE000;
    std::string text;
    appendUtf8(text, c);
    const Utf8Step step = firstCharacter(text);
    ASSERT_TRUE(step.valid) << uint32_t(c);
    ASSERT_EQ(step.character, c);
    ASSERT_EQ(step.bytes, text.size());
  }
}

TEST(Utf8, RefusesWhatIsNotWellFormed) {
  struct Case {
    std::string_view text;
    uint8_t bytes;
    bool incomplete;
  };
  const Case cases[] = {
      {"\x80", 1, false},             // continuation without a lead
      {"\xC0\x80", 1, false},         // overlong
      {"\xC1\xBF", 1, false},         // overlong
      {"\xE0\x80\x80", 1, false},     // overlong
      {"\xED\xA0\x80", 1, false},     // surrogate
      {"\xF0\x80\x80\x80", 1, false}, // overlong
      {"\xF4\x90\x80\x80", 1, false}, // above U+10FFFF
      {"\xF5\x80", 1, false},         // invalid lead
      {"\xFF", 1, false},             // invalid lead
      {"\xE2\x82", 2, true},          // truncated
      {"\xF0\x9F\x98", 3, true},      // truncated
      {"\xC3", 1, true},              // truncated
      {"\xE2\x82z", 2, false},        // interrupted by another character
      {"\xF0\x9F\x98\xC3", 3, false}, // broken by another lead
  };
  for (const Case &c : cases) {
    const Utf8Step step = firstCharacter(c.text);
    EXPECT_FALSE(step.valid) << testing::PrintToString(c.text);
    EXPECT_EQ(step.character, U'\xFFFD');
    EXPECT_EQ(step.bytes, c.bytes) << testing::PrintToString(c.text);
    EXPECT_EQ(step.incomplete, c.incomplete) << testing::PrintToString(c.text);
  }
}

TEST(Utf8, FindsTheFirstInvalidByte) {
  EXPECT_EQ(findInvalidUtf8(""), std::nullopt);
  EXPECT_EQ(findInvalidUtf8("plain ASCII of some length"), std::nullopt);
  EXPECT_EQ(findInvalidUtf8("naïve — 漢字 🙂 and more text"), std::nullopt);
  EXPECT_EQ(findInvalidUtf8("12345678\xFF"), 8u);
  EXPECT_EQ(findInvalidUtf8("1234567\xFF"), 7u);
  EXPECT_EQ(findInvalidUtf8("é\xE2\x82"), 2u);
}
