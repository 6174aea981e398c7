// Follows axes of tiles through the ops of a kernel.
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class FreeAxisSearch {
public:
  FreeAxisSearch(tile::KernelOp kernel, int64_t gridAxis,
                 bool followsDots = false)
      : kernel(kernel), followsDots(followsDots) {
    found.gridAxis = gridAxis;
  }

  std::optional<FreeAxis> run(FreeAxisRefusal *why) {
    bool isFree = collectAccesses() && follow() && storesAll();
    if (why)
      *why = refusal;
    return isFree ? std::optional<FreeAxis>(std::move(found)) : std::nullopt;
  }

  std::optional<StreamedAxis> runFrom(tile::LoadOp load, int64_t axis,
                                      FreeAxisRefusal *why) {
    isStreamed = true;
    found.size = load.getType().getDimSize(axis);
    bool isOne = mark(load, load.getResult(), axis) && follow() &&
                 accessesWhole() && isReadOnce();
    if (why)
      *why = refusal;
    return isOne ? std::optional(std::move(found)) : std::nullopt;
  }

  std::optional<StreamedAxis> runOver(ArrayRef<scf::ForOp> loops,
                                      FreeAxisRefusal *why) {
    isStreamed = true;
    for (scf::ForOp loop : loops)
      variables.push_back(loop.getInductionVar());
    bool isOne = collectNumbered(loops) && follow();
    if (why)
      *why = refusal;
    return isOne ? std::optional(std::move(found)) : std::nullopt;
  }

private:
  bool refuse(Operation *op, StringRef reason) {
    if (!refusal.op)
      refusal = {op, reason};
    return false;
  }

  /// Whether an index is where tiles of the axis are.
  bool isPlace(Value index) const {
    if (!variables.empty())
      return llvm::is_contained(variables, index);
    return isStreamed ? isConstantIntValue(index, 0) : isNumber(index);
  }

  /// Marks the tiles that loops number.
  bool collectNumbered(ArrayRef<scf::ForOp> loops) {
    for (scf::ForOp loop : loops)
      for (Operation &op : *loop.getBody())
        if (isa<tile::LoadOp, tile::StoreOp>(op) && !markNumbered(&op))
          return false;
    return !found.axes.empty() ||
           refuse(loops.front(), "no loop numbers the tiles of an axis");
  }

  bool markNumbered(Operation *op) {
    AccessOperands access(op);
    for (auto [axis, index] : llvm::enumerate(access.indices)) {
      if (!index || !llvm::is_contained(variables, index))
        continue;
      int64_t size = access.tile.getDimSize(axis),
              extent = cast<tile::ViewType>(access.view.getType())
                           .getShape()[access.viewAxis[axis]];
      if (found.size == 0)
        found.size = size;
      if (ShapedType::isDynamic(extent))
        isExtentOpen = true;
      else if (!found.extent)
        found.extent = extent;
      if (size != found.size ||
          (!ShapedType::isDynamic(extent) && extent != *found.extent))
        return refuse(op, "loops number tiles or axes of different sizes");
      if (!mark(op, access.value, axis))
        return false;
    }
    return true;
  }

  bool isNumber(Value index) const {
    auto id = index.getDefiningOp<tile::BlockIdOp>();
    return id && int64_t(id.getAxis()) == found.gridAxis;
  }

  /// Loads and stores are all that touches memory, and all that reads the
  /// number of the block.
  bool collectAccesses() {
    auto result = kernel.getBody().walk([&](Operation *op) {
      if (auto id = dyn_cast<tile::BlockIdOp>(op))
        return !isNumber(id) ||
                       llvm::all_of(id->getUsers(),
                                    [](Operation *user) {
                                      return isa<tile::LoadOp, tile::StoreOp>(
                                          user);
                                    })
                   ? WalkResult::advance()
                   : fail(op, "the block id does more than address tiles");
      if (isa<tile::DotOp>(op) && !followsDots)
        return fail(op, "kernels with dots keep their tiles");
      if (isa<tile::LoadOp, tile::StoreOp>(op))
        return addAccess(op) ? WalkResult::advance() : WalkResult::interrupt();
      if (op->getNumRegions() == 0 && !isMemoryEffectFree(op))
        return fail(
            op,
            "the kernel has side effects other than loads and stores of tiles");
      return WalkResult::advance();
    });
    return !result.wasInterrupted() && !found.accesses.empty();
  }

  WalkResult fail(Operation *op, StringRef reason) {
    refuse(op, reason);
    return WalkResult::interrupt();
  }

  bool addAccess(Operation *op) {
    AccessOperands access(op);
    std::optional<int64_t> along;
    for (auto [axis, index] : llvm::enumerate(access.indices))
      if (index && isNumber(index)) {
        if (along)
          return refuse(op, "the block id addresses two axes of a tile");
        along = axis;
      }
    if (!along)
      return access.isWrite || writes(access.view)
                 ? refuse(op, "a tensor that the kernel stores to is accessed "
                              "by all blocks alike")
                 : true;
    int64_t size = access.tile.getDimSize(*along);
    if (found.size != 0 && size != found.size)
      return refuse(op, "the block id addresses tiles of different sizes");
    found.size = size;
    auto view = cast<tile::ViewType>(access.view.getType());
    int64_t extent = view.getShape()[access.viewAxis[*along]];
    if (ShapedType::isDynamic(extent))
      isExtentOpen = true;
    else
      found.extent = std::max(found.extent.value_or(0), extent);
    found.accesses.push_back(op);
    return mark(op, access.value, *along);
  }

  /// Whether a view is of an argument that the kernel stores to.
  bool writes(Value view) {
    while (Operation *op = view.getDefiningOp()) {
      if (op->getNumOperands() == 0)
        return true;
      view = op->getOperand(0);
    }
    return cast<BlockArgument>(view).getArgNumber() >= kernel.getNumIns();
  }

  bool mark(Operation *op, Value tile, int64_t axis) {
    auto [it, isNew] = found.axes.insert({tile, axis});
    changed |= isNew;
    return it->second == axis ||
           refuse(op, "the op combines the axis with another one");
  }

  bool markAll(Operation *op, ValueRange values, int64_t axis) {
    return llvm::all_of(values, [&](Value value) {
      return !tileOf(value) || mark(op, value, axis);
    });
  }

  std::optional<int64_t> axisOf(Value tile) const {
    auto it = found.axes.find(tile);
    return it != found.axes.end() ? std::optional(it->second) : std::nullopt;
  }

  bool follow() {
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

  /// Carries marks between the operands and the results of an op.
  bool relate(Operation *op) {
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
          return isStreamed || refuse(op, "an iota runs along the axis");
        })
        .Case<tile::SplatOp, scf::YieldOp>([](auto) { return true; })
        .Default([&](Operation *other) {
          if (!isa<tile::CastOp>(other) &&
              !OpTrait::hasElementwiseMappableTraits(other))
            return refuse(other, "the op may move elements along the axis");
          for (Value value :
               llvm::concat<Value>(llvm::to_vector(other->getOperands()),
                                   llvm::to_vector(other->getResults())))
            if (std::optional<int64_t> axis = axisOf(value))
              return markAll(other, other->getOperands(), *axis) &&
                     markAll(other, other->getResults(), *axis);
          return true;
        });
  }

  /// The rows of a product are those of its left operand, its columns those of
  /// the right one.
  bool relate(tile::DotOp op) {
    constexpr int64_t rank = 2;
    if (op.getAcc().getType().getRank() != rank)
      return refuse(op, "a batched dot has the axis");
    int64_t row = op.getTransposeA() ? 1 : 0,
            column = op.getTransposeB() ? 0 : 1;
    std::optional<int64_t> left = axisOf(op.getLhs()),
                           right = axisOf(op.getRhs()),
                           sum = axisOf(op.getAcc()),
                           result = axisOf(op.getResult());
    if ((left && *left != row) || (right && *right != column) ||
        (left && right))
      return refuse(op, "a dot sums along the axis");
    int64_t axis = left ? 0 : right ? 1 : sum ? *sum : *result;
    return mark(op, axis == 0 ? op.getLhs() : op.getRhs(),
                axis == 0 ? row : column) &&
           mark(op, op.getAcc(), axis) && mark(op, op.getResult(), axis);
  }

  /// Axis i of the result is axis permutation[i] of the source.
  bool relate(tile::PermuteOp op) {
    ArrayRef<int64_t> permutation = op.getPermutation();
    if (std::optional<int64_t> axis = axisOf(op.getSource()))
      return mark(op, op.getResult(),
                  llvm::find(permutation, *axis) - permutation.begin());
    return mark(op, op.getSource(), permutation[*axisOf(op.getResult())]);
  }

  bool relate(tile::BroadcastOp op) {
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

  bool relate(tile::ExpandDimsOp op) {
    int64_t inserted = op.getAxis();
    if (std::optional<int64_t> axis = axisOf(op.getSource()))
      return mark(op, op.getResult(), *axis + (*axis >= inserted));
    int64_t axis = *axisOf(op.getResult());
    return axis == inserted
               ? refuse(op, "expand_dims inserts the axis")
               : mark(op, op.getSource(), axis - (axis > inserted));
  }

  /// The pieces of a tile that loops number as they number tiles in memory.
  bool relate(tile::ExtractOp op) {
    std::optional<int64_t> axis = axisOf(op.getResult());
    bool isNumbered = axis && !axisOf(op.getSource());
    for (auto [place, index] : llvm::enumerate(op.getIndices()))
      isNumbered &= llvm::is_contained(variables, index) ==
                    (int64_t(place) == axis.value_or(-1));
    return isNumbered || refuse(op, "the op may move elements along the axis");
  }

  /// A reshape that changes unit axes only.
  bool relate(tile::ReshapeOp op) {
    auto from = axisOf(op.getSource());
    Value known = from ? op.getSource() : op.getResult(),
          other = from ? op.getResult() : op.getSource();
    int64_t axis = from ? *from : *axisOf(op.getResult());
    ArrayRef<int64_t> shape = tileOf(known).getShape(),
                      others = tileOf(other).getShape();
    auto isLong = [](int64_t size) { return size != 1; };
    SmallVector<int64_t> left(llvm::make_filter_range(shape, isLong)),
        right(llvm::make_filter_range(others, isLong));
    int64_t before = llvm::count_if(shape.take_front(axis), isLong), seen = 0;
    if (left == right)
      for (auto [place, size] : llvm::enumerate(others)) {
        if (size == found.size && seen == before)
          return mark(op, other, place);
        seen += isLong(size);
      }
    return refuse(op, "a reshape splits or merges the axis");
  }

  /// A reduction or a scan along an axis.
  bool relateAlong(Operation *op, ValueRange sources, int64_t along,
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

  /// Elements of the axis meet in a reduction or a scan along it.
  bool meet(Operation *op) {
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
      return refuse(
          op, "sums of narrow floats are rounded once; cast to f32 first");
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

  /// Whether tiles have all there is of the axis, and what is loaded stays.
  bool accessesWhole() {
    for (Operation *op : found.accesses) {
      AccessOperands access(op);
      auto view = cast<tile::ViewType>(access.view.getType());
      int64_t extent = view.getShape()[access.viewAxis[*axisOf(access.value)]];
      if (ShapedType::isDynamic(extent) || extent > found.size)
        return refuse(op, "the tile does not cover the axis of the view");
      if (!access.isWrite && writes(access.view))
        return refuse(op, "the kernel stores to a tensor that it loads");
    }
    return true;
  }

  /// Whether nothing of the axis depends on what it is reduced to, and
  /// everything stands in one block.
  bool isReadOnce() {
    SetVector<Operation *> behind;
    for (tile::ReduceOp reduce : found.reductions)
      getForwardSlice(reduce.getOperation(), &behind);
    for (Operation *op : behind)
      if (op->getBlock() != kernel.getEntryBlock() ||
          llvm::any_of(op->getOperands(), [&](Value v) { return axisOf(v); }) ||
          llvm::any_of(op->getResults(), [&](Value v) { return axisOf(v); }))
        return refuse(op,
                      "the axis is combined with the result of its reduction");
    for (auto [tile, axis] : found.axes)
      if (tile.getParentBlock() != kernel.getEntryBlock())
        return refuse(kernel, "the axis is used in a loop or a branch");
    return true;
  }

  bool relateLoop(scf::ForOp loop) {
    for (auto [init, argument, yielded, result] :
         llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                         loop.getYieldedValues(), loop.getResults()))
      for (Value value : {init, Value(argument), yielded, Value(result)})
        if (std::optional<int64_t> axis = axisOf(value))
          if (!markAll(loop, {init, argument, yielded, result}, *axis))
            return false;
    return true;
  }

  /// Whether blocks store whatever lies in the views: then what more of them
  /// would have is outside.
  bool storesAll() {
    auto expr = cast<tile::ExprAttr>(kernel.getGrid()[found.gridAxis]);
    AffineExpr blocks = expr.getMap().getResult(0);
    auto known = dyn_cast<AffineConstantExpr>(blocks);
    bool storesSome = false;
    for (Operation *op : found.accesses) {
      AccessOperands access(op);
      if (!access.isWrite)
        continue;
      storesSome = true;
      int64_t axis = access.viewAxis[*axisOf(access.value)];
      auto view = cast<tile::ViewType>(access.view.getType());
      int64_t extent = view.getShape()[axis];
      bool isCovered =
          !ShapedType::isDynamic(extent)
              ? known && known.getValue() * found.size >= extent
              : counts(expr, dyn_cast<BlockArgument>(access.view), axis);
      if (!isCovered)
        return refuse(op, "the blocks do not store the whole axis");
    }
    return storesSome;
  }

  /// Whether an axis of the grid has a block for each tile of an argument.
  bool counts(tile::ExprAttr expr, BlockArgument view, int64_t axis) {
    AffineExpr first = getAffineSymbolExpr(0, kernel.getContext());
    AffineExpr count = expr.getMap().getResult(0);
    if (!view || expr.getSources().size() != 1 ||
        (count != first.ceilDiv(found.size) &&
         (found.size != 1 || count != first)))
      return false;
    auto place = dyn_cast<DenseI64ArrayAttr>(expr.getSources()[0]);
    return place && place.size() == 2 &&
           place[0] == int64_t(view.getArgNumber()) && place[1] == axis;
  }

  tile::KernelOp kernel;
  StreamedAxis found;
  FreeAxisRefusal refusal;
  bool changed = false, isExtentOpen = false, isStreamed = false;
  SmallVector<Value> variables; ///< of the loops that number tiles
  bool followsDots;
};
} // namespace

