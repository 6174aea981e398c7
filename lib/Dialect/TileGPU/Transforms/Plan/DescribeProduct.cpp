// Reads the tiling of a product, and what its blocks share, from a specialized
// kernel.
#include "Plan/DescribeProduct.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/LaunchView.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Multicast.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SharedDepth.h"
#include "TileGPT/Dialect/TileGPU/Analysis/ShiftedTiles.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <cmath>
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

bool hasTileOperand(tile::KernelOp kernel, const Mainloop &match) {
  bool found = false;
  kernel.walk([&](tile::LoadOp load) {
    bool isStream = llvm::any_of(match.streams, [&](const StreamLoad &stream) {
      return stream.load == load;
    });
    found |= !isStream && cast<RankedTensorType>(load.getType()).getRank() > 1;
  });
  return found;
}

bool addsBehindDots(const Mainloop &match) {
  return llvm::any_of(match.dots, [](tile::DotOp dot) {
    return tile::isF8(dot.getLhs().getType().getElementType());
  });
}

/// The alignment of the rows of views, up to a step's 128 bytes.
static int64_t alignmentOfRows(ArrayRef<Value> roots) {
  int64_t alignment = 128;
  for (Value root : roots) {
    auto view = cast<tile::ViewType>(root.getType());
    for (int64_t stride : ArrayRef(divisorsOfStrides(root)).drop_back())
      alignment =
          std::gcd(alignment, stride * memoryBytes(view.getElementType()));
  }
  return alignment;
}

std::optional<int64_t> findMulticastAxis(tile::KernelOp kernel,
                                         const Mainloop &match, Value operand) {
  if (kernel.getGridRank() < axesOfTiles)
    return std::nullopt;
  for (int64_t axis = 0; axis < int64_t(axesOfTiles); ++axis) {
    bool isShared =
        runsInStep(match, axis) &&
        llvm::all_of(match.streams, [&](const StreamLoad &stream) {
          bool isWanted = tile::LoadOp(stream.load).getResult() == operand;
          return isWanted == isSharedAlong(stream, axis, /*blocks=*/1);
        });
    if (isShared)
      return axis;
  }
  return std::nullopt;
}

/// Rows of the last of an operand's tiles in a view that are out of bounds; 0
/// if unknown.
static int64_t outsideOf(tile::LoadOp load, Value root, int64_t tiles,
                         bool runsAcross) {
  auto view = cast<tile::ViewType>(root.getType());
  int64_t size = view.getShape()[view.getRank() - (runsAcross ? 1 : 2)],
          rows = load.getType().getDimSize(runsAcross ? 1 : 0);
  return load.getView() == root && !ShapedType::isDynamic(size)
             ? std::max<int64_t>(0, tiles * rows - size)
             : 0;
}

static int64_t outsideOf(const Mainloop &match, Value operand, int64_t tiles,
                         bool runsAcross) {
  for (const StreamLoad &stream : match.streams) {
    tile::LoadOp load = stream.load;
    if (load.getResult() == operand)
      return outsideOf(load, stream.root, tiles, runsAcross);
  }
  return 0;
}

/// Bytes of an element of the widest result.
static int64_t resultBytesOf(tile::KernelOp kernel) {
  int64_t bytes = 0;
  kernel.walk([&](tile::StoreOp store) {
    bytes = std::max(
        bytes, memoryBytes(getElementTypeOrSelf(store.getValue().getType())));
  });
  return bytes;
}

/// The granularity in which rows or columns of an operand are copied.
static int64_t unitOf(bool runsAcross, TypedValue<RankedTensorType> operand) {
  return runsAcross ? columnsOfPanel(operand.getType().getElementType()) : 1;
}

int64_t countShares(tile::KernelOp kernel) {
  int64_t shares = 1;
  kernel.walk([&](AwaitBlocksOp await) { shares = await.getParts(); });
  return shares;
}

/// Blocks along the grid axes that determine where an operand's tiles begin
/// across the depth; blocks that split a depth count once.
static int64_t blocksAcross(tile::KernelOp kernel, tile::LoadOp load,
                            bool runsAcross, int64_t shares) {
  int64_t blocks = 1;
  for (int64_t axis = 0; axis < int64_t(kernel.getGridRank()); ++axis)
    if (dependsOnBlock(load.getIndices()[runsAcross ? 1 : 0], axis))
      blocks *=
          knownBlocks(kernel, axis).value_or(1) /
          (dependsOnBlock(load.getIndices()[runsAcross ? 0 : 1], axis) ? shares
                                                                       : 1);
  return blocks;
}

/// Adds what a main loop costs that computes the left operand of its dot.
static void addComputation(TiledProduct &product, const Mainloop &match) {
  constexpr int64_t stepBytes = 128;
  tile::DotOp dot = match.dots.front();
  RankedTensorType rhs = dot.getRhs().getType();
  product.evenIterations = product.steps;
  double units =
      double(depthOf(dot) * memoryBytes(rhs.getElementType())) / stepBytes;
  auto bytesOf = [&](bool isRight) {
    int64_t bytes = 0;
    for (const StreamLoad &stream : match.streams)
      if ((tile::LoadOp(stream.load).getResult() == dot.getRhs()) == isRight)
        bytes += stream.getBytes();
    return double(bytes) / (stepBytes * units);
  };
  product.steps =
      std::max<int64_t>(1, std::llround(double(product.steps) * units));
  product.rowCopies = bytesOf(/*isRight=*/false) / double(product.tileRows);
  product.columnCopies =
      bytesOf(/*isRight=*/true) / double(product.tileColumns);
  product.operandCycles = computingCycles(product.tileRows);
}

