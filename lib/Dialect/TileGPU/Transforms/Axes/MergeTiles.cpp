// Follows tiles through ops that treat some axes alike, and gives them one axis
// instead.
#include "Axes/MergeTiles.h"
#include "Axes/SpreadTiles.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static Value inShape(OpBuilder &builder, Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  return builder.createOrFold<tile::ReshapeOp>(
      value.getLoc(), type.clone(shape), value, builder.getI64ArrayAttr(shape));
}

RankedTensorType TileMerging::merged(Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  return type.clone(range.merge(type.getShape()));
}

/// Whether a tile has all of the axes: with the sizes of the accessed tiles, or
/// with one element that stands for all.
bool TileMerging::hasRange(Value value) const {
  RankedTensorType type = tileOf(value);
  if (!type || type.getRank() < range.end())
    return false;
  ArrayRef<int64_t> sizes = type.getShape().slice(range.first, range.count());
  return sizes == ArrayRef(range.sizes) ||
         llvm::all_of(sizes, [](int64_t size) { return size == 1; });
}

bool TileMerging::hasUnitsBeforeLast() const {
  return llvm::all_of(ArrayRef(range.sizes).drop_back(),
                      [](int64_t size) { return size == 1; });
}

/// Whether an op keeps the axes apart from others, and does the same along all
/// of them.
bool TileMerging::isUniform(Operation *op) {
  if (llvm::is_contained(accesses, op))
    return true;
  if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
    const int64_t axis = reduce.getAxis();
    // Along the last axis if the others have one element.
    const int64_t rank = tileOf(reduce.getSources()[0]).getRank();
    bool isOfRange = axis == range.end() - 1 && hasUnitsBeforeLast() &&
                     (reduce.getKeepdims() || rank == range.end());
    bool isOfOthers =
        !range.contains(axis) && (reduce.getKeepdims() || axis >= range.end());
    return (isOfRange || isOfOthers) &&
           llvm::all_of(reduce.getSources(),
                        [&](Value source) { return hasRange(source); });
  }
  if (auto scan = dyn_cast<tile::ScanOp>(op))
    return !range.contains(scan.getAxis()) &&
           llvm::all_of(scan.getSources(),
                        [&](Value source) { return hasRange(source); });
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
    int64_t from = broadcast.getSource().getType().getRank(),
            to = broadcast.getType().getRank();
    return hasRange(broadcast.getResult()) &&
           (from == to
                ? hasRange(broadcast.getSource())
                : from <= to - range.end() ||
                      // From the last of the axes on.
                      (hasUnitsBeforeLast() && from == to - range.end() + 1));
  }
  if (isa<tile::SplatOp>(op))
    return hasRange(op->getResult(0));
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return hasRange(constant.getResult()) &&
           isa<SplatElementsAttr>(constant.getValue());
  auto isTile = [](Value value) {
    return isa<RankedTensorType>(value.getType());
  };
  if (!tile::isElementwise(op))
    return false;
  auto isAlike = [&](Value value) { return !isTile(value) || hasRange(value); };
  return llvm::all_of(op->getOperands(), isAlike) &&
         llvm::all_of(op->getResults(), isAlike);
}

/// Finds the last of a chain of reductions that together reduce all axes of the
/// range, each of which only the next one uses.
bool TileMerging::findChain(tile::ReduceOp head) {
  SmallVector<int64_t> left; // axes of the current result
  for (int64_t axis = 0; axis < tileOf(head.getSources()[0]).getRank(); ++axis)
    left.push_back(axis);
  int64_t reduced = 0;
  tile::ReduceOp reduce = head;
  while (true) {
    if (!reduce.getKind() || reduce.getSources().size() != 1 ||
        tile::isArgReduction(
            cast<tile::CombinerOpInterface>(reduce.getOperation())) ||
        reduce.getKind() != head.getKind() ||
        reduce.getNanPolicy() != head.getNanPolicy() ||
        getElementTypeOrSelf(reduce.getSources()[0].getType()) !=
            getElementTypeOrSelf(reduce.getResult(0).getType()) ||
        !range.contains(left[reduce.getAxis()]))
      return false;
    ++reduced;
    if (!reduce.getKeepdims())
      left.erase(left.begin() + reduce.getAxis());
    if (reduced == range.count()) {
      chains[head] = reduce;
      return true;
    }
    Value result = reduce.getResult(0);
    auto next = result.hasOneUse()
                    ? dyn_cast<tile::ReduceOp>(*result.user_begin())
                    : tile::ReduceOp();
    // An axis that is kept with size 1 is not reduced a second time.
    if (!next || (reduce.getKeepdims() && next.getAxis() == reduce.getAxis()))
      return false;
    reduce = next;
  }
}

