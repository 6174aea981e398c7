// Canonicalizes dots: loads operands as they lie in memory, folds transposes
// into the dots, and additions into their accumulators.
#include "Simplify/DotPatterns.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TransposeScores.h"
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

Value tilegpu::lookThroughConversion(Value tile) {
  Operation *op = tile.getDefiningOp();
  return isa_and_nonnull<tile::CastOp, arith::ExtFOp, arith::TruncFOp>(op)
             ? op->getOperand(0)
             : tile;
}

/// Replaces a load by a load of the tile as it lies in `view`, and a
/// permutation.
static void loadStraight(PatternRewriter &rewriter, tile::LoadOp load,
                         Value view, ValueRange indices,
                         ArrayRef<int64_t> permutation) {
  RankedTensorType type = load.getType();
  const SmallVector<int64_t> inverse = invertPermutationVector(permutation);
  SmallVector<int64_t> shape = applyPermutation(type.getShape(), inverse);
  SmallVector<Attribute> sizes =
      applyPermutation(load.getSizes().getValue(), inverse);
  Value straight = tile::LoadOp::create(
      rewriter, load.getLoc(), type.clone(shape), view, indices,
      /*mask=*/Value(), rewriter.getArrayAttr(sizes), load.getPad(),
      /*order=*/DenseI64ArrayAttr());
  rewriter.replaceOpWithNewOp<tile::PermuteOp>(load, type, straight,
                                               permutation);
}

namespace {
/// Replaces a load with an order by a load of the tile as it lies in the view,
/// and a permutation.
struct OrderedLoad : OpRewritePattern<tile::LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::LoadOp load,
                                PatternRewriter &rewriter) const override {
    std::optional<ArrayRef<int64_t>> order = load.getOrder();
    if (!order || load.getMask())
      return rewriter.notifyMatchFailure(load, "has no order, or has a mask");
    // Axis i of the tile runs along axis order[i] of the view.
    loadStraight(rewriter, load, load.getView(), load.getIndices(), *order);
    return success();
  }
};

/// Replaces a load from a transposed view by a load from the view, and a
/// permutation.
struct LoadOfTranspose : OpRewritePattern<tile::LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::LoadOp load,
                                PatternRewriter &rewriter) const override {
    auto transpose = load.getView().getDefiningOp<tile::TransposeOp>();
    if (!transpose || load.getOrder() || load.getMask())
      return rewriter.notifyMatchFailure(
          load, "not a plain access to a transposed view");
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
      return rewriter.notifyMatchFailure(
          window, "not a plain access to a transposed view");
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
    // The strides of the source define the layout, dense or not.
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

/// Whether a value is only used by dots, after elementwise ops.
static bool leadsToDots(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    return isa<tile::DotOp>(user) ||
           (tile::isElementwise(user) && !user->use_empty() &&
            user->getNumResults() == 1 && leadsToDots(user->getResult(0)));
  });
}

/// Turns a dot's operand that is loaded by offset so that its rows are adjacent
/// in memory.
struct TurnedOffsets : OpRewritePattern<tile::LoadAtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::LoadAtOp load,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = load.getType();
    IndexFacts facts;
    if (type.getRank() != 2 || load.getOrder() != tile::MemoryOrder::Weak ||
        load->use_empty() || !leadsToDots(load) ||
        analyzeOffsets(load, facts).vectorAxis != 0)
      return rewriter.notifyMatchFailure(
          load, "not an operand whose columns are adjacent in memory");
    constexpr int64_t turn[] = {1, 0};
    auto turned = [&](RankedTensorType tile) {
      return tile.clone(applyPermutation(tile.getShape(), turn));
    };
    Location loc = load.getLoc();
    auto permute = [&](Value tile) -> Value {
      return tile::PermuteOp::create(
          rewriter, loc, turned(cast<RankedTensorType>(tile.getType())), tile,
          turn);
    };
    IRMapping operands;
    operands.map(load.getOffsets(), permute(load.getOffsets()));
    if (Value mask = load.getMask())
      operands.map(mask, permute(mask));
    Operation *straight = rewriter.clone(*load, operands);
    straight->getResult(0).setType(turned(type));
    rewriter.replaceOpWithNewOp<tile::PermuteOp>(load, type,
                                                 straight->getResult(0), turn);
    return success();
  }
};

/// Folds the permutation of an operand into the dot's transposes.
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

