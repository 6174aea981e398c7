// The dialect itself.
#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h"

using namespace mlir;
using namespace tilegpt::cuda_tile;

#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.cpp.inc"

void CudaTileDialect::initialize() {
  registerTypes();
  registerAttributes();
  registerOps();
}
