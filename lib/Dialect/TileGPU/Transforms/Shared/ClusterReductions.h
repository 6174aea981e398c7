// Reductions and scans of rows of which each block of a cluster keeps a part.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_CLUSTERREDUCTIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_CLUSTERREDUCTIONS_H

#include "Shared/ClusterPart.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reductions/SquaredDeviations.h"

namespace tilegpt::tilegpu {

/// Reduces and scans a block's part piece by piece, and combines the results of
/// all blocks.
class ClusterReductions : public ClusterPart {
protected:
  using ClusterPart::ClusterPart;

  /// Replaces reductions by kind of rows, which are computed side by side.
  void reduceParts(llvm::ArrayRef<tile::ReduceOp> ops);
  /// Replaces sums of rows and of their squared deviations, which blocks
  /// exchange at once.
  void reduceDeviations(llvm::ArrayRef<SquaredDeviations> all);
  /// Replaces a reduction of rows by a region.
  void reduceByRegion(tile::ReduceOp op);
  /// Computes every piece of rows and passes them to `take`, with whether they
  /// may have elements outside the part.
  void makePieces(mlir::ValueRange values,
                  llvm::function_ref<void(mlir::ValueRange, bool)> take);

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
  mlir::Value perPart(mlir::RankedTensorType type,
                      llvm::function_ref<double(int64_t)> number);
  mlir::Value ofThisPart(mlir::RankedTensorType type,
                         llvm::function_ref<double(int64_t)> number);
  mlir::Value correct(mlir::Value squares, mlir::Value sums, mlir::Value sum);
  mlir::Value asUnits(mlir::Value row);
  llvm::SmallVector<mlir::Value> reducePieces(tile::ReduceOp op);
  llvm::SmallVector<mlir::Value> reducePieces(llvm::ArrayRef<Reduction> how,
                                              mlir::ValueRange sources);
  mlir::Value reduce(const Reduction &how, mlir::Value tile, int64_t axis,
                     bool keepdims);
  mlir::Value splatOf(mlir::RankedTensorType type, mlir::TypedAttr element);

  llvm::SmallVector<tile::ScanOp> findScans(mlir::ValueRange values) const;
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
  /// What ops take instead of the values of whole rows.
  mlir::IRMapping ofPart;
};

} // namespace tilegpt::tilegpu

#endif
