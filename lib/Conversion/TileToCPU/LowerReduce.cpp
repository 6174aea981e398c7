// Reductions become linalg.generic with the identity as initial accumulator.
// Sums and products of narrow floats are accumulated in f32, and each result
// rounded once.
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileToLinalg.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;
using tile::NaNPolicy;
using tile::ReduceKind;

namespace {
/// The position of a reduction's results in its iteration space, which is that
/// of its sources.
struct ReductionSpace {
  SmallVector<utils::IteratorType> iterators;
  AffineMap source, result;

  ReductionSpace(Builder &builder, int64_t rank, int64_t axis, bool keepdims)
      : iterators(rank, utils::IteratorType::parallel),
        source(builder.getMultiDimIdentityMap(rank)) {
    iterators[axis] = utils::IteratorType::reduction;
    SmallVector<AffineExpr> exprs;
    for (int64_t i = 0; i < rank; ++i)
      if (i != axis)
        exprs.push_back(builder.getAffineDimExpr(i));
      else if (keepdims)
        exprs.push_back(builder.getAffineConstantExpr(0));
    result = AffineMap::get(rank, 0, exprs, builder.getContext());
  }
};
} // namespace

static Value filled(OpBuilder &builder, Location loc, RankedTensorType type,
                    Attribute element) {
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, element));
}

namespace {
struct LowerReduce : OpConversionPattern<tile::ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op.getSources().front().getType());
    ReductionSpace space(rewriter, source.getRank(), op.getAxis(),
                         op.getKeepdims());
    if (!op.getKind())
      lowerRegion(op, adaptor, space, rewriter);
    else if (tile::isArgReduction(op) &&
             int64_t(op.getAxis()) == source.getRank() - 1)
      lowerArgOfRows(op, adaptor, space, rewriter);
    else if (tile::isArgReduction(op))
      lowerArg(op, adaptor, space, rewriter);
    else
      lowerNamed(op, adaptor, space, rewriter);
    return success();
  }

