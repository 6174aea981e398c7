// Peels the row that a block appends off the loop over all rows.
#include "Append/AppendRow.h"
#include "Append/FindAppend.h"
#include "Append/ForwardTiles.h"
#include "Append/OneRow.h"
#include "Append/ThinDots.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using llvm::Error;
using llvm::Expected;

namespace tilegpt::tile {

namespace {

class RowSplitter {
public:
  RowSplitter(KernelOp kernel, Append &append)
      : kernel(kernel), append(append), axes(kernel),
        oneRow(axes, {Attribute(append.tile)}) {}

  void run() {
    // Uses of the loop's results will use those of the peeled iteration.
    SmallVector<std::pair<OpOperand *, unsigned>> uses;
    for (OpResult result : append.loop.getResults())
      for (OpOperand &use : result.getUses())
        uses.push_back({&use, result.getResultNumber()});
    shortenWindows();
    SmallVector<Value> sums = addRow();
    for (auto [use, number] : uses)
      use->set(sums[number]);
    lowerMasks();
  }

private:
  Value valueOf(OpBuilder &builder, Location loc, OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  }

  /// Makes the windows end before the new row.
  void shortenWindows() {
    SmallVector<SubviewOp> windows;
    for (RowReader &reader : append.readers)
      windows.push_back(reader.window);
    llvm::sort(windows, [](SubviewOp lhs, SubviewOp rhs) {
      return lhs->isBeforeInBlock(rhs);
    });
    OpBuilder builder(windows.front());
    Location loc = windows.front().getLoc();
    rows = valueOf(builder, loc, append.position);
    if (!isConstantIntValue(append.begin, 0))
      rows = arith::SubIOp::create(builder, loc, rows,
                                   valueOf(builder, loc, append.begin));
    for (SubviewOp window : windows) {
      auto sizes = getMixedValues(window.getStaticSizes(), window.getSizes(),
                                  window.getContext());
      sizes[append.axis] = rows;
      SmallVector<Value> dynamic;
      SmallVector<int64_t> fixed;
      dispatchIndexOpFoldResults(sizes, dynamic, fixed);
      window.getSizesMutable().assign(dynamic);
      window.setStaticSizes(fixed);
    }
  }

  /// Clones the body of the loop after it, for the new row.
  /// \returns the loop's final carried values
  SmallVector<Value> addRow() {
    scf::ForOp loop = append.loop;
    OpBuilder builder(loop->getContext());
    builder.setInsertionPointAfter(loop);
    IRMapping mapping;
    mapping.map(loop.getRegionIterArgs(), loop.getResults());
    for (RowReader &reader : append.readers)
      mapping.map(reader.load.getResult(), reader.row);
    for (Operation *first : append.firstRows)
      mapping.map(first->getResult(0), rows);
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (mapping.contains(op.getNumResults() ? op.getResult(0) : Value()))
        continue;
      for (Value operand : op.getOperands())
        cutOutside(builder, operand, mapping);
      if (!fold(builder, &op, mapping))
        oneRow.clone(builder, &op, mapping);
    }
    return llvm::map_to_vector(loop.getYieldedValues(), [&](Value yielded) {
      return mapping.lookupOrDefault(yielded);
    });
  }

  /// Clones values defined before the loop whose size is that of a row tile.
  void cutOutside(OpBuilder &builder, Value value, IRMapping &mapping) {
    if (!append.loop.isDefinedOutsideOfLoop(value) || mapping.contains(value) ||
        !oneRow.isCut(value))
      return;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      cutOutside(builder, operand, mapping);
    oneRow.clone(builder, op, mapping);
  }

  bool isMask(Value value) {
    return llvm::any_of(append.masks, [&](RowMask &mask) {
      return mask.compare.getResult() == value;
    });
  }

