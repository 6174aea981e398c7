// Parsing the tables of a model; malformed entries are named.
#include "TileGPT/Runtime/Config/ModelTables.h"
#include "Gpt2Tables.h"
#include <gtest/gtest.h>

using namespace tilegpt::runtime;

TEST(ModelTables, ReadsThoseOfGpt2) {
  const ModelTables &tables = tilegpt::test::gpt2Tables();
  EXPECT_EQ(tables.config.modelTypes.front(), "gpt2");
  EXPECT_EQ(tables.config.section, "model");
  EXPECT_EQ(tables.weights.witness, "h.0.attn.c_attn");
  ASSERT_EQ(tables.weights.tied.size(), 1u);
  EXPECT_EQ(tables.weights.tied[0],
            std::pair(std::string("lm_head"), std::string("wte")));
  ASSERT_NE(find(tables.settings, "eps"), nullptr);
  EXPECT_EQ(format(*find(tables.settings, "eps")), "1e-05");
  EXPECT_EQ(find(tables.settings, "slope"), nullptr);
}

TEST(ModelTables, MatchesNumbersOfLayers) {
  EXPECT_TRUE(matches("h.0.ln", "h.{l}.ln"));
  EXPECT_TRUE(matches("h.12.e.3.ln", "h.{l}.e.{l}.ln"));
  EXPECT_TRUE(matches("wte", "wte"));
  EXPECT_FALSE(matches("h..ln", "h.{l}.ln"));
  EXPECT_FALSE(matches("h.1x.ln", "h.{l}.ln"));
  EXPECT_FALSE(matches("h.1.ln_2", "h.{l}.ln"));
  EXPECT_FALSE(matches("g.1.ln", "h.{l}.ln"));
  EXPECT_FALSE(matches("h.1", "h.{l}.ln"));
  EXPECT_TRUE(matches("vision.h.1.ln", "vision."));
  EXPECT_TRUE(matches("h.1.vision.ln", "h.{l}.vision."));
  EXPECT_FALSE(matches("vision", "vision."));
  EXPECT_FALSE(matches("visions.h", "vision."));
}

TEST(ModelTables, WritesSettingsSoThatTheyReadBack) {
  EXPECT_EQ(format(SettingScalar(10000.0)), "10000.0");
  EXPECT_EQ(format(SettingScalar(0.1)), "0.1");
  EXPECT_EQ(format(SettingScalar(1e-5)), "1e-05");
  EXPECT_EQ(format(SettingScalar(int64_t(-3))), "-3");
  EXPECT_EQ(format(SettingScalar(true)), "true");
  EXPECT_EQ(
      format(SettingValue(std::vector<SettingScalar>{int64_t(1), int64_t(0)})),
      "[1,0]");
}

