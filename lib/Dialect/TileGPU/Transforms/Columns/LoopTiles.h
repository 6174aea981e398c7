// Loops that compute elementwise on tiles of one shape.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COLUMNS_LOOPTILES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COLUMNS_LOOPTILES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Whether a load reads unmasked tiles of a dense argument that is a matrix of
/// static size.
bool readsMatrix(tile::LoadOp load);

/// The tiles of a loop whose loads and results all have the same shape.
class LoopTiles {
public:
  explicit LoopTiles(mlir::scf::ForOp loop);

  /// Whether the loop loads and carries only tiles of one shape, and no op
  /// depends on the position of an element.
  bool areElementwise() const;

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  llvm::ArrayRef<tile::LoadOp> getLoads() const { return loads; }
  bool contains(mlir::Type type) const;

  /// The tiles that the loop uses but does not compute.
  llvm::SmallVector<mlir::Value> getOutside() const;

  /// Changes the shape of all tiles of the loop, including its results.
  /// \param outside  makes the replacement of a tile of the old shape from
  /// outside of the loop.
  /// \param reload  makes the replacement of a load, which is erased.
  void reshape(llvm::ArrayRef<int64_t> to,
               llvm::function_ref<mlir::Value(mlir::Value)> outside,
               llvm::function_ref<mlir::Value(tile::LoadOp)> reload);

private:
  bool accept(mlir::Operation &op) const;

  mlir::scf::ForOp loop;
  llvm::SmallVector<tile::LoadOp> loads;
  llvm::SmallVector<int64_t> shape; ///< empty if nothing is loaded
};

} // namespace tilegpt::tilegpu

#endif
