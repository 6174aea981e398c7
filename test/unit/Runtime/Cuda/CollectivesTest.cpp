// Ranks on the fake driver's devices, one process each: exchanges through NCCL
// and through the host, in steps and graphs, and the errors if NCCL or another
// rank misbehaves.
#include "TileGPT/Runtime/Cuda/Collectives.h"
#include "FakeNccl.h"
#include "OpenFake.h"
#include "RandomExchanges.h"
#include "Ranks/OnRanks.h"
#include "TileGPT/Runtime/Cuda/CudaEngine.h"
#include "Toy/ToyModel.h"
#include <gmock/gmock.h>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::ElementType;
using runtime::ErrorCode;
using runtime::Group;
using runtime::Result;
using testing::ElementsAreArray;
using testing::HasSubstr;

namespace {

/// Runs `body` on two ranks; rank 1 gets its own process.
void onTwoRanks(const std::function<void(Group &)> &body) {
  test::onRanks(2, body);
}

class CollectivesTest : public testing::TestWithParam<CollectiveLibrary> {
protected:
  Result<std::unique_ptr<Collectives>> make(Group &group,
                                            std::shared_ptr<Device> device) {
    return GetParam() == CollectiveLibrary::Nccl
               ? makeNcclCollectives(std::move(device), group,
                                     test::fakeNcclLibrary)
               : makeHostCollectives(std::move(device), group);
  }

