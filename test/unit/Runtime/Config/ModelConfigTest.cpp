// Parsing config.json: both kinds of files that GPT-2's table supports, a
// made-up table that uses every feature, and the message for every missing,
// wrong or unknown setting.
#include "TileGPT/Runtime/Config/ModelConfig.h"
#include "../TemporaryFolder.h"
#include "Gpt2Tables.h"
#include <gtest/gtest.h>
#include <string>

using namespace tilegpt::runtime;
using tilegpt::test::gpt2Tables;

namespace {

/// A valid config plus `more` members, which must not repeat any.
std::string config(std::string_view more,
                   std::string_view without = "nothing") {
  std::string text = "{";
  for (const std::string_view member :
       {"\"n_layer\": 2", "\"n_head\": 4", "\"n_embd\": 64",
        "\"n_positions\": 32", "\"vocab_size\": 100"})
    if (member.find(without) == std::string_view::npos)
      text += (text == "{" ? "" : ", ") + std::string(member);
  return text + (more.empty() ? "" : ", ") + std::string(more) + "}";
}

/// "layers=2 heads=4 …", or the error.
std::string settingsOf(const Result<ModelConfig> &config) {
  if (!config)
    return config.error().message;
  std::string text;
  for (const auto &[name, value] : config->settings)
    text += (text.empty() ? "" : " ") + name + "=" + format(value);
  return text;
}

/// A model whose table uses every feature.
const ModelTables &richTables() {
  static const ModelTables tables =
      ModelTables::parse(R"({"settings": {"layers": 1, "heads": 1, "width": 1,
        "context": 1, "vocab": 1, "kv_heads": 1, "head_dim": 1, "eps": 1e-5,
        "theta": 10000.0, "kind": "none", "sliding": [1, 0], "rotated": [1],
        "windowed": [0], "stretch": [1.0], "bias": false, "word": "a", "cap": 50.0},
      "config": {"model_type": ["rich", "richer"], "section": "text",
        "settings": {"layers": "L", "heads": "H", "width": "C", "context": "S",
          "vocab": "V", "kv_heads": "KV", "head_dim": "D", "bias": "bias",
          "theta": ["rope.theta", "theta"], "word": "word",
          "cap": {"keys": ["cap", "rope.cap"], "null": 0.0, "above": -1.0},
          "kind": {"keys": ["rope.type", "scaling.type"],
                   "values": {"default": "none", "linear": "linear"},
                   "needs": {"linear": ["theta"]}},
          "sliding": {"keys": ["layer_types"],
                      "values": {"sliding": 1, "full": 0}},
          "rotated": {"keys": ["rotates", "interval"],
                      "values": {"yes": 1, "no": 0}, "every": [1, 0]},
          "stretch": {"keys": ["stretch"], "any_length": true},
          "windowed": {"keys": ["windows", "most"],
                       "values": {"yes": 1, "no": 0}, "first": [0, 1]}},
        "required": {"act": "silu", "factor": 2, "form": ["old", "new"]},
        "ignored": ["rope.note", "router"]}})",
                         "rich")
          .value();
  return tables;
}

std::string rich(std::string_view more) {
  return R"({"L": 3, "H": 4, "C": 64, "S": 32, "V": 100)" +
         std::string(more.empty() ? "" : ", ") + std::string(more) + "}";
}

} // namespace

TEST(ModelConfig, ReadsTheDemoModel) {
  const auto config = ModelConfig::read(tilegpt::test::sourceFolder() /
                                            "models/shakespeare/config.json",
                                        gpt2Tables());
  EXPECT_EQ(settingsOf(config),
            "layers=6 heads=4 width=256 context=512 vocab=2048 "
            "activation=gelu_tanh eps=1e-05 tied=true");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->vocabulary, 2048);
  EXPECT_EQ(config->tied, true);
  EXPECT_EQ(config->bosToken, 0);
  EXPECT_EQ(config->eosTokens, std::vector<int32_t>{0});
}

