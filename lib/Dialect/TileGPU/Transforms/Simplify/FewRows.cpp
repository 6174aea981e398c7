// Decides which dots are expanded to multiplications and sums in registers, and
// which are split along the depth.
#include "Simplify/FewRows.h"
#include "Simplify/DepthPieces.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether the rhs of a dot can be prefetched by copies.
static bool isStream(scf::ForOp loop, tile::DotOp dot) {
  auto load = dot.getRhs().getDefiningOp<tile::LoadOp>();
  IndexFacts facts;
  return load && load->getParentOp() == loop &&
         hasPlaceAhead(loop, load, facts);
}

bool hasFewRows(tile::DotOp dot) {
  // Products that four warps hold at once: 32 per thread.
  constexpr int64_t few = 8, mostProducts = 4096;
  auto type = cast<RankedTensorType>(dot.getType());
  if (type.getRank() != 2 || rowsOf(dot) > few)
    return false;
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  if (loop)
    return rowsOf(dot) == 1 && !(suitsMmaSync(dot) && isStream(loop, dot));
  if (rowsOf(dot) == 1 || isLoadedWhole(dot))
    return true;
  return !suitsMmaSync(dot) &&
         type.getNumElements() * depthOf(dot) <= mostProducts;
}

bool isCut(tile::DotOp dot) {
  return !hasFewRows(dot) && isLoadedWhole(dot) && depthOf(dot) > mostAtOnce;
}

} // namespace tilegpt::tilegpu