  test::FakeCuda &fake = test::freshFake();
  test::FakeNccl &nccl = test::freshNccl();
};

/// Device memory that holds these numbers.
DeviceMemory upload(const std::shared_ptr<Device> &device, const Stream &stream,
                    const std::vector<float> &values) {
  const size_t bytes = values.size() * sizeof(float);
  auto memory = DeviceMemory::allocate(device, bytes, "numbers").value();
  auto pinned = PinnedMemory::allocate(device, bytes, "numbers").value();
  std::memcpy(pinned.data(), values.data(), bytes);
  EXPECT_TRUE(stream.copyToDevice(memory.address(), pinned.data(), bytes));
  EXPECT_EQ(stream.synchronize(), CUDA_SUCCESS);
  return memory;
}

std::vector<float> download(const std::shared_ptr<Device> &device,
                            const Stream &stream, const DeviceMemory &memory,
                            size_t count) {
  auto pinned =
      PinnedMemory::allocate(device, memory.size(), "numbers").value();
  EXPECT_TRUE(
      stream.copyToHost(pinned.data(), memory.address(), memory.size()));
  EXPECT_EQ(stream.synchronize(), CUDA_SUCCESS);
  std::vector<float> values(count);
  std::memcpy(values.data(), pinned.data(), count * sizeof(float));
  return values;
}

TEST_P(CollectivesTest, SumsAndGathersInTheOrderOfTheStream) {
  onTwoRanks([&](Group &group) {
    const auto device = test::openFake();
    const Stream stream = Stream::create(device).value();
    const float mine = float(group.rank().number);
    const DeviceMemory in = upload(device, stream, {1 + mine, 2, 3 * mine});
    const DeviceMemory all = upload(device, stream, std::vector<float>(6));
    const auto collectives = make(group, device);
    ASSERT_TRUE(collectives) << collectives.error().message;
    Collectives &ranks = **collectives;
    // Gathered before they are summed in place.
    ASSERT_TRUE(ranks.allGather(ElementType::F32, in.address(), all.address(),
                                3, stream));
    ASSERT_TRUE(ranks.allReduce(ElementType::F32, in.address(), in.address(), 3,
                                stream));
    ASSERT_TRUE(ranks.allReduce(ElementType::F32, in.address(), in.address(), 2,
                                stream));
    EXPECT_THAT(download(device, stream, all, 6),
                ElementsAreArray({1, 2, 0, 2, 2, 3}));
    EXPECT_THAT(download(device, stream, in, 3), ElementsAreArray({6, 8, 3}));
    EXPECT_TRUE(ranks.check());
  });
}

/// Adds the launches of the toy model's step up to this rank's part of the
/// logits.
void addToyStep(bundle::Builder &b, const test::ToyBuffers &buffers,
                const bundle::Argument &logits) {
  using Arguments = std::initializer_list<bundle::Argument>;
  const auto &[ids, pos, w, x, k] = buffers;
  test::addToyLaunch(b, 0, "append", Arguments{ids, pos, k}, 0);
  test::addToyLaunch(b, 1, "sum", Arguments{pos, k, x}, 2);
  test::addToyLaunch(b, 2, "head", Arguments{x, w, logits}, 2);
}

/// The toy model with its output head split between ranks: their logits are
/// either concatenated, with one fewer on the last rank, or added.
bundle::Bundle splitToy(bundle::Collective kind) {
  using namespace bundle;
  const bool adds = kind == Collective::AllReduce;
  const int64_t vocabulary =
      adds ? test::toyVocabulary : 2 * test::toyVocabulary - 1;
  Builder b = test::toyBuilder(TargetKind::Cuda);
  ModelInfo info;
  info.layers = info.heads = info.width = 1;
  info.context = info.capacity = test::toyCapacity;
  info.vocabulary = vocabulary;
  info.ranks = 2;
  b.setModel("split", info);
  const Parameter views[] = {
      {ArgumentKind::View, ElementType::F32, 2, Access::Read},
      {ArgumentKind::View, ElementType::F32, 2, Access::Write}};
  b.addKernel("exchange", "toy_copy", views, {}, kind);
  DeviceKernel launch;
  launch.threads = 128;
  launch.clusterSize = 1;
  b.setDeviceImage(5, test::toyKernels(), launch);

  const Extent partShape[] = {Extent::rows(), {test::toyVocabulary}},
               partStrides[] = {{test::toyVocabulary}, {1}};
  const Extent allShape[] = {Extent::rows(), {vocabulary}},
               allStrides[] = {{vocabulary}, {1}};
  b.beginPlan("decode", PlanKind::Decode, 1, 4, 4);
  const test::ToyBuffers buffers = test::addToyBuffers(b);
  const Argument part = Builder::view(
      b.addBuffer("part", BufferKind::Arena, ElementType::F32, partShape, 192),
      ElementType::F32, {}, partShape, partStrides);
  const Argument logits = Builder::view(
      b.addBuffer("logits", BufferKind::Output, ElementType::F32, allShape),
      ElementType::F32, {}, allShape, allStrides);
  addToyStep(b, buffers, part);
  test::addToyLaunch(b, 5, "exchange",
                     std::initializer_list<Argument>{part, logits}, 0);
  b.endPlan(192 + 4 * 64);
  return Bundle::fromBytes(b.finish().value()).value();
}

TEST_P(CollectivesTest, StepsExchangeBetweenTheirLaunches) {
  for (const auto kind :
       {bundle::Collective::AllReduce, bundle::Collective::AllGather})
    onTwoRanks([&](Group &group) {
      const bundle::Bundle split = splitToy(kind);
      const auto device = test::openFake();
      fake.calls.clear();
      auto collectives = make(group, device);
      ASSERT_TRUE(collectives) << collectives.error().message;
      auto engine = CudaEngine::create(split, device, LaunchMode::Graphs,
                                       &group, std::move(*collectives));
      ASSERT_TRUE(engine) << engine.error().message;
      test::ToyWeights weights;
      ASSERT_TRUE((*engine)->load(4, [&](uint32_t index) {
        const int64_t shape[] = {test::toyVocabulary};
        return weights.find(split.string(split.buffers()[index].name),
                            ElementType::F32, shape);
      }));
      // With one row, gathered parts are already contiguous; with several they
      // are not. The second and third runs are graphs.
      for (const int64_t rows : {1, 3})
        for (int run = 0; run < 3; ++run) {
          std::vector<float> expected;
          for (int64_t row = 0; row < rows; ++row) {
            (*engine)->ids()[size_t(row)] = int32_t(row + 2);
            (*engine)->positions()[size_t(row)] = 0;
            const std::vector<int32_t> history = {int32_t(row + 2)};
            std::vector<float> part = test::toyLogits(history);
            const std::vector<float> once = part;
            for (float &value : part)
              value *= kind == bundle::Collective::AllReduce ? 2.f : 1.f;
            if (kind == bundle::Collective::AllGather)
              part.insert(part.end(), once.begin(), once.end() - 1);
            expected.insert(expected.end(), part.begin(), part.end());
          }
          const auto logits =
              (*engine)->run({&split.plans()[0], rows, rows, 0});
          ASSERT_TRUE(logits) << logits.error().message;
          ASSERT_THAT(*logits, ElementsAreArray(expected))
              << rows << " rows, run " << run;
        }
      const bool asGraph = GetParam() == CollectiveLibrary::Nccl;
      EXPECT_EQ(fake.calls["cuGraphInstantiateWithFlags"], asGraph ? 2 : 0);
    });
}

/// The toy model for up to 8 sequences, with logits that are summed in the
/// middle of a step and copied afterwards.
bundle::Bundle summedToy() {
  using namespace bundle;
  constexpr int64_t most = 8;
  Builder b = test::toyBuilder(TargetKind::Cuda);
  ModelInfo info;
  info.layers = info.heads = info.width = 1;
  info.context = info.capacity = test::toyCapacity;
  info.vocabulary = test::toyVocabulary;
  info.ranks = 2;
  b.setModel("summed", info);
  const Parameter views[] = {
      {ArgumentKind::View, ElementType::F32, 2, Access::Read},
      {ArgumentKind::View, ElementType::F32, 2, Access::Write}};
  DeviceKernel launch;
  launch.threads = 128;
  launch.clusterSize = 1;
  b.addKernel("exchange", "toy_copy", views, {}, Collective::AllReduce);
  b.setDeviceImage(5, test::toyKernels(), launch);
  b.addKernel("copy", "toy_copy", views, {});
  b.setDeviceImage(6, test::toyKernels(), launch);

  const Extent shape[] = {Extent::rows(), {test::toyVocabulary}},
               strides[] = {{test::toyVocabulary}, {1}};
  const auto add = [&](const char *name, BufferKind kind, uint64_t offset) {
    return Builder::view(
        b.addBuffer(name, kind, ElementType::F32, shape, offset),
        ElementType::F32, {}, shape, strides);
  };
  b.beginPlan("decode", PlanKind::Decode, 1, most, most);
  const test::ToyBuffers buffers = test::addToyBuffers(b);
  const Argument part = add("part", BufferKind::Arena, 192);
  const Argument sum = add("sum", BufferKind::Arena, 192 + 64 * most);
  const Argument logits = add("logits", BufferKind::Output, 0);
  addToyStep(b, buffers, part);
  test::addToyLaunch(b, 5, "exchange",
                     std::initializer_list<Argument>{part, sum}, 0);
  test::addToyLaunch(b, 6, "copy", std::initializer_list<Argument>{sum, logits},
                     0);
  b.endPlan(192 + 2 * 64 * most);
  return Bundle::fromBytes(b.finish().value()).value();
}

TEST_P(CollectivesTest, HalvesOfAStepTakeTurnsWhereTheyExchangeEnough) {
  constexpr int64_t rowBytes = test::toyVocabulary * sizeof(float);
  for (const int64_t overlapFrom : {int64_t(0), 4 * rowBytes})
    onTwoRanks([&](Group &group) {
      const bundle::Bundle summed = summedToy();
      const auto device = test::openFake();
      auto collectives = make(group, device);
      ASSERT_TRUE(collectives) << collectives.error().message;
      auto engine =
          CudaEngine::create(summed, device, LaunchMode::Graphs, &group,
                             std::move(*collectives), overlapFrom);
      ASSERT_TRUE(engine) << engine.error().message;
      test::ToyWeights weights;
      ASSERT_TRUE((*engine)->load(8, [&](uint32_t) {
        const int64_t shape[] = {test::toyVocabulary};
        return weights.find("w", ElementType::F32, shape);
      }));
      // Half of 8 rows is large enough. With 6 rows the second half would start
      // at an unaligned address; 7 rows cannot be halved.
      std::vector<std::vector<int32_t>> histories(8);
      for (const int64_t rows : {8, 7, 6})
        for (int run = 0; run < 3; ++run) {
          std::vector<float> expected;
          for (int64_t row = 0; row < rows; ++row) {
            auto &history = histories[size_t(row)];
            (*engine)->positions()[size_t(row)] = int32_t(history.size());
            history.push_back(int32_t((row + run + rows) % 11));
            (*engine)->ids()[size_t(row)] = history.back();
            for (const float value : test::toyLogits(history))
              expected.push_back(2 * value);
          }
          fake.launches.clear();
          const auto logits =
              (*engine)->run({&summed.plans()[0], rows, rows, 0});
          ASSERT_TRUE(logits) << logits.error().message;
          ASSERT_THAT(*logits, ElementsAreArray(expected))
              << rows << " rows, run " << run;
          const bool asHalves = overlapFrom > 0 && rows == 8 &&
                                GetParam() == CollectiveLibrary::Nccl;
          // Replayed graphs record no launches.
          if (run == 0)
            EXPECT_EQ(fake.launches.size(), asHalves ? 8u : 4u);
        }
      const auto times = (*engine)->measure({&summed.plans()[0], 8, 8, 0}, 2);
      EXPECT_TRUE(times) << times.error().message;
    });
}

INSTANTIATE_TEST_SUITE_P(Libraries, CollectivesTest,
                         testing::Values(CollectiveLibrary::Nccl,
                                         CollectiveLibrary::Host),
                         [](const auto &info) {
                           return info.param == CollectiveLibrary::Nccl
                                      ? "Nccl"
                                      : "Host";
                         });

class NcclTest : public testing::Test {
protected:
  test::FakeCuda &fake = test::freshFake();
  test::FakeNccl &nccl = test::freshNccl();
};

TEST_F(NcclTest, TheFasterOfTwoWaysIsMeasured) {
  onTwoRanks([&](Group &group) {
    const auto device = test::openFake();
    auto small = makeNcclCollectives(device, group, test::fakeNcclLibrary);
    auto large = makeHostCollectives(device, group);
    ASSERT_TRUE(small && large);
    auto made = makeMeasuredCollectives(device, group, ElementType::BF16,
                                        std::move(*small), std::move(*large));
    ASSERT_TRUE(made) << made.error().message;
    // In the fake, consecutive events are half a millisecond apart.
    EXPECT_EQ((*made)->describe(),
              "NCCL 2.28.3 up to 1024 KiB, beyond memory of the host");
    EXPECT_FALSE((*made)->canBeCaptured());
    test::RandomExchanges(device, **made, group.rank()).run(3, 6, 0);
    EXPECT_TRUE((*made)->check());
  });
}

TEST_F(NcclTest, ABundleWithoutKernelsForPeersSaysSo) {
  onTwoRanks([&](Group &group) {
    const bundle::Bundle old = splitToy(bundle::Collective::AllGather);
    const auto made = makePeerCollectives(test::openFake(), group, old);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message,
              "ranks: the model has no kernels for exchanges through memory of "
              "GPUs; compile it again, or pass --collectives nccl");
  });
}

