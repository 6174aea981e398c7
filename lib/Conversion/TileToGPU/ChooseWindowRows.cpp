// Rows of products whose left operand is a tile of a window, as in attention.
#include "ChooseTiles.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The parameter that tiles the rows of a product whose left operand is a tile
/// of a window; null when there is none.
static StringAttr findWindowRows(OpenLaunch &launch) {
  StringAttr found;
  launch.kernel.walk([&](tile::DotOp dot) {
    auto lhs = dot.getLhs().getDefiningOp<tile::LoadOp>();
    if (!lhs || lhs.getSizes().size() != 2 || lhs.getOrder())
      return WalkResult::advance();
    auto rows =
        dyn_cast<StringAttr>(lhs.getSizes()[dot.getTransposeA() ? 1 : 0]);
    if (!rows || !launch.hasFreeSize(rows))
      return WalkResult::advance();
    found = rows;
    return WalkResult::interrupt();
  });
  return found;
}

/// Rows for the four warps of a block to multiply by matrix instructions; other
/// types keep the default.
bool chooseWindowRows(OpenLaunch &launch) {
  constexpr int64_t most = 64;
  StringAttr rows = findWindowRows(launch);
  if (!rows)
    return false;
  Type element = launch.elementOf(0);
  if (!element.isBF16() && !element.isF16())
    return true;
  int64_t best = 0;
  for (int64_t size : launch.candidates(rows))
    if (size <= most)
      best = std::max(best, size);
  if (best != 0)
    launch.set(rows, best);
  return true;
}

} // namespace tilegpt::tilegpu
