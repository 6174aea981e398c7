// Traces accesses to the arguments that they touch.
#include "Grid/EarlyAccesses.h"
#include "MoveAhead.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool EarlyAccesses::mustWait(Operation *op) {
  return op
      ->walk([&](Operation *inner) {
        // The previous launch must have drawn its last tile.
        if (isa<NextTileOp>(inner))
          return WalkResult::interrupt();
        return isPure(inner) || llvm::all_of(inner->getOperands(),
                                             [&](Value operand) {
                                               return isOwn(operand);
                                             })
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      })
      .wasInterrupted();
}

bool EarlyAccesses::isOwn(Value value) {
  if (isa<TensorMapType>(value.getType())) {
    auto map = value.getDefiningOp<TensorMapOp>();
    if (!map)
      return false;
    value = map.getView();
  }
  if (isa<tile::PtrType>(value.getType()))
    return isLaunchInvariant(facts.ofPointer(value).root);
  return !isa<tile::ViewType>(value.getType()) ||
         isLaunchInvariant(facts.ofView(value).root);
}

bool EarlyAccesses::meetsAny(ArrayRef<Operation *> writes, Value view) {
  return llvm::any_of(writes, [&](Operation *write) {
    Value written = AccessOperands(write).view;
    return facts.ofView(written).root == facts.ofView(view).root &&
           !areApart(written, view);
  });
}

Operation *firstUser(tile::LoadOp load) {
  Operation *first = nullptr;
  for (Operation *user : load->getUsers()) {
    Operation *here = load->getBlock()->findAncestorOpInBlock(*user);
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  return first;
}

SmallVector<tile::LoadOp>
EarlyAccesses::findLoads(AwaitLaunchOp wait,
                         function_ref<bool(tile::LoadOp)> suits) {
  SmallVector<tile::LoadOp> loads;
  OpSet movable, moved;
  SmallVector<Operation *> writes;
  for (Operation &op : *wait->getBlock()) {
    op.walk([&](Operation *inner) {
      if (isAccess(inner) && AccessOperands(inner).isWrite)
        writes.push_back(inner);
    });
    bool isKnown = isKnownAt(wait, &op, movable);
    if (isKnown && isPure(&op) && wait->isBeforeInBlock(&op))
      movable.insert(&op);
    auto load = dyn_cast<tile::LoadOp>(op);
    if (!load || !isKnown || mustWait(load) ||
        meetsAny(writes, load.getView()) || !suits(load))
      continue;
    loads.push_back(load);
    addSources(load, movable, moved);
  }
  for (Operation *op : moved)
    op->moveBefore(wait);
  return loads;
}

} // namespace tilegpt::tilegpu
