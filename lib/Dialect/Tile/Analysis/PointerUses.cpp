// Follows pointers and views of them to the accesses.
#include "TileGPT/Dialect/Tile/Analysis/PointerUses.h"
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
      found |= isa<tile::StoreOp, tile::ScatterOp, tile::StoreAtOp,
                   tile::AtomicRMWOp, tile::AtomicCASOp>(user);
  });
  return found;
}

} // namespace tilegpt::tilegpu
