// Turns functions made of launches into the plans of a bundle: sizes become
// extents, tensors become buffers, launches become records.
#ifndef TILEGPT_TARGET_BUNDLE_BUNDLEPLANS_H
#define TILEGPT_TARGET_BUNDLE_BUNDLEPLANS_H

#include "TileGPT/Bundle/Builder.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Target/Bundle/PlanSpec.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace tilegpt::target {

/// Adds kernels and plans of one module to a builder.
class BundlePlans {
public:
  /// \param kind the device of the kernels, which determines their symbols.
  BundlePlans(bundle::Builder &builder, bundle::TargetKind kind)
      : builder(builder), kind(kind) {}

  /// Adds the launches of `function` as a plan. Its arguments are the plan's
  /// inputs (`ids` with a size N, `pos` with a size B), its only result is the
  /// output `logits`. Launched kernels must be specialized. Errors are emitted
  /// on the op that cannot be represented.
  mlir::LogicalResult addPlan(mlir::func::FuncOp function,
                              const PlanSpec &spec);

  /// Adds a specialized kernel, launched or not, unless it is there.
  /// \returns its index in the bundle, or failure after a diagnostic.
  mlir::FailureOr<uint32_t> addKernel(tile::KernelOp kernel);

  /// The kernels added so far, by name, with their index in the bundle.
  const std::map<std::string, uint32_t> &getKernels() const {
    return kernelsByName;
  }

private:
  mlir::FailureOr<uint32_t> kernelIndex(tile::LaunchOp launch);
  /// What a launch must check in each step: sizes that are static in its kernel
  /// and dynamic in the graph, and requirements that do not hold for all steps
  /// of the plan. Emits an error for one that never holds.
  mlir::FailureOr<std::vector<bundle::Requirement>>
  requirementsOf(tile::LaunchOp launch, tile::KernelOp kernel,
                 llvm::ArrayRef<bundle::Argument> arguments,
                 const PlanSpec &spec);

  bundle::Builder &builder;
  bundle::TargetKind kind;
  llvm::DenseMap<mlir::Operation *, uint32_t> kernels;
  std::map<std::string, uint32_t> kernelsByName;
};

} // namespace tilegpt::target

#endif
