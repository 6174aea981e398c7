// Joins elementwise ops on tiles, so that intermediate tiles are neither stored
// nor read again.
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
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

/// Whether a tile is made anew, or carried by a loop, for what reads it alone.
static bool isOwn(Value tile, ArrayRef<Operation *> readers) {
  Operation *maker = tile.getDefiningOp();
  return (!maker || isa<linalg::LinalgOp, scf::ForOp>(maker)) &&
         llvm::all_of(tile.getUsers(), [&](Operation *user) {
           return llvm::is_contained(readers, user);
         });
}

/// The op that cut the accumulator of a product from a tile, through products
/// that are added to each other; null where there is none.
static tensor::ExtractSliceOp findCut(Value accumulator) {
  while (auto product = accumulator.getDefiningOp<linalg::ContractOp>())
    accumulator = product.getOutputs()[0];
  return accumulator.getDefiningOp<tensor::ExtractSliceOp>();
}

/// The tile that fronts were put into one after the other.
static Value withoutFronts(Value tile) {
  while (auto insert = tile.getDefiningOp<tensor::InsertSliceOp>())
    tile = insert.getDest();
  return tile;
}

/// Gives a product that is added to the front of a tile a tile of its own, if
/// others have it too: only whole tiles can be copied aside later.
static void ownAccumulator(linalg::ContractOp op) {
  Value init = op.getOutputs()[0];
  tensor::ExtractSliceOp cut = findCut(init);
  if (!cut || cut.getType().hasStaticShape())
    return;
  Value tile = cut.getSource();
  const bool isFirst = init == cut;
  // Where the sums become part of the tile again, if they do.
  tensor::InsertSliceOp whole;
  for (Operation *user : op.getResult(0).getUsers())
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(user);
        insert && insert.getSource() == op.getResult(0) &&
        withoutFronts(insert.getDest()) == withoutFronts(tile))
      whole = insert;
  if (init.hasOneUse() &&
      (!isFirst || isOwn(tile, {cut.getOperation(), whole.getOperation()})))
    return;

  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> offsets = cut.getMixedOffsets(),
                            sizes = cut.getMixedSizes(),
                            strides = cut.getMixedStrides();
  auto type = cast<RankedTensorType>(tile.getType());
  Value own;
  if (SplatElementsAttr splat;
      isFirst && matchPattern(tile, m_Constant(&splat))) {
    Value scalar = arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(splat.getSplatValue<Attribute>()));
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                          type.getElementType());
    own = linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
  } else {
    if (!isFirst)
      tile = tensor::InsertSliceOp::create(builder, loc, init, tile, offsets,
                                           sizes, strides);
    own = bufferization::AllocTensorOp::create(
        builder, loc, type, /*dynamicSizes=*/ValueRange(), /*copy=*/tile);
  }
  auto front = tensor::ExtractSliceOp::create(builder, loc, own, offsets, sizes,
                                              strides);
  op.getOutputsMutable()[0].set(front);
  if (whole)
    whole.getDestMutable().assign(own);
}

/// What stores the value of a use: all of it, or a front of it that is cut out
/// for this store; null where it is used otherwise.
static bufferization::MaterializeInDestinationOp storeOf(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto cut = dyn_cast<tensor::ExtractSliceOp>(user)) {
    const auto are = [](ArrayRef<OpFoldResult> all, int64_t value) {
      return llvm::all_of(all, [&](OpFoldResult each) {
        return getConstantIntValue(each) == value;
      });
    };
    if (!cut->hasOneUse() || !are(cut.getMixedOffsets(), 0) ||
        !are(cut.getMixedStrides(), 1) ||
        cut.getType().getRank() != cut.getSourceType().getRank())
      return {};
    return storeOf(*cut->use_begin());
  }
  auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(user);
  return store && store.getSourceMutable() == use ? store : nullptr;
}

/// The front of these sizes of an input of an elementwise op.
static Value takeFront(OpBuilder &builder, linalg::GenericOp op,
                       OpOperand &input, ArrayRef<OpFoldResult> sizes) {
  if (!isa<RankedTensorType>(input.get().getType()))
    return input.get();
  SmallVector<OpFoldResult> own;
  for (AffineExpr axis : op.getMatchingIndexingMap(&input).getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(axis);
    own.push_back(loop ? sizes[loop.getPosition()] : builder.getIndexAttr(1));
  }
  return builder.createOrFold<tensor::ExtractSliceOp>(
      op.getLoc(), input.get(),
      SmallVector<OpFoldResult>(own.size(), builder.getIndexAttr(0)), own,
      SmallVector<OpFoldResult>(own.size(), builder.getIndexAttr(1)));
}

/// Has an elementwise op write to where its result is stored, of a tile at the
/// edge only what is inside, rather than to a tile that is copied there. Of two
/// stores, for a whole tile and for one at the edge, each has an op of its own.
static void computeWhereStored(linalg::GenericOp op) {
  constexpr unsigned mostStoredOps = 16;
  if (op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getOutputs().front().getDefiningOp<tensor::EmptyOp>() ||
      op.getBody()->getOperations().size() > mostStoredOps ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      !llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
        return op.getMatchingIndexingMap(input).isProjectedPermutation(
            /*allowZeroInResults=*/true);
      }))
    return;
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : op->getUses()) {
    if (!storeOf(use))
      return;
    uses.push_back(&use);
  }
  const bool isStoredInPlace =
      uses.size() == 1 && storeOf(*uses.front()) == uses.front()->getOwner();
  if (uses.empty() || isStoredInPlace)
    return;
  for (OpOperand *use : uses) {
    bufferization::MaterializeInDestinationOp store = storeOf(*use);
    auto cut = dyn_cast<tensor::ExtractSliceOp>(use->getOwner());
    OpBuilder builder(store);
    const SmallVector<OpFoldResult> sizes =
        cut ? cut.getMixedSizes()
            : getAsIndexOpFoldResult(op.getContext(), type.getShape());
    SmallVector<Value> operands;
    for (OpOperand *input : op.getDpsInputOperands())
      operands.push_back(takeFront(builder, op, *input, sizes));
    operands.push_back(tensor::EmptyOp::create(builder, op.getLoc(), sizes,
                                               type.getElementType()));
    Operation *own =
        mlir::clone(builder, op, operands.back().getType(), operands);
    store.getSourceMutable().assign(own->getResult(0));
    if (cut)
      cut.erase();
  }
  op.erase();
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
    for (RewritePatternSet *patterns : {&toGeneric, &fusion})
      if (failed(applyPatternsGreedily(getOperation(), std::move(*patterns))))
        return signalPassFailure();
    getOperation().walk(ownAccumulator);
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    llvm::for_each(ops, computeWhereStored);
    if (failed(applyPatternsGreedily(getOperation(), std::move(fills))))
      signalPassFailure();
  }
};
} // namespace
