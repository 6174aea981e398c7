// Saving is atomic, and files that cannot be read or written report why.
#include "Sample.h"
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>

using namespace tilegpt;
using namespace tilegpt::bundle;
namespace fs = std::filesystem;

namespace {

class Save : public testing::Test {
protected:
  Save() {
    std::string pattern = fs::temp_directory_path() / "tilegpt-save-XXXXXX";
    folder = mkdtemp(pattern.data());
  }
  ~Save() override { fs::remove_all(folder); }

  size_t fileCount() const {
    return size_t(std::distance(fs::directory_iterator(folder),
                                fs::directory_iterator()));
  }

  fs::path folder;
};

TEST_F(Save, WhatIsSavedOpensAgain) {
  const auto image = test::sampleImage();
  const fs::path path = folder / "m.tgb";
  ASSERT_TRUE(save(image, path));
  const auto bundle = Bundle::open(path);
  ASSERT_TRUE(bundle) << bundle.error().message;
  EXPECT_TRUE(std::ranges::equal(bundle->bytes(), image));
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(Save, ReplacesAnOlderFile) {
  const fs::path path = folder / "m.tgb";
  std::ofstream(path) << std::string(100000, 'x');
  ASSERT_TRUE(save(test::sampleImage(), path));
  EXPECT_TRUE(Bundle::open(path));
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(Save, FollowsLinksAlsoToAFileThatIsNotThereYet) {
  const fs::path folder2 = folder / "elsewhere", link = folder / "m.tgb";
  fs::create_directory(folder2);
  fs::create_symlink("elsewhere/real.tgb", link);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(save(test::sampleImage(), link));
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_TRUE(Bundle::open(folder2 / "real.tgb"));
    EXPECT_EQ(fileCount(), 2u);
  }
}

TEST_F(Save, WritesToADeviceAndLeavesItOne) {
  const fs::path null = folder / "null";
  fs::create_symlink("/dev/null", null);
  ASSERT_TRUE(save(test::sampleImage(), null));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(save(test::sampleImage(), "/dev/full").error().message,
            "bundle: cannot write '/dev/full': No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Save, KeepsThePermissionsOfTheOldFile) {
  const fs::path path = folder / "m.tgb";
  std::ofstream(path) << "old";
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(save(test::sampleImage(), path));
  EXPECT_EQ(fs::status(path).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Save, ARunningOutOfSpaceLeavesTheOldFileAndNoOther) {
  const fs::path path = folder / "m.tgb";
  std::ofstream(path) << "old";
  // A file size limit stands in for a full disk: write() fails at the same
  // point.
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto saved = save(test::sampleImage(), path);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);

  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, runtime::ErrorCode::Failure);
  EXPECT_EQ(saved.error().message,
            "bundle: cannot write '" + path.string() + "': File too large");
  EXPECT_EQ(fs::file_size(path), 3u);
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(Save, AMissingFolderIsNamed) {
  const fs::path path = folder / "none" / "m.tgb";
  EXPECT_EQ(save(test::sampleImage(), path).error().message,
            "bundle: cannot write '" + path.string() +
                "': No such file or directory");
}

TEST_F(Save, OpeningSaysWhichFileIsWrong) {
  const fs::path path = folder / "m.tgb";
  EXPECT_EQ(Bundle::open(path).error().message,
            "bundle: '" + path.string() +
                "' cannot be read: No such file or directory");
  EXPECT_EQ(Bundle::open(folder).error().message,
            "bundle: '" + folder.string() + "' is not a file");
  std::ofstream(path) << "RIFF1234";
  const auto other = Bundle::open(path);
  EXPECT_EQ(other.error().message,
            "bundle: '" + path.string() + "' is not a TileGPT bundle");
  EXPECT_EQ(other.error().code, runtime::ErrorCode::BadInput);
}

TEST_F(Save, AHugeFileThatIsNoBundleIsNotRead) {
  const fs::path path = folder / "model.safetensors";
  std::ofstream(path) << "not a bundle";
  fs::resize_file(path, uint64_t(1) << 40); // sparse
  EXPECT_EQ(Bundle::open(path).error().message,
            "bundle: '" + path.string() + "' is not a TileGPT bundle");
}

TEST_F(Save, ATruncatedFileIsNamed) {
  const fs::path path = folder / "m.tgb";
  ASSERT_TRUE(save(test::sampleImage(), path));
  fs::resize_file(path, 5000);
  EXPECT_EQ(Bundle::open(path).error().message,
            "bundle: '" + path.string() +
                "' is truncated: expected 8256 bytes, got 5000");
}

} // namespace
