// Tokenizers in the styles of all model families give the ids of Hugging Face's
// tokenizers library, and tokenizer.model files those of SentencePiece
// (make_tokenizers.py and make_sentencepiece.py in test/data/tokenizers).
#include "SourceFolder.h"
#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include <ctime>
#include <gtest/gtest.h>
#include <random>

using namespace tilegpt;
using namespace tilegpt::runtime;
using SpecialText = Tokenizer::SpecialText;

namespace {

const std::filesystem::path folder =
    test::sourceFolder() / "test/data/tokenizers";

class TokenizerFamilies : public testing::TestWithParam<const char *> {
protected:
  static Tokenizer load() {
    const auto file = MappedFile::open(
        folder / (std::string(GetParam()) + ".json"), "tokenizer");
    auto tokenizer = Tokenizer::fromJson(file->text(), GetParam());
    EXPECT_TRUE(tokenizer) << tokenizer.error().message;
    return std::move(*tokenizer);
  }
  static bool isLossless() {
    const std::string_view name = GetParam();
    return name == "llama3" || name == "smollm" || name == "falcon3";
  }
};

} // namespace

TEST_P(TokenizerFamilies, HaveTheIdsOfTheLibrary) {
  const Tokenizer tokenizer = load();
  const auto cases = JsonDocument::read(
      folder / (std::string(GetParam()) + ".cases.json"), "test");
  ASSERT_TRUE(cases) << cases.error().message;
  EXPECT_GE(cases->root().size(), 79u);
  for (const JsonValue test : cases->root()) {
    const std::string_view text = test.find("text")->string();
    const bool special = test.find("special")->boolean();
    const auto plain = tokenizer.encode(text, special ? SpecialText::Tokens
                                                      : SpecialText::Plain);
    ASSERT_TRUE(plain) << plain.error().message;
    std::vector<int32_t> ids = tokenizer.frame().before, expected, visible;
    ids.insert(ids.end(), plain->begin(), plain->end());
    const JsonValue list = *test.find("ids");
    for (const JsonValue id : list) {
      expected.push_back(int32_t(id.integer()));
      if (!tokenizer.isSpecial(expected.back()))
        visible.push_back(expected.back());
    }
    EXPECT_EQ(ids, expected) << text;
    EXPECT_EQ(tokenizer.decode(visible).value(),
              test.find("decoded")->string());
  }
}

TEST_P(TokenizerFamilies, GiveIdsToAnyBytes) {
  const Tokenizer tokenizer = load();
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string text(random() % 40, ' ');
    for (char &c : text)
      c = char(random() % 4 ? random()
                            : "aB1 \n\xc3\xa9\xf4\x8f\xbf"[random() % 10]);
    const auto ids = tokenizer.encode(text);
    ASSERT_TRUE(ids) << ids.error().message;
    if (isLossless())
      EXPECT_EQ(tokenizer.decode(*ids), text);
  }
}

TEST_P(TokenizerFamilies, TakeAMegabyteOfOneCharacter) {
  const Tokenizer tokenizer = load();
  // The last are combining characters that normalization reorders.
  for (const std::string_view unit :
       {"a", " ", "\n", "1", "\xc3\xa9", "!", "\u0301\u0323"}) {
    std::string text;
    while (text.size() < size_t(1) << 20)
      text += unit;
    const std::clock_t start = std::clock();
    const auto ids = tokenizer.encode(text);
    ASSERT_TRUE(ids) << ids.error().message;
    EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 5) << unit;
  }
}

namespace {

class SentencePieceFiles : public testing::TestWithParam<const char *> {};

} // namespace

TEST_P(SentencePieceFiles, HaveTheIdsOfSentencePiece) {
  const auto tokenizer = Tokenizer::open(folder / GetParam());
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  const auto cases =
      JsonDocument::read(folder / GetParam() / "cases.json", "test");
  ASSERT_TRUE(cases) << cases.error().message;
  EXPECT_GE(cases->root().size(), 79u);
  for (const JsonValue test : cases->root()) {
    const std::string_view text = test.find("text")->string();
    const auto plain = tokenizer->encode(text);
    ASSERT_TRUE(plain) << plain.error().message;
    std::vector<int32_t> ids = tokenizer->frame().before, expected;
    ids.insert(ids.end(), plain->begin(), plain->end());
    const JsonValue list = *test.find("ids");
    for (const JsonValue id : list)
      expected.push_back(int32_t(id.integer()));
    EXPECT_EQ(ids, expected) << text;
    EXPECT_EQ(tokenizer->decode(*plain).value(),
              test.find("decoded")->string());
  }
}

INSTANTIATE_TEST_SUITE_P(Files, SentencePieceFiles,
                         testing::Values("sentencepiece-bpe",
                                         "sentencepiece-mapped",
                                         "sentencepiece-unigram"),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(TokenizerNormalization, OrdersCombiningCharacters) {
  const auto file = MappedFile::open(folder / "qwen2.json", "tokenizer");
  const auto tokenizer = Tokenizer::fromJson(file->text(), "qwen2");
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  // Two of each class keep their order; what follows a starter is another run.
  const auto normal = [&](std::string_view text) {
    return tokenizer->decode(tokenizer->encode(text).value()).value();
  };
  EXPECT_EQ(normal("q\u0301\u0323\u0300\u0331"), "q\u0323\u0331\u0301\u0300");
  EXPECT_EQ(normal("\u0301\u0323e\u0301\u0323a"), "\u0323\u0301\u1EB9\u0301a");
  EXPECT_EQ(normal("\u1100\u1161\u11A8\u0301\u0323"), "\uAC01\u0323\u0301");
  EXPECT_EQ(normal("\u0344"), "\u0308\u0301");
}

INSTANTIATE_TEST_SUITE_P(Styles, TokenizerFamilies,
                         testing::Values("llama3", "qwen2", "smollm", "falcon3",
                                         "gpt-neox", "llama2", "mistral",
                                         "gemma", "helium", "xglm",
                                         "openai-gpt"),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });
