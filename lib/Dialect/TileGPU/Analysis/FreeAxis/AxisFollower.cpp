// How each op relates the axes of its operands and results.
#include "FreeAxis/AxisFollower.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool AxisFollower::refuse(Operation *op, StringRef reason) {
  if (!refusal.op)
    refusal = {op, reason};
  return false;
}

/// Whether an index is the tile index along the axis.
bool AxisFollower::isPlace(Value index) const {
  if (!variables.empty())
    return llvm::is_contained(variables, index);
  return isStreamed ? isConstantIntValue(index, 0) : isNumber(index);
}

bool AxisFollower::isNumber(Value index) const {
  auto id = index.getDefiningOp<tile::BlockIdOp>();
  return id && int64_t(id.getAxis()) == found.gridAxis;
}

bool AxisFollower::mark(Operation *op, Value tile, int64_t axis) {
  auto [it, isNew] = found.axes.insert({tile, axis});
  changed |= isNew;
  return it->second == axis ||
         refuse(op, "the op combines the axis with another one");
}

bool AxisFollower::markAll(Operation *op, ValueRange values, int64_t axis) {
  return llvm::all_of(values, [&](Value value) {
    return !tileOf(value) || mark(op, value, axis);
  });
}

std::optional<int64_t> AxisFollower::axisOf(Value tile) const {
  auto it = found.axes.find(tile);
  return it != found.axes.end() ? std::optional(it->second) : std::nullopt;
}

bool AxisFollower::follow() {
  do {
    changed = false;
    if (kernel.getBody()
            .walk([&](Operation *op) {
              return relate(op) ? WalkResult::advance()
                                : WalkResult::interrupt();
            })
            .wasInterrupted())
      return false;
  } while (changed);
  if (isExtentOpen)
    found.extent = std::nullopt;
  return true;
}

/// Propagates marks between the operands and the results of an op.
bool AxisFollower::relate(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return relateLoop(loop);
  bool isMarked =
      llvm::any_of(op->getOperands(), [&](Value v) { return axisOf(v); }) ||
      llvm::any_of(op->getResults(), [&](Value v) { return axisOf(v); });
  if (!isMarked)
    return true;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<tile::LoadOp, tile::StoreOp>([&](auto) {
        AccessOperands access(op);
        std::optional<int64_t> axis = axisOf(access.value);
        if (!axis || !isPlace(access.indices[*axis]))
          return refuse(
              op, "a tile with the axis is not addressed by the block id");
        if (isStreamed && !llvm::is_contained(found.accesses, op))
          found.accesses.push_back(op);
        return !access.mask || mark(op, access.mask, *axis);
      })
      .Case<tile::DotOp, tile::PermuteOp>([&](auto product) {
        return followsDots
                   ? relate(product)
                   : refuse(op, "the op may move elements along the axis");
      })
      .Case([&](tile::BroadcastOp broadcast) { return relate(broadcast); })
      .Case([&](tile::ExpandDimsOp expand) { return relate(expand); })
      .Case([&](tile::ReshapeOp reshape) { return relate(reshape); })
      .Case([&](tile::ExtractOp extract) { return relate(extract); })
      .Case([&](tile::ReduceOp reduce) {
        return relateAlong(op, reduce.getSources(), reduce.getAxis(),
                           reduce.getKeepdims());
      })
      .Case([&](tile::ScanOp scan) {
        return relateAlong(op, scan.getSources(), scan.getAxis(),
                           /*keeps=*/true);
      })
      .Case([&](arith::ConstantOp constant) {
        return isa<SplatElementsAttr>(constant.getValue()) ||
               refuse(op, "a constant varies along the axis");
      })
      .Case<tile::IotaOp>([&](auto) {
        return isStreamed || isPlaced ||
               refuse(op, "an iota runs along the axis");
      })
      .Case<tile::SplatOp, scf::YieldOp>([](auto) { return true; })
      .Default([&](Operation *other) {
        bool isByOffset =
            followsOffsets && isa<tile::LoadAtOp, tile::StoreAtOp>(other);
        isExtentOpen |= isByOffset;
        return isByOffset || tile::isElementwise(other)
                   ? relateElements(other)
                   : refuse(other, "the op may move elements along the axis");
      });
}

