// Divides few long rows between blocks of the grid.
#include "Grid/BlockGroups.h"
#include "Plan/RowPlan.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_DIVIDEROWS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct DivideRows : tilegpu::impl::DivideRowsBase<DivideRows> {
  using DivideRowsBase::DivideRowsBase;

  void runOnOperation() override {
    SmallVector<tile::KernelOp> kernels(
        getOperation().getOps<tile::KernelOp>());
    for (tile::KernelOp kernel : kernels)
      if (mayHaveFewLongRows(kernel) && failed(divide(kernel)))
        return signalPassFailure();
  }

private:
  /// Whether blocks along one axis, whose number is known, reduce or scan long
  /// tiles once.
  bool mayHaveFewLongRows(tile::KernelOp kernel) const {
    constexpr int64_t mostRows = 4; // per multiprocessor
    std::optional<int64_t> rows = knownBlocks(kernel, 0);
    if (!rows || *rows > mostRows * multiprocessors ||
        knownBlocks(kernel) != rows)
      return false;
    bool reduces = false;
    for (Operation &op : kernel.getEntryBlock()->without_terminator()) {
      if (isa<scf::SCFDialect>(op.getDialect()))
        return false;
      if (isa<tile::ReduceOp, tile::ScanOp>(op))
        reduces |= llvm::any_of(op.getOperandTypes(), [](Type type) {
          auto tile = dyn_cast<RankedTensorType>(type);
          return tile && tile.getNumElements() >= LongRows::fewestColumns;
        });
    }
    return reduces;
  }

  LogicalResult divide(tile::KernelOp kernel) {
    const target::GpuTarget *known = target::findTarget(kernel, target);
    if (!known)
      return failure();
    const WantedPlan wanted(kernel);
    if (!known->hasTma || (kernel->hasAttr(tile::wantedPlanAttr) &&
                           wanted.get("throughMemory").value_or(0) == 0))
      return success();
    std::optional<RowBlocks> blocks;
    if (failed(planSimplifiedRows(
            kernel, exact,
            [&](OpPassManager &pm, Operation *op) {
              return runPipeline(pm, op);
            },
            [&](tile::KernelOp simple) {
              blocks = divideLongRows(simple, *known, multiprocessors, wanted);
            })))
      return failure();
    if (!blocks)
      return success();
    multiplyGrid(kernel, /*axis=*/0, blocks->blocks);
    kernel->setAttr(
        rowBlocksName,
        Builder(kernel.getContext())
            .getDenseI64ArrayAttr({blocks->blocks, blocks->residents}));
    explainPassed(kernel, "grid")
        << remark::add("{0} blocks share each row and exchange results through "
                       "memory",
                       blocks->blocks);
    ++numDivided;
    return success();
  }
};
} // namespace
