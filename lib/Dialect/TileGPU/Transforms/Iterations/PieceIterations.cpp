// Checks what the iterations of a loop carry, and resizes their tiles.
#include "Iterations/PieceIterations.h"
#include "Mainloop/OnlineSoftmax.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether a value is minus infinity, or a tile of it.
static bool isMinusInfinity(Value value) {
  if (auto splat = value.getDefiningOp<tile::SplatOp>())
    value = splat.getValue();
  APFloat number(0.0);
  return matchPattern(value, m_ConstantFloat(&number)) && number.isInfinity() &&
         number.isNegative();
}

namespace {
class Search {
public:
  explicit Search(scf::ForOp loop) : body(*loop.getBody()) {
    found.loop = loop;
  }

  std::optional<PieceIterations> run(FreeAxisRefusal *why) {
    bool fits = checkBounds() && checkOps() && findAxis() && checkCarried();
    if (why)
      *why = refusal;
    return fits ? std::optional(std::move(found)) : std::nullopt;
  }

private:
  bool refuse(Operation *op, StringRef reason) {
    if (!refusal.op)
      refusal = {op, reason};
    return false;
  }

  bool checkBounds() {
    return isConstantIntValue(found.loop.getStep(), 1) ||
           refuse(found.loop, "the loop skips tiles");
  }

  /// Loads are the only side effects, and only reductions have regions.
  bool checkOps() {
    for (Operation &op : body.without_terminator()) {
      if (op.getNumRegions() != 0 && !isa<tile::ReduceOp, tile::ScanOp>(op))
        return refuse(&op, "the loop has branches or inner loops");
      if (!isa<tile::LoadOp>(op) && !isMemoryEffectFree(&op))
        return refuse(&op, "the loop does more than load and compute");
    }
    return true;
  }

  bool findAxis() {
    auto kernel = found.loop->getParentOfType<tile::KernelOp>();
    std::optional<StreamedAxis> axis =
        findLoopedAxis(kernel, {found.loop}, &refusal, {/*dots=*/true});
    if (!axis)
      return false;
    if (!axis->scans.empty())
      return refuse(axis->scans.front(), "a scan runs along the axis");
    found.axis = std::move(*axis);
    std::optional<AxisPlaces> places =
        findAxisPlaces(found.axis, {found.loop}, &refusal);
    if (!places)
      return false;
    found.places = std::move(*places);
    return true;
  }

  /// Every carried value is part of a softmax, or the sum of a dot.
  bool checkCarried() {
    llvm::SmallDenseSet<unsigned> known;
    for (OnlineSoftmax &softmax : matchSoftmaxes(found.loop)) {
      bool isShiftedHere =
          softmax.shiftedUse && softmax.shiftedUse->getBlock() == &body;
      if (isShiftedHere || !sumsAlong(softmax.dot) ||
          !isOfElements(softmax.scores) ||
          !isOfElements(softmax.lhs, softmax.exponentials))
        continue;
      known.insert(softmax.maximum);
      known.insert(softmax.sum);
      known.insert(*yieldedAs(softmax.dot.getResult()));
      Value start = found.loop.getInitArgs()[softmax.maximum];
      if (isMinusInfinity(start) && mayBeMinusInfinity(softmax.scores))
        found.openMaxima.push_back(softmax.maximum);
    }
    for (unsigned number = 0; number < found.loop.getNumResults(); ++number)
      if (!known.contains(number) && !isSum(number))
        return refuse(found.loop, "the loop carries a value that is neither a "
                                  "sum of dots along the axis nor part of an "
                                  "online softmax");
    return true;
  }

  bool sumsAlong(tile::DotOp dot) const {
    return llvm::is_contained(found.axis.dots, dot);
  }

  /// Whether a carried value is a sum of dots along the axis.
  bool isSum(unsigned number) {
    Value sum = found.loop.getYieldedValues()[number],
          carried = found.loop.getRegionIterArg(number);
    while (auto dot = sum.getDefiningOp<tile::DotOp>()) {
      if (dot->getBlock() != &body || !sumsAlong(dot) || !sum.hasOneUse() ||
          !isOfElements(dot.getLhs()) || !isOfElements(dot.getRhs()))
        return false;
      sum = dot.getAcc();
    }
    return sum == carried && carried.hasOneUse();
  }

