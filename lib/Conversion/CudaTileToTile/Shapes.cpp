// Converts ops that create or reshape tiles. Bases and offsets of pointer tiles
// use the same functions as tiles of numbers.
#include "Addresses.h"
#include "PackedViews.h"
#include "Patterns.h"
#include "SmallTypes.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Build = ImplicitLocOpBuilder;

/// Converts a literal tile.
static Value literal(Build &b, DenseElementsAttr value, Type type) {
  if (value.isSplat())
    return constantOf(b, type, convertNumber(value.getSplatValue<TypedAttr>()));
  SmallVector<Attribute> numbers;
  for (Attribute number : value.getValues<Attribute>())
    numbers.push_back(convertNumber(cast<TypedAttr>(number)));
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(cast<RankedTensorType>(type), numbers));
}

static Value iota(IotaOp op, ArrayRef<Value>, Build &b) {
  auto type = cast<RankedTensorType>(convertTile(op.getResult().getType()));
  const int64_t size = type.getDimSize(0);
  auto make = [&](RankedTensorType of) -> Value {
    return tile::IotaOp::create(b, of, sizesAttr(b, {size}));
  };
  // `tile.iota` is limited to signed integers wider than i1.
  if (!type.getElementType().isInteger(1) &&
      llvm::isIntN(type.getElementTypeBitWidth(), size - 1))
    return make(type);
  return arith::TruncIOp::create(b, type, make(type.clone(b.getI32Type())));
}

/// Reshapes a tile, or splats a scalar.
static Value reshape(Build &b, Value value, ArrayRef<int64_t> shape) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor)
    return shape.empty() ? value : splat(b, value, shape);
  if (shape.empty()) {
    Value zero = arith::ConstantIndexOp::create(b, 0);
    return tensor::ExtractOp::create(
        b, value, SmallVector<Value>(tensor.getRank(), zero));
  }
  return tile::ReshapeOp::create(
      b, RankedTensorType::get(shape, tensor.getElementType()), value,
      sizesAttr(b, shape));
}

static Value broadcast(Build &b, Value value, ArrayRef<int64_t> shape) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor || tensor.getShape() == shape)
    return value;
  return tile::BroadcastOp::create(
      b, RankedTensorType::get(shape, tensor.getElementType()), value,
      sizesAttr(b, shape));
}

static Value permute(Build &b, Value value, ArrayRef<int32_t> order) {
  auto tensor = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> axes(order), shape;
  for (int64_t axis : axes)
    shape.push_back(tensor.getDimSize(axis));
  return tile::PermuteOp::create(
      b, RankedTensorType::get(shape, tensor.getElementType()), value,
      b.getDenseI64ArrayAttr(axes));
}

/// Indices of a piece of a tile. A constant outside the tile is undefined
/// behavior, which the tile dialect rejects even in dead code: it becomes 0.
template <typename Ranges>
static SmallVector<Value> indicesOf(Build &b, Ranges &&ranges,
                                    ArrayRef<int64_t> whole,
                                    ArrayRef<int64_t> piece) {
  SmallVector<Value> indices;
  for (auto [range, size, part] : llvm::zip_equal(ranges, whole, piece)) {
    Value index = toIndex(b, ValueRange(range).front());
    const std::optional<int64_t> at = getConstantIntValue(index);
    if (at && uint64_t(*at) >= uint64_t(size / part))
      index = arith::ConstantIndexOp::create(b, 0);
    indices.push_back(index);
  }
  return indices;
}

/// Replaces an op by `change` of its source; for pointers, of the offsets, as
/// the base is shared.
template <typename Op, typename Change>
static void addReshaping(const TileTypes &types, RewritePatternSet &patterns,
                         Change change) {
  addPattern<Op>(types, patterns,
                 [change](Op op, OperandsOf<Op> operands,
                          ConversionPatternRewriter &rewriter) {
                   Build b(op.getLoc(), rewriter);
                   SmallVector<Value> parts(operands.getSource());
                   parts.back() = change(op, operands, parts.back(), b);
                   rewriter.replaceOpWithMultiple(op, {parts});
                   return success();
                 });
}

/// Replaces an op on two tiles. Tiles of pointers with different bases are
/// joined as addresses.
template <typename Op, typename Join>
static LogicalResult join(Op op, ValueRange lhs, ValueRange rhs,
                          ConversionPatternRewriter &rewriter, Join make) {
  Build b(op.getLoc(), rewriter);
  SmallVector<Value> parts(lhs);
  if (lhs.size() == 2 && lhs.front() != rhs.front())
    parts = pointersAt(b, make(b, addressesOf(b, lhs), addressesOf(b, rhs)),
                       cast<tile::PtrType>(lhs[0].getType()).getPointee());
  else
    parts.back() = make(b, lhs.back(), rhs.back());
  rewriter.replaceOpWithMultiple(op, {parts});
  return success();
}

