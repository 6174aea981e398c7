// tokenizer.model files that are malformed or need what is not supported, and
// the settings that determine normalization.
#include "../TemporaryFolder.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;
using Ids = std::vector<int32_t>;

namespace {

/// A field of a protocol buffer: an integer below 128, or bytes.
std::string field(int number, int value) {
  std::string bytes =
      number < 16
          ? std::string(1, char(number << 3))
          : std::string{char(0x80 | (number << 3 & 127)), char(number >> 4)};
  return bytes + char(value);
}
std::string field(int number, const std::string &content) {
  return std::string{char(number << 3 | 2), char(content.size())} + content;
}

/// \param kind  1: normal, 2: unknown, 3: control, 4: user-defined
std::string piece(const char *text, float score, int kind = 1) {
  std::string bytes = field(1, text) + '\x15';
  bytes.append(reinterpret_cast<const char *>(&score), sizeof(score));
  return field(1, bytes + field(3, kind));
}

const std::string trainsBpe = field(2, field(3, 2));
const std::string keepsSpaces = field(3, field(3, 0) + field(4, 0));

/// "ba", "ab", "a", "b" and the mark of spaces, behind "<unk>" and "<s>".
std::string pieces() {
  return piece("<unk>", 0, 2) + piece("<s>", 0, 3) + piece("ba", -1) +
         piece("ab", -2) + piece("a", -3) + piece("b", -4) +
         piece("\xe2\x96\x81", -5);
}

class SentencePieceFile : public testing::Test {
protected:
  Result<Tokenizer> open(const std::string &bytes) {
    folder.write("tokenizer.model", bytes);
    return Tokenizer::open(folder.path);
  }
  Ids encode(const std::string &bytes, std::string_view text) {
    const auto opened = open(bytes);
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? opened->encode(text).value() : Ids();
  }
  const TemporaryFolder folder;
};

} // namespace

TEST_F(SentencePieceFile, MergesByScore) {
  const std::string file = pieces() + trainsBpe + keepsSpaces;
  EXPECT_EQ(encode(file, "abab"), (Ids{4, 2, 5}));
  EXPECT_EQ(encode(file, " aab<s>"), (Ids{6, 4, 3, 0}));
  EXPECT_EQ(open(file)->frame().before, Ids{1});
}

TEST_F(SentencePieceFile, IsAUnigramModelUnlessItSaysBpe) {
  EXPECT_EQ(encode(pieces() + keepsSpaces, "abab"), (Ids{3, 3}));
}

/// The sums of splits that end alike are equal, but for their rounding.
TEST_F(SentencePieceFile, SumsScoresInSinglePrecision) {
  const std::string file = piece("<unk>", 0, 2) + piece("<s>", 0, 3) +
                           piece("a", -5.0f) + piece("aa", -5.6f) +
                           piece("\xe2\x96\x81", -9) + keepsSpaces;
  EXPECT_EQ(encode(file, "aaaaaaa"), (Ids{3, 3, 3, 2}));
  EXPECT_EQ(encode(file, "aaaaaaaaa"), (Ids{3, 3, 3, 2, 3}));
}

/// Without settings, spaces at the ends vanish, those in a row become one, and
/// one is put in front.
TEST_F(SentencePieceFile, TreatsSpacesAsItSays) {
  const std::string file = pieces() + trainsBpe;
  EXPECT_EQ(encode(file, "  a  b "), (Ids{6, 4, 6, 5}));
  EXPECT_EQ(open(file)->decode(Ids{6, 4, 6, 5}).value(), "a b");
  EXPECT_EQ(encode(file + field(3, field(4, 0)), " a "), (Ids{6, 6, 4, 6}));
  EXPECT_EQ(encode(file + field(3, field(3, 0)), " a "), (Ids{4}));
  // Only a legacy tokenizer puts a space behind an added token.
  const auto withToken = file + piece("<x>", 0, 4);
  EXPECT_EQ(encode(withToken, "a<x>b"), (Ids{6, 4, 7, 5}));
  const auto special = [&] {
    return open(file)->encode("a<s>b", Tokenizer::SpecialText::Tokens).value();
  };
  EXPECT_EQ(special(), (Ids{6, 4, 1, 6, 5}));
  folder.write("tokenizer_config.json", R"({"legacy": false})");
  EXPECT_EQ(special(), (Ids{6, 4, 1, 5}));
}

TEST_F(SentencePieceFile, IsRejectedByName) {
  const std::string good = pieces();
  const std::string incomplete = "is not a complete SentencePiece file; "
                                 "download it again, or use a tokenizer.json";
  const std::pair<std::string, std::string> cases[] = {
      {"", incomplete},
      {good.substr(0, good.size() - 1), incomplete},
      {good + piece("\xff", 0), incomplete},
      {good + piece("c", 0, 7), incomplete},
      {good + piece("a", 0), "gives the token 'a' the ids 4 and 7"},
      {good + field(2, field(3, 3)),
       "is a SentencePiece file that splits text by neither BPE nor a unigram "
       "model, which is not supported"},
      {good + field(2, field(24, 1)),
       "is a SentencePiece file with 'treat_whitespace_as_suffix = true', "
       "which is not supported"},
      {good + field(3, field(5, 0)),
       "is a SentencePiece file with 'escape_whitespaces = false', which is "
       "not supported"},
      {good + field(3, field(2, "x")),
       "has a 'precompiled_charsmap' that is malformed; expected the size of a "
       "trie, the trie and replacements that end with a zero"},
  };
  for (const auto &[bytes, message] : cases) {
    const auto opened = open(bytes);
    ASSERT_FALSE(opened) << message;
    EXPECT_EQ(opened.error().message, "tokenizer: '" + folder.path.string() +
                                          "/tokenizer.model' " + message);
    EXPECT_EQ(opened.error().code, ErrorCode::BadInput);
  }
}
