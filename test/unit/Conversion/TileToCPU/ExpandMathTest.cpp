// Accuracy of the f32 functions in host code: compiled, run on a sample of all
// floats and compared with libm in double. NaN, infinities and signs of zeros
// must be exact.
#include "TileGPT/Bundle/EntrySymbol.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Pipelines/TileToCpu.h"
#include "TileGPT/Runtime/Cpu/HostImage.h"
#include "TileGPT/Target/Host/HostImage.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace tilegpt;

namespace {

struct Function {
  const char *name; ///< an op of one operand
  double (*exact)(double);
  double ulp; ///< largest allowed error, in units in the last place
};

struct Function2 {
  const char *name; ///< an op of two operands, with its dialect
  double (*exact)(double, double);
  double ulp;
};

void PrintTo(const Function &function, std::ostream *os) {
  *os << function.name;
}
void PrintTo(const Function2 &function, std::ostream *os) {
  *os << function.name;
}

/// Applies a function to every element of `x` and `y`, 1000 elements per block.
/// \param op  an op with operands %a and %b
std::vector<float> apply(llvm::StringRef op, std::vector<float> &x,
                         std::vector<float> &y) {
  std::string text = llvm::formatv(R"(
      tile.kernel @apply(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) outs(%z: !tile.view<?xf32>) grid [ceildiv(dim(%z, 0), 1000)] {{
        %n = tile.block_id 0
        %a = tile.load %x[%n] [1000] : !tile.view<?xf32> -> tensor<1000xf32>
        %b = tile.load %y[%n] [1000] : !tile.view<?xf32> -> tensor<1000xf32>
        %r = {0} : tensor<1000xf32>
        tile.store %r, %z[%n] : tensor<1000xf32>, !tile.view<?xf32>
      })",
                                   op);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  mlir::PassManager passes(&context);
  target::HostTarget host = llvm::cantFail(target::HostTarget::create());
  cpu::CpuPipelineOptions options;
  options.vectorBits = host.vectorBits();
  cpu::populateTileToCpuPipeline(passes, options);
  EXPECT_TRUE(module && mlir::succeeded(passes.run(*module)));
  target::HostImage image = llvm::cantFail(target::compileImage(*module, host));

  auto code = cpu::HostImage::load(image);
  std::vector<float> z(x.size());
  if (!code) {
    ADD_FAILURE() << code.error().message;
    return z;
  }
  auto entry = code->find(bundle::entrySymbol("apply"));
  if (!entry) {
    ADD_FAILURE() << entry.error().message;
    return z;
  }
  uint64_t words[] = {reinterpret_cast<uint64_t>(x.data()), x.size(), 1,
                      reinterpret_cast<uint64_t>(y.data()), y.size(), 1,
                      reinterpret_cast<uint64_t>(z.data()), z.size(), 1};
  int64_t grid[] = {int64_t(x.size() + 999) / 1000, 1, 1};
  EXPECT_EQ((*entry)(words, grid, 0, grid[0]), 0);
  return z;
}

/// Largest error in units in the last place. NaN, infinities and signs must be
/// exact.
/// \param exact  the value for element i
double worstError(const std::vector<float> &found,
                  llvm::function_ref<double(size_t)> exact,
                  llvm::function_ref<std::string(size_t)> describe) {
  double worst = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    double value = exact(i);
    auto rounded = float(value);
    const bool isExact = std::isnan(rounded)
                             ? std::isnan(found[i])
                             : std::isfinite(rounded) || rounded == found[i];
    const bool isSame = std::isfinite(rounded) == std::isfinite(found[i]) &&
                        (std::isnan(rounded) ||
                         std::signbit(rounded) == std::signbit(found[i]));
    if (!isExact || !isSame) {
      ADD_FAILURE() << describe(i) << " is " << rounded << ", found "
                    << found[i];
      return INFINITY;
    }
    if (!std::isfinite(rounded))
      continue;
    float size = std::fabs(rounded);
    double unit = double(std::nextafter(size, INFINITY)) - double(size);
    worst = std::max(worst, std::fabs(double(found[i]) - value) / unit);
  }
  return worst;
}

class ExpandMath : public testing::TestWithParam<Function> {};
class ExpandMath2 : public testing::TestWithParam<Function2> {};

