// Finds rows that share vectors.
#include "SharedRows.h"
#include "AccessFacts.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static constexpr int64_t narrowBits = 16;

int64_t SharedRows::getWarps() const {
  constexpr int64_t elementsOfAccess = 128 / narrowBits, warpLanes = 32;
  return llvm::divideCeil(columns, warpLanes * elementsOfAccess);
}

int64_t SharedRows::getBlocks() const {
  // Warps live in quarters of a multiprocessor, each with registers of its own.
  constexpr int64_t quarters = 4, registersOfQuarter = 16384, warpLanes = 32,
                    registersOfThread = 56;
  return quarters * (registersOfQuarter / (registersOfThread * warpLanes)) /
         getWarps();
}

/// Whether a tile is loaded in whole accesses of 16-bit elements.
static bool isNarrow(tile::LoadOp load, IndexFacts &facts) {
  RankedTensorType tile = load.getType();
  return tile.getElementTypeBitWidth() == narrowBits &&
         analyzeAccess(load, facts).vectorSize == 128 / narrowBits;
}

std::optional<SharedRows> findSharedRows(tile::KernelOp kernel) {
  constexpr int64_t mostWarps = 8, fewestColumns = 128;
  IndexFacts facts;
  std::optional<SharedRows> found;
  bool isOther = false, hasRows = false;
  kernel.walk([&](Operation *op) {
    isOther |=
        isa<tile::DotOp, tile::GatherOp, tile::ScatterOp>(op) ||
        (op->getNumRegions() != 0 && !isa<tile::KernelOp, tile::ReduceOp>(op));
    if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
      auto vector = broadcast.getSource().getDefiningOp<tile::LoadOp>();
      auto type = cast<RankedTensorType>(broadcast.getType());
      if (vector && vector.getType().getRank() == 1 && type.getRank() == 2)
        found = SharedRows{type.getDimSize(0), type.getDimSize(1)};
    }
  });
  // What a kernel has larger tiles for is something else.
  kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type))
        isOther |=
            found && tile.getNumElements() > found->rows * found->columns;
  });
  // The lanes of a warp would hold copies of shorter rows.
  if (isOther || !found || found->rows == 1 ||
      found->columns <= fewestColumns || found->getWarps() > mostWarps)
    return std::nullopt;
  kernel.walk([&](tile::LoadOp load) {
    int64_t shape[] = {found->rows, found->columns};
    hasRows |=
        load.getType().getShape() == ArrayRef(shape) && isNarrow(load, facts);
  });
  return hasRows ? found : std::nullopt;
}

} // namespace tilegpt::tilegpu
