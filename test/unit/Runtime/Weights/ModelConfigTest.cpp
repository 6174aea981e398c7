// Both families of config.json load, and every setting that is missing, wrong
// or foreign has its message.
#include "TileGPT/Runtime/Weights/ModelConfig.h"
#include "SourceFolder.h"
#include <gtest/gtest.h>
#include <string>

using namespace tilegpt::runtime;

namespace {

/// A valid config with more members, which come last and must not repeat one.
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

} // namespace

TEST(ModelConfig, ReadsTheDemoModel) {
  const auto config = ModelConfig::read(tilegpt::test::sourceFolder() /
                                        "models/shakespeare/config.json");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->layers, 6);
  EXPECT_EQ(config->heads, 4);
  EXPECT_EQ(config->width, 256);
  EXPECT_EQ(config->innerWidth, 1024);
  EXPECT_EQ(config->context, 512);
  EXPECT_EQ(config->vocabulary, 2048);
  EXPECT_EQ(config->epsilon, 1e-5);
  EXPECT_EQ(config->activation, Activation::GeluTanh);
  EXPECT_EQ(config->tied, true);
  EXPECT_EQ(config->bosToken, 0);
  EXPECT_EQ(config->eosToken, 0);
}

TEST(ModelConfig, KnowsTheDefaultsOfHuggingFace) {
  const auto small = ModelConfig::parse(config(""), "f");
  ASSERT_TRUE(small) << small.error().message;
  EXPECT_EQ(small->innerWidth, 256);
  EXPECT_EQ(small->tied, std::nullopt);
  EXPECT_EQ(small->bosToken, std::nullopt);
  const auto large = ModelConfig::parse(
      config(R"("vocab_size": 50257, "eos_token_id": null)", "vocab_size"),
      "f");
  ASSERT_TRUE(large) << large.error().message;
  EXPECT_EQ(large->bosToken, 50256);
  EXPECT_EQ(large->eosToken, std::nullopt);
}

TEST(ModelConfig, UnderstandsEverySetting) {
  const auto read = ModelConfig::parse(
      config(R"("n_ctx": 48, "n_inner": 100, "activation_function": "gelu",)"
             R"("layer_norm_epsilon": 1e-6, "tie_word_embeddings": false,)"
             R"("model_type": "gpt2", "bos_token_id": 3, "eos_token_id": 99)",
             "n_positions"),
      "f");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->context, 48);
  EXPECT_EQ(read->innerWidth, 100);
  EXPECT_EQ(read->activation, Activation::Gelu);
  EXPECT_EQ(read->epsilon, 1e-6);
  EXPECT_EQ(read->tied, false);
  EXPECT_EQ(read->bosToken, 3);
  EXPECT_EQ(read->eosToken, 99);
}

TEST(ModelConfig, ReadsMinGpt) {
  const std::string model =
      R"({"model_type": "gpt-mini", "n_layer": 6, "n_head": 6, "n_embd": 192,)"
      R"("vocab_size": 50257, "block_size": 128, "embd_pdrop": 0.1})";
  const std::string whole =
      R"({"system": {"seed": 1}, "model": )" + model + "}";
  for (const std::string &text : {model, whole}) {
    const auto config = ModelConfig::parse(text, "f");
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->layers, 6);
    EXPECT_EQ(config->width, 192);
    EXPECT_EQ(config->context, 128);
    EXPECT_EQ(config->activation, Activation::GeluTanh);
    EXPECT_EQ(config->tied, std::nullopt);
    EXPECT_EQ(config->bosToken, std::nullopt);
  }
}

TEST(ModelConfig, RefusesBadConfigs) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "ends too early, at line 1, column 1"},
      {"[]", "expected an object of settings, got an array"},
      {config(R"("n_layer": 3)"), "has the key 'n_layer' twice"},
      {config("", "n_layer"), "has no 'n_layer'"},
      {config("", "n_head"), "has no 'n_head'"},
      {config("", "n_embd"), "has no 'n_embd'"},
      {config("", "n_positions"), "has no 'n_positions'"},
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
       "expected 'activation_function' to be 'gelu_new', 'gelu_pytorch_tanh' "
       "or 'gelu', got 'relu'"},
      {config(R"("activation_function": 1)"),
       "expected 'activation_function' to be 'gelu_new', 'gelu_pytorch_tanh' "
       "or 'gelu', got 1"},
      {config(R"("layer_norm_epsilon": 0)"),
       "expected 'layer_norm_epsilon' to be a number between 0 and 1, got 0"},
      {config(R"("layer_norm_epsilon": -1e-5)"),
       "expected 'layer_norm_epsilon' to be a number between 0 and 1, got "
       "-1e-05"},
      {config(R"("layer_norm_epsilon": "1e-5")"),
       "expected 'layer_norm_epsilon' to be a number between 0 and 1, got "
       "'1e-5'"},
      {config(R"("tie_word_embeddings": "yes")"),
       "expected 'tie_word_embeddings' to be true or false, got 'yes'"},
      {config(R"("bos_token_id": 100)"),
       "expected 'bos_token_id' to be an integer from 0 to 99, got 100"},
      {config(R"("eos_token_id": [1, 2])"),
       "expected 'eos_token_id' to be an integer from 0 to 99, got an array"},
      {config(R"("model_type": "llama")"),
       "expected 'model_type' to be 'gpt2', got 'llama'"},
      {config(R"("scale_attn_weights": false)"),
       "sets 'scale_attn_weights' to false, which is not supported"},
      {config(R"("scale_attn_by_inverse_layer_idx": true)"),
       "sets 'scale_attn_by_inverse_layer_idx' to true, which is not "
       "supported"},
      {config(R"("add_cross_attention": true)"),
       "sets 'add_cross_attention' to true, which is not supported"},
  };
  for (const auto &[text, message] : cases) {
    const auto config = ModelConfig::parse(text, "config: 'f'");
    ASSERT_FALSE(config) << message;
    EXPECT_EQ(config.error().message, "config: 'f' " + message);
    EXPECT_EQ(config.error().code, ErrorCode::BadInput);
  }
}
