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

using namespace tilegpt;

namespace {

struct Function {
  const char *name;
  double (*exact)(double);
  double ulp; ///< largest allowed error, in units in the last place
};

void PrintTo(const Function &function, std::ostream *os) {
  *os << function.name;
}

class ExpandMath : public testing::TestWithParam<Function> {
protected:
  /// Applies the function to every element of `x`, 1000 elements per block.
  std::vector<float> apply(std::vector<float> &x) {
    std::string text = llvm::formatv(R"(
      tile.kernel @apply(%x: !tile.view<?xf32>) outs(%y: !tile.view<?xf32>) grid [ceildiv(dim(%y, 0), 1000)] {{
        %n = tile.block_id 0
        %t = tile.load %x[%n] [1000] : !tile.view<?xf32> -> tensor<1000xf32>
        %r = math.{0} %t : tensor<1000xf32>
        tile.store %r, %y[%n] : tensor<1000xf32>, !tile.view<?xf32>
      })",
                                     GetParam().name);
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
    target::HostImage image =
        llvm::cantFail(target::compileImage(*module, host));

    auto code = cpu::HostImage::load(image);
    std::vector<float> y(x.size());
    if (!code) {
      ADD_FAILURE() << code.error().message;
      return y;
    }
    auto entry = code->find(bundle::entrySymbol("apply"));
    if (!entry) {
      ADD_FAILURE() << entry.error().message;
      return y;
    }
    uint64_t words[] = {reinterpret_cast<uint64_t>(x.data()), x.size(), 1,
                        reinterpret_cast<uint64_t>(y.data()), y.size(), 1};
    int64_t grid[] = {int64_t(x.size() + 999) / 1000, 1, 1};
    EXPECT_EQ((*entry)(words, grid, 0, grid[0]), 0);
    return y;
  }
};

TEST_P(ExpandMath, IsAccurateOverAllFloats) {
  // A prime step covers every exponent and sign thousands of times; the last
  // elements are the special values.
  std::vector<float> x;
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 8009)
    x.push_back(std::bit_cast<float>(uint32_t(bits)));
  for (float value : {0.0F, 1.0F, INFINITY, NAN})
    for (float sign : {1.0F, -1.0F})
      x.push_back(value * sign);
  std::vector<float> y = apply(x);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double exact = GetParam().exact(x[i]);
    auto rounded = float(exact);
    if (!std::isfinite(rounded) || !std::isfinite(y[i])) {
      ASSERT_TRUE(std::isnan(rounded) ? std::isnan(y[i]) : rounded == y[i])
          << GetParam().name << "(" << x[i] << ") is " << rounded << ", found "
          << y[i];
      continue;
    }
    ASSERT_EQ(std::signbit(rounded), std::signbit(y[i])) << x[i];
    float size = std::fabs(rounded);
    double unit = double(std::nextafter(size, INFINITY)) - double(size);
    worst = std::max(worst, std::fabs(double(y[i]) - exact) / unit);
  }
  EXPECT_LE(worst, GetParam().ulp);
}

INSTANTIATE_TEST_SUITE_P(
    Functions, ExpandMath,
    testing::Values(
        Function{"exp", std::exp, 1.5}, Function{"exp2", std::exp2, 1.5},
        Function{"log", std::log, 1.5}, Function{"tanh", std::tanh, 2},
        Function{"erf", std::erf, 5}, Function{"sin", std::sin, 1.7},
        Function{"cos", std::cos, 1.7},
        Function{"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 2}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
