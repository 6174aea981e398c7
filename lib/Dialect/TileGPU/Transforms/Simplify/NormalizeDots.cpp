// Different spellings of a product become one: operands are loaded as they lie
// in memory, dots say how they are turned, and add to what is added to them.
#include "Simplify/DotPatterns.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_NORMALIZEDOTS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Replaces a load by one of the tile as it lies in `view`, and a permutation.
static void loadStraight(PatternRewriter &rewriter, tile::LoadOp load,
                         Value view, ValueRange indices,
                         ArrayRef<int64_t> permutation) {
  RankedTensorType type = load.getType();
  SmallVector<int64_t> shape =
      applyPermutation(type.getShape(), invertPermutationVector(permutation));
  Value straight = tile::LoadOp::create(
      rewriter, load.getLoc(), type.clone(shape), view, indices,
      /*mask=*/Value(), rewriter.getI64ArrayAttr(shape), load.getPad(),
      /*order=*/DenseI64ArrayAttr());
  rewriter.replaceOpWithNewOp<tile::PermuteOp>(load, type, straight,
                                               permutation);
}

namespace {
/// A load with an order becomes the load of the tile as it lies in the view,
/// and a permutation.
struct OrderedLoad : OpRewritePattern<tile::LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::LoadOp load,
                                PatternRewriter &rewriter) const override {
    std::optional<ArrayRef<int64_t>> order = load.getOrder();
    if (!order || load.getMask())
      return rewriter.notifyMatchFailure(load, "has no order, or a mask");
    // Axis i of the tile runs along axis order[i] of the view.
    loadStraight(rewriter, load, load.getView(), load.getIndices(), *order);
    return success();
  }
};

/// A load from a transposed view becomes a load from the view, and a
/// permutation.
struct LoadOfTranspose : OpRewritePattern<tile::LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::LoadOp load,
                                PatternRewriter &rewriter) const override {
    auto transpose = load.getView().getDefiningOp<tile::TransposeOp>();
    if (!transpose || load.getOrder() || load.getMask())
      return rewriter.notifyMatchFailure(load, "is of no transposed view");
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    SmallVector<Value> indices =
        applyPermutation(SmallVector<Value>(load.getIndices()),
                         invertPermutationVector(permutation));
    loadStraight(rewriter, load, transpose.getSource(), indices, permutation);
    return success();
  }
};

/// A window of a transposed view is the transposed window.
struct WindowOfTranspose : OpRewritePattern<tile::SubviewOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::SubviewOp window,
                                PatternRewriter &rewriter) const override {
    auto transpose = window.getSource().getDefiningOp<tile::TransposeOp>();
    if (!transpose)
      return rewriter.notifyMatchFailure(window, "is of no transposed view");
    SmallVector<int64_t> inverse =
        invertPermutationVector(transpose.getPermutation());
    SmallVector<OpFoldResult> offsets = getMixedValues(
        window.getStaticOffsets(), window.getOffsets(), rewriter);
    SmallVector<OpFoldResult> sizes =
        getMixedValues(window.getStaticSizes(), window.getSizes(), rewriter);
    offsets = applyPermutation(offsets, inverse);
    sizes = applyPermutation(sizes, inverse);
    SmallVector<int64_t> fixedOffsets, fixedSizes;
    SmallVector<Value> freeOffsets, freeSizes;
    dispatchIndexOpFoldResults(offsets, freeOffsets, fixedOffsets);
    dispatchIndexOpFoldResults(sizes, freeSizes, fixedSizes);
    tile::ViewType source = transpose.getSource().getType();
    // Dense or not: the strides of the source say it either way.
    SmallVector<int64_t> strides = source.getKnownStrides();
    auto type = tile::ViewType::get(getContext(), fixedSizes,
                                    source.getElementType(), strides);
    auto straight = tile::SubviewOp::create(
        rewriter, window.getLoc(), type, transpose.getSource(), freeOffsets,
        freeSizes, fixedOffsets, fixedSizes);
    rewriter.replaceOpWithNewOp<tile::TransposeOp>(
        window, window.getResult().getType(), straight,
        transpose.getPermutation());
    return success();
  }
};

