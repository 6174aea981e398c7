// Parts of a loop's rows: as many as occupy the multiprocessors once.
#include "ChooseParts.h"
#include "LaunchSizes.h"
#include "PipeLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

std::optional<WalkedRows> findWalkedRows(tile::KernelOp kernel) {
  WalkedRows found = {};
  bool hasRows = false;
  kernel.walk([&](arith::DivUIOp op) {
    auto id = op.getLhs().getDefiningOp<tile::BlockIdOp>();
    auto copies = op.getRhs().getDefiningOp<tile::ParamOp>();
    if (id && id.getAxis() == 0 && copies)
      found.copies = copies.getNameAttr();
  });
  kernel.walk([&](scf::ForOp loop) {
    for (Value init : loop.getInits())
      if (auto splat = init.getDefiningOp<tile::SplatOp>())
        if (auto parts = dyn_cast<StringAttr>(splat.getSizes()[0]))
          found.parts = parts;
    for (auto load : loop.getOps<tile::LoadOp>()) {
      auto window = load.getView().getDefiningOp<tile::SubviewOp>();
      SmallVector<Value> selected;
      BlockArgument root =
          window ? rootOf(window.getSource(), selected) : BlockArgument();
      if (!root)
        continue;
      hasRows = true;
      found.argument = root.getArgNumber();
      found.axis = selected.size();
    }
  });
  if (!found.copies || !found.parts || !hasRows)
    return std::nullopt;
  return found;
}

int64_t chooseCopies(
    tile::KernelOp kernel, const WalkedRows &rows,
    const target::GpuTarget &target, int64_t multiprocessors,
    llvm::function_ref<std::optional<int64_t>(unsigned, unsigned)> sizeOf) {
  // More blocks cost more to start than they save, and so do fewer rows.
  constexpr int64_t fewestRows = 256;
  int64_t mostBlocks = multiprocessors * 4 / 5, best = 1;
  std::optional<int64_t> length = sizeOf(rows.argument, rows.axis);
  if (!target.hasTma || !length)
    return best;
  LaunchSizes sizes(kernel, sizeOf);
  for (auto candidate : kernel.lookupParam(rows.copies)
                            .getCandidates()
                            .getAsRange<IntegerAttr>()) {
    int64_t copies = candidate.getInt();
    std::optional<int64_t> blocks =
        sizes.countBlocks({{rows.copies.getValue(), copies}});
    if (blocks && *blocks <= mostBlocks && *length / copies >= fewestRows)
      best = std::max(best, copies);
  }
  return best;
}

} // namespace tilegpt::tilegpu
