// Tensors of the kernel command: from flags and .npy files, and back.
#ifndef TILEGPT_LIB_COMPILER_KERNELVALUES_H
#define TILEGPT_LIB_COMPILER_KERNELVALUES_H

#include "TileGPT/Reference/TensorText.h"
#include "TileGPT/Runtime/Error.h"

namespace tilegpt::compiler {

/// The tensor of --input or --expected-output.
/// \returns Usage for text that is not understood, BadInput for a bad file.
runtime::Result<reference::Tensor> readValue(llvm::StringRef text);

/// Writes a tensor as .npy; f8, bf16 and i1 as what NumPy has: f32 and bool.
runtime::Result<void> writeValue(const reference::Tensor &tensor,
                                 const std::string &path);

/// A sentence about the first element of `found` further from `expected` than
/// `tolerance`·max(1, |expected|), or "" when there is none.
std::string firstDifference(const reference::Tensor &expected,
                            const reference::Tensor &found,
                            std::optional<double> tolerance);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_KERNELVALUES_H
