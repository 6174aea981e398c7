// Converts tiles of pointers and accesses through them. A tile of pointers is a
// base and a tile of element offsets from it.
#include "Addresses.h"
#include "MemoryOrders.h"
#include "Patterns.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Build = ImplicitLocOpBuilder;

static LogicalResult convertOffset(OffsetOp op, OperandsOf<OffsetOp> operands,
                                   ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  ValueRange pointer = operands.getPtr();
  Value step = operands.getOffset().front();
  const Type wide = pointer[1].getType();
  if (step.getType() != wide)
    step = arith::ExtSIOp::create(b, wide, step);
  Value distance = arith::AddIOp::create(b, pointer[1], step);
  rewriter.replaceOpWithMultiple(op,
                                 {SmallVector<Value>{pointer[0], distance}});
  return success();
}

/// The named padding equal to a tile, which may be broadcast; nullopt if there
/// is none.
static std::optional<tile::PadKind> nameOfPadding(Value padding) {
  if (!padding)
    return tile::PadKind::Zero;
  while (isa_and_nonnull<ReshapeOp, BroadcastOp>(padding.getDefiningOp()))
    padding = padding.getDefiningOp()->getOperand(0);
  Attribute constant;
  if (!matchPattern(padding, m_Constant(&constant)))
    return std::nullopt;
  if (auto tile = dyn_cast<DenseElementsAttr>(constant)) {
    if (!tile.isSplat())
      return std::nullopt;
    constant = tile.getSplatValue<Attribute>();
  }
  if (auto integer = dyn_cast<IntegerAttr>(constant)) {
    if (integer.getValue().isZero())
      return tile::PadKind::Zero;
    if (integer.getValue().isAllOnes() && !integer.getType().isInteger(1))
      return tile::PadKind::MinusOne;
    return std::nullopt;
  }
  const APFloat value = cast<FloatAttr>(constant).getValue();
  if (value.isZero())
    return value.isNegative() ? tile::PadKind::NegZero : tile::PadKind::Zero;
  if (value.isInfinity())
    return value.isNegative() ? tile::PadKind::NegInf : tile::PadKind::PosInf;
  return std::nullopt;
}

static LogicalResult convertLoadAt(LoadPtrTkoOp op,
                                   OperandsOf<LoadPtrTkoOp> operands,
                                   ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  ValueRange pointer = operands.getSource();
  ValueRange padRange = operands.getPaddingValue();
  Value padding = padRange.empty() ? Value() : padRange.front();
  const std::optional<tile::PadKind> pad = nameOfPadding(op.getPaddingValue());
  Value mask = maskOf(b, operands.getMask());
  Value offsets = asTile(b, pointer[1]);
  Type element = cast<tile::PtrType>(pointer[0].getType()).getPointee();
  Value loaded = tile::LoadAtOp::create(
      b, RankedTensorType::get(shapeOf(offsets.getType()), element), pointer[0],
      offsets, mask, pad.value_or(tile::PadKind::Zero),
      convertOrder(op.getMemoryOrderingSemantics()),
      convertScope(op.getMemoryScope()));
  Value result = fromTile(b, loaded);
  if (mask && !pad)
    result =
        arith::SelectOp::create(b, operands.getMask().front(), result, padding);
  rewriter.replaceOpWithMultiple(op, {SmallVector<Value>{result}, {}});
  return success();
}

static LogicalResult convertStoreAt(StorePtrTkoOp op,
                                    OperandsOf<StorePtrTkoOp> operands,
                                    ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  ValueRange pointer = operands.getDestination();
  tile::StoreAtOp::create(b, asTile(b, operands.getValue().front()), pointer[0],
                          asTile(b, pointer[1]), maskOf(b, operands.getMask()),
                          convertOrder(op.getMemoryOrderingSemantics()),
                          convertScope(op.getMemoryScope()));
  rewriter.replaceOpWithMultiple(op, {SmallVector<Value>{}});
  return success();
}

static Type convertedPointee(Type pointers) {
  auto tile = cast<TileType>(pointers);
  return convertElement(
      cast<PointerType>(tile.getElementType()).getPointeeType());
}

static LogicalResult convertToAddress(PtrToIntOp op,
                                      OperandsOf<PtrToIntOp> operands,
                                      ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  rewriter.replaceOp(op, addressesOf(b, operands.getSource()));
  return success();
}

static LogicalResult convertFromAddress(IntToPtrOp op,
                                        OperandsOf<IntToPtrOp> operands,
                                        ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  rewriter.replaceOpWithMultiple(
      op, {SmallVector<Value>(
              pointersAt(b, operands.getSource().front(),
                         convertedPointee(op.getResult().getType())))});
  return success();
}

static LogicalResult convertPointee(PtrToPtrOp op,
                                    OperandsOf<PtrToPtrOp> operands,
                                    ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  SmallVector<Value> pointers(operands.getSource());
  const Type to = convertedPointee(op.getResult().getType());
  if (convertedPointee(op.getSource().getType()) != to)
    pointers = pointersAt(b, addressesOf(b, pointers), to);
  rewriter.replaceOpWithMultiple(op, {pointers});
  return success();
}

/// Converts an alloca to scratch memory of the block, of one element at least,
/// offset if it needs more alignment than that has.
static LogicalResult convertAlloca(AllocaOp op, OperandsOf<AllocaOp>,
                                   ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  constexpr int64_t least = 16; // of tile.scratch
  const Type pointee = convertedPointee(op.getResult().getType());
  const int64_t alignment = op.getAlignment();
  const int64_t extra =
      alignment > least ? (alignment - least) / memoryBytes(pointee) : 0;
  const int64_t count = std::max<int64_t>(op.getNumElem(), 1);
  Value base = tile::ScratchOp::create(
      b, tile::PtrType::get(b.getContext(), pointee), uint64_t(count + extra));
  if (extra > 0) {
    auto number = [&](int64_t value) {
      return integerOf(b, b.getI64Type(), value);
    };
    Value address = arith::AddIOp::create(b, tile::PtrToIntOp::create(b, base),
                                          number(alignment - 1));
    base = tile::IntToPtrOp::create(
        b, base.getType(),
        arith::AndIOp::create(b, address, number(-alignment)));
  }
  Value distance = arith::ConstantIntOp::create(b, 0, /*width=*/64);
  rewriter.replaceOpWithMultiple(op, {SmallVector<Value>{base, distance}});
  return success();
}

void populatePointerPatterns(const TileTypes &types,
                             RewritePatternSet &patterns) {
  addPattern<OffsetOp>(types, patterns, convertOffset);
  addPattern<LoadPtrTkoOp>(types, patterns, convertLoadAt);
  addPattern<StorePtrTkoOp>(types, patterns, convertStoreAt);
  addPattern<AllocaOp>(types, patterns, convertAlloca);
  addPattern<PtrToIntOp>(types, patterns, convertToAddress);
  addPattern<IntToPtrOp>(types, patterns, convertFromAddress);
  addPattern<PtrToPtrOp>(types, patterns, convertPointee);
}

} // namespace tilegpt::cuda_tile
