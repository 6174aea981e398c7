// The tokenizer against ids that two independent encoders agree on, against the
// demo model's reference, and on large, odd or binary inputs.
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include "../TemporaryFolder.h"
#include "SourceFolder.h"
#include "TileGPT/Runtime/Data/Json.h"
#include <ctime>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

using namespace tilegpt;
using namespace tilegpt::runtime;
namespace fs = std::filesystem;
using SpecialText = Tokenizer::SpecialText;

namespace {

const fs::path gpt2Folder = test::sourceFolder() / "test/data/gpt2-tokenizer";
const fs::path demoFolder = test::sourceFolder() / "models/shakespeare";

const Tokenizer &gpt2() {
  static const auto tokenizer = Tokenizer::open(gpt2Folder);
  return tokenizer.value();
}

using Ids = std::vector<int32_t>;

Ids idsOf(JsonValue list) {
  Ids ids;
  for (JsonValue id : list)
    ids.push_back(int32_t(id.integer()));
  return ids;
}

Ids encode(std::string_view text, SpecialText special = SpecialText::Plain) {
  return gpt2().encode(text, special).value();
}

/// The ids of pieces that are encoded one by one.
Ids encodeAll(std::initializer_list<std::string_view> pieces) {
  Ids ids;
  for (const std::string_view piece : pieces)
    for (const int32_t id : encode(piece))
      ids.push_back(id);
  return ids;
}

double secondsToEncode(const std::string &text) {
  // CPU time of this process, independent of other load.
  const std::clock_t start = std::clock();
  const auto ids = gpt2().encode(text);
  const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_TRUE(ids);
  EXPECT_EQ(gpt2().decode(*ids), text);
  return seconds;
}

} // namespace

TEST(Tokenizer, AgreesWithTheReferenceEncoders) {
  const auto cases = JsonDocument::read(gpt2Folder / "cases.json", "test");
  ASSERT_TRUE(cases) << cases.error().message;
  EXPECT_EQ(cases->root().size(), 152u);
  for (JsonValue test : cases->root()) {
    const std::string_view text = test.find("text")->string();
    const auto ids = gpt2().encode(text);
    ASSERT_TRUE(ids) << ids.error().message;
    EXPECT_EQ(*ids, idsOf(*test.find("ids"))) << text;
    EXPECT_EQ(gpt2().decode(*ids), text);
  }
}

TEST(Tokenizer, AgreesWithTheDemoModelsReference) {
  const auto reference =
      JsonDocument::read(demoFolder / "reference.json", "test");
  ASSERT_TRUE(reference) << reference.error().message;
  const auto tokenizer = Tokenizer::open(demoFolder, 2048);
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  EXPECT_EQ(tokenizer->size(), 2048);
  const JsonValue prompts = *reference->root().find("prompts");
  EXPECT_GT(prompts.size(), 0u);
  for (JsonValue prompt : prompts) {
    const std::string_view text = prompt.find("prompt")->string();
    EXPECT_EQ(tokenizer->encode(text).value(), idsOf(*prompt.find("ids")))
        << text;
  }
}

TEST(Tokenizer, BothLayoutsOfFilesAreTheSameTokenizer) {
  const auto single = Tokenizer::open(demoFolder);
  const TemporaryFolder folder;
  for (const char *name : {"vocab.json", "merges.txt"})
    fs::copy(demoFolder / name, folder.path / name);
  const auto pair = Tokenizer::open(folder.path);
  ASSERT_TRUE(single && pair);
  ASSERT_EQ(single->size(), pair->size());
  for (int32_t id = 0; id < single->size(); ++id)
    EXPECT_EQ(single->bytes(id), pair->bytes(id));
  const std::string text = "Shall I compare thee\n\tto a summer's day?";
  EXPECT_EQ(single->encode(text).value(), pair->encode(text).value());
  EXPECT_EQ(pair->specialId("<|endoftext|>"), 0);
  EXPECT_TRUE(pair->isSpecial(0));
  EXPECT_FALSE(pair->isSpecial(1));
}

