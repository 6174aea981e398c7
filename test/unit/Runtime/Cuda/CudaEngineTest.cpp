// Steps on a device: the same numbers in every launch mode, one graph for
// repeated steps, errors that name the launch, and no leaks whichever driver
// call fails.
#include "TileGPT/Runtime/Cuda/CudaEngine.h"
#include "OpenFake.h"
#include "Toy/ToyModel.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::TargetKind;
using runtime::ErrorCode;
using runtime::Result;
using runtime::Step;
using testing::ElementsAre;
using testing::ElementsAreArray;

namespace {

class CudaEngineTest : public testing::Test {
protected:
  Result<std::unique_ptr<CudaEngine>>
  tryMake(LaunchMode mode = LaunchMode::Graphs, int64_t sequences = 4) {
    auto device = test::tryOpenFake();
    if (!device)
      return tl::unexpected(device.error());
    auto engine = CudaEngine::create(toy, std::move(*device), mode);
    if (!engine)
      return engine;
    auto loaded = (*engine)->load(sequences, [&](uint32_t index) {
      const int64_t shape[] = {test::toyVocabulary};
      return weights.find(toy.string(toy.buffers()[index].name),
                          toy.buffers()[index].type, shape);
    });
    if (!loaded)
      return tl::unexpected(loaded.error());
    return engine;
  }
  std::unique_ptr<CudaEngine> make(LaunchMode mode = LaunchMode::Graphs) {
    return tryMake(mode).value();
  }

  /// Runs `ids` of one sequence, starting at `position`.
  Result<std::span<const float>> step(CudaEngine &engine,
                                      std::vector<int32_t> ids,
                                      int32_t position, int64_t sequence = 0) {
    std::ranges::copy(ids, engine.ids().begin());
    engine.positions()[0] = position;
    return engine.run({&plan(ids.size() == 1 ? "decode1" : "prefill"),
                       int64_t(ids.size()), 1, sequence});
  }
  const bundle::Plan &plan(std::string_view name) const {
    return *std::ranges::find_if(toy.plans(), [&](const auto &plan) {
      return toy.string(plan.name) == name;
    });
  }

