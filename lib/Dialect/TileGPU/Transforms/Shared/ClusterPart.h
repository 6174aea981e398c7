// The part of long rows that one block of a cluster keeps.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_CLUSTERPART_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_CLUSTERPART_H

#include "Shared/PartExchange.h"
#include "Shared/RowStaging.h"

namespace tilegpt::tilegpu {

/// Copies the part to shared memory, where it is read piece by piece, or loads
/// all of it to registers, as one piece. Rows and vectors are made again as
/// wide as a piece.
class ClusterPart : public RowStaging {
protected:
  ClusterPart(tile::KernelOp kernel, const LongRows &rows);

  /// Finds the place that the row begins at, behind the number of the row.
  void findPlace();
  /// Starts to copy the parts of rows to shared memory.
  void copyParts();
  /// Loads the parts of rows to registers, where they stay.
  void loadParts();

  /// Whether a value is as long as a row, but one for all of them.
  bool isVector(mlir::Value value) const;
  bool isLong(mlir::Value value) const override {
    return isRow(value) || isVector(value);
  }
  /// A row or a vector as a piece of the part of it that this block has.
  mlir::RankedTensorType widened(mlir::Type type) const override;

  /// This block's part of a row of a view.
  mlir::Value partOf(mlir::Value view);
  mlir::Value makeBuffer(mlir::Type element);
  /// The piece of a buffer at `offset` as one row.
  mlir::Value rowOf(mlir::Value buffer);

  /// A piece with another value where the part has no elements. The last part
  /// may have fewer than the others.
  mlir::Value fillOutside(mlir::Value wide, mlir::TypedAttr pad);
  /// Whether a part is as wide as its tile in every block.
  bool hasAllColumns() const {
    return rows.mostBefore == 0 && width == rows.getColumnsOfLast();
  }
  /// The columns of the tile that every block has elements of the row for: the
  /// first and the one behind the last.
  mlir::DenseI64ArrayAttr knownColumns();

  mlir::Location loc;
  int64_t warps;
  PartExchange exchange;
  int64_t pieces; ///< of a part, by which it is worked through
  /// Layouts of a piece: of units of 16 bytes, or of single elements. Where
  /// rows begin anywhere, their units are none of the vectors that they meet.
  LayoutAttr units, neighbours;
  mlir::Value row, zero;
  mlir::Value piece, offset; ///< the number of this piece, and where it begins
  mlir::Value first;         ///< the place a part begins at in its buffer

private:
  mlir::Value loadAgain(tile::LoadOp load) override;
  mlir::Value loadUnits(tile::LoadOp load);
  mlir::Value loadNeighbours(tile::LoadOp load);
  mlir::Value numbersAgain() override;
  mlir::Value numbersFrom(mlir::Value start);
  mlir::Value fillEnds(mlir::Value wide, mlir::TypedAttr pad);
  mlir::Value columnsOfThis(mlir::Type type);
};

} // namespace tilegpt::tilegpu

#endif
