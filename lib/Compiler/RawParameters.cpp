// Kinds and sizes of parameters, from the types of arguments.
#include "RawParameters.h"
#include "TileGPT/Dialect/Tile/Analysis/PointerUses.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tilegpt::compiler {

static CudaTileArgument parameterOf(BlockArgument argument) {
  CudaTileArgument parameter;
  Type type = argument.getType();
  if (auto pointer = dyn_cast<tile::PtrType>(type)) {
    parameter.isWritten = tilegpu::isWritten(argument);
    type = pointer.getPointee();
  } else if (type.isIndex()) {
    parameter.kind = CudaTileArgument::Kind::Integer;
    type = IntegerType::get(type.getContext(), 64);
  } else {
    parameter.kind = isa<FloatType>(type) ? CudaTileArgument::Kind::Float
                                          : CudaTileArgument::Kind::Integer;
    parameter.bytes = unsigned(memoryBytes(type));
  }
  llvm::raw_string_ostream(parameter.type) << type;
  return parameter;
}

std::vector<CudaTileArgument> parametersOf(tile::KernelOp kernel) {
  std::vector<CudaTileArgument> parameters;
  for (BlockArgument argument : kernel.getArguments())
    parameters.push_back(parameterOf(argument));
  return parameters;
}

std::vector<uint8_t> parameterBytes(tile::KernelOp kernel) {
  std::vector<uint8_t> bytes;
  for (const CudaTileArgument &parameter : parametersOf(kernel))
    bytes.push_back(uint8_t(parameter.bytes));
  return bytes;
}

} // namespace tilegpt::compiler
