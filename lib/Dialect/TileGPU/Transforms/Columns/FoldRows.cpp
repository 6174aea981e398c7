// Sums the columns of narrow matrices in tiles of whole rows, which are
// contiguous whatever the alignment of the rows.
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/KeepsZero.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LoopShares.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_FOLDROWS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// A loop over tiles of some columns, to be changed to tiles with all columns.
class RowFold {
public:
  RowFold(tile::KernelOp kernel, int64_t multiprocessors)
      : kernel(kernel), multiprocessors(multiprocessors) {}

  /// Whether the kernel only reduces matrices along their rows, in one loop
  /// over tiles of rows.
  bool isPossible() {
    loop = findSharedLoop(kernel);
    if (!loop || !isConstantIntValue(loop.getLowerBound(), 0) ||
        !isConstantIntValue(loop.getStep(), 1) || !loop.getStaticTripCount())
      return false;
    llvm::append_range(loads, loop.getBody()->getOps<tile::LoadOp>());
    if (loads.empty() || !llvm::all_of(loads, [&](tile::LoadOp load) {
          return readsMatrix(load);
        }))
      return false;
    // The iteration number counts tiles of the old size.
    if (!llvm::all_of(loop.getInductionVar().getUsers(),
                      llvm::IsaPred<tile::LoadOp>))
      return false;
    down = findLoopedAxis(kernel, {loop});
    return down && down->extent == rows && down->scans.empty() &&
           loop.getStaticTripCount()->getSExtValue() * down->size >= rows &&
           carriesSums() && findColumns();
  }

  /// Whether tiles of some columns are read in unaligned or short pieces of
  /// rows, and exchanging the results of all columns takes less time than it
  /// saves.
  bool isWorthIt() {
    constexpr int64_t lineBytes = 128;
    int64_t width = loads.front().getType().getDimSize(1);
    bool isCut = false;
    IndexFacts facts;
    for (tile::LoadOp load : loads) {
      int64_t bytes = memoryBytes(load.getType().getElementType());
      isCut |=
          analyzeAccess(load, facts).alignedSize * bytes < maxAccessBytes ||
          (width < columns && width * bytes < lineBytes);
    }
    if (!isCut)
      return false;
    // The last of several blocks per multiprocessor reads the results of all,
    // at a quarter of the estimated speed if it is alone. Statistics of 399727
    // x 34 in bf16 on an H200: 15.4 us in tiles of 32 columns, 21.4 in whole
    // rows; of 2955887 x 7: 23.8 and 16.9.
    constexpr int64_t blocks = 4;
    constexpr double bytesPerCycle = 20, ofLoads = 0.125;
    LoopShares shares = *LoopShares::of(loop);
    shares.resultBytes = resultBytes();
    double loaded = double(rows) * columns * bytesOfColumn() / multiprocessors;
    double exchange = shares.exchangeCycles(blocks * multiprocessors) -
                      shares.exchangeCycles(/*parts=*/2);
    return exchange < ofLoads * loaded / bytesPerCycle;
  }

  /// The rows of a tile: whole units of 16 bytes that fill the threads of a
  /// block; 0 if no block has enough registers.
  int64_t chooseRows() {
    constexpr int64_t wantedBytes = 8192, mostElements = 32768;
    const int64_t tiles = loads.size() + loop.getNumResults();
    const int64_t step = unitElements() / std::gcd(unitElements(), columns);
    // Several iterations for each multiprocessor.
    const int64_t wanted = std::min(wantedBytes / bytesOfColumn(),
                                    rows * columns / (2 * multiprocessors));
    int64_t best = 0;
    double least = 0;
    for (int64_t count = step; count * columns * tiles <= mostElements;
         count += step) {
      int64_t elements = count * columns;
      if (best && elements > 2 * wanted)
        break;
      int64_t all =
          warpLanes * LoopShares::warpsFor(elements * tiles) * unitElements();
      // Penalizes registers without elements and tiles far from the wanted
      // size.
      double waste = double(llvm::alignTo(elements, all)) / elements,
             ratio = double(elements) / wanted,
             cost = waste * std::max({1.0, ratio, 1 / ratio});
      if (best && cost >= least)
        continue;
      best = count;
      least = cost;
    }
    return best;
  }

