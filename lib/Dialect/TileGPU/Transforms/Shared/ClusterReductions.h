// Reductions and scans of rows of which each block of a cluster keeps a part.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_CLUSTERREDUCTIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_CLUSTERREDUCTIONS_H

#include "Shared/ClusterPart.h"

namespace tilegpt::tilegpu {

/// Reduces and scans a block's part piece by piece, and combines the results of
/// all blocks.
class ClusterReductions : public ClusterPart {
protected:
  using ClusterPart::ClusterPart;

  /// Replaces a reduction by kind of rows.
  void reducePart(tile::ReduceOp op);
  /// Replaces a reduction of rows by a region.
  void reduceByRegion(tile::ReduceOp op);
  /// Computes every piece of a row and passes it to `take`, with whether it may
  /// have elements outside the part.
  void makePieces(mlir::Value value,
                  llvm::function_ref<void(mlir::Value, bool)> take);

private:
  /// How elements are combined.
  struct Reduction {
    template <typename OpT>
    explicit Reduction(OpT op) : kind(*op.getKind()), nan(op.getNanPolicy()) {}
    mlir::TypedAttr identity(mlir::Type element) const;
    tile::ReduceKind kind;
    tile::NaNPolicy nan;
  };

  using PieceBuilder = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::ValueRange, bool)>;
  llvm::SmallVector<mlir::Value>
  forEachPiece(llvm::SmallVector<mlir::Value> carried, PieceBuilder build);

  void replaceResult(mlir::Value result, mlir::Value all);
  mlir::Value asUnits(mlir::Value row);
  llvm::SmallVector<mlir::Value> reducePieces(tile::ReduceOp op);
  mlir::Value reducePieces(const Reduction &how, mlir::Value source);
  mlir::Value reduce(const Reduction &how, mlir::Value tile, int64_t axis,
                     bool keepdims);
  mlir::Value splatOf(mlir::RankedTensorType type, mlir::TypedAttr element);

  llvm::SmallVector<tile::ScanOp> findScans(mlir::Value value) const;
  llvm::SmallVector<mlir::Value> startsOf(llvm::ArrayRef<tile::ScanOp> scans);
  mlir::Value findStart(tile::ScanOp scan);
  void continueScans(llvm::ArrayRef<tile::ScanOp> scans,
                     mlir::ValueRange before, bool isEnd);
  llvm::SmallVector<mlir::Value>
  scanResults(llvm::ArrayRef<tile::ScanOp> scans) const;
  mlir::Value scanAgain(tile::ScanOp scan, mlir::IRMapping &known) override;

  /// The values of scans before the part, and before the current piece or, once
  /// it is computed, after it.
  llvm::DenseMap<mlir::Operation *, mlir::Value> starts, running;
};

} // namespace tilegpt::tilegpu

#endif
