// Chooses the rows of dots whose lhs is a tile of a window, as in attention.
#include "Tiling/ChooseTiles.h"
#include "Tiling/LaunchSizes.h"
#include "Tiling/WindowProduct.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The parameter that tiles the rows of a dot whose lhs is a tile of a window;
/// null if there is none.
static StringAttr findWindowRows(OpenLaunch &launch) {
  StringAttr found;
  launch.kernel.walk([&](tile::DotOp dot) {
    std::optional<WindowRows> lhs = findLeftRows(dot);
    auto rows = lhs ? dyn_cast<StringAttr>(lhs->rows) : StringAttr();
    if (!rows || !launch.hasFreeSize(rows) || launch.isFewRows(rows))
      return WalkResult::advance();
    found = rows;
    return WalkResult::interrupt();
  });
  return found;
}

/// Multiply-adds keep the default rows but take fewer columns at a time: four
/// blocks instead of two fit a multiprocessor, and fewer masked elements are
/// computed (16 x 8 x 256 x 64: 58 us instead of 76).
static void chooseColumnsOfMultiplyAdds(OpenLaunch &launch) {
  constexpr int64_t columns = 32, leastDepth = 64;
  std::optional<WindowProduct> product = findWindowProduct(launch.kernel);
  auto parameter =
      product ? dyn_cast<StringAttr>(product->columns) : StringAttr();
  if (!parameter || !product->depth || launch.isGiven(parameter) ||
      !launch.admits(parameter, columns))
    return;
  std::optional<int64_t> depth = LaunchSizes(launch).evaluate(product->depth);
  if (depth && *depth >= leastDepth)
    launch.set(parameter, columns);
}

/// The rows of matrix instructions of a block's four warps; other types keep
/// the default.
bool chooseWindowRows(OpenLaunch &launch) {
  constexpr int64_t most = 64;
  StringAttr rows = findWindowRows(launch);
  if (!rows)
    return false;
  Type element = launch.elementOf(0);
  if (!element.isBF16() && !element.isF16()) {
    if (element.isF32() && !launch.tf32)
      chooseColumnsOfMultiplyAdds(launch);
    return true;
  }
  int64_t best = 0;
  for (int64_t size : launch.candidates(rows))
    if (size <= most)
      best = std::max(best, size);
  if (best != 0)
    launch.set(rows, best);
  return true;
}

} // namespace tilegpt::tilegpu
