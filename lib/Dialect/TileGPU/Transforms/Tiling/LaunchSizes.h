// Evaluates a kernel's size expressions for a launch.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_LAUNCHSIZES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_LAUNCHSIZES_H

#include "TileGPT/Dialect/Tile/IR/ExprEval.h"
#include "Tiling/OpenLaunch.h"
#include "llvm/Support/Error.h"

namespace tilegpt::tilegpu {

/// The size expressions of a kernel, evaluated for a launch.
class LaunchSizes {
public:
  explicit LaunchSizes(OpenLaunch &launch) : launch(launch) {}

  std::optional<int64_t> evaluate(tile::ExprAttr expr,
                                  const llvm::StringMap<int64_t> &params) {
    auto open = [] {
      return llvm::createStringError("a size that is not known");
    };
    auto dim = [&](unsigned argument,
                   unsigned axis) -> llvm::Expected<int64_t> {
      if (std::optional<int64_t> size = launch.sizeOf(argument, axis))
        return *size;
      return open();
    };
    auto scalar = [&](unsigned) -> llvm::Expected<int64_t> { return open(); };
    auto param = [&](llvm::StringRef name) -> llvm::Expected<int64_t> {
      auto it = params.find(name);
      if (it != params.end())
        return it->second;
      return open();
    };
    llvm::Expected<int64_t> value = tile::evaluate(expr, {dim, scalar, param});
    if (value)
      return *value;
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }

  /// A tile size: a number, or a parameter that is computed from sizes.
  std::optional<int64_t> evaluate(mlir::Attribute size) {
    if (auto number = mlir::dyn_cast<mlir::IntegerAttr>(size))
      return number.getInt();
    auto param = mlir::cast<mlir::StringAttr>(size);
    auto expr = mlir::dyn_cast<tile::ExprAttr>(
        launch.kernel.lookupParam(param).getDefaultValue());
    return expr ? evaluate(expr, {}) : std::nullopt;
  }

  /// The number of blocks of the grid.
  std::optional<int64_t> countBlocks(const llvm::StringMap<int64_t> &params) {
    int64_t blocks = 1;
    for (mlir::Attribute axis : launch.kernel.getGrid()) {
      std::optional<int64_t> size =
          evaluate(mlir::cast<tile::ExprAttr>(axis), params);
      if (!size)
        return std::nullopt;
      blocks *= *size;
    }
    return blocks;
  }

private:
  OpenLaunch &launch;
};

} // namespace tilegpt::tilegpu

#endif
