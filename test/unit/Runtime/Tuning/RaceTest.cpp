// Who leads a race, and which results may be recorded.
#include "TileGPT/Runtime/Tuning/Race.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;

static Choice bm(int64_t size) { return {{{"BM", size}}, {}}; }

/// Adds rounds in which the default takes 1 s and this entrant `seconds`.
static void run(Entrant &entrant, double seconds, size_t rounds) {
  for (size_t i = 0; i < rounds; ++i) {
    entrant.seconds.push_back(seconds);
    entrant.defaultSeconds.push_back(1);
  }
}

TEST(Race, LeadersAreThoseFasterThanTheDefaultThenTheUntried) {
  Race race({bm(1), bm(2), bm(3), bm(4)});
  run(race.entrants()[0], 1.5, 3);
  run(race.entrants()[2], 0.5, 3);
  run(race.entrants()[3], 0.1, 3);
  race.entrants()[3].isRefused = true;
  const auto leaders = race.leaders(2);
  ASSERT_EQ(leaders.size(), 2u);
  EXPECT_EQ(leaders[0]->choice.parameters.at("BM"), 3);
  EXPECT_EQ(leaders[1]->choice.parameters.at("BM"), 2);
}

TEST(Race, AWinnerIsFasterByTwoPercentInNineTenthsOfTwentyRounds) {
  Race race({bm(1)});
  Entrant &entrant = race.entrants()[0];
  run(entrant, 0.9, 19);
  EXPECT_EQ(race.winner(), nullptr);
  run(entrant, 0.9, 1);
  EXPECT_EQ(race.winner(), &entrant);
  run(entrant, 1.1, 3); // 20 of 23
  EXPECT_EQ(race.winner(), nullptr);
  entrant.seconds.clear();
  entrant.defaultSeconds.clear();
  run(entrant, 0.99, 40);
  EXPECT_EQ(race.winner(), nullptr);
}

TEST(Race, AChangeThatCostsMoreMayHaveToSaveMore) {
  Race race({bm(1)});
  run(race.entrants()[0], 0.96, 20);
  EXPECT_NE(race.winner(), nullptr);
  EXPECT_EQ(race.winner(/*leastGain=*/0.05), nullptr);
}

TEST(Race, ARecordHasTheMediansOfAnEntrant) {
  Entrant entrant;
  entrant.choice = bm(16);
  entrant.seconds = {1e-6, 2e-6, 6e-6};
  entrant.defaultSeconds = {3e-6, 1e-6, 9e-6};
  const TuningRecord record =
      recordOf("add", {"ab", {"?x8xf32"}, 1, 4}, entrant, "1.0");
  EXPECT_EQ(record.kernel, "add");
  EXPECT_EQ(record.key.lastRows, 4);
  EXPECT_EQ(record.choice, entrant.choice);
  EXPECT_DOUBLE_EQ(record.measured.microseconds, 2);
  EXPECT_DOUBLE_EQ(record.measured.defaultMicroseconds, 3);
  EXPECT_DOUBLE_EQ(record.measured.wins, 2.0 / 3);
  EXPECT_EQ(record.measured.samples, 3);
  EXPECT_EQ(record.tool, "1.0");
}

TEST(Race, TheFastestOfTheWinnersWins) {
  Race race({bm(1), bm(2), bm(3)});
  run(race.entrants()[0], 0.9, 20);
  run(race.entrants()[1], 0.8, 20);
  run(race.entrants()[2], 0.1, 20);
  race.entrants()[2].isRefused = true;
  EXPECT_EQ(race.winner(), &race.entrants()[1]);
}

TEST(Race, RatiosAreOfTheSameRound) {
  Entrant entrant;
  entrant.seconds = {1, 10, 100};
  entrant.defaultSeconds = {2, 20, 200};
  EXPECT_EQ(entrant.ratio(), 0.5);
  EXPECT_EQ(entrant.wins(), 1);
  EXPECT_EQ(Entrant().ratio(), 1);
}