  /// Visits the ops of an iteration that a value is computed from, up to `end`.
  /// \returns whether none of them is a carried value, or combines elements of
  /// the axis.
  bool isOfElements(Value value, Value end = {}) {
    return visitSources(value, end, [&](Value source) {
      Operation *op = source.getDefiningOp();
      if (!op)
        return !llvm::is_contained(found.loop.getRegionIterArgs(), source);
      auto reduce = dyn_cast<tile::ReduceOp>(op);
      auto dot = dyn_cast<tile::DotOp>(op);
      return !(reduce && llvm::is_contained(found.axis.reductions, reduce)) &&
             !(dot && sumsAlong(dot));
    });
  }

  /// Whether scores are computed from minus infinity.
  bool mayBeMinusInfinity(Value scores) {
    return !visitSources(scores, {},
                         [](Value source) { return !isMinusInfinity(source); });
  }

  /// \returns whether `visit` is true for all values in the iteration, and the
  /// operands from outside it, that `value` is computed from.
  bool visitSources(Value value, Value end,
                    llvm::function_ref<bool(Value)> visit) {
    llvm::SmallPtrSet<Value, 16> seen;
    SmallVector<Value> open = {value};
    while (!open.empty()) {
      Value next = open.pop_back_val();
      if (next == end || !seen.insert(next).second)
        continue;
      if (!visit(next))
        return false;
      if (Operation *op = next.getDefiningOp(); op && op->getBlock() == &body)
        llvm::append_range(open, op->getOperands());
    }
    return true;
  }

  Block &body;
  PieceIterations found;
  FreeAxisRefusal refusal;
};
} // namespace

std::optional<PieceIterations> findPieceIterations(scf::ForOp loop,
                                                   FreeAxisRefusal *refusal) {
  return Search(loop).run(refusal);
}

void PieceIterations::split(int64_t pieces) {
  // Less than any score, and its difference to one is finite in either base.
  constexpr double least = -1.0e30;
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value factor = arith::ConstantIndexOp::create(builder, loc, pieces);
  auto times = [&](Value bound) {
    return builder.createOrFold<arith::MulIOp>(loc, bound, factor);
  };
  loop.setLowerBound(times(loop.getLowerBound()));
  loop.setUpperBound(times(loop.getUpperBound()));
  for (unsigned number : openMaxima) {
    auto type = cast<RankedTensorType>(loop.getResult(number).getType());
    loop.getInitArgsMutable()[number].assign(arith::ConstantOp::create(
        builder, loc,
        SplatElementsAttr::get(
            type, builder.getFloatAttr(type.getElementType(), least))));
  }
  setSize(axis.size / pieces);
}

void PieceIterations::join(int64_t times) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value factor = arith::ConstantIndexOp::create(builder, loc, times);
  auto divide = [&](Value bound) {
    return builder.createOrFold<arith::CeilDivUIOp>(loc, bound, factor);
  };
  loop.setLowerBound(divide(loop.getLowerBound()));
  loop.setUpperBound(divide(loop.getUpperBound()));
  setSize(axis.size * times);
}

void PieceIterations::setSize(int64_t size) {
  for (arith::MulIOp start : places.starts) {
    OpBuilder builder(start);
    bool isRight = isConstantIntValue(start.getRhs(), axis.size);
    Value number = arith::ConstantOp::create(
        builder, start.getLoc(), builder.getIntegerAttr(start.getType(), size));
    start.setOperand(isRight ? 1 : 0, number);
  }
  resizeTiles(axis, size);
}

void takePieces(tile::KernelOp kernel) {
  NamedAttrList rest(
      kernel->getAttrOfType<DictionaryAttr>(tile::wantedPlanAttr));
  rest.erase(piecesName);
  kernel->setAttr(tile::wantedPlanAttr,
                  rest.getDictionary(kernel.getContext()));
}

void separateConstants(tile::KernelOp kernel) {
  SmallVector<Operation *> made;
  kernel.walk([&](Operation *op) {
    if (op->getNumResults() == 1 &&
        isa<RankedTensorType>(op->getResult(0).getType()) &&
        isa<arith::ConstantOp, tile::SplatOp, tile::IotaOp, tile::ExpandDimsOp,
            tile::BroadcastOp, tile::ReshapeOp>(op))
      made.push_back(op);
  });
  // Users first: their copies use their operands once more.
  for (Operation *op : llvm::reverse(made)) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getUses())
      uses.push_back(&use);
    for (size_t number = 1; number < uses.size(); ++number)
      uses[number]->set(OpBuilder(op).clone(*op)->getResult(0));
  }
}

} // namespace tilegpt::tilegpu
