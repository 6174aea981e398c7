// Chooses tiles of products with few rows, which are bound by loading the
// weights: enough columns to leave every multiprocessor two blocks, or one that
// loads all its weights before it starts.
#include "Simplify/DepthPieces.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "Tiling/ChooseTiles.h"
#include "Tiling/LoadedProduct.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The widest tile that leaves every multiprocessor two blocks. With enough
/// rows for matrix instructions, at least two of those wide; otherwise a thread
/// keeps all accumulators of a row in registers.
static int64_t columnsFor(ArrayRef<int64_t> sizes, int64_t rows,
                          int64_t columns, int64_t multiprocessors) {
  constexpr int64_t manyRows = 9, narrowest = 16, mostSums = 128;
  int64_t best = *llvm::min_element(sizes);
  for (int64_t size : sizes) {
    bool isTooNarrow = rows >= manyRows && best < narrowest;
    if (rows < manyRows && rows * size > mostSums)
      continue;
    if (size > best && (isTooNarrow || columns / size >= 2 * multiprocessors))
      best = size;
  }
  return best;
}

/// Columns for products computed from registers: threads divide columns by
/// powers of two, so those are preferred.
static SmallVector<int64_t> columnsOfThreads(OpenLaunch &launch,
                                             const TiledAxis &columns) {
  SmallVector<int64_t> sizes = launch.candidates(columns.parameter);
  auto isUneven = [](int64_t size) { return !llvm::isPowerOf2_64(size); };
  if (!llvm::all_of(sizes, isUneven))
    llvm::erase_if(sizes, isUneven);
  return sizes;
}

/// For a single row, if the weights of all launches fit into shared memory
/// while they wait for the previous launch: a block for every multiprocessor,
/// so that fewer blocks read the row and recompute its norm. As many blocks as
/// that allows; nullopt if half of the multiprocessors would be idle.
static std::optional<int64_t> columnsOfOneWave(OpenLaunch &launch,
                                               ArrayRef<int64_t> sizes,
                                               int64_t columns, int64_t depth,
                                               Type weight) {
  constexpr int64_t mostBytes = int64_t(48) << 10;
  // Threads hold 8-bit weights as 16 bits or more.
  int64_t columnBytes = depth * std::max<int64_t>(memoryBytes(weight), 2);
  std::optional<int64_t> best;
  for (int64_t size : sizes) {
    int64_t blocks = llvm::divideCeil(columns, size);
    if (launch.target.hasTma && blocks <= launch.multiprocessors &&
        2 * blocks >= launch.multiprocessors &&
        size * columnBytes <= mostBytes && (!best || size < *best))
      best = size;
  }
  return best;
}

/// From two rows on a producer beats single-element products for all but the
/// smallest matrices; its tiles then have the rows of a matrix instruction. Few
/// rows of f32 keep full precision.
std::optional<PipedTiles> findPipedFewRows(OpenLaunch &launch,
                                           const LoadedProduct &product) {
  constexpr int64_t leastPiped = 2, instructionRows = 16, columnStep = 8;
  std::optional<ProductSizes> sizes = product.sizesOf(launch);
  if (!sizes || sizes->rows < leastPiped || !product.isPiped(launch) ||
      product.elementOfLeft(launch).isF32() || *sizes->depth <= mostAtOnce ||
      !llvm::is_contained(launch.candidates(product.rows.parameter),
                          instructionRows))
    return std::nullopt;
  PipedTiles piped = {{}, *sizes, pieceDepth};
  for (int64_t size : launch.candidates(product.columns.parameter))
    if (size % columnStep == 0)
      piped.tiles.push_back({instructionRows, size});
  return piped.tiles.empty() ? std::nullopt : std::optional(piped);
}

bool chooseFewRows(OpenLaunch &launch) {
  std::optional<LoadedProduct> product = findLoadedProduct(launch.kernel);
  if (!product)
    return false;
  std::optional<ProductSizes> known = product->sizesOf(launch);
  if (!known)
    return true;
  std::optional<PipedTiles> piped = findPipedFewRows(launch, *product);
  if (!piped) {
    SmallVector<int64_t> sizes = columnsOfThreads(launch, product->columns);
    if (sizes.empty())
      return true;
    std::optional<int64_t> wave;
    if (known->rows == 1 && known->depth)
      wave = columnsOfOneWave(launch, sizes, known->columns, *known->depth,
                              launch.elementOf(product->columns.argument));
    launch.set(product->columns.parameter,
               wave.value_or(columnsFor(sizes, known->rows, known->columns,
                                        launch.multiprocessors)));
    return true;
  }
  ResultTile tile =
      bestPipedTile(piped->tiles, *product, piped->sizes, piped->step, launch);
  launch.set(product->rows.parameter, tile.rows);
  launch.set(product->columns.parameter, tile.columns);
  return true;
}

