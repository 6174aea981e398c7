// Rewrites products of tiles with unit axes to products of matrices, the only
// form that later passes handle.
#include "Simplify/DotPatterns.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_DROPUNITAXES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// The unit axes that `wide` has in addition to `narrow`; nullopt if they
/// differ in anything else, or not at all.
static std::optional<SmallVector<int64_t>>
unitAxesOf(ArrayRef<int64_t> wide, ArrayRef<int64_t> narrow) {
  SmallVector<int64_t> axes;
  size_t kept = 0;
  for (auto [axis, size] : llvm::enumerate(wide)) {
    bool isKept = kept != narrow.size() && narrow[kept] == size &&
                  // Drop leading unit axes first.
                  (size != 1 || wide.size() - axis == narrow.size() - kept);
    if (isKept)
      ++kept;
    else if (size == 1)
      axes.push_back(axis);
    else
      return std::nullopt;
  }
  if (kept != narrow.size() || axes.empty())
    return std::nullopt;
  return axes;
}

/// The source of a reshape that adds unit axes, and these axes.
static std::optional<
    std::pair<TypedValue<RankedTensorType>, SmallVector<int64_t>>>
findNarrow(Value value) {
  auto reshape = value.getDefiningOp<tile::ReshapeOp>();
  if (!reshape)
    return std::nullopt;
  auto axes = unitAxesOf(reshape.getType().getShape(),
                         reshape.getSource().getType().getShape());
  if (!axes)
    return std::nullopt;
  return std::pair(reshape.getSource(), *axes);
}

static Value reshape(OpBuilder &builder, Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return tile::ReshapeOp::create(builder, value.getLoc(), type.clone(shape),
                                 value, builder.getI64ArrayAttr(shape));
}

/// Whether an index is in bounds of an axis of a view (i1). Sets the index to 0
/// if it is not.
static Value enterView(OpBuilder &builder, Location loc, Value view,
                       int64_t axis, Value &index) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0),
        size = tile::DimOp::create(builder, loc, view, axis);
  // Unsigned, a negative index is out of bounds, too.
  Value isEntry = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        index, size);
  index = arith::SelectOp::create(builder, loc, isEntry, index, zero);
  return isEntry;
}

/// The whole view if a condition holds, else an empty one.
static Value keepIf(OpBuilder &builder, Location loc, Value condition,
                    Value view) {
  auto type = cast<tile::ViewType>(view.getType());
  SmallVector<int64_t> shape(type.getShape()), fixed(type.getRank(), 0);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0),
        size = tile::DimOp::create(builder, loc, view, 0);
  Value kept = arith::SelectOp::create(builder, loc, condition, size, zero);
  SmallVector<Value> sizes = {kept};
  SmallVector<int64_t> fixedSizes = {ShapedType::kDynamic};
  shape.front() = ShapedType::kDynamic;
  for (int64_t axis = 1; axis < type.getRank(); ++axis) {
    fixedSizes.push_back(shape[axis]);
    if (ShapedType::isDynamic(shape[axis]))
      sizes.push_back(tile::DimOp::create(builder, loc, view, axis));
  }
  // A window is dense only where static sizes say so.
  SmallVector<int64_t> strides = type.getKnownStrides();
  if (llvm::none_of(strides, ShapedType::isDynamic))
    strides.assign(type.getStrides().begin(), type.getStrides().end());
  auto window = tile::ViewType::get(builder.getContext(), shape,
                                    type.getElementType(), strides);
  return tile::SubviewOp::create(builder, loc, window, view,
                                 /*offsets=*/ValueRange(), sizes, fixed,
                                 fixedSizes);
}