TEST(ModelConfig, LeavesToTheTextWhatTheFileDoesNotSay) {
  const auto small = ModelConfig::parse(config(""), "f", gpt2Tables());
  EXPECT_EQ(settingsOf(small),
            "layers=2 heads=4 width=64 context=32 vocab=100");
  ASSERT_TRUE(small);
  EXPECT_EQ(small->tied, std::nullopt);
  EXPECT_EQ(small->bosToken, std::nullopt);
  const auto large = ModelConfig::parse(
      config(R"("vocab_size": 50257, "eos_token_id": null)", "vocab_size"), "f",
      gpt2Tables());
  ASSERT_TRUE(large) << large.error().message;
  EXPECT_EQ(large->bosToken, 50256);
  EXPECT_TRUE(large->eosTokens.empty());
}

TEST(ModelConfig, IgnoresTokensOutsideOfTheVocabulary) {
  const auto read = ModelConfig::parse(
      config(R"("bos_token_id": 128000, "eos_token_id": [-1, 100, 99])"), "f",
      gpt2Tables());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->bosToken, std::nullopt);
  EXPECT_EQ(read->eosTokens, std::vector<int32_t>{99});
}

TEST(ModelConfig, UnderstandsEverySetting) {
  const auto read = ModelConfig::parse(
      config(R"("n_ctx": 48, "n_inner": 100, "activation_function": "gelu",)"
             R"("layer_norm_epsilon": 1e-6, "tie_word_embeddings": false,)"
             R"("model_type": "gpt2", "bos_token_id": 3, )"
             R"("eos_token_id": [99, 7], "resid_pdrop": 0.1, "dtype": "f32")",
             "n_positions"),
      "f", gpt2Tables());
  EXPECT_EQ(settingsOf(read),
            "layers=2 heads=4 width=64 context=48 vocab=100 inner=100 "
            "activation=gelu_erf eps=1e-06 tied=false");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->tied, false);
  EXPECT_EQ(read->bosToken, 3);
  EXPECT_EQ(read->eosTokens, (std::vector<int32_t>{99, 7}));
}

TEST(ModelConfig, KnowsKeysThatOldCheckpointsHave) {
  // gpt2-medium, gpt2-xl, distilgpt2 and gpt-neox-20b.
  EXPECT_EQ(settingsOf(ModelConfig::parse(
                config(R"("n_special": 0, "predict_special_tokens": true, )"
                       R"("output_past": true, "_num_labels": 1, )"
                       R"("hidden_dropout_prob": 0)"),
                "f", gpt2Tables())),
            "layers=2 heads=4 width=64 context=32 vocab=100");
}

TEST(ModelConfig, ReadsMinGpt) {
  const std::string model =
      R"({"model_type": "gpt-mini", "n_layer": 6, "n_head": 6, "n_embd": 192,)"
      R"("vocab_size": 2048, "block_size": 128, "embd_pdrop": 0.1})";
  const std::string whole =
      R"({"system": {"seed": 1}, "model": )" + model + "}";
  for (const std::string &text : {model, whole})
    EXPECT_EQ(settingsOf(ModelConfig::parse(text, "f", gpt2Tables())),
              "layers=6 heads=6 width=192 context=128 vocab=2048");
}

TEST(ModelConfig, TakesSizesThatAreAbsentFromTheTable) {
  const auto tables =
      ModelTables::parse(R"({"settings": {"layers": 1, "heads": 1, "vocab": 1},
      "config": {"settings": {"layers": "L", "heads": "H", "vocab": "V"},
        "defaults": {"V": 100, "H": 8, "eos_token_id": 7}}})",
                         "usual")
          .value();
  const auto usual = ModelConfig::parse(R"({"L": 2})", "f", tables);
  EXPECT_EQ(settingsOf(usual), "layers=2 heads=8 vocab=100");
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->vocabulary, 100);
  EXPECT_EQ(usual->eosTokens, std::vector<int32_t>{7});
  EXPECT_EQ(settingsOf(
                ModelConfig::parse(R"({"L": 2, "H": 4, "V": 3})", "f", tables)),
            "layers=2 heads=4 vocab=3");
  EXPECT_EQ(settingsOf(ModelConfig::parse("{}", "f", tables)), "f has no 'L'");
}

