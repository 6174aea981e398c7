// Chooses tiles of products in a loop over the depth with operands computed
// from loaded tiles, such as converted or scaled weights, or a ReLU. A step is
// long, so tiles are large.
#include "Cost/ProductCost.h"
#include "Plan/ComputePlan.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SplitProduct.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "Tiling/ChooseTiles.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// The axes of the result along the computed and the loaded operand.
struct ComputedProduct {
  TiledAxis computed, loaded;
  StringAttr depth;   ///< null if it is not a parameter
  unsigned depthAxis; ///< of the loaded operand
  unsigned rowAxis;   ///< of the tiles of the computed operand
  tile::LoadOp right; ///< of the loaded operand
  Type element;       ///< of the operands
  /// Whether the other operand is computed from the loaded one.
  bool areBothComputed;
  llvm::SmallSetVector<Operation *, 4> left; ///< tiles of the computed operand
  int64_t sums = 0;         ///< accumulators carried by the loop
  int64_t computedDots = 0; ///< dots with a computed operand
};
} // namespace

/// The two-dimensional loads that an operand is computed from within its loop;
/// none if another dot is in between.
static SmallVector<tile::LoadOp> matricesOf(Value operand, Block *body) {
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return op->getBlock() == body; };
  Operation *op = operand.getDefiningOp();
  if (!op || op->getBlock() != body ||
      failed(getBackwardSlice(op, &slice, options)) ||
      llvm::any_of(slice, llvm::IsaPred<tile::DotOp>))
    return {};
  SmallVector<tile::LoadOp> loads;
  for (Operation *each : slice)
    if (auto load = dyn_cast<tile::LoadOp>(each);
        load && load.getSizes().size() == 2 &&
        !llvm::is_contained(load.getSizes(),
                            Builder(load.getContext()).getI64IntegerAttr(1)))
      loads.push_back(load);
  return loads;
}

static std::optional<ComputedProduct> find(OpenLaunch &launch) {
  std::optional<ComputedProduct> product;
  bool suits = true;
  launch.kernel.walk([&](tile::DotOp dot) {
    auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
    auto lhs = dot.getLhs().getDefiningOp<tile::LoadOp>(),
         rhs = dot.getRhs().getDefiningOp<tile::LoadOp>();
    auto loaded = rhs ? rhs : lhs;
    const bool areBothComputed = loop && !loaded;
    if (areBothComputed)
      if (SmallVector<tile::LoadOp> sources =
              matricesOf(dot.getRhs(), loop.getBody());
          !sources.empty())
        loaded = sources.front();
    suits &= loop && loaded && loaded.getSizes().size() == 2;
    if (!suits || (lhs && rhs))
      return;
    // If the rhs is computed, the product is computed transposed.
    bool isLeft = !lhs;
    SmallVector<tile::LoadOp> sources =
        matricesOf(isLeft ? dot.getLhs() : dot.getRhs(), loop.getBody());
    suits = !sources.empty();
    if (!suits)
      return;
    unsigned rowAxis = (isLeft ? dot.getTransposeA() : !dot.getTransposeB());
    unsigned depth =
        isLeft ? (dot.getTransposeB() ? 1 : 0) : (dot.getTransposeA() ? 0 : 1);
    auto along = axisOf(sources.front(), rowAxis),
         across = axisOf(loaded, 1 - depth);
    suits = along && across;
    if (!suits)
      return;
    if (!product)
      product = {*along,
                 *across,
                 dyn_cast<StringAttr>(loaded.getSizes()[depth]),
                 depth,
                 rowAxis,
                 loaded,
                 dot.getRhs().getType().getElementType(),
                 areBothComputed,
                 {}};
    for (tile::LoadOp source : sources)
      product->left.insert(source);
    suits = product->computed.parameter == along->parameter &&
            product->rowAxis == rowAxis &&
            product->areBothComputed == areBothComputed &&
            product->loaded.parameter == across->parameter;
    product->sums += !dot.getAcc().getDefiningOp<tile::DotOp>();
    ++product->computedDots;
  });
  return suits ? product : std::nullopt;
}

/// Rows of 128 bytes that a step copies for each row of the computed operand.
/// \param step  elements of the depth in one.
static double copiesOfRow(OpenLaunch &launch, const ComputedProduct &product,
                          int64_t step) {
  constexpr double rowBits = 1024;
  tile::LoadOp right = product.right;
  Attribute whole = right.getSizes()[product.depthAxis];
  auto depth = dyn_cast<IntegerAttr>(whole);
  double copies = 0;
  for (Operation *op : product.left) {
    auto load = cast<tile::LoadOp>(op);
    std::optional<TiledAxis> rows = axisOf(load, product.rowAxis);
    if (!rows)
      continue;
    Type element = launch.elementOf(rows->argument);
    Attribute size = load.getSizes()[1 - product.rowAxis];
    auto columns = dyn_cast<IntegerAttr>(size);
    double ofStep = size == whole      ? double(step)
                    : columns && depth ? double(columns.getInt() * step) /
                                             double(depth.getInt())
                                       : 0;
    copies += ofStep * element.getIntOrFloatBitWidth() / rowBits;
  }
  return copies;
}

