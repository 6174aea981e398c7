// Perplexity matches its definition on the toy model's logits, for all window
// sizes.
#include "TileGPT/Runtime/Model/Perplexity.h"
#include "EveryEngine.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;

namespace {

class PerplexityTest : public test::EveryEngine {
protected:
  Session session = make();
};

const std::vector<int32_t> text = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3,
                                   5, 8, 9, 7, 9, 3, 2, 3, 8};

/// Mean of -log p over all predicted tokens, straight from the definition.
double expected(size_t window) {
  double sum = 0;
  int count = 0;
  for (size_t begin = 0; begin < text.size(); begin += window)
    for (size_t i = begin + 1; i < std::min(begin + window, text.size()); ++i) {
      const auto logits =
          test::toyLogits(std::span(text).subspan(begin, i - begin));
      double total = 0;
      for (const float logit : logits)
        total += std::exp(double(logit));
      sum -= std::log(std::exp(double(logits[size_t(text[i])])) / total);
      ++count;
    }
  return std::exp(sum / count);
}

TEST_P(PerplexityTest, IsTheDefinitionForEveryWindow) {
  for (const size_t window : {2u, 3u, 5u, 9u, 16u}) {
    const auto measured = measurePerplexity(session, text, int64_t(window));
    ASSERT_TRUE(measured) << measured.error().message;
    EXPECT_NEAR(measured->value, expected(window), 1e-9 * expected(window))
        << window;
  }
  EXPECT_EQ(session.length(0), 0);
}

TEST_P(PerplexityTest, CountsWhatItPredicts) {
  const auto measured =
      measurePerplexity(session, text, 9)
          .value(); // 9 + 9 + 1 tokens; the last one predicts nothing
  EXPECT_EQ(measured.windows, 2);
  EXPECT_EQ(measured.predicted, 16);
}

TEST_P(PerplexityTest, SenselessRequestsAreNamed) {
  EXPECT_EQ(measurePerplexity(session, text, 17).error().message,
            "perplexity: expected a window of 2 to 16 tokens, got 17");
  EXPECT_EQ(measurePerplexity(session, text, 1).error().code, ErrorCode::Usage);
  EXPECT_EQ(
      measurePerplexity(session, std::span(text).first(1), 5).error().message,
      "perplexity: expected at least 2 tokens, got 1");
  const std::vector<int32_t> bad = {1, 99};
  EXPECT_EQ(measurePerplexity(session, bad, 5).error().code,
            ErrorCode::BadInput);
}

TILEGPT_ON_EVERY_ENGINE(PerplexityTest);

} // namespace
