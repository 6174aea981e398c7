// Finds loops that process the same axis piece by piece.
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis/PieceLoops.h"
#include "FreeAxis/LoopRecurrence.h"
#include "FreeAxis/PaddingValues.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis/AxisPlaces.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class PieceLoopsSearch {
public:
  explicit PieceLoopsSearch(tile::KernelOp kernel) : kernel(kernel) {}

  std::optional<PieceLoops> run(FreeAxisRefusal *why) {
    found.loops = loopsOf(kernel.getEntryBlock());
    // Blocks that iterate over rows iterate over the pieces of each.
    if (found.loops.size() == 1)
      found.loops = loopsOf(found.loops.front().getBody());
    bool hasDot =
        kernel.walk([](tile::DotOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (found.loops.size() < 2 || hasDot)
      return std::nullopt;
    bool areAll =
        checkEffects() && findAxis() && findPlaces() && checkCarried();
    if (why)
      *why = refusal;
    if (!areAll)
      return std::nullopt;
    if (found.axis.extent) {
      PaddingValues padding(found.axis);
      for (arith::AddIOp places : found.places)
        padding.addMasks(places);
      llvm::append_range(found.masks, padding.getMasks());
      found.isOutsideNeutral =
          *found.axis.extent % found.axis.size == 0 || padding.areNeutral();
    }
    return std::move(found);
  }

private:
  bool refuse(Operation *op, StringRef reason) {
    if (!refusal.op)
      refusal = {op, reason};
    return false;
  }

  static SmallVector<scf::ForOp> loopsOf(Block *block) {
    return llvm::to_vector(block->getOps<scf::ForOp>());
  }

  /// Only loads and stores access memory, and loaded memory is not modified.
  bool checkEffects() {
    IndexFacts facts;
    Block *block = found.loops.front()->getBlock();
    return !kernel.getBody()
                .walk([&](Operation *op) {
                  return checkEffect(op, block, facts)
                             ? WalkResult::advance()
                             : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  bool checkEffect(Operation *op, Block *block, IndexFacts &facts) {
    bool isLoop = isa<scf::ForOp>(op) &&
                  (op->getBlock() == block || op == block->getParentOp());
    if (op->getNumRegions() != 0)
      return isLoop || isa<tile::ReduceOp, tile::ScanOp>(op) ||
             refuse(op, "the kernel has branches or nested loops");
    if (!isa<tile::LoadOp, tile::StoreOp>(op))
      return isMemoryEffectFree(op) ||
             refuse(op, "the kernel does more than load, compute and store");
    return isa<tile::StoreOp>(op) || readsWhatStays(op, facts) ||
           refuse(kernel, "the kernel loads what it stores");
  }

  bool findAxis() {
    auto axis = findLoopedAxis(kernel, found.loops, &refusal);
    if (!axis)
      return false;
    found.axis = std::move(*axis);
    if (!found.axis.scans.empty())
      return refuse(found.axis.scans.front(), "a scan runs along the axis");
    // If the extent of the axis is unknown, the loops determine the number of
    // tiles.
    found.iterations =
        found.axis.extent
            ? llvm::divideCeil(*found.axis.extent, uint64_t(found.axis.size))
            : getConstantIntValue(found.loops.front().getUpperBound())
                  .value_or(0);
    if (found.iterations == 0)
      return refuse(found.loops.front(),
                    "the size of the axis is not known; make it static in the "
                    "view");
    for (scf::ForOp loop : found.loops)
      if (!isConstantIntValue(loop.getLowerBound(), 0) ||
          !isConstantIntValue(loop.getStep(), 1) ||
          !isConstantIntValue(loop.getUpperBound(), found.iterations))
        return refuse(loop, "the loop does not visit each tile of the axis");
    return true;
  }

  bool findPlaces() {
    FreeAxisRefusal why;
    std::optional<AxisPlaces> places =
        findAxisPlaces(found.axis, found.loops, &why);
    if (!places)
      return refuse(why.op, why.reason);
    found.places = std::move(places->places);
    return true;
  }

  bool checkCarried() {
    for (scf::ForOp loop : found.loops) {
      StringRef reason;
      if (!isJoinable(loop, found.axis, reason))
        return refuse(loop, reason);
    }
    return true;
  }

  tile::KernelOp kernel;
  PieceLoops found;
  FreeAxisRefusal refusal;
};
} // namespace

std::optional<PieceLoops> findPieceLoops(tile::KernelOp kernel,
                                         FreeAxisRefusal *refusal) {
  return PieceLoopsSearch(kernel).run(refusal);
}

} // namespace tilegpt::tilegpu
