// Lets the blocks of a cluster share out the depth of their products: together
// they make the tiles of all of them, each along its part of the depth, and
// exchange the sums.
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/Analysis/PipeLoops.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SHAREDEPTH
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct ShareDepth : tilegpu::impl::ShareDepthBase<ShareDepth> {
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    PlanAttr plan = PlanAttr::of(kernel);
    if (!plan || !plan.getProducer() || plan.getParts() == 1)
      return;
    std::optional<PipeLoop> pipe = findSharedLoop(kernel);
    if (!pipe) {
      kernel.emitOpError("has a plan with ")
          << plan.getParts()
          << " parts; expected one loop that a producer can feed, from zero "
             "on, with columns of each block's own and nothing else";
      return signalPassFailure();
    }
    SmallVector<int32_t> cluster(3, 1);
    cluster[pipe->getColumnAxis()] = plan.getParts();
    kernel->setAttr(clusterName,
                    DenseI32ArrayAttr::get(&getContext(), cluster));
    share(*pipe, plan.getParts());
  }

private:
  static Value splatZero(OpBuilder &builder, Location loc,
                         RankedTensorType type) {
    return arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
  }

  static void share(PipeLoop pipe, int64_t parts) {
    scf::ForOp loop = pipe.loop;
    Location loc = loop.getLoc();
    OpBuilder builder(loop);
    Arithmetic math(builder, loc);
    Value column = pipe.rhs.getIndices()[0];
    Value part = math.rem(column, parts), group = math.div(column, parts);

    RankedTensorType own = pipe.dot.getAcc().getType();
    auto widen = [&](RankedTensorType type, int64_t axis) {
      SmallVector<int64_t> shape(type.getShape());
      shape[axis] *= parts;
      return RankedTensorType::get(shape, type.getElementType());
    };
    RankedTensorType wide = widen(own, 1);
    int64_t steps = *getConstantIntValue(loop.getUpperBound());
    Value from = arith::ConstantIndexOp::create(builder, loc, 0),
          one = arith::ConstantIndexOp::create(builder, loc, 1),
          to = arith::ConstantIndexOp::create(builder, loc,
                                              llvm::divideCeil(steps, parts));
    auto trips = scf::ForOp::create(builder, loc, from, to, one,
                                    splatZero(builder, loc, wide));
    builder.setInsertionPointToStart(trips.getBody());
    // Parts take steps in turn. Behind the end of the depth there are zeros.
    IRMapping mapping;
    mapping.map(loop.getInductionVar(),
                math.add(math.mul(trips.getInductionVar(), parts), part));
    for (Operation &op : loop.getBody()->without_terminator())
      if (&op != pipe.rhs && &op != pipe.dot)
        builder.clone(op, mapping);
    RankedTensorType columns = widen(pipe.rhs.getType(), 0);
    Value rhs = tile::LoadOp::create(
        builder, loc, columns, pipe.rhs.getView(),
        ValueRange{group, mapping.lookupOrDefault(pipe.rhs.getIndices()[1])},
        /*mask=*/Value(), builder.getI64ArrayAttr(columns.getShape()),
        pipe.rhs.getPad(), /*order=*/DenseI64ArrayAttr());
    mapping.map(pipe.rhs.getResult(), rhs);
    mapping.map(pipe.dot.getAcc(), trips.getRegionIterArg(0));
    Operation *dot = builder.clone(*pipe.dot, mapping);
    dot->getResult(0).setType(wide);
    scf::YieldOp::create(builder, loc, dot->getResults());

    builder.setInsertionPoint(loop);
    Value sum = SumPartsOp::create(builder, loc, own, trips.getResult(0), part,
                                   Value());
    loop.getResult(0).replaceAllUsesWith(sum);
    loop.erase();
  }
};
} // namespace
