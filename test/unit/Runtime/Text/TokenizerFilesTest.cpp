// Every broken or foreign tokenizer file has its message; both spellings of
// merges load.
#include "../TemporaryFolder.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace tilegpt;
using namespace tilegpt::runtime;
using Json = nlohmann::ordered_json;

namespace {

/// The 256 single bytes, spelled as the alphabet spells them, then these.
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

Result<Tokenizer> load(const Json &json) {
  return Tokenizer::fromJson(json.dump(), "t: 'f'");
}

} // namespace

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
  const std::string vocab = vocabulary({"ab", "##", "#version"}).dump();
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
  // Not special: found in plain text, too.
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

TEST(TokenizerFiles, RefusesBadTokenizerJson) {
  struct Case {
    std::string pointer; ///< what to replace or, with null text, to remove
    Json value;
    std::string message;
  };
  const Json absent = Json::value_t::discarded;
  const Case cases[] = {
      {"", Json::array(), "expected an object, got an array"},
      {"/normalizer",
       {{"type", "NFC"}},
       "has a 'normalizer', which GPT-2's tokenizer has not; expected null"},
      {"/pre_tokenizer", nullptr,
       "expected 'pre_tokenizer' to be GPT-2's ByteLevel with "
       "add_prefix_space false and use_regex true"},
      {"/pre_tokenizer/type", "Whitespace",
       "expected 'pre_tokenizer' to be GPT-2's ByteLevel with "
       "add_prefix_space false and use_regex true"},
      {"/pre_tokenizer/add_prefix_space", absent,
       "expected 'pre_tokenizer' to be GPT-2's ByteLevel with "
       "add_prefix_space false and use_regex true"},
      {"/pre_tokenizer/add_prefix_space", true,
       "expected 'pre_tokenizer' to be GPT-2's ByteLevel with "
       "add_prefix_space false and use_regex true"},
      {"/pre_tokenizer/use_regex", false,
       "expected 'pre_tokenizer' to be GPT-2's ByteLevel with "
       "add_prefix_space false and use_regex true"},
      {"/decoder",
       {{"type", "WordPiece"}},
       "expected 'decoder' to be ByteLevel or null"},
      {"/post_processor",
       {{"type", "TemplateProcessing"}},
       "expected 'post_processor' to be ByteLevel or null"},
      {"/model", absent, "has no 'model'"},
      {"/model", 7, "expected 'model' to be an object, got an integer"},
      {"/model/type", "Unigram", "expected the type of 'model' to be \"BPE\""},
      {"/model/dropout", 0.1,
       "sets 'dropout', which is for training; expected null"},
      {"/model/end_of_word_suffix", "</w>",
       "sets 'end_of_word_suffix', which GPT-2's tokenizer does not; expected "
       "null"},
      {"/model/continuing_subword_prefix", "##",
       "sets 'continuing_subword_prefix', which GPT-2's tokenizer does not; "
       "expected null"},
      {"/model/ignore_merges", true,
       "sets 'ignore_merges', which is not supported"},
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
       "has the token '€', which holds a character that stands for no byte; "
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
      {"/added_tokens/0/lstrip", true,
       "sets 'lstrip' of the added token '<s>', which is not supported"},
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
  };
  for (const auto &[vocab, merges, message] : cases) {
    const auto loaded = Tokenizer::fromVocabAndMerges(vocab, "v", merges, "m");
    ASSERT_FALSE(loaded) << message;
    EXPECT_EQ(loaded.error().message, message);
    EXPECT_EQ(loaded.error().code, ErrorCode::BadInput);
  }
}

TEST(TokenizerFiles, SaysWhichFilesItMisses) {
  const TemporaryFolder folder;
  const std::string path = folder.path;
  auto loaded = Tokenizer::open(folder.path);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message,
            "tokenizer: expected '" + path +
                "/tokenizer.json' or 'vocab.json' and 'merges.txt' there, "
                "found neither");
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
  const auto loaded = Tokenizer::open(folder.path, 258);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message,
            "tokenizer: '" + path.string() +
                "' has the token '<s>' with the id 258, but the model knows "
                "258 tokens; take the tokenizer the model was trained with");
}
