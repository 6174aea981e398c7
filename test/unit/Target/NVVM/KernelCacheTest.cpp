// Every part of a kernel survives the cache; entries that hold no kernel are
// ignored.
#include "TileGPT/Target/NVVM/KernelCache.h"
#include "DeviceModule.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::test;
using namespace tilegpt::target;

namespace {

class KernelCacheTest : public testing::Test {
protected:
  KernelCacheTest() {
    llvm::cantFail(llvm::errorCodeToError(
        llvm::sys::fs::createUniqueDirectory("tilegpt-cache", folder)));
  }
  ~KernelCacheTest() override { llvm::sys::fs::remove_directories(folder); }

  static GpuKernel sample() {
    GpuKernel kernel;
    kernel.symbol = "kernel_f";
    kernel.ptx = ".version 8.7\n";
    kernel.cubin = {std::byte(1), std::byte(0), std::byte(2)};
    kernel.report = parsePtxasReport("ptxas info    : Used 10 registers, used "
                                     "1 barriers\n");
    kernel.launch.threads = 384;
    kernel.launch.clusterSize = 2;
    kernel.tensorMaps.resize(2);
    kernel.tensorMaps[1].box[0] = 64;
    kernel.launchViews.resize(1);
    kernel.launchViews[0].words[3] = {2, 5};
    kernel.launchWords = {bundle::Expression::scalar(7)};
    return kernel;
  }
  static CacheKey key(llvm::StringRef text = "kernel") {
    return kernelKey(text, gpuTarget(), nullptr, "build");
  }

  llvm::SmallString<128> folder;
};

} // namespace

static void expectEqual(const GpuKernel &a, const GpuKernel &b) {
  EXPECT_EQ(a.symbol, b.symbol);
  EXPECT_EQ(a.ptx, b.ptx);
  EXPECT_EQ(a.cubin, b.cubin);
  EXPECT_EQ(a.report, b.report);
  EXPECT_EQ(a.launch, b.launch);
  ASSERT_EQ(a.tensorMaps.size(), b.tensorMaps.size());
  for (size_t i = 0; i < a.tensorMaps.size(); ++i)
    EXPECT_EQ(std::memcmp(&a.tensorMaps[i], &b.tensorMaps[i],
                          sizeof(a.tensorMaps[i])),
              0);
  ASSERT_EQ(a.launchViews.size(), b.launchViews.size());
  for (size_t i = 0; i < a.launchViews.size(); ++i)
    EXPECT_EQ(std::memcmp(&a.launchViews[i], &b.launchViews[i],
                          sizeof(a.launchViews[i])),
              0);
  EXPECT_EQ(a.launchWords, b.launchWords);
}

TEST_F(KernelCacheTest, WhatIsStoredComesBack) {
  CodeCache cache(folder.str().str());
  EXPECT_FALSE(loadKernel(cache, key()).has_value());
  storeKernel(cache, key(), sample());
  EXPECT_EQ(cache.getWarning(), "");
  const auto found = loadKernel(CodeCache(folder.str().str()), key());
  ASSERT_TRUE(found.has_value());
  expectEqual(*found, sample());
}

TEST_F(KernelCacheTest, KeysTellApartWhateverAnImageDependsOn) {
  const auto differs = [](const CacheKey &other) {
    return other.getBytes() != key().getBytes();
  };
  EXPECT_FALSE(differs(key("kernel")));
  EXPECT_TRUE(differs(key("kerne1")));
  EXPECT_TRUE(
      differs(kernelKey("kernel", gpuTarget("sm_80"), nullptr, "build")));
  EXPECT_TRUE(differs(kernelKey("kernel", gpuTarget(), nullptr, "buil")));
  if (const auto ptxas = llvm::cantFail(Ptxas::find()))
    EXPECT_TRUE(differs(kernelKey("kernel", gpuTarget(), &*ptxas, "build")));
}

TEST_F(KernelCacheTest, WhatIsNoWholeKernelIsNotBelieved) {
  CodeCache cache(folder.str().str());
  storeKernel(cache, key(), sample());
  const std::string whole = *cache.load(key());
  for (size_t size = 0; size < whole.size(); size += 7) {
    cache.store(key(), "kernel_f", llvm::StringRef(whole).take_front(size));
    EXPECT_FALSE(loadKernel(cache, key()).has_value()) << size;
  }
  cache.store(key(), "kernel_f", whole + "x");
  EXPECT_FALSE(loadKernel(cache, key()).has_value());
}
