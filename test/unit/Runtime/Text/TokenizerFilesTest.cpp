// Every malformed or unsupported tokenizer file has its own message; both
// spellings of merges load.
#include "../TemporaryFolder.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace tilegpt;
using namespace tilegpt::runtime;
using Json = nlohmann::ordered_json;

namespace {

/// The 256 single bytes in their printable spelling, followed by `more`.
Json vocabulary(const std::vector<std::string> &more = {}) {
  Json vocab;
  int next = 256;
  for (int byte = 0, id = 0; byte < 256; ++byte) {
    const bool printable = (byte >= 33 && byte <= 126) ||
                           (byte >= 161 && byte <= 172) || byte >= 174;
    const int character = printable ? byte : next++;
    std::string text;
    if (character < 0x80)
      text = char(character);
    else
      text = {char(0xC0 | character >> 6), char(0x80 | (character & 0x3F))};
    vocab[text] = id++;
  }
  for (const std::string &text : more)
    vocab[text] = vocab.size();
  return vocab;
}

/// A complete tokenizer.json with the tokens "ab", "abc" and "<s>".
Json tokenizer() {
  return {
      {"version", "1.0"},
      {"normalizer", nullptr},
      {"added_tokens", {{{"id", 258}, {"content", "<s>"}, {"special", true}}}},
      {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}},
      {"post_processor", nullptr},
      {"decoder", {{"type", "ByteLevel"}}},
      {"model",
       {{"type", "BPE"},
        {"vocab", vocabulary({"ab", "abc", "<s>"})},
        {"merges", {"a b", "ab c"}}}}};
}

Json split(const Json &pattern, const char *behavior = "Isolated") {
  return {{"type", "Split"}, {"pattern", pattern}, {"behavior", behavior}};
}

Json frame(const Json &single) {
  return {{"type", "TemplateProcessing"}, {"single", single}};
}
Json token(const char *id) {
  return {{"SpecialToken", {{"id", id}, {"type_id", 0}}}};
}
Json text() { return {{"Sequence", {{"id", "A"}, {"type_id", 0}}}}; }

Result<Tokenizer> load(const Json &json) {
  return Tokenizer::fromJson(json.dump(), "t: 'f'");
}

} // namespace

TEST(TokenizerFiles, MayNameTheTokensAroundAText) {
  for (const char *type : {"RobertaProcessing", "BertProcessing"}) {
    Json json = tokenizer();
    json["post_processor"] = {
        {"type", type}, {"cls", {"<s>", 258}}, {"sep", {"ab", 256}}};
    const auto loaded = load(json);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->frame().before, std::vector<int32_t>{258});
    EXPECT_EQ(loaded->frame().after, std::vector<int32_t>{256});
  }
}

TEST(TokenizerFiles, MergesAreStringsOrPairs) {
  Json json = tokenizer();
  json["model"]["merges"] = {"a b", {"ab", "c"}};
  const auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->encode("abc").value(), (std::vector<int32_t>{257}));
  EXPECT_EQ(loaded->encode("<s>", Tokenizer::SpecialText::Tokens).value(),
            (std::vector<int32_t>{258}));
}

TEST(TokenizerFiles, MergesTextHasAVersionLineOrNot) {
  const std::string vocab = vocabulary({"ab", "##"}).dump();
  for (const std::string merges :
       {"#version: 0.2\na b\n# #\n", "a b\n# #", "a b\r\n# #\r\n\r\n"}) {
    const auto loaded = Tokenizer::fromVocabAndMerges(vocab, "v", merges, "m");
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->encode("ab##").value(), (std::vector<int32_t>{256, 257}));
    EXPECT_EQ(loaded->specialId("<|endoftext|>"), std::nullopt);
  }
}

TEST(TokenizerFiles, AddedTokensMayFollowTheVocabulary) {
  Json json = tokenizer();
  json["added_tokens"].push_back({{"id", 259}, {"content", "<end of x>"}});
  const auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->size(), 260);
  EXPECT_EQ(loaded->bytes(259), "<end of x>");
  // Added but not special: also matched in plain text.
  EXPECT_FALSE(loaded->isSpecial(259));
  EXPECT_EQ(loaded->encode("ab<end of x>c").value(),
            (std::vector<int32_t>{256, 259, 'c' - '!' + 33}));
}

