// What a launch tells a kernel: the types its variables stand for, the sizes
// its views have, the parameters it overrides; and what the kernel requires of
// it, `requires(dim(%a, 0) == dim(%b, 0))`.
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
  /// the operands', and as those of arguments that it requires to be equal.
  llvm::SmallVector<mlir::Type> arguments;
};

/// Deduces the binding of `kernel` launched on operands of these types (tensors
/// for views, scalars for scalars), with `overrides` (may be null) in place of
/// defaults. On a mismatch emits through `emitError` what was expected of which
/// argument and fails.
mlir::FailureOr<LaunchBinding>
deduceLaunch(KernelOp kernel, mlir::TypeRange operands,
             mlir::DictionaryAttr overrides,
             llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The kernel called `name` that is visible from `op`: in the nearest symbol
/// table that has one. Null when there is none. Takes the time of a walk over
/// the tables; with a collection of them, that of a look-up.
KernelOp lookupKernel(mlir::Operation *op, mlir::StringAttr name);
KernelOp lookupKernel(mlir::SymbolTableCollection &tables, mlir::Operation *op,
                      mlir::StringAttr name);

/// Attribute of a kernel: what it requires, an array of `#tile.condition`,
/// which its text has behind `requires`. It is discardable as a check is:
/// without it the kernel computes the same.
inline constexpr llvm::StringLiteral requirementsAttr = "tile.requirements";

/// Attribute of a function made of a kernel that requires something:
/// `firstEqualWords` of the kernel.
inline constexpr llvm::StringLiteral equalWordsAttr = "tilegpt.equal_words";

/// What a kernel requires, which may be nothing.
llvm::SmallVector<ConditionAttr> getRequirements(KernelOp kernel);
void setRequirements(KernelOp kernel,
                     llvm::ArrayRef<ConditionAttr> requirements);

/// An expression in words: "axis 1 of argument 0", "2 * argument 3 + BM".
std::string describe(ExprAttr expr);

/// The same requirement with the size to blame on the left: of two equal sizes
/// that of the later argument, of a size and an expression the size.
ConditionAttr withBlamedSizeFirst(ConditionAttr requirement);

/// What to say where the sides of a requirement are `lhs` and `rhs`, and it
/// does not hold: "expected axis 1 of argument 1 of 'add' to be 5 (axis 1 of
/// argument 0), found 6".
std::string explainBroken(KernelOp kernel, ConditionAttr requirement,
                          int64_t lhs, int64_t rhs);

/// Checks each requirement of `kernel` that can be decided by the static sizes
/// of `arguments`, the types of its arguments; `emitError` reports one that
/// does not hold, or cannot be computed.
mlir::LogicalResult
verifyRequirements(KernelOp kernel, mlir::TypeRange arguments,
                   llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The sizes of a kernel's arguments that its requirements say are equal.
class EqualSizes {
public:
  /// Number of a view argument and one of its axes.
  using Size = std::pair<int64_t, int64_t>;

  explicit EqualSizes(KernelOp kernel);

  /// The first size that is equal to this one, which may be itself.
  Size leaderOf(Size size) const;
  bool areEqual(Size one, Size other) const {
    return leaderOf(one) == leaderOf(other);
  }

  /// Makes open sizes of view types static where a size equal to them is.
  void refine(llvm::MutableArrayRef<mlir::Type> arguments) const;

private:
  /// Towards the leader; sizes that are only equal to themselves are not there.
  std::map<Size, Size> before;
};

/// For each word by which a launch passes the arguments of `kernel` (of a view
/// address, sizes and strides; of a scalar its value) the number of the first
/// word that is known to hold the same size or stride, which may be itself.
llvm::SmallVector<int64_t> firstEqualWords(KernelOp kernel);

} // namespace tilegpt::tile

#endif
