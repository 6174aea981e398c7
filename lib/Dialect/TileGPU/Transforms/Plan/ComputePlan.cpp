// Chooses how many warp groups share the rows of main loops that compute
// between their dots, by registers and shared memory.
#include "Plan/ComputePlan.h"
#include "Plan/DescribeProduct.h"
#include "Plan/ExchangeMemory.h"
#include "Plan/ProductPlan.h"
#include "Plan/StageBytes.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Target/NVVM/Residents.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

static constexpr int64_t mostGroups = 3;

/// Registers per thread that tensor cores read or write: the results of all
/// dots, once for dots of one accumulator, and the lhs operands that iterations
/// compute: of all deferred dots, and of one of the others at a time.
static int64_t registersOf(const Mainloop &match, int64_t groups) {
  int64_t elements = 0, mostInPlace = 0;
  scf::ForOp loop = match.loop;
  for (auto &[entry, kind] :
       scheduleDots(*loop.getBody(), loop.getRegionIterArgs())) {
    tile::DotOp dot = entry;
    if (!dot.getAcc().getDefiningOp<tile::DotOp>())
      elements += dot.getAcc().getType().getNumElements();
    if (loop.isDefinedOutsideOfLoop(dot.getLhs()) ||
        isStaged(dot.getLhsMutable(), *loop.getBody(),
                 loop.getRegionIterArgs()))
      continue;
    int64_t operand = dot.getLhs().getType().getNumElements() / 2;
    if (kind == DotSchedule::Deferred)
      elements += operand;
    else if (kind == DotSchedule::InPlace)
      mostInPlace = std::max(mostInPlace, operand);
  }
  return (elements + mostInPlace) / (groups * groupThreads);
}

/// Bytes of all windows of a load; nullopt if a size is unknown.
static std::optional<int64_t> windowBytes(const StreamLoad &load) {
  auto view = cast<tile::ViewType>(load.root.getType());
  ArrayRef<int64_t> shape = view.getShape().take_back(2);
  if (ShapedType::isDynamic(shape[0]) || ShapedType::isDynamic(shape[1]))
    return std::nullopt;
  return shape[0] * shape[1] * view.getElementType().getIntOrFloatBitWidth() /
         8;
}

/// Grid points with streams of their own that run together: as many as fit
/// these streams into a share of the L2 cache.
static int64_t countTogether(const Mainloop &match) {
  constexpr int64_t share = int64_t(16) << 20, unknown = 32;
  int64_t bytes = 0;
  for (const StreamLoad &stream : match.streams) {
    std::optional<int64_t> window = windowBytes(stream);
    if (!window)
      return unknown;
    bytes += *window;
  }
  return std::max<int64_t>(1, share / bytes);
}

/// Warp groups that share the rows of all dots, each the same number of rows of
/// wgmma: as many as have a producer's registers; 0 if none can.
static int64_t countGroups(ArrayRef<Mainloop> matches) {
  int64_t rows = 0;
  for (const Mainloop &match : matches)
    for (tile::DotOp dot : match.dots)
      rows = std::gcd(rows, dot.getAcc().getType().getDimSize(0));
  if (rows % groupRows != 0)
    return 0;
  int64_t groups = std::min(rows / groupRows, mostGroups);
  while (groups > 0 && rows % (groups * groupRows) != 0)
    --groups;
  return groups;
}

namespace {
/// Stages of the rings of streams and of residents.
struct Stages {
  int64_t streams, residents;
};
} // namespace

/// Whether an iteration waits for a dot and computes with its result.
static bool hasLeadingDot(ArrayRef<Mainloop> matches) {
  return llvm::any_of(matches, [](const Mainloop &match) {
    scf::ForOp loop = match.loop;
    return llvm::any_of(
        scheduleDots(*loop.getBody(), loop.getRegionIterArgs()),
        [](auto &entry) { return entry.second == DotSchedule::Leading; });
  });
}

/// The most stages of a ring: up to twice the two that are needed if copies may
/// arrive late. An iteration that only prepares an operand in registers is
/// shorter than the latency of its copies.
static int64_t mostStages(ArrayRef<Mainloop> matches, int64_t stageBytes) {
  constexpr int64_t usual = 4, most = 12;
  bool isStaged = llvm::any_of(
      matches, [](const Mainloop &match) { return !match.staged.empty(); });
  return isStaged || hasLeadingDot(matches)
             ? usual
             : stagesForLatency(stageBytes, usual, most);
}