TEST(TokenizerFiles, TheLongestAddedTokenWins) {
  Json json = tokenizer();
  json["added_tokens"].push_back({{"id", 259}, {"content", "<s><s>"}});
  const auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->encode("<s><s><s>", Tokenizer::SpecialText::Tokens).value(),
            (std::vector<int32_t>{259, 258}));
}

TEST(TokenizerFiles, ATemplateIsPutAroundATextByTheCaller) {
  Json json = tokenizer();
  json["post_processor"] = {
      {"type", "Sequence"},
      {"processors",
       {{{"type", "ByteLevel"}}, frame({token("<s>"), text(), token("<s>")})}}};
  const auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->frame().before, std::vector<int32_t>{258});
  EXPECT_EQ(loaded->frame().after, std::vector<int32_t>{258});
  EXPECT_EQ(loaded->encode("abc").value(), std::vector<int32_t>{257});
}

TEST(TokenizerFiles, AnAddedTokenMayTakeTheSpacesAroundIt) {
  Json json = tokenizer();
  json["added_tokens"][0]["lstrip"] = true;
  json["added_tokens"][0]["rstrip"] = true;
  const auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(
      loaded->encode("ab \xe2\x80\x83<s>\t abc", Tokenizer::SpecialText::Tokens)
          .value(),
      (std::vector<int32_t>{256, 258, 257}));
}

TEST(TokenizerFiles, NormalizedAddedTokensAreFoundInNormalizedText) {
  Json json = tokenizer();
  json["normalizer"] = {{"type", "Lowercase"}};
  json["added_tokens"].push_back(
      {{"id", 259}, {"content", "<X>"}, {"normalized", true}});
  const auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->encode("AB<x>ab<X>").value(),
            (std::vector<int32_t>{256, 259, 256, 259}));
  json["added_tokens"][1]["normalized"] = false;
  EXPECT_EQ(load(json)->encode("ab<X>").value(),
            (std::vector<int32_t>{256, 259}));
  EXPECT_EQ(load(json)->encode("ab<x>").value(),
            (std::vector<int32_t>{256, '<' - '!' + 33, 'x' - '!' + 33,
                                  '>' - '!' + 33}));
}

/// Llama 2's normalizer puts a space in front, also of added tokens.
TEST(TokenizerFiles, ANormalizedAddedTokenMayBeginWithASpace) {
  Json json = tokenizer();
  json["normalizer"] = {{"type", "Prepend"}, {"prepend", "_"}};
  json["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", false}};
  json["added_tokens"].push_back(
      {{"id", 259}, {"content", "xy"}, {"normalized", true}});
  const auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const int32_t mark = '_' - '!' + 33;
  EXPECT_EQ(loaded->encode("xyab_xy").value(),
            (std::vector<int32_t>{259, 256, 259}));
  EXPECT_EQ(loaded->encode("abxy").value(),
            (std::vector<int32_t>{mark, 256, 'x' - '!' + 33, 'y' - '!' + 33}));
}

TEST(TokenizerFiles, ASingleWordTouchesNoLetter) {
  Json json = tokenizer();
  json["added_tokens"].push_back(
      {{"id", 259}, {"content", "ab"}, {"single_word", true}});
  json["model"]["vocab"].erase("ab");
  json["model"]["vocab"].erase("abc");
  json["model"]["vocab"].erase("<s>");
  json["model"]["vocab"]["xx"] = 256;
  json["model"]["vocab"]["xxx"] = 257;
  json["model"]["merges"] = {"x x", "xx x"};
  const auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto countOf = [&](std::string_view text) {
    return std::ranges::count(loaded->encode(text).value(), 259);
  };
  EXPECT_EQ(countOf("ab"), 1);
  EXPECT_EQ(countOf("ab ab-ab\xe2\x80\x94"
                    "ab"),
            4);
  EXPECT_EQ(countOf("xab abx ab1 _ab \xc3\xa9"
                    "ab ab\xcc\x81"),
            0);
}

/// Trainers list byte tokens among the special ones when asked to reserve them.
TEST(TokenizerFiles, AnAddedTokenOfTheVocabularyStandsForItsByteToo) {
  Json json = tokenizer();
  json["pre_tokenizer"] = nullptr;
  json["decoder"] = {{"type", "ByteFallback"}};
  Json &model = json["model"];
  model["byte_fallback"] = true;
  model["merges"] = Json::array();
  model["vocab"] = {{"a", 0}, {"b", 1}};
  json["added_tokens"] = {{{"id", 1}, {"content", "b"}, {"special", true}}};
  for (int byte = 0; byte < 256; ++byte) {
    char text[8];
    std::snprintf(text, sizeof(text), "<0x%02X>", byte);
    model["vocab"][text] = 2 + byte;
    json["added_tokens"].push_back(
        {{"id", 2 + byte}, {"content", text}, {"special", true}});
  }
  const auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const std::vector<int32_t> ids = {1, 2 + 0xC3, 2 + 0xA9, 0};
  EXPECT_EQ(loaded
                ->encode("b\xc3\xa9"
                         "a")
                .value(),
            ids);
  EXPECT_EQ(loaded->decode(ids).value(), "b\xc3\xa9"
                                         "a");
}

