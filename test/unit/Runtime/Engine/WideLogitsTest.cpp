// Logits of every type are converted to f32; f32 logits are not copied.
#include "TileGPT/Runtime/Engine/WideLogits.h"
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

using namespace tilegpt::runtime;
using testing::ElementsAre;
using tilegpt::bundle::ElementType;

namespace {

template <typename T>
const std::byte *bytesOf(const T &values) {
  return reinterpret_cast<const std::byte *>(values);
}

constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(WideLogits, KeepsF32WhereItIs) {
  WideLogits wide;
  const float logits[] = {1.5f, -2.25f};
  const auto found = wide.of(ElementType::F32, bytesOf(logits), 2);
  EXPECT_EQ(found.data(), logits);
  EXPECT_EQ(found.size(), 2u);
}

TEST(WideLogits, WidensBf16) {
  WideLogits wide;
  const uint16_t logits[] = {0x3FC0, 0xC148, 0xFF80};
  EXPECT_THAT(wide.of(ElementType::BF16, bytesOf(logits), 3),
              ElementsAre(1.5f, -12.5f, -infinity));
}

TEST(WideLogits, WidensF16) {
  WideLogits wide;
  const uint16_t logits[] = {0x3E00, 0xCA40, 0xFC00, 0x0001};
  EXPECT_THAT(wide.of(ElementType::F16, bytesOf(logits), 4),
              ElementsAre(1.5f, -12.5f, -infinity, 0x1p-24f));
  // Fewer than before, reusing the memory.
  EXPECT_THAT(wide.of(ElementType::F16, bytesOf(logits), 2),
              ElementsAre(1.5f, -12.5f));
}

TEST(WideLogits, KnowsTheTypesOfLogits) {
  EXPECT_TRUE(isLogitType(ElementType::F32));
  EXPECT_TRUE(isLogitType(ElementType::BF16));
  EXPECT_TRUE(isLogitType(ElementType::F16));
  EXPECT_FALSE(isLogitType(ElementType::F64));
  EXPECT_FALSE(isLogitType(ElementType::I32));
}

} // namespace
