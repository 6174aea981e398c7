// Chooses where long rows are kept: in the registers or shared memory of a
// block, or of the blocks of a cluster.
#include "Plan/RowPlan.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reductions/ExponentialSum.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reductions/IndexedExtreme.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// A way to keep rows, with its estimated time.
struct Choice {
  enum Place {
    Plain,    ///< as an ordinary tile
    Shared,   ///< in the shared memory of blocks
    Registers ///< in the registers of blocks, in whole units
  };
  Place place = Shared;
  int64_t parts = 1;          ///< blocks that share a row
  bool throughMemory = false; ///< instead of in a cluster
  int64_t warps = 32;         ///< of a block
  int64_t residents = 1;      ///< resident blocks per multiprocessor
  int64_t room = 1;           ///< blocks that fit its shared memory
  bool isAlone = false;       ///< registers fit only one block
  double cycles = 0;          ///< 0 if the number of rows is unknown
};

class RowPlanner {
public:
  RowPlanner(tile::KernelOp kernel, LongRows &rows,
             const target::GpuTarget &target, int64_t multiprocessors,
             const WantedPlan &wanted)
      : rows(rows), target(target), model(target::GpuModel::of(target)),
        wanted(wanted), multiprocessors(multiprocessors),
        divided(rowBlocksOf(kernel)), numRows(mostBlocks(kernel)),
        instructions(countInstructions()) {
    if (numRows)
      *numRows /= divided.blocks;
  }