std::optional<TiledProduct> describeProduct(tile::KernelOp kernel,
                                            const Mainloop &match) {
  std::optional<SharedDepth> shared = findSharedDepth(match);
  scf::ForOp loop = match.loop;
  std::optional<int64_t> blocks = knownBlocks(kernel),
                         steps = getConstantIntValue(loop.getUpperBound());
  if (!blocks || !steps)
    return std::nullopt;
  tile::DotOp dot = match.dots.front();
  RankedTensorType acc = dot.getAcc().getType();
  // Blocks side by side share the lhs.
  std::optional<SplitProduct> split = findSplitProduct(kernel);
  bool isBatch = kernel.getGridRank() > axesOfTiles;
  std::optional<int64_t> columnAxis =
      shared    ? shared->columnAxis
      : split   ? split->columnAxis
      : isBatch ? std::nullopt
                : findMulticastAxis(kernel, match, dot.getLhs());
  int64_t columns =
      columnAxis ? knownBlocks(kernel, *columnAxis).value_or(1) : *blocks;
  bool canMulticast = (split || !isBatch) &&
                      findMulticastAxis(kernel, match, dot.getLhs()) &&
                      findMulticastAxis(kernel, match, dot.getRhs());
  int64_t shares = countShares(kernel);
  if (shares > 1) {
    columns = blocksAcross(kernel, dot.getRhs().getDefiningOp<tile::LoadOp>(),
                           !dot.getTransposeB(), shares);
    blocks = *blocks / shares;
    canMulticast = !isBatch;
  }
  bool isTransposed = columnAxis == 0;
  SmallVector<Value> roots;
  for (const StreamLoad &stream : match.streams)
    roots.push_back(stream.root);
  TiledProduct product{
      acc.getDimSize(0),
      acc.getDimSize(1),
      *blocks / columns,
      columns,
      *steps * shares,
      alignmentOfRows(roots),
      /*hasKnownGrid=*/shared.has_value(),
      /*canTakeTurns=*/!addsBehindDots(match) && !hasTileOperand(kernel, match),
      canMulticast,
      isTransposed,
      unitOf(dot.getTransposeA(), dot.getLhs()),
      unitOf(!dot.getTransposeB(), dot.getRhs()),
      outsideOf(match, dot.getLhs(), *blocks / columns, dot.getTransposeA()),
      outsideOf(match, dot.getRhs(), columns, !dot.getTransposeB())};
  product.resultBytes = resultBytesOf(kernel);
  product.shares = shares;
  if (split && split->computes)
    addComputation(product, match);
  if (canMulticast)
    for (size_t axis = axesOfTiles; axis < kernel.getGridRank(); ++axis)
      product.batches *= knownBlocks(kernel, int64_t(axis)).value_or(1);
  if (split) {
    product.canSplit = true;
    product.shiftsRows = findShiftedAxis(kernel, split->rowAxis).has_value();
    product.shiftsColumns =
        findShiftedAxis(kernel, split->columnAxis).has_value();
  }
  return product;
}

std::optional<TiledProduct>
describeProduct(tile::KernelOp kernel, const SplitProduct &split, bool rounds) {
  scf::ForOp loop = split.loop;
  tile::DotOp dot = split.dot;
  tile::LoadOp lhs = split.lhs, rhs = split.rhs;
  std::optional<int64_t> blocks = knownBlocks(kernel),
                         rows = knownBlocks(kernel, split.rowAxis),
                         columns = knownBlocks(kernel, split.columnAxis),
                         steps = getConstantIntValue(loop.getUpperBound());
  if (!blocks || !rows || !columns || !steps)
    return std::nullopt;
  ArrayRef<int64_t> tile = dot.getAcc().getType().getShape();
  int64_t batches = *blocks / (*rows * *columns);
  TiledProduct product{
      tile[0],
      tile[1],
      batches * *rows,
      *columns,
      *steps,
      alignmentOfRows({lhs.getView(), rhs.getView()}),
      /*hasKnownGrid=*/false,
      /*canTakeTurns=*/false,
      /*canMulticast=*/false,
      /*isTransposed=*/split.columnAxis == 0,
      unitOf(dot.getTransposeA(), dot.getLhs()),
      unitOf(!dot.getTransposeB(), dot.getRhs()),
      batches * outsideOf(lhs, lhs.getView(), *rows, dot.getTransposeA()),
      outsideOf(rhs, rhs.getView(), *columns, !dot.getTransposeB())};
  product.resultBytes = resultBytesOf(kernel);
  product.canSplit = true;
  product.computeCycles =
      rounds ? roundingCycles(tile[0], tile[1])
             : copyingCycles(tile[0], tile[1], product.alignment);
  // Without TMA no request takes longer than others.
  if (!rounds) {
    constexpr int64_t lineBytes = 128;
    product.alignment = lineBytes;
    product.rowUnit = product.columnUnit = 1;
    product.rowsOutside = product.columnsOutside = 0;
  }
  return product;
}

} // namespace tilegpt::tilegpu
