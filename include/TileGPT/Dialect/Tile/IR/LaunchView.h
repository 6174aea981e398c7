// Views that a launch of a raw kernel makes of its pointers: what a kernel says
// of each.
#ifndef TILEGPT_DIALECT_TILE_IR_LAUNCHVIEW_H
#define TILEGPT_DIALECT_TILE_IR_LAUNCHVIEW_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace tilegpt::tile {

/// A view argument of a raw kernel. They stand behind the declared arguments;
/// `launchViewsAttr` has a dictionary for each, in their order.
struct LaunchView {
  int64_t pointer = 0;   ///< number of the argument that is its address
  int64_t alignment = 1; ///< bytes that divide the address, as promised
  /// Numbers that divide sizes and strides (in elements), as promised; as many
  /// as axes each.
  llvm::SmallVector<int64_t> sizeDivisors, strideDivisors;
  /// Sizes, then strides, of the declared arguments: one symbol for each.
  mlir::AffineMap words;

  /// Of an argument of a kernel; nothing for other views.
  static std::optional<LaunchView> of(mlir::Value view);
  /// Nothing for an attribute of another form.
  static std::optional<LaunchView> parse(mlir::Attribute attribute);
  mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context) const;
};

/// For each axis of a view a number that divides the stride along it, in
/// elements: the stride itself where it is known.
llvm::SmallVector<int64_t> divisorsOfStrides(mlir::Value view);

} // namespace tilegpt::tile

#endif
