// How many warps multiply, and how far ahead of them copies may be.
#include "PipePlan.h"
#include "KnownGrid.h"
#include "PipeCost.h"
#include "PipeLoops.h"
#include "RowStores.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

static constexpr int64_t groupWarps = 4;

namespace {
struct Workforce {
  int64_t warps, teams;
};
} // namespace

/// Whether a kernel combines the sum with another tile from memory: what that
/// takes on its way leaves a team too few registers.
static bool hasTileOperand(tile::KernelOp kernel, PipeLoop &pipe) {
  bool found = false;
  kernel.walk([&](tile::LoadOp load) {
    found |= load != pipe.lhs && load != pipe.rhs &&
             cast<RankedTensorType>(load.getType()).getRank() > 1;
  });
  return found;
}

/// Two warp groups that compute, unless there are only rows for one (or less:
/// what a warp group multiplies beyond is garbage that nobody reads). Of 256
/// rows each has 128. 128 rows are for both together, or, where a block has
/// several tiles, for each in turn: one multiplies while the other stores.
static Workforce chooseWorkforce(tile::KernelOp kernel, PipeLoop &pipe,
                                 int64_t multiprocessors) {
  std::optional<int64_t> blocks = knownBlocks(kernel);
  bool hasSeveralTiles = !blocks || *blocks > multiprocessors;
  constexpr int64_t groupRows = 64;
  int64_t rows = pipe.dot.getAcc().getType().getDimSize(0),
          columns = pipe.dot.getAcc().getType().getDimSize(1);
  if (rows <= groupRows)
    return {groupWarps, 1};
  // Sums that are added trip by trip are, by one group, while the other one
  // multiplies.
  if (hasSeveralTiles && !pipe.addsTrips() && rows == teamRows &&
      columns >= leastTeamColumns && columns <= mostTeamColumns &&
      pipe.runsAlways() && !hasTileOperand(kernel, pipe))
    return {groupWarps, 2};
  return {rows % (2 * groupRows) == 0 ? 2 * groupWarps : 0, 1};
}

/// Shared memory through which a warp group stores: a box of 64 rows of 128
/// bytes, or the rows of four warps, of 32-bit elements or where rows begin
/// anywhere.
static int64_t bytesOfResults(tile::KernelOp kernel) {
  constexpr int64_t boxBytes = int64_t(64) * 128, wideBytes = 4,
                    narrowBytes = 2;
  int64_t bytes = boxBytes;
  IndexFacts facts;
  kernel.walk([&](tile::StoreOp store) {
    auto tile = cast<RankedTensorType>(store.getValue().getType());
    int64_t width = elementBytes(tile.getElementType());
    if (tile.getRank() != 2 || store.getOrder() ||
        (width != wideBytes &&
         !(width == narrowBytes && hasCutRows(store, facts))))
      return;
    int64_t columns =
        columnsOfRowStore(tile.getDimSize(1), mostStoredColumns(width));
    bytes =
        std::max(bytes, groupWarps * storedRows *
                            (columns + paddingOfRow(columns, width)) * width);
  });
  return bytes;
}

/// Accumulators of a thread; what the sum needs beside them must fit too.
static bool fitsRegisters(PipeLoop &pipe, int64_t warps, int64_t parts) {
  constexpr int64_t most = 208;
  return parts * pipe.getAccumulators(warps) <= most;
}

/// The alignment, up to a step's 128 bytes, of the rows of a pipe's operands.
static int64_t alignmentOfRows(PipeLoop &pipe) {
  int64_t alignment = 128;
  for (tile::LoadOp load : {pipe.lhs, pipe.rhs}) {
    auto view = cast<tile::ViewType>(load.getView().getType());
    for (int64_t stride : ArrayRef(view.getKnownStrides()).drop_back())
      alignment =
          std::gcd(alignment, stride * elementBytes(view.getElementType()));
  }
  return alignment;
}

/// How blocks share the product, by the estimate its tiles were chosen by;
/// nothing where a size is open.
static std::optional<PipeCost> estimate(tile::KernelOp kernel, PipeLoop &pipe,
                                        const target::GpuTarget &target,
                                        int64_t multiprocessors) {
  std::optional<PipeLoop> shared = findSharedLoop(kernel);
  std::optional<int64_t> blocks = knownBlocks(kernel),
                         steps = getConstantIntValue(pipe.loop.getUpperBound());
  if (!blocks || !steps)
    return std::nullopt;
  RankedTensorType acc = pipe.dot.getAcc().getType();
  int64_t columns =
      shared ? knownBlocks(kernel, shared->getColumnAxis()).value_or(1)
             : *blocks;
  return costOfPipe(
      {acc.getDimSize(0), acc.getDimSize(1), *blocks / columns, columns, *steps,
       alignmentOfRows(pipe),
       /*hasKnownGrid=*/shared.has_value(),
       /*canTakeTurns=*/!pipe.addsTrips() && !hasTileOperand(kernel, pipe)},
      target, multiprocessors);
}

PlanAttr planPipe(tile::KernelOp kernel, const target::GpuTarget &target,
                  int64_t multiprocessors) {
  if (!target.hasTma || !target.hasWgmma)
    return {};
  std::optional<PipeLoop> pipe;
  int64_t count = 0;
  kernel.walk([&](scf::ForOp loop) {
    if (auto match = matchPipeLoop(loop)) {
      pipe = match;
      ++count;
    }
  });
  if (count != 1 || !pipe->hasWholeStages())
    return {};
  auto [warps, teams] = chooseWorkforce(kernel, *pipe, multiprocessors);
  std::optional<PipeCost> cost =
      estimate(kernel, *pipe, target, multiprocessors);
  int64_t parts = teams == 1 && cost ? cost->parts : 1;
  if (warps == 0 || !fitsRegisters(*pipe, warps, parts))
    return {};

  // Bytes in flight bound a kernel of one wave: fill shared memory with stages,
  // but for the results of a warp group, for what other parts send, and for the
  // barriers.
  constexpr int64_t others = 2048, most = 12, least = 3, sumBytes = 4;
  RankedTensorType acc = pipe->dot.getAcc().getType();
  int64_t stageBytes = pipe->getStageBytes() +
                       (parts - 1) * pipe->getRowBytes() * acc.getDimSize(1);
  int64_t stages = std::min<int64_t>(
      most, (int64_t(target.sharedBytesPerBlock) - others -
             teams * warps / groupWarps * bytesOfResults(kernel) -
             (parts - 1) * acc.getNumElements() * sumBytes) /
                stageBytes);
  if (stages < least)
    return {};
  // Of the shapes measured none was faster with another.
  constexpr int64_t raster = 8;
  return PlanAttr::get(kernel.getContext(),
                       StringAttr::get(kernel.getContext(), target.name), warps,
                       stages, /*producer=*/true, /*persistent=*/parts == 1,
                       raster, teams, parts, /*blocks=*/0);
}

} // namespace tilegpt::tilegpu
