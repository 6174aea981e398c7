// A launch with open tile sizes: the kernel's free parameters, and what is
// known of the data.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_OPENLAUNCH_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_OPENLAUNCH_H

#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilegpt::tilegpu {

/// An axis of an operand, and the parameter that tiles it.
struct TiledAxis {
  mlir::StringAttr parameter;
  unsigned argument = 0;
  unsigned axis = 0;
};

/// Axis number `axis` of a loaded tile, if a parameter tiles it and the view is
/// an argument.
std::optional<TiledAxis> axisOf(tile::LoadOp load, unsigned axis);

/// The largest size that fits, or the smallest one if none fits.
/// \param sizes  at least one.
int64_t largestOf(llvm::ArrayRef<int64_t> sizes,
                  llvm::function_ref<bool(int64_t)> fits);

class OpenLaunch {
public:
  OpenLaunch(tile::LaunchOp launch, tile::KernelOp kernel,
             const target::GpuTarget &target, int64_t multiprocessors,
             bool tf32, bool fastF8)
      : kernel(kernel), target(target), multiprocessors(multiprocessors),
        tf32(tf32), fastF8(fastF8), launch(launch),
        given(launch.getParamsAttr()) {}

  tile::KernelOp kernel;
  const target::GpuTarget &target;
  const int64_t multiprocessors;
  const bool tf32;   ///< f32 products are rounded to tf32
  const bool fastF8; ///< f8 accumulation may lose precision

  /// The size of an axis of the data; an upper bound if the number of rows is
  /// open. Size 0 counts as unknown: nothing is chosen for it.
  std::optional<int64_t> sizeOf(unsigned argument, unsigned axis);
  std::optional<int64_t> sizeOf(const TiledAxis &axis) {
    return sizeOf(axis.argument, axis.axis);
  }
  /// Whether the size of an axis is known only at launch time.
  bool isOpen(const TiledAxis &axis);
  mlir::Type elementOf(unsigned argument);
  /// The precision that a dot written with `precision` is compiled to.
  tile::Precision precisionOf(mlir::Type lhs, mlir::Type rhs,
                              tile::Precision precision) const;
  mlir::TypeRange getOperandTypes() { return launch->getOperandTypes(); }

  /// Whether the kernel's default for a parameter is a number.
  bool hasFreeSize(mlir::StringAttr parameter);
  /// Whether a parameter has a single value, of at most the 16 rows of a matrix
  /// instruction: the queries of a decode step are given, not chosen.
  bool isFewRows(mlir::StringAttr parameter);
  /// The default of a parameter that is an expression of sizes and of
  /// parameters with a single value; nullopt if those are not known yet.
  std::optional<int64_t> derivedSize(mlir::StringAttr parameter);
  /// Whether a parameter is defined by such an expression alone.
  bool isComputed(mlir::StringAttr parameter);
  /// Whether the launch set a parameter before any choice.
  bool isGiven(mlir::StringAttr parameter);
  /// The values that a parameter may still take: just one if the launch sets it
  /// or the kernel computes it; none if that one is not known yet.
  llvm::SmallVector<int64_t> candidates(mlir::StringAttr parameter);
  /// The current value of a parameter.
  std::optional<int64_t> sizeNow(mlir::StringAttr parameter);
  /// Binds the kernel to the launch's current sizes. A mismatch is an error.
  mlir::FailureOr<tile::LaunchBinding> bind();
  /// A copy of the kernel, specialized for the launch with these sizes; null if
  /// it cannot be bound, which is reported later.
  mlir::OwningOpRef<tile::KernelOp>
  bindCopy(llvm::ArrayRef<std::pair<mlir::StringAttr, int64_t>> sizes);
  /// Whether the kernel admits this size for a parameter.
  bool admits(mlir::StringAttr parameter, int64_t size);
  /// Sets a parameter of the launch, unless the kernel computes the same value.
  void set(mlir::StringAttr parameter, int64_t size);
  /// Separates the kernel from that of launches that want another number of
  /// resident blocks per multiprocessor.
  void keepApart(int64_t residents);

private:
  tile::LaunchOp launch;
  mlir::DictionaryAttr given; ///< may be null
};

} // namespace tilegpt::tilegpu

#endif