std::optional<FreeAxis> findFreeAxis(tile::KernelOp kernel, int64_t gridAxis,
                                     FreeAxisRefusal *refusal,
                                     bool followsDots) {
  return FreeAxisSearch(kernel, gridAxis, followsDots).run(refusal);
}

std::optional<StreamedAxis> findStreamedAxis(tile::LoadOp load, int64_t axis,
                                             FreeAxisRefusal *refusal) {
  return FreeAxisSearch(load->getParentOfType<tile::KernelOp>(),
                        /*gridAxis=*/-1)
      .runFrom(load, axis, refusal);
}

std::optional<StreamedAxis> findLoopedAxis(tile::KernelOp kernel,
                                           ArrayRef<scf::ForOp> loops,
                                           FreeAxisRefusal *refusal) {
  return FreeAxisSearch(kernel, /*gridAxis=*/-1).runOver(loops, refusal);
}

void resizeTile(Value tile, int64_t axis, int64_t size) {
  auto type = cast<RankedTensorType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = size;
  tile.setType(type.clone(shape));
  Operation *op = tile.getDefiningOp();
  if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op))
    constant.setValueAttr(cast<SplatElementsAttr>(constant.getValue())
                              .resizeSplat(type.clone(shape)));
  else if (op && op->hasAttr("sizes"))
    op->setAttr("sizes", Builder(op->getContext()).getI64ArrayAttr(shape));
}

