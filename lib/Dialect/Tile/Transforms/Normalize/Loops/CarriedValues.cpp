// Invariant values, iteration counts, and loops that carry less.
#include "Normalize/Loops/CarriedValues.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace tilegpt::tile {

bool isInvariant(Value value, scf::ForOp loop) {
  SmallVector<Value> pending = {value};
  llvm::SmallDenseSet<Value> seen;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (!seen.insert(next).second || loop.isDefinedOutsideOfLoop(next))
      continue;
    Operation *op = next.getDefiningOp();
    if (!op || op->getNumRegions() != 0 || !isPure(op))
      return false;
    llvm::append_range(pending, op->getOperands());
  }
  return true;
}

void hoist(Value value, scf::ForOp loop) {
  if (loop.isDefinedOutsideOfLoop(value))
    return;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    hoist(operand, loop);
  op->moveBefore(loop);
}

bool onlyReads(Operation *op) {
  return !op->walk([](Operation *each) {
              bool reads =
                  isa<LoadOp, GatherOp>(each) ||
                  each->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                  isMemoryEffectFree(each);
              return reads ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}

void changeReadingLoops(Region &region,
                        function_ref<bool(scf::ForOp &)> change) {
  SmallVector<scf::ForOp> loops;
  region.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    if (loop.getUnsignedCmp() || !loop.getInductionVar().getType().isIndex() ||
        !onlyReads(loop))
      continue;
    while (change(loop))
      ;
  }
}

Value countIterations(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value range = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(),
                                                    loop.getLowerBound());
  range = builder.createOrFold<arith::MaxSIOp>(loc, range, zero);
  return builder.createOrFold<arith::CeilDivSIOp>(loc, range, loop.getStep());
}

scf::ForOp dropCarried(scf::ForOp loop, const llvm::BitVector &isDropped) {
  OpBuilder builder(loop);
  SmallVector<Value> inits;
  for (auto [number, init] : llvm::enumerate(loop.getInitArgs()))
    if (!isDropped.test(number))
      inits.push_back(init);
  auto other = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                  loop.getUpperBound(), loop.getStep(), inits);
  other.setUnsignedCmp(loop.getUnsignedCmp());
  other->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Operation *yield = loop.getBody()->getTerminator();
  llvm::BitVector ofArguments(1, false);
  for (unsigned number = 0; number < isDropped.size(); ++number)
    ofArguments.push_back(isDropped.test(number));
  yield->eraseOperands(isDropped);
  loop.getBody()->eraseArguments(ofArguments);
  other.getRegion().takeBody(loop.getRegion());
  unsigned kept = 0;
  for (auto [number, result] : llvm::enumerate(loop.getResults()))
    if (!isDropped.test(number))
      result.replaceAllUsesWith(other.getResult(kept++));
  loop.erase();
  return other;
}

} // namespace tilegpt::tile