/// A dot of a permuted matrix is the dot of the matrix, turned.
struct DotOfPermute : OpRewritePattern<tile::DotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::DotOp dot,
                                PatternRewriter &rewriter) const override {
    auto turned = [](Value operand) -> Value {
      auto permute = operand.getDefiningOp<tile::PermuteOp>();
      bool isTurned =
          permute && permute.getPermutation() == ArrayRef<int64_t>({1, 0});
      return isTurned ? permute.getSource() : Value();
    };
    Value lhs = turned(dot.getLhs()), rhs = turned(dot.getRhs());
    if (!lhs && !rhs)
      return rewriter.notifyMatchFailure(dot, "has no permuted operand");
    rewriter.modifyOpInPlace(dot, [&] {
      if (lhs) {
        dot.getLhsMutable().assign(lhs);
        dot.setTransposeA(!dot.getTransposeA());
      }
      if (rhs) {
        dot.getRhsMutable().assign(rhs);
        dot.setTransposeB(!dot.getTransposeB());
      }
    });
    return success();
  }
};

/// A sum of a product and what the loop carries is a product added to it. The
/// order of a dot's additions is free.
struct SumOfDot : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddFOp sum,
                                PatternRewriter &rewriter) const override {
    for (auto [product, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                                  std::pair(sum.getRhs(), sum.getLhs())}) {
      auto dot = product.getDefiningOp<tile::DotOp>();
      if (!dot || !dot->hasOneUse() || dot->getBlock() != sum->getBlock() ||
          !isa<scf::ForOp>(dot->getParentOp()) || !isZeroTile(dot.getAcc()) ||
          !isCarried(other))
        continue;
      auto joined = cast<tile::DotOp>(rewriter.clone(*dot));
      joined.getAccMutable().assign(other);
      rewriter.replaceOp(sum, joined.getResult());
      rewriter.eraseOp(dot);
      return success();
    }
    return rewriter.notifyMatchFailure(sum, "adds no product of a loop");
  }

  /// What the loop carries, or that times something. Other sums are left: the
  /// product would have to wait for what it is added to.
  static bool isCarried(Value value) {
    if (auto product = value.getDefiningOp<arith::MulFOp>())
      return isCarried(product.getLhs()) || isCarried(product.getRhs());
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getArgNumber() != 0;
  }
};

/// A conversion to nearest is a `tile.cast`, whatever it is called.
template <typename Op>
struct Conversion : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || op.getRoundingmodeAttr())
      return rewriter.notifyMatchFailure(op, "is no tile, or rounds elsewhere");
    rewriter.replaceOpWithNewOp<tile::CastOp>(op, type, op.getIn());
    return success();
  }
};

/// Of two equal numbers, zeros of either sign, the larger has the sign bit that
/// both have, the smaller the one that either has. A GPU's instructions order
/// zeros by themselves.
struct OrderedZeros : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SelectOp select,
                                PatternRewriter &rewriter) const override {
    Operation *chosen = select.getFalseValue().getDefiningOp();
    auto equal = select.getCondition().getDefiningOp<arith::CmpFOp>();
    auto number = select.getTrueValue().getDefiningOp<arith::BitcastOp>();
    Operation *bits = number ? number.getIn().getDefiningOp() : nullptr;
    bool isLarger =
             isa_and_nonnull<arith::MaxNumFOp, arith::MaximumFOp>(chosen),
         isSmaller =
             isa_and_nonnull<arith::MinNumFOp, arith::MinimumFOp>(chosen);
    if (!equal || equal.getPredicate() != arith::CmpFPredicate::OEQ ||
        !(isLarger ? isa_and_nonnull<arith::AndIOp>(bits)
                   : isSmaller && isa_and_nonnull<arith::OrIOp>(bits)))
      return rewriter.notifyMatchFailure(select, "orders no zeros");
    for (auto [side, operand] : llvm::enumerate(chosen->getOperands())) {
      auto ofBits = bits->getOperand(side).getDefiningOp<arith::BitcastOp>();
      if (equal->getOperand(side) != operand || !ofBits ||
          ofBits.getIn() != operand)
        return rewriter.notifyMatchFailure(select, "chooses between others");
    }
    rewriter.replaceOp(select, chosen->getResult(0));
    return success();
  }
};

