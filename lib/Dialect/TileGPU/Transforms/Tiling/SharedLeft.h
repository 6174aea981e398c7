// Products that share their lhs, and their possible tiles.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_SHAREDLEFT_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_SHAREDLEFT_H

#include "Tiling/LoadedProduct.h"

namespace tilegpt::tilegpu {

/// Dots `dot(x, w_i)` of tiles of arguments or their windows, in one loop over
/// the depth or over the full depth.
struct SharedLeft {
  mlir::StringAttr rows, columns, depth;
  unsigned lhs, rhs; ///< arguments of the kernel
  int64_t products;
  bool isWhole; ///< over the full depth

  /// Whether a producer feeds them.
  bool isFed(OpenLaunch &launch) const;
  /// Elements of the depth per step.
  int64_t stepOf(OpenLaunch &launch) const;
};

struct SharedLeftTile {
  ResultTile tile;
  int64_t time; ///< cycles, if a producer feeds the products
  /// Whether the estimate is too low, so that the tile is never chosen.
  bool isUncertain;
};

std::optional<SharedLeft> findSharedLeft(tile::KernelOp kernel);

/// The tiles that fit the registers, of the candidates that the launch leaves
/// open.
llvm::SmallVector<SharedLeftTile> tilesOf(OpenLaunch &launch,
                                          const SharedLeft &product);

/// The cheapest of them; null if there is none.
const SharedLeftTile *bestOf(llvm::ArrayRef<SharedLeftTile> tiles);

} // namespace tilegpt::tilegpu

#endif
