// Elements as memory holds them: LLVM loads and stores neither single bits nor
// f8 types.
#ifndef TILEGPT_CONVERSION_TILETOARITH_MEMORYELEMENT_H
#define TILEGPT_CONVERSION_TILETOARITH_MEMORYELEMENT_H

#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace tilegpt::tilegpu {

/// The type memory holds: i8 for i1, f8E4M3FN and f8E5M2, else the type itself.
mlir::Type typeInMemory(mlir::Type elementType);

/// An element on its way to memory.
mlir::Value toMemory(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value element);

/// An element of type `elementType` from what memory holds.
mlir::Value fromMemory(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value held, mlir::Type elementType);

/// Constants as memory holds them.
mlir::TypedAttr inMemory(mlir::TypedAttr element);
mlir::DenseElementsAttr inMemory(mlir::DenseElementsAttr elements);

} // namespace tilegpt::tilegpu

#endif