TEST(ModelConfig, SumsKeysNamesLayersAndKnowsQuantizations) {
  const auto tables = ModelTables::parse(
      R"({"settings": {"layers": 1, "heads": 1, "head_dim": 1, "attends": [1]},
          "config": {"settings": {"layers": "L", "heads": "H",
            "head_dim": {"keys": ["A", "B"], "sum": true},
            "attends": {"keys": ["types", "indices"], "at": [1, 0],
                        "values": {"attention": 1, "conv": 0}}},
          "quantized": ["mxfp4"]}})",
      "t");
  ASSERT_TRUE(tables) << tables.error().message;
  const std::pair<const char *, const char *> cases[] = {
      {R"("A": 3, "B": 4)", "layers=3 heads=2 head_dim=7"},
      {R"("A": [3, 3, 3], "B": 4)", "layers=3 heads=2 head_dim=7"},
      {R"("A": [3, 3, 4], "B": 4)",
       "f expected 'A' to be an integer from 1 to 131072, got an array"},
      {R"("A": 3)", "f has no 'B'"},
      {R"("A": 3, "B": 0)",
       "f expected 'B' to be an integer from 1 to 131072, got 0"},
      {R"("A": 3, "B": 4, "indices": [2, 0])",
       "layers=3 heads=2 head_dim=7 attends=[1,0,1]"},
      {R"("A": 3, "B": 4, "types": ["conv", "attention", "conv"],
          "indices": [0])",
       "layers=3 heads=2 head_dim=7 attends=[0,1,0]"},
      {R"("A": 3, "B": 4, "indices": [3])",
       "f expected 'indices' to be a list of layers from 0 to 2, got 3"},
      {R"("A": 3, "B": 4, "quantization_config": {"quant_method": "mxfp4"})",
       "layers=3 heads=2 head_dim=7"},
      {R"("A": 3, "B": 4, "quantization_config": {"quant_method": "fp8"})",
       "layers=3 heads=2 head_dim=7"},
      {R"("A": 3, "B": 4, "quantization_config": {"quant_method": "awq"})",
       "f says that the weights are quantized ('awq'), which is not supported; "
       "expected those of the model in f32, bf16, f16 or f8"},
  };
  for (const auto &[more, expected] : cases)
    EXPECT_EQ(settingsOf(ModelConfig::parse(
                  concat(R"({"L": 3, "H": 2, )", more, "}"), "f", *tables)),
              expected)
        << more;
}

TEST(ModelConfig, EndsTheContextBeforeTheLeastLimit) {
  const auto tables = ModelTables::parse(
      R"({"settings": {"layers": 1, "context": 1},
          "config": {"settings": {"layers": "L",
            "context": {"keys": ["chunk", "floor"], "under": true}},
          "defaults": {"chunk": 64}}})",
      "t");
  ASSERT_TRUE(tables) << tables.error().message;
  const auto read = [&](const std::string &more) {
    return settingsOf(
        ModelConfig::parse(concat(R"({"L": 3)", more, "}"), "f", *tables));
  };
  EXPECT_EQ(read(""), "layers=3 context=63");
  EXPECT_EQ(read(R"(, "chunk": 32, "floor": 16)"), "layers=3 context=15");
  EXPECT_EQ(read(R"(, "chunk": null, "floor": 128)"), "layers=3 context=63");
  EXPECT_EQ(read(R"(, "floor": 1)"),
            "f expected 'floor' to be an integer above 1, got 1");
}

