// Generation equals sampling from recomputed logits, for one request and for
// several of different lengths.
#include "TileGPT/Runtime/Model/Generator.h"
#include "EveryEngine.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;

namespace {

class GeneratorTest : public test::EveryEngine {
protected:
  static Sampler greedy() {
    SamplerOptions options;
    options.temperature = 0;
    return Sampler::create(options, test::toyVocabulary).value();
  }

  /// The expected greedy continuation of the toy model.
  static std::vector<int32_t> expected(std::vector<int32_t> history,
                                       size_t count) {
    Sampler sampler = greedy();
    std::vector<int32_t> tokens;
    for (size_t i = 0; i < count; ++i) {
      tokens.push_back(sampler.sample(test::toyLogits(history)).value());
      history.push_back(tokens.back());
    }
    return tokens;
  }
};

TEST_P(GeneratorTest, GreedyTokensAreThoseOfRecomputation) {
  Session session = make(1);
  Sampler sampler = greedy();
  const std::vector<int32_t> prompt = {3, 1, 4};
  const GenerationRequest request[] = {
      {.prompt = prompt, .sampler = &sampler, .maxTokens = 8, .endOfText = {}}};
  std::vector<int32_t> seen;
  GenerationTimes times;
  const auto done = generate(
      session, request,
      [&](size_t, int32_t token) {
        seen.push_back(token);
        return true;
      },
      &times);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ((*done)[0].tokens, expected(prompt, 8));
  EXPECT_EQ((*done)[0].reason, StopReason::Length);
  EXPECT_EQ(seen, (*done)[0].tokens);
  EXPECT_EQ(times.prefillTokens, 3);
  EXPECT_EQ(times.decodeTokens, 7);
  EXPECT_EQ(times.decodeSteps, 7);
  EXPECT_GT(times.prefill.count(), 0);
}

TEST_P(GeneratorTest, RequestsOfABatchDoNotDisturbEachOther) {
  Session session = make(4);
  const std::vector<std::vector<int32_t>> prompts = {
      {1}, {2, 7, 1, 8, 2, 8}, {5, 5}, {0, 10, 0}};
  const int64_t counts[] = {9, 3, 6, 1};
  std::vector<Sampler> samplers(4, greedy());
  std::vector<GenerationRequest> requests;
  for (size_t i = 0; i < 4; ++i)
    requests.push_back({prompts[i], &samplers[i], counts[i], {}});
  const auto done = generate(session, requests, nullptr);
  ASSERT_TRUE(done) << done.error().message;
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ((*done)[i].tokens, expected(prompts[i], size_t(counts[i])))
        << "request " << i;
}

TEST_P(GeneratorTest, TokensAreChosenWhereTheLogitsAre) {
  Session session = make(1);
  // The result differs from sampling with logits: the toy draws u·V of the
  // vocabulary.
  SamplerOptions options;
  options.seed = 3;
  Sampler here = Sampler::create(options, test::toyVocabulary).value(),
          there = here;
  const std::vector<int32_t> prompt = {3, 1, 4};
  const GenerationRequest request[] = {
      {.prompt = prompt, .sampler = &here, .maxTokens = 6, .endOfText = {}}};
  const auto done = generate(session, request, nullptr).value();
  std::vector<int32_t> expected = {
      there.sample(test::toyLogits(prompt)).value()};
  while (expected.size() < 6)
    expected.push_back(
        int32_t(there.drawElsewhere()[4] * float(test::toyVocabulary)));
  EXPECT_EQ(done[0].tokens, expected);

  // A bias requires reading the logits.
  options.temperature = 0;
  options.logitBias = {{7, 1e6f}};
  Sampler biased = Sampler::create(options, test::toyVocabulary).value();
  session.truncate(0, 0);
  const GenerationRequest again[] = {
      {.prompt = prompt, .sampler = &biased, .maxTokens = 4, .endOfText = {}}};
  EXPECT_EQ(generate(session, again, nullptr).value()[0].tokens,
            std::vector<int32_t>(4, 7));
}

TEST_P(GeneratorTest, WhatWasStartedAheadOfTheEndIsForgotten) {
  Session session = make(1);
  Sampler sampler = greedy();
  const std::vector<int32_t> prompt = {3, 1, 4};
  const auto all = expected(prompt, 9);
  size_t seen = 0;
  const GenerationRequest request[] = {{prompt, &sampler, 9, {}}};
  const auto done = generate(session, request, [&](size_t, int32_t) {
                      return ++seen < 3;
                    }).value();
  EXPECT_EQ(done[0].reason, StopReason::Stopped);
  EXPECT_EQ(done[0].tokens, std::vector<int32_t>(all.begin(), all.begin() + 3));
  EXPECT_EQ(session.length(0), 5) << "the prompt, and two of three tokens";
  std::vector<int32_t> history = prompt;
  history.insert(history.end(), all.begin(), all.begin() + 2);
  history.push_back(8);
  const SequenceToken next[] = {{0, 8}};
  const auto logits = session.decode(next).value();
  EXPECT_EQ(std::vector<float>(logits.begin(), logits.end()),
            test::toyLogits(history));
}

TEST_P(GeneratorTest, StopsAtTheEndOfText) {
  Session session = make(1);
  const std::vector<int32_t> prompt = {3, 1, 4};
  const auto all = expected(prompt, 8);
  const int32_t end = all[4];
  const size_t length =
      size_t(std::find(all.begin(), all.end(), end) - all.begin());
  Sampler sampler = greedy();
  const int32_t ends[] = {-1, end};
  const GenerationRequest request[] = {{prompt, &sampler, 8, ends}};
  const auto done = generate(session, request, nullptr);
  ASSERT_TRUE(done);
  EXPECT_EQ((*done)[0].reason, StopReason::EndOfText);
  EXPECT_EQ((*done)[0].tokens,
            std::vector<int32_t>(all.begin(), all.begin() + int64_t(length)));
}

TEST_P(GeneratorTest, StopsWhenTheCacheIsFull) {
  Session session = make(1);
  Sampler sampler = greedy();
  const std::vector<int32_t> prompt = {3, 1, 4};
  const GenerationRequest request[] = {{prompt, &sampler, -1, {}}};
  const auto done = generate(session, request, nullptr);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ((*done)[0].reason, StopReason::Length);
  EXPECT_EQ(
      (*done)[0].tokens,
      expected(prompt, 14)); // 13 go into the cache, one more can be predicted
  EXPECT_EQ(session.length(0), session.capacity());
}

TEST_P(GeneratorTest, APromptOfTheWholeContextStillGivesAToken) {
  Session session = make(1);
  Sampler sampler = greedy();
  const std::vector<int32_t> prompt(16, 2);
  const GenerationRequest request[] = {{prompt, &sampler, 5, {}}};
  EXPECT_EQ(generate(session, request, nullptr).value()[0].tokens,
            expected(prompt, 1));
}

TEST_P(GeneratorTest, TheCallbackCanStopOneRequest) {
  Session session = make(2);
  std::vector<Sampler> samplers(2, greedy());
  const std::vector<int32_t> prompt = {1, 2};
  const GenerationRequest requests[] = {{prompt, &samplers[0], 6, {}},
                                        {prompt, &samplers[1], 6, {}}};
  int ofFirst = 0;
  const auto done = generate(session, requests, [&](size_t request, int32_t) {
    return request != 0 || ++ofFirst < 2;
  });
  ASSERT_TRUE(done);
  EXPECT_EQ((*done)[0].reason, StopReason::Stopped);
  EXPECT_EQ((*done)[0].tokens.size(), 2u);
  EXPECT_EQ((*done)[1].reason, StopReason::Length);
  EXPECT_EQ((*done)[1].tokens.size(), 6u);
}

TEST_P(GeneratorTest, NoTokensMeansThePromptOnly) {
  Session session = make(1);
  Sampler sampler = greedy();
  const std::vector<int32_t> prompt = {1, 2};
  const GenerationRequest request[] = {{prompt, &sampler, 0, {}}};
  EXPECT_TRUE(generate(session, request, nullptr).value()[0].tokens.empty());
  EXPECT_EQ(session.length(0), 2);
}

TEST_P(GeneratorTest, ErrorsComeThrough) {
  Session session = make(1);
  Sampler sampler = greedy();
  const std::vector<int32_t> tooLong(17, 1), bad = {99};
  const GenerationRequest requests[] = {{tooLong, &sampler, 1, {}},
                                        {bad, &sampler, 1, {}}};
  EXPECT_EQ(generate(session, std::span(requests, 1), nullptr).error().code,
            ErrorCode::OutOfRange);
  EXPECT_EQ(generate(session, std::span(requests + 1, 1), nullptr).error().code,
            ErrorCode::BadInput);
  EXPECT_EQ(generate(session, requests, nullptr).error().message,
            "generate: expected at most 1 requests, got 2");
}

TILEGPT_ON_EVERY_ENGINE(GeneratorTest);

} // namespace
