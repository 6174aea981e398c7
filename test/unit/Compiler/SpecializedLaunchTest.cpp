// Launches of raw kernels on the fake driver: which specialization they pick
// for the arguments they see.
#include "../ScopedVariable.h"
#include "Cuda/OpenFake.h"
#include "TileGPT/Compiler/CudaTileModule.h"
#include "TileGPT/Runtime/Cuda/Stream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilegpt;

namespace {

/// y = x·x, without any promise about pointers and strides; the stride of the
/// last axis is an argument too.
constexpr char program[] = R"(
  !V = !tile.view<?x?xbf16, strides=[?, ?]>
  tile.kernel @square(%x: !tile.ptr<bf16>, %y: !tile.ptr<bf16>, %m: i32, %s: i32, %t: i32) grid launch {
    %i = tile.block_id 0
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %rows = arith.index_cast %m : i32 to index
    %step = arith.index_cast %s : i32 to index
    %last = arith.index_cast %t : i32 to index
    %xs = tile.view_at %x sizes [%rows, %rows] strides [%step, %last] : !tile.ptr<bf16> -> !V
    %ys = tile.view_at %y sizes [%rows, %rows] strides [%step, %last] : !tile.ptr<bf16> -> !V
    %d = scf.for %k = %c0 to %rows step %c1 iter_args(%sum = %zero) -> tensor<64x64xf32> {
      %a = tile.load %xs[%i, %k] [64, 64] : !V -> tensor<64x64xbf16>
      %b = tile.load %xs[%k, %c0] [64, 64] : !V -> tensor<64x64xbf16>
      %next = tile.dot %a, %b, %sum : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    }
    %r = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xbf16>
    tile.store %r, %ys[%i, %c0] : tensor<64x64xbf16>, !V
  }
)";

/// The program with a counter of its launches, which lies in its image.
static std::string countingProgram() {
  std::string text = program;
  const std::string_view first = "    %i = tile.block_id 0\n";
  text.insert(text.find(first), R"(
    %count = tile.data shared "launches" dense<0> : tensor<1xi32> -> !tile.ptr<i32>
    %at = arith.constant dense<0> : tensor<i32>
    %one = arith.constant dense<1> : tensor<i32>
    %old = tile.atomic_rmw add %count[%at], %one : !tile.ptr<i32>, tensor<i32>, tensor<i32>
)");
  return text;
}

class SpecializedLaunch : public testing::Test {
protected:
  SpecializedLaunch() {
    // Specializations have different parameters, which this driver is too old
    // to report.
    fake.version = 12030;
    fake.parameters["kernel_square"] = {8, 8, 4, 4, 4, 8, 8, 8, 8};
  }

  compiler::CudaTileModule compile(bool specialize = true,
                                   const std::string &text = program) {
    compiler::CudaTileOptions options;
    options.target = "sm_90a";
    options.cacheFolder = "off";
    options.specialize = specialize;
    options.driver = test::fakeLibrary;
    return compiler::CudaTileModule::compile(std::as_bytes(std::span(text)),
                                             options)
        .value();
  }

  /// Launches and returns how many tensor maps were encoded.
  size_t launch(const compiler::CudaTileModule &module, uint64_t x, int32_t s,
                int32_t t = 1) {
    uint64_t y = 1 << 20;
    int32_t m = 100;
    void *params[] = {&x, &y, &m, &s, &t};
    fake.tensorMaps.clear();
    const auto done =
        module.find("square")->launch({2, 1, 1}, params, stream.get());
    EXPECT_TRUE(done) << done.error().message;
    return fake.tensorMaps.size();
  }

  int modules() { return fake.calls["cuModuleLoadDataEx"]; }

  test::ScopedVariable ptxas{"TILEGPT_PTXAS", "off"};
  test::FakeCuda &fake = test::freshFake();
  cuda::Stream stream = cuda::Stream::create(test::openFake()).value();
};

TEST_F(SpecializedLaunch, AlignedArgumentsGetTheCopyEngine) {
  const compiler::CudaTileModule module = compile();
  EXPECT_GT(launch(module, 4096, 64), 0u);
  EXPECT_EQ(modules(), 1);
  EXPECT_GT(launch(module, 8192, 128), 0u);
  EXPECT_EQ(modules(), 1) << "the kernel is kept";
}

TEST_F(SpecializedLaunch, APromiseThatDoesNotHoldIsNotMade) {
  const compiler::CudaTileModule module = compile();
  EXPECT_GT(launch(module, 4096, 64), 0u);
  EXPECT_EQ(launch(module, 4096 + 2, 64), 0u) << "a pointer";
  EXPECT_EQ(launch(module, 4096, 65), 0u) << "a stride";
  EXPECT_EQ(launch(module, 4096, 64, 2), 0u) << "elements that lie apart";
  EXPECT_GT(launch(module, 4096, 64), 0u);
  EXPECT_EQ(modules(), 4);
}

TEST_F(SpecializedLaunch, ThereIsAnEndToKernelsOfAnEntry) {
  const compiler::CudaTileModule module = compile();
  for (const uint64_t x : {4096, 4100, 4098})
    for (const int32_t s : {64, 66, 65})
      for (const int32_t t : {1, 2, 3, 8})
        launch(module, x, s, t);
  EXPECT_EQ(modules(), 17) << "16 and the general one";
}

TEST_F(SpecializedLaunch, CallersMayWantOneKernelForAll) {
  const compiler::CudaTileModule module = compile(/*specialize=*/false);
  EXPECT_EQ(launch(module, 4096, 64), 0u);
  EXPECT_EQ(launch(module, 4098, 65), 0u);
  EXPECT_EQ(modules(), 1);
}

/// Each image has its own copy of the memory.
TEST_F(SpecializedLaunch, KernelsThatKeepMemoryHaveOneImage) {
  const compiler::CudaTileModule module =
      compile(/*specialize=*/true, countingProgram());
  EXPECT_EQ(launch(module, 4096, 64), 0u);
  EXPECT_EQ(launch(module, 4098, 65), 0u);
  EXPECT_EQ(modules(), 1);
}

} // namespace