/// The number that a tile consists of; null where there are several.
static FloatAttr splatFloatOf(Value tile) {
  SplatElementsAttr elements;
  FloatAttr number;
  if (matchPattern(tile, m_Constant(&elements)))
    return dyn_cast<FloatAttr>(elements.getSplatValue<Attribute>());
  if (auto splat = tile.getDefiningOp<tile::SplatOp>())
    matchPattern(splat.getValue(), m_Constant(&number));
  return number;
}

/// A maximum times a positive number is the maximum of what is multiplied, as
/// rounding keeps the order, where the loop multiplies by it anyhow.
struct ScaledMaximum : OpRewritePattern<arith::MulFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::MulFOp product,
                                PatternRewriter &rewriter) const override {
    Value column = product.getLhs();
    if (auto expand = column.getDefiningOp<tile::ExpandDimsOp>())
      column = expand.getSource();
    auto maximum = column.getDefiningOp<tile::ReduceOp>();
    FloatAttr factor = splatFloatOf(product.getRhs());
    if (!maximum || maximum.getKind() != tile::ReduceKind::Max ||
        maximum.getNumResults() != 1 || !maximum->hasOneUse() || !factor ||
        !factor.getValue().isFiniteNonZero() || factor.getValue().isNegative())
      return rewriter.notifyMatchFailure(product, "scales no maximum");
    for (Operation *user : maximum.getSources().front().getUsers()) {
      auto scaled = dyn_cast<arith::MulFOp>(user);
      if (!scaled || scaled->getBlock() != product->getBlock() ||
          scaled.getLhs() != maximum.getSources().front() ||
          splatFloatOf(scaled.getRhs()) != factor)
        continue;
      // What it multiplies by may only stand behind the maximum.
      rewriter.setInsertionPoint(maximum);
      auto type = cast<RankedTensorType>(scaled.getType());
      Value factors = arith::ConstantOp::create(
          rewriter, scaled.getLoc(),
          DenseElementsAttr::get(type, Attribute(factor)));
      Value early = arith::MulFOp::create(rewriter, scaled.getLoc(),
                                          scaled.getLhs(), factors);
      rewriter.modifyOpInPlace(maximum, [&] { maximum->setOperand(0, early); });
      rewriter.replaceOp(scaled, early);
      rewriter.replaceOp(product, product.getLhs());
      return success();
    }
    return rewriter.notifyMatchFailure(product, "nothing else is scaled so");
  }
};

/// Scores to which zero is added, or what hides them, as a choice: sums that
/// begin with zero are no negative zeros, and stay as they are. A negative zero
/// leaves every score as it is.
struct AddedMask : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddFOp sum,
                                PatternRewriter &rewriter) const override {
    auto dot = sum.getLhs().getDefiningOp<tile::DotOp>();
    auto mask = sum.getRhs().getDefiningOp<arith::SelectOp>();
    if (!mask || !mask->hasOneUse() ||
        !isa<RankedTensorType>(mask.getCondition().getType()))
      return rewriter.notifyMatchFailure(sum, "adds no mask");
    bool isSum = dot && isZeroTile(dot.getAcc());
    for (bool keepsTrue : {true, false}) {
      Value none = keepsTrue ? mask.getTrueValue() : mask.getFalseValue(),
            low = keepsTrue ? mask.getFalseValue() : mask.getTrueValue();
      FloatAttr zero = splatFloatOf(none);
      if (!zero || !zero.getValue().isZero() || !splatFloatOf(low) ||
          !(zero.getValue().isNegative() || isSum))
        continue;
      Value score = sum.getLhs(),
            hidden = arith::AddFOp::create(rewriter, sum.getLoc(), score, low);
      rewriter.replaceOpWithNewOp<arith::SelectOp>(sum, mask.getCondition(),
                                                   keepsTrue ? score : hidden,
                                                   keepsTrue ? hidden : score);
      return success();
    }
    return rewriter.notifyMatchFailure(sum, "adds something else than nothing");
  }
};