  std::optional<Choice> choose() {
    if (divided.blocks > 1)
      return chooseThroughMemory(divided.blocks, divided.blocks);
    std::optional<Choice> best;
    auto consider = [&](Choice choice) {
      if (!isWanted(choice))
        return;
      if (numRows)
        choice.cycles = cyclesOf(choice);
      // If the number of rows is unknown, two should fit at a time.
      bool isBetter = !best || (numRows ? choice.cycles < best->cycles
                                        : best->residents == 1 &&
                                              choice.parts > best->parts &&
                                              best->place != Choice::Plain);
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
  std::optional<Choice> chooseThroughMemory(int64_t least, int64_t most) {
    constexpr double ofMoreBlocks = 0.97;
    std::optional<Choice> best;
    if (!numRows || !rows.canShare)
      return best;
    auto consider = [&](Choice choice) {
      choice.throughMemory = true;
      int64_t share = blocksOfBusiest(choice.parts);
      if (share > choice.residents || choice.residents < divided.residents ||
          !isWanted(choice))
        return;
      choice.cycles = cyclesOf(choice);
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
  std::optional<Choice> divide() {
    // Estimates are off by 20 %.
    constexpr double doubt = 0.9;
    constexpr int64_t mostResidents = 8;
    if (!numRows || *numRows == 0)
      return std::nullopt;
    std::optional<Choice> divided = chooseThroughMemory(
        /*least=*/2, std::min(PlanAttr::mostThroughMemory,
                              mostResidents * multiprocessors / *numRows));
    if (!divided || wanted.get("throughMemory"))
      return divided;
    std::optional<Choice> other = choose();
    return other && divided->cycles > doubt * other->cycles ? std::nullopt
                                                            : divided;
  }

  /// Limits registers to what lets a second block in if the estimate relies on
  /// two sharing a multiprocessor: a few registers more than planned would keep
  /// it out (cross entropy of f32 36 x 147829 on an H200 with 64 and 66
  /// registers: 9.0 and 11.4 us).
  void requestRoom(Choice &choice) const {
    if (choice.place != Choice::Registers || choice.residents != 1 ||
        choice.isAlone || !numRows || wanted.get("blocks"))
      return;
    const int64_t clusters = clustersAtOnce(choice.parts, /*residents=*/1);
    if (blocksOfBusiest(choice.parts) > 1 ||
        (clusters != 0 && clusters < *numRows))
      choice.residents = 2;
  }

  /// Drops the warps of blocks of a cluster that would idle in the last step of
  /// each piece of a part in shared memory.
  void dropIdleWarps(Choice &choice) {
    if (choice.place != Choice::Shared || wanted.get("warps"))
      return;
    rows.parts = choice.parts;
    if (rows.isInCluster() && rows.scans.empty())
      choice.warps = rows.getBusyWarps(choice.warps);
  }

  /// The most blocks of a multiprocessor if all blocks of a launch run at once,
  /// evenly distributed; 0 if they do not.
  int64_t evenShare(const Choice &choice) const {
    if (!numRows)
      return 0;
    int64_t share = blocksOfBusiest(choice.parts);
    bool isAtOnce = share <= choice.residents &&
                    (choice.parts == 1 || choice.throughMemory ||
                     clustersAtOnce(choice.parts, share) >= *numRows);
    return isAtOnce ? std::max(share, divided.residents) : 0;
  }

private:
  /// Blocks of all rows that the busiest multiprocessor runs.
  int64_t blocksOfBusiest(int64_t parts) const {
    return llvm::divideCeil(*numRows * parts, multiprocessors);
  }

  /// Clusters that run at a time with `residents` of their blocks on a
  /// multiprocessor; 0 if that is unknown.
  int64_t clustersAtOnce(int64_t parts, int64_t residents) const {
    return parts == 1 || parts > LongRows::mostParts
               ? 0
               : model.clusters[parts - 2] * residents * multiprocessors /
                     model.multiprocessors;
  }

  /// The same for clusters, with `residents` of their blocks on a
  /// multiprocessor at a time. These have to start together close to each
  /// other, which leaves multiprocessors idle: an H200 cannot run 26 clusters
  /// of 5 blocks at a time, although it has room for 132 blocks, and of 34
  /// clusters of 7 with two blocks per multiprocessor four wait for others (8.0
  /// us, and 6.1 with clusters of 6).
  int64_t blocksOfClusters(int64_t parts, int64_t residents) const {
    int64_t clusters = clustersAtOnce(parts, residents);
    if (clusters == 0)
      return 0;
    int64_t rounds = llvm::divideCeil(*numRows, clusters);
    return (rounds - 1) * residents + 1;
  }

  /// Whether a plan satisfies all requests.
  bool isWanted(const Choice &choice) const {
    auto isOpen = [&](StringRef name, int64_t number) {
      return wanted.get(name).value_or(number) == number;
    };
    bool isPlain = choice.place == Choice::Plain;
    return isOpen("parts", choice.parts) &&
           isOpen("throughMemory", choice.throughMemory) &&
           isOpen("blocks", isPlain ? 0 : choice.residents) &&
           isOpen("inRegisters", choice.place == Choice::Registers) &&
           (isPlain || isOpen("warps", choice.warps));
  }

  /// Considers keeping parts of rows in the registers of blocks.
  void considerRegisters(int64_t parts, bool throughMemory,
                         llvm::function_ref<void(Choice)> consider) {
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
      Choice choice;
      choice.place = Choice::Registers;
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
      int64_t room = roomFor(kept + beside);
      choice.isAlone = roomFor(kept + fewestOther) == 1;
      for (int64_t residents = std::min(room, mostWarps * 2 / warps);
           residents > 0; --residents) {
        choice.residents = residents;
        if (blocksOfBusiest(parts) <= mostRounds * residents)
          consider(choice);
      }
    }
    rows.inRegisters = false;
    rows.throughMemory = false;
  }

  Choice plain() const {
    // At 32 elements per thread a multiprocessor fits one block of its full
    // thread count.
    constexpr int64_t elementsOfWarp = 1024;
    Choice choice;
    choice.place = Choice::Plain;
    choice.residents =
        std::max<int64_t>(1, LongRows::mostInRegisters / rows.columns);
    choice.warps = llvm::bit_floor(
        uint64_t(std::max<int64_t>(1, rows.columns / elementsOfWarp)));
    return choice;
  }

  /// As many resident blocks as the busiest multiprocessor gets, if they fit;
  /// two if that is unknown. A single block uses all warps (softmax of 10 x
  /// 200000 in f32 on an H200: 15.0 us, and 16.8 with half of them).
  Choice inShared(int64_t parts) const {
    // Shared memory that the driver reserves.
    constexpr int64_t reserved = 1024, mostResidents = 8;
    // 16-byte units that a thread should have, and warps that hide latency.
    constexpr int64_t warpLanes = 32, fewestUnits = 2, fewestWarps = 4;
    // Threads that scan take 128 registers, those that load row vectors or
    // column scalars 96.
    int64_t warpsOfAll = !rows.scans.empty() ? 16 : rows.hasVectors ? 20 : 32;
    int64_t wanted = numRows ? blocksOfBusiest(parts) : 2,
            room = target.sharedBytesPerMultiprocessor /
                   (rows.getSharedBytes() + reserved);
    int64_t units = rows.getWidth() / rows.unit;
    Choice choice;
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

  /// Instructions per element: each pass over the rows recomputes what it
  /// needs.
  double countInstructions() const {
    double count = 0;
    llvm::DenseSet<Operation *> seen;
    auto enter = [&](auto &enter, Value value) -> void {
      Operation *op = value.getDefiningOp();
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (!op || !type || !llvm::is_contained(type.getShape(), rows.columns) ||
          !seen.insert(op).second)
        return;
      count += instructionsOf(op);
      for (Value operand : op->getOperands())
        enter(enter, operand);
    };
    for (tile::ReduceOp reduce : rows.reductions) {
      seen.clear();
      count += reduce.getKind() ? 1 : instructionsOfRegion(reduce);
      for (Value source : reduce.getSources())
        enter(enter, source);
    }
    for (tile::StoreOp store : rows.stores) {
      seen.clear();
      enter(enter, store.getValue());
    }
    return count;
  }

  double instructionsOfRegion(tile::ReduceOp reduce) const {
    // Maximum, difference, product, power and sum of an element.
    constexpr double ofExponentialSum = 6;
    // Extreme, comparison, selection and minimum of an index.
    constexpr double ofIndexedExtreme = 4;
    if (ExponentialSum::of(reduce))
      return ofExponentialSum;
    if (IndexedExtreme::of(reduce))
      return ofIndexedExtreme;
    double count = 0;
    for (Operation &op : reduce.getCombiner().front().without_terminator())
      count += instructionsOf(&op);
    return count;
  }

  double instructionsOf(Operation *op) const {
    // Functions are cheaper if their results are rounded to 16 bits.
    constexpr double ofCast = 1.5, ofFunction = 9, ofQuotient = 8,
                     ofRoughFunction = 4, ofScan = 12, ofGather = 3;
    bool isRough = llvm::any_of(rows.stores, [](tile::StoreOp store) {
      return memoryBytes(getElementTypeOrSelf(store.getValue().getType())) == 2;
    });
    if (isa<tile::CastOp>(op))
      return ofCast;
    if (isa<tile::ScanOp>(op))
      return ofScan;
    if (isa<tile::GatherOp>(op))
      return ofGather;
    if (isa<math::MathDialect>(op->getDialect()) &&
        !isa<math::AbsFOp, math::FmaOp, math::RoundEvenOp>(op))
      return isRough ? ofRoughFunction : ofFunction;
    if (isa<arith::DivFOp>(op) && !isRough)
      return ofQuotient;
    // Values that are the same for all columns are computed once.
    bool isOnce = isa<tile::BroadcastOp, tile::SplatOp, arith::ConstantOp>(op);
    return isOnce || (isa<tile::LoadOp>(op) && !isVectorLoad(op)) ? 0 : 1;
  }

  bool isVectorLoad(Operation *op) const {
    return llvm::is_contained(rows.vectors, dyn_cast<tile::LoadOp>(op));
  }

  double cyclesOf(const Choice &choice) const {
    // Rows in shared memory that are combined with vectors are faster than
    // estimated, in clusters.
    const double doubt = rows.vectors.empty() || choice.throughMemory ? 1 : 1.1;
    return choice.place == Choice::Registers ? doubt * cyclesInRegisters(choice)
                                             : cyclesInShared(choice);
  }

  /// Instructions that a multiprocessor issues per cycle.
  /// \param ofWarp  by each warp.
  static double startedBy(double warps, double ofWarp) {
    constexpr double most = 4;
    return std::min(most, ofWarp * warps);
  }

  /// Bytes per cycle that a multiprocessor reads of vectors beside rows in
  /// registers. If rows begin anywhere, vectors of that alignment are read
  /// element by element, and others shifted into place, from units of other
  /// sizes if their elements are wider.
  double vectorRate() const {
    constexpr double aligned = 62, shifted = 31, stray = 15.4;
    if (rows.mostBefore == 0)
      return aligned;
    if (!rows.vectorsAreAligned)
      return stray;
    bool isWider = llvm::any_of(rows.vectors, [&](tile::LoadOp load) {
      constexpr int64_t unitBytes = 16;
      return memoryBytes(load.getType().getElementType()) * rows.unit >
             unitBytes;
    });
    return isWider ? shifted : aligned;
  }

  /// Cycles in which blocks exchange the results of the reductions of a row.
  /// Clusters of rows that are only reduced are faster than estimated.
  double meetingCyclesOf(const Choice &choice) const {
    constexpr double inCluster = 515, inMemory = 1500, ofReducedOnly = 900;
    // Results of two rows are exchanged at once.
    const double reductions = double(rows.reductions.size()) / rows.together;
    if (choice.throughMemory)
      return (reductions + double(rows.scans.size())) * inMemory +
             (rows.stores.empty() ? ofReducedOnly : 0);
    return choice.parts > 1 ? reductions * inCluster : 0;
  }

  /// Fitted to benchmarks/gpu/data/rows_h200.csv, the times of 30 kernels of
  /// 3311 to 199735 columns on an H200, with an error of 13 % to 21 % (root
  /// mean square). Its choice takes 1.04 times as long as the fastest of the
  /// measured ways.
  double cyclesInShared(const Choice &choice) const {
    // Bytes per cycle that a multiprocessor moves, of rows and of vectors, and
    // that a single resident block moves.
    constexpr double bytesPerCycle = 12.3, vectorBytesPerCycle = 62,
                     blockBytesPerCycle = 19, lanes = 32, ofWarp = 0.17;
    // Of a launch, and of the cluster barrier per block.
    constexpr double launchCycles = 5100, plainLaunchCycles = 1300,
                     clusterBlockCycles = 430;
    // Rows in registers are converted once, but their loads are waited for
    // longer.
    constexpr double ofPlain = 1.3;
    double bytes = rows.bytesOfRows(), vectorBytes = rows.bytesOfVectors();
    bool isPlain = choice.place == Choice::Plain;
    // Clusters for which there is no place start a round of their own although
    // there is room for their blocks: 33 softmaxes in clusters of 8 with two
    // blocks per multiprocessor take 12.5 us, and 10.5 without clusters.
    const int64_t share = blocksOfBusiest(choice.parts);
    bool isInRounds = !isPlain && !choice.throughMemory &&
                      (choice.room == 1 || share <= choice.residents);
    double each =
               std::max(share, isInRounds ? blocksOfClusters(choice.parts,
                                                             choice.residents)
                                          : 0),
           together = std::min<double>(each, choice.residents),
           elements = double(rows.columns) / choice.parts;
    double computed = elements / lanes * instructions * (isPlain ? ofPlain : 1);
    double memory = each * elements *
                    (bytes / bytesPerCycle + vectorBytes / vectorBytesPerCycle);
    double compute =
        each * computed / startedBy(together * choice.warps, ofWarp);
    // A block on its own; several hide each other's waits.
    double alone = elements * (bytes + vectorBytes / 2) / blockBytesPerCycle +
                   computed / startedBy(choice.warps, ofWarp);
    // While a single resident block copies, nothing computes: 189 rows of
    // 154006 columns take 53 us in one block of 32 warps, and 35 in three of
    // ten.
    double cycles = together == 1
                        ? memory + compute
                        : std::max({memory, compute, each / together * alone});
    if (choice.throughMemory)
      cycles += meetingCyclesOf(choice);
    else if (choice.parts > 1)
      cycles += each * clusterBlockCycles;
    return cycles + (isPlain ? plainLaunchCycles : launchCycles);
  }

  /// Fitted to benchmarks/gpu/data/row_registers_h200.csv, 264 ways of 56
  /// kernels of 3121 to 188281 columns on an H200, with an error of 20 % (root
  /// mean square). Its choice takes 1.03 times as long as the fastest of the
  /// measured ways.
  double cyclesInRegisters(const Choice &choice) const {
    // Bytes per cycle that a multiprocessor moves of rows.
    constexpr double bytesPerCycle = 18.6, lanes = 32, ofWarp = 0.25;
    // Of a launch, each warp, and each block of a cluster.
    constexpr double launchCycles = 2400, warpCycles = 52, clusterCycles = 54;
    double bytes = rows.bytesOfRows(), vectorBytes = rows.bytesOfVectors();
    bool isCluster = choice.parts > 1 && !choice.throughMemory;
    // A block with room for a second one may share its multiprocessor anyway.
    bool isLimited = isCluster && (choice.residents > 1 || choice.isAlone);
    double each = std::max(
               blocksOfBusiest(choice.parts),
               isLimited ? blocksOfClusters(choice.parts, choice.residents)
                         : 0),
           together = std::min<double>(each, choice.residents),
           elements = double(rows.columns) / choice.parts,
           meetings = meetingCyclesOf(choice);
    double computed = elements / lanes * instructions;
    double moved =
        elements * (bytes / bytesPerCycle + vectorBytes / vectorRate());
    double memory = each * moved;
    // Clusters too far apart for multiprocessors of their own share some: they
    // compute for longer, but the device loads no more (16 x 131001 in bf16 by
    // clusters of 8 and 6: log-sum-exp 4.6 and 4.0 us, sums 3.0 and 3.2).
    double busiest = each, sharing = together;
    if (int64_t clusters = clustersAtOnce(choice.parts, /*residents=*/1);
        isCluster && each == 1 && clusters != 0)
      busiest = sharing = llvm::divideCeil(*numRows, clusters);
    double compute =
        busiest * computed / startedBy(sharing * choice.warps, ofWarp);
    double alone =
        moved + computed / startedBy(choice.warps, ofWarp) + meetings;
    // Blocks that store their part compute while others load and store.
    constexpr double hiding = 2;
    if (choice.throughMemory && !rows.stores.empty())
      compute /= std::min(each, hiding);
    // Resident blocks load, compute and synchronize side by side; each later
    // block starts when one of them has ended, a cluster that stores rows when
    // all of them have: 45 quantizations in clusters of 8 take 5.9 us with two
    // blocks per multiprocessor, and 4.5 with three, which all run at once.
    double rounds = each / together;
    if (isCluster && !rows.stores.empty())
      rounds = std::ceil(rounds);
    double cycles = rounds <= 1 ? memory + compute
                                : std::max({memory, compute, rounds * alone});
    return launchCycles + meetings + cycles +
           busiest *
               (choice.warps * warpCycles + (isCluster ? clusterCycles : 0));
  }

  LongRows &rows;
  const target::GpuTarget &target;
  const target::GpuModel &model;
  const WantedPlan &wanted;
  int64_t multiprocessors;
  RowBlocks divided;
  std::optional<int64_t> numRows;
  double instructions;
};
} // namespace

PlanAttr planLongRows(tile::KernelOp kernel, const target::GpuTarget &target,
                      int64_t multiprocessors, const WantedPlan &wanted) {
  std::optional<LongRows> rows = findLongRows(kernel);
  if (!rows)
    return {};
  RowPlanner planner(kernel, *rows, target, multiprocessors, wanted);
  std::optional<Choice> choice = planner.choose();
  if (!choice || choice->place == Choice::Plain)
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
      /*multicastAxis=*/0, /*overlap=*/true, choice->place == Choice::Registers,
      choice->throughMemory);
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
  std::optional<Choice> choice =
      RowPlanner(kernel, *rows, target, multiprocessors, WantedPlan()).choose();
  return choice && choice->place != Choice::Plain ? rows : std::nullopt;
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
  std::optional<Choice> choice = planner.divide();
  if (!choice)
    return std::nullopt;
  return RowBlocks{choice->parts, planner.evenShare(*choice)};
}

} // namespace tilegpt::tilegpu
