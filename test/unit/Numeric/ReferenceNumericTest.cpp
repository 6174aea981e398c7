// Every case of test/Numeric on the reference interpreter, compared with the
// results in the file.
#include "Compare.h"
#include "NumericRun.h"
#include "gtest/gtest.h"

namespace tilegpt::numeric {
namespace {

class ReferenceNumeric : public testing::TestWithParam<NumericCase> {};

TEST_P(ReferenceNumeric, GivesTheExpectedResults) {
  const NumericCase &test = GetParam();
  NumericRun run(test);
  std::string error = llvm::toString(run.onReference());
  if (!test.error.empty()) {
    EXPECT_NE(error.find(test.error), std::string::npos) << error;
    return;
  }
  ASSERT_EQ(error, "");
  for (auto [number, text] : llvm::enumerate(test.expected)) {
    if (!llvm::StringRef(text).contains('='))
      continue;
    reference::Tensor expected = llvm::cantFail(reference::parseTensor(text));
    // The interpreter sums in double: only the final rounding is left.
    EXPECT_EQ(compare(expected, run.out(number), {.depth = 0}), "")
        << "out " << number << " is "
        << reference::formatTensor(run.out(number));
  }
}

INSTANTIATE_TEST_SUITE_P(Numeric, ReferenceNumeric,
                         testing::ValuesIn(readCases()),
                         [](const auto &info) { return info.param.name(); });

} // namespace
} // namespace tilegpt::numeric