  test::FakeCuda &fake = test::freshFake();
  bundle::Bundle toy = test::toyBundle(TargetKind::Cuda);
  test::ToyWeights weights;
};

TEST_F(CudaEngineTest, EveryLaunchModeGivesTheSameNumbers) {
  for (const LaunchMode mode :
       {LaunchMode::Graphs, LaunchMode::Plain, LaunchMode::Checked}) {
    const auto engine = make(mode);
    std::vector<int32_t> history = {3, 1, 4};
    ASSERT_THAT(step(*engine, history, 0).value(),
                ElementsAreArray(test::toyLogits(history)));
    for (const int32_t id : {1, 5, 9, 2, 6}) {
      const int32_t position = int32_t(history.size());
      history.push_back(id);
      const auto logits = step(*engine, {id}, position);
      ASSERT_TRUE(logits) << logits.error().message;
      ASSERT_THAT(*logits, ElementsAreArray(test::toyLogits(history)));
    }
  }
}

TEST_F(CudaEngineTest, TheFirstDriverAcceptedRunsSteps) {
  fake.version = 12000; // tells nothing of parameters
  const auto engine = make();
  std::vector<int32_t> history;
  for (const int32_t id : {3, 1, 4}) {
    const int32_t position = int32_t(history.size());
    history.push_back(id);
    ASSERT_THAT(step(*engine, {id}, position).value(),
                ElementsAreArray(test::toyLogits(history)));
  }
}

TEST_F(CudaEngineTest, AStepBecomesAGraphWhenItIsRunAgain) {
  const auto engine = make();
  ASSERT_TRUE(step(*engine, {3}, 0));
  EXPECT_EQ(fake.calls["cuGraphInstantiateWithFlags"], 0);
  EXPECT_EQ(fake.launches.size(), 3u);
  ASSERT_TRUE(step(*engine, {1}, 1));
  ASSERT_TRUE(step(*engine, {4}, 2));
  ASSERT_TRUE(step(*engine, {1}, 3));
  EXPECT_EQ(fake.calls["cuGraphInstantiateWithFlags"], 1);
  EXPECT_EQ(fake.graphLaunches, 3);
  EXPECT_EQ(fake.launches.size(), 6u) << "launched once, recorded once";
  // Another sequence has its cache elsewhere, so it needs another graph.
  ASSERT_TRUE(step(*engine, {1}, 0, 1));
  ASSERT_TRUE(step(*engine, {1}, 1, 1));
  EXPECT_EQ(fake.calls["cuGraphInstantiateWithFlags"], 2);
}

TEST_F(CudaEngineTest, GraphsSurviveAStepWithMoreResults) {
  const auto engine = make();
  std::vector<int32_t> history;
  const auto decode = [&](int32_t id) {
    const int32_t position = int32_t(history.size());
    history.push_back(id);
    EXPECT_THAT(step(*engine, {id}, position).value(),
                ElementsAreArray(test::toyLogits(history)));
  };
  for (const int32_t id : {3, 1, 4})
    decode(id);
  // Logits of four rows instead of one, for another sequence.
  const std::vector<int32_t> scored = {5, 9, 2, 6};
  std::ranges::copy(scored, engine->ids().begin());
  engine->positions()[0] = 0;
  const auto logits = engine->run({&plan("score"), 4, 1, 1});
  ASSERT_TRUE(logits) << logits.error().message;
  EXPECT_THAT(logits->last(test::toyVocabulary),
              ElementsAreArray(test::toyLogits(scored)));
  for (const int32_t id : {1, 5, 9})
    decode(id);
  EXPECT_EQ(fake.calls["cuGraphInstantiateWithFlags"], 2);
}

TEST_F(CudaEngineTest, PlainLaunchesMakeNoGraph) {
  const auto engine = make(LaunchMode::Plain);
  for (int32_t i = 0; i < 3; ++i)
    ASSERT_TRUE(step(*engine, {3}, i));
  EXPECT_EQ(fake.calls["cuStreamBeginCapture_v2"], 0);
  EXPECT_EQ(fake.calls["cuStreamSynchronize"], 3) << "one wait a step";
}

TEST_F(CudaEngineTest, MeasuringReplaysTheLaunchesAlone) {
  const auto engine = make();
  engine->ids()[0] = 3;
  engine->positions()[0] = 0;
  const Step first{&plan("decode1"), 1, 1, 0};
  fake.calls.clear();
  const auto times = engine->measure(first, 5);
  ASSERT_TRUE(times) << times.error().message;
  EXPECT_EQ(times->size(), 5u);
  EXPECT_EQ(fake.calls["cuGraphInstantiateWithFlags"], 1);
  EXPECT_EQ(fake.graphLaunches, 6) << "one does not count";
  EXPECT_EQ(fake.calls["cuMemcpyHtoDAsync_v2"], 1);
  EXPECT_EQ(fake.calls["cuMemcpyDtoHAsync_v2"], 1) << "status words";
  // Measuring changes neither the results of a step nor its graph.
  for (int i = 0; i < 3; ++i)
    ASSERT_THAT(engine->run(first).value(),
                ElementsAreArray(test::toyLogits(std::vector<int32_t>{3})));
}

TEST_F(CudaEngineTest, MeasuringFindsAFailedAssert) {
  for (const LaunchMode mode :
       {LaunchMode::Graphs, LaunchMode::Plain, LaunchMode::Checked}) {
    const auto engine = make(mode);
    engine->ids()[0] = 3;
    engine->positions()[0] = test::toyCapacity;
    const auto times = engine->measure({&plan("decode1"), 1, 1, 0}, 2);
    ASSERT_FALSE(times);
    EXPECT_THAT(times.error().message,
                testing::HasSubstr("the position is inside of the cache"));
  }
}

TEST_F(CudaEngineTest, ALaunchGetsWordsGridAndItsOwnStatus) {
  const auto engine = make();
  ASSERT_TRUE(step(*engine, {3, 1}, 0));
  ASSERT_EQ(fake.launches.size(), 3u);
  const auto &append = fake.launches[0], &sum = fake.launches[1];
  EXPECT_EQ(append.symbol, "toy_append");
  EXPECT_EQ(append.threads, 128u);
  EXPECT_THAT(append.grid, ElementsAre(2, 1, 1));
  // ids [2], pos [1], k [1, 2, 16, 3], grid, status.
  ASSERT_EQ(append.parameters.size(), 3u + 3 + 9 + 3 + 1);
  EXPECT_EQ(append.parameters[1], 2u);
  EXPECT_THAT(std::span(append.parameters).subspan(7, 8),
              ElementsAre(1, 2, 16, 3, 96, 48, 3, 1));
  EXPECT_THAT(std::span(append.parameters).subspan(15, 3),
              ElementsAre(2, 1, 1));
  EXPECT_EQ(sum.parameters.back(), append.parameters.back() + 4);
}

TEST_F(CudaEngineTest, EveryShapeOfStepMayBeRunAndNoneIsKeptForEver) {
  const auto engine = tryMake(LaunchMode::Graphs, 100).value();
  for (int round = 0; round < 3; ++round)
    for (int64_t sequence = 0; sequence < 100; ++sequence) {
      const std::vector<int32_t> ids = {int32_t(sequence % 11)};
      ASSERT_THAT(step(*engine, ids, 0, sequence).value(),
                  ElementsAreArray(test::toyLogits(ids)));
    }
  EXPECT_EQ(fake.calls["cuGraphInstantiateWithFlags"], 0)
      << "a step that is pushed out before it comes again is no graph";
}

TEST_F(CudaEngineTest, AFailedAssertNamesKernelPlaceAndText) {
  const auto engine = make();
  for (int i = 0; i < 3; ++i) {
    const auto failed = step(*engine, {3}, int32_t(test::toyCapacity));
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::Failure);
    EXPECT_EQ(failed.error().message,
              "cuda: kernel 'append' (h.0.append) failed: the position is "
              "inside of the cache");
    const std::vector<int32_t> ids = {7};
    EXPECT_THAT(step(*engine, ids, 0).value(),
                ElementsAreArray(test::toyLogits(ids)))
        << "the failure must not stick";
  }
}

