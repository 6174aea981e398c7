// Which loads can become asynchronous copies to shared memory.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_ASYNCCOPY_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_ASYNCCOPY_H

#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Unit attribute of a `tile_gpu.copy` of gathered rows: the enclosing loop
/// does not write their indices.
inline constexpr llvm::StringLiteral keptRowsName = "tile_gpu.kept_rows";

/// A shared memory buffer for the tile of a load, by view or by offset, or of a
/// gather; readable in any layout.
SharedType bufferOf(mlir::Operation *load);

/// The pieces in which `tile_gpu.copy` brings a tile to shared memory.
struct CopyUnit {
  int64_t bytes = 0; ///< 16, 8 or 4; 0 if rows do not begin with such units
  bool isClipped = false; ///< whether rows of the view may end inside a unit
};

/// The units in which the tile of a load can be copied to a buffer of this
/// type, padded with zero.
CopyUnit unitOfCopy(tile::LoadOp load, SharedType buffer, IndexFacts &facts);

/// The same for a gather of rows, each of which is copied separately.
CopyUnit unitOfCopy(tile::GatherOp gather, SharedType buffer,
                    IndexFacts &facts);

/// The row indices of a gather, in the layout in which they are computed.
mlir::TypedValue<mlir::RankedTensorType> numbersOf(tile::GatherOp gather);

/// Whether a load should be a copy to shared memory rather than to registers:
/// it can be, and is large enough to justify a barrier.
bool isWorthCopying(tile::LoadOp load, IndexFacts &facts);

/// Whether the address of a load in a loop is known before the iteration: it
/// depends only on the induction variable and loop-invariant values, through
/// ops that access no memory except loads of single elements that do not
/// change, such as the entries of a block table.
bool hasPlaceAhead(mlir::scf::ForOp loop, tile::LoadOp load, IndexFacts &facts);

/// The same for a gather, whose rows must be the same in all iterations.
bool hasPlaceAhead(mlir::scf::ForOp loop, tile::GatherOp gather,
                   IndexFacts &facts);

/// Whether the enclosing kernel writes no memory that a load or gather may
/// read.
bool readsWhatStays(mlir::Operation *load, IndexFacts &facts);

} // namespace tilegpt::tilegpu

#endif