TEST(Tokenizer, SpecialTokensAreTextUnlessAskedFor) {
  const std::string text = "a<|endoftext|><|endoftext|> b<|endoftext|";
  EXPECT_EQ(encode("<|endoftext|>"), (Ids{27, 91, 437, 1659, 5239, 91, 29}));
  EXPECT_EQ(encode("<|endoftext|>", SpecialText::Tokens), (Ids{50256}));
  const Ids plain = encode(text);
  EXPECT_THAT(plain, testing::Not(testing::Contains(50256)));
  EXPECT_EQ(gpt2().decode(plain), text);
  const Ids ids = encode(text, SpecialText::Tokens);
  EXPECT_EQ(Ids(ids.begin(), ids.begin() + 4), (Ids{64, 50256, 50256, 275}));
  EXPECT_THAT(ids, testing::Contains(50256).Times(2));
  EXPECT_EQ(gpt2().decode(ids), text);
}

TEST(Tokenizer, AMegabyteOfOneCharacterTakesLessThanASecond) {
#ifdef __SANITIZE_ADDRESS__
  constexpr double limit = 10; // every access is checked
#else
  constexpr double limit = 1;
#endif
  constexpr size_t megabyte = 1 << 20;
  for (const char c : {'a', ' ', '!', '7', '\n', '\'', '\xff', '\0'})
    EXPECT_LT(secondsToEncode(std::string(megabyte, c)), limit)
        << testing::PrintToString(c);
  // The look-ahead gives back one of the spaces.
  EXPECT_LT(secondsToEncode(std::string(megabyte, ' ') + "a"), limit);
  std::string wide;
  while (wide.size() < megabyte)
    wide += "\u3000";
  EXPECT_LT(secondsToEncode(wide), limit);
}

TEST(Tokenizer, IsLosslessOnAnyBytes) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string text(random() % 200, '\0');
    // Mostly bytes of valid and broken UTF-8.
    for (char &c : text)
      c = char("aZ 1'\n\xc3\xa9\xe2\x80\x99\xf0\x9f\xed\xa0"[random() % 14]);
    if (round % 3 == 0)
      for (char &c : text)
        c = char(random());
    const auto ids = gpt2().encode(text);
    ASSERT_TRUE(ids) << ids.error().message;
    EXPECT_EQ(gpt2().decode(*ids), text);
  }
}

TEST(Tokenizer, BytesOutsideUtf8SplitLikePunctuation) {
  // Letters and numbers next to such bytes start new pieces.
  EXPECT_EQ(encode("ab\xff\xfe!cd"), encodeAll({"ab", "\xff\xfe!", "cd"}));
  EXPECT_EQ(encode("x \xed\xa0\x80 7"),
            encodeAll({"x", " \xed\xa0\x80", " 7"}));
  // As in "!'s", the punctuation takes the apostrophe along.
  EXPECT_EQ(encode("\xff's"), encodeAll({"\xff'", "s"}));
  // The surrounding text is still decoded as UTF-8.
  EXPECT_EQ(encode("漢\xff漢"), encodeAll({"漢", "\xff", "漢"}));
}

TEST(Tokenizer, WhiteSpaceIsUnicodesWhiteSpace) {
  // The last of several spaces joins the word, so the one before it stands
  // alone.
  for (const char *space : {"\t", "\u0085", "\u00a0", "\u1680", "\u2003",
                            "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"})
    EXPECT_EQ(encode(concat("x", space, " y")), encodeAll({"x", space, " y"}))
        << testing::PrintToString(space);
  // U+180E is not white space, although PCRE2's \s matches it: the line feed
  // before it is given back, as before punctuation.
  EXPECT_EQ(encode("\n\n\u180e"), encodeAll({"\n", "\n", "\u180e"}));
}

TEST(Tokenizer, RefusesIdsItDoesNotHave) {
  for (const int32_t id : {-1, 50257}) {
    const auto text = gpt2().decode(std::vector<int32_t>{1, id});
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().message,
              concat("tokenizer: expected tokens from 0 to 50256, got ", id));
    EXPECT_FALSE(gpt2().bytes(id));
    EXPECT_FALSE(gpt2().isSpecial(id));
  }
}
