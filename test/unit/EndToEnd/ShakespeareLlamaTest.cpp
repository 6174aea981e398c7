// A trained Llama model, end to end, compared with the results of Hugging Face
// transformers in fp32.
#include "DemoModel.h"
#include "ReferenceResults.h"
#include "TileGPT/Runtime/Model/Perplexity.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::test;
using runtime::Session;

namespace {

DemoModel &llama() {
  static DemoModel model({}, "models/llama.mlir", demoLlamaFolder());
  return model;
}

TEST(ShakespeareLlama, GreedyTokensEqualTheReference) {
  for (const auto &prompt : llama().reference()["prompts"]) {
    Session session = llama().session();
    expectReferenceTokens(session, prompt);
  }
}

TEST(ShakespeareLlama, LogitsAgreeWithTheReference) {
  Session session = llama().session();
  expectReferenceLogits(session, llama().reference(), demoLlamaFolder());
}

TEST(ShakespeareLlama, PerplexityOfTheValidationTokens) {
  const nlohmann::json &reference = llama().reference();
  const auto ids = reference["val_tokens"].get<std::vector<int32_t>>();
  const double expected = reference["perplexity"].get<double>();
  Session session = llama().session();
  const auto perplexity = runtime::measurePerplexity(
      session, ids, reference["window"].get<int64_t>());
  ASSERT_TRUE(perplexity) << perplexity.error().message;
  EXPECT_NEAR(perplexity->value, expected, 1e-3 * expected);
}

} // namespace