/// Two stages, one being multiplied and one in flight, and up to `most`. If the
/// resident tiles of the next grid point do not fit, these arrive late as well.
static std::optional<Stages> countStages(int64_t stageBytes, int64_t most,
                                         int64_t residentBytes,
                                         int64_t exchangeBytes,
                                         const target::GpuTarget &target,
                                         ArrayRef<int64_t> residentStages) {
  constexpr int64_t least = 2, reserve = 2048;
  for (int64_t residents : residentStages) {
    int64_t room = int64_t(target.sharedBytesPerBlock) - reserve -
                   exchangeBytes - residents * residentBytes,
            stages = std::min(most, room / stageBytes);
    if (stages >= least)
      return Stages{stages, residents};
  }
  return std::nullopt;
}

/// Sets or clears whether deferrable dots of a loop stay in place.
static void keepInPlace(const Mainloop &match, bool isKept) {
  for (tile::DotOp dot : match.dots)
    if (isKept)
      dot->setAttr(keptInPlaceName, UnitAttr::get(dot.getContext()));
    else
      dot->removeAttr(keptInPlaceName);
}

/// Registers of a consumer thread for the dots after the producer has released
/// its share, less those for addresses, maxima and sums.
static int64_t registersForDots(int64_t groups) {
  constexpr int64_t few = 160, many = 240, others = 32;
  return (groups == mostGroups ? few : many) - others;
}

bool isProduct(const Mainloop &match) {
  scf::ForOp loop = match.loop;
  return llvm::all_of(
      scheduleDots(*loop.getBody(), loop.getRegionIterArgs()),
      [](auto &entry) { return entry.second == DotSchedule::InFlight; });
}

SmallVector<Mainloop> findComputeLoops(tile::KernelOp kernel,
                                       const target::GpuTarget &target) {
  if (kernel->hasAttr(PlanAttr::attrName) || !target.hasTma ||
      !target.hasWgmma || kernel->hasAttr(clusterName))
    return {};
  SmallVector<Mainloop> loops = analyzeMainloops(kernel);
  return llvm::all_of(loops, isProduct) ? SmallVector<Mainloop>() : loops;
}

bool suitsComputedRows(int64_t rows, int64_t columns, int64_t depth,
                       int64_t sums, int64_t dots) {
  constexpr int64_t mostShared = 2, columnStep = 8, mostColumns = 256;
  int64_t groups = rows / groupRows;
  return rows % groupRows == 0 && groups >= 1 && groups <= mostShared &&
         columns % columnStep == 0 && columns <= mostColumns &&
         (sums * rows * columns + dots * rows * depth / 2) /
                 (groups * groupThreads) <=
             registersForDots(groups);
}

/// Registers per thread that the dots need; nullopt if those of this number of
/// warp groups do not suffice. If they suffice only with dots kept in place, or
/// this is requested, marks these.
static std::optional<int64_t> fitRegisters(const Mainloop &match,
                                           int64_t groups, bool wantsInPlace) {
  int64_t most = registersForDots(groups);
  for (bool isKept : {false, true}) {
    if (wantsInPlace && !isKept)
      continue;
    keepInPlace(match, isKept);
    if (int64_t registers = registersOf(match, groups); registers <= most)
      return registers;
  }
  keepInPlace(match, false);
  return std::nullopt;
}

std::optional<ComputeFit> fitComputeLoops(tile::KernelOp kernel,
                                          ArrayRef<Mainloop> matches,
                                          const target::GpuTarget &target) {
  constexpr int64_t mostGridAxes = 3;
  int64_t groups = countGroups(matches);
  if (kernel.getGridRank() > mostGridAxes || groups == 0 || groups > mostGroups)
    return std::nullopt;
  const bool wantsInPlace = kernel->hasAttr(keptInPlaceName);
  int64_t residentBytes = 0, stagedBytes = 0, registers = 0;
  llvm::SmallDenseSet<Value> residents;
  for (const Mainloop &match : matches) {
    std::optional<int64_t> taken = fitRegisters(match, groups, wantsInPlace);
    if (!match.hasWholeStages() || !taken)
      return std::nullopt;
    registers = std::max(registers, *taken);
    for (Value resident : match.residents)
      if (residents.insert(resident).second)
        residentBytes +=
            bufferOfOperand(cast<RankedTensorType>(resident.getType()))
                .getNumBytes();
    for (Value staged : match.staged)
      stagedBytes += bufferOfOperand(cast<RankedTensorType>(staged.getType()))
                         .getNumBytes();
  }
  ExchangeMemory exchange(kernel, matches);
  auto stagesBeside = [&](bool copiesAll, ArrayRef<int64_t> residentStages,
                          int64_t others) {
    int64_t stageBytes = stageBytesOf(matches, copiesAll);
    return countStages(
        stageBytes, mostStages(matches, stageBytes), residentBytes,
        exchange.scratch + exchange.operands + stagedBytes + others, target,
        residentStages);
  };
  // Without room for a box of 64 rows of 128 bytes for each warp group, threads
  // would store results of products on their own.
  constexpr int64_t boxBytes = int64_t(64) * 128;
  int64_t boxes = hasLeadingDot(matches) ? 0 : groups * boxBytes;
  auto stagesFor = [&](bool copiesAll, ArrayRef<int64_t> residentStages) {
    std::optional<Stages> stages =
        stagesBeside(copiesAll, residentStages, boxes);
    return stages ? stages : stagesBeside(copiesAll, residentStages, 0);
  };
  bool copiesAll = true;
  std::optional<Stages> stages = stagesFor(copiesAll, {2, 1});
  if (!stages && llvm::any_of(matches, [](const Mainloop &match) {
        return !match.copyable.empty();
      })) {
    copiesAll = false;
    stages = stagesFor(copiesAll, {2, 1});
  }
  if (!stages)
    return std::nullopt;
  std::optional<Stages> most = stagesFor(copiesAll, {1});
  return ComputeFit{groups,        stages->streams,
                    most->streams, stages->residents,
                    registers,     copiesAll};
}