namespace {
/// The columns of products with one computed and one loaded operand.
struct ProductColumns {
  TiledAxis axis;
  /// Whether they are of windows of an operand, as a gate and the values it
  /// gates.
  bool areOfWindows = false;
};
} // namespace

/// Like axisOf(), but also accepts a window of an argument.
static std::optional<TiledAxis> axisOfOperand(tile::LoadOp load,
                                              unsigned axis) {
  auto window = load.getView().getDefiningOp<tile::SubviewOp>();
  if (!window)
    return axisOf(load, axis);
  auto argument = dyn_cast<BlockArgument>(window.getSource());
  auto parameter = dyn_cast<StringAttr>(load.getSizes()[axis]);
  if (!argument || !parameter || load.getOrder())
    return std::nullopt;
  return TiledAxis{parameter, argument.getArgNumber(), axis};
}

static std::optional<ProductColumns> findColumns(OpenLaunch &launch) {
  std::optional<ProductColumns> found;
  launch.kernel.walk([&](tile::DotOp dot) {
    auto rhs = dot.getRhs().getDefiningOp<tile::LoadOp>();
    if (dot.getLhs().getDefiningOp<tile::LoadOp>() || !rhs ||
        rhs.getSizes().size() != 2)
      return WalkResult::advance();
    auto columns = axisOfOperand(rhs, dot.getTransposeB() ? 0 : 1),
         depth = axisOfOperand(rhs, dot.getTransposeB() ? 1 : 0);
    if (!columns || !depth || launch.hasFreeSize(depth->parameter))
      return WalkResult::advance();
    found = {*columns, !isa<BlockArgument>(rhs.getView())};
    return WalkResult::interrupt();
  });
  return found;
}

/// A block loads all its weights at once: of every row of the result, which is
/// the first output. Blocks with few weights share a multiprocessor; a single
/// resident block must load nearly all that fits, or it has fewer bytes in
/// flight than several blocks would. That many 16-bit elements fit.
bool chooseColumns(OpenLaunch &launch) {
  constexpr int64_t shared = 16384, aloneLeast = 49152, aloneMost = 65536,
                    sharedColumns = 8;
  std::optional<ProductColumns> found = findColumns(launch);
  if (!found)
    return false;
  const TiledAxis &axis = found->axis;
  unsigned result = launch.kernel.getNumIns();
  std::optional<int64_t> columns = found->areOfWindows
                                       ? launch.sizeOf(result, 1)
                                       : launch.sizeOf(axis),
                         depth = launch.sizeOf(axis.argument, 1 - axis.axis),
                         rows = launch.sizeOf(result, 0);
  SmallVector<int64_t> sizes = columnsOfThreads(launch, axis);
  if (!columns || !depth || !rows || sizes.empty())
    return !found->areOfWindows;
  Type weight = launch.elementOf(axis.argument);
  bool isNarrow = weight.getIntOrFloatBitWidth() <= 16;
  if (!found->areOfWindows && *rows == 1)
    if (std::optional<int64_t> wave =
            columnsOfOneWave(launch, sizes, *columns, *depth, weight)) {
      launch.set(axis.parameter, *wave);
      return true;
    }
  auto productsOf = [&](int64_t size) { return size * *depth * *rows; };
  auto isAlone = [&](int64_t size) {
    return isNarrow && productsOf(size) >= aloneLeast &&
           productsOf(size) <= aloneMost;
  };
  int64_t smallest = *llvm::min_element(sizes);
  llvm::erase_if(sizes, [&](int64_t size) {
    return size > smallest && productsOf(size) > shared && !isAlone(size);
  });
  int64_t best =
      columnsFor(sizes, /*rows=*/1, *columns, launch.multiprocessors);
  // The bounds of one product apply to both together; if blocks share a
  // multiprocessor, few columns of each are just as good.
  if (found->areOfWindows && !isAlone(best)) {
    best = sharedColumns;
    if (!llvm::is_contained(sizes, best))
      return false;
  }
  launch.set(axis.parameter, best);
  return true;
}

} // namespace tilegpt::tilegpu
