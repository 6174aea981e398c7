// Lowers an entry's control flow to scf.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_CONTROL_CONTROLLOWERING_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_CONTROL_CONTROLLOWERING_H

#include "Ways.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::cuda_tile {

/// The possible exits of a block, with flags for the one taken.
struct Outcome {
  Ways ways;
  llvm::SmallVector<mlir::Value> flags; ///< one for each way but the last
  std::map<Way, llvm::SmallVector<mlir::Value>> values;
};

class ControlLowering {
public:
  explicit ControlLowering(mlir::OpBuilder &builder) : b(builder) {}

  mlir::LogicalResult run(EntryOp entry, tile::KernelOp kernel);

private:
  using Place = mlir::Block::iterator;

  /// Lowers the ops from a place to the end of its block.
  mlir::FailureOr<Outcome> lowerFrom(Place op, mlir::Block &block);
  /// Lowers an op that control always continues after.
  mlir::LogicalResult lowerOp(mlir::Operation &op);
  /// Clones a reduction or a scan, whose region may branch.
  mlir::LogicalResult lowerStep(mlir::Operation &op);
  mlir::FailureOr<Outcome> lowerBlock(mlir::Region &region);
  mlir::FailureOr<Outcome> lowerExits(IfOp op);
  /// Lowers the ops after `op` for those exits that continue there.
  mlir::FailureOr<Outcome> goOn(Outcome outcome, mlir::Operation *op);
  mlir::LogicalResult lowerIf(IfOp op);
  mlir::LogicalResult lowerFor(ForOp op);
  mlir::FailureOr<Outcome> lowerLoop(LoopOp op);
  mlir::FailureOr<bool> lowerTestedLoop(LoopOp op);

  /// Creates an `scf.if` with the exits of two branches.
  mlir::FailureOr<Outcome>
  branch(mlir::Location loc, mlir::Value condition, const Ways &ways,
         llvm::function_ref<mlir::FailureOr<Outcome>()> yes,
         llvm::function_ref<mlir::FailureOr<Outcome>()> no);
  llvm::SmallVector<mlir::Value>
  flatten(mlir::Location loc, const Outcome &outcome, const Ways &ways);
  Outcome unflatten(const Ways &ways, mlir::ValueRange values);
  mlir::Value isWay(mlir::Location loc, const Outcome &outcome, Way way);
  mlir::Value truth(mlir::Location loc, bool value);
  mlir::Value zero(mlir::Location loc, mlir::Type type);

  llvm::SmallVector<mlir::Value> mapped(mlir::ValueRange values) {
    return llvm::map_to_vector(
        values, [&](mlir::Value value) { return map.lookup(value); });
  }
  void bind(mlir::ValueRange from, mlir::ValueRange to) { map.map(from, to); }
  mlir::Value cast(mlir::Location loc, mlir::Type type, mlir::Value value) {
    return mlir::UnrealizedConversionCastOp::create(b, loc, type, value)
        .getResult(0);
  }
  mlir::Value number(mlir::Value value) {
    auto tile = llvm::cast<TileType>(value.getType());
    return cast(value.getLoc(), tile.getElementType(), value);
  }

  mlir::OpBuilder &b;
  mlir::IRMapping map;
};

} // namespace tilegpt::cuda_tile

#endif