TEST(TokenizerFiles, EveryTextMustHaveIds) {
  Json json = tokenizer();
  json["pre_tokenizer"] = nullptr;
  json["decoder"] = nullptr;
  EXPECT_EQ(load(json).error().message,
            "t: 'f' has neither an unk_token nor byte_fallback, so it has no "
            "ids for some texts");
  json["model"]["byte_fallback"] = true;
  EXPECT_EQ(load(json).error().message,
            "t: 'f' has no token for the byte 0; expected one for every byte");
  json["model"]["unk_token"] = "<s>";
  json["model"]["fuse_unk"] = true;
  const auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->encode("ab\xe2\x82\xac\xff_ab").value(),
            (std::vector<int32_t>{256, 258, '_' - '!' + 33, 256}));
}

/// A file must not be able to exhaust memory.
TEST(TokenizerFiles, StepsThatMakeATextTooLongEnd) {
  const Json twice = {
      {"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aa"}};
  Json json = tokenizer();
  json["normalizer"] = {{"type", "Sequence"}, {"normalizers", Json(40, twice)}};
  const auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(loaded->encode("bc"));
  const auto ids = loaded->encode("aaaa");
  ASSERT_FALSE(ids);
  EXPECT_EQ(ids.error().message, "tokenizer: the normalizers make more than "
                                 "1280 bytes of the text");
  EXPECT_EQ(ids.error().code, ErrorCode::Failure);
  json["normalizer"] = {{"type", "Replace"},
                        {"pattern", {{"String", "a"}}},
                        {"content", std::string(1000000, 'a')}};
  EXPECT_FALSE(load(json)->encode("a"));

  json["normalizer"] = nullptr;
  json["pre_tokenizer"] = nullptr;
  json["model"]["unk_token"] = "<s>";
  json["decoder"] = {{"type", "Sequence"}, {"decoders", Json(40, twice)}};
  EXPECT_EQ(load(json).error().message,
            "t: 'f' has decoders that make more than 1088 bytes of the token "
            "'a'");
  json["decoder"] = {{"type", "Metaspace"}, {"replacement", ""}};
  EXPECT_EQ(load(json).error().message,
            "t: 'f' expected 'replacement' of the decoder 'Metaspace' to be a "
            "character");
}

