// How many elements of a tile a thread should have side by side, where some of
// its accesses move fewer.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_ACCESSCOST_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_ACCESSCOST_H

#include "mlir/IR/Operation.h"

namespace tilegpt::tilegpu {

/// The accesses of tiles that share a layout.
class AccessCost {
public:
  /// \param axis     along which elements are adjacent, or nearly so, in memory
  /// \param vector   most elements that one instruction moves
  /// \param bytes    of an element
  /// \param isOffset  by offset (`tile.load_at`) instead of by tile index
  void add(mlir::Operation *op, int64_t axis, int64_t vector, int64_t bytes,
           bool isOffset);

  /// Adds the accesses of another class of tiles.
  /// \param axisOf  the axis that corresponds to one of the other tiles
  void add(const AccessCost &other,
           llvm::function_ref<int64_t(int64_t)> axisOf);

  /// The most elements that an access by offset along an axis moves at once; 1
  /// if there is none.
  int64_t widestOffset(int64_t axis) const;

  /// The number of adjacent elements of a thread, up to `most`, with which
  /// instructions and the lines that each of them touches are fewest; `most` if
  /// no access by offset runs along the axis.
  int64_t bestVector(int64_t axis, int64_t most) const;

private:
  struct Access {
    int64_t axis, vector, bytes, times;
    bool isOffset;
  };
  llvm::SmallVector<Access> accesses;
};

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_LAYOUT_ACCESSCOST_H
