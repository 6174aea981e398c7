// Tensors of the kernel command: from flags and .npy files, and back.
#ifndef TILEGPT_LIB_COMPILER_KERNELVALUES_H
#define TILEGPT_LIB_COMPILER_KERNELVALUES_H

#include "TileGPT/Reference/TensorText.h"
#include "TileGPT/Runtime/Error.h"

namespace tilegpt::compiler {

/// The tensor of --input or --expected-output.
/// \returns Usage for a syntax error, BadInput for an invalid file.
runtime::Result<reference::Tensor> readValue(llvm::StringRef text);

/// Writes a tensor as .npy; f8, bf16 and i1 in types that NumPy supports: f32
/// and bool.
runtime::Result<void> writeValue(const reference::Tensor &tensor,
                                 const std::string &path);

/// Describes the first element of `found` that differs from `expected` by more
/// than `tolerance`·max(1, |expected|); "" if there is none.
std::string firstDifference(const reference::Tensor &expected,
                            const reference::Tensor &found,
                            std::optional<double> tolerance);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_KERNELVALUES_H
