// Joins elementwise ops on tiles, so that intermediate tiles are neither stored
// nor read again.
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;

/// Scalar ops that may be computed once a reader: less than a store and a load
/// of the element would cost.
static constexpr unsigned cheapOps = 4;

static bool isCheap(Operation &op) {
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp,
          arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
          arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return false;
  return isa<arith::ArithDialect, linalg::LinalgDialect>(op.getDialect());
}

static bool isCheap(linalg::GenericOp op) {
  Block *body = op.getBody();
  return body->getOperations().size() <= cheapOps + 1 &&
         llvm::all_of(*body, [](Operation &nested) { return isCheap(nested); });
}

static int64_t numIterations(linalg::LinalgOp op) {
  int64_t count = 1;
  for (int64_t range : op.getStaticLoopRanges())
    count *= range;
  return count;
}

/// Scalar ops of a reader behind which nothing is computed twice any more: ops
/// that read each other would otherwise grow it without end.
static constexpr unsigned mostOps = 256;

/// Whether another input reads the same elements. Such inputs become one by
/// themselves; fused before, each would bring the ops of the producer.
static bool isReadTwice(OpOperand *operand, linalg::GenericOp consumer) {
  return llvm::any_of(consumer.getDpsInputOperands(), [&](OpOperand *other) {
    return other != operand && other->get() == operand->get() &&
           consumer.getMatchingIndexingMap(other) ==
               consumer.getMatchingIndexingMap(operand);
  });
}

static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer)
    return false;
  if (isReadTwice(operand, consumer))
    return false;
  if (isCheap(producer) &&
      consumer.getBody()->getOperations().size() <= mostOps)
    return true;
  return producer->hasOneUse() &&
         numIterations(consumer) <= numIterations(producer);
}

namespace {
/// A constant tile that is still one buffer is filled rather than read from a
/// global.
struct ConstantToFill : OpRewritePattern<arith::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ConstantOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto value = dyn_cast<SplatElementsAttr>(op.getValue());
    if (!type || !value)
      return rewriter.notifyMatchFailure(op, "not one value for all elements");
    Value scalar = arith::ConstantOp::create(
        rewriter, op.getLoc(),
        cast<TypedAttr>(value.getSplatValue<Attribute>()));
    // One fill a reader: each can then be filled where it is needed.
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(use.getOwner());
      Value empty = tensor::EmptyOp::create(
          rewriter, op.getLoc(), type.getShape(), type.getElementType());
      Value fill = linalg::FillOp::create(rewriter, op.getLoc(), scalar, empty)
                       .getResult(0);
      rewriter.modifyOpInPlace(use.getOwner(), [&] { use.set(fill); });
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct FuseElementwise
    : tilegpt::cpu::impl::FuseElementwiseBase<FuseElementwise> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet toGeneric(context);
    linalg::populateElementwiseToLinalgConversionPatterns(toGeneric);
    RewritePatternSet fusion(context);
    linalg::populateElementwiseOpsFusionPatterns(fusion, shouldFuse);
    linalg::populateEraseUnnecessaryInputsPatterns(fusion);
    for (Dialect *dialect : {context->getLoadedDialect("linalg"),
                             context->getLoadedDialect("tensor")})
      dialect->getCanonicalizationPatterns(fusion);
    linalg::GenericOp::getCanonicalizationPatterns(fusion, context);
    RewritePatternSet fills(context);
    fills.add<ConstantToFill>(context);
    for (RewritePatternSet *patterns : {&toGeneric, &fusion, &fills})
      if (failed(applyPatternsGreedily(getOperation(), std::move(*patterns))))
        return signalPassFailure();
  }
};
} // namespace
