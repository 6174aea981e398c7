// Type conversion from CUDA Tile IR.
#include "TileTypes.h"
#include "PackedViews.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

Type convertElement(Type element) {
  if (isa<FloatTF32Type>(element))
    return Float32Type::get(element.getContext());
  // Represented by their bits (SmallTypes.h).
  if (element.isInteger(4) ||
      isa<Float8E8M0FNUType, Float8E5M3FNUType, Float4E2M1FNType>(element))
    return IntegerType::get(element.getContext(), 8);
  return isa<IntegerType, FloatType>(element) ? element : Type();
}

TypedAttr convertNumber(TypedAttr number) {
  auto real = dyn_cast<FloatAttr>(number);
  Type element = convertElement(number.getType());
  if (!real || real.getType() == element)
    return number;
  if (isa<IntegerType>(element))
    return IntegerAttr::get(element,
                            real.getValue().bitcastToAPInt().zextOrTrunc(8));
  // tf32 numbers are a subset of f32.
  APFloat same = real.getValue();
  bool losesInfo;
  same.convert(cast<FloatType>(element).getFloatSemantics(),
               APFloat::rmNearestTiesToEven, &losesInfo);
  return FloatAttr::get(element, same);
}

DenseElementsAttr convertElements(DenseElementsAttr elements) {
  Type from = elements.getElementType(), element = convertElement(from);
  if (from == element)
    return elements;
  SmallVector<Attribute> numbers;
  for (Attribute number : elements.getValues<Attribute>())
    numbers.push_back(convertNumber(cast<TypedAttr>(number)));
  if (isHalfByte(from)) {
    const size_t bytes = numbers.size() / 2;
    for (size_t i = 0; i < bytes; ++i) {
      auto bits = [&](size_t at) {
        return cast<IntegerAttr>(numbers[at]).getValue();
      };
      numbers[i] =
          IntegerAttr::get(element, bits(2 * i) | bits(2 * i + 1).shl(4));
    }
    numbers.resize(bytes);
  }
  return DenseElementsAttr::get(
      RankedTensorType::get({int64_t(numbers.size())}, element), numbers);
}

Type convertTile(TileType tile) {
  Type element = convertElement(tile.getElementType());
  if (!element || tile.getRank() == 0)
    return element;
  return RankedTensorType::get(tile.getShape(), element);
}

tile::ViewType convertView(TensorViewType tensor) {
  if (isHalfByte(tensor.getElementType())) {
    std::optional<PackedTensor> packed = packTensor(tensor);
    return packed ? convertView(packed->bytes) : tile::ViewType();
  }
  Type element = convertElement(tensor.getElementType());
  if (!element)
    return {};
  MLIRContext *context = tensor.getContext();
  if (tensor.getShape().empty())
    return tile::ViewType::get(context, {1}, element, {});
  auto dense = tile::ViewType::get(context, tensor.getShape(), element, {});
  const bool isDense =
      llvm::none_of(tensor.getStrides(), ShapedType::isDynamic) &&
      ArrayRef<int64_t>(dense.getKnownStrides()) == tensor.getStrides();
  return isDense ? dense
                 : tile::ViewType::get(context, tensor.getShape(), element,
                                       tensor.getStrides());
}

/// A pointer, and an offset from it for each element of the tile.
static LogicalResult convertPointers(TileType tile,
                                     SmallVectorImpl<Type> &types) {
  Type pointee =
      convertElement(cast<PointerType>(tile.getElementType()).getPointeeType());
  if (!pointee)
    return failure();
  types.push_back(tile::PtrType::get(tile.getContext(), pointee));
  Type distance = IntegerType::get(tile.getContext(), 64);
  types.push_back(tile.getRank() == 0
                      ? distance
                      : RankedTensorType::get(tile.getShape(), distance));
  return success();
}

TileTypes::TileTypes() {
  addConversion([](Type type) { return type; });
  addConversion(
      [](TileType tile,
         SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        if (isa<PointerType>(tile.getElementType()))
          return convertPointers(tile, types);
        Type type = convertTile(tile);
        if (!type)
          return failure();
        types.push_back(type);
        return success();
      });
  addConversion(
      [](TokenType, SmallVectorImpl<Type> &) -> std::optional<LogicalResult> {
        return success();
      });
  addConversion(
      [](TensorViewType tensor) -> Type { return convertView(tensor); });
  addConversion([](TileView view) -> std::optional<Type> {
    return convertView(view.getTensor());
  });
}

ArrayRef<int64_t> shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

Type withElement(Type type, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(tensor.clone(element)) : element;
}

ArrayAttr sizesAttr(Builder &builder, ArrayRef<int64_t> sizes) {
  return builder.getI64ArrayAttr(sizes);
}

Value constantOf(ImplicitLocOpBuilder &builder, Type type, TypedAttr element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return arith::ConstantOp::create(builder,
                                     SplatElementsAttr::get(tensor, element));
  return arith::ConstantOp::create(builder, element);
}

Value integerOf(ImplicitLocOpBuilder &builder, Type type, const APInt &value) {
  return constantOf(builder, type,
                    builder.getIntegerAttr(getElementTypeOrSelf(type), value));
}

Value integerOf(ImplicitLocOpBuilder &builder, Type type, int64_t value) {
  return constantOf(builder, type,
                    builder.getIntegerAttr(getElementTypeOrSelf(type), value));
}

Value zeroOf(ImplicitLocOpBuilder &builder, Type type) {
  return constantOf(
      builder, type,
      cast<TypedAttr>(builder.getZeroAttr(getElementTypeOrSelf(type))));
}

Value splat(ImplicitLocOpBuilder &builder, Value value,
            ArrayRef<int64_t> shape) {
  if (isa<RankedTensorType>(value.getType()))
    return value;
  return tile::SplatOp::create(builder,
                               RankedTensorType::get(shape, value.getType()),
                               value, sizesAttr(builder, shape));
}

Value reshapeTo(ImplicitLocOpBuilder &builder, Value tile,
                ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (type.getShape() == shape)
    return tile;
  return tile::ReshapeOp::create(
      builder, RankedTensorType::get(shape, type.getElementType()), tile,
      sizesAttr(builder, shape));
}

Value maskOf(ImplicitLocOpBuilder &builder, ValueRange mask) {
  return mask.empty() ? Value() : asTile(builder, mask.front());
}

Value asTile(ImplicitLocOpBuilder &builder, Value value) {
  return splat(builder, value, {});
}

Value fromTile(ImplicitLocOpBuilder &builder, Value value) {
  auto tensor = cast<RankedTensorType>(value.getType());
  if (tensor.getRank() != 0)
    return value;
  return tensor::ExtractOp::create(builder, value, ValueRange());
}

Value toIndex(ImplicitLocOpBuilder &builder, Value integer) {
  // Fold casts from index: tile and block counts, sizes and loop counters fit
  // the integer type that they were cast to.
  if (auto cast = integer.getDefiningOp<arith::IndexCastOp>())
    return cast.getIn();
  APInt constant;
  if (matchPattern(integer, m_ConstantInt(&constant)))
    return arith::ConstantIndexOp::create(builder, constant.getZExtValue());
  return arith::IndexCastUIOp::create(builder, builder.getIndexType(), integer);
}

Value fromIndex(ImplicitLocOpBuilder &builder, Value index, Type type) {
  return arith::IndexCastOp::create(builder, type, index);
}

} // namespace tilegpt::cuda_tile
