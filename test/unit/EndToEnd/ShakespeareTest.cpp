// The demo model, end to end: compiles models/gpt2.mlir in memory, runs it on
// the real checkpoint and compares with the results of Hugging Face
// transformers in fp32.
#include "DemoModel.h"
#include "ReferenceResults.h"
#include "TileGPT/Runtime/Model/Perplexity.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::test;
using runtime::Session;

namespace {

TEST(Shakespeare, GreedyTokensEqualTheReference) {
  for (const auto &prompt : demoModel().reference()["prompts"]) {
    Session session = demoModel().session();
    expectReferenceTokens(session, prompt);
  }
}

TEST(Shakespeare, AKernelLaunchedByHandWritesTheSameText) {
  DemoModel model({}, "examples/fused-mlp.mlir");
  Session session = model.session();
  expectReferenceTokens(session, model.reference()["prompts"][0]);
}

TEST(Shakespeare, LogitsAgreeWithTheReference) {
  Session session = demoModel().session();
  expectReferenceLogits(session, demoModel().reference(), demoFolder());
}

TEST(Shakespeare, PerplexityOfTheValidationTokens) {
  DemoModel &model = demoModel();
  auto ids = model.reference()["val_tokens"].get<std::vector<int32_t>>();
  Session session = model.session();
  auto perplexity = runtime::measurePerplexity(
      session, ids, model.reference()["window"].get<int64_t>());
  ASSERT_TRUE(perplexity) << perplexity.error().message;
  EXPECT_EQ(perplexity->windows, 4);
  EXPECT_NEAR(perplexity->value, 45.356, 0.05);
}

TEST(Shakespeare, StepsAgreeWithRecomputation) {
  DemoModel &model = demoModel();
  auto tokens = model.reference()["val_tokens"].get<std::vector<int32_t>>();
  std::span<const int32_t> ids(tokens.data(), 100);
  Session session = model.session();
  auto rows = scoreAll(session, ids);
  // A prompt in pieces of awkward sizes, then one token at a time.
  size_t done = 0;
  for (size_t piece : {1, 31, 17, 2}) {
    auto logits = session.prefill(0, ids.subspan(done, piece));
    ASSERT_TRUE(logits) << logits.error().message;
    done += piece;
    EXPECT_LT(distance(*logits, rows[done - 1]), 1e-3) << done;
  }
  for (; done < ids.size(); ++done) {
    runtime::SequenceToken token{0, ids[done]};
    auto logits = session.decode({&token, 1});
    ASSERT_TRUE(logits) << logits.error().message;
    EXPECT_LT(distance(*logits, rows[done]), 1e-3) << done;
  }
}

TEST(Shakespeare, PromptsUpToTheWholeContext) {
  DemoModel &model = demoModel();
  auto tokens = model.reference()["val_tokens"].get<std::vector<int32_t>>();
  Session session = model.session();
  auto rows = scoreAll(session, {tokens.data(), 512});
  for (size_t length : {511u, 512u}) {
    auto logits = session.prefill(0, {tokens.data(), length});
    ASSERT_TRUE(logits) << logits.error().message;
    EXPECT_LT(distance(*logits, rows[length - 1]), 1e-3) << length;
    session.truncate(0, 0);
  }
  auto tooLong = session.prefill(0, {tokens.data(), 513});
  ASSERT_FALSE(tooLong);
  EXPECT_EQ(tooLong.error().code, runtime::ErrorCode::OutOfRange);
}

TEST(Shakespeare, AFutureTokenLeavesEarlierLogitsBitIdentical) {
  DemoModel &model = demoModel();
  auto tokens = model.reference()["val_tokens"].get<std::vector<int32_t>>();
  tokens.resize(70);
  Session session = model.session();
  auto before = scoreAll(session, tokens);
  tokens.back() = (tokens.back() + 1) % int32_t(session.vocabulary());
  auto after = scoreAll(session, tokens);
  for (size_t row = 0; row + 1 < before.size(); ++row)
    EXPECT_EQ(before[row], after[row]) << row;
  EXPECT_NE(before.back(), after.back());
}

TEST(Shakespeare, ABatchOfFourEqualsFourBatchesOfOne) {
  compiler::CompileOptions options;
  options.sequences = 4;
  DemoModel model(options);
  std::vector<std::vector<int32_t>> prompts;
  for (const auto &prompt : model.reference()["prompts"])
    prompts.push_back(prompt["ids"].get<std::vector<int32_t>>());
  ASSERT_EQ(prompts.size(), 4u);
  Session together = model.session(4);
  std::vector<Session> alone;
  for (size_t i = 0; i < prompts.size(); ++i) {
    alone.push_back(model.session());
    ASSERT_TRUE(together.prefill(int64_t(i), prompts[i]));
    ASSERT_TRUE(alone[i].prefill(0, prompts[i]));
  }
  std::vector<runtime::SequenceToken> step(4);
  for (int32_t round = 0; round < 20; ++round) {
    for (int64_t i = 0; i < 4; ++i)
      step[i] = {i, int32_t((round * 97 + i * 331) % 2048)};
    auto logits = together.decode(step);
    ASSERT_TRUE(logits) << logits.error().message;
    for (size_t i = 0; i < 4; ++i) {
      runtime::SequenceToken token{0, step[i].id};
      auto expected = alone[i].decode({&token, 1});
      ASSERT_TRUE(expected);
      EXPECT_LT(distance(logits->subspan(i * 2048, 2048), *expected), 1e-3)
          << "round " << round << " sequence " << i;
    }
  }
}

TEST(Shakespeare, Bf16WeightsAreThoseOfTheCheckpoint) {
  // The checkpoint is bf16, so bf16 weights lose nothing: only the order of f32
  // sums differs.
  compiler::CompileOptions options;
  options.weightType = bundle::ElementType::BF16;
  DemoModel narrow(options), &wide = demoModel();
  auto tokens = wide.reference()["val_tokens"].get<std::vector<int32_t>>();
  tokens.resize(40);
  Session a = narrow.session(), b = wide.session();
  auto narrowRows = scoreAll(a, tokens), wideRows = scoreAll(b, tokens);
  for (size_t row = 0; row < tokens.size(); ++row)
    EXPECT_LT(distance(narrowRows[row], wideRows[row]), logitTolerance);
}

TEST(Shakespeare, ABundleOnDiskRunsWithIdenticalOutput) {
  DemoModel &model = demoModel();
  auto path = std::filesystem::temp_directory_path() /
              ("tilegpt-" + std::to_string(getpid()) + ".tgb");
  ASSERT_TRUE(bundle::save(model.bundle().bytes(), path));
  auto opened = bundle::Bundle::open(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(opened) << opened.error().message;
  std::vector<int32_t> prompt = {859, 26};
  Session fresh = model.session();
  auto session = Session::create(*opened, model.weights(), {1, 2});
  ASSERT_TRUE(session) << session.error().message;
  auto a = fresh.prefill(0, prompt), b = session->prefill(0, prompt);
  ASSERT_TRUE(a && b);
  EXPECT_TRUE(std::ranges::equal(*a, *b));
}

TEST(Shakespeare, CompilingTwiceGivesTheSameBytes) {
  DemoModel again;
  EXPECT_TRUE(
      std::ranges::equal(again.bundle().bytes(), demoModel().bundle().bytes()));
}

} // namespace
