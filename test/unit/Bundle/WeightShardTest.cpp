// Which part of a weight each rank holds, as text and as row ranges.
#include "TileGPT/Bundle/WeightShard.h"
#include <gtest/gtest.h>

using namespace tilegpt::bundle;

namespace {

using Runs = std::vector<WeightShard::Run>;

TEST(WeightShard, PrintsWhatItParses) {
  for (const char *text :
       {"rows 768/2", "rows 3x768/2", "rows 3x25*64/2", "rows 2048/4, 2x512/2",
        "columns 3072/8", "first", "begin 50257/2"}) {
    const auto shard = WeightShard::parse(text);
    ASSERT_TRUE(shard) << text;
    EXPECT_EQ(shard->format(), text);
  }
}

TEST(WeightShard, RefusesOtherText) {
  for (const char *text : {"",
                           "rows",
                           "rows ",
                           "rows 768",
                           "rows 768/",
                           "rows 0/2",
                           "rows -1/2",
                           "rows 768/0",
                           "rows 768/2,",
                           "rows 768/2, ",
                           "rows 768/2;",
                           "rows 2*/2",
                           "rows x3/2",
                           "rows 3x/2",
                           "cols 768/2",
                           "first ",
                           "begin 3x8/2",
                           "begin 8/2, 8/2",
                           "begin 2147483648/2",
                           "rows 768/2 ",
                           "rows 1099511627777/2",
                           "rows 1048577x1048577/2",
                           "rows 1048577*1048577/2",
                           "rows 99999999999999999999/2"})
    EXPECT_FALSE(WeightShard::parse(text)) << text;
}

TEST(WeightShard, CutsEachGroup) {
  const auto shard = WeightShard::parse("rows 3x8/2");
  EXPECT_EQ(shard->wholeSize(), 24);
  EXPECT_EQ(shard->partSize(), 12);
  EXPECT_EQ(shard->runsOf({0, 2}), (Runs{{0, 4, 0}, {8, 4, 4}, {16, 4, 8}}));
  EXPECT_EQ(shard->runsOf({1, 2}), (Runs{{4, 4, 0}, {12, 4, 4}, {20, 4, 8}}));
}

/// 5 heads of 4 rows on 2 ranks: 3 on the first; 2 on the second, plus zero
/// padding for a third.
TEST(WeightShard, CutsBetweenUnits) {
  const auto shard = WeightShard::parse("rows 5*4/2");
  EXPECT_EQ(shard->wholeSize(), 20);
  EXPECT_EQ(shard->partSize(), 12);
  EXPECT_EQ(shard->runsOf({0, 2}), (Runs{{0, 12, 0}}));
  EXPECT_EQ(shard->runsOf({1, 2}), (Runs{{12, 8, 0}}));
}

TEST(WeightShard, GivesNeighboursThePieceTheyShare) {
  const auto shard = WeightShard::parse("rows 8/4, 2x6/2");
  EXPECT_EQ(shard->partSize(), 8);
  EXPECT_EQ(shard->runsOf({1, 4}), (Runs{{2, 2, 0}, {8, 3, 2}, {14, 3, 5}}));
  EXPECT_EQ(shard->runsOf({2, 4}), (Runs{{4, 2, 0}, {11, 3, 2}, {17, 3, 5}}));
}

TEST(WeightShard, LeavesRanksBeyondTheEndNothing) {
  const auto shard = WeightShard::parse("rows 5/4");
  EXPECT_EQ(shard->runsOf({2, 4}), (Runs{{4, 1, 0}}));
  EXPECT_EQ(shard->runsOf({3, 4}), Runs());
}

/// 33 tokens: each rank has 9, the last one 6. 5 tokens on 4 ranks: the last
/// one has none.
TEST(WeightShard, TellsWhereARankBegins) {
  const auto shard = WeightShard::parse("begin 33/4");
  EXPECT_EQ(shard->beginOf({0, 4}), 0);
  EXPECT_EQ(shard->beginOf({1, 4}), 9);
  EXPECT_EQ(shard->beginOf({3, 4}), 27);
  EXPECT_EQ(WeightShard::parse("begin 5/4")->beginOf({3, 4}), 5);
}

/// Shards cover every row, whatever the sizes.
TEST(WeightShard, CoversTheWhole) {
  for (int64_t units = 1; units < 20; ++units)
    for (int64_t ranks = 1; ranks < 9; ++ranks) {
      const WeightShard shard{WeightShard::Axis::Rows, {{2, units, 3, ranks}}};
      std::vector<int> seen(size_t(shard.wholeSize()));
      for (int64_t rank = 0; rank < ranks; ++rank)
        for (const auto &run : shard.runsOf({rank, ranks})) {
          EXPECT_LE(run.at + run.count, shard.partSize());
          for (int64_t i = 0; i < run.count; ++i)
            ++seen[size_t(run.first + i)];
        }
      EXPECT_EQ(seen, std::vector<int>(seen.size(), 1))
          << units << " units, " << ranks << " ranks";
    }
}

TEST(ShardedName, SplitsNameAndPart) {
  const auto name = parseShardedName("q.weight+k.weight[rows 8/2]");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->whole, "q.weight+k.weight");
  EXPECT_EQ(name->shard->format(), "rows 8/2");
  EXPECT_EQ(shardedName(name->whole, "rows 8/2"),
            "q.weight+k.weight[rows 8/2]");
  EXPECT_FALSE(parseShardedName("q.weight")->shard);
  for (const char *bad : {"q.weight[", "q.weight[]", "q.weight[rows 8/2",
                          "q.weight[rows 8]", "q.weight[rows 8/2]x"})
    EXPECT_FALSE(parseShardedName(bad)) << bad;
}

} // namespace
