// Converts atomic updates through pointers and views.
#include "MemoryOrders.h"
#include "Patterns.h"
#include "ViewAccess.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Build = ImplicitLocOpBuilder;

static LogicalResult convertUpdate(AtomicRMWTkoOp op,
                                   OperandsOf<AtomicRMWTkoOp> operands,
                                   ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  ValueRange pointer = operands.getPointers();
  Value old = tile::AtomicRMWOp::create(
      b, convertMode(op.getMode()), pointer[0], asTile(b, pointer[1]),
      asTile(b, operands.getArg().front()), maskOf(b, operands.getMask()),
      convertOrder(op.getMemoryOrderingSemantics()),
      convertScope(op.getMemoryScope()));
  rewriter.replaceOpWithMultiple(op,
                                 {SmallVector<Value>{fromTile(b, old)}, {}});
  return success();
}

static LogicalResult convertSwap(AtomicCASTkoOp op,
                                 OperandsOf<AtomicCASTkoOp> operands,
                                 ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  ValueRange pointer = operands.getPointers();
  Value expected = operands.getCmp().front();
  Value was = tile::AtomicCASOp::create(
      b, pointer[0], asTile(b, pointer[1]), asTile(b, expected),
      asTile(b, operands.getVal().front()), maskOf(b, operands.getMask()),
      convertOrder(op.getMemoryOrderingSemantics()),
      convertScope(op.getMemoryScope()));
  was = fromTile(b, was);
  // Where the mask is false, `tile` returns 0, but `cuda_tile` the expected
  // value.
  if (!operands.getMask().empty())
    was = arith::SelectOp::create(b, operands.getMask().front(), was, expected);
  rewriter.replaceOpWithMultiple(op, {SmallVector<Value>{was}, {}});
  return success();
}

static LogicalResult convertViewUpdate(AtomicRedViewTkoOp op,
                                       OperandsOf<AtomicRedViewTkoOp> operands,
                                       ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  SmallVector<Value> indices;
  for (ValueRange index : operands.getIndex())
    indices.push_back(index.front());
  Place place = findPlace(b, cast<TileView>(op.getView().getType()),
                          operands.getView().front(), indices);
  Distances distances = findDistances(b, place);
  tile::AtomicRMWOp::create(
      b, convertMode(op.getMode()), distances.base, distances.offsets,
      toView(b, place, operands.getValue().front()), distances.mask,
      convertOrder(op.getMemoryOrderingSemantics()),
      convertScope(op.getMemoryScope()));
  rewriter.replaceOpWithMultiple(op, {SmallVector<Value>{}});
  return success();
}

void populateAtomicPatterns(const TileTypes &types,
                            RewritePatternSet &patterns) {
  addPattern<AtomicRMWTkoOp>(types, patterns, convertUpdate);
  addPattern<AtomicCASTkoOp>(types, patterns, convertSwap);
  addPattern<AtomicRedViewTkoOp>(types, patterns, convertViewUpdate);
}

} // namespace tilegpt::cuda_tile