TEST(TokenizerFiles, RefusesBadTokenizerJson) {
  struct Case {
    std::string pointer; ///< what to replace or, if the text is null, to remove
    Json value;
    std::string message;
  };
  const Json absent = Json::value_t::discarded;
  const Case cases[] = {
      {"", Json::array(), "expected an object, got an array"},
      {"/normalizer",
       {{"type", "Nmt"}},
       "has the normalizer 'Nmt', which is not supported"},
      {"/normalizer",
       {{"type", "Precompiled"}},
       "expected 'precompiled_charsmap' of the normalizer 'Precompiled' to be "
       "a string"},
      {"/normalizer",
       {{"type", "Precompiled"}, {"precompiled_charsmap", "AA=A"}},
       "expected 'precompiled_charsmap' of the normalizer 'Precompiled' to be "
       "base64"},
      {"/normalizer",
       {{"type", "Precompiled"}, {"precompiled_charsmap", "CAAAAAEC"}},
       "has a 'precompiled_charsmap' that is malformed; expected the size of a "
       "trie, the trie and replacements that end with a zero"},
      {"/normalizer",
       {{"type", "Strip"}, {"strip_left", 1}},
       "expected 'strip_left' of the normalizer 'Strip' to be a boolean, got "
       "an integer"},
      {"/normalizer",
       {{"type", "Prepend"}, {"prepend", 1}},
       "expected 'prepend' of the normalizer 'Prepend' to be a string"},
      {"/normalizer",
       {{"type", "Sequence"}, {"normalizers", 1}},
       "expected 'normalizers' of the normalizer 'Sequence' to be an array"},
      {"/normalizer",
       {{"type", "Sequence"},
        {"normalizers", {{{"type", "NFC"}}, {{"type", "StripAccents"}}}}},
       "has the normalizer 'StripAccents', which is not supported"},
      {"/normalizer",
       {{"type", "Replace"}, {"pattern", "a"}, {"content", "b"}},
       "expected 'pattern' of the normalizer 'Replace' to be a String or a "
       "Regex"},
      {"/normalizer",
       {{"type", "Sequence"}, {"normalizers", Json(65, {{"type", "NFC"}})}},
       "has more than 64 parts in its normalizer"},
      {"/decoder",
       {{"type", "Sequence"}, {"decoders", Json(65, {{"type", "Fuse"}})}},
       "has more than 64 parts in its decoder"},
      {"/pre_tokenizer", nullptr,
       "has the decoder 'ByteLevel', which does not fit a pre_tokenizer "
       "without ByteLevel"},
      {"/pre_tokenizer/type", "UnicodeScripts",
       "has the pre_tokenizer 'UnicodeScripts', which is not supported"},
      {"/decoder",
       {{"type", "BPEDecoder"}, {"suffix", "</w>"}},
       "has the decoder 'BPEDecoder', which does not fit a pre_tokenizer that "
       "is ByteLevel"},
      {"/pre_tokenizer/add_prefix_space", 1,
       "expected 'add_prefix_space' of the pre_tokenizer 'ByteLevel' to be a "
       "boolean, got an integer"},
      {"/pre_tokenizer",
       {{"type", "Sequence"},
        {"pretokenizers", {{{"type", "ByteLevel"}}, {{"type", "ByteLevel"}}}}},
       "has the pre_tokenizer 'ByteLevel' after ByteLevel, which is not "
       "supported"},
      {"/pre_tokenizer", split({{"Regex", "\\w+"}}),
       "has the pattern '\\w+' in the pre_tokenizer 'Split', which uses '\\w', "
       "which is not supported"},
      {"/pre_tokenizer", split({{"Regex", "(a"}}),
       "has the pattern '(a' in the pre_tokenizer 'Split', which is not a "
       "regular expression: missing closing parenthesis"},
      {"/pre_tokenizer", split({{"String", ""}}),
       "expected 'pattern' of the pre_tokenizer 'Split' to be a String or a "
       "Regex"},
      {"/pre_tokenizer", split({{"String", "a"}}, "Sideways"),
       "has the behavior 'Sideways' in the pre_tokenizer 'Split', which is not "
       "supported"},
      {"/pre_tokenizer",
       {{"type", "Metaspace"}, {"replacement", ""}},
       "expected 'replacement' of the pre_tokenizer 'Metaspace' to be a "
       "character"},
      {"/pre_tokenizer",
       {{"type", "Metaspace"}, {"replacement", "_"}, {"prepend_scheme", "x"}},
       "has the prepend_scheme 'x' in the pre_tokenizer 'Metaspace', which is "
       "not supported"},
      {"/decoder",
       {{"type", "WordPiece"}},
       "has the decoder 'WordPiece', which does not fit a pre_tokenizer that "
       "is "
       "ByteLevel"},
      {"/post_processor",
       {{"type", "PairProcessing"}},
       "has the post_processor 'PairProcessing', which is not supported"},
      {"/post_processor",
       {{"type", "RobertaProcessing"}, {"cls", {"<s>", 258}}, {"sep", "<s>"}},
       "expected 'sep' of the post_processor 'RobertaProcessing' to be a token "
       "and its id"},
      {"/post_processor",
       {{"type", "TemplateProcessing"}, {"single", Json::array()}},
       "expected 'single' of the post_processor 'TemplateProcessing' to hold "
       "the text"},
      {"/post_processor", frame({token("<s>"), 7}),
       "has a post_processor 'TemplateProcessing' whose 'single' is not "
       "special "
       "tokens around one text"},
      {"/post_processor", frame({token("<x>"), text()}),
       "has the post_processor put '<x>' around a text, which is no token"},
      {"/model", absent, "has no 'model'"},
      {"/model", 7, "expected 'model' to be an object, got an integer"},
      {"/model/type", "WordPiece",
       "has a 'model' of type 'WordPiece', which is not supported; expected "
       "BPE or Unigram"},
      {"/model/type", "Unigram",
       "has a 'model' of type 'Unigram' behind a pre_tokenizer that is "
       "ByteLevel, which is not supported"},
      {"/model/dropout", 0.1,
       "sets 'dropout', which is for training; expected null"},
      {"/model/end_of_word_suffix", "</w>",
       "sets 'end_of_word_suffix' behind a pre_tokenizer that is ByteLevel, "
       "which is not supported"},
      {"/model/end_of_word_suffix", 7,
       "expected 'end_of_word_suffix' to be a string, got an integer"},
      {"/model/continuing_subword_prefix", "##",
       "sets 'continuing_subword_prefix', which is not supported; expected "
       "null"},
      {"/model/ignore_merges", 1,
       "expected 'ignore_merges' to be a boolean, got an integer"},
      {"/model/unk_token", 1,
       "expected 'unk_token' to be a string, got an integer"},
      {"/model/unk_token", "<u>", "has no token for its unk_token '<u>'"},
      {"/model/vocab", absent, "has no 'vocab'"},
      {"/model/vocab", Json::array(),
       "expected 'vocab' to be an object, got an array"},
      {"/model/vocab/ab", "256",
       "expected the id of token 'ab' to be an integer, got a string"},
      {"/model/vocab/ab", 2.5,
       "expected the id of token 'ab' to be an integer, got a number"},
      {"/model/vocab/ab", -1,
       "has 259 tokens, but token 'ab' has the id -1; expected the ids 0 to "
       "258"},
      {"/model/vocab/ab", 259,
       "has 259 tokens, but token 'ab' has the id 259; expected the ids 0 to "
       "258"},
      {"/model/vocab/ab", 4294967552,
       "has 259 tokens, but token 'ab' has the id 4294967552; expected the ids "
       "0 to 258"},
      {"/model/vocab/ab", 257, "gives the id 257 to both 'ab' and 'abc'"},
      {"/model/vocab/€", 259,
       "has the token '€', which contains a character that maps to no byte; "
       "expected GPT-2's byte-level vocabulary"},
      {"/model/vocab/A", absent,
       "has 258 tokens, but token '<s>' has the id 258; expected the ids 0 to "
       "257"},
      {"/model/vocab",
       {{"a", 0}, {"<s>", 1}},
       "gives the added token '<s>' the id 258, but the vocabulary the id 1"},
      {"/model/vocab",
       {{"a", 0}},
       "has 2 tokens, but token '<s>' has the id 258; expected the ids 0 to "
       "1"},
      {"/model/merges", absent, "has no 'merges'"},
      {"/model/merges",
       {{"a", 1}},
       "expected 'merges' to be an array, got an object"},
      {"/model/merges/1", "ab",
       "merge 1: expected two tokens, as \"left right\" or [\"left\", "
       "\"right\"]"},
      {"/model/merges/1", " ab",
       "merge 1: expected two tokens, as \"left right\" or [\"left\", "
       "\"right\"]"},
      {"/model/merges/1", "a b c",
       "merge 1: expected two tokens, as \"left right\" or [\"left\", "
       "\"right\"]"},
      {"/model/merges/1",
       {"a", "b", "c"},
       "merge 1: expected two tokens, as \"left right\" or [\"left\", "
       "\"right\"]"},
      {"/model/merges/1",
       {"a", 7},
       "merge 1: expected two tokens, as \"left right\" or [\"left\", "
       "\"right\"]"},
      {"/model/merges/1", "ab d", "merge 1: 'abd' is not in the vocabulary"},
      {"/model/merges/1",
       {"ab c", "d"},
       "merge 1: 'ab c' is not in the vocabulary"},
      {"/model/merges/1", "a €", "merge 1: '€' is not in the vocabulary"},
      {"/model/merges/1", "a b", "merge 1: 'a b' was merged before, at 0"},
      {"/added_tokens", 7,
       "expected 'added_tokens' to be an array, got an integer"},
      {"/added_tokens/0", 7,
       "expected 'added_tokens' to hold objects, got an integer"},
      {"/added_tokens/0/content", absent, "has no 'content'"},
      {"/added_tokens/0/content", "", "has an added token without text"},
      {"/added_tokens/0/id", "x",
       "expected 'id' to be an integer, got a string"},
      {"/added_tokens/0/id", 257,
       "gives the added token '<s>' the id 257, but the vocabulary the id "
       "258"},
      {"/model/merges", Json::array({"a b"}),
       "has the token 'abc' (id 257), which no merge produces; the merges are "
       "incomplete, download them again"},
      {"/added_tokens/0/special", 1,
       "expected 'special' to be a boolean, got an integer"},
      {"/added_tokens/1",
       {{"id", 258}, {"content", "<s>"}},
       "has the added token '<s>' twice"},
  };
  for (const Case &c : cases) {
    Json json = tokenizer();
    const Json::json_pointer pointer(c.pointer);
    if (c.value.is_discarded())
      json.at(pointer.parent_pointer()).erase(pointer.back());
    else
      json[pointer] = c.value;
    const auto loaded = load(json);
    ASSERT_FALSE(loaded) << c.message;
    EXPECT_EQ(loaded.error().message, "t: 'f' " + c.message);
    EXPECT_EQ(loaded.error().code, ErrorCode::BadInput);
  }
}

