// Finds rows that share vectors.
#include "TileGPT/Dialect/TileGPU/Analysis/SharedRows.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static constexpr int64_t narrowBits = 16;

int64_t SharedRows::getWarps() const {
  constexpr int64_t elementsOfAccess = 128 / narrowBits;
  return llvm::divideCeil(columns, warpLanes * elementsOfAccess);
}

int64_t SharedRows::getBlocks() const {
  // Warps are assigned to quadrants of a multiprocessor, each with its own
  // registers.
  constexpr int64_t quarters = 4, registersOfQuarter = 16384;
  // Vectors, addresses and accumulators; and a register for each element of a
  // thread.
  constexpr int64_t fewest = 56, others = 24, elements = 128 / narrowBits;
  int64_t registers = std::max(fewest, others + kept * rows * elements);
  return std::max<int64_t>(
      1,
      quarters * (registersOfQuarter / (registers * warpLanes)) / getWarps());
}

/// Maximum number of tiles of this size that a kernel holds in registers during
/// a reduction.
static int64_t countKept(tile::KernelOp kernel, int64_t rows, int64_t columns) {
  int64_t most = 1;
  Block *body = kernel.getEntryBlock();
  for (auto reduce : body->getOps<tile::ReduceOp>()) {
    int64_t kept = 0;
    for (Operation &op : *body) {
      if (&op == reduce.getOperation())
        break;
      // Constants of all elements are rematerialized.
      if (op.getNumResults() != 1 ||
          isa<tile::BroadcastOp, tile::SplatOp, arith::ConstantOp>(op))
        continue;
      auto tile = dyn_cast<RankedTensorType>(op.getResult(0).getType());
      int64_t shape[] = {rows, columns};
      kept +=
          tile && tile.getShape() == ArrayRef(shape) &&
          llvm::any_of(op.getUsers(), [&](Operation *user) {
            return user->getBlock() == body && reduce->isBeforeInBlock(user);
          });
    }
    most = std::max(most, kept);
  }
  return most;
}

/// Whether a tile is loaded in full-width accesses of 16-bit elements.
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
        found = SharedRows{type.getDimSize(0), type.getDimSize(1), 1};
    }
  });
  // Larger tiles of a kernel serve another purpose.
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
  if (!hasRows)
    return std::nullopt;
  found->kept = countKept(kernel, found->rows, found->columns);
  return found;
}

} // namespace tilegpt::tilegpu
