// The output of --list for a kernel.
#ifndef TILEGPT_LIB_COMPILER_DESCRIBEKERNEL_H
#define TILEGPT_LIB_COMPILER_DESCRIBEKERNEL_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include <string>

namespace tilegpt::compiler {

/// A line with the name, and one for each argument: its number, its type as
/// --input has it, what becomes of it.
std::string describeKernel(tile::KernelOp kernel);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_DESCRIBEKERNEL_H
