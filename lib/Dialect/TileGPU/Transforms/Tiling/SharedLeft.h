// Products that share their left operand, and the tiles that they may have.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_SHAREDLEFT_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_SHAREDLEFT_H

#include "Tiling/LoadedProduct.h"

namespace tilegpt::tilegpu {

/// Dots `dot(x, w_i)` with tiles of arguments or their windows, of one loop
/// along the depth or of all of it.
struct SharedLeft {
  mlir::StringAttr rows, columns, depth;
  unsigned lhs, rhs; ///< arguments of the kernel
  int64_t products;
  bool isWhole; ///< all of the depth

  /// Whether a producer feeds them.
  bool isFed(OpenLaunch &launch) const;
  /// Elements of the depth that a step has.
  int64_t stepOf(OpenLaunch &launch) const;
};

struct SharedLeftTile {
  ResultTile tile;
  int64_t time; ///< cycles, where a producer feeds the products
  /// Whether the estimate is too low for it: it is not chosen.
  bool isUncertain;
};

std::optional<SharedLeft> findSharedLeft(tile::KernelOp kernel);

/// The tiles that registers suffice for, of candidates that the launch leaves
/// open.
llvm::SmallVector<SharedLeftTile> tilesOf(OpenLaunch &launch,
                                          const SharedLeft &product);

/// The one of the least time; null where there is none.
const SharedLeftTile *bestOf(llvm::ArrayRef<SharedLeftTile> tiles);

} // namespace tilegpt::tilegpu

#endif
