// The runtime does not depend on the compiler: this binary links every object
// of every runtime library, which would fail if one needed MLIR or LLVM, and
// finds neither among the libraries of its process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>
#include <string>
#include <vector>

TEST(Linkage, TheRuntimeNeedsNeitherMlirNorLlvm) {
  std::vector<std::string> libraries;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *list) {
        static_cast<std::vector<std::string> *>(list)->push_back(
            info->dlpi_name);
        return 0;
      },
      &libraries);
  ASSERT_FALSE(libraries.empty());
  for (const std::string &library : libraries)
    EXPECT_THAT(library,
                testing::Not(testing::ContainsRegex("MLIR|LLVM|clang-cpp")));
}
