// Decides which loops can be split, and the types of partial results.
#include "Host/LoopParts.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tile {

scf::ForOp findPartedLoop(KernelOp kernel, StringRef &reason) {
  const auto refuse = [&](StringRef why) {
    reason = why;
    return scf::ForOp();
  };
  auto loops = kernel.getBody().getOps<scf::ForOp>();
  if (loops.empty())
    return {};
  scf::ForOp loop = *loops.begin();
  if (!llvm::hasSingleElement(loops))
    return refuse("the kernel has several loops");
  for (Operation &op :
       llvm::make_range(kernel.getEntryBlock()->begin(), loop->getIterator()))
    if ((op.getNumRegions() != 0 && !isa<ReduceOp>(op)) ||
        (!isMemoryEffectFree(&op) && !isa<LoadOp, GatherOp, AssertOp>(op)))
      return refuse("the kernel does more than load and compute before the "
                    "loop");
  if (!loop.getInductionVar().getType().isIndex())
    return refuse("the induction variable is not of type index");
  return loop;
}

SmallVector<ViewType> partialTypes(const LoopDeal &deal) {
  int64_t parts = deal.parts;
  for (int64_t blocks : deal.blocks)
    parts *= blocks;
  scf::ForOp loop = deal.loop;
  return llvm::map_to_vector(loop.getResultTypes(), [&](Type type) {
    auto tile = cast<RankedTensorType>(type);
    SmallVector<int64_t> shape = {parts};
    llvm::append_range(shape, tile.getShape());
    return ViewType::get(tile.getContext(), shape, tile.getElementType(), {});
  });
}

} // namespace tilegpt::tile
