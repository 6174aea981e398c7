// Checkpoints on several ranks, each a session with its part of the weights,
// give the logits and tokens of a single rank.
#include "DemoModel.h"
#include "Families.h"
#include "ReferenceResults.h"
#include "TileGPT/Runtime/Config/ModelConfig.h"
#include "TileGPT/Runtime/Cpu/CpuEngine.h"
#include "TileGPT/Runtime/Data/Safetensors.h"
#include "TileGPT/Runtime/Ranks/Group.h"
#include "TileGPT/Runtime/Weights/RandomWeights.h"
#include "ValueOf.h"
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace tilegpt;
using namespace tilegpt::test;
using runtime::Session;

namespace {

/// A model compiled for several ranks, and where its weights come from.
struct Compiled {
  std::optional<bundle::Bundle> bundle;
  std::function<std::unique_ptr<runtime::WeightProvider>(bundle::Rank)> weights;
};

Compiled compileCheckpoint(const std::string &text,
                           const std::filesystem::path &folder,
                           const std::string &settings, int64_t ranks) {
  auto source = valueOf(compiler::readModel(
      (sourceFolder() / "models" / (text + ".mlir")).string()));
  compiler::CompileOptions options;
  options.settings = settings;
  options.ranks = ranks;
  options.sequences = 2;
  options.stepRows = 64;
  Compiled compiled;
  auto tables = valueOf(compiler::describeModel(source));
  if (!folder.empty()) {
    auto config =
        valueOf(runtime::ModelConfig::read(folder / "config.json", tables));
    for (const auto &[name, value] : config.settings)
      options.settings += name + "=" + format(value) + " ";
  }
  compiled.bundle = valueOf(bundle::Bundle::fromBytes(
      valueOf(compiler::compileModel(source, options))));
  auto final = valueOf(runtime::ModelTables::parse(
      compiled.bundle->string(compiled.bundle->model().tables), "bundle"));
  compiled.weights =
      [=](bundle::Rank rank) -> std::unique_ptr<runtime::WeightProvider> {
    if (folder.empty())
      return runtime::randomWeights(7, 1, rank);
    runtime::WeightStore::Options options;
    options.threads = 1;
    options.rank = rank;
    auto store =
        valueOf(runtime::WeightStore::open(folder, tables.weights, options));
    store->setInterleaved(final.weights.interleaved);
    return store;
  };
  return compiled;
}

/// Runs `body` on all ranks of a model, each in a thread with its own session.
void onRanks(const Compiled &compiled,
             const std::function<void(Session &, int64_t rank)> &body) {
  const int64_t ranks = compiled.bundle->model().ranks;
  // Every test process uses its own port.
  const auto port = uint16_t(20000 + ::getpid() % 20000);
  std::vector<std::thread> threads;
  for (int64_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      runtime::GroupOptions options;
      options.silenceLimit = std::chrono::minutes(5);
      auto group = valueOf(runtime::Group::join(
          {{rank, ranks}, rank, "127.0.0.1", port}, options));
      auto weights = compiled.weights({rank, ranks});
      auto engine =
          valueOf(cpu::CpuEngine::create(*compiled.bundle, 1, group.get()));
      Session session = valueOf(
          Session::create(*compiled.bundle, *weights, std::move(engine), 2));
      body(session, rank);
    });
  for (std::thread &thread : threads)
    thread.join();
}

using Parameters = std::tuple<Family, int>;
class FamiliesOnRanks : public testing::TestWithParam<Parameters> {};

TEST_P(FamiliesOnRanks, AgreeWithTransformers) {
  const auto &[family, ranks] = GetParam();
  const auto folder = family.folder();
  const Compiled compiled = compileCheckpoint(family.model, folder, "", ranks);
  std::ifstream file(folder / "reference.json");
  const auto prompts = nlohmann::json::parse(file)["prompts"];
  auto reference = valueOf(runtime::Safetensors::open(
      folder / "reference_logits.safetensors", "test"));
  constexpr size_t number = 2; // a window of 16 does not reach all of it
  const auto ids = prompts[number]["ids"].get<std::vector<int32_t>>();
  const auto *tensor = reference.find("logits." + std::to_string(number));
  ASSERT_NE(tensor, nullptr);
  const auto *expected =
      reinterpret_cast<const float *>(reference.bytes(*tensor).data());
  onRanks(compiled, [&](Session &session, int64_t rank) {
    const auto rows = scoreAll(session, ids);
    ASSERT_EQ(rows.size(), ids.size());
    for (size_t row = 0; row < rows.size(); ++row)
      EXPECT_LT(distance(rows[row],
                         {expected + row * rows[row].size(), rows[row].size()}),
                logitTolerance)
          << "rank " << rank << ", token " << row;
    session.truncate(0, 0);
    expectReferenceTokens(session, prompts[number]);
  });
}

