// Sizes of a graph of launches as linear functions of N and B.
#ifndef TILEGPT_LIB_TARGET_BUNDLE_SYMBOLICSIZES_H
#define TILEGPT_LIB_TARGET_BUNDLE_SYMBOLICSIZES_H

#include "TileGPT/Bundle/Format.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace tilegpt::target {

/// The size of axis 0 of argument `ids` is N, that of the other arguments is B;
/// all other sizes are derived.
class SymbolicSizes {
public:
  explicit SymbolicSizes(mlir::Value ids) : ids(ids) {}

  /// The sizes of a tensor. Emits an error and fails if one is not linear in N
  /// and B.
  mlir::FailureOr<llvm::SmallVector<bundle::Extent>>
  shapeOf(mlir::Value tensor) const;

private:
  std::optional<bundle::Extent> sizeOf(mlir::Value tensor, int64_t axis) const;
  std::optional<bundle::Extent> evaluate(mlir::Value index) const;

  mlir::Value ids;
};

} // namespace tilegpt::target

#endif
