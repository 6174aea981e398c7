// Splits the keys of an online softmax across blocks, if a launch has too few
// blocks for the device: decode attention with few sequences.
#include "Softmax/KeySplit.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/KeyParts.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SPLITKEYS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct SplitKeys : tilegpu::impl::SplitKeysBase<SplitKeys> {
  using SplitKeysBase::SplitKeysBase;

  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    const target::GpuTarget *known = target::findTarget(kernel, target);
    if (!known)
      return signalPassFailure();
    int64_t copies = 1;
    if (auto count = dyn_cast_or_null<IntegerAttr>(
            kernel->removeAttr(copiesOfBlocksName)))
      copies = count.getInt();
    if (!known->hasTma && copies == 1)
      return;
    std::optional<KeySplit> split = KeySplit::of(kernel);
    int64_t parts = split && known->hasTma ? chooseParts(*split, copies) : 1;
    if (parts * copies == 1)
      return;
    StringRef reason =
        split ? split->refusal() : "it has no loop of an online softmax";
    if (copies > 1 && reason.empty() && !mostBlocks(kernel))
      reason = "its number of blocks is not known";
    if (!reason.empty() && copies > 1) {
      kernel.emitOpError()
          << "has " << copies
          << " replicas of each block, whose keys cannot be split: " << reason;
      return signalPassFailure();
    }
    if (!reason.empty()) {
      explainMissed(split->getLoop(), "cluster")
          << "few blocks, and their keys are not split: " << reason;
      return;
    }
    parts = std::min(parts, split->countMostParts(known->sharedBytesPerBlock));
    if (parts * copies == 1)
      return;
    split->run(parts, copies);
    ++numSplit;
    if (copies == 1)
      explainPassed(split->getLoop(), "cluster")
          << remark::add("{0} blocks split the keys", parts);
    else
      explainPassed(split->getLoop(), "cluster") << remark::add(
          "{0} clusters of {1} blocks split the keys", copies, parts);
  }

private:
  int64_t chooseParts(KeySplit &split, int64_t copies) {
    std::optional<int64_t> blocks = mostBlocks(getOperation()),
                           keys = split.countKeys();
    return blocks && keys
               ? countKeyParts(*blocks, *keys / copies, multiprocessors)
               : 1;
  }
};
} // namespace
