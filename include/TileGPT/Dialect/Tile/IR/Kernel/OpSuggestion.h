// Messages for names of ops that do not exist.
#ifndef TILEGPT_DIALECT_TILE_IR_KERNEL_OPSUGGESTION_H
#define TILEGPT_DIALECT_TILE_IR_KERNEL_OPSUGGESTION_H

#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include <string>

namespace tilegpt::tile {

/// What to write instead of an unknown op with this name, given without a
/// dialect: "; did you mean 'tile.block_id'?". Knows the names of Triton,
/// CUTLASS and cuTile, and ops of the dialects that kernels use, also
/// misspelled; empty for anything else.
std::string suggestOp(llvm::StringRef name, mlir::MLIRContext &context);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_IR_KERNEL_OPSUGGESTION_H
