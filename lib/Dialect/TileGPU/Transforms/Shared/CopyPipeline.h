// The rewriting of a loop whose tiles are copied several iterations ahead.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_COPYPIPELINE_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_COPYPIPELINE_H

#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// A tile that every iteration of a loop loads, either for a dot, through a
/// buffer, or to compute with it.
struct CopyStream {
  mlir::Operation *load; ///< by view or by offset, or a gather of rows
  WriteOp write;         ///< null if the tile itself is used
  AllocOp buffer;        ///< the destination of `write`; null without
  SharedType stage;      ///< the buffer of one iteration
  AllocOp ring;          ///< the buffers of all stages
  CopyUnit unit;         ///< what one copy brings
  /// By axis: whether the tile is in bounds of the view in every iteration.
  llvm::SmallVector<bool> isInside;
  AllocOp rows; ///< the indices of gathered rows
};

/// The buffer of the row indices of a gather.
SharedType bufferOfRows(mlir::RankedTensorType numbers);

/// Copies the tiles of `streams` asynchronously, `stages - 1` iterations ahead,
/// through ring buffers of `stages` tiles. Replaces the loop.
void pipelineCopies(mlir::scf::ForOp loop,
                    llvm::MutableArrayRef<CopyStream> streams, int64_t stages);

} // namespace tilegpt::tilegpu

#endif
