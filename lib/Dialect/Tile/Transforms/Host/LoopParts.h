// A block's loop in parts: the kernels that compute one part each, and that
// combine the parts.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_HOST_LOOPPARTS_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_HOST_LOOPPARTS_H

#include "TileGPT/Dialect/Tile/Analysis/CarriedState.h"
#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilegpt::tile {

/// How the iterations of a loop are split: each part takes a contiguous range,
/// equal shares but at least `least` iterations. With few iterations the first
/// parts take all.
struct LoopDeal {
  KernelOp kernel; ///< specialized
  mlir::scf::ForOp loop;
  llvm::SmallVector<CarriedTile> state; ///< of the loop
  int64_t parts, least;
  llvm::SmallVector<int64_t> blocks; ///< at most so many, by axis of the grid
};

/// The only loop in the body of a kernel, with only loads and arithmetic before
/// it.
/// \param reason  set to why a kernel with loops has none, for a remark.
mlir::scf::ForOp findPartedLoop(KernelOp kernel, llvm::StringRef &reason);

/// The partial results of a part: for each loop-carried tile a view [blocks ·
/// parts, …], with all parts of a block adjacent.
llvm::SmallVector<ViewType> partialTypes(const LoopDeal &deal);

/// A kernel that computes a part of the loop.
struct PartKernel {
  mlir::OwningOpRef<KernelOp> kernel;
  /// For each argument before the outs, which are the partial results: the
  /// corresponding argument of the original kernel.
  llvm::SmallVector<unsigned> ins;
};

/// Creates the kernel that computes a part of the loop.
/// \param sizeOf  an in with the size of an axis of an out; nothing if there is
/// none
/// \param reason  set to why it cannot be created, for a remark
std::optional<PartKernel>
writePart(const LoopDeal &deal,
          llvm::function_ref<std::optional<ArgumentAxis>(ArgumentAxis)> sizeOf,
          llvm::StringRef &reason);

/// Creates the kernel that combines the parts and runs the code after the loop.
/// Its ins are those of the original followed by the partial results.
mlir::OwningOpRef<KernelOp> writeMerge(const LoopDeal &deal);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_TRANSFORMS_HOST_LOOPPARTS_H
