// Ranks that exchange data through peer memory: the library's kernels, compiled
// for the host, on the fake driver's devices, one process per rank.
#include "../Gpu/PeerBundle.h"
#include "Cuda/OpenFake.h"
#include "Cuda/RandomExchanges.h"
#include "HostCode.h"
#include "Ranks/OnRanks.h"
#include "TileGPT/Bundle/EntrySymbol.h"
#include "TileGPT/Pipelines/Registration.h"
#include <gtest/gtest.h>
#include <thread>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::ElementType;
using runtime::Group;

namespace {

bundle::Bundle hostPeerBundle() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  return test::peerBundle(
      context, "sm_90a", bundle::TargetKind::Host,
      [](bundle::Builder &builder, const auto &indices, mlir::ModuleOp module) {
        auto host = target::HostTarget::create();
        ASSERT_TRUE(bool(host));
        const compiler::HostCodeOptions options{*host, nullptr, {}};
        const auto image = compiler::compileHostCode(module, options);
        ASSERT_TRUE(mlir::succeeded(image));
        bundle::DeviceKernel launch;
        launch.threads = 128;
        launch.clusterSize = 1;
        for (const auto &[name, index] : indices)
          builder.setDeviceImage(index, *image, launch);
      });
}

class PeerExchange : public testing::Test {
protected:
  static void SetUpTestSuite() {
    peers = std::make_unique<bundle::Bundle>(hostPeerBundle());
  }
  static void TearDownTestSuite() { peers.reset(); }

  PeerExchange() {
    // Argument words, then grid and status.
    for (const std::string type : {"f32", "bf16", "f16"}) {
      fake.parameters[bundle::entrySymbol("peer_all_reduce_" + type)] =
          std::vector<size_t>(17 + 4, 8);
      fake.parameters[bundle::entrySymbol("peer_all_gather_" + type)] =
          std::vector<size_t>(18 + 4, 8);
    }
  }

  static inline std::unique_ptr<bundle::Bundle> peers;
  test::FakeCuda &fake = test::freshFake();
};

TEST_F(PeerExchange, RanksGetTheSameBitsOfAllSizesAndTypes) {
  for (const int64_t count : {1, 2, 4})
    test::onRanks(count, [&](Group &group) {
      const auto device = test::openFake();
      auto made = makePeerCollectives(device, group, *peers);
      ASSERT_TRUE(made) << made.error().message;
      test::RandomExchanges exchanges(device, **made, group.rank());
      exchanges.run(unsigned(count), 16, /*replays=*/0);
      exchanges.run(unsigned(count) + 10, 8, /*replays=*/3);
      EXPECT_TRUE((*made)->check());
    });
}

TEST_F(PeerExchange, BlocksOfAllRanksThatShareAGpuFitItAtOnce) {
  fake.gpus.front().multiprocessors = 3;
  fake.gpus.front().blocksOfMultiprocessor = 5;
  test::onRanks(4, [&](Group &group) {
    const auto device = test::openFake();
    auto made = makePeerCollectives(device, group, *peers);
    ASSERT_TRUE(made) << made.error().message;
    test::RandomExchanges(device, **made, group.rank()).run(1, 3, 0);
    ASSERT_FALSE(fake.launches.empty());
    unsigned most = 0;
    for (const test::FakeLaunch &launch : fake.launches)
      most = std::max(most, launch.grid[0]);
    EXPECT_EQ(most, 15u / 4);
  });
}

TEST_F(PeerExchange, AGpuThatIsTooSmallForTheRanksThatShareItSaysSo) {
  fake.gpus.front().multiprocessors = fake.gpus.front().blocksOfMultiprocessor =
      1;
  test::onRanks(2, [&](Group &group) {
    const auto made = makePeerCollectives(test::openFake(), group, *peers);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message,
              "ranks: 2 ranks share one GPU, which has no room for exchanges "
              "of all of them at once; pass --collectives host");
  });
}

TEST_F(PeerExchange, MemoryThatCannotBeMappedIsNamedByAll) {
  test::onRanks(2, [&](Group &group) {
    if (group.rank().number == 1)
      fake.failAt("cuIpcOpenMemHandle_v2", 1, CUDA_ERROR_INVALID_VALUE);
    const auto made = makePeerCollectives(test::openFake(), group, *peers);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, runtime::ErrorCode::Device);
    EXPECT_EQ(made.error().message,
              "ranks: rank 1 cannot reach the memory of rank 0: cuda: cannot "
              "map it: invalid argument (CUDA_ERROR_INVALID_VALUE)");
  });
}

TEST_F(PeerExchange, AKernelThatWaitsForARankThatHasLeftIsEnded) {
  test::onRanks(2, [&](Group &group) {
    const auto device = test::openFake();
    auto made = makePeerCollectives(device, group, *peers);
    ASSERT_TRUE(made) << made.error().message;
    if (group.rank().number == 1)
      return;
    const Stream stream = Stream::create(device).value();
    const auto numbers = DeviceMemory::allocate(device, 4096, "x").value();
    ASSERT_TRUE((*made)->allReduce(ElementType::F32, numbers.address(),
                                   numbers.address(), 1000, stream));
    std::thread step([&] {
      EXPECT_TRUE(device->makeCurrent());
      EXPECT_EQ(stream.synchronize(), CUDA_SUCCESS);
    });
    runtime::Result<void> there;
    for (int tries = 0; tries < 1000 && there; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      there = (*made)->check();
    }
    step.join();
    ASSERT_FALSE(there);
    EXPECT_EQ(there.error().message,
              "ranks: another rank has ended before this step was over");
    EXPECT_FALSE((*made)->allReduce(ElementType::F32, numbers.address(),
                                    numbers.address(), 1, stream));
  });
}

} // namespace