namespace {

/// A unigram model of "a", "ab", "b" and "<s>"; its best split of "aab" is
/// "a", "ab".
Json unigram() {
  Json json = tokenizer();
  json["pre_tokenizer"] = nullptr;
  json["decoder"] = nullptr;
  json["added_tokens"][0]["id"] = 4;
  const auto token = [](const char *text, double score) {
    return Json::array({text, score});
  };
  json["model"] = {{"type", "Unigram"}, {"unk_id", 0}};
  json["model"]["vocab"] =
      Json::array({token("<unk>", 0), token("a", -1), token("ab", -1.5),
                   token("b", -1), token("<s>", 0)});
  return json;
}

} // namespace

TEST(TokenizerFiles, AUnigramModelTakesTheBestSplit) {
  const auto loaded = load(unigram());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->encode("aab").value(), (std::vector<int32_t>{1, 2}));
  // Characters in a row that are no tokens are one unknown token.
  EXPECT_EQ(loaded->encode("xya\xffz").value(),
            (std::vector<int32_t>{0, 1, 0}));
  // Text becomes neither a special nor the unknown token.
  EXPECT_EQ(loaded->encode("<s>").value(), (std::vector<int32_t>{0}));
  EXPECT_EQ(loaded->encode("<s>", Tokenizer::SpecialText::Tokens).value(),
            (std::vector<int32_t>{4}));
}