  /// Folds ops that are no-ops for one row, which is in bounds.
  bool fold(OpBuilder &builder, Operation *op, IRMapping &mapping) {
    auto replace = [&](Value value) {
      mapping.map(op->getResult(0), mapping.lookupOrDefault(value));
      return true;
    };
    if (isMask(op->getNumResults() ? op->getResult(0) : Value()))
      return llvm::all_of(op->getUsers(), [&](Operation *user) {
        return isa<arith::AndIOp>(user) ||
               (isa<arith::SelectOp>(user) &&
                user->getOperand(0) == op->getResult(0));
      });
    if (auto select = dyn_cast<arith::SelectOp>(op);
        select && isMask(select.getCondition()))
      return replace(select.getTrueValue());
    if (isa<arith::AndIOp>(op))
      for (bool number : {false, true})
        if (isMask(op->getOperand(number)))
          return replace(op->getOperand(!number));
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      auto kind = reduce.getKind();
      if (kind && reduce.getKeepdims() && *kind != ReduceKind::ArgMax &&
          *kind != ReduceKind::ArgMin &&
          oneRow.isCut(reduce.getSources()[0], reduce.getAxis()))
        return replace(reduce.getSources()[0]);
      return false;
    }
    if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
      Value source = mapping.lookupOrDefault(broadcast.getSource());
      // Broadcast along the rows of the tile only.
      auto type = cast<RankedTensorType>(source.getType());
      bool isSame = type.getRank() == broadcast.getType().getRank();
      for (int64_t axis = 0; isSame && axis < type.getRank(); ++axis)
        isSame = oneRow.isCut(broadcast, axis)
                     ? type.getDimSize(axis) == 1
                     : axes.classOf(broadcast.getSource(), axis) ==
                           axes.classOf(broadcast, axis);
      return isSame && replace(broadcast.getSource());
    }
    if (auto dot = dyn_cast<DotOp>(op))
      if (Value sum = expandThinDot(builder, dot, oneRow, axes, mapping)) {
        mapping.map(dot.getResult(), sum);
        return true;
      }
    return false;
  }

  /// Makes masks treat the new row as out of bounds.
  void lowerMasks() {
    using Predicate = arith::CmpIPredicate;
    for (RowMask &mask : append.masks) {
      arith::CmpIOp compare = mask.compare;
      if (mask.isStrict) {
        Value bound = compare->getOperand(mask.isOrdered);
        OpBuilder builder(compare);
        compare->setOperand(mask.isOrdered, lowered(builder, bound));
        continue;
      }
      auto strict = [&] {
        switch (compare.getPredicate()) {
        case Predicate::sle:
          return Predicate::slt;
        case Predicate::sge:
          return Predicate::sgt;
        case Predicate::ule:
          return Predicate::ult;
        default:
          return Predicate::ugt;
        }
      };
      compare.setPredicate(strict());
    }
  }

  /// A scalar, or a splat of one, minus one.
  Value lowered(OpBuilder &builder, Value bound) {
    if (!tileOf(bound)) {
      Value one = arith::ConstantOp::create(
          builder, bound.getLoc(), builder.getIntegerAttr(bound.getType(), 1));
      return arith::SubIOp::create(builder, bound.getLoc(), bound, one);
    }
    Operation *op = bound.getDefiningOp();
    IRMapping mapping;
    mapping.map(op->getOperand(0), lowered(builder, op->getOperand(0)));
    return builder.clone(*op, mapping)->getResult(0);
  }

  KernelOp kernel;
  Append &append;
  const AxisClasses axes;
  const OneRow oneRow;
  Value rows; ///< of the windows, without the new one
};

/// Folds integers that are constant for all sizes, such as the token index in a
/// sequence if there are as many rows as sequences.
void foldNumbers(MergedText &merged) {
  IndexSums sums(*merged.kernel, merged.operands, IndexSums::Sizes::Open);
  for (Operation &op : llvm::make_early_inc_range(
           llvm::make_range(merged.kernel->getEntryBlock()->begin(),
                            merged.firstOfConsumer->getIterator()))) {
    if (op.getNumResults() != 1 || !op.getResult(0).getType().isIndex() ||
        op.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (auto number = sums.of(op.getResult(0)).getConstant()) {
      OpBuilder builder(&op);
      op.getResult(0).replaceAllUsesWith(
          arith::ConstantIndexOp::create(builder, op.getLoc(), *number));
      op.erase();
    }
  }
}

} // namespace

Expected<MergedText> mergeAppend(LaunchOp producer, LaunchOp consumer,
                                 KernelOp producerText, KernelOp consumerText) {
  Expected<MergedText> merged =
      mergeTexts(producer, consumer, producerText, consumerText);
  if (!merged)
    return merged.takeError();
  foldNumbers(*merged);
  Expected<Append> append = findAppend(*merged);
  if (!append)
    return append.takeError();
  if (Error error = forwardTiles(*merged))
    return error;
  KernelOp kernel = *merged->kernel;
  SmallVector<StoreOp> stores;
  for (Operation &op : *kernel.getEntryBlock()) {
    if (&op == merged->firstOfConsumer)
      break;
    if (auto store = dyn_cast<StoreOp>(op))
      stores.push_back(store);
  }
  RowSplitter(kernel, *append).run();
  for (StoreOp store : stores)
    store->moveBefore(kernel.getEntryBlock()->getTerminator());
  return merged;
}

} // namespace tilegpt::tile
