// Chooses where long rows are kept: in the registers or shared memory of a
// block, or of the blocks of a cluster.
#include "Plan/RowPlan.h"
#include "Cost/RowCost.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class RowPlanner {
public:
  RowPlanner(tile::KernelOp kernel, LongRows &rows,
             const target::GpuTarget &target, int64_t multiprocessors,
             const WantedPlan &wanted)
      : rows(rows), target(target), wanted(wanted),
        multiprocessors(multiprocessors), divided(rowBlocksOf(kernel)),
        numRows(countRows(kernel)), cost(rows, target::GpuModel::of(target),
                                         multiprocessors, numRows.value_or(0)) {
  }

  std::optional<RowChoice> choose() {
    if (divided.blocks > 1)
      return chooseThroughMemory(divided.blocks, divided.blocks);
    std::optional<RowChoice> best;
    auto consider = [&](RowChoice choice) {
      if (!isWanted(choice))
        return;
      if (numRows)
        choice.cycles = cost.cyclesOf(choice);
      // If the number of rows is unknown, two should fit at a time.
      bool isBetter = !best || (numRows ? choice.cycles < best->cycles
                                        : best->residents == 1 &&
                                              choice.parts > best->parts &&
                                              best->place != RowChoice::Plain);
      if (isBetter)
        best = choice;
    };
    // Up to this many columns registers were the fastest in all measurements.
    const int64_t alwaysInRegisters =
        rows.scans.empty() ? 8192 : LongRows::mostInRegisters;
    if (rows.columns <= LongRows::mostInRegisters)
      consider(plain());
    // Short rows of whole units are loaded unit by unit as ordinary tiles, too.
    bool isShort = rows.columns <= alwaysInRegisters;
    if (numRows && rows.scans.empty() && (!isShort || rows.mostBefore != 0))
      for (int64_t parts = 1; parts <= LongRows::mostParts; ++parts)
        considerRegisters(parts, /*throughMemory=*/false, consider);
    if (isShort && best)
      return best;
    for (int64_t parts = 1; parts <= LongRows::mostParts; ++parts) {
      rows.parts = parts;
      if (!rows.fitParts(target))
        continue;
      // Blocks that share multiprocessors fill them alike in any number.
      if (!llvm::isPowerOf2_64(parts) && (!numRows || inShared(parts).room > 1))
        continue;
      // If the number of rows is unknown, rows short enough for registers are
      // kept there.
      if (parts == 1 && best && !numRows)
        continue;
      consider(inShared(parts));
    }
    return best;
  }

  /// The fastest way to share rows among `least` to `most` blocks that exchange
  /// through memory, all of which are resident at a time.
  std::optional<RowChoice> chooseThroughMemory(int64_t least, int64_t most) {
    constexpr double ofMoreBlocks = 0.97;
    std::optional<RowChoice> best;
    if (!numRows || !rows.canShare)
      return best;
    auto consider = [&](RowChoice choice) {
      choice.throughMemory = true;
      int64_t share = cost.blocksOfBusiest(choice.parts);
      if (share > choice.residents || choice.residents < divided.residents ||
          !isWanted(choice))
        return;
      choice.cycles = cost.cyclesOf(choice);
      // More blocks must promise more.
      double most = best ? best->cycles : 0;
      if (best && choice.parts > best->parts)
        most *= ofMoreBlocks;
      if (!best || choice.cycles < most)
        best = choice;
    };
    for (int64_t parts = least; parts <= most; ++parts) {
      if (rows.scans.empty())
        considerRegisters(parts, /*throughMemory=*/true, consider);
      rows.parts = parts;
      rows.throughMemory = true;
      if (rows.fitParts(target))
        consider(inShared(parts));
      rows.throughMemory = false;
    }
    return best;
  }

  /// The same for any number of blocks, if that is faster than a cluster or
  /// block for each row.
  std::optional<RowChoice> divide() {
    // Estimates are off by 20 %, but too long for pairs, which exchange the
    // results of both rows at once, and too short for clusters with vectors in
    // registers.
    constexpr double doubt = 0.9, lessDoubt = 0.95;
    constexpr int64_t mostResidents = 8;
    if (!numRows || *numRows == 0)
      return std::nullopt;
    std::optional<RowChoice> divided = chooseThroughMemory(
        /*least=*/2, std::min(PlanAttr::mostThroughMemory,
                              mostResidents * multiprocessors / *numRows));
    if (!divided || wanted.get("throughMemory"))
      return divided;
    std::optional<RowChoice> other = choose();
    if (!other)
      return divided;
    const bool isLikely =
        divided->place == RowChoice::Shared && !rows.vectors.empty() &&
        (rows.together > 1 || other->place == RowChoice::Registers);
    return divided->cycles > (isLikely ? lessDoubt : doubt) * other->cycles
               ? std::nullopt
               : divided;
  }

  /// Limits registers to what lets a second block in if the estimate relies on
  /// two sharing a multiprocessor, and all blocks where they fit: a few
  /// registers more than planned would keep one out (cross entropy of f32 36 x
  /// 147829 on an H200 with 64 and 66 registers: 9.0 and 11.4 us).
  void requestRoom(RowChoice &choice) const {
    if (choice.place != RowChoice::Registers || !numRows ||
        wanted.get("blocks"))
      return;
    const int64_t share = cost.blocksOfBusiest(choice.parts),
                  clusters = cost.clustersAtOnce(choice.parts, /*residents=*/1);
    if (choice.residents == 1 && !choice.isAlone &&
        (share > 1 || (clusters != 0 && clusters < *numRows)))
      choice.residents = 2;
    if (share > choice.residents && share <= choice.room)
      choice.residents = share;
  }

  /// Drops the warps of blocks of a cluster that would idle in the last step of
  /// each piece of a part in shared memory.
  void dropIdleWarps(RowChoice &choice) {
    if (choice.place != RowChoice::Shared || wanted.get("warps"))
      return;
    rows.parts = choice.parts;
    if (rows.isInCluster() && rows.scans.empty())
      choice.warps = rows.getBusyWarps(choice.warps);
  }

  /// The most blocks of a multiprocessor if all blocks of a launch run at once,
  /// evenly distributed; 0 if they do not.
  int64_t evenShare(const RowChoice &choice) const {
    if (!numRows)
      return 0;
    int64_t share = cost.blocksOfBusiest(choice.parts);
    bool isAtOnce = share <= choice.residents &&
                    (choice.parts == 1 || choice.throughMemory ||
                     cost.clustersAtOnce(choice.parts, share) >= *numRows);
    return isAtOnce ? std::max(share, divided.residents) : 0;
  }

