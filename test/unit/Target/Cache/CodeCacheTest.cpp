// Stored entries are found again; anything that does not match exactly is not.
#include "TileGPT/Target/Cache/CodeCache.h"
#include "ScopedVariable.h"
#include "TileGPT/Target/Cache/BuildId.h"
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

class CodeCacheTest : public testing::Test {
protected:
  CodeCacheTest() {
    llvm::cantFail(llvm::errorCodeToError(
        llvm::sys::fs::createUniqueDirectory("tilegpt-cache", folder)));
  }
  ~CodeCacheTest() override { llvm::sys::fs::remove_directories(folder); }

  const llvm::StringRef sample{"code\0of a kernel", 16};
  static CacheKey key(llvm::StringRef text = "kernel") {
    const llvm::StringRef parts[] = {"build", text};
    return CacheKey(CodeKind::HostObject, parts);
  }
  void store(CodeCache &cache) { store(cache, key()); }
  void store(CodeCache &cache, const CacheKey &key) {
    cache.store(key, "softmax", sample);
  }

  /// Modifies the bytes of an entry in place.
  void change(const CodeCache &cache,
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

TEST_F(CodeCacheTest, WhatIsStoredComesBack) {
  llvm::sys::path::append(folder, "made", "when", "needed");
  CodeCache cache(folder.str().str());
  EXPECT_FALSE(cache.load(key()).has_value());
  store(cache);
  EXPECT_EQ(cache.getWarning(), "");
  const auto found = CodeCache(folder.str().str()).load(key());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(*found, sample);
  for (int i = 0; i < 3; ++i)
    llvm::sys::path::remove_filename(folder);
}

TEST_F(CodeCacheTest, KeysTellApartKindPartsAndWherePartsEnd) {
  const auto keyOf = [](std::vector<llvm::StringRef> parts) {
    return CacheKey(CodeKind::HostObject, parts).getBytes();
  };
  EXPECT_EQ(keyOf({"a", "bc"}), keyOf({"a", "bc"}));
  EXPECT_NE(keyOf({"a", "bc"}), keyOf({"a", "bd"}));
  EXPECT_NE(keyOf({"a", "bc"}), keyOf({"ab", "c"}));
  EXPECT_NE(
      keyOf({"a", "bc"}),
      CacheKey(CodeKind::GpuKernel, std::vector<llvm::StringRef>{"a", "bc"})
          .getBytes());
}

TEST_F(CodeCacheTest, NoDamagedFieldIsBelieved) {
  CodeCache cache(folder.str().str());
  store(cache);
  std::string whole;
  change(cache, [&](std::string &bytes) { whole = bytes; });
  // The step is smaller than any field.
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

TEST_F(CodeCacheTest, NoPartOfAnEntryIsBelieved) {
  CodeCache cache(folder.str().str());
  store(cache);
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

TEST_F(CodeCacheTest, TrimmingRemovesWhatWasNotUsedForLongest) {
  CodeCache cache(folder.str().str());
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
    store(cache, key(name(i)));
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

  store(cache, key(name(4)));
  cache.trim(3 * size);
  EXPECT_TRUE(isThere(0));
  EXPECT_FALSE(isThere(1));
  EXPECT_FALSE(isThere(2));
  EXPECT_TRUE(isThere(3));
  EXPECT_TRUE(isThere(4));
}

TEST_F(CodeCacheTest, TrimmingLeavesOtherFilesAlone) {
  CodeCache cache(folder.str().str());
  store(cache);
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

TEST_F(CodeCacheTest, AnEntryUnderAnotherNameIsNotBelieved) {
  CodeCache cache(folder.str().str());
  store(cache, key("another"));
  ASSERT_FALSE(
      llvm::sys::fs::rename(cache.pathOf(key("another")), cache.pathOf(key())));
  EXPECT_FALSE(cache.load(key()).has_value());
}

TEST_F(CodeCacheTest, AnEntryOfAnotherUserIsNotBelieved) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can give a file away";
  CodeCache cache(folder.str().str());
  store(cache);
  ASSERT_EQ(::chown(cache.pathOf(key()).c_str(), 65534, 65534), 0);
  EXPECT_FALSE(cache.load(key()).has_value());
}

TEST_F(CodeCacheTest, ADamagedEntryIsReplaced) {
  CodeCache cache(folder.str().str());
  store(cache);
  change(cache, [](std::string &bytes) { bytes.resize(10); });
  store(cache);
  EXPECT_TRUE(cache.load(key()).has_value());
}

TEST_F(CodeCacheTest, AFolderThatCannotBeMadeCostsOneWarning) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "file");
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << "in the way";
  CodeCache cache((path + "/cache").str());
  store(cache);
  const std::string warning = cache.getWarning();
  EXPECT_THAT(warning,
              StartsWith("cache: compiled kernels are not kept for the "
                         "next start: cannot make '"));
  store(cache, key("second"));
  EXPECT_EQ(cache.getWarning(), warning);
  EXPECT_FALSE(cache.load(key()).has_value());
}

TEST_F(CodeCacheTest, AFullDiskCostsOneWarningAndLeavesNothingBehind) {
  // A file size limit makes writes fail as on a full disk.
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 16;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
  CodeCache cache(folder.str().str());
  store(cache);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);

  EXPECT_THAT(cache.getWarning(), HasSubstr("cannot write '"));
  EXPECT_FALSE(cache.load(key()).has_value());
  std::error_code error;
  EXPECT_EQ(llvm::sys::fs::directory_iterator(folder, error),
            llvm::sys::fs::directory_iterator());
}

TEST_F(CodeCacheTest, ManyMayWriteTheSameEntry) {
  CodeCache cache(folder.str().str());
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([&] {
      for (int n = 0; n < 8; ++n) {
        store(cache);
        EXPECT_TRUE(cache.load(key()).has_value());
      }
    });
  for (std::thread &writer : writers)
    writer.join();
  EXPECT_EQ(cache.getWarning(), "");
}

TEST_F(CodeCacheTest, EntriesAreListedTheLastUsedFirstAndCleared) {
  CodeCache cache(folder.str().str());
  EXPECT_TRUE(cache.entries().empty());
  store(cache);
  cache.store(CacheKey(CodeKind::GpuKernel, llvm::StringRef("x")),
              std::string(200, 'n'), "image");
  const std::string other = (folder + "/notes.object").str();
  std::error_code error;
  llvm::raw_fd_ostream(other, error) << "mine";
  ASSERT_TRUE(cache.load(key()).has_value());

  auto entries = cache.entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].path, cache.pathOf(key()));
  EXPECT_EQ(entries[0].name, "softmax");
  EXPECT_EQ(entries[0].kind, CodeKind::HostObject);
  EXPECT_EQ(entries[0].bytes, 128 + sample.size());
  EXPECT_EQ(entries[1].name, std::string(79, 'n'));
  EXPECT_EQ(entries[1].kind, CodeKind::GpuKernel);

  EXPECT_TRUE(cache.clear().empty());
  EXPECT_TRUE(cache.entries().empty());
  EXPECT_TRUE(llvm::sys::fs::exists(other));
}

