// Chooses tiles of products in a loop over the depth with one operand computed
// from loaded tiles, such as converted or scaled weights, or a ReLU. A step is
// long, so tiles are large.
#include "Cost/ProductCost.h"
#include "Plan/ComputePlan.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
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
  StringAttr depth;         ///< null if it is not a parameter
  unsigned depthAxis;       ///< of the loaded operand
  int64_t sums = 0;         ///< accumulators carried by the loop
  int64_t computedDots = 0; ///< dots with a computed operand
};
} // namespace

/// The two-dimensional load that an operand is computed from within its loop;
/// null if another dot is in between.
static tile::LoadOp sourceOf(Value operand, Block *body) {
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return op->getBlock() == body; };
  Operation *op = operand.getDefiningOp();
  if (!op || op->getBlock() != body ||
      failed(getBackwardSlice(op, &slice, options)) ||
      llvm::any_of(slice, llvm::IsaPred<tile::DotOp>))
    return {};
  for (Operation *each : slice)
    if (auto load = dyn_cast<tile::LoadOp>(each);
        load && load.getSizes().size() == 2 &&
        !llvm::is_contained(load.getSizes(),
                            Builder(load.getContext()).getI64IntegerAttr(1)))
      return load;
  return {};
}

static std::optional<ComputedProduct> find(OpenLaunch &launch) {
  std::optional<ComputedProduct> product;
  bool suits = true;
  launch.kernel.walk([&](tile::DotOp dot) {
    auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
    auto lhs = dot.getLhs().getDefiningOp<tile::LoadOp>(),
         rhs = dot.getRhs().getDefiningOp<tile::LoadOp>();
    auto loaded = rhs ? rhs : lhs;
    suits &= loop && loaded && loaded.getSizes().size() == 2;
    if (!suits || (lhs && rhs))
      return;
    // If the rhs is computed, the product is computed transposed.
    bool isLeft = !lhs;
    tile::LoadOp source =
        sourceOf(isLeft ? dot.getLhs() : dot.getRhs(), loop.getBody());
    suits = source && (isLeft ? !dot.getTransposeA() : dot.getTransposeB());
    if (!suits)
      return;
    unsigned depth =
        isLeft ? (dot.getTransposeB() ? 1 : 0) : (dot.getTransposeA() ? 0 : 1);
    auto along = axisOf(source, 0), across = axisOf(loaded, 1 - depth);
    suits = along && across;
    if (!suits)
      return;
    if (!product)
      product = {*along, *across,
                 dyn_cast<StringAttr>(loaded.getSizes()[depth]), depth};
    suits = product->computed.parameter == along->parameter &&
            product->loaded.parameter == across->parameter;
    product->sums += !dot.getAcc().getDefiningOp<tile::DotOp>();
    ++product->computedDots;
  });
  return suits ? product : std::nullopt;
}

bool chooseComputedTiles(OpenLaunch &launch) {
  // Cycles that a step waits for its computed operand, from timings of ReLU and
  // conversions in 64 x 128 to 128 x 256 tiles (H200).
  constexpr int64_t waitCycles = 450, stepBytes = 128, unitBytes = 16;
  std::optional<ComputedProduct> product = find(launch);
  if (!product || !launch.target.hasTma || !launch.target.hasWgmma)
    return false;
  Type element = launch.elementOf(product->loaded.argument);
  if (!element.isBF16() && !element.isF16())
    return false;
  std::optional<int64_t> rows = launch.sizeOf(product->computed),
                         columns = launch.sizeOf(product->loaded),
                         depth = launch.sizeOf(product->loaded.argument,
                                               product->depthAxis);
  int64_t bytes = element.getIntOrFloatBitWidth() / 8, step = stepBytes / bytes;
  if (!rows || !columns || !depth || *depth <= step ||
      *depth * bytes % unitBytes != 0 ||
      (product->depth && !launch.admits(product->depth, step)))
    return false;
  auto steps = int64_t(llvm::divideCeil(*depth, step));
  std::optional<std::pair<int64_t, int64_t>> best;
  double least = 0;
  for (int64_t m : launch.candidates(product->computed.parameter))
    for (int64_t n : launch.candidates(product->loaded.parameter)) {
      if (!suitsComputedRows(m, n, step, product->sums, product->computedDots))
        continue;
      TiledProduct tiled = {m,
                            product->sums * n,
                            int64_t(llvm::divideCeil(*rows, m)),
                            int64_t(llvm::divideCeil(*columns, n)),
                            steps,
                            std::gcd(*depth * bytes, stepBytes),
                            /*hasKnownGrid=*/false,
                            /*canTakeTurns=*/false};
      auto waves =
          int64_t(llvm::divideCeil(tiled.getBlocks(), launch.multiprocessors));
      double cycles =
          costOfProduct(tiled, launch.target, launch.multiprocessors).cycles +
          double(waves * steps * waitCycles);
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
    launch.set(product->depth, step);
  return true;
}

} // namespace tilegpt::tilegpu
