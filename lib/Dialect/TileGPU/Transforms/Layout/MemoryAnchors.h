// What classes of tiles are loaded and stored as, which decides the layouts of
// those that no dot decides.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_MEMORYANCHORS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_MEMORYANCHORS_H

#include "Layout/LayoutClasses.h"
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include <optional>

namespace tilegpt::tilegpu {

/// What a class is loaded or stored as.
struct MemoryAnchor {
  int64_t elements = 0; ///< of the tile; 0: none
  int64_t fastest = 0;  ///< axis
  int64_t vector = 1;   ///< most neighbours along it that one access may move
  int64_t direct = 0;   ///< of accesses that do not go through shared memory
};

class MemoryAnchors {
public:
  /// \param classes  of the kernel, which live as long.
  MemoryAnchors(tile::KernelOp kernel, const LayoutClasses &classes);

  /// The anchor of a tile's class; null where it is neither loaded nor stored.
  const MemoryAnchor *lookUp(mlir::Value tile) const;

  /// The fewest elements that are a whole access along axes of this extent;
  /// nothing where none is.
  std::optional<int64_t> wholeAccess(int64_t extent) const;

private:
  void add(mlir::Value tile, int64_t fastest, int64_t vector, bool isCopied);
  bool isCopiedEarly(mlir::Operation *op, IndexFacts &facts) const;

  const LayoutClasses &classes;
  bool overlaps;
  llvm::DenseMap<mlir::Value, MemoryAnchor> anchors; // by leader
  /// By the extent of the axis along which elements are neighbours.
  llvm::DenseMap<int64_t, int64_t> wholeAccesses;
};

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_MEMORYANCHORS_H
