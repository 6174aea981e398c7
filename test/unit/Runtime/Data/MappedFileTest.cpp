// Mappings can be moved, and truncating a mapped file gives an error message
// instead of a silent crash.
#include "TileGPT/Runtime/Data/MappedFile.h"
#include "../TemporaryFolder.h"
#include <csignal>
#include <gtest/gtest.h>
#include <numeric>
#include <sys/stat.h>
#include <unistd.h>

using namespace tilegpt;
using namespace tilegpt::runtime;
namespace fs = std::filesystem;

TEST(MappedFile, HoldsTheContentAlsoAfterAMove) {
  const TemporaryFolder folder;
  auto file = MappedFile::open(folder.write("a", "content"), "weights");
  ASSERT_TRUE(file) << file.error().message;
  const MappedFile moved = std::move(*file);
  EXPECT_EQ(moved.text(), "content");
  EXPECT_TRUE(moved.checkIntact());
}

TEST(MappedFile, AnEmptyFileHasNoBytes) {
  const TemporaryFolder folder;
  const auto file = MappedFile::open(folder.write("a", ""), "weights");
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->bytes().empty());
  EXPECT_TRUE(file->checkIntact());
}

TEST(MappedFile, RefusesAPointerOfGitLfs) {
  const TemporaryFolder folder;
  const fs::path path = folder.write(
      "tokenizer.json",
      "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n");
  const auto file = MappedFile::open(path, "tokenizer");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message,
            "tokenizer: '" + path.string() +
                "' is a pointer of Git LFS to the file, not the file; get it "
                "with 'git lfs pull' or 'hf download'");
}

TEST(MappedFile, RefusesWhatIsNotAFile) {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const fs::path loop = folder.path / "loop";
  fs::create_symlink(loop, loop);
  const std::pair<fs::path, std::string> cases[] = {
      {loop, "Too many levels of symbolic links"},
      {folder.path / std::string(300, 'a'), "File name too long"},
      {folder.path / "none", "No such file or directory"},
      {folder.path, "not a regular file"},
      {pipe, "not a regular file"},
  };
  for (const auto &[path, reason] : cases) {
    // Only files that certainly do not exist are skipped.
    EXPECT_EQ(mayExist(path), path.filename() != "none");
    const auto file = MappedFile::open(path, "weights");
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().message,
              "weights: cannot open '" + path.string() + "': " + reason);
  }
}

TEST(MappedFile, SeesThatItsFileWasTruncated) {
  const TemporaryFolder folder;
  const auto path = folder.write("a", std::string(20000, 'x'));
  const auto file = MappedFile::open(path, "weights");
  ASSERT_TRUE(file);
  fs::resize_file(path, 10);
  const auto intact = file->checkIntact();
  ASSERT_FALSE(intact);
  EXPECT_EQ(intact.error().message,
            "weights: '" + path.string() +
                "' was truncated while it was in use; restore it and run "
                "again");
}

TEST(MappedFileDeathTest, ExplainsAReadBehindTheEndOfATruncatedFile) {
  const TemporaryFolder folder;
  const auto path = folder.write("a", std::string(20000, 'x'));
  const auto readAll = [&] {
    const auto file = MappedFile::open(path, "weights");
    const auto other = MappedFile::open(folder.write("b", "other"), "weights");
    fs::resize_file(path, 10);
    const std::string_view text = file->text();
    std::exit(std::accumulate(text.begin(), text.end(), 0) == 0);
  };
  EXPECT_EXIT(readAll(), testing::ExitedWithCode(3),
              "weights: '.*/a' was truncated while it was in use; restore it "
              "and run again");
}

TEST(MappedFileDeathTest, LeavesOtherFaultsToTheHandlerBefore) {
  // A separate process that has never mapped a file.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const TemporaryFolder folder;
  const auto path = folder.write("a", "content");
  const auto fault = [&](void (*before)(int)) {
    std::signal(SIGBUS, before);
    const auto file = MappedFile::open(path, "weights");
    std::raise(SIGBUS);
  };
  EXPECT_EXIT(fault([](int) { ::_exit(7); }), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(fault(SIG_DFL), testing::KilledBySignal(SIGBUS), "");
}
