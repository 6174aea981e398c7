// Loads that elementwise fusion reads in place.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_LOADEDTILE_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_LOADEDTILE_H

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace tilegpt::cpu {

/// A loaded tile: a window of memory that the kernel never writes, or, where
/// the tile is partial, a padded copy of a smaller window.
class LoadedTile {
public:
  /// Recognizes what a lowered load makes.
  static std::optional<LoadedTile> find(mlir::Value tile);

  /// The front of these sizes for an op that writes directly to the destination
  /// of `store`, if it is a window of memory there; else null.
  mlir::Value windowAt(mlir::OpBuilder &builder,
                       mlir::bufferization::MaterializeInDestinationOp store,
                       llvm::ArrayRef<mlir::OpFoldResult> sizes);

  /// Erases what computes the tile if nothing reads it.
  void eraseIfUnused();

private:
  bool findCopy(mlir::Value memref);

  mlir::bufferization::ToTensorOp tensor;
  /// Chooses between the windows; null if the tile is always partial.
  mlir::scf::IfOp choice;
  /// The window of a whole tile, in the choice.
  mlir::memref::SubViewOp whole;
  /// The window of a partial tile, and its padded copy.
  mlir::memref::SubViewOp partial;
  mlir::memref::AllocOp copy;
};

} // namespace tilegpt::cpu

#endif // TILEGPT_LIB_CONVERSION_TILETOCPU_LOADEDTILE_H