TEST_F(CudaEngineTest, AFaultIsReportedWithTheStep) {
  fake.faultIn = "toy_sum";
  const auto engine = make();
  const auto failed = step(*engine, {3, 4}, 0);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::Device);
  EXPECT_EQ(failed.error().message,
            "cuda: a kernel of plan 'prefill' at 2 rows of 1 sequences failed; "
            "--cuda-launches checked finds which: an illegal memory access was "
            "encountered (CUDA_ERROR_ILLEGAL_ADDRESS)");
  EXPECT_EQ(step(*engine, {3}, 0).error().code, ErrorCode::Device)
      << "the device is lost to this process";
}

TEST_F(CudaEngineTest, CheckedLaunchesFindTheFault) {
  fake.faultIn = "toy_sum";
  const auto engine = make(LaunchMode::Checked);
  EXPECT_EQ(step(*engine, {3, 4}, 0).error().message,
            "cuda: kernel 'sum' (h.0.sum) of plan 'prefill' at 2 rows of 1 "
            "sequences failed on a grid of 2×1×1: an illegal memory access was "
            "encountered (CUDA_ERROR_ILLEGAL_ADDRESS)");
}

TEST_F(CudaEngineTest, AnObserverSeesEveryLaunchWithItsTime) {
  struct Recorder : runtime::LaunchObserver {
    std::vector<std::string> labels;
    std::vector<Clock::time_point> ends;
    const bundle::Bundle *bundle;
    void launched(const bundle::Launch &launch, int64_t blocks,
                  Clock::time_point begin, Clock::time_point end) override {
      EXPECT_LE(begin, end);
      EXPECT_EQ(blocks, bundle->string(launch.label) == "head" ? 1 : 2);
      labels.emplace_back(bundle->string(launch.label));
    }
  } recorder;
  recorder.bundle = &toy;
  const auto engine = make();
  engine->setObserver(&recorder);
  ASSERT_TRUE(step(*engine, {3, 1}, 0));
  ASSERT_TRUE(step(*engine, {3, 1}, 2));
  EXPECT_THAT(recorder.labels, ElementsAre("h.0.append", "h.0.sum", "head",
                                           "h.0.append", "h.0.sum", "head"));
  engine->setObserver(nullptr);
  ASSERT_TRUE(step(*engine, {3, 1}, 4));
  EXPECT_EQ(fake.graphLaunches, 1) << "graphs again, when nobody looks";
}

