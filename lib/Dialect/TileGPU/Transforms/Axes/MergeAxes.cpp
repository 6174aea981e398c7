// Merges axes of views and tiles, so that rows of tensors of any rank are rows
// of a matrix, for which later passes choose where they are kept.
#include "Axes/MergeTiles.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_MERGEAXES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Whether an op is a plain load or store of a dense view of known sizes.
static bool isMergeable(Operation *op) {
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    if (load.getMask() || load.getOrder())
      return false;
  } else if (auto store = dyn_cast<tile::StoreOp>(op)) {
    if (store.getMask() || store.getOrder())
      return false;
  } else {
    return false;
  }
  auto view = cast<tile::ViewType>(AccessOperands(op).view.getType());
  return view.isDense() &&
         llvm::none_of(view.getShape(), ShapedType::isDynamic) &&
         llvm::all_of(view.getShape(), [](int64_t size) { return size > 0; });
}

static ArrayRef<int64_t> shapeOf(Value view) {
  return cast<tile::ViewType>(view.getType()).getShape();
}

/// The indices of an access, whose tile may have another rank by now.
static SmallVector<Value> indicesOf(Operation *op) {
  auto load = dyn_cast<tile::LoadOp>(op);
  return load ? SmallVector<Value>(load.getIndices())
              : SmallVector<Value>(cast<tile::StoreOp>(op).getIndices());
}

static Value viewOf(Operation *op) {
  auto load = dyn_cast<tile::LoadOp>(op);
  return load ? load.getView() : cast<tile::StoreOp>(op).getView();
}

/// The access in its merged form; `indices` are those of the merged view.
static Operation *moveAccess(Operation *op, Value view, ValueRange indices,
                             Value value, RankedTensorType type) {
  OpBuilder builder(op);
  auto load = dyn_cast<tile::LoadOp>(op);
  if (!load)
    return tile::StoreOp::create(builder, op->getLoc(), value, view, indices,
                                 /*mask=*/Value(),
                                 /*order=*/DenseI64ArrayAttr());
  return tile::LoadOp::create(builder, op->getLoc(), type, view, indices,
                              /*mask=*/Value(),
                              builder.getI64ArrayAttr(type.getShape()),
                              load.getPad(), /*order=*/DenseI64ArrayAttr());
}

/// Removes reshapes of reshapes, which hide from later passes what is loaded.
static void foldReshapes(tile::KernelOp kernel) {
  SmallVector<tile::ReshapeOp> reshapes;
  kernel.walk([&](tile::ReshapeOp reshape) { reshapes.push_back(reshape); });
  for (tile::ReshapeOp reshape : reshapes) {
    while (auto inner = reshape.getSource().getDefiningOp<tile::ReshapeOp>())
      reshape.getSourceMutable().assign(inner.getSource());
    if (reshape.getSource().getType() == reshape.getType())
      reshape.getResult().replaceAllUsesWith(reshape.getSource());
  }
  for (tile::ReshapeOp reshape : llvm::reverse(reshapes))
    if (reshape->use_empty())
      reshape->erase();
}

namespace {
/// Merged views, each made once.
class MergedViews {
public:
  MergedViews(tile::KernelOp kernel, const AxisRange &range)
      : builder(kernel.getContext()), range(range) {}

  Value of(Value view) {
    Value &merged = views[view];
    if (!merged) {
      builder.setInsertionPointAfterValue(view);
      SmallVector<int64_t> shape = range.merge(shapeOf(view));
      // Tiles of several entries of the first axis become its entries.
      if (range.addsUnit) {
        shape[0] = shapeOf(view)[0] / range.sizes[0];
        shape[1] /= shape[0];
      }
      merged = viewAs(builder, view, shape);
    }
    return merged;
  }

private:
  OpBuilder builder;
  const AxisRange &range;
  llvm::DenseMap<Value, Value> views;
};

/// The leading axes of views that the grid counts: all blocks together are
/// those of one axis.
class LeadingAxes {
public:
  explicit LeadingAxes(tile::KernelOp kernel) : kernel(kernel) {}

