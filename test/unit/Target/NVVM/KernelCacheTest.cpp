// What is stored comes back; what is not exactly that does not.
#include "TileGPT/Target/NVVM/KernelCache.h"
#include "DeviceModule.h"
#include "ScopedVariable.h"
#include "TileGPT/Target/NVVM/BuildId.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace tilegpt;
using namespace tilegpt::test;
using namespace tilegpt::target;
using testing::HasSubstr;
using testing::StartsWith;

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
    return kernel;
  }
  static KernelKey key(llvm::StringRef text = "kernel") {
    return KernelKey(text, gpuTarget(), nullptr, "build");
  }

  /// The bytes of an entry, changed and put back.
  void change(const KernelCache &cache,
              llvm::function_ref<void(std::string &)> edit) {
    std::string bytes =
        llvm::cantFail(llvm::errorOrToExpected(
                           llvm::MemoryBuffer::getFile(cache.pathOf(key()))))
            ->getBuffer()
            .str();
    edit(bytes);
    std::error_code error;
    llvm::raw_fd_ostream(cache.pathOf(key()), error) << bytes;
    ASSERT_FALSE(error);
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
}

TEST_F(KernelCacheTest, WhatIsStoredComesBack) {
  llvm::sys::path::append(folder, "made", "when", "needed");
  KernelCache cache(folder.str().str());
  EXPECT_FALSE(cache.load(key()).has_value());
  cache.store(key(), sample());
  EXPECT_EQ(cache.getWarning(), "");
  const auto found = KernelCache(folder.str().str()).load(key());
  ASSERT_TRUE(found.has_value());
  expectEqual(*found, sample());
  for (int i = 0; i < 3; ++i)
    llvm::sys::path::remove_filename(folder);
}

TEST_F(KernelCacheTest, KeysTellApartWhateverAnImageDependsOn) {
  const auto differs = [](const KernelKey &other) {
    return other.getBytes() != key().getBytes();
  };
  EXPECT_FALSE(differs(key("kernel")));
  EXPECT_TRUE(differs(key("kerne1")));
  EXPECT_TRUE(
      differs(KernelKey("kernel", gpuTarget("sm_80"), nullptr, "build")));
  EXPECT_TRUE(differs(KernelKey("kernel", gpuTarget(), nullptr, "buil")));
  if (const auto ptxas = llvm::cantFail(Ptxas::find()))
    EXPECT_TRUE(differs(KernelKey("kernel", gpuTarget(), &*ptxas, "build")));
}

TEST_F(KernelCacheTest, NoDamagedFieldIsBelieved) {
  KernelCache cache(folder.str().str());
  cache.store(key(), sample());
  std::string whole;
  change(cache, [&](std::string &bytes) { whole = bytes; });
  // Every field is wider than the steps.
  for (size_t i = 0; i < whole.size(); i += 3) {
    change(cache, [&](std::string &bytes) {
      bytes = whole;
      bytes[i] ^= 0x10;
    });
    EXPECT_FALSE(cache.load(key()).has_value()) << i;
  }
  change(cache, [&](std::string &bytes) { bytes = whole; });
  EXPECT_TRUE(cache.load(key()).has_value());
}

TEST_F(KernelCacheTest, NoPartOfAnEntryIsBelieved) {
  KernelCache cache(folder.str().str());
  cache.store(key(), sample());
  change(cache, [](std::string &bytes) { bytes += 'x'; });
  EXPECT_FALSE(cache.load(key()).has_value());
  while (true) {
    bool empty = false;
    change(cache, [&](std::string &bytes) {
      bytes.resize(bytes.size() - std::min<size_t>(bytes.size(), 7));
      empty = bytes.empty();
    });
    EXPECT_FALSE(cache.load(key()).has_value());
    if (empty)
      break;
  }
}

TEST_F(KernelCacheTest, TrimmingRemovesWhatWasNotUsedForLongest) {
  KernelCache cache(folder.str().str());
  const auto name = [](int i) { return "kernel" + std::to_string(i); };
  const auto now = std::chrono::system_clock::now();
  const auto age = [&](int i, int hours) {
    int file = -1;
    ASSERT_FALSE(llvm::sys::fs::openFileForReadWrite(
        cache.pathOf(key(name(i))), file, llvm::sys::fs::CD_OpenExisting,
        llvm::sys::fs::OF_None));
    llvm::sys::fs::setLastAccessAndModificationTime(
        file, now - std::chrono::hours(hours));
    ::close(file);
  };
  for (int i = 0; i < 4; ++i)
    cache.store(key(name(i)), sample());
  uint64_t size = 0;
  ASSERT_FALSE(llvm::sys::fs::file_size(cache.pathOf(key(name(0))), size));
  for (int i = 0; i < 4; ++i)
    age(i, 4 - i);
  ASSERT_TRUE(cache.load(key(name(0)))); // used: now the youngest

  const auto isThere = [&](int i) {
    return llvm::sys::fs::exists(cache.pathOf(key(name(i))));
  };
  cache.trim(4 * size);
  for (int i = 0; i < 4; ++i)
    EXPECT_TRUE(isThere(i));
  cache.trim(0);
  EXPECT_TRUE(isThere(1)) << "nothing was stored since";

  cache.store(key(name(4)), sample());
  cache.trim(3 * size);
  EXPECT_TRUE(isThere(0));
  EXPECT_FALSE(isThere(1));
  EXPECT_FALSE(isThere(2));
  EXPECT_TRUE(isThere(3));
  EXPECT_TRUE(isThere(4));
}