  void run(int64_t count) {
    if (beside)
      resize(kernel, *beside, columns);
    OpBuilder builder(loop);
    loop.setUpperBound(arith::ConstantIndexOp::create(
        builder, loop.getLoc(), llvm::divideCeil(rows, count)));
    resizeTiles(*down, count);
  }

  int64_t getColumns() const { return columns; }

private:
  /// Whether a load reads tiles of rows of a matrix, all of one shape.
  bool readsMatrix(tile::LoadOp load) {
    tile::ViewType view = load.getView().getType();
    if (!isa<BlockArgument>(load.getView()) || !view.isDense() ||
        view.getRank() != 2 ||
        llvm::any_of(view.getShape(), ShapedType::isDynamic) ||
        load.getMask() || load.getOrder() ||
        load.getPad() != tile::PadKind::Zero || load.getType().getRank() != 2 ||
        load.getIndices()[0] != loop.getInductionVar())
      return false;
    if (columns == 0) {
      rows = view.getShape()[0];
      columns = view.getShape()[1];
      column = load.getIndices()[1];
    }
    return view.getShape() == ArrayRef<int64_t>{rows, columns} &&
           load.getType().getShape() == loads.front().getType().getShape() &&
           load.getIndices()[1] == column;
  }

  /// Whether rows past the last one leave all results unchanged.
  bool carriesSums() {
    return llvm::all_of(*findCarriedReductions(loop),
                        [&](const CarriedReduction &carried) {
                          return carried.kind == tile::ReduceKind::Add &&
                                 keepsZero(carried.update) &&
                                 down->axes.contains(carried.update);
                        });
  }

  /// Finds the axis of the grid that numbers tiles of columns, if there is one.
  bool findColumns() {
    if (isConstantIntValue(column, 0))
      return loads.front().getType().getDimSize(1) == columns;
    auto id = column.getDefiningOp<tile::BlockIdOp>();
    beside = id ? findFreeAxis(kernel, id.getAxis()) : std::nullopt;
    return beside && beside->extent == columns;
  }

  /// The loaded bytes per column of a row, over all loads.
  int64_t bytesOfColumn() const {
    int64_t bytes = 0;
    for (tile::LoadOp load : loads)
      bytes += memoryBytes(load.getType().getElementType());
    return bytes;
  }
  int64_t resultBytes() {
    int64_t bytes = 0;
    for (Type type : loop.getResultTypes())
      bytes += columns * memoryBytes(getElementTypeOrSelf(type));
    return bytes;
  }
  /// The number of elements of the narrowest type in 16 bytes.
  int64_t unitElements() const {
    int64_t most = 1;
    for (tile::LoadOp load : loads)
      most = std::max(most, maxAccessBytes /
                                memoryBytes(load.getType().getElementType()));
    return most;
  }

  tile::KernelOp kernel;
  int64_t multiprocessors;
  scf::ForOp loop;
  SmallVector<tile::LoadOp> loads;
  int64_t rows = 0, columns = 0;
  Value column; ///< the index of a tile of columns
  std::optional<StreamedAxis> down;
  std::optional<FreeAxis> beside; ///< nullopt if a tile has all columns
};

struct FoldRows : tilegpu::impl::FoldRowsBase<FoldRows> {
  using FoldRowsBase::FoldRowsBase;

  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    if (kernel.isRaw())
      return;
    RowFold fold(kernel, multiprocessors);
    if (!fold.isPossible() || !fold.isWorthIt())
      return;
    int64_t count = fold.chooseRows();
    if (count == 0)
      return;
    explainPassed(kernel, "tile")
        << remark::add("tiles have all {0} columns of {1} rows: contiguous "
                       "memory, which is read in whole units",
                       fold.getColumns(), count);
    fold.run(count);
    ++numFolded;
  }
};
} // namespace