TEST(ModelTables, RefusesOtherForms) {
  const auto config = [](std::string_view entries) {
    return R"({"settings": {"n": 1, "list": [1, 0], "x": 0.5, "w": "v", )"
           R"("words": ["v"]}, "config": )" +
           std::string(entries) + "}";
  };
  const auto weights = [](std::string_view entries) {
    return R"({"weights": )" + std::string(entries) + "}";
  };
  const std::pair<std::string, std::string> cases[] = {
      {"", "ends too early, at line 1, column 1"},
      {"[]", "expected the tables to be a table in braces, got an array"},
      {R"({"more": {}})", "the tables has no entry 'more'"},
      {R"({"settings": {"a": null}})",
       "expected settings.a to be a number, a string, true or false, got null"},
      {R"({"settings": {"a": []}})",
       "expected settings.a to be a list of values of one type, one or more"},
      {R"({"settings": {"a": [1, "b"]}})",
       "expected settings.a to be a list of values of one type, one or more"},
      {config(R"({"keys": {}})"), "the table config has no entry 'keys'"},
      {config(R"({"model_type": 1})"),
       "expected config.model_type to be a list of strings, got an integer"},
      {config(R"({"model_type": [1]})"),
       "expected config.model_type to be a string, got an integer"},
      {config(R"({"section": ""})"),
       "expected config.section to be a string that is not empty"},
      {config(R"({"settings": []})"),
       "expected config.settings to be a table in braces, got an array"},
      {R"({"settings": {"a": "two words"}})",
       "expected settings.a to be a word of letters, digits, '_', '-' and '.', "
       "got 'two words'"},
      {R"({"settings": {"a": ["b", "\""]}})",
       "expected settings.a to be a word of letters, digits, '_', '-' and '.', "
       "got '\"'"},
      {config(R"({"settings": {"w": {"keys": "k", "values": {"a": "b c"}}}})"),
       "expected config.settings.w.values.a to be a word of letters, digits, "
       "'_', '-' and '.', got 'b c'"},
      {config(R"({"settings": {"w": {"keys": "k", "null": ""}}})"),
       "expected config.settings.w.null to be a word of letters, digits, '_', "
       "'-' and '.', got ''"},
      {config(
           R"({"settings": {"words": {"keys": "k", "every": ["a", "b="]}}})"),
       "expected config.settings.words.every to be a word of letters, digits, "
       "'_', '-' and '.', got 'b='"},
      {config(R"({"settings": {"w": {"keys": "k", "needs": ["n"]}}})"),
       "expected config.settings.w.needs to be a table in braces, got an "
       "array"},
      {config(R"({"settings": {"w": {"keys": "k", "needs": {"a": 1}}}})"),
       "expected config.settings.w.needs.a to be a list of strings, got an "
       "integer"},
      {config(R"({"settings": {"m": "k"}})"),
       "config.settings.m names a setting that the model does not have"},
      {config(R"({"settings": {"n": []}})"),
       "config.settings.n names no key of config.json"},
      {config(R"({"settings": {"n": {"values": {}}}})"),
       "config.settings.n names no key of config.json"},
      {config(R"({"settings": {"n": {"key": "k"}}})"),
       "config.settings.n has no entry 'key'"},
      {config(R"({"settings": {"n": {"keys": "k", "values": {"a": "b"}}}})"),
       "expected config.settings.n.values.a to be an integer, as the setting "
       "is, got b"},
      {config(R"({"settings": {"n": {"keys": "k", "any_length": true}}})"),
       "expected config.settings.n.any_length to be true, for a list"},
      {config(R"({"settings": {"n": {"keys": "k", "every": [1, 0]}}})"),
       "expected config.settings.n.every to be two elements of a setting that "
       "is a list"},
      {config(R"({"settings": {"n": {"keys": "k", "null": 1.5}}})"),
       "expected config.settings.n.null to be an integer, as the setting is, "
       "which is no list"},
      {config(R"({"settings": {"list": {"keys": "k", "null": 1}}})"),
       "expected config.settings.list.null to be an integer, as the setting "
       "is, "
       "which is no list"},
      {config(R"({"settings": {"list": {"keys": "k", "first": [1]}}})"),
       "expected config.settings.list.first to be two elements of a setting "
       "that is a list"},
      {config(R"({"settings": {"list": {"keys": "k", "first": [1, 0],
                                        "every": [1, 0]}}})"),
       "config.settings.list has both every and first"},
      {config(R"({"settings": {"list": {"keys": "k", "every": [1]}}})"),
       "expected config.settings.list.every to be two elements of a setting "
       "that is a list"},
      {config(R"({"settings": {"list": {"keys": "k", "above": 1}}})"),
       "expected config.settings.list.above to be a number, for a setting that "
       "is one"},
      {config(R"({"required": {"k": [[1]]}})"),
       "expected config.required.k to be a number, a string, true or false, "
       "got an array"},
      {config(R"({"required": {"k": []}})"),
       "expected config.required.k to be a value or a list of values, got an "
       "empty list"},
      {config(R"({"defaults": {"k": -1}})"),
       "expected config.defaults.k to be the id of a token, got an integer"},
      {weights(R"({"strip": 1})"),
       "expected weights.strip to be a list of strings, got an integer"},
      {weights(R"({"tied": {"a": 1}})"),
       "expected weights.tied.a to be a string, got an integer"},
      {weights(R"({"transposed": ["a"]})"),
       "expected weights.witness to be one of those in weights.transposed, got "
       "''"},
      {weights(R"({"transposed": ["h.{l}.a"], "witness": "h.0.b"})"),
       "expected weights.witness to be one of those in weights.transposed, got "
       "'h.0.b'"},
      {weights(R"({"split": {"a": [2, "b"]}})"),
       "expected weights.split.a to be a number of groups and the names of two "
       "parts or more, got an array"},
      {weights(R"({"split": {"a": ["b", "c", "d"]}})"),
       "expected weights.split.a to be a number of groups and the names of two "
       "parts or more, got an array"},
      {weights(R"({"split": {"a": [2, "b", 3]}})"),
       "expected weights.split.a to be a number of groups and the names of two "
       "parts or more, got an array"},
      {config(R"({"settings": {"list": {"keys": "k", "sum": true}}})"),
       "expected config.settings.list.sum to be true, for head_dim"},
      {config(R"({"settings": {"list": {"keys": "k", "under": true}}})"),
       "expected config.settings.list.under to be true, for context"},
      {config(R"({"settings": {"list": {"keys": "k", "at": [1]}}})"),
       "expected config.settings.list.at to be two elements of a setting that "
       "is a list"},
      {weights(R"({"transposed_experts": [1]})"),
       "expected weights.transposed_experts to be a string, got an integer"},
      {config(R"({"quantized": {}})"),
       "expected config.quantized to be a list of strings, got an object"},
      {weights(R"({"skipped": {"a": 0}})"),
       "expected weights.skipped.a to be a number of rows, got an integer"},
      {weights(R"({"skipped": 2})"),
       "expected weights.skipped to be a table in braces, got an integer"},
      {weights(R"({"interleaved": {"a": [1, 2]}})"),
       "expected weights.interleaved.a to be three to five sizes, got an "
       "array"},
      {weights(R"({"interleaved": {"a": [1, [], 2]}})"),
       "expected weights.interleaved.a to be three to five sizes, got an "
       "array"},
      {weights(R"({"interleaved": {"a": [1, [1, 0], 2]}})"),
       "expected weights.interleaved.a to be three to five sizes, got an "
       "array"},
      {weights(R"({"interleaved": {"a": [[1], 1, 2]}})"),
       "expected weights.interleaved.a to be three to five sizes, got an "
       "array"},
      {weights(R"({"interleaved": {"a": [1, 0, 2]}})"),
       "expected weights.interleaved.a to be three to five sizes, got an "
       "array"},
      {weights(R"({"interleaved": {"a": [1, 1, 1, 1, 0, 0]}})"),
       "expected weights.interleaved.a to be three to five sizes, got an "
       "array"},
  };
  for (const auto &[text, message] : cases) {
    const auto tables = ModelTables::parse(text, "model: 'm'");
    ASSERT_FALSE(tables) << message;
    EXPECT_EQ(tables.error().message, "model: 'm' " + message);
    EXPECT_EQ(tables.error().code, ErrorCode::BadInput);
  }
}
