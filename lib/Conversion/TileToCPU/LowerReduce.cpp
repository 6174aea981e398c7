// Reductions become linalg.generic with the identity as the first accumulator.
// Sums and products of narrow floats are formed in f32 and rounded once.
#include "TileToLinalg.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;
using tile::NaNPolicy;
using tile::ReduceKind;

namespace {
/// Where the results of a reduction lie in its iteration space, which is that
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

/// The neutral element of a named reduction; of argmax and argmin, a value that
/// loses against all others.
static TypedAttr identityOf(Builder &builder, ReduceKind kind, NaNPolicy nan,
                            Type type) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    auto attribute = [&](const APFloat &value) {
      return builder.getFloatAttr(floatType, value);
    };
    switch (kind) {
    case ReduceKind::Add:
      return attribute(APFloat::getZero(semantics));
    case ReduceKind::Mul:
      return attribute(APFloat::getOne(semantics));
    default:
      if (nan == NaNPolicy::Ignore)
        return attribute(APFloat::getQNaN(semantics));
      return attribute(APFloat::getInf(
          semantics, kind == ReduceKind::Max || kind == ReduceKind::ArgMax));
    }
  }
  unsigned width = type.getIntOrFloatBitWidth();
  auto attribute = [&](const APInt &value) {
    return builder.getIntegerAttr(type, value);
  };
  switch (kind) {
  case ReduceKind::Add:
  case ReduceKind::Or:
  case ReduceKind::Xor:
  case ReduceKind::UMax:
    return attribute(APInt::getZero(width));
  case ReduceKind::Mul:
    return attribute(APInt(width, 1));
  case ReduceKind::And:
  case ReduceKind::UMin:
    return attribute(APInt::getAllOnes(width));
  case ReduceKind::Max:
  case ReduceKind::ArgMax:
    return attribute(APInt::getSignedMinValue(width));
  case ReduceKind::Min:
  case ReduceKind::ArgMin:
    return attribute(APInt::getSignedMaxValue(width));
  }
  llvm_unreachable("unknown reduction");
}

static Value combine(OpBuilder &builder, Location loc, ReduceKind kind,
                     NaNPolicy nan, Value lhs, Value rhs) {
  bool isFloat = isa<FloatType>(lhs.getType());
  bool propagates = nan == NaNPolicy::Propagate;
  auto make = [&]<typename Op>() -> Value {
    return Op::create(builder, loc, lhs, rhs);
  };
  switch (kind) {
  case ReduceKind::Add:
    return isFloat ? make.operator()<arith::AddFOp>()
                   : make.operator()<arith::AddIOp>();
  case ReduceKind::Mul:
    return isFloat ? make.operator()<arith::MulFOp>()
                   : make.operator()<arith::MulIOp>();
  case ReduceKind::Max:
    if (!isFloat)
      return make.operator()<arith::MaxSIOp>();
    return propagates ? make.operator()<arith::MaximumFOp>()
                      : make.operator()<arith::MaxNumFOp>();
  case ReduceKind::Min:
    if (!isFloat)
      return make.operator()<arith::MinSIOp>();
    return propagates ? make.operator()<arith::MinimumFOp>()
                      : make.operator()<arith::MinNumFOp>();
  case ReduceKind::UMax:
    return make.operator()<arith::MaxUIOp>();
  case ReduceKind::UMin:
    return make.operator()<arith::MinUIOp>();
  case ReduceKind::And:
    return make.operator()<arith::AndIOp>();
  case ReduceKind::Or:
    return make.operator()<arith::OrIOp>();
  case ReduceKind::Xor:
    return make.operator()<arith::XOrIOp>();
  case ReduceKind::ArgMax:
  case ReduceKind::ArgMin:
    break;
  }
  llvm_unreachable("an index is not combined with itself");
}