private:
  /// The number of rows that a launch has at most; nothing if it is unknown.
  std::optional<int64_t> countRows(tile::KernelOp kernel) const {
    std::optional<int64_t> blocks = mostBlocks(kernel);
    return blocks ? std::optional(*blocks / divided.blocks) : std::nullopt;
  }

  /// Whether a plan satisfies all requests.
  bool isWanted(const RowChoice &choice) const {
    auto isOpen = [&](StringRef name, int64_t number) {
      return wanted.get(name).value_or(number) == number;
    };
    bool isPlain = choice.place == RowChoice::Plain;
    return isOpen("parts", choice.parts) &&
           isOpen("throughMemory", choice.throughMemory) &&
           isOpen("blocks", isPlain ? 0 : choice.residents) &&
           isOpen("inRegisters", choice.place == RowChoice::Registers) &&
           (isPlain || isOpen("warps", choice.warps));
  }

  /// Considers keeping parts of rows in the registers of blocks.
  void considerRegisters(int64_t parts, bool throughMemory,
                         llvm::function_ref<void(RowChoice)> consider) {
    // The registers of a multiprocessor; registers that a thread needs besides,
    // and at least if rows are only reduced once; and the most elements and
    // successive blocks for which it paid off in measurements. With 36
    // registers besides, ptxas spilled, and kernels that are recompiled without
    // a limit have fewer resident blocks than planned.
    constexpr int64_t warpLanes = 32, registers = 65536, mostWarps = 32,
                      fewestWarps = 4, ofOther = 44, leastOther = 20,
                      mostElements = 64, mostRounds = 9, registerBytes = 4,
                      besidePacked = 32, besideVectors = 56;
    const bool isOnePass = rows.stores.empty() && rows.reductions.size() == 1;
    const int64_t fewestOther = isOnePass ? leastOther : ofOther;
    rows.inRegisters = true;
    rows.parts = parts;
    rows.throughMemory = throughMemory;
    for (int64_t warps = fewestWarps;
         rows.fitParts(target) && warps <= mostWarps; warps *= 2) {
      int64_t elements = llvm::alignTo(
          llvm::divideCeil(rows.getWidth(), warps * warpLanes), rows.unit);
      if (elements > mostElements)
        continue;
      RowChoice choice;
      choice.place = RowChoice::Registers;
      choice.parts = parts;
      choice.warps = warps;
      // Narrow elements that are used once stay packed.
      int64_t tiles = rows.loads.size() + rows.vectors.size();
      int64_t kept =
          isOnePass
              ? llvm::divideCeil(elements * rows.bytesOfLoads(), registerBytes)
              : elements * tiles;
      auto roomFor = [&](int64_t needed) {
        return registers / (needed * warps * warpLanes);
      };
      // The limit of blocks that exchange through memory is never lifted.
      int64_t beside = kept < elements * tiles                  ? besidePacked
                       : throughMemory && !rows.vectors.empty() ? besideVectors
                                                                : ofOther;
      choice.room = roomFor(kept + beside);
      choice.isAlone = roomFor(kept + fewestOther) == 1;
      for (int64_t residents = std::min(choice.room, mostWarps * 2 / warps);
           residents > 0; --residents) {
        choice.residents = residents;
        if (cost.blocksOfBusiest(parts) <= mostRounds * residents)
          consider(choice);
      }
    }
    rows.inRegisters = false;
    rows.throughMemory = false;
  }

  RowChoice plain() const {
    // At 32 elements per thread a multiprocessor fits one block of its full
    // thread count.
    constexpr int64_t elementsOfWarp = 1024;
    RowChoice choice;
    choice.place = RowChoice::Plain;
    choice.residents =
        std::max<int64_t>(1, LongRows::mostInRegisters / rows.columns);
    choice.warps = llvm::bit_floor(
        uint64_t(std::max<int64_t>(1, rows.columns / elementsOfWarp)));
    return choice;
  }

  /// As many resident blocks as the busiest multiprocessor gets, if they fit;
  /// two if that is unknown. A single block uses all warps (softmax of 10 x
  /// 200000 in f32 on an H200: 15.0 us, and 16.8 with half of them).
  RowChoice inShared(int64_t parts) const {
    // Shared memory that the driver reserves.
    constexpr int64_t reserved = 1024, mostResidents = 8;
    // 16-byte units that a thread should have, and warps that hide latency.
    constexpr int64_t warpLanes = 32, fewestUnits = 2, fewestWarps = 4;
    // Threads that scan take 128 registers, those that load row vectors or
    // column scalars 96.
    int64_t warpsOfAll = !rows.scans.empty() ? 16 : rows.hasVectors ? 20 : 32;
    int64_t wanted = numRows ? cost.blocksOfBusiest(parts) : 2,
            room = target.sharedBytesPerMultiprocessor /
                   (rows.getSharedBytes() + reserved);
    int64_t units = rows.getWidth() / rows.unit;
    RowChoice choice;
    choice.parts = parts;
    choice.residents =
        std::clamp<int64_t>(std::min(room, warpsOfAll / fewestWarps), 1,
                            std::min(wanted, mostResidents));
    choice.warps =
        std::clamp<int64_t>(llvm::divideCeil(units, warpLanes * fewestUnits),
                            fewestWarps, warpsOfAll / choice.residents);
    choice.room = room;
    return choice;
  }

  LongRows &rows;
  const target::GpuTarget &target;
  const WantedPlan &wanted;
  int64_t multiprocessors;
  RowBlocks divided;
  std::optional<int64_t> numRows;
  RowCost cost;
};
} // namespace

