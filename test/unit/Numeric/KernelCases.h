// The kernel library as numeric cases: every kernel at awkward sizes, on random
// data, with the element types it offers.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_KERNELCASES_H
#define TILEGPT_TEST_UNIT_NUMERIC_KERNELCASES_H

#include "NumericCase.h"

namespace tilegpt::numeric {

/// A run of the library's kernel `name`. Arguments and outs are tensors as
/// TensorText reads them; `before` may give what outs hold.
NumericCase kernelCase(const std::string &name, std::vector<std::string> ins,
                       std::vector<std::string> outs, int64_t depth,
                       std::vector<std::string> before = {});

/// Rows and widths that are no multiple of anything, up to the vocabulary of
/// GPT-2.
std::vector<NumericCase> kernelCases();

/// Runs of sizes that fill a GPU: several tiles along every axis, all of them
/// cut by an edge, in every type.
std::vector<NumericCase> largeKernelCases();

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_KERNELCASES_H
