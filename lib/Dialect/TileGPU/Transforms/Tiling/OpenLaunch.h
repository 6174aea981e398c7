// A launch whose tiles are to be chosen: what its kernel leaves open, and what
// is known of its data.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_OPENLAUNCH_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_OPENLAUNCH_H

#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilegpt::tilegpu {

/// One axis of an operand, and the parameter that tiles it.
struct TiledAxis {
  mlir::StringAttr parameter;
  unsigned argument = 0;
  unsigned axis = 0;
};

/// The axis number `axis` of a loaded tile, when a parameter tiles it and the
/// view is an argument.
std::optional<TiledAxis> axisOf(tile::LoadOp load, unsigned axis);

/// The largest size that fits, the smallest of all where none does.
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
  const bool tf32;   ///< products of f32 will be rounded to tf32
  const bool fastF8; ///< sums of f8 products may lose digits

  /// The size of an axis of the data; of rows that are open, the most there can
  /// be. Nothing is chosen for an axis of size 0: it counts as not known.
  std::optional<int64_t> sizeOf(unsigned argument, unsigned axis);
  std::optional<int64_t> sizeOf(const TiledAxis &axis) {
    return sizeOf(axis.argument, axis.axis);
  }
  /// Whether the size of an axis is known when the launch is made only.
  bool isOpen(const TiledAxis &axis);
  mlir::Type elementOf(unsigned argument);
  /// The precision of a dot whose text says `precision`, once it is compiled.
  tile::Precision precisionOf(mlir::Type lhs, mlir::Type rhs,
                              tile::Precision precision) const;
  mlir::TypeRange getOperandTypes() { return launch->getOperandTypes(); }

  /// Whether the size that the kernel has by itself is a number.
  bool hasFreeSize(mlir::StringAttr parameter);
  /// What a parameter is by itself where that is an expression, of sizes and of
  /// parameters with one value; nothing where that is not known yet.
  std::optional<int64_t> derivedSize(mlir::StringAttr parameter);
  /// Whether nothing but such an expression says what a parameter is.
  bool isComputed(mlir::StringAttr parameter);
  /// Whether the launch gave a parameter a value before anything was chosen.
  bool isGiven(mlir::StringAttr parameter);
  /// The values a parameter may still take: one that the launch gives or the
  /// kernel computes; none where the latter is not known yet.
  llvm::SmallVector<int64_t> candidates(mlir::StringAttr parameter);
  /// The value a parameter has by now.
  std::optional<int64_t> sizeNow(mlir::StringAttr parameter);
  /// What the launch tells the kernel by now. A mismatch is an error.
  mlir::FailureOr<tile::LaunchBinding> bind();
  /// A copy of the kernel as the launch makes it with these sizes; null where
  /// it cannot be bound, which is reported when it is.
  mlir::OwningOpRef<tile::KernelOp>
  bindCopy(llvm::ArrayRef<std::pair<mlir::StringAttr, int64_t>> sizes);
  /// Whether the kernel can have a parameter of this size.
  bool admits(mlir::StringAttr parameter, int64_t size);
  /// Writes one choice into the launch, unless the kernel computes the same.
  void set(mlir::StringAttr parameter, int64_t size);
  /// Keeps the kernel from those of launches of which a multiprocessor should
  /// hold another number of blocks at a time.
  void keepApart(int64_t residents);

private:
  tile::LaunchOp launch;
  mlir::DictionaryAttr given; ///< may be null
};

} // namespace tilegpt::tilegpu

#endif
