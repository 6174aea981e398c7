// The emulator itself: turns, barriers, lanes that work together, and copies
// that arrive late.
#include "Block.h"
#include "gmock/gmock.h"

using namespace tilegpt::emulator;
using testing::Each;
using testing::Eq;

namespace {

class EmulatedBlock : public testing::TestWithParam<Schedule> {};
INSTANTIATE_TEST_SUITE_P(Schedules, EmulatedBlock,
                         testing::Values(Schedule::Ascending,
                                         Schedule::Descending));

TEST_P(EmulatedBlock, PassesABarrierTogether) {
  Block block(64, 0, {}, {});
  std::vector<int> arrived(64), seen(64);
  EXPECT_EQ(block.run(
                [&](Thread &thread) {
                  arrived[thread.id] = 1;
                  block.barrier(thread, 0, 64);
                  for (int other : arrived)
                    seen[thread.id] += other;
                },
                GetParam()),
            "");
  EXPECT_THAT(seen, Each(Eq(64)));
}

TEST_P(EmulatedBlock, ReportsThreadsThatNobodyWakes) {
  Block block(64, 0, {}, {});
  EXPECT_EQ(block.run(
                [&](Thread &thread) {
                  if (thread.id < 40)
                    block.barrier(thread, 0, 64);
                },
                GetParam()),
            "40 of 64 threads wait for others that never come");
}

TEST_P(EmulatedBlock, WorksOnTheSlotsOfAWholeWarp) {
  Block block(64, 0, {}, {});
  std::vector<uint64_t> sums(64);
  EXPECT_EQ(block.run(
                [&](Thread &thread) {
                  uint64_t slot = thread.id;
                  block.together(thread, &slot, [](const Block::Lanes &lanes) {
                    uint64_t sum = 0;
                    for (Slots lane : lanes)
                      sum += *lane;
                    for (Slots lane : lanes)
                      *lane = sum;
                  });
                  sums[thread.id] = slot;
                },
                GetParam()),
            "");
  EXPECT_EQ(sums.front(), 31U * 32 / 2);
  EXPECT_EQ(sums.back(), 31U * 32 / 2 + 32 * 32);
}

TEST(EmulatedBlock, CopiesArriveWhenTheyAreWaitedFor) {
  Block block(1, 16, {}, {});
  const std::array<std::byte, 8> source{std::byte(1), std::byte(2)};
  std::vector<int> seen;
  const auto look = [&] { seen.push_back(int(block.shared()[0])); };
  EXPECT_EQ(block.run(
                [&](Thread &thread) {
                  thread.addCopy({block.shared(), source.data(), 8, 8});
                  thread.commitCopies();
                  thread.commitCopies();
                  look();
                  thread.waitForCopies(2);
                  look();
                  thread.waitForCopies(1);
                  look();
                },
                Schedule::Ascending),
            "");
  EXPECT_THAT(seen, testing::ElementsAre(0xFF, 0xFF, 1));
}

} // namespace
