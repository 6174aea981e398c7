// Which products are multiplications and sums in registers, which are made of
// pieces of the depth.
#include "Simplify/FewRows.h"
#include "Simplify/DepthPieces.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool hasFewRows(tile::DotOp dot) {
  // Products that four warps form at once: 32 a thread.
  constexpr int64_t few = 8, mostProducts = 4096;
  auto type = cast<RankedTensorType>(dot.getType());
  if (type.getRank() != 2 || rowsOf(dot) > few)
    return false;
  bool isInLoop = isa<scf::ForOp>(dot->getParentOp());
  if (rowsOf(dot) == 1 || (!isInLoop && isLoadedWhole(dot)))
    return true;
  return !suitsMmaSync(dot) &&
         type.getNumElements() * depthOf(dot) <= mostProducts;
}

bool isCut(tile::DotOp dot) {
  return !hasFewRows(dot) && isLoadedWhole(dot) && depthOf(dot) > mostAtOnce;
}

} // namespace tilegpt::tilegpu
