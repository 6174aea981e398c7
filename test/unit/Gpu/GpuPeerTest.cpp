// Exchanges through peer memory between ranks that share one GPU: ranks are
// threads of this process, so that their kernels run concurrently.
#include "../Runtime/Cuda/RandomExchanges.h"
#include "../Runtime/Ranks/OnRanks.h"
#include "GpuDevice.h"
#include "PeerBundle.h"
#include "TileGPT/Compiler/GpuKernels.h"
#include "TileGPT/Pipelines/Registration.h"
#include <cstdio>
#include <thread>

namespace tilegpt::cuda {
namespace {

using bundle::ElementType;
using runtime::Group;

/// Runs `body` on ranks, each in a thread.
void onThreads(int64_t count, const std::function<void(Group &)> &body) {
  const uint16_t port = test::Port().number;
  std::vector<std::thread> threads;
  threads.reserve(size_t(count));
  for (int64_t rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      auto group = Group::join({{rank, count}, rank, "127.0.0.1", port}, {});
      ASSERT_TRUE(group) << group.error().message;
      body(**group);
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// Barrier between all ranks: allocation on a GPU may wait for its kernels,
/// which wait for each other.
void meet(Group &group) { EXPECT_TRUE(group.gather("")); }

class GpuPeers : public testing::Test {
protected:
  void SetUp() override {
    // With lazy loading, a kernel's first launch waits for the running ones.
    ::setenv("CUDA_MODULE_LOADING", "EAGER", /*overwrite=*/1);
    auto driver = Driver::load();
    if (!driver)
      GTEST_SKIP() << driver.error().message;
    auto opened = Device::open(*driver, 0);
    if (!opened)
      GTEST_SKIP() << opened.error().message;
    device = *opened;
    mlir::DialectRegistry registry;
    registerDialects(registry);
    mlir::MLIRContext context(registry);
    const auto &info = device->info();
    const std::string name = info.architecture() + (info.major == 9 ? "a" : "");
    auto gpu = target::GpuTarget::find(name);
    ASSERT_TRUE(bool(gpu));
    peers = std::make_unique<bundle::Bundle>(test::peerBundle(
        context, name, bundle::TargetKind::Cuda,
        [&](bundle::Builder &builder, const auto &indices,
            mlir::ModuleOp module) {
          const compiler::GpuCompilation options(*gpu);
          const auto kernels = compiler::compileGpuKernels(module, options);
          ASSERT_TRUE(mlir::succeeded(kernels));
          for (const auto &[kernel, index] : indices) {
            const target::GpuKernel &compiled = kernels->at(kernel);
            builder.setDeviceImage(index, compiled.image(), compiled.launch,
                                   compiled.tensorMaps);
          }
        }));
  }

  std::shared_ptr<Device> device;
  std::unique_ptr<bundle::Bundle> peers;
};

TEST_F(GpuPeers, RanksGetTheSameBitsOfAllSizesAndTypes) {
  for (const int64_t count : {1, 2, 4})
    onThreads(count, [&](Group &group) {
      ASSERT_TRUE(device->makeCurrent());
      auto made = makePeerCollectives(device, group, *peers);
      ASSERT_TRUE(made) << made.error().message;
      test::RandomExchanges exchanges(device, **made, group.rank(),
                                      [&] { meet(group); });
      exchanges.run(unsigned(count), 200, /*replays=*/0);
      exchanges.run(unsigned(count) + 10, 100, /*replays=*/5);
      meet(group);
    });
}

/// Time per sum, in microseconds, in a graph of many.
float timeOf(Group &group, Collectives &collectives,
             const std::shared_ptr<Device> &device, ElementType type,
             int64_t count) {
  constexpr int many = 96, replays = 20;
  const Stream stream = Stream::create(device).value();
  const auto memory =
      DeviceMemory::allocate(device, size_t(count) * 4, "x").value();
  EXPECT_TRUE(stream.fillZero(memory.address(), memory.size()));
  EXPECT_TRUE(stream.beginCapture());
  for (int i = 0; i < many; ++i)
    EXPECT_TRUE(collectives.allReduce(type, memory.address(), memory.address(),
                                      count, stream));
  const auto graph = stream.endCapture().value();
  const Event begin = Event::create(device, true).value(),
              end = Event::create(device, true).value();
  meet(group);
  for (int i = 0; i < replays + 2; ++i) {
    if (i == 2)
      EXPECT_TRUE(stream.record(begin));
    EXPECT_TRUE(stream.launch(graph));
  }
  EXPECT_TRUE(stream.record(end));
  EXPECT_EQ(end.synchronize(), CUDA_SUCCESS);
  meet(group);
  return end.since(begin).value() * 1000 / (many * replays);
}

TEST_F(GpuPeers, TheTimeOfAnExchangeIsTold) {
  for (const int64_t count : {1, 2})
    onThreads(count, [&](Group &group) {
      ASSERT_TRUE(device->makeCurrent());
      auto made = makePeerCollectives(device, group, *peers);
      ASSERT_TRUE(made) << made.error().message;
      for (const auto type : {ElementType::F32, ElementType::BF16})
        for (const int64_t elements : {768, 1600, 6400, 51200, 262144}) {
          const float time = timeOf(group, **made, device, type, elements);
          EXPECT_GT(time, 0);
          if (group.rank().number == 0)
            std::printf("%ld ranks, %ld of %s: %.2f us\n", long(count),
                        long(elements), std::string(bundle::name(type)).c_str(),
                        time);
        }
    });
}

} // namespace
} // namespace tilegpt::cuda
