// Keeps long rows in shared memory and recomputes values derived from them for
// each reader.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_ROWSTAGING_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_ROWSTAGING_H

#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tilegpu {

/// Derived classes define where rows are kept and how an access reaches a part
/// of one.
class RowStaging {
public:
  virtual ~RowStaging() = default;

protected:
  RowStaging(tile::KernelOp kernel, const LongRows &rows);

  /// Whether a value is [1, C], where C is the number of columns of a row.
  bool isRow(mlir::Value value) const;
  /// Whether a value is recomputed at the new width.
  virtual bool isLong(mlir::Value value) const { return isRow(value); }
  /// The type that a long value is recomputed with.
  virtual mlir::RankedTensorType widened(mlir::Type type) const;
  /// Re-creates a load of a long value at the builder's insertion point.
  virtual mlir::Value loadAgain(tile::LoadOp load) = 0;
  /// Re-creates the column indices at the builder's insertion point.
  virtual mlir::Value numbersAgain() { return nullptr; }
  /// Re-creates a scan along rows at the builder's insertion point.
  virtual mlir::Value scanAgain(tile::ScanOp, mlir::IRMapping &) {
    return nullptr;
  }

  /// Recomputes a long value at the builder's insertion point.
  /// \param made  values already recomputed for the same reader.
  mlir::Value remake(mlir::Value value, mlir::IRMapping &made);

  tile::KernelOp kernel;
  const LongRows &rows;
  mlir::OpBuilder builder;
  int64_t width;     ///< of recomputed values
  LayoutAttr layout; ///< of a row of that width
  /// The buffers of loaded rows.
  llvm::DenseMap<mlir::Operation *, mlir::Value> buffers;

  /// Moves an op, and the ops it depends on, before another one.
  static void moveAhead(mlir::Operation *op, mlir::Operation *other);
  /// Moves loads of other tiles, which depend neither on rows nor on a store,
  /// before the first op that reads rows, so that they are in flight meanwhile.
  void moveOtherLoadsAhead(mlir::Operation *reader);

private:
  void takeFrom(tile::BroadcastOp broadcast);
};

/// Whether a source of a reduction must be padded with the identity outside a
/// row. A sum of exponentials need not be: exp(-inf) is zero.
bool isFilled(tile::ReduceOp op, mlir::Value source);

/// Erases dead ops among `ops`, last to first.
void eraseUnused(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace tilegpt::tilegpu

#endif
