// Compares a session with the results of Hugging Face transformers in fp32.
#include "ReferenceResults.h"
#include "TileGPT/Runtime/Data/Safetensors.h"
#include "TileGPT/Runtime/Model/Generator.h"
#include <gtest/gtest.h>

using tilegpt::runtime::Session;

namespace tilegpt::test {

double distance(std::span<const float> a, std::span<const float> b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(double(a[i]) - b[i]));
  return largest;
}

void expectReferenceTokens(Session &session, const nlohmann::json &prompt) {
  auto ids = prompt["ids"].get<std::vector<int32_t>>();
  auto expected = prompt["greedy_ids"].get<std::vector<int32_t>>();
  runtime::SamplerOptions greedy;
  greedy.temperature = 0;
  auto sampler = *runtime::Sampler::create(greedy, session.vocabulary());
  runtime::GenerationRequest request{
      ids, &sampler, int64_t(expected.size() - ids.size()), {}};
  auto generations = runtime::generate(session, {&request, 1},
                                       [](size_t, int32_t) { return true; });
  ASSERT_TRUE(generations) << generations.error().message;
  const auto &tokens = generations->front().tokens;
  ids.insert(ids.end(), tokens.begin(), tokens.end());
  EXPECT_EQ(ids, expected) << prompt["prompt"];
}

std::vector<std::vector<float>> scoreAll(Session &session,
                                         std::span<const int32_t> ids) {
  std::vector<std::vector<float>> rows;
  auto done = session.score(
      0, ids,
      [&](int64_t, std::span<const float> logits) -> runtime::Result<void> {
        for (size_t at = 0; at < logits.size(); at += session.vocabulary())
          rows.emplace_back(logits.begin() + at,
                            logits.begin() + at + session.vocabulary());
        return {};
      });
  EXPECT_TRUE(done) << done.error().message;
  session.truncate(0, 0);
  return rows;
}

void expectReferenceLogits(Session &session, const nlohmann::json &reference,
                           const std::filesystem::path &folder) {
  auto file = runtime::Safetensors::open(
      folder / "reference_logits.safetensors", "reference");
  ASSERT_TRUE(file) << file.error().message;
  size_t number = 0;
  for (const auto &prompt : reference["prompts"]) {
    auto ids = prompt["ids"].get<std::vector<int32_t>>();
    const auto *tensor = file->find("logits." + std::to_string(number++));
    ASSERT_NE(tensor, nullptr);
    auto bytes = file->bytes(*tensor);
    const auto *expected = reinterpret_cast<const float *>(bytes.data());
    auto rows = scoreAll(session, ids);
    ASSERT_EQ(rows.size(), ids.size());
    for (size_t row = 0; row < rows.size(); ++row)
      EXPECT_LT(distance(rows[row],
                         {expected + row * rows[row].size(), rows[row].size()}),
                logitTolerance);
  }
}

} // namespace tilegpt::test