void resizeTiles(const FreeAxis &axis, int64_t size) {
  for (auto [tile, along] : axis.axes)
    resizeTile(tile, along, size);
}

void resize(tile::KernelOp kernel, const FreeAxis &axis, int64_t size) {
  Builder builder(kernel.getContext());
  resizeTiles(axis, size);
  SmallVector<Attribute> grid(kernel.getGrid().getValue());
  auto expr = cast<tile::ExprAttr>(grid[axis.gridAxis]);
  AffineMap map = expr.getMap();
  AffineExpr blocks = map.getResult(0);
  if (auto known = dyn_cast<AffineConstantExpr>(blocks)) {
    // What the last blocks had was outside.
    int64_t all =
        std::min(known.getValue() * axis.size, axis.extent.value_or(INT64_MAX));
    blocks = getAffineConstantExpr(all, kernel.getContext()).ceilDiv(size);
  } else {
    blocks = getAffineSymbolExpr(0, kernel.getContext()).ceilDiv(size);
  }
  grid[axis.gridAxis] = tile::ExprAttr::get(
      kernel.getContext(),
      AffineMap::get(map.getNumDims(), map.getNumSymbols(), blocks),
      expr.getSources());
  kernel.setGridAttr(builder.getArrayAttr(grid));
}

} // namespace tilegpt::tilegpu