/// The sizes of which none is larger than one that holds all of an axis.
static SmallVector<int64_t> usefulSizes(SmallVector<int64_t> sizes,
                                        int64_t extent) {
  int64_t whole = INT64_MAX;
  for (int64_t size : sizes)
    if (size >= extent)
      whole = std::min(whole, size);
  llvm::erase_if(sizes, [&](int64_t size) { return size > whole; });
  return sizes;
}

/// The depth of an iteration: one or several steps; nullopt if the kernel does
/// not admit whole steps.
static std::optional<int64_t> depthOfIteration(OpenLaunch &launch,
                                               const ComputedProduct &product,
                                               int64_t step) {
  tile::LoadOp right = product.right;
  if (auto size = dyn_cast<IntegerAttr>(right.getSizes()[product.depthAxis]))
    return size.getInt();
  SmallVector<int64_t> depths = launch.candidates(product.depth);
  if (depths.empty())
    return std::nullopt;
  int64_t depth = largestOf(depths, [&](int64_t size) { return size <= step; });
  return depth % step == 0 ? std::optional(depth) : std::nullopt;
}

bool chooseComputedTiles(OpenLaunch &launch) {
  constexpr int64_t stepBytes = 128, unitBytes = 16;
  std::optional<ComputedProduct> product = find(launch);
  if (!product || !launch.target.hasTma || !launch.target.hasWgmma)
    return false;
  Type element = product->areBothComputed
                     ? product->element
                     : launch.elementOf(product->loaded.argument);
  if (!element.isBF16() && !element.isF16())
    return false;
  // Threads stage a second computed operand in shared memory.
  constexpr int64_t mostStaged = 128;
  std::optional<int64_t> rows = launch.sizeOf(product->computed),
                         columns = launch.sizeOf(product->loaded),
                         depth = launch.sizeOf(product->loaded.argument,
                                               product->depthAxis);
  int64_t bytes = element.getIntOrFloatBitWidth() / 8, step = stepBytes / bytes;
  if (!rows || !columns || !depth || *depth <= step ||
      *depth * bytes % unitBytes != 0)
    return false;
  std::optional<int64_t> whole = depthOfIteration(launch, *product, step);
  if (!whole)
    return false;
  // Columns that are contiguous in memory are copied in boxes whose width
  // divides them: of 8 or 16 they take up to 1.4 times as long as of 32 or 64.
  const int64_t narrowestBox =
      product->depthAxis == 0 ? columnsOfPanel(element) / 2 : 1;
  auto iterations = int64_t(llvm::divideCeil(*depth, *whole));
  double copies = copiesOfRow(launch, *product, step);
  bool canSplit =
      product->computedDots == 1 && !launch.isOpen(product->computed) &&
      !launch.isOpen(product->loaded) && findSplitProduct(launch.kernel);
  std::optional<std::pair<int64_t, int64_t>> best;
  double least = 0;
  for (int64_t m :
       usefulSizes(launch.candidates(product->computed.parameter), *rows))
    for (int64_t n :
         usefulSizes(launch.candidates(product->loaded.parameter), *columns)) {
      if (!suitsComputedRows(m, n, *whole, product->sums,
                             product->computedDots) ||
          (product->areBothComputed && std::max(m, n) > mostStaged) ||
          n % narrowestBox != 0)
        continue;
      TiledProduct tiled = {m,
                            product->sums * n,
                            int64_t(llvm::divideCeil(*rows, m)),
                            int64_t(llvm::divideCeil(*columns, n)),
                            iterations * *whole / step,
                            std::gcd(*depth * bytes, stepBytes),
                            /*hasKnownGrid=*/false,
                            /*canTakeTurns=*/false};
      tiled.rowCopies = copies;
      tiled.operandCycles = computingCycles(tiled.tileRows) +
                            (product->areBothComputed ? computingCycles(n) : 0);
      tiled.canSplit = canSplit;
      tiled.evenIterations = iterations;
      double cycles =
          costOfProduct(tiled, launch.target, launch.multiprocessors).cycles;
      if (!best || cycles < least) {
        least = cycles;
        best = {m, n};
      }
    }
  if (!best)
    return false;
  launch.set(product->computed.parameter, best->first);
  launch.set(product->loaded.parameter, best->second);
  if (product->depth)
    launch.set(product->depth, *whole);
  return true;
}

} // namespace tilegpt::tilegpu
