// What tiles hold past the end of an axis.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_PADDINGVALUES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_PADDINGVALUES_H

#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilegpt::tilegpu {

/// Whether an op only changes the shape of a tile.
bool changesShape(mlir::Operation *op);

/// The values of tiles past the end of an axis of known extent: zeros that
/// loads return there, and what is computed from them.
class PaddingValues {
public:
  /// A comparison and its result for elements of the axis.
  using Mask = std::pair<mlir::arith::CmpIOp, bool>;

  /// \param axis  outlives this object.
  explicit PaddingValues(const StreamedAxis &axis) : axis(axis) {}

  /// Finds the comparisons that distinguish elements from padding.
  /// \param places  indices of the axis.
  void addMasks(mlir::Value places);
  llvm::ArrayRef<Mask> getMasks() const { return masks; }

  /// Whether padding changes no reduction along the axis.
  bool areNeutral();

private:
  mlir::Attribute of(mlir::Value tile);
  mlir::Attribute derive(mlir::Value tile);

  const StreamedAxis &axis;
  llvm::SmallVector<Mask> masks;
  llvm::DenseMap<mlir::Value, mlir::Attribute> known;
};

} // namespace tilegpt::tilegpu

#endif
