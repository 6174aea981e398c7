// Every conversion rounds to nearest even, compared with the C++ compiler's
// half type and with arithmetic in double; matrices of all sizes are
// transposed.
#include "Convert.h"
#include "TileGPT/Runtime/FloatBits.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <vector>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::ElementType;

namespace {

uint32_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }

/// Rounds to nearest even by search: `toValue` maps 0 ... last to increasing
/// values.
template <typename ToValue>
uint16_t nearest(double value, uint16_t last, const ToValue &toValue) {
  uint16_t low = 0, high = last;
  while (high - low > 1) {
    const auto middle = uint16_t((low + high) / 2);
    (toValue(middle) <= value ? low : high) = middle;
  }
  const double below = value - toValue(low), above = toValue(high) - value;
  return below < above || (below == above && low % 2 == 0) ? low : high;
}

/// Checks all finite magnitudes of a 16-bit type and their neighbourhoods.
template <typename Narrow, typename Check>
void forInterestingFloats(uint16_t infinity, const Check &check) {
  for (uint32_t i = 0; i + 1 < infinity; ++i) {
    const float value = toFloat(Narrow{uint16_t(i)});
    const float next = toFloat(Narrow{uint16_t(i + 1)});
    const float middle = value / 2 + next / 2;
    for (const float x : {value, middle, std::nextafter(middle, value),
                          std::nextafter(middle, next)}) {
      check(x);
      check(-x);
    }
  }
}

/// Converts a single unaligned number.
template <typename T>
std::vector<std::byte> unaligned(const std::vector<T> &values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T) + 1);
  std::ranges::copy(std::as_bytes(std::span(values)), bytes.begin() + 1);
  return bytes;
}

} // namespace

TEST(Convert, EveryHalfIsTheSameFloat) {
  for (uint32_t i = 0; i < 65536; ++i) {
    const auto expected = float(std::bit_cast<_Float16>(uint16_t(i)));
    const float actual = toFloat(Half{uint16_t(i)});
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(actual)) << i;
    else
      EXPECT_EQ(bitsOf(actual), bitsOf(expected)) << i;
  }
}

TEST(Convert, EveryHalfAndBFloatSurvivesARoundTrip) {
  for (uint32_t i = 0; i < 65536; ++i) {
    const float half = toFloat(Half{uint16_t(i)});
    const float bfloat = toFloat(BFloat{uint16_t(i)});
    if (std::isnan(half))
      EXPECT_TRUE(std::isnan(toFloat(toHalf(half)))) << i;
    else
      EXPECT_EQ(toHalf(half).bits, i);
    if (std::isnan(bfloat))
      EXPECT_TRUE(std::isnan(toFloat(toBFloat(bfloat)))) << i;
    else
      EXPECT_EQ(toBFloat(bfloat).bits, i);
  }
}

TEST(Convert, RoundsToTheNearestHalf) {
  forInterestingFloats<Half>(0x7C00, [](float x) {
    const auto expected = std::bit_cast<uint16_t>(_Float16(x));
    ASSERT_EQ(toHalf(x).bits, expected) << x;
  });
  EXPECT_EQ(toHalf(65519.996f).bits, 0x7BFF);
  EXPECT_EQ(toHalf(65520.0f).bits, 0x7C00);
  EXPECT_EQ(toHalf(-1e30f).bits, 0xFC00);
  EXPECT_EQ(toHalf(std::numeric_limits<float>::denorm_min()).bits, 0);
}

TEST(Convert, RoundsToTheNearestBFloat) {
  forInterestingFloats<BFloat>(0x7F80, [](float x) {
    const uint16_t expected =
        nearest(std::abs(double(x)), 0x7F7F,
                [](uint16_t i) { return double(toFloat(BFloat{i})); });
    ASSERT_EQ(toBFloat(x).bits & 0x7FFF, expected) << x;
    ASSERT_EQ(toBFloat(x).bits >> 15, std::signbit(x)) << x;
  });
  EXPECT_EQ(toBFloat(std::numeric_limits<float>::max()).bits, 0x7F80);
  EXPECT_TRUE(std::isnan(toFloat(toBFloat(std::bit_cast<float>(0x7F800001)))));
}

