// The cost model of FMA kernels: how many blocks per multiprocessor are best.
#include "Cost/MultiplyAddCost.h"
#include <gtest/gtest.h>

namespace tilegpt::tilegpu {
namespace {

constexpr int64_t multiprocessors = 132, sharedBytes = 233472;

MultiplyAddTime timeOf(int64_t rows, int64_t columns, int64_t blocks) {
  return timeOfMultiplyAdd(rows, columns, blocks, /*steps=*/16, multiprocessors,
                           sharedBytes);
}

TEST(MultiplyAddCost, ABlockForEachMultiprocessorIsAlone) {
  EXPECT_EQ(timeOf(128, 128, 128).residents, 1);
  EXPECT_EQ(timeOf(32, 32, 132).residents, 1);
}

TEST(MultiplyAddCost, OneWaveHoldsAllItsBlocks) {
  EXPECT_EQ(timeOf(128, 128, 256).residents, 2);
  EXPECT_EQ(timeOf(64, 64, 512).residents, 4);
}

TEST(MultiplyAddCost, ThreeRoundsOfOneBeatTwoWavesOfTwo) {
  MultiplyAddTime three = timeOf(128, 128, 3 * multiprocessors);
  EXPECT_EQ(three.residents, 1);
  EXPECT_LT(three.cycles, timeOf(128, 128, 4 * multiprocessors).cycles);
}

TEST(MultiplyAddCost, NoMoreThanThereIsRoomFor) {
  EXPECT_EQ(timeOf(128, 128, 5280).residents, 2);
  // Three stages of both operands fill the shared memory of a smaller device.
  EXPECT_EQ(timeOfMultiplyAdd(128, 128, 5280, 16, 84, 102400).residents, 1);
}

} // namespace
} // namespace tilegpt::tilegpu
