// The files beside a vocabulary: tokenizer_config.json, special_tokens_map.json
// and added_tokens.json.
#include "../TemporaryFolder.h"
#include "ByteAlphabet.h"
#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;
using Ids = std::vector<int32_t>;
using SpecialText = Tokenizer::SpecialText;

namespace {

/// vocab.json: the bytes, "<s>" (256), "</s>" (257) and "ab" (258).
class TokenizerSettings : public testing::Test {
protected:
  TokenizerSettings() {
    std::string vocab = "{";
    for (int byte = 0; byte < 256; ++byte) {
      std::string text;
      appendUtf8(text, byteAlphabet[size_t(byte)]);
      vocab += quoteJson(text) + ":" + std::to_string(byte) + ",";
    }
    folder.write("vocab.json", vocab + R"("<s>":256,"</s>":257,"ab":258})");
    folder.write("merges.txt", "a b\n");
  }
  Tokenizer open() {
    auto opened = Tokenizer::open(folder.path);
    EXPECT_TRUE(opened) << opened.error().message;
    return std::move(*opened);
  }
  std::string messageOf(const char *file, const char *text) {
    const auto path = folder.write(file, text);
    const auto opened = Tokenizer::open(folder.path);
    EXPECT_FALSE(opened);
    std::filesystem::remove(path);
    return opened ? "" : opened.error().message;
  }
  const TemporaryFolder folder;
};

} // namespace

TEST_F(TokenizerSettings, NameSpecialTokensOfAVocabulary) {
  EXPECT_EQ(open().specialId("<s>"), std::nullopt);
  folder.write("tokenizer_config.json", R"({"bos_token": "<s>"})");
  folder.write("special_tokens_map.json",
               R"({"eos_token": {"content": "</s>"}, "pad_token": "<pad>"})");
  const Tokenizer tokenizer = open();
  EXPECT_EQ(tokenizer.specialId("<s>"), 256);
  EXPECT_EQ(tokenizer.specialId("</s>"), 257);
  EXPECT_EQ(tokenizer.specialId("<pad>"), std::nullopt);
  EXPECT_EQ(tokenizer.encode("</s>ab", SpecialText::Tokens).value(),
            (Ids{257, 258}));
  EXPECT_EQ(tokenizer.encode("</s>")->size(), 4u);
}

/// As OPT does; the file says so, not the class.
TEST_F(TokenizerSettings, AskForATokenInFront) {
  EXPECT_EQ(open().frame().before, Ids());
  folder.write("tokenizer_config.json",
               R"({"add_bos_token": true, "bos_token": "</s>"})");
  EXPECT_EQ(open().frame().before, Ids{257});
  EXPECT_EQ(open().frame().after, Ids());
  folder.write("tokenizer_config.json",
               R"({"add_bos_token": true, "bos_token": "<none>"})");
  EXPECT_EQ(open().frame().before, Ids());
  folder.write("tokenizer_config.json",
               R"({"add_eos_token": true, "eos_token": "<s>"})");
  EXPECT_EQ(open().frame().after, Ids{256});
}

/// They override the post-processor of a tokenizer.json, as in transformers.
TEST_F(TokenizerSettings, OverrideATemplate) {
  folder.write("tokenizer.json", R"({
    "added_tokens": [{"id": 1, "content": "<s>", "special": true}],
    "post_processor": {"type": "TemplateProcessing", "single":
      [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}]},
    "model": {"type": "Unigram", "unk_id": 0, "vocab": [["a", -1]]}})");
  EXPECT_EQ(open().frame().before, Ids{1});
  folder.write("tokenizer_config.json", R"({"add_bos_token": false})");
  EXPECT_EQ(open().frame().before, Ids());
  folder.write("tokenizer_config.json", R"({"bos_token": "a"})");
  EXPECT_EQ(open().frame().before, Ids{1});
}

/// As Gemma's runs of spaces: a decoder is for tokens of both kinds.
TEST_F(TokenizerSettings, DecodeAddedTokensThatTheVocabularyHas) {
  folder.write("tokenizer.json", R"({
    "added_tokens": [{"id": 2, "content": "▁▁", "special": false}],
    "normalizer": {"type": "Replace", "pattern": {"String": " "},
                   "content": "▁"},
    "decoder": {"type": "Replace", "pattern": {"String": "▁"},
                "content": " "},
    "model": {"type": "Unigram", "unk_id": 0,
              "vocab": [["a", -1], ["▁", -2], ["▁▁", -3]]}})");
  const Tokenizer tokenizer = open();
  EXPECT_EQ(tokenizer.encode("a  a").value(), (Ids{0, 2, 0}));
  EXPECT_EQ(tokenizer.decode(Ids{0, 2, 1}).value(), "a   ");
}

TEST_F(TokenizerSettings, ListAddedTokens) {
  folder.write("added_tokens.json", R"({"<x>": 260, "<pad>": 259})");
  folder.write("special_tokens_map.json", R"({"pad_token": "<pad>"})");
  {
    const Tokenizer tokenizer = open();
    EXPECT_EQ(tokenizer.encode("ab<x>").value(), (Ids{258, 260}));
    EXPECT_EQ(tokenizer.specialId("<pad>"), 259);
    EXPECT_EQ(tokenizer.specialId("<x>"), std::nullopt);
  }
  folder.write("tokenizer_config.json", R"({"added_tokens_decoder": {
    "259": {"content": "<y>", "special": false, "lstrip": true}}})");
  EXPECT_EQ(open().encode("ab <y>").value(), (Ids{258, 259}));
}

TEST_F(TokenizerSettings, MaySplitAsQwen) {
  folder.write("tokenizer_config.json",
               R"({"tokenizer_class": "Qwen2TokenizerFast"})");
  // A letter and an accent in their normal form are one letter.
  EXPECT_EQ(open().encode("e\xcc\x81").value(), (Ids{0xC3, 0xA9}));
  folder.write("tokenizer_config.json", R"({"add_prefix_space": true})");
  EXPECT_EQ(open().encode("ab").value(), (Ids{' ', 258}));
}

TEST_F(TokenizerSettings, AreChecked) {
  const std::string place = "tokenizer: '" + folder.path.string();
  EXPECT_EQ(messageOf("tokenizer_config.json", "[]"),
            place + "/tokenizer_config.json' expected an object, got an array");
  EXPECT_EQ(messageOf("tokenizer_config.json", R"({"add_bos_token": 1})"),
            place + "/tokenizer_config.json' expected 'add_bos_token' to be a "
                    "boolean, got an integer");
  EXPECT_EQ(messageOf("added_tokens.json", R"({"<x>": "1"})"),
            place + "/vocab.json' has the added token '<x>' in the file beside "
                    "it without a text and an id");
}
