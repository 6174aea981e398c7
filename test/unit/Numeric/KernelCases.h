// The kernel library as numeric cases: every kernel at awkward sizes, on random
// data, with all element types it supports.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_KERNELCASES_H
#define TILEGPT_TEST_UNIT_NUMERIC_KERNELCASES_H

#include "NumericCase.h"

namespace tilegpt::numeric {

/// A run of the library kernel `name`. Arguments and outs are in the syntax of
/// TensorText; `before` may give initial values of outs.
NumericCase kernelCase(const std::string &name, std::vector<std::string> ins,
                       std::vector<std::string> outs, int64_t depth,
                       std::vector<std::string> before = {});

/// Rows and widths that are multiples of no tile size, up to the vocabulary of
/// GPT-2.
std::vector<NumericCase> kernelCases();

/// Runs of sizes that fill a GPU: several tiles along every axis, with partial
/// tiles at every edge, in every type.
std::vector<NumericCase> largeKernelCases();

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_KERNELCASES_H
