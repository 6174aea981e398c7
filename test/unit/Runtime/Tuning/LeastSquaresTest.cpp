// Fits with known solutions.
#include "TileGPT/Runtime/Tuning/LeastSquares.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace tilegpt::runtime;

namespace {

constexpr double gentle = 1e6; ///< a softness that no residual reaches
constexpr double far = 1e9;

TEST(LeastSquares, FindsTheEndOfANarrowValley) {
  const std::vector<Unknown> unknowns = {{-1.2, -far, far, 1},
                                         {1, -far, far, 1}};
  const auto found = fitLeastSquares(
      unknowns, 2,
      [](std::span<const double> x, std::span<double> residuals) {
        residuals[0] = 10 * (x[1] - x[0] * x[0]);
        residuals[1] = 1 - x[0];
      },
      gentle);
  EXPECT_NEAR(found[0], 1, 1e-3);
  EXPECT_NEAR(found[1], 1, 2e-3);
}

TEST(LeastSquares, StopsAtBoundsAndFitsTheRest) {
  // y = a + b·x through (0, 1), (1, 3), (2, 5) has b = 2; with b ≤ 1 the best
  // line is 2 + x.
  const std::vector<Unknown> unknowns = {{0, -far, far, 1}, {0, 0, 1, 1}};
  const auto found = fitLeastSquares(
      unknowns, 3,
      [](std::span<const double> x, std::span<double> residuals) {
        for (int i = 0; i < 3; ++i)
          residuals[size_t(i)] = x[0] + x[1] * i - (1 + 2 * i);
      },
      gentle);
  EXPECT_NEAR(found[0], 2, 1e-6);
  EXPECT_DOUBLE_EQ(found[1], 1);
}

TEST(LeastSquares, LeavesABoundThatItStartsAt) {
  const std::vector<Unknown> unknowns = {{0, 0, 10, 1}};
  const auto found = fitLeastSquares(
      unknowns, 1,
      [](std::span<const double> x, std::span<double> residuals) {
        residuals[0] = x[0] - 4;
      },
      gentle);
  EXPECT_NEAR(found[0], 4, 1e-6);
}

TEST(LeastSquares, DoesNotFollowAnOutlier) {
  // The mean is 1.9; the soft minimum stays near the nine ones.
  const std::vector<Unknown> unknowns = {{5, -far, far, 1}};
  const auto found = fitLeastSquares(
      unknowns, 10,
      [](std::span<const double> x, std::span<double> residuals) {
        for (size_t i = 0; i < 10; ++i)
          residuals[i] = x[0] - (i == 0 ? 10 : 1);
      },
      0.1);
  EXPECT_NEAR(found[0], 1, 0.02);
}

TEST(LeastSquares, IgnoresWhatNothingDependsOn) {
  const std::vector<Unknown> unknowns = {{3, 0, 9, 1}, {7, 0, 9, 1}};
  const auto found = fitLeastSquares(
      unknowns, 1,
      [](std::span<const double> x, std::span<double> residuals) {
        residuals[0] = x[0] - 5;
      },
      gentle);
  EXPECT_NEAR(found[0], 5, 1e-6);
  EXPECT_DOUBLE_EQ(found[1], 7);
}

TEST(LeastSquares, HasKinks) {
  // The least maximum of two lines, as the slower of two bounds.
  const std::vector<Unknown> unknowns = {{9, -far, far, 1}};
  const auto found = fitLeastSquares(
      unknowns, 1,
      [](std::span<const double> x, std::span<double> residuals) {
        residuals[0] = std::max(x[0], 4 - x[0]);
      },
      gentle);
  EXPECT_NEAR(found[0], 2, 1e-3);
}

} // namespace
