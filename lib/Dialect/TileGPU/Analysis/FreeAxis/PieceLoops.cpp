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
    bool areAll = checkEffects() && findAxis() && findPlaces() &&
                  checkStores() && checkCarried();
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
    if (!isa<tile::LoadOp, tile::StoreOp>(op) && !isWeakByOffset(op))
      return isMemoryEffectFree(op) ||
             refuse(op, "the kernel does more than load, compute and store");
    return isa<tile::StoreOp, tile::StoreAtOp>(op) ||
           readsWhatStays(op, facts) ||
           refuse(kernel, "the kernel loads what it stores");
  }

  static bool isWeakByOffset(Operation *op) {
    auto load = dyn_cast<tile::LoadAtOp>(op);
    auto store = dyn_cast<tile::StoreAtOp>(op);
    return (load && load.getOrder() == tile::MemoryOrder::Weak) ||
           (store && store.getOrder() == tile::MemoryOrder::Weak);
  }

  bool findAxis() {
    auto axis = findLoopedAxis(kernel, found.loops, &refusal,
                               {/*dots=*/false, /*offsets=*/true});
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
    for (arith::AddIOp sum : places->places)
      (isShifted(sum, *places) ? found.shifted : found.places).push_back(sum);
    return true;
  }

  /// Whether a sum has more than the start of a piece and an index in it.
  static bool isShifted(arith::AddIOp sum, const AxisPlaces &places) {
    return llvm::none_of(sum->getOperands(), [&](Value start) {
      while (Operation *op = start.getDefiningOp()) {
        if (llvm::is_contained(places.starts, op))
          return true;
        if (!isa<arith::IndexCastOp, arith::ExtSIOp, tile::SplatOp,
                 tile::ReshapeOp, tile::ExpandDimsOp, tile::BroadcastOp>(op))
          return false;
        start = op->getOperand(0);
      }
      return false;
    });
  }

  /// Whether stores by offset in the loops are to different offsets in each
  /// piece: the last piece would win, and of elements of a tile, any.
  bool checkStores() {
    for (scf::ForOp loop : found.loops)
      for (auto store : loop.getOps<tile::StoreAtOp>())
        if (found.axis.axes.contains(store.getValue()) &&
            !isApart(store.getOffsets()))
          return refuse(store, "offsets of several tiles may be the same");
    return true;
  }

  /// Whether offsets are indices of the axis, times and plus what does not
  /// depend on them.
  bool isApart(Value offsets) {
    Operation *op = offsets.getDefiningOp();
    if (!op)
      return false;
    if (llvm::is_contained(found.places, op) ||
        llvm::is_contained(found.shifted, op))
      return true;
    if (isa<arith::ExtSIOp, arith::ExtUIOp, tile::ReshapeOp, tile::ExpandDimsOp,
            tile::BroadcastOp>(op))
      return isApart(op->getOperand(0));
    if (!isa<arith::AddIOp, arith::MulIOp>(op))
      return false;
    Value left = op->getOperand(0), right = op->getOperand(1);
    return (isUniform(left) && isApart(right)) ||
           (isUniform(right) && isApart(left));
  }

  /// Whether a tile is the same everywhere along the axis.
  bool isUniform(Value tile) {
    auto it = found.axis.axes.find(tile);
    if (it == found.axis.axes.end())
      return !isIndexed(tile);
    Operation *op = tile.getDefiningOp();
    if (isa_and_nonnull<tile::SplatOp>(op))
      return !isIndexed(op->getOperand(0));
    if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op))
      return isa<SplatElementsAttr>(constant.getValue());
    return op &&
           isa<arith::ArithDialect, tile::TileDialect>(op->getDialect()) &&
           isMemoryEffectFree(op) && !isa<tile::IotaOp>(op) &&
           llvm::all_of(op->getOperands(),
                        [&](Value from) { return isUniform(from); });
  }

  /// Whether a value depends on the number of a piece.
  bool isIndexed(Value value) {
    return llvm::any_of(found.loops, [&](scf::ForOp loop) {
      return !loop.isDefinedOutsideOfLoop(value);
    });
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
