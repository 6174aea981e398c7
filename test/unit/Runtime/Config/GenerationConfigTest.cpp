// The end-of-text tokens from generation_config.json.
#include "../TemporaryFolder.h"
#include "TileGPT/Runtime/Config/ModelConfig.h"
#include <gtest/gtest.h>

using namespace tilegpt::runtime;
using Tokens = std::vector<int32_t>;

namespace {

Result<Tokens> read(std::string_view text) {
  const tilegpt::TemporaryFolder folder;
  return readEndTokens(folder.write("generation_config.json", text), 10);
}

TEST(GenerationConfig, SaysOneTokenSeveralOrNone) {
  EXPECT_EQ(read(R"({"eos_token_id": 3})"), Tokens{3});
  EXPECT_EQ(read(R"({"eos_token_id": [3, 9]})"), (Tokens{3, 9}));
  EXPECT_EQ(read(R"({"eos_token_id": null})"), Tokens{});
  EXPECT_EQ(read(R"({"do_sample": true})"), Tokens{});
  EXPECT_EQ(read("[]"), Tokens{});
  EXPECT_EQ(readEndTokens("nowhere/generation_config.json", 10), Tokens{});
}

TEST(GenerationConfig, IgnoresTokensOutsideOfTheVocabulary) {
  EXPECT_EQ(read(R"({"eos_token_id": 10})"), Tokens{});
  EXPECT_EQ(read(R"({"eos_token_id": [-1, 9, 50256]})"), Tokens{9});
}

TEST(GenerationConfig, RefusesWhatIsNoToken) {
  const auto messageOf = [](std::string_view text) {
    const auto tokens = read(text);
    return tokens ? "" : tokens.error().message;
  };
  constexpr std::string_view expected =
      "generation_config.json' expected 'eos_token_id' to be an integer or a "
      "list of integers, got ";
  for (const auto &[text, found] :
       {std::pair(R"({"eos_token_id": [1, 1.5]})", "a number"),
        std::pair(R"({"eos_token_id": "x"})", "a string")}) {
    const std::string message = messageOf(text);
    EXPECT_TRUE(message.ends_with(std::string(expected) + found)) << message;
  }
  EXPECT_NE(messageOf("{"), "");
}

TEST(GenerationConfig, IsNotPassedOverWhereItCannotBeRead) {
  const tilegpt::TemporaryFolder folder;
  const auto path = folder.path / "generation_config.json";
  std::filesystem::create_symlink(path, path);
  const auto tokens = readEndTokens(path, 10);
  ASSERT_FALSE(tokens);
  EXPECT_EQ(tokens.error().message, "config: cannot open '" + path.string() +
                                        "': Too many levels of symbolic links");
}

} // namespace
