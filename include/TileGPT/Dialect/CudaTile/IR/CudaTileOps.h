// The ops of the cuda_tile dialect.
#ifndef TILEGPT_DIALECT_CUDATILE_IR_CUDATILEOPS_H
#define TILEGPT_DIALECT_CUDATILE_IR_CUDATILEOPS_H

#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h"
#include "TileGPT/Dialect/CudaTile/IR/TypeChecks.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilegpt::cuda_tile {
class ReturnOp;
class YieldOp;
class ContinueOp;
} // namespace tilegpt::cuda_tile

#define GET_OP_CLASSES
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h.inc"

#endif