  bool merge() {
    tile::StoreOp first;
    kernel.walk([&](tile::StoreOp store) {
      if (!first)
        first = store;
    });
    if (!first || !isMergeable(first) || !findGroup(first) || !findRows() ||
        !isWorthIt())
      return false;
    TileMerging tiles(kernel, range, rows);
    if (!tiles.follow())
      return false;
    OpBuilder builder(kernel.getContext());
    builder.setInsertionPointToStart(kernel.getEntryBlock());
    auto row = tile::BlockIdOp::create(builder, kernel.getLoc(), 0);
    MergedViews views(kernel, range);
    tiles.rewrite([&](Operation *op, Value value, RankedTensorType type) {
      SmallVector<Value> indices = {row}, old = indicesOf(op);
      llvm::append_range(indices, ArrayRef(old).drop_front(range.count()));
      return moveAccess(op, views.of(viewOf(op)), indices, value, type);
    });
    replaceBlocks(row);
    return true;
  }

private:
  /// The axes of the grid that index the first axes of a stored tile, one or
  /// more, if they are all.
  bool findGroup(tile::StoreOp store) {
    AccessOperands access(store);
    ArrayRef<int64_t> view = shapeOf(access.view);
    int64_t blocks = 1;
    for (auto [axis, index] : llvm::enumerate(access.indices)) {
      auto block =
          index ? index.getDefiningOp<tile::BlockIdOp>() : tile::BlockIdOp();
      int64_t size = access.tile.getDimSize(axis);
      if (!block || view[axis] % size != 0 ||
          knownBlocks(kernel, block.getAxis()) != view[axis] / size ||
          llvm::is_contained(gridAxes, int64_t(block.getAxis())) ||
          // Only the last may be cut into tiles of several elements.
          (!range.sizes.empty() && range.sizes.back() != 1))
        break;
      gridAxes.push_back(block.getAxis());
      counts.push_back(view[axis] / size);
      range.sizes.push_back(size);
      extents.push_back(view[axis]);
      blocks *= counts.back();
    }
    constexpr int64_t mostBlocksOfAxis = (int64_t(1) << 31) - 1;
    return range.count() >= 2 && knownBlocks(kernel) == blocks &&
           blocks <= mostBlocksOfAxis;
  }

  bool isInGroup(Operation *block) const {
    auto id = dyn_cast<tile::BlockIdOp>(block);
    return id && llvm::is_contained(gridAxes, int64_t(id.getAxis()));
  }

  /// Whether an access is to the tiles that the group numbers.
  bool isRow(Operation *op) const {
    if (!isMergeable(op))
      return false;
    AccessOperands access(op);
    if (int64_t(access.indices.size()) < range.count() ||
        ArrayRef(extents) != shapeOf(access.view).take_front(range.count()) ||
        ArrayRef(range.sizes) !=
            access.tile.getShape().take_front(range.count()))
      return false;
    for (auto [axis, gridAxis] : llvm::enumerate(gridAxes)) {
      Value index = access.indices[axis];
      auto block =
          index ? index.getDefiningOp<tile::BlockIdOp>() : tile::BlockIdOp();
      if (!block || int64_t(block.getAxis()) != gridAxis)
        return false;
    }
    return llvm::none_of(ArrayRef(access.indices).drop_front(range.count()),
                         [&](Value index) {
                           return index && index.getDefiningOp() &&
                                  isInGroup(index.getDefiningOp());
                         });
  }

  bool findRows() {
    bool storesOther = false, isCounted = false, haveColumns = false;
    kernel.walk([&](Operation *op) {
      if (isRow(op)) {
        rows.push_back(op);
        haveColumns |= AccessOperands(op).tile.getRank() > range.count();
      } else
        storesOther |= isAccess(op) && AccessOperands(op).isWrite;
      isCounted |= isa<tile::NumBlocksOp>(op);
    });
    // Else the group numbers pieces of rows, too.
    return haveColumns && !storesOther && !isCounted;
  }

  /// Whether rows are not merged at the expense of what their number is used
  /// for besides: with several rows, a block would need several of these.
  bool isWorthIt() {
    bool hasOthers = false;
    kernel.walk([&](tile::BlockIdOp id) {
      hasOthers |= llvm::any_of(id->getUsers(), [&](Operation *user) {
        return !llvm::is_contained(rows, user);
      });
    });
    if (!hasOthers)
      return true;
    // A tile that is reduced to one element is a row, too.
    bool reducesTiles = false;
    kernel.walk([&](tile::ReduceOp reduce) {
      reducesTiles |= int64_t(reduce.getAxis()) == range.end() - 1;
    });
    return llvm::any_of(rows, [&](Operation *op) {
      return llvm::product_of(shapeOf(viewOf(op)).drop_front(range.count())) *
                 (reducesTiles ? range.sizes.back() : 1) >=
             LongRows::fewestColumns;
    });
  }

  /// The id that a block had along an axis of the grid.
  Value digitOf(Arithmetic &math, Value row, int64_t gridAxis) {
    const auto *place = llvm::find(gridAxes, gridAxis);
    if (place == gridAxes.end()) // the only block along its axis
      return math.sub(row, row);
    size_t digit = place - gridAxes.begin();
    int64_t behind = llvm::product_of(ArrayRef(counts).drop_front(digit + 1));
    Value id = behind == 1 ? row : math.div(row, behind);
    return digit == 0 ? id : math.rem(id, counts[digit]);
  }

