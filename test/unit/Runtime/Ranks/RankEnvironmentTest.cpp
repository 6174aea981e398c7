// Environment variables of launchers, and invalid values of them.
#include "TileGPT/Runtime/Ranks/RankEnvironment.h"
#include <gtest/gtest.h>
#include <map>

using namespace tilegpt;
using namespace tilegpt::runtime;

namespace {

using Variables = std::map<std::string, std::string>;

Result<std::optional<RankEnvironment>> read(const Variables &variables) {
  return RankEnvironment::read([&](const char *name) -> const char * {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

std::string errorOf(const Variables &variables) {
  const auto environment = read(variables);
  EXPECT_FALSE(environment);
  if (environment)
    return "";
  EXPECT_EQ(environment.error().code, ErrorCode::Usage);
  return environment.error().message;
}

TEST(RankEnvironment, IsNothingWithoutALauncher) {
  const auto environment = read({{"MASTER_PORT", "1"}, {"LOCAL_RANK", "2"}});
  ASSERT_TRUE(environment);
  EXPECT_FALSE(*environment);
}

TEST(RankEnvironment, ReadsWhatTorchrunSets) {
  const auto environment = read({{"RANK", "5"},
                                 {"WORLD_SIZE", "8"},
                                 {"LOCAL_RANK", "1"},
                                 {"MASTER_ADDR", "node0"},
                                 {"MASTER_PORT", "1234"}});
  ASSERT_TRUE(environment && *environment);
  EXPECT_EQ((*environment)->rank, (bundle::Rank{5, 8}));
  EXPECT_EQ((*environment)->localRank, 1);
  EXPECT_EQ((*environment)->address, "node0");
  EXPECT_EQ((*environment)->port, 1234);
}

/// The agent's own store listens on MASTER_PORT.
TEST(RankEnvironment, TakesThePortBehindTorchrunsStore) {
  const auto environment = read({{"RANK", "0"},
                                 {"WORLD_SIZE", "2"},
                                 {"MASTER_PORT", "1234"},
                                 {"TORCHELASTIC_USE_AGENT_STORE", "True"}});
  ASSERT_TRUE(environment && *environment);
  EXPECT_EQ((*environment)->port, 1235);
}

TEST(RankEnvironment, ReadsWhatMpirunSets) {
  const auto environment = read({{"OMPI_COMM_WORLD_RANK", "1"},
                                 {"OMPI_COMM_WORLD_SIZE", "2"},
                                 {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}});
  ASSERT_TRUE(environment && *environment);
  EXPECT_EQ((*environment)->rank, (bundle::Rank{1, 2}));
  EXPECT_EQ((*environment)->localRank, 1);
  EXPECT_EQ((*environment)->address, "127.0.0.1");
  EXPECT_EQ((*environment)->port, 29500);
}

TEST(RankEnvironment, NamesTheVariableThatIsWrong) {
  EXPECT_EQ(errorOf({{"RANK", "0"}}),
            "ranks: RANK is set, but WORLD_SIZE is not; a launcher sets both");
  EXPECT_EQ(errorOf({{"WORLD_SIZE", "2"}}),
            "ranks: WORLD_SIZE is set, but RANK is not; a launcher sets both");
  EXPECT_EQ(errorOf({{"RANK", "2"}, {"WORLD_SIZE", "2"}}),
            "ranks: expected RANK to be a number from 0 to 1, got '2'");
  EXPECT_EQ(errorOf({{"RANK", "0"}, {"WORLD_SIZE", "0"}}),
            "ranks: expected WORLD_SIZE to be a number from 1 to 1024, got "
            "'0'");
  EXPECT_EQ(errorOf({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "x"}}),
            "ranks: expected LOCAL_RANK to be a number from 0 to 1, got 'x'");
  EXPECT_EQ(
      errorOf({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_PORT", "70000"}}),
      "ranks: expected MASTER_PORT to be a number from 1 to 65534, got "
      "'70000'");
}

} // namespace
