// The integers and views of a kernel that are known while one block is
// interpreted.
#ifndef TILEGPT_LIB_DIALECT_TILE_ANALYSIS_BLOCKVALUES_H
#define TILEGPT_LIB_DIALECT_TILE_ANALYSIS_BLOCKVALUES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tilegpt::tile {

/// A view as a window of an argument.
struct ViewWindow {
  unsigned argument = 0;
  llvm::SmallVector<int64_t> sizes;
  /// The axis of the argument that each axis runs along.
  llvm::SmallVector<int64_t> axes;
  /// Its start along each axis of the argument; nothing if unknown.
  llvm::SmallVector<std::optional<int64_t>> offsets;
};

class BlockValues {
public:
  /// An integer, if it is known.
  std::optional<int64_t> valueOf(mlir::Value value) const {
    auto number =
        llvm::dyn_cast_or_null<mlir::IntegerAttr>(constants.lookup(value));
    return number ? std::optional(number.getValue().getSExtValue())
                  : std::nullopt;
  }
  std::optional<int64_t> valueOf(mlir::OpFoldResult value) const {
    if (auto constant = mlir::getConstantIntValue(value))
      return constant;
    auto dynamic = llvm::dyn_cast<mlir::Value>(value);
    return dynamic ? valueOf(dynamic) : std::nullopt;
  }
  void set(mlir::Value value, int64_t number) {
    constants[value] = mlir::IntegerAttr::get(value.getType(), number);
  }
  void set(mlir::Value value, mlir::Attribute constant) {
    constants[value] = constant;
  }
  void forget(mlir::Value value) { constants.erase(value); }

  /// The window that a view is; null for memory that is no argument.
  const ViewWindow *windowOf(mlir::Value view) const {
    auto found = windows.find(view);
    return found == windows.end() ? nullptr : &found->second;
  }
  void addArgument(mlir::BlockArgument view, llvm::ArrayRef<int64_t> sizes);

  /// Evaluates an op that creates or measures a view; false for other ops.
  bool visitView(mlir::Operation &op);
  /// Evaluates an op on known integers.
  void fold(mlir::Operation &op);

  /// Whether the sizes of some view are only bounds.
  bool hasUnknownSizes() const { return unknownSizes; }

private:
  llvm::DenseMap<mlir::Value, mlir::Attribute> constants;
  llvm::DenseMap<mlir::Value, ViewWindow> windows;
  bool unknownSizes = false;
};

} // namespace tilegpt::tile

#endif
