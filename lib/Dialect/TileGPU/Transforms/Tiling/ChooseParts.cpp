// Chooses how many blocks of a cluster share the rows of a loop: enough to
// occupy all multiprocessors once.
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "Tiling/ChooseTiles.h"
#include "Tiling/LaunchSizes.h"
#include "Tiling/LoadBytes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// A loop over the rows of a window that a single block can run, or several
/// blocks in parts.
struct WalkedRows {
  StringAttr copies; ///< parameter: blocks with the same result
  StringAttr parts;  ///< parameter: parts combined after the loop
  /// The axis of the loop's rows.
  unsigned argument, axis;
  /// The loads of an iteration.
  SmallVector<tile::LoadOp> loads;
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
      found.loads.push_back(load);
      found.argument = root.getArgNumber();
      found.axis = cast<tile::ViewType>(root.getType()).getRank() -
                   window.getResult().getType().getRank();
    }
  });
  if (!found.copies || !found.parts || !hasRows)
    return std::nullopt;
  return found;
}

/// The number of blocks that share the rows of a launch.
static int64_t chooseCopies(OpenLaunch &launch, const WalkedRows &rows) {
  // More blocks, or fewer rows each, cost more to start than they save.
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

/// Reduces the rows per iteration until four stages fit, three of them in
/// flight. If every multiprocessor has several blocks, until the stages of two
/// blocks fit: one starts or ends while the other reads (32 x 12 x 1024 x 64:
/// 27 us instead of 31).
static void chooseRowsOfIteration(OpenLaunch &launch, const WalkedRows &rows,
                                  int64_t copies, int64_t parts) {
  constexpr int64_t stages = 4;
  std::optional<int64_t> blocks = LaunchSizes(launch).countBlocks(
      {{rows.copies.getValue(), copies}, {rows.parts.getValue(), parts}});
  if (!blocks)
    return;
  int64_t residents = *blocks >= 2 * launch.multiprocessors ? 2 : 1;
  int64_t room =
      int64_t(launch.target.sharedBytesPerMultiprocessor) / residents / stages;
  for (tile::ParamAttr param :
       launch.kernel.getParams().getAsRange<tile::ParamAttr>()) {
    StringAttr name = param.getName();
    auto usual = dyn_cast<IntegerAttr>(param.getDefaultValue());
    if (!usual || name == rows.copies || name == rows.parts ||
        launch.isGiven(name) || param.getCandidates().empty())
      continue;
    auto bytesWith = [&](int64_t size) {
      return bytesOfLoads(launch, rows.loads,
                          {{rows.copies.getValue(), copies},
                           {rows.parts.getValue(), parts},
                           {name.getValue(), size}});
    };
    std::optional<int64_t> row = bytesWith(1), all = bytesWith(usual.getInt());
    if (!row || !all || *row == *all)
      continue;
    SmallVector<int64_t> smaller = llvm::to_vector(
        llvm::make_filter_range(launch.candidates(name), [&](int64_t size) {
          return size <= usual.getInt();
        }));
    int64_t best = largestOf(smaller, [&](int64_t size) {
      return *bytesWith(size) / copies <= room;
    });
    if (best != usual.getInt())
      launch.set(name, best);
    return;
  }
}

/// Gives each of those blocks as many parts as the kernel has for one, if the
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
  if (copies == 1 || !launch.admits(rows->parts, parts)) {
    chooseRowsOfIteration(launch, *rows, /*copies=*/1, usual.getInt());
    return true;
  }
  launch.set(rows->copies, copies);
  launch.set(rows->parts, parts);
  chooseRowsOfIteration(launch, *rows, copies, parts);
  return true;
}

} // namespace tilegpt::tilegpu
