// Chooses where long rows are kept: the registers of a block, its shared memory
// or that of the blocks of a cluster.
#include "Plan/RowPlan.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// A way to keep rows, and the time it takes.
struct Choice {
  int64_t parts = 1;     ///< blocks of a cluster
  int64_t warps = 32;    ///< of a block
  int64_t residents = 1; ///< blocks of a multiprocessor at a time
  bool inRegisters = false;
  double cycles = 0; ///< 0 where the number of rows is not known
};

class RowPlanner {
public:
  RowPlanner(tile::KernelOp kernel, LongRows &rows,
             const target::GpuTarget &target, int64_t multiprocessors)
      : rows(rows), target(target), multiprocessors(multiprocessors),
        numRows(mostBlocks(kernel)) {}

  std::optional<Choice> choose() {
    constexpr int64_t mostParts = 8;
    std::optional<Choice> best;
    auto consider = [&](Choice choice) {
      if (numRows)
        choice.cycles = cyclesOf(choice);
      // Of rows whose number is not known two should have room at a time.
      bool isBetter = !best || (numRows ? choice.cycles < best->cycles
                                        : best->residents == 1 &&
                                              choice.parts > best->parts &&
                                              !best->inRegisters);
      if (isBetter)
        best = choice;
    };
    if (rows.columns <= LongRows::mostInRegisters)
      consider(inRegisters());
    for (int64_t parts = 1; parts <= mostParts; parts *= 2) {
      rows.parts = parts;
      if (rows.isInCluster() && !rows.canShare)
        continue;
      if (parts > 1 && !target.hasTma)
        continue;
      if (!rows.fillsParts() ||
          rows.getSharedBytes() > target.sharedBytesPerBlock)
        continue;
      // What is short enough for registers is not kept by one block.
      if (parts == 1 && best)
        continue;
      consider(inShared(parts));
    }
    return best;
  }

private:
  /// Blocks that the busiest multiprocessor makes of all rows.
  int64_t blocksOfBusiest(int64_t parts) const {
    return llvm::divideCeil(*numRows * parts, multiprocessors);
  }

  Choice inRegisters() const {
    // 32 elements a thread leave a multiprocessor one block of all its threads.
    constexpr int64_t elementsOfWarp = 1024;
    Choice choice;
    choice.inRegisters = true;
    choice.residents =
        std::max<int64_t>(1, LongRows::mostInRegisters / rows.columns);
    choice.warps = llvm::bit_floor(
        uint64_t(std::max<int64_t>(1, rows.columns / elementsOfWarp)));
    return choice;
  }

  /// As many blocks at a time as the busiest multiprocessor gets, if there is
  /// room; two where that is not known. One that is alone has all warps
  /// (softmax of 10 x 200000 in f32 on an H200: 15.0 us, and 16.8 with half of
  /// them).
  Choice inShared(int64_t parts) const {
    // What the driver keeps of shared memory for itself.
    constexpr int64_t reserved = 1024, mostResidents = 8;
    // Units of 16 bytes that a thread should have, and warps that hide latency.
    constexpr int64_t warpLanes = 32, fewestUnits = 2, fewestWarps = 4;
    // Threads that meet vectors or numbers of columns have 96 registers.
    int64_t warpsOfAll = rows.hasVectors ? 20 : 32;
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
    return choice;
  }

  /// Fitted to benchmarks/gpu/data/rows_h200.csv: 143 times of 16 softmaxes of
  /// 5120 to 198001 columns on an H200, right to 17 % (root mean square). A
  /// block that is alone was found later to wait longer.
  double cyclesOf(const Choice &choice) const {
    constexpr double registerCycles = 1300, sharedCycles = 3000,
                     waveCycles = 1000, aloneCycles = 2000,
                     clusterCycles = 3600, clusterBlockCycles = 360;
    // What a multiprocessor moves in a cycle, and a warp of it.
    constexpr double bytesPerCycle = 20, bytesOfWarp = 1.4;
    int64_t bytes = 0;
    for (tile::LoadOp load : rows.loads)
      bytes += memoryBytes(load.getType().getElementType());
    for (tile::StoreOp store : rows.stores)
      bytes += memoryBytes(getElementTypeOrSelf(store.getValue().getType()));
    int64_t each = blocksOfBusiest(choice.parts),
            together = std::min(each, choice.residents);
    double own = double(each) * bytes * rows.columns / choice.parts;
    double cycles = own / bytesPerCycle +
                    own / (bytesOfWarp * together * choice.warps) +
                    (llvm::divideCeil(each, together) - 1) * waveCycles;
    if (choice.inRegisters)
      return cycles + registerCycles;
    // Nobody works while a block that is alone waits.
    if (together == 1)
      cycles += aloneCycles;
    if (choice.parts > 1)
      cycles += clusterCycles + each * clusterBlockCycles;
    return cycles + sharedCycles;
  }

  LongRows &rows;
  const target::GpuTarget &target;
  int64_t multiprocessors;
  std::optional<int64_t> numRows;
};
} // namespace

PlanAttr planLongRows(tile::KernelOp kernel, const target::GpuTarget &target,
                      int64_t multiprocessors) {
  std::optional<LongRows> rows = findLongRows(kernel);
  if (!rows)
    return {};
  std::optional<Choice> choice =
      RowPlanner(kernel, *rows, target, multiprocessors).choose();
  if (!choice || choice->inRegisters)
    return {};
  return PlanAttr::get(
      kernel.getContext(), StringAttr::get(kernel.getContext(), target.name),
      choice->warps, /*stages=*/0, /*producer=*/false,
      /*persistent=*/false, /*raster=*/8, /*teams=*/1, choice->parts,
      /*blocks=*/choice->residents, /*residentStages=*/2, /*multicast=*/1,
      /*multicastAxis=*/0, /*overlap=*/true);
}

} // namespace tilegpt::tilegpu