/// True when `value` beats the best so far. Equal elements do not: the first
/// one wins.
static Value beats(OpBuilder &builder, Location loc, bool isMax, NaNPolicy nan,
                   Value value, Value best) {
  if (!isa<FloatType>(value.getType()))
    return arith::CmpIOp::create(builder, loc,
                                 isMax ? arith::CmpIPredicate::sgt
                                       : arith::CmpIPredicate::slt,
                                 value, best);
  auto compare = [&](arith::CmpFPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
  };
  Value more =
      compare(isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT,
              value, best);
  bool propagates = nan == NaNPolicy::Propagate;
  // A NaN beats every number when it propagates and loses against every number
  // when it is ignored.
  Value winner = propagates ? value : best, loser = propagates ? best : value;
  Value winnerIsNaN = compare(arith::CmpFPredicate::UNO, winner, winner);
  Value loserIsNumber = compare(arith::CmpFPredicate::ORD, loser, loser);
  Value byNaN = arith::AndIOp::create(builder, loc, winnerIsNaN, loserIsNumber);
  return arith::OrIOp::create(builder, loc, more, byNaN);
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
    else if (*op.getKind() == ReduceKind::ArgMax ||
             *op.getKind() == ReduceKind::ArgMin)
      lowerArg(op, adaptor, space, rewriter);
    else
      lowerNamed(op, adaptor, space, rewriter);
    return success();
  }

private:
  static void lowerNamed(tile::ReduceOp op, OpAdaptor adaptor,
                         const ReductionSpace &space,
                         ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    ReduceKind kind = *op.getKind();
    NaNPolicy nan = op.getNanPolicy();
    auto type = cast<RankedTensorType>(op.getResultTypes().front());
    Type element = type.getElementType();
    bool accumulates = kind == ReduceKind::Add || kind == ReduceKind::Mul;
    bool widens = accumulates && isa<FloatType>(element) &&
                  element.getIntOrFloatBitWidth() < 32;
    Type sumType = widens ? rewriter.getF32Type() : element;
    auto accumulator = RankedTensorType::get(type.getShape(), sumType);
    Value init = filled(rewriter, loc, accumulator,
                        identityOf(rewriter, kind, nan, sumType));
    AffineMap maps[] = {space.source, space.result};
    Value result =
        linalg::GenericOp::create(
            rewriter, loc, accumulator, adaptor.getSources().front(), init,
            maps, space.iterators,
            [&](OpBuilder &builder, Location loc, ValueRange arguments) {
              Value value = arguments[0];
              if (widens)
                value = arith::ExtFOp::create(builder, loc, sumType, value);
              linalg::YieldOp::create(
                  builder, loc,
                  combine(builder, loc, kind, nan, arguments[1], value));
            })
            .getResult(0);
    if (widens)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
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
    Value best = filled(rewriter, loc, bestType,
                        identityOf(rewriter, kind, nan, element));
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
          Value wins = beats(builder, loc, kind == ReduceKind::ArgMax, nan,
                             arguments[0], arguments[1]);
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
    Block &combiner = op.getCombiner().front();
    auto generic = linalg::GenericOp::create(
        rewriter, loc, op.getResultTypes(), adaptor.getSources(), inits, maps,
        space.iterators,
        [&](OpBuilder &builder, Location loc, ValueRange arguments) {
          // The combiner takes accumulators first, linalg takes them last.
          size_t count = inits.size();
          IRMapping mapping;
          for (size_t i = 0; i < count; ++i) {
            mapping.map(combiner.getArgument(i), arguments[count + i]);
            mapping.map(combiner.getArgument(count + i), arguments[i]);
          }
          for (Operation &nested : combiner.without_terminator())
            builder.clone(nested, mapping);
          SmallVector<Value> yielded;
          for (Value value : combiner.getTerminator()->getOperands())
            yielded.push_back(mapping.lookupOrDefault(value));
          linalg::YieldOp::create(builder, loc, yielded);
        });
    rewriter.replaceOp(op, generic.getResults());
  }
};
} // namespace

void cpu::populateReducePatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<LowerReduce>(converter, patterns.getContext());
}