TEST(TokenizerFiles, AUnigramModelMayFallBackToBytes) {
  Json json = unigram();
  json["model"]["byte_fallback"] = true;
  json["decoder"] = {{"type", "ByteFallback"}};
  for (int byte = 0; byte < 256; ++byte) {
    char text[8];
    std::snprintf(text, sizeof(text), "<0x%02X>", byte);
    json["model"]["vocab"].push_back(Json::array({text, 0}));
  }
  const auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const std::vector<int32_t> ids = {1, 5 + 0xC3, 5 + 0xA9, 5 + 0xFF, 3};
  EXPECT_EQ(loaded
                ->encode("a\xc3\xa9\xff"
                         "b")
                .value(),
            ids);
  EXPECT_EQ(loaded->decode(ids).value(), "a\xc3\xa9\xff"
                                         "b");
  // The name of a byte is text.
  EXPECT_EQ(loaded->decode(loaded->encode("<0x41>").value()).value(), "<0x41>");
}

TEST(TokenizerFiles, RefusesBadUnigramModels) {
  struct Case {
    std::string pointer;
    Json value;
    std::string message;
  };
  const Case cases[] = {
      {"/model/unk_id", nullptr,
       "has neither an unk_id nor byte_fallback, so it has no ids for some "
       "texts"},
      {"/model/unk_id", 5, "expected 'unk_id' to be an integer from 0 to 4"},
      {"/model/unk_id", "<unk>",
       "expected 'unk_id' to be an integer from 0 to 4"},
      {"/model/byte_fallback", 1,
       "expected 'byte_fallback' to be a boolean, got an integer"},
      {"/model/vocab",
       {{"a", 0}},
       "expected 'vocab' to be an array, got an object"},
      {"/model/vocab/1", "a",
       "expected token 1 to be a text and a score, as [\"text\", -1.5]"},
      {"/model/vocab/1", Json::array({"a", "-1"}),
       "expected token 1 to be a text and a score, as [\"text\", -1.5]"},
      {"/model/vocab/3", Json::array({"a", -1}),
       "gives the token 'a' the ids 1 and 3"},
  };
  for (const Case &c : cases) {
    Json json = unigram();
    json[Json::json_pointer(c.pointer)] = c.value;
    const auto loaded = load(json);
    ASSERT_FALSE(loaded) << c.message;
    EXPECT_EQ(loaded.error().message, "t: 'f' " + c.message);
    EXPECT_EQ(loaded.error().code, ErrorCode::BadInput);
  }
}

