// Asynchronous copies of tiles that are loaded by offset: which loads qualify,
// and the offsets of the units that each thread copies.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_OFFSETCOPIES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_OFFSETCOPIES_H

#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tilegpu {

/// The units in which the tile of a load by offset in a loop can be copied to a
/// buffer of this type, several iterations ahead: its elements are adjacent in
/// memory along the last axis, aligned and masked unit by unit, and their
/// offsets can be computed for a later iteration, one by one, from the
/// induction variable and loop-invariant numbers, without access to memory.
CopyUnit unitOfCopy(mlir::scf::ForOp loop, tile::LoadAtOp load,
                    SharedType buffer, IndexFacts &facts);

/// The offsets of the units of a load, and their masks.
class UnitOffsets {
public:
  /// \param unitBytes  that of `unitOfCopy`.
  /// \param place      where to emit what all iterations share, before the
  /// loop.
  UnitOffsets(tile::LoadAtOp load, int64_t unitBytes, mlir::Operation *place);

  /// Emits a `tile_gpu.copy_at` to a buffer for another iteration of a loop.
  /// \param mapping  contains the induction variable of that iteration.
  void copyTo(mlir::OpBuilder &builder, mlir::scf::ForOp loop,
              mlir::IRMapping &mapping, mlir::Value buffer);

private:
  /// Where a tile is evaluated: the i32 coordinates of all units along each
  /// axis.
  using Points = llvm::SmallVector<mlir::Value>;

  Points makePoints();
  mlir::RankedTensorType typeOf(mlir::Type element) const;
  mlir::Value numberAll(mlir::OpBuilder &builder, int64_t number);
  mlir::Value evaluate(mlir::Value tile, const Points &points);
  mlir::Value derive(mlir::Value tile, const Points &points);
  mlir::Value scalarOf(mlir::Value scalar);
  bool lasts(mlir::Value value);
  mlir::OpBuilder &builderOf(mlir::Value tile);

  tile::LoadAtOp load;
  int64_t unitBytes;
  mlir::RankedTensorType units; ///< of an i32 for each
  mlir::OpBuilder before;       ///< at `place`
  Points points;
  llvm::DenseMap<mlir::Value, bool> lasting;
  /// By tile, and points: the values that all iterations share.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<std::pair<Points, mlir::Value>>>
      shared;

  // Of the copy that is emitted:
  mlir::OpBuilder *builder = nullptr;
  mlir::scf::ForOp loop;
  mlir::IRMapping *mapping = nullptr;
};

} // namespace tilegpt::tilegpu

#endif // TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_OFFSETCOPIES_H
