// Rounding, wrapping and bit patterns of elements.
#include "TileGPT/Reference/Element.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

namespace tilegpt::reference {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Element, RoundsTiesToEven) {
  EXPECT_EQ(roundTo(1 + 0x1p-8, ElementType::BF16), 1);
  EXPECT_EQ(roundTo(1 + 3 * 0x1p-8, ElementType::BF16), 1 + 0x1p-6);
  EXPECT_EQ(roundTo(1 + 0x1p-11, ElementType::F16), 1);
  EXPECT_EQ(roundTo(1 + 0x1p-24, ElementType::F32), 1);
  EXPECT_EQ(roundTo(0.1, ElementType::F64), 0.1);
}

TEST(Element, RoundsToTF32WithTenMantissaBits) {
  EXPECT_EQ(roundToTF32(1 + 0x1p-10), 1 + 0x1p-10);
  EXPECT_EQ(roundToTF32(1 + 0x1p-11), 1);
  EXPECT_EQ(roundToTF32(1 + 3 * 0x1p-11), 1 + 0x1p-9);
  EXPECT_EQ(roundToTF32(0x1p-126), 0x1p-126);
}

TEST(Element, OverflowsAsTheFormatSays) {
  EXPECT_EQ(roundTo(1e300, ElementType::F32), infinity);
  EXPECT_EQ(roundTo(65519, ElementType::F16), 65504);
  EXPECT_EQ(roundTo(65520, ElementType::F16), infinity);
  EXPECT_EQ(roundTo(61440, ElementType::F8E5M2), infinity);
  EXPECT_EQ(roundTo(464, ElementType::F8E4M3FN), 448);
  EXPECT_TRUE(std::isnan(roundTo(465, ElementType::F8E4M3FN)));
  EXPECT_TRUE(std::isnan(roundTo(infinity, ElementType::F8E4M3FN)));
}

TEST(Element, KeepsSubnormals) {
  EXPECT_EQ(roundTo(0x1p-24, ElementType::F16), 0x1p-24);
  EXPECT_EQ(roundTo(0x1p-149, ElementType::F32), 0x1p-149);
  EXPECT_EQ(roundTo(0x1p-9, ElementType::F8E4M3FN), 0x1p-9);
  EXPECT_EQ(roundTo(0x1p-16, ElementType::F8E5M2), 0x1p-16);
}

TEST(Element, WrapsIntegers) {
  EXPECT_EQ(wrapTo(128, ElementType::I8), -128);
  EXPECT_EQ(wrapTo(-129, ElementType::I8), 127);
  EXPECT_EQ(wrapTo(3, ElementType::I1), 1);
  EXPECT_EQ(signedValue(1, ElementType::I1), -1);
  EXPECT_EQ(unsignedValue(-1, ElementType::I16), 65535u);
  EXPECT_EQ(unsignedValue(-1, ElementType::I64), ~uint64_t(0));
}

/// Every bit pattern of the small float types survives a round trip through
/// double.
TEST(Element, BitsRoundTrip) {
  for (ElementType type : {ElementType::F8E4M3FN, ElementType::F8E5M2,
                           ElementType::F16, ElementType::BF16}) {
    for (uint64_t bits = 0; bits < (uint64_t(1) << bitWidth(type)); ++bits) {
      Element value = fromBits(bits, type);
      EXPECT_EQ(toBits(value, type), bits) << bundle::name(type);
    }
  }
  EXPECT_EQ(toBits(Element::of(-2.0), ElementType::F32), 0xC0000000u);
  EXPECT_EQ(toBits(Element::of(int64_t(-1)), ElementType::I8), 0xFFu);
  EXPECT_EQ(fromBits(0xFF, ElementType::I8).i, -1);
}

} // namespace
} // namespace tilegpt::reference
