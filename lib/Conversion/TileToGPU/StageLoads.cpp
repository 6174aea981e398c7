// Brings the tiles that staying blocks work through by way of shared memory,
// where they can be on their way before there are registers for them.
#include "Arithmetic.h"
#include "CopyKind.h"
#include "TileGPT/Conversion/TileToGPU/Passes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_STAGELOADS
#include "TileGPT/Conversion/TileToGPU/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// A load in a loop over the grid, and how it may be copied.
struct Moving {
  tile::LoadOp load;
  CopyKind kind;

  SharedType getBuffer() {
    RankedTensorType tile = load.getType();
    SmallVector<int64_t> shape(tile.getShape());
    int64_t unit = elementsOfUnit(tile);
    // Of the first and the last unit of a row, parts may be others'.
    if (kind == CopyKind::Row)
      shape.back() = llvm::alignTo(shape.back() + unit - 1, unit);
    return SharedType::get(tile.getContext(), shape, tile.getElementType(),
                           /*swizzle=*/0, /*padding=*/0);
  }
};

struct StageLoads : tilegpu::impl::StageLoadsBase<StageLoads> {
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    PlanAttr plan = PlanAttr::of(kernel);
    if (!plan || !plan.getPersistent() || plan.getProducer() ||
        plan.getStages() == 0)
      return;
    for (auto loop : kernel.getEntryBlock()->getOps<scf::ForOp>()) {
      IndexFacts facts;
      SmallVector<Moving> loads;
      for (auto load : loop.getOps<tile::LoadOp>())
        if (CopyKind kind =
                moves(loop, load) ? copyKindOf(load, facts) : CopyKind::None;
            kind != CopyKind::None)
          loads.push_back({load, kind});
      if (haveRoom(loads, plan))
        for (Moving moving : loads)
          stage(moving);
    }
  }

private:
  /// Whether every trip of the loop loads another tile; what is the same for
  /// all stays in registers.
  static bool moves(scf::ForOp loop, tile::LoadOp load) {
    return llvm::any_of(load.getIndices(), [&](Value index) {
      return !loop.isDefinedOutsideOfLoop(index);
    });
  }

  /// Whether one tile can be on its way while another is read.
  static bool haveRoom(ArrayRef<Moving> loads, PlanAttr plan) {
    constexpr int64_t fewestStages = 2, scratch = 2048;
    auto target = target::GpuTarget::find(plan.getTarget());
    if (!target) {
      llvm::consumeError(target.takeError());
      return false;
    }
    int64_t bytes = scratch;
    for (Moving moving : loads)
      bytes += fewestStages * moving.getBuffer().getNumBytes();
    return bytes <= int64_t(target->sharedBytesPerBlock);
  }

  static void stage(Moving moving) {
    tile::LoadOp load = moving.load;
    OpBuilder builder(load->getParentOp());
    Location loc = load.getLoc();
    Value buffer = AllocOp::create(builder, loc, moving.getBuffer(),
                                   /*offset=*/IntegerAttr());
    builder.setInsertionPointAfter(load);
    Value column;
    if (moving.kind == CopyKind::Row) {
      // How far behind the start of a unit the row begins.
      Arithmetic math(builder, loc);
      int64_t unit = elementsOfUnit(load.getType());
      int64_t stride = load.getType().getDimSize(1) % unit;
      column = math.rem(math.mul(load.getIndices()[0], stride), unit);
    }
    BarrierOp::create(builder, loc);
    auto write = WriteOp::create(builder, loc, load, buffer, column);
    BarrierOp::create(builder, loc);
    Value read = ReadOp::create(builder, loc, load.getType(), buffer, column);
    load.getResult().replaceAllUsesExcept(read, write);
  }
};
} // namespace