/// The view without the axes that are fixed at their `indices`; updates
/// `indices` to those of the other axes. The view is empty if an index is out
/// of bounds: loads from it read the pad value, and stores are dropped.
static Value dropAxes(PatternRewriter &rewriter, Location loc, Value view,
                      ArrayRef<int64_t> axes, SmallVector<Value> &indices) {
  IndexFacts facts;
  Value isEntry;
  for (int64_t axis : axes)
    if (!facts.isEntry(indices[axis], view, axis)) {
      Value isInside = enterView(rewriter, loc, view, axis, indices[axis]);
      isEntry = isEntry
                    ? arith::AndIOp::create(rewriter, loc, isEntry, isInside)
                    : isInside;
    }
  auto type = cast<tile::ViewType>(view.getType());
  SmallVector<int64_t> permutation(axes);
  for (int64_t axis = 0; axis != type.getRank(); ++axis)
    if (!llvm::is_contained(axes, axis))
      permutation.push_back(axis);
  indices = applyPermutation(indices, permutation);
  if (!llvm::is_sorted(permutation)) {
    type = tile::ViewType::get(
        rewriter.getContext(), applyPermutation(type.getShape(), permutation),
        type.getElementType(),
        applyPermutation(ArrayRef<int64_t>(type.getKnownStrides()),
                         permutation));
    view = tile::TransposeOp::create(rewriter, loc, type, view, permutation);
  }
  size_t count = axes.size();
  ArrayRef<int64_t> strides;
  if (!type.isDense())
    strides = type.getStrides().drop_front(count);
  auto entry = tile::ViewType::get(rewriter.getContext(),
                                   type.getShape().drop_front(count),
                                   type.getElementType(), strides);
  view = tile::SelectOp::create(rewriter, loc, entry, view,
                                ArrayRef(indices).take_front(count));
  indices.erase(indices.begin(), indices.begin() + count);
  return isEntry ? keepIf(rewriter, loc, isEntry, view) : view;
}

namespace {
/// A batch of one product is a product.
struct BatchOfOne : OpRewritePattern<tile::DotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::DotOp dot,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = dot.getType();
    if (type.getRank() != 3 || type.getDimSize(0) != 1)
      return rewriter.notifyMatchFailure(dot, "is not a batch of size 1");
    SmallVector<Value> operands;
    for (Value operand : dot->getOperands())
      operands.push_back(reshape(
          rewriter, operand,
          cast<RankedTensorType>(operand.getType()).getShape().drop_front()));
    Operation *single = mlir::clone(
        rewriter, dot, TypeRange(type.clone(type.getShape().drop_front())),
        operands);
    rewriter.replaceOp(
        dot, reshape(rewriter, single->getResult(0), type.getShape()));
    return success();
  }
};

/// Loads a tile without the unit axes that a reshape drops.
struct NarrowLoad : OpRewritePattern<tile::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::ReshapeOp narrow,
                                PatternRewriter &rewriter) const override {
    auto load = narrow.getSource().getDefiningOp<tile::LoadOp>();
    ArrayRef<int64_t> shape = narrow.getType().getShape();
    if (!load || !load->hasOneUse() || load.getMask() || load.getOrder())
      return rewriter.notifyMatchFailure(narrow,
                                         "the source is not a plain load");
    auto axes = unitAxesOf(load.getType().getShape(), shape);
    if (!axes || shape.empty())
      return rewriter.notifyMatchFailure(narrow,
                                         "does not only drop unit axes");
    rewriter.setInsertionPoint(load);
    SmallVector<Value> indices(load.getIndices());
    Value view =
        dropAxes(rewriter, load.getLoc(), load.getView(), *axes, indices);
    Value tile = tile::LoadOp::create(
        rewriter, load.getLoc(), narrow.getType(), view, indices,
        /*mask=*/Value(), rewriter.getI64ArrayAttr(shape), load.getPad(),
        /*order=*/DenseI64ArrayAttr());
    rewriter.replaceOp(narrow, tile);
    rewriter.eraseOp(load);
    return success();
  }
};

/// Stores a tile without the unit axes that a reshape adds.
struct NarrowStore : OpRewritePattern<tile::StoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::StoreOp store,
                                PatternRewriter &rewriter) const override {
    auto narrow = findNarrow(store.getValue());
    if (!narrow || store.getMask() || store.getOrder() ||
        narrow->first.getType().getRank() == 0)
      return rewriter.notifyMatchFailure(store,
                                         "does not store added unit axes");
    SmallVector<Value> indices(store.getIndices());
    Value view = dropAxes(rewriter, store.getLoc(), store.getView(),
                          narrow->second, indices);
    rewriter.replaceOpWithNewOp<tile::StoreOp>(store, narrow->first, view,
                                               indices, /*mask=*/Value(),
                                               /*order=*/DenseI64ArrayAttr());
    return success();
  }
};

