// Loads of tiles of windows, as the copy engine can do them: from the argument
// that the window is a part of.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_WINDOWLOADS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_WINDOWLOADS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

/// A window of rows that `tile.select` and `tile.subview` cut out of an
/// argument.
struct Window {
  mlir::BlockArgument root;
  /// What adds up to the start of the window, axis by axis of the argument.
  llvm::SmallVector<llvm::SmallVector<mlir::OpFoldResult>> start;
  /// Rows of the window; null where it ends with the argument, behind which the
  /// copy engine reads zeros by itself.
  mlir::OpFoldResult rows;
};

/// The window that a view is; nothing where it is not `width` wide, or of an
/// argument that the copy engine cannot reach.
std::optional<Window> matchWindow(mlir::Value view, int64_t width,
                                  std::string *reason = nullptr);

/// A load of whole rows of a window.
struct WindowLoad : Window {
  tile::LoadOp load;

  /// Bytes of the tile.
  int64_t getBytes();
  /// The box that fills a column of panels of 128 bytes with the tile's rows.
  TensorMapType getMapType();
  /// A ring of `stages` tiles.
  SharedType getRingType(int64_t stages);
  /// Whether another role can find out where the tile lies.
  bool isReproducible();
  /// Where the tile begins in the argument, in elements.
  llvm::SmallVector<mlir::Value> getFirstElement(mlir::OpBuilder &builder,
                                                 mlir::IRMapping &known);
};

/// The window load that a load is. Where it is none, says why in `reason`.
std::optional<WindowLoad> matchWindowLoad(tile::LoadOp load,
                                          std::string *reason = nullptr);

} // namespace tilegpt::tilegpu

#endif
