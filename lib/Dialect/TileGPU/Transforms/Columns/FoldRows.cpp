// Sums the columns of narrow matrices in tiles of whole rows, which are
// contiguous whatever the alignment of the rows.
#include "Columns/ResizeColumns.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LoopShares.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
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
  RowFold(ColumnSums sums, int64_t multiprocessors)
      : sums(std::move(sums)), multiprocessors(multiprocessors) {}

  /// Whether tiles of some columns are read in unaligned or short pieces of
  /// rows, and exchanging the results of all columns takes less time than it
  /// saves.
  bool isWorthIt() {
    constexpr int64_t lineBytes = 128;
    int64_t width = sums.loads.front().getType().getDimSize(1);
    bool isCut = false;
    IndexFacts facts;
    for (tile::LoadOp load : sums.loads) {
      int64_t bytes = memoryBytes(load.getType().getElementType());
      isCut |=
          analyzeAccess(load, facts).alignedSize * bytes < maxAccessBytes ||
          (width < sums.columns && width * bytes < lineBytes);
    }
    if (!isCut)
      return false;
    // The last of several blocks per multiprocessor reads the results of all,
    // at a quarter of the estimated speed if it is alone. Statistics of 399727
    // x 34 in bf16 on an H200: 15.4 us in tiles of 32 columns, 21.4 in whole
    // rows; of 2955887 x 7: 23.8 and 16.9.
    constexpr int64_t blocks = 4;
    constexpr double bytesPerCycle = 20, ofLoads = 0.125;
    LoopShares shares = *LoopShares::of(sums.loop);
    shares.resultBytes = resultBytes();
    double loaded = double(sums.rows) * sums.columns * sums.bytesOfColumn() /
                    multiprocessors;
    double exchange = shares.exchangeCycles(blocks * multiprocessors) -
                      shares.exchangeCycles(/*parts=*/2);
    return exchange < ofLoads * loaded / bytesPerCycle;
  }

  /// The rows of a tile: whole units of 16 bytes that fill the threads of a
  /// block; 0 if no block has enough registers.
  int64_t chooseRows() {
    constexpr int64_t wantedBytes = 8192, mostElements = 32768;
    const int64_t tiles = sums.loads.size() + sums.loop.getNumResults(),
                  columns = sums.columns;
    const int64_t step = unitElements() / std::gcd(unitElements(), columns);
    // Several iterations for each multiprocessor.
    const int64_t wanted =
        std::min(wantedBytes / sums.bytesOfColumn(),
                 sums.rows * columns / (2 * multiprocessors));
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

private:
  int64_t resultBytes() {
    int64_t bytes = 0;
    for (Type type : sums.loop.getResultTypes())
      bytes += sums.columns * memoryBytes(getElementTypeOrSelf(type));
    return bytes;
  }
  /// The number of elements of the narrowest type in 16 bytes.
  int64_t unitElements() {
    int64_t most = 1;
    for (tile::LoadOp load : sums.loads)
      most = std::max(most, maxAccessBytes /
                                memoryBytes(load.getType().getElementType()));
    return most;
  }

  ColumnSums sums;
  int64_t multiprocessors;
};

struct FoldRows : tilegpu::impl::FoldRowsBase<FoldRows> {
  using FoldRowsBase::FoldRowsBase;

  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    std::optional<ColumnSums> sums = ColumnSums::find(kernel);
    if (!sums)
      return;
    RowFold fold(*sums, multiprocessors);
    const int64_t count = fold.isWorthIt() ? fold.chooseRows() : 0;
    if (count == 0) {
      resizeColumns(kernel, *sums, multiprocessors);
      return;
    }
    explainPassed(kernel, "tile")
        << remark::add("tiles have all {0} columns of {1} rows: contiguous "
                       "memory, which is read in whole units",
                       sums->columns, count);
    sums->resizeTiles(kernel, count, sums->columns);
    ++numFolded;
  }
};
} // namespace