/// Moves a permutation behind the elementwise op of a dot's operand, so that it
/// folds into the dot.
struct PermuteBehindElementwise : RewritePattern {
  explicit PermuteBehindElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!tile::isElementwise(op) || op->getNumResults() != 1 ||
        !leadsToDots(op->getResult(0)))
      return rewriter.notifyMatchFailure(op, "not the operand of a dot");
    tile::PermuteOp permute;
    for (Value operand : op->getOperands())
      if (auto found = operand.getDefiningOp<tile::PermuteOp>())
        permute = found;
    auto suits = [&](Value operand) {
      auto other = operand.getDefiningOp<tile::PermuteOp>();
      return (other && other.getPermutation() == permute.getPermutation()) ||
             operand.getDefiningOp<tile::SplatOp>() || isSplatConstant(operand);
    };
    if (!permute || !llvm::all_of(op->getOperands(), suits))
      return rewriter.notifyMatchFailure(op, "its operands are not permuted "
                                             "alike");
    const ArrayRef<int64_t> permutation = permute.getPermutation();
    const SmallVector<int64_t> inverse = invertPermutationVector(permutation);
    auto straighten = [&](Type type) -> RankedTensorType {
      auto tile = cast<RankedTensorType>(type);
      return tile.clone(applyPermutation(tile.getShape(), inverse));
    };
    IRMapping straight;
    for (Value operand : op->getOperands()) {
      if (auto other = operand.getDefiningOp<tile::PermuteOp>()) {
        straight.map(operand, other.getSource());
        continue;
      }
      RankedTensorType type = straighten(operand.getType());
      SplatElementsAttr constant;
      if (matchPattern(operand, m_Constant(&constant))) {
        straight.map(operand,
                     arith::ConstantOp::create(rewriter, operand.getLoc(),
                                               constant.resizeSplat(type))
                         .getResult());
        continue;
      }
      auto splat = operand.getDefiningOp<tile::SplatOp>();
      SmallVector<Attribute> sizes =
          applyPermutation(splat.getSizes().getValue(), inverse);
      straight.map(operand, tile::SplatOp::create(rewriter, splat.getLoc(),
                                                  type, splat.getValue(),
                                                  rewriter.getArrayAttr(sizes))
                                .getResult());
    }
    Operation *moved = rewriter.clone(*op, straight);
    moved->getResult(0).setType(straighten(op->getResult(0).getType()));
    rewriter.replaceOpWithNewOp<tile::PermuteOp>(
        op, op->getResult(0).getType(), moved->getResult(0), permutation);
    return success();
  }

private:
  static bool isSplatConstant(Value value) {
    SplatElementsAttr constant;
    return matchPattern(value, m_Constant(&constant));
  }
};

/// Folds the sum of a dot and a loop-carried value into the dot's accumulator.
/// A dot may add in any order.
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
    return rewriter.notifyMatchFailure(
        sum, "does not add a product computed in a loop");
  }

  /// Whether a value is loop-carried, possibly scaled. Other sums are left
  /// alone: the dot would have to wait for its accumulator.
  static bool isCarried(Value value) {
    if (auto product = value.getDefiningOp<arith::MulFOp>())
      return isCarried(product.getLhs()) || isCarried(product.getRhs());
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getArgNumber() != 0;
  }
};

/// Canonicalizes conversions that round to nearest to `tile.cast`.
template <typename Op>
struct Conversion : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || op.getRoundingmodeAttr())
      return rewriter.notifyMatchFailure(op,
                                         "not a tile, or has a rounding mode");
    rewriter.replaceOpWithNewOp<tile::CastOp>(op, type, op.getIn());
    return success();
  }
};

/// Drops the explicit ordering of zeros from a maximum or minimum: of two zeros
/// the maximum has the sign bit if both have it, the minimum if either has. GPU
/// instructions order zeros this way themselves.
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
      return rewriter.notifyMatchFailure(select, "does not order zeros");
    for (auto [side, operand] : llvm::enumerate(chosen->getOperands())) {
      auto ofBits = bits->getOperand(side).getDefiningOp<arith::BitcastOp>();
      if (equal->getOperand(side) != operand || !ofBits ||
          ofBits.getIn() != operand)
        return rewriter.notifyMatchFailure(select, "the operands differ");
    }
    rewriter.replaceOp(select, chosen->getResult(0));
    return success();
  }
};

/// The number that a tile splats; null if it is no splat.
static FloatAttr splatFloatOf(Value tile) {
  SplatElementsAttr elements;
  FloatAttr number;
  if (matchPattern(tile, m_Constant(&elements)))
    return dyn_cast<FloatAttr>(elements.getSplatValue<Attribute>());
  if (auto splat = tile.getDefiningOp<tile::SplatOp>())
    matchPattern(splat.getValue(), m_Constant(&number));
  return number;
}

/// Pulls a positive factor of a maximum into it, since rounding is monotonic,
/// if the loop computes the scaled numbers anyway.
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
      return rewriter.notifyMatchFailure(product, "does not scale a maximum");
    for (Operation *user : maximum.getSources().front().getUsers()) {
      auto scaled = dyn_cast<arith::MulFOp>(user);
      if (!scaled || scaled->getBlock() != product->getBlock() ||
          scaled.getLhs() != maximum.getSources().front() ||
          splatFloatOf(scaled.getRhs()) != factor)
        continue;
      // The factor may be defined after the maximum.
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
    return rewriter.notifyMatchFailure(product,
                                       "no other value has this scale");
  }
};

