// Fuses elementwise ops on tiles, so that intermediate tiles are not
// materialized.
#include "LoadedTile.h"
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;
using namespace tilegpt::cpu;

/// Maximum number of scalar ops recomputed per consumer: cheaper than a store
/// and a load of the element.
static constexpr unsigned cheapOps = 4;

static bool isCheap(Operation &op) {
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp,
          arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
          arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return false;
  return isa<arith::ArithDialect, linalg::LinalgDialect>(op.getDialect());
}

/// Number of scalar ops, without the terminator.
static unsigned countOps(linalg::GenericOp op) {
  return op.getBody()->getOperations().size() - 1;
}

static bool isCheap(linalg::GenericOp op) {
  return countOps(op) <= cheapOps &&
         llvm::all_of(*op.getBody(),
                      [](Operation &nested) { return isCheap(nested); });
}

static int64_t numIterations(linalg::LinalgOp op) {
  int64_t count = 1;
  for (int64_t range : op.getStaticLoopRanges())
    count *= range;
  return count;
}

/// The largest number of scalar ops in a consumer that is fused into: ops that
/// consume each other's results would otherwise grow without bound. Each fusion
/// copies all of them, so a chain would take quadratic time; a temporary tile
/// for every 256 ops costs little.
static constexpr unsigned mostOps = 256;

/// Whether another input reads the same elements. Such inputs are merged first;
/// fused before that, each would duplicate the producer's ops.
static bool isReadTwice(OpOperand *operand, linalg::GenericOp consumer) {
  return llvm::any_of(consumer.getDpsInputOperands(), [&](OpOperand *other) {
    return other != operand && other->get() == operand->get() &&
           consumer.getMatchingIndexingMap(other) ==
               consumer.getMatchingIndexingMap(operand);
  });
}

/// Maximum number of scalar ops recomputed per consumer with those of the cheap
/// producers that are fused in turn.
static constexpr unsigned mostRecomputedOps = 16;

/// Number of scalar ops of `op` and, recursively, of the cheap producers that
/// would follow it into a consumer; counts up to `most + 1`.
static unsigned countFusedOps(linalg::GenericOp op, unsigned most) {
  unsigned count = countOps(op);
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (count > most)
      break;
    auto producer = input->get().getDefiningOp<linalg::GenericOp>();
    if (producer && isCheap(producer))
      count += countFusedOps(producer, most - count);
  }
  return std::min(count, most + 1);
}

static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer)
    return false;
  if (isReadTwice(operand, consumer))
    return false;
  if (isCheap(producer) &&
      countFusedOps(producer, mostRecomputedOps) <= mostRecomputedOps &&
      countOps(consumer) <= mostOps)
    return true;
  return producer->hasOneUse() &&
         countOps(producer) + countOps(consumer) <= mostOps &&
         numIterations(consumer) <= numIterations(producer);
}

/// Whether a tile is computed, or loop-carried, only for this use.
static bool isOwn(Value tile, ArrayRef<Operation *> readers) {
  Operation *maker = tile.getDefiningOp();
  return (!maker || isa<linalg::LinalgOp, scf::ForOp>(maker)) &&
         llvm::all_of(tile.getUsers(), [&](Operation *user) {
           return llvm::is_contained(readers, user);
         });
}

/// The op that extracted a product's accumulator from a tile, through
/// accumulating products; null if there is none.
static tensor::ExtractSliceOp findCut(Value accumulator) {
  while (auto product = accumulator.getDefiningOp<linalg::ContractOp>())
    accumulator = product.getOutputs()[0];
  return accumulator.getDefiningOp<tensor::ExtractSliceOp>();
}

/// The tile that fronts were successively inserted into.
static Value withoutFronts(Value tile) {
  while (auto insert = tile.getDefiningOp<tensor::InsertSliceOp>())
    tile = insert.getDest();
  return tile;
}

/// Gives a product that accumulates into the front of a tile its own copy of
/// the tile if it has other uses: only whole tiles can be copied later.
static void ownAccumulator(linalg::ContractOp op) {
  Value init = op.getOutputs()[0];
  tensor::ExtractSliceOp cut = findCut(init);
  if (!cut || cut.getType().hasStaticShape())
    return;
  Value tile = cut.getSource();
  const bool isFirst = init == cut;
  // Where the result is inserted into the tile again, if it is.
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

/// The store of a value: all of it, or a front extracted for this store; null
/// if it has another use.
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

/// The front of these sizes of an input of an elementwise op that a store
/// receives.
static Value takeFront(OpBuilder &builder, linalg::GenericOp op,
                       OpOperand &input, ArrayRef<OpFoldResult> sizes,
                       bufferization::MaterializeInDestinationOp store) {
  if (!isa<RankedTensorType>(input.get().getType()))
    return input.get();
  SmallVector<OpFoldResult> own;
  for (AffineExpr axis : op.getMatchingIndexingMap(&input).getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(axis);
    own.push_back(loop ? sizes[loop.getPosition()] : builder.getIndexAttr(1));
  }
  if (auto tile = LoadedTile::find(input.get()))
    if (Value window = tile->windowAt(builder, store, own))
      return window;
  return builder.createOrFold<tensor::ExtractSliceOp>(
      op.getLoc(), input.get(),
      SmallVector<OpFoldResult>(own.size(), builder.getIndexAttr(0)), own,
      SmallVector<OpFoldResult>(own.size(), builder.getIndexAttr(1)));
}

/// Makes an elementwise op write directly to the destination of its store, for
/// a partial tile only the in-bounds part, instead of to a temporary tile. Each
/// of two stores, for a full and a partial tile, gets its own op.
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
  llvm::SetVector<Value> inputs(op.getInputs().begin(), op.getInputs().end());
  for (OpOperand *use : uses) {
    bufferization::MaterializeInDestinationOp store = storeOf(*use);
    auto cut = dyn_cast<tensor::ExtractSliceOp>(use->getOwner());
    OpBuilder builder(store);
    const SmallVector<OpFoldResult> sizes =
        cut ? cut.getMixedSizes()
            : getAsIndexOpFoldResult(op.getContext(), type.getShape());
    SmallVector<Value> operands;
    for (OpOperand *input : op.getDpsInputOperands())
      operands.push_back(takeFront(builder, op, *input, sizes, store));
    operands.push_back(tensor::EmptyOp::create(builder, op.getLoc(), sizes,
                                               type.getElementType()));
    Operation *own =
        mlir::clone(builder, op, operands.back().getType(), operands);
    store.getSourceMutable().assign(own->getResult(0));
    if (cut)
      cut.erase();
  }
  op.erase();
  for (Value input : inputs)
    if (auto tile = LoadedTile::find(input))
      tile->eraseIfUnused();
}

namespace {
/// A constant tile that is still a buffer is filled instead of read from a
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
    // One fill per consumer: each can then be placed where it is needed.
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
    // A fusion may allow another one far away: iterate until nothing changes.
    const auto config =
        GreedyRewriteConfig().setMaxIterations(GreedyRewriteConfig::kNoLimit);
    for (RewritePatternSet *patterns : {&toGeneric, &fusion})
      if (failed(applyPatternsGreedily(getOperation(), std::move(*patterns),
                                       config)))
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
