// The binary carries the files of the tree, byte for byte.
#include "TileGPT/Library/Library.h"
#include "SourceFolder.h"
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace tilegpt::library;

static void expectEqualToTree(std::span<const File> files,
                              const std::string &folder) {
  EXPECT_FALSE(files.empty());
  for (const File &file : files) {
    std::ifstream stream(tilegpt::test::sourceFolder() / folder /
                         (std::string(file.name) + ".mlir"));
    std::ostringstream text;
    text << stream.rdbuf();
    EXPECT_EQ(text.str(), file.text) << file.name;
  }
}

TEST(Library, HoldsTheKernelsOfTheTree) {
  expectEqualToTree(kernels(), "kernels");
}
TEST(Library, HoldsTheModelsOfTheTree) {
  expectEqualToTree(models(), "models");
}

TEST(Library, FindsByName) {
  ASSERT_NE(find(kernels(), "linear"), nullptr);
  EXPECT_EQ(find(kernels(), "linear")->name, "linear");
  EXPECT_EQ(find(kernels(), "nothing"), nullptr);
}
