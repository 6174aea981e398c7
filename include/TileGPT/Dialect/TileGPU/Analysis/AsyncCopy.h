// Which loads can be asynchronous copies to shared memory instead.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_ASYNCCOPY_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_ASYNCCOPY_H

#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Unit attribute of a `tile_gpu.copy` of gathered rows: the loop around it
/// does not write their numbers.
inline constexpr llvm::StringLiteral keptRowsName = "tile_gpu.kept_rows";

/// A buffer for the tile of a load or gather, as it is read in any layout.
SharedType bufferOf(mlir::Operation *load);

/// The bytes of the units, 16, 8 or 4, in which `tile_gpu.copy` can bring the
/// tile of a load to a buffer of this type, padded with zero; 0 where its rows
/// are no such units.
int64_t unitOfCopy(tile::LoadOp load, SharedType buffer, IndexFacts &facts);

/// The same of a gather of rows, each of which is copied by itself.
int64_t unitOfCopy(tile::GatherOp gather, SharedType buffer, IndexFacts &facts);

/// The numbers of the rows of a gather, in the layout that they are made in.
mlir::TypedValue<mlir::RankedTensorType> numbersOf(tile::GatherOp gather);

/// Whether a load is better a copy to shared memory than registers that wait:
/// it can be, and is large enough to be worth a barrier.
bool isWorthCopying(tile::LoadOp load, IndexFacts &facts);

/// Whether it is known ahead of an iteration of a loop what a load in it will
/// read: that follows from the induction variable and what the loop does not
/// change, by ops that touch no memory but to load single elements that stay,
/// such as the entries of a table of blocks.
bool hasPlaceAhead(mlir::scf::ForOp loop, tile::LoadOp load, IndexFacts &facts);

/// The same of a gather, whose rows must be the same in all iterations.
bool hasPlaceAhead(mlir::scf::ForOp loop, tile::GatherOp gather,
                   IndexFacts &facts);

/// Whether the kernel around a load or gather writes nothing that it may read.
bool readsWhatStays(mlir::Operation *load, IndexFacts &facts);

} // namespace tilegpt::tilegpu

#endif
