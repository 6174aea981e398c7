// Kernels that passes make of the library's for launches of models, as numeric
// cases.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_FUSEDCASES_H
#define TILEGPT_TEST_UNIT_NUMERIC_FUSEDCASES_H

#include "NumericCase.h"

namespace tilegpt::numeric {

/// A launch of a kernel of the library: tensors as TensorText reads them; the
/// in "^" is what the launch in front makes.
struct FusedLaunch {
  std::string kernel;
  std::vector<std::string> ins;
  std::string out;
  bool isKept = false; ///< whether the fused kernel stores it as well
};

/// A run of the kernel that `tile-fuse-launches` makes of a chain. Ends the
/// program with a message where it does not become one.
NumericCase fusedCase(std::vector<FusedLaunch> chain, int64_t depth);

/// A run of what `tile-bind-operands` makes of a kernel of the library for a
/// launch that knows all its scalars. Parameters as those of `kernelCase`.
NumericCase boundCase(const std::string &kernel, std::vector<std::string> ins,
                      std::vector<std::string> outs, int64_t depth,
                      std::vector<std::string> before = {});

/// The fused kernels that models launch, at awkward sizes; and, likewise, of
/// sizes that fill a GPU.
std::vector<NumericCase> fusedCases();
std::vector<NumericCase> largeFusedCases();

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_FUSEDCASES_H
