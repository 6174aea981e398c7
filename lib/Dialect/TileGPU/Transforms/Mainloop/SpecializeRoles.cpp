// Warp-specializes a kernel: a producer fills rings of buffers through TMA, and
// consumers compute on them.
#include "Mainloop/MainloopRings.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/Residents.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SPECIALIZEROLES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Registers per thread of the producer and of a consumer (setmaxnreg). ptxas
/// allocates wgmma within the launch's registers per thread; more can only come
/// from the producer, which needs few, unless it encodes descriptors: it then
/// holds addresses, sizes and strides of views. Null if a single consumer
/// already has as many as an instruction can address, as it does alone in a
/// multiprocessor.
static DenseI64ArrayAttr splitRegisters(OpBuilder &builder, PlanAttr plan,
                                        const KernelRings &rings) {
  constexpr int64_t total = 65536, step = 8, most = 240, few = 24,
                    forViews = 56;
  const int64_t producer = rings.encodesMaps() ? forViews : few;
  int64_t consumers = plan.getConsumerThreads() / PlanAttr::producerThreads,
          blocks = residentsWithProducer(plan);
  if (consumers < 2 && blocks < 2)
    return {};
  int64_t atEntry = total / blocks / plan.getThreads() / step * step;
  int64_t left = atEntry * (1 + consumers) - producer;
  return builder.getDenseI64ArrayAttr(
      {producer, std::min(most, left / consumers / step * step)});
}

namespace {
struct SpecializeRoles : tilegpu::impl::SpecializeRolesBase<SpecializeRoles> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    PlanAttr plan = PlanAttr::of(kernel);
    if (!plan || !plan.getProducer())
      return;
    SmallVector<MainloopOp> loops;
    kernel.walk([&](MainloopOp loop) { loops.push_back(loop); });
    if (loops.empty()) {
      kernel.emitOpError("has a plan with a producer, but no main loop; run "
                         "--tile-gpu-form-mainloop first");
      return signalPassFailure();
    }
    if (plan.getTeams() > 1 && !suitsTeams(loops)) {
      kernel.emitOpError(
          "has a plan with two teams; expected one loop with dots, which runs "
          "at least once, inside one loop over tiles");
      return signalPassFailure();
    }

    Block *body = kernel.getEntryBlock();
    IRRewriter rewriter(&getContext());
    rewriter.setInsertionPoint(body->getTerminator());
    Operation *last = body->getTerminator()->getPrevNode();
    KernelRings rings = makeRings(rewriter, kernel, plan);
    addMailboxes(rewriter, kernel);
    auto roles = RolesOp::create(rewriter, kernel.getLoc(),
                                 splitRegisters(rewriter, plan, rings));
    rewriter.createBlock(&roles.getProducer());
    writeProducer(rewriter, *body, rings);
    if (scansMemory(roles.getProducer()))
      kernel->setAttr(producerWarpName, rewriter.getUnitAttr());
    Block *consumer = rewriter.createBlock(&roles.getConsumer());
    consumer->getOperations().splice(consumer->end(), body->getOperations(),
                                     body->begin(),
                                     std::next(last->getIterator()));
    writeConsumer(rewriter, *consumer, rings);
    // Those of tiles that are written to shared memory as they were.
    roles.walk([](ConvertLayoutOp convert) {
      if (convert->use_empty())
        convert.erase();
    });
    if (plan.getMulticast() > 1)
      meetAtEnd(rewriter, roles);
  }

private:
  /// Whether a role runs warp-collective scans.
  static bool scansMemory(Region &role) {
    return role.walk([](MatchRangeOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  }

  /// Allocates the mailboxes of cluster reductions before anything else runs:
  /// other blocks may write them at any time.
  static void addMailboxes(OpBuilder &builder, tile::KernelOp kernel) {
    kernel.walk([&](SumPartsOp sum) {
      Value mailbox =
          AllocOp::create(builder, sum.getLoc(), sum.getMailboxType(), nullptr);
      InitMailboxOp::create(builder, sum.getLoc(), mailbox);
      sum.getMailboxMutable().assign(mailbox);
    });
  }

  /// A block must not exit while others still release stages in its shared
  /// memory.
  static void meetAtEnd(OpBuilder &builder, RolesOp roles) {
    builder.setInsertionPointAfter(roles);
    ArriveClusterOp::create(builder, roles.getLoc());
    AwaitClusterOp::create(builder, roles.getLoc());
  }

  /// Whether ping-pong consumers can share the iterations of a loop around the
  /// only main loop, whose tiles all arrive in one ring group.
  static bool suitsTeams(ArrayRef<MainloopOp> loops) {
    if (loops.size() != 1)
      return false;
    MainloopOp loop = loops.front();
    auto outer = dyn_cast<scf::ForOp>(loop->getParentOp());
    return outer && outer.getNumResults() == 0 &&
           isa<tile::KernelOp>(outer->getParentOp()) && loop.runsAlways() &&
           loop.getResidents().empty() && !takesGroupTurns(loop);
  }
};
} // namespace
