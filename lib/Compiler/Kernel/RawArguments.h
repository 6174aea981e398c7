// Arguments of a raw kernel from the command line: pointers and scalars as it
// declares them, or arrays, which stand for a pointer, sizes and strides.
#ifndef TILEGPT_LIB_COMPILER_RAWARGUMENTS_H
#define TILEGPT_LIB_COMPILER_RAWARGUMENTS_H

#include "TileGPT/Compiler/KernelCommand.h"
#include "TileGPT/Reference/KernelBinding.h"

namespace tilegpt::compiler {

/// An --output of a raw kernel.
struct RawOut {
  reference::TensorRef tensor; ///< the memory that is looked at afterwards
  std::string file;            ///< empty: print
};

struct RawArguments {
  std::vector<reference::Value> values; ///< one a parameter
  std::vector<RawOut> outs;
};

/// Reads --input and --output of a command against the parameters of `kernel`,
/// in the order in which the command line has them.
///  - `ptr:1024xf32=VALUES` and `i32=4` are one parameter each.
///  - `64x32xf32=VALUES`, an array of n axes, is 1 + 2n of them: pointer,
///  sizes,
///    strides in elements.
/// \returns Usage that names the parameter, what was expected and what was
/// found; BadInput for a bad file.
runtime::Result<RawArguments> bindRawArguments(tile::KernelOp kernel,
                                               const KernelCommand &command);

/// Reads `8`, `32x16` or `8x4x2`: blocks along x, y, z.
/// \returns Usage for anything else.
runtime::Result<reference::Grid> parseGrid(llvm::StringRef text);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_RAWARGUMENTS_H
