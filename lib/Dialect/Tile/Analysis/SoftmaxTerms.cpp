// Matches powers and guarded maxima.
#include "TileGPT/Dialect/Tile/Analysis/SoftmaxTerms.h"
#include "TileGPT/Dialect/Tile/Analysis/LinearForm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

std::optional<Exponential> exponentialOf(Value value) {
  value = throughBroadcast(value);
  if (!value)
    return std::nullopt;
  if (auto power = value.getDefiningOp<math::Exp2Op>())
    return Exponential{power.getOperand(), true};
  if (auto power = value.getDefiningOp<math::ExpOp>())
    return Exponential{power.getOperand(), false};
  return std::nullopt;
}

Value guardedMaximum(Value maximum) {
  for (Operation *user : maximum.getUsers()) {
    auto select = dyn_cast<arith::SelectOp>(user);
    auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>()
                          : arith::CmpFOp();
    if (!compare || compare.getLhs() != maximum ||
        !matchPattern(compare.getRhs(), m_NegInfFloat()))
      continue;
    using arith::CmpFPredicate;
    CmpFPredicate predicate = compare.getPredicate();
    bool isEqual = predicate == CmpFPredicate::OEQ ||
                   predicate == CmpFPredicate::UEQ ||
                   predicate == CmpFPredicate::OLE,
         isOther = predicate == CmpFPredicate::ONE ||
                   predicate == CmpFPredicate::UNE ||
                   predicate == CmpFPredicate::OGT;
    Value instead = isEqual ? select.getTrueValue() : select.getFalseValue(),
          kept = isEqual ? select.getFalseValue() : select.getTrueValue();
    SplatElementsAttr number;
    if ((isEqual || isOther) && kept == maximum &&
        matchPattern(instead, m_Constant(&number)) &&
        number.getSplatValue<APFloat>().isFinite())
      return select.getResult();
  }
  return maximum;
}

} // namespace tilegpt::tilegpu
