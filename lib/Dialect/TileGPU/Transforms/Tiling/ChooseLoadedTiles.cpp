// Chooses the rows of kernels that are bound by their loads: enough that little
// is read twice, few enough to leave every multiprocessor two blocks.
#include "Tiling/ChooseTiles.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// A loaded tile of two axes.
struct LoadedTile {
  TiledAxis rows, columns;
};
} // namespace

/// The first load of whole rows: several rows, with a number of columns that is
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

/// About 8192 elements, so that data shared by all rows is read rarely; fewer
/// for short rows, which leaves registers for other blocks.
bool chooseWholeRows(OpenLaunch &launch) {
  // More rows, each with its own reductions, take registers that other blocks
  // could use, in particular if narrow elements are computed as f32: only if
  // the rows are short.
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

} // namespace tilegpt::tilegpu