TEST_F(KernelCacheTest, TrimmingLeavesOtherFilesAlone) {
  KernelCache cache(folder.str().str());
  cache.store(key(), sample());
  const std::string other = (folder + "/notes.txt").str();
  const std::string halfWritten = cache.pathOf(key()) + ".12.34";
  std::error_code error;
  llvm::raw_fd_ostream(other, error) << "mine";
  llvm::raw_fd_ostream(halfWritten, error) << "half an entry";
  cache.trim(0);
  EXPECT_TRUE(llvm::sys::fs::exists(other));
  EXPECT_FALSE(llvm::sys::fs::exists(halfWritten));
  EXPECT_FALSE(cache.load(key()));
}

TEST_F(KernelCacheTest, AnEntryUnderAnotherNameIsNotBelieved) {
  KernelCache cache(folder.str().str());
  cache.store(key("another"), sample());
  ASSERT_FALSE(
      llvm::sys::fs::rename(cache.pathOf(key("another")), cache.pathOf(key())));
  EXPECT_FALSE(cache.load(key()).has_value());
}

TEST_F(KernelCacheTest, AnEntryOfAnotherUserIsNotBelieved) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can give a file away";
  KernelCache cache(folder.str().str());
  cache.store(key(), sample());
  ASSERT_EQ(::chown(cache.pathOf(key()).c_str(), 65534, 65534), 0);
  EXPECT_FALSE(cache.load(key()).has_value());
}

TEST_F(KernelCacheTest, ADamagedEntryIsReplaced) {
  KernelCache cache(folder.str().str());
  cache.store(key(), sample());
  change(cache, [](std::string &bytes) { bytes.resize(10); });
  cache.store(key(), sample());
  EXPECT_TRUE(cache.load(key()).has_value());
}

TEST_F(KernelCacheTest, AFolderThatCannotBeMadeCostsOneWarning) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "file");
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << "in the way";
  KernelCache cache((path + "/cache").str());
  cache.store(key(), sample());
  const std::string warning = cache.getWarning();
  EXPECT_THAT(warning, StartsWith("gpu: compiled kernels are not kept for the "
                                  "next start: cannot make '"));
  cache.store(key("second"), sample());
  EXPECT_EQ(cache.getWarning(), warning);
  EXPECT_FALSE(cache.load(key()).has_value());
}

TEST_F(KernelCacheTest, AFullDiskCostsOneWarningAndLeavesNothingBehind) {
  // Files may not grow: writing fails as it does on a full disk.
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 16;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
  KernelCache cache(folder.str().str());
  cache.store(key(), sample());
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);

  EXPECT_THAT(cache.getWarning(), HasSubstr("cannot write '"));
  EXPECT_FALSE(cache.load(key()).has_value());
  std::error_code error;
  EXPECT_EQ(llvm::sys::fs::directory_iterator(folder, error),
            llvm::sys::fs::directory_iterator());
}

TEST_F(KernelCacheTest, ManyMayWriteTheSameEntry) {
  KernelCache cache(folder.str().str());
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([&] {
      for (int n = 0; n < 8; ++n) {
        cache.store(key(), sample());
        EXPECT_TRUE(cache.load(key()).has_value());
      }
    });
  for (std::thread &writer : writers)
    writer.join();
  EXPECT_EQ(cache.getWarning(), "");
}

TEST(KernelCacheFolder, IsTheFirstOneTheEnvironmentNames) {
  const ScopedVariable home("HOME", "/home/anna");
  {
    const ScopedVariable cache("XDG_CACHE_HOME", nullptr);
    const ScopedVariable chosen("TILEGPT_CACHE_DIR", nullptr);
    EXPECT_EQ(KernelCache::defaultFolder(), "/home/anna/.cache/tilegpt");
  }
  const ScopedVariable cache("XDG_CACHE_HOME", "/var/cache");
  {
    const ScopedVariable chosen("TILEGPT_CACHE_DIR", "");
    EXPECT_EQ(KernelCache::defaultFolder(), "/var/cache/tilegpt");
  }
  const ScopedVariable chosen("TILEGPT_CACHE_DIR", "/fast/kernels");
  EXPECT_EQ(KernelCache::defaultFolder(), "/fast/kernels");
}

TEST(KernelCacheFolder, CanBeSwitchedOff) {
  const ScopedVariable chosen("TILEGPT_CACHE_DIR", "off");
  EXPECT_EQ(KernelCache::defaultFolder(), std::nullopt);
}

TEST(BuildId, IsThatOfTheLinker) {
  const std::string &id = compilerBuildId();
  EXPECT_GE(id.size(), 3 * 16u);
  EXPECT_EQ(id, compilerBuildId());
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
}
