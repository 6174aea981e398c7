// What a copy takes for granted of the memory it reads.
#include "CopyKind.h"
#include "AccessFacts.h"
#include "SharedTile.h"

using namespace mlir;

namespace tilegpt::tilegpu {

int64_t elementsOfUnit(RankedTensorType tile) {
  return sharedUnitBytes / memoryBytes(tile.getElementType());
}

/// Whether a tile is a whole row of a dense argument: a unit that a row ends in
/// may then begin the next one.
static bool isWholeRow(tile::LoadOp load, IndexFacts &facts) {
  RankedTensorType tile = load.getType();
  tile::ViewType view = load.getView().getType();
  if (!isa<BlockArgument>(load.getView()) || tile.getRank() != 2 ||
      tile.getDimSize(0) != 1 || tile.getDimSize(1) != view.getShape()[1])
    return false;
  SmallVector<int64_t> strides = view.getKnownStrides();
  constexpr int64_t zeroDivisor = 0;
  return strides[0] == tile.getDimSize(1) && strides[1] == 1 &&
         facts.of(load.getIndices()[1]).divisor == zeroDivisor;
}

CopyKind copyKindOf(tile::LoadOp load, IndexFacts &facts) {
  RankedTensorType tile = load.getType();
  if (load.getMask() || load.getOrder() ||
      load.getPad() != tile::PadKind::Zero || tile.getRank() == 0)
    return CopyKind::None;
  AccessFacts access = analyzeAccess(load, facts);
  if (!access.isReadOnly || access.vectorAxis != tile.getRank() - 1 ||
      !llvm::all_of(access.isBehindStart, [](bool is) { return is; }))
    return CopyKind::None;
  if (access.vectorSize == elementsOfUnit(tile))
    return CopyKind::Units;
  return isWholeRow(load, facts) ? CopyKind::Row : CopyKind::None;
}

} // namespace tilegpt::tilegpu
