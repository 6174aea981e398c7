// The order in which candidates are tried, and their variety.
#include "TileGPT/Runtime/Tuning/Candidates.h"
#include <gtest/gtest.h>
#include <set>

using namespace tilegpt;
using namespace tilegpt::runtime;

TEST(Candidates, TilesThatDivideTheDataAndFillAllLanesComeFirst) {
  // 96 columns in tiles of 64 need a third more with padding.
  const auto columns = rankChoices({{"BN", {32, 64, 96}, 96, false}}, 1, 8);
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(columns[0].parameters.at("BN"), 96);
  EXPECT_EQ(columns[2].parameters.at("BN"), 64);
  // Three blocks on four lanes leave one idle.
  const auto rows = rankChoices({{"BM", {32, 24}, 96, true}}, 4, 8);
  EXPECT_EQ(rows[0].parameters.at("BM"), 24);
  EXPECT_EQ(
      rankChoices({{"BM", {32, 24}, 96, true}}, 3, 8)[0].parameters.at("BM"),
      32);
}

TEST(Candidates, AreNotAllNeighbours) {
  const std::vector<int64_t> sizes = {8,  16, 24, 32, 40, 48,
                                      56, 64, 72, 80, 88, 96};
  const auto choices = rankChoices(
      {{"BM", sizes, 4800, true}, {"BN", sizes, 4800, true}}, 1, 24);
  ASSERT_EQ(choices.size(), 24u);
  std::map<int64_t, int> byRows;
  for (const Choice &choice : choices)
    EXPECT_LE(++byRows[choice.parameters.at("BM")], 6);
  EXPECT_EQ(std::set<Choice>(choices.begin(), choices.end()).size(), 24u);
}

TEST(Candidates, HaveOtherNumbersOfWarps) {
  const Choice choice{{{"BM", 32}}, {{"warps", 8}}};
  const auto others = withOtherWarps(choice);
  ASSERT_EQ(others.size(), 3u);
  for (const Choice &other : others) {
    EXPECT_EQ(other.parameters, choice.parameters);
    EXPECT_NE(other.plan.at("warps"), 8);
  }
  EXPECT_EQ(withOtherWarps({}).size(), 4u);
}

TEST(Candidates, WithoutParametersThereAreNone) {
  EXPECT_TRUE(rankChoices({}, 4, 24).empty());
}
