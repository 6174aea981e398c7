// Finds loads of narrow elements in rows of any alignment, for dots.
#include "Layout/RealignLoads.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/LeastResidents.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static bool isRealigned(tile::LoadOp load, IndexFacts &facts) {
  constexpr int64_t wordBytes = 4;
  if (load.getMask() || load.getPad() != tile::PadKind::Zero ||
      load->use_empty() ||
      !llvm::all_of(load->getUsers(), llvm::IsaPred<tile::DotOp>))
    return false;
  RankedTensorType type = load.getType();
  const int64_t bytes = memoryBytes(type.getElementType());
  AccessFacts access = analyzeAccess(load, facts);
  return access.vectorAxis == type.getRank() - 1 &&
         access.alignedSize * bytes < wordBytes &&
         type.getShape().back() * bytes % maxAccessBytes == 0 &&
         !llvm::is_contained(access.isBehindStart, false) &&
         readsWhatStays(load, facts) &&
         llvm::all_of(
             facts.ofView(load.getView()).strides,
             [](const IntegerFacts &stride) { return stride.range.lo >= 0; });
}

/// Lets several blocks share a multiprocessor, so that others multiply while
/// threads wait for loads: as many as there are registers for, counting
/// accumulators and the largest loaded tile, before and after the shift. Four
/// hide the latency, and each additional one costs another ptxas run if it
/// spills.
static void shareMultiprocessor(tile::KernelOp kernel, PlanAttr plan,
                                int64_t loadedBytes) {
  constexpr int64_t registersOfMultiprocessor = 65536, others = 32,
                    wordBytes = 4, mostBlocks = 4;
  const int64_t threads = plan.getThreads();
  int64_t registers = others + 2 * loadedBytes / (wordBytes * threads);
  bool areInShared = true;
  kernel.walk([&](tile::DotOp dot) {
    registers += dot.getType().getNumElements() / threads;
    areInShared &= dot->hasAttr(wgmmaName);
  });
  const int64_t blocks =
      std::min(mostBlocks, registersOfMultiprocessor / (registers * threads));
  if (auto most = kernel->getAttrOfType<IntegerAttr>(residentName);
      most && most.getInt() == 1)
    return;
  if (areInShared && blocks > 1 && !plan.getProducer() && plan.getBlocks() == 0)
    kernel->setAttr(leastResidentsName,
                    Builder(kernel.getContext()).getI64IntegerAttr(blocks));
}

void markRealignedLoads(tile::KernelOp kernel) {
  IndexFacts facts;
  int64_t most = 0;
  kernel.walk([&](tile::LoadOp load) {
    if (!isRealigned(load, facts))
      return;
    load->setAttr(realignedName, UnitAttr::get(load.getContext()));
    explainPassed(load, "load") << "aligned vectors, shifted into place";
    most = std::max(most, tileBytes(load.getType()));
  });
  if (most > 0)
    shareMultiprocessor(kernel, PlanAttr::of(kernel), most);
}

} // namespace tilegpt::tilegpu
