// Long rows in shared memory: what a kernel makes of them, made again wherever
// something reads it.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_ROWSTAGING_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_ROWSTAGING_H

#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tilegpu {

/// Where rows are kept, and how an access comes to a part of one, is for those
/// that derive from this.
class RowStaging {
public:
  virtual ~RowStaging() = default;

protected:
  RowStaging(tile::KernelOp kernel, const LongRows &rows);

  /// Whether a value is [1, C], C being the columns of a row.
  bool isRow(mlir::Value value) const;
  /// Whether a value is made again with that width.
  virtual bool isLong(mlir::Value value) const { return isRow(value); }
  /// The type with which a long value is made again.
  virtual mlir::RankedTensorType widened(mlir::Type type) const;
  /// A load of a long value, made again where the builder stands.
  virtual mlir::Value loadAgain(tile::LoadOp load) = 0;
  /// The numbers of the columns, made again where the builder stands.
  virtual mlir::Value numbersAgain() { return nullptr; }
  /// A scan along rows, likewise.
  virtual mlir::Value scanAgain(tile::ScanOp, mlir::IRMapping &) {
    return nullptr;
  }

  /// A long value, made again where the builder stands.
  /// \param made  what has been made again for the same reader.
  mlir::Value remake(mlir::Value value, mlir::IRMapping &made);

  tile::KernelOp kernel;
  const LongRows &rows;
  mlir::OpBuilder builder;
  int64_t width;     ///< with which long values are made again
  LayoutAttr layout; ///< of a row as wide
  /// Where loaded rows are kept.
  llvm::DenseMap<mlir::Operation *, mlir::Value> buffers;

  /// Moves an op, and what it is made of, in front of another one.
  static void moveAhead(mlir::Operation *op, mlir::Operation *other);
  /// Moves loads of other tiles that wait for nothing made of rows, nor for a
  /// store, in front of the first op that reads rows, so that they are on their
  /// way meanwhile.
  void moveOtherLoadsAhead(mlir::Operation *reader);

private:
  void takeFrom(tile::BroadcastOp broadcast);
};

/// Whether a source of a reduction needs its identity outside of a row. A sum
/// of exponentials has none of what is minus infinity.
bool isFilled(tile::ReduceOp op, mlir::Value source);

/// Erases, from the last on, the ops that nobody reads any more.
void eraseUnused(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace tilegpt::tilegpu

#endif