/// A condition as a number, 0 or 1, times a number: a choice.
struct ConvertedCondition : OpRewritePattern<arith::MulFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::MulFOp product,
                                PatternRewriter &rewriter) const override {
    auto number = product.getLhs().getDefiningOp<arith::UIToFPOp>();
    FloatAttr factor = splatFloatOf(product.getRhs());
    auto type = dyn_cast<RankedTensorType>(product.getType());
    if (!number || !type || !factor || !factor.getValue().isFinite() ||
        !getElementTypeOrSelf(number.getIn().getType()).isInteger(1))
      return rewriter.notifyMatchFailure(product, "scales no condition");
    APFloat zero = APFloat::getZero(factor.getValue().getSemantics(),
                                    factor.getValue().isNegative());
    Value none = arith::ConstantOp::create(rewriter, product.getLoc(),
                                           DenseElementsAttr::get(type, zero));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(product, number.getIn(),
                                                 product.getRhs(), none);
    return success();
  }
};

/// The larger of a number and a maximum that a loop carries, which is never
/// below that number: the maximum.
template <typename Op>
struct FlooredMaximum : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op larger,
                                PatternRewriter &rewriter) const override {
    auto inner = larger.getLhs().template getDefiningOp<Op>();
    FloatAttr floor = splatFloatOf(larger.getRhs());
    auto loop = dyn_cast<scf::ForOp>(larger->getParentOp());
    // Zeros have an order of their own.
    if (!inner || !floor || floor.getValue().isZero() || !loop)
      return rewriter.notifyMatchFailure(larger, "no floor of a maximum");
    for (auto [carried, begun, next] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs(),
                         loop.getYieldedValues())) {
      FloatAttr first = splatFloatOf(begun);
      if (next != larger.getResult() || !first || first.getValue().isNaN() ||
          first.getValue() < floor.getValue() ||
          !llvm::is_contained(inner->getOperands(), carried))
        continue;
      rewriter.replaceOp(larger, inner);
      return success();
    }
    return rewriter.notifyMatchFailure(larger, "may be below the number");
  }
};

/// Whether a tile is made of positions and numbers that a block knows.
static bool isPosition(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (isa_and_nonnull<tile::IotaOp, tile::SplatOp, arith::ConstantOp>(op))
    return true;
  return isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp,
                         arith::IndexCastOp, arith::ExtSIOp, tile::ExpandDimsOp,
                         tile::BroadcastOp>(op) &&
         llvm::all_of(op->getOperands(), isPosition);
}

/// A comparison of positions along one axis, for a whole tile.
struct BroadcastComparison : OpRewritePattern<tile::BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::BroadcastOp broadcast,
                                PatternRewriter &rewriter) const override {
    auto compare = broadcast.getSource().getDefiningOp<arith::CmpIOp>();
    if (!compare || !isPosition(compare.getLhs()) ||
        !isPosition(compare.getRhs()))
      return rewriter.notifyMatchFailure(broadcast, "compares no positions");
    auto widen = [&](Value tile) -> Value {
      auto type = cast<RankedTensorType>(broadcast.getType())
                      .clone(getElementTypeOrSelf(tile.getType()));
      return tile::BroadcastOp::create(rewriter, broadcast.getLoc(), type, tile,
                                       broadcast.getSizes());
    };
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(
        broadcast, compare.getPredicate(), widen(compare.getLhs()),
        widen(compare.getRhs()));
    return success();
  }
};
} // namespace

void tilegpu::populateNormalizeDotsPatterns(RewritePatternSet &patterns) {
  patterns
      .add<OrderedLoad, LoadOfTranspose, WindowOfTranspose, DotOfPermute,
           SumOfDot, OrderedZeros, Conversion<arith::TruncFOp>, ScaledMaximum,
           AddedMask, ConvertedCondition, FlooredMaximum<arith::MaximumFOp>,
           FlooredMaximum<arith::MaxNumFOp>, BroadcastComparison>(
          patterns.getContext());
  populateConcatenationPatterns(patterns);
  populateSumPatterns(patterns);
}

namespace {
struct NormalizeDots : tilegpu::impl::NormalizeDotsBase<NormalizeDots> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    populateNormalizeDotsPatterns(patterns);
    // Only for products: other kernels keep the loads they have written.
    bool multiplies =
        getOperation()
            .walk([](tile::DotOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (multiplies &&
        failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
