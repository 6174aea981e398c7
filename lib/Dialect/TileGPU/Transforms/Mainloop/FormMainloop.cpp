// Outlines main loops: what the producer needs of a loop in one region, the
// computation on its tiles in another.
#include "MoveAhead.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_FORMMAINLOOP
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Dots of f8 tiles truncate their accumulator, so they add to zeros, and the
/// sum is computed in f32 after them.
static void addBehindF8Dots(scf::ForOp loop) {
  for (auto dot : llvm::to_vector(loop.getBody()->getOps<tile::DotOp>())) {
    if (!tile::isF8(dot.getLhs().getType().getElementType()) ||
        isZeroTile(dot.getAcc()))
      continue;
    OpBuilder builder(dot);
    Location loc = dot.getLoc();
    Value acc = dot.getAcc();
    RankedTensorType type = dot.getAcc().getType();
    dot.getAccMutable().assign(arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(type))));
    builder.setInsertionPointAfter(dot);
    auto sum = arith::AddFOp::create(builder, loc, acc, dot.getResult());
    dot.getResult().replaceAllUsesExcept(sum, sum);
  }
}

static void form(const Mainloop &match) {
  scf::ForOp loop = match.loop;
  addBehindF8Dots(loop);
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  auto mainloop =
      MainloopOp::create(builder, loc, loop.getResultTypes(),
                         loop.getLowerBound(), loop.getUpperBound(),
                         loop.getStep(), match.residents, loop.getInitArgs());
  Type index = builder.getIndexType();

  Block *produce = builder.createBlock(&mainloop.getProduce());
  IRMapping known;
  known.map(loop.getInductionVar(), produce->addArgument(index, loc));
  SmallVector<Value> streams;
  for (const StreamLoad &stream : match.streams)
    streams.push_back(
        formAhead(builder, loop, tile::LoadOp(stream.load).getResult(), known));
  YieldOp::create(builder, loc, streams);

  Block *consume = builder.createBlock(&mainloop.getConsume());
  IRMapping inside;
  auto add = [&](Value value) {
    inside.map(value, consume->addArgument(value.getType(), value.getLoc()));
  };
  add(loop.getInductionVar());
  for (const StreamLoad &stream : match.streams)
    add(tile::LoadOp(stream.load).getResult());
  for (Value resident : match.residents)
    add(resident);
  for (Value carried : loop.getRegionIterArgs())
    add(carried);
  for (Operation &op : loop.getBody()->without_terminator())
    if (llvm::none_of(match.streams, [&](const StreamLoad &stream) {
          return stream.load == &op;
        }))
      builder.clone(op, inside);
  SmallVector<Value> yields;
  for (Value yielded : loop.getYieldedValues())
    yields.push_back(inside.lookupOrDefault(yielded));
  YieldOp::create(builder, loc, yields);
  loop.replaceAllUsesWith(mainloop.getResults());
  loop.erase();
}

namespace {
struct FormMainloop : tilegpu::impl::FormMainloopBase<FormMainloop> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    PlanAttr plan = PlanAttr::of(kernel);
    if (!plan || !plan.getProducer())
      return;
    Refusal refusal;
    SmallVector<Mainloop> found = analyzeMainloops(kernel, &refusal);
    if (found.empty()) {
      InFlightDiagnostic error =
          kernel.emitOpError("has a plan with a producer, but no main loop: ")
          << refusal.reason;
      if (refusal.op != kernel)
        error.attachNote(refusal.op->getLoc()) << "here";
      return signalPassFailure();
    }
    for (const Mainloop &match : found) {
      form(match);
      ++numLoops;
    }
  }
};
} // namespace
