// Into how many parts the blocks of a cluster share out the rows of a loop: as
// many as occupy the multiprocessors once.
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "Tiling/ChooseTiles.h"
#include "Tiling/LaunchSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// A loop over the rows of a window, of which a block may make all or, with
/// others, a part.
struct WalkedRows {
  StringAttr copies; ///< parameter: blocks that make the same
  StringAttr parts;  ///< parameter: parts that meet behind the loop
  /// The axis that is walked.
  unsigned argument, axis;
};
} // namespace

static std::optional<WalkedRows> findWalkedRows(tile::KernelOp kernel) {
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
      BlockArgument root = window ? rootOf(window) : BlockArgument();
      if (!root)
        continue;
      hasRows = true;
      found.argument = root.getArgNumber();
      found.axis = cast<tile::ViewType>(root.getType()).getRank() -
                   window.getResult().getType().getRank();
    }
  });
  if (!found.copies || !found.parts || !hasRows)
    return std::nullopt;
  return found;
}

/// The blocks that share the rows of a launch.
static int64_t chooseCopies(OpenLaunch &launch, const WalkedRows &rows) {
  // More blocks cost more to start than they save, and so do fewer rows.
  constexpr int64_t fewestRows = 256;
  int64_t mostBlocks = launch.multiprocessors * 4 / 5, best = 1;
  std::optional<int64_t> length = launch.sizeOf(rows.argument, rows.axis);
  if (!launch.target.hasTma || !length)
    return best;
  LaunchSizes sizes(launch);
  for (auto candidate : launch.kernel.lookupParam(rows.copies)
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

/// Parts for each of those blocks as the kernel has them for one; where the
/// launch leaves both open.
bool chooseParts(OpenLaunch &launch) {
  std::optional<WalkedRows> rows = findWalkedRows(launch.kernel);
  if (!rows)
    return false;
  if (launch.isGiven(rows->copies) || launch.isGiven(rows->parts))
    return true;
  auto usual = dyn_cast<IntegerAttr>(
      launch.kernel.lookupParam(rows->parts).getDefaultValue());
  if (!usual)
    return true;
  int64_t copies = chooseCopies(launch, *rows);
  int64_t parts = usual.getInt() * copies;
  if (copies == 1 || !launch.admits(rows->parts, parts))
    return true;
  launch.set(rows->copies, copies);
  launch.set(rows->parts, parts);
  return true;
}

} // namespace tilegpt::tilegpu