INSTANTIATE_TEST_SUITE_P(
    All, FamiliesOnRanks,
    testing::Combine(testing::ValuesIn(familiesThatSplit()),
                     testing::Values(2, 4)),
    [](const auto &info) {
      return std::get<0>(info.param).identifier() + "_" +
             std::to_string(std::get<1>(info.param));
    });

class DemoOnRanks : public testing::TestWithParam<int> {};

TEST_P(DemoOnRanks, GivesTheTokensOfTheReference) {
  const int64_t ranks = GetParam();
  const Compiled compiled = compileCheckpoint("gpt2", demoFolder(), "", ranks);
  std::ifstream file(demoFolder() / "reference.json");
  const auto reference = nlohmann::json::parse(file);
  std::atomic<int64_t> weightBytes{0}, stateBytes{0};
  onRanks(compiled, [&](Session &session, int64_t) {
    for (const auto &prompt : reference["prompts"]) {
      expectReferenceTokens(session, prompt);
      session.truncate(0, 0);
    }
    weightBytes += session.weightBytes();
    stateBytes += session.stateBytes();
  });
  const Session one = demoModel().session(2);
  EXPECT_EQ(stateBytes, one.stateBytes());
  // All ranks hold norms and biases, and each its part of the rest, including
  // the embedding, which is also the output head.
  EXPECT_GE(weightBytes, one.weightBytes());
  EXPECT_NEAR(double(weightBytes), double(one.weightBytes()),
              0.01 * double(one.weightBytes()));
}

INSTANTIATE_TEST_SUITE_P(All, DemoOnRanks, testing::Values(2, 4));

/// 5 heads on 2 ranks and 8 heads on 8 ranks, compared with one rank: prompts,
/// and two sequences at once.
class RandomOnRanks
    : public testing::TestWithParam<std::pair<const char *, int>> {};

TEST_P(RandomOnRanks, AgreesWithOneRank) {
  const auto &[settings, ranks] = GetParam();
  const std::vector<int32_t> ids = {3, 17, 5, 30, 8, 1, 2};
  std::vector<std::vector<float>> expected;
  std::vector<float> batch;
  const auto run = [&](Session &session, std::vector<std::vector<float>> &rows,
                       std::vector<float> &together) {
    rows = scoreAll(session, ids);
    ASSERT_TRUE(session.prefill(1, std::span(ids).first(3)));
    const runtime::SequenceToken tokens[] = {{0, 4}, {1, 9}};
    const auto logits = session.decode(tokens);
    ASSERT_TRUE(logits) << logits.error().message;
    together.assign(logits->begin(), logits->end());
  };
  onRanks(compileCheckpoint("gpt2", "", settings, 1),
          [&](Session &session, int64_t) { run(session, expected, batch); });
  onRanks(compileCheckpoint("gpt2", "", settings, ranks),
          [&](Session &session, int64_t) {
            std::vector<std::vector<float>> rows;
            std::vector<float> together;
            run(session, rows, together);
            ASSERT_EQ(rows.size(), expected.size());
            for (size_t row = 0; row < rows.size(); ++row)
              EXPECT_LT(distance(rows[row], expected[row]), 1e-4);
            EXPECT_LT(distance(together, batch), 1e-4);
          });
}

INSTANTIATE_TEST_SUITE_P(
    All, RandomOnRanks,
    testing::Values(
        std::pair{"layers=2 heads=5 width=40 inner=72 context=16 vocab=33 ", 2},
        std::pair{"layers=2 heads=8 width=64 inner=200 context=16 vocab=50 ",
                  8}));

TEST(OnRanks, AnotherNumberThanCompiledForIsRefused) {
  const Compiled compiled = compileCheckpoint(
      "gpt2", "", "layers=1 heads=2 width=16 context=16 vocab=33 ", 2);
  const auto engine = cpu::CpuEngine::create(*compiled.bundle, 1);
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().message,
            "ranks: the model is compiled for 2 ranks, got 1; run it with --tp "
            "2 or compile it again");
}

} // namespace
