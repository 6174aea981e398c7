// Follows pointers and views of them to the accesses.
#include "TileGPT/Dialect/Tile/Analysis/PointerUses.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"

using namespace mlir;

namespace tilegpt::tilegpu {

void forEachAlias(Value pointer, function_ref<void(Value)> visit) {
  SmallVector<Value> pending = {pointer};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    visit(value);
    for (Operation *user : value.getUsers())
      for (Value result : user->getResults())
        if (isa<tile::PtrType, tile::ViewType>(result.getType()))
          pending.push_back(result);
  }
}

bool isWritten(Value pointer) {
  bool found = false;
  forEachAlias(pointer, [&](Value alias) {
    for (Operation *user : alias.getUsers())
      // A pointer that a loop or a branch hands on is not followed.
      found |= isa<tile::StoreOp, tile::ScatterOp, tile::StoreAtOp,
                   tile::AtomicRMWOp, tile::AtomicCASOp>(user) ||
               user->getNumRegions() != 0 ||
               user->hasTrait<OpTrait::IsTerminator>();
  });
  return found;
}

bool standsAlone(BlockArgument pointer) {
  auto kernel = cast<tile::KernelOp>(pointer.getOwner()->getParentOp());
  auto classes =
      kernel->getAttrOfType<DenseI64ArrayAttr>(tile::aliasClassesAttr);
  if (!classes && !isWritten(pointer))
    return true;
  constexpr int64_t anywhere = -1;
  if (classes && classes[pointer.getArgNumber()] == anywhere)
    return false;
  return llvm::none_of(kernel.getArguments(), [&](BlockArgument other) {
    if (other == pointer || !isa<tile::PtrType>(other.getType()))
      return false;
    return classes ? classes[other.getArgNumber()] ==
                         classes[pointer.getArgNumber()]
                   : isWritten(other);
  });
}

} // namespace tilegpt::tilegpu
