// Tile sizes of ops: integers, or names of parameters until `--tile-specialize`
// binds them.
#ifndef TILEGPT_DIALECT_TILE_IR_TILESIZES_H
#define TILEGPT_DIALECT_TILE_IR_TILESIZES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

namespace tilegpt::tile {

/// True when every element is a positive integer or a name.
bool isTileSizes(mlir::Attribute attribute);

/// One number per axis: the size, or ShapedType::kDynamic for an unbound
/// parameter.
llvm::SmallVector<int64_t> knownSizes(mlir::ArrayAttr sizes);

/// Parses and prints `[BM, 64]`.
mlir::ParseResult parseTileSizes(mlir::OpAsmParser &parser,
                                 mlir::ArrayAttr &sizes);
void printTileSizes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    mlir::ArrayAttr sizes);

} // namespace tilegpt::tile

#endif
