// The first product of attention: of tiles of two windows.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_WINDOWPRODUCT_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_WINDOWPRODUCT_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// The rows of an operand that is a loaded tile, or is computed from loaded
/// tiles that all have as many rows: rotated queries, for instance.
struct WindowRows {
  mlir::Attribute rows;     ///< a parameter or a number
  mlir::Attribute depth;    ///< likewise; null if loads differ in it
  mlir::BlockArgument root; ///< the argument that is loaded
};

/// Those of the left operand of a dot; nothing if tiles differ in them, or if
/// the operand depends on another dot.
std::optional<WindowRows> findLeftRows(tile::DotOp dot);

/// The sizes of a dot whose operands are tiles of windows, or are computed from
/// such tiles.
struct WindowProduct {
  mlir::StringAttr rows;
  mlir::Attribute columns; ///< a parameter or a number
  mlir::Attribute depth;   ///< likewise; null if loads differ in it
  /// The arguments of the kernel that the operands are windows of.
  unsigned lhs, rhs;
};

/// The first window product of a kernel.
std::optional<WindowProduct> findWindowProduct(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
