// Accuracy of functions that have no GPU instruction: compiled for the host,
// run on a sample of all floats and compared with libm in double.
#include "FunctionOnHost.h"
#include <bit>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

using namespace tilegpt;

namespace {

constexpr double allFloats = INFINITY;

struct Function {
  const char *name;
  std::function<double(double, double)> exact;
  double largest; ///< magnitude of the first argument
  bool isBinary = false;
  /// Error bound in units in the last place: half a unit for rounding, the rest
  /// for the limited precision of f64.
  double bound = 0.51;

  friend void PrintTo(const Function &function, std::ostream *os) {
    *os << function.name;
  }
};

/// A function of one argument.
template <double (*exact)(double)>
Function unary(const char *name, double largest = allFloats) {
  return {name, [](double x, double) { return exact(x); }, largest};
}

class ExpandFunctions : public testing::TestWithParam<Function> {
protected:
  void SetUp() override {
    program.compile(std::string("math.") + GetParam().name, "f32",
                    GetParam().isBinary);
  }

  void check(const std::vector<float> &x, const std::vector<float> &y) {
    std::vector<float> result(x.size());
    program.apply(x.data(), y.data(), result.data(), x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      const double exact = GetParam().exact(x[i], y[i]);
      const auto rounded = float(exact);
      if (!std::isfinite(rounded) || !std::isfinite(result[i])) {
        ASSERT_TRUE(std::isnan(rounded) ? std::isnan(result[i])
                                        : rounded == result[i])
            << x[i] << ", " << y[i] << ": expected " << rounded << ", found "
            << result[i];
        continue;
      }
      ASSERT_EQ(std::signbit(rounded), std::signbit(result[i]))
          << x[i] << ", " << y[i] << ": expected " << rounded << ", found "
          << result[i];
      const float size = std::fabs(rounded);
      const double unit = double(std::nextafter(size, INFINITY)) - double(size);
      const double error = std::fabs(double(result[i]) - exact) / unit;
      if (error > worst) {
        worst = error;
        where = x[i];
      }
    }
  }

  test::FunctionOnHost program;
  double worst = 0, where = 0;
};

TEST_P(ExpandFunctions, AreRightToTheLastDigit) {
  // Prime steps cover every exponent and sign of both arguments.
  std::vector<float> x, y;
  for (uint64_t bits = 0, other = 0; bits < (uint64_t(1) << 32);
       bits += 8009, other += 2654435761) {
    const auto value = std::bit_cast<float>(uint32_t(bits));
    if (!(std::fabs(value) > GetParam().largest)) {
      x.push_back(value);
      y.push_back(std::bit_cast<float>(uint32_t(other)));
    }
  }
  check(x, y);
  // Powers that neither underflow nor overflow, and all pairs of special
  // values.
  for (float &value : y)
    value = std::remainder(value, 8.0F);
  check(x, y);
  x.clear();
  y.clear();
  const float special[] = {0.0F, 0.5F, 1.0F, 2.0F, 3.0F, 1e10F, INFINITY, NAN};
  for (float a : special)
    for (float b : special)
      for (float sign : {1.0F, -1.0F})
        for (float otherSign : {1.0F, -1.0F}) {
          x.push_back(sign * a);
          y.push_back(otherSign * b);
        }
  if (GetParam().largest == allFloats)
    check(x, y);
  EXPECT_LE(worst, GetParam().bound) << "at " << where;
}

INSTANTIATE_TEST_SUITE_P(
    Functions, ExpandFunctions,
    testing::Values(
        unary<std::sin>("sin", 0x1p47), unary<std::cos>("cos", 0x1p47),
        unary<std::expm1>("expm1"),
        Function{"log1p", [](double x, double) { return std::log1p(x); },
                 allFloats, /*isBinary=*/false, /*bound=*/0.9}, // in f32
        unary<std::log2>("log2"), unary<std::log10>("log10"),
        unary<std::atan>("atan"), unary<std::tan>("tan", 0x1p47),
        unary<std::asin>("asin"), unary<std::acos>("acos"),
        unary<std::sinh>("sinh"), unary<std::cosh>("cosh"),
        unary<std::asinh>("asinh"), unary<std::acosh>("acosh"),
        unary<std::atanh>("atanh"), unary<std::cbrt>("cbrt"),
        unary<std::erfc>("erfc"),
        Function{"atan2", [](double y, double x) { return std::atan2(y, x); },
                 allFloats, /*isBinary=*/true},
        Function{"powf", [](double x, double y) { return std::pow(x, y); },
                 allFloats, /*isBinary=*/true}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