/// An op whose tiles have the same axes.
bool AxisFollower::relateElements(Operation *op) {
  for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                                         llvm::to_vector(op->getResults())))
    if (std::optional<int64_t> axis = axisOf(value))
      return markAll(op, op->getOperands(), *axis) &&
             markAll(op, op->getResults(), *axis);
  return true;
}

/// The rows of a dot are those of its left operand, its columns those of the
/// right one; all tiles of a batched dot have its batches. It may sum along a
/// streamed axis.
bool AxisFollower::relate(tile::DotOp op) {
  constexpr int64_t rank = 2;
  const int64_t batches = op.getType().getRank() - rank;
  for (Value tile : {op.getLhs(), op.getRhs(), op.getAcc(), op.getResult()})
    if (std::optional<int64_t> axis = axisOf(tile); axis && *axis < batches)
      return markAll(op, op->getOperands(), *axis) &&
             mark(op, op.getResult(), *axis);
  const int64_t above = batches, beside = batches + 1,
                row = op.getTransposeA() ? beside : above,
                column = op.getTransposeB() ? above : beside,
                depthOfLeft = above + beside - row,
                depthOfRight = above + beside - column;
  std::optional<int64_t> left = axisOf(op.getLhs()),
                         right = axisOf(op.getRhs()), sum = axisOf(op.getAcc()),
                         result = axisOf(op.getResult());
  if (isStreamed && (left == depthOfLeft || right == depthOfRight)) {
    if (sum || result)
      return refuse(op, "the op combines the axis with another one");
    if (!llvm::is_contained(found.dots, op))
      found.dots.push_back(op);
    return mark(op, op.getLhs(), depthOfLeft) &&
           mark(op, op.getRhs(), depthOfRight);
  }
  if ((left && *left != row) || (right && *right != column) || (left && right))
    return refuse(op, "a dot sums along the axis");
  int64_t axis = left ? above : right ? beside : sum ? *sum : *result;
  return mark(op, axis == above ? op.getLhs() : op.getRhs(),
              axis == above ? row : column) &&
         mark(op, op.getAcc(), axis) && mark(op, op.getResult(), axis);
}

/// Axis i of the result is axis permutation[i] of the source.
bool AxisFollower::relate(tile::PermuteOp op) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  if (std::optional<int64_t> axis = axisOf(op.getSource()))
    return mark(op, op.getResult(),
                llvm::find(permutation, *axis) - permutation.begin());
  return mark(op, op.getSource(), permutation[*axisOf(op.getResult())]);
}

bool AxisFollower::relate(tile::BroadcastOp op) {
  RankedTensorType source = tileOf(op.getSource()),
                   result = tileOf(op.getResult());
  int64_t added = result.getRank() - source.getRank();
  if (std::optional<int64_t> axis = axisOf(op.getSource()))
    return result.getDimSize(*axis + added) == found.size
               ? mark(op, op.getResult(), *axis + added)
               : refuse(op, "a broadcast changes the size of the axis");
  int64_t from = *axisOf(op.getResult()) - added;
  return from < 0 || source.getDimSize(from) == 1 ||
         mark(op, op.getSource(), from);
}

bool AxisFollower::relate(tile::ExpandDimsOp op) {
  int64_t inserted = op.getAxis();
  if (std::optional<int64_t> axis = axisOf(op.getSource()))
    return mark(op, op.getResult(), *axis + (*axis >= inserted));
  int64_t axis = *axisOf(op.getResult());
  // All positions of an inserted axis are equal: resizing adds a broadcast.
  if (axis == inserted)
    return !isStreamed || refuse(op, "expand_dims inserts the axis");
  return mark(op, op.getSource(), axis - (axis > inserted));
}

