// Command-line arguments of a raw kernel: pointers and scalars as declared,
// arrays, which represent a pointer, sizes and strides, or lists of arrays.
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

/// Matches --input and --output, in command-line order, with the parameters of
/// `kernel`.
///  - `ptr:1024xf32=VALUES` and `i32=4` are one parameter each.
///  - `64x32xf32=VALUES`, an array of n axes, is 1 + 2n of them: pointer,
///    sizes, strides in elements.
///  - `list:3` is the list of the arrays that the next 3 flags are, as cuTile
///    passes it: a pointer to 3·(1 + 2n) words, which would be those parameters
///    of each array, and the length.
///  - `ptr:list:3` is one parameter, a pointer to the words that the parameters
///    of the next 3 flags would be: `ptr:`, arrays, `i64=`.
/// \returns Usage that names the parameter, the expected and the actual value;
/// BadInput for an invalid file.
runtime::Result<RawArguments> bindRawArguments(tile::KernelOp kernel,
                                               const KernelCommand &command);

/// Reads `8`, `32x16` or `8x4x2`: blocks along x, y, z.
/// \returns Usage for anything else.
runtime::Result<reference::Grid> parseGrid(llvm::StringRef text);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_RAWARGUMENTS_H
