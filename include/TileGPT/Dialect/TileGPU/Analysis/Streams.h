// Tiles as the copy engine brings them: which box of an argument a load reads,
// and how it lies in shared memory.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_STREAMS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_STREAMS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

/// Whether the copy engine can reach an argument, a view: a last axis of stride
/// 1, all other strides known multiples of 16 bytes.
bool suitsTma(mlir::Value argument);

/// A window of rows that `tile.select`, `tile.subview` and `tile.transpose`
/// make of an argument, whose last axis is that of the columns.
struct Window {
  mlir::BlockArgument root;
  /// The axis of the argument along which the rows of the window lie.
  size_t rowAxis = 0;
  /// What adds up to the start of the window, axis by axis of the argument.
  llvm::SmallVector<llvm::SmallVector<mlir::OpFoldResult>> start;
  /// Rows of the window; null where it ends with the argument, behind which the
  /// copy engine reads zeros by itself.
  mlir::OpFoldResult rows;
  /// Whether its tiles have all columns of the argument, behind which the copy
  /// engine reads zeros by itself.
  bool hasZerosBehindColumns = false;
};

/// The window that a view is; nothing where the copy engine cannot reach it,
/// or where tiles of `width` columns, the first of them at `column` (tiles),
/// would stick out of the window but not of the argument.
std::optional<Window> matchWindow(mlir::Value view, int64_t width,
                                  mlir::OpFoldResult column,
                                  std::string *reason = nullptr);

/// A load of a tile of a window.
struct StreamLoad : Window {
  tile::LoadOp load;

  /// The swizzle of the tile's panels: 128, 64 or 32 bytes.
  int64_t getSwizzle() const;
  /// Columns of a buffer: those of the tile, up to whole panels. What the
  /// columns behind the tile's hold is nobody's.
  int64_t getColumns() const;
  /// Bytes of a buffer.
  int64_t getBytes() const;
  /// The box that fills a panel with the tile's rows.
  /// \param blocks  that copy as many of the rows each.
  TensorMapType getMapType(int64_t blocks = 1) const;
  /// A buffer of the tile, and a ring of `stages` of them.
  SharedType getBufferType() const;
  SharedType getRingType(int64_t stages) const;
  /// Whether the tile is all rows of its window.
  bool isWholeWindow();
  /// Whether another role can find out where the tile lies.
  bool isReproducible();
  /// Where the tile begins in the argument, in elements.
  llvm::SmallVector<mlir::Value> getFirstElement(mlir::OpBuilder &builder,
                                                 mlir::IRMapping &known);
};

/// The stream that a load is. Where it is none, says why in `reason`.
std::optional<StreamLoad> matchStream(tile::LoadOp load,
                                      std::string *reason = nullptr);

/// Bytes that a row of an operand takes in shared memory: whole panels.
int64_t operandRowBytes(int64_t columns, mlir::Type element);

/// The buffer for a tile that dots read, swizzled as the matrix instructions
/// take it.
SharedType bufferOfOperand(mlir::RankedTensorType tile);

} // namespace tilegpt::tilegpu

#endif
