// Tiles along one of several merged axes, such as gains of channels, as tiles
// along all of them.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_AXES_SPREADTILES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_AXES_SPREADTILES_H

#include "Axes/AxisRange.h"

namespace tilegpt::tilegpu {

/// A broadcast along all but one of the axes of a range.
class TileSpread {
public:
  /// \returns nothing if `broadcast` is another one, or if its source is
  ///   computed otherwise than element by element from loads of whole axes that
  ///   the kernel does not write.
  static std::optional<TileSpread> of(tile::BroadcastOp broadcast,
                                      const AxisRange &range);

  /// Computes the broadcast tile with one axis for the range, before the
  /// broadcast: entries of vectors are gathered.
  mlir::Value emit(mlir::OpBuilder &builder);

private:
  TileSpread(tile::BroadcastOp broadcast, const AxisRange &range)
      : broadcast(broadcast), range(range) {}
  bool accept(mlir::Value value) const;
  bool acceptLoad(tile::LoadOp load) const;
  mlir::Value spread(mlir::OpBuilder &builder, mlir::Value value);
  mlir::Value gather(mlir::OpBuilder &builder, tile::LoadOp load);
  mlir::Value makeNumbers(mlir::OpBuilder &builder, mlir::Value index);

  tile::BroadcastOp broadcast;
  AxisRange range;
  int64_t entries = 1;              ///< along the axis of the source
  int64_t repeats = 1;              ///< adjacent elements that share an entry
  llvm::SmallVector<int64_t> shape; ///< of the result
};

} // namespace tilegpt::tilegpu

#endif