/// Sinks a reshape that adds unit axes below an elementwise op.
struct SinkBelowElementwise : RewritePattern {
  SinkBelowElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!tile::isElementwise(op) || op->getNumResults() != 1 ||
        op->getNumRegions() != 0)
      return rewriter.notifyMatchFailure(op, "is not elementwise");
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "does not return a tile");
    for (Value operand : op->getOperands()) {
      auto narrow = findNarrow(operand);
      if (!narrow)
        continue;
      ArrayRef<int64_t> shape = narrow->first.getType().getShape();
      SmallVector<Value> operands;
      for (Value other : op->getOperands())
        operands.push_back(isa<RankedTensorType>(other.getType())
                               ? reshape(rewriter, other, shape)
                               : other);
      Operation *made =
          mlir::clone(rewriter, op, TypeRange(type.clone(shape)), operands);
      rewriter.replaceOp(
          op, reshape(rewriter, made->getResult(0), type.getShape()));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "has no operand with unit axes");
  }
};

/// Sinks a reshape that adds unit axes below a reduction along another axis.
struct SinkBelowReduction : OpRewritePattern<tile::ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::ReduceOp reduce,
                                PatternRewriter &rewriter) const override {
    const int64_t axis = reduce.getAxis();
    if (!reduce.getKind() || !reduce.getKeepdims())
      return rewriter.notifyMatchFailure(reduce, "has a region or loses axes");
    auto narrow = findNarrow(reduce.getSources().front());
    if (!narrow || llvm::is_contained(narrow->second, axis))
      return rewriter.notifyMatchFailure(
          reduce, "the source has no unit axes besides that of the reduction");
    auto type = cast<RankedTensorType>(reduce.getResultTypes().front());
    const int64_t kept = axis - llvm::count_if(narrow->second, [&](int64_t at) {
                           return at < axis;
                         });
    SmallVector<int64_t> shape(narrow->first.getType().getShape());
    shape[kept] = 1;
    auto made = tile::ReduceOp::create(
        rewriter, reduce.getLoc(), TypeRange{type.clone(shape)},
        ValueRange{narrow->first}, kept, reduce.getKindAttr(),
        /*identities=*/ArrayAttr(), /*keepdims=*/true, reduce.getNanPolicy());
    rewriter.replaceOp(reduce,
                       reshape(rewriter, made->getResult(0), type.getShape()));
    return success();
  }
};

/// A reshape that drops the unit axis of an expanded tile is one of that tile.
struct NarrowExpansion : OpRewritePattern<tile::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::ReshapeOp narrow,
                                PatternRewriter &rewriter) const override {
    auto expand = narrow.getSource().getDefiningOp<tile::ExpandDimsOp>();
    if (!expand ||
        !unitAxesOf(expand.getType().getShape(), narrow.getType().getShape()))
      return rewriter.notifyMatchFailure(narrow,
                                         "drops no axis of an expanded tile");
    rewriter.replaceOp(narrow, reshape(rewriter, expand.getSource(),
                                       narrow.getType().getShape()));
    return success();
  }
};

/// Hoists a reshape that drops unit axes above an elementwise op.
struct HoistAboveElementwise : OpRewritePattern<tile::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::ReshapeOp narrow,
                                PatternRewriter &rewriter) const override {
    Operation *op = narrow.getSource().getDefiningOp();
    ArrayRef<int64_t> shape = narrow.getType().getShape();
    if (!op || !op->hasOneUse() || op->getNumRegions() != 0 ||
        op->getNumResults() != 1 || !tile::isElementwise(op) ||
        op->getNumOperands() == 0 ||
        !unitAxesOf(narrow.getSource().getType().getShape(), shape))
      return rewriter.notifyMatchFailure(narrow,
                                         "the source is not an elementwise op");
    rewriter.setInsertionPoint(op);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isa<RankedTensorType>(operand.getType())
                             ? reshape(rewriter, operand, shape)
                             : operand);
    Operation *made =
        mlir::clone(rewriter, op, TypeRange(narrow.getType()), operands);
    rewriter.replaceOp(narrow, made->getResults());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Creates a splat or broadcast without the unit axes that a reshape drops.