/// Whether a tile may be reshaped, where `where` needs it in its old form: only
/// unit axes disappear.
bool TileMerging::mayReshape(Value value, Operation *where) {
  auto type = cast<RankedTensorType>(value.getType());
  bool isCheap =
      llvm::count_if(type.getShape().slice(range.first, range.count()),
                     [](int64_t size) { return size != 1; }) <= 1;
  if (!isCheap)
    obstacle = where;
  return isCheap;
}

/// Whether an op broadcasts along all but one of the axes.
bool TileMerging::isSpread(Operation *op) const {
  auto broadcast = dyn_cast_or_null<tile::BroadcastOp>(op);
  return broadcast && TileSpread::of(broadcast, range);
}

/// The loop that carries a value, and its number; null for other values.
static std::pair<scf::ForOp, int64_t> loopOf(Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    return {dyn_cast<scf::ForOp>(result.getOwner()), result.getResultNumber()};
  auto argument = cast<BlockArgument>(value);
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  // The first argument is the induction variable.
  return {loop, int64_t(argument.getArgNumber()) - 1};
}

/// What the loop carries that begins or continues with a use; null for others.
static Value carriedBy(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(user)) {
    int64_t number =
        int64_t(use.getOperandNumber()) - loop.getNumControlOperands();
    return number < 0 ? Value() : Value(loop.getRegionIterArg(number));
  }
  auto loop = dyn_cast<scf::ForOp>(user->getParentOp());
  return loop && isa<scf::YieldOp>(user)
             ? Value(loop.getRegionIterArg(use.getOperandNumber()))
             : Value();
}

bool TileMerging::mark(Value value) {
  if (!hasRange(value) || !marked.insert(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (auto [loop, number] = loopOf(value); loop) {
    if (!mark(loop.getInits()[number]) ||
        !mark(loop.getRegionIterArg(number)) ||
        !mark(loop.getYieldedValues()[number]) || !mark(loop.getResult(number)))
      return false;
  } else if (op && isUniform(op)) {
    uniform.insert(op);
  } else if (!isSpread(op) &&
             !mayReshape(value, op ? op : kernel.getOperation())) {
    return false;
  }
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (Value carried = carriedBy(use)) {
      if (!mark(carried))
        return false;
      continue;
    }
    if (isUniform(user)) {
      uniform.insert(user);
      continue;
    }
    auto reduce = dyn_cast<tile::ReduceOp>(user);
    if (reduce && (chains.contains(user) || findChain(reduce)))
      continue;
    if (!mayReshape(value, user))
      return false;
  }
  return true;
}

bool TileMerging::follow() {
  for (Operation *op : accesses)
    uniform.insert(op);
  for (size_t next = 0; next < uniform.size(); ++next) {
    Operation *op = uniform[next];
    auto broadcast = dyn_cast<tile::BroadcastOp>(op);
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()) &&
          !(broadcast && broadcast.getSource().getType().getRank() !=
                             broadcast.getType().getRank()) &&
          !mark(operand))
        return false;
    for (Value result : op->getResults())
      if (isa<RankedTensorType>(result.getType()) && !mark(result))
        return false;
  }
  return true;
}

/// A tile always has an axis: a reduction of all keeps it.
void TileMerging::keepAxis(tile::ReduceOp reduce) {
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointAfter(reduce);
  reduce.setKeepdims(true);
  for (Value result : reduce.getResults()) {
    auto old = cast<RankedTensorType>(result.getType());
    SmallVector<int64_t> shape(old.getShape().take_front(range.first));
    shape.push_back(1);
    if (old.getShape() == ArrayRef(shape))
      continue;
    result.setType(old.clone(shape));
    auto again =
        tile::ReshapeOp::create(builder, reduce.getLoc(), old, result,
                                builder.getI64ArrayAttr(old.getShape()));
    result.replaceAllUsesExcept(again, again);
  }
}

