// Views that a launch of a raw kernel computes from its pointers.
#ifndef TILEGPT_DIALECT_TILE_IR_LAUNCHVIEW_H
#define TILEGPT_DIALECT_TILE_IR_LAUNCHVIEW_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace tilegpt::tile {

/// A view argument of a raw kernel. They follow the declared arguments;
/// `launchViewsAttr` has a dictionary for each, in order.
struct LaunchView {
  int64_t pointer = 0;   ///< number of the argument that is its address
  int64_t alignment = 1; ///< bytes that divide the address, as promised
  /// Assumed divisors of sizes and strides (in elements), one per axis.
  llvm::SmallVector<int64_t> sizeDivisors, strideDivisors;
  /// Sizes, then strides, as functions of the declared arguments, one symbol
  /// each.
  mlir::AffineMap words;

  /// For an argument of a kernel; nothing for other views.
  static std::optional<LaunchView> of(mlir::Value view);
  /// Nothing for a malformed attribute.
  static std::optional<LaunchView> parse(mlir::Attribute attribute);
  mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context) const;
};

/// For each axis of a view a divisor of its stride, in elements: the stride
/// itself if it is static.
llvm::SmallVector<int64_t> divisorsOfStrides(mlir::Value view);

} // namespace tilegpt::tile

#endif