TEST_F(NcclTest, AMissingLibrarySaysWhatToInstall) {
  const auto missing = Nccl::load("libno-nccl.so.2");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::Device);
  EXPECT_THAT(missing.error().message,
              HasSubstr("nccl: cannot load NCCL (libno-nccl.so.2: cannot open "
                        "shared object file: No such file or directory); "
                        "install libnccl2, or pass --collectives host"));
}

TEST_F(NcclTest, AnotherLibraryOrAnOldOneIsRefused) {
  EXPECT_THAT(Nccl::load(test::fakeLibrary).error().message,
              HasSubstr("is not a supported NCCL: it lacks ncclGetVersion"));
  nccl.version = 20402;
  EXPECT_EQ(Nccl::load(test::fakeNcclLibrary).error().message,
            "nccl: expected NCCL 2.10.0 or newer, found 2.4.2; update "
            "libnccl2, or pass --collectives host");
}

TEST_F(NcclTest, RanksWithOtherVersionsAreNamed) {
  onTwoRanks([&](Group &group) {
    if (group.rank().number == 1)
      nccl.version = 22707;
    const auto made =
        makeNcclCollectives(test::openFake(), group, test::fakeNcclLibrary);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message,
              "nccl: expected the same NCCL on all ranks, but rank 0 has "
              "2.28.3 and rank 1 has 2.27.7");
  });
}

