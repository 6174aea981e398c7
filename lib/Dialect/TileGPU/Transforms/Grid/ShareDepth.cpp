// Splits the depth of products across the blocks of a cluster: each block
// computes a partial product of the tiles of all of them, along its part of the
// depth, and the blocks exchange the partial sums.
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SharedDepth.h"
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
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    PlanAttr plan = PlanAttr::of(kernel);
    if (!plan || !plan.getProducer() || plan.getParts() == 1)
      return;
    SmallVector<MainloopOp> loops;
    kernel.walk([&](MainloopOp loop) { loops.push_back(loop); });
    std::optional<SharedDepth> product;
    if (loops.size() == 1)
      product = findSharedDepth(loops.front());
    if (!product) {
      kernel.emitOpError("has a plan with ")
          << plan.getParts()
          << " parts; expected one loop that a producer can feed, from zero "
             "on, with columns of each block's own and nothing else";
      return signalPassFailure();
    }
    SmallVector<int32_t> cluster(3, 1);
    cluster[product->columnAxis] = plan.getParts();
    kernel->setAttr(clusterName,
                    DenseI32ArrayAttr::get(&getContext(), cluster));
    share(loops.front(), *product, plan.getParts());
  }

private:
  static Value splatZero(OpBuilder &builder, Location loc,
                         RankedTensorType type) {
    return arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
  }

  static RankedTensorType widen(RankedTensorType type, int64_t axis,
                                int64_t parts) {
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] *= parts;
    return RankedTensorType::get(shape, type.getElementType());
  }

  static void share(MainloopOp loop, SharedDepth product, int64_t parts) {
    Location loc = loop.getLoc();
    OpBuilder builder(loop);
    Arithmetic math(builder, loc);
    Value column = product.rhs.getIndices()[0];
    Value part = math.rem(column, parts), group = math.div(column, parts);
    loop.getUpperBoundMutable().assign(arith::ConstantIndexOp::create(
        builder, loc, llvm::divideCeil(product.steps, parts)));
    RankedTensorType own = product.dot.getAcc().getType(),
                     wide = widen(own, 1, parts);
    loop.getInitArgsMutable().assign(splatZero(builder, loc, wide));

    // Blocks take steps in turn. Steps past the end of the depth read zeros.
    SmallVector<Value> numbers = *loop.getLoopInductionVars();
    for (Value step : numbers) {
      builder.setInsertionPointToStart(step.getParentBlock());
      Value multiple = math.mul(step, parts);
      step.replaceAllUsesExcept(math.add(multiple, part),
                                multiple.getDefiningOp());
    }
    RankedTensorType columns = widen(product.rhs.getType(), 0, parts);
    product.rhs.getIndicesMutable()[0].set(group);
    product.rhs.setSizesAttr(builder.getI64ArrayAttr(columns.getShape()));
    product.rhs.getResult().setType(columns);

    loop.getRegionIterArgs().front().setType(wide);
    for (auto [argument, stream] :
         llvm::zip_equal(loop.getStreamArgs(), loop.getStreams()))
      argument.setType(stream.getType());
    product.dot.getResult().setType(wide);
    loop.getResult(0).setType(wide);
    builder.setInsertionPointAfter(loop);
    auto sum =
        SumPartsOp::create(builder, loc, own, loop.getResult(0), part, Value());
    loop.getResult(0).replaceAllUsesExcept(sum, sum);
  }
};
} // namespace