TEST(ModelConfig, ReadsTheTextModelOfAMultimodalOne) {
  const auto tables = ModelTables::parse(
      R"({"settings": {"layers": 1, "vocab": 1, "tied": false}, "config": {
          "model_type": ["t"], "settings": {"layers": "L", "vocab": "V",
            "tied": "tie_word_embeddings"}}})",
      "table");
  ASSERT_TRUE(tables) << tables.error().message;
  const auto config = ModelConfig::parse(
      R"({"model_type": "llava", "L": 7, "eos_token_id": 5, "image": {"L": 8},
          "tie_word_embeddings": true, "text_config": {"model_type": "t",
            "L": 3, "V": 9, "tie_word_embeddings": false}})",
      "f", *tables);
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(settingsOf(config), "layers=3 vocab=9");
  EXPECT_EQ(config->tied, std::nullopt);
  EXPECT_EQ(config->eosTokens, std::vector<int32_t>{5});
  EXPECT_EQ(settingsOf(ModelConfig::parse(
                R"({"model_type": "paligemma", "L": 7, "V": 9,
                    "text_config": {"model_type": "t"}})",
                "f", *tables)),
            "f expected 'model_type' to be 't', got 'paligemma'");
}

TEST(ModelConfig, NeedsIntegersForSizes) {
  for (const char *size : {"1.5", "\"one\"", "[1]", "18446744073709551617"}) {
    const auto tables =
        ModelTables::parse(std::string(R"({"settings": {"layers": )") + size +
                               R"(}, "config": {"settings": {"layers": "L"}}})",
                           "odd");
    ASSERT_TRUE(tables) << tables.error().message;
    EXPECT_EQ(settingsOf(ModelConfig::parse(R"({"L": 2})", "f", *tables)),
              "f is read by a model whose setting 'layers' is no integer");
  }
}

TEST(ModelConfig, FollowsATable) {
  const std::string sizes = "layers=3 heads=4 width=64 context=32 vocab=100";
  const std::pair<std::string_view, std::string> cases[] = {
      {R"("KV": 2, "D": 24)", " kv_heads=2 head_dim=24"},
      // Without a key or a default: the width divided by the heads.
      {R"("D": null)", ""},
      // Old and new spellings; the first one present wins.
      {R"("theta": 500000)", " theta=5e+05"},
      {R"("rope": {"theta": 1e6, "type": "linear"}, "theta": 3.0)",
       " theta=1e+06 kind=linear"},
      {R"("rope": null, "scaling": {"type": "default"})", " kind=none"},
      {R"("layer_types": ["full", "sliding", "full"])", " sliding=[0,1,0]"},
      {R"("interval": 4, "bias": true)", " bias=true rotated=[1,1,1,0]"},
      {R"("rotates": ["no", "yes", "no"], "interval": 4)", " rotated=[0,1,0]"},
      {R"("most": 1)", " windowed=[0,1,1]"},
      {R"("stretch": [1, 2.5])", " stretch=[1.0,2.5]"},
      {R"("most": 0)", " windowed=[1,1,1]"},
      {R"("most": 28)", " windowed=[0,0,0]"},
      {R"("windows": ["no", "yes", "no"], "most": 0)", " windowed=[0,1,0]"},
      // Null, where the table defines its meaning.
      {R"("cap": null)", " cap=0.0"},
      {R"("rope": {"cap": null})", " cap=0.0"},
      {R"("cap": 30.5)", " cap=30.5"},
      // Required values, empty values, and keys that are ignored.
      {R"("act": "silu", "factor": 2.0, "router": 7, "rope": {"note": 1})", ""},
      {R"("form": "old")", ""},
      {R"("form": "new")", ""},
      {R"("act": null, "unheard_of": null, "pruned": {}, "heads": [])", ""},
      {R"("model_type": "richer", "attention_dropout": 0.1,
        "is_encoder_decoder": false)",
       ""},
      {R"("word": "a-b.c_1")", " word=a-b.c_1"},
      // A configuration in the configuration, with keys that any has.
      {R"("rope": {"model_type": "", "dtype": "float32", "theta": 2.5,
        "output_attentions": false, "is_encoder_decoder": false})",
       " theta=2.5"},
  };
  const std::string derived = " head_dim=16";
  for (const auto &[more, expected] : cases) {
    const bool says = expected.find("head_dim") != expected.npos;
    EXPECT_EQ(settingsOf(ModelConfig::parse(rich(more), "f", richTables())),
              sizes + (says ? "" : derived) + expected)
        << more;
  }
  EXPECT_EQ(settingsOf(ModelConfig::parse(
                R"({"model_type": "other", "vision": 1, "text": )" +
                    rich(R"("model_type": "rich")") + "}",
                "f", richTables())),
            sizes + derived);
  const std::string ignored[] = {"unheard_of", "deep.er"};
  EXPECT_EQ(settingsOf(ModelConfig::parse(
                rich(R"("unheard_of": 1, "deep": {"er": 2})"), "f",
                richTables(), ignored)),
            sizes + derived);
}

