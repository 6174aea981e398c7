// How much memory elements and tiles take.
#ifndef TILEGPT_DIALECT_TILE_IR_MEMORYBYTES_H
#define TILEGPT_DIALECT_TILE_IR_MEMORYBYTES_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt {

/// Bytes an element takes in memory, global or shared; an i1 takes a whole one.
inline int64_t memoryBytes(mlir::Type elementType) {
  return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

/// Bytes that a tile takes in memory.
inline int64_t tileBytes(mlir::RankedTensorType tile) {
  return tile.getNumElements() * memoryBytes(tile.getElementType());
}

} // namespace tilegpt

#endif
