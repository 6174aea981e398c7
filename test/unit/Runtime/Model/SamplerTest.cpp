// Every filter keeps what its definition says, draws follow the probabilities,
// and invalid options are named.
#include "TileGPT/Runtime/Model/Sampler.h"
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>

using namespace tilegpt::runtime;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// All filters off: draws from the plain softmax.
SamplerOptions plain() {
  SamplerOptions options;
  options.temperature = 1;
  options.topK = 0;
  options.topP = 1;
  options.minP = 0;
  return options;
}

std::vector<float> logitsOf(std::initializer_list<double> probabilities) {
  std::vector<float> logits;
  for (const double p : probabilities)
    logits.push_back(float(std::log(p)));
  return logits;
}

/// How often each token is drawn, as a fraction of 20000 draws.
std::map<int32_t, double> frequencies(const SamplerOptions &options,
                                      const std::vector<float> &logits) {
  Sampler sampler = Sampler::create(options, int64_t(logits.size())).value();
  std::map<int32_t, double> hits;
  for (int i = 0; i < 20000; ++i)
    hits[sampler.sample(logits).value()] += 1. / 20000;
  return hits;
}

/// The standard deviation of a frequency over 20000 draws is at most 0.0036;
/// this is five of them.
constexpr double tolerance = 0.018;

TEST(Sampler, TemperatureZeroTakesTheBestAndTheFirstOfEquals) {
  SamplerOptions options = plain();
  options.temperature = 0;
  Sampler sampler = Sampler::create(options, 5).value();
  EXPECT_EQ(sampler.sample(std::vector<float>{1, 3, 2, 3, -7}), 1);
  EXPECT_EQ(sampler.sample(std::vector<float>{-inf, -inf, -5, -inf, -inf}), 2);
}

TEST(Sampler, DrawsFollowTheSoftmax) {
  const auto hits = frequencies(plain(), logitsOf({0.5, 0.3, 0.15, 0.05}));
  EXPECT_NEAR(hits.at(0), 0.5, tolerance);
  EXPECT_NEAR(hits.at(1), 0.3, tolerance);
  EXPECT_NEAR(hits.at(2), 0.15, tolerance);
  EXPECT_NEAR(hits.at(3), 0.05, tolerance);
}

TEST(Sampler, TemperatureSharpensAndFlattens) {
  SamplerOptions options = plain();
  options.temperature = 0.5f; // squares the odds
  EXPECT_NEAR(frequencies(options, logitsOf({0.75, 0.25})).at(0), 0.9,
              tolerance);
  options.temperature = 1e6f;
  EXPECT_NEAR(frequencies(options, logitsOf({0.75, 0.25})).at(0), 0.5,
              tolerance);
}

TEST(Sampler, TopKKeepsTheKBest) {
  SamplerOptions options = plain();
  options.topK = 2;
  const auto hits = frequencies(options, logitsOf({0.1, 0.4, 0.2, 0.3}));
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_NEAR(hits.at(1), 4. / 7, tolerance);
  EXPECT_NEAR(hits.at(3), 3. / 7, tolerance);
}

TEST(Sampler, TopPKeepsTheFewestThatReachIt) {
  SamplerOptions options = plain();
  options.topP = 0.65f;
  const auto hits = frequencies(options, logitsOf({0.1, 0.4, 0.2, 0.3}));
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_NEAR(hits.at(1), 4. / 7, tolerance);
  options.topP = 1e-6f; // never fewer than one
  EXPECT_EQ(frequencies(options, logitsOf({0.1, 0.4, 0.2, 0.3})).size(), 1u);
}

TEST(Sampler, TopPWorksPastItsFirstBlockOfSortedTokens) {
  SamplerOptions options = plain();
  options.topP = 0.5f;
  const std::vector<float> equal(200, 0.f);
  const auto hits = frequencies(options, equal);
  EXPECT_LE(hits.rbegin()->first, 100)
      << "of equal tokens the first ones are kept";
  EXPECT_GE(hits.size(), 100u);
}

TEST(Sampler, MinPIsRelativeToTheBest) {
  SamplerOptions options = plain();
  options.minP = 0.45f;
  const auto hits = frequencies(options, logitsOf({0.1, 0.45, 0.2, 0.25}));
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_TRUE(hits.contains(1) && hits.contains(3));
}

TEST(Sampler, TopPLooksAtWhatTopKLeft) {
  SamplerOptions options = plain();
  options.topK = 2; // leaves 4/7 and 3/7
  options.topP = 0.55f;
  EXPECT_EQ(frequencies(options, logitsOf({0.1, 0.4, 0.2, 0.3})).size(), 1u);
}

