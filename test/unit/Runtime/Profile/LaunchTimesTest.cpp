// Medians of launch times, including those of no launches.
#include "TileGPT/Runtime/Profile/LaunchTimes.h"
#include "TileGPT/Runtime/Data/Median.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;
using namespace std::chrono_literals;

TEST(LaunchTimes, TakesTheMedianOfEachLaunchAndTellsTheNext) {
  LaunchTimes next;
  LaunchTimes times(&next);
  const bundle::Launch launches[3] = {};
  const LaunchObserver::Clock::time_point begin;
  for (const auto duration : {5us, 1us, 9us})
    times.launched(launches[0], 4, begin, begin + duration);
  times.launched(launches[1], 4, begin, begin + 2us);
  EXPECT_DOUBLE_EQ(times.secondsOf(launches[0]), 5e-6);
  EXPECT_DOUBLE_EQ(times.secondsOf(launches[1]), 2e-6);
  EXPECT_EQ(times.secondsOf(launches[2]), 0);
  EXPECT_TRUE(times.hasSeen(launches[1]));
  EXPECT_FALSE(times.hasSeen(launches[2]));
  EXPECT_DOUBLE_EQ(next.secondsOf(launches[0]), 5e-6);
}

TEST(LaunchTimes, TheMedianOfAnEvenNumberIsBetweenTwo) {
  EXPECT_EQ(medianOf({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(medianOf({}), 0);
}
