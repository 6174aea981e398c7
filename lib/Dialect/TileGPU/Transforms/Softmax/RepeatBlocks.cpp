// Adds copies of blocks with few queries and many keys, if clusters alone would
// leave most of the device idle.
#include "Softmax/KeySplit.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/KeyParts.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_REPEATBLOCKS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct RepeatBlocks : tilegpu::impl::RepeatBlocksBase<RepeatBlocks> {
  using RepeatBlocksBase::RepeatBlocksBase;

  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (failed(tile::verifySpecialized(kernel)))
      return signalPassFailure();
    const target::GpuTarget *known = target::findTarget(kernel, target);
    if (!known)
      return signalPassFailure();
    std::optional<int64_t> blocks = mostBlocks(kernel);
    std::optional<KeySplit> split =
        known->hasTma && blocks && kernel.getGridRank() > 0
            ? KeySplit::of(kernel)
            : std::nullopt;
    std::optional<int64_t> keys =
        split ? split->countKeys() : std::optional<int64_t>();
    if (!keys)
      return;
    int64_t copies =
        countKeyCopies(*blocks, *keys, split->countKeyBytes(), multiprocessors);
    // `--tile-gpu-split-keys` explains why a loop cannot be split.
    if (copies == 1 || !split->refusal().empty())
      return;
    repeat(copies);
    ++numRepeated;
  }

private:
  void repeat(int64_t copies) {
    tile::KernelOp kernel = getOperation();
    SmallVector<Attribute> grid(kernel.getGrid().getValue());
    auto along = cast<tile::ExprAttr>(grid.front());
    AffineMap blocks = along.getMap();
    std::optional<int64_t> size = knownBlocks(kernel, 0);
    grid[0] = tile::ExprAttr::get(&getContext(),
                                  AffineMap::get(blocks.getNumDims(),
                                                 blocks.getNumSymbols(),
                                                 blocks.getResult(0) * copies),
                                  along.getSources());
    OpBuilder builder(&getContext());
    kernel.walk([&](Operation *op) {
      auto block = dyn_cast<tile::BlockIdOp>(op);
      auto count = dyn_cast<tile::NumBlocksOp>(op);
      if (!(block && block.getAxis() == 0) && !(count && count.getAxis() == 0))
        return;
      builder.setInsertionPointAfter(op);
      Value without =
          Arithmetic(builder, op->getLoc()).div(op->getResult(0), copies);
      Operation *quotient = without.getDefiningOp();
      if (block && size)
        without = tile::AssumeOp::create(
            builder, op->getLoc(), without, IntegerAttr(),
            builder.getDenseI64ArrayAttr({0, *size - 1}));
      op->getResult(0).replaceAllUsesExcept(without, quotient);
    });
    kernel.setGridAttr(builder.getArrayAttr(grid));
    kernel->setAttr(copiesOfBlocksName, builder.getI64IntegerAttr(copies));
  }
};
} // namespace
