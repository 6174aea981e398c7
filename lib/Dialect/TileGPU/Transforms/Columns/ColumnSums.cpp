// Matches loops over tiles of rows whose columns are summed.
#include "Columns/ColumnSums.h"
#include "Columns/LoopTiles.h"
#include "TileGPT/Dialect/Tile/Analysis/CarriedReductions.h"
#include "TileGPT/Dialect/Tile/Analysis/KeepsZero.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether rows past the last one leave all results unchanged.
static bool carriesSums(const ColumnSums &sums) {
  return llvm::all_of(*findCarriedReductions(sums.loop),
                      [&](const CarriedReduction &carried) {
                        return carried.kind == tile::ReduceKind::Add &&
                               keepsZero(carried.update) &&
                               sums.down.axes.contains(carried.update);
                      });
}

std::optional<ColumnSums> ColumnSums::find(tile::KernelOp kernel) {
  ColumnSums sums;
  scf::ForOp loop = sums.loop = findSharedLoop(kernel);
  if (!loop || !isConstantIntValue(loop.getLowerBound(), 0) ||
      !isConstantIntValue(loop.getStep(), 1) || !loop.getStaticTripCount())
    return std::nullopt;
  llvm::append_range(sums.loads, loop.getBody()->getOps<tile::LoadOp>());
  if (sums.loads.empty())
    return std::nullopt;
  tile::LoadOp first = sums.loads.front();
  if (!llvm::all_of(sums.loads, [&](tile::LoadOp load) {
        return readsMatrix(load) &&
               load.getIndices()[0] == loop.getInductionVar() &&
               load.getView().getType().getShape() ==
                   first.getView().getType().getShape() &&
               load.getType().getShape() == first.getType().getShape() &&
               load.getIndices()[1] == first.getIndices()[1];
      }))
    return std::nullopt;
  sums.rows = first.getView().getType().getShape()[0];
  sums.columns = first.getView().getType().getShape()[1];
  // The iteration number counts tiles of the current size.
  if (!llvm::all_of(loop.getInductionVar().getUsers(),
                    llvm::IsaPred<tile::LoadOp>))
    return std::nullopt;
  std::optional<StreamedAxis> down = findLoopedAxis(kernel, {loop});
  if (!down || down->extent != sums.rows || !down->scans.empty() ||
      loop.getStaticTripCount()->getSExtValue() * down->size < sums.rows)
    return std::nullopt;
  sums.down = std::move(*down);
  if (!carriesSums(sums))
    return std::nullopt;
  Value column = first.getIndices()[1];
  if (isConstantIntValue(column, 0))
    return first.getType().getDimSize(1) == sums.columns ? std::optional(sums)
                                                         : std::nullopt;
  auto id = column.getDefiningOp<tile::BlockIdOp>();
  sums.beside = id ? findFreeAxis(kernel, id.getAxis()) : std::nullopt;
  return sums.beside && sums.beside->extent == sums.columns
             ? std::optional(sums)
             : std::nullopt;
}

int64_t ColumnSums::bytesOfColumn() const {
  int64_t bytes = 0;
  for (tile::LoadOp load : loads)
    bytes += memoryBytes(load.getType().getElementType());
  return bytes;
}

void ColumnSums::resizeTiles(tile::KernelOp kernel, int64_t tileRows,
                             int64_t tileColumns) const {
  if (beside)
    resize(kernel, *beside, tileColumns);
  scf::ForOp counted = loop;
  OpBuilder builder(counted);
  counted.setUpperBound(arith::ConstantIndexOp::create(
      builder, counted.getLoc(), llvm::divideCeil(rows, tileRows)));
  tilegpu::resizeTiles(down, tileRows);
}

} // namespace tilegpt::tilegpu