PlanAttr planLongRows(tile::KernelOp kernel, const target::GpuTarget &target,
                      int64_t multiprocessors, const WantedPlan &wanted) {
  std::optional<LongRows> rows = findLongRows(kernel);
  if (!rows)
    return {};
  RowPlanner planner(kernel, *rows, target, multiprocessors, wanted);
  std::optional<RowChoice> choice = planner.choose();
  if (!choice || choice->place == RowChoice::Plain)
    return {};
  // Threads have the registers that all of the resident blocks leave them.
  if (choice->throughMemory)
    choice->residents = planner.evenShare(*choice);
  else
    planner.requestRoom(*choice);
  planner.dropIdleWarps(*choice);
  // Blocks pile up on multiprocessors that the previous launch has left.
  if (int64_t share = planner.evenShare(*choice); share && target.hasTma)
    kernel->setAttr(residentName,
                    Builder(kernel.getContext()).getI64IntegerAttr(share));
  return PlanAttr::get(
      kernel.getContext(), StringAttr::get(kernel.getContext(), target.name),
      choice->warps, /*stages=*/0, /*producer=*/false,
      /*persistent=*/false, /*raster=*/8, /*teams=*/1, choice->parts,
      /*blocks=*/choice->residents, /*residentStages=*/2, /*multicast=*/1,
      /*multicastAxis=*/0, /*overlap=*/true,
      choice->place == RowChoice::Registers, choice->throughMemory);
}