TEST_P(ExpandMath, IsAccurateOverAllFloats) {
  // A prime step covers every exponent and sign thousands of times; the last
  // elements are the special values.
  std::vector<float> x;
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 8009)
    x.push_back(std::bit_cast<float>(uint32_t(bits)));
  for (float value : {0.0F, 1.0F, INFINITY, NAN})
    for (float sign : {1.0F, -1.0F})
      x.push_back(value * sign);
  const Function &function = GetParam();
  std::vector<float> y =
      apply((llvm::Twine("math.") + function.name + " %a").str(), x, x);
  const double worst = worstError(
      y, [&](size_t i) { return function.exact(x[i]); },
      [&](size_t i) {
        return function.name + ("(" + std::to_string(x[i]) + ")");
      });
  RecordProperty("ulp", std::to_string(worst));
  EXPECT_LE(worst, function.ulp);
}

TEST_P(ExpandMath2, IsAccurateOverPairs) {
  std::vector<float> x, y;
  const auto add = [&](float a, float b) {
    x.push_back(a);
    y.push_back(b);
  };
  const float special[] = {0,
                           1,
                           0.5F,
                           2,
                           3,
                           0x1p-149F,
                           0x1p-126F,
                           1.5F,
                           1e30F,
                           0x1.fffffep127F,
                           0x1.000002p0F,
                           0x1.fffffep-1F,
                           0x1.fffffep23F,
                           0x1.000002p24F,
                           INFINITY,
                           NAN};
  for (float a : special)
    for (float b : special)
      for (int signs = 0; signs < 4; ++signs)
        add(signs & 1 ? -a : a, signs & 2 ? -b : b);
  // Any two numbers, and ones of similar magnitude.
  std::mt19937 random(1);
  std::uniform_real_distribution<float> few(-30, 30);
  for (int i = 0; i < 200000; ++i) {
    add(std::bit_cast<float>(uint32_t(random())),
        std::bit_cast<float>(uint32_t(random())));
    add(few(random), few(random));
    add(std::fabs(few(random)), few(random));
    add(1 + few(random) / 3000, few(random) * 10000);
    add(std::round(few(random)), std::round(few(random)));
  }
  const Function2 &function = GetParam();
  std::vector<float> z =
      apply((llvm::Twine(function.name) + " %a, %b").str(), x, y);
  const double worst = worstError(
      z, [&](size_t i) { return function.exact(x[i], y[i]); },
      [&](size_t i) {
        return llvm::formatv("{0}({1}, {2})", function.name, x[i], y[i]).str();
      });
  RecordProperty("ulp", std::to_string(worst));
  EXPECT_LE(worst, function.ulp);
}

INSTANTIATE_TEST_SUITE_P(
    Functions, ExpandMath,
    testing::Values(
        Function{"exp", std::exp, 1.5}, Function{"exp2", std::exp2, 1.5},
        Function{"expm1", std::expm1, 2}, Function{"log", std::log, 1.5},
        Function{"log2", std::log2, 2}, Function{"log10", std::log10, 2},
        Function{"log1p", std::log1p, 2}, Function{"sinh", std::sinh, 2.5},
        Function{"cosh", std::cosh, 2}, Function{"tanh", std::tanh, 2},
        Function{"asinh", std::asinh, 3}, Function{"acosh", std::acosh, 3},
        Function{"atanh", std::atanh, 3}, Function{"erf", std::erf, 5},
        Function{"erfc", std::erfc, 5}, Function{"sin", std::sin, 1.7},
        Function{"cos", std::cos, 1.7}, Function{"tan", std::tan, 3},
        Function{"asin", std::asin, 2}, Function{"acos", std::acos, 2},
        Function{"atan", std::atan, 2.5}, Function{"cbrt", std::cbrt, 1.5},
        Function{"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 2}),
    [](const auto &info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Functions, ExpandMath2,
    testing::Values(Function2{"math.powf", std::pow, 0.6},
                    Function2{"math.atan2", std::atan2, 2.5},
                    Function2{"arith.remf", std::fmod, 0}),
    [](const auto &info) {
      return llvm::StringRef(info.param.name).split('.').second.str();
    });

} // namespace
