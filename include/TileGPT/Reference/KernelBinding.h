// The bindings of a kernel for one run: the values of its parameters, the types
// of its type variables, and the size of its grid.
#ifndef TILEGPT_REFERENCE_KERNELBINDING_H
#define TILEGPT_REFERENCE_KERNELBINDING_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Reference/Value.h"
#include "llvm/ADT/StringMap.h"
#include <array>

namespace tilegpt::reference {

/// Blocks along x, y and z.
using Grid = std::array<int64_t, 3>;

struct KernelBinding {
  llvm::StringMap<int64_t> sizes;
  llvm::StringMap<ElementType> types;
  Grid grid = {1, 1, 1};
};

/// Checks the arguments against the kernel's declaration and computes its
/// parameters and grid.
/// \param parameters  overrides of declared defaults, may be null: integers for
///                   sizes, types for type parameters.
/// \param grid        required for a raw kernel, invalid for others.
/// \returns an error with the argument or parameter, the expected and the
/// actual value.
llvm::Expected<KernelBinding> bindKernel(tile::KernelOp kernel,
                                         llvm::ArrayRef<Value> arguments,
                                         mlir::DictionaryAttr parameters,
                                         std::optional<Grid> grid = {});

} // namespace tilegpt::reference

#endif // TILEGPT_REFERENCE_KERNELBINDING_H
