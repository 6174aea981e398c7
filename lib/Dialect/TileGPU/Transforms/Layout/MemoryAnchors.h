// How classes of tiles are loaded and stored, which decides the layouts of
// classes without a dot.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_MEMORYANCHORS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_MEMORYANCHORS_H

#include "Layout/AccessCost.h"
#include "Layout/LayoutClasses.h"
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include <optional>

namespace tilegpt::tilegpu {

/// How a class is loaded or stored.
struct MemoryAnchor {
  int64_t elements = 0; ///< of the tile; 0: none
  int64_t fastest = 0;  ///< axis
  int64_t vector = 1;   ///< most adjacent elements along it per access
  int64_t direct = 0;   ///< of accesses that bypass shared memory
};

class MemoryAnchors {
public:
  /// \param classes  of the kernel; must outlive this.
  MemoryAnchors(tile::KernelOp kernel, const LayoutClasses &classes);

  /// The anchor of a tile's class; null if it is neither loaded nor stored.
  const MemoryAnchor *lookUp(mlir::Value tile) const;

  /// Whether a class is only accessed where the producer of a main loop copies
  /// it: lanes may read elements that are apart.
  bool isStreamed(mlir::Value tile) const {
    return streamed.contains(classes.leaderOf(tile));
  }

  /// The fewest elements of a whole access along axes of this extent; nullopt
  /// if there is none.
  std::optional<int64_t> wholeAccess(int64_t extent) const;

  /// The most elements that an access of a class by offset moves along an axis
  /// at once; 1 if there is none.
  int64_t widestOffset(mlir::Value tile, int64_t axis) const;

  /// The number of elements that a thread should have side by side along an
  /// axis, up to `most`: fewer where accesses by offset are not aligned.
  int64_t offsetVector(mlir::Value tile, int64_t axis, int64_t most) const;

private:
  void add(mlir::Value tile, int64_t fastest, int64_t vector, bool isCopied);
  void addOffsets(mlir::Operation *op, IndexFacts &facts);
  void shareCosts(tile::KernelOp kernel);
  bool isCopiedEarly(mlir::Operation *op, IndexFacts &facts) const;

  const LayoutClasses &classes;
  bool overlaps;
  llvm::DenseMap<mlir::Value, MemoryAnchor> anchors; // by leader
  llvm::DenseMap<mlir::Value, AccessCost> costs;     // by leader
  llvm::DenseSet<mlir::Value> streamed;              // leaders
  /// By the extent of the contiguous axis.
  llvm::DenseMap<int64_t, int64_t> wholeAccesses;
};

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_MEMORYANCHORS_H
