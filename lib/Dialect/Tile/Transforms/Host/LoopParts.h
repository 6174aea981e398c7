// The loop of a block in parts: the kernels that do one part each, and that put
// the parts together.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_HOST_LOOPPARTS_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_HOST_LOOPPARTS_H

#include "TileGPT/Dialect/Tile/Analysis/CarriedState.h"
#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilegpt::tile {

/// How the iterations of a loop are dealt to parts: each takes a run of
/// neighbouring ones, as many as the others, but no fewer than `least`. Where
/// there are few, the first parts have them all.
struct LoopDeal {
  KernelOp kernel; ///< specialized
  mlir::scf::ForOp loop;
  llvm::SmallVector<CarriedTile> state; ///< of the loop
  int64_t parts, least;
  llvm::SmallVector<int64_t> blocks; ///< at most so many, by axis of the grid
};

/// The only loop in the body of a kernel, where all that stands in front of it
/// loads and computes.
/// \param reason  set to why a kernel with loops has none, for a remark.
mlir::scf::ForOp findPartedLoop(KernelOp kernel, llvm::StringRef &reason);

/// What a part has of the tiles that the loop carries: for each of them a view
/// [blocks · parts, …], all parts of a block next to each other.
llvm::SmallVector<ViewType> partialTypes(const LoopDeal &deal);

/// A kernel that does a part of the loop.
struct PartKernel {
  mlir::OwningOpRef<KernelOp> kernel;
  /// By argument in front of the outs, which are the partial tiles: the
  /// argument of the whole kernel that it was.
  llvm::SmallVector<unsigned> ins;
};

/// Writes the kernel that does a part of the loop.
/// \param sizeOf  an in that is as long as an axis of an out; nothing where
///                there is none
/// \param reason  set to why it cannot be written, for a remark
std::optional<PartKernel>
writePart(const LoopDeal &deal,
          llvm::function_ref<std::optional<ArgumentAxis>(ArgumentAxis)> sizeOf,
          llvm::StringRef &reason);

/// Writes the kernel that puts parts together and does what the whole one does
/// behind its loop. It takes the partial tiles behind the ins of that.
mlir::OwningOpRef<KernelOp> writeMerge(const LoopDeal &deal);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_TRANSFORMS_HOST_LOOPPARTS_H
