// Groups the tiles of a kernel into classes that should share a layout:
// operands and results of elementwise ops, loop-carried values, accumulators
// and dot results.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_LAYOUTCLASSES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_LAYOUTCLASSES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace tilegpt::tilegpu {

class LayoutClasses {
public:
  explicit LayoutClasses(tile::KernelOp kernel);

  /// The representative of a tile's class.
  mlir::Value leaderOf(mlir::Value tile) const;
  /// Every tile of the kernel, in order of definition.
  llvm::ArrayRef<mlir::Value> getTiles() const { return tiles; }

private:
  void joinLoop(mlir::Operation *op);
  void join(mlir::Value a, mlir::Value b);

  llvm::SmallVector<mlir::Value> tiles;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::EquivalenceClasses<unsigned> classes;
};

} // namespace tilegpt::tilegpu

#endif
