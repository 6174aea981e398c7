// Finds axes that can be split differently among blocks or iterations: their
// starting points and conditions.
#include "FreeAxis/AxisFollower.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class FreeAxisSearch : AxisFollower {
public:
  FreeAxisSearch(tile::KernelOp kernel, int64_t gridAxis,
                 bool followsDots = false, bool isPlaced = false)
      : AxisFollower(kernel, gridAxis, followsDots) {
    this->isPlaced = isPlaced;
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
                                      bool followsOffsets,
                                      FreeAxisRefusal *why) {
    isStreamed = true;
    this->followsOffsets = followsOffsets;
    for (scf::ForOp loop : loops)
      variables.push_back(loop.getInductionVar());
    bool isOne = collectNumbered(loops) && follow();
    if (why)
      *why = refusal;
    return isOne ? std::optional(std::move(found)) : std::nullopt;
  }

private:
  /// Marks the tiles indexed by loops.
  bool collectNumbered(ArrayRef<scf::ForOp> loops) {
    for (scf::ForOp loop : loops) {
      const bool hasOffsets =
          followsOffsets &&
          llvm::any_of(*loop.getBody(),
                       llvm::IsaPred<tile::LoadAtOp, tile::StoreAtOp>);
      for (Operation &op : *loop.getBody()) {
        if (isa<tile::LoadOp, tile::StoreOp>(op) && !markNumbered(&op))
          return false;
        auto sum = dyn_cast<arith::AddIOp>(op);
        if (hasOffsets && sum && !markPlaces(sum))
          return false;
      }
    }
    return !found.axes.empty() ||
           refuse(loops.front(), "no loop iterates over the tiles of an axis");
  }

  /// Marks the indices in a tile that a loop adds to the start of the tile.
  bool markPlaces(arith::AddIOp sum) {
    for (auto [start, indices] : {std::pair(sum.getLhs(), sum.getRhs()),
                                  std::pair(sum.getRhs(), sum.getLhs())}) {
      auto iota = withoutShapes(indices).getDefiningOp<tile::IotaOp>();
      auto splat = withoutShapes(start).getDefiningOp<tile::SplatOp>();
      if (!iota || !splat || !isNumbered(splat.getOperand()))
        continue;
      int64_t size = iota.getType().getDimSize(0);
      if (found.size == 0)
        found.size = size;
      return size == found.size ? mark(iota, iota, 0)
                                : refuse(sum, "loops iterate over tiles or "
                                              "axes of different sizes");
    }
    return true;
  }

  /// The source of a chain of ops that only change the shape.
  static Value withoutShapes(Value tile) {
    while (
        isa_and_nonnull<tile::ReshapeOp, tile::ExpandDimsOp, tile::BroadcastOp>(
            tile.getDefiningOp()))
      tile = tile.getDefiningOp()->getOperand(0);
    return tile;
  }

  /// Whether a scalar is computed from the number of an iteration.
  bool isNumbered(Value scalar) const {
    if (llvm::is_contained(variables, scalar))
      return true;
    Operation *op = scalar.getDefiningOp();
    return op && isa<arith::ArithDialect>(op->getDialect()) &&
           llvm::any_of(op->getOperands(),
                        [&](Value each) { return isNumbered(each); });
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
        return refuse(op,
                      "loops iterate over tiles or axes of different sizes");
      if (!mark(op, access.value, axis))
        return false;
    }
    return true;
  }

  /// Only loads and stores access memory, and use the block id.
  bool collectAccesses() {
    auto result = kernel.getBody().walk([&](Operation *op) {
      if (auto id = dyn_cast<tile::BlockIdOp>(op))
        return isPlaced || !isNumber(id) ||
                       llvm::all_of(id->getUsers(),
                                    [](Operation *user) {
                                      return isa<tile::LoadOp, tile::StoreOp>(
                                          user);
                                    })
                   ? WalkResult::advance()
                   : fail(op,
                          "the block id is used other than to address tiles");
      if (isa<tile::DotOp>(op) && !followsDots)
        return fail(op, "tiles of kernels with dots are not resized");
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
                 ? refuse(op, "all blocks access the same elements of a tensor "
                              "that the kernel stores to")
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

  /// Whether tiles cover the whole axis, and loaded memory is not modified.
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

  /// Whether nothing along the axis depends on its reduction, and everything is
  /// in one basic block.
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

  /// Whether blocks store everything within the views: additional elements
  /// would be out of bounds.
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
};
} // namespace

std::optional<FreeAxis> findFreeAxis(tile::KernelOp kernel, int64_t gridAxis,
                                     FreeAxisRefusal *refusal,
                                     bool followsDots) {
  return FreeAxisSearch(kernel, gridAxis, followsDots).run(refusal);
}

std::optional<FreeAxis> findPlacedAxis(tile::KernelOp kernel, int64_t gridAxis,
                                       FreeAxisRefusal *refusal) {
  return FreeAxisSearch(kernel, gridAxis, /*followsDots=*/true,
                        /*isPlaced=*/true)
      .run(refusal);
}

std::optional<StreamedAxis> findStreamedAxis(tile::LoadOp load, int64_t axis,
                                             FreeAxisRefusal *refusal) {
  return FreeAxisSearch(load->getParentOfType<tile::KernelOp>(),
                        /*gridAxis=*/-1)
      .runFrom(load, axis, refusal);
}

std::optional<StreamedAxis> findLoopedAxis(tile::KernelOp kernel,
                                           ArrayRef<scf::ForOp> loops,
                                           FreeAxisRefusal *refusal,
                                           LoopedAxisOptions options) {
  return FreeAxisSearch(kernel, /*gridAxis=*/-1, options.dots)
      .runOver(loops, options.offsets, refusal);
}

} // namespace tilegpt::tilegpu