TEST(ModelConfig, RefusesWhatATableDoesNotAllow) {
  const std::string unknown = ", which the model does not know; pass "
                              "--ignore-config KEY for a key that "
                              "does not change what is computed";
  const std::pair<std::string_view, std::string> cases[] = {
      {R"("unheard_of": false)", "sets 'unheard_of' to false" + unknown},
      {R"("b": 1, "rope": {"theta": 1.0, "b": "x"}, "c": {"d": 1})",
       "sets 'b' to 1, 'rope.b' to 'x', 'c' to an object" + unknown},
      {R"("rope": {"theta": 1.0, "dtype": "float32"})",
       "sets 'rope.dtype' to 'float32'" + unknown},
      {R"("rope": {"model_type": "", "is_encoder_decoder": true})",
       "sets 'rope.is_encoder_decoder' to true" + unknown},
      {R"("form": "odd")", "sets 'form' to 'odd', which is not supported; the "
                           "model computes with 'old' or 'new'"},
      {R"("act": "gelu")", "sets 'act' to 'gelu', which is not supported; the "
                           "model computes with 'silu'"},
      {R"("factor": 2.5)", "sets 'factor' to 2.5, which is not supported; the "
                           "model computes with 2"},
      {R"("KV": 3)", "expected 'H' (4) to be a multiple of 'KV' (3)"},
      {R"("KV": 0)", "expected 'KV' to be an integer from 1 to 131072, got 0"},
      {R"("theta": "big")", "expected 'theta' to be a number, got 'big'"},
      {R"("bias": 1)", "expected 'bias' to be true or false, got 1"},
      {R"("word": "a b")", "expected 'word' to be a word, got 'a b'"},
      {R"("word": "x\" layers=9")",
       "expected 'word' to be a word, got 'x\" layers=9'"},
      {R"("scaling": {"type": "linear"})",
       "sets 'scaling.type' to 'linear', but has no 'rope.theta' or 'theta'"},
      {R"("rope": {"cap": -1})",
       "expected 'rope.cap' to be a number above -1, got -1"},
      {R"("quantization_config": {"quant_method": "gptq", "bits": 4})",
       "says that the weights are quantized ('gptq'), which is not supported; "
       "expected those of the model in f32, bf16, f16 or f8"},
      {R"("quantization_config": "int8")",
       "says that the weights are quantized, which is not supported; expected "
       "those of the model in f32, bf16, f16 or f8"},
      {R"("scaling": {"type": "yarn"})",
       "expected 'scaling.type' to be 'default' or 'linear', got 'yarn'"},
      {R"("layer_types": ["full"])",
       "expected 'layer_types' to be a list of 3, one for each layer, got 1"},
      {R"("stretch": 2.5)", "expected 'stretch' to be a list, got 2.5"},
      {R"("layer_types": "full")", "expected 'layer_types' to be a list of 3, "
                                   "one for each layer, got 'full'"},
      {R"("layer_types": ["full", "full", 1])",
       "expected 'layer_types' to be 'sliding' or 'full', got 1"},
      {R"("most": -1)", "expected 'most' to be a number of layers, got -1"},
      {R"("interval": 0)",
       "expected 'interval' to be an integer from 1 to 4096, got 0"},
      {R"("is_encoder_decoder": true)",
       "sets 'is_encoder_decoder' to true, which is not supported; expected "
       "false"},
      {R"("model_type": "poor")",
       "expected 'model_type' to be 'rich' or 'richer', got 'poor'"},
      // Lists and objects are rejected where a value is expected.
      {R"("theta": {})", "expected 'theta' to be a number, got an object"},
      {R"("scaling": {"type": []})",
       "expected 'scaling.type' to be 'default' or 'linear', got an array"},
      {R"("KV": [])",
       "expected 'KV' to be an integer from 1 to 131072, got an array"},
      {R"("act": [])", "sets 'act' to an array, which is not supported; the "
                       "model computes with 'silu'"},
  };
  for (const auto &[more, message] : cases)
    EXPECT_EQ(
        settingsOf(ModelConfig::parse(rich(more), "config: 'f'", richTables())),
        "config: 'f' " + message);
}

