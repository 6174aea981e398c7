// Counts what a thread computes of a row.
#include "Cost/RowInstructions.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reductions/ExponentialSum.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reductions/IndexedExtreme.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class InstructionCount {
public:
  explicit InstructionCount(const LongRows &rows) : rows(rows) {}

  double count() const {
    double count = 0;
    llvm::DenseSet<Operation *> seen;
    auto enter = [&](auto &enter, Value value) -> void {
      Operation *op = value.getDefiningOp();
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (!op || !type || !llvm::is_contained(type.getShape(), rows.columns) ||
          !seen.insert(op).second)
        return;
      count += instructionsOf(op);
      for (Value operand : op->getOperands())
        enter(enter, operand);
    };
    for (tile::ReduceOp reduce : rows.reductions) {
      seen.clear();
      count += reduce.getKind() ? 1 : instructionsOfRegion(reduce);
      for (Value source : reduce.getSources())
        enter(enter, source);
    }
    for (tile::StoreOp store : rows.stores) {
      seen.clear();
      enter(enter, store.getValue());
    }
    return count;
  }

private:
  double instructionsOfRegion(tile::ReduceOp reduce) const {
    // Maximum, difference, product, power and sum of an element.
    constexpr double ofExponentialSum = 6;
    // Extreme, comparison, selection and minimum of an index.
    constexpr double ofIndexedExtreme = 4;
    if (ExponentialSum::of(reduce))
      return ofExponentialSum;
    if (IndexedExtreme::of(reduce))
      return ofIndexedExtreme;
    double count = 0;
    for (Operation &op : reduce.getCombiner().front().without_terminator())
      count += instructionsOf(&op);
    return count;
  }

  double instructionsOf(Operation *op) const {
    // Functions are cheaper if their results are rounded to 16 bits.
    constexpr double ofCast = 1.5, ofFunction = 9, ofQuotient = 8,
                     ofRoughFunction = 4, ofScan = 12, ofGather = 3;
    bool isRough = llvm::any_of(rows.stores, [](tile::StoreOp store) {
      return memoryBytes(getElementTypeOrSelf(store.getValue().getType())) == 2;
    });
    if (isa<tile::CastOp>(op))
      return ofCast;
    if (isa<tile::ScanOp>(op))
      return ofScan;
    if (isa<tile::GatherOp>(op))
      return ofGather;
    if (isa<math::MathDialect>(op->getDialect()) &&
        !isa<math::AbsFOp, math::FmaOp, math::RoundEvenOp>(op))
      return isRough ? ofRoughFunction : ofFunction;
    if (isa<arith::DivFOp>(op) && !isRough)
      return ofQuotient;
    // Values that are the same for all columns are computed once.
    bool isOnce = isa<tile::BroadcastOp, tile::SplatOp, arith::ConstantOp>(op);
    return isOnce || (isa<tile::LoadOp>(op) && !isVectorLoad(op)) ? 0 : 1;
  }

  bool isVectorLoad(Operation *op) const {
    return llvm::is_contained(rows.vectors, dyn_cast<tile::LoadOp>(op));
  }

  const LongRows &rows;
};
} // namespace

double countRowInstructions(const LongRows &rows) {
  return InstructionCount(rows).count();
}

} // namespace tilegpt::tilegpu
