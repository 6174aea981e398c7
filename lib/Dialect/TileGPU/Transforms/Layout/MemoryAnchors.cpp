// Finds out how the loads and stores of a kernel move its tiles.
#include "Layout/MemoryAnchors.h"
#include "Layout/ReshapeAxes.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Target/NVVM/FindTarget.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The tile that a loaded tile is used as: the result of a reshape that splits
/// axes if that is its only use.
static Value usedAs(Value loaded) {
  if (!loaded.hasOneUse())
    return loaded;
  auto reshape = dyn_cast<tile::ReshapeOp>(*loaded.getUsers().begin());
  return reshape && cutAxes(reshape) ? reshape.getResult() : loaded;
}

/// Whether kernels of a plan start while the previous launch is running.
static bool overlap(PlanAttr plan) {
  const target::GpuTarget *target = target::lookUpTarget(plan.getTarget());
  return target && target->hasTma && plan.getOverlap();
}

void MemoryAnchors::add(Value tile, int64_t fastest, int64_t vector,
                        bool isCopied) {
  MemoryAnchor &anchor = anchors[classes.leaderOf(tile)];
  int64_t elements = tileOf(tile).getNumElements(),
          bytes = memoryBytes(tileOf(tile).getElementType());
  if (vector * bytes == maxAccessBytes) {
    auto [whole, _] =
        wholeAccesses.try_emplace(tileOf(tile).getDimSize(fastest), vector);
    whole->second = std::min(whole->second, vector);
  }
  if (elements > anchor.elements)
    anchor = {elements, fastest, vector, /*direct=*/0};
  else if (fastest == anchor.fastest)
    anchor.vector = std::max(anchor.vector, vector);
  if (!isCopied && fastest == anchor.fastest)
    anchor.direct = std::max(anchor.direct, vector);
}

/// Whether `--tile-gpu-overlap-launches` turns a load into a copy to shared
/// memory.
bool MemoryAnchors::isCopiedEarly(Operation *op, IndexFacts &facts) const {
  auto load = dyn_cast<tile::LoadOp>(op);
  if (!load || !overlaps || !isWorthCopying(load, facts))
    return false;
  BlockArgument root = facts.ofView(load.getView()).root;
  return root && isLaunchInvariant(root);
}

MemoryAnchors::MemoryAnchors(tile::KernelOp kernel,
                             const LayoutClasses &classes)
    : classes(classes), overlaps(overlap(PlanAttr::of(kernel))) {
  IndexFacts facts;
  kernel.walk([&](MainloopOp loop) {
    for (Value stream : loop.getStreamArgs())
      streamed.insert(classes.leaderOf(stream));
  });
  kernel.walk([&](Operation *op) {
    if (isAccess(op) && !isa<MainloopOp>(op->getParentOp()))
      streamed.erase(classes.leaderOf(AccessOperands(op).value));
  });
  kernel.walk([&](Operation *op) {
    if (auto read = dyn_cast<ReadOp>(op)) {
      RankedTensorType type = tileOf(read.getResult());
      add(read.getResult(), type.getRank() - 1,
          8 * maxAccessBytes / type.getElementTypeBitWidth(),
          /*isCopied=*/false);
    }
    if (auto load = dyn_cast<LoadCoveringOp>(op)) {
      RankedTensorType type = tileOf(load.getResult());
      add(load.getResult(), type.getRank() - 1,
          maxAccessBytes / memoryBytes(type.getElementType()),
          /*isCopied=*/false);
    }
    if (isa<tile::LoadAtOp, tile::StoreAtOp>(op))
      addOffsets(op, facts);
    if (!isAccess(op))
      return;
    AccessOperands access(op);
    AccessFacts found = analyzeAccess(op, facts);
    int64_t rank = access.tile.getRank();
    int64_t fastest = found.vectorAxis < 0 ? rank - 1 : found.vectorAxis;
    Value used = isa<tile::LoadOp>(op) ? usedAs(access.value) : access.value;
    // If the load is reshaped, contiguous elements follow the last axis of the
    // result that is not a unit axis.
    if (used != access.value)
      for (int64_t size : llvm::reverse(tileOf(used).getShape())) {
        if (size != 1)
          break;
        --fastest;
      }
    int64_t vector = access.mask ? found.vectorSize : found.alignedSize;
    if (op->hasAttr(realignedName))
      vector = maxAccessBytes / memoryBytes(access.tile.getElementType());
    // All axes may be unit axes.
    fastest = std::max<int64_t>(fastest + tileOf(used).getRank() - rank, 0);
    add(used, fastest, vector, isCopiedEarly(op, facts));
    costs[classes.leaderOf(used)].add(op, fastest, vector,
                                      memoryBytes(access.tile.getElementType()),
                                      /*isOffset=*/false);
  });
  shareCosts(kernel);
}

/// Tiles that differ in unit axes have the same layout but for these.
void MemoryAnchors::shareCosts(tile::KernelOp kernel) {
  const llvm::DenseMap<Value, AccessCost> own = costs;
  auto share = [&](Value from, Value to) {
    Value leader = classes.leaderOf(to);
    auto it = own.find(classes.leaderOf(from));
    if (it == own.end() || it->first == leader)
      return;
    costs[leader].add(it->second, [&](int64_t axis) {
      auto isLong = [](int64_t size) { return size != 1; };
      int64_t before =
          llvm::count_if(tileOf(from).getShape().take_front(axis), isLong);
      for (auto [place, size] : llvm::enumerate(tileOf(to).getShape()))
        if (isLong(size) && before-- == 0)
          return int64_t(place);
      return int64_t(-1);
    });
  };
  kernel.walk([&](Operation *op) {
    auto reshape = dyn_cast<tile::ReshapeOp>(op);
    if (!isa<tile::ExpandDimsOp>(op) && !(reshape && dropsUnitAxes(reshape)))
      return;
    share(op->getOperand(0), op->getResult(0));
    share(op->getResult(0), op->getOperand(0));
  });
}

void MemoryAnchors::addOffsets(Operation *op, IndexFacts &facts) {
  OffsetFacts found = analyzeOffsets(op, facts);
  Value value = isa<tile::LoadAtOp>(op) ? op->getResult(0) : op->getOperand(0);
  if (found.denseAxis >= 0)
    costs[classes.leaderOf(value)].add(
        op, found.denseAxis, found.vectorSize,
        memoryBytes(tileOf(value).getElementType()), /*isOffset=*/true);
}

int64_t MemoryAnchors::widestOffset(Value tile, int64_t axis) const {
  auto it = costs.find(classes.leaderOf(tile));
  return it != costs.end() ? it->second.widestOffset(axis) : 1;
}

int64_t MemoryAnchors::offsetVector(Value tile, int64_t axis,
                                    int64_t most) const {
  auto it = costs.find(classes.leaderOf(tile));
  return it != costs.end() ? it->second.bestVector(axis, most) : most;
}

const MemoryAnchor *MemoryAnchors::lookUp(Value tile) const {
  auto it = anchors.find(classes.leaderOf(tile));
  return it != anchors.end() ? &it->second : nullptr;
}

std::optional<int64_t> MemoryAnchors::wholeAccess(int64_t extent) const {
  auto it = wholeAccesses.find(extent);
  return it != wholeAccesses.end() ? std::optional(it->second) : std::nullopt;
}

} // namespace tilegpt::tilegpu
