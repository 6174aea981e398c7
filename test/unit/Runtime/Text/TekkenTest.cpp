// Tokenizers of tekken.json files: ids, special tokens, and what is rejected.
#include "../TemporaryFolder.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;
using Ids = std::vector<int32_t>;

namespace {

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view three = bytes.substr(at, 3);
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < three.size() ? uint8_t(three[i]) : 0);
    for (size_t i = 0; i < 4; ++i)
      text += i <= three.size() ? digits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

/// All bytes, "ab", "bc", "abc", " é" and a token beyond the vocabulary.
std::string vocab() {
  std::string text;
  const auto add = [&](std::string_view bytes) {
    text += text.empty() ? "" : ",";
    text += R"({"rank": 0, "token_bytes": ")" + base64(bytes) + "\"}";
  };
  for (int byte = 0; byte < 256; ++byte)
    add(std::string(1, char(byte)));
  for (const char *token : {"ab", "bc", "abc", " \xc3\xa9", "beyond"})
    add(token);
  return "\"vocab\": [" + text + "]";
}

const std::string config =
    R"("config": {"pattern": " ?\\p{L}+|\\s+|[^\\s\\p{L}]+",)"
    R"("default_vocab_size": 264, "default_num_special_tokens": 4})";
const std::string specials =
    R"("special_tokens": [{"rank": 1, "token_str": "<s>"},
        {"rank": 3, "token_str": "[X]"}])";

class TekkenFile : public testing::Test {
protected:
  Result<Tokenizer> open(const std::string &members) {
    folder.write("tekken.json", "{" + members + "}");
    return Tokenizer::open(folder.path);
  }
  std::string problemOf(const std::string &members) {
    const auto opened = open(members);
    const std::string start =
        "tokenizer: '" + (folder.path / "tekken.json").string() + "' ";
    return opened ? "" : opened.error().message.substr(start.size());
  }
  const TemporaryFolder folder;
};

} // namespace

TEST_F(TekkenFile, MergesByRankBehindTheSpecialTokens) {
  const auto tokenizer = open(config + "," + specials + "," + vocab());
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  const auto encode = [&](std::string_view text) {
    return tokenizer->encode(text, Tokenizer::SpecialText::Tokens).value();
  };
  EXPECT_EQ(tokenizer->size(), 264);
  EXPECT_EQ(encode("abc"), Ids{4 + 258});
  EXPECT_EQ(encode("abcbc"), (Ids{4 + 258, 4 + 257}));
  EXPECT_EQ(encode("c \xc3\xa9"), (Ids{4 + 'c', 4 + 259}));
  EXPECT_EQ(encode("a[X]<SPECIAL_2>"), (Ids{4 + 'a', 3, 2}));
  EXPECT_EQ(tokenizer->decode(encode("x \xc3\xa9 \xff")).value(),
            "x \xc3\xa9 \xff");
  EXPECT_EQ(tokenizer->frame().before, Ids{1});
}

TEST_F(TekkenFile, HasTheUsualSpecialTokensUnlessItListsThem) {
  const auto tokenizer = open(config + "," + vocab());
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  EXPECT_EQ(tokenizer->specialId("</s>"), 2);
  EXPECT_EQ(tokenizer->specialId("[INST]"), 3);
}

TEST_F(TekkenFile, SaysWhatIsWrong) {
  EXPECT_EQ(problemOf(vocab()), "has no 'config', an object");
  EXPECT_EQ(problemOf(R"("config": {"pattern": "a"})"),
            "expected a 'config' with a 'pattern', a text, and "
            "'default_vocab_size' and 'default_num_special_tokens', numbers");
  EXPECT_EQ(problemOf(config + R"(, "vocab": [{"token_bytes": "YQ=="}])"),
            "expected a 'vocab' of 260 tokens or more");
  std::string bad = vocab();
  bad.replace(bad.find("AA=="), 4, "A*==");
  EXPECT_EQ(problemOf(config + "," + bad),
            "expected token 0 to have 'token_bytes', bytes in base64");
  EXPECT_EQ(problemOf(config + R"(, "special_tokens": [{"rank": 4,
                          "token_str": "a"}], )" +
                      vocab()),
            "expected each of 'special_tokens' to have a 'token_str', a text, "
            "and a 'rank' below 4");
  std::string pattern = config;
  pattern.replace(pattern.find(R"(\\p{L}+|)"), 8, R"(\\w)");
  EXPECT_EQ(problemOf(pattern + "," + vocab()),
            "has a 'pattern' that uses '\\w', which is not supported");
}
