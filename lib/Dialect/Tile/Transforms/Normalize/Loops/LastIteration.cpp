// Finds conditions that hold in the last iteration only.
#include "Normalize/Loops/LastIteration.h"
#include "Normalize/IndexSums.h"
#include "Normalize/Loops/CarriedValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tile {

/// Whether a comparison holds in the last iteration of a loop and in no other.
static bool isLast(arith::CmpIOp compare, scf::ForOp loop, IndexSums &sums) {
  using P = arith::CmpIPredicate;
  IndexSum lhs = sums.of(compare.getLhs()), rhs = sums.of(compare.getRhs()),
           step = sums.of(loop.getStep()),
           // Not negative in the last iteration only.
      over = sums.of(loop.getInductionVar()) + step -
             sums.of(loop.getUpperBound());
  switch (compare.getPredicate()) {
  case P::eq:
    return step.getConstant() == 1 && (lhs - rhs == over || rhs - lhs == over);
  case P::sge:
    return lhs - rhs == over;
  case P::sle:
    return rhs - lhs == over;
  case P::sgt:
    return lhs - rhs == over + IndexSum::constant(1);
  case P::slt:
    return rhs - lhs == over + IndexSum::constant(1);
  default:
    return false;
  }
}

namespace {
/// What a branch of a loop's body reads, behind the loop.
class Bringing {
public:
  Bringing(scf::ForOp loop, scf::IfOp branch) : loop(loop), branch(branch) {
    for (auto [yielded, result] :
         llvm::zip_equal(loop.getYieldedValues(), loop.getResults()))
      if (!loop.isDefinedOutsideOfLoop(yielded) && !isa<BlockArgument>(yielded))
        known.map(yielded, result);
  }

  bool isPossible() {
    return !branch
                .walk([&](Operation *op) {
                  return llvm::all_of(op->getOperands(),
                                      [&](Value value) { return has(value); })
                             ? WalkResult::advance()
                             : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  /// Copies the branch behind the loop.
  void copy() {
    OpBuilder builder(loop->getContext());
    builder.setInsertionPointAfter(loop);
    Location loc = branch.getLoc();
    Value one = arith::ConstantIndexOp::create(builder, loc, 1),
          count = countIterations(builder, loop),
          before = builder.createOrFold<arith::SubIOp>(loc, count, one),
          far =
              builder.createOrFold<arith::MulIOp>(loc, before, loop.getStep());
    known.map(loop.getInductionVar(), builder.createOrFold<arith::AddIOp>(
                                          loc, loop.getLowerBound(), far));
    Value runs = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::sgt, loop.getUpperBound(),
        loop.getLowerBound());
    auto guard = scf::IfOp::create(builder, loc, runs);
    builder.setInsertionPointToStart(guard.thenBlock());
    branch.walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        bring(builder, operand);
    });
    for (Operation &op : branch.thenBlock()->without_terminator())
      builder.clone(op, known);
  }

private:
  bool has(Value value) {
    if (loop.isDefinedOutsideOfLoop(value) || known.contains(value) ||
        value == loop.getInductionVar() ||
        branch->isAncestor(value.getParentBlock()->getParentOp()))
      return true;
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == loop.getBody() && op->getNumRegions() == 0 &&
           isPure(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
             return has(operand);
           });
  }

  void bring(OpBuilder &builder, Value value) {
    if (loop.isDefinedOutsideOfLoop(value) || known.contains(value) ||
        branch->isAncestor(value.getParentBlock()->getParentOp()))
      return;
    for (Value operand : value.getDefiningOp()->getOperands())
      bring(builder, operand);
    builder.clone(*value.getDefiningOp(), known);
  }

  scf::ForOp loop;
  scf::IfOp branch;
  IRMapping known;
};
} // namespace

static void moveLastBranch(KernelOp kernel, scf::ForOp loop) {
  if (loop.getUnsignedCmp() || !loop.getInductionVar().getType().isIndex())
    return;
  auto branch = dyn_cast_or_null<scf::IfOp>(
      loop.getBody()->getTerminator()->getPrevNode());
  if (!branch || branch->getNumResults() != 0 || branch.elseBlock())
    return;
  auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  IndexSums sums(kernel, kernel.getArguments(), IndexSums::Sizes::Launch);
  if (!compare || !isLast(compare, loop, sums))
    return;
  Bringing bringing(loop, branch);
  if (!bringing.isPossible())
    return;
  bringing.copy();
  branch.erase();
}

void moveLastBranches(KernelOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.getBody().walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    moveLastBranch(kernel, loop);
}

} // namespace tilegpt::tile
