// Accuracy of the functions that GPU code computes in f64: compiled for the
// host, run on a sample of all floats and compared with libm in double.
#include "TileGPT/Conversion/DeviceMath/Passes.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Runtime/Cpu/HostImage.h"
#include "TileGPT/Target/Host/HostImage.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include <bit>
#include <cmath>
#include <gtest/gtest.h>

using namespace tilegpt;

namespace {

constexpr double allFloats = INFINITY;

struct Function {
  const char *name;
  std::function<double(double, double)> exact;
  double largest; ///< magnitude of the first argument
  bool isBinary = false;

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
    // Entry points take addresses and a range, as those of kernels do.
    const std::string text =
        llvm::formatv(R"(
      func.func @apply(%words: !llvm.ptr, %grid: !llvm.ptr, %begin: i64, %end: i64) -> i32 {{
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i64
        %p1 = llvm.getelementptr %words[1] : (!llvm.ptr) -> !llvm.ptr, i64
        %p2 = llvm.getelementptr %words[2] : (!llvm.ptr) -> !llvm.ptr, i64
        %x = llvm.load %words : !llvm.ptr -> !llvm.ptr
        %y = llvm.load %p1 : !llvm.ptr -> !llvm.ptr
        %r = llvm.load %p2 : !llvm.ptr -> !llvm.ptr
        scf.for %i = %begin to %end step %c1 : i64 {{
          %xp = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %yp = llvm.getelementptr %y[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %rp = llvm.getelementptr %r[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %a = llvm.load %xp : !llvm.ptr -> f32
          %b = llvm.load %yp : !llvm.ptr -> f32
          %v = math.{0} {1} : f32
          llvm.store %v, %rp : f32, !llvm.ptr
        }
        return %c0 : i32
      })",
                      GetParam().name, GetParam().isBinary ? "%a, %b" : "%a");
    mlir::DialectRegistry registry;
    registerDialects(registry);
    mlir::MLIRContext context(registry);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    mlir::PassManager passes(&context);
    passes.addNestedPass<mlir::func::FuncOp>(tilegpu::createExpandFunctions());
    passes.addPass(mlir::createSCFToControlFlowPass());
    passes.addPass(mlir::createConvertMathToLLVMPass());
    passes.addPass(mlir::createArithToLLVMConversionPass());
    passes.addPass(mlir::createConvertControlFlowToLLVMPass());
    passes.addPass(mlir::createConvertFuncToLLVMPass());
    passes.addPass(mlir::createReconcileUnrealizedCastsPass());
    ASSERT_TRUE(mlir::succeeded(passes.run(*module)));
    auto loaded = cpu::HostImage::load(llvm::cantFail(target::compileImage(
        *module, llvm::cantFail(target::HostTarget::create()))));
    ASSERT_TRUE(loaded) << loaded.error().message;
    image.emplace(std::move(*loaded));
    auto found = image->find("apply");
    ASSERT_TRUE(found) << found.error().message;
    apply = *found;
  }

  void check(const std::vector<float> &x, const std::vector<float> &y) {
    std::vector<float> result(x.size());
    const uint64_t words[] = {reinterpret_cast<uint64_t>(x.data()),
                              reinterpret_cast<uint64_t>(y.data()),
                              reinterpret_cast<uint64_t>(result.data())};
    apply(words, nullptr, 0, int64_t(x.size()));
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

  std::optional<cpu::HostImage> image;
  cpu::KernelFunction apply = nullptr;
  double worst = 0, where = 0;
};

TEST_P(ExpandFunctions, AreRightToTheLastDigit) {
  // Prime steps visit every exponent and sign of both arguments.
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
  // Powers that neither vanish nor overflow, and all pairs of special values.
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
  // Half a unit is what rounding takes, the rest what f64 lacks.
  EXPECT_LE(worst, 0.51) << "at " << where;
}

INSTANTIATE_TEST_SUITE_P(
    Functions, ExpandFunctions,
    testing::Values(
        unary<std::sin>("sin", 0x1p25), unary<std::cos>("cos", 0x1p25),
        unary<std::expm1>("expm1"), unary<std::log1p>("log1p"),
        unary<std::log2>("log2"), unary<std::log10>("log10"),
        unary<std::atan>("atan"), unary<std::tan>("tan", 0x1p25),
        unary<std::asin>("asin"), unary<std::acos>("acos"),
        unary<std::sinh>("sinh"), unary<std::cosh>("cosh"),
        unary<std::cbrt>("cbrt"),
        Function{"atan2", [](double y, double x) { return std::atan2(y, x); },
                 allFloats, /*isBinary=*/true},
        Function{"powf", [](double x, double y) { return std::pow(x, y); },
                 allFloats, /*isBinary=*/true}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