LogicalResult
planSimplifiedRows(tile::KernelOp kernel, bool exact, RunPipeline run,
                   llvm::function_ref<void(tile::KernelOp)> plan) {
  OpPassManager pm(ModuleOp::getOperationName());
  pm.addNestedPass<tile::KernelOp>(createExpandArgmax());
  pm.addNestedPass<tile::KernelOp>(createPickColumns());
  pm.addNestedPass<tile::KernelOp>(createDropUnitAxes());
  if (!exact)
    pm.addNestedPass<tile::KernelOp>(createFuseExponentialSums());
  OpBuilder builder(kernel);
  auto scratch = ModuleOp::create(builder, kernel.getLoc());
  tile::KernelOp simple = kernel.clone();
  scratch.push_back(simple);
  LogicalResult done = run(pm, scratch);
  if (succeeded(done))
    plan(simple);
  scratch.erase();
  return done;
}

std::optional<LongRows> findSharedLongRows(tile::KernelOp kernel,
                                           const target::GpuTarget &target,
                                           int64_t multiprocessors) {
  std::optional<LongRows> rows = findLongRows(kernel);
  if (!rows || !rows->canShare)
    return std::nullopt;
  std::optional<RowChoice> choice =
      RowPlanner(kernel, *rows, target, multiprocessors, WantedPlan()).choose();
  return choice && choice->place != RowChoice::Plain ? rows : std::nullopt;
}

std::optional<double> estimateLongRows(tile::KernelOp kernel,
                                       const target::GpuTarget &target,
                                       int64_t multiprocessors) {
  std::optional<LongRows> rows = findLongRows(kernel);
  if (!rows)
    return std::nullopt;
  const WantedPlan any;
  RowPlanner planner(kernel, *rows, target, multiprocessors, any);
  std::optional<RowChoice> choice = planner.choose();
  return choice ? std::optional(choice->cycles) : std::nullopt;
}

std::optional<RowBlocks> divideLongRows(tile::KernelOp kernel,
                                        const target::GpuTarget &target,
                                        int64_t multiprocessors,
                                        const WantedPlan &wanted) {
  std::optional<LongRows> rows = findLongRows(kernel);
  if (!rows)
    return std::nullopt;
  if (std::optional<int64_t> blocks = mostBlocks(kernel);
      blocks && 2 * *blocks <= multiprocessors && !rows->canShare)
    explainMissed(kernel, "grid") << remark::add(
        "{0} long rows for {1} multiprocessors have one block each: they are "
        "not dense or not numbered by the block, or their reductions or "
        "updates cannot be divided",
        *blocks, multiprocessors);
  RowPlanner planner(kernel, *rows, target, multiprocessors, wanted);
  std::optional<RowChoice> choice = planner.divide();
  if (!choice)
    return std::nullopt;
  return RowBlocks{choice->parts, planner.evenShare(*choice)};
}

} // namespace tilegpt::tilegpu
