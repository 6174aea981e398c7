// The buffers of a plan: inputs, weights, states, the output, and intermediate
// tensors in an arena.
#ifndef TILEGPT_LIB_TARGET_BUNDLE_PLANWRITER_H
#define TILEGPT_LIB_TARGET_BUNDLE_PLANWRITER_H

#include "SymbolicSizes.h"
#include "TileGPT/Bundle/Builder.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Target/Bundle/PlanSpec.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tilegpt::target {

/// The name of a launch in a trace: its location in the model if it has one,
/// otherwise the kernel.
std::string labelOf(tile::LaunchOp launch);

/// A function being converted to a plan: the buffer and lifetime of each
/// tensor.
class PlanWriter {
public:
  PlanWriter(mlir::func::FuncOp function, const PlanSpec &spec,
             bundle::Builder &builder)
      : function(function), spec(spec), builder(builder),
        sizes(function.getArgument(0)) {}

  /// Collects launches, assigns a buffer to every tensor and plans the arena.
  mlir::LogicalResult prepare();
  /// In program order.
  llvm::ArrayRef<tile::LaunchOp> getLaunches() const { return launches; }
  /// The operands of one of these launches. Fails with an error on it.
  mlir::FailureOr<std::vector<bundle::Argument>>
  argumentsOf(tile::LaunchOp launch);
  /// Bytes of all intermediate tensors at the largest step of the plan.
  uint64_t arenaBytes() const { return arena; }

private:
  mlir::LogicalResult addInputs();
  mlir::LogicalResult addGlobal(tile::GetGlobalOp get);
  mlir::LogicalResult addOutput();
  mlir::LogicalResult checkUpdate(unsigned number,
                                  mlir::OpOperand &destination);
  mlir::LogicalResult addIntermediates();
  mlir::LogicalResult addBuffer(mlir::Value tensor, llvm::StringRef name,
                                bundle::BufferKind kind, uint64_t offset = 0);

  mlir::func::FuncOp function;
  const PlanSpec &spec;
  bundle::Builder &builder;
  SymbolicSizes sizes;
  llvm::SmallVector<tile::LaunchOp> launches;
  llvm::DenseMap<mlir::Operation *, unsigned> launchNumber;
  llvm::DenseMap<mlir::Value, uint32_t> buffers; // by root
  uint64_t arena = 0;
};

} // namespace tilegpt::target

#endif