TEST_F(CudaEngineTest, SizesOutsideOfThePlanAreRefused) {
  const auto engine = make();
  const auto failed = engine->run({&plan("prefill"), 6, 1, 0});
  EXPECT_EQ(failed.error().code, ErrorCode::OutOfRange);
  EXPECT_EQ(failed.error().message, "cuda: plan 'prefill' expected 2 to 5 rows "
                                    "of at most 2 sequences, got 6 of 1");
}

TEST_F(CudaEngineTest, ABundleForAnotherDeviceIsRefused) {
  fake.gpus[0].name = "Fake A100";
  fake.gpus[0].major = 8;
  const auto wrong = tryMake();
  EXPECT_EQ(wrong.error().code, ErrorCode::Device);
  EXPECT_EQ(wrong.error().message,
            "cuda: the bundle was compiled for 'sm_90a', but device 0 (Fake "
            "A100) is sm_80; compile the model again for it");
  toy = test::toyBundle(TargetKind::Host);
  EXPECT_EQ(tryMake().error().message,
            "cuda: the bundle was compiled for 'x86_64', not for a GPU; "
            "compile the model again for device 0 (Fake A100), which is sm_80");
}

TEST_F(CudaEngineTest, TooLittleMemorySaysForWhat) {
  fake.gpus[0].memoryBytes = 10000;
  EXPECT_EQ(tryMake(LaunchMode::Graphs, 100).error().message,
            "cuda: cannot allocate 38400 bytes for the KV cache on device 0 "
            "(Fake H200): 9872 bytes of 10000 bytes are free; a smaller "
            "--ctx-size takes less");
}

TEST_F(CudaEngineTest, TheDeviceIsDescribed) {
  EXPECT_EQ(make()->describe(), "Fake H200 (cuda:0)");
  EXPECT_EQ(make()->weightBytes(), 44);
  EXPECT_EQ(make()->stateBytes(), 4 * 384);
}

TEST_F(CudaEngineTest, NothingIsLeftBehindWhateverFails) {
  const auto everything = [&]() -> Result<void> {
    auto engine = tryMake();
    if (!engine)
      return tl::unexpected(engine.error());
    for (int32_t i = 0; i < 3; ++i)
      if (auto done = step(**engine, {1}, i); !done)
        return tl::unexpected(done.error());
    return {};
  };
  ASSERT_TRUE(everything());
  EXPECT_EQ(fake.liveObjects, 0);
  const auto calls = fake.calls;
  for (const auto &[function, count] : calls) {
    // Failures of queries and of functions that free something are not
    // reported.
    if (function.find("Destroy") != std::string::npos ||
        function.find("Free") != std::string::npos ||
        function.find("Unload") != std::string::npos ||
        function.find("Release") != std::string::npos ||
        function == "cuFuncGetParamInfo")
      continue;
    for (int call = 1; call <= count; ++call) {
      test::freshFake();
      fake.failAt(function, call, CUDA_ERROR_INVALID_VALUE);
      const bool isInDestructor =
          function == "cuCtxSetCurrent" && call == count;
      const auto done = everything();
      EXPECT_EQ(done.has_value(), isInDestructor) << function << " " << call;
      EXPECT_EQ(fake.liveObjects, 0) << function << " " << call;
    }
  }
}

} // namespace
