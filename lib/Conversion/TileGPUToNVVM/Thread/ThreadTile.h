// The elements of a distributed tile as seen by one thread: the coordinates of
// each of its registers.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_THREADTILE_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_THREADTILE_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace tilegpt::tilegpu {

/// Index of this thread among those that share a tile: 0 … 32·warps - 1.
/// Emitted on request; CSE merges duplicates.
mlir::Value threadNumber(mlir::OpBuilder &builder, mlir::Location loc);
/// threadNumber() mod 32, as index.
mlir::Value laneNumber(mlir::OpBuilder &builder, mlir::Location loc);
/// threadNumber() / 32, as index.
mlir::Value warpNumber(mlir::OpBuilder &builder, mlir::Location loc);

/// An index constant.
mlir::Value indexConstant(mlir::OpBuilder &builder, mlir::Location loc,
                          int64_t value);

/// The digits of `number`, one for each mode.
llvm::SmallVector<mlir::Value> digitsOf(mlir::OpBuilder &builder,
                                        mlir::Location loc, mlir::Value number,
                                        llvm::ArrayRef<LayoutMode> modes);

/// The digits of `number` whose modes are `kept`, read as one number.
mlir::Value numberOf(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value number, llvm::ArrayRef<LayoutMode> modes,
                     llvm::function_ref<bool(const LayoutMode &)> kept);

class ThreadTile {
public:
  /// \param type a tensor with a layout.
  ThreadTile(mlir::OpBuilder &builder, mlir::Location loc,
             mlir::RankedTensorType type);

  int64_t getNumRegisters() const { return layout.getNumRegisters(); }
  int64_t getRank() const { return type.getRank(); }
  LayoutAttr getLayout() const { return layout; }

  /// The part of a register's coordinates that is the same for every thread.
  llvm::SmallVector<int64_t> getOffset(int64_t reg) const {
    return layout.getRegisterOffset(reg, getRank());
  }
  /// The thread-dependent part: an index value for every axis.
  mlir::Value getBase(int64_t axis) const { return bases[axis]; }
  /// The largest base of any thread.
  int64_t getLargestBase(int64_t axis) const { return largestBase[axis]; }
  /// base + offset, as index.
  mlir::Value getCoordinate(int64_t reg, int64_t axis);
  llvm::SmallVector<mlir::Value> getCoordinates(int64_t reg);

  /// Whether the element of a register is in bounds of the tile, as i1; null if
  /// it always is. Does not consider the view that the tile is loaded from.
  mlir::Value isInside(int64_t reg);
  /// The same along one axis.
  mlir::Value isInside(int64_t reg, int64_t axis);
  /// True if no register is ever padding.
  bool hasNoPadding() const;
  /// True for registers that are padding in every thread.
  bool isPadding(int64_t reg) const;

  /// Registers of adjacent elements along an axis, in order.
  using Group = llvm::SmallVector<int64_t>;
  /// All registers that are an element of the tile in some thread, in groups of
  /// adjacent elements that start at a multiple of their number, a divisor of
  /// `largest`.
  /// \param axis  -1 for groups of one.
  llvm::SmallVector<Group> groupNeighbours(int64_t axis, int64_t largest) const;

  /// Whether this thread has the primary copy of replicated elements, as i1:
  /// every replicated digit is 0. Null if nothing is replicated.
  mlir::Value isFirstCopy();

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::RankedTensorType type;
  LayoutAttr layout;
  llvm::SmallVector<mlir::Value> bases;
  /// The largest base along each axis, over all threads.
  llvm::SmallVector<int64_t> largestBase;
};

} // namespace tilegpt::tilegpu

#endif
