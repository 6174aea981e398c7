// Every numeric case and every kernel of the library, compiled for the host and
// compared with the reference interpreter. Views are surrounded by NaNs, and
// outs start as NaN.
#include "Compare.h"
#include "F8Cases.h"
#include "KernelCases.h"
#include "NumericRun.h"
#include "Random/RandomKernels.h"
#include "gtest/gtest.h"

namespace tilegpt::numeric {
namespace {

using compiler::KernelRunOptions;

/// Runs a case on both devices and compares the outs.
void expectAgreement(const NumericCase &test, KernelRunOptions options) {
  NumericRun reference(test), compiled(test, reference);
  ASSERT_EQ(llvm::toString(reference.onReference()), "");
  ASSERT_EQ(llvm::toString(compiled.onCpu(options)), "");
  for (size_t number = 0; number < test.expected.size(); ++number)
    EXPECT_EQ(
        compare(reference.out(number), compiled.out(number), test.arithmetic),
        "")
        << "out " << number << test.textOfRandom();
}

class CpuNumeric : public testing::TestWithParam<NumericCase> {};

TEST_P(CpuNumeric, AgreesWithTheReference) {
  const NumericCase &test = GetParam();
  if (test.error.empty())
    return expectAgreement(test, {.guard = 64});
  // Only the interpreter reports undefined results; an assert fails everywhere.
  if (test.kernel != "assert")
    GTEST_SKIP() << "compiled code does not check for undefined results";
  std::string error = llvm::toString(NumericRun(test).onCpu({}));
  EXPECT_NE(error.find(test.error), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(Numeric, CpuNumeric, testing::ValuesIn(readCases()),
                         [](const auto &info) { return info.param.name(); });
INSTANTIATE_TEST_SUITE_P(Random, CpuNumeric, testing::ValuesIn(randomKernels()),
                         [](const auto &info) { return info.param.name(); });

class CpuKernel : public testing::TestWithParam<NumericCase> {};

TEST_P(CpuKernel, AgreesWithTheReference) {
  expectAgreement(GetParam(), {.guard = 4096, .openSizes = true});
}

static std::string
nameOfKernelCase(const testing::TestParamInfo<NumericCase> &info) {
  return std::to_string(info.index) + "_" + info.param.name();
}

INSTANTIATE_TEST_SUITE_P(Kernels, CpuKernel, testing::ValuesIn(kernelCases()),
                         nameOfKernelCase);
INSTANTIATE_TEST_SUITE_P(F8, CpuKernel, testing::ValuesIn(f8Cases()),
                         nameOfKernelCase);

} // namespace
} // namespace tilegpt::numeric
