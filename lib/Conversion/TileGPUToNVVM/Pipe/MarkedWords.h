// Words in global memory that carry a number and the mark of a launch, by which
// readers know that the number has arrived.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_PIPE_MARKEDWORDS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_PIPE_MARKEDWORDS_H

#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

inline constexpr int64_t markedBytes = 8;

/// The first word of a group for an exchange.
/// \param workspace  [exchanges, groups, words].
mlir::Value wordsOfGroup(mlir::OpBuilder &builder, mlir::Location loc,
                         tile::ViewType workspace, mlir::Value pointer,
                         int64_t exchange, mlir::Value group);

/// Writes 32 bits and the mark.
void sendWord(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
              mlir::Value number, mlir::Value mark);

/// Reads words, all of which are under way at a time, until all have the mark.
/// \returns the 32 bits of each.
llvm::SmallVector<mlir::Value> awaitWords(mlir::OpBuilder &builder,
                                          mlir::Location loc,
                                          llvm::ArrayRef<mlir::Value> pointers,
                                          mlir::Value mark);

} // namespace tilegpt::tilegpu

#endif