TEST(Convert, RoundsDoublesOnce) {
  // Just above the midpoint of two bf16 values: rounding to float first would
  // give the midpoint and then the even neighbour.
  const double middle = 1 + 0x1p-8, above = middle + 0x1p-40;
  EXPECT_EQ(toBFloat(float(above)).bits, 0x3F80);
  EXPECT_EQ(toBFloat(toOddFloat(above)).bits, 0x3F81);
  EXPECT_EQ(toBFloat(toOddFloat(-above)).bits, 0xBF81);
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) {
    const double x =
        std::ldexp(double(random() >> 11) * 0x1p-53, int(random() % 40) - 24);
    const uint16_t expected =
        nearest(x, 0x7BFF, [](uint16_t half) { return toFloat(Half{half}); });
    ASSERT_EQ(toHalf(toOddFloat(x)).bits, x >= 65520 ? 0x7C00 : expected) << x;
  }
  EXPECT_TRUE(std::isnan(toOddFloat(std::nan(""))));
  EXPECT_TRUE(std::isinf(toFloat(toHalf(toOddFloat(1e300)))));
}

TEST(Convert, ReadsElementsOfAnyAlignment) {
  cpu::ThreadPool pool(2);
  // More than one chunk, and a multiple of no block size.
  std::vector<float> values(200003);
  std::iota(values.begin(), values.end(), -1000.0f);
  const auto bytes = unaligned(values);
  std::vector<uint16_t> result(values.size());
  convert(StoredType::F32, bytes.data() + 1, ElementType::BF16,
          reinterpret_cast<std::byte *>(result.data()), int64_t(values.size()),
          pool);
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(result[i], toBFloat(values[i]).bits) << i;
}

TEST(Convert, TransposesMatricesOfAnySize) {
  cpu::ThreadPool pool(2);
  for (const auto [rows, columns] : {std::pair<int64_t, int64_t>{1, 1},
                                     {1, 100},
                                     {100, 1},
                                     {64, 64},
                                     {63, 65},
                                     {257, 130},
                                     {0, 5}}) {
    std::vector<double> values(size_t(rows * columns));
    std::iota(values.begin(), values.end(), 0.5);
    const auto bytes = unaligned(values);
    std::vector<float> result(values.size(), -1);
    convertTransposed(StoredType::F64, bytes.data() + 1, ElementType::F32,
                      reinterpret_cast<std::byte *>(result.data()), rows,
                      columns, pool);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column)
        ASSERT_EQ(result[size_t(column * rows + row)],
                  float(values[size_t(row * columns + column)]))
            << row << " " << column;
  }
}

TEST(Convert, KnowsEveryPairOfFloatingPointTypes) {
  cpu::ThreadPool pool(1);
  const std::pair<StoredType, ElementType> types[] = {
      {StoredType::F16, ElementType::F16},
      {StoredType::BF16, ElementType::BF16},
      {StoredType::F32, ElementType::F32},
      {StoredType::F64, ElementType::F64}};
  const double value = -1.5; // exact in all
  for (const auto &[from, sameAsFrom] : types) {
    alignas(8) std::byte stored[8], result[8], back[8];
    convert(StoredType::F64, reinterpret_cast<const std::byte *>(&value),
            sameAsFrom, stored, 1, pool);
    for (const auto &[sameAsTo, to] : types) {
      EXPECT_TRUE(canConvert(from, to));
      EXPECT_EQ(isSameType(from, to), from == sameAsTo);
      convert(from, stored, to, result, 1, pool);
      convert(sameAsTo, result, ElementType::F64, back, 1, pool);
      EXPECT_EQ(std::bit_cast<double>(back), value);
    }
  }
  EXPECT_FALSE(canConvert(StoredType::I32, ElementType::F32));
  EXPECT_FALSE(canConvert(StoredType::F32, ElementType::I8));
}
