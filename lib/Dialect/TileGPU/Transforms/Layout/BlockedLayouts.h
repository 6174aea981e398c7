// Default layouts: blocks of adjacent elements per thread.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_BLOCKEDLAYOUTS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_BLOCKEDLAYOUTS_H

#include "Layout/MemoryAnchors.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SharedRows.h"

namespace tilegpt::tilegpu {

class BlockedLayouts {
public:
  /// \param classes, anchors  of the kernel; must outlive this.
  BlockedLayouts(tile::KernelOp kernel, const LayoutClasses &classes,
                 const MemoryAnchors &anchors);

  /// A layout with as many adjacent elements per thread as one access moves,
  /// fewer if the tile is too small for all threads to get that many.
  LayoutAttr of(mlir::Value tile) const;

  /// Whether a tile of the class is reduced or scanned along an axis.
  bool isReducedAlong(mlir::Value tile, int64_t axis) const;
  /// Whether a tile of the class is scanned along an axis.
  bool isScannedAlong(mlir::Value tile, int64_t axis) const;

private:
  /// Equal pieces of a tile along an axis.
  struct Pieces {
    int64_t axis, size, count;
    bool operator==(const Pieces &) const = default;
  };
  /// Records that a tile is split into pieces like this, or joined from them.
  void addPiece(mlir::Value whole, mlir::Value piece);
  LayoutAttr inPieces(mlir::Value tile, Pieces pieces, int64_t perThread) const;
  LayoutAttr shortRows(mlir::Value tile, const MemoryAnchor &anchor,
                       int64_t vector) const;
  LayoutAttr scannedRows(mlir::Value tile, const MemoryAnchor &anchor,
                         int64_t vector) const;
  LayoutAttr scannedColumns(mlir::Value tile, int64_t fastest,
                            LayoutAttr blocked) const;
  /// Whether loads and stores of the class move dense rows as a whole, so that
  /// those of any alignment come through shared memory.
  bool holdsWholeRows(mlir::Value tile) const;
  bool isSharedRows(llvm::ArrayRef<int64_t> shape) const;

  tile::KernelOp kernel;
  PlanAttr plan;
  const LayoutClasses &classes;
  const MemoryAnchors &anchors;
  std::optional<SharedRows> sharedRows;
  /// By leader of the class; nullopt if pieces differ.
  llvm::DenseMap<mlir::Value, std::optional<Pieces>> pieces;
};

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_BLOCKEDLAYOUTS_H
