// Weighs the saved launch and memory traffic against repeated work.
#include "Fusion/FusionCost.h"
#include "Normalize/TensorSizes.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include <cmath>

using namespace mlir;

namespace tilegpt::tile {

namespace {
/// Which end of their range dynamic sizes take.
enum class OpenSizes { Least, Most };
} // namespace

static double sizeOf(Operation *user, Value tensor, int64_t axis,
                     OpenSizes open) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (open == OpenSizes::Least && type.isDynamicDim(axis))
    return 1;
  return double(boundOfSize(user, tensor, axis).value_or(1));
}

static double elementsOf(Operation *user, Value tensor, OpenSizes open) {
  double elements = 1;
  for (int64_t axis = 0;
       axis < cast<RankedTensorType>(tensor.getType()).getRank(); ++axis)
    elements *= sizeOf(user, tensor, axis, open);
  return elements;
}

/// The largest tile that a size allows for an axis of `extent` elements.
static double tileOf(KernelOp kernel, Attribute size, double extent) {
  if (auto number = dyn_cast<IntegerAttr>(size))
    return std::min(extent, double(number.getInt()));
  ParamAttr param = kernel.lookupParam(cast<StringAttr>(size));
  auto number = dyn_cast<IntegerAttr>(param.getDefaultValue());
  return number ? std::min(extent, double(number.getInt())) : extent;
}

/// The host's blocks along some axes of its grid.
static double blocksAlong(Fusion &fusion, ArrayRef<int64_t> axes,
                          OpenSizes open) {
  LaunchOp launch = fusion.hostLaunch();
  double blocks = 1;
  for (int64_t axis : axes) {
    auto expr = cast<ExprAttr>(fusion.host.getGrid()[axis]);
    double extent = 1, tile = 1;
    for (Attribute source : expr.getSources()) {
      if (auto place = dyn_cast<DenseI64ArrayAttr>(source);
          place && place.size() == 2)
        extent *= sizeOf(launch, launch->getOperand(place[0]), place[1], open);
      else if (isa<StringAttr>(source))
        tile *= tileOf(fusion.host, source, extent);
    }
    blocks *= std::ceil(extent / tile);
  }
  return blocks;
}

/// The host's blocks that compute different tiles.
static double distinctTiles(Fusion &fusion, OpenSizes open) {
  SmallVector<int64_t> axes;
  for (int64_t axis : llvm::seq<int64_t>(fusion.host.getGrid().size()))
    if (!llvm::is_contained(fusion.repeatedGridAxes, axis))
      axes.push_back(axis);
  return blocksAlong(fusion, axes, open);
}

static double bytesOf(Operation *user, Value tensor, OpenSizes open) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return elementsOf(user, tensor, open) *
         double(memoryBytes(type.getElementType()));
}

/// The time in which blocks of a single-row product have idle cycles while they
/// wait for the other operand. Blocks with more rows have none.
static double idleUs(Fusion &fusion, const FusionRates &rates,
                     const TileFootprint &host, OpenSizes open) {
  LaunchOp launch = fusion.hostLaunch();
  Value tensor = fusion.edge.tensor();
  int64_t last = cast<RankedTensorType>(tensor.getType()).getRank() - 1;
  if (!rates.overlapsMemory || host.getBodyClass() != BodyClass::Product ||
      elementsOf(launch, tensor, open) > sizeOf(launch, tensor, last, open))
    return 0;
  double bytes = 0;
  for (Value in : launch.getIns())
    if (isa<RankedTensorType>(in.getType()) && in != tensor)
      bytes += bytesOf(launch, in, open);
  return bytes / rates.bytesPerUs;
}

/// Elements of the tensor that a block of the host computes.
static double tileElements(Fusion &fusion, Footprints &footprints,
                           OpenSizes open) {
  LaunchOp consumer = fusion.edge.consumer;
  Value tensor = fusion.edge.tensor();
  double elements = 0;
  for (const AccessFootprint *load :
       footprints.of(fusion.host)
           .accessesOf(fusion.hostArgument(), /*stores=*/false)) {
    double made = 1;
    for (auto [axis, part] : llvm::enumerate(load->axes))
      made *=
          tileOf(fusion.host, part.size, sizeOf(consumer, tensor, axis, open));
    elements += made;
  }
  return elements;
}

static double gainAt(Fusion &fusion, const FusionRates &rates,
                     Footprints &footprints, OpenSizes open) {
  Value tensor = fusion.edge.tensor();
  LaunchOp consumer = fusion.edge.consumer;
  auto type = cast<RankedTensorType>(tensor.getType());
  const bool isRepeated = !fusion.repeatedGridAxes.empty();
  double elements = elementsOf(consumer, tensor, open);
  double tile = isRepeated ? tileElements(fusion, footprints, open) : 0;
  // The host's grid may cover fewer rows than a dynamic size allows.
  if (isRepeated)
    elements = std::min(elements, tile * distinctTiles(fusion, open));
  double bytes = elements * double(memoryBytes(type.getElementType()));
  double gain = rates.launchUs;
  if (bytes > rates.cachedBytes)
    gain += (fusion.keepsTensor ? 1 : 2) * bytes / rates.bytesPerUs;
  if (!isRepeated)
    return gain;
  // Unfused, the rows are distributed over blocks; fused, each block computes
  // those of its tile.
  double row = sizeOf(consumer, tensor, type.getRank() - 1, open);
  double apart = row * std::ceil(elements / row / rates.parallelBlocks);
  double repeats = blocksAlong(fusion, fusion.repeatedGridAxes, open);
  double together = tile * std::max(1.0, repeats / rates.parallelBlocks);
  double idle = idleUs(fusion, rates, footprints.of(fusion.host), open);
  return gain - std::max(0.0, (together - apart) * rates.elementUs - idle);
}

double gainOf(Fusion &fusion, const FusionRates &rates,
              Footprints &footprints) {
  // The appended tensor stays in memory. On a host, threads share the loop of a
  // launch with few blocks only if it stores nothing besides its result
  // (`tile-split-loops`), which is worth more than a launch.
  if (fusion.kind == FusionKind::Append)
    return rates.overlapsMemory ? rates.launchUs : -rates.launchUs;
  // A tensor may have far fewer rows than planned for: the last of each
  // sequence.
  return std::min(gainAt(fusion, rates, footprints, OpenSizes::Least),
                  gainAt(fusion, rates, footprints, OpenSizes::Most));
}

} // namespace tilegpt::tile