TEST(ModelConfig, RefusesBadConfigs) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "ends too early, at line 1, column 1"},
      {"[]", "expected an object of settings, got an array"},
      {config(R"("n_layer": 3)"), "has the key 'n_layer' twice"},
      {config("", "n_layer"), "has no 'n_layer'"},
      {config("", "n_head"), "has no 'n_head'"},
      {config("", "n_embd"), "has no 'n_embd'"},
      {config("", "n_positions"),
       "has no 'n_positions', 'n_ctx' or 'block_size'"},
      {config("", "vocab_size"), "has no 'vocab_size'"},
      {config(R"("n_layer": null)", "n_layer"), "has no 'n_layer'"},
      {config(R"("n_layer": 0)", "n_layer"),
       "expected 'n_layer' to be an integer from 1 to 4096, got 0"},
      {config(R"("n_layer": -2)", "n_layer"),
       "expected 'n_layer' to be an integer from 1 to 4096, got -2"},
      {config(R"("n_layer": 2.5)", "n_layer"),
       "expected 'n_layer' to be an integer from 1 to 4096, got 2.5"},
      {config(R"("n_layer": 99999999999999999999)", "n_layer"),
       "expected 'n_layer' to be an integer from 1 to 4096, got 1e+20"},
      {config(R"("n_layer": "2")", "n_layer"),
       "expected 'n_layer' to be an integer from 1 to 4096, got '2'"},
      {config(R"("n_layer": true)", "n_layer"),
       "expected 'n_layer' to be an integer from 1 to 4096, got true"},
      {config(R"("n_layer": [2])", "n_layer"),
       "expected 'n_layer' to be an integer from 1 to 4096, got an array"},
      {config(R"("n_embd": 131073)", "n_embd"),
       "expected 'n_embd' to be an integer from 1 to 131072, got 131073"},
      {config(R"("vocab_size": 4294967296)", "vocab_size"),
       "expected 'vocab_size' to be an integer from 1 to 16777216, got "
       "4294967296"},
      {config(R"("n_head": 5)", "n_head"),
       "expected 'n_embd' (64) to be a multiple of 'n_head' (5)"},
      {config(R"("n_head": 128)", "n_head"),
       "expected 'n_embd' (64) to be a multiple of 'n_head' (128)"},
      {config(R"("n_inner": 0)"),
       "expected 'n_inner' to be an integer from 1 to 1048576, got 0"},
      {config(R"("activation_function": "relu")"),
       "expected 'activation_function' to be 'gelu', 'gelu_new' or "
       "'gelu_pytorch_tanh', got 'relu'"},
      {config(R"("activation_function": 1)"),
       "expected 'activation_function' to be 'gelu', 'gelu_new' or "
       "'gelu_pytorch_tanh', got 1"},
      {config(R"("layer_norm_epsilon": 0)"),
       "expected 'layer_norm_epsilon' to be a number between 0 and 1, got 0"},
      {config(R"("layer_norm_epsilon": -1e-5)"),
       "expected 'layer_norm_epsilon' to be a number between 0 and 1, got "
       "-1e-05"},
      {config(R"("layer_norm_epsilon": "1e-5")"),
       "expected 'layer_norm_epsilon' to be a number, got '1e-5'"},
      {config(R"("tie_word_embeddings": "yes")"),
       "expected 'tie_word_embeddings' to be true or false, got 'yes'"},
      {config(R"("bos_token_id": true)"),
       "expected 'bos_token_id' to be an integer or a list of integers, got "
       "true"},
      {config(R"("eos_token_id": [1, "2"])"),
       "expected 'eos_token_id' to be an integer or a list of integers, got "
       "'2'"},
      {config(R"("rotary": true)"),
       "sets 'rotary' to true, which the model does not know; pass "
       "--ignore-config KEY for a key that does not change what is computed"},
      {config(R"("model_type": "llama")"),
       "expected 'model_type' to be 'gpt2', 'gpt2-medium', 'gpt2-large', "
       "'gpt2-xl', 'gopher-44m', 'gpt-mini', 'gpt-micro' or 'gpt-nano', got "
       "'llama'"},
      {config(R"("scale_attn_weights": false)"),
       "sets 'scale_attn_weights' to false, which is not supported; the model "
       "computes with true"},
      {config(R"("scale_attn_by_inverse_layer_idx": true)"),
       "sets 'scale_attn_by_inverse_layer_idx' to true, which is not "
       "supported; the model computes with false"},
      {config(R"("add_cross_attention": true)"),
       "sets 'add_cross_attention' to true, which is not supported; the model "
       "computes with false"},
  };
  for (const auto &[text, message] : cases) {
    const auto config = ModelConfig::parse(text, "config: 'f'", gpt2Tables());
    ASSERT_FALSE(config) << message;
    EXPECT_EQ(config.error().message, "config: 'f' " + message);
    EXPECT_EQ(config.error().code, ErrorCode::BadInput);
  }
}

