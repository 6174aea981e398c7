// Programmatic dependent launch: decides where a kernel lets the next launch
// start, and where it waits for the previous one.
#include "Grid/EarlyCopies.h"
#include "Grid/EarlyLoads.h"
#include "Grid/FirstStages.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_OVERLAPLAUNCHES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
class Overlap {
public:
  explicit Overlap(tile::KernelOp kernel) : kernel(kernel), builder(kernel) {}

  void run() {
    Block *body = kernel.getEntryBlock();
    waitIn(*body);
    placeRelease(*body);
    kernel->setAttr(overlapsName, builder.getUnitAttr());
  }

private:
  /// Lets the next launch start: at once or, if a producer feeds the kernel,
  /// when it has issued all copies. Any earlier, the next launch's blocks would
  /// start one by one as blocks of this one end; together they are spread over
  /// the multiprocessors in order. Blocks that have copies to issue while they
  /// wait may start at any time, except for those of clusters, which need
  /// several multiprocessors at a time.
  void placeRelease(Block &body) {
    builder.setInsertionPointToStart(&body);
    PlanAttr plan = PlanAttr::of(kernel);
    bool areApart = plan.getParts() == 1 && plan.getMulticast() == 1;
    if (!hasFirstStages || !areApart)
      for (auto roles : body.getOps<RolesOp>())
        builder.setInsertionPointToEnd(&roles.getProducer().front());
    ReleaseLaunchOp::create(builder, kernel.getLoc());
  }

  /// Waits before the first op of a block that accesses memory of other
  /// launches, or at its end if there is none, so that later launches can rely
  /// on earlier ones.
  void waitIn(Block &block) {
    for (Operation &op : block) {
      if (!accesses.mustWait(&op))
        continue;
      if (auto roles = dyn_cast<RolesOp>(op)) {
        for (Region *role : {&roles.getProducer(), &roles.getConsumer()})
          waitIn(role->front());
        return;
      }
      builder.setInsertionPoint(&op);
      auto wait = AwaitLaunchOp::create(builder, op.getLoc());
      if (hasCopies())
        bringCopiesForward(wait, accesses);
      else
        copyLoadsForward(wait, accesses);
      hasFirstStages |=
          fillFirstStages(wait, [&](Value map) { return accesses.isOwn(map); });
      if (isa<tile::KernelOp>(wait->getParentOp())) {
        beginLargeLoads(wait, accesses);
        bringLateLoadsForward(wait, accesses);
      }
      return;
    }
    if (block.mightHaveTerminator())
      builder.setInsertionPoint(block.getTerminator());
    else
      builder.setInsertionPointToEnd(&block);
    AwaitLaunchOp::create(builder, kernel.getLoc());
  }

  /// Whether the kernel prefetches with copies.
  bool hasCopies() {
    return kernel
        ->walk([](Operation *op) {
          return isa<CommitCopiesOp, RolesOp>(op) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
        })
        .wasInterrupted();
  }

  tile::KernelOp kernel;
  OpBuilder builder;
  EarlyAccesses accesses;
  /// Whether rings are filled before the wait.
  bool hasFirstStages = false;
};

struct OverlapLaunches : tilegpu::impl::OverlapLaunchesBase<OverlapLaunches> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    PlanAttr plan = PlanAttr::of(kernel);
    if (!plan)
      return;
    const target::GpuTarget *target =
        target::findTarget(kernel, plan.getTarget());
    if (!target)
      return signalPassFailure();
    if (!target->hasTma) {
      explainMissed(kernel, "overlap")
          << target->name << " has no programmatic dependent launch";
      return;
    }
    if (!plan.getOverlap()) {
      explainMissed(kernel, "overlap")
          << "an early launch would save less than the long loop loses when "
             "blocks start at different times";
      return;
    }
    Overlap(kernel).run();
    explainPassed(kernel, "overlap")
        << "the launch may start before its predecessor has completed";
  }
};
} // namespace