namespace {

/// A precompiled_charsmap that replaces "a": its double array has a node for
/// the byte and one for the value.
std::string characterMap(const std::string &replacement) {
  std::vector<uint32_t> units(512);
  units[0] = 256 << 10;
  units[256 ^ 'a'] = 128 << 10 | 1 << 8 | 'a';
  units[256 ^ 'a' ^ 128] = 1u << 31;
  std::string bytes;
  const auto add = [&](uint32_t word) {
    for (int i = 0; i < 4; ++i)
      bytes += char(word >> 8 * i);
  };
  add(uint32_t(4 * units.size()));
  for (const uint32_t unit : units)
    add(unit);
  bytes += replacement + '\0';
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? uint8_t(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : digits[bits >> (18 - 6 * k) & 63];
  }
  return text;
}

} // namespace

TEST(TokenizerFiles, ACharacterMapReplacesCharacters) {
  Json json = unigram();
  for (const auto &[replacement, ids] :
       {std::pair<std::string, std::vector<int32_t>>{"bb", {3, 3, 3}},
        {"b", {3, 3}},
        {"", {3}}}) {
    json["normalizer"] = {{"type", "Precompiled"},
                          {"precompiled_charsmap", characterMap(replacement)}};
    const auto loaded = load(json);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->encode("ab").value(), ids);
  }
  json["normalizer"]["precompiled_charsmap"] =
      characterMap(std::string(1 << 20, 'b'));
  const auto ids = load(json)->encode("ab");
  ASSERT_FALSE(ids);
  EXPECT_EQ(ids.error().message, "tokenizer: the normalizers make more than "
                                 "1152 bytes of the text");
}

/// Leading white space of a text, and all of it between words.
TEST(TokenizerFiles, WhiteSpaceMayVanish) {
  Json json = unigram();
  json["normalizer"] = {{"type", "Strip"}, {"strip_right", false}};
  auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded
                ->encode(" \n\xe3\x80\x80"
                         "b a ")
                .value(),
            (std::vector<int32_t>{3, 0, 1, 0}));
  json["normalizer"] = nullptr;
  json["pre_tokenizer"] = {{"type", "WhitespaceSplit"}};
  loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded
                ->encode(" \n\xe3\x80\x80"
                         "b a ")
                .value(),
            (std::vector<int32_t>{3, 1}));
}

/// The tokenizers library joins tokens with spaces if there is no decoder.
TEST(TokenizerFiles, TokensMayBeWords) {
  Json json = unigram();
  json["pre_tokenizer"] = {{"type", "Whitespace"}};
  json["model"]["vocab"].push_back(Json::array({"a_\xcc\x81", -1}));
  json["model"]["vocab"].push_back(Json::array({".!", -1}));
  json["model"]["vocab"].push_back(
      Json::array({"\xe2\x92\xb6\xe2\x80\x8d", -1}));
  const auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const std::vector<int32_t> ids = {5, 6, 3, 4, 7, 6};
  EXPECT_EQ(loaded
                ->encode(" a_\xcc\x81.!\n b <s>\xe2\x92\xb6\xe2\x80\x8d.!",
                         Tokenizer::SpecialText::Tokens)
                .value(),
            ids);
  EXPECT_EQ(loaded->decode(ids).value(),
            "a_\xcc\x81 .! b <s> \xe2\x92\xb6\xe2\x80\x8d .!");
  EXPECT_EQ(loaded->specialId("<s>"), 4);
  EXPECT_EQ(loaded->specialId(" <s>"), std::nullopt);
}

