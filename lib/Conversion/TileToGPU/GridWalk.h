// The order in which blocks that stay walk a grid whose places differ in work.
#ifndef TILEGPT_LIB_CONVERSION_TILETOGPU_GRIDWALK_H
#define TILEGPT_LIB_CONVERSION_TILETOGPU_GRIDWALK_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// The axis of the grid along which blocks have more and more to do: the number
/// of trips of a loop grows with it. Nothing where there is none.
std::optional<int64_t> findGrowingAxis(tile::KernelOp kernel);

/// Of a loop over bands of a grid, around the one over their places.
inline constexpr llvm::StringLiteral gridBandsName = "tile_gpu.grid_bands";

/// A loop over the places of a grid that fall to a block, heaviest first and
/// back and forth, so that early and late blocks even out.
struct GridWalk {
  mlir::scf::ForOp loop;
  /// The place, an index an axis; defined in the loop.
  llvm::SmallVector<mlir::Value> place;
};
/// \param growing  the axis walked last, from its end; the others go round
///                 fastest. Without, axes are walked in their order.
/// \param band  places of the other axes that are walked to the end before the
///              next ones are begun: what they share stays in the cache. 0 for
///              all.
GridWalk makeGridWalk(mlir::OpBuilder &builder, mlir::Location loc,
                      llvm::ArrayRef<mlir::Value> sizes,
                      std::optional<int64_t> growing, int64_t band);

} // namespace tilegpt::tilegpu

#endif
