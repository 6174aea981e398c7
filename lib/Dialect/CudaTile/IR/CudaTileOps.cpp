// The definitions of the ops.
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "OpText.h"

using namespace mlir;
using namespace tilegpt::cuda_tile;

#define GET_OP_CLASSES
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.cpp.inc"

void CudaTileDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.cpp.inc"
      >();
}