TEST_F(NcclTest, ARankWithoutNcclIsNamedByTheOthers) {
  onTwoRanks([&](Group &group) {
    const bool mine = group.rank().number == 1;
    const auto made =
        makeNcclCollectives(test::openFake(), group,
                            mine ? "libno-nccl.so.2" : test::fakeNcclLibrary);
    ASSERT_FALSE(made);
    EXPECT_THAT(
        made.error().message,
        HasSubstr(mine ? "cannot load NCCL" : "nccl: rank 1 cannot start it"));
  });
}

TEST_F(NcclTest, WhatFailsIsSaidInItsWords) {
  onTwoRanks([&](Group &group) {
    nccl.failing = "ncclCommInitRank";
    const auto made =
        makeNcclCollectives(test::openFake(), group, test::fakeNcclLibrary);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::Device);
    EXPECT_EQ(made.error().message,
              "nccl: cannot bring 2 ranks together: internal error (fake); "
              "set NCCL_DEBUG=WARN for details");
  });
}

/// Rank 0 waits for a step that never ends.
void waitInVain(const std::function<void()> &begin, const char *message) {
  onTwoRanks([&](Group &group) {
    const bundle::Bundle split = splitToy(bundle::Collective::AllReduce);
    const auto device = test::openFake();
    auto collectives =
        makeNcclCollectives(device, group, test::fakeNcclLibrary);
    ASSERT_TRUE(collectives) << collectives.error().message;
    if (group.rank().number == 1) {
      // Its process exits without notifying NCCL.
      static Collectives *const left = collectives->release();
      EXPECT_NE(left, nullptr);
      return;
    }
    auto engine = CudaEngine::create(split, device, LaunchMode::Plain, &group,
                                     std::move(*collectives));
    ASSERT_TRUE(engine) << engine.error().message;
    test::ToyWeights weights;
    ASSERT_TRUE((*engine)->load(1, [&](uint32_t) {
      const int64_t shape[] = {test::toyVocabulary};
      return weights.find("w", ElementType::F32, shape);
    }));
    (*engine)->ids()[0] = 1;
    (*engine)->positions()[0] = 0;
    begin();
    const auto ran = (*engine)->run({&split.plans()[0], 1, 1, 0});
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, ErrorCode::Device);
    EXPECT_EQ(ran.error().message, message);
  });
}

TEST_F(NcclTest, AnErrorOfAnotherRankEndsTheWait) {
  waitInVain(
      [&] {
        fake.stuck = true;
        nccl.asyncError = ncclResult_t(6);
      },
      "nccl: an exchange failed: internal error (fake); set NCCL_DEBUG=WARN "
      "for details");
}

TEST_F(NcclTest, ARankThatHasLeftEndsTheWait) {
  waitInVain([&] { fake.stuck = true; },
             "nccl: another rank has ended before this step was over");
}

} // namespace
