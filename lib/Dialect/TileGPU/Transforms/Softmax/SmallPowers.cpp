// Matches flushes of exponentials to zero, written as `select(|p| < smallest
// normal number, bits of p & sign, p)`.
#include "Softmax/SmallPowers.h"
#include "EraseDead.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static bool flushesPower(arith::SelectOp select) {
  Value power = select.getFalseValue();
  auto small = select.getCondition().getDefiningOp<arith::CmpFOp>();
  auto size =
      small ? small.getLhs().getDefiningOp<math::AbsFOp>() : math::AbsFOp();
  auto zero = select.getTrueValue().getDefiningOp<arith::BitcastOp>();
  SplatElementsAttr bound;
  return isa_and_nonnull<math::Exp2Op, math::ExpOp>(power.getDefiningOp()) &&
         size && size.getOperand() == power && zero &&
         isa_and_nonnull<arith::AndIOp>(zero.getIn().getDefiningOp()) &&
         small.getPredicate() == arith::CmpFPredicate::OLT &&
         matchPattern(small.getRhs(), m_Constant(&bound)) &&
         bound.getSplatValue<APFloat>().isSmallestNormalized();
}

void keepSmallPowers(MainloopOp loop) {
  Block &block = *loop.getConsumeBlock();
  for (auto select :
       llvm::make_early_inc_range(block.getOps<arith::SelectOp>()))
    if (flushesPower(select)) {
      select.replaceAllUsesWith(select.getFalseValue());
      select.erase();
    }
  // Tests of the powers must not stay where these are moved from.
  eraseDead(block);
}

} // namespace tilegpt::tilegpu
