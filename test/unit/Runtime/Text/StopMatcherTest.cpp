// Stop strings are found across pieces and never shown, not even in part; no
// other text is withheld for good.
#include "TileGPT/Runtime/Text/StopMatcher.h"
#include <gtest/gtest.h>
#include <random>

using namespace tilegpt::runtime;

namespace {

StopMatcher matcher(std::vector<std::string> stops) {
  return StopMatcher::create(std::move(stops)).value();
}

} // namespace

TEST(StopMatcher, WithoutStopStringsShowsEverythingAtOnce) {
  StopMatcher none;
  EXPECT_EQ(none.push("abc"), "abc");
  EXPECT_EQ(none.finish(), "");
  EXPECT_FALSE(none.stopped());
}

TEST(StopMatcher, HoldsBackWhatMayBeAStopString) {
  StopMatcher stops = matcher({"\nUser:"});
  EXPECT_EQ(stops.push("Hello\n"), "Hello");
  EXPECT_EQ(stops.push("Us"), "");
  EXPECT_EQ(stops.push("eful"), "\nUseful");
  EXPECT_EQ(stops.push("\nUse"), "");
  EXPECT_EQ(stops.push("r"), "");
  EXPECT_FALSE(stops.stopped());
  EXPECT_EQ(stops.push(": x"), "");
  EXPECT_TRUE(stops.stopped());
  EXPECT_EQ(stops.push("more"), "");
  EXPECT_EQ(stops.finish(), "");
}

TEST(StopMatcher, GivesBackWhatTurnedOutToBeText) {
  StopMatcher stops = matcher({"###"});
  EXPECT_EQ(stops.push("a##"), "a");
  EXPECT_EQ(stops.finish(), "##");
  EXPECT_FALSE(stops.stopped());
}

TEST(StopMatcher, HoldsBackOverlappingStarts) {
  StopMatcher stops = matcher({"aab"});
  EXPECT_EQ(stops.push("aaa"), "a");
  EXPECT_EQ(stops.push("b"), "");
  EXPECT_TRUE(stops.stopped());
}

TEST(StopMatcher, TheFirstOfSeveralStopsCounts) {
  StopMatcher stops = matcher({"world", "o w", "zzz"});
  EXPECT_EQ(stops.push("hello world"), "hell");
  EXPECT_TRUE(stops.stopped());
}

TEST(StopMatcher, RefusesAnEmptyStopString) {
  const auto stops = StopMatcher::create({"a", ""});
  ASSERT_FALSE(stops);
  EXPECT_EQ(stops.error().message, "expected a stop string of at least one "
                                   "byte, got an empty one");
  EXPECT_EQ(stops.error().code, ErrorCode::Usage);
}

TEST(StopMatcher, AgreesWithASearchOfTheWholeText) {
  std::mt19937 random(7);
  const std::vector<std::string> stops = {"abab", "bb", "aaba"};
  for (int round = 0; round < 2000; ++round) {
    std::string text, shown;
    StopMatcher stream = matcher(stops);
    while (text.size() < 12) {
      std::string piece;
      for (size_t size = random() % 4; piece.size() < size;)
        piece += "abc"[random() % 3];
      text += piece;
      shown += stream.push(piece);
    }
    shown += stream.finish();
    size_t end = text.size();
    for (const std::string &stop : stops)
      end = std::min(end, text.find(stop));
    EXPECT_EQ(shown, text.substr(0, end)) << text;
    EXPECT_EQ(stream.stopped(), end < text.size());
  }
}
