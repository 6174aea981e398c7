// However a text is cut into pieces, the decoder emits the same whole
// characters.
#include "TileGPT/Runtime/Text/StreamDecoder.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include <gtest/gtest.h>

using namespace tilegpt::runtime;

TEST(StreamDecoder, NeverSplitsACharacter) {
  const std::string text = "naïve — 漢字 👩‍👧 end";
  for (size_t step = 1; step <= text.size(); ++step) {
    StreamDecoder decoder;
    std::string shown;
    for (size_t i = 0; i < text.size(); i += step) {
      const std::string piece = decoder.push(text.substr(i, step));
      EXPECT_EQ(findInvalidUtf8(piece), std::nullopt);
      shown += piece;
    }
    EXPECT_EQ(shown, text);
    EXPECT_EQ(decoder.finish(), "");
  }
}

TEST(StreamDecoder, ShowsACharacterWithItsLastByte) {
  StreamDecoder decoder;
  EXPECT_EQ(decoder.push("a\xf0"), "a");
  EXPECT_EQ(decoder.push("\x9f\x99"), "");
  EXPECT_EQ(decoder.push("\x82!"), "🙂!");
}

TEST(StreamDecoder, FlushesAPartialCharacterAsOneReplacement) {
  StreamDecoder decoder;
  EXPECT_EQ(decoder.push("x\xf0\x9f\x99"), "x");
  EXPECT_EQ(decoder.finish(), "\uFFFD");
  EXPECT_EQ(decoder.finish(), "");
  EXPECT_EQ(decoder.push("y"), "y");
}

TEST(StreamDecoder, ReplacesWhatCannotBecomeACharacter) {
  const std::pair<std::string, std::string> cases[] = {
      {"\x80", "\uFFFD"},
      {"a\xff\xfe"
       "b",
       "a\uFFFD\uFFFDb"},
      {"\xe2\x82z", "\uFFFDz"},
      {"\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},
      {"\xf0\x9f\xf0\x9f\x99\x82", "\uFFFD🙂"},
  };
  for (const auto &[bytes, text] : cases) {
    StreamDecoder whole;
    EXPECT_EQ(whole.push(bytes) + whole.finish(), text);
    StreamDecoder single;
    std::string shown;
    for (const char byte : bytes)
      shown += single.push({&byte, 1});
    EXPECT_EQ(shown + single.finish(), text);
  }
}
