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

/// Whether a kernel loads vectors, which all rows share.
static bool loadsVectors(tile::KernelOp kernel) {
  return kernel
      .walk([](tile::LoadOp load) {
        return load.getSizes().size() == 1 ? WalkResult::interrupt()
                                           : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The most elements of several rows. Shared vectors are read less often with
/// more rows. But each row takes registers for its elements and instructions
/// for its reductions, most of all if elements have 32 bits.
static int64_t mostElementsOf(OpenLaunch &launch, int64_t rows, bool isNarrow) {
  constexpr int64_t elements = 8192, ofShortRows = 2048, ofSharingRows = 4096,
                    mostNarrowRows = 4;
  if (rows == 1 || (isNarrow && rows <= mostNarrowRows))
    return elements;
  return !isNarrow && loadsVectors(launch.kernel) ? ofSharingRows : ofShortRows;
}

/// As many rows as their elements allow, and every multiprocessor two blocks.
bool chooseWholeRows(OpenLaunch &launch) {
  constexpr int64_t narrowBits = 16;
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
        return size * *columns <= mostElementsOf(launch, size, isNarrow) &&
               *rows / size >= 2 * launch.multiprocessors;
      }));
  return true;
}

} // namespace tilegpt::tilegpu
