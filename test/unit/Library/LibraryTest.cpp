// The embedded files equal those of the tree, byte for byte.
#include "TileGPT/Library/Library.h"
#include "SourceFolder.h"
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

using namespace tilegpt::library;

static void expectEqualToTree(std::span<const File> files,
                              const std::string &folder,
                              const std::string &extension = ".mlir") {
  EXPECT_FALSE(files.empty());
  for (const File &file : files) {
    std::ifstream stream(tilegpt::test::sourceFolder() / folder /
                         (std::string(file.name) + extension));
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

TEST(Library, HoldsTheRecordsOfTheTree) {
  expectEqualToTree(tuning(), "tuning", ".json");
}

TEST(Library, FindsByName) {
  ASSERT_NE(find(kernels(), "linear"), nullptr);
  EXPECT_EQ(find(kernels(), "linear")->name, "linear");
  EXPECT_EQ(find(kernels(), "nothing"), nullptr);
}

TEST(Library, KnowsTheTypesAModelIsFor) {
  const auto types = modelTypes(*find(models(), "gpt2"));
  ASSERT_FALSE(types.empty());
  EXPECT_EQ(types.front(), "gpt2");
  EXPECT_TRUE(modelTypes(*find(models(), "gpt2-xl")).empty());
  const File odd = {"odd", "model_type = [\"a\", \"b"};
  EXPECT_EQ(modelTypes(odd), (std::vector<std::string_view>{"a", "b"}));
}

// Other types would be read as a model of another architecture by accident.
TEST(Library, HasOneModelForATypeExceptFalcon) {
  std::set<std::string_view> seen, shared;
  for (const File &model : models())
    for (const std::string_view type : modelTypes(model))
      if (!seen.insert(type).second)
        shared.insert(type);
  EXPECT_EQ(shared, std::set<std::string_view>{"falcon"});
}
