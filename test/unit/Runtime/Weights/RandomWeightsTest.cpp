// Random weights have the documented distribution and depend only on the seed
// and the name.
#include "TileGPT/Runtime/Weights/RandomWeights.h"
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::ElementType;

namespace {

/// A vector, or a matrix of one column.
std::vector<float> floats(WeightProvider &weights, std::string_view name,
                          int64_t count, size_t rank = 2) {
  const int64_t shape[] = {count, 1};
  const auto found =
      weights.find(name, ElementType::F32, std::span(shape).first(rank));
  EXPECT_TRUE(found) << found.error().message;
  const auto *values = static_cast<const float *>(*found);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(values) % 64, 0u);
  return {values, values + count};
}

} // namespace

TEST(RandomWeights, AreNormal) {
  const auto weights = randomWeights(1);
  const auto values = floats(*weights, "wte.weight", 1'000'003);
  double sum = 0, squares = 0, beyond = 0;
  for (const float value : values) {
    sum += value;
    squares += double(value) * value;
    beyond += std::abs(value) > 0.04; // two deviations: 4.55 %
  }
  const auto count = double(values.size());
  EXPECT_NEAR(sum / count, 0, 1e-4);
  EXPECT_NEAR(std::sqrt(squares / count), 0.02, 1e-4);
  EXPECT_NEAR(beyond / count, 0.0455, 1e-3);
}

TEST(RandomWeights, NormsAreTheIdentityAndBiasesZero) {
  const auto weights = randomWeights(1);
  for (const char *name : {"h.0.ln_1.weight", "model.norm.weight"})
    EXPECT_EQ(floats(*weights, name, 5000, 1), std::vector<float>(5000, 1.0f));
  for (const char *name : {"h.0.ln_1.bias", "h.0.attn.c_attn.bias"})
    EXPECT_EQ(floats(*weights, name, 5000, 1), std::vector<float>(5000, 0.0f));
}

TEST(RandomWeights, DependOnSeedAndNameOnly) {
  const auto one = randomWeights(7, 1), two = randomWeights(7, 2),
             other = randomWeights(8);
  two->find("wpe.weight", ElementType::F32, {});
  const auto values = floats(*one, "wte.weight", 100'000);
  EXPECT_EQ(values, floats(*two, "wte.weight", 100'000));
  EXPECT_NE(values, floats(*other, "wte.weight", 100'000));
  EXPECT_NE(values, floats(*one, "wpe.weight", 100'000));
  // With another type: the same values, rounded.
  const int64_t shape[] = {100'000, 1};
  const auto narrow = one->find("wte.weight", ElementType::BF16, shape);
  ASSERT_TRUE(narrow);
  const auto *bits = static_cast<const uint16_t *>(*narrow);
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_NEAR(std::bit_cast<float>(uint32_t(bits[i]) << 16), values[i],
                std::abs(values[i]) / 256);
}

TEST(RandomWeights, RefuseWhatCannotBe) {
  const auto weights = randomWeights(1);
  const int64_t one[] = {1};
  const int64_t huge[] = {int64_t(1) << 62, 8};
  const auto type = weights->find("a", ElementType::I32, one);
  ASSERT_FALSE(type);
  EXPECT_EQ(type.error().message,
            "weights: 'a' is asked for in i32, but random weights come in f32, "
            "f16, bf16 or f64");
  const auto shape = weights->find("a", ElementType::F32, huge);
  ASSERT_FALSE(shape);
  EXPECT_EQ(shape.error().message,
            "weights: 'a' is asked for as [4611686018427387904,8]");
}

TEST(RandomWeights, PartsHaveTheNumbersOfTheWhole) {
  const auto whole = randomWeights(3);
  constexpr int64_t rows = 90, columns = 101; // several blocks
  const int64_t shape[] = {rows, columns};
  const auto *all = static_cast<const float *>(
      *whole->find("a.weight+b.weight", ElementType::F32, shape));
  for (int64_t rank = 0; rank < 2; ++rank) {
    const auto weights = randomWeights(3, 1, {rank, 2});
    const int64_t rowPart[] = {rows / 2, columns};
    const auto *ofRows = static_cast<const float *>(*weights->find(
        "a.weight+b.weight[rows 3x30/2]", ElementType::F32, rowPart));
    const int64_t columnPart[] = {rows, (columns + 1) / 2};
    const auto *ofColumns = static_cast<const float *>(*weights->find(
        "a.weight+b.weight[columns 101/2]", ElementType::F32, columnPart));
    for (int64_t i = 0; i < rows / 2; ++i)
      for (int64_t j = 0; j < columns; ++j)
        ASSERT_EQ(ofRows[i * columns + j],
                  all[(i / 15 * 30 + rank * 15 + i % 15) * columns + j]);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < 51; ++j)
        ASSERT_EQ(ofColumns[i * 51 + j], rank * 51 + j < columns
                                             ? all[i * columns + rank * 51 + j]
                                             : 0.0f);
  }
}
