// Runs a fuzz target on every file of its corpus, as a regression test in every
// build.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

TEST(FuzzCorpus, EveryInputIsHandled) {
  size_t count = 0;
  for (const auto &entry : std::filesystem::directory_iterator(FUZZ_CORPUS)) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(
        LLVMFuzzerTestOneInput(
            reinterpret_cast<const uint8_t *>(content.data()), content.size()),
        0);
    ++count;
  }
  EXPECT_GT(count, 0u) << "the corpus is empty";
}
