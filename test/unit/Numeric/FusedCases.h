// Kernels that passes derive from library kernels for launches of models, as
// numeric cases.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_FUSEDCASES_H
#define TILEGPT_TEST_UNIT_NUMERIC_FUSEDCASES_H

#include "NumericCase.h"

namespace tilegpt::numeric {

/// A launch of a library kernel. Tensors are in the syntax of TensorText;
/// results of the preceding launch, earlier arguments and outs updated in place
/// are written as in test::ChainLaunch. Outs updated in place may have values.
struct FusedLaunch {
  std::string kernel;
  std::vector<std::string> ins, outs;
  bool isKept = false; ///< whether the fused kernel stores the first out too
};

/// A run of the kernel that `tile-fuse-launches` creates from a chain with
/// constant scalars. Ends the program with a message if the chain does not
/// fuse.
NumericCase fusedCase(llvm::ArrayRef<FusedLaunch> chain, int64_t depth);

/// A run of a library kernel that `tile-bind-operands` has specialized for a
/// launch with known scalars. Parameters as for `kernelCase`.
NumericCase boundCase(const std::string &kernel, std::vector<std::string> ins,
                      std::vector<std::string> outs, int64_t depth,
                      llvm::ArrayRef<std::string> before = {});

/// The fused kernels that models launch, at awkward sizes and at sizes that
/// fill a GPU.
std::vector<NumericCase> fusedCases();
std::vector<NumericCase> largeFusedCases();

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_FUSEDCASES_H
