// Every numeric case and every kernel of the library on a GPU, compared with
// the reference interpreter. Views are surrounded by NaNs, outs start as NaN,
// and each kernel runs twice and must give the same bits.
#include "../Numeric/Compare.h"
#include "../Numeric/F8Cases.h"
#include "../Numeric/KernelCases.h"
#include "../Numeric/Random/RandomKernels.h"
#include "OnGpu.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::numeric {
namespace {

using compiler::GpuRunOptions;

/// Whether blocks add in arbitrary order, so that the last bits may vary.
static bool addsAtomically(tile::KernelOp kernel) {
  bool found = false;
  if (kernel)
    kernel.walk([&](tile::AtomicRMWOp op) {
      found |= mlir::isa<mlir::FloatType>(
          mlir::getElementTypeOrSelf(op.getValue().getType()));
    });
  return found;
}

class ComparedOnGpu : public OnGpu {
protected:
  /// Runs the case on both devices and compares the outs.
  void expectAgreement(GpuRunOptions options) {
    const NumericCase &test = GetParam();
    NumericRun reference(test), compiled(test);
    options.runs = addsAtomically(compiled.kernelOp()) ? 1 : 2;
    ASSERT_EQ(llvm::toString(reference.onReference()), "");
    ASSERT_EQ(llvm::toString(compiled.onGpu(*runner, options)), "");
    for (size_t number = 0; number < test.expected.size(); ++number)
      EXPECT_EQ(
          compare(reference.out(number), compiled.out(number), test.arithmetic),
          "")
          << "out " << number << test.textOfRandom();
  }
};

class GpuNumeric : public ComparedOnGpu {};

TEST_P(GpuNumeric, AgreesWithTheReference) {
  const NumericCase &test = GetParam();
  constexpr unsigned firstWithTiesToEven = 90;
  if (test.kernel == "tf32" &&
      runner->target().capability < firstWithTiesToEven)
    GTEST_SKIP() << "ties of tf32 are rounded away from zero before sm_90";
  if (test.error.empty()) {
    expectAgreement({.guard = guardOf(64)});
    // Compiled as by tilegpt-run, which sees the arguments.
    if (tile::KernelOp kernel = NumericRun(test).kernelOp();
        kernel && kernel.isRaw() && !IsSkipped())
      expectAgreement({.guard = guardOf(64), .specialize = true});
    return;
  }
  // Only the interpreter reports undefined results; an assert fails everywhere.
  if (test.kernel != "assert")
    GTEST_SKIP() << "compiled code does not check for undefined results";
  std::string error = llvm::toString(NumericRun(test).onGpu(*runner, {}));
  EXPECT_NE(error.find(test.error), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(Numeric, GpuNumeric, testing::ValuesIn(readCases()),
                         [](const auto &info) { return info.param.name(); });
INSTANTIATE_TEST_SUITE_P(Random, GpuNumeric, testing::ValuesIn(randomKernels()),
                         [](const auto &info) { return info.param.name(); });

class GpuKernel : public ComparedOnGpu {};

TEST_P(GpuKernel, AgreesWithTheReference) {
  expectAgreement({.guard = guardOf(4096), .openSizes = true});
}

static std::string
nameOfKernelCase(const testing::TestParamInfo<NumericCase> &info) {
  return std::to_string(info.index) + "_" + info.param.name();
}

INSTANTIATE_TEST_SUITE_P(Kernels, GpuKernel, testing::ValuesIn(kernelCases()),
                         nameOfKernelCase);
INSTANTIATE_TEST_SUITE_P(F8, GpuKernel, testing::ValuesIn(f8Cases()),
                         nameOfKernelCase);
INSTANTIATE_TEST_SUITE_P(Large, GpuKernel,
                         testing::ValuesIn(largeKernelCases()),
                         nameOfKernelCase);

} // namespace
} // namespace tilegpt::numeric
