// Shared by tile.reduce and tile.scan: their syntax, and the verification of
// combiners.
#ifndef TILEGPT_LIB_DIALECT_TILE_IR_COMBINERS_H
#define TILEGPT_LIB_DIALECT_TILE_IR_COMBINERS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile::detail {

/// `[kind] %sources axis N [flags] [nan(…)] [identities […]] [{ region }] :
/// types`.
/// \param flags           names of unit attributes, in their order.
/// \param statesResults   whether `-> results` follows; else the results have
///                        the types of the sources.
mlir::ParseResult parseCombiner(mlir::OpAsmParser &parser,
                                mlir::OperationState &result,
                                llvm::ArrayRef<llvm::StringRef> flags,
                                bool statesResults);
void printCombiner(mlir::OpAsmPrinter &printer, CombinerOpInterface op,
                   llvm::ArrayRef<llvm::StringRef> flags, bool statesResults);

/// Computes the shape of the sources, as static as possible; fails if there are
/// none, if their shapes differ, or if they lack the axis.
mlir::LogicalResult inferSourceShape(CombinerOpInterface op,
                                     llvm::SmallVectorImpl<int64_t> &shape);

/// Verifies the name, or the identities and the arguments of the region,
/// against the sources.
/// \param what  "reduce" or "scan", for messages.
mlir::LogicalResult verifyCombiner(CombinerOpInterface op,
                                   llvm::StringRef what);

/// Verifies the body of the region, after its ops.
mlir::LogicalResult verifyCombinerRegion(CombinerOpInterface op);

} // namespace tilegpt::tile::detail

#endif