TEST(Sampler, RepeatPenaltyDividesPositiveAndMultipliesNegativeLogits) {
  SamplerOptions options = plain();
  options.temperature = 0;
  options.repeatPenalty = 2;
  Sampler sampler = Sampler::create(options, 3).value();
  sampler.accept(0);
  EXPECT_EQ(sampler.sample(std::vector<float>{4, 2.5, 0}), 1); // 4 / 2 < 2.5
  EXPECT_EQ(sampler.sample(std::vector<float>{4, 1.5, 0}), 0); // 4 / 2 > 1.5
  EXPECT_EQ(sampler.sample(std::vector<float>{-1, -1.5, -9}),
            1); // -1 * 2 < -1.5
}

TEST(Sampler, PresenceCountsOnceAndFrequencyEveryTime) {
  SamplerOptions options = plain();
  options.temperature = 0;
  options.presencePenalty = 1;
  Sampler presence = Sampler::create(options, 2).value();
  options.presencePenalty = 0;
  options.frequencyPenalty = 1;
  Sampler frequency = Sampler::create(options, 2).value();
  for (int i = 0; i < 3; ++i) {
    presence.accept(0);
    frequency.accept(0);
  }
  EXPECT_EQ(presence.sample(std::vector<float>{2.5f, 1}), 0);
  EXPECT_EQ(frequency.sample(std::vector<float>{2.5f, 1}), 1);
}

TEST(Sampler, PenaltiesForgetAfterRepeatLastN) {
  SamplerOptions options = plain();
  options.temperature = 0;
  options.presencePenalty = 1;
  for (const int32_t lastN : {2, -1, 0}) {
    options.repeatLastN = lastN;
    Sampler sampler = Sampler::create(options, 4).value();
    const std::vector<float> logits = {1.5f, 1, 0, 0};
    sampler.accept(0);
    sampler.accept(2);
    EXPECT_EQ(sampler.sample(logits), lastN == 0 ? 0 : 1);
    sampler.accept(3);
    EXPECT_EQ(sampler.sample(logits), lastN == -1 ? 1 : 0);
  }
}

TEST(Sampler, BiasMovesAndBans) {
  SamplerOptions options = plain();
  options.temperature = 0;
  options.logitBias = {{0, -inf}, {2, 5.f}};
  Sampler sampler = Sampler::create(options, 3).value();
  EXPECT_EQ(sampler.sample(std::vector<float>{9, 2, 0}), 2);
  EXPECT_EQ(sampler.sample(std::vector<float>{9, 8, 0}), 1);
  options.temperature = 1;
  EXPECT_FALSE(frequencies(options, {9, 2, 0}).contains(0));
}

TEST(Sampler, TheSameSeedGivesTheSameTokens) {
  std::vector<float> logits;
  for (int i = 0; i < 300; ++i)
    logits.push_back(float((i * 7919) % 101) / 20);
  SamplerOptions options;
  options.seed = 42;
  Sampler a = Sampler::create(options, 300).value(),
          b = Sampler::create(options, 300).value();
  options.seed = 43;
  Sampler c = Sampler::create(options, 300).value();
  std::vector<int32_t> fromA, fromB, fromC;
  for (int i = 0; i < 50; ++i) {
    fromA.push_back(a.sample(logits).value());
    fromB.push_back(b.sample(logits).value());
    fromC.push_back(c.sample(logits).value());
  }
  EXPECT_EQ(fromA, fromB);
  EXPECT_NE(fromA, fromC);
  // Recorded values: a seed must give the same draws in every release.
  EXPECT_THAT(std::vector<int32_t>(fromA.begin(), fromA.begin() + 6),
              testing::ElementsAre(187, 224, 187, 64, 251, 234));
}

TEST(Sampler, DrawsElsewhereTakeThePlaceOfSamples) {
  SamplerOptions options;
  options.seed = 7;
  options.minP = 0.25f;
  Sampler here = Sampler::create(options, 3).value(), there = here;
  const std::vector<float> logits = {1, 2, 3};
  ASSERT_TRUE(here.sample(logits));
  const DrawValues draw = there.drawElsewhere();
  EXPECT_EQ(draw[0], 0.8f);
  EXPECT_EQ(draw[1], 40);
  EXPECT_EQ(draw[2], 0.95f);
  EXPECT_EQ(draw[3], std::log(0.25f));
  EXPECT_EQ(here.drawElsewhere()[4], there.drawElsewhere()[4])
      << "both have drawn once";
  EXPECT_FALSE(here.changesLogits());
  options.presencePenalty = 1;
  EXPECT_TRUE(Sampler::create(options, 3)->changesLogits());
  options = plain();
  options.minP = 0;
  EXPECT_EQ(Sampler::create(options, 3)->drawElsewhere()[3], -inf);
}

