// Replaces integer induction variables by indices.
#include "Normalize/Loops/CountByIndex.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tile {

/// The iterations of `loop`, at least 0, in the type of its bounds.
static Value countByBounds(OpBuilder &b, scf::ForOp loop) {
  const Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  const bool isUnsigned = loop.getUnsignedCmp();
  Value isEntered = arith::CmpIOp::create(
            b, loc,
            isUnsigned ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt,
            upper, lower),
        range = arith::SubIOp::create(b, loc, upper, lower),
        count = arith::CeilDivUIOp::create(b, loc, range, loop.getStep()),
        zero =
            arith::ConstantOp::create(b, loc, b.getZeroAttr(lower.getType()));
  return arith::SelectOp::create(b, loc, isEntered, count, zero);
}

/// `lower` plus `iteration`, an index, times `step`.
static Value valueOfIteration(OpBuilder &b, Location loc, Value iteration,
                              Value lower, Value step) {
  Value integer =
            arith::IndexCastUIOp::create(b, loc, lower.getType(), iteration),
        offset = arith::MulIOp::create(b, loc, integer, step);
  return arith::AddIOp::create(b, loc, lower, offset);
}

/// Uses `index` where `counter`, the same number, is converted to an index.
static void useIndex(Value counter, Value index) {
  for (Operation *user : llvm::make_early_inc_range(counter.getUsers()))
    if (auto cast = dyn_cast<arith::IndexCastOp>(user);
        cast && cast.getType() == index.getType()) {
      cast.replaceAllUsesWith(index);
      cast.erase();
    }
}

static void countByIndex(scf::ForOp loop) {
  OpBuilder b(loop);
  const Location loc = loop.getLoc();
  const Type index = b.getIndexType();
  Value counter = loop.getInductionVar();
  Value lower = loop.getLowerBound(), step = loop.getStep();
  const bool keepsBounds =
      !loop.getUnsignedCmp() && counter.getType().getIntOrFloatBitWidth() <= 32;
  auto asIndex = [&](Value bound) {
    return b.createOrFold<arith::IndexCastOp>(loc, index, bound);
  };
  if (keepsBounds) {
    loop.setUpperBound(asIndex(loop.getUpperBound()));
    loop.setLowerBound(asIndex(lower));
    loop.setStep(asIndex(step));
  } else {
    Value count = countByBounds(b, loop);
    loop.setUpperBound(
        arith::IndexCastUIOp::create(b, loc, index, count).getResult());
    loop.setLowerBound(arith::ConstantIndexOp::create(b, loc, 0));
    loop.setStep(arith::ConstantIndexOp::create(b, loc, 1));
    loop.setUnsignedCmp(false);
  }
  const Type integer = counter.getType();
  const auto uses = llvm::to_vector(
      llvm::map_range(counter.getUses(), [](OpOperand &use) { return &use; }));
  counter.setType(index);
  b.setInsertionPointToStart(loop.getBody());
  Value value = keepsBounds
                    ? arith::IndexCastOp::create(b, loc, integer, counter)
                    : valueOfIteration(b, loc, counter, lower, step);
  for (OpOperand *use : uses)
    use->set(value);
  if (keepsBounds)
    useIndex(value, counter);
}

void countByIndex(KernelOp kernel) {
  kernel.getBody().walk([](scf::ForOp loop) {
    if (!loop.getInductionVar().getType().isIndex())
      countByIndex(loop);
  });
}

} // namespace tilegpt::tile
