// Sizes the tiles of unaligned matrices so that the units that cover them fill
// the lanes of a warp.
#include "Columns/ResizeColumns.h"
#include "Columns/CoveredLoop.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LoopShares.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class TileSizes {
public:
  TileSizes(const ColumnSums &sums, const CoveredLoop &covered)
      : sums(sums), covered(covered) {
    // With one more unit, at most one for each lane of a warp.
    const int64_t most = (warpLanes - 1) * covered.unit;
    count = llvm::divideCeil(covered.columns, most);
    columns =
        llvm::alignTo(llvm::divideCeil(covered.columns, count), covered.unit);
    // Whole periods, which a power of two of warps share, with as many bytes as
    // a block should have in flight.
    constexpr int64_t bytesUnderWay = 16384, rowsOfWarps = 8;
    const int64_t step = std::max(covered.period, rowsOfWarps),
                  lanes = llvm::PowerOf2Ceil(columns / covered.unit + 1),
                  bytes = lanes * covered.unit * sums.bytesOfColumn();
    rows = std::clamp<int64_t>(llvm::alignDown(bytesUnderWay / bytes, step),
                               step, llvm::alignTo(covered.rows, step));
    // Accumulators of several results leave registers for fewer rows.
    const int64_t wanted = rows;
    while (rows > step && LoopShares::warpsFor(countElements()) > mostWarps)
      rows -= step;
    areCut = rows < wanted;
  }

  int64_t getRows() const { return rows; }
  int64_t getColumns() const { return columns; }

  /// Why narrower tiles are faster, element by element; empty if they are not.
  StringRef refusal(int64_t multiprocessors) const {
    // Of an H200's sums of odd rows, as fast as before or faster are those of
    // at least three units, in blocks of up to eight warps whose last one reads
    // up to 160 KB and whose iterations are evenly shared.
    constexpr int64_t fewestUnits = 3, mostExchanged = 160 << 10;
    constexpr double mostUneven = 1.25;
    if (covered.columns < fewestUnits * covered.unit)
      return "rows have few units";
    scf::ForOp loop = sums.loop;
    LoopShares shares = {int64_t(llvm::divideCeil(covered.rows, rows)),
                         countElements(), rows * columns * sums.bytesOfColumn(),
                         columns, 0};
    for (Type type : loop.getResultTypes())
      shares.resultBytes += columns * memoryBytes(getElementTypeOrSelf(type));
    if (LoopShares::warpsFor(shares.tileElements) > mostWarps)
      return "accumulators take the registers of more than eight warps";
    const int64_t parts = shares.count(count, multiprocessors),
                  most = llvm::divideCeil(shares.iterations, parts);
    if (parts == 1)
      return "";
    // Statistics of bf16 319 x 17857 spill at two blocks per multiprocessor.
    if (areCut)
      return "accumulators leave no registers to exchange the results of "
             "several blocks";
    if (parts * shares.resultBytes > mostExchanged)
      return "blocks would exchange more results";
    return double(most * parts) / shares.iterations > mostUneven
               ? "blocks would have different numbers of iterations"
               : "";
  }

private:
  static constexpr int64_t mostWarps = 8;

  /// Elements that a tile of the loop's loads and accumulators has.
  int64_t countElements() const {
    scf::ForOp loop = sums.loop;
    return rows * columns * int64_t(sums.loads.size() + loop.getNumResults());
  }

  const ColumnSums &sums;
  const CoveredLoop &covered;
  int64_t count; ///< tiles of a row
  int64_t rows, columns;
  bool areCut; ///< whether the tiles have fewer rows than they should
};
} // namespace

void resizeColumns(tile::KernelOp kernel, const ColumnSums &sums,
                   int64_t multiprocessors) {
  std::optional<CoveredLoop> covered = CoveredLoop::of(sums.loop);
  if (!covered)
    return;
  const TileSizes sizes(sums, *covered);
  if (StringRef reason = sizes.refusal(multiprocessors); !reason.empty()) {
    explainMissed(kernel, "tile")
        << "unaligned rows are read element by element: " << reason;
    return;
  }
  explainPassed(kernel, "tile")
      << remark::add("tiles of {0} x {1} of unaligned rows, which are read in "
                     "whole units",
                     sizes.getRows(), sizes.getColumns());
  sums.resizeTiles(kernel, sizes.getRows(), sizes.getColumns());
  for (tile::LoadOp load : sums.loads)
    load->setAttr(coveredName, UnitAttr::get(load.getContext()));
}

} // namespace tilegpt::tilegpu
