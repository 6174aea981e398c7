// Text of types: inside the dialect, names may leave out `!cuda_tile.`.
#ifndef TILEGPT_LIB_DIALECT_CUDATILE_IR_TYPETEXT_H
#define TILEGPT_LIB_DIALECT_CUDATILE_IR_TYPETEXT_H

#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h"
#include "mlir/IR/OpImplementation.h"

namespace tilegpt::cuda_tile {

/// Reads a type of any dialect, or a type of this one by its bare name.
mlir::ParseResult parseCudaTileType(mlir::AsmParser &parser, mlir::Type &type);
/// Parses a nonempty list of types.
mlir::ParseResult parseCudaTileType(mlir::AsmParser &parser,
                                    llvm::SmallVectorImpl<mlir::Type> &types);

/// Prints a type, without the prefix where it is of this dialect.
void printCudaTileType(mlir::AsmPrinter &printer, mlir::Type type);
void printCudaTileType(mlir::AsmPrinter &printer, mlir::TypeRange types);
inline void printCudaTileType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                              mlir::Type type) {
  printCudaTileType(printer, type);
}
inline void printCudaTileType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                              mlir::TypeRange types) {
  printCudaTileType(printer, types);
}

} // namespace tilegpt::cuda_tile

#endif
