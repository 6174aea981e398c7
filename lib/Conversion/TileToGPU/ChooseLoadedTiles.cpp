// Rows of kernels that are bound by what they load: enough that little is read
// twice, few enough to leave every multiprocessor two blocks.
#include "ChooseTiles.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// A loaded tile of two axes.
struct LoadedTile {
  TiledAxis rows, columns;
};
} // namespace

/// The first load of whole rows: some rows, but of columns a parameter that is
/// computed from a size.
static std::optional<LoadedTile> findWholeRows(OpenLaunch &launch) {
  std::optional<LoadedTile> found;
  launch.kernel.walk([&](tile::LoadOp load) {
    if (load.getSizes().size() != 2)
      return WalkResult::advance();
    auto rows = axisOf(load, 0), columns = axisOf(load, 1);
    if (!rows || !columns || !launch.hasFreeSize(rows->parameter) ||
        launch.hasFreeSize(columns->parameter))
      return WalkResult::advance();
    found = LoadedTile{*rows, *columns};
    return WalkResult::interrupt();
  });
  return found;
}

/// Some 8192 elements, so that what all rows share is read rarely; of narrow
/// rows less, which have registers left for other blocks.
bool chooseWholeRows(OpenLaunch &launch) {
  // More rows, each with sums of its own, take registers that other blocks
  // could have, the more so if elements are narrow and computed as f32: only
  // if they are short.
  constexpr int64_t elements = 8192, ofShortRows = 2048, narrowBits = 16,
                    mostRows = 8, mostNarrowRows = 4;
  std::optional<LoadedTile> tile = findWholeRows(launch);
  if (!tile)
    return false;
  std::optional<int64_t> rows = launch.sizeOf(tile->rows),
                         columns = launch.sizeOf(tile->columns);
  if (!rows || !columns)
    return true;
  bool isNarrow =
      launch.elementOf(tile->rows.argument).getIntOrFloatBitWidth() <=
      narrowBits;
  launch.set(
      tile->rows.parameter,
      largestOf(launch.candidates(tile->rows.parameter), [&](int64_t size) {
        return size * *columns <= elements &&
               (size <= (isNarrow ? mostNarrowRows : mostRows) ||
                size * *columns <= ofShortRows) &&
               *rows / size >= 2 * launch.multiprocessors;
      }));
  return true;
}

/// The first load of a tile of free size, in a kernel without a dot.
static std::optional<LoadedTile> findPlainTile(tile::KernelOp kernel) {
  std::optional<LoadedTile> found;
  kernel.walk([&](Operation *op) {
    if (isa<tile::DotOp>(op)) {
      found.reset();
      return WalkResult::interrupt();
    }
    auto load = dyn_cast<tile::LoadOp>(op);
    if (found || !load || load.getSizes().size() != 2)
      return WalkResult::advance();
    auto rows = axisOf(load, 0), columns = axisOf(load, 1);
    if (rows && columns)
      found = LoadedTile{*rows, *columns};
    return WalkResult::advance();
  });
  return found;
}

/// Some 2048 elements, sixteen a thread, where that leaves blocks enough: as
/// few columns as cover the rows, if those are fewer than the kernel has by
/// itself.
bool choosePlainTile(OpenLaunch &launch) {
  constexpr int64_t elements = 2048;
  std::optional<LoadedTile> tile = findPlainTile(launch.kernel);
  if (!tile)
    return false;
  std::optional<int64_t> rows = launch.sizeOf(tile->rows),
                         columns = launch.sizeOf(tile->columns);
  auto width = dyn_cast<IntegerAttr>(
      launch.kernel.lookupParam(tile->columns.parameter).getDefaultValue());
  if (!rows || !columns || !width)
    return true;
  int64_t wide = width.getInt();
  if (!launch.isGiven(tile->columns.parameter) && *columns < wide) {
    for (int64_t size : launch.candidates(tile->columns.parameter))
      if (size >= *columns)
        wide = std::min(wide, size);
    launch.set(tile->columns.parameter, wide);
  }
  int64_t across = llvm::divideCeil(*columns, wide);
  launch.set(
      tile->rows.parameter,
      largestOf(launch.candidates(tile->rows.parameter), [&](int64_t size) {
        int64_t down = llvm::divideCeil(*rows, size);
        return size * wide <= elements &&
               down * across >= 2 * launch.multiprocessors;
      }));
  return true;
}

} // namespace tilegpt::tilegpu
