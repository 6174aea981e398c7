// Accuracy of the f64 functions in GPU code: run on the host over a sample of
// all f64 values and compared with libm in long double.
#include "FunctionOnHost.h"
#include <bit>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

using namespace tilegpt;

namespace {

constexpr double allNumbers = INFINITY;

struct Function {
  const char *name;
  std::function<long double(long double, long double)> exact;
  double units;   ///< error in units in the last place
  double largest; ///< magnitude of the first argument
  bool isBinary = false;

  friend void PrintTo(const Function &function, std::ostream *os) {
    *os << function.name;
  }
};

template <long double (*exact)(long double)>
Function unary(const char *name, double units, double largest = allNumbers) {
  return {name, [](long double x, long double) { return exact(x); }, units,
          largest};
}

class ExpandFunctionsOfF64 : public testing::TestWithParam<Function> {
protected:
  void SetUp() override {
    if (std::numeric_limits<long double>::digits < 64)
      GTEST_SKIP() << "long double has no more digits than double";
    program.compile(std::string(GetParam().name == std::string("remf")
                                    ? "arith."
                                    : "math.") +
                        GetParam().name,
                    "f64", GetParam().isBinary);
  }

  void check(const std::vector<double> &x, const std::vector<double> &y) {
    std::vector<double> result(x.size());
    program.apply(x.data(), y.data(), result.data(), x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      const long double exact = GetParam().exact(x[i], y[i]);
      const auto rounded = double(exact);
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
      const double size = std::fabs(rounded);
      const double unit = std::nextafter(size, INFINITY) - size;
      const auto error = double(std::fabs(result[i] - exact) / unit);
      if (error > worst) {
        worst = error;
        where = x[i];
        other = y[i];
      }
    }
  }

  test::FunctionOnHost program;
  double worst = 0, where = 0, other = 0;
};

TEST_P(ExpandFunctionsOfF64, StayWithinTheirError) {
  // Odd steps cover every exponent and sign of both arguments, and all digits.
  constexpr size_t count = 400000;
  std::vector<double> x, y;
  uint64_t bits = 0, others = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto value = std::bit_cast<double>(bits);
    if (!(std::fabs(value) > GetParam().largest)) {
      x.push_back(value);
      y.push_back(std::bit_cast<double>(others));
    }
    bits += 0x0009'E377'9B97'F4A1;
    others += 0x9E37'79B9'7F4A'7C15;
  }
  check(x, y);
  // The range where functions vary most: small numbers, and powers of ordinary
  // ones.
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = 40.0 * double(i) / double(x.size()) - 20;
    y[i] = std::remainder(y[i], 600.0);
  }
  check(x, y);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = 1500.0 * double(i) / double(x.size()) - 750;
  check(x, y);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = 1 + (double(i) / double(x.size()) - 0.5) / 8;
  check(x, y);
  x.clear();
  y.clear();
  const double special[] = {0.0,    0.5,    1.0,      2.0, 3.0,    1e100,
                            5e-324, 1e-310, INFINITY, NAN, 0x1p53, 1e-20};
  for (double a : special)
    for (double b : special)
      for (double sign : {1.0, -1.0})
        for (double otherSign : {1.0, -1.0})
          if (!(a > GetParam().largest) || std::isinf(a)) {
            x.push_back(sign * a);
            y.push_back(otherSign * b);
          }
  check(x, y);
  EXPECT_LE(worst, GetParam().units) << "at " << where << ", " << other;
}

INSTANTIATE_TEST_SUITE_P(
    Functions, ExpandFunctionsOfF64,
    testing::Values(
        unary<std::exp>("exp", 1), unary<std::exp2>("exp2", 1),
        unary<std::expm1>("expm1", 2), unary<std::log>("log", 1),
        unary<std::log2>("log2", 1), unary<std::log10>("log10", 1),
        unary<std::log1p>("log1p", 1), unary<std::cbrt>("cbrt", 1),
        unary<std::sinh>("sinh", 3), unary<std::cosh>("cosh", 2),
        unary<std::tanh>("tanh", 3), unary<std::asinh>("asinh", 2),
        unary<std::acosh>("acosh", 2), unary<std::atanh>("atanh", 2),
        unary<std::erf>("erf", 2), unary<std::erfc>("erfc", 5),
        unary<std::sin>("sin", 1, 0x1p30), unary<std::cos>("cos", 1, 0x1p30),
        unary<std::tan>("tan", 2, 0x1p30), unary<std::asin>("asin", 3),
        unary<std::acos>("acos", 3), unary<std::atan>("atan", 2),
        Function{"atan2",
                 [](long double y, long double x) { return std::atan2(y, x); },
                 3, allNumbers, /*isBinary=*/true},
        Function{"remf",
                 [](long double x, long double y) { return std::fmod(x, y); },
                 0, allNumbers, /*isBinary=*/true},
        Function{"powf",
                 [](long double x, long double y) { return std::pow(x, y); }, 1,
                 allNumbers, /*isBinary=*/true}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
