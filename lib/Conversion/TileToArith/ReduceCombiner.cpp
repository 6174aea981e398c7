// Identities and combiners of named reductions, and inlining of regions.
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tilegpt::tile {

bool isArgReduction(CombinerOpInterface op) {
  return op.getKind() == ReduceKind::ArgMax ||
         op.getKind() == ReduceKind::ArgMin;
}

Type accumulatorType(ReduceKind kind, Type element) {
  bool accumulates = kind == ReduceKind::Add || kind == ReduceKind::Mul;
  bool isNarrow =
      isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  return accumulates && isNarrow ? Float32Type::get(element.getContext())
                                 : element;
}

TypedAttr identityOf(ReduceKind kind, NaNPolicy nan, Type type) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    auto attribute = [&](const APFloat &value) {
      return FloatAttr::get(floatType, value);
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
    return IntegerAttr::get(type, value);
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

Value combine(OpBuilder &builder, Location loc, ReduceKind kind, NaNPolicy nan,
              Value lhs, Value rhs) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(lhs.getType()));
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

Value beats(OpBuilder &builder, Location loc, bool isMax, NaNPolicy nan,
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
  // With propagation NaN wins over every number, when ignored it loses.
  Value winner = propagates ? value : best, loser = propagates ? best : value;
  Value winnerIsNaN = compare(arith::CmpFPredicate::UNO, winner, winner);
  Value loserIsNumber = compare(arith::CmpFPredicate::ORD, loser, loser);
  Value byNaN = arith::AndIOp::create(builder, loc, winnerIsNaN, loserIsNumber);
  return arith::OrIOp::create(builder, loc, more, byNaN);
}

SmallVector<TypedAttr> identitiesOf(CombinerOpInterface op,
                                    ArrayRef<Type> types) {
  if (op.getKind())
    return {identityOf(*op.getKind(), op.getNanPolicy(), types.front())};
  return llvm::map_to_vector(*op.getIdentities(), [](Attribute identity) {
    return cast<TypedAttr>(identity);
  });
}

SmallVector<Value> combine(OpBuilder &builder, CombinerOpInterface op,
                           ValueRange earlier, ValueRange later) {
  if (!op.getKind())
    return inlineCombiner(builder, op, earlier, later);
  return {combine(builder, op.getLoc(), *op.getKind(), op.getNanPolicy(),
                  earlier.front(), later.front())};
}

SmallVector<Value> inlineCombiner(OpBuilder &builder, CombinerOpInterface op,
                                  ValueRange accumulators,
                                  ValueRange elements) {
  Block &combiner = op.getCombiner().front();
  IRMapping mapping;
  mapping.map(combiner.getArguments().take_front(accumulators.size()),
              accumulators);
  mapping.map(combiner.getArguments().drop_front(accumulators.size()),
              elements);
  for (Operation &nested : combiner.without_terminator())
    builder.clone(nested, mapping);
  return llvm::map_to_vector(
      combiner.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

} // namespace tilegpt::tile
