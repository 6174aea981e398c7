// The parameters of a raw kernel, as a caller has to pass them.
#ifndef TILEGPT_LIB_COMPILER_RAWPARAMETERS_H
#define TILEGPT_LIB_COMPILER_RAWPARAMETERS_H

#include "TileGPT/Compiler/CudaTileModule.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::compiler {

std::vector<CudaTileArgument> parametersOf(tile::KernelOp kernel);

/// Bytes of each of them, as cuda::ParameterList has them.
std::vector<uint8_t> parameterBytes(tile::KernelOp kernel);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_RAWPARAMETERS_H
