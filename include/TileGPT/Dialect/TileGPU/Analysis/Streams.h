// Tiles loaded by TMA: the box of an argument that a load reads, and its layout
// in shared memory.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_STREAMS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_STREAMS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

/// Known divisors of the strides of an argument or of a view made in the
/// kernel, in elements.
llvm::SmallVector<int64_t> divisorsOfStrides(mlir::Value root);

/// Whether a view can have a TMA descriptor: a last axis of stride 1, all other
/// strides known multiples of 16 bytes.
bool suitsTma(mlir::Value root);

/// A window of rows of an argument or of a view made in the kernel, created by
/// `tile.select`, `tile.subview` and `tile.transpose`, whose last axis is that
/// of the columns.
struct Window {
  /// An argument, described by the launch, or the result of a `tile.view_at`,
  /// described by the block.
  mlir::Value root;
  /// The axis of the argument that the rows of the window run along.
  size_t rowAxis = 0;
  /// Summands of the start of the window, for each axis of the argument.
  llvm::SmallVector<llvm::SmallVector<mlir::OpFoldResult>> start;
  /// Rows of the window; null if it ends with the argument, past which TMA
  /// reads zeros.
  mlir::OpFoldResult rows;
  /// Whether its tiles have all columns of the argument, past which TMA reads
  /// zeros.
  bool hasZerosBehindColumns = false;

  bool isOfArgument() const { return llvm::isa<mlir::BlockArgument>(root); }
};

/// The window that a view is; nothing if TMA cannot address it, or if tiles of
/// `width` columns, the first of them at `column` (in tiles), would extend past
/// the window but not past the argument.
std::optional<Window> matchWindow(mlir::Value view, int64_t width,
                                  mlir::OpFoldResult column,
                                  std::string *reason = nullptr);

/// A load of a tile of a window.
struct StreamLoad : Window {
  tile::LoadOp load;

  /// The swizzle of the tile's panels: 128, 64 or 32 bytes.
  int64_t getSwizzle() const;
  /// Columns of a buffer: those of the tile, rounded up to whole panels. The
  /// contents of additional columns are undefined.
  int64_t getColumns() const;
  /// Bytes of a buffer.
  int64_t getBytes() const;
  /// The box that fills a panel with the tile's rows.
  /// \param blocks  number of blocks that copy equal parts of the rows.
  TensorMapType getMapType(int64_t blocks = 1) const;
  /// A buffer of the tile, and a ring buffer of `stages` of them.
  SharedType getBufferType() const;
  SharedType getRingType(int64_t stages) const;
  /// Whether the tile has all rows of its window.
  bool isWholeWindow();
  /// Whether another role can compute the tile's coordinates.
  bool isReproducible();
  /// The tile's start in the argument, in elements.
  llvm::SmallVector<mlir::Value> getFirstElement(mlir::OpBuilder &builder,
                                                 mlir::IRMapping &known);
};

/// The stream that a load is. If it is none, sets `reason`.
std::optional<StreamLoad> matchStream(tile::LoadOp load,
                                      std::string *reason = nullptr);

/// Bytes that a row of an operand takes in shared memory: whole panels.
int64_t operandRowBytes(int64_t columns, mlir::Type element);

/// The buffer for a tile that dots read, swizzled as MMA instructions expect
/// it.
SharedType bufferOfOperand(mlir::RankedTensorType tile);

} // namespace tilegpt::tilegpu

#endif