/// Gives the results of a uniform op one axis for those of the range.
void TileMerging::change(Operation *op) {
  const int64_t fewer = range.count() - 1 - range.addsUnit;
  for (Value result : op->getResults())
    if (marked.contains(result))
      retypeTile(result, merged(result));
  auto move = [&](auto reduction) {
    const int64_t axis = reduction.getAxis();
    if (axis >= range.end())
      reduction.setAxis(axis - fewer);
    else if (axis >= range.first)
      reduction.setAxis(range.place());
  };
  if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
    if (range.contains(reduce.getAxis()) && !reduce.getKeepdims())
      keepAxis(reduce);
    move(reduce);
  } else if (auto scan = dyn_cast<tile::ScanOp>(op)) {
    move(scan);
  }
}

/// Reduces the merged axis once.
void TileMerging::reduceChain(tile::ReduceOp head, tile::ReduceOp tail) {
  OpBuilder builder(tail);
  Value source = head.getSources()[0];
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[range.place()] = 1;
  IRMapping mapping;
  mapping.map(tail.getSources()[0], source);
  auto reduce = cast<tile::ReduceOp>(builder.clone(*tail, mapping));
  reduce.setAxis(range.place());
  reduce.setKeepdims(true);
  reduce.getResult(0).setType(type.clone(shape));
  auto old = cast<RankedTensorType>(tail.getResult(0).getType());
  tail.getResult(0).replaceAllUsesWith(
      inShape(builder, reduce.getResult(0), old.getShape()));
  for (Operation *op = tail; op;) {
    Operation *before =
        op == head ? nullptr : op->getOperand(0).getDefiningOp();
    op->erase();
    op = before;
  }
}

void TileMerging::rewrite(
    function_ref<Operation *(Operation *, Value, RankedTensorType)> moved) {
  SmallVector<Operation *> heads;
  for (auto [head, tail] : chains)
    heads.push_back(head);
  auto usesNewForm = [&](OpOperand &use) {
    Value carried = carriedBy(use);
    return carried ? marked.contains(carried)
                   : uniform.contains(use.getOwner()) ||
                         llvm::is_contained(heads, use.getOwner());
  };
  for (Value value : marked) {
    Operation *op = value.getDefiningOp();
    OpBuilder builder(kernel.getContext());
    builder.setInsertionPointAfterValue(value);
    if (!loopOf(value).first && !(op && uniform.contains(op))) {
      // Tiles that other ops compute take part in their new form.
      Value again = isSpread(op)
                        ? TileSpread::of(cast<tile::BroadcastOp>(op), range)
                              ->emit(builder)
                        : inShape(builder, value, merged(value).getShape());
      value.replaceUsesWithIf(again, usesNewForm);
      continue;
    }
    // Others use the tiles in their old form.
    auto isOther = [&](OpOperand &use) { return !usesNewForm(use); };
    if (llvm::none_of(value.getUses(), isOther))
      continue;
    auto old = cast<RankedTensorType>(value.getType());
    // Its source gets the new type below.
    auto again =
        tile::ReshapeOp::create(builder, value.getLoc(), old, value,
                                builder.getI64ArrayAttr(old.getShape()));
    value.replaceUsesWithIf(again, [&](OpOperand &use) {
      return isOther(use) && use.getOwner() != again;
    });
  }
  for (Value value : marked)
    if (loopOf(value).first)
      value.setType(merged(value));
  for (Operation *op : uniform)
    if (!llvm::is_contained(accesses, op))
      change(op);
  for (Operation *op : accesses) {
    if (auto store = dyn_cast<tile::StoreOp>(op)) {
      moved(op, store.getValue(), {});
    } else {
      Value old = op->getResult(0);
      old.replaceAllUsesWith(moved(op, Value(), merged(old))->getResult(0));
    }
  }
  for (auto [head, tail] : chains)
    reduceChain(cast<tile::ReduceOp>(head), tail);
  for (Operation *op : accesses)
    op->erase();
}

} // namespace tilegpt::tilegpu