  /// Replaces the grid by one axis, and block ids by digits of the row's.
  void replaceBlocks(tile::BlockIdOp row) {
    OpBuilder builder(kernel.getContext());
    Arithmetic math(builder, kernel.getLoc());
    SmallVector<tile::BlockIdOp> old;
    kernel.walk([&](tile::BlockIdOp id) {
      if (id != row)
        old.push_back(id);
    });
    for (tile::BlockIdOp id : old) {
      // Accesses of rows do not use them any more.
      builder.setInsertionPointAfter(row);
      if (!id->use_empty())
        id.getResult().replaceAllUsesWith(digitOf(math, row, id.getAxis()));
      id->erase();
    }
    const int64_t blocks = llvm::product_of(counts);
    MLIRContext *context = kernel.getContext();
    Attribute count = tile::ExprAttr::get(
        context, AffineMap::get(0, 0, getAffineConstantExpr(blocks, context)),
        builder.getArrayAttr({}));
    kernel.setGridAttr(builder.getArrayAttr(count));
  }

  tile::KernelOp kernel;
  AxisRange range;
  SmallVector<int64_t> gridAxes, counts, extents;
  SmallVector<Operation *> rows;
};

/// The axes that blocks load whole and reduce together: those behind the
/// first, or all, of which the first is cut into tiles.
class TrailingAxes {
public:
  explicit TrailingAxes(tile::KernelOp kernel) : kernel(kernel) {}

  bool merge() {
    kernel.walk([&](tile::LoadOp load) {
      ArrayRef<int64_t> tile = load.getType().getShape();
      if (!range.sizes.empty() || tile.size() < 2 || !isMergeable(load))
        return;
      range.addsUnit = tile[0] != 1;
      range.first = !range.addsUnit;
      if (isWhole(load))
        range.sizes = llvm::to_vector(tile.drop_front(range.first));
    });
    if (range.count() < 2 || !findAccesses())
      return false;
    TileMerging tiles(kernel, range, accesses);
    if (!tiles.follow()) {
      // Blocks of several rows are no exception.
      if (!range.addsUnit)
        explainMissed(tiles.obstacle, "tile")
            << "axes that are contiguous in memory are not merged: the op "
               "treats them differently";
      return false;
    }
    MergedViews views(kernel, range);
    tiles.rewrite([&](Operation *op, Value value, RankedTensorType type) {
      SmallVector<Value> old = indicesOf(op);
      return moveAccess(op, views.of(viewOf(op)), ArrayRef(old).take_front(2),
                        value, type);
    });
    return true;
  }

private:
  /// Whether an access is to all of the axes behind the first, and to a tile of
  /// the first that does not cross its end.
  static bool isWhole(Operation *op) {
    AccessOperands access(op);
    ArrayRef<int64_t> tile = access.tile.getShape(),
                      view = shapeOf(access.view);
    return tile.size() == view.size() && view[0] % tile[0] == 0 &&
           tile.drop_front() == view.drop_front() &&
           llvm::all_of(ArrayRef(access.indices).drop_front(), [](Value index) {
             return index && isConstantIntValue(index, 0);
           });
  }

  /// Finds the accesses to whole tiles of these axes.
  bool findAccesses() {
    kernel.walk([&](Operation *op) {
      if (isMergeable(op) && isWhole(op) &&
          AccessOperands(op).tile.getShape().drop_front(range.first) ==
              ArrayRef(range.sizes))
        accesses.push_back(op);
    });
    return !accesses.empty();
  }

  tile::KernelOp kernel;
  AxisRange range;
  SmallVector<Operation *> accesses;
};

struct MergeAxes : tilegpu::impl::MergeAxesBase<MergeAxes> {
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (failed(tile::verifySpecialized(kernel)))
      return signalPassFailure();
    bool reduces = false, multiplies = false;
    kernel.walk([&](Operation *op) {
      reduces |= isa<tile::ReduceOp, tile::ScanOp>(op);
      multiplies |= isa<tile::DotOp>(op);
    });
    if (kernel.isRaw() || !reduces || multiplies)
      return;
    if (LeadingAxes(kernel).merge()) {
      explainPassed(kernel, "grid")
          << "blocks are numbered along one axis, by rows of memory";
      ++numLeading;
      foldReshapes(kernel);
    }
    if (TrailingAxes(kernel).merge()) {
      explainPassed(kernel, "tile")
          << "axes that are contiguous in memory are merged into one";
      ++numTrailing;
      foldReshapes(kernel);
    }
  }
};
} // namespace
