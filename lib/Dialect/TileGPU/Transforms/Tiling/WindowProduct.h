// The first product of attention: of tiles of two windows.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_WINDOWPRODUCT_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_WINDOWPRODUCT_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// The rows of an operand that is a loaded tile, or is computed from loaded
/// tiles with the same number of rows, such as rotated queries.
struct WindowRows {
  mlir::Attribute rows;     ///< a parameter or a number
  mlir::Attribute depth;    ///< likewise; null if loads differ in it
  mlir::BlockArgument root; ///< the argument that is loaded
};

/// The rows of the lhs of a dot; nullopt if its tiles differ in them, or if it
/// depends on another dot.
std::optional<WindowRows> findLeftRows(tile::DotOp dot);

/// The sizes of a dot whose operands are tiles of windows or computed from such
/// tiles.
struct WindowProduct {
  mlir::StringAttr rows;
  mlir::Attribute columns; ///< a parameter or a number
  mlir::Attribute depth;   ///< likewise; null if loads differ in it
  /// The arguments of which the operands are windows.
  unsigned lhs, rhs;
};

/// The first window product of a kernel.
std::optional<WindowProduct> findWindowProduct(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