static LogicalResult convertCat(CatOp op, OperandsOf<CatOp> operands,
                                ConversionPatternRewriter &rewriter) {
  return join(op, operands.getLhs(), operands.getRhs(), rewriter,
              [&](Build &b, Value lhs, Value rhs) -> Value {
                auto type =
                    RankedTensorType::get(op.getResult().getType().getShape(),
                                          getElementTypeOrSelf(lhs));
                return tile::CatOp::create(b, type, lhs, rhs, op.getDim());
              });
}

static LogicalResult convertInsert(InsertOp op, OperandsOf<InsertOp> operands,
                                   ConversionPatternRewriter &rewriter) {
  return join(op, operands.getDestination(), operands.getSource(), rewriter,
              [&](Build &b, Value whole, Value part) -> Value {
                return tile::InsertOp::create(
                    b, whole.getType(), part, whole,
                    indicesOf(b, operands.getIndices(),
                              op.getDestination().getType().getShape(),
                              op.getSource().getType().getShape()));
              });
}

static LogicalResult convertSelect(SelectOp op, OperandsOf<SelectOp> operands,
                                   ConversionPatternRewriter &rewriter) {
  return join(op, operands.getValIfTrue(), operands.getValIfFalse(), rewriter,
              [&](Build &b, Value yes, Value no) -> Value {
                return arith::SelectOp::create(b, operands.getCond().front(),
                                               yes, no);
              });
}

/// Packs numbers into bytes.
static Value pack(PackOp op, ArrayRef<Value> in, Build &b) {
  const Type element =
      cast<TileType>(op.getSource().getType()).getElementType();
  if (isHalfByte(element))
    return packHalves(b, in[0], /*axis=*/0);
  if (element.isInteger(1))
    return packFlags(b, in[0]);
  return tile::BytesOp::create(
      b, convertTile(cast<TileType>(op.getResult().getType())), in[0]);
}

/// Unpacks bytes to numbers.
static Value unpack(UnpackOp op, ArrayRef<Value> in, Build &b) {
  const Type element =
      cast<TileType>(op.getResult().getType()).getElementType();
  if (isHalfByte(element))
    return unpackHalves(b, in[0], /*axis=*/0);
  if (element.isInteger(1))
    return unpackFlags(b, in[0]);
  return tile::BytesOp::create(
      b, convertTile(cast<TileType>(op.getResult().getType())), in[0]);
}

void populateShapePatterns(const TileTypes &types,
                           RewritePatternSet &patterns) {
  addValuePattern<ConstantOp>(
      types, patterns, [](ConstantOp op, ArrayRef<Value>, Build &b) {
        return literal(b, op.getValue(),
                       convertTile(cast<TileType>(op.getResult().getType())));
      });
  addValuePattern<IotaOp>(types, patterns, iota);
  addValuePattern<PackOp>(types, patterns, pack);
  addValuePattern<UnpackOp>(types, patterns, unpack);
  addReshaping<ReshapeOp>(
      types, patterns, [](ReshapeOp op, auto &, Value value, Build &b) {
        return reshape(b, value,
                       cast<TileType>(op.getResult().getType()).getShape());
      });
  addReshaping<BroadcastOp>(
      types, patterns, [](BroadcastOp op, auto &, Value value, Build &b) {
        return broadcast(b, value,
                         cast<TileType>(op.getResult().getType()).getShape());
      });
  addReshaping<PermuteOp>(types, patterns,
                          [](PermuteOp op, auto &, Value value, Build &b) {
                            return permute(b, value, op.getPermutation());
                          });
  addReshaping<ExtractOp>(
      types, patterns,
      [](ExtractOp op, OperandsOf<ExtractOp> &operands, Value value,
         Build &b) -> Value {
        ArrayRef<int64_t> shape =
            cast<TileType>(op.getResult().getType()).getShape();
        // The only piece of that size is the tile.
        if (shape.empty() ||
            shape == cast<RankedTensorType>(value.getType()).getShape())
          return value;
        return tile::ExtractOp::create(
            b, RankedTensorType::get(shape, getElementTypeOrSelf(value)), value,
            indicesOf(b, operands.getIndices(),
                      op.getSource().getType().getShape(), shape),
            sizesAttr(b, shape));
      });
  addPattern<CatOp>(types, patterns, convertCat);
  addPattern<InsertOp>(types, patterns, convertInsert);
  addPattern<SelectOp>(types, patterns, convertSelect);
}

} // namespace tilegpt::cuda_tile
