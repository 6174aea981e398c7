// Accesses of a kernel whose parameters are not bound: for every access and
// axis, the tile index and the tile size.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_TILEFOOTPRINT_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_TILEFOOTPRINT_H

#include "TileGPT/Dialect/Tile/Analysis/AxisClasses.h"

namespace tilegpt::tile {

/// An axis of an argument of a kernel.
struct ArgumentAxis {
  unsigned argument;
  int64_t axis;

  friend bool operator==(const ArgumentAxis &, const ArgumentAxis &) = default;
};

/// What indexes the tiles of an access along an axis of its view.
enum class TileIndex {
  BlockId,      ///< a `tile.block_id`
  Zero,         ///< the constant 0: the first tile
  LoopVariable, ///< the induction variable of an `scf.for`
  Opaque,       ///< anything else
};

/// An access along one axis of its view.
struct AxisFootprint {
  TileIndex index;
  int64_t gridAxis = -1; ///< of a BlockId
  /// The size of the tile: a parameter name, an integer, or null if unknown.
  mlir::Attribute size;
};

/// One `tile.load` or `tile.store`.
struct AccessFootprint {
  mlir::Operation *op;
  mlir::Value tile, view;
  bool isStore;
  /// The argument that `view` is; null for a window.
  mlir::BlockArgument argument;
  llvm::SmallVector<mlir::Value> indices; ///< by axis of the view
  llvm::SmallVector<AxisFootprint> axes;  ///< likewise
  bool isMasked = false, isPermuted = false;
  /// Whether every block executes it exactly once: it is not in a loop or
  /// branch.
  bool isUnconditional;
};

/// What the body of a kernel does with its tiles.
enum class BodyClass {
  Pointwise, ///< elements of a result come from the same place of operands
  Rowwise,   ///< reductions along axes
  Product,   ///< dots, none of which reads what another makes
  Other,     ///< indexed accesses, scans, chains of products, …
};

llvm::StringRef nameOf(BodyClass bodyClass);

/// The footprint of one kernel. Valid while the kernel is not modified.
class TileFootprint {
public:
  explicit TileFootprint(KernelOp kernel);

  KernelOp getKernel() const { return kernel; }
  const AxisClasses &getAxes() const { return axes; }
  llvm::ArrayRef<AccessFootprint> getAccesses() const { return accesses; }
  /// Loads or stores of an argument itself.
  llvm::SmallVector<const AccessFootprint *> accessesOf(unsigned argument,
                                                        bool stores) const;
  BodyClass getBodyClass() const { return bodyClass; }

  /// The axis whose size a parameter is by declaration (`K = dim(%x, 1)`).
  std::optional<ArgumentAxis> wholeAxisOf(mlir::Attribute size) const;

  /// The axis whose tiles an axis of the grid counts: its number of blocks is
  /// ceildiv(dim(argument, axis), size), or dim(argument, axis) if `size` is 1.
  std::optional<ArgumentAxis> tiledAxisOf(int64_t gridAxis,
                                          mlir::Attribute size) const;

  /// The axes of arguments that loads cut into tiles of `param`. Nothing if one
  /// of them loads a window, whose size says nothing about the data.
  std::optional<llvm::SmallVector<ArgumentAxis>>
  loadedAxesOf(llvm::StringRef param) const;

private:
  void addAccess(mlir::Operation *op);

  KernelOp kernel;
  AxisClasses axes;
  llvm::SmallVector<AccessFootprint, 0> accesses;
  BodyClass bodyClass;
};

} // namespace tilegpt::tile

#endif