/// Slices of a tile that loops index like tiles in memory.
bool AxisFollower::relate(tile::ExtractOp op) {
  std::optional<int64_t> axis = axisOf(op.getResult());
  bool isNumbered = axis && !axisOf(op.getSource());
  for (auto [place, index] : llvm::enumerate(op.getIndices()))
    isNumbered &= llvm::is_contained(variables, index) ==
                  (int64_t(place) == axis.value_or(-1));
  return isNumbered || refuse(op, "the op may move elements along the axis");
}

/// A reshape that only changes unit axes.
bool AxisFollower::relate(tile::ReshapeOp op) {
  auto from = axisOf(op.getSource());
  Value known = from ? op.getSource() : op.getResult(),
        other = from ? op.getResult() : op.getSource();
  int64_t axis = from ? *from : *axisOf(op.getResult());
  ArrayRef<int64_t> shape = tileOf(known).getShape(),
                    others = tileOf(other).getShape();
  auto isLong = [](int64_t size) { return size != 1; };
  SmallVector<int64_t> left(llvm::make_filter_range(shape, isLong)),
      right(llvm::make_filter_range(others, isLong));
  // A unit axis that the source does not have: see ExpandDimsOp. Of several
  // unit axes, the source has the one that blocks number only if it is marked
  // as such, from the load on: the gain of rows of one element is no row.
  bool isAdded = left == right && !from && !isStreamed && shape[axis] == 1;
  if (isAdded && others.size() < shape.size())
    return true;
  int64_t before = llvm::count_if(shape.take_front(axis), isLong), seen = 0;
  if (left == right)
    for (auto [place, size] : llvm::enumerate(others)) {
      if (size == found.size && seen == before)
        return mark(op, other, place);
      seen += isLong(size);
    }
  if (isAdded)
    return true;
  return refuse(op, "a reshape splits or merges the axis");
}

/// A reduction or scan along an axis.
bool AxisFollower::relateAlong(Operation *op, ValueRange sources, int64_t along,
                               bool keeps) {
  for (Value source : sources)
    if (std::optional<int64_t> axis = axisOf(source)) {
      if (*axis == along)
        return meet(op);
      return markAll(op, sources, *axis) &&
             markAll(op, op->getResults(), *axis - (!keeps && *axis > along));
    }
  for (Value result : op->getResults())
    if (std::optional<int64_t> axis = axisOf(result)) {
      if (keeps && *axis == along)
        return isa<tile::ScanOp>(op)
                   ? markAll(op, sources, *axis) && meet(op)
                   : refuse(op, "the result of a reduction has the axis");
      return markAll(op, sources, *axis + (!keeps && *axis >= along));
    }
  return true;
}

/// Elements of the axis are combined by a reduction or scan along it.
bool AxisFollower::meet(Operation *op) {
  if (!isStreamed)
    return refuse(op, "a reduction or scan runs along the axis");
  auto combiner = cast<tile::CombinerOpInterface>(op);
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  auto kind = isa<tile::ReduceOp>(op) ? cast<tile::ReduceOp>(op).getKind()
                                      : cast<tile::ScanOp>(op).getKind();
  if (op->getNumOperands() != 1 || !kind || tile::isArgReduction(combiner))
    return refuse(op, "a reduction or scan with a region, and argmax and "
                      "argmin, are not split");
  if (tile::accumulatorType(*kind, element) != element)
    return refuse(op,
                  "sums of narrow floats are rounded once; cast to f32 first");
  if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
    if (!llvm::is_contained(found.reductions, reduce))
      found.reductions.push_back(reduce);
    return true;
  }
  auto scan = cast<tile::ScanOp>(op);
  if (scan.getReverse())
    return refuse(op, "a reverse scan is not split");
  if (!llvm::is_contained(found.scans, scan))
    found.scans.push_back(scan);
  return markAll(op, op->getResults(), scan.getAxis());
}

bool AxisFollower::relateLoop(scf::ForOp loop) {
  for (auto [init, argument, yielded, result] :
       llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                       loop.getYieldedValues(), loop.getResults()))
    for (Value value : {init, Value(argument), yielded, Value(result)})
      if (std::optional<int64_t> axis = axisOf(value))
        if (!markAll(loop, {init, argument, yielded, result}, *axis))
          return false;
  return true;
}

} // namespace tilegpt::tilegpu
