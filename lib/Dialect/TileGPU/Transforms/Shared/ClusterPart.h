// The part of a long row that one block of a cluster keeps.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_CLUSTERPART_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_CLUSTERPART_H

#include "Shared/PartExchange.h"
#include "Shared/RowStaging.h"

namespace tilegpt::tilegpu {

/// Copies the part to shared memory and reads it in pieces, or loads it into
/// registers as a single piece. Rows and vectors are recomputed at the width of
/// a piece.
class ClusterPart : public RowStaging {
protected:
  ClusterPart(tile::KernelOp kernel, const LongRows &rows);

  /// Computes the element at which the row begins from the row's index.
  void findPlace();
  /// Starts copying the parts of rows to shared memory.
  void copyParts();
  /// Loads the parts of rows into registers, where they stay.
  void loadParts();

  /// Whether a value has the length of a row but is shared by all rows.
  bool isVector(mlir::Value value) const;
  bool isLong(mlir::Value value) const override {
    return isRow(value) || isVector(value);
  }
  /// The type of one piece of a row or vector.
  mlir::RankedTensorType widened(mlir::Type type) const override;

  /// This block's part of the row of a view that an op loads or stores.
  template <typename OpT>
  mlir::Value partOf(OpT access) {
    return partOf(access.getView(), access.getIndices().front());
  }
  mlir::Value makeBuffer(mlir::Type element);
  /// The piece of a buffer at `offset` as one row.
  mlir::Value rowOf(mlir::Value buffer);

  /// If threads shift the vectors into place, and all by the same distance: the
  /// entries of an aligned vector; 0 otherwise.
  int64_t entriesOfShifted() const;

  /// Replaces elements of a piece outside the part by `pad`. The last part may
  /// be shorter than the others.
  mlir::Value fillOutside(mlir::Value wide, mlir::TypedAttr pad);
  /// The first piece after those that have no elements outside the part in any
  /// block, which begin with the second one.
  int64_t firstOfEnd() const;
  /// Whether every block's part is as wide as its tile.
  bool hasAllColumns() const {
    return rows.mostBefore == 0 && width == rows.getColumnsOfLast();
  }
  /// The range of tile columns in which every block has row elements: the
  /// first, and one past the last.
  mlir::DenseI64ArrayAttr knownColumns();

  mlir::Location loc;
  int64_t warps;
  PartExchange exchange;
  int64_t pieces;   ///< pieces of a part
  int64_t adjacent; ///< elements of a piece that a thread holds side by side
  /// Layouts of a piece: by 16-byte units, or by single elements. If rows are
  /// unaligned, their units differ from those of vectors.
  LayoutAttr units, neighbours;
  mlir::Value row, zero;
  mlir::Value piece, offset; ///< index and start of the current piece
  /// Whether the current piece may have elements outside the part.
  bool isAtEnd = true;
  mlir::Value first; ///< where a part begins in its buffer
  /// The distance by which vectors are shifted, where it is known.
  std::optional<int64_t> distance;

private:
  mlir::Value partOf(mlir::Value view, mlir::Value index);
  mlir::Value loadAgain(tile::LoadOp load) override;
  mlir::Value loadUnits(tile::LoadOp load);
  mlir::Value loadNeighbours(tile::LoadOp load);
  mlir::DenseI64ArrayAttr columnsBefore(tile::LoadOp load);
  mlir::Value numbersAgain() override;
  mlir::Value numbersFrom(mlir::Value start);
  mlir::Value fillEnds(mlir::Value wide, mlir::TypedAttr pad);
  mlir::Value columnsOfThis(mlir::Type type);
};

} // namespace tilegpt::tilegpu

#endif