/// Turns an added mask of zero or a low number into a select. Adding a negative
/// zero changes no score; adding zero changes only a negative zero, which a dot
/// with a zero accumulator never yields.
struct AddedMask : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddFOp sum,
                                PatternRewriter &rewriter) const override {
    auto dot = sum.getLhs().getDefiningOp<tile::DotOp>();
    auto mask = sum.getRhs().getDefiningOp<arith::SelectOp>();
    if (!mask || !mask->hasOneUse() ||
        !isa<RankedTensorType>(mask.getCondition().getType()))
      return rewriter.notifyMatchFailure(sum, "does not add a mask");
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
    return rewriter.notifyMatchFailure(sum, "the mask changes visible scores");
  }
};

/// Turns the product of a number and a condition converted to 0 or 1 into a
/// select.
struct ConvertedCondition : OpRewritePattern<arith::MulFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::MulFOp product,
                                PatternRewriter &rewriter) const override {
    auto number = product.getLhs().getDefiningOp<arith::UIToFPOp>();
    FloatAttr factor = splatFloatOf(product.getRhs());
    auto type = dyn_cast<RankedTensorType>(product.getType());
    if (!number || !type || !factor || !factor.getValue().isFinite() ||
        !getElementTypeOrSelf(number.getIn().getType()).isInteger(1))
      return rewriter.notifyMatchFailure(product, "does not scale a condition");
    APFloat zero = APFloat::getZero(factor.getValue().getSemantics(),
                                    factor.getValue().isNegative());
    Value none = arith::ConstantOp::create(rewriter, product.getLoc(),
                                           DenseElementsAttr::get(type, zero));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(product, number.getIn(),
                                                 product.getRhs(), none);
    return success();
  }
};

/// Drops the lower bound of a carried maximum that never falls below it.
template <typename Op>
struct FlooredMaximum : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op larger,
                                PatternRewriter &rewriter) const override {
    auto inner = larger.getLhs().template getDefiningOp<Op>();
    FloatAttr floor = splatFloatOf(larger.getRhs());
    auto loop = dyn_cast<scf::ForOp>(larger->getParentOp());
    // Zeros of either sign compare equal.
    if (!inner || !floor || floor.getValue().isZero() || !loop)
      return rewriter.notifyMatchFailure(larger,
                                         "does not apply a floor to a maximum");
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
    return rewriter.notifyMatchFailure(larger,
                                       "the maximum may be below the floor");
  }
};

/// Whether a tile is computed from indices and scalars only.
static bool isPosition(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (isa_and_nonnull<tile::IotaOp, tile::SplatOp, arith::ConstantOp>(op))
    return true;
  return isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp,
                         arith::IndexCastOp, arith::ExtSIOp, tile::ExpandDimsOp,
                         tile::BroadcastOp>(op) &&
         llvm::all_of(op->getOperands(), isPosition);
}

/// Applies a comparison of indices along one axis to the broadcast tile.
struct BroadcastComparison : OpRewritePattern<tile::BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::BroadcastOp broadcast,
                                PatternRewriter &rewriter) const override {
    auto compare = broadcast.getSource().getDefiningOp<arith::CmpIOp>();
    if (!compare || !isPosition(compare.getLhs()) ||
        !isPosition(compare.getRhs()))
      return rewriter.notifyMatchFailure(broadcast,
                                         "does not compare positions");
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

static void populateStraightOperandPatterns(RewritePatternSet &patterns) {
  patterns.add<OrderedLoad, LoadOfTranspose, WindowOfTranspose, TurnedOffsets,
               DotOfPermute, PermuteBehindElementwise>(patterns.getContext());
}

OwningOpRef<tile::KernelOp>
tilegpu::copyWithStraightOperands(tile::KernelOp kernel) {
  bool multiplies = false, transposes = false;
  kernel.walk([&](Operation *op) {
    multiplies |= isa<tile::DotOp>(op);
    auto load = dyn_cast<tile::LoadOp>(op);
    transposes |= isa<tile::PermuteOp, tile::TransposeOp>(op) ||
                  (load && load.getOrder());
  });
  if (!multiplies || !transposes)
    return {};
  OwningOpRef<tile::KernelOp> copy(kernel.clone());
  RewritePatternSet patterns(kernel.getContext());
  populateStraightOperandPatterns(patterns);
  if (failed(applyPatternsGreedily(
          *copy, std::move(patterns),
          GreedyRewriteConfig().setRegionSimplificationLevel(
              GreedySimplifyRegionLevel::Disabled))))
    return {};
  return copy;
}

void tilegpu::populateNormalizeDotsPatterns(RewritePatternSet &patterns) {
  populateStraightOperandPatterns(patterns);
  patterns
      .add<SumOfDot, OrderedZeros, Conversion<arith::TruncFOp>, ScaledMaximum,
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
    // Only kernels with dots need this; others keep their loads as written.
    bool multiplies =
        getOperation()
            .walk([](tile::DotOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (!multiplies)
      return;
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    getOperation().walk([&](scf::ForOp loop) {
      if (transposeScores(loop))
        ++numTransposed;
    });
  }
};
} // namespace
