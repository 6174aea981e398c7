// Replaces bit arithmetic that rounds f32 to TF32 by the instruction.
#include "Mma/RoundTF32.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The other operand of an op that has this constant; null otherwise.
template <typename Op>
static Value besideConstant(Value value, int64_t constant) {
  auto op = value.getDefiningOp<Op>();
  APInt found;
  if (!op || !matchPattern(op->getOperand(1), m_ConstantInt(&found)) ||
      found.getSExtValue() != constant)
    return {};
  return op->getOperand(0);
}

/// The number that `select` rounds to the ten mantissa bits of tf32, to nearest
/// even, clearing the remaining bits; null if it does something else. It is NaN
/// ? itself : bits + 0xfff + the last remaining bit, truncated.
static Value findRounded(arith::SelectOp select) {
  constexpr int64_t cutBits = 13, kept = -(1 << cutBits),
                    almostHalf = (1 << (cutBits - 1)) - 1;
  Value number = select.getTrueValue();
  auto isNaN = select.getCondition().getDefiningOp<arith::CmpFOp>();
  auto rounded = select.getFalseValue().getDefiningOp<arith::BitcastOp>();
  if (!number.getType().isF32() || !rounded || !isNaN ||
      isNaN.getPredicate() != arith::CmpFPredicate::UNO ||
      isNaN.getLhs() != number || isNaN.getRhs() != number)
    return {};
  Value masked = besideConstant<arith::AndIOp>(rounded.getIn(), kept);
  auto sum = masked ? masked.getDefiningOp<arith::AddIOp>() : arith::AddIOp();
  for (bool swaps : {false, true}) {
    auto bits = sum ? sum->getOperand(swaps).getDefiningOp<arith::BitcastOp>()
                    : arith::BitcastOp();
    Value last = bits ? besideConstant<arith::AddIOp>(sum->getOperand(!swaps),
                                                      almostHalf)
                      : Value();
    Value shifted = last ? besideConstant<arith::AndIOp>(last, 1) : Value();
    if (shifted && bits.getIn() == number &&
        besideConstant<arith::ShRUIOp>(shifted, cutBits) == bits.getResult())
      return number;
  }
  return {};
}

void roundToTF32ByInstruction(func::FuncOp function) {
  constexpr unsigned firstWithTiesToEven = 90;
  PlanAttr plan = PlanAttr::of(function);
  if (!plan)
    return;
  auto target = target::GpuTarget::find(plan.getTarget());
  if (!target) {
    llvm::consumeError(target.takeError());
    return;
  }
  if (target->capability < firstWithTiesToEven)
    return;
  function.walk([](arith::SelectOp select) {
    Value number = findRounded(select);
    if (!number)
      return;
    OpBuilder builder(select);
    Location loc = select.getLoc();
    Value bits = NVVM::ConvertFloatToTF32Op::create(
        builder, loc, builder.getI32Type(), number, NVVM::FPRoundingMode::RN);
    select.replaceAllUsesWith(
        arith::BitcastOp::create(builder, loc, number.getType(), bits)
            .getResult());
    select.erase();
  });
}

} // namespace tilegpt::tilegpu