private:
  /// \returns a tile of accumulators, whose elements may be wider.
  static Value reduceNamed(ConversionPatternRewriter &rewriter, Location loc,
                           ReduceKind kind, NaNPolicy nan, Value source,
                           const ReductionSpace &space,
                           ArrayRef<int64_t> shape) {
    Type element = getElementTypeOrSelf(source.getType());
    Type sumType = tile::accumulatorType(kind, element);
    auto accumulator = RankedTensorType::get(shape, sumType);
    Value init = filled(rewriter, loc, accumulator,
                        tile::identityOf(kind, nan, sumType));
    AffineMap maps[] = {space.source, space.result};
    return linalg::GenericOp::create(
               rewriter, loc, accumulator, source, init, maps, space.iterators,
               [&](OpBuilder &builder, Location loc, ValueRange arguments) {
                 Value value = arguments[0];
                 if (sumType != element)
                   value = arith::ExtFOp::create(builder, loc, sumType, value);
                 linalg::YieldOp::create(builder, loc,
                                         tile::combine(builder, loc, kind, nan,
                                                       arguments[1], value));
               })
        .getResult(0);
  }

  static void lowerNamed(tile::ReduceOp op, OpAdaptor adaptor,
                         const ReductionSpace &space,
                         ConversionPatternRewriter &rewriter) {
    auto type = cast<RankedTensorType>(op.getResultTypes().front());
    Value result =
        reduceNamed(rewriter, op.getLoc(), *op.getKind(), op.getNanPolicy(),
                    adaptor.getSources().front(), space, type.getShape());
    if (result.getType() != type)
      result = arith::TruncFOp::create(rewriter, op.getLoc(), type, result);
    rewriter.replaceOp(op, result);
  }

  /// Along rows: the extreme, then the first position that holds it. Each is
  /// reduced lane by lane, which an extreme and its position together are not.
  static void lowerArgOfRows(tile::ReduceOp op, OpAdaptor adaptor,
                             const ReductionSpace &space,
                             ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    const NaNPolicy nan = op.getNanPolicy();
    Value source = adaptor.getSources().front();
    auto type = cast<RankedTensorType>(op.getResultTypes().front());
    Type element = getElementTypeOrSelf(source.getType()),
         position = type.getElementType();
    Value extreme = reduceNamed(
        rewriter, loc,
        op.getKind() == ReduceKind::ArgMax ? ReduceKind::Max : ReduceKind::Min,
        nan, source, space, type.getShape());
    const auto none = rewriter.getIntegerAttr(
        position, APInt::getSignedMaxValue(position.getIntOrFloatBitWidth()));
    AffineMap maps[] = {space.source, space.result, space.result};
    Value first =
        linalg::GenericOp::create(
            rewriter, loc, type, ValueRange{source, extreme},
            filled(rewriter, loc, type, none), maps, space.iterators,
            [&](OpBuilder &builder, Location loc, ValueRange arguments) {
              Value at = arith::IndexCastOp::create(
                  builder, loc, position,
                  linalg::IndexOp::create(builder, loc, op.getAxis()));
              Value is = holds(builder, loc, nan, arguments[0], arguments[1]);
              Value other = arith::ConstantOp::create(builder, loc, none);
              Value here = arith::SelectOp::create(builder, loc, is, at, other);
              Value least =
                  arith::MinSIOp::create(builder, loc, arguments[2], here);
              linalg::YieldOp::create(builder, loc, least);
            })
            .getResult(0);
    if (isa<FloatType>(element) && nan == NaNPolicy::Ignore) {
      // A row of NaNs holds no extreme; its position is 0.
      Value isNone =
          arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, first,
                                filled(rewriter, loc, type, none));
      Value zero = filled(rewriter, loc, type, rewriter.getZeroAttr(position));
      first = arith::SelectOp::create(rewriter, loc, isNone, zero, first);
    }
    rewriter.replaceOp(op, first);
  }

  /// Whether an element is its row's extreme.
  static Value holds(OpBuilder &builder, Location loc, NaNPolicy nan,
                     Value value, Value extreme) {
    if (!isa<FloatType>(value.getType()))
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                   value, extreme);
    Value isEqual = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, value, extreme);
    if (nan == NaNPolicy::Ignore)
      return isEqual;
    // A NaN is the extreme of every row that has one.
    Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                        value, value);
    return arith::OrIOp::create(builder, loc, isEqual, isNaN);
  }

  static void lowerArg(tile::ReduceOp op, OpAdaptor adaptor,
                       const ReductionSpace &space,
                       ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    ReduceKind kind = *op.getKind();
    NaNPolicy nan = op.getNanPolicy();
    Value source = adaptor.getSources().front();
    auto indexType = cast<RankedTensorType>(op.getResultTypes().front());
    Type element = cast<RankedTensorType>(source.getType()).getElementType();
    auto bestType = RankedTensorType::get(indexType.getShape(), element);
    Value best =
        filled(rewriter, loc, bestType, tile::identityOf(kind, nan, element));
    Value first = filled(rewriter, loc, indexType,
                         rewriter.getZeroAttr(indexType.getElementType()));
    AffineMap maps[] = {space.source, space.result, space.result};
    int64_t axis = op.getAxis();
    auto generic = linalg::GenericOp::create(
        rewriter, loc, TypeRange{bestType, indexType}, source,
        ValueRange{best, first}, maps, space.iterators,
        [&](OpBuilder &builder, Location loc, ValueRange arguments) {
          Value position = arith::IndexCastOp::create(
              builder, loc, indexType.getElementType(),
              linalg::IndexOp::create(builder, loc, axis));
          Value wins = tile::beats(builder, loc, kind == ReduceKind::ArgMax,
                                   nan, arguments[0], arguments[1]);
          Value value = arith::SelectOp::create(builder, loc, wins,
                                                arguments[0], arguments[1]);
          Value index = arith::SelectOp::create(builder, loc, wins, position,
                                                arguments[2]);
          linalg::YieldOp::create(builder, loc, ValueRange{value, index});
        });
    rewriter.replaceOp(op, generic.getResult(1));
  }

  static void lowerRegion(tile::ReduceOp op, OpAdaptor adaptor,
                          const ReductionSpace &space,
                          ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    SmallVector<Value> inits;
    SmallVector<AffineMap> maps(adaptor.getSources().size(), space.source);
    for (auto [type, identity] :
         llvm::zip_equal(op.getResultTypes(), *op.getIdentities())) {
      inits.push_back(
          filled(rewriter, loc, cast<RankedTensorType>(type), identity));
      maps.push_back(space.result);
    }
    auto generic = linalg::GenericOp::create(
        rewriter, loc, op.getResultTypes(), adaptor.getSources(), inits, maps,
        space.iterators,
        [&](OpBuilder &builder, Location loc, ValueRange arguments) {
          // Combiners take accumulators first, linalg last.
          size_t count = inits.size();
          linalg::YieldOp::create(
              builder, loc,
              tile::inlineCombiner(builder, op, arguments.drop_front(count),
                                   arguments.take_front(count)));
        });
    rewriter.replaceOp(op, generic.getResults());
  }
};
} // namespace

void cpu::populateReducePatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<LowerReduce>(converter, patterns.getContext());
}
