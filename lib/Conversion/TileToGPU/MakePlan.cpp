// Decides how many warps a kernel runs on, from the size of what it computes.
#include "FewRows.h"
#include "PipePlan.h"
#include "SharedRows.h"
#include "TileGPT/Conversion/TileToGPU/Passes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_MAKEPLAN
#include "TileGPT/Conversion/TileToGPU/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Warps for a result of a matrix instruction: each should have enough of it to
/// use what it reads several times.
static int64_t warpsForProduct(int64_t elements) {
  constexpr int64_t large = 128 * 128;
  return elements >= large ? 8 : 4;
}

/// Buffers of a ring of copies: one that is multiplied and two on their way,
/// which leaves room for a second block on a multiprocessor.
static constexpr int64_t stagesOfProduct = 3;

/// Buffers of a ring of rows: two on their way besides those that are computed.
static constexpr int64_t stagesOfRows = 3;

/// Warps for a tile that is read, changed and written: about 32 elements a
/// thread, so that enough loads are in flight and nothing spills. Twice as many
/// where copies ahead of time leave the thread nothing else to hold.
static int64_t warpsForTile(int64_t elements, int64_t most, bool isCopied) {
  constexpr int64_t fewest = 4;
  int64_t perWarp = 32 * (isCopied ? 64 : 32);
  return std::clamp<int64_t>(
      llvm::bit_floor(uint64_t(std::max<int64_t>(1, elements / perWarp))),
      fewest, most);
}

/// Whether a kernel reduces tiles of 16-bit elements of which, as f32, only one
/// has room in the registers of a multiprocessor. While that is computed
/// nothing else would be on its way: so blocks stay, and copy tiles ahead of
/// time.
static bool reducesLargeTiles(tile::KernelOp kernel) {
  constexpr int64_t allRegisters = 65536, fewestElements = allRegisters / 2,
                    narrowBits = 16;
  if (kernel.getGrid().size() != 1)
    return false;
  bool reduces = false, isPlain = true, isNarrow = false;
  kernel.walk([&](Operation *op) {
    reduces |= isa<tile::ReduceOp>(op);
    isPlain &=
        !isa<tile::DotOp, tile::GatherOp, tile::ScatterOp>(op) &&
        (op->getNumRegions() == 0 || isa<tile::KernelOp, tile::ReduceOp>(op));
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      auto type = cast<RankedTensorType>(load.getType());
      isNarrow |= type.getNumElements() >= fewestElements &&
                  type.getElementTypeBitWidth() == narrowBits;
    }
  });
  return reduces && isPlain && isNarrow;
}

namespace {
struct MakePlan : tilegpu::impl::MakePlanBase<MakePlan> {
  using MakePlanBase::MakePlanBase;

  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (kernel->hasAttr(PlanAttr::attrName))
      return;
    llvm::Expected<const target::GpuTarget &> known =
        target::GpuTarget::find(target);
    if (!known) {
      kernel.emitOpError() << llvm::toString(known.takeError());
      return signalPassFailure();
    }
    if (PlanAttr plan = planPipe(kernel, *known)) {
      kernel->setAttr(PlanAttr::attrName, plan);
      return;
    }
    // A sum of products takes more registers than a thread of 32 warps has.
    constexpr int64_t mostWarps = 32, mostWarpsOfSum = 16;
    int64_t product = 0, largest = 0, warps = mostWarps;
    kernel.walk([&](Operation *op) {
      if (auto dot = dyn_cast<tile::DotOp>(op)) {
        int64_t elements =
            cast<RankedTensorType>(dot.getType()).getNumElements();
        if (hasFewRows(dot)) {
          largest = std::max(largest, elements * depthOf(dot));
          warps = mostWarpsOfSum;
        } else {
          product = std::max(product, elements);
        }
      }
      for (Type type : op->getResultTypes())
        if (auto tile = dyn_cast<RankedTensorType>(type))
          largest = std::max(largest, tile.getNumElements());
    });
    bool stays = reducesLargeTiles(kernel);
    std::optional<SharedRows> rows = findSharedRows(kernel);
    int64_t stages = product ? stagesOfProduct : stays ? stagesOfRows : 0;
    kernel->setAttr(
        PlanAttr::attrName,
        PlanAttr::get(&getContext(), StringAttr::get(&getContext(), target),
                      product ? warpsForProduct(product)
                      : rows ? rows->getWarps()
                             : warpsForTile(largest, warps, /*isCopied=*/stays),
                      stages, /*producer=*/false, /*persistent=*/stays,
                      /*raster=*/8, /*teams=*/1));
  }
};
} // namespace
