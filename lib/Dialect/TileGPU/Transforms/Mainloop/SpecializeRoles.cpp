// Splits the threads of a kernel into a producer, which fills rings of buffers
// through TMA, and consumers, which multiply what it brings.
#include "Mainloop/FedRoles.h"
#include "Mainloop/Roles.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SPECIALIZEROLES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Makes the ring of an operand and the descriptor of the view it comes from.
static Pipe::Operand makeOperand(OpBuilder &builder, tile::LoadOp load,
                                 int64_t stages, int64_t swizzle) {
  RankedTensorType tile = load.getType();
  Type element = tile.getElementType();
  SmallVector<Value> selected;
  BlockArgument root = rootOf(load.getView(), selected);
  SmallVector<int64_t> box(selected.size(), 1);
  box.push_back(tile.getDimSize(0));
  box.push_back(swizzle * 8 / element.getIntOrFloatBitWidth());
  auto map = TensorMapType::get(builder.getContext(), box, element, swizzle);
  auto ring = SharedType::get(builder.getContext(),
                              {stages, tile.getDimSize(0), tile.getDimSize(1)},
                              element, swizzle, /*padding=*/0);
  return {load, TensorMapOp::create(builder, load.getLoc(), map, root),
          AllocOp::create(builder, load.getLoc(), ring, nullptr)};
}

static Pipe makePipe(OpBuilder &builder, PipeLoop match, PlanAttr plan) {
  Location loc = match.loop.getLoc();
  int64_t stages = plan.getStages(), swizzle = match.getSwizzle();
  Pipe pipe{match,
            {},
            makeOperand(builder, match.lhs, stages, swizzle),
            makeOperand(builder, match.rhs, stages, swizzle),
            {}};
  if (int64_t teams = plan.getTeams(); teams > 1) {
    auto words = SharedType::get(builder.getContext(), {teams},
                                 builder.getI64Type(), /*swizzle=*/0,
                                 /*padding=*/0);
    pipe.turns = AllocOp::create(builder, loc, words, nullptr);
    InitTurnsOp::create(builder, loc, pipe.turns);
  }
  auto words = SharedType::get(builder.getContext(), {2 * stages},
                               builder.getI64Type(), /*swizzle=*/0,
                               /*padding=*/0);
  pipe.barriers =
      PipeOp::create(builder, loc, PipeType::get(builder.getContext(), stages),
                     AllocOp::create(builder, loc, words, nullptr),
                     builder.getI64IntegerAttr(plan.getWarps()));
  return pipe;
}

/// Registers of a thread of the producer and of a consumer. What the launch
/// gives every thread is what ptxas checks a wgmma against; more can only come
/// from the producer, which needs few. Null where one consumer has all that an
/// instruction can name anyway.
static DenseI64ArrayAttr splitRegisters(OpBuilder &builder, PlanAttr plan) {
  constexpr int64_t total = 65536, step = 8, producer = 24, most = 240;
  int64_t consumers = plan.getConsumerThreads() / PlanAttr::producerThreads;
  if (consumers < 2)
    return {};
  int64_t atEntry = total / plan.getThreads() / step * step;
  int64_t left = atEntry * (1 + consumers) - producer;
  return builder.getDenseI64ArrayAttr(
      {producer, std::min(most, left / consumers / step * step)});
}

namespace {
struct SpecializeRoles : tilegpu::impl::SpecializeRolesBase<SpecializeRoles> {
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    auto plan = kernel->getAttrOfType<PlanAttr>(PlanAttr::attrName);
    if (!plan || !plan.getProducer())
      return;
    SmallVector<PipeLoop> matches;
    std::string reason = "it has no loop with a dot";
    bool hasPairs = false;
    kernel.walk([&](scf::ForOp loop) {
      auto dots = loop.getBody()->getOps<tile::DotOp>();
      if (dots.empty())
        return;
      hasPairs |= std::next(dots.begin()) != dots.end();
      if (std::optional<PipeLoop> match = matchPipeLoop(loop, &reason))
        matches.push_back(*match);
    });
    if (matches.empty() && hasPairs)
      if (std::optional<FedLoop> match = findFedLoop(kernel, &reason))
        return specializeFed(*match, plan);
    if (matches.empty()) {
      kernel.emitOpError("has a plan with a producer, but nothing for it to "
                         "load: ")
          << reason;
      return signalPassFailure();
    }

    if (plan.getTeams() > 1 && !suitsTeams(matches)) {
      kernel.emitOpError("has a plan with two teams; expected one loop for "
                         "them to multiply in, which runs at least once, "
                         "inside of one loop over tiles");
      return signalPassFailure();
    }

    Block *body = kernel.getEntryBlock();
    IRRewriter rewriter(&getContext());
    rewriter.setInsertionPoint(body->getTerminator());
    Operation *last = body->getTerminator()->getPrevNode();
    auto pipes = llvm::map_to_vector(matches, [&](PipeLoop match) {
      return makePipe(rewriter, match, plan);
    });
    addMailboxes(rewriter, kernel);
    auto roles = RolesOp::create(rewriter, kernel.getLoc(),
                                 splitRegisters(rewriter, plan));
    rewriter.createBlock(&roles.getProducer());
    writeProducer(rewriter, *body, pipes);
    Block *consumer = rewriter.createBlock(&roles.getConsumer());
    consumer->getOperations().splice(consumer->end(), body->getOperations(),
                                     body->begin(),
                                     std::next(last->getIterator()));
    writeConsumer(rewriter, *consumer, pipes);
  }

private:
  /// The same for a kernel with a fed loop.
  void specializeFed(FedLoop match, PlanAttr plan) {
    tile::KernelOp kernel = getOperation();
    Block *body = kernel.getEntryBlock();
    IRRewriter rewriter(&getContext());
    rewriter.setInsertionPoint(body->getTerminator());
    Operation *last = body->getTerminator()->getPrevNode();
    FedPipes pipes = makeFedPipes(rewriter, match, plan);
    auto roles = RolesOp::create(rewriter, kernel.getLoc(),
                                 splitRegisters(rewriter, plan));
    rewriter.createBlock(&roles.getProducer());
    writeFedProducer(rewriter, *body, pipes);
    Block *consumer = rewriter.createBlock(&roles.getConsumer());
    consumer->getOperations().splice(consumer->end(), body->getOperations(),
                                     body->begin(),
                                     std::next(last->getIterator()));
    writeFedConsumer(rewriter, *consumer, pipes);
  }

  /// Makes room for what other blocks of the cluster send: before anybody
  /// computes, as nobody knows when it arrives.
  static void addMailboxes(OpBuilder &builder, tile::KernelOp kernel) {
    kernel.walk([&](SumPartsOp sum) {
      Value mailbox =
          AllocOp::create(builder, sum.getLoc(), sum.getMailboxType(), nullptr);
      InitMailboxOp::create(builder, sum.getLoc(), mailbox);
      sum.getMailboxMutable().assign(mailbox);
    });
  }

  /// Whether teams can share out the trips of a loop around the only pipe.
  static bool suitsTeams(ArrayRef<PipeLoop> matches) {
    if (matches.size() != 1)
      return false;
    PipeLoop match = matches.front();
    auto outer = dyn_cast<scf::ForOp>(match.loop->getParentOp());
    return outer && outer.getNumResults() == 0 &&
           isa<tile::KernelOp>(outer->getParentOp()) && match.runsAlways();
  }
};
} // namespace
