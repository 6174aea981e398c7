// Analyzes the exits of blocks.
#include "Ways.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

Way wayOf(Operation *terminator) {
  if (isa<ContinueOp>(terminator))
    return Way::Continue;
  if (isa<BreakOp>(terminator))
    return Way::Break;
  return isa<ReturnOp>(terminator) ? Way::Return : Way::Yield;
}

Ways waysOf(Region &region) {
  if (region.empty())
    return {{Way::Yield, {}}};
  return waysFrom(region.front().begin(), region.front());
}

Ways waysOf(IfOp op) {
  Ways ways = waysOf(op.getThenRegion());
  ways.merge(waysOf(op.getElseRegion()));
  return ways;
}

Ways waysOf(LoopOp op) {
  const Ways inside = waysOf(op.getRegion());
  Ways ways;
  if (inside.count(Way::Return))
    ways[Way::Return] = {};
  // An infinite loop is treated as one that terminates.
  if (ways.empty() || inside.count(Way::Break))
    ways[Way::Yield] = SmallVector<Type>(op.getResultTypes());
  return ways;
}

static bool goesOnOnly(const Ways &ways) {
  return ways.size() == 1 && ways.count(Way::Yield);
}

/// The exits of an op in a block; most ops just continue.
static Ways waysOf(Operation *op) {
  if (auto branch = dyn_cast<IfOp>(op))
    return waysOf(branch);
  if (auto loop = dyn_cast<LoopOp>(op))
    return waysOf(loop);
  return {{Way::Yield, {}}};
}

bool isLeft(Operation *op) { return !goesOnOnly(waysOf(op)); }

Ways waysFrom(Block::iterator op, Block &block) {
  for (; op != block.end(); ++op) {
    if (op->hasTrait<OpTrait::IsTerminator>())
      return {{wayOf(&*op), SmallVector<Type>(op->getOperandTypes())}};
    Ways ways = waysOf(&*op);
    if (goesOnOnly(ways))
      continue;
    if (ways.erase(Way::Yield))
      ways.merge(waysFrom(std::next(op), block));
    return ways;
  }
  return {{Way::Yield, {}}};
}

IfOp findTest(LoopOp op) {
  Block &body = op.getRegion().front();
  for (Operation &one : body) {
    if (one.hasTrait<OpTrait::IsTerminator>() || !isLeft(&one))
      continue;
    auto test = dyn_cast<IfOp>(one);
    if (!test)
      return {};
    for (Region *leaving : {&test.getThenRegion(), &test.getElseRegion()}) {
      Region *staying = leaving == &test.getThenRegion()
                            ? &test.getElseRegion()
                            : &test.getThenRegion();
      if (leaving->empty() || !isa<BreakOp>(leaving->front().front()))
        continue;
      const Ways stays = waysOf(*staying),
                 rest = waysFrom(std::next(test->getIterator()), body);
      if (goesOnOnly(stays) && rest.size() == 1 && rest.count(Way::Continue))
        return test;
    }
    return {};
  }
  return {};
}

} // namespace tilegpt::cuda_tile