TEST(TokenizerFiles, RefusesBadVocabAndMerges) {
  const std::string good = vocabulary({"ab"}).dump();
  Json twice = vocabulary();
  std::string duplicate = twice.dump();
  duplicate.insert(1, "\"a\":64,");
  Json noA = vocabulary();
  noA.erase("A");
  noA["AB"] = 0;
  for (int id = 0; auto &[text, value] : noA.items())
    value = id++;
  const std::tuple<std::string, std::string, std::string> cases[] = {
      {"", "", "v ends too early, at line 1, column 1"},
      {"[]", "", "v expected an object of tokens, got an array"},
      {duplicate, "", "v has the key 'a' twice"},
      {"{\"a\":null}", "",
       "v expected the id of token 'a' to be an integer, got null"},
      {"{}", "", "v has no token for the byte 0; expected one for every byte"},
      {noA.dump(), "",
       "v has no token for the byte 65; expected one for every byte"},
      {good, "#version: 0.2\na b\nab\n",
       "m line 3: expected two tokens with a space between"},
      {good, "a  b\n", "m line 1: expected two tokens with a space between"},
      {good, "a b \n", "m line 1: expected two tokens with a space between"},
      {good, "a b\n#version: 0.2\n",
       "m line 2: '#version:' is not in the vocabulary"},
      {good, "#version: 0.2\n\nb a\n",
       "m line 3: 'ba' is not in the "
       "vocabulary"},
      {good, "a b\na b\n", "m line 2: 'a b' was merged before, at 1"},
      // Cut at the end of a line.
      {vocabulary({"ab", "abc"}).dump(), "#version: 0.2\na b\n",
       "v has the token 'abc' (id 257), which no merge produces; the merges "
       "are "
       "incomplete, download them again"},
      {good, "",
       "v has the token 'ab' (id 256), which no merge produces; the merges are "
       "incomplete, download them again"},
  };
  for (const auto &[vocab, merges, message] : cases) {
    const auto loaded = Tokenizer::fromVocabAndMerges(vocab, "v", merges, "m");
    ASSERT_FALSE(loaded) << message;
    EXPECT_EQ(loaded.error().message, message);
    EXPECT_EQ(loaded.error().code, ErrorCode::BadInput);
  }
}

/// OPT's vocabulary has words that no text becomes.
TEST(TokenizerFiles, AVocabularyMayHoldWordsThatNoMergeMakes) {
  const std::string vocab = vocabulary({"ab", "madeupword"}).dump();
  const auto loaded = Tokenizer::fromVocabAndMerges(vocab, "v", "a b\n", "m");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->encode("madeupword")->size(), 10u);
}

TEST(TokenizerFiles, SaysWhichFilesItMisses) {
  const TemporaryFolder folder;
  const std::string path = folder.path;
  auto loaded = Tokenizer::open(folder.path);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(
      loaded.error().message,
      "tokenizer: expected '" + path +
          "/tokenizer.json', or 'vocab.json' and 'merges.txt', or "
          "'tokenizer.model' or 'tekken.json' there, found none; ids need "
          "none: pass "
          "--tokens and --print-ids");
  folder.write("tokenizer.model", "pieces");
  loaded = Tokenizer::open(folder.path);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message,
            "tokenizer: '" + path +
                "/tokenizer.model' is not a complete SentencePiece file; "
                "download it again, or use a tokenizer.json");
  folder.write("vocab.json", vocabulary().dump());
  loaded = Tokenizer::open(folder.path);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message, "tokenizer: cannot open '" + path +
                                        "/merges.txt': No such file or "
                                        "directory");
}

TEST(TokenizerFiles, RefusesIdsTheModelDoesNotKnow) {
  const TemporaryFolder folder;
  const auto path = folder.write("tokenizer.json", tokenizer().dump());
  EXPECT_TRUE(Tokenizer::open(folder.path, 259));
  const auto loaded = Tokenizer::open(folder.path, 257);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message,
            "tokenizer: '" + path.string() +
                "' has the token 'abc' with the id 257, but the model knows "
                "257 tokens; take the tokenizer the model was trained with");
}

TEST(TokenizerFiles, AddedTokensThatTheModelHasNoPlaceForAreText) {
  const TemporaryFolder folder;
  folder.write("tokenizer.json", tokenizer().dump());
  const auto loaded = Tokenizer::open(folder.path, 258);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->size(), 258);
  EXPECT_EQ(loaded->encode("<s>", Tokenizer::SpecialText::Tokens)->size(), 3u);
}

TEST(TokenizerFiles, IdsOfAddedTokensMayLeaveSomeOut) {
  Json json = tokenizer();
  json["added_tokens"].push_back(
      {{"id", 262}, {"content", "<t>"}, {"special", true}});
  const auto loaded = load(json);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->size(), 263);
  EXPECT_EQ(loaded->encode("<t>", Tokenizer::SpecialText::Tokens).value(),
            (std::vector<int32_t>{262}));
  EXPECT_EQ(loaded->bytes(262), "<t>");
  EXPECT_EQ(loaded->bytes(260), std::nullopt);
  const auto decoded = loaded->decode(std::vector<int32_t>{260});
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().message,
            "tokenizer: expected tokens from 0 to 262, got 260");
}
