// Builds and matches the combiner of maxima and sums of exponentials.
#include "TileGPT/Dialect/TileGPU/Analysis/Reductions/ExponentialSum.h"
#include "Reductions/RegionReduction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static Value constantOf(OpBuilder &builder, Location loc,
                        const APFloat &value) {
  return arith::ConstantFloatOp::create(builder, loc, builder.getF32Type(),
                                        value);
}

static APFloat negativeInfinity() {
  return APFloat::getInf(APFloat::IEEEsingle(), /*Negative=*/true);
}

Value ExponentialSum::origin(OpBuilder &builder, Location loc, Value maximum) {
  Value isEmpty =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, maximum,
                            constantOf(builder, loc, negativeInfinity()));
  return arith::SelectOp::create(
      builder, loc, isEmpty, constantOf(builder, loc, APFloat(0.0f)), maximum);
}

Value ExponentialSum::power(OpBuilder &builder, Location loc, Value x,
                            Value origin) const {
  Value exponent = arith::SubFOp::create(builder, loc, x, origin);
  if (factor != 1)
    exponent = arith::MulFOp::create(
        builder, loc, exponent,
        constantOf(builder, loc, APFloat(static_cast<float>(factor))));
  return math::Exp2Op::create(builder, loc, exponent,
                              arith::FastMathFlags::afn);
}

tile::ReduceOp ExponentialSum::reduce(OpBuilder &builder, Location loc, Value x,
                                      int64_t axis, bool keepdims) const {
  auto type = cast<RankedTensorType>(x.getType());
  Value ones = arith::ConstantOp::create(
      builder, loc,
      SplatElementsAttr::get(type, builder.getF32FloatAttr(1.0f)));
  auto op = createRegionReduction(
      builder, loc, {x, ones}, axis,
      {builder.getFloatAttr(builder.getF32Type(), negativeInfinity()),
       builder.getF32FloatAttr(0.0f)},
      keepdims);

  OpBuilder::InsertionGuard guard(builder);
  Type f32 = builder.getF32Type();
  Block *block = builder.createBlock(
      &op.getCombiner(), {}, {f32, f32, f32, f32}, {loc, loc, loc, loc});
  auto arguments = block->getArguments();
  Value maximum =
            arith::MaximumFOp::create(builder, loc, arguments[0], arguments[2]),
        from = origin(builder, loc, maximum);
  auto shrunk = [&](Value part, Value sum) {
    return arith::MulFOp::create(builder, loc, sum,
                                 power(builder, loc, part, from));
  };
  Value sum =
      arith::AddFOp::create(builder, loc, shrunk(arguments[0], arguments[1]),
                            shrunk(arguments[2], arguments[3]));
  tile::YieldOp::create(builder, loc, ValueRange{maximum, sum});
  return op;
}

/// Whether `value` is the origin for a maximum.
static bool isOrigin(Value value, Value maximum) {
  auto choice = value.getDefiningOp<arith::SelectOp>();
  auto compare = choice ? choice.getCondition().getDefiningOp<arith::CmpFOp>()
                        : arith::CmpFOp();
  return compare && compare.getPredicate() == arith::CmpFPredicate::OEQ &&
         compare.getLhs() == maximum &&
         matchPattern(compare.getRhs(), m_NegInfFloat()) &&
         matchPattern(choice.getTrueValue(), m_PosZeroFloat()) &&
         choice.getFalseValue() == maximum;
}

/// The factor c if `value` is sum·2^(c·(part − origin)); 0 otherwise.
static double factorOfShrunk(Value value, Value part, Value sum,
                             Value maximum) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  auto power = product && product.getLhs() == sum
                   ? product.getRhs().getDefiningOp<math::Exp2Op>()
                   : math::Exp2Op();
  if (!power || power.getFastmath() != arith::FastMathFlags::afn)
    return 0;
  Value exponent = power.getOperand();
  FloatAttr factor;
  auto scaled = exponent.getDefiningOp<arith::MulFOp>();
  if (scaled && matchPattern(scaled.getRhs(), m_Constant(&factor)))
    exponent = scaled.getLhs();
  auto difference = exponent.getDefiningOp<arith::SubFOp>();
  if (!difference || difference.getLhs() != part ||
      !isOrigin(difference.getRhs(), maximum))
    return 0;
  return factor ? factor.getValueAsDouble() : 1;
}

std::optional<ExponentialSum> ExponentialSum::of(tile::CombinerOpInterface op) {
  if (op.getKind() || op.getSources().size() != 2 ||
      !llvm::all_of(op.getSources(), [](Value source) {
        return getElementTypeOrSelf(source.getType()).isF32();
      }))
    return std::nullopt;
  auto first = dyn_cast<FloatAttr>((*op.getIdentities())[0]),
       second = dyn_cast<FloatAttr>((*op.getIdentities())[1]);
  Block &block = op.getCombiner().front();
  auto arguments = block.getArguments();
  OperandRange yielded = block.getTerminator()->getOperands();
  auto maximum = yielded[0].getDefiningOp<arith::MaximumFOp>();
  auto sum = yielded[1].getDefiningOp<arith::AddFOp>();
  if (!first || first.getValue() != negativeInfinity() || !second ||
      !second.getValue().isZero() || !maximum || !sum ||
      maximum.getLhs() != arguments[0] || maximum.getRhs() != arguments[2])
    return std::nullopt;
  double left =
             factorOfShrunk(sum.getLhs(), arguments[0], arguments[1], maximum),
         right =
             factorOfShrunk(sum.getRhs(), arguments[2], arguments[3], maximum);
  if (left != right || !(left > 0))
    return std::nullopt;
  return ExponentialSum(left);
}

} // namespace tilegpt::tilegpu
