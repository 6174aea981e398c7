// Finds what limits the width of accesses, in the terms of the text of a
// kernel.
#include "TileGPT/Dialect/TileGPU/Analysis/ExplainAccess.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir;
using llvm::formatv;

namespace tilegpt::tilegpu {

int64_t countNeighbours(LayoutAttr layout, int64_t axis, int64_t largest) {
  int64_t count = 1;
  for (const LayoutMode &mode : layout.getRegisters())
    if (mode.axis == axis && mode.stride == 1) {
      count = std::gcd(mode.extent, largest);
      break;
    }
  // All other digits along the axis must step over whole vectors.
  for (ArrayRef<LayoutMode> modes :
       {layout.getRegisters(), layout.getLanes(), layout.getWarps()})
    for (const LayoutMode &mode : modes)
      if (mode.axis == axis && mode.stride != 1)
        count = std::gcd(count, mode.stride);
  return count;
}

/// Why rows of a view do not start at multiples of 16 bytes.
static std::string whyRowsDiffer(const IntegerFacts &stride, int64_t bytes) {
  if (stride.range.lo == stride.range.hi)
    return formatv("rows of {0} bytes are not multiples of {1}; pad them",
                   stride.range.lo * bytes, maxAccessBytes);
  return formatv("rows are not known to be multiples of {0} bytes; make the "
                 "size of the last axis of the view static, and such a "
                 "multiple",
                 maxAccessBytes);
}

/// Why an access by tile index is not wider than `moved` bytes.
static std::string whyNotWider(Operation *op, const AccessFacts &found,
                               int64_t moved, IndexFacts &facts) {
  AccessOperands access(op);
  ViewFacts view = facts.ofView(access.view);
  const int64_t bytes = memoryBytes(access.tile.getElementType());
  auto isNarrow = [&](int64_t divisor) {
    return std::gcd(divisor * bytes, maxAccessBytes) <= moved;
  };
  if (found.vectorAxis < 0) {
    if (std::optional<int64_t> axis = access.indexedAxis)
      if (view.strides[access.viewAxis[*axis]].range.hi == 1)
        return "an index tile selects the elements, whose positions are not "
               "known to be adjacent";
    return "no axis of more than one element is contiguous in memory";
  }
  for (int64_t axis = 0; axis < access.tile.getRank(); ++axis) {
    const IntegerFacts &stride = view.strides[access.viewAxis[axis]];
    const bool isRow =
        access.tile.getDimSize(axis) > 1 || !access.indices[axis];
    if (axis != found.vectorAxis && isNarrow(stride.divisor) &&
        (isRow || isNarrow(facts.of(access.indices[axis]).divisor)))
      return whyRowsDiffer(stride, bytes);
  }
  if (std::gcd(view.alignment, maxAccessBytes) <= moved)
    return formatv("the view is not known to start at a multiple of {0} bytes; "
                   "tile.assume states what divides an offset or a pointer",
                   maxAccessBytes);
  const int64_t size = access.tile.getDimSize(found.vectorAxis);
  if (isNarrow(size) && !found.isInside[found.vectorAxis])
    return formatv("a tile of {0} elements along the contiguous axis is not a "
                   "multiple of {1} bytes; use such tiles",
                   size, maxAccessBytes);
  if (access.mask && found.vectorSize < found.alignedSize)
    return formatv("it has a mask, and the size of the contiguous axis is not "
                   "known to be a multiple of {0} bytes",
                   maxAccessBytes);
  return "threads hold elements that are apart in memory, as ops on the tile "
         "need them";
}

/// Why an access by offset is not wider than `moved` bytes.
static std::string whyNotWider(const OffsetFacts &found, int64_t moved,
                               int64_t bytes) {
  if (found.vectorAxis < 0)
    return "its offsets are not known to advance by one along an axis";
  if (found.vectorSize * bytes <= moved)
    return formatv("pointer, offsets and mask are not known to suit vectors of "
                   "{0} bytes; tile.assume states what divides a size, an "
                   "offset or a pointer",
                   maxAccessBytes);
  return "threads hold elements that are apart in memory, as ops on the tile "
         "need them";
}

void explainAccesses(tile::KernelOp kernel, const AccessTable &accesses,
                     const OffsetTable &offsets) {
  IndexFacts facts;
  kernel.walk([&](Operation *op) {
    auto access = accesses.find(op);
    auto offset = offsets.find(op);
    const bool isOffset = isa<tile::LoadAtOp, tile::StoreAtOp>(op);
    if (op->hasAttr(realignedName) || (access == accesses.end() && !isOffset))
      return;
    const bool isWrite =
        isa<tile::StoreOp, tile::ScatterOp, tile::StoreAtOp>(op);
    auto tile = cast<RankedTensorType>(isWrite ? op->getOperand(0).getType()
                                               : op->getResult(0).getType());
    LayoutAttr layout = LayoutAttr::of(tile);
    const int64_t bytes = memoryBytes(tile.getElementType());
    const int64_t axis =
        isOffset ? offset->second.vectorAxis : access->second.vectorAxis;
    const bool isMasked = isWrite && !isOffset && AccessOperands(op).mask;
    const int64_t largest = isOffset   ? offset->second.vectorSize
                            : isMasked ? access->second.vectorSize
                                       : access->second.alignedSize;
    // Smaller tiles are not worth wider accesses.
    const int64_t moved = bytes * countNeighbours(layout, axis, largest),
                  held = bytes * layout.getNumRegisters(),
                  least = maxAccessBytes * PlanAttr::of(kernel).getThreads();
    if (moved >= std::min(maxAccessBytes, held) ||
        bytes * tile.getNumElements() < least)
      return;
    explainMissed(op, isWrite ? "store" : "load")
        << remark::add(moved == 1 ? "{0} byte at a time: "
                                  : "{0} bytes at a time: ",
                       moved)
        << (isOffset ? whyNotWider(offset->second, moved, bytes)
                     : whyNotWider(op, access->second, moved, facts));
  });
}

} // namespace tilegpt::tilegpu
