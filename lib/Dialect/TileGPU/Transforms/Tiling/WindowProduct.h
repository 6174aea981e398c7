// The first product of attention: of two tiles of windows.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_WINDOWPRODUCT_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_WINDOWPRODUCT_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// The sizes of `dot(load of a window, load of a window)`, of which the
/// left one may be scaled or converted in between, and the right one computed
/// from several loads of a loop.
struct WindowProduct {
  mlir::StringAttr rows, columns;
  mlir::Attribute depth; ///< a parameter or a number
  /// The arguments of the kernel that the operands are windows of.
  unsigned lhs, rhs;
};

/// The first of a kernel.
std::optional<WindowProduct> findWindowProduct(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