struct NarrowSplat : OpRewritePattern<tile::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::ReshapeOp narrow,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = narrow.getType();
    ArrayAttr sizes = rewriter.getI64ArrayAttr(type.getShape());
    if (auto splat = narrow.getSource().getDefiningOp<tile::SplatOp>()) {
      rewriter.replaceOpWithNewOp<tile::SplatOp>(narrow, type, splat.getValue(),
                                                 sizes);
      return success();
    }
    auto broadcast = narrow.getSource().getDefiningOp<tile::BroadcastOp>();
    if (!broadcast)
      return rewriter.notifyMatchFailure(
          narrow, "the source is not a splat or broadcast");
    auto axes = unitAxesOf(broadcast.getType().getShape(), type.getShape());
    if (!axes)
      return rewriter.notifyMatchFailure(narrow,
                                         "does not only drop unit axes");
    RankedTensorType source = broadcast.getSource().getType();
    int64_t added = broadcast.getType().getRank() - source.getRank();
    SmallVector<int64_t> shape;
    for (auto [axis, size] : llvm::enumerate(source.getShape()))
      if (!llvm::is_contained(*axes, int64_t(axis) + added))
        shape.push_back(size);
    if (shape.empty())
      return rewriter.notifyMatchFailure(narrow, "the source has one element");
    rewriter.replaceOpWithNewOp<tile::BroadcastOp>(
        narrow, type, reshape(rewriter, broadcast.getSource(), shape), sizes);
    return success();
  }
};

/// Sinks the unit axes of loop-carried tiles below the loop.
struct SinkBelowLoop : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ForOp loop,
                                PatternRewriter &rewriter) const override {
    auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
    SmallVector<Value> inits(loop.getInitArgs());
    bool isChanged = false;
    for (auto [init, next] : llvm::zip_equal(inits, yield.getOperands()))
      if (auto narrow = findNarrow(next)) {
        init = reshape(rewriter, init, narrow->first.getType().getShape());
        isChanged = true;
      }
    if (!isChanged)
      return rewriter.notifyMatchFailure(loop,
                                         "carries no tile with unit axes");
    auto made =
        scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(),
                           loop.getUpperBound(), loop.getStep(), inits);
    made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    if (!made.getBody()->empty())
      rewriter.eraseOp(made.getBody()->getTerminator());

    rewriter.setInsertionPointToStart(made.getBody());
    auto widen = [&](ValueRange values, TypeRange types) {
      SmallVector<Value> wide;
      for (auto [value, type] : llvm::zip_equal(values, types)) {
        auto tile = dyn_cast<RankedTensorType>(type);
        wide.push_back(tile ? reshape(rewriter, value, tile.getShape())
                            : Value(value));
      }
      return wide;
    };
    SmallVector<Value> arguments = {made.getInductionVar()};
    llvm::append_range(arguments,
                       widen(made.getRegionIterArgs(), loop.getResultTypes()));
    rewriter.mergeBlocks(loop.getBody(), made.getBody(), arguments);
    rewriter.modifyOpInPlace(yield, [&] {
      for (OpOperand &next : yield->getOpOperands())
        if (next.get().getType() !=
            made.getResultTypes()[next.getOperandNumber()])
          next.set(findNarrow(next.get())->first);
    });
    rewriter.setInsertionPointAfter(made);
    rewriter.replaceOp(loop, widen(made.getResults(), loop.getResultTypes()));
    return success();
  }
};

} // namespace

void tilegpu::populateDropUnitAxesPatterns(RewritePatternSet &patterns) {
  patterns.add<BatchOfOne, NarrowLoad, NarrowStore, SinkBelowElementwise,
               SinkBelowReduction, HoistAboveElementwise, NarrowExpansion,
               NarrowSplat, SinkBelowLoop>(patterns.getContext());
}

namespace {
struct DropUnitAxes : tilegpu::impl::DropUnitAxesBase<DropUnitAxes> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    // Only kernels with dots need this; others keep their loads as written.
    bool multiplies =
        getOperation()
            .walk([](tile::DotOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (!multiplies)
      return;
    RewritePatternSet patterns(&getContext());
    populateDropUnitAxesPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
