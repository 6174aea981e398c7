// Prefill, decoding and scoring agree with full recomputation, however a text
// is cut into steps; invalid requests are rejected before anything is written.
#include "EveryEngine.h"
#include <algorithm>
#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::PlanKind;
using test::toyLogits;
using testing::ElementsAreArray;

namespace {

const std::vector<int32_t> text = {3, 1, 4, 1, 5, 9, 2, 6,
                                   5, 3, 5, 8, 9, 7, 9, 3};

std::span<const int32_t> first(size_t count) {
  return std::span(text).first(count);
}

class SessionTest : public test::EveryEngine {};

TEST_P(SessionTest, PrefillOfEveryLengthEqualsRecomputation) {
  Session session = make();
  for (size_t length = 1; length <= text.size(); ++length) {
    session.truncate(0, 0);
    const auto logits = session.prefill(0, first(length));
    ASSERT_TRUE(logits) << logits.error().message;
    ASSERT_THAT(*logits, ElementsAreArray(toyLogits(first(length)))) << length;
    ASSERT_EQ(session.length(0), int64_t(length));
  }
}

TEST_P(SessionTest, PrefillThenDecodeEqualsRecomputationAtEverySplit) {
  Session session = make();
  for (size_t split = 1; split < text.size(); ++split) {
    session.truncate(0, 0);
    ASSERT_TRUE(session.prefill(0, first(split)));
    for (size_t i = split; i < text.size(); ++i) {
      const SequenceToken next[] = {{0, text[i]}};
      const auto logits = session.decode(next);
      ASSERT_TRUE(logits) << logits.error().message;
      ASSERT_THAT(*logits, ElementsAreArray(toyLogits(first(i + 1))))
          << split << " " << i;
    }
  }
}

TEST_P(SessionTest, SequencesAtDifferentPositionsDecodeTogether) {
  Session session = make(7);
  std::vector<std::vector<int32_t>> histories;
  for (int64_t b = 0; b < 7; ++b) {
    histories.emplace_back(text.begin() + b, text.begin() + 2 * b + 1);
    ASSERT_TRUE(session.prefill(b, histories.back()));
  }
  // Runs of 1 to 7 adjacent sequences, more than any decode plan takes.
  const std::vector<std::vector<int64_t>> batches = {
      {0, 1, 2, 3, 4, 5, 6}, {3}, {0, 2, 4, 6}, {1, 2, 4, 5, 6}, {0, 6}};
  for (const auto &batch : batches) {
    std::vector<SequenceToken> tokens;
    std::vector<float> expected;
    for (const int64_t b : batch) {
      tokens.push_back({b, int32_t((b * 7 + 2) % 11)});
      histories[size_t(b)].push_back(tokens.back().id);
      const auto logits = toyLogits(histories[size_t(b)]);
      expected.insert(expected.end(), logits.begin(), logits.end());
    }
    const auto logits = session.decode(tokens);
    ASSERT_TRUE(logits) << logits.error().message;
    ASSERT_THAT(*logits, ElementsAreArray(expected));
  }
}

TEST_P(SessionTest, StepsThatChooseFollowEachOther) {
  Session session = make(3);
  const SequenceToken gap[] = {{0, 1}, {2, 1}}, pair[] = {{1, 5}, {2, 6}};
  EXPECT_FALSE(session.choosesAfter(gap)) << "no neighbours";
  ASSERT_TRUE(session.choosesAfter(pair));
  ASSERT_TRUE(session.prefill(1, first(4)));
  ASSERT_TRUE(session.prefill(2, first(7)));
  std::vector<std::vector<int32_t>> histories = {{}, {}};
  histories[0].assign(text.begin(), text.begin() + 4);
  histories[1].assign(text.begin(), text.begin() + 7);
  const DrawValues greedy[2] = {};
  // More steps than may be in flight: finishing one makes room.
  std::vector<int32_t> next = {5, 6};
  size_t started = 0;
  for (size_t finished = 0; finished < 7; ++finished) {
    for (; started < 7 && started - finished < Session::mostStarted; ++started)
      ASSERT_TRUE(started == 0 ? session.startStep(pair, greedy)
                               : session.startNextStep(greedy));
    const auto tokens = session.finishStep();
    ASSERT_TRUE(tokens) << tokens.error().message;
    for (size_t b = 0; b < 2; ++b) {
      histories[b].push_back(next[b]);
      const auto logits = toyLogits(histories[b]);
      next[b] = int32_t(std::ranges::max_element(logits) - logits.begin());
    }
    ASSERT_THAT(*tokens, ElementsAreArray(next)) << finished;
    EXPECT_EQ(session.length(1), int64_t(histories[0].size()));
  }
  EXPECT_EQ(session.length(2), 14);
}

TEST_P(SessionTest, StepsThatChooseStayWithinTheCache) {
  Session session = make();
  const SequenceToken next[] = {{0, 1}};
  const DrawValues greedy[1] = {};
  ASSERT_TRUE(session.prefill(0, first(14)));
  ASSERT_TRUE(session.startStep(next, greedy));
  ASSERT_TRUE(session.startNextStep(greedy));
  EXPECT_EQ(session.startNextStep(greedy).error().message,
            "session: 1 tokens do not fit: the cache holds 16 a sequence, 16 "
            "are taken");
  ASSERT_TRUE(session.finishStep());
  ASSERT_TRUE(session.finishStep());
  EXPECT_EQ(session.startStep(next, greedy).error().code,
            ErrorCode::OutOfRange);
}

TEST_P(SessionTest, AnErrorEndsAllStepsThatWereStarted) {
  Session session = make();
  const SequenceToken next[] = {{0, 1}};
  const DrawValues greedy[1] = {}, unlucky[1] = {{0, 13}};
  ASSERT_TRUE(session.prefill(0, first(3)));
  auto done = session.startStep(next, greedy);
  if (done)
    done = session.startNextStep(unlucky);
  if (done)
    done = session.startNextStep(greedy);
  if (done) {
    ASSERT_TRUE(session.finishStep());
    EXPECT_EQ(session.finishStep().error().code, ErrorCode::Failure);
  } else {
    EXPECT_THAT(done.error().message, testing::HasSubstr("k is not 13"));
  }
  // The next step starts from scratch.
  session.truncate(0, 3);
  const SequenceToken fourth[] = {{0, text[3]}};
  ASSERT_TRUE(session.startStep(fourth, greedy));
  const auto logits = toyLogits(first(4));
  EXPECT_THAT(
      session.finishStep().value(),
      testing::ElementsAre(std::ranges::max_element(logits) - logits.begin()));
}

TEST_P(SessionTest, ScoreGivesTheLogitsOfEveryToken) {
  Session session = make();
  std::vector<float> scored, expected;
  int64_t next = 0;
  const auto sink = [&](int64_t firstRow,
                        std::span<const float> logits) -> Result<void> {
    EXPECT_EQ(firstRow, next);
    next += int64_t(logits.size()) / test::toyVocabulary;
    scored.insert(scored.end(), logits.begin(), logits.end());
    return {};
  };
  ASSERT_TRUE(session.score(0, text, sink));
  for (size_t i = 1; i <= text.size(); ++i)
    for (const float logit : toyLogits(first(i)))
      expected.push_back(logit);
  EXPECT_THAT(scored, ElementsAreArray(expected));
  EXPECT_EQ(session.length(0), 16);
}

TEST_P(SessionTest, NarrowLogitsAreWidened) {
  bundle::Builder b = test::toyBuilder(GetParam());
  test::addToyPlan(b, "decode", PlanKind::Decode, 1, 1);
  test::addToyPlan(b, "score", PlanKind::Score, 1, 4,
                   bundle::ElementType::BF16);
  const auto narrow = bundle::Bundle::fromBytes(b.finish().value()).value();
  Session session =
      Session::create(narrow, weights, engineFor(narrow), 1).value();
  const auto cut = [](std::vector<float> logits) {
    for (float &logit : logits)
      logit =
          std::bit_cast<float>(std::bit_cast<uint32_t>(logit) & 0xFFFF0000u);
    return logits;
  };
  // Steps of 4, 4 and 2 rows; the last conversion is the shortest.
  size_t done = 0;
  ASSERT_TRUE(session.score(
      0, first(10),
      [&](int64_t, std::span<const float> logits) -> Result<void> {
        for (; !logits.empty();
             logits = logits.subspan(size_t(test::toyVocabulary)))
          EXPECT_THAT(logits.first(size_t(test::toyVocabulary)),
                      ElementsAreArray(cut(toyLogits(first(++done)))));
        return {};
      }));
  EXPECT_EQ(done, 10u);
  const SequenceToken next[] = {{0, text[10]}};
  EXPECT_THAT(session.decode(next).value(),
              ElementsAreArray(toyLogits(first(11))))
      << "those of other plans are as wide as before";
}

TEST_P(SessionTest, AnErrorOfTheSinkEndsScoringAndForgetsItsTokens) {
  Session session = make();
  ASSERT_TRUE(session.prefill(0, first(2)));
  int calls = 0;
  const auto scored = session.score(
      0, first(10), [&](int64_t, std::span<const float>) -> Result<void> {
        if (++calls == 2)
          return makeError(ErrorCode::Failure, "disk full");
        return {};
      });
  EXPECT_EQ(scored.error().message, "disk full");
  EXPECT_EQ(session.length(0), 2);
}

TEST_P(SessionTest, TruncatingGoesBackToAnEarlierText) {
  Session session = make();
  ASSERT_TRUE(session.prefill(0, text));
  session.truncate(0, 5);
  EXPECT_EQ(session.length(0), 5);
  session.truncate(0, 9); // nothing comes back
  EXPECT_EQ(session.length(0), 5);
  std::vector<int32_t> history(text.begin(), text.begin() + 5);
  history.push_back(7);
  const SequenceToken next[] = {{0, 7}};
  EXPECT_THAT(session.decode(next).value(),
              ElementsAreArray(toyLogits(history)));
}

TEST_P(SessionTest, ABatchGivesEverySequenceItsOwnLogits) {
  Session session = make(3);
  const std::vector<int32_t> starts = {3, 1, 4, 1}; // [2, 2]
  std::vector<float> expected;
  for (const size_t sequence : {0, 1})
    for (const float logit :
         toyLogits(std::span(starts).subspan(2 * sequence, 2)))
      expected.push_back(logit);
  EXPECT_THAT(session.append({PlanKind::Prefill, 2, starts}).value(),
              ElementsAreArray(expected));
  EXPECT_EQ(session.length(0), 2);
  EXPECT_EQ(session.length(1), 2);

  // Scores the logits of every token, after the existing ones.
  const std::vector<int32_t> ends = {5, 9, 2, 6};
  expected.clear();
  for (const size_t sequence : {0, 1}) {
    std::vector<int32_t> history(starts.begin() + long(2 * sequence),
                                 starts.begin() + long(2 * sequence) + 2);
    for (const size_t token : {0, 1}) {
      history.push_back(ends[2 * sequence + token]);
      for (const float logit : toyLogits(history))
        expected.push_back(logit);
    }
  }
  EXPECT_THAT(session.append({PlanKind::Score, 2, ends}).value(),
              ElementsAreArray(expected));

  const std::vector<int32_t> next = {1, 2, 3};
  const std::vector<int32_t> history = {3, 1, 5, 9, 1};
  EXPECT_THAT(session.append({PlanKind::Decode, 3, next})
                  .value()
                  .first(size_t(test::toyVocabulary)),
              ElementsAreArray(toyLogits(history)));
  EXPECT_EQ(session.length(2), 1);
}

TEST_P(SessionTest, BatchesThatFitNoStepAreRefused) {
  Session session = make(3);
  const auto refused = [&](PlanKind kind, int64_t sequences, size_t tokens) {
    return session.append({kind, sequences, first(tokens)}).error().message;
  };
  EXPECT_EQ(refused(PlanKind::Prefill, 2, 5),
            "session: expected as many tokens for each of 2 sequences, got 5 "
            "tokens");
  EXPECT_EQ(refused(PlanKind::Decode, 2, 4),
            "session: expected one token for each of 2 sequences, got 4 "
            "tokens");
  EXPECT_EQ(refused(PlanKind::Prefill, 3, 3),
            "session: no prefill plan takes 3 rows of 3 sequences; compile the "
            "model for larger batches");
  EXPECT_EQ(refused(PlanKind::Score, 1, 5),
            "session: no score plan takes 5 rows of 1 sequences; compile the "
            "model for larger batches");
  EXPECT_EQ(refused(PlanKind::Decode, 4, 4),
            "session: expected a sequence in [0, 3), got 3");
  EXPECT_EQ(session.length(0), 0);
}

TEST_P(SessionTest, MeasuringLeavesSequencesAsTheyAre) {
  Session session = make(2);
  ASSERT_TRUE(session.prefill(0, first(3)));
  const std::vector<int32_t> ids = {1, 2};
  const auto times = session.measure({PlanKind::Decode, 2, ids}, 4);
  ASSERT_TRUE(times) << times.error().message;
  EXPECT_EQ(times->size(), 4u);
  for (const StepTime &time : *times) {
    EXPECT_GT(time.host.count(), 0);
    EXPECT_EQ(time.device.has_value(), GetParam() == bundle::TargetKind::Cuda);
  }
  EXPECT_EQ(session.length(0), 3);
  EXPECT_EQ(session.length(1), 0);
  const SequenceToken next[] = {{0, text[3]}};
  EXPECT_THAT(session.decode(next).value(),
              ElementsAreArray(toyLogits(first(4))));
  EXPECT_EQ(session.measure({PlanKind::Decode, 2, first(3)}, 1).error().code,
            ErrorCode::Usage);
}

TEST_P(SessionTest, IdsOutsideOfTheVocabularyAreRefusedBeforeAnyLaunch) {
  Session session = make();
  ASSERT_TRUE(session.prefill(0, first(3)));
  for (const int32_t bad : {-1, 11, 50257}) {
    std::vector<int32_t> ids = {1, 2, bad, 3};
    const auto done = session.prefill(0, ids);
    EXPECT_EQ(done.error().message, "session: token 2 has id " +
                                        std::to_string(bad) +
                                        ", outside of the vocabulary of 11");
    EXPECT_EQ(done.error().code, ErrorCode::BadInput);
    const SequenceToken next[] = {{0, bad}};
    EXPECT_EQ(session.decode(next).error().code, ErrorCode::BadInput);
    EXPECT_EQ(session.length(0), 3);
  }
  const SequenceToken next[] = {{0, text[3]}};
  EXPECT_THAT(session.decode(next).value(),
              ElementsAreArray(toyLogits(first(4))));
}

TEST_P(SessionTest, TokensPastTheCapacityAreRefused) {
  Session session = make(2);
  ASSERT_TRUE(session.prefill(0, first(10)));
  const auto tooMany = session.prefill(0, first(7));
  EXPECT_EQ(tooMany.error().message, "session: 7 tokens do not fit: the cache "
                                     "holds 16 a sequence, 10 are taken");
  EXPECT_EQ(tooMany.error().code, ErrorCode::OutOfRange);
  EXPECT_EQ(session.length(0), 10);

  ASSERT_TRUE(session.prefill(1, text));
  const SequenceToken both[] = {{0, 1}, {1, 1}};
  EXPECT_EQ(session.decode(both).error().message,
            "session: 1 tokens do not fit: the cache holds 16 a sequence, 16 "
            "are taken");
  EXPECT_EQ(session.length(0), 10)
      << "the sequence that had room must not have moved";
}

TEST_P(SessionTest, SenselessRequestsAreRefused) {
  Session session = make(2);
  EXPECT_EQ(session.prefill(2, first(1)).error().message,
            "session: expected a sequence in [0, 2), got 2");
  EXPECT_EQ(session.prefill(0, {}).error().message,
            "session: expected at least one token; start an empty prompt with "
            "the model's first token");
  const SequenceToken swapped[] = {{1, 1}, {0, 1}};
  EXPECT_EQ(
      session.decode(swapped).error().message,
      "session: expected tokens ordered by sequence, got sequence 0 after 1");
  EXPECT_EQ(Session::create(toy, weights, engineFor(toy), 0).error().message,
            "session: expected 1 to 1048576 sequences, got 0");
}

TEST_P(SessionTest, SizesAreReported) {
  Session session = make(3);
  EXPECT_EQ(session.capacity(), 16);
  EXPECT_EQ(session.vocabulary(), 11);
  EXPECT_EQ(session.sequences(), 3);
  EXPECT_EQ(session.weightBytes(), 44);
  EXPECT_EQ(session.stateBytes(), 3 * 2 * 16 * 3 * 4);
}

TEST_P(SessionTest, AMissingWeightIsTheProvidersError) {
  struct Nothing : WeightProvider {
    Result<const void *> find(std::string_view name, bundle::ElementType type,
                              std::span<const int64_t> shape) override {
      EXPECT_EQ(name, "w");
      EXPECT_EQ(type, bundle::ElementType::F32);
      EXPECT_THAT(shape, testing::ElementsAre(11));
      return makeError(ErrorCode::BadInput, "weights: 'w' is missing");
    }
  } nothing;
  EXPECT_EQ(Session::create(toy, nothing, engineFor(toy), 1).error().message,
            "weights: 'w' is missing");
}

TEST_P(SessionTest, ABundleThatIsNoLanguageModelIsRefused) {
  const auto messageOf = [&](bundle::Builder b) {
    const auto other = bundle::Bundle::fromBytes(b.finish().value()).value();
    return Session::create(other, weights, engineFor(other), 1).error().message;
  };
  EXPECT_EQ(messageOf(test::toyBuilder(GetParam())),
            "session: the bundle has no plan for a single token");
  {
    bundle::Builder b = test::toyBuilder(GetParam());
    test::addToyPlan(b, "decode", bundle::PlanKind::Decode, 2, 4);
    EXPECT_EQ(messageOf(std::move(b)),
              "session: the bundle has no plan for a single token");
  }
  {
    bundle::Builder b = test::toyBuilder(GetParam());
    b.beginPlan("p", bundle::PlanKind::Decode, 1, 1, 1);
    b.endPlan(0);
    EXPECT_EQ(messageOf(std::move(b)),
              "session: plan 'p' has no output 'logits'");
  }
  {
    bundle::Builder b = test::toyBuilder(GetParam());
    b.beginPlan("p", bundle::PlanKind::Decode, 1, 1, 1);
    const bundle::Extent shape[] = {bundle::Extent::sequences(), {12}};
    b.addBuffer("logits", bundle::BufferKind::Output, bundle::ElementType::F32,
                shape);
    b.endPlan(0);
    EXPECT_EQ(messageOf(std::move(b)),
              "session: plan 'p' expected inputs ids i32[N] and pos i32[B] and "
              "the output "
              "logits f32|bf16|f16[B, 11], got 'logits' of another kind, type "
              "or shape");
  }
}

TEST_P(SessionTest, ABundleWithOnlyOneRowPlansStillRunsEverything) {
  bundle::Builder b = test::toyBuilder(GetParam());
  test::addToyPlan(b, "decode", bundle::PlanKind::Decode, 1, 1);
  const auto small = bundle::Bundle::fromBytes(b.finish().value()).value();
  Session session =
      Session::create(small, weights, engineFor(small), 2).value();
  EXPECT_THAT(session.prefill(0, text).value(),
              ElementsAreArray(toyLogits(text)));
  int64_t rows = 0;
  ASSERT_TRUE(session.score(
      1, first(4), [&](int64_t, std::span<const float> logits) -> Result<void> {
        ++rows;
        EXPECT_THAT(logits, ElementsAreArray(toyLogits(first(size_t(rows)))));
        return {};
      }));
  EXPECT_EQ(rows, 4);
}

TILEGPT_ON_EVERY_ENGINE(SessionTest);

class SessionOnCpu : public testing::Test {
protected:
  bundle::Bundle toy = test::toyBundle();
  test::ToyWeights weights;
};

TEST_F(SessionOnCpu, ThreadsDoNotChangeResults) {
  Session one = Session::create(toy, weights, {1, 1}).value(),
          four = Session::create(toy, weights, {1, 4}).value();
  EXPECT_EQ(four.describeEngine(), "4 threads");
  const auto expected = one.prefill(0, text).value();
  EXPECT_THAT(four.prefill(0, text).value(), ElementsAreArray(expected));
}

TEST_F(SessionOnCpu, ABundleForAGpuIsRefused) {
  toy = test::toyBundle(bundle::TargetKind::Cuda);
  const auto session = Session::create(toy, weights, {});
  EXPECT_EQ(session.error().code, ErrorCode::Device);
  EXPECT_EQ(session.error().message,
            "cpu: the bundle was compiled for a GPU ('sm_90a'); run it there "
            "or compile the model again here");
}

TEST_F(SessionOnCpu, SenselessNumbersOfThreadsAreRefused) {
  EXPECT_EQ(Session::create(toy, weights, {1, 5000}).error().message,
            "session: expected at most 4096 threads, got 5000");
}

} // namespace