TEST(Sampler, TheDrawGoesThroughTheTokensInTheirOrder) {
  // Twenty tokens of equal weight: token floor(20·u), in the order of ids.
  SamplerOptions options = plain();
  Sampler sampler = Sampler::create(options, 20).value();
  const std::vector<float> equal(20, 1.f);
  for (int i = 0; i < 50; ++i) {
    Sampler copy = sampler;
    EXPECT_EQ(sampler.sample(equal).value(),
              int32_t(copy.drawElsewhere()[4] * 20));
  }
}

TEST(Sampler, WhatCannotBeSampledIsNamed) {
  SamplerOptions options = plain();
  Sampler sampler = Sampler::create(options, 3).value();
  EXPECT_EQ(sampler.sample(std::vector<float>{0, nan, 0}).error().message,
            "sampler: the model gave token 1 the logit nan, expected finite "
            "ones; the weights have such values, or activations exceed the "
            "range of --dtype f16");
  EXPECT_EQ(sampler.sample(std::vector<float>{0, 0, inf}).error().message,
            "sampler: the model gave token 2 the logit inf, expected finite "
            "ones; the weights have such values, or activations exceed the "
            "range of --dtype f16");
  EXPECT_EQ(sampler.sample(std::vector<float>{0, 0}).error().message,
            "sampler: expected 3 logits, got 2");
  options.logitBias = {{0, -inf}, {1, -inf}, {2, -inf}};
  EXPECT_EQ(Sampler::create(options, 3)
                .value()
                .sample(std::vector<float>{1, 2, 3})
                .error()
                .message,
            "sampler: every token is banned; check logit-bias");
}

TEST(Sampler, SenselessOptionsAreNamed) {
  const auto messageOf = [](auto change) {
    SamplerOptions options;
    change(options);
    const auto sampler = Sampler::create(options, 10);
    if (sampler)
      return std::string("no error");
    EXPECT_EQ(sampler.error().code, ErrorCode::Usage);
    return sampler.error().message;
  };
  using Options = SamplerOptions;
  EXPECT_EQ(messageOf([](Options &) {}), "no error");
  EXPECT_EQ(messageOf([](Options &o) { o.temperature = nan; }),
            "sampler: temp expected a finite number >= 0, got nan");
  EXPECT_EQ(messageOf([](Options &o) { o.temperature = -1; }),
            "sampler: temp expected a finite number >= 0, got -1");
  EXPECT_EQ(messageOf([](Options &o) { o.temperature = inf; }),
            "sampler: temp expected a finite number >= 0, got inf");
  EXPECT_EQ(messageOf([](Options &o) { o.topK = -3; }),
            "sampler: top-k expected a count >= 0 (0: all tokens), got -3");
  EXPECT_EQ(messageOf([](Options &o) { o.topP = 0; }),
            "sampler: top-p expected a number in (0, 1], got 0");
  EXPECT_EQ(messageOf([](Options &o) { o.topP = nan; }),
            "sampler: top-p expected a number in (0, 1], got nan");
  EXPECT_EQ(messageOf([](Options &o) { o.minP = 1.5f; }),
            "sampler: min-p expected a number in [0, 1], got 1.5");
  EXPECT_EQ(messageOf([](Options &o) { o.repeatPenalty = 0; }),
            "sampler: repeat-penalty expected a number > 0, got 0");
  EXPECT_EQ(
      messageOf([](Options &o) { o.repeatLastN = -2; }),
      "sampler: repeat-last-n expected a count >= -1 (-1: all tokens), got -2");
  EXPECT_EQ(messageOf([](Options &o) { o.presencePenalty = nan; }),
            "sampler: presence-penalty expected a finite number, got nan");
  EXPECT_EQ(messageOf([](Options &o) { o.frequencyPenalty = inf; }),
            "sampler: frequency-penalty expected a finite number, got inf");
  EXPECT_EQ(messageOf([](Options &o) { o.logitBias = {{10, 1.f}}; }),
            "sampler: logit-bias expected an id in [0, 10), got 10");
  EXPECT_EQ(
      messageOf([](Options &o) { o.logitBias = {{1, nan}}; }),
      "sampler: logit-bias of token 1 expected a number or -inf, got nan");
}

} // namespace
