// The placement of tensors in the memory allocated for them.
#include "TileGPT/Runtime/Weights/WeightMemory.h"
#include <cstdint>
#include <gtest/gtest.h>

using namespace tilegpt;
using runtime::WeightMemory;

TEST(WeightMemory, SmallTensorsLieInOnePieceBehindEachOther) {
  WeightMemory memory;
  const auto first = memory.allocate(100), second = memory.allocate(1);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(*first) % WeightMemory::alignment, 0u);
  EXPECT_EQ(*second, *first + 128);
}

TEST(WeightMemory, TensorsLargerThanAPieceHaveOneOfTheirOwn) {
  WeightMemory memory;
  const size_t bytes = size_t(200) << 20;
  const auto small = memory.allocate(64), large = memory.allocate(bytes);
  ASSERT_TRUE(small && large);
  EXPECT_TRUE(*large + bytes <= *small || *small + 64 <= *large);
  EXPECT_EQ((*large)[bytes - 1], std::byte{0});
}

TEST(WeightMemory, TooMuchIsRefused) {
  WeightMemory memory;
  EXPECT_EQ(memory.allocate(size_t(1) << 60).error().code,
            runtime::ErrorCode::Device);
}