TEST(ModelConfig, TellsTheTypeOfAModel) {
  const tilegpt::TemporaryFolder folder;
  const auto typeOf = [&](std::string_view text) {
    folder.write("config.json", text);
    const auto type = readModelType(folder.path / "config.json");
    return type ? *type : type.error().message;
  };
  EXPECT_EQ(typeOf(R"({"model_type": "llama"})"), "llama");
  // The text model of a multimodal one, unless images change how it reads text.
  EXPECT_EQ(typeOf(R"({"model_type": "mistral3",
                       "text_config": {"model_type": "mistral"}})"),
            "mistral");
  EXPECT_EQ(typeOf(R"({"model_type": "llava", "text_config": {}})"), "llava");
  EXPECT_EQ(typeOf(R"({"model_type": "paligemma",
                       "text_config": {"model_type": "gemma"}})"),
            "paligemma");
  const std::string file =
      "config: '" + (folder.path / "config.json").string() + "' ";
  const std::string chooses = ", which chooses the model; pass a model (.mlir) "
                              "that computes what the checkpoint is for";
  EXPECT_EQ(typeOf(R"({"model_type": 3})"),
            file + "expected 'model_type' to be a string, got 3" + chooses);
  EXPECT_EQ(typeOf("{}"), file + "has no 'model_type'" + chooses);
  EXPECT_EQ(typeOf("[]"), "config: '" + (folder.path / "config.json").string() +
                              "' expected an object of settings, got an array");
}
