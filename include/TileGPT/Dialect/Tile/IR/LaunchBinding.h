// How a launch binds a kernel: the types of its type variables, the sizes of
// its views, the parameters it overrides; and the kernel's requirements,
// `requires(dim(%a, 0) == dim(%b, 0))`.
#ifndef TILEGPT_DIALECT_TILE_IR_LAUNCHBINDING_H
#define TILEGPT_DIALECT_TILE_IR_LAUNCHBINDING_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include <map>

namespace tilegpt::tile {

/// The result of deducing a launch, the way a C++ template deduces its
/// arguments.
struct LaunchBinding {
  /// Type parameters by name.
  llvm::MapVector<mlir::StringAttr, mlir::Type> types;
  /// Size parameters that the launch overrides, by name.
  llvm::MapVector<mlir::StringAttr, int64_t> sizes;
  /// The kernel's argument types with variables replaced and sizes as static as
  /// those of the operands and of arguments required to be equal.
  llvm::SmallVector<mlir::Type> arguments;
};

/// Deduces the binding of `kernel` launched on operands of these types (tensors
/// for views, scalars for scalars), with `overrides` (may be null) instead of
/// defaults. On a mismatch reports through `emitError` what was expected of
/// which argument and fails.
mlir::FailureOr<LaunchBinding>
deduceLaunch(KernelOp kernel, mlir::TypeRange operands,
             mlir::DictionaryAttr overrides,
             llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The kernel called `name` that is visible from `op`: in the nearest symbol
/// table that has one. Null if there is none. Walks the tables, or looks it up
/// in a collection of them.
KernelOp lookupKernel(mlir::Operation *op, mlir::StringAttr name);
KernelOp lookupKernel(mlir::SymbolTableCollection &tables, mlir::Operation *op,
                      mlir::StringAttr name);

/// Attribute of a function converted from a kernel with requirements:
/// `firstEqualWords` of the kernel.
inline constexpr llvm::StringLiteral equalWordsAttr = "tilegpt.equal_words";

/// The requirements of a kernel; may be empty.
llvm::SmallVector<ConditionAttr> getRequirements(KernelOp kernel);
void setRequirements(KernelOp kernel,
                     llvm::ArrayRef<ConditionAttr> requirements);

/// The view argument and the axis whose size an expression is, if it is just
/// that.
std::optional<std::pair<int64_t, int64_t>> argumentSizeOf(ExprAttr expr);

/// An expression as text: "axis 1 of argument 0", "2 * argument 3 + BM".
std::string describe(ExprAttr expr);

/// The same requirement with the offending size on the left: of two equal sizes
/// that of the later argument, of a size and an expression the size.
ConditionAttr withBlamedSizeFirst(ConditionAttr requirement);

/// The message for a violated requirement with sides `lhs` and `rhs`: "expected
/// axis 1 of argument 1 of 'add' to be 5 (axis 1 of argument 0), found 6".
std::string explainBroken(KernelOp kernel, ConditionAttr requirement,
                          int64_t lhs, int64_t rhs);

/// Checks each requirement of `kernel` that can be decided from the static
/// sizes of `arguments`, the types of its arguments; `emitError` reports one
/// that does not hold, or cannot be computed.
mlir::LogicalResult
verifyRequirements(KernelOp kernel, mlir::TypeRange arguments,
                   llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The sizes of a kernel's arguments that its requirements make equal.
class EqualSizes {
public:
  /// Index of a view argument and one of its axes.
  using Size = std::pair<int64_t, int64_t>;

  explicit EqualSizes(KernelOp kernel);

  /// The representative of the sizes equal to this one, possibly itself.
  Size leaderOf(Size size) const;
  bool areEqual(Size one, Size other) const {
    return leaderOf(one) == leaderOf(other);
  }

  /// Makes dynamic sizes of view types static if an equal size is.
  void refine(llvm::MutableArrayRef<mlir::Type> arguments) const;

private:
  /// Links towards the representative; sizes without equal ones are absent.
  std::map<Size, Size> before;
};

/// For each word by which a launch passes the arguments of `kernel` (address,
/// sizes and strides of a view; value of a scalar), the index of the first word
/// that is known to hold the same size or stride, possibly itself.
llvm::SmallVector<int64_t> firstEqualWords(KernelOp kernel);

} // namespace tilegpt::tile

#endif
