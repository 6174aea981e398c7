// The whole runtime on the demo model, without a compiler: tokens, logits and
// perplexity agree with Hugging Face transformers (reference.json).
#include "Cuda/OpenFake.h"
#include "Gpt2Bundle.h"
#include "Gpt2Tables.h"
#include "SourceFolder.h"
#include "TileGPT/Runtime/Cuda/CudaEngine.h"
#include "TileGPT/Runtime/Data/Safetensors.h"
#include "TileGPT/Runtime/Model/Generator.h"
#include "TileGPT/Runtime/Model/Perplexity.h"
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace tilegpt;
using namespace tilegpt::runtime;

namespace {

const std::filesystem::path folder =
    test::sourceFolder() / "models/shakespeare";

struct Prompt {
  std::string text;
  std::vector<int32_t> ids;
  std::vector<int32_t> continuation; // 64 greedy tokens
};

class Gpt2Test : public testing::Test {
protected:
  static void SetUpTestSuite() {
    weights =
        WeightStore::open(folder, test::gpt2Tables().weights).value().release();
    bundle = new bundle::Bundle(test::gpt2Bundle(sizes()));
    reference = nlohmann::json::parse(std::ifstream(folder / "reference.json"));
    for (const auto &prompt : reference["prompts"]) {
      Prompt next{prompt["prompt"], prompt["ids"], prompt["greedy_ids"]};
      next.continuation.erase(next.continuation.begin(),
                              next.continuation.begin() +
                                  int64_t(next.ids.size()));
      prompts.push_back(next);
    }
  }
  static void TearDownTestSuite() {
    delete bundle;
    delete weights;
    prompts.clear();
  }

  static test::Gpt2Sizes sizes() {
    return test::Gpt2Sizes(
        ModelConfig::read(folder / "config.json", test::gpt2Tables()).value());
  }

  static Session make(int64_t sequences) {
    return Session::create(*bundle, *weights, {sequences, 2}).value();
  }

  static Sampler greedy() {
    SamplerOptions options;
    options.temperature = 0;
    return Sampler::create(options, sizes().vocabulary).value();
  }

  static inline WeightStore *weights = nullptr;
  static inline bundle::Bundle *bundle = nullptr;
  static inline nlohmann::json reference;
  static inline std::vector<Prompt> prompts;
};

TEST_F(Gpt2Test, GreedyTokensAreTheReferences) {
  Session session = make(1);
  for (const Prompt &prompt : prompts) {
    session.truncate(0, 0);
    Sampler sampler = greedy();
    const GenerationRequest request[] = {{prompt.ids, &sampler, 64, {}}};
    const auto done = generate(session, request, nullptr);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ((*done)[0].tokens, prompt.continuation) << prompt.text;
  }
}

TEST_F(Gpt2Test, ABatchOfAllPromptsGivesTheSameTokens) {
  Session session = make(int64_t(prompts.size()));
  std::vector<Sampler> samplers(prompts.size(), greedy());
  std::vector<GenerationRequest> requests;
  for (size_t i = 0; i < prompts.size(); ++i)
    requests.push_back({prompts[i].ids, &samplers[i], 64, {}});
  GenerationTimes times;
  const auto done = generate(session, requests, nullptr, &times);
  ASSERT_TRUE(done) << done.error().message;
  for (size_t i = 0; i < prompts.size(); ++i)
    EXPECT_EQ((*done)[i].tokens, prompts[i].continuation) << prompts[i].text;
  EXPECT_EQ(times.decodeSteps, 63);
}

TEST_F(Gpt2Test, OnADeviceTheTokensAreTheSame) {
  constexpr int64_t count = 16;
  const test::FakeCuda &fake = test::freshFake();
  const bundle::Bundle forDevice = test::gpt2Bundle(sizes(), "sm_90a");
  auto engine = cuda::CudaEngine::create(forDevice, test::openFake()).value();
  Session session =
      Session::create(forDevice, *weights, std::move(engine), 2).value();
  Sampler samplers[] = {greedy(), greedy()};
  const GenerationRequest requests[] = {
      {prompts[0].ids, &samplers[0], count, {}},
      {prompts[1].ids, &samplers[1], count, {}}};
  const auto done = generate(session, requests, nullptr);
  ASSERT_TRUE(done) << done.error().message;
  for (size_t i = 0; i < 2; ++i)
    EXPECT_TRUE(std::ranges::equal(
        (*done)[i].tokens, std::span(prompts[i].continuation).first(count)))
        << prompts[i].text;
  EXPECT_EQ(fake.graphLaunches, count - 2)
      << "all decoding steps but the first";
}

TEST_F(Gpt2Test, LogitsOfEveryPromptPositionAreTheReferences) {
  const auto file =
      Safetensors::open(folder / "reference_logits.safetensors", "test");
  ASSERT_TRUE(file) << file.error().message;
  Session session = make(1);
  for (size_t i = 0; i < prompts.size(); ++i) {
    const StoredTensor *tensor = file->find("logits." + std::to_string(i));
    ASSERT_TRUE(tensor);
    const auto bytes = file->bytes(*tensor);
    std::vector<float> expected(bytes.size() / sizeof(float));
    std::memcpy(expected.data(), bytes.data(), bytes.size());
    session.truncate(0, 0);
    size_t checked = 0;
    const auto scored = session.score(
        0, prompts[i].ids,
        [&](int64_t, std::span<const float> logits) -> Result<void> {
          for (const float logit : logits)
            EXPECT_NEAR(logit, expected[checked++], 2e-3);
          return {};
        });
    ASSERT_TRUE(scored) << scored.error().message;
    EXPECT_EQ(checked, expected.size());
  }
}

TEST_F(Gpt2Test, PerplexityIsTheReferences) {
  Session session = make(1);
  const auto measured = measurePerplexity(
      session, reference["val_tokens"].get<std::vector<int32_t>>(),
      reference["window"]);
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_NEAR(measured->value, reference["perplexity"], 0.05);
  EXPECT_EQ(measured->windows, 4);
}

TEST_F(Gpt2Test, APromptOfTheWholeContextDecodesToTheSameAsItsTokensOneByOne) {
  const auto text = reference["val_tokens"].get<std::vector<int32_t>>();
  Session session = make(2);
  const std::span whole = std::span(text).first(size_t(session.capacity()));
  const auto prefilled = session.prefill(0, whole);
  ASSERT_TRUE(prefilled) << prefilled.error().message;
  const std::vector<float> expected(prefilled->begin(), prefilled->end());
  std::vector<float> last;
  for (const int32_t id : whole) {
    const SequenceToken next[] = {{1, id}};
    const auto logits = session.decode(next);
    ASSERT_TRUE(logits) << logits.error().message;
    last.assign(logits->begin(), logits->end());
  }
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(last[i], expected[i], 1e-4);
}

} // namespace