TEST(CodeCacheFolder, IsTheFirstOneTheEnvironmentNames) {
  const ScopedVariable home("HOME", "/home/anna");
  {
    const ScopedVariable cache("XDG_CACHE_HOME", nullptr);
    const ScopedVariable chosen("TILEGPT_CACHE_DIR", nullptr);
    EXPECT_EQ(CodeCache::defaultFolder(), "/home/anna/.cache/tilegpt");
  }
  const ScopedVariable cache("XDG_CACHE_HOME", "/var/cache");
  {
    const ScopedVariable chosen("TILEGPT_CACHE_DIR", "");
    EXPECT_EQ(CodeCache::defaultFolder(), "/var/cache/tilegpt");
  }
  const ScopedVariable chosen("TILEGPT_CACHE_DIR", "/fast/kernels");
  EXPECT_EQ(CodeCache::defaultFolder(), "/fast/kernels");
}

TEST(CodeCacheFolder, CanBeSwitchedOff) {
  const ScopedVariable chosen("TILEGPT_CACHE_DIR", "off");
  EXPECT_EQ(CodeCache::defaultFolder(), std::nullopt);
  EXPECT_EQ(CodeCache::folderOf(""), std::nullopt);
  EXPECT_EQ(CodeCache::folderOf("/mine"), "/mine");
  EXPECT_EQ(CodeCache::folderOf("off"), std::nullopt);
}

TEST(BuildId, IsThatOfTheLinker) {
  const std::string &id = compilerBuildId();
  EXPECT_GE(id.size(), 3 * 16u);
  EXPECT_EQ(id, compilerBuildId());
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
}