/// Fits two blocks to a multiprocessor, if one has a single warp group, which
/// leaves the tensor cores idle while it computes; nullopt if the tiles that
/// one block copies ahead do not fit half of the shared memory. A depth is
/// split over as many blocks as there are multiprocessors, and if all blocks
/// run at a time, two heavy ones may share one (causal attention of 12 x 1024 x
/// 64 in 192 blocks: 9.5 us alone, 10.9 in pairs).
static std::optional<ComputeFit> fitTwoBlocks(tile::KernelOp kernel,
                                              ArrayRef<Mainloop> matches,
                                              const target::GpuTarget &target,
                                              int64_t multiprocessors,
                                              const ComputeFit &alone) {
  constexpr int64_t least = 2, residents = 2;
  std::optional<int64_t> blocks = mostBlocks(kernel);
  if (alone.groups != 1 || countShares(kernel) > 1 ||
      (blocks && *blocks <= residents * multiprocessors))
    return std::nullopt;
  target::GpuTarget half = target;
  half.sharedBytesPerBlock =
      unsigned(target::sharedBytesOfResidents(target, residents));
  std::optional<ComputeFit> fit = fitComputeLoops(kernel, matches, half);
  if (!fit || fit->copiesAll != alone.copiesAll ||
      fit->stages < std::min(alone.stages, least))
    return std::nullopt;
  return fit;
}

bool fitsTwoBlocks(tile::KernelOp kernel, ArrayRef<Mainloop> matches,
                   const target::GpuTarget &target, int64_t multiprocessors) {
  std::optional<ComputeFit> alone = fitComputeLoops(kernel, matches, target);
  return alone &&
         fitTwoBlocks(kernel, matches, target, multiprocessors, *alone);
}

PlanAttr planComputeLoops(tile::KernelOp kernel, ArrayRef<Mainloop> matches,
                          const target::GpuTarget &target,
                          int64_t multiprocessors, const WantedPlan &wanted) {
  std::optional<ComputeFit> fit = fitComputeLoops(kernel, matches, target);
  for (const Mainloop &match : matches)
    for (const StreamLoad &stream : match.copyable) {
      tile::LoadOp load = stream.load;
      if (fit && fit->copiesAll)
        load->setAttr(copiedAheadName, UnitAttr::get(kernel.getContext()));
      else
        explainMissed(load, "copy")
            << "a tile that the loop computes with is loaded to registers: two "
               "stages of it do not fit shared memory; choose smaller tiles";
    }
  if (!fit)
    return {};
  int64_t blocks = 0;
  if (wanted.get("blocks") == 1) {
    blocks = 1;
  } else if (std::optional<ComputeFit> half =
                 fitTwoBlocks(kernel, matches, target, multiprocessors, *fit)) {
    fit = half;
    blocks = 2;
  }
  constexpr int64_t raster = 8;
  return PlanAttr::get(
      kernel.getContext(), StringAttr::get(kernel.getContext(), target.name),
      fit->groups * groupWarps, fit->stages, /*producer=*/true,
      /*persistent=*/true,
      hasLeadingDot(matches) ? countTogether(matches.front())
                             : rasterOfGroups(kernel).value_or(raster),
      /*teams=*/1,
      /*parts=*/1, blocks, fit->residentStages,
      /*multicast=*/1, /*multicastAxis=*/0, /*overlap=*/true,
      /*inRegisters=*/false, /*throughMemory=*/false);
}

} // namespace tilegpt::tilegpu
